#!/usr/bin/env python3
# self_test.py - can the fuzzer fail? Right loops against mutants: most must differ
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""self_test.py BUILD: compiles right loops as the reference and the mutants of the same loops as
the candidate, all with gcc-12 -O0; then runs loops with a routine that is wrong, and reduces one.
Exit status: 0 most mutants differ, equal programs do not, the fault was found and made smaller;
1 not; 77 nothing to test with."""

import os
import shutil
import sys
import tempfile

import build
import generate
import reduce

COUNT, SEED = 200, 5


def write(bench, name, functions, only=(), mutants=None):
    """A generated file in the working folder."""
    with open(bench.path(name), "w", encoding="utf-8") as stream:
        stream.write(generate.program(SEED, functions, only, mutants))
    return bench.path(name)


def mutants_differ(folder):
    """Right loops against mutants, then against themselves."""
    bench = build.Bench(sys.argv[1], folder)
    right = write(bench, "right.c", range(COUNT), (), False)
    wrong = write(bench, "mutants.c", range(COUNT), (), True)
    bench.plain(right, [])
    build.compile_(["gcc-12", "-O0"], wrong, "lifted", bench.path("lifted.o"))
    different = len(bench.differences(SEED)[1])
    build.compile_(["gcc-12", "-O0"], right, "lifted", bench.path("lifted.o"))
    said, same = bench.differences(SEED)
    mutants = sum(generate.function(SEED, i, (), True)[3] for i in range(COUNT))
    print(f"self_test: {different} of {mutants} mutants differ; {len(same)} of {COUNT} equal ones\n"
          + said)
    return different * 10 > mutants * 8 and not same


def fault_is_reduced(folder):
    """A routine that forgets the last byte of a long move: found, blamed on us, made smaller."""
    bench = build.Bench(sys.argv[1], folder, ["-DFAULT"])
    wrappers = bench.wrappers()
    if not wrappers:
        return True
    name, wrapper = sorted(wrappers.items())[-1]
    source = write(bench, "copies.c", range(20), ("walk",), False)
    bench.plain(source, [])
    bench.lifted(wrapper, ["-O2"], source)
    wrong = bench.differences(SEED)[1]
    if not wrong:
        print("self_test: a wrong routine was not noticed")
        return False
    single = write(bench, "single.c", wrong[:1], ("walk",), False)
    with open(single, encoding="utf-8") as stream:
        before = stream.read()
    after = reduce.reduce(bench, name, ["-O2"], single, SEED)
    smaller = len(after) < len(before) and reduce.still(bench, name, ["-O2"], after, SEED)
    print(f"self_test: {len(wrong)} loops call a wrong routine; one is reduced from {len(before)} "
          f"to {len(after)} characters")
    return smaller


def main():
    """Both."""
    if not shutil.which("gcc-12") or not os.path.exists(f"{sys.argv[1]}/lib/libmemlift.a"):
        print("self_test: skipped: gcc-12 or libmemlift.a is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        good = mutants_differ(folder)
        return 0 if fault_is_reduced(folder) and good else 1


if __name__ == "__main__":
    sys.exit(main())
