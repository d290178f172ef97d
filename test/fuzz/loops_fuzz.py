#!/usr/bin/env python3
# loops_fuzz.py - random C loops: each must do the same with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C files full of loops of every family (generate.py); compiles each with gcc-12 -O0 and
with every memlift wrapper, level and mode by chance; runs both forms of every loop side by side
(harness.c); compares every byte and every result. One program is one loop, with its own comparison.

A difference is checked first: a program with undefined behaviour, and one that the stock compiler
treats like this as well, is none of ours and is only counted. What is left is reduced (reduce.py),
printed and kept in a folder that is named; put it into regress/ once it is understood.

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time

import build
import generate
import reduce


def options_of(seed, name, in_order=False):
    """Options of a file, whoever compiles it, and of one compilation of it, by chance."""
    rng = random.Random(f"{seed} {name}")
    level = rng.choice(build.LEVELS + ["-O2"])
    mode = rng.choice(["memlift", "memlift", "memlift", "memlift", "libc", "none"])
    both = random.Random(str(seed)).choice([[], ["-fno-strict-aliasing"], ["-fwrapv"]])
    options = [f"--memlift-runtime={mode}"]
    if rng.randrange(12) == 0:  # traps instead of messages, so that no library is needed
        options.append("-fsanitize=undefined -fno-sanitize=alignment " + (
            "-fsanitize-undefined-trap-on-error" if name.startswith("gcc")
            else "-fsanitize-trap=all"))
    options = " ".join(options).split()
    options += [build.NO_REMARKS] if rng.randrange(4) == 0 else []
    options += ["--memlift-searches"] if rng.randrange(2) else []
    if in_order:  # for a core whose loops are shaped, without vectors, which it would leave them to
        return both, [level], ["--memlift-runtime=none", "-mgeneral-regs-only",
                               "--memlift-core=" + rng.choice(["cva6", "rocket", "cortex-a53"])]
    if mode == "none":  # CRCs in place by what the processor multiplies and steps by
        options += rng.choice([[], ["-mpclmul"], ["-msse4.2"], ["-mpclmul", "-msse4.2"]]
                              if build.has_products() else [[]])
    return both, [level], options


class Fuzzer:
    """Counts, and what to do with one file."""

    def __init__(self, args, bench):
        self.args, self.bench = args, bench
        self.total = {"programs": 0, "changed": 0, "mutants": 0, "mutants changed": 0,
                      "different": 0, "undefined": 0, "stock": 0, "failed": 0}
        self.families = {}

    def count(self, made, decisions):
        """Which of the functions were changed."""
        for number, (_, _, family, mutant) in enumerate(made):
            done = decisions.get(number) in ("lowered", "guarded", "inlined")
            self.total["programs"] += 1
            self.total["changed"] += done
            self.total["mutants"] += mutant
            self.total["mutants changed"] += mutant and done
            tally = self.families.setdefault(family, [0, 0])
            tally[0] += not mutant
            tally[1] += done and not mutant

    def different(self, name, options, source, seed, said):
        """One function that differs, in a file of its own."""
        bench = self.bench
        plain, stock = build.without_memlift(options)
        bench.plain(source, plain)
        if bench.stock_differs(name, stock, source, seed):
            self.total["stock"] += 1
            print(f"seed {seed}: {name} {' '.join(options)}: differs without memlift too: {said}")
            return
        if bench.undefined(plain, source, seed):
            self.total["undefined"] += 1
            return
        self.total["different"] += 1
        kept = tempfile.mkdtemp(prefix="memlift-fuzz-")
        shutil.copy(source, os.path.join(kept, "loop.c"))
        text = reduce.reduce(bench, name, options, source, seed)
        with open(os.path.join(kept, "reduced.c"), "w", encoding="utf-8") as stream:
            stream.write(text)
        print(f"loops_fuzz: seed {seed}: {name} {' '.join(options)} differs from gcc-12 -O0; "
              f"files in {kept}\n{said}\n{text}", flush=True)

    def ends_alone(self, name, options, source, seed, failure):
        """Did the harness not come to its end, and does it not without memlift either?"""
        if not isinstance(failure, build.Ended):
            return False
        try:
            self.bench.stock_differs(name, build.without_memlift(options)[1], source, seed)
        except build.Ended:
            return True
        return False

    def one(self, name, wrapper, seed, source, made):
        """One file through one compiler."""
        both, level, mode = options_of(seed, name, self.args.in_order)
        options = ([self.args.level] if self.args.level else level) + both + mode
        try:
            self.count(made, self.bench.lifted(wrapper, options, source))
            said, wrong = self.bench.differences(seed)
        except build.Failure as failure:
            kind = "stock" if self.ends_alone(name, options, source, seed, failure) else "failed"
            self.total[kind] += 1
            print(f"loops_fuzz: seed {seed}: {name} {' '.join(options)}: {kind}: {failure}",
                  flush=True)
            return
        for number in wrong:
            single = self.bench.path("single.c")
            with open(single, "w", encoding="utf-8") as stream:
                stream.write(generate.program(seed, [number], self.args.family))
            self.different(name, options, single, seed, said)
            self.bench.plain(source, both)

    def file(self, seed, wrappers):
        """One generated file through every compiler."""
        only = self.args.family
        made = [generate.function(seed, i, only) for i in range(self.args.functions)]
        source = self.bench.path("loops.c")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(generate.program(seed, range(self.args.functions), only))
        self.bench.plain(source, options_of(seed, "", self.args.in_order)[0])
        for name, wrapper in wrappers.items():
            self.one(name, wrapper, seed, source, made)

    def regress(self, wrappers):
        """Every kept case, with every compiler at every level."""
        folder = os.path.join(build.HERE, "regress")
        for case in sorted(f for f in os.listdir(folder) if f.endswith(".c")):
            source = os.path.join(folder, case)
            self.bench.plain(source, [])
            for name, wrapper in wrappers.items():
                for level in build.LEVELS:
                    self.bench.lifted(wrapper, [level], source)
                    said, wrong = self.bench.differences(1)
                    if wrong:
                        self.total["different"] += 1
                        print(f"loops_fuzz: regress/{case}: {name} {level}\n{said}")

    def summary(self):
        """One line, and one for each family."""
        print("loops_fuzz: " + ", ".join(f"{n} {what}" for what, n in self.total.items()))
        if self.args.verbose:
            for family, (all_, done) in sorted(self.families.items()):
                print(f"  {family}: {done} of {all_} right ones changed")


