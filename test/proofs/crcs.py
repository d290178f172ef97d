# crcs.py - the CRC register: bit by bit, by table and by slices, for all polynomials
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# idioms/algebra/crc.cpp and recognize/crc.cpp. A register of 8 bits fed with nibbles stands for 16,
# 32 or 64 bits fed with bytes. The polynomial is a variable: what is proved holds for every one.
import z3

from proof import byte_list, proof, widen

WIDTH, BYTE = 8, 4
TOP = 1 << (WIDTH - 1)


def bits(state, poly, count, reflected):
    """`count` steps of the register."""
    for _ in range(count):
        if reflected:
            state = z3.If(state & 1 == 1, z3.LShR(state, 1) ^ poly, z3.LShR(state, 1))
        else:
            state = z3.If(state & TOP == TOP, state << 1 ^ poly, state << 1)
    return state


def step(state, poly, byte, reflected):
    """crcStep: one byte."""
    word = widen(byte, WIDTH)
    if not reflected:
        word = word << (WIDTH - BYTE)
    return bits(state ^ word, poly, BYTE, reflected)


def table(index, poly, reflected, zeros=0):
    """The entry that crcTables has at `index`, after `zeros` more bytes of 0."""
    state = step(z3.BitVecVal(0, WIDTH), poly, widen(index, BYTE), reflected)
    for _ in range(zeros):
        state = step(state, poly, z3.BitVecVal(0, BYTE), reflected)
    return state


def variables():
    """state, polynomial, two bytes."""
    return (z3.BitVec("state", WIDTH), z3.BitVec("poly", WIDTH), *byte_list("b", 2, BYTE))


@proof("reflected: one look-up is eight steps", twin="the byte is not mixed into the index")
def table_reflected(good):
    """c >> 8 ^ T[(c ^ b) & 255]."""
    state, poly, byte, _ = variables()
    index = widen(state, BYTE) ^ byte if good else widen(state, BYTE)
    return [], step(state, poly, byte, True) == z3.LShR(state, BYTE) ^ table(index, poly, True)


@proof("not reflected: one look-up is eight steps", twin="indexed by the low end of the register")
def table_forward(good):
    """c << 8 ^ T[c >> top ^ b]."""
    state, poly, byte, _ = variables()
    high = z3.LShR(state, WIDTH - BYTE) if good else state
    index = widen(high, BYTE) ^ byte
    return [], step(state, poly, byte, False) == state << BYTE ^ table(index, poly, False)


@proof("slicing: two bytes at once by a table each", twin="the tables are exchanged")
def slices(good):
    """T1[low] ^ T0[high] of c ^ two bytes."""
    state, poly, first, second = variables()
    loop = step(step(state, poly, first, True), poly, second, True)
    both = state ^ z3.Concat(second, first)
    low, high = z3.Extract(BYTE - 1, 0, both), z3.Extract(WIDTH - 1, BYTE, both)
    zeros = (1, 0) if good else (0, 1)
    return [], loop == table(low, poly, True, zeros[0]) ^ table(high, poly, True, zeros[1])


@proof("a table of half a byte, looked up twice, is a whole byte", twin="looked up once")
def half_tables(good):
    """c = c >> 4 ^ N[c & 15], twice; the halves are two bits here."""
    state, poly, byte, _ = variables()
    after = state ^ widen(byte, WIDTH)
    for _ in range(2 if good else 1):
        after = z3.LShR(after, 2) ^ bits(after & 3, poly, 2, True)
    return [], step(state, poly, byte, True) == after


@proof("the step is linear over GF(2) in state and byte together",
       twin="an addition with carries takes the place of one exclusive-or")
def linear(good):
    """step(a ^ b, x ^ y) = step(a, x) ^ step(b, y)."""
    state, poly, first, second = variables()
    other = z3.BitVec("other", WIDTH)
    mixed = state ^ other if good else state + other
    return [], (step(mixed, poly, first ^ second, True)
                == step(state, poly, first, True) ^ step(other, poly, second, True))


@proof("the last bit of the last byte leaves the polynomial behind, in both directions",
       twin="the first bit does")
