# crc.py - writes loop pictures of CRCs in many spellings, right and slightly wrong
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints pictures for memlift-loops; crc.test says what each must be."""


def step(state, byte, width, reflected, poly):
    """The register after one byte."""
    mask = (1 << width) - 1
    if reflected:
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (poly if state & 1 else 0)
        return state
    state ^= byte << (width - 8)
    for _ in range(8):
        state = ((state << 1) ^ (poly if state >> (width - 1) & 1 else 0)) & mask
    return state


def table(width, reflected, poly, zeros=0):
    """The byte table, each entry shifted on by `zeros` zero bytes."""
    result = []
    for byte in range(256):
        state = step(0, byte, width, reflected, poly)
        for _ in range(zeros):
            state = step(state, 0, width, reflected, poly)
        result.append(state)
    return result


def loop(name, width, body, tables=(), loads=((0, 1),), init="%c0"):
    """Prints one picture: loads are (offset, bytes), body the next register."""
    size = sum(count for _, count in loads)
    print(f'loop "{name}#0" {{\n  function "{name}"\n  base p argument align 1\n  sym n 64')
    print(f"  sym c0 {width}\n  dim trip %n")
    for label, bits, entries in tables:
        print(f"  table {label} {bits} [{' '.join(map(str, entries))}]")
    print(f"  rec c {width} init {init}")
    for offset, count in loads:
        print(f"  load p + {offset} step [{size}] bytes {count} align 1")
    print(f'  next c {body}\n  liveout "c" rec c\n}}')


def bits_reflected(width, poly, spelling, slip=None):
    """Eight steps of a reflected register."""
    c = f"(xor $c (zext {width} @0))" if width > 8 else "(xor $c @0)"
    for i in range(8):
        p = poly ^ (0x10 if slip == i else 0)
        bit, down = f"(and {c} 1:{width})", f"(lshr {c} 1:{width})"
        c = {"select": f"(select (ne {bit} 0:{width}) (xor {down} {p}:{width}) {down})",
             "mask": f"(xor {down} (and (sub 0:{width} {bit}) {p}:{width}))",
             "multiply": f"(xor {down} (mul {bit} {p}:{width}))"}[spelling]
    return c


def bits_forward(width, poly, crc_width):
    """Eight steps of a register that shifts up, cut to crc_width in each."""
    shift = crc_width - 8
    c = f"(xor $c (shl (zext {width} @0) {shift}:{width}))"
    top = 1 << (crc_width - 1)
    for _ in range(8):
        up = f"(shl {c} 1:{width})"
        c = f"(select (ne (and {c} {top}:{width}) 0:{width}) (xor {up} {poly}:{width}) {up})"
        c = f"(and {c} {(1 << crc_width) - 1}:{width})"
    return c


def by_table(width, reflected, label, bits, shift=8):
    """One look-up for each byte."""
    if reflected:
        entry = f"(and (xor $c (zext {width} @0)) 255:{width})"
        rest = f"(lshr $c {shift}:{width})"
    else:
        entry = f"(xor (lshr $c {width - 8}:{width}) (zext {width} @0))"
        rest = f"(shl $c {shift}:{width})"
    value = f"(table {label} {entry if width == 64 else f'(zext 64 {entry})'})"
    return f"(xor {rest} {value if bits == width else f'(zext {width} {value})'})"


def main():
    """Every picture of the test."""
    crc32 = table(32, True, 0xEDB88320)
    for spelling in ("select", "mask", "multiply"):
        loop(f"bits_{spelling}", 32, bits_reflected(32, 0xEDB88320, spelling))
    loop("table32", 32, by_table(32, True, "t", 32), [("t", 32, crc32)])
    loop("crc32c", 32, by_table(32, True, "t", 32), [("t", 32, table(32, True, 0x82F63B78))])
    loop("arc_in_32", 32, by_table(32, True, "t", 16), [("t", 16, table(16, True, 0xA001))])
    loop("xz64", 64, by_table(64, True, "t", 64), [("t", 64, table(64, True, 0xC96C5795D7870F42))])
    loop("xmodem", 16, by_table(16, False, "t", 16), [("t", 16, table(16, False, 0x1021))])
    loop("bzip2", 32, by_table(32, False, "t", 32), [("t", 32, table(32, False, 0x04C11DB7))])
    loop("bits_forward", 16, bits_forward(16, 0x1021, 16))
    loop("openpgp24", 32, bits_forward(32, 0x864CFB, 24))
    loop("crc8", 8, "(table t (zext 64 (xor $c @0)))", [("t", 8, table(8, False, 0x07))])
    word = "(xor $c @0)"
    parts = [f"(table t{3 - k} (zext 64 (and (lshr {word} {8 * k}:32) 255:32)))" for k in range(4)]
    slicing = f"(xor (xor {parts[0]} {parts[1]}) (xor {parts[2]} {parts[3]}))"
    tables = [(f"t{k}", 32, table(32, True, 0xEDB88320, k)) for k in range(4)]
    loop("slicing4", 32, slicing, tables, loads=((0, 4),))
    nibble = crc32[0:256:16]
    half = "(xor (lshr {0} 4:32) (table t (zext 64 (and {0} 15:32))))"
    loop("nibbles", 32, half.format(half.format("(xor $c (zext 32 @0))")), [("t", 32, nibble)])
    # Near misses.
    wrong = crc32[:255] + [crc32[255] ^ 1]
    loop("entry255", 32, by_table(32, True, "t", 32), [("t", 32, wrong)])
    loop("slip", 32, bits_reflected(32, 0xEDB88320, "select", slip=3))
    loop("shift7", 32, by_table(32, True, "t", 32, shift=7), [("t", 32, crc32)])
    loop("xorfold", 32, "(xor $c (zext 32 @0))")
    loop("renamed_slices", 32, slicing, [tables[1], tables[0]] + tables[2:], loads=((0, 4),))
    moved = [(f"t{k}", 32, tables[(k + 1) % 4][2]) for k in range(4)]
    loop("wrong_slices", 32, slicing, moved, loads=((0, 4),))
    loop("inverted", 32, f"(xor {by_table(32, True, 't', 32)} 1:32)", [("t", 32, crc32)])
    loop("short_table", 32, by_table(32, True, "t", 32), [("t", 32, crc32[:128])])


main()
