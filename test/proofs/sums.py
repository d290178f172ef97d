# sums.py - sums, sums of sums and hashes: the loop is what the routine's result is made into
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# idioms/decide/reductions.cpp, ReductionWriter::value. Elements of 4 bits, accumulators of 6,
# routines of 10 stand for 8, 32 and 64.
import z3

from proof import byte_list, proof, widen

ELEMENT, OWN, WIDE, COUNT = 4, 6, 10, 4


def routine_sum(words, signed=False):
    """Result of memlift_sum_*."""
    return sum((widen(w, WIDE, signed) for w in words), z3.BitVecVal(0, WIDE))


def routine_wsum(words):
    """Result of memlift_wsum_*: the first element counts most."""
    count = len(words)
    return sum((widen(w, WIDE) * (count - i) for i, w in enumerate(words)), z3.BitVecVal(0, WIDE))


@proof("a sum with a factor and a constant in each round is linear in the routine's sum",
       twin="the constant of the last round is forgotten")
def linear_sum(good):
    """x += f * w[i] + c."""
    words = byte_list("w", COUNT, ELEMENT)
    init, factor, extra = z3.BitVecs("init factor extra", OWN)
    x = init
    for w in words:
        x = x + factor * widen(w, OWN) + extra
    rounds = COUNT if good else COUNT - 1
    return [], x == init + factor * widen(routine_sum(words), OWN) + extra * rounds


@proof("where the accumulator is no wider than an element, the element's sign makes no difference",
       twin="the accumulator is wider")
def sign_is_nothing(good):
    """x += (signed) w[i]."""
    words, own = byte_list("w", COUNT, ELEMENT), ELEMENT if good else OWN
    x = z3.BitVec("init", own)
    total = x + widen(routine_sum(words), own)
    for w in words:
        x = x + widen(w, own, signed=True)
    return [], x == total


@proof("a signed sum is the signed routine's, cut to the accumulator's width",
       twin="cut to one bit less and extended again")
def signed_sum(good):
    """long x; x += (signed char) s[i]."""
    words = byte_list("w", COUNT, ELEMENT)
    x = init = z3.BitVec("init", OWN)
    for w in words:
        x = x + widen(w, OWN, signed=True)
    total = routine_sum(words, signed=True)
    cut = widen(total, OWN) if good else widen(widen(total, OWN - 1), OWN, signed=True)
    return [], x == init + cut


@proof("elements in another order, several accumulators, two rounds in one: the same sum",
       twin="one element is taken twice")
def any_order(good):
    """a += w[2i]; b += w[2i+1]; return a + b."""
    words = byte_list("w", COUNT, ELEMENT)
    first, second = z3.BitVecs("a b", OWN)
    total = first + second + widen(routine_sum(words), OWN)
    for w in words[0::2]:
        first = first + widen(w, OWN)
    for w in words[1::2] if good else words[0::2]:
        second = second + widen(w, OWN)
    return [], first + second == total


def second_sum(words, exclusive):
    """(a, b, the loop's b) of a sum of sums, b taking a before or after its update."""
    a, b = first, second = z3.BitVecs("a b", OWN)
    for w in words:
        if exclusive:
            b = b + a
        a = a + widen(w, OWN)
        if not exclusive:
            b = b + a
    return first, second, b


@proof("a sum of sums is a weighted sum plus the start value as often as there are elements",
       twin="the start value of the first sum is left out")
def inclusive(good):
    """a += w[i]; b += a."""
    words = byte_list("w", COUNT, ELEMENT)
    a, b, loop = second_sum(words, exclusive=False)
    return [], loop == b + (COUNT * a if good else 0) + widen(routine_wsum(words), OWN)


@proof("taken before the update, each element counts once less",
       twin="it is not taken off")
def exclusive(good):
    """b += a; a += w[i]."""
    words = byte_list("w", COUNT, ELEMENT)
    a, b, loop = second_sum(words, exclusive=True)
    less = widen(routine_sum(words), OWN) if good else 0
    return [], loop == b + COUNT * a + widen(routine_wsum(words), OWN) - less


@proof("h * k + c, two elements in a round, is the routine's hash of all of them",
       twin="the round's second factor is k, not k squared")
def polyhash(good):
    """h = (h * k + c[0]) * k + c[1], as h * k^2 + c[0] * k + c[1]."""
    words = byte_list("w", COUNT, ELEMENT)
    h, k = z3.BitVecs("h k", OWN)
    routine = widen(h, WIDE)
    for w in words:
        routine = routine * widen(k, WIDE) + widen(w, WIDE)
    for first, second in zip(words[0::2], words[1::2]):
        h = h * (k * k if good else k) + widen(first, OWN) * k + widen(second, OWN)
    return [], h == widen(routine, OWN)


@proof("no rounds: the routine of no bytes leaves the start value",
       twin="the weighted sum still adds the first sum's start value once")
def no_rounds(good):
    """n = 0."""
    a, b = z3.BitVecs("a b", OWN)
    rounds = 0 if good else 1
    return [], b == b + rounds * a + widen(routine_wsum([]), OWN)
