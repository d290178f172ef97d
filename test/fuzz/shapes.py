# shapes.py - families of random loops that store: fills, copies, moves, rows, patterns
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each function writes the body of a C function over u8 *a, *b; long n, m; u64 v, w; result r."""

import re

WORDS = ("u8", "u16", "u32", "u64", "u16x", "u32x", "u64x", "float", "double")
INTS = ("u8", "u16", "u32", "u64", "u16x", "u32x", "u64x")


def pointers(g, t, source=True):
    """d and s, which may overlap unless they promise not to."""
    where = g.pick("apart", "any", "any", "same") if source else "alone"
    qualifier = " restrict" if where == "apart" else ""
    g.kind = "D" if where == "apart" else "O"
    text = f"{t} *{qualifier} d = ({t} *)a; "
    if where == "same":
        return text + f"const {t} *s = (const {t} *)a + {g.pick('m', '1', '2', '-1', '4')}; "
    if source:
        text += f"const {t} *{qualifier} s = (const {t} *)b; "
    return text


def value(g, t):
    """Value that a fill stores."""
    if t in ("float", "double"):
        return g.pick("0", f"({t})(long)v", "1.5f")
    if g.chance(10):
        return g.m(f"({t})v", f"({t})(v + i)")
    return g.pick("0", "-1", "0x12345678", f"({t})v", f"({t})v", f"({t})(v + w)",
                  f"({t})((v & 255) * 0x0101010101010101u)")


def fill(g):
    """p[i] = v."""
    t = g.data(*WORDS)
    offset = g.pick("", "", "", " + 1", " + 2", " - 1")
    return (pointers(g, t, False) + f"{g.loop()} d[(long){g.m('i', '2 * i')}{offset}] = "
            f"({t})({value(g, t)});")


def copy(g):
    """d[i] = s[i]."""
    t = g.data(*WORDS)
    to, off = g.pick("", "", "", " + 1", " - 2"), g.pick("", "", "", " + 1", " - 1", " + 4")
    src = g.m(f"s[(long)i{off}]", f"s[(long)(i ^ 1){off}]", f"s[2 * (long)i{off}]",
              f"({t})(s[(long)i{off}] + 1)", f"s[n - (long)i{off}]")
    return pointers(g, t) + f"{g.loop()} d[(long)i{to}] = {src};"


def swapped(g):
    """A copy that turns every element's bytes around."""
    bits = g.pick(16, 32, 64)
    t = g.data(f"u{bits}", f"u{bits}x")
    p = pointers(g, t)
    if g.chance(50):
        turned = g.m(f"__builtin_bswap{bits}(s[i])", f"({t})(s[i] << 8 | s[i] >> {bits - 8})")
    else:
        last = bits - 8
        parts = [f"(u{bits})(s[i] >> {8 * k} & 255) << {last - 8 * k}" for k in range(bits // 8)]
        turned = f"({t})(" + " | ".join(g.m(p, p.replace("255", "127")) for p in parts) + ")"
    return p + f"{g.up()} d[i] = {turned};"


def reversed_words(g):
    """A copy of elements in reverse order, in either direction."""
    t = g.data(*WORDS)
    text = pointers(g, t)
    if g.chance(30):
        by = g.m("*--d = *q++", "*--d = *q--", "*d-- = *q++")
        return text + (f"d += n; const {t} *q = s; {g.up()} {by};")
    if g.chance(40):
        turned = f"d[i + k] = s[{g.m('n - 1 - i - k', 'n - 2 - i + k', 'n - i - k')}]"
        return text + f"for (long i = 0; i + 2 <= n; i += 2) for (int k = 0; k < 2; k++) {turned};"
    at = g.m("n - 1 - (long)i", "n - (long)i", "n - 1 - (long)(i ^ 1)")
    return text + f"{g.up()} d[i] = s[{at}];"


def number(g):
    """A number that is read, written or turned byte by byte."""
    g.unit, g.align, g.kind = 8, 1, "O"
    t, size = g.pick(("u64", 8), ("u32", 4), ("u64", 4), ("u16", 2), ("u64", 6), ("u64", 5),
                     ("u32", 3), ("u64", 7))
    shift, at = g.m("8", "7", "9", "16"), g.pick("k", f"{size} - 1 - k")
    at = g.m(at, f"({at}) ^ 1", f"2 * ({at})")
    start = g.pick("0", "0", f"({t})v")
    loop = f"for (int k = 0; k < {size}; k++)"
    form = g.pick("read", "read", "placed", "written", "taken", "turned")
    if form == "read":
        one = g.m(f"b[{at}]", f"({t})(signed char)b[{at}]", f"(b[{at}] & 127)")
        return f"{t} x = {start}; {loop} x = ({t})(x << {shift} {g.pick('|', '+')} {one}); r += x;"
    if form == "placed":
        return f"{t} x = 0; {loop} x |= ({t})((u64)b[{at}] << {shift} * k); r += x;"
    if form == "written":
        return f"{t} x = ({t})v; {loop} {{ a[{at}] = (u8)x; x = ({t})(x >> {shift}); }}"
    if form == "taken":
        return f"{t} x = ({t})v; {loop} a[{at}] = (u8)((u64)x >> {shift} * k);"
    back = g.m(f"{size} - 1 - k", f"{size} - k", f"{size} - 1 - (k ^ 1)")
    return f"if (n > 0) {loop} a[k] = b[{back}];"


def unrolled(g):
    """Several stores in a round, in any order, loads first or between."""
    t, k = g.data(*INTS), g.pick(2, 3, 4, 8)
    p, first = pointers(g, t), g.chance(50)
    wrong = g.m(None, *range(k))
    source = [f"s[i + {x if x != wrong else x + 1}]" for x in range(k)]
    loads = "".join(f"{t} t{x} = {source[x]}; " for x in g.shuffled(k)) if first else ""
    stores = "".join(f"d[i + {x}] = {f't{x}' if first else source[x]}; " for x in g.shuffled(k))
    head = f"for (long i = 0; i < n; i += {g.m(k, k + 1, k - 1)})"
    if first and g.chance(30):
        head = f"for (long i = n; i > 0; i -= {k})"
    return p + f"{head} {{ {loads}{stores}}}"


def pattern(g):
    """2 to 16 invariant bytes or words again and again; a struct's fields."""
    if g.chance(25):
        g.unit, g.align = 12, 4
        last = g.m("q[i].c = (u32)w;", "")
        return (f"struct three *q = (void *)a; {g.loop()} {{ q[i].a = (u32)v; "
                f"q[i].b = {g.pick('(u32)v', '0')}; {last} }}")
    t, k = g.data("u8", "u8", "u16", "u32"), g.pick(2, 3, 4, 5, 6, 7, 8, 12, 16)
    g.unit *= k
    stores = [f"d[{k} * i + {x}] = ({t})({g.pick('v', 'w')} >> {x * 4 % 56}); "
              for x in g.shuffled(k)]
    if g.m(False, True):
        stores.pop()
    return pointers(g, t, False) + f"{g.up()} {{ {''.join(stores)}}}"


def rows(g):
    """A nest: rows that are packed, or with a pitch."""
    t = g.data(*INTS)
    y, x = g.pick("int", "long", "size_t"), g.pick("int", "long", "unsigned")
    width, pitch = g.pick("wide", "wide", "8"), g.pick("wide", "wide", "(wide + 3)", "16")
    p = pointers(g, t)
    g.unit *= 10
    at = f"y * {pitch} + x"
    stored = g.pick("0", f"({t})v", f"s[{g.m(at, f'y * {pitch} + x + 1')}]",
                    f"s[{g.m(at, 'x * wide + y')}]", f"s[y * ({pitch} + 1) + x]")
    return (p + f"int wide = (int)m; for ({y} y = 0; y < ({y})(n & 15); y++) "
            f"for ({x} x = 0; x < ({x}){width}; x++) d[{at}] = {stored};")


def walk(g):
    """Pointers that step."""
    t = g.data(*WORDS)
    p = pointers(g, t)
    step, last = g.m("*q++", "*++q"), "r = (uintptr_t)p - (uintptr_t)a;"
    stored = value(g, t).replace("+ i", "+ r")
    return p + g.pick(
        f"{t} *p = d; const {t} *q = s, *e = s + (n & 127); while (q != e) *p++ = {step}; {last}",
        f"{t} *p = d; const {t} *q = s; long k = n & 127; while (k--) *p++ = {step}; {last}",
        f"{t} *p = d; const {t} *q = s; for (unsigned k = n & 127; k; k--) *p++ = {step}; {last}",
        f"{t} *p = d, *e = d + (n & 127); for (; p < e; p++) *p = {stored}; {last}",
        f"{t} *p = d + (n & 127); const {t} *q = s + (n & 127); "
        f"while (p != d) *--p = {g.m('*--q', '*q--')};",
        f"long k = n; {t} *p = d; const {t} *q = s; do *p++ = {step}; while (--k > 0); {last}",
        f"uintptr_t p = (uintptr_t)d, q = (uintptr_t)s, e = p + (n & 127) * sizeof *d; "
        f"while (p < e) {{ *({t} *)p = *(const {t} *)q; p += sizeof *d; "
        f"q += {g.m('sizeof *d', '1')}; }}")


def untidy(g):
    """A condition, a second effect, a value that is used afterwards."""
    t = g.data(*INTS)
    p = pointers(g, t)
    return p + g.pick(
        f"{g.loop()} if ({g.pick('i & 1', 'm > 3', 's[0] != 0')}) d[i] = {g.pick('0', 's[i]')};",
        f"{t} last = 0; {g.loop()} {{ last = s[i]; d[i] = last; }} r = (u64)last;",
        f"{g.loop()} {{ d[i] = s[i]; if (s[i] == ({t})7) break; }}",
        f"{g.loop()} {{ d[i] = s[i]; r += d[0]; }}",
        f"volatile {t} *x = d; {g.loop()} x[i] = s[i];",
        f"{g.loop()} d[i] = d[{g.pick('i + 1', 'i - 1', 'i + m', 'i')}];")


def wrapping(g):
    """An index that is narrower than the counter, and may wrap."""
    t = g.data(*INTS)
    p, kind = pointers(g, t), g.pick("u8", "u8", "signed char", "unsigned", "int")
    more = g.pick("m", "3", "(long)(v & 255)", "200")
    at = f"({kind})(i + {more})"
    stored = g.pick(f"({t})v", "0", f"s[{at}]", f"s[{g.m('i', 'i + 1')}]")
    return p + f"{g.loop()} d[{g.m(at, f'({kind})(2 * i + {more})')}] = {stored};"


# Types of an index in memory, which may overlap what is read.
KEPT = {"unsigned": "u32x", "u16": "u16x", "size_t": "u64x"}


def ring(g):
    """An index that starts again at 0 behind the end of a ring, or is cut to a place of it."""
    t = g.data(*INTS)
    p, kind = pointers(g, t), g.pick("unsigned", "unsigned", "int", "size_t", "u16", "long")
    power = g.chance(50)
    size = g.pick("128", "64", "32", "1 << (m & 7)") if power else g.pick("100", "77", "(m & 127)",
                                                                       "(m & 63) + 17")
    at = g.pick("0", "v & 31", "v & 127", "v & 127", "(w & 63) + (v & 63)")
    if g.chance(30):
        cut = f"({kind})(h + ({kind})i)"
        index = g.m(f"({cut} & (z - 1))" if power else f"({cut} % (z | 1))",
                    f"({cut} & 91)", f"({kind})(h + 2 * ({kind})i) % (z | 1)")
        index, step = f"({index} & 255)", ""
    else:
        index = "h"
        step = g.pick(
            g.m("h = (h + 1) & (z - 1);", "h = (h + 2) & (z - 1);", "h = (h + 1) & 0x5f;"),
            g.m("h = (h + 1) % (z | 1);", "h = (h + 2) % (z | 1);"),
            g.m("if (++h == z) h = 0;", "if (++h == z) h = 3;", "if (h++ == z) h = 0;"),
            g.m("if (++h >= z) h = 0;", "if (++h > z) h = 1;", "if (++h <= z) h = 0;"),
            g.m("h = h + 1 == z ? 0 : h + 1;", "h = h + 2 == z ? 0 : h + 1;"),
            g.m("h = h + 1 < z ? h + 1 : 0;", "h = h < z ? h + 1 : 0;"))
        step = f"{step} h &= 255;" if g.chance(5) else step
    what = g.pick(f"d[{index}] = s[i];", f"d[{index}] = s[i];", f"d[i] = s[{index}];",
                  f"d[{index}] = ({t})v;", f"r += s[{index}];", f"r ^= s[{index}];")
    body = g.pick(f"{what} {step}", f"{what} {step}", f"{step} {what}")
    start = p + f"{kind} z = ({kind})({size}), h = ({kind})({at}); n &= 127; "
    held = "h"
    if step and kind in KEPT and g.chance(35):  # in memory, beside all that is stored
        near = ["b", "b + 40"] if g.kind == "O" else []
        where = g.pick("a - 24", "a + 400 * sizeof *d", *near)
        start += (f"{KEPT[kind]} *kept = (void *)((u64)({where}) & ~7ull); "
                  "if ((u8 *)(kept + 1) > a && (u8 *)kept < a + 400 * sizeof *d) return 0; "
                  "*kept = h; ")
        held = "(*kept)"
        body = re.sub(r"\bh\b", held, body)
    if step and g.chance(40):  # to a place that n steps lead to
        walk_on = re.sub(r"\bh\b", "e", step)
        most = g.pick("(m & 127)", "n - 1", "(u64)(v & 63)")
        test = g.pick("h != e", "e != h", f"h != e && i < {most}", f"i < {most} && e != h")
        test = test.replace("h", held)
        loop = g.pick(f"while ({test}) {{ {body} i++; }}",
                      f"for (; {test}; i++) {{ {body} }}",
                      f"for (; i < {most}; i++) {{ if ({held} == e) break; {body} }}",
                      f"for (; {held} != e; i++) {{ if (i >= {most}) break; {body} }}",
                      f"if (n > 0) do {{ {body} i++; }} while ({test});")
        return (start + f"{kind} e = h; for (long k = n; k > 0; k--) {{ {walk_on} }} "
                f"{g.pick('long', 'unsigned', 'u64')} i = 0; {loop} r = r * 3 + (u64){held};")
    return start + f"{g.up()} {{ {body} }} r = r * 3 + (u64){held};"


def calls(g):
    """memset and memmove in a loop."""
    g.unit, g.align = 24, 8
    step, size = g.pick("m", "8", "16"), g.pick("m", "8", "16")
    distance = g.pick("16", "-16", "8 * m")
    return g.pick(
        f"for (long i = 0; i < (n & 15); i++) memset(a + i * {g.m(step, '9')}, (int)v, {size});",
        f"for (long i = 0; i < (n & 15); i++) "
        f"memmove(a + i * {step}, a + {distance} + i * {g.m(step, '9')}, {size});",
        f"for (long i = 0; i < (n & 15); i++) memcpy(a + 8 * i, b + 8 * i, {g.m('8', '7')});")


def tail(g):
    """Words first, then the bytes that are left."""
    g.unit, g.align = 1, 8
    word = g.pick("u32x", "u64x")
    size = 4 if word == "u32x" else 8
    value_ = g.m(f"*(const {word} *)(b + i)", f"*(const {word} *)(b + i + 1)")
    return (f"long i = 0; for (; i + {size} <= n; i += {size}) *({word} *)(a + i) = {value_}; "
            f"for (; i < n; i++) a[i] = {g.m('b[i]', 'b[i - 1]')};")


def several(g):
    """Two or three regions in one loop, of which some may overlap or be copied to others."""
    t = g.data(*WORDS)
    g.kind = g.pick("D", "O", "O")
    qualifier = " restrict" if g.kind == "D" else ""
    text = f"{t} *{qualifier} d = ({t} *)a, *{qualifier} e = ({t} *)b; "
    one, other = value(g, t), value(g, t)
    stores = [f"d[(long)i{g.m('', ' & ~1l')}] = ({t})({one});",
              f"e[(long)i] = ({t})({g.pick(one, one, other)});"]
    if g.kind == "O":
        text += f"{t} *f = ({t} *)a + {g.pick('m', 'm', '40', '-3')}; "
        stores += [g.pick(f"f[(long)i] = ({t})({g.pick(one, other)});", "e[(long)i] = f[(long)i];",
                          f"f[(long)i] = e[(long)i + {g.pick(0, 1)}];",
                          f"f[(long)i] = d[(long)i + {g.pick(0, 1, 2)}];")]
    g.rng.shuffle(stores)
    return text + f"{g.loop()} {{ {' '.join(stores[:g.pick(2, 2, 3)])} }}"


def two_bounds(g):
    """A loop that ends at the first of two bounds, of which one may lie in memory."""
    t = g.data("u8", "u8", "u16", "u32", "u64")
    p = pointers(g, t)
    kind = g.pick("size_t", "u32", "long", "int")
    held = "u64x" if kind in ("size_t", "long") else "u32x"
    other = "&w" if g.kind == "D" else "a + 8 * m - 16"
    hold = g.pick(f"const {held} at = w & 63, *k = &at;",
                  f"static {held} at; at = w & 63; const {held} *k = &at; "
                  '__asm__ volatile ("" : "+r"(k));',
                  f"const {held} *k = (const {held} *)({other});")
    i = g.pick("size_t", "size_t", "long", "unsigned", "int")
    bound = g.pick(f"({kind})*k", f"({kind})*k", f"({kind})(v & 31)")
    stored = g.pick("0", f"({t})v", "s[i]")
    if g.chance(10):
        bound = g.pick("(size_t)s[i]", "(size_t)d[0]")
    less = g.m("<", "<=")
    first, second = g.shuffled(2)
    tests = [f"i {less} ({i})n", f"({kind})i < {bound}"]
    count = f"{hold} {i} i; "
    form = g.pick(
        f"for (i = 0; {tests[first]} && {tests[second]}; i++) d[i] = {stored};",
        f"for (i = 0; {tests[first]}; i++) {{ if (!({tests[second]})) break; "
        f"d[i] = {stored}; }}",
        f"for (i = 0; {tests[first]}; i++) {{ d[i] = {stored}; if (!({tests[second]})) break; }}",
        f"i = 0; do {{ d[i] = {stored}; i++; if (i == ({i}){bound}) break; }} while (i < ({i})n);",
        f"i = 0; size_t left = (size_t)n & 127; {kind} more = {bound}; "
        f"while (left-- && more--) {{ d[i] = {stored}; i++; }}",
        f"i = 0; {t} *e = d + (n & 63), *q = d; while (q != e && {tests[1]}) "
        f"{{ *q++ = ({t})({stored}); i++; }} r = (uintptr_t)q - (uintptr_t)a;",
        f"for (i = ({i})(n & 127); i > 0 && {tests[1]}; i--) d[i - 1] = {stored};",
        f"for (i = 0; {tests[first]} && {tests[second]} && i != ({i})(w & 31); i++) "
        f"d[i] = {stored};",
        f"u64 x = 0; for (i = 0; {tests[first]} && {tests[second]}; i++) {{ x += s[i]; "
        f"{g.pick('', 'd[i] = s[i];')} }} r = x * 3;",
        f"u64 x = 0; for (i = 0; {tests[0]}; i++) {{ x += s[i]; if (i == ({i}){bound}) break; }} "
        "r = x * 3;")
    return p + count + form + g.pick("", "", " r += (u64)i;")


def told_apart(g):
    """A loop that is left at one of several bounds, and what follows depends on which it was."""
    t = g.data("u8", "u8", "u16", "u32", "u64")
    p = pointers(g, t)
    i = g.pick("size_t", "size_t", "long", "unsigned", "int")
    less = g.m("<", "<=")
    tests = [f"i {less} ({i})(n & 127)", "(size_t)i < (size_t)(v & 63)", "(u32)i < (u32)w % 71"]
    g.rng.shuffle(tests)
    ends = [g.pick(f"return {k + 5};", f"return (u64)i * 3 + {k};", f"d[0] = {k}; return (u64)i;",
                   f"r = {k};", f"r = (u64)x + {k};", f"return (u64)(i + 1) << {k};")
            for k in range(3)]
    stored = g.pick("0", f"({t})v", "s[i]")
    if g.chance(10):
        tests[1] = g.pick("s[i] != 0", "(u8)i < s[0]", "d[0] != 3")
    body = g.pick(f"d[i] = {stored};", f"d[i] = {stored};", "x += s[i];", "x += s[i]; d[i] = s[i];")
    third = g.pick("", f"if (!({tests[2]})) {{ {ends[2]} goto out; }} ")
    head = f"{i} i = 0; u64 x = 0; "
    return p + head + g.pick(
        f"for (; {tests[0]}; i++) {{ if (!({tests[1]})) {{ {ends[0]} goto out; }} {third}{body} }} "
        f"{ends[1]} out: r += 1;",
        f"for (; {tests[0]}; i++) {{ {body} if (!({tests[1]})) {{ {ends[0]} goto out; }} {third}}} "
        f"{ends[1]} out: r += 1;",
        f"size_t left = (size_t)n & 127; u32 more = (u32)v & 63; "
        f"while (left--) {{ if (!more--) {{ {ends[0]} goto out; }} {body} i++; }} "
        f"r = more + left; out: r += 1;")


def elements(g):
    """A loop that runs while so many elements are between two pointers."""
    t = g.data("u16", "u32", "u64", "u16x", "u32x", "struct three", "struct three")
    fixed = f"({t}){{0, 0, 0}}" if t == "struct three" else f"({t})v"
    g.unit = 12 if t == "struct three" else g.unit
    p = pointers(g, t)
    # A struct may not be assigned to a part of itself.
    whole = "restrict" in p or t != "struct three"
    source, behind = ("*s", "s[1]") if whole else (fixed, fixed)
    kind = g.pick("", "", "(int)", "(unsigned)", "(size_t)", "(u8)", "(short)")
    cast = kind or "(long)"
    by = g.pick(1, 1, 1, 2)
    bound = f"{cast}(n & {g.pick(63, 62, 60)})" if by == 1 else f"{cast}(n & 62)"
    test = g.m(f"< {bound}", f"<= {bound}", f"< {bound} / 3")
    if by == 1 and g.chance(25):
        test = f"!= {bound}"
    stored = g.pick(source, source, fixed)
    second = behind if stored == source else fixed
    step = f"d += {by}; s += {by};"
    body = f"d[0] = {stored}; " + (f"d[1] = {second}; " if by == 2 else "")
    more = g.m("e - s", "e - s + 1")
    return p + f"{t} *first = d; const {t} *e = s + (n & 63); " + g.pick(
        f"while ({kind}(d - first) {test}) {{ {body}{step} }} r = (u64)(d - first);",
        f"for (; {kind}(d - first) {test};) {{ {body}{step} }} r = (u64)((u8 *)d - a);",
        f"while ({more} > (m & 3)) {{ d[0] = {stored}; d++; s++; }} r = (u64)(e - s);",
        f"while ({more} >= 2) {{ d[0] = {stored}; d[1] = {second}; d += 2; s += 2; }} "
        "r = (u64)(e - s);")


def maps(g):
    """d[i] = f(s[i], d[i], v, i): no idiom, but its loads may come first."""
    t = g.data("u8", "u8", "u16", "u32", "u64")
    p = pointers(g, t)
    near = g.pick("", "", "", " + 1", " - 1", " + 4")
    loads = g.pick("s[i]", "s[i]", f"s[i{near}]", f"s[i] + s[i{near}]", f"d[i{near}]", "*s")
    term = g.pick(f"({t})v", "0x5a", "3", "(u64)i", f"d[i{near}]", "d[i]", f"({t})w")
    what = g.pick(f"({loads}) ^ {term}", f"({loads}) + {term}", f"{term} - ({loads})",
                  f"d[i] + {term} * ({loads})", f"({loads}) & ~{term}", f"({loads}) << 3 | {term}",
                  f"({loads}) >> 2", f"({loads}) % 10", f"({loads}) == {term}",
                  f"({loads}) < {term} ? {term} : ({loads})", f"({loads}) / 3")
    more = g.pick("", "", "", f" d[i + 1] = ({t})(s[i] ^ 1);", f" d[i] = ({t})(d[i] + s[i + 1]);")
    return p + f"{g.loop()} {{ d[(long){g.m('i', 'i + 1')}] = ({t})({what});{more} }}"


def encoded(g):
    """Signed numbers written byte by byte, in either order."""
    size = g.pick(2, 4, 8)
    t = g.data(f"s{8 * size}")
    turned = g.chance(60)
    stores = [f"e[{size} * i + {size - 1 - k if turned else k}] = "
              f"(u8)(x >> {g.m(8 * k, 8 * k + 1, min(8 * k + 8, 8 * size - 1))});"
              for k in g.shuffled(size)]
    return (pointers(g, t) + f"u8 *e = (u8 *)d; {g.up()} {{ {t} x = s[i]; "
            + " ".join(stores) + " }")


def tested(g):
    """A test of what stays in each iteration, or between a load and its store."""
    t = g.data("u8", "u8", "u16", "u32", "u64")
    p = pointers(g, t)
    leave = g.pick(f"*s {g.pick('==', '!=')} ({t}){g.pick('0', '7', 'v')}", f"*s > ({t})w")
    stays = leave.replace("*s", g.m("*s", "s[i]"))
    value = g.pick("0", "7", f"({t})v")
    limit = g.pick("m + 9", "m", "(long)(u8)w")
    if g.chance(25):
        g.unit, g.align = 8, 4
        return (f"struct {{ u16 a, b; u32 c; }} *d = (void *)a, *q = (void *)b; "
                f"for (long i = 0; i < n; i++) d[i] = {g.m('*q', 'q[i / 2]')};")
    if g.chance(50):
        return p + (f"long i; for (i = 0; i < n; i++) {{ {t} c = s[i]; "
                    f"if (i {g.m('>=', '>')} {limit}) break; d[i] = c; }} "
                    f"r = (u64)i;")
    return p + (f"long i; for (i = 0; i < n; i++) {{ if ({stays}) break; d[i] = {value}; }} "
                f"r = (u64)i;")


def reread(g):
    """Elements that are computed where pointers and a length are read again in each iteration. The
    stores may come close to them, but not upon them: else they would go anywhere."""
    g.unit, g.align = 1, 1
    t = g.pick("u8", "u8", "s8")
    op = g.pick("^", "^", "&", "|", "+", "-")
    value = g.pick(f"p->d[i] {op} p->s[i]", f"p->s[i] {op} ({t})v", f"p->d[i] {op} ({t})v",
                   f"p->d[i] {op} (p->s[i] & 3)")
    value = g.m(value, f"p->d[i] {op} (u8)p->n", f"p->d[i + 1] {op} p->s[i]", "p->d[i / 2] ^ 1",
                f"p->s[i] {op} (u8)(u64)p->d")
    place = g.pick("b", "b", "b + 40", "a - 24", "a + 8", "a + n", "b - 24")
    source = g.pick("b", "b + 24", "b + 24", "a + 1", "a - m")
    step = g.pick("", g.m("", "if (p->n > 90) p->n--;"))
    bound = g.pick("i < p->n", "i < p->n", "i < (u64)n")
    return (f"struct {{ {t} *d, *s; u64 n; }} *p = (void *)((u64)({place}) & ~7ull); "
            f"if (n < 0 || (n > 0 && (u8 *)(p + 1) > a && (u8 *)p <= a + n)) return 0; "
            f"p->d = ({t} *)a; p->s = ({t} *)({source}); p->n = n < 0 ? 0 : (u64)n; "
            f"for (u64 i = 0; {bound}; i++) {{ p->d[i] = ({t})({value}); {step} }} r = p->n;")


FAMILIES = {f.__name__: f for f in (fill, copy, swapped, reversed_words, number, unrolled,
                                    pattern, rows, walk, untidy, wrapping, ring, calls, tail,
                                    several, two_bounds, told_apart, elements, maps, encoded,
                                    tested, reread)}
