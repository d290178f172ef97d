#!/usr/bin/env python3
# languages.py - one program in each language that GCC and LLVM have a front end for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile a copy, a fill, two sums and a CRC in each language through memlift, and compare their
results with those of C. Remarks say which of the loops were replaced: a language has to do as well
as the table below says.

exit codes: 0 all is as the table says, 1 it is not, or a compiler is missing, 2 bad usage
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
sys.path.insert(1, os.path.join(HERE, "..", "realcode"))
import packages  # noqa: E402  pylint: disable=wrong-import-position

ALL = {"copy", "fill", "sum", "inet", "crc"}


class Language(NamedTuple):
    """How a language is compiled: {in} is Inputs/, {out} the object, {name} its name without .o."""
    name: str
    source: str
    commands: tuple      # the last one makes the object, with the plugin's options in {plugin}
    package: str
    done: frozenset = frozenset(ALL)   # loops that memlift replaces, or the compiler already has
    libraries: tuple = ()
    harness: tuple = ()  # options of its compilation
    link: str = "gcc-{gcc}"
    object: str = ""     # where the front end asks for a name


# Ada, Modula-2 and Go turn a fault of an access into an exception of their own. A program that does
# not catch those lets memlift in with -fno-non-call-exceptions.
FAULTS = "-fno-non-call-exceptions"
GO = tuple(f"-D{key}=main.{key.capitalize()}" for key in ("COPY", "FILL", "SUM", "INET", "CRC"))
OF_GCC = [
    Language("C", "ops.c", ("gcc-{gcc} -O2 {plugin} -c {in}/ops.c -o {out}",), "gcc-{gcc}"),
    Language("C++", "ops.cpp", ("g++-{gcc} -std=c++20 -O2 {plugin} -c {in}/ops.cpp -o {out}",),
             "g++-{gcc}"),
    Language("Objective-C", "ops.m", ("gcc-{gcc} -std=gnu11 -O2 {plugin} -c {in}/ops.m -o {out}",),
             "gobjc-{gcc}", libraries=("-lobjc",)),
    Language("Fortran", "ops.f90", ("gfortran-{gcc} -O2 {plugin} -c {in}/ops.f90 -o {out}",),
             "gfortran-{gcc}"),
    Language("D", "ops.d", ("gdc-{gcc} -O2 -frelease {plugin} -c {in}/ops.d -o {out}",),
             "gdc-{gcc}", libraries=("-lgphobos",)),
    Language("Ada", "ops.adb",
             (f"gcc-{{gcc}} -O2 -gnatp {FAULTS} {{plugin}} -c {{in}}/ops.adb -o {{out}}",),
             "gnat-{gcc}", object="ops.o"),
    Language("Modula-2", "ops.mod",
             (f"gm2-{{gcc}} -fiso -O2 {FAULTS} {{plugin}} -I{{in}} -c {{in}}/ops.mod -o {{out}}",),
             "gm2-{gcc}"),
    # Stacks of goroutines grow: a call of what does not ask for more room is ruled out.
    Language("Go", "ops.go",
             (f"gccgo-{{gcc}} -O2 {FAULTS} {{plugin}} -c {{in}}/ops.go -o {{out}}",),
             "gccgo-{gcc}", frozenset({"fill", "crc"}), harness=GO + ("-DENTRY=harness_main",),
             link="gccgo-{gcc}"),
    Language("Go, large stacks", "ops.go",
             (f"gccgo-{{gcc}} -O2 -fno-split-stack {FAULTS} {{plugin}} "
              "-c {in}/ops.go -o {out}",),
             "gccgo-{gcc}", harness=GO + ("-DENTRY=harness_main",), link="gccgo-{gcc}")]
