# statements.py - the functions of nests.py: loops of every form, and what is done in them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Function writes loops and other statements over what is in scope (expressions.py)."""

import ranges
from expressions import SPECIAL, Array, Counter, Expressions, Sum
from ranges import arithmetic, cast, compared, constant, divided, of

TRIPS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 200,
         255, 256, 290)
MOST, COST = 6000, 150000  # rounds of a nest; statements of a call


class Function(Expressions):
    """One function, its parameters and its text."""

    def __init__(self, rng, number, maker):
        super().__init__(rng)
        self.number, self.maker = number, maker
        self.most = {"n": rng.choice([20, 64, 100, 127, 128, 255, 260]),
                     "m": rng.choice([5, 9, 12])}
        self.restrict = rng.randrange(4) == 0
        self.parameters = []
        rows = [a.kind for a in maker.arrays if not a.rows and not a.fields]
        for name in "abcd"[:rng.randrange(1, 5)]:
            kind, room = rng.choice(["u8", *rows]), rng.choice([100, 256, 280, 300])
            group = f"{name} of f{number}" if self.restrict else None
            self.parameters.append(Array(name, kind, room, group=group))
        # Promises about parameters are kept under every other name, too.
        self.arrays = self.parameters + ([] if self.restrict else list(maker.arrays))

    # --- statements -------------------------------------------------------------------------------

    def store(self):
        """Something into an element: anything, a constant, another element."""
        target, kind = self.place()
        if self.chance(55 if self.plain else 40):
            source = self.place([kind])
            if source and source[1] == kind:
                return f"{target} = {source[0]};"
        if self.chance(35):
            value = self.pick("0", "v", "w", constant(self.pick(*SPECIAL)).text)
            return f"{target} = ({kind}){value};"
        value = self.expression()
        if kind[0] == "u" and self.chance(30):  # bit operations and unsigned sums wrap
            op = self.pick("+=", "-=", "^=", "|=", "&=") if kind in ("u32", "u64") else self.pick(
                "^=", "|=", "&=")
            return f"{target} {op} {value.text};"
        return f"{target} = {value.text};"

    def reduction(self):
        """A step of a sum, a hash, a checksum."""
        own = self.rng.choice(self.sums)
        value = of(*self.place()) if self.plain or self.chance(70) else self.expression(1)
        if own.kind[0] == "s":
            worst = max(abs(value.low), abs(value.high)) * self.trips()
            if self.loops and worst < own.left and ranges.RANKS.index(
                    value.type) <= ranges.RANKS.index(own.kind):
                own.left -= worst
                return f"{own.name} {self.pick('+=', '+=', '-=')} {value.text};"
            own = self.sums[0]
        x, name = of(own.name, own.kind), own.name
        form = self.rng.randrange(9)
        if form < 3:
            return f"{name} = {arithmetic(self.pick('+', '+', '-'), x, value).text};"
        if form == 3:
            return f"{name} {self.pick('^=', '^=', '|=')} {value.text};"
        if form == 4:
            factor = constant(self.pick(31, 33, 5, 65599, 2))
            return f"{name} = {arithmetic('+', arithmetic('*', x, factor), value).text};"
        if form == 5:
            return f"if ({compared('>', cast(value, own.kind), x).text}) {name} = {value.text};"
        if form == 6:
            modulus = self.pick(65521, 255, 65535)
            return f"{name} = {divided('%', arithmetic('+', x, value), modulus).text};"
        if form == 7 and own.kind in ("u32", "u64"):
            return f"{name} += (u16)({value.text}); {name} = ({name} & 65535) + ({name} >> 16);"
        poly = self.pick(0xedb88320, 0x82f63b78, 0x8408, 0xa001, 0x8c)
        self.cost += 8 * self.trips()
        return (f"{name} ^= (u8)({value.text}); for (int b = 0; b < 8; b++) "
                f"{name} = {name} & 1 ? {name} >> 1 ^ {poly}u : {name} >> 1;")

    def library(self):
        """memset, memmove, or memcpy between two objects."""
        array = self.rng.choice([a for a in self.arrays if not a.rows and not a.fields])
        size = ranges.TYPES[array.kind][0] // 8
        count = min(array.room, self.pick(1, 3, 4, 8, 16, 70))
        to = f"{array.base} + {self.index(array.room - count + 1)}"
        length = f"{count * size}" if self.chance(60) else f"w % {count + 1} * {size}"
        if self.chance(40):
            return f"memset({to}, {self.pick('0', '255', '(u8)v', 'k')}, {length});"
        other = self.rng.choice([a for a in self.arrays if a.kind == array.kind and not a.rows
                                 and a.room >= count])
        apart = array.group and other.group and array.group != other.group
        start = f"{other.base} + {self.index(other.room - count + 1)}"
        return f"{'memcpy' if apart else 'memmove'}({to}, {start}, {length});"

    def call(self):
        """A call of a function before this one that fits."""
        fit = [f for f in self.maker.functions if f is not self
               and (f.cost + 1) * self.trips() + self.cost < COST]
        if self.restrict or not fit:
            return None
        callee = self.rng.choice(fit)
        arguments = callee.arguments(self.arrays, self.index, self.rng)
        if arguments is None:
            return None
        self.cost += (callee.cost + 1) * self.trips()
        return (f"{self.sums[0].name} += f{callee.number}({arguments}, "
                f"v + {self.rng.randrange(9)}, w, k);")

    def simple(self):
        """A statement without a loop."""
        self.cost += self.trips()
        which = self.rng.randrange(20)
        if which < 9:
            return self.store()
        if which < 15:
            return self.reduction()
        if which < 17:
            text = f"if ({self.condition().text}) {{ {self.simple()} }}"
            return text + (f" else {{ {self.simple()} }}" if self.chance(40) else "")
        if which == 17 and self.loops:
            ways = ["continue;"] * self.loops[-1].steps + ["break;"] * self.loops[-1].leaves
            ways += [f"return {self.sums[0].name} + 5;"] * self.chance(30)
            if ways:
                return f"if ({self.condition().text}) {self.rng.choice(ways)}"
        if which == 18:
            return self.library()
        if which == 19:
            return self.call() or self.store()
        return self.store()

    def idiom(self):
        """Write a loop of a common kind: a copy, a fill, a sum, a map, or two of them."""
        self.plain, parts = True, []
        for _ in range(self.pick(1, 1, 1, 1, 2)):
            self.cost += self.trips()
            parts.append(self.store() if self.chance(60) else self.reduction())
        self.plain = False
        return " ".join(parts)

    def block(self):
        """Body of an iteration."""
        parts = []
        if self.loops and self.chance(35 if len(self.loops) == 1 else 60):
            return self.idiom()
        for _ in range(self.pick(1, 1, 1, 2, 2, 3)):
            deep = self.trips() * 3 <= MOST and len(self.loops) < 3 and self.chance(35)
            parts.append(self.loop() if deep else self.simple())
        return " ".join(parts)

    # --- loops ------------------------------------------------------------------------------------

    def bound(self):
        """(text, highest value) of a number of rounds."""
        room = max(1, MOST // self.trips())
        if self.chance(55):
            n, m = self.most["n"], self.most["m"]
            known = [("n", n), ("n", n), ("m", m), ("n / 2", n // 2), ("(n & 15)", 15),
                     ("m * 4", 4 * m), ("(n + 3)", n + 3), ("(w & 31)", 31), ("(long)(v % 61)", 60)]
            known = [k for k in known if k[1] <= room]
            if known:
                return self.rng.choice(known)
        count = self.rng.choice([t for t in TRIPS if t <= room])
        return str(count), count

    def counter(self, high, signed=None):
        """A type that holds so much and a step more."""
        kinds = [k for k in ranges.TYPES if ranges.limits(k)[1] > high + 4
                 and (signed is None or ranges.TYPES[k][1] == signed)]
        return self.rng.choice(kinds + [k for k in kinds if k in ("s32", "u32", "s64", "u64")])

    def inside(self, loop, first=""):
        """The body of a loop, whose counter is in scope there."""
        self.loops.append(loop)
        text = first + self.block()
        self.loops.pop()
        return text

    def loop(self):
        """A loop of any form."""
        form = self.pick(self.upwards, self.upwards, self.upwards, self.downwards, self.downwards,
                         self.stepping, self.stepping, self.walking, self.walking, self.wrapping)
        return form()

    def upwards(self):
        """for, from a small number."""
        text, high = self.bound()
        i, kind = self.fresh("i"), self.counter(high)
        start, by = self.pick(0, 0, 0, 1, 2), self.pick(1, 1, 1, 1, 2, 3, 4)
        loop = Counter(i, kind, start, max(start, high - 1), max(1, high))
        less, step = f"{i} < {text}", f"{i} += {by}"
        if by == 1:
            step = self.pick(f"{i}++", f"++{i}", step)
        if start == 0 and by == 1 and self.chance(20):
            less = f"{i} != {text}"
        if start == 0 and by == 1 and self.chance(15):
            left = self.fresh("left")
            return (f"for ({kind} {i} = 0, {left} = ({kind}){text}; {left} != 0; {i}++, {left}--) "
                    f"{{ {self.inside(loop)} }}")
        return f"for ({kind} {i} = {start}; {less}; {step}) {{ {self.inside(loop)} }}"

    def downwards(self):
        """for, to 0."""
        text, high = self.bound()
        i, top = self.fresh("i"), max(1, high)
        if self.chance(35):
            kind, by = self.counter(high, True), self.pick(1, 1, 2)
            loop = Counter(i, kind, 0, top - 1, top)
            head = f"for ({kind} {i} = {text} - 1; {i} >= 0; {i} -= {by})"
        elif self.chance(50):
            kind, loop = self.counter(high), None
            loop = Counter(i, kind, 1, top, top)
            head = f"for ({kind} {i} = {text}; {i} > 0; {i}--)"
        else:
            kind = self.counter(high)
            loop = Counter(i, kind, 0, top - 1, top)
            head = f"for ({kind} {i} = {text}; {i}-- > 0;)"
        return f"{head} {{ {self.inside(loop)} }}"

    def stepping(self):
        """while, do and goto, whose counter is used afterwards."""
        text, high = self.bound()
        i, kind = self.fresh("i"), self.counter(high)
        loop = Counter(i, kind, 0, max(0, high - 1), max(1, high))
        loop.steps = False
        after = self.pick("", "", f" {self.sums[0].name} += (u64){i};")
        form = self.rng.randrange(3)
        if form == 0:
            return (f"{{ {kind} {i} = 0; while ({i} < {text}) {{ {self.inside(loop)} {i}++; }}"
                    f"{after} }}")
        if form == 1:
            step = self.pick(f"while (++{i} < {text})", f"{i}++; }} while ({i} != {text})")
            end = step if step.startswith(i) else "} " + step
            return f"{{ {kind} {i} = 0; if ({text} > 0) do {{ {self.inside(loop)} {end};{after} }}"
        loop.leaves, label = False, self.fresh("again")
        return (f"{{ {kind} {i} = 0; {label}: if ({i} < {text}) {{ {self.inside(loop)} {i}++; "
                f"goto {label}; }}{after} }}")

    def walking(self):
        """A pointer that steps through an array."""
        text, high = self.bound()
        high = max(1, high)
        fit = [a for a in self.arrays if not a.rows and not a.fields and a.room > high]
        if not fit:
            return self.upwards()
        array, p, i = self.rng.choice(fit), self.fresh("p"), self.fresh("i")
        kind = self.counter(high)
        start, down = self.rng.randrange(array.room - high), self.chance(25)
        room = array.room - start - high + 1
        base = start + high if down else start
        loop = Counter(i, kind, 0, high - 1, high)
        loop.steps = down
        old = self.arrays
        self.arrays = old + [Array(p, array.kind, room, group=array.group)] * 2
        body = self.inside(loop, f"{p}--; " if down else "")
        self.arrays = old
        step = "" if down else f" {p}++;"
        return (f"{{ {array.kind} *{p} = {array.base} + {base}; "
                f"for ({kind} {i} = 0; {i} < {text}; {i}++) {{ {body}{step} }} }}")

    def wrapping(self):
        """A counter that goes over the end of its type."""
        kind, start, end = self.pick(("u8", 250, 10), ("u8", 200, 199), ("s8", 120, -120),
                                     ("u8", 1, 0), ("s8", -3, 100))
        low, high = ranges.limits(kind)
        trips = (end - start) % 256
        if self.trips() * trips > MOST:
            return self.upwards()
        low, high = (start, end) if (kind, start) == ("s8", -3) else (low, high)
        loop = Counter(self.fresh("i"), kind, low, high, trips)
        return (f"for ({kind} {loop.name} = {start}; {loop.name} != {end}; {loop.name}++) "
                f"{{ {self.inside(loop)} }}")

    # --- the function -----------------------------------------------------------------------------

    def local(self):
        """An array of its own, written as a whole before it is read."""
        kind, room, name = self.pick(*ranges.TYPES), self.pick(64, 100, 256), self.fresh("l")
        loop = Counter("i", "s32", 0, room - 1, room)
        self.loops.append(loop)
        value = self.expression(1)
        self.loops.pop()
        self.arrays = self.arrays + [Array(name, kind, room, group=f"{name} of f{self.number}")]
        self.cost += room
        return (f"  {kind} {name}[{room}];\n"
                f"  for (int i = 0; i < {room}; i++) {name}[i] = {value.text};\n")

    def text(self):
        """All of it."""
        kinds = ["u64"] + [self.pick("u8", "u16", "u32", "u32", "u64", "s32", "s64")
                           for _ in range(self.rng.randrange(3))]
        self.sums = [Sum(f"x{k}", kind) for k, kind in enumerate(kinds)]
        body = "".join(f"  {s.kind} {s.name} = {self.pick('0', '0', '1', '(u16)v')};\n"
                       if s.kind[0] == "u" else f"  {s.kind} {s.name} = 0;\n" for s in self.sums)
        body += self.local() if self.chance(50) else ""
        for _ in range(self.rng.randrange(2, 6)):
            statement = self.loop() if self.chance(85) else self.simple()
            body += f"  {statement}\n"
        result = " + ".join(f"(u64){s.name} * {2 * k + 1}" for k, s in enumerate(self.sums))
        linkage = self.pick("", "static ", "static __attribute__((noinline)) ")
        q = " restrict " if self.restrict else ""
        pointers = ", ".join(f"{p.kind} *{q}{p.base}" for p in self.parameters)
        return (f"{linkage}u64 f{self.number}({pointers}, long n, int m, u64 v, u32 w, int k) {{\n"
                f"{body}  return {result};\n}}\n")

    def arguments(self, arrays, index, rng):
        """Pointers into these arrays and numbers of rounds, or None if none fit."""
        taken, parts = [], []
        for p in self.parameters:
            fit = [a for a in arrays if not a.rows and not a.fields
                   and (a.kind == p.kind and a.room >= p.room
                        or p.kind == "u8" and a.bytes() >= p.room)]
            fit = [a for a in fit if not self.restrict or a.group and a.group not in taken]
            if not fit:
                return None
            array = rng.choice(fit)
            taken.append(array.group)
            same = array.kind == p.kind
            room = array.room if same else array.bytes()
            base = array.base if same else f"(u8 *){array.base}"
            parts.append(f"{base} + {index(room - p.room + 1)}")
        n, m = self.most["n"], self.most["m"]
        rounds = rng.choice([0, 1, 2, n, n, rng.randrange(n + 1), rng.randrange(n + 1)])
        parts.append(rng.choice(["", "one * "]) + str(rounds))
        return ", ".join(parts + [str(rng.randrange(m + 1))])

    def call_from_main(self):
        """A call on the program's arrays."""
        pointers = self.arguments(self.maker.arrays,
                                  lambda room: str(self.rng.randrange(room)), self.rng)
        if pointers is None:
            return "0"
        v = self.pick(0, 1, 0x0101010101010101 * self.rng.randrange(256), self.rng.getrandbits(64))
        return (f"f{self.number}({pointers}, {v}u, {self.rng.getrandbits(self.pick(3, 8, 32))}u, "
                f"{self.rng.randrange(-900, 900)})")
