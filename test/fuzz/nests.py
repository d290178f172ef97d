# nests.py - random C programs of loop nests over arrays, without undefined behaviour
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that program_fuzz.py calls nests, after the loop nests that yarpgen is known for: they
call one another and work on arrays of all integer types, on rows, structs and pointers, by loops of
every form; in between, the loops that memlift looks for (sums, checksums, CRCs, copies, fills) and
whole functions of generate.py. What an index and a signed sum can be is known (ranges.py), so that
each program has one meaning. It prints a digest of all memory after every call.

nests.py SEED > program.c"""

import random
import sys

import expressions
import generate
import ranges
import statements

GLOBALS, GRIDS = 7, 2
FIELDS = (("u8 a; u8 b; u16 c; u32 d;", "abcd", ("u8", "u8", "u16", "u32")),
          ("u32 a; u8 b; u64 c;", "abc", ("u32", "u8", "u64")),
          ("s16 a; s16 b; s16 c;", "abc", ("s16", "s16", "s16")),
          ("u8 a[3]; u8 b;", ("a[0]", "a[1]", "a[2]", "b"), ("u8",) * 4))
ROOM = 24576  # bytes of a region that a function of generate.py gets; it works around the middle

MAIN = """\
int printf(const char *, ...);
static volatile long one = 1;
static u64 seed, digest;
static __attribute__((noinline)) void init(u8 *p, unsigned long n) {
  while (n--) seed = seed * 6364136223846793005u + 1442695040888963407u, *p++ = seed >> 56;
}
static __attribute__((noinline)) u64 mix(u64 h, u64 x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}
"""


class Maker:
    """A program in the making: what is global, and what can be called."""

    def __init__(self, seed):
        self.rng = random.Random(f"nests {seed}")
        self.seed, self.functions, self.head = seed, [], []
        self.borrows = self.rng.choice([0, 3, 4])
        self.kinds = ["u8"] + self.rng.sample(list(ranges.TYPES), 3)  # few, so that they meet
        self.arrays = [self.array(k) for k in range(GLOBALS)]
        self.arrays += [self.grid(k) for k in range(GRIDS)] + [self.structs()]

    def array(self, number):
        """A row of integers."""
        kind = self.rng.choice(self.kinds)
        room = self.rng.choice([300, 320, 333, 512, 1000, 2048])
        align = self.rng.choice(["", "", " __attribute__((aligned(64)))"])
        self.head.append(f"static {kind} g{number}[{room}]{align};")
        return expressions.Array(f"g{number}", kind, room, group=f"g{number}")

    def grid(self, number):
        """Rows of integers."""
        kind = self.rng.choice(self.kinds)
        rows, columns = self.rng.choice([(8, 64), (20, 33), (16, 16), (40, 10), (12, 100)])
        self.head.append(f"static {kind} t{number}[{rows}][{columns}];")
        return expressions.Array(f"t{number}", kind, columns, rows=rows, group=f"t{number}")

    def structs(self):
        """Elements with fields, some with holes."""
        text, names, kinds = self.rng.choice(FIELDS)
        self.head.append(f"static struct record {{ {text} }} q0[120];")
        return expressions.Array("q0", "struct record", 120, group="q0",
                                fields=list(zip(names, kinds)))

    def borrowed(self, number):
        """A function of generate.py, with the calls of it that have a meaning."""
        text, info, family, _ = generate.function(f"nests {self.seed}", number, (), False)
        info = info.strip("{}").split(", ")
        align, kind = int(info[3]), info[4].strip("'")
        linkage = self.rng.choice(["", "static ", "static __attribute__((noinline)) "])
        calls = []
        for _ in range(3):
            at = [ROOM // 2 + align * self.rng.randrange(-64, 64) for _ in "ab"]
            overlap = kind == "O" and family != "calls" and self.rng.random() < .5
            other = "big0" if overlap else "big1"
            # Counters may be narrow, and there may have to be a round.
            n = self.rng.choice([2, 3, 7, 8, 16, 31, 32, 33, self.rng.randrange(2, 63)])
            v, w = (self.rng.choice([0, 0x0101010101010101 * self.rng.randrange(256),
                                     self.rng.getrandbits(64), self.rng.randrange(100)])
                    for _ in "vw")
            calls.append(f"F({number})(big0 + {at[0]}, {other} + {at[1]}, "
                         f"{self.rng.choice(['', 'one * '])}{n}, {self.rng.randrange(10)}, "
                         f"{v}u, {w}u)")
        return linkage + text[text.index("\n") + 1:], calls

    def function(self, number):
        """A function of nests; those before it may be called from it."""
        made = statements.Function(self.rng, number, self)
        self.functions.append(made)
        return made.text()

    def digests(self):
        """Statements of main that print what memory holds; holes have no value."""
        lines = []
        for a in self.arrays:
            at = [f"{a.base}[i].{name}" for name, _ in a.fields] or [
                f"{a.base}[i / {a.room}][i % {a.room}]" if a.rows else f"{a.base}[i]"]
            steps = " ".join(f"digest = mix(digest, (u64){e});" for e in at)
            lines.append(f"for (int i = 0; i < {a.room * (a.rows or 1)}; i++) {{ {steps} }} "
                         f'printf("{a.base} %lx\\n", digest);')
        for big in ("big0", "big1"):
            lines.append(f"for (int i = 0; i < {ROOM}; i++) digest = mix(digest, {big}[i]); "
                         f'printf("{big} %lx\\n", digest);')
        return lines

    def text(self):
        """The whole program."""
        self.head += [f"static u8 big{k}[{ROOM}] __attribute__((aligned(64)));" for k in (0, 1)]
        bodies = [self.function(k) for k in range(self.rng.randrange(3, 6))]
        calls = []
        for function in self.functions:
            calls += [(f"f{function.number}", function.call_from_main())
                      for _ in range(self.rng.randrange(1, 4))]
        for number in range(self.borrows):
            text, more = self.borrowed(number)
            bodies.append(text)
            calls += [(f"b{number}", call) for call in more]
        self.rng.shuffle(calls)
        steps = [f"init((u8 *){a.base}, sizeof {a.base});" for a in self.arrays]
        steps += ["init(big0, sizeof big0);", "init(big1, sizeof big1);"]
        steps += [f'r = {call}; digest = mix(digest, r); printf("{name} %lx\\n", r);'
                  for name, call in calls]
        steps += self.digests()
        return (generate.HEAD % self.seed + "#define F(k) F##k\n" + MAIN + "\n".join(self.head)
                + "\n\n" + "\n".join(bodies)
                + "\nint main(void) {\n  for (int round = 0; round < 2; round++) {\n    u64 r;"
                + "\n    "
                + "\n    ".join(steps) + "\n  }\n  return digest & 63;\n}\n")


def missing():
    """Nothing has to be installed."""
    return None


def program(seed, _folder=None):
    """(text, compiler options) of a program."""
    maker = Maker(seed)
    more = maker.rng.choice([[], [], [], ["-fwrapv"], ["-funroll-loops"], ["-fno-builtin"],
                             ["-ftrivial-auto-var-init=zero"]])
    # Functions of generate.py read memory as any type.
    return maker.text(), ["-fno-strict-aliasing"] * bool(maker.borrows) + more


if __name__ == "__main__":
    print(program(int(sys.argv[1]))[0], end="")
