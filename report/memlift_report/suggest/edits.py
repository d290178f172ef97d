# edits.py - changes of the source that may let a loop be lowered, by the facts that failed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proposals: each is a change of the text, and the promise that a programmer makes with it.

Nothing here decides whether a proposal helps, nor whether it compiles: recompile.py does. So the
rules are generous, and only keep what cannot help from being tried.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .ctext import FunctionText, LoopText, Text

Change = tuple[int, int, str]  # from this offset to that: the new text
ALIGNMENTS = (4, 8, 16)
# Bounds that are tried, the mildest first: what fits 32, 31, 16 and 15 bits, a page, a byte.
BOUNDS = ("0xfffffffe", "0x7fffffff", "0xffff", "0x7fff", "4096", "255")
ASSIGNS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
COMPARES = ("<", "<=", ">", ">=", "!=", "==")


@dataclass(slots=True)
class Edit:
    """One proposal. Its parts, if there are any, can be made one without another: of pointers that
    are declared restrict, one may suffice. `milder` are proposals that promise less, the mildest
    first; they are worth a trial if this one helps."""
    kind: str
    title: str
    promise: str
    changes: list[Change]
    parts: tuple[Edit, ...] = ()
    milder: tuple[Edit, ...] = ()


@dataclass(slots=True)
class Place:
    """A loop, or a call if `loop` is None, in the text of its file."""
    text: Text
    function: FunctionText
    loop: LoopText | None
    at: int  # index of the first word of the loop, or of the line
    is_c: bool
    restrict: str  # how the language spells it

    @property
    def last(self) -> int:
        return self.loop.end if self.loop else len(self.text.words)

    def used(self) -> list[str]:
        """Names in the loop, or in the statement of the call."""
        end = self.loop.end if self.loop else self.text.statement_end(self.at) or self.at
        return self.text.names(self.at, end)

    def free(self, name: str) -> str:
        """The name, or one like it, that the function does not use."""
        taken = {*self.text.names(self.function.open, self.function.close),
                 *(p.name for p in self.function.parameters)}
        return next(word for word in [name, *(f"{name}_{n}" for n in range(2, 1000))]
                    if word not in taken)

    def at_start(self, statement: str) -> Change:
        """A statement before all others of the function."""
        text, first = self.text, self.function.open + 1
        start = text.words[self.function.open].end
        if text.line(first) == text.line(self.function.open):
            return start, start, f" {statement}"
        return start, start, f"\n{text.indent(first)}{statement}"

    def before_loop(self, statement: str) -> Change | None:
        if not (self.loop and self.text.is_statement(self.loop.first)):
            return None
        start = self.text.words[self.loop.first].start
        return start, start, f"{statement}\n{self.text.indent(self.loop.first)}"


def listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def restrict(place: Place) -> Iterator[Edit]:
    """All pointer parameters of the loop; the parts tell which of them suffice."""
    used = set(place.used())
    parts = []
    for parameter in place.function.parameters:
        if parameter.is_pointer and parameter.name in used and not any(
                "restrict" in word for word in parameter.words):
            start = place.text.words[parameter.at].start
            parts.append(Edit(
                "restrict", f"declare {parameter.name} {place.restrict}",
                f"no byte that is written through one pointer is reached through another while "
                f"{place.function.name} runs", [(start, start, place.restrict + " ")]))
    if parts:
        yield joined(parts)


def joined(parts: list[Edit]) -> Edit:
    """Several edits of one kind as one."""
    if len(parts) == 1:
        return parts[0]
    verb = parts[0].title.split()[0]
    names = [part.title.split()[1] for part in parts]
    tail = " ".join(parts[0].title.split()[2:])
    return Edit(parts[0].kind, f"{verb} {listed(names)} {tail}".rstrip(), parts[0].promise,
                [change for part in parts for change in part.changes],
                tuple(parts))


def with_milder(edits: list[Edit]) -> Edit:
    """The last of proposals that promise more and more, which knows the others."""
    edits[-1].milder = tuple(edits[:-1])
    return edits[-1]


