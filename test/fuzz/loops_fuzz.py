#!/usr/bin/env python3
# loops_fuzz.py - random C loops: the program must do the same with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C files full of loops that are, or nearly are, copies and fills; builds each
with gcc-12 -O0 and with every memlift wrapper at several levels; runs all on the same
random memory, overlapping regions included; compares every byte and every result.

A difference prints the seed, the compiler, the function and its source, and leaves the
files in a folder it names. Exit status: 0 no difference, 1 a difference, 2 bad usage or a
build that failed, 77 no compiler to test.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

WRAPPERS = ["memlift-clang-19", "memlift-clang-22", "memlift-gcc"]
LEVELS = ["-O1", "-O2", "-O3", "-Os"]
TYPES = [("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8)]

HEAD = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
struct args { u8 *d, *s; long n, m, p; u64 v, w; };
"""

MAIN = r"""
static u64 state;
static u64 next(void) {
  u64 z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static _Alignas(64) u8 arena[32768];
int main(void) {
  for (unsigned f = 0; f < sizeof table / sizeof *table; f++) {
    u64 hash = 14695981039346656037u;
    for (unsigned trial = 0; trial < 120; trial++) {
      state = f * 1000 + trial;
      for (unsigned i = 0; i < sizeof arena; i++) arena[i] = (u8)next();
      struct args a;
      a.d = arena + 12000 + 8 * (next() % 100);
      long near = (long)(next() % 48) - 24;
      a.s = next() % 2 ? a.d + 8 * near : arena + 20000 + 8 * (next() % 100);
      if (next() % 4 == 0) a.s = a.d + 8 * (near / 8);
      a.n = next() % 8 ? (long)(next() % 70) : (long)(next() % 4);
      a.m = (long)(next() % 5);
      a.p = (long)(next() % 80);
      a.v = next() % 3 ? next() : 0x0101010101010101u * (next() % 256);
      a.w = next();
      u64 r = table[f](&a);
      hash = (hash ^ r) * 1099511628211u;
      for (unsigned i = 0; i < sizeof arena; i++) hash = (hash ^ arena[i]) * 1099511628211u;
    }
    printf("f%u %016llx\n", f, (unsigned long long)hash);
  }
  return 0;
}
"""


class Program:
    """One random C file: `count` functions, each with one loop or nest."""

    def __init__(self, seed, count):
        self.rng = random.Random(seed)
        self.functions = [self.function(i) for i in range(count)]

    def text(self):
        """The whole file."""
        table = ", ".join(f"f{i}" for i in range(len(self.functions)))
        return (HEAD + "\n".join(self.functions)
                + f"\nstatic u64 (*const table[])(struct args *) = {{{table}}};\n" + MAIN)

    def pick(self, *choices):
        """One of the choices."""
        return self.rng.choice(choices)

    def chance(self, percent):
        """True so often."""
        return self.rng.randrange(100) < percent

    def value(self, kind, elem, source):
        """An expression for the stored value of type `kind`."""
        r = self.rng.randrange(100)
        if source and r < 85:
            if self.chance(4):
                return f"({kind})({source} + 1)"
            return source
        if r < 40:
            return str(self.pick(0, 1, 255, 0x5a5a, -1))
        return f"({kind})a->{self.pick('v', 'v', 'w')}"

    def body(self, kind, copy, unroll, stride):
        """Statements of one iteration, index expression `i`."""
        order = list(range(unroll))
        if self.chance(25):
            self.rng.shuffle(order)
        if unroll > 1 and self.chance(6):
            order.pop()
        shift = self.pick(0, 0, 0, 0, 1) if copy else 0
        scale = f"{stride} * i" if stride != 1 else "i"
        lines, stores = [], []
        early = copy and self.chance(40)
        for k in order:
            at = f"{scale} + {k}" if k else scale
            source = f"s[{at} + {shift}]" if shift else f"s[{at}]"
            if copy and early:
                lines.append(f"{kind} t{k} = {source};")
                source = f"t{k}"
            stores.append(f"d[{at}] = {self.value(kind, 0, source if copy else '')};")
        if self.chance(5):
            stores[-1] = f"if (a->m != 3) {stores[-1]}"
        if self.chance(4):
            stores.append("r += d[i];")
        return " ".join(lines + stores)

    def header(self, step):
        """A loop header that walks `i` over 0 .. n - 1 by `step`, and its opening."""
        up = [f"for (long i = 0; i < n; i += {step})",
              f"for (u64 i = 0; i < (u64)n; i += {step})",
              f"for (int i = 0; i < (int)n; i += {step})",
              f"for (unsigned i = 0; i < (unsigned)n; i += {step})"]
        if step == 1:
            up += ["for (long i = n - 1; i >= 0; i--)", "for (int i = (int)n - 1; i >= 0; --i)",
                   "for (long i = 0; i != n; i++)", "for (u16 i = 0; i < (u16)n; i++)"]
        return self.pick(*up)

    def walk(self, kind, copy, restrict):
        """A loop of stepping pointers; the end pointer is the result."""
        value = "*s++" if copy else self.value(kind, 0, "")
        if self.chance(30):
            return f"while (n--) *d++ = {value}; r = (u64)((u8 *)d - a->d);"
        if self.chance(40):
            return f"for ({kind} *e = d + n; d != e;) *d++ = {value}; r = (u64)((u8 *)d - a->d);"
        value = "*--s" if copy else self.value(kind, 0, "")
        return ("d += n; s += n; " if copy else "d += n; ") + f"while (n-- > 0) *--d = {value};"

    def nest(self, kind, copy):
        """Two loops: rows, packed or with a pitch."""
        width = self.pick("8", "n", "16", "n")
        pitch = width if self.chance(60) else self.pick("a->p", "40")
        value = f"s[y * {pitch} + x]" if copy else self.value(kind, 0, "")
        return (f"for (long y = 0; y < a->m; y++) for (long x = 0; x < {width}; x++) "
                f"d[y * {pitch} + x] = {value};")

    def added(self, kind):
        """What one round adds, `kind` being the accumulator's type; s is the data."""
        cast = self.pick("", "", f"({kind})", "(unsigned)")
        return self.pick(f"{cast}s[i]", f"{cast}s[i]", f"{cast}s[i] * 3u", "(0u - s[i])", "(s[i] ^ 1)",
                         "(s[i] & 0xff)", "s[2 * i]", "s[n - 1 - i]")

    def crc(self):
        """One round of a CRC of a random polynomial, now and then with a slip in it."""
        bits = self.pick(8, 16, 32, 32, 64)
        poly, mask = self.rng.getrandbits(bits) | 1 << bits - 1, (1 << bits) - 1
        other = poly ^ 2 if self.chance(10) else poly
        steps = self.pick(8, 8, 8, 8, 7)
        if self.chance(60):
            start = "x ^= s[i];"
            step = self.pick(f"x = x & 1 ? x >> 1 ^ {poly}u : x >> 1;",
                             f"x = x >> 1 ^ ({poly}u & -(x & 1));",
                             f"if (x & 1) x = x >> 1 ^ {poly}u; else x >>= 1;")
        else:
            start = f"x ^= (u{bits})((u{bits})s[i] << {bits - 8});"
            step = (f"x = (u{bits})(x >> {bits - 1} & 1 ? (u64)x << 1 ^ {poly}u : (u64)x << 1) "
                    f"& {mask}u;")
        last = step.replace(f"{poly}u", f"{other}u")
        return f"u{bits}", (f"{start} for (int k = 0; k < {steps}; k++) {{ {step} }} "
                            + (last if other != poly else ""))

    def reduction(self, index):
        """A loop that only reads: sums, sums of sums, hashes, checksums folded as they go."""
        data = self.pick("u8", "u8", "u16", "u16", "u32", "u64", "signed char", "short", "int")
        kind = self.pick("u8", "u16", "u32", "u32", "u32", "u64", "u64", "int", "long")
        if kind in ("int", "long"):
            data = self.pick("u8", "u16", "signed char", "short")  # no signed overflow
        elif data == "int":
            kind = self.pick("u32", "u64")
        start = self.pick("0", "1", f"({kind})(a->v & 0x7fff)", f"({kind})(u16)a->w")
        if kind not in ("int", "long") and self.chance(20):
            start = f"({kind})a->v"
        x = self.added(kind) if kind not in ("int", "long") else "s[i]"
        body = self.pick(
            f"x += {x};", f"x += {x};", f"x -= {x};", f"x += {x}; y += x;", f"y += x; x += {x};",
            f"x = x * {self.pick(31, 33, 5, 65599)}u + s[i];", "x ^= s[i];",
            "x += s[i]; x = (x & 0xffff) + (x >> 16);", "x += s[i]; if (x < s[i]) x++;",
            "x += s[i]; if (x > 0xffff) x -= 0xffff;", "x += (u32)s[2 * i] << 8 | s[2 * i + 1];",
            "x += s[2 * i]; x += s[2 * i + 1];", "if (s[i] > x) x = s[i];", "x += (u64)s[i] * s[i];",
            "x = (x << 1 | x >> 7) + s[i];", "x += s[i]; if (x == 77) break;")
        if kind in ("int", "long"):
            body = self.pick("x += s[i];", "x -= s[i];", "x += s[i] + 3;")
        if self.chance(20):
            data, (kind, body) = "u8", self.crc()
            start = self.pick("0", f"({kind})a->v")
        first = "" if self.chance(90) else "d[0] = 1; "
        return (f"static __attribute__((noinline)) u64 f{index}(struct args *a) {{\n"
                f"  const {data} *s = (const {data} *)a->s; u8 *d = a->d; (void)d;\n"
                f"  long n = a->n; {kind} x = {start}, y = ({kind})(a->w & 0xff); {first}\n"
                f"  {self.header(1)} {{ {body} }}\n  return (u64)x * 5 + (u64)y;\n}}\n")

    def function(self, index):
        """One function."""
        if self.chance(35):
            return self.reduction(index)
        kind, _ = self.pick(*TYPES)
        copy = self.chance(60)
        restrict = ""
        shape = self.rng.randrange(10)
        if shape < 2:
            loop = self.walk(kind, copy, restrict)
        elif shape < 4:
            loop = self.nest(kind, copy)
        else:
            unroll = self.pick(1, 1, 1, 2, 3, 4)
            stride = unroll if self.chance(60) or unroll == 1 else 1
            step = 1 if stride == unroll else unroll
            if self.chance(5):
                stride += 1
            if self.chance(10):
                loop = f"n = {self.pick(3, 8, 16, 40)}; "
            else:
                loop = ""
            loop += f"{self.header(step)} {{ {self.body(kind, copy, unroll, stride)} }}"
        volatile = "volatile " if self.chance(3) else ""
        return (f"static __attribute__((noinline)) u64 f{index}(struct args *a) {{\n"
                f"  {volatile}{kind} *d = ({volatile}{kind} *)a->d; {kind} *s = ({kind} *)a->s;\n"
                f"  long n = a->n; u64 r = 0; (void)s;\n  {loop}\n  return r;\n}}\n")


def run(command, **options):
    """subprocess.run, captured."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def build_and_run(command, source, exe):
    """Output of the program, or None with the compiler's complaint printed."""
    done = run(command + [source, "-o", exe])
    if done.returncode:
        print(f"loops_fuzz: {' '.join(command)} failed ({done.returncode}):\n{done.stderr[-3000:]}")
        return None
    ran = run([exe], timeout=300)
    return ran.stdout if ran.returncode == 0 else ran.stdout + f"exit {ran.returncode}\n"


def report(seed, label, program, expected, got, folder):
    """Says which functions differ."""
    print(f"loops_fuzz: seed {seed}: {label} differs from gcc-12 -O0; files in {folder}")
    want, have = expected.splitlines(), got.splitlines()
    for i, function in enumerate(program.functions):
        if i >= len(have) or want[i] != have[i]:
            print(function)
            break


def one_seed(seed, args, wrappers, folder):
    """(compilations, changed loops, differences) of one generated file."""
    program = Program(seed, args.functions)
    source = os.path.join(folder, "loops.c")
    with open(source, "w", encoding="utf-8") as stream:
        stream.write(program.text())
    common = ["-w", "-fno-strict-aliasing"]
    expected = build_and_run(["gcc-12", "-O0"] + common, source, os.path.join(folder, "plain"))
    if expected is None:
        sys.exit(2)
    changed = different = builds = 0
    rng = random.Random(seed)
    for wrapper in wrappers:
        level = args.level or rng.choice(LEVELS)
        mode = rng.choice(["memlift", "memlift", "memlift", "libc", "none"])
        remarks = os.path.join(folder, "remarks.yaml")
        command = [wrapper, level] + common + [f"--memlift-remarks={remarks}",
                                               f"--memlift-runtime={mode}", "--memlift-verify"]
        got = build_and_run(command, source, os.path.join(folder, "lifted"))
        if got is None:
            sys.exit(2)
        builds += 1
        with open(remarks, encoding="utf-8") as stream:
            changed += len(re.findall(r"Decision: +'(?:lowered|guarded|inlined)'", stream.read()))
        if got != expected:
            different += 1
            kept = tempfile.mkdtemp(prefix="memlift-fuzz-")
            shutil.copy(source, kept)
            report(seed, f"{os.path.basename(wrapper)} {level} runtime={mode}", program, expected,
                   got, kept)
    return builds, changed, different


def main():
    """Runs seeds until the count or the time is used up."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--seed", type=int, default=1, help="first seed (default 1)")
    parser.add_argument("--files", type=int, default=4, help="files to generate (default 4)")
    parser.add_argument("--functions", type=int, default=60, help="loops a file (default 60)")
    parser.add_argument("--level", choices=LEVELS, help="one level; default: random")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    args = parser.parse_args()
    wrappers = []
    for name in WRAPPERS:
        path = os.path.join(args.build, "bin", name)
        if os.path.exists(path) and run([path, "--memlift-print-command", "-c", "x.c"]).returncode == 0:
            wrappers.append(path)
    if not wrappers or not shutil.which("gcc-12"):
        print("loops_fuzz: skipped: gcc-12 or every wrapper is missing")
        return 77
    start, builds, changed, different = time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.files):
            if args.seconds and time.monotonic() - start > args.seconds:
                break
            totals = one_seed(seed, args, wrappers, folder)
            builds, changed, different = (x + y for x, y in
                                          zip((builds, changed, different), totals))
    print(f"loops_fuzz: {builds} programs, {changed} loops changed, {different} differences")
    if not changed:
        print("loops_fuzz: nothing was changed at all: the test tests nothing")
        return 1
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
