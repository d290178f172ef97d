#!/usr/bin/env python3
# recipe.py - follows the recipe for a new engine, a copy of engine/template, and tests the result
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follow the recipe of runtime/engine/template/README.md to the letter, in a copy of the sources.

The commands of the recipe are run as they stand there. Then the runtime and the new engine's tests
are built; the tests have to pass, none of them skipped that the template's do not skip;
memlift-info has to know the engine, and a change to its fault handling has to be noticed.

exit codes: 0 the recipe holds, 1 it does not, 2 bad usage, 77 a tool of the generator is missing
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["runtime", "intrinsics", "docs/reference", "test/runtime", "bench/model", "bench/micro",
         "cmake"]
NAME = "acme"  # as in the recipe

# The two rooms, configured as the root does it.
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(recipe VERSION 0.1.0 LANGUAGES C CXX)
set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(MEMLIFT_RISCV64_GCC OFF CACHE STRING "")
set(MEMLIFT_AARCH64_GCC OFF CACHE STRING "")
list(PREPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
include(MemliftUnity)
enable_testing()
add_subdirectory(runtime)
add_subdirectory(test/runtime)
"""


def fail(message):
    print(f"recipe.py: {message}", file=sys.stderr)
    sys.exit(1)


def run(command, folder, environment=None, codes=(0,)):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace",
                          check=False, env={**os.environ, **(environment or {})})
    if done.returncode not in codes:
        fail(f"{' '.join(map(str, command))[:200]}: exit code {done.returncode}\n"
             f"{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout + done.stderr


def commands():
    """The recipe's blocks of commands, in their order, as one script."""
    text = (ROOT / "runtime/engine/template/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    if len(blocks) < 8:
        fail(f"the recipe has {len(blocks)} blocks of commands; has its layout changed?")
    return "set -eu\n" + "\n".join(blocks)


def copy_sources(tree):
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    (tree / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")


def build(tree, jobs, compilers):
    run(["cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release",
         f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}"], tree)
    run(["cmake", "--build", "build", f"-j{jobs}", "--target", f"runtime-{NAME}", "memlift-info"],
        tree)


def check_tests(tree, template):
    """Passes, and as many tests as the template has."""
    program = next((tree / "build").rglob(f"runtime-{NAME}"))
    mine, theirs = (json.loads(run_tests(p, tree)) for p in (program, template))
    for key in ("tests", "failures", "errors"):
        if mine[key] != theirs[key]:
            fail(f"{key}: {mine[key]}, of the template {theirs[key]}")
    results = [[t["result"] for s in all_["testsuites"] for t in s["testsuite"]]
               for all_ in (mine, theirs)]
    if results[0] != results[1]:
        fail(f"results differ: {results}")
    print(f"{mine['tests']} tests of the copy: {', '.join(sorted(set(results[0])))}")


def run_tests(program, tree):
    out = tree / "results.json"
    run([str(program), "--gtest_brief=1", f"--gtest_output=json:{out}"], tree)
    return out.read_text(encoding="utf-8")


def check_info(tree):
    """The registry has it: it is not there, which is not the same as unknown."""
    info = tree / "build/bin/memlift-info"
    described = json.loads(run([str(info), "--json"], tree, {"MEMLIFT_ENGINE": NAME}))
    mine = [e for e in described["engines"] if e["name"] == NAME]
    if len(mine) != 1 or "made up" not in mine[0]["reason"]:
        fail(f"memlift-info says of it: {mine}")
    if not described["engine_status"].startswith("this machine has no such engine"):
        fail(f"MEMLIFT_ENGINE={NAME}: {described['engine_status']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--template", type=Path, required=True, metavar="PROGRAM",
                        help="the template's own tests, built")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="compilers at a time (2)")
    parser.add_argument("--cc", default=os.environ.get("CC", "gcc-12"), help="C compiler")
    parser.add_argument("--cxx", default=os.environ.get("CXX", "g++-12"), help="C++ compiler")
    arguments = parser.parse_args()
    generator = [sys.executable, str(ROOT / "intrinsics/gen/memlift-gen.py"), "--check"]
    if subprocess.run(generator, check=False).returncode == 77:
        return 77
    os.environ.setdefault("MEMLIFT_TEST_SEED", "1")
    for name in ("MEMLIFT_ENGINE", "MEMLIFT_CPU", "MEMLIFT_LIMITS", "MEMLIFT_STATS"):
        os.environ.pop(name, None)
    compilers = (arguments.cc, arguments.cxx)
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work)
        copy_sources(tree)
        run(["sh", "-c", commands()], tree)
        build(tree, arguments.jobs, compilers)
        check_tests(tree, arguments.template.resolve())
        check_info(tree)
        run(["sh", "test/runtime/environment.sh", "runtime", "build/bin/memlift-info"], tree)
        print(run([sys.executable, "test/runtime/mutate_engines.py", "--build", "build", "--cc",
                   arguments.cc, "--cxx", arguments.cxx, f"{NAME}: another"], tree), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
