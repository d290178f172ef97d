#!/usr/bin/env python3
# cost.py - what memlift adds to the time that compiling SQLite and zstd takes
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles SQLite's amalgamation and zstd's library at -O2 with each stock compiler and with
memlift's wrapper of it, in turn, and prints user seconds and their ratio. Interleaved runs see
the same machine; the ratio is that of the fastest runs, as whatever else runs only ever adds.

The sources are those of realcode.py. Exit status: 0 measured, 2 bad usage, 77 no source.
"""

import argparse
import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from projects import PROJECTS
from sources import Archive, Unavailable
from stages import compilers


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


def user_seconds(command, where):
    """That one run of a command takes, its children's included."""
    process = subprocess.Popen(command, cwd=where)  # pylint: disable=consider-using-with
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"cost: {' '.join(command[:3])} ... failed")
    return usage.ru_utime


def measure(name, files, tools, rounds):
    """Prints the figures of one project, a line for each compiler."""
    for tool in tools.values():
        if not tool.ours:
            continue
        times = {True: [], False: []}
        with tempfile.TemporaryDirectory() as where:
            for _ in range(rounds):
                for ours, command in ((False, tools[tool.stock].cc), (True, tool.cc)):
                    times[ours].append(user_seconds(
                        [command, "-O2", "-w", "-DZSTD_DISABLE_ASM", "-c", *files], where))
        stock, lifted = min(times[False]), min(times[True])
        print(f"| {name} | {tool.stock} | {stock:.2f} | {lifted:.2f} | "
              f"{(lifted / stock - 1) * 100:+.1f} % |", flush=True)


def main():
    """Measures both projects."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--rounds", type=int, default=5, help="of each compiler (default 5)")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    root = os.path.join(build, "realcode")
    try:
        projects = (("SQLite's amalgamation", amalgamation(root)),
                    ("zstd's library", library(root)))
    except Unavailable as error:
        print(f"cost: {error}")
        return 77
    print("| user seconds, fastest of {} | compiler | stock | through memlift | |\n"
          "|---|---|---:|---:|---:|".format(args.rounds))
    for name, files in projects:
        measure(name, files, compilers(build), args.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