def assume_aligned(place: Place) -> Iterator[Edit]:
    used = set(place.used())
    pointers = [p for p in place.function.parameters if p.is_pointer and p.name in used]
    edits = []
    for bytes_ in ALIGNMENTS if pointers else ():
        parts = []
        for p in pointers:
            kind = " ".join(word for word in p.words[:-1] if "restrict" not in word)
            cast = "" if place.is_c else f"({kind.replace(' *', '*')})"
            parts.append(Edit(
                "aligned", f"assume {p.name} to be a multiple of {bytes_}",
                f"the address is a multiple of {bytes_} in every call",
                [place.at_start(f"{p.name} = {cast}__builtin_assume_aligned({p.name}, "
                                f"{bytes_});")]))
        edits.append(joined(parts))
    if edits:
        yield with_milder(edits)


def condition(place: Place) -> tuple[int, int] | None:
    """Words of the loop's condition."""
    if not place.loop:
        return None
    return place.loop.parts[1] if place.loop.keyword == "for" else place.loop.parts[0]


def sides(place: Place) -> list[tuple[int, int]]:
    """Both sides of the comparison that the loop ends at."""
    found = condition(place)
    for sign in COMPARES if found else ():
        parts = place.text.split(*found, sign)  # type: ignore[misc]
        if len(parts) == 2:
            return parts
    return []


def changed_names(place: Place) -> set[str]:
    """Names that the loop assigns to, counts, or declares."""
    loop, text = place.loop, place.text
    names = set()
    for at in range(loop.first, loop.end) if loop else ():
        if text.words[at].kind == "name" and (
                text.says(at + 1, "++", "--", *ASSIGNS) or text.says(at - 1, "++", "--")):
            names.add(text.words[at].text)
    return names


def bound(place: Place) -> Iterator[Edit]:
    """Upper limits for each integer that the loop's condition compares."""
    names = set(place.text.names(*condition(place))) if condition(place) else set()
    return bounds_of(place, lambda name: name in names)


def start_bound(place: Place) -> Iterator[Edit]:
    """The same for other integers: what a sum starts from."""
    names = set(place.text.names(*condition(place))) if condition(place) else set()
    return bounds_of(place, lambda name: name not in names)


def bounds_of(place: Place, passes: Callable[[str], bool]) -> Iterator[Edit]:
    for parameter in place.function.parameters:
        name = parameter.name
        if passes(name) and not parameter.is_pointer:
            yield with_milder([
                Edit("bound", f"tell that {name} is {limit} at most",
                     f"{name} is never more than {limit}",
                     [place.at_start(f"if ({name} > {limit}) __builtin_unreachable();")])
                for limit in BOUNDS])


def wide_counter(place: Place) -> Iterator[Edit]:
    """An unsigned counter of the width of addresses, declared in the loop's head."""
    loop, text = place.loop, place.text
    if not loop or loop.keyword != "for":
        return
    start, end = loop.parts[0]
    equals = next((at for at in range(start, end) if text.says(at, "=")), end)
    names = [at for at in range(start, equals) if text.words[at].kind == "name"]
    if len(names) < 2 or names[-1] != equals - 1 or len(text.split(start, end, ",")) > 1 or any(
            text.words[at].kind != "name" for at in range(start, equals)):
        return
    kind = "size_t" if any(w.text == "size_t" for w in text.words) else "unsigned long"
    name, old = text.words[names[-1]].text, text.between(start, equals - 1)
    if old != kind:
        yield Edit("counter", f"count {name} in {kind} rather than in {old}",
                   f"what {name} is compared with is not negative, and {name} was never meant to "
                   "wrap around",
                   [(text.words[start].start, text.words[equals - 2].end, kind)])


def chain_at(text: Text, at: int) -> int:
    """Index behind a.b->c, or `at` if no name stands here."""
    if text.words[at].kind != "name" or text.says(at - 1, ".", "->"):
        return at
    at += 1
    while text.says(at, ".", "->") and at + 1 < len(text.words):
        at += 2
    return at


