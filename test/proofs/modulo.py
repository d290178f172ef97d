# modulo.py - Adler-32 and Fletcher: the remainder taken late, early or by subtraction
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Accumulators of 8 bits, bytes of 2 bits and the modulus 11 stand for 32 bits, bytes and 65521 (or
# 255, 65535). What hangs on the real widths, the length of a block, is checked with plain numbers.
import z3

from proof import byte_list, proof, widen

WIDTH, BYTE, MODULUS = 8, 2, 11


def remainder(value):
    """value % MODULUS."""
    return z3.URem(value, z3.BitVecVal(MODULUS, value.size()))


def run(words, a, b, each_round):
    """a += w; b += a; with a remainder in each round or none."""
    for w in words:
        a = a + widen(w, a.size())
        b = b + a
        if each_round:
            a, b = remainder(a), remainder(b)
    return a, b


@proof("a remainder in each round is the remainder of the weighted sums without one",
       twin="the first sum's start value is left out of the second one")
def each_round(good):
    """The routine's formula: a0 + sum, b0 + n * a0 + weighted sum, modulo 11."""
    words = byte_list("w", 3, BYTE)
    a, b = z3.BitVecs("a b", WIDTH)
    loop_a, loop_b = run(words, a, b, True)
    wide = [widen(w, 16) for w in words]
    total = widen(a, 16) + sum(wide, z3.BitVecVal(0, 16))
    weighted = sum((w * (len(wide) - i) for i, w in enumerate(wide)), z3.BitVecVal(0, 16))
    second = widen(b, 16) + (len(wide) * widen(a, 16) if good else 0) + weighted
    small = [z3.ULT(a, MODULUS), z3.ULT(b, MODULUS)]
    return small, z3.And(widen(loop_a, 16) == remainder(total),
                         widen(loop_b, 16) == remainder(second))


@proof("the remainder may wait as long as the second sum cannot wrap",
       twin="it waits for so many rounds that it can")
def deferred(good):
    """NMAX: n * (n + 1) / 2 * 3 + (n + 1) * 10 <= 255 holds up to n = 8."""
    count = 8 if good else 11
    words = byte_list("w", count, BYTE)
    a, b = z3.BitVecs("a b", WIDTH)
    exact_a, exact_b = run(words, widen(a, 16), widen(b, 16), False)
    late_a, late_b = run(words, a, b, False)
    small = [z3.ULT(a, MODULUS), z3.ULT(b, MODULUS)]
    return small, z3.And(widen(remainder(late_a), 16) == remainder(exact_a),
                         widen(remainder(late_b), 16) == remainder(exact_b))


@proof("one subtraction is the remainder where the sum is below twice the modulus",
       twin="both terms are at most the modulus, not below it")
def conditional_subtract(good):
    """a += w; if (a >= M) a -= M."""
    a, w = z3.BitVecs("a w", WIDTH)
    below = z3.ULT if good else z3.ULE
    total = a + w
    return ([below(a, MODULUS), below(w, MODULUS)],
            z3.If(z3.UGE(total, MODULUS), total - MODULUS, total) == remainder(total))


@proof("the remainder of a sum whose terms were reduced is that of the sum",
       twin="the sum of the reduced terms is not reduced again")
def reduce_terms(good):
    """(a % M + b % M) % M."""
    a, b = (widen(v, 16) for v in z3.BitVecs("a b", WIDTH))
    total = remainder(a) + remainder(b)
    return [], (remainder(total) if good else total) == remainder(a + b)


@proof("Adler-32's block of 5552 bytes is the longest one, and Fletcher's own limits",
       twin="one byte more")
def real_blocks(good):
    """255 n (n + 1) / 2 + (n + 1) * 65520 < 2^32 and likewise for 16-bit words modulo 65535."""
    holds = [word * m * (m + 1) // 2 + (m + 1) * (modulus - 1) < 2 ** 32
             for m, word, modulus in ((5552 + (not good), 255, 65521),
                                      (360 + (not good), 65535, 65535))]
    return [], z3.And(*[z3.BoolVal(h) for h in holds])
