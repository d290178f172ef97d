#!/usr/bin/env python3
# aligned_fuzz.py - random pointer programs: is what __builtin_memlift_aligned says so?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random C functions that compute pointers and integers by sums, masks, shifts, branches,
loops, calls of one another and variables, asks memlift_aligned() of them in many places, compiles
them through memlift's wrappers and runs them over all low bits of their arguments. A 1 for a
pointer that is not aligned then is a defect. Counts how many places were proved, as a run that
proves nothing tests nothing.

Exit status: 0 no violation, 1 a violation or a compiler that failed, 2 bad usage, 77 no compiler.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

HEAD = """\
#include <memlift/intrinsics.h>
#include <stdio.h>
#include <stdlib.h>
typedef uintptr_t u;
static unsigned long asked, proved, wrong;
#define ASK(p, n) do { \\
    int is = memlift_aligned((void *)(p), n); \\
    ++asked; \\
    if (is) { ++proved; \\
      if ((u)(p) & ((n) - 1)) { ++wrong; printf("wrong: line %d: %#lx is not aligned to %d\\n", \\
                                                __LINE__, (unsigned long)(u)(p), n); } } \\
  } while (0)
extern volatile unsigned char byte_sink;
volatile unsigned char byte_sink;
static u held[4];
static void *kept[3];
"""


