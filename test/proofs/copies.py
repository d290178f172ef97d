# copies.py - copies, moves and fills: overlap guards, patterns, counters, byte order
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# recognize/copy.cpp, fill.cpp, decide/decide.cpp. Addresses of 6 bits, so that the arithmetic of a
# guard wraps; memory is any array of bytes of 3 bits. No region passes the end of memory.
import z3

from proof import byte_list, proof, widen

ADDRESS, BYTE, MOST = 6, 3, 5


def memory():
    """Any contents."""
    return z3.Array("memory", z3.BitVecSort(ADDRESS), z3.BitVecSort(BYTE))


def region(start, size):
    """[start, start + size) lies in memory, with nothing behind its end."""
    return z3.And(z3.ULE(size, MOST), z3.ULE(start, 63 - MOST))


def loop_copy(cells, dst, src, size, order, unit=1):
    """One unit after the other; a unit of the size is skipped."""
    for i in order:
        values = [z3.Select(cells, src + i + k) for k in range(unit)]
        after = cells
        for k, value in enumerate(values):
            after = z3.Store(after, dst + i + k, value)
        cells = z3.If(z3.ULT(z3.BitVecVal(i, ADDRESS), size), after, cells)
    return cells


def move(cells, dst, src, size):
    """memmove: reads all, then writes."""
    values = [z3.Select(cells, src + i) for i in range(MOST + 1)]
    for i, value in enumerate(values):
        inside = z3.ULT(z3.BitVecVal(i, ADDRESS), size)
        cells = z3.If(inside, z3.Store(cells, dst + i, value), cells)
    return cells


def regions():
    """dst, src, size and what is assumed of them."""
    dst, src, size = z3.BitVecs("dst src size", ADDRESS)
    return dst, src, size, [region(dst, size), region(src, size)]


@proof("upwards: n <= dst - src, unsigned, lets a move stand for the loop",
       twin="n - 1 <= dst - src")
def guard_ascending(good):
    """dst - src wraps to a huge number where dst lies below."""
    dst, src, size, known = regions()
    need = size if good else z3.If(size == 0, size, size - 1)
    known.append(z3.ULE(need, dst - src))
    cells = memory()
    return known, loop_copy(cells, dst, src, size, range(MOST)) == move(cells, dst, src, size)


@proof("downwards: n <= src - dst", twin="n <= dst - src, the guard of the other direction")
def guard_descending(good):
    """The mirror image."""
    dst, src, size, known = regions()
    known.append(z3.ULE(size, src - dst if good else dst - src))
    cells = memory()
    order = reversed(range(MOST))
    return known, loop_copy(cells, dst, src, size, order) == move(cells, dst, src, size)


@proof("units of two bytes, upwards: the same guard, whatever the distance is a multiple of",
       twin="the guard counts units, not bytes")
def guard_units(good):
    """for (i..n) d[i] = s[i], 16-bit elements at any byte distance."""
    dst, src, size, known = regions()
    known += [size & 1 == 0, z3.ULE(size if good else z3.LShR(size, 1), dst - src)]
    cells = memory()
    return known, (loop_copy(cells, dst, src, size, range(0, MOST, 2), 2)
                   == move(cells, dst, src, size))


@proof("both guards together: the regions share no byte, so that a copy may do it",
       twin="only the upward one")
def guard_disjoint(good):
    """n <= dst - src and n <= src - dst."""
    dst, src, size, known = regions()
    known.append(z3.ULE(size, dst - src))
    if good:
        known.append(z3.ULE(size, src - dst))
    within = [z3.ULT(z3.BitVecVal(i, ADDRESS), size) for i in range(MOST)]
    apart = [z3.Implies(z3.And(within[i], within[k]), dst + i != src + k)
             for i in range(MOST) for k in range(MOST)]
    return known, z3.And(*apart)


@proof("one unit above its source, a loop upwards repeats the first unit: a fill",
       twin="two units above it")