# Bitcode of an older LLVM is read by a newer one.
OF_LLVM = [
    Language("C", "ops.c", ("clang-{llvm} -O2 {plugin} -c {in}/ops.c -o {out}",), "clang-{llvm}"),
    Language("Objective-C", "ops.m",
             ("clang-{llvm} -fobjc-runtime=gcc -O2 {plugin} -c {in}/ops.m -o {out}",),
             "clang-{llvm}", libraries=("-lobjc",)),
    Language("Fortran", "ops.f90", ("flang-{llvm} -O2 {passes} -c {in}/ops.f90 -o {out}",),
             "flang-{llvm}"),
    Language("D", "ops.d",
             ("ldc2 -O0 -release -betterC -output-bc -of={name}.bc {in}/ops.d",
              "clang-{llvm} -O2 -Wno-override-module {plugin} -c {name}.bc -o {out}"), "ldc"),
    Language("Rust", "ops.rs",
             ("rustc -O --crate-type=lib --emit=llvm-bc -C no-prepopulate-passes -C panic=abort "
              "-o {name}.bc {in}/ops.rs",
              "clang-{llvm} -O2 -Wno-override-module {plugin} -c {name}.bc -o {out}"), "rustc"),
    Language("Rust, plugin in rustc", "ops.rs",
             ("rustc -O --crate-type=lib --emit=obj -C panic=abort -Zllvm-plugins={so} "
              "-o {out} {in}/ops.rs",), "rustc of LLVM {llvm}")]


class Test:
    """Compiles and compares in one folder."""

    def __init__(self, build, work):
        with open(os.path.join(build, "memlift.json"), encoding="utf-8") as stream:
            found = json.load(stream)
        self.lib, self.work = os.path.join(build, "lib"), work
        self.gcc = found["gcc"]
        self.llvms = sorted(found["clangs"], reverse=True)
        self.failures = 0

    def run(self, command, **environment):
        """The output of a command; fails with its messages."""
        done = subprocess.run(command, cwd=self.work, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **environment})
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}")
        return done.stdout

    def llvm_of(self, command):
        """The version of LLVM in rustc or ldc2; 0 without such a compiler."""
        if not shutil.which(command):
            return 0
        option = "-vV" if command == "rustc" else "--version"
        match = re.search(r"LLVM(?: version:)? (\d+)", self.run([command, option]))
        return int(match[1]) if match else 0

    def words(self, command, name, llvm, object_):
        """A command of the table as a list of words."""
        remarks = os.path.join(self.work, f"{name}.yaml")
        if llvm:
            so = f"{self.lib}/memlift-llvm{llvm}.so"
            plugin, passes = f"-fplugin={so} -fpass-plugin={so}", f"-fpass-plugin={so}"
        else:
            so = f"{self.lib}/memlift_gcc{self.gcc}.so"
            plugin = f"-fplugin={so} -fplugin-arg-memlift_gcc{self.gcc}-remarks={remarks}"
            passes = ""
        return command.format(**{"in": INPUTS, "out": object_, "name": name, "gcc": self.gcc,
                                 "llvm": llvm, "plugin": plugin, "passes": passes,
                                 "so": so}).split()

    def verdicts(self, name):
        """The loops that are done, by the remarks: of an operation with two loops, both."""
        path = os.path.join(self.work, f"{name}.yaml")
        text = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
        done, kept = set(), set()
        for record in text.split("--- !")[1:]:
            function = re.search(r"^Function: +'?([^'\n]*)", record, re.M)
            operation = next((op for op in ALL if function and op in function[1].lower()), None)
            passed = record.startswith("Passed") or re.search(r"^Name: +Already$", record, re.M)
            if operation:
                (done if passed else kept).add(operation)
        return done, kept

    def compile(self, language, llvm):
        """Compiles the language and links it with the harness; its name in the folder."""
        name = re.sub(r"\W+", "-", f"{language.name}-{llvm or self.gcc}".lower())
        object_ = language.object or f"{name}.o"
        self.run([f"gcc-{self.gcc}", "-O1", "-c", f"{INPUTS}/harness.c", "-o", f"{name}-harness.o",
                  *language.harness])
        for command in language.commands:
            self.run(self.words(command, name, llvm, object_), RUSTC_BOOTSTRAP="1",
                     MEMLIFT_OPTIONS=f"remarks={self.work}/{name}.yaml")
        self.run([language.link.format(gcc=self.gcc), f"{name}-harness.o", object_,
                  f"{self.lib}/libmemlift.a", *language.libraries, "-o", name])
        return name

    def one(self, language, llvm=0):
        """Tests a language, and prints a line."""
        title = f"{language.name} ({'LLVM ' + str(llvm) if llvm else 'GCC ' + str(self.gcc)})"
        try:
            name = self.compile(language, llvm)
            said = self.run([os.path.join(self.work, name)]).split()[-1]
            done, kept = self.verdicts(name)
            lacking = language.done - done
            good = said == "right" and not lacking
            print(f"{title}: {'as expected' if good else 'FAILED'}: results {said}, "
                  f"done: {' '.join(sorted(done))}"
                  + (f"; kept: {' '.join(sorted(kept - done))}" if kept - done else ""), flush=True)
        except RuntimeError as error:
            good = False
            print(f"{title}: FAILED: {error}", flush=True)
        self.failures += not good

    def absent(self, what):
        """A compiler that is not there is a failure: --install gets it."""
        print(f"{what}: no compiler", flush=True)
        self.failures += 1

    def cargo(self, llvm):
        """A program that cargo builds."""
        shutil.copytree(os.path.join(INPUTS, "cargo"), os.path.join(self.work, "cargo"))
        flags = (f"-Zllvm-plugins={self.lib}/memlift-llvm{llvm}.so "
                 f"-Clink-arg={self.lib}/libmemlift.a -Clink-arg=-lc")
        folder = os.path.join(self.work, "cargo")
        remarks = os.path.join(folder, "remarks.yaml")
        plain = self.run(["cargo", "run", "-q", "--release", "--offline", "--manifest-path",
                          f"{folder}/Cargo.toml", "--target-dir", f"{folder}/plain"])
        lifted = self.run(["cargo", "run", "-q", "--release", "--offline", "--manifest-path",
                           f"{folder}/Cargo.toml", "--target-dir", f"{folder}/lifted"],
                          RUSTC_BOOTSTRAP="1", RUSTFLAGS=flags,
                          MEMLIFT_OPTIONS=f"remarks={remarks}")
        calls = "memlift_" in self.run(["objdump", "-d", f"{folder}/lifted/release/ones"])
        good = plain == lifted and calls
        print(f"cargo (LLVM {llvm}): {'as expected' if good else 'FAILED'}: "
              f"{lifted.strip()}, calls of memlift: {calls}", flush=True)
        self.failures += not good

    def of_llvm(self):
        """The languages whose compilers are made of LLVM, by the newest version that serves."""
        for language in OF_LLVM:
            front = language.commands[0].split()[0]
            if "{" in front:
                llvm = next((v for v in self.llvms if shutil.which(front.format(llvm=v))), 0)
            elif language.commands[-1].startswith("clang"):
                own = self.llvm_of(front)
                llvm = next((v for v in self.llvms if 0 < own <= v), 0)
            else:
                own = self.llvm_of(front)
                llvm = own if own in self.llvms else 0
                if own and not llvm:
                    print(f"{language.name}: left out: its LLVM {own} has no plugin here")
                    continue
                if llvm and shutil.which("cargo"):
                    self.cargo(llvm)
            if llvm:
                self.one(language, llvm)
            else:
                self.absent(language.name + " (LLVM)")


