#!/usr/bin/env python3
# rtl.py - compiled RISC-V code on the RTL of real in-order cores: is it right, and how many cycles
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds simulators of CVA6 (with a write-through and with a write-back data cache) and of Rocket
from pinned wheels (wheels.txt), about a minute and 0.3 GB, kept below BUILD/rtl, and

  anchors   runs code whose cycles are known, atomic operations among it: the simulators are right
  check     compiles target/kernels.c by each compiler, stock and through memlift, and compares
            what its copies, fills and checksums do with what they are to do, on each core, and
            for all lengths from 0 to 300 at all alignments under qemu-riscv64 where that is there
  pingpong  two cores send each other messages through network interfaces: cycles one way, and where
            they go; the limits that bench/README.md states hold, and no message is torn
  table     prints the cycles of these and of Linux's own routines, the cycles a byte that
            llvm-mca gives for sifive-u74, and the bytes of code, as Markdown
  dense     compares memlift's copies and fills with Linux's assembler at every length up to 64 and
            those of packets, warm and cold; an hour, or with --sample some minutes
  overlap   a loop over far memory by blocks, which a DMA engine moves between it and a near store,
            on Rocket: how much of the transfers is hidden, and how far from a loop by hand
  run       runs the program FILE (target/ shows how to make one) on the cores that are named

Without any, the first four. Every figure is the same in each run. Memory latency is 1 cycle, if
nothing else is said: see harness/slave.h. What memlift's compilers make is read from BUILD.

Exit status: 0 all as it should be, 1 a figure or a result is wrong, 2 bad usage, 77 nothing could
be done: the message says what is missing.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, HERE)
# pylint: disable=wrong-import-position
import anchors
import dense
import overlap
import pingpong
import programs
import results
from simulators import CORES, simulator
from wheels import Unavailable

STEPS = ["anchors", "check", "pingpong", "table"]


def say(text):
    """A line of progress."""
    print(f"rtl: {text}", flush=True)


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="*",
                        metavar="anchors|check|pingpong|table|dense|overlap|run FILE")
    root = os.path.dirname(os.path.dirname(HERE))
    parser.add_argument("--build", default=os.path.join(root, "build"),
                        help="build folder with bin/memlift-*")
    parser.add_argument("--core", action="append", choices=list(CORES), metavar="NAME",
                        help=f"this one only; repeatable ({', '.join(CORES)})")
    names = list(programs.variants(""))
    parser.add_argument("--variant", action="append", choices=names, metavar="NAME",
                        help=f"what this makes only; repeatable ({', '.join(names)})")
    parser.add_argument("--latency", type=int, default=1, metavar="N",
                        help="of reads and writes of memory, cycles, for table and run")
    parser.add_argument("--exhaustive", action="store_true",
                        help="check: all lengths on the cores, too; hours")
    parser.add_argument("--sample", action="store_true",
                        help="dense: eight pairs of alignments, fewer lengths")
    parser.add_argument("--short", action="store_true",
                        help="dense: lengths up to 64 only, warm")
    parser.add_argument("--places", type=int, default=1, metavar="N",
                        help="dense: the mean of so many places of the code (default 1)")
    parser.add_argument("--apart", type=int, default=34, metavar="N",
                        help="dense: bytes from one place to the next (default 34)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1,
                        help="compilers that run at a time (default: the processors)")
    parser.add_argument("--table", metavar="FILE", help="also write the table there")
    arguments = parser.parse_args()
    if arguments.latency < 1 or arguments.jobs < 1 or arguments.places < 1 or \
            arguments.apart < 1:
        parser.error("latency, jobs, places and apart are at least 1")
    arguments.program = None
    if arguments.step[:1] == ["run"] and len(arguments.step) == 2:
        arguments.program = arguments.step.pop()
    elif any(step not in STEPS + ["dense", "overlap"] for step in arguments.step):
        parser.error(f"a step is one of: {', '.join(STEPS)}, dense, overlap, or run FILE")
    return arguments


class Bench:
    """The cores and variants that were asked for, and where everything is."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.build = os.path.abspath(arguments.build)
        self.root = os.path.join(self.build, "rtl")
        os.makedirs(self.root, exist_ok=True)
        self.cores = [core for name, core in CORES.items()
                      if not arguments.core or name in arguments.core]
        self.variants = []
        for variant in programs.variants(self.build).values():
            if arguments.variant and variant.name not in arguments.variant:
                continue
            lacks = programs.missing(variant)
            if lacks:
                say(f"left out: {variant.text}: there is no {lacks}")
            else:
                self.variants.append(variant)

    def simulator(self, core):
        """Its path."""
        return simulator(core, self.root, self.arguments.jobs, say)

    def run(self, core, program, *arguments):
        """Output of a program; raises RuntimeError if it did not end well. `arguments`: options,
        and a program for a second core."""
        done = subprocess.run([self.simulator(core), program, *arguments], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{core.text}: {os.path.basename(program)} ended with "
                               f"{done.returncode}:\n{done.stdout}{done.stderr}".rstrip())
        return done.stdout

    def latency(self):
        """Options of the simulators."""
        n = self.arguments.latency
        return [f"--memory-read={n}", f"--memory-write={n}"]


def run_program(bench):
    """Runs FILE on each core."""
    for core in bench.cores:
        say(core.text)
        print(bench.run(core, bench.arguments.program, *bench.latency()), end="")
    return 0


def main():
    """The steps, in their order."""
    arguments = parse()
    bench = Bench(arguments)
    bad = 0
    try:
        programs.tools()
        for core in bench.cores:
            bench.simulator(core)
        if arguments.program:
            return run_program(bench)
        for step in arguments.step or STEPS:
            bad |= {"anchors": anchors.run, "check": results.check, "pingpong": pingpong.run,
                    "table": results.table, "dense": dense.table,
                    "overlap": overlap.run}[step](bench, say)
        return int(bool(bad))
    except Unavailable as error:
        say(f"skipped: {error}")
        return 1 if bad else 77
    except RuntimeError as error:
        print(f"rtl: error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
