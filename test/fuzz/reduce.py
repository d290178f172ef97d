# reduce.py - makes a loop that differs smaller, for as long as it differs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes statements, operands and braces out of one generated function, one after the other, and
keeps each step after which the program still compiles, has no undefined behaviour and differs."""

import re

import build

MOST = 150  # programs that are tried


def pieces(text):
    """Ranges of the function's body that might go, the largest ones first."""
    start = text.index("F(")
    start = text.index("{", start) + 1
    end = text.index("\nconst struct info")
    found = []
    for match in re.finditer(r"[^;{}]*;|\{[^{}]*\}|\s*[-+^|&]\s*[\w.\[\]]+|\([a-z]\w*( \*)?\)",
                             text[start:end]):
        found.append((start + match.start(), start + match.end()))
    return sorted(found, key=lambda r: r[0] - r[1])


def simpler(text):
    """Texts that are a little simpler."""
    for begin, end in pieces(text):
        yield text[:begin] + ("{}" if text[begin] == "{" else "") + text[end:]
    for match in re.finditer(r"\b(?:0x[0-9a-f]+|\d{2,})(?=u|\b)", text[text.index("F("):]):
        at = text.index("F(")
        for value in ("1", "0"):
            yield text[:at + match.start()] + value + text[at + match.end():]


def still(bench, name, options, text, seed):
    """Does this text differ, for a reason of ours?"""
    source = bench.path("reduced.c")
    with open(source, "w", encoding="utf-8") as stream:
        stream.write(text)
    plain, stock = build.without_memlift(options)
    try:
        bench.plain(source, plain)
        bench.lifted(bench.wrappers()[name], options, source)
        return (bool(bench.differences(seed)[1])
                and not bench.stock_differs(name, stock, source, seed)
                and not bench.undefined(plain, source, seed))
    except (build.Failure, ValueError):
        return False


def reduce(bench, name, options, source, seed):
    """The smallest text found."""
    with open(source, encoding="utf-8") as stream:
        text = stream.read()
    tried, again = 0, True
    while again:
        again = False
        for candidate in simpler(text):
            tried += 1
            if tried > MOST:
                return text
            if len(candidate) < len(text) and still(bench, name, options, candidate, seed):
                text, again = candidate, True
                break
    return text