def load_state(args):
    """The next seed and the counts of an interrupted run."""
    if args.state and os.path.exists(args.state):
        with open(args.state, encoding="utf-8") as stream:
            return json.load(stream)
    return None


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--seed", type=int, default=1, help="first seed (default 1)")
    parser.add_argument("--files", type=int, default=2, help="files to generate (default 2)")
    parser.add_argument("--programs", type=int, help="loops for each compiler, instead of files")
    parser.add_argument("--functions", type=int, default=100, help="loops a file (default 100)")
    parser.add_argument("--only", choices=sorted(build.WRAPPERS), help="one compiler")
    parser.add_argument("--family", action="append", default=[],
                        help="loops of this family only; may be given again")
    parser.add_argument("--in-order", action="store_true",
                        help="for cores that run in order; with families of integers only: maps")
    parser.add_argument("--level", choices=build.LEVELS, help="one level; default: by chance")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--state", help="file to go on from where the last run stopped")
    parser.add_argument("--verbose", action="store_true", help="progress, and counts by family")
    return parser.parse_args()


def main():
    """Runs seeds until the count or the time is used up."""
    args = arguments()
    if not shutil.which("gcc-12"):
        print("loops_fuzz: skipped: gcc-12 is missing")
        return 77
    files = -(-args.programs // args.functions) if args.programs else args.files
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        bench = build.Bench(args.build, folder)
        wrappers = {n: w for n, w in bench.wrappers().items() if args.only in (None, n)}
        if not wrappers:
            print("loops_fuzz: skipped: no wrapper is ready to run")
            return 77
        fuzzer, first, state = Fuzzer(args, bench), args.seed, load_state(args)
        if state:
            first, fuzzer.total, fuzzer.families = (state["next"], state["total"],
                                                    state["families"])
        else:
            fuzzer.regress(wrappers)
        for seed in range(first, args.seed + files):
            if args.seconds and time.monotonic() - start > args.seconds:
                break
            fuzzer.file(seed, wrappers)
            if args.state:
                with open(args.state, "w", encoding="utf-8") as stream:
                    json.dump({"next": seed + 1, "total": fuzzer.total,
                               "families": fuzzer.families}, stream)
            if args.verbose:
                print(f"seed {seed}: {fuzzer.total}", flush=True)
    fuzzer.summary()
    if not fuzzer.total["changed"]:
        print("loops_fuzz: nothing was changed at all: the test tests nothing")
        return 1
    return 1 if fuzzer.total["different"] or fuzzer.total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
