# checks.py - families of random loops that read: sums, checksums, CRCs, hashes, fused copies
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each function writes the body of a C function over u8 *a, *b; long n, m; u64 v, w; result r."""


def summed(g):
    """x += s[i], of every width and sign."""
    t = g.data("u8", "u8", "s8", "u16", "s16", "u32", "s32", "u64", "u16x", "u32x")
    own = g.pick("u8", "u16", "u32", "u32", "u64", "u64")
    start = g.pick("0", "1", f"({own})v")
    term = g.m("s[i]", "s[i] ^ 1", "s[i] & 0x7f", "s[n - 1 - i]", "s[2 * i]", "-s[i]", "s[i] * 3u",
               f"({own})s[i] * s[i]", "s[i] + i", "s[i] + 5u")
    loop = g.loop()
    head = f"const {t} *s = (const {t} *)a; {own} x = {start}, y = ({own})w; "
    body = g.pick(
        f"x += {term};", f"x -= {term};", f"x = x + ({own})({term});", f"x += {term}; y += s[i];",
        "x += s[i]; y ^= s[i];",
        f"x += s[i]; {g.m('y += x', 'y += x & 0xff', 'y += 2 * x', 'y -= x')};",
        f"y += x; x += {g.m('s[i]', 's[i] & 15')};")
    return head + f"{loop} {{ {body} }} r = (u64)x * 5 + y;"


def sums_unrolled(g):
    """Several elements in a round, one accumulator or several."""
    t, k = g.data("u8", "u16", "u32", "s16"), g.pick(2, 4, 8)
    own = g.pick("u32", "u64")
    wrong = g.m(None, *range(k))
    index = [f"s[i + {x if x != wrong else max(0, x - 1)}]" for x in range(k)]
    if g.chance(50):
        adds = "".join(f"x += {e}; " for e in index)
    elif g.chance(50):
        adds = "".join(f"{'xy'[x % 2]} += {e}; " for x, e in enumerate(index))
    else:
        adds = "x += " + " + ".join(f"({own}){e}" for e in index) + "; "
    rest = f"for (; i < n; i++) x += {g.m('s[i]', 's[i] + 1')};" if g.chance(60) else ""
    return (f"const {t} *s = (const {t} *)a; {own} x = 0, y = 0; long i = 0; "
            f"for (; i + {k} <= n; i += {k}) {{ {adds}}} {rest} r = (u64)x + (u64)y;")


def pairs(g):
    """Words made of bytes, in either order."""
    g.unit, g.align = 2, 1
    own = g.pick("u32", "u64")
    word = g.pick("({0}s[i] << 8) + s[i + 1]", "{0}s[i] << 8 | s[i + 1]", "{0}s[i + 1] << 8 | s[i]",
                  "s[i] * {0}256 + s[i + 1]").format("" if own == "u32" else "(u64)")
    word = g.m(word, word.replace("8", "7") if "8" in word else word + "* 2u",
               word.replace("i + 1", "i + 2"))
    tail = g.pick("", f"if (n & 1) x += {g.m('(u32)s[n - 1] << 8', 's[n - 1]')};")
    fold = g.pick("", "x = (x & 0xffff) + (x >> 16); x = (x & 0xffff) + (x >> 16);",
                  "while (x >> 16) x = (x & 0xffff) + (x >> 16);")
    return (f"const u8 *s = a; {own} x = 0; for (long i = 0; i + 1 < n; i += {g.m(2, 1, 3)}) "
            f"x += {word}; {tail} {fold} r = x;")


def inet(g):
    """The Internet checksum, folded in every round."""
    t = g.data("u16", "u16", "u16x")
    own = g.pick("u32", "u32", "u16", "u64", "int", "long")
    word = g.pick("s[i]", "s[i]", "(u16)__builtin_bswap16(s[i])", "(u16)(s[i] << 8 | s[i] >> 8)")
    mask, bits, less = g.m("0xffff", "0x7fff"), g.m(16, 15), g.m("<", "<=")
    step = {"u16": [f"{{ u16 t = {word}; x = (u16)(x + t); if (x {less} t) x++; }}",
                    f"{{ u16 t = {word}; x = (u16)(x + t); x = (u16)(x + (x {less} t)); }}"]}.get(
        own, [f"{{ x += {word}; x = (x & {mask}) + (x >> {bits}); }}",
              f"{{ x += {word}; while (x >> {bits}) x = (x & {mask}) + (x >> {bits}); }}",
              f"{{ x += {word}; while (x > 0xffff) x = (x & {mask}) + (x >> {bits}); }}",
              f"{{ x += {word}; do x = (x & {mask}) + (x >> {bits}); while (x > 0xffff); }}",
              f"{{ x += {word}; if (x {g.m('>', '>=')} 0xffff) x -= {g.m('0xffff', '0x10000')}; }}",
              f"{{ x += {word}; if (x {g.m('>', '>=')} 0xffff) x = (x & {mask}) + 1; }}",
              f"{{ x += {word}; while (x {g.m('>', '>=')} 0xffff) "
              f"x -= {g.m('0xffff', '0x10000')}; }}",
              f"{{ x += {word}; x = x > 0xffff ? x - {g.m('0xffff', '0xfffe')} : x; }}",
              f"{{ x += {word}; x {g.m('%=', '/=')} 0xffff; }}",
              f"{{ x += {word}; if (x & 0x10000) x = (x & {mask}) + {g.m('1', '0')}; }}"])
    low = f"({own})v" if own[0] == "u" else f"-({own})(u16)v" # no sum of it overflows
    start = g.pick("0", f"({own})(u16)v", "0xffff", g.m("0", low))
    loop = g.loop() if g.chance(60) else g.up()
    return (f"const {t} *s = (const {t} *)a; {own} x = {start}; {loop} {g.pick(*step)} "
            f"r = {g.pick('x', '(u16)~x')};")


def inet_late(g):
    """Words of 16, 32 or 64 bits summed up, folded afterwards; end-around carry."""
    t = g.data("u16", "u32", "u32x", "u64")
    carry = f"{{ {t} t = s[i]; x += t; if (x {g.m('<', '<=')} t) x++; }}"
    body = g.pick("x += s[i];", "x += s[i];", carry,
                  "{ x += s[i]; x = (x & 0xffffffff) + (x >> 32); }")
    fold = f"while (x >> 16) x = (x & 0xffff) + (x >> {g.m(16, 8)});"
    return (f"const {t} *s = (const {t} *)a; u64 x = (u32)v; {g.up()} {body} {fold} "
            f"r = {g.pick('x', '(u16)~x')};")


def register(width, reflected, poly, byte, steps=8):
    """The register after one byte, from 0."""
    mask, state = (1 << width) - 1, byte if reflected else byte << (width - 8)
    for _ in range(steps):
        if reflected:
            state = state >> 1 ^ (poly if state & 1 else 0)
        else:
            state = (state << 1 ^ (poly if state >> (width - 1) & 1 else 0)) & mask
    return state


def polynomial(g, width):
    """A known one or any."""
    known = {8: (0x07, 0x8c), 16: (0x1021, 0xa001, 0x8408),
             32: (0xedb88320, 0x82f63b78, 0x04c11db7),
             64: (0xc96c5795d7870f42, 0x42f0e1eba9ea3693)}[width]
    return g.pick(*known) if g.chance(60) else g.rng.getrandbits(width) | 1 << width - 1 | 1


def crc_bits(g):
    """Bit by bit."""
    g.unit = g.align = 1
    width = g.pick(8, 16, 16, 32, 32, 64)
    poly, t = polynomial(g, width), f"u{width}"
    p, steps = g.m(f"{poly}u", f"{poly ^ 4}u"), g.m(8, 7, 9)
    start = g.pick("0", f"({t})~0ull", f"({t})v")
    count = g.pick(f"for (int k = 0; k < {steps}; k++)", f"for (int k = {steps}; k > 0; k--)",
                   f"for (unsigned k = {steps}; k--;)")
    byte = g.pick("s[i]", "s[i]", "s[i]", g.m("s[n - 1 - (long)i]", "s[(n - 1 - (long)i) & ~1l]"))
    if g.chance(60):
        feed = g.m(f"x ^= {byte};", f"x += {byte};")
        # The highest bit may be set by `or`, in a register that is shorter than its type.
        less = g.pick(width, width - 1, width - 8) if width > 8 else width
        top = f"({t})1 << {less - 1}"
        step = g.pick(f"x = x & 1 ? x >> 1 ^ {p} : x >> {g.m(1, 2)};",
                      f"if (x & 1) x = (x >> 1 | {top}) ^ ({p} >> {width - less + 1} & ~({top}));"
                      " else x >>= 1;",
                      f"x = x >> 1 ^ ({p} & -(x & 1));",
                      f"if (x & {g.m(1, 2)}) x = x >> 1 ^ {p}; else x >>= 1;",
                      f"x = x >> 1 ^ (x & 1 ? {p} : 0);", f"x = x >> 1 ^ (x & 1) * {p};",
                      f"{{ {t} low = x & 1; x >>= 1; if (low) x ^= {p}; }}")
    elif width > 8 and g.chance(30):
        return crc_entered(g, t, byte, g.pick(width, width - 8), poly)
    else:
        feed = f"x ^= ({t})(({t}){byte} << {g.m(width - 8, max(width - 9, 0))});"
        top = f"{1 << width - 1}u"
        step = g.pick(f"x = ({t})(x & {top} ? x << 1 ^ {p} : x << 1);",
                      f"x = ({t})(x >> {width - 1} ? x << 1 ^ {p} : x << {g.m(1, 2)});",
                      f"{{ int high = (x & {top}) != 0; x = ({t})(x << 1); if (high) x ^= {p}; }}")
    end = g.pick("x", f"({t})~x")
    return f"const u8 *s = a; {t} x = {start}; {g.up()} {{ {feed} {count} {step} }} r = {end};"


def crc_entered(g, t, byte, width, poly):
    """Each bit of the message enters at the other end of a register of so many bits."""
    start, mask = g.pick("0", f"({t})v & {(1 << width) - 1}u", f"({t})v"), (1 << width) - 1
    bit = g.m(f"({byte} >> k & 1)", f"({byte} >> k & 3)", f"({byte} >> (k ^ 1) & 1)")
    return (f"const u8 *s = a; {t} x = {start}; {g.up()} for (int k = 7; k >= 0; k--) {{ "
            f"{t} out = ({t})(x >> {g.m(width - 1, width - 2)}); x = ({t})(x << 1) & {mask}u; "
            f"x |= out ^ {bit}; if (out) x ^= {(poly & mask) & ~1}u; }} r = x;")


def crc_table(g):
    """A byte, half a byte or four bytes at a time by constant tables."""
    g.unit = g.align = 1
    width, reflected = g.pick(16, 32, 32, 64), g.chance(65)
    poly, t = polynomial(g, width), f"u{width}"
    start = g.pick("0", f"({t})~0ull", f"({t})v")
    if reflected and g.chance(30):
        half = g.table(width, [register(width, True, poly, b, 4) for b in range(16)])
        body = (f"x ^= s[i]; x = x >> 4 ^ {half}[x & 15]; x = x >> {g.m(4, 3)} ^ {half}[x & 15];")
    elif reflected and width == 32 and g.chance(40):
        return slices(g, poly, start)
    else:
        whole = g.table(width, [register(width, reflected, poly, b) for b in range(256)])
        body = (f"x = x >> 8 ^ {whole}[(x ^ s[i]) & {g.m(255, 127)}];" if reflected else
                f"x = ({t})(x << 8) ^ {whole}[(x >> {width - 8} ^ s[i]) & {g.m(255, 127)}];")
    return f"const u8 *s = a; {t} x = {start}; {g.up()} {{ {body} }} r = x;"


def crc_filled(g):
    """A byte at a time by a table that the program fills, and may change afterwards."""
    g.unit = g.align = 1
    width, reflected = g.pick(8, 16, 32, 32, 64), g.chance(65)
    poly, t = f"({polynomial(g, width)}u ^ (v == 12345))", f"u{width}"
    held = t if g.chance(70) else "u64"  # in a wider type
    entry = g.pick(t, t, "u64")
    step = (f"c = ({t})(c & 1 ? c >> 1 ^ {poly} : c >> 1);" if reflected else
            f"c = ({t})(c >> {width - 1} ? c << 1 ^ {poly} : c << 1);")
    first = g.pick(0, 0, 3, 256)
    fill = (f"{g.pick('static ', '')}{entry} t[512]; for (int k = 0; k < 512; k++) {{ "
            f"{t} c = ({t})((({t})k & 255) << {0 if reflected else width - 8}); "
            f"for (int j = 0; j < 8; j++) {step} t[(k + {first}) & 511] = c; }} "
            + g.pick("", "", "", f"t[{first} + (u8)w] ^= ({entry})1 << (w >> 8) % {width};",
                     f"for (int k = 0; k < 256; k++) t[{first} + k] = ({entry})(w * k);"))
    index = f"(x ^ s[i]) & {g.m(255, 127)}" if reflected else \
        f"(x >> {width - 8} ^ s[i]) & {g.m(255, 127)}"
    moved = f"x >> {g.m(8, 7)}" if reflected else f"({t})(x << {g.m(8, 7)})"
    cut = "" if entry == t or reflected else f"({t})"
    head = (f"const u8 *s = a; {fill} const {entry} *q = t + {first}; {held} x = "
            f"{g.pick('0', f'({t})v')}; ")
    if width == 32 and held == entry == t and g.chance(25):  # a word first, then its bytes
        word = "*(const u32x *)(s + i)"
        mixed = g.m(word, f"__builtin_bswap32({word})")
        if not reflected:
            mixed = g.m(f"__builtin_bswap32({word})", word)
        moves = f"x = {moved} ^ q[x {'& 255' if reflected else '>> 24'}]; " * g.m(4, 3)
        return head + f"for (long i = 0; i + 4 <= n; i += 4) {{ x ^= {mixed}; {moves}}} r = x;"
    if g.chance(30):  # several bytes in an iteration
        count = g.pick(2, 4, 8)
        steps = " ".join(f"x = {moved} ^ {cut}q[{index}];".replace(
            "s[i]", f"s[i + {g.m(k, k ^ 1)}]") for k in range(count))
        return head + f"for (long i = 0; i + {count} <= n; i += {count}) {{ {steps} }} r = x;"
    return head + f"{g.up()} x = {moved} ^ {cut}q[{index}]; r = x;"


def crc_slices(g):
    """Several bytes at once by as many tables that the program fills, or by some that are wrong."""
    g.unit, g.align = 16, 1
    width, reflected = g.pick(16, 32, 32, 64), g.chance(70)
    count = g.pick(2, 4, 4, 8, 8, 16)
    poly, t = f"({polynomial(g, width)}u ^ (v == 12345))", f"u{width}"
    step = (f"c = ({t})(c & 1 ? c >> 1 ^ {poly} : c >> 1);" if reflected else
            f"c = ({t})(c >> {width - 1} ? c << 1 ^ {poly} : c << 1);")
    if width == 64 and not reflected:  # of which `polynomial` has 32 bits
        step = step.replace("c << 1 ^ ", "c << 1 ^ 0x100000000u ^ ")
    later = "t[c & 255] ^ c >> 8" if reflected else f"t[c >> {width - 8}] ^ ({t})(c << 8)"
    at = f"(w >> 8) % {256 * count}"
    fill = (f"static {t} t[{256 * count}]; for (int k = 0; k < 256; k++) {{ "
            f"{t} c = ({t})(({t})k << {0 if reflected else width - 8}); "
            f"for (int j = 0; j < 8; j++) {step} t[k] = c; }} "
            f"for (int k = 256; k < {256 * count}; k++) {{ {t} c = t[k - 256]; t[k] = {later}; }} "
            + g.pick("", "", f"t[{at}] ^= ({t})1 << w % {width};", f"t[{256 * count - 1}] ^= 1;",
                     f"for (int k = 0; k < 256; k++) t[k + {256 * (count - 1)}] = t[k];"))
    mine = min(count, width // 8)
    places = list(range(count))
    swap = g.m(None, 0)
    if swap is not None:
        places[0], places[1] = 1, 0
    looks = []
    for k, place in enumerate(places):
        low = 8 * k if reflected else width - 8 * (k + 1)
        own = f"x >> {low} ^ " if k < mine and g.m(True, False) else ""
        looks.append(f"q[{256 * (count - 1 - place)} + (({own}s[i + {g.m(k, k ^ 1)}]) & "
                     f"{g.m(255, 127)})]")
    if 8 * count < width:
        looks.append(f"({t})(x {'>>' if reflected else '<<'} {g.m(8 * count, 8 * count - 1)})")
    return (f"const u8 *s = a; {fill} const {t} *q = t; {t} x = {g.pick('0', f'({t})v')}; "
            f"for (long i = 0; i + {count} <= 16 * n; i += {count}) "
            f"x = {f' {g.m(chr(94), chr(43))} '.join(looks)}; r = x;")


def crc_lanes(g):
    """Registers side by side, each of every so manyth word, by constant tables or nearly so."""
    lanes = g.pick(2, 2, 3, 4, 5, 5, 8)
    g.unit, g.align = 8 * lanes, 1
    width = g.pick(16, 32, 32, 32)
    poly, t = polynomial(g, width), f"u{width}"
    later = 8 * (8 * lanes - 1 + g.m(0, -1, 1, 8))
    names = [g.table(width, [register(width, True, poly, b, later + 8 - 8 * k)
                             for b in range(256)]) for k in range(8)]
    first, last = g.m((0, 7), (7, 0))
    names[0], names[7] = names[first], names[last]
    words = g.m(list(range(lanes)), list(range(1, lanes)) + [0], [0] * lanes)
    if g.chance(30):
        words = words[1:] + words[:1]
    wide = g.chance(30)
    held = "u64" if wide else t
    starts = [g.pick("0", f"({t})v", f"({t})(v >> {k})") for k in range(lanes)]
    loads = " ".join(f"u64 w{k} = x{k} ^ *(const u64x *)(s + {8 * words[k]});"
                     for k in range(lanes))
    mixed = g.m("^", "+", "|")
    looks = " ".join(
        f"x{k} = {' ^ '.join(f'{n}[w{k} >> {8 * j} & 255]' for j, n in enumerate(names))};"
        for k in range(lanes)).replace(" ^ ", f" {mixed} ", 1)
    extra = g.m("", "x0 ^= 1;", f"x{lanes - 1} ^= x0 & 1;", f"{held} y = x0; x0 = x1; x1 = y;")
    loop = g.pick(f"for (long i = 0; i < n; i++, s += {8 * lanes})",
                  f"for (; n > 0; n--, s += {8 * lanes})",
                  f"for (const u8 *e = s + {8 * lanes} * (n > 0 ? n : 0); s != e; "
                  f"s += {8 * lanes})")
    result = " ^ ".join(f"(u64)({t})x{k} * {2 * k + 3}" for k in range(lanes))
    return ("const u8 *s = a; " + " ".join(f"{held} x{k} = {starts[k]};" for k in range(lanes))
            + f" {loop} {{ {loads} {looks} {extra} }} r = {result};")


def generated(g):
    """A table of linear functions of the index, filled by a loop, or one that is almost that."""
    g.unit = g.align = 1
    width, reflected = g.pick(8, 16, 32, 32, 64), g.chance(65)
    t, entry = f"u{width}", f"u{width}"
    if g.chance(20):
        entry = "u64"
    poly = f"{polynomial(g, width)}u"
    if g.chance(35):
        poly = g.pick(f"({t})v", f"({t})(v | 1)", f"({poly} ^ ({t})w)")
    size, steps = g.pick(32, 64, 128, 256, 256, 256, 512), g.pick(8, 8, 8, 6, 12)
    first = f"({t})k" if reflected else f"({t})((u64)k << {max(width - 8, 0)})"
    step = (g.pick(f"c = ({t})(c & 1 ? c >> 1 ^ {poly} : c >> 1);",
                   f"c = ({t})(c >> 1 ^ ({poly} & -(c & 1)));",
                   f"if (c & 1) c = ({t})(c >> 1 {g.m('^', '+')} {poly}); else c >>= 1;")
            if reflected else
            g.pick(f"c = ({t})(c >> {width - 1} ? c << 1 ^ {poly} : c << 1);",
                   f"c = ({t})(c << 1 ^ (c >> {width - 1} "
                   f"{g.m('?', '& (k != 37) ?')} {poly} : 0));"))
    if g.chance(20):  # a flag chooses the direction
        flag = g.m("v & 1", "(v ^ k) & 1", "c & 2")
        step = (f"c = ({t})({flag} ? (c & 1 ? c >> 1 ^ {poly} : c >> 1) : "
                f"(c >> {width - 1} ? c << 1 ^ {poly} : c << 1));")
        first = f"({t})(v & 1 ? (u64)k : (u64)k << {max(width - 8, 0)})"
    last = g.m("c", "c + k", f"c ^ (k == {size - 1})", f"(k ? c : ({t})5)", f"~({t})0 / (c | 1)")
    end = g.pick("", "", " ^ 0x35", f" ^ ({entry})w")
    i = g.pick("int", "unsigned", "long", "u16")
    head = g.pick(f"for ({i} k = 0; k < {g.m(size, size - 1, size + 1)}; k++)",
                  f"for (int k = {size - 1}; k >= {g.m(0, 1)}; k--)",
                  f"for ({i} k = 0; k != {size}; ++k)")
    place = g.m("t[k + 1]", "t[k ^ 1]", "t[k / 2 + 1]", "t[2 * k]")
    return (f"{g.pick('static ', '')}{entry} t[{2 * size + 8}]; "
            f"for (int k = 0; k < {2 * size + 8}; k++) t[k] = ({entry})(k * 3); "
            f"{head} {{ {t} c = {first}; for (int j = 0; j < {steps}; j++) {step} "
            f"{place} = ({entry})({last}{end}); }} "
            f"for (int k = 0; k < {2 * size + 8}; k++) r = (r ^ t[k]) * 0x100000001b3u;")


def slices(g, poly, start):
    """Slicing by four, little-endian."""
    rows = [[register(32, True, poly, b) for b in range(256)]]
    for _ in range(3):
        rows.append([e >> 8 ^ rows[0][e & 255] for e in rows[-1]])
    names = [g.table(32, row) for row in rows]
    order = g.m((3, 2, 1, 0), (2, 3, 1, 0), (3, 1, 2, 0))
    look = " ^ ".join(f"{names[order[k]]}[x >> {8 * k} & 255]" for k in range(4))
    return (f"const u8 *s = a; u32 x = {start}; long i = 0; for (; i + 4 <= n; i += 4) {{ "
            f"x ^= s[i] | (u32)s[i + 1] << 8 | (u32)s[i + 2] << 16 | (u32)s[i + 3] << 24; "
            f"x = {look}; }} for (; i < n; i++) x = x >> 8 ^ {names[0]}[(x ^ s[i]) & 255]; r = x;")


def adler(g):
    """Adler-32 and Fletcher: two sums, reduced in each round, late, or by subtraction."""
    t = g.data("u8", "u8", "u16")
    modulus = g.pick("65521", "65521", "255", "65535") if t == "u8" else "65535"
    if t == "u8" and g.chance(20):
        modulus = "251"
    wrong = g.m(modulus, str(int(modulus) - 1))
    x, y = g.pick(("1", "0"), ("0", "0"), (f"v % {modulus}", f"w % {modulus}"))
    add = f"x += s[i]; y += {g.m('x', 'x + 1')};"
    reduce_ = f"x %= {modulus}; y %= {wrong};"
    head = f"const {t} *s = (const {t} *)a; u32 x = {x}, y = {y}; "
    subtract = (f"x += s[i]; if (x >= {modulus}) x -= {modulus}; "
                f"y += x; if (y {g.m('>=', '>')} {modulus}) y -= {wrong};")
    blocks = (f"long i = 0; while (i < n) {{ long e = n - i > {g.m(40, 39)} ? i + 40 : n; "
              f"for (; i < e; i++) {{ {add} }} {reduce_} }}")
    if modulus in ("255", "251"):
        subtract = add + reduce_  # an element may be the modulus itself, or more
    return head + g.pick(f"{g.up()} {{ {add} {reduce_} }}", f"{g.up()} {{ {add} }} {reduce_}",
                         f"{g.up()} {{ {subtract} }}", blocks) + " r = (u64)y << 16 | x;"


def hashed(g):
    """h * K + c, xor folds, rotations."""
    t = g.data("u8", "u8", "s8", "u16", "u32")
    own = g.pick("u32", "u32", "u64")
    k = g.pick(31, 33, 65599, 5)
    start = g.pick("0", "5381", f"({own})v")
    body = g.pick(f"x = x * {g.m(k, k + 1)}u + {g.m('s[i]', '(s[i] | 1)')};",
                  f"x = (x << 5) {g.m('+', '^')} x + s[i];", "x ^= s[i];",
                  f"x = (x ^ s[i]) * {k}u;", "x = (x << 1 | x >> 31) ^ s[i];",
                  f"x ^= {g.m('s[i]', 's[i] + 1')};",
                  f"x = x * {k}u + s[2 * i]; x = x * {g.m(k, k + 2)}u + s[2 * i + 1];")
    return f"const {t} *s = (const {t} *)a; {own} x = {start}; {g.up()} {{ {body} }} r = x;"


def fused(g):
    """A copy and a sum of what is copied, in one loop."""
    t = g.data("u8", "u16", "u32")
    apart = g.chance(60)
    g.kind = "D" if apart else "O"
    q = " restrict" if apart else ""
    source = g.m("s[i]", "d[i]") if apart else "s[i]"
    body = g.pick(f"d[i] = s[i]; x += {source};",
                  f"{t} t = s[i]; d[i] = t; x += {g.m('t', 't + 1')};",
                  f"x += s[i]; d[i] = {g.m('s[i]', '0')};",
                  f"{t} t = s[i]; d[i] = t; x += t; x = (x & 0xffff) + (x >> 16);")
    return (f"{t} *{q} d = ({t} *)a; const {t} *{q} s = (const {t} *)b; "
            f"u32 x = {g.pick('0', '(u16)v')}; {g.up()} {{ {body} }} r = x;")


def counted(g):
    """How many bytes are one byte, or are not."""
    g.unit, g.align = 1, 1
    t, own = g.pick("u8", "u8", "s8"), g.pick("u8", "u32", "int", "long", "u64")
    what = g.pick("0", "7", "255", f"({t})v", f"({t})v", "(int)(v & 511)", "(int)(s8)v")
    same = g.m(f"s[i] {g.pick('==', '!=')} {what}", f"s[i] > {what}",
               f"s[i] == {what} || s[i] == 1",
               f"(s[i] & 127) == {what}", f"s[i] == s[0] + {what}", f"s[i] == ({t})i")
    step = g.m(g.pick("x++;", "x += 3;", "x--;"), "x += i;", "x = x * 2 + 1;", "x += s[i];")
    both = g.pick("", "", f" else x -= {g.m('2', 'i')};")
    body = g.pick(f"if ({same}) {step}{both}", f"x += {same};", f"x -= !({same});",
                  f"x += {same} ? 5 : {g.m('1', 'i')};")
    own = own if own[0] == "u" or "x +=" not in body else "u64"
    return (f"const {t} *s = (const {t} *)a; {own} x = {g.pick('0', '(u8)w')}; {g.loop()} "
            f"{{ {body} }} r = (u64)x;")


def searched(g):
    """A loop that ends at a byte, and what it does with those before it."""
    g.unit, g.align, g.kind = 1, 1, "O"
    t, what = g.pick("u8", "u8", "s8"), g.pick("0", "7", "(u8)v", "(int)(v & 511)")
    end = g.pick(f"s[i] == {what}", f"s[i] == {what}", f"s[i] == {what} || s[i] == 3",
                 f"s[i] != ({t})w", "s[i] != q[i]")
    end = g.m(end, f"s[i] > {what}", f"d[i] == {what}", f"s[i] == {what} && q[i]")
    work = g.pick("", "d[i] = s[i];", "d[i] = s[i];", "x += s[i];", "x = x * 31u + s[i];",
                  "x ^= s[i];", "if (s[i] == 9) x++;", "d[i] = s[i]; x += s[i];", "d[i] = 0;")
    work = g.m(work, "d[i] = q[i];", "x += d[i];", "d[i + 1] = s[i];", "d[i] = s[i + 1];")
    step, bound = g.m("1", "2"), g.pick("i < n", "i < n", "i < n", "1")
    loop = g.pick(f"for (; {bound}; i += {step}) {{ if ({end}) break; {work} }}",
                  f"for (; {bound}; i += {step}) {{ {work} if ({end}) break; }}",
                  f"while ({bound} && !({end})) {{ {work} i += {step}; }}",
                  f"if (n > 0) do {{ {work} i += {step}; }} while ({bound} && !({end}));")
    to, source = g.pick("b", "a", "a + 1", "a - 1", "a + m", "a - m"), g.pick("a", "a", "a + m")
    return (f"u8 *d = {to}; const {t} *s = (const {t} *)({source}), *q = (const {t} *)b; "
            f"u32 x = {g.pick('0', '(u8)w')}; long i = 0; {loop} r = (u64)x * 5 + (u64)i;")


FAMILIES = {f.__name__: f for f in (summed, sums_unrolled, pairs, inet, inet_late, crc_bits,
                                    crc_table, crc_filled, crc_slices, crc_lanes, generated,
                                    adler, hashed, fused, counted, searched)}
