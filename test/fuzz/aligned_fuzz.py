#!/usr/bin/env python3
# aligned_fuzz.py - random pointer programs: is what __builtin_memlift_aligned says so?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random C functions that compute pointers and integers by sums, masks, shifts, branches,
loops (some entered in the middle), calls of one another and variables, asks memlift_aligned() of
them in many places, compiles them through memlift's wrappers and runs them over all low bits of
their arguments. A 1 for a pointer that is not aligned then is a defect. Counts how many places
were proved, as a run that proves nothing tests nothing.

A program is some functions with variables of their own; --unit of them make a file. A third of the
files have typed arguments, results and fields, that are aligned as their types say, and are
compiled with --memlift-trust-types; with --sanitize, clang checks each 1 once more as an assumption
(-fsanitize=alignment).

Exit status: 0 no violation, 1 a violation or a compiler that failed, 2 bad usage, 77 no compiler.
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import time

HEAD = """\
#include <memlift/intrinsics.h>
#include <stdio.h>
#include <stdlib.h>
typedef uintptr_t u;
#include <string.h>
static unsigned long asked, proved, wrong;
#ifdef ASSUME
#define CLAIM(p, n) (void)(*(volatile char *)__builtin_assume_aligned(&byte_sink, 1) = \\
                           (char)(u)__builtin_assume_aligned((void *)(p), n))
#else
#define CLAIM(p, n) (void)0
#endif
#define ASK(p, n) do { \\
    int is = memlift_aligned((void *)(p), n); \\
    ++asked; \\
    if (is) { ++proved; CLAIM(p, n); \\
      if ((u)(p) & ((n) - 1)) { ++wrong; printf("wrong: line %d: %#lx is not aligned to %d\\n", \\
                                                __LINE__, (unsigned long)(u)(p), n); } } \\
  } while (0)
extern volatile unsigned char byte_sink;
volatile unsigned char byte_sink;
struct __attribute__((packed)) odd { char c; uint64_t x; };
struct wide { _Alignas(32) uint64_t x[8]; };
"""

# Types of arguments and what they are aligned to.
TYPES = (("unsigned char *", 1), ("uint16_t *", 2), ("uint32_t *", 4), ("uint64_t *", 8),
         ("struct odd *", 1), ("struct wide *", 32), ("void *", 1))


