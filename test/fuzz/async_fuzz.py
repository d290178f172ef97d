#!/usr/bin/env python3
# async_fuzz.py - random functions with operations that overlap them: begun and ended where allowed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C functions with copies and fills among loops, branches, calls and accesses that may or
may not meet them; compiles each with gcc-12 -O0 and with every memlift wrapper under
--memlift-async, and runs the latter with a runtime that works at the earliest and at the latest
moment (async_harness.c). Each must leave the same memory and results, and others with one that
never works.

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

SIZE = 6000  # bytes of a buffer; operations of a known size begin at 4096

HEAD = f"""
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define SIZE {SIZE}
void check_tokens(void);
unsigned long operations_begun(void);
void outside(unsigned char *p);
uint32_t pure(uint32_t x) __attribute__((const));
uint32_t reader(const unsigned char *p) __attribute__((pure));
uint64_t last(const unsigned char *p, uint64_t x) __attribute__((pure));
extern unsigned char g[4][SIZE];
extern volatile int seen;
extern _Atomic int flag;
extern int sink;
"""

# Callees in the same file: each reaches only what it is given, or counts, or calls others.
HEAD += """static __attribute__((noinline)) uint64_t add(unsigned char *p, uint64_t x) {
  for (unsigned i = 0; i < 100; i++)
    p[x % SIZE] += (unsigned char)i, x = x * 5 + p[i * 7];
  return x;
}
static __attribute__((noinline)) uint64_t two(unsigned char *restrict p,
                                              const unsigned char *restrict q, uint64_t x) {
  for (unsigned i = 0; i < 50; i++)
    x += p[i * 3] = (unsigned char)(q[i] + x);
  return x;
}
static __attribute__((noinline)) uint64_t counting(const unsigned char *p, uint64_t x) {
  atomic_fetch_add(&flag, 1);
  return x * 7 + p[1000];
}
static __attribute__((noinline)) uint64_t through(unsigned char *p, uint64_t x) {
  outside(p);
  return x + 1;
}
"""

MAIN = HEAD + """
unsigned char g[4][SIZE];
volatile int seen;
_Atomic int flag;
int sink;
static unsigned char h[4][SIZE];
void outside(unsigned char *p) { p[7] += 3; g[0][9] ^= p[11]; }
uint32_t pure(uint32_t x) { return x * 2654435761u >> 7; }
uint32_t reader(const unsigned char *p) { return p[5] * 31u + p[SIZE / 2]; }
uint64_t last(const unsigned char *p, uint64_t x) { return x * 3 + p[99]; }
#define F(k) \\
  uint64_t f##k(unsigned char *, unsigned char *, unsigned char *, unsigned char *, unsigned, \\
                unsigned);
FUNCTIONS
#undef F
int main(int argc, char **argv) {
  uint64_t sum = 0;
  for (unsigned round = 0; round < 6; round++) {
#define F(k) { \\
    for (int i = 0; i < 4; i++) for (int j = 0; j < SIZE; j++) \\
      g[i][j] = i * 7 + j * 3 + round, h[i][j] = i + j * 5 + round * k; \\
    uint64_t r = f##k(h[0], h[1], h[2], h[3], round * 1237 % (SIZE - 400), round); \\
    check_tokens(); \\
    uint64_t all = r; \\
    for (int i = 0; i < 4; i++) for (int j = 0; j < SIZE; j++) \\
      all = (all ^ g[i][j]) * 1099511628211u + h[i][j]; \\
    printf("%d %u %llx\\n", k, round, (unsigned long long)(all + sink)); sum += all; }
    FUNCTIONS
#undef F
  }
  if (argc > 1) fprintf(stderr, "%lu\\n", operations_begun());
  return argv[0] == 0 && sum;
}
"""


