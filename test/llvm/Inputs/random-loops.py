# random-loops.py - writes random C loops that fill, copy, shift and nearly do
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random-loops.py SEED COUNT > loops.c

Every function has the signature of random-main.c and no undefined behaviour for
the arguments made there: element counts below 60, two pointers into one arena,
which may overlap unless the function's letter in KIND is D. Names are made by
the macro F, so that one file compiles to a reference and to a candidate."""

import random
import sys

TYPES = ["uint8_t", "uint16_t", "uint32_t", "uint64_t", "int", "long", "float", "double"]
COUNTERS = ["int", "unsigned", "long", "size_t", "uint8_t", "short"]
OFFSETS = ["", "", "", "+1", "-1", "+2", "-2", "+4", "-4"]
VALUES = ["0", "-1", "0x12345678", "v", "v", "(v & 0xff) * 0x01010101u", "n", "v + n"]


class Writer:
    def __init__(self, seed):
        self.pick = random.Random(seed).choice
        self.random = random.Random(seed + 1)

    def head(self, bound="n"):
        """A counted loop over i, in one of its spellings."""
        t = self.pick(COUNTERS)
        return self.pick([
            f"for ({t} i = 0; i < ({t}){bound}; i++)",
            f"for ({t} i = ({t}){bound}; i-- > 0;)",
            f"for ({t} i = 0; i != ({t}){bound}; i++)",
            f"for ({t} i = 1; i <= ({t}){bound}; i++)",
            f"for ({t} i = ({t}){bound}; i > 0; i--)",
            f"for ({t} i = 2; i < ({t}){bound}; i += 2)",
            f"for ({t} i = 0; i < {self.pick([3, 8, 17, 33])}; i++)"])

    def at(self):
        return f"(long)i{self.pick(OFFSETS)}"

    def shuffled(self, n):
        order = list(range(n))
        self.random.shuffle(order)
        return order

    def fill(self, t):
        return f"{self.head()} d[{self.at()}] = ({t})({self.pick(VALUES)});"

    def copy(self, t):
        return f"{self.head()} d[{self.at()}] = s[{self.at()}];"

    def fields(self, t):
        last = self.pick(["q[i].c = (uint32_t)v;", "", "q[i].c = 0;"])
        return (f"struct three *q = (void *)a; {self.head()} "
                f"{{ q[i].a = (uint32_t)v; q[i].b = (uint32_t)v; {last} }}")

    def unrolled(self, t):
        k = self.pick([2, 4])
        body = "".join(f"d[i + {x}] = s[i + {x}]; " for x in self.shuffled(k))
        return f"for (long i = 0; i < n; i += {k}) {{ {body}}}"

    def loads_first(self, t):
        k = self.pick([2, 4])
        loads = "".join(f"{t} t{x} = s[i + {x}]; " for x in self.shuffled(k))
        stores = "".join(f"d[i + {x}] = t{x}; " for x in self.shuffled(k))
        step = self.pick(["0; i < n; i += ", "n; i > 0; i -= "])
        return f"for (long i = {step}{k}) {{ {loads}{stores}}}"

    def rows(self, t):
        y, x = self.pick(["int", "long", "size_t"]), self.pick(["int", "long", "unsigned"])
        width, pitch = self.pick(["w", "(w + 1)"]), self.pick(["w", "w", "8"])
        value = self.pick(["0", f"({t})v", f"s[y * {pitch} + x]", f"s[y * {pitch} + x + 1]"])
        return (f"int w = (int)m; for ({y} y = 0; y < ({y})(n & 15); y++) "
                f"for ({x} x = 0; x < ({x}){width}; x++) d[y * {pitch} + x] = {value};")

    def walk(self, t):
        return (f"{t} *p = d; const {t} *q = s, *e = s + n; while (q != e) *p++ = *q++; "
                "ret = (uintptr_t)p - (uintptr_t)a;")

    def do_while(self, t):
        value = self.pick(["0", f"({t})v", "s[k]"])
        return (f"long k = n; {t} *p = d; do *p++ = {value}; while (--k > 0); "
                "ret = k + (uintptr_t)p - (uintptr_t)a;")

    def conditional(self, t):
        test = self.pick(["i & 1", "m > 3", "s[0] != 0"])
        return f"{self.head()} if ({test}) d[i] = {self.pick(['0', 's[i]'])};"

    def last_value(self, t):
        return f"{t} last = 0; {self.head()} {{ last = s[i]; d[i] = last; }} ret = (uint64_t)last;"

    def calls(self, t):
        step, size = self.pick(["m", "8", "16"]), self.pick(["m", "8", "16"])
        distance = self.pick(["16", "-16", "8 * m"])
        if self.pick([0, 1]):
            return f"for (long i = 0; i < (n & 15); i++) memset(a + i * {step}, (int)v, {size});"
        return (f"for (long i = 0; i < (n & 15); i++) "
                f"memmove(a + i * {step}, a + {distance} + i * {step}, {size});")

    def shift(self, t):
        source = self.pick(["d[i + 1]", "d[i - 1]", "d[i + m]", "s[i]"])
        return f"{self.head()} d[i] = {source};"

    SHAPES = [fill, fill, copy, copy, copy, fields, unrolled, loads_first, rows, rows, walk,
              do_while, conditional, last_value, calls, shift]

    def function(self, number):
        t = self.pick(TYPES)
        where = self.pick(["apart", "any", "any", "same"])
        qualifier = "restrict " if where == "apart" else ""
        source = f"(const {t} *)b" if where != "same" else f"(const {t} *)a + m"
        body = self.pick(self.SHAPES)(self, t)
        text = (f"uint64_t F({number})(uint8_t *a, uint8_t *b, long n, long m, uint64_t v) {{\n"
                f"  uint64_t ret = 0; {t} *{qualifier}d = ({t} *)a; "
                f"const {t} *{qualifier}s = {source}; (void)d; (void)s;\n"
                f"  {body}\n  return ret;\n}}\n")
        return text, "D" if where == "apart" else "O"


def main():
    writer, count = Writer(int(sys.argv[1])), int(sys.argv[2])
    functions = [writer.function(i) for i in range(count)]
    print("#include <stddef.h>\n#include <stdint.h>\n#include <string.h>")
    print("struct three { uint32_t a, b, c; };")
    print("".join(text for text, _ in functions))
    print("uint64_t (*const F(table)[])(uint8_t *, uint8_t *, long, long, uint64_t) = {")
    print(", ".join(f"F({i})" for i in range(count)) + "};")
    print('const char F(kind)[] = "' + "".join(kind for _, kind in functions) + '";')


main()
