#!/usr/bin/env python3
# program_fuzz.py - random whole programs: each must do the same with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C programs (csmith's, and loop nests by nests.py); compiles each with stock gcc-12 and
clang-22 at -O1, and through memlift by both compilers at -O1, -O2, -O3 and -Os in three modes:
memlift, none (--memlift-runtime=none --memlift-core=cva6) and async (--memlift-async). Output and
exit code must be the same.

A program on which the stock compilers disagree is set aside, and so is a difference that the stock
compiler shows at that level without memlift. Any other difference is printed with a command that
shows it again, and its program is kept in a folder that is named. A seed stands for one program of
each kind whatever else is run, so an interrupted run continues with the first seed that it did not
reach (--seed, --programs). Programs of csmith that are too large, too small or too slow are
replaced by others.

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
or no generator to test with."""

import argparse
import concurrent.futures
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import build
import csmith
import nests

KINDS = {"csmith": csmith, "nests": nests}
COMPILERS = ("gcc-12", "clang-22")
LEVELS = ("-O1", "-O2", "-O3", "-Os")
MODES = {"memlift": ["--memlift-runtime=memlift"],
         "none": ["--memlift-runtime=none", "--memlift-core=cva6"],
         "async": ["--memlift-async"]}
# Seconds of the processor, so that nothing depends on what else runs: a reference that takes more
# is replaced, a candidate does not end, a compiler has failed. HANG is by the clock, for all.
QUICK, ENOUGH, SLOW, HANG = 1, 30, 120, 1800
TRIES = 1000  # seeds of a generator that belong to one of ours
SANITIZERS = (["gcc-12", "-O1", "-fsanitize=undefined,address", "-fno-sanitize=alignment"],
              ["clang-22", "-O1", "-fsanitize=memory"])
COUNTED = ("programs", "compilations", "calling the runtime", "beginning operations", "changed",
           "run", "different", "failed", "set aside", "undefined", "replaced")
NEVER = "does not end"


def limited(seconds):
    """Prefix of a command that gets SIGXCPU after so much of the processor's time."""
    return ["prlimit", f"--cpu={seconds}:{2 * seconds}", "--core=0"]


class Setting:
    """The working folder, a copy of the wrappers with all that they need, and the counts."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.total = dict.fromkeys(COUNTED, 0)
        self.wrappers = self.copied(args.compiler or COMPILERS)

    def copied(self, asked):
        """{compiler: wrapper} of those that run. They are copied because the build may go on."""
        home = self.path("memlift")
        for part in ("bin", "lib", "include"):
            source = os.path.join(self.args.build, part)
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(home, part), symlinks=True)
        found = {}
        for name, _, path in (word.partition("=") for word in asked):
            path = os.path.abspath(path or os.path.join(home, "bin", build.WRAPPERS[name]))
            if shutil.which(name) and os.path.exists(path) and build.run(
                    [path, "--memlift-print-command", "-c", "x.c"]).returncode == 0:
                found[name] = path
        return found

    def path(self, name):
        """A file of the working folder."""
        return os.path.join(self.folder, name)


class Program:
    """A program's source and options, and the behaviour of its objects."""

    def __init__(self, setting, label, text, options):
        self.setting, self.label, self.options, self.text = setting, label, options, text
        self.source = setting.path("program.c")
        with open(self.source, "w", encoding="utf-8") as stream:
            stream.write(text)
        self.known, self.objects, self.want = {}, {}, None

    def run(self, command):
        """Runs a compiler, which has to succeed."""
        done = build.run([*limited(SLOW), *command], timeout=HANG)
        if done.returncode:
            raise build.Failure(f"{' '.join(command)}: exit {done.returncode}\n"
                                + done.stderr[-3000:])

    def compiled(self, command, name):
        """The object that a command makes. Its name leaves no trace in its bytes."""
        output = self.setting.path(name + ".o")
        self.run([*command, "-w", *self.options, "-c", self.source, "-o", output])
        return output

    def behaviour(self, link, output, limit):
        """(exit code, output) of an object, linked by a command."""
        exe = output[:-2]
        self.run([*link, output, "-o", exe])
        ran = subprocess.run([*limited(limit), exe], capture_output=True, check=False,
                             timeout=HANG)
        return (NEVER, b"") if ran.returncode == -signal.SIGXCPU else (ran.returncode, ran.stdout)

    def stock(self, compiler, level, limit=ENOUGH):
        """(exit code, output) without memlift."""
        output = self.compiled([compiler, level], f"stock-{compiler}{level}")
        return self.behaviour([compiler], output, limit)

    def reference(self, compilers):
        """Sets what the program has to do, and tells whether the stock compilers agree on it."""
        for compiler in compilers:
            did = self.stock(compiler, "-O1", QUICK)
            if self.want not in (None, did):
                return False
            self.want = did
            if did[0] == NEVER:
                break
        return True

    def tried(self, configuration):
        """The behaviour in one configuration. Objects that are equal are linked and run once."""
        compiler, level, mode = configuration
        command = [self.setting.wrappers[compiler], *MODES[mode]]
        output = self.compiled([*command, level], "-".join(configuration))
        with open(output, "rb") as stream:
            content = stream.read()
        digest, calls = hashlib.sha256(content).digest(), b"\0memlift_" in content
        self.objects[configuration] = digest, calls, b"\0memlift_begin" in content
        key = digest, calls and mode == "none"  # none is linked without the runtime
        if key not in self.known:
            self.known[key] = self.behaviour(command, output, ENOUGH)
        return self.known[key]

    def undefined(self):
        """The sanitizers' findings, or None. The exit code is the program's own."""
        for command in SANITIZERS:
            output = self.compiled(command, "sanitized")
            self.run([*command, output, "-o", output[:-2]])
            ran = build.run([*limited(ENOUGH), output[:-2]], timeout=HANG)
            if ran.stderr or ran.returncode < 0:
                return f"{' '.join(command)}: exit {ran.returncode}\n{ran.stderr[-3000:]}"
        return None


