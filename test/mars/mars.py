#!/usr/bin/env python3
# mars.py - builds programs of MARS, host and MPU side, runs them, and compares what they print
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: mars.py --build DIR [--cc COMPILER]... [--flags FLAGS] [--words WORDS] [--jobs N] CASE...

A CASE is a directory with host.c or host.cpp, one MPU program or more, and expected.txt. mpu.c
becomes the handle mpu_prog of the host program, mpu_NAME.c the handle mpu_NAME. A line "// options:
WORDS" at the head of a program adds options of its compiler; environment.txt has variables of the
run.

With several compilers the case's place in the list chooses which one compiles which side, so that
all pairs are seen; MEMLIFT_TEST_ALL=1 runs all pairs of each case. FLAGS are for both sides. WORDS
are added to MEMLIFT_MARS.

Exit status: 0 all outputs are as expected, 1 one is not, 2 bad usage, 77 a compiler is missing.
"""
import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 120  # seconds for one program


class Failure(Exception):
    """Says what is wrong with a case."""


def run(words, **more):
    """The output of a command that succeeds."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False, **more)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, words))}\nexit code {done.returncode}\n{done.stdout}")
    return done.stdout


def options_of(source):
    """The words after "// options:" in the first lines of a source."""
    for line in source.read_text(encoding="utf-8").splitlines()[:8]:
        if line.startswith("// options:"):
            return line.removeprefix("// options:").split()
    return []


def environment_of(case, words):
    """The variables of a run, with more words of MEMLIFT_MARS."""
    file = case / "environment.txt"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    more = dict(line.split("=", 1) for line in text.splitlines() if line)
    if words:
        more["MEMLIFT_MARS"] = ",".join(filter(None, [more.get("MEMLIFT_MARS"), words]))
    return {**os.environ, **more}


def cxx_of(compiler):
    """The C++ compiler beside a C compiler, which is a name or a path."""
    path = Path(compiler)
    for c, cxx in (("clang", "clang++"), ("gcc", "g++"), ("cc", "c++")):
        if path.name == c or path.name.startswith(c + "-"):
            return str(path.with_name(cxx + path.name.removeprefix(c)))
    return compiler


def build_case(case, build, work, pair, flags):
    """Makes the host program of a case, with its images in it."""
    host_cc, mpu_cc = pair
    objects = []
    for mpu in sorted(case.glob("mpu*.c")):
        name = "mpu_prog" if mpu.stem == "mpu" else mpu.stem
        objects.append(work / f"{name}.o")
        output = run([build / "bin/memlift-mpu-cc", f"--cc={mpu_cc}", f"--embed={name}", "-O2",
                      "-Wall", "-Wextra", "-Werror", *flags, *options_of(mpu), mpu, "-o",
                      objects[-1]])
        if output:
            raise Failure(f"memlift-mpu-cc {mpu} says:\n{output}")
    host = next(case.glob("host.c*"))
    compiler = cxx_of(host_cc) if host.suffix == ".cpp" else host_cc
    program = work / "host"
    run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", *flags, *options_of(host),
         f"-I{build}/include/memlift-mars", f"-I{build}/include", host, *objects,
         build / "lib/libmemlift_mars.a", build / "lib/libmemlift.a", "-pthread", "-ldl", "-lm",
         "-o", program])
    return program


def try_case(case, build, pair, flags, words):
    """None, or what is wrong."""
    with tempfile.TemporaryDirectory(prefix="memlift-mars-") as folder:
        work = Path(folder)
        try:
            program = build_case(case, build, work, pair, flags)
            output = run([program], cwd=case, env=environment_of(case, words))
        except (Failure, subprocess.TimeoutExpired) as error:
            return f"{case.name}, host by {pair[0]}, MPU by {pair[1]}: {error}"
        expected = (case / "expected.txt").read_text(encoding="utf-8")
        if output == expected:
            return None
        return (f"{case.name}, host by {pair[0]}, MPU by {pair[1]}: prints\n{output}"
                f"--- instead of\n{expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--flags", default="")
    parser.add_argument("--words", default="", help="for MEMLIFT_MARS")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("cases", nargs="+", type=Path)
    args = parser.parse_args()
    compilers = args.cc or ["cc"]
    for compiler in compilers:
        if not shutil.which(compiler):
            print(f"mars.py: {compiler} is not installed")
            return 77
    pairs = list(itertools.product(compilers, repeat=2))
    everything = bool(os.environ.get("MEMLIFT_TEST_ALL"))
    tasks = [(case, pair) for i, case in enumerate(args.cases)
             for pair in (pairs if everything else [pairs[(i + 1) % len(pairs)]])]
    for case in args.cases:
        if not (case / "expected.txt").exists():
            parser.error(f"{case} has no expected.txt")
    with ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda task: try_case(task[0].resolve(), args.build.resolve(), task[1],
                                                 args.flags.split(), args.words), tasks)
        failures = [result for result in results if result]
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(tasks) - len(failures)} of {len(tasks)} runs are right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