Range = tuple[int, int]


def loaded_once(place: Place) -> list[tuple[str, str, list[Range]]]:
    """What a loop reads again and could hold: (name for it, text, each place of it)."""
    loop, text = place.loop, place.text
    if not loop:
        return []
    moves = changed_names(place)
    found: dict[str, list[Range]] = {}
    written = set()
    for at in range(loop.first, loop.end):
        if text.says(at, "*") and text.says(at - 1, "=", "(", "[", ";", *COMPARES):
            end = chain_at(text, at + 1)
        else:
            end = chain_at(text, at)
        one = end - at == 1
        if text.says(end, *ASSIGNS, "++", "--") or text.says(at - 1, "++", "--", "&"):
            written.add(text.between(at, end))
            continue
        if end <= at or text.says(end, "(") or is_type(text, at, end):
            continue
        names = text.names(at, end)
        if not names or set(names) & moves or one and is_local(place, names[0]):
            continue
        if any(at < other_end and other < end for places in found.values()
               for other, other_end in places):
            continue
        found.setdefault(text.between(at, end), []).append((at, end))
    return [(text.words[places[0][1] - 1].text, words, places)
            for words, places in found.items() if words not in written]


def is_type(text: Text, at: int, end: int) -> bool:
    """True for the first word of a declaration, and for what stands in a cast."""
    return end < len(text.words) and (
        text.says(end, "::") or text.says(at - 1, "::") or text.words[end].kind == "name"
        or text.words[at - 1].kind == "name"
        and text.words[at - 1].text not in ("return", "else", "do")
        or text.says(at - 1, "(") and text.says(end, ")") and text.words[at - 2].kind != "name")


def is_local(place: Place, name: str) -> bool:
    """True for a parameter, and for what the function declares: the compiler knows it."""
    if any(p.name == name for p in place.function.parameters):
        return True
    text = place.text
    return any(text.words[at].text == name and text.words[at - 1].kind == "name"
               or text.words[at].text == name and text.says(at - 1, "*")
               and text.says(at + 1, "=", ";") and text.words[at - 2].kind == "name"
               for at in range(place.function.open + 1, place.at))


def hoist(place: Place) -> Iterator[Edit]:
    """Values that are read again in each iteration, read once before the loop."""
    text = place.text
    parts = []
    kind = "__auto_type" if place.is_c else "auto"
    for name, words, places in loaded_once(place):
        name = place.free(name if "." in words or "->" in words else f"{name}_value")
        before = place.before_loop(f"{kind} {name} = {words};")
        if before:
            changes = [before]
            for start, end in places:
                changes.append((text.words[start].start, text.words[end - 1].end, name))
            parts.append(Edit("hoist", f"read {words} once, before the loop",
                              "nothing changes it while the loop runs", changes))
    if parts:
        yield joined(parts)


def const_table(place: Place) -> Iterator[Edit]:
    """Arrays of this file that have their values written out."""
    text = place.text
    used = set(place.used())
    depth_ends = -1
    for at, word in enumerate(text.words):
        if at < depth_ends:
            continue
        if word.text == "{" and at in text.partner and not text.says(at - 1, '"C"'):
            depth_ends = text.partner[at]
        if word.kind != "name" or word.text not in used or not text.says(at + 1, "["):
            continue
        behind = at + 1
        while text.says(behind, "[") and behind in text.partner:
            behind = text.partner[behind] + 1
        first = at
        while first > 0 and not text.says(first - 1, ";", "}", "{"):
            first -= 1
        declared = [w.text for w in text.words[first:at]]
        if text.says(behind, "=") and text.says(behind + 1, "{") and declared and \
                "const" not in declared:
            skip = next((n for n in range(first, at)
                         if not text.says(n, "static", "extern", "inline")), at)
            start = text.words[skip].start
            yield Edit("table", f"declare {word.text} const", "nothing writes to it",
                       [(start, start, "const ")])


