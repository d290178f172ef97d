#!/usr/bin/env python3
# schedule.py - the inner loops for in-order RV64 take the cycles that they were written for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: schedule.py RUNTIME_DIR GCC LLVM_MCA [-v]

Compiles base_riscv64.c, takes each loop of its inline assembly as the compiler has filled it in,
and asks llvm-mca for the cycles a byte on a SiFive U74. Exit code 1 if one is above its bound.
"""
import re
import subprocess
import sys

# Contents of the loop, its name, cycles a byte at most.
LOOPS = [("lwu", "Internet checksum", 0.29), ("sll", "copy, source not aligned", 0.50),
         ("ld", "copy", 0.27), ("sd", "fill", 0.15)]


def assembly(runtime, gcc):
    source = f"{runtime}/kernels/riscv64/base_riscv64.c"
    return subprocess.run([gcc, "-O2", "-fPIC", "-S", "-o", "-", source], check=True, text=True,
                          capture_output=True).stdout


def loops(text):
    """The instructions from each label 1 to the branch back to it; every operation once."""
    found = {}
    for block in re.findall(r"^[ \t]*1:(.*?)^\s*(bne [^\n]*), 1b$", text, re.M | re.S):
        lines = [line.strip() for line in block[0].split("\n")] + [block[1] + ", .Lloop"]
        lines = [line for line in lines if line and line[0] not in ".#"]
        names = {line.split()[0] for line in lines}
        name, bound = next((n, b) for key, n, b in LOOPS if key in names)
        found[name] = (lines, bound)
    return found


def cycles(lines, mca):
    iterations = 100
    run = subprocess.run([mca, "-mtriple=riscv64", "-mcpu=sifive-u74", f"-iterations={iterations}"],
                         input=".Lloop:\n" + "\n".join(lines) + "\n", check=True, text=True,
                         capture_output=True).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", run).group(1)) / iterations


def main():
    runtime, gcc, mca = sys.argv[1:4]
    found = loops(assembly(runtime, gcc))
    bad = {name for _, name, _ in LOOPS} - set(found)
    for name, (lines, bound) in sorted(found.items()):
        step = max(int(n) for n in re.findall(r"^addi \w+, ?\w+, ?(\d+)$", "\n".join(lines), re.M))
        rate = cycles(lines, mca) / step
        print(f"{name}: {rate:.3f} cycles a byte, at most {bound}")
        if rate > bound:
            bad.add(name)
    if bad:
        sys.exit(f"schedule.py: too slow, or not found: {', '.join(sorted(bad))}")


main()
