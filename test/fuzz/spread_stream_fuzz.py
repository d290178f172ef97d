#!/usr/bin/env python3
# spread_stream_fuzz.py - random loops by several threads, each by blocks of its own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of spread_fuzz.py under --memlift-spread=all and --memlift-stream=all: three threads
take blocks in an order at random, and each cuts its own into short ones in buffers, while the
arrays that it writes hold poison (test/e2e/Inputs/spread-blocks.c and stream-blocks.c).

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import re
import sys

import build
import spread_fuzz
import stream_fuzz


class Loop(spread_fuzz.Loop):
    """A loop of spread_fuzz.py. Arrays that are read keep their bytes: other threads read them."""

    def __init__(self, seed, number):
        super().__init__(seed, number)
        self.looks = True


class Fuzzer(stream_fuzz.Fuzzer):
    """The fuzzer by threads and by blocks at once; it counts the loops that have both."""

    loop, runtime = Loop, ["spread-blocks.c", "stream-blocks.c"]
    option = ["--memlift-spread=all", "--memlift-stream=all"]
    done = re.compile(r"\bmemlift_stream_begin\b")


def wanted(counts):
    """Says what is wrong if under a tenth of the loops have both: few meet the rules of both."""
    few = counts["in blocks"] * 10 < counts["loops"]
    return "too few of the loops are cut into blocks" if few else ""


if __name__ == "__main__":
    sys.exit(build.fuzz("spread_stream_fuzz", __doc__, 40, Fuzzer, wanted))
