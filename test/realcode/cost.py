#!/usr/bin/env python3
# cost.py - what memlift adds to the time that compiling SQLite, zstd and large functions takes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles SQLite's amalgamation and zstd's library at -O2 with each stock compiler and with
memlift's wrapper of it, in turn, and prints user seconds and their ratio. Interleaved runs see
the same machine; the ratio is that of the fastest runs, as whatever else runs only ever adds.
The memory is the most that a process of the command had at a time.

--count prints instructions instead, as valgrind counts them (of the compiler and all it starts):
the same on each machine and at each load, and about twelve times as long.

--large compiles functions as programs write them instead: 300 copies in one function, with loops in
place asked for, and a loop of 2,048 stores.

The sources are those of realcode.py. Exit status: 0 measured, 2 bad usage, 77 no source or no
valgrind.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from projects import PROJECTS
from sources import Archive, Unavailable
from stages import Compiler, compilers


def source(name, root):
    """Folder of a project's unpacked source, fetched if it is not here."""
    project, = (one for one in PROJECTS if one.name == name)
    folder = os.path.join(root, "src", name)
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        Archive(os.path.join(root, "sources")).unpack(project.package, folder)
    return folder


def amalgamation(root):
    """SQLite's one file, made by its own scripts, in a copy of the source."""
    folder = os.path.join(root, "cost-sqlite")
    path = os.path.join(folder, "sqlite3.c")
    if not os.path.exists(path):
        subprocess.run(["cp", "-a", source("sqlite", root) + "/.", folder], check=True)
        for command in ("./configure -q --disable-tcl --disable-readline", "make sqlite3.c"):
            subprocess.run(command, shell=True, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [path]


def library(root):
    """zstd's C files that make its library; two huge decoders of old formats are left to others."""
    lib = os.path.join(source("zstd", root), "lib")
    return sorted(path for folder in ("common", "compress", "decompress", "dictBuilder")
                  for path in glob.glob(os.path.join(lib, folder, "*.c")))


def large(root):
    """Files with one huge function each, and what the wrapper is told when it compiles them."""
    folder = os.path.join(root, "cost-large")
    os.makedirs(folder, exist_ok=True)
    copies = "".join(f"for (unsigned long i = 0; i < n; i++) d[i] = s[i]; g(); d += {3 * k + 1};\n"
                     for k in range(300))
    stores = "".join(f"w[i * 2048 + {k * 997 % 2048}] = {k} + i;\n" for k in range(2048))
    texts = {"copies": "extern void g(void);\nvoid f(unsigned char *d, const unsigned char *s, "
                       f"unsigned long n) {{\n{copies}}}\n",
             "stores": "void f(unsigned *w, unsigned long m) {\nfor (unsigned long i = 0; i < m; "
                       f"i++) {{\n{stores}}}}}\n"}
    for name, text in texts.items():
        with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as out:
            out.write(text)
    return [("300 copies, in place", [os.path.join(folder, "copies.c")],
             ["--memlift-runtime=none", "--memlift-core=cva6"]),
            ("2,048 stores", [os.path.join(folder, "stores.c")], [])]


def wrappers(build, wanted):
    """The compilers to measure, as (stock, command of it, command of memlift's wrapper)."""
    tools = compilers(build)
    older = Compiler("memlift-clang-19", "clang-19",
                     os.path.join(build, "bin", "memlift-clang-19"), "")
    found = [(one.stock, tools[one.stock].cc if one.stock in tools else one.stock, one.cc)
             for one in [*tools.values(), older] if one.cc != one.stock and one.name != one.stock]
    return [one for one in found
            if (not wanted or one[0] in wanted) and all(shutil.which(cc) for cc in one[1:])]


def user_seconds(command, where):
    """That one run of a command takes, its children's included, and the most memory in KiB."""
    process = subprocess.Popen(command, cwd=where)  # pylint: disable=consider-using-with
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"cost: {' '.join(command[:3])} ... failed")
    return usage.ru_utime, usage.ru_maxrss


def instructions(command, where):
    """That one run of a command takes, in thousands of millions, its children's included."""
    log = os.path.join(where, "count.%p")
    subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--trace-children=yes",
                    "--cachegrind-out-file=/dev/null", f"--log-file={log}", *command],
                   cwd=where, check=True)
    total = 0
    for path in glob.glob(os.path.join(where, "count.*")):
        with open(path, encoding="utf-8") as stream:
            counted = re.search(r"I\s+refs:\s+([\d,]+)", stream.read())
        total += int(counted[1].replace(",", "")) if counted else 0
        os.unlink(path)
    return total / 1e9


def measure(name, files, tool, args, told=()):
    """Prints the figures of one project and compiler."""
    stock, *commands = tool
    figures, memory = ([], []), ([], [])
    with tempfile.TemporaryDirectory() as where:
        for _ in range(1 if args.count else args.rounds):
            for which, compiler in enumerate(commands):
                command = [compiler, *(told if which else ()), "-O2", "-w", "-DZSTD_DISABLE_ASM",
                           "-c", *files]
                if args.count:
                    figures[which].append(instructions(command, where))
                    continue
                seconds, most = user_seconds(command, where)
                figures[which].append(seconds)
                memory[which].append(most)
    plain, lifted = (min(one) for one in figures)
    more = (lifted / plain - 1) * 100
    line = f"| {name} | {stock} | {plain:.2f} | {lifted:.2f} | {more:+.1f} % |"
    if not args.count:
        line += f" {(min(memory[1]) / min(memory[0]) - 1) * 100:+.1f} % |"
    print(line, flush=True)


def main():
    """Measures both projects."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--rounds", type=int, default=5, help="of each compiler (default 5)")
    parser.add_argument("--count", action="store_true", help="instructions instead of seconds")
    parser.add_argument("--large", action="store_true",
                        help="functions of hundreds of loops or stores")
    parser.add_argument("--compiler", action="append", help="only this one: clang-22, ...")
    parser.add_argument("--file", action="append", help="only files of this name: zstd_fast.c, ...")
    parser.add_argument("--told", action="append", default=[], metavar="OPTION",
                        help="an option of memlift's for the wrappers: --told=--memlift-searches")
    args = parser.parse_args()
    if args.count and not shutil.which("valgrind"):
        print("cost: no valgrind to count with")
        return 77
    build = os.path.abspath(args.build)
    root = os.path.join(build, "realcode")
    try:
        projects = large(root) if args.large else (
            ("SQLite's amalgamation", amalgamation(root), ()),
            ("zstd's library", library(root), ()))
    except Unavailable as error:
        print(f"cost: {error}")
        return 77
    print("| 10^9 instructions | compiler | stock | through memlift | |\n|---|---|---:|---:|---:|"
          if args.count else
          f"| user seconds, fastest of {args.rounds} | compiler | stock | through memlift | | "
          "memory |\n|---|---|---:|---:|---:|---:|", flush=True)
    for name, files, told in projects:
        files = [one for one in files
                 if not args.file or os.path.basename(one) in args.file]
        for tool in wrappers(build, args.compiler) if files else ():
            measure(name, files, tool, args, (*told, *args.told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
