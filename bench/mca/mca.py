#!/usr/bin/env python3
# mca.py - cycles a byte of the best loop of each function, by the model of a core
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the loops of each function in a RISC-V object file or program, gives each to llvm-mca,
and prints for each function the loop that needs the fewest cycles for a byte that it stores, or
that it loads where it stores nothing. A loop is the straight code between a branch backwards and
what it goes to. The model says nothing of caches, memory or mispredicted branches.

Exit status: 0 done, 1 a tool failed, 2 bad usage, 77 a tool is not there.
"""

import argparse
import re
import shutil
import subprocess
import sys

OBJDUMP, NM, MCA = "llvm-objdump-22", "llvm-nm-22", "llvm-mca-22"
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)(?:\s+(.*?))?\s*$")
JUMPS = {"j", "jr", "jal", "jalr", "call", "tail", "ret"}
STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8}
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8}
FEATURES = "--mattr=+m,+a,+c"
ITERATIONS = 200


class Failed(Exception):
    """A tool failed; the text says how."""


def output(command, text=None):
    """Output of a tool."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def functions(path):
    """{name: [(address, operation, operands)]}; all names of a function, if it has several"""
    result, lines = {}, None
    for line in output([OBJDUMP, "-d", "--no-show-raw-insn", FEATURES, path]).splitlines():
        head, found = FUNCTION.match(line), LINE.match(line)
        if head:
            lines = result.setdefault(head.group(1), [])
        elif found and lines is not None:
            lines.append((int(found.group(1), 16), found.group(2),
                          re.sub(r"\s*<.*>$", "", found.group(3) or "")))
    starts = {code[0][0]: code for code in result.values() if code}
    for symbol in output([NM, path]).splitlines():
        address, *_, name = symbol.split()
        if re.fullmatch("[0-9a-f]+", address) and int(address, 16) in starts:
            result.setdefault(name, starts[int(address, 16)])
    return result


def is_branch(operation):
    """beq, bnez, bgtu, ..."""
    return operation.startswith("b")


def loops(lines):
    """Straight code that is repeated: lists of (operation, operands)."""
    at = {address: index for index, (address, _, _) in enumerate(lines)}
    for end, (address, operation, operands) in enumerate(lines):
        if not is_branch(operation):
            continue
        target = operands.split(",")[-1].strip()
        start = at.get(int(target, 16)) if target.startswith("0x") else None
        if start is None or lines[start][0] > address:
            continue
        body = [(op, args) for _, op, args in lines[start:end + 1]]
        if not any(is_branch(op) or op in JUMPS for op, _ in body[:-1]):
            yield body


def assembly(body):
    """The loop as llvm-mca reads it."""
    text = ["again:"]
    for operation, operands in body[:-1]:
        text.append(f"  {operation} {operands}")
    operation, operands = body[-1]
    text.append(f"  {operation} {', '.join(operands.split(',')[:-1] + ['again'])}")
    return "\n".join(text) + "\n"


def moved(body):
    """Bytes that an iteration stores, or else loads."""
    for sizes in (STORES, LOADS):
        count = sum(sizes.get(operation, 0) for operation, _ in body)
        if count:
            return count
    return 0


def cycles(body, cpu):
    """Cycles of an iteration in the steady state."""
    said = output([MCA, "--mtriple=riscv64", f"--mcpu={cpu}", FEATURES,
                   f"--iterations={ITERATIONS}"], assembly(body))
    total = re.search(r"^Total Cycles:\s+(\d+)$", said, re.MULTILINE)
    if not total:
        raise Failed(f"{MCA} tells no cycles:\n{said}")
    return int(total.group(1)) / ITERATIONS


def best(lines, cpu):
    """(cycles a byte, bytes an iteration) of the best loop, or None."""
    found = [(cycles(body, cpu) / moved(body), moved(body)) for body in loops(lines)
             if moved(body)]
    return min(found) if found else None


def table(path, cpu, names=()):
    """{function: best} of those with a loop over memory; names: of these only."""
    result = {}
    for name, lines in functions(path).items():
        found = best(lines, cpu) if not names or name in names else None
        if found:
            result[name] = found
    return result


def available():
    """Name of the tool that is missing, or None."""
    return next((tool for tool in (OBJDUMP, NM, MCA) if not shutil.which(tool)), None)


def main():
    """Prints a line a function."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="object file or program")
    parser.add_argument("function", nargs="*", help="these only")
    parser.add_argument("--mcpu", default="sifive-u74", help="whose model (default sifive-u74)")
    arguments = parser.parse_args()
    if available():
        print(f"mca: skipped: there is no {available()}")
        return 77
    try:
        for name, (each, size) in table(arguments.file, arguments.mcpu,
                                        arguments.function).items():
            print(f"{name}: {each:.3f} cycles a byte, {size} bytes an iteration")
    except Failed as error:
        print(f"mca: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
