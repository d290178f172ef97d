#!/usr/bin/env python3
# crc-tables.py - prints the tables of the CRCs in crcs.c as C
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: crc-tables.py > tables.h"""


def entry(width, poly, reflected, byte, bits=8):
    """The register after the `bits` bits of `byte`, from a register of 0."""
    c = byte if reflected else byte << (width - bits)
    for _ in range(bits):
        if reflected:
            c = c >> 1 ^ poly if c & 1 else c >> 1
        else:
            c = (c << 1 ^ (poly if c >> (width - 1) else 0)) & ((1 << width) - 1)
    return c


def show(name, ctype, entries):
    """One constant array."""
    values = ", ".join(map(hex, entries))
    print(f"static const {ctype} {name}[{len(entries)}] = {{{values}}};")


def main():
    """All of them."""
    for name, ctype, width, poly, reflected in (
            ("crc32", "u32", 32, 0xEDB88320, True), ("crc32c", "u32", 32, 0x82F63B78, True),
            ("bzip2", "u32", 32, 0x04C11DB7, False), ("xmodem", "u16", 16, 0x1021, False),
            ("arc", "u16", 16, 0xA001, True), ("openpgp", "u32", 24, 0x864CFB, False),
            ("xz", "u64", 64, 0xC96C5795D7870F42, True),
            ("ecma", "u64", 64, 0x42F0E1EBA9EA3693, False), ("smbus", "u8", 8, 0x07, False),
            ("maxim", "u8", 8, 0x8C, True)):
        table = [entry(width, poly, reflected, b) for b in range(256)]
        show("t_" + name, ctype, table)
        if name == "crc32":
            show("t_broken", ctype, table[:77] + [table[77] ^ 4] + table[78:])
            show("t_constant", ctype, [e ^ 1 for e in table])
            show("t_nibble", ctype, [entry(32, poly, True, b, 4) for b in range(16)])
            rows = [table]
            for _ in range(3):
                rows.append([e >> 8 ^ table[e & 255] for e in rows[-1]])
            print("static const u32 t_slices[4][256] = {"
                  + ", ".join("{" + ", ".join(map(hex, row)) + "}" for row in rows) + "};")


main()
