#!/usr/bin/env python3
# register_fuzz.py - random steps of shift registers: look-ups must compute what plain code does
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C functions that run some steps of a shift register in scalars: widths, polynomials,
directions, spellings of a step and of the loop, data in the register or beside it, functions in
which one step is not linear. Compiles them with gcc-12 -O0, and with every memlift wrapper. Both
are run on all single bits of the register and of the data, and on random values.

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import random
import re
import subprocess
import sys

import build

LOOKED_UP = re.compile(r"Code: *'MLF1017'")

HEAD = """#include <stdint.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
"""

MAIN = HEAD + """#include <stdio.h>
#define F(k) u64 plain_##k(u64, u64); u64 lifted_##k(u64, u64);
FUNCTIONS
#undef F
static const struct { int number; u64 (*plain)(u64, u64), (*lifted)(u64, u64); } all[] = {
#define F(k) {k, plain_##k, lifted_##k},
FUNCTIONS
#undef F
};
static u64 value(unsigned i) {
  u64 v = (i + SEED) * 0x9e3779b97f4a7c15;
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
  return i == 0 ? 0 : i < 65 ? 1ull << (i - 1) : v ^ v >> 29;
}
int main(void) {
  int wrong = 0;
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    for (unsigned i = 0; i < 130; i++)
      for (unsigned j = 0; j < 130; j++) {
        u64 want = all[k].plain(value(i), value(j)), got = all[k].lifted(value(i), value(j));
        if (want == got)
          continue;
        printf("register %d differs: %llx, not %llx\\n", all[k].number, (unsigned long long)got,
               (unsigned long long)want);
        wrong = 1, i = j = 130;
      }
  return wrong;
}
"""


class Register:
    """One function; `linear` if no step was spoiled."""

    def __init__(self, seed, number):
        self.number = number
        self.rng = rng = random.Random(f"{seed} {number}")
        self.width = rng.choice([5, 7, 8, 12, 15, 16, 16, 24, 31, 32, 32, 40, 64])
        sizes = [s for s in (8, 16, 32, 64) if s >= self.width]
        self.size = rng.choice(sizes[:2])
        self.reflected = rng.random() < 0.5
        self.data = rng.choice([8, 8, 8, 16, 32, 64])
        self.steps = rng.choice([8, 8, self.data, rng.randint(8, self.data)])
        top = 1 << (self.width - 1)
        self.polynomial = rng.getrandbits(self.width) | 1 | top
        self.linear = rng.random() < 0.85
        self.above = rng.random() < 0.3  # what leaves upwards stays in the wider type
        self.text = self.function()

    def step(self, bit):
        """Statements of one step; `bit` is the data's bit of it, or 0."""
        rng, top = self.rng, self.width - 1
        out = "c & 1" if self.reflected else f"c >> {top} & 1"
        out = f"(({out}) ^ {bit})" if bit != "0" else f"({out})"
        moved = "c >> 1" if self.reflected else "c << 1"
        p = f"(u{self.size}){self.polynomial:#x}u" + ("ll" if self.size == 64 else "")
        keep = "" if self.reflected or self.width == self.size or self.above else \
            f" c &= (u{self.size}){(1 << self.width) - 1:#x}ull;"
        kind = rng.randrange(6)
        if not self.linear:
            kind = rng.choice([6, 7, 8])
        return {
            0: f"c = {out} ? ({moved}) ^ {p} : {moved};",
            1: f"if ({out}) c = ({moved}) ^ {p}; else c = {moved};",
            2: f"c = ({moved}) ^ (-(u{self.size}){out} & {p});",
            3: f"u{self.size} o = {out}; c = {moved}; if (o) c ^= {p};",
            4: f"c = ({moved}) ^ (u{self.size}){out} * {p};",
            5: f"int o = {out} != 0; c = {moved}; c ^= o ? {p} : 0;",
            6: f"c = ({moved}) + ({out} ? {p} : 0);",
            7: f"c = {out} ? ({moved}) ^ {p} : {moved}; if (c == {rng.getrandbits(4)}) c ^= 3;",
            8: f"c = {out} ? ({moved}) ^ {p} : {moved}; c ^= c >> 1 & c << 2;",
        }[kind] + keep

    def function(self):
        rng, n, size, steps = self.rng, self.number, self.size, self.steps
        start = f"u{size} c = (u{size})(s & {(1 << self.width) - 1:#x}ull);" \
            if rng.random() < 0.7 or not (self.reflected or self.above) else \
            f"u{size} c = (u{size})s;"
        if rng.random() < 0.06:
            start = f"u{size} c = {rng.getrandbits(self.width):#x}ull;"
        data = f"u{self.data} d = (u{self.data})x;"
        how = rng.choice(["inside", "shifted", "counted", "none"])
        before, bit, after = "", "0", ""
        if how == "inside":
            up = max(0, self.width - self.data)
            before = f"c ^= (u{size})((u64)d{'' if self.reflected else f' << {up}'}" \
                     f" & {(1 << self.width) - 1:#x}ull);"
        elif how == "shifted":
            high = self.data - 1
            bit = "(d & 1)" if self.reflected else f"(d >> {high} & 1)"
            after = "d >>= 1;" if self.reflected else "d <<= 1;"
        elif how == "counted":
            bit = "(d >> i & 1)" if self.reflected else f"(d >> ({steps - 1} - i) & 1)"
        body = f"{self.step(bit)} {after}"
        loop = rng.choice([
            f"for (int i = 0; i < {steps}; i++) {{ {body} }}",
            f"for (unsigned i = 0; i != {steps}; ++i) {{ {body} }}",
            f"u8 i = 0; do {{ {body} }} while (++i < {steps});",
        ] + ([] if how == "counted" else [
            f"for (unsigned k = {steps}; k; k--) {{ {body} }}",
            f"int k = {steps}; while (k--) {{ {body} }}",
        ]))
        result = rng.choice(["c", "c", f"c & {(1 << self.width) - 1:#x}ull", "c ^ (u64)d << 7",
                             "(u8)c", "c + 1ull"])
        return f"u64 F({n})(u64 s, u64 x) {{\n  {start} {data} {before}\n  {loop}\n" \
               f"  return {result};\n}}\n"