class Program:
    """Some random functions, all of whose names end alike."""

    def __init__(self, seed, typed):
        self.random = random.Random(seed)
        self.typed = typed
        self.id = f"_{seed}"
        self.lines = [f"static void *kept{self.id}[3];",
                      f"static struct {{ void *p; u n; }} held{self.id};"]
        if typed:
            self.typed_things()
        self.lost = self.random.random() < 0.15  # somebody has the variables' addresses
        self.names = []
        self.count = 0
        self.functions = []

    def typed_things(self):
        """A field and a function whose types say how aligned their pointers are."""
        self.kind, self.align = self.pick(*TYPES)
        mark = self.pick("static __attribute__((noinline))", "static", "__attribute__((weak))")
        self.lines += [f"static struct {{ char c; {self.kind}p; }} typed{self.id};",
                       f"{mark} {self.kind}made{self.id}(u x) {{",
                       f"  return ({self.kind})(x & ~(u){self.align - 1});", "}"]

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
        elif kind < 0.95:
            self.emit(indent, f"byte_sink = (unsigned char){self.random.choice(self.names)};")
        elif kind < 0.96:
            name = self.random.choice(self.names)
            self.emit(indent, f'__asm__("" : "+r"({name}));')
        else:
            self.variable(indent)

    def typed_use(self, indent):
        """Writes the typed field as its type wants it, or reads it or the typed function."""
        if self.random.random() < 0.3:
            self.emit(indent, f"typed{self.id}.p = ({self.kind})({self.value(1)} & "
                              f"~(u){self.align - 1});")
            return
        name = self.fresh()
        pointer = self.pick(f"typed{self.id}.p", f"made{self.id}({self.value(1)})")
        if self.kind == "struct odd *" and self.random.random() < 0.5:
            pointer = f"&{pointer}->x"
        self.emit(indent, f"u {name} = (u)({pointer}) + {self.pick(0, 0, 4, 8, 12)};")
        self.names.append(name)
        self.emit(indent, f"ASK({name}, {1 << self.random.randrange(1, 6)});")

    def variable(self, indent):
        """Reads or writes what lives longer than the function."""
        if self.typed and self.random.random() < 0.5:
            self.typed_use(indent)
            return
        place = self.pick(f"kept{self.id}[{self.random.randrange(3)}]", f"held{self.id}.p")
        if self.random.random() < 0.4:
            mask = (1 << self.random.randrange(1, 7)) - 1
            value = self.pick(self.value(1), f"({self.value(1)} & ~(u){mask})")
            if self.lost and self.random.random() < 0.5:
                name = self.fresh()
                self.emit(indent, f"u {name} = {value}; memcpy(&{place}, &{name}, sizeof {name});")
            else:
                self.emit(indent, f"{place} = (void *){value};")
            self.emit(indent, f"held{self.id}.n = {self.value(1)};")
        else:
            name = self.fresh()
            self.emit(indent, f"u {name} = (u){place};")
            self.names.append(name)
            self.emit(indent, f"ASK({name}, {1 << self.random.randrange(1, 6)});")

    def loop(self, indent, depth):
        """Peels, strides and counted ones; all end."""
        limit = self.fresh()
        moving = self.random.choice(self.names)
        step = self.number() or 1
        mask = (1 << self.random.randrange(1, 6)) - 1
        self.emit(indent, f"unsigned {limit} = 0;")
        middle = self.random.random() < 0.15
        outer = list(self.names)
        if middle:
            self.emit(indent, f"if ({self.test(0)}) goto in_{limit};")
        self.emit(indent, f"while ({limit}++ < {self.random.randrange(1, 9)} && "
                          f"{self.pick(self.test(0), '1', f'({moving} & {mask})')}) {{")
        self.body(indent + 1, depth - 1)
        if middle:
            self.names = outer
            self.emit(indent, f"in_{limit}: ;")
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
        kind, align = self.pick(*TYPES) if self.typed else ("unsigned char *", 1)
        self.names = ["a", "b"]
        self.emit(0, f"{inline}u f{k}{self.id}({kind}p, u b) {{")
        self.emit(1, "u a = (u)p;")
        if kind == "struct odd *":
            self.emit(1, "ASK(&p->x, 8);")
        self.ask(1)
        self.body(1, 1)
        for earlier, needs, takes in self.functions:
            if self.random.random() < 0.6:
                name = self.fresh()
                value = f"({self.value(1)} & ~(u){needs - 1})" if needs > 1 else self.value(1)
                self.emit(1, f"u {name} = f{earlier}{self.id}(({takes}){value}, {self.value(1)});")
                self.names.append(name)
                self.ask(1)
        self.body(1, 1)
        self.ask(1)
        self.emit(1, f"return {self.value(1)};")
        self.emit(0, "}")
        self.functions.append((k, align, kind))

    def text(self):
        """Its functions, the last of which is run() with the number of the program."""
        for k in range(self.random.randrange(1, 4)):
            self.function(k)
        last, align, kind = self.functions[-1]
        scale = max(align, self.pick(1, 1, 3, 8))
        scale += -scale % align
        self.emit(0, f"static void run{self.id}(void) {{")
        if self.random.random() < 0.2:  # anything can be passed through a pointer
            k, needs, takes = self.random.choice(self.functions)
            self.emit(1, f"u (*volatile other)({takes}, u) = f{k}{self.id};")
            self.emit(1, f"for (u x = 0; x < 9; ++x) other(({takes})(x * {needs}), x);")
        if self.lost:
            self.emit(1, f"void **volatile out = &kept{self.id}[1];")
            self.emit(1, f"*out = (void *)(u){self.number()};")
        self.emit(1, "for (u x = 0; x < 24; ++x)")
        self.emit(2, "for (u y = 0; y < 20; ++y)")
        self.emit(3, f"f{last}{self.id}(({kind})(x * {scale} + 4096), "
                     f"y * {self.pick(1, 1, 8)});")
        self.emit(0, "}")
        return "\n".join(self.lines) + "\n"