def first_difference(want, have):
    """The first thing in which two behaviours differ, in a line."""
    for one, other in zip(want[1].splitlines(), have[1].splitlines()):
        if one != other:
            return (f"printed '{other[:100].decode(errors='replace')}', "
                    f"not '{one[:100].decode(errors='replace')}'")
    if want[0] != have[0]:
        return f"exit code {have[0]}, not {want[0]}"
    return "printed another number of lines"


class Fuzzer:
    """Runs programs one after the other, and judges the differences."""

    def __init__(self, args, setting):
        self.args, self.setting, self.total = args, setting, setting.total
        levels, modes = args.level or LEVELS, args.mode or MODES
        self.all = [(c, o, m) for o in levels for m in modes for c in setting.wrappers]
        # A sample compares with the compiler that it tests, in all with both.
        self.references = setting.wrappers if args.configurations else COMPILERS

    def chosen(self, number):
        """The configurations of a program: all, or as many as were asked for, in turn."""
        count = self.args.configurations
        if not count or count >= len(self.all):
            return self.all
        return [self.all[(number * count + k) % len(self.all)] for k in range(count)]

    def again(self, program, configuration):
        """Keeps the program; returns the shortest command that shows a difference again."""
        compiler, level, mode = configuration
        asked = next((word for word in self.args.compiler or ()
                      if word.partition("=")[0] == compiler), compiler)
        return (f"again with\n  {sys.argv[0]} --build {self.args.build} --compiler {asked} "
                f"--level={level} --mode {mode} --file {self.keep(program)}")

    def keep(self, program):
        """A copy of the program that outlives the run."""
        kept = os.path.join(tempfile.mkdtemp(prefix="memlift-programs-"), "program.c")
        with open(kept, "w", encoding="utf-8") as stream:
            stream.write(f"// OPTIONS: {' '.join(program.options)}\n{program.text}")
        return kept

    def judge(self, program, configuration, have):
        """Tells whether a difference is ours, the stock compiler's, or the program's own fault."""
        compiler, level, _ = configuration
        label = f"program_fuzz: {program.label}: {' '.join(configuration)}"
        said = first_difference(program.want, have)
        if program.stock(compiler, level) != program.want:
            self.total["set aside"] += 1
            print(f"{label}: differs without memlift, too: {said}", flush=True)
            return
        wrong = program.undefined()
        self.total["undefined" if wrong else "different"] += 1
        print(f"{label}: {said}; "
              + (f"the program is undefined: {wrong}" if wrong else
                 self.again(program, configuration)), flush=True)

    @staticmethod
    def attempt(program, configuration):
        """The behaviour of one configuration, or the failure."""
        try:
            return program.tried(configuration)
        except (build.Failure, subprocess.TimeoutExpired) as failure:
            return failure

    def matrix(self, program, number):
        """Compiles and runs a program in its configurations."""
        chosen = self.chosen(number)
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            done = list(pool.map(lambda c: self.attempt(program, c), chosen))
        for configuration, have in zip(chosen, done):
            if isinstance(have, Exception):
                self.total["failed"] += 1
                print(f"program_fuzz: {program.label}: {have}; "
                      + self.again(program, configuration), flush=True)
            elif have != program.want:
                self.judge(program, configuration, have)
        self.count(program)

    def count(self, program):
        """Adds up what memlift did to a program: it changed what differs between two runtimes."""
        made = program.objects
        self.total["compilations"] += len(made)
        self.total["calling the runtime"] += sum(calls for _, calls, _ in made.values())
        self.total["beginning operations"] += sum(begins for _, _, begins in made.values())
        self.total["changed"] += sum(
            made[c, o, m][0] != made.get((c, o, "none"), made[c, o, m])[0]
            for c, o, m in made if m == "memlift")
        self.total["run"] += len(program.known)

    def one(self, program, number):
        """Tests one program; False if it runs for too long."""
        if self.args.check_ub:
            wrong = program.undefined()
            if wrong:
                self.total["undefined"] += 1
                print(f"program_fuzz: {program.label}: {wrong}; kept as {self.keep(program)}",
                      flush=True)
        else:
            agreed = program.reference(self.references)
            if program.want[0] == NEVER:
                return False
            if agreed:
                self.matrix(program, number)
            else:
                self.total["set aside"] += 1
                print(f"program_fuzz: {program.label}: the stock compilers disagree; set aside; "
                      f"kept as {self.keep(program)}", flush=True)
        self.total["programs"] += 1
        return True

    def seed(self, kind, seed):
        """Tests the program of a seed: the generator's first one that is usable."""
        for attempt in range(TRIES):
            made = KINDS[kind].program(seed * TRIES + attempt, self.setting.folder)
            if made and self.one(Program(self.setting, f"{kind} seed {seed}", *made), seed):
                return
            self.total["replaced"] += 1
        raise build.Failure(f"{kind} seed {seed}: no program in {TRIES}")

    def run(self, kind):
        """All seeds of a kind."""
        start = said = time.monotonic()
        for done in range(1, self.args.programs + 1):
            self.seed(kind, self.args.seed + done - 1)
            now = time.monotonic()
            if now - said > self.args.progress:
                said = now
                print(f"program_fuzz: {kind}: {done} of {self.args.programs}, to seed "
                      f"{self.args.seed + done - 1}, {(now - start) / done:.2f} s each; "
                      + self.counts(), flush=True)

    def counts(self):
        """All that was counted."""
        return ", ".join(f"{n} {what}" for what, n in self.total.items())

    def file(self, path):
        """Tests one file, whose first line may name its options."""
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        head, _, rest = text.partition("\n")
        marked = head.startswith("// OPTIONS:")
        options = head.removeprefix("// OPTIONS:").split() if marked else []
        if not self.one(Program(self.setting, path, rest if marked else text, options), 0):
            print(f"program_fuzz: {path}: runs for more than {QUICK} s without memlift")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", required=True, help="build folder with bin/memlift-*")
    add("--kind", action="append", choices=sorted(KINDS), help="repeatable; default: all")
    add("--seed", type=int, default=1, help="of the first program of each kind (default 1)")
    add("--programs", type=int, default=500, help="of each kind (default 500)")
    add("--configurations", type=int, metavar="N", help="only N for each program, in turn")
    add("--compiler", action="append", metavar="NAME[=WRAPPER]",
        help=f"one of {', '.join(COMPILERS)}, by the build's wrapper or this one; repeatable")
    add("--level", action="append", choices=LEVELS, help="as --level=-O1; repeatable")
    add("--mode", action="append", choices=sorted(MODES), help="repeatable")
    add("--file", help="test this program, and generate none")
    add("--check-ub", action="store_true",
        help="run the programs under sanitizers instead, and look for undefined behaviour")
    add("--jobs", type=int, default=os.cpu_count(), help="at a time (default: processors)")
    add("--progress", type=float, default=60, metavar="SECONDS", help="between lines (default 60)")
    args = parser.parse_args()
    for word in args.compiler or ():
        if word.partition("=")[0] not in COMPILERS:
            parser.error(f"no compiler '{word}'; there are: {', '.join(COMPILERS)}")
    return args


def ready(args):
    """The kinds whose generator is installed."""
    kinds = []
    for kind in args.kind or KINDS:
        missing = KINDS[kind].missing()
        if missing:
            print(f"program_fuzz: {kind}: skipped: {missing}")
        else:
            kinds.append(kind)
    return kinds


def main():
    """Runs what is asked for; the status says whether anything differed."""
    args = arguments()
    with tempfile.TemporaryDirectory(prefix="memlift-fuzz-") as folder:
        setting = Setting(args, folder)
        fuzzer = Fuzzer(args, setting)
        kinds = [] if args.file else ready(args)
        if not (setting.wrappers and (kinds or args.file) and all(map(shutil.which, COMPILERS))):
            print("program_fuzz: skipped: a compiler, a wrapper or a generator is missing")
            return 77
        if args.file:
            fuzzer.file(args.file)
        for kind in kinds:
            fuzzer.run(kind)
    total = setting.total
    print("program_fuzz: " + fuzzer.counts())
    if total["compilations"] and not args.file and not total["calling the runtime"]:
        print("program_fuzz: nothing calls the runtime: this tests nothing")
        return 1
    wrong = total["different"] or total["failed"] or args.check_ub and total["undefined"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
