# ones.py - ones' complement: folds, carries and byte order of Internet checksums
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# idioms/algebra/ones.cpp. Words of 6 bits made of two halves stand for 16 bits made of two bytes:
# modulo 63 for 65535. The state of a folding loop is the representative of its class: 0 for a
# true zero, else 1..63.
import z3

from proof import byte_list, proof, widen

WORD, WIDE = 6, 12
MODULUS = (1 << WORD) - 1


def representative(total):
    """0 for 0, else the number in 1..MODULUS of the same class."""
    return z3.If(total == 0, total, z3.URem(total - 1, z3.BitVecVal(MODULUS, total.size())) + 1)


def fold(total):
    """(t & mask) + (t >> bits)."""
    return (total & MODULUS) + z3.LShR(total, WORD)


def folded(total):
    """The representative of a sum of two words' width, as deferred_fold proves."""
    return fold(fold(fold(total)))


def total_of(words, bits=WIDE):
    """The plain sum of words."""
    return sum((widen(w, bits) for w in words), z3.BitVecVal(0, bits))


def swap(value):
    """The two halves of a word exchanged, in its own width."""
    low = widen(value, WORD)
    half = WORD // 2
    return widen(z3.Concat(z3.Extract(half - 1, 0, low), z3.Extract(WORD - 1, half, low)),
                 value.size())


@proof("a fold in every round keeps the representative, from any start of one word",
       twin="the start is wider than a word")
def fold_each_round(good):
    """s += w[i]; s = (s & mask) + (s >> bits), twice where the sum may carry again."""
    words, state = byte_list("w", 3, WORD), z3.BitVec("init", WIDE)
    total = state + total_of(words)
    for w in words:
        state = fold(state + widen(w, WIDE))
    start = z3.BitVec("init", WIDE)
    limit = MODULUS if good else MODULUS * 4
    return [z3.ULE(start, limit)], state == representative(total)


@proof("a carry put back by a comparison with the word is a fold",
       twin="the comparison takes equality for a carry")
def carry_by_compare(good):
    """s += w; if (s < w) s++, in one word."""
    state, word = z3.BitVecs("s w", WORD)
    after = state + word
    less = z3.ULT(after, word) if good else z3.ULE(after, word)
    after = z3.If(less, after + 1, after)
    return [], widen(after, WIDE) == representative(widen(state, WIDE) + widen(word, WIDE))


@proof("taking the modulus off when the sum passes it is a fold",
       twin="it is taken off when the sum reaches it")
def subtract_modulus(good):
    """s += w; if (s > 0xffff) s -= 0xffff."""
    state, word = (widen(v, WIDE) for v in z3.BitVecs("s w", WORD))
    total = state + word
    over = z3.UGT(total, MODULUS) if good else z3.UGE(total, MODULUS)
    return [], z3.If(over, total - MODULUS, total) == representative(total)


@proof("words in the other byte order give the swapped sum, of the swapped start",
       twin="the start is not swapped")
def other_byte_order(good):
    """ntohs of each word: a swap multiplies by 8 modulo 63, by 256 modulo 65535."""
    words, start = byte_list("w", 2, WORD), z3.BitVec("init", WORD)
    loop = representative(widen(start, WIDE) + total_of([swap(w) for w in words]))
    first = swap(start) if good else start
    return [], loop == swap(representative(widen(first, WIDE) + total_of(words)))


@proof("a deferred fold gives the representative, as many folds as the width asks for",
       twin="one fold of a sum that has more than one carry")
def deferred_fold(good):
    """sum of all words, then while (s >> bits) s = fold(s)."""
    total = z3.BitVec("sum", WIDE)
    return [], (folded(total) if good else fold(total)) == representative(total)


@proof("words of twice the size with end-around carry fold to the checksum of their halves",
       twin="the carry is dropped")
def wide_words(good):
    """s += 32-bit word; if (s < word) s++; then folded to 16 bits."""
    wide, small = byte_list("w", 2, WIDE), z3.BitVecVal(0, WIDE)
    state = z3.BitVecVal(0, WIDE)
    for w in wide:
        state = state + w
        if good:
            state = z3.If(z3.ULT(state, w), state + 1, state)
    for w in wide:
        small = small + widen(widen(w, WORD), WIDE) + z3.LShR(w, WORD)
    return [], folded(state) == folded(small)


@proof("of a checksum in parts, each of an even size, the parts' sums add up",
       twin="a part of odd size is not swapped in")
def parts(good):
    """sum(a, b, c) from sum(a) and sum(b, c); a half is a byte."""
    halves = byte_list("h", 4, WORD // 2)

    def checksum(part, start):
        part = part + [z3.BitVecVal(0, WORD // 2)] * (len(part) % 2)
        words = [z3.Concat(high, low) for high, low in zip(part[0::2], part[1::2])]
        return representative(start + total_of(words))

    cut = 2 if good else 3
    zero = z3.BitVecVal(0, WIDE)
    whole = checksum(halves, zero)
    return [], whole == checksum(halves[cut:], checksum(halves[:cut], zero))