class Function:
    """One function: buffers a to d (restrict or not), e on its stack, g0 to g3."""

    def __init__(self, rng, number):
        self.rng, self.number, self.depth, self.vars = rng, number, 0, 0
        self.restrict = rng.choice(["restrict", "restrict", ""])
        self.buffers = ["a", "b", "c", "d", "e", "g[0]", "g[1]"]

    def buffer(self):
        return self.rng.choice(self.buffers)

    def fresh(self):
        self.vars += 1
        return f"i{self.vars}"

    def size(self):
        return self.rng.choice(["n", "n", "n", "n / 2", "4096", "5000", "100", "k * 700"])

    def operation(self):
        dst, src = self.rng.sample(self.buffers, 2)
        n, i, at = self.size(), self.fresh(), self.rng.choice(["", " + 1", " + k", " + 300"])
        return self.rng.choice([
            f"memcpy({dst}{at}, {src}, {n});",
            f"memmove({dst}, {dst}{at}, {n});",
            f"memmove({dst}, {src}{at}, {n});",
            f"memset({dst}{at}, (int)x, {n});",
            f"for (unsigned {i} = 0; {i} < {n}; {i}++) {dst}[{i}] = {src}[{i}];",
            f"for (unsigned {i} = 0; {i} < {n} / 4; {i}++) "
            f"((uint32_t *)({dst}))[{i}] = 0x01020304u;",
        ])

    def loop(self):
        i = self.fresh()
        p, q = self.rng.sample(self.buffers, 2)
        return self.rng.choice([
            f"for (unsigned {i} = 0; {i} < 900; {i}++) x = x * 33 + {p}[{i} * 3 % SIZE] % 7;",
            f"for (unsigned {i} = 0; {i} < 300; {i}++) x += pure((uint32_t)x + {i});",
            f"for (unsigned {i} = 0; {i} < 300 + k; {i}++) x ^= (x << 5) + (x >> 3) + {i};",
            f"for (unsigned {i} = 0; {i} < 200; {i}++) {p}[{i} * 29 % SIZE] += (unsigned char)x;",
            f"for (unsigned {i} = 0; {i} < 900; {i}++) "
            f"x = x * 33 + (k & 1 ? {p} : {q})[{i} * 3] % 7;",
            f"for (unsigned {i} = 0; {i} < 900; {i}++) x = x * 33 + *(unsigned char *)"
            f"((uintptr_t)({p} + {i}) + ((uintptr_t)({q}) - (uintptr_t)({p}))) % 7;",
            f"while (x % 1001 > 7) x = x * 3 + 1 + {p}[x % SIZE];",
        ])

    def access(self):
        p, q = self.rng.sample(self.buffers, 2)
        return self.rng.choice([
            f"x += {p}[{self.rng.randrange(SIZE)}];",
            f"{p}[{self.rng.randrange(SIZE)}] = (unsigned char)(x + 1);",
            f"{p}[x % SIZE] ^= 5;",
            f"outside({p});",
            f"x += reader({p});",
            f"x = add({p}, x);",
            f"x = two({p}, {q}, x);",
            f"x = counting({p}, x);",
            f"x = through({p}, x);",
            "x += pure((uint32_t)x);",
            "seen = (int)x;",
            "atomic_fetch_add(&flag, 1);",
            'if (x == 12345) __asm__ volatile("" ::: "memory");',
            "sink += (int)(x & 3);",
            "if ((x & 63) == 9) return x;",
        ])

    def statement(self):
        kind = self.rng.randrange(12)
        if kind < 4:
            return self.operation()
        if kind < 7:
            return self.loop()
        if kind < 9 or self.depth > 1:
            return self.access()
        self.depth += 1
        body = " ".join(self.statement() for _ in range(self.rng.randrange(1, 4)))
        self.depth -= 1
        i = self.fresh()
        if kind == 9:
            return f"if ((x + k) % {self.rng.randrange(2, 4)}) {{ {body} }}"
        if kind == 10:
            other = self.statement()
            return f"if (k > {self.rng.randrange(6)}) {{ {body} }} else {{ {other} }}"
        leave = self.rng.choice(["", "", "if (x % 5 == 1) break;", "if (x % 7 == 1) continue;"])
        most = self.rng.randrange(2, 5)
        return f"for (unsigned {i} = 0; {i} < {most}; {i}++) {{ {leave} {body} }}"

    def text(self):
        body = "\n  ".join(self.statement() for _ in range(self.rng.randrange(3, 9)))
        end = self.rng.choice([f"return last({self.rng.choice('abcd')}, x);", "return x;"])
        pointers = ", ".join(f"unsigned char *{self.restrict} {p}" for p in "abcd")
        return (f"uint64_t f{self.number}({pointers}, unsigned n, unsigned k) {{\n"
                f"  unsigned char e[SIZE];\n  uint64_t x = n + k;\n  memcpy(e, a, SIZE);\n"
                f"  {body}\n  for (unsigned j = 0; j < SIZE; j++) x = x * 31 + e[j];\n"
                f"  {end}\n}}\n")


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, **more)


