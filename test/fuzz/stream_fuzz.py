#!/usr/bin/env python3
# stream_fuzz.py - random loops cut into blocks: each must leave the bytes that plain code leaves
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates C functions with one loop or nest each: steps, halos, gaps, conditions, tables, carried
values, legal and illegal. Compiles them with gcc-12 -O0, and with every memlift wrapper under
--memlift-stream=all; the latter run with blocks that are short and in buffers of their own, while
the program's arrays hold poison (test/e2e/Inputs/stream-blocks.c). Arrays are apart or overlap.

Exit status: 0 no difference, 1 a difference or a compiler that failed, 2 bad usage, 77 no compiler
to test."""

import os
import random
import re
import subprocess
import sys

import build

INPUTS = os.path.join(os.path.dirname(build.HERE), "e2e", "Inputs")
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(build.HERE)), "runtime", "include")
STREAMED = re.compile(r"\bmemlift_stream_begin\b")
ARGUMENTS = "size_t n, size_t w, size_t p, const uint8_t *t"

HEAD = """#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef int64_t s64;
"""

MAIN = HEAD + """#include <stdio.h>
#include <stdlib.h>
extern int stream_keeps_read;
enum { Arena = 1 << 16, Third = 21824, Middle = 28672 };
typedef u64 function(u8 *, u8 *, u8 *, u8 *, size_t, size_t, size_t, const u8 *);
#define F(k) function plain_##k, blocks_##k;
FUNCTIONS
#undef F
static const struct { function *plain, *blocks; int apart, looks; } all[] = {
#define F(k) {plain_##k, blocks_##k, APART_##k, LOOKS_##k},
FUNCTIONS
#undef F
};
static _Alignas(64) u8 start[Arena], arena[2][Arena], table[256];
static u64 state = SEED * 2 + 1;
static u32 any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (u32)(state >> 16);
}
int main(void) {
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < Arena; i += 4) memcpy(start + i, &(u32){any()}, 4);
      for (int i = 0; i < 256; i++) table[i] = (u8)any();
      size_t n = any() % (round < 4 ? 12 : 150), w = any() % 16, p = w + any() % 8, at[4];
      if (round == 5) p = w;
      for (int i = 0; i < 4; i++)
        at[i] = all[k].apart || round % 3 == 0 ? 8192 + i * 15104 + any() % 8 * 8
                                               : Middle + any() % (round % 2 ? 64 : 1024) * 8;
      stream_keeps_read = all[k].looks;
      u64 r[2];
      for (int i = 0; i < 2; i++) {
        u8 *a = arena[i];
        memcpy(a, start, Arena);
        r[i] = (i ? all[k].blocks : all[k].plain)(a + at[0], a + at[1], a + at[2], a + at[3], n, w,
                                                  p, table);
      }
      if (r[0] != r[1] || memcmp(arena[0], arena[1], Arena)) {
        printf("different: %d\\n", (int)k);
        return 1;
      }
    }
  return 0;
}
"""


class Loop:
    """One function: arrays A to D of elements of one type."""

    carries = [
        "x = x * 31 + v;", "v += x; x ^= v >> 1;", "f = f * 0.5f + (float)(v & 1023);",
        "v += (u64)(int)f;", "bins[v & 7] += v;", "last = v;", "k++; v += k;", "",
        # loops inside that touch no memory: part of the value, or too long for that
        "for (int s = 0; s < 4; s++) v = v & 1 ? v * 5 : v >> 1;",
        "for (int s = 0; s < 40; s++) v = v & 1 ? v * 5 : v >> 1;"]

    def __init__(self, seed, number):
        self.rng = random.Random(f"{seed} stream {number}")
        self.number = number
        self.apart = self.rng.randrange(3) == 0
        self.type = self.rng.choice(["u8", "u8", "u16", "u32", "u64"])
        self.nest = self.rng.randrange(3) == 0
        self.down = self.rng.randrange(6) == 0
        self.looks = False  # at arrays at computed addresses
        self.text = self.function()

    def walk(self, step, offset):
        """The index of an element that moves by so many elements in an iteration."""
        rng = self.rng
        if not self.nest:
            sign = -1 if rng.randrange(8) == 0 else 1
            return f"i * {step} + {offset}" if sign > 0 else f"(n - i) * {step} + {offset}"
        pitch = rng.choice(["p", "p", "p", "w", "16", "(w + 1)"])
        inner = "x" if rng.randrange(8) else "(w - 1 - x)"
        return f"i * {pitch} * {step} + {inner} * {step} + {offset}"

    def read(self):
        rng = self.rng
        index = self.walk(rng.choice([1, 1, 1, 2, 3]), rng.choice([0, 0, 0, 1, 2, 5]))
        value = f"{rng.choice('ABC')}[{index}]"
        kind = rng.randrange(10)
        if kind in (0, 3):
            # Clang may share what this address and that of a later read have in common, by a phi of
            # two equal values: then the later read is one at a computed address.
            self.looks |= self.nest or not index.startswith("i * 1 ")
        if kind == 0:
            return f"if (v & 1) v += {value};"
        if kind == 1:
            return f"v += t[{value} & 255];"
        if kind == 2:
            self.looks = True
            return f"v ^= {rng.choice('ABCD')}[v & 31];"
        if kind == 3:
            return f"if (n > 7) v += {value};"
        return f"v {rng.choice(['+', '^', '*'])}= {value};"

    def carry(self):
        return self.rng.choice(self.carries)

    def store(self, name):
        """Stores that fill their step, mostly, and perhaps a load of what is there."""
        rng = self.rng
        step = rng.choice([1, 1, 1, 2, 3])
        base = self.walk(step, 0)
        parts = list(range(step))
        if rng.randrange(8) == 0 and step > 1:
            parts.pop(rng.randrange(step))
        text = ""
        if rng.randrange(8) == 0:  # all the elements by one call
            source = self.walk(rng.choice([step, step, step + 1]), rng.choice([0, 0, 1]))
            copy = "memcpy" if self.apart else "memmove"  # arrays may overlap
            call = rng.choice([f"{copy}(&{name}[{base}], &{rng.choice('AB')}[{source}], ",
                               f"memmove(&{name}[{base}], &{rng.choice('AB')}[{source}], ",
                               f"memset(&{name}[{base}], (int)n, "])
            return f"{call}{step} * sizeof(T)); v += {name}[{base}]; x = x * 31 + v;"
        if rng.randrange(3) == 0:
            near = rng.choice([0, 0, 0, 0, 1, -1, step])
            text += f"v += {name}[{base} + {rng.choice(parts)} + {near}]; "
        if rng.randrange(10) == 0:  # one place, whatever path is taken
            for part in parts:
                to = f"{name}[{base} + {part}] = (T)(v * {2 * part + 3});"
                text += (f"if (v & 8) {{ for (int s = 0; s < 6; s++) v = v * 3 ^ v >> 5; {to} }} "
                         f"else {{ v ^= 77; {to} }} ")
            return text
        when = rng.choice(["if (v & 4) "] + [""] * 9)
        for part in parts:
            text += f"{when}{name}[{base} + {part}] = (T)(v * {2 * part + 3}); "
        return text

    def function(self):
        rng = self.rng
        body = [self.read() for _ in range(rng.randrange(1, 4))] + [self.carry()]
        if rng.randrange(5):
            body.append(self.store("D"))
        if rng.randrange(6) == 0:
            body.append(self.store("C"))
        if rng.randrange(12) == 0:
            body.append("*B = (T)(*B * 3 ^ v);")
        body = "\n    ".join(body)
        restrict = "restrict " if self.apart else ""
        pointers = ", ".join(f"u8 *{restrict}{c}_" for c in "abcd")
        counts = rng.choice(["n", "n", "n", "n / 2", "300"]) if not self.nest else "n / 8"
        head = f"for (size_t i = 0; i < {counts}; i++)"
        if self.down:
            head = f"for (size_t i = {counts}; i-- > 0;)"
        inner = " for (size_t x_ = 0; x_ < w; x_++)".replace("x_", "x") if self.nest else ""
        carried = "c" if self.nest else "x"
        body = re.sub(r"\bx\b(?! \+ | \* \d+ \+|\))", carried, body) if not self.nest else body
        if self.nest:  # x is the column there
            body = body.replace("x = x * 31", "c = c * 31").replace("v += x; x ^=", "v += c; c ^=")
        aliases = " ".join(f"T *{restrict}{c.upper()} = (T *){c}_;" for c in "abcd")
        return (f"typedef {self.type} T{self.number};\n#define T T{self.number}\n"
                f"u64 F({self.number})({pointers}, {ARGUMENTS}) {{\n"
                f"  {aliases}\n  u64 {carried} = 7, last = 1; u32 k = 0, bins[8] = {{0}};"
                f" float f = 1;\n"
                f"  {head}{inner} {{\n    u64 v = 5;\n    {body}\n  }}\n"
                f"  for (int j = 0; j < 8; j++) {carried} = {carried} * 33 ^ bins[j];\n"
                f"  return {carried} + last + k + (u64)(int)(f * 16);\n}}\n#undef T\n")


def compile_(command, text, output):
    done = build.run(command + ["-w", "-fno-strict-aliasing", "-x", "c", "-c", "-", "-o", output],
                     input=text, timeout=600)
    if done.returncode:
        raise build.Failure(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-3000:]}")


class Fuzzer:
    """The objects that all programs share, and the counts."""

    loop, runtime, option, done = Loop, ["stream-blocks.c"], ["--memlift-stream=all"], STREAMED

    def __init__(self, args, bench, folder):
        self.args, self.bench, self.folder = args, bench, folder
        self.counts = {"loops": 0, "in blocks": 0, "different": 0, "failed": 0}
        self.has = None  # the seed whose shared objects are there
        self.short = [self.path(f"{name}.o") for name in self.runtime]
        for name, to in zip(self.runtime, self.short):
            with open(os.path.join(INPUTS, name), encoding="utf-8") as stream:
                compile_(["gcc-12", "-O1", f"-I{INCLUDE}"], stream.read(), to)

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, loops):
        return HEAD + "".join(loop.text for loop in loops)

    def shared(self, seed, loops):
        """Builds what all compilers have in common: the loops as plain code, and main()."""
        names = " ".join(f"F({loop.number})" for loop in loops)
        flags = "".join(f"#define APART_{loop.number} {int(loop.apart)}\n"
                        f"#define LOOKS_{loop.number} {int(loop.looks)}\n" for loop in loops)
        compile_(["gcc-12", "-O0", "-DF(x)=plain_##x"], self.program(loops), self.path("plain.o"))
        compile_(["gcc-12", "-O1", f"-DFUNCTIONS={names}", f"-DSEED={seed}"], flags + MAIN,
                 self.path("main.o"))
        self.has = seed if len(loops) == self.args.functions else None

    def built(self, wrapper, options, loops):
        """Links the loops as plain code and by blocks; returns how many are by blocks."""
        compile_([wrapper, *options, "-DF(x)=blocks_##x", *self.option], self.program(loops),
                 self.path("blocks.o"))
        done = build.run(["gcc-12"] + [self.path(f"{n}.o") for n in ("main", "plain", "blocks")] +
                         [*self.short, self.bench.runtime, "-lpthread", "-o", self.path("run")])
        if done.returncode:
            raise build.Failure(done.stderr[-3000:])
        called = build.run(["objdump", "-r", self.path("blocks.o")])
        return len(self.done.findall(called.stdout))

    def differs(self):
        done = build.run([self.path("run")], timeout=300)
        return (done.stdout + done.stderr)[:2000] or "a signal" if done.returncode else ""

    def options(self, seed, name):
        """A level; remarks for some, as without them the plugins take shorter ways."""
        rng = random.Random(f"{seed} {name}")
        level = rng.choice(["-O1", "-O1", "-O2", "-O2", "-O3", "-Os"])
        return [level] + rng.choice([[], [], [f"--memlift-remarks={self.path('remarks.yaml')}"]])

    def one(self, name, wrapper, seed):
        options = self.options(seed, name)
        loops = [self.loop(seed, i) for i in range(self.args.functions)]
        try:
            if self.has != seed:
                self.shared(seed, loops)
            self.counts["in blocks"] += self.built(wrapper, options, loops)
            self.counts["loops"] += len(loops)
            if not self.differs():
                return
            for loop in loops:
                self.shared(seed, [loop])
                self.built(wrapper, options, [loop])
                said = self.differs()
                if said:
                    self.counts["different"] += 1
                    print(f"{self.option}: seed {seed}: {name} {options[0]}: {said}"
                          f"{self.program([loop])}", flush=True)
        except (build.Failure, subprocess.TimeoutExpired) as failure:
            self.counts["failed"] += 1
            print(f"{self.option}: seed {seed}: {name} {options[0]}: {failure}", flush=True)


def wanted(counts):
    """What is wrong with the counts, if the fuzzer looked at the wrong loops."""
    few = counts["in blocks"] * 5 < counts["loops"]
    return "too few of the loops are cut into blocks" if few else ""


if __name__ == "__main__":
    sys.exit(build.fuzz("stream_fuzz", __doc__, 40, Fuzzer, wanted))
