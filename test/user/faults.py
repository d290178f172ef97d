#!/usr/bin/env python3
# faults.py - every fault of copies and fills of memory that may fault, by every compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile test/e2e/Inputs/user-routines.c for each compiler, core and level, and run it.

user-faults.c compares each operation with a loop over bytes: every length of 0 to 300 with the
fault at every byte, then random operations. Natively on x86-64, and for riscv64 under qemu.

exit codes: 0 all right, 1 something differs, 77 a compiler is missing on this machine
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INPUTS = ROOT / "test" / "e2e" / "Inputs"
LEVELS = ("-O1", "-O2", "-O3", "-Os")
CORES = ("generic", "generic-inorder", "sifive-u74", "cva6", "rocket")
CROSS = "riscv64-linux-gnu-gcc-12"
INCLUDE = "/usr/riscv64-linux-gnu/include"


@dataclass(frozen=True)
class Target:
    name: str
    cc: str       # compiles what has no attribute
    link: tuple
    run: tuple
    compilers: tuple


def targets(build):
    tools = Path(build).resolve() / "bin"
    clangs = [(str(tools / f"memlift-clang-{v}"),) for v in (19, 22)]
    riscv = tuple((*c, "--target=riscv64-linux-gnu", "-isystem", INCLUDE) for c in clangs)
    return (
        Target("x86-64", "gcc-12", (), (), (*clangs, (str(tools / "memlift-gcc"),))),
        Target("riscv64", CROSS, ("-static",), ("qemu-riscv64",),
               (*riscv, (str(tools / "memlift-riscv64-linux-gnu-gcc"),))))


def call(command, where):
    run = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if run.returncode:
        print(f"{' '.join(command)}\n{run.stdout}{run.stderr}", file=sys.stderr)
    return run.returncode == 0


def try_one(target, compiler, level, core, folder, arguments):
    """Returns whether the routines are right by one compiler."""
    lifted = os.path.join(folder, "lifted.o")
    return (call([*compiler, level, f"--memlift-core={core}", "-c",
                  str(INPUTS / "user-routines.c"), "-o", lifted], folder) and
            call([target.cc, *target.link, "main.o", lifted, "-o", "run"], folder) and
            call([*target.run, "./run", "all"], folder) and
            call([*target.run, "./run", *arguments], folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), metavar="FOLDER")
    parser.add_argument("--count", type=int, default=100000, metavar="N",
                        help="random operations for each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=36, metavar="N")
    parser.add_argument("--target", default="", metavar="NAME", help="x86-64 or riscv64 alone")
    given = parser.parse_args()
    numbers, bad, done, absent = random.Random(given.seed), 0, 0, []
    for target in targets(given.build):
        if given.target not in ("", target.name):
            continue
        needs = [target.cc, *target.run, *(c[0] for c in target.compilers)]
        absent += [f"{target.name}: {n}" for n in needs if not shutil.which(n)]
        with tempfile.TemporaryDirectory() as folder:
            source = str(INPUTS / "user-faults.c")
            if not shutil.which(target.cc) or not call(
                    [target.cc, "-O1", "-c", source, "-o", "main.o"], folder):
                continue
            for compiler in (c for c in target.compilers if shutil.which(c[0])):
                for level, core in ((l, c) for l in LEVELS for c in CORES):
                    seed = str(numbers.getrandbits(60))
                    good = try_one(target, compiler, level, core, folder, [str(given.count), seed])
                    done, bad = done + 1, bad + (not good)
                    print(f"{target.name} {os.path.basename(compiler[0])} {level} {core} "
                          f"seed {seed}: {'right' if good else 'WRONG'}", flush=True)
    print(f"{done} programs, {bad} wrong; {given.count} random operations each")
    for what in absent:
        print(f"not installed: {what}", file=sys.stderr)
    return 1 if bad else 77 if absent or not done else 0


if __name__ == "__main__":
    sys.exit(main())
