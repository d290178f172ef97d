# build.py - compiles generated loops: plain, lifted, stock, or checked for undefined behaviour
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs of one file of loops, for loops_fuzz.py and reduce.py; and the loop of fuzzers
whose programs are files of many functions."""

import argparse
import os
import re
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = ([f"clang-{major}" for major in range(18, 24)] +
             [f"gcc-{major}" for major in range(12, 17)])
WRAPPERS = {name: f"memlift-{name}" for name in COMPILERS}
LEVELS = ["-O1", "-O2", "-O3", "-Os", "-Oz"]
NO_REMARKS = "--memlift-no-remarks"  # ours alone, never passed on
WRAPPED = ["-Wl,--wrap=memlift_copy,--wrap=memlift_move"]
DONE = re.compile(r"^Function: +'?lifted_(\d+)'?\n(?:.*\n)*?  - Decision: +'(\w+)'", re.M)


class Failure(Exception):
    """A compiler that fails: its command and its last words."""


class Ended(Failure):
    """A harness that did not come to its end."""


def has_products():
    """Does this processor multiply without carries, and step CRC-32C?"""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as text:
            return {"pclmulqdq", "sse4_2"} <= set(text.read().split())
    except OSError:
        return False


def run(command, **options):
    """subprocess.run, captured."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def compile_(command, source, name, output):
    """One object, with functions called NAME_0, NAME_1, ...; what the compiler said."""
    command = command + ["-w", f"-DF(x)={name}_##x", "-c", source, "-o", output]
    done = run(command, timeout=600)
    if done.returncode:
        raise Failure(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-3000:]}")
    return done.stderr


def without_memlift(options):
    """(options of the reference, of the stock compiler) that go with a wrapper's options."""
    stock = [o for o in options if not o.startswith("--memlift")]
    return [o for o in stock[1:] if "sanitize" not in o], stock


class Bench:
    """A build folder, a working folder and the objects that all programs share."""

    def __init__(self, build, folder, flags=()):
        self.build, self.folder = build, folder
        self.harness = self.path("harness.o")
        self.runtime = os.path.join(build, "lib", "libmemlift.a")
        done = run(["gcc-12", "-O1", "-Wall", "-Wextra", *flags, "-c",
                    os.path.join(HERE, "harness.c"), "-o", self.harness])
        if done.returncode:
            raise Failure(done.stderr)

    def path(self, name):
        """A file of the working folder."""
        return os.path.join(self.folder, name)

    def wrappers(self):
        """{compiler: wrapper} of those that are ready to run."""
        found = {}
        for name, tool in WRAPPERS.items():
            path = os.path.join(self.build, "bin", tool)
            if os.path.exists(path) and run([path, "--memlift-print-command", "-c",
                                             "x.c"]).returncode == 0:
                found[name] = path
        return found

    def plain(self, source, options):
        """The reference: GCC without optimisation."""
        compile_(["gcc-12", "-O0"] + options, source, "plain", self.path("plain.o"))

    def lifted(self, wrapper, options, source):
        """{number of the function: decision} of the candidate; with NO_REMARKS nothing is known,
        and the plugins take the short way on which nobody reads the reasons."""
        remarks = self.path("remarks.yaml")
        asked = [] if NO_REMARKS in options else [f"--memlift-remarks={remarks}"]
        said = compile_([wrapper, "--memlift-verify"] + asked
                        + [o for o in options if o != NO_REMARKS], source, "lifted",
                        self.path("lifted.o"))
        if "MLF3020" in said:
            raise Failure("a claim was refuted (MLF3020):\n" + said[-3000:])
        if not asked:
            return {}
        with open(remarks, encoding="utf-8") as stream:
            text = stream.read()
        decisions = {}
        for number, decision in DONE.findall(text):
            if decisions.get(int(number)) not in ("lowered", "guarded", "inlined"):
                decisions[int(number)] = decision
        refuted = re.findall(r"Name: +ClaimRefuted\n(?:.*\n)*?\.\.\.", text)
        if refuted:
            raise Failure("a claim was refuted (MLF3020):\n" + refuted[0])
        return decisions

    def differences(self, seed, candidate="lifted.o"):
        """(what the harness printed, numbers of the functions that differ)."""
        exe = self.path("run")
        linked = run(["gcc-12", *WRAPPED, self.harness, self.path("plain.o"),
                      self.path(candidate), self.runtime, "-o", exe])
        if linked.returncode:
            raise Failure(linked.stderr[-3000:])
        ran = run([exe, str(seed)], timeout=1200)
        wrong = [int(n) for n in re.findall(r"^loop (\d+) differs", ran.stdout, re.M)]
        if ran.returncode not in (0, 1) or (ran.returncode and not wrong):
            raise Ended(f"the harness ended with {ran.returncode}: {ran.stdout[-500:]}")
        return ran.stdout, wrong

    def stock_differs(self, name, options, source, seed):
        """Does the compiler differ from the reference without memlift?"""
        compile_([name] + options, source, "lifted", self.path("stock.o"))
        return self.differences(seed, "stock.o")[1]

    def undefined(self, options, source, seed):
        """Errors that UBSan reports of the plain program, run on the same inputs."""
        compile_(["gcc-12", "-O0", "-fsanitize=undefined", "-fno-sanitize=alignment"] + options,
                 source, "plain", self.path("plain.o"))
        compile_(["gcc-12", "-O0"] + options, source, "lifted", self.path("stock.o"))
        exe = self.path("ub")
        run(["gcc-12", "-fsanitize=undefined", *WRAPPED, self.harness,
             self.path("plain.o"), self.path("stock.o"), self.runtime, "-o", exe])
        said = run([exe, str(seed)], timeout=1200).stderr
        self.plain(source, options)
        return said


def fuzz(name, about, functions, make, wanted):
    """The main() of a fuzzer; returns the exit status. make(arguments, bench, folder) returns an
    object with counts and with one(compiler, wrapper, seed), which builds and runs one file.
    wanted(counts) returns what is wrong with the counts, or an empty text."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10, help="files for each compiler")
    parser.add_argument("--functions", type=int, default=functions, help="functions of a file")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="memlift-fuzz-")
    try:
        bench = Bench(args.build, folder)
        wrappers = bench.wrappers()
        if not wrappers:
            print(f"{name}: skipped: no compiler to test")
            return 77
        fuzzer = make(args, bench, folder)
        for seed in range(args.seed, args.seed + args.programs):
            for compiler, wrapper in wrappers.items():
                fuzzer.one(compiler, wrapper, seed)
    finally:
        shutil.rmtree(folder)
    print(f"{name}: " + ", ".join(f"{n} {what}" for what, n in fuzzer.counts.items()))
    wrong = wanted(fuzzer.counts)
    if wrong:
        print(f"{name}: {wrong}")
    return 1 if wrong or fuzzer.counts["different"] or fuzzer.counts["failed"] else 0
