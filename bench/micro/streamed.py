#!/usr/bin/env python3
# streamed.py - what memlift("stream") costs where no thread has a local store
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the twelve kernels of test/e2e/Inputs/stream-kernels.c by gcc-12 and by clang-22, plainly
and with memlift("stream") through the wrappers of a build, and runs bench/micro/streamed.c on each
pair.

Exit status: 0 done; 1 a step failed, or with --bar a figure is beyond the bar; 2 bad usage."""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INPUTS = os.path.join(ROOT, "test", "e2e", "Inputs")
KERNELS = os.path.join(INPUTS, "stream-kernels.c")
# Where code lies is not what is measured: it makes 7 ns of difference in loops of 20 ns.
ALIGNED = ["-falign-functions=64", "-falign-loops=64"]
COMPILERS = {"gcc-12": "memlift-gcc", "clang-22": "memlift-clang-22"}


def step(*command):
    """Runs a command that has to succeed."""
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"streamed.py: {' '.join(command)} failed")


def build(folder, bin_folder, compiler, level):
    """Builds the program of one compiler; gives its path."""
    wrapper = os.path.join(bin_folder, COMPILERS[compiler])
    objects = [os.path.join(folder, f"{name}.o") for name in ("plain", "blocks", "main")]
    program = os.path.join(folder, "bench-streamed")
    step(compiler, level, *ALIGNED, "-c", "-DTABLE=plain", KERNELS, "-o", objects[0])
    step(wrapper, level, *ALIGNED, "-c", "-DTABLE=blocks", "-DSTREAM", KERNELS, "-o", objects[1])
    step("gcc-12", "-O2", f"-I{INPUTS}", "-c", os.path.join(HERE, "streamed.c"), "-o", objects[2])
    step(wrapper, *objects, "-o", program)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", help="build folder with bin/memlift-*")
    parser.add_argument("--compiler", choices=COMPILERS, action="append")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--bar", action="store_true")
    parser.add_argument("--kernel", help="this one only")
    args = parser.parse_args()
    bad = 0
    for compiler in args.compiler or COMPILERS:
        with tempfile.TemporaryDirectory(prefix="memlift-streamed-") as folder:
            program = build(folder, os.path.join(args.build, "bin"), compiler, args.level)
            print(f"{compiler} {args.level}", flush=True)
            command = [program] + ["--bar"] * args.bar + [args.kernel] * bool(args.kernel)
            bad |= subprocess.run(command, check=False).returncode
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
