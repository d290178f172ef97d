# ranges.py - C expressions whose ranges are known, so that none of them overflows
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer expressions as text, promoted type and exact bounds. Arithmetic on signed values stays
signed where the bounds prove that it fits, and is done on unsigned ones where they do not."""

import collections

TYPES = {"u8": (8, False), "s8": (8, True), "u16": (16, False), "s16": (16, True),
         "u32": (32, False), "s32": (32, True), "u64": (64, False), "s64": (64, True)}
RANKS = ("s32", "u32", "s64", "u64")  # the later one wins between two

Value = collections.namedtuple("Value", "text type low high")  # type is one of RANKS


def limits(name):
    """(lowest, highest) value of a type."""
    bits, signed = TYPES[name]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def of(text, name):
    """Anything of a type, promoted."""
    return Value(text, name if name in RANKS else "s32", *limits(name))


def constant(number):
    """A literal of the smallest type of RANKS that holds it."""
    name = next(n for n in RANKS if limits(n)[0] <= number <= limits(n)[1])
    suffix = {"s32": "", "u32": "u", "s64": "l", "u64": "ul"}[name]
    text = f"{number}{suffix}" if number >= 0 else f"({number}{suffix})"
    if number == limits(name)[0] and number < 0:  # has no literal of its own type
        text = f"({number + 1}{suffix} - 1)"
    return Value(text, name, number, number)


def fitted(text, name, low, high):
    """A value of these bounds, or of the type's where they do not fit."""
    least, most = limits(name)
    if low < least or high > most:
        low, high = least, most
    return Value(text, name if name in RANKS else "s32", low, high)


def cast(value, name):
    """A conversion, which wraps."""
    return fitted(f"({name})({value.text})", name, value.low, value.high)


def seen_as(value, name):
    """The value in a type to which it is converted without a word."""
    return fitted(value.text, name, value.low, value.high)


def corners(op, x, y):
    """Bounds of x op y over integers."""
    do = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}[op]
    found = [do(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return min(found), max(found)


def arithmetic(op, x, y):
    """x op y, op one of + - *."""
    name = max(x.type, y.type, key=RANKS.index)
    x, y = seen_as(x, name), seen_as(y, name)
    low, high = corners(op, x, y)
    least, most = limits(name)
    if TYPES[name][1] and not least <= low <= high <= most:
        name = "u" + name[1:]
        x, y = cast(x, name), cast(y, name)
        low, high = corners(op, x, y)
    return fitted(f"({x.text} {op} {y.text})", name, low, high)


def bitwise(op, x, y):
    """x op y, op one of & | ^."""
    name = max(x.type, y.type, key=RANKS.index)
    x, y = seen_as(x, name), seen_as(y, name)
    low, high = limits(name)
    if x.low >= 0 and y.low >= 0:
        low = 0
        high = (min(x.high, y.high) if op == "&" else
                (1 << max(x.high, y.high).bit_length()) - 1)
    return fitted(f"({x.text} {op} {y.text})", name, low, high)


def divided(op, x, by):
    """x / by or x % by for a positive constant that the type of x holds."""
    name = max(x.type, constant(by).type, key=RANKS.index)
    x = seen_as(x, name)
    if op == "/":
        ends = [abs(x.low) // by * (-1 if x.low < 0 else 1),
                abs(x.high) // by * (-1 if x.high < 0 else 1)]
    else:
        ends = [-(by - 1) if x.low < 0 else 0, by - 1 if x.high > 0 else 0]
    return fitted(f"({x.text} {op} {constant(by).text})", name, *ends)


def shifted(op, x, by):
    """x << by or x >> by for a constant; to the left as an unsigned value."""
    if op == ">>":
        return fitted(f"({x.text} >> {by})", x.type, x.low >> by, x.high >> by)
    x = cast(x, "u" + x.type[1:]) if TYPES[x.type][1] else x
    return fitted(f"({x.text} << {by})", x.type, x.low << by, x.high << by)


def turned(op, x):
    """-x or ~x."""
    if op == "~":
        low, high = (~x.high, ~x.low) if TYPES[x.type][1] else limits(x.type)
        return fitted(f"(~{x.text})", x.type, low, high)
    if TYPES[x.type][1] and x.low == limits(x.type)[0]:
        x = cast(x, "u" + x.type[1:])
    low, high = (-x.high, -x.low) if TYPES[x.type][1] else limits(x.type)
    return fitted(f"(-{x.text})", x.type, low, high)


def compared(op, x, y):
    """0 or 1."""
    return Value(f"({x.text} {op} {y.text})", "s32", 0, 1)


def chosen(condition, x, y):
    """condition ? x : y."""
    name = max(x.type, y.type, key=RANKS.index)
    x, y = seen_as(x, name), seen_as(y, name)
    return Value(f"({condition.text} ? {x.text} : {y.text})", name, min(x.low, y.low),
                 max(x.high, y.high))
