#!/usr/bin/env python3
# fuzz_operations.py - builds fuzz.cpp with the runtime, and runs it for each operation
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs libFuzzer over every operation of the runtime, or those that are named, under
AddressSanitizer and UndefinedBehaviorSanitizer, each for a number of inputs. An input that fails is
kept in BUILD/fuzz-kernels/; run the program that the message names with it to see it again.

Exit status: 0 nothing found, 1 a failure, 2 bad usage, 77 no clang with libFuzzer.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
FLAGS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-builtin",
         "-I" + os.path.join(ROOT, "runtime"), "-I" + os.path.join(ROOT, "runtime", "include")]
PROGRAM = ["fuzz.cpp", "isas.cpp", "memory.cpp", "numbers.cpp", "peers.cpp"]


def runtime_sources():
    """The files that sources.cmake lists."""
    with open(os.path.join(ROOT, "runtime", "sources.cmake"), encoding="utf-8") as file:
        names = re.findall(r"^\s+(\S+\.c)\)?$", file.read(), re.MULTILINE)
    return [os.path.join(ROOT, "runtime", name) for name in names]


def compiled(clang, source, more, folder):
    """The object of one source file."""
    name = os.path.relpath(source, ROOT).replace("/", "_") + ".o"
    target = os.path.join(folder, name)
    run = subprocess.run([clang] + FLAGS + more + ["-c", source, "-o", target], check=False)
    if run.returncode:
        sys.exit(f"fuzz_operations.py: error: {source} was not compiled")
    return target


def build(arguments, folder):
    """The fuzzer; None where this clang has none."""
    probe = ["-x", "c", "-fsanitize=fuzzer,address", "-o", os.devnull, "-"]
    text = b"int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p == 0 && n; }"
    if subprocess.run([arguments.clang] + probe, input=text, check=False).returncode:
        return None
    c_code = ["-std=c11", "-fsanitize=fuzzer-no-link"]
    cpp_code = ["-std=c++17", "-fsanitize=fuzzer-no-link"]
    cpp = [os.path.join(HERE, name) for name in PROGRAM]
    jobs = [(source, c_code) for source in runtime_sources()] + [(one, cpp_code) for one in cpp]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        objects = list(pool.map(lambda job: compiled(arguments.clang, *job, folder), jobs))
    program = os.path.join(folder, "fuzz-kernels")
    linker = re.sub(r"clang(-\d+)?$", r"clang++\1", arguments.clang)
    link = [linker, "-fsanitize=fuzzer,address,undefined"] + objects
    if subprocess.run(link + ["-lgtest", "-lpthread", "-o", program], check=False).returncode:
        sys.exit("fuzz_operations.py: error: the fuzzer was not linked")
    return program


def fuzz(program, operation, arguments, folder):
    """One operation: whether nothing was found, and what was printed."""
    command = [program, f"--operation={operation}", f"-runs={arguments.runs}",
               f"-seed={arguments.seed}", f"-max_len={arguments.max_len}", "-len_control=0",
               "-timeout=60", f"-artifact_prefix={folder}/{operation}-"]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    return run.returncode == 0, " ".join(command), run.stderr


def parse():
    """The command line."""
    parser = argparse.ArgumentParser(prog="fuzz_operations.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", metavar="OPERATION",
                        help="a routine without memlift_ (crc, inet_sum, copy); all, if none")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build tree to use")
    parser.add_argument("--clang", default="clang-22", help="the compiler")
    parser.add_argument("--runs", type=int, default=500, help="inputs for each operation")
    parser.add_argument("--seed", type=int, default=1, help="of libFuzzer; 0 takes a new one")
    parser.add_argument("--max-len", type=int, default=6000, help="bytes of an input")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at once")
    return parser.parse_args()


def main():
    """Builds the fuzzer and runs it over the operations."""
    arguments = parse()
    folder = os.path.join(os.path.abspath(arguments.build), "fuzz-kernels")
    os.makedirs(folder, exist_ok=True)
    program = build(arguments, folder)
    if not program:
        print(f"fuzz_operations.py: {arguments.clang} links no fuzzer: libclang-rt-22-dev?")
        sys.exit(77)
    listed = subprocess.run([program, "--list"], check=True, capture_output=True, text=True)
    every = listed.stdout.split()
    unknown = [one for one in arguments.operations if one not in every]
    if unknown:
        print(f"fuzz_operations.py: error: no operation {unknown[0]}; there are: " +
              " ".join(every), file=sys.stderr)
        sys.exit(2)
    wanted = arguments.operations or every
    failed = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda one: fuzz(program, one, arguments, folder), wanted)
        for operation, (fine, command, output) in zip(wanted, results):
            if not fine:
                failed += 1
                print(f"{operation}: FAILED\n{command}\n{output[-3000:]}", flush=True)
    print(f"{len(wanted)} operations, {arguments.runs} inputs each, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