def polynomial_is_a_column(good):
    """Read the polynomial off one column, as findRegister does."""
    poly = z3.BitVec("poly", WIDTH)
    zero, last, first = (z3.BitVecVal(v, n) for v, n in ((0, WIDTH), (1 << (BYTE - 1), BYTE),
                                                         (1, BYTE)))
    if not good:
        last, first = first, last
    return [], z3.And(step(zero, poly, last, True) == poly, step(zero, poly, first, False) == poly)


@proof("the two directions mirror each other", twin="the byte is not mirrored")
def mirror(good):
    """A reflected register is the mirror image of the other one."""
    state, poly, byte, _ = variables()

    def reversed_bits(value):
        return z3.Concat(*[z3.Extract(i, i, value) for i in range(value.size())])

    fed = reversed_bits(byte) if good else byte
    return [], (reversed_bits(step(state, poly, byte, True))
                == step(reversed_bits(state), reversed_bits(poly), fed, False))


@proof("a register kept in a wider type: bits above it are cut off in every step",
       twin="they are cut off before the shift only")
def wider_type(good):
    """(c << 1 ^ P) & mask, with c in twice the width."""
    state, poly, byte, _ = variables()
    mask, wide = (1 << WIDTH) - 1, widen(state, 2 * WIDTH)
    wide = wide ^ widen(byte, 2 * WIDTH) << (WIDTH - BYTE)
    for _ in range(BYTE):
        after = z3.If(wide & TOP == TOP, wide << 1 ^ widen(poly, 2 * WIDTH), wide << 1)
        wide = after & mask if good else after
    return [], widen(step(state, poly, byte, False), 2 * WIDTH) == wide


@proof("the masked spelling is the conditional one", twin="the mask is made of the wrong bit")
def mask_spelling(good):
    """c >> 1 ^ (P & -(c & 1))."""
    state, poly, byte, _ = variables()
    after = state ^ widen(byte, WIDTH)
    for _ in range(BYTE):
        bit = after & 1 if good else z3.LShR(after, 1) & 1
        after = z3.LShR(after, 1) ^ (poly & -bit)
    return [], step(state, poly, byte, True) == after


@proof("bits of the message taken one at a time give the register that takes bytes",
       twin="the bits come in the other order")
def bit_feeding(good):
    """bit = (c ^ b >> k) & 1; c = c >> 1 ^ (bit ? P : 0)."""
    state, poly, byte, _ = variables()
    after = state
    for k in range(BYTE) if good else reversed(range(BYTE)):
        bit = (after ^ widen(z3.LShR(byte, k), WIDTH)) & 1
        after = z3.LShR(after, 1) ^ z3.If(bit == 1, poly, z3.BitVecVal(0, WIDTH))
    return [], step(state, poly, byte, True) == after


@proof("what the bits of a byte leave behind is the polynomial run on, 7 .. 0 steps",
       twin="8 .. 1 steps")
def bits_left(good):
    """derive of runtime/kernels/generic/crc_any_generic.c, and its tables' linearity."""
    state, poly, byte, _ = variables()
    both = {}
    for reflected in (True, False):
        word = state ^ (widen(byte, WIDTH) if reflected
                        else widen(byte, WIDTH) << (WIDTH - BYTE))
        after = z3.LShR(word, BYTE) if reflected else word << BYTE
        run_on = poly
        for i in range(BYTE):
            run_on = run_on if good else bits(run_on, poly, 1, reflected)
            place = BYTE - 1 - i if reflected else WIDTH - BYTE + i
            is_set = z3.LShR(word, place) & 1 == 1
            after = after ^ z3.If(is_set, run_on, z3.BitVecVal(0, WIDTH))
            run_on = bits(run_on, poly, 1, reflected) if good else run_on
        both[reflected] = step(state, poly, byte, reflected) == after
    return [], z3.And(both[True], both[False])


@proof("a step is what formal bits say: shifted, and the bit that falls out times the polynomial",
       twin="times the bit that is lowest after the shift")
def formal_step(good):
    """recognize/crcany.cpp: a factor of a step multiplies each bit of the polynomial."""
    state, poly, _, _ = variables()
    shifted = z3.LShR(state, 1)
    out = z3.Extract(0, 0, state if good else shifted)
    terms = z3.Concat(*[z3.Extract(i, i, shifted) ^ (out & z3.Extract(i, i, poly))
                        for i in reversed(range(WIDTH))])
    return [], bits(state, poly, 1, True) == terms