def output_of(program, moment):
    """Output of the program; None if it failed, with why on standard error."""
    done = run([program, "count"], env={**os.environ, "MOMENT": moment})
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr}", 0
    return done.stdout, int(done.stderr or 0)


def try_file(args, folder, seed, total):
    """One file of functions through every compiler; the names of those that differ."""
    rng = random.Random(seed)
    functions = [Function(random.Random(f"{seed} {k}"), k).text() for k in range(args.functions)]
    listed = " ".join(f"F({k})" for k in range(args.functions))
    paths = {name: os.path.join(folder, name)
             for name in ("functions.c", "main.c", "plain", "test")}
    with open(paths["functions.c"], "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(functions))
    with open(paths["main.c"], "w", encoding="utf-8") as file:
        file.write(MAIN.replace("FUNCTIONS", listed))
    here = os.path.dirname(os.path.abspath(__file__))
    common = [paths["main.c"], os.path.join(here, "async_harness.c"), "-fno-strict-aliasing", "-w"]
    plain = run(["gcc-12", "-O0", paths["functions.c"], *common, "-o", paths["plain"]])
    if plain.returncode:
        sys.exit(f"async_fuzz: {plain.stderr}")
    want, _ = output_of(paths["plain"], "early")
    bad = []
    for name, wrapper in args.compilers:
        level = rng.choice(["-O1", "-O2", "-O2", "-O3", "-Os"])
        checked = ["-fchecking"] if name == "gcc" else []
        made = run([wrapper, level, "--memlift-async", *checked, paths["functions.c"], *common,
                    "-o", paths["test"]])
        total["files"] += 1
        for moment in ("early", "late"):
            got, begun = (made.stderr, 0) if made.returncode else output_of(paths["test"], moment)
            total["begun"] += begun
            if got != want:
                at = next((i for i, (a, b) in enumerate(zip(got.split("\n"), want.split("\n")))
                           if a != b), -1)
                bad.append(f"seed {seed}: {name} {level} {moment}: {got.splitlines()[at][:200]}, "
                           f"not {want.splitlines()[at][:80]}")
        if not made.returncode:
            total["seen"] += output_of(paths["test"], "never")[0] != want
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--programs", type=int, default=300, help="functions (default 300)")
    parser.add_argument("--functions", type=int, default=25, help="of one file (default 25)")
    parser.add_argument("--seed", type=int, default=1, help="of the first file (default 1)")
    parser.add_argument("--compiler", action="append", help="this one; repeatable")
    args = parser.parse_args()
    args.compilers = [(n, os.path.join(args.build, "bin", f"memlift-{n}"))
                      for n in args.compiler or ("clang-19", "clang-22", "gcc")]
    args.compilers = [(n, w) for n, w in args.compilers
                      if os.path.exists(w) and run([w, "--version"]).returncode == 0]
    if not args.compilers or not shutil.which("gcc-12"):
        print("async_fuzz: no compiler to test")
        return 77
    total, bad = {"files": 0, "begun": 0, "seen": 0}, []
    with tempfile.TemporaryDirectory() as folder:
        for k in range((args.programs + args.functions - 1) // args.functions):
            bad += try_file(args, folder, args.seed + k, total)
    for line in bad:
        print(line)
    print(f"async_fuzz: {args.programs} functions, {total['files']} compilations, "
          f"{total['begun']} operations begun, {len(bad)} differences")
    if not total["begun"] or not total["seen"]:
        print("async_fuzz: nothing was begun early, or nobody looked at it: this tests nothing")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
