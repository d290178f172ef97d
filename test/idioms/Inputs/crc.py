# crc.py - writes loop models of CRCs in many spellings, right and slightly wrong
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints loop models for memlift-loops; crc.test says what each must be."""


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


def model(name, recs, tables=(), loads=((0, 1),), used=None, outs=None):
    """Prints one loop model: recs are (name, width, init, next), loads (offset, bytes). The
    next value may be a list, the parts that are made of one another."""
    size = sum(count for _, count in loads)
    print(f'loop "{name}#0" {{\n  function "{name}"\n  base p argument align 1\n  sym n 64')
    for rec, width, _, _ in recs:
        print(f"  sym {rec}0 {width}")
    print("  sym seed 16\n  sym poly 32\n  dim trip %n")
    for label, bits, entries in tables:
        text = "unknown" if entries is None else f"[{' '.join(map(str, entries))}]"
        print(f"  table {label} {bits} {text}")
    for rec, width, init, _ in recs:
        print(f"  rec {rec} {width} init {init}")
    for offset, count in loads:
        print(f"  load p + {offset} step [{size}] bytes {count} align 1")
    for rec, _, _, body in recs:
        for number, part in enumerate(body[:-1] if isinstance(body, list) else []):
            print(f"  let {number} {part}")
        print(f"  next {rec} {body[-1] if isinstance(body, list) else body}")
    for rec in outs or [rec for rec, _, _, _ in recs]:
        print(f'  liveout "{rec}" rec {rec}' + (f" used {used}" if used else ""))
    print("}")


def loop(name, width, body, tables=(), loads=((0, 1),), init="%c0", used=None):
    """One register in one recurrence."""
    model(name, [("c", width, init, body)], tables, loads, used)


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


def bits_forward(width, poly, crc_width, cut=True, byte="@0"):
    """Eight steps of a register that shifts up, cut to crc_width in each or not."""
    shift = crc_width - 8
    c = f"(xor $c (shl (zext {width} {byte}) {shift}:{width}))"
    top = 1 << (crc_width - 1)
    for _ in range(8):
        up = f"(shl {c} 1:{width})"
        c = f"(select (ne (and {c} {top}:{width}) 0:{width}) (xor {up} {poly}:{width}) {up})"
        if cut:
            c = f"(and {c} {(1 << crc_width) - 1}:{width})"
    return c


def bits_late(width, poly):
    """The message comes in from below and is followed by zeros."""
    c = "$c"
    for i in range(8):
        bit = f"(and (lshr (zext {width} @0) {7 - i}:{width}) 1:{width})"
        up = f"(or (shl {c} 1:{width}) {bit})"
        c = f"(select (ult {c} {1 << (width - 1)}:{width}) {up} (xor {up} {poly}:{width}))"
    return c


def word_bits(width, bits, poly, slip=0):
    """So many steps of a reflected register, all of them over one word of message."""
    lets = [f"(xor $c {'@0' if bits == width else f'(zext {width} @0)'})"]
    for i in range(bits - slip):
        lets.append(f"(xor (lshr #{i} 1:{width}) "
                    f"(select (ne (and #{i} 1:{width}) 0:{width}) {poly}:{width} 0:{width}))")
    return lets


def turned(byte):
    """The bits of a byte from the other end."""
    for by, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        byte = (f"(or (shl (and {byte} {mask}:8) {by}:8) "
                f"(and (lshr {byte} {by}:8) {mask}:8))")
    return byte


def pairs(entries, low):
    """The lower or upper bytes of a table of 16 bits."""
    return [entry & 255 if low else entry >> 8 for entry in entries]


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


def ways_of_holding(crc32):
    """The register is not as the runtime has it."""
    step32 = by_table(32, True, "t", 32)
    tables = [("t", 32, crc32)]
    loop("unmasked", 32, bits_forward(32, 0x1021, 16, cut=False), used=0xFFFF)
    loop("leading_bit", 32, bits_forward(32, 0x11021, 16, cut=False))
    loop("leading_bit_64", 64, bits_forward(64, 0x11021, 16, cut=False), used=0xFFFFFF)
    loop("leading_bit_0", 32, bits_forward(32, 0x11021, 16, cut=False), init="(zext 32 %seed)")
    loop("mmc7", 8, "(table t (zext 64 (xor (shl $c 1:8) @0)))",
         [("t", 8, [v >> 1 for v in table(8, False, 0x12)])], init="(and %c0 127:8)")
    loop("usb5", 8, "(table t (zext 64 (xor $c @0)))", [("t", 8, table(8, True, 0x14))])
    loop("turned_input", 32, bits_forward(32, 0x04C11DB7, 32, byte=turned("@0")))
    loop("other_end", 32,
         "(xor (shl $c 8:32) (table t (zext 64 (xor (lshr $c 24:32) (zext 32 @0)))))",
         [("t", 32, [int.from_bytes(v.to_bytes(4, "little"), "big") for v in crc32])])
    loop("inverted", 32, f"(xor {step32} 1:32)", tables)
    inside = step32.replace("$c", f"(xor $c {0xFFFFFFFF}:32)")
    loop("inverted_inside", 32, f"(xor {inside} {0xFFFFFFFF}:32)", tables)
    loop("late", 16, bits_late(16, 0x1021))
    atm10 = [v >> 6 for v in table(16, False, 0x233 << 6)]
    fresh = "(xor $e (xor (and (shl $c 8:16) 1023:16) (zext 16 @0)))"
    for name, start, of in (("before", 0, fresh), ("otherwise", 4, fresh),
                            ("of_old", 0, f"(xor {fresh} (and $c 4:16))")):
        model(f"looked_up_{name}",
                [("c", 16, f"{start}:16", fresh),
                 ("e", 16, "0:16", f"(table t (zext 64 (and (lshr {of} 2:16) 255:16)))")],
                [("t", 16, atm10)], outs=("c",))
    modbus = table(16, True, 0xA001)
    index = "(table {} (zext 64 (xor $lo @0)))"
    model("two_halves", [("hi", 8, "%hi0", index.format("th")),
                           ("lo", 8, "%lo0", f"(xor $hi {index.format('tl')})")],
            [("th", 8, pairs(modbus, False)), ("tl", 8, pairs(modbus, True))])
    model("two_halves_crossed", [("hi", 8, "%hi0", index.format("tl")),
                                   ("lo", 8, "%lo0", f"(xor $hi {index.format('th')})")],
            [("th", 8, pairs(modbus, False)), ("tl", 8, pairs(modbus, True))])


def any_polynomial():
    """Polynomials that the program computes, and what only looks like one."""
    def reflected(width, poly, choose):
        bits = f"(xor $c (zext {width} @0))" if width > 8 else "(xor $c @0)"
        for k in range(8):
            out = f"(and {bits} 1:{width})"
            bits = f"(xor (lshr {bits} 1:{width}) {choose(out, poly(k), width)})"
        return bits

    def select(out, poly, width):
        return f"(select (ne {out} 0:{width}) {poly} 0:{width})"

    def mask(out, poly, width):
        return f"(and {poly} (sub 0:{width} {out}))"

    def times(out, poly, width):
        return f"(mul {poly} {out})"

    loop("any_polynomial", 32, reflected(32, lambda k: "%poly", select))
    loop("any_masked", 16, reflected(16, lambda k: "%seed", mask))
    loop("any_times", 64, reflected(64, lambda k: "(zext 64 %poly)", times))
    loop("any_wider", 8, reflected(8, lambda k: "(trunc 8 %poly)", mask))
    loop("any_moved", 32, reflected(32, lambda k: "(lshr %poly 5:32)", mask))
    bits = "(xor $c (shl (zext 32 @0) 16:32))"
    for _ in range(8):
        out = f"(ne (and {bits} 8388608:32) 0:32)"
        up = f"(and (shl {bits} 1:32) 16777215:32)"
        bits = f"(xor {up} (select {out} (and %poly 16777215:32) 0:32))"
    loop("any_forward", 32, bits, init="(and %c0 16777215:32)")
    down = reflected(8, lambda k: "(trunc 8 %poly)", mask)

    def forward(test):
        bits = "(xor $c @0)"
        for _ in range(8):
            out = f"(ne (and {bits} {test}:8) 0:8)"
            bits = f"(xor (shl {bits} 1:8) (select {out} (trunc 8 %poly) 0:8))"
        return bits

    flag = "(ne %seed 0:16)"
    loop("any_flag", 8, f"(select {flag} {down} {forward(128)})")
    loop("any_flag_wrong", 8, f"(select {flag} {down} {forward(64)})")
    constant = bits_reflected(32, 0xEDB88320, "select")
    loop("any_flag_mixed", 32,
         f"(select {flag} {constant} {reflected(32, lambda k: '%poly', select)})")
    # Near misses: one step has another polynomial, a part of it, or one more bit.
    loop("any_slip", 32, reflected(32, lambda k: "%c0" if k == 3 else "%poly", select))
    loop("any_part", 32,
         reflected(32, lambda k: "(and %poly 4294967294:32)" if k else "%poly", select))
    loop("any_or", 32, reflected(32, lambda k: "%poly" if k else "(or %poly 1:32)", select))


def main():
    """Every loop model of the test."""
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
    flat = [(f"(table t (add (zext 64 (and (lshr {word} {8 * k}:32) 255:32)) "
             f"{256 * (3 - k)}))") for k in range(4)]
    loop("slicing4_flat", 32, f"(xor (xor {flat[0]} {flat[1]}) (xor {flat[2]} {flat[3]}))",
         [("t", 32, sum((table(32, True, 0xEDB88320, k) for k in range(4)), []))],
         loads=((0, 4),))
    nibble = crc32[0:256:16]
    half = "(xor (lshr {0} 4:32) (table t (zext 64 (and {0} 15:32))))"
    loop("nibbles", 32, half.format(half.format("(xor $c (zext 32 @0))")), [("t", 32, nibble)])
    loop("words16", 16, word_bits(16, 16, 0xA001), loads=((0, 2),))
    loop("words16_in_32", 32, word_bits(32, 16, 0xEDB88320), loads=((0, 2),))
    loop("words32", 32, word_bits(32, 32, 0xEDB88320), loads=((0, 4),))
    loop("words64", 64, word_bits(64, 64, 0xC96C5795D7870F42), loads=((0, 8),))
    loop("words32_less_one", 32, word_bits(32, 32, 0xEDB88320, slip=1), loads=((0, 4),))
    for label, first in (("moved", 5), ("moved_wrong", 4)):
        index = f"(add (zext 64 (and (xor $c (zext 32 @0)) 255:32)) {first})"
        loop(label, 32, f"(xor (lshr $c 8:32) (table t {index}))",
             [("t", 32, [9, 8, 7, 6, 5] + crc32)])
    index = "(zext 64 (add (zext 32 (trunc 8 (xor $c (zext 32 @0)))) 5:32))"
    loop("moved_narrow", 32, f"(xor (lshr $c 8:32) (table t {index}))",
         [("t", 32, [9, 8, 7, 6, 5] + crc32)])
    ways_of_holding(crc32)
    # Near misses.
    index = "(table t (zext 64 (and (xor $c (zext 32 @0)) 255:32)))"
    loop("filled_at_run_time", 32, f"(xor (lshr $c 8:32) {index})", [("t", 32, None)])
    any_polynomial()
    wrong = crc32[:255] + [crc32[255] ^ 1]
    loop("entry255", 32, by_table(32, True, "t", 32), [("t", 32, wrong)])
    loop("slip", 32, bits_reflected(32, 0xEDB88320, "select", slip=3))
    loop("shift7", 32, by_table(32, True, "t", 32, shift=7), [("t", 32, crc32)])
    loop("xorfold", 32, "(xor $c (zext 32 @0))")
    loop("renamed_slices", 32, slicing, [tables[1], tables[0]] + tables[2:], loads=((0, 4),))
    moved = [(f"t{k}", 32, tables[(k + 1) % 4][2]) for k in range(4)]
    loop("wrong_slices", 32, slicing, moved, loads=((0, 4),))
    entry = "(xor (lshr $c 8:32) (zext 32 @0))"
    loop("xor_after", 32, f"(xor (xor (shl $c 8:32) (table t (zext 64 (lshr $c 24:32)))) {entry})",
         [("t", 32, table(32, False, 0x04C11DB7))])
    loop("wide_seen", 32, bits_forward(32, 0x1021, 16, cut=False))
    loop("wide_seen_17", 32, bits_forward(32, 0x1021, 16, cut=False), used=0x1FFFF)
    words = "(xor $c @0)"
    for _ in range(4):
        up = f"(shl {words} 1:16)"
        words = f"(xor {up} (and (sub 0:16 (lshr {words} 15:16)) 4129:16))"
    for _ in range(3):
        words = f"(xor (shl {words} 4:16) (table t (zext 64 (lshr {words} 12:16))))"
    loop("words_turned", 16, words, [("t", 16, table(16, False, 0x1021)[:16])], loads=((0, 2),))
    loop("short_table", 32, by_table(32, True, "t", 32), [("t", 32, crc32[:128])])


main()
