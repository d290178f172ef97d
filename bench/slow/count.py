#!/usr/bin/env python3
# count.py - counts the instructions of loops with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of slow.py once each under valgrind's callgrind, stock and through memlift, and
compares the instructions of each cell, calls included: memlift's divided by those of stock. Counts
are the same on each machine and at each load, so a change of a decision that makes loops longer is
seen without a clock. valgrind knows no AVX-512: calls take the routines for AVX2.

Compares with counts.txt beside this script and prints the cells whose ratio is more than a
twentieth above the one there; --update writes the file. Exit status: 0 none is, 1 some are, 2 bad
usage, 77 no valgrind.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import slow

KNOWN = os.path.join(slow.HERE, "counts.txt")
LENGTHS = ["0..16", "17..40", "65..300"]
MORE = 1.05


def costs(path):
    """Instructions of each function that is called from another one, all calls together."""
    names, total = {}, {}
    called, costs_follow = None, False
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            name = re.match(r"cfn=\((\d+)\)(?: (\S+))?", line)
            defined = re.match(r"fn=\((\d+)\) (\S+)", line)
            if defined:
                names[defined[1]] = defined[2]
            if name:
                if name[2]:
                    names[name[1]] = name[2]
                called = name[1]
            elif line.startswith("calls="):
                costs_follow = True
            elif costs_follow:
                total[called] = total.get(called, 0) + int(line.split()[1])
                costs_follow = False
    return {names[key]: cost for key, cost in total.items()}


def measure(options, program, lengths):
    """Instructions of each program at a distribution of lengths, by its name with the side."""
    out = os.path.join(options.work, "callgrind.out")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet", program, "1",
         str(options.seed), options.only or "", lengths],
        check=False, capture_output=True, text=True)
    if done.returncode:
        slow.fail(f"{program} under valgrind: {done.stderr.strip()}")
    return costs(out)


def ratios(options, program, same):
    """The ratio of each cell whose code differs: (program, lengths, build) -> ratio."""
    cells = {}
    for lengths in LENGTHS:
        counted = measure(options, program, lengths)
        for build in options.builds:
            prefix = f"stock_{build}_"
            for function, cost in counted.items():
                name = function.removeprefix(prefix)
                lift = counted.get(f"lift_{build}_{name}")
                whole = "_loop" not in name  # else a part of a program
                if whole and function.startswith(prefix) and lift and (name, build) not in same:
                    cells[name, lengths, build] = lift / cost
    return cells


def read_known():
    """The cells of counts.txt."""
    known = {}
    with open(KNOWN, encoding="utf-8") as stream:
        for line in stream:
            if not line.startswith("#"):
                name, lengths, build, ratio = line.split()
                known[name, lengths, build] = float(ratio)
    return known


def write_known(cells):
    """Writes counts.txt."""
    with open(KNOWN, "w", encoding="utf-8") as stream:
        stream.write("# counts.txt - memlift's instructions by those of stock, written by "
                     "count.py --update\n")
        for (name, lengths, build), ratio in sorted(cells.items()):
            stream.write(f"{name} {lengths} {build} {ratio:.3f}\n")


def compare(cells, known):
    """Prints cells that have become longer, and gives their number."""
    longer = [(ratio / max(known.get(cell, 1.0), 0.01), cell, ratio)
              for cell, ratio in cells.items() if ratio > MORE * known.get(cell, 1.0)]
    for _, (name, lengths, build), ratio in sorted(longer, reverse=True):
        print(f"{name:18} {lengths:8} {build:13} {ratio:.3f} instead of "
              f"{known.get((name, lengths, build), 1.0):.3f} times the instructions of stock")
    more = len([ratio for ratio in cells.values() if ratio > 1])
    print(f"count.py: {len(cells)} cells, {more} with more instructions than stock, "
          f"{len(longer)} longer than in counts.txt")
    return len(longer)


def main():
    """Reads the options, builds, counts and compares."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(slow.ROOT, "build"), help="of memlift")
    parser.add_argument("--work", help="directory for objects (default: BUILD/slow-count)")
    parser.add_argument("--builds", nargs="+", metavar="COMPILER_LEVEL",
                        default=["gcc_O2", "clang_O2"])
    parser.add_argument("--flags", default="", help="more options for memlift's side")
    parser.add_argument("--files", nargs="+", choices=slow.FILES, default=slow.FILES)
    parser.add_argument("--only", help="programs with this in their names")
    parser.add_argument("--seed", type=int, default=1, help="of lengths and places")
    parser.add_argument("--update", action="store_true", help="write counts.txt")
    parser.set_defaults(both="")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("count.py: skipped: no valgrind, which is a package of that name")
        return 77
    options.work = options.work or os.path.join(options.build, "slow-count")
    os.makedirs(options.work, exist_ok=True)
    # valgrind finds no symbols where the linker gives .bss a segment of its own, as it does if an
    # object there is aligned to more than a page of the linker's.
    link = ["-no-pie", "-Wl,-z,max-page-size=65536"]
    cells = ratios(options, *slow.build_all(options, link))
    if not cells and not options.only:
        slow.fail("no function was counted")
    if options.update:
        write_known(cells)
        return 0
    return 1 if compare(cells, read_known()) else 0


if __name__ == "__main__":
    sys.exit(main())