LEAVES = ("break", "continue", "goto", "return", "case", "default")


def split_loop(place: Place) -> Iterator[Edit]:
    """The first or last statements of the body in a loop of their own."""
    loop, text = place.loop, place.text
    if not loop or loop.keyword != "for" or not text.is_statement(loop.first) or \
            not text.says(loop.body[0], "{") or loop.parts[0][0] == loop.parts[0][1]:
        return
    body = range(loop.body[0] + 1, loop.body[1] - 1)
    if any(text.says(at, *LEAVES) for at in body):
        return
    cuts, at = [], loop.body[0] + 1
    while at < loop.body[1] - 1:
        end = text.statement_end(at)
        if end is None:
            return
        at = end
        cuts.append(at)
    for cut in cuts[:-1]:
        head = text.between(loop.first, loop.body[0] + 1)
        start = text.words[cut - 1].end
        indent = text.indent(loop.first)
        yield Edit("split", "split the loop: " + headline(text, loop.body[0] + 1, cut) +
                   " and what follows it in loops of their own",
                   "no part reads what another one writes in a later iteration, and their order "
                   "does not matter", [(start, start, f"\n{indent}}}\n{indent}{head}")])


def headline(text: Text, start: int, end: int) -> str:
    words = " ".join(text.between(start, end).split())
    return words if len(words) <= 40 else words[:37] + "..."


Maker = Callable[[Place], Iterator[Edit]]
APART = (hoist, restrict)
# Makers of changes that may mend a fact with this code. The first asks the programmer for the
# smallest promise.
MAKERS: dict[str, tuple[Maker, ...]] = {
    "MLF1003": (restrict, hoist, wide_counter, bound), "MLF3003": (hoist, restrict, wide_counter),
    "MLF3006": (restrict,), "MLF2031": (restrict,), "MLF2022": (restrict,),
    "MLF1011": (restrict, hoist, wide_counter), "MLF1014": (restrict, hoist),
    "MLF1016": (restrict, hoist), "MLF1021": (restrict, hoist), "MLF1111": (restrict, hoist),
    "MLF2001": (hoist,), "MLF2002": (hoist,), "MLF2010": (hoist, restrict, wide_counter),
    "MLF2011": APART, "MLF2012": (split_loop, hoist), "MLF2013": (hoist, wide_counter),
    "MLF2014": (wide_counter, bound), "MLF2015": (split_loop,),
    "MLF2023": (restrict, split_loop), "MLF2024": APART, "MLF2025": APART, "MLF2032": APART,
    "MLF2060": (wide_counter, bound), "MLF2062": APART, "MLF2063": APART, "MLF2061": APART,
    "MLF2040": (split_loop,), "MLF2044": (const_table,), "MLF2101": (const_table,),
    "MLF2123": (const_table,), "MLF2125": (const_table,), "MLF2130": APART, "MLF2140": APART,
    "MLF2041": (bound,), "MLF2045": (start_bound,), "MLF2150": (restrict, split_loop),
    "MLF2151": (split_loop,),
    "MLF2191": (assume_aligned,), "MLF2203": (restrict,), "MLF3011": (assume_aligned,),
    "MLF3013": (assume_aligned, restrict), "MLF3050": (restrict, assume_aligned),
    "MLF3051": (bound,),
}


def proposals(place: Place, codes: list[str]) -> list[Edit]:
    """What may mend facts with these codes, each once, in the order in which it is tried."""
    makers = dict.fromkeys(maker for code in codes for maker in MAKERS.get(code, ()))
    return [edit for maker in makers for edit in maker(place)]


def apply(text: str, changes: list[Change]) -> str:
    """The text with all changes made; they do not overlap."""
    for start, end, new in sorted(changes, key=lambda c: (c[0], c[1]), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def fit(one: list[Change], other: list[Change]) -> bool:
    """True if both can be made in one text."""
    return not any(a[0] < b[1] and b[0] < a[1] for a in one for b in other)