def distance_of_one(good):
    """p[i + 1] = p[i]."""
    dst, src, size, known = regions()
    known.append(dst == src + (1 if good else 2))
    cells = memory()
    filled = cells
    for i in range(MOST):
        inside = z3.ULT(z3.BitVecVal(i, ADDRESS), size)
        filled = z3.If(inside, z3.Store(filled, dst + i, z3.Select(cells, src)), filled)
    return known, loop_copy(cells, dst, src, size, range(MOST)) == filled


@proof("a known distance of a unit or more, upwards, makes that many first bytes a pattern",
       twin="a distance inside a unit: the unit is read before it is written")
def distance_is_pattern(good):
    """Units of two bytes, three apart: a pattern of three; not at a distance of one."""
    unit, distance = 2, 3 if good else 1
    _, src, size, known = regions()
    known.append(size & 1 == 0)
    cells = memory()
    pattern = [z3.Select(cells, src + k) for k in range(distance)]
    filled = cells
    for i in range(MOST):
        inside = z3.ULT(z3.BitVecVal(i, ADDRESS), size)
        stored = z3.Store(filled, src + distance + i, pattern[i % distance])
        filled = z3.If(inside, stored, filled)
    loop = loop_copy(cells, src + distance, src, size, range(0, MOST, unit), unit)
    return known, loop == filled


@proof("a pattern of p bytes starts anew at every multiple of p: words of it are all alike",
       twin="at a place that is no multiple")
def pattern_words(good):
    """decide's inline words: bytes k mod p of the pattern, for a period that divides the word."""
    pattern = byte_list("v", 2)
    at = 4 if good else 3
    stored = [pattern[(at + k) % 2] for k in range(4)]
    word = z3.Concat(*reversed([pattern[k % 2] for k in range(4)]))
    return [], z3.Concat(*reversed(stored)) == word


@proof("a fill that begins inside the pattern is one of the pattern turned",
       twin="turned the other way")
def pattern_turned(good):
    """A head of k bytes split off, and the rest filled."""
    period, head = 3, 1
    pattern = byte_list("v", period)
    turned = [pattern[(k + (head if good else -head)) % period] for k in range(period)]
    whole = [pattern[i % period] for i in range(8)]
    split = whole[:head] + [turned[i % period] for i in range(8 - head)]
    return [], z3.And(*[a == b for a, b in zip(whole, split)])


@proof("a narrow counter counts as a wide one does, up to a bound of its largest value",
       twin="one more")
def narrow_counter(good):
    """u4 i; for (i = 0; i < n; i++): i, extended, is the number of the round."""
    n, rounds = z3.BitVecs("n rounds", 8)
    bound = 15 if good else 16
    narrow = widen(widen(rounds, 4), 8)
    # After `rounds` rounds the loop goes on exactly if the wide counter does.
    return ([z3.ULE(n, bound), z3.ULE(rounds, n)], z3.ULT(narrow, n) == z3.ULT(rounds, n))


@proof("the trip count of a step of two, without a sum that wraps", twin="(n + 1) / 2")
def trip_of_steps(good):
    """for (i = 0; i < n; i += 2), n below the top: n / 2 + (n & 1) rounds."""
    n = z3.BitVec("n", ADDRESS)
    trip = z3.LShR(n, 1) + (n & 1) if good else z3.LShR(n + 1, 1)
    wide = widen(n, ADDRESS + 2)
    last = 2 * widen(trip, ADDRESS + 2)
    exact = z3.And(z3.UGE(last, wide), z3.ULT(last, wide + 2))
    return [], exact


@proof("swapping each element's bytes is the same on either byte order, and its own inverse",
       twin="two swaps of halves take the place of one of the whole")
def byte_swap(good):
    """d[i] = bswap(s[i])."""
    stored = byte_list("b", 4)
    value = z3.Concat(*reversed(stored))

    def swap(v, unit):
        parts = [z3.Extract(8 * i + 7, 8 * i, v) for i in range(v.size() // 8)]
        if unit == 4:
            return z3.Concat(*parts)
        return z3.Concat(parts[2], parts[3], parts[0], parts[1])

    after = swap(value, 4 if good else 2)
    memory_after = [z3.Extract(8 * i + 7, 8 * i, after) for i in range(4)]
    return [], z3.And(swap(after, 4) == value,
                      *[a == b for a, b in zip(memory_after, reversed(stored))])