class Program:
    """One random file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.names = []
        self.count = 0
        self.functions = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        """As programs hold them: powers of two and what is near them."""
        power = 1 << self.random.randrange(8)
        return self.pick(power, power, power - 1, power + 1, 24, 12, 40, self.random.randrange(300))

    def value(self, depth=2):
        """An expression of type u."""
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(self.names) if self.random.random() < 0.85 \
                else f"(u){self.number()}"
        a = self.value(depth - 1)
        b = self.value(depth - 1)
        mask = (1 << self.random.randrange(1, 7)) - 1
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} + {self.number()})", f"({a} * {self.number()})",
            f"({a} & ~(u){mask})", f"({a} & {mask})", f"(({a} + {mask}) & ~(u){mask})",
            f"({a} | {self.number()})", f"({a} ^ {b})", f"({a} << {self.random.randrange(6)})",
            f"({a} >> {self.random.randrange(6)})", f"({a} % {self.number() or 8})",
            f"({self.test(depth - 1)} ? {a} : {b})", f"(u)(unsigned){a}", f"(u)(unsigned char){a}",
            f"(u)(int){a}", f"(u)(signed char){a}", f"({a} + ({b} & {mask}) * {self.number()})")

    def test(self, depth=1):
        """A condition, mostly about low bits."""
        a, b = self.value(depth), self.value(depth)
        mask = (1 << self.random.randrange(1, 6)) - 1
        one = self.pick(
            f"({a} & {mask}) == 0", f"!({a} & {mask})", f"({a} & {mask})",
            f"(({a} | {b}) & {mask}) == 0",
            f"(({a} ^ {b}) & {mask}) == 0", f"{a} == {b}", f"({a} & {mask}) == ({b} & {mask})",
            f"{a} % {mask + 1} == 0", f"({a} & {mask + 1}) != 0", f"{a} < {b}",
            f"({a} & {mask}) < 1")
        if depth and self.random.random() < 0.3:
            return f"({one} {self.pick('&&', '||')} {self.test(0)})"
        return f"({one})"

    def emit(self, indent, text):
        self.lines.append("  " * indent + text)

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    def ask(self, indent):
        self.emit(indent, f"ASK({self.random.choice(self.names)}, "
                          f"{1 << self.random.randrange(1, 8)});")

    def statement(self, indent, depth):
        kind = self.random.random()
        old = list(self.names)
        if kind < 0.30:
            name = self.fresh()
            self.emit(indent, f"u {name} = {self.value()};")
            self.names.append(name)
        elif kind < 0.42:
            self.emit(indent, f"{self.random.choice(self.names)} = {self.value()};")
        elif kind < 0.62:
            self.ask(indent)
        elif kind < 0.70:
            self.emit(indent, f"if ({self.test()}) return {self.value(1)};")
        elif kind < 0.80 and depth:
            self.emit(indent, f"if ({self.test()}) {{")
            self.body(indent + 1, depth - 1)
            if self.random.random() < 0.5:
                self.names = list(old)
                self.emit(indent, "} else {")
                self.body(indent + 1, depth - 1)
            self.emit(indent, "}")
            self.names = old
        elif kind < 0.92 and depth:
            self.loop(indent, depth)
            self.names = old
        elif kind < 0.96:
            self.emit(indent, f"byte_sink = (unsigned char){self.random.choice(self.names)};")
        else:
            k = self.random.randrange(3)
            name = self.fresh()
            self.emit(indent, f"kept[{k}] = (void *){self.value(1)};" if self.random.random() < .3
                      else f"u {name} = (u)kept[{k}];")
            if "u " + name in self.lines[-1]:
                self.names.append(name)

    def loop(self, indent, depth):
        """Peels, strides and counted ones; all end."""
        limit = self.fresh()
        moving = self.random.choice(self.names)
        step = self.number() or 1
        mask = (1 << self.random.randrange(1, 6)) - 1
        self.emit(indent, f"unsigned {limit} = 0;")
        self.emit(indent, f"while ({limit}++ < {self.random.randrange(1, 9)} && "
                          f"{self.pick(self.test(0), '1', f'({moving} & {mask})')}) {{")
        self.body(indent + 1, depth - 1)
        self.emit(indent + 1, f"{moving} += {step};")
        if self.random.random() < 0.5:
            self.emit(indent + 1, f"{self.random.choice(self.names)} += {self.pick(step, 8, 24)};")
        self.emit(indent, "}")
        self.emit(indent, f"ASK({moving}, {mask + 1});")

    def body(self, indent, depth):
        for _ in range(self.random.randrange(1, 5)):
            self.statement(indent, depth)

    def function(self, k):
        """Some are kept apart, for all callers to be known; later ones call earlier ones."""
        inline = self.pick("static __attribute__((noinline)) ", "static __attribute__((noinline)) ",
                           "static ", "")
        self.names = ["a", "b"]
        self.emit(0, f"{inline}u f{k}(unsigned char *p, u b) {{")
        self.emit(1, "u a = (u)p;")
        self.ask(1)
        self.body(1, 2)
        for earlier in self.functions:
            if self.random.random() < 0.5:
                name = self.fresh()
                self.emit(1, f"u {name} = f{earlier}((unsigned char *){self.value(1)}, "
                             f"{self.value(1)});")
                self.names.append(name)
                self.ask(1)
        self.body(1, 2)
        self.ask(1)
        self.emit(1, f"return {self.value(1)};")
        self.emit(0, "}")
        self.functions.append(k)

    def text(self):
        """The file."""
        for k in range(self.random.randrange(2, 5)):
            self.function(k)
        last = self.functions[-1]
        main = ["int main(void) {", "  for (u x = 0; x < 40; ++x)",
                "    for (u y = 0; y < 40; ++y)",
                f"      f{last}((unsigned char *)(x * {self.pick(1, 1, 3, 8)} + 4096), "
                f"y * {self.pick(1, 1, 8)});",
                '  printf("%lu %lu\\n", asked, proved);', "  return wrong != 0;", "}"]
        return HEAD + "\n".join(self.lines + main) + "\n"


def compilers(build):
    """Names of wrappers that are there."""
    found = []
    for name in ("memlift-clang-19", "memlift-clang-22", "memlift-gcc"):
        path = os.path.join(os.path.abspath(build), "bin", name)
        if os.path.exists(path):
            found.append((name, path))
    return found


def run(source, command, where):
    """(asked, proved) of one program, or what went wrong."""
    binary = os.path.join(where, "run")
    made = subprocess.run([*command, "-w", source, "-o", binary], cwd=where, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        return None, made.stdout[-3000:]
    ran = subprocess.run([binary], check=False, stdout=subprocess.PIPE, text=True, timeout=60)
    if ran.returncode:
        return None, ran.stdout[:2000]
    asked, proved = map(int, ran.stdout.split())
    return (asked, proved), ""


def main():
    """Runs what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--programs", type=int, default=100, help="for each compiler (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the first program (default 0)")
    parser.add_argument("--only", help="this wrapper")
    options = parser.parse_args()
    tools = [t for t in compilers(options.build) if options.only in (None, t[0])]
    if not tools:
        print("aligned_fuzz: no wrapper in", options.build)
        return 77
    here = os.path.dirname(os.path.abspath(__file__))
    header = os.path.join(here, "..", "..", "intrinsics", "include")
    failed = 0
    totals = {name: [0, 0] for name, _ in tools}
    with tempfile.TemporaryDirectory() as where:
        source = os.path.join(where, "program.c")
        for seed in range(options.seed, options.seed + options.programs):
            with open(source, "w", encoding="utf-8") as out:
                out.write(Program(seed).text())
            for name, path in tools:
                level = random.Random(seed).choice(("-O1", "-O2", "-O2", "-O3", "-Os", "-O0"))
                figures, trouble = run(source, [path, level, "-I" + header], where)
                if figures is None:
                    failed += 1
                    print(f"aligned_fuzz: seed {seed}, {name} {level}:\n{trouble}", flush=True)
                else:
                    totals[name][0] += figures[0]
                    totals[name][1] += figures[1]
    for name, (asked, proved) in totals.items():
        print(f"aligned_fuzz: {name}: {options.programs} programs, {asked} questions, "
              f"{proved} answered 1")
    print(f"aligned_fuzz: {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