def unit(seed, count):
    """A file of `count` programs, and the options that it needs."""
    typed = random.Random(seed).random() < 0.34
    seeds = range(seed, seed + count)
    text = HEAD + "".join(Program(s, typed).text() for s in seeds) + "int main(void) {\n"
    text += "".join(f"  run_{s}();\n" for s in seeds)
    text += '  printf("%lu %lu\\n", asked, proved);\n  return wrong != 0;\n}\n'
    return text, ["--memlift-trust-types"] if typed else []


def compilers(build):
    """Names of wrappers that are there, with a compiler and its plugin."""
    found = []
    for name in ("memlift-clang-19", "memlift-clang-22", "memlift-gcc"):
        path = os.path.join(os.path.abspath(build), "bin", name)
        if os.path.exists(path) and subprocess.run([path, "--version"], check=False,
                                                   capture_output=True).returncode == 0:
            found.append((name, path))
    return found


def run(source, command, where):
    """(asked, proved) of one program, or what went wrong."""
    binary = os.path.join(where, "run")
    made = subprocess.run([*command, "-w", source, "-o", binary], cwd=where, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        return None, made.stdout[-3000:]
    ran = subprocess.run([binary], check=False, stdout=subprocess.PIPE, text=True, timeout=300)
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
    parser.add_argument("--unit", type=int, default=20, help="programs in a file (default 20)")
    parser.add_argument("--sanitize", action="store_true",
                        help="clang only: -fsanitize=alignment, each 1 as an assumption")
    parser.add_argument("--jobs", type=int, default=2, help="files at once (default 2)")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no file after these")
    options = parser.parse_args()
    tools = [t for t in compilers(options.build) if options.only in (None, t[0])]
    if options.sanitize:
        tools = [t for t in tools if "clang" in t[0]]
    if not tools:
        print("aligned_fuzz: no wrapper in", options.build)
        return 77
    return report(options, tools)


def one_unit(options, tools, seed, count):
    """[(compiler, figures or None, trouble)] of a file."""
    here = os.path.dirname(os.path.abspath(__file__))
    header = os.path.join(here, "..", "..", "intrinsics", "include")
    results = []
    with tempfile.TemporaryDirectory() as where:
        source = os.path.join(where, "program.c")
        text, needed = unit(seed, count)
        with open(source, "w", encoding="utf-8") as out:
            out.write(text)
        for name, path in tools:
            level = random.Random(seed).choice(("-O1", "-O2", "-O2", "-O3", "-Os", "-O0", "-Og"))
            command = [path, level, "-I" + header, *needed]
            if options.sanitize:
                command += ["-DASSUME", "-fsanitize=alignment", "-fsanitize-trap=alignment"]
            figures, trouble = run(source, command, where)
            results.append((name, figures, f"seed {seed}, {name} {level}:\n{trouble}"))
    return results


def report(options, tools):
    """Runs all files and says what came of it."""
    failed = done = 0
    totals = {name: [0, 0] for name, _ in tools}
    end = time.monotonic() + options.seconds
    seeds = list(range(options.seed, options.seed + options.programs, options.unit))

    def work(seed):
        if time.monotonic() > end:
            return 0, []
        count = min(options.unit, options.seed + options.programs - seed)
        return count, one_unit(options, tools, seed, count)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, results in pool.map(work, seeds):
            done += count
            for name, figures, trouble in results:
                if figures is None:
                    failed += 1
                    print("aligned_fuzz:", trouble, flush=True)
                else:
                    totals[name][0] += figures[0]
                    totals[name][1] += figures[1]
    for name, (asked, proved) in totals.items():
        print(f"aligned_fuzz: {name}: {done} programs from seed {options.seed}, {asked} questions, "
              f"{proved} answered 1")
    print(f"aligned_fuzz: {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
