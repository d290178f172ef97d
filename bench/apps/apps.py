#!/usr/bin/env python3
# apps.py - times real programs built with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs of programs.py from Debian's sources at -O2, stock and through memlift, runs
both sides of each pair in turns over one input, and prints the processor time of stock divided by
that of memlift, of the fastest rounds: above 1 memlift is faster. It is user and system time
together, which Linux measures; it only samples the share of either. Both sides must write the same
bytes, or the script fails. With --count, valgrind counts the instructions of both instead, once,
which does not depend on the load of the machine; it has no AVX-512, so calls take the routines for
AVX2.

The input is made of sources and machine code of this build: text of the C headers of the system,
and memlift's own libraries. Sources are kept in WORK, so a later run does not fetch them again. A
program that cannot be had or built on both sides is named and left out.
Exit status: 0 measured, 1 outputs differ, 2 bad usage, 77 no source or no valgrind.
"""

import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "test", "realcode"))

from programs import APPS  # noqa: E402
from sources import Archive, Unavailable  # noqa: E402

COMPILERS = {"gcc": (("gcc-12", "g++-12"), ("memlift-gcc", "memlift-g++")),
             "clang": (("clang-22", "clang++-22"), ("memlift-clang", "memlift-clang++"))}


class Broken(Exception):
    """A program cannot be built or run; the text says which and what it wrote."""


def make_input(options):
    """Writes the input, if it is not there; gives its path."""
    path = os.path.join(options.work, f"input-{options.size}")
    if not os.path.exists(path):
        names = sorted(glob.glob("/usr/include/**/*.h", recursive=True))
        names += sorted(glob.glob(os.path.join(options.build, "lib", "*.so")))
        texts = []
        for name in filter(os.path.isfile, names):
            with open(name, "rb") as stream:
                texts.append(stream.read(1 << 20))
        once = b"".join(texts)
        with open(path, "wb") as out:  # again and again, to the size that was asked for
            while out.tell() < options.size << 20:
                out.write(once[:(options.size << 20) - out.tell()])
    return path


def build(options, app, archive, compiler, side):
    """Builds one side; gives the folder it was built in."""
    source = os.path.join(options.work, "source", app.package)
    if not os.path.isdir(source):
        os.makedirs(os.path.dirname(source), exist_ok=True)
        archive.unpack(app.package, source)
    where = os.path.join(options.work, f"{app.name}-{compiler}-{side}")
    if os.path.exists(where):
        return where
    part = where + ".part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(source, part, symlinks=True)
    drivers = COMPILERS[compiler][side == "lift"]
    if side == "lift":
        drivers = [os.path.join(options.build, "bin", driver) for driver in drivers]
    env = dict(os.environ, CC=drivers[0], CXX=drivers[1], CFLAGS="-O2", JOBS=str(options.jobs))
    done = subprocess.run(["sh", "-ec", app.build], cwd=part, env=env, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        needs = f" (its build needs {' '.join(app.needs)})" if app.needs else ""
        raise Broken(f"{app.name} by {drivers[0]}{needs}:\n{done.stdout[-2000:]}")
    os.rename(part, where)
    return where


def processor_time():
    """Seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Runner:
    """Runs the commands of one program in its folder."""

    def __init__(self, options, app, path):
        self.options, self.path = options, path
        self.folder = os.path.join(options.work, f"runs-{app.name}-{options.size}")
        os.makedirs(self.folder, exist_ok=True)

    def run(self, here, command):
        """(seconds of processor time, what was written)."""
        before = processor_time()
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, check=False,
                              env=dict(os.environ, HERE=here, IN=self.path, TZ="UTC"),
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            said = done.stderr.decode(errors="replace")[-1000:]
            raise Broken(f"{here}: exit status {done.returncode} of {command}\n{said}")
        return processor_time() - before, done.stdout

    def count(self, here, command):
        """(millions of instructions of the program and its children, what was written)."""
        for old in glob.glob(os.path.join(self.folder, "count.*")):
            os.remove(old)
        valgrind = ("valgrind --tool=callgrind --trace-children=yes --callgrind-out-file=/dev/null "
                    f"--log-file={self.folder}/count.%p ")
        counted = re.sub(r'"\$HERE"/', valgrind.replace("\\", r"\\") + r"\g<0>", command)
        _, output = self.run(here, counted)
        total = 0
        for name in glob.glob(os.path.join(self.folder, "count.*")):
            with open(name, encoding="utf-8", errors="replace") as stream:
                total += sum(map(int, re.findall(r"Collected : (\d+)", stream.read())))
        return total / 1e6, output

    def compare(self, folders, run):
        """Runs both sides in turns; gives the fastest times or the counts of both."""
        self.run(folders[0], run.prepare)
        fastest, outputs = [1e9, 1e9], [None, None]
        for _ in range(1 if self.options.count else self.options.rounds):
            for i, here in enumerate(folders):
                way = self.count if self.options.count else self.run
                cost, outputs[i] = way(here, run.command)
                fastest[i] = min(fastest[i], cost)
        if outputs[0] != outputs[1]:
            sys.exit(f"apps.py: error: {run.command}: the outputs of {folders[0]} and {folders[1]} "
                     "differ")
        return fastest


