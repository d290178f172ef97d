#!/usr/bin/env python3
# starts.py - counts the instructions that the start of a transfer takes on RV64
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile starts.c for riscv64 and run it under qemu-riscv64, an instruction at a time: the exact
number of instructions of a start through a thread's own channel of a PDMA, and of memlift_get, with
all that they call. The registers are reached by functions, as on bare metal.

usage: starts.py BUILD

exit codes: 0 counted, 2 bad usage, 77 a compiler, an emulator or the library for riscv64 is missing
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILER, EMULATOR = "riscv64-linux-gnu-gcc-12", "qemu-riscv64"
COUNTS = 100, 200


def executed(program, log, what, count):
    """Instructions of a run."""
    subprocess.run([EMULATOR, "-singlestep", "-d", "exec,nochain", "-D", log, program, what,
                    str(count)], check=True)
    with open(log, encoding="ascii", errors="replace") as lines:
        return sum(line.startswith("Trace") for line in lines)


def each(program, log, what):
    """Instructions of a round: what the second half of a run has more than the first."""
    few, many = (executed(program, log, what, count) for count in COUNTS)
    return (many - few) // (COUNTS[1] - COUNTS[0])


def main():
    """Exit status."""
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    archive = Path(sys.argv[1]) / "lib/riscv64-linux-gnu/libmemlift.a"
    if not (archive.is_file() and shutil.which(COMPILER) and shutil.which(EMULATOR)):
        print(f"starts: skipped: it needs {COMPILER}, {EMULATOR} and {archive}")
        return 77
    with tempfile.TemporaryDirectory() as work:
        program, log = f"{work}/starts", f"{work}/log"
        subprocess.run([COMPILER, "-O2", "-static", f"-I{ROOT}/runtime",
                        f"-I{ROOT}/runtime/include", str(ROOT / "bench/model/starts.c"),
                        str(archive), "-lpthread", "-o", program], check=True)
        empty = each(program, log, "loop")
        for what, name in (("start", "start of the mover"), ("get", "memlift_get")):
            print(f"{name:20} {each(program, log, what) - empty:4} instructions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
