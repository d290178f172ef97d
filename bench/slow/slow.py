#!/usr/bin/env python3
# slow.py - looks for loops that become slower through memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of copies.c, sums.c and others with each compiler and level, stock and
through memlift, links them all into one process, runs both sides of each pair in turns, and prints
the cells in which memlift is slower than the bar: the speed of stock is divided by memlift's, of
the fastest rounds, median of several processes. Both sides must compute the same.

A program whose code is the same on both sides is no cell; how many of those are below the bar, too,
says how far the clock is to be believed. A cell whose ratio differs from one process to another by
more than a tenth is marked with "?".

Exit status: 0 no cell is below the bar, 1 some are, or results differ, 2 bad usage.
"""

import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FILES = ["copies", "sums", "small", "varied", "rows", "digests", "objects"]
CXX = {"objects"}
LEVELS = {"O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"], "native": ["-O3", "-march=native"]}
COMPILERS = {"gcc": ("gcc-12", "memlift-gcc"), "clang": ("clang-22", "memlift-clang")}
CXX_COMPILERS = {"gcc": ("g++-12", "memlift-g++"), "clang": ("clang++-22", "memlift-clang++")}


def fail(message):
    """Ends the program with a message."""
    sys.exit(f"slow.py: error: {message}")


def run(command):
    """Runs a command that has to succeed, and gives its output."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        fail(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def code_of(path, prefix):
    """Gives the disassembly of each section of code, without the build's prefix and without the
    places of constants, which depend on the code before."""
    text = run(["objdump", "-d", "-r", "--no-show-raw-insn", path]).replace(prefix, "")
    text = re.sub(r"(\.rodata[^\s+-]*|\.LC\d+)[+-]0x[0-9a-f]+", ".rodata", text)
    parts = re.split(r"^Disassembly of section (\S+):$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def compile_side(options, build, side):
    """Compiles all files for one side of a build; gives the objects by file."""
    compiler, level = build.split("_")
    extra = options.flags.split() if side == "lift" else []
    objects = {}
    for file in options.files:
        stock, lift = (CXX_COMPILERS if file in CXX else COMPILERS)[compiler]
        driver = stock if side == "stock" else os.path.join(options.build, "bin", lift)
        source = os.path.join(HERE, file + (".cpp" if file in CXX else ".c"))
        out = os.path.join(options.work, f"{side}_{build}_{file}.o")
        run([driver, *LEVELS[level], *options.both.split(), *extra, "-ffunction-sections",
             f"-DBUILD={side}_{build}", "-c", source, "-o", out])
        objects[file] = out
    return objects


def build_all(options, link=()):
    """Builds the process, linked with more options, and gives its path and the programs whose code
    is the same on both sides."""
    objects, same = [], set()
    for build in options.builds:
        sides = {side: compile_side(options, build, side) for side in ("stock", "lift")}
        for file in options.files:
            stock = code_of(sides["stock"][file], f"stock_{build}_")
            lift = code_of(sides["lift"][file], f"lift_{build}_")
            different = {name for name, text in stock.items() if lift.get(name) != text}
            programs = {name[len(".text."):].removesuffix("_loop") for name in stock}
            changed = {name[len(".text."):].removesuffix("_loop") for name in different}
            same |= {(name, build) for name in programs - changed}
        objects += [*sides["stock"].values(), *sides["lift"].values()]
    program = os.path.join(options.work, "slow")
    listed = " ".join(f"X({build}, {file})"
                      for build in options.builds for file in options.files)
    linker = "g++-12" if CXX.intersection(options.files) else "gcc-12"
    run([linker, "-O2", "-xc", f"-DPAIRS={listed}", os.path.join(HERE, "main.c"), "-xnone",
         *objects,
         os.path.join(options.build, "lib", "libmemlift.a"), *link, "-o", program])
    return program, same


def measure(options, program):
    """Runs the process several times; gives the list of pairs of times for each cell."""
    cells = collections.defaultdict(list)
    for turn in range(options.processes):
        print(f"slow.py: process {turn + 1} of {options.processes}", file=sys.stderr)
        command = [program, *["--anew"] * options.anew, str(options.rounds),
                   str(options.seed + turn)]
        for line in run(command + ([options.only] if options.only else [])).splitlines():
            name, lengths, build, stock, lift = line.split()
            # A clock that is set back by the system may give 0.
            cells[name, lengths, build].append((max(float(stock), 1e-3), max(float(lift), 1e-3)))
    return cells


def report(options, cells, same):
    """Prints the cells below the bar, slowest first, and a summary; gives their number."""
    rows, noise = [], 0
    for (name, lengths, build), times in cells.items():
        ratios = [stock / lift for stock, lift in times]
        if (name, build) in same:
            noise += statistics.median(ratios) < options.bar
            continue
        unsure = "?" if max(ratios) / min(ratios) > 1.1 else ""
        rows.append((statistics.median(ratios), name, lengths, build, unsure,
                     min(t[0] for t in times), min(t[1] for t in times)))
    rows.sort()
    slower = [row for row in rows if row[0] < options.bar]
    print(f"{'loop':18} {'lengths':8} {'build':13} {'ratio':>6} {'stock':>9} {'memlift':>9} "
          "ns a call")
    for ratio, name, lengths, build, unsure, stock, lift in rows if options.all else slower:
        print(f"{name:18} {lengths:8} {build:13} {ratio:5.2f}{unsure or ' '} "
              f"{stock:9.2f} {lift:9.2f}")
    print(f"{len(slower)} of {len(rows)} cells below {options.bar}; "
          f"{len([r for r in rows if r[0] > 1 / options.bar])} above {1 / options.bar:.2f}; "
          f"{len(cells) - len(rows)} have the same code, of which {noise} are below, too")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump([list(row) for row in rows], out, indent=1)
    return len(slower)


def main():
    """Reads the options, builds, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="of memlift")
    parser.add_argument("--work", help="directory for objects (default: BUILD/slow)")
    parser.add_argument("--builds", nargs="+", metavar="COMPILER_LEVEL",
                        default=[f"{c}_{level}" for c in COMPILERS for level in LEVELS
                                 if level != "O1"],
                        help="gcc_O1, clang_native, ... (default: all but O1)")
    parser.add_argument("--flags", default="", help="more options for memlift's side")
    parser.add_argument("--both", default="", metavar="FLAGS",
                        help="more options for both sides, as --both=-falign-loops=64")
    parser.add_argument("--anew", action="store_true",
                        help="draw lengths and places anew for each round, so that no core learns "
                             "them; the times are of the round at a quarter, not of the fastest")
    parser.add_argument("--files", nargs="+", choices=FILES, default=FILES)
    parser.add_argument("--only", help="programs with this in their names")
    parser.add_argument("--bar", type=float, default=0.97)
    parser.add_argument("--rounds", type=int, default=151, help="of each pair in a process")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1, help="of lengths and places")
    parser.add_argument("--all", action="store_true", help="print all cells")
    parser.add_argument("--json", help="write all cells to this file")
    options = parser.parse_args()
    for build in options.builds:
        compiler, _, level = build.partition("_")
        if compiler not in COMPILERS or level not in LEVELS:
            parser.error(f"unknown build {build}")
    options.work = options.work or os.path.join(options.build, "slow")
    os.makedirs(options.work, exist_ok=True)
    program, same = build_all(options)
    return 1 if report(options, measure(options, program), same) else 0


if __name__ == "__main__":
    sys.exit(main())
