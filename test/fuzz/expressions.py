# expressions.py - what nests.py computes: elements, counters and constants, all within bounds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An Expressions object writes expressions over the arrays, counters and sums in scope. All bounds
are known while it does so: Array.room elements may be accessed, a Counter lies between low and
high."""

import ranges
from ranges import arithmetic, bitwise, cast, compared, constant, divided, of, shifted, turned

SPECIAL = (0, 1, -1, 2, 3, 5, 7, 8, 15, 16, 31, 33, 63, 127, 128, 255, 256, 257, 251, 65521, 65535,
           65536, 0x8000, 0x1021, 0x8408, 0xa001, 0xedb88320, 0x82f63b78, 0x04c11db7, 65599, 5381,
           0x01010101, 0x80808080, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678,
           0x0101010101010101, 0xc96c5795d7870f42, 0x7fffffffffffffff, 0xffffffffffffffff)


class Array:
    """Element type of the array that `base` is, or points into."""

    def __init__(self, base, kind, room, rows=0, group=None, fields=()):
        self.base, self.kind, self.room, self.rows = base, kind, room, rows
        self.group, self.fields = group, list(fields)  # the object, or None if it may be several

    def bytes(self):
        """Its size, of one of integers."""
        return self.room * ranges.TYPES[self.kind][0] // 8


class Counter:
    """A variable of a loop in scope."""

    def __init__(self, name, kind, low, high, trips):
        self.name, self.kind, self.low, self.high, self.trips = name, kind, low, high, trips
        self.steps = self.leaves = True  # continue reaches the step; break leaves the loop

    def value(self):
        """Text of it as an expression."""
        return ranges.fitted(self.name, self.kind, self.low, self.high)


class Sum:
    """A variable that is summed up in; what is left to a signed one until it overflows."""

    def __init__(self, name, kind):
        self.name, self.kind, self.left = name, kind, ranges.limits(kind)[1]


class Expressions:
    """Names in scope, and expressions of them."""

    def __init__(self, rng):
        self.rng, self.names, self.cost, self.plain = rng, 0, 0, False
        self.loops, self.sums, self.arrays = [], [], []

    def pick(self, *choices):
        """One of the choices."""
        return self.rng.choice(choices)

    def chance(self, percent):
        """True so often."""
        return self.rng.randrange(100) < percent

    def fresh(self, letter):
        """A new name."""
        self.names += 1
        return f"{letter}{self.names}"

    def trips(self):
        """Rounds of all loops around, at the most."""
        product = 1
        for loop in self.loops:
            product *= loop.trips
        return product

    def straight(self, room):
        """Text of an index that follows the innermost loop, if there is room for it."""
        loop = self.loops[-1]
        slack = room - 1 - (loop.high - loop.low)
        if slack < 0:
            return None
        offset = -loop.low + self.pick(0, 0, 0, min(slack, self.pick(1, 4, 8)), slack)
        if loop.low >= 0 and loop.high < room and self.chance(70):
            offset = 0
        return loop.name + (f" + {offset}" if offset > 0 else f" - {-offset}" if offset else "")

    def index(self, room):
        """Text of an index from 0 to room - 1, mostly of a counter."""
        loops = self.loops
        if not loops or self.chance(6):
            return str(self.rng.randrange(room))
        if self.plain and self.straight(room):
            return self.straight(room)
        loop = loops[-1] if self.chance(70) else self.rng.choice(loops)
        stride = self.pick(1, 1, 1, 1, 1, 1, 2, 3, 4, -1)
        low, high = sorted((stride * loop.low, stride * loop.high))
        text = {1: loop.name, -1: f"-{loop.name}"}.get(stride, f"{stride} * {loop.name}")
        other = self.rng.choice(loops)
        if other is not loop and self.chance(70):
            pitch = self.pick(loop.high + 1, 8, 16, 10, 1)
            if other.low >= 0 and high - low + pitch * (other.high - other.low) < room:
                low, high = low + pitch * other.low, high + pitch * other.high
                text = f"{pitch} * {other.name} + {text}" if stride > 0 else text
                low, high = (low, high) if stride > 0 else sorted((-loop.low, -loop.high))
        if high - low >= room:
            if room >= 256 and self.chance(50):
                return f"(u8)({loop.name} + {self.pick(0, 1, 200)})"
            return f"(u32){loop.name} % {room}"
        slack = room - 1 - (high - low)
        offset = -low + self.pick(0, 0, 0, min(slack, 1), min(slack, 4),
                                  self.rng.randrange(slack + 1), slack)
        if low >= 0 and high < room and self.chance(60):
            offset = 0
        if stride == -1 and text.startswith("-"):
            return f"{offset} - {text[1:]}"
        return text + (f" + {offset}" if offset > 0 else f" - {-offset}" if offset else "")

    def row(self, rows):
        """The row that the loop around the innermost one is at, in a plain nest."""
        if not self.plain or len(self.loops) < 2 or self.loops[-2].low < 0:
            return None
        return self.loops[-2].name if self.loops[-2].high < rows else None

    def place(self, kinds=None):
        """(text, type) of an element of an array, in bounds."""
        fit = [a for a in self.arrays if not kinds or a.kind in kinds]
        if not fit:
            return None
        array = self.rng.choice(fit)
        plain, row = self.plain, ""
        if array.rows:
            self.plain = plain and len(self.loops) == 1
            row = f"[{self.row(array.rows) or self.index(array.rows)}]"
            self.plain = plain
        text = f"{array.base}{row}[{self.index(array.room)}]"
        if array.fields:
            name, kind = self.rng.choice(array.fields)
            return f"{text}.{name}", kind
        return text, array.kind

    def leaf(self):
        """An element, a counter, a parameter, a constant, a sum."""
        which = self.rng.randrange(100)
        if which < 50:
            return of(*self.place())
        if which < 68 and self.loops:
            return self.rng.choice(self.loops).value()
        if which < 80:
            return self.pick(of("v", "u64"), of("w", "u32"), ranges.fitted("k", "s32", -1000, 1000))
        unsigned = [s for s in self.sums if s.kind[0] == "u"]
        if which < 84 and unsigned:
            return of(*(lambda s: (s.name, s.kind))(self.rng.choice(unsigned)))
        return constant(self.pick(*SPECIAL))

    def expression(self, depth=2):
        """Any arithmetic."""
        if depth == 0 or self.chance(30):
            return self.leaf()
        x = self.expression(depth - 1)
        which = self.rng.randrange(17)
        if which < 7:
            return arithmetic(self.pick("+", "-", "*"), x, self.expression(depth - 1))
        if which < 10:
            return bitwise(self.pick("&", "|", "^"), x, self.expression(depth - 1))
        if which < 12:
            bits = ranges.TYPES[x.type][0]
            return shifted(self.pick("<<", ">>"), x,
                           self.pick(1, 3, 8, bits // 2, bits - 8, bits - 1))
        if which == 12:
            return divided(self.pick("/", "%"), x, self.pick(2, 3, 7, 10, 16, 255, 65521, 65535))
        if which == 13:
            return turned(self.pick("~", "-"), x)
        if which == 14:
            return ranges.chosen(self.condition(), x, self.leaf())
        if which == 15:
            bits = self.pick(16, 32, 64)
            return of(f"__builtin_bswap{bits}({x.text})", f"u{bits}")
        return cast(x, self.pick(*ranges.TYPES))

    def condition(self):
        """Something that is often true and often not."""
        if self.loops and self.chance(40):
            loop = self.rng.choice(self.loops)
            return self.pick(bitwise("&", loop.value(), constant(self.pick(1, 2, 3))),
                             compared(self.pick("<", ">", "==", "!="), loop.value(),
                                      constant(self.rng.randint(loop.low, loop.high))))
        x = of(*self.place()) if self.chance(70) else self.leaf()
        if self.chance(50):
            return bitwise("&", x, constant(self.pick(1, 2, 4, 8, 0x80)))
        return compared(self.pick("<", "<=", ">", ">=", "==", "!="), x, self.leaf())