def compile_(command, text, output):
    done = build.run(command + ["-x", "c", "-", "-c", "-o", output], input=text, timeout=300)
    if done.returncode:
        raise build.Failure(" ".join(command) + "\n" + done.stderr[-3000:])
    if "MLF3020" in done.stderr:
        raise build.Failure("a claim was refuted (MLF3020):\n" + done.stderr[-3000:])


class Fuzzer:
    def __init__(self, args, bench, _folder):
        self.args, self.bench = args, bench
        self.counts = {"registers": 0, "by look-ups": 0, "different": 0, "failed": 0}

    def run(self, wrapper, level, seed, registers):
        """Builds and runs; (numbers that differ, number of loops that became look-ups)."""
        path = self.bench.path
        text = HEAD + "".join(r.text for r in registers)
        names = "".join(f"F({r.number})" for r in registers)
        compile_(["gcc-12", "-O0", "-DF(x)=plain_##x"], text, path("plain.o"))
        compile_([wrapper, level, "--memlift-verify", "-DF(x)=lifted_##x",
                  f"--memlift-remarks={path('remarks.yaml')}"], text, path("lifted.o"))
        compile_(["gcc-12", "-O1", f"-DFUNCTIONS={names}", f"-DSEED={seed}"], MAIN,
                 path("main.o"))
        done = build.run(["gcc-12"] + [path(f"{n}.o") for n in ("main", "plain", "lifted")] +
                         [self.bench.runtime, "-lpthread", "-o", path("run")])
        if done.returncode:
            raise build.Failure(done.stderr[-3000:])
        ran = build.run([path("run")], timeout=300)
        wrong = [int(n) for n in re.findall(r"^register (\d+) differs", ran.stdout, re.M)]
        if ran.returncode and not wrong:
            raise build.Failure(f"the program ended with {ran.returncode}")
        with open(path("remarks.yaml"), encoding="utf-8") as stream:
            return wrong, len(LOOKED_UP.findall(stream.read()))

    def one(self, name, wrapper, seed):
        level = random.Random(f"{seed} {name}").choice(["-O1", "-O2", "-O2", "-O3"])
        registers = [Register(seed, i) for i in range(self.args.functions)]
        try:
            wrong, looked = self.run(wrapper, level, seed, registers)
            self.counts["registers"] += len(registers)
            self.counts["by look-ups"] += looked
            for number in wrong:
                self.counts["different"] += 1
                print(f"register_fuzz: seed {seed}: {name} {level}:\n{registers[number].text}",
                      flush=True)
        except (build.Failure, subprocess.TimeoutExpired) as failure:
            self.counts["failed"] += 1
            print(f"register_fuzz: seed {seed}: {name} {level}: {failure}", flush=True)


def wanted(counts):
    """What is wrong with the counts, if the fuzzer looked at the wrong loops."""
    few = counts["by look-ups"] * 3 < counts["registers"]
    return "too few of the loops became look-ups" if few else ""


if __name__ == "__main__":
    sys.exit(build.fuzz("register_fuzz", __doc__, 60, Fuzzer, wanted))