def needs(build):
    """Debian packages of the compilers; of flang, the newest version that is offered."""
    with open(os.path.join(build, "memlift.json"), encoding="utf-8") as stream:
        found = json.load(stream)
    names = [language.package.format(gcc=found["gcc"]) for language in OF_GCC]
    newest = max(found["clangs"], default=0)
    names += [language.package.format(llvm=newest) for language in OF_LLVM
              if " " not in language.package]
    return sorted(set(names) | {"cargo", "binutils"})


def main():
    """Tests each language."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build tree of memlift")
    parser.add_argument("--only", metavar="NAME", help="languages whose name begins like this")
    parser.add_argument("--installed", action="store_true",
                        help="leave out languages whose compiler is not installed")
    parser.add_argument("--install", action="store_true", help="install the compilers, and stop")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    if args.install:
        return packages.get("languages", needs(build))
    with tempfile.TemporaryDirectory() as work:
        test = Test(build, work)
        for language in OF_GCC:
            command = language.commands[0].split()[0].format(gcc=test.gcc)
            missing = not shutil.which(command) or bool(packages.missing(
                [language.package.format(gcc=test.gcc)]))
            if args.only and not language.name.startswith(args.only) or missing and args.installed:
                continue
            if missing:
                test.absent(language.name + " (GCC)")
            else:
                test.one(language)
        if not args.only and not args.installed:
            test.of_llvm()
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
