#!/usr/bin/env python3
# clang20.py - builds and tests the plugin for a clang that no Debian release has: clang 20
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetch clang 20 and the headers of LLVM 20 from the Java package org.bytedeco:llvm of Maven
Central, lay them out as Debian lays out an LLVM, build the plugin with them, and run parity,
random loops and loops that check themselves. x86-64 alone; what was fetched is used again.

exit codes: 0 all passed, 1 a part failed, 2 bad usage, 77 another machine, or mvn is missing
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(HERE, "..", "realcode"))
# pylint: disable=wrong-import-position
import packages  # noqa: E402
import parts  # noqa: E402

MAJOR, VERSION = 20, "20.1.7-1.5.12"
INSIDE = "org/bytedeco/llvm/linux-x86_64/"
TOOLS = ("clang", "llvm-config")
LIBRARIES = ("libLLVM.so", "libclang-cpp.so")  # looked for by the names of their versions, ...
SONAME = ".20.1"  # ... which end like this
NEEDS = ["maven"]
OTHERS = [major for major in range(18, 24) if major != MAJOR]
# Loops that check themselves, at three levels and with each way to call nothing of ours.
DIFFERENTIAL = """set -e; for options in "-O1" "-O2 --memlift-runtime=libc" \\
  "-O3 --memlift-runtime=none --memlift-core=generic-inorder"; do
  {wrapper} $options -fno-strict-aliasing test/gcc/Inputs/differential.c -o {root}/run \\
    --memlift-remarks={root}/remarks.yaml
  {root}/run 40 | grep '^PASS'
  grep -q '^--- !Passed' {root}/remarks.yaml
done"""


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=os.path.join(SOURCES, "build", "distro", "clang-20"),
                        help="folder for the compiler and the build; default: build/distro/"
                        "clang-20")
    parser.add_argument("--programs", type=int, default=500,
                        help="random loops (%(default)s)")
    parser.add_argument("--install", action="store_true",
                        help=f"install what this needs ({' '.join(NEEDS)}), and stop")
    return parser.parse_args()


def fetch(root):
    """The jar, from Maven's repository unless it is there."""
    jar = os.path.join(root, f"llvm-{VERSION}-linux-x86_64.jar")
    if not os.path.exists(jar):
        subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-DoutputDirectory={root}",
                        f"-Dartifact=org.bytedeco:llvm:{VERSION}:jar:linux-x86_64"], check=True,
                       cwd=root)
    return jar


def place_of(name):
    """Where a file of the jar goes below the prefix; None for what is not needed."""
    if name.startswith("include/") or name.startswith("lib/clang/"):
        return name
    if name in TOOLS:
        return os.path.join("bin", name)
    return os.path.join("lib", name + SONAME) if name in LIBRARIES else None


def lay_out(jar, prefix):
    """Unpacks compiler, libraries and headers."""
    if os.path.exists(os.path.join(prefix, "bin", f"clang-{MAJOR}")):
        return
    shutil.rmtree(prefix, ignore_errors=True)
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.infolist():
            inside = entry.filename.startswith(INSIDE) and not entry.is_dir()
            place = place_of(entry.filename[len(INSIDE):]) if inside else None
            if place:
                path = os.path.join(prefix, place)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with archive.open(entry) as source, open(path, "wb") as target:
                    shutil.copyfileobj(source, target)
                if place.startswith("bin/"):
                    os.chmod(path, 0o755)
    for name in (f"clang++-{MAJOR}", f"clang-{MAJOR}"):
        os.symlink("clang", os.path.join(prefix, "bin", name))


def commands_of(args, prefix):
    """{name: command} of what is tested, in this order."""
    build = os.path.join(args.root, "build")
    wrapper = os.path.join(build, "bin", f"memlift-clang-{MAJOR}")
    off = " ".join(f"-DMEMLIFT_BUILD_LLVM{major}=OFF" for major in OTHERS)
    only = f"--build {build} --only clang-{MAJOR}"
    return {
        "build": f"cmake --preset release -B {build} -DMEMLIFT_ASSERTIONS=ON {off} "
                 "-DMEMLIFT_BUILD_GCC=OFF -DMEMLIFT_CROSS=OFF -DMEMLIFT_BUILD_TESTS=OFF "
                 f"-DMEMLIFT_LLVM_CONFIG{MAJOR}={prefix}/bin/llvm-config && "
                 f"cmake --build {build} -j {os.cpu_count() or 2} --target product",
        "parity": f"python3 test/parity/parity.py {only}",
        "fuzz": f"python3 test/fuzz/loops_fuzz.py {only} --programs {args.programs}",
        "differential": DIFFERENTIAL.format(wrapper=wrapper, root=args.root)}


def test(name, command, root):
    """Runs one part; true if it passed."""
    start, log = time.monotonic(), os.path.join(root, name + ".log")
    path = os.path.join(root, "llvm", "bin") + os.pathsep + os.environ["PATH"]
    with open(log, "w", encoding="utf-8") as stream:
        done = subprocess.run(["sh", "-c", command], cwd=SOURCES, stdout=stream,
                              stderr=subprocess.STDOUT, check=False,
                              env={**os.environ, "PATH": path})
    parts.tell(name, done.returncode == 0, start, log, of_passed=1)
    return done.returncode == 0


def main():
    """Fetches the compiler and runs the parts."""
    args = arguments()
    if args.install:
        return packages.get("clang-20", NEEDS)
    if platform.machine() != "x86_64" or not shutil.which("mvn"):
        print("clang-20: skipped: it needs x86-64, and Maven (--install)")
        return 77
    args.root = os.path.abspath(args.root)
    prefix = os.path.join(args.root, "llvm")
    os.makedirs(args.root, exist_ok=True)
    try:
        lay_out(fetch(args.root), prefix)
    except (OSError, subprocess.CalledProcessError, zipfile.BadZipFile) as failure:
        print(f"clang-20: error: {failure}")
        return 1
    commands = commands_of(args, prefix)
    return parts.run_all(commands, lambda name: test(name, commands[name], args.root))


if __name__ == "__main__":
    sys.exit(main())