def measure(options, app, archive, path):
    """The rows of one program: (name, run, compiler, stock, memlift)."""
    rows = []
    for compiler in options.compilers:
        folders = [build(options, app, archive, compiler, side) for side in ("stock", "lift")]
        runner = Runner(options, app, path)
        for run in app.runs:
            rows.append((app.name, run.label, compiler, *runner.compare(folders, run)))
            print(f"apps.py: {app.name} {run.label} {compiler}: {rows[-1][3]:.3f} and "
                  f"{rows[-1][4]:.3f}", file=sys.stderr, flush=True)
    return rows


def print_table(rows, unit):
    """Prints the rows as a table in Markdown, losses first."""
    print(f"| program | | compiler | stock, {unit} | memlift, {unit} | ratio |\n"
          "|---|---|---|---:|---:|---:|")
    for name, label, compiler, stock, lift in sorted(rows, key=lambda r: r[3] / max(r[4], 1e-3)):
        print(f"| {name} | `{label}` | {compiler} | {stock:.3f} | {lift:.3f} | "
              f"{stock / max(lift, 1e-3):.2f} |")


def parse():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="*", metavar="APP", help="by name (default: all)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="of memlift")
    parser.add_argument("--work", help="for sources and programs (default: BUILD/apps)")
    parser.add_argument("--compilers", nargs="+", choices=COMPILERS, default=list(COMPILERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=32, help="of the input, in MiB")
    parser.add_argument("--jobs", type=int, default=2, help="of make")
    parser.add_argument("--count", action="store_true", help="count instructions, do not time")
    options = parser.parse_args()
    if set(options.apps) - {app.name for app in APPS}:
        parser.error(f"programs are {' '.join(app.name for app in APPS)}")
    options.work = os.path.abspath(options.work or os.path.join(options.build, "apps"))
    options.build = os.path.abspath(options.build)
    return options


def main():
    """Reads the options, builds, measures and prints."""
    options = parse()
    if options.count and not shutil.which("valgrind"):
        print("apps.py: skipped: no valgrind, which is a package of that name")
        return 77
    os.makedirs(options.work, exist_ok=True)
    archive, path, rows, reason = Archive(options.work), make_input(options), [], None
    for app in APPS:
        if app.name not in (options.apps or [app.name]):
            continue
        try:
            rows += measure(options, app, archive, path)
        except (Unavailable, Broken) as why:
            reason = why
            print(f"apps.py: {app.name} is left out: {why}", file=sys.stderr, flush=True)
    if not rows:
        print(f"apps.py: skipped: {reason}")
        return 77
    print_table(rows, "million instructions" if options.count else "s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
