#!/usr/bin/env python3
# spread_fuzz.py - random loops by several threads: each must leave the bytes that plain code leaves
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the loops of stream_fuzz.py with other values carried: sums and the like, legal and
illegal. Compiles them with gcc-12 -O0, and with every memlift wrapper under --memlift-spread=all;
the latter run by three threads, in blocks and an order at random
(test/e2e/Inputs/spread-blocks.c).

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import re
import sys

import build
import stream_fuzz


class Loop(stream_fuzz.Loop):
    """The same, mostly without a value that depends on the order."""

    carries = [
        "x += v;", "x += v * 3 + 1;", "x -= v & 255;", "x ^= v;", "if (v & 8) x += v;",
        "x ^= v & 7;", "k += (u32)v;", "last &= v | 1;", "last |= v & 48;",
        "x += v; k ^= (u32)v >> 3;", "k++; v += k;", "", "", "",
        "x = v < x ? v : x;", "if ((s64)v > (s64)x) x = v;", "k = (u32)v > k ? (u32)v : k;",
        "last = (s64)last < (s64)v ? last : v;", "if (v & 4 && x < v >> 2) x = v >> 2;",
        "x = v < x ? v : x + 1;", "x = x * 31 + v;", "last = v;", "v += x; x ^= v >> 1;",
        "bins[v & 7] += v;"]

    def carry(self):
        text = super().carry()
        return re.sub(r"\bx\b", "c", text) if self.nest else text  # x is the column there


class Fuzzer(stream_fuzz.Fuzzer):
    """The same, by threads."""

    loop, runtime, option = Loop, ["spread-blocks.c"], ["--memlift-spread=all"]
    done = re.compile(r"\bmemlift_spread-")


if __name__ == "__main__":
    sys.exit(build.fuzz("spread_fuzz", __doc__, 40, Fuzzer, stream_fuzz.wanted))
