#!/usr/bin/env python3
# torture.py - GCC's own tests through memlift's plugins: no new failure, no crash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles gcc.c-torture/execute and the loop-distribution tests of the package gcc-12-source
with and without memlift's plugins, at several levels, runs what comes out different, and compares
the outcome; for GCC the loop-distribution dumps are scanned too.

The package is downloaded with an apt configuration of its own and unpacked below BUILD/torture;
results are kept there, and what was done is not done again while the plugin and the runtime are
the same. Exit status: 0 no difference, 1 a difference, 2 bad usage, 77 nothing to compare.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "realcode"))
# pylint: disable=wrong-import-position
import cases
import ldist
from compare import Comparison, contents, tool
from sources import Archive, Unavailable

LEVELS = ("-O1", "-O2", "-O3", "-Os")
WRAPPERS = {name: f"memlift-{name}" for name in
            [f"gcc-{major}" for major in range(12, 17)]
            + [f"clang-{major}" for major in range(23, 17, -1)]}


def say(text):
    """A line of progress."""
    print(f"torture: {text}", flush=True)


class Results:
    """Outcomes by name, kept in a file that is added to."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                for line in stream:
                    if line.endswith("\n"):
                        name, *outcome = json.loads(line)
                        self.known[name] = tuple(outcome)

    def add(self, name, outcome):
        """Notes one, and tells it if it is bad."""
        self.known[name] = outcome
        with open(self.path, "a", encoding="utf-8") as stream:
            stream.write(json.dumps([name, *outcome]) + "\n")
        if outcome[0] == "bad":
            say(f"{name}: {outcome[1]}")


def key(compiler):
    """Digest of what a result depends on: the plugin and the runtime."""
    digest = hashlib.sha256()
    for path in sorted({word.split("=", 1)[1] for word in compiler.plugin}) + [compiler.runtime]:
        digest.update(contents(path))
    return digest.hexdigest()[:16]


def work(compiler, args, suites):
    """[(name, function)] of all that is to be done for a compiler."""
    scratch = os.path.join(args.root, "scratch", compiler.name)
    stock = os.path.join(args.root, "stock")
    for folder in (scratch, stock):
        os.makedirs(folder, exist_ok=True)
    todo = []
    for case in [one for suite in suites for one in suite if not args.only
                 or any(word in one.name for word in args.only)]:
        for level in args.level or LEVELS:
            comparison = Comparison(case, compiler, level, scratch, stock)
            todo.append((comparison.name, comparison.outcome))
    if not compiler.clang:
        for case in suites[1]:
            if case.scans and (not args.only or any(word in case.name for word in args.only)):
                todo.append((f"{compiler.name}.dump.{case.name}",
                             lambda case=case: ldist.compare(case, compiler, scratch)))
    return todo


def do(compiler, args, suites):
    """Counter of outcomes of a compiler; goes on where an earlier run stopped."""
    folder = os.path.join(args.root, "results")
    os.makedirs(folder, exist_ok=True)
    results = Results(os.path.join(folder, f"{compiler.name}.{key(compiler)}.jsonl"))
    todo = work(compiler, args, suites)
    left = [(name, what) for name, what in todo if name not in results.known]
    say(f"{compiler.name}: {len(todo)} to do, {len(todo) - len(left)} of them done before")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = {pool.submit(what): name for name, what in left}
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            results.add(futures[future], future.result())
            if count % 500 == 0:
                say(f"{compiler.name}: {count} of {len(left)}")
    found = collections.Counter(results.known[name][0] for name, _ in todo)
    say(f"{compiler.name}: " + ", ".join(f"{found[kind]} {what}" for kind, what in (
        ("same", "the same code"), ("agree", "other code that agrees"),
        ("scan", "scans of loops that memlift took first"),
        ("built", "other code with nothing to run"), ("none", "that stock does not compile"),
        ("bad", "BAD"))))
    for name, _ in todo:
        if results.known[name][0] in ("bad", "scan"):
            say(f"{results.known[name][0]}: {name}: {results.known[name][1].splitlines()[0]}")
    return found


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--compiler", action="append", choices=sorted(WRAPPERS),
                        help="this one; repeatable")
    parser.add_argument("--level", action="append", choices=LEVELS, help="this one; repeatable")
    parser.add_argument("--jobs", type=int, default=2, help="at a time (default 2)")
    parser.add_argument("--nice", type=int, default=5, help="added to the niceness (default 5)")
    parser.add_argument("only", nargs="*", help="only the tests with one of these in their names")
    return parser.parse_args()


def main():
    """Does all compilers; tells the sums."""
    args = arguments()
    args.root = os.path.join(os.path.abspath(args.build), "torture")
    os.nice(args.nice)
    tools = [tool(name, os.path.join(args.build, "bin", wrapper), os.path.abspath(args.build))
             for name, wrapper in WRAPPERS.items() if not args.compiler or name in args.compiler]
    tools = [one for one in tools if one is not None]
    if not tools:
        say("skipped: no wrapper of memlift runs here")
        return 77
    os.makedirs(args.root, exist_ok=True)
    try:
        suites = cases.find(cases.unpacked(Archive(os.path.join(args.root, "sources")), args.root))
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    total = sum((do(compiler, args, suites) for compiler in tools), collections.Counter())
    return int(total["bad"] > 0)


if __name__ == "__main__":
    sys.exit(main())
