# search.py - which proposal changes the decision: tries them, one file after another.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The search for changes that a compiler rewards.

Loops of a file are gone through in their order. A proposal is kept if the compiler, given a copy
with it and with all that was kept before, decides better on this loop and on no loop worse. So the
changes of a file hold together, as they are printed. What is made of several parts is reduced to
those that are needed.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..model import Loop
from .ctext import Text
from .edits import Edit, Place, apply, fit, proposals
from .recompile import Compiler

# The better, the more: as written, with a check, done, done by words in place of a call.
WORTH = {"kept": 0, "guarded": 1}
DONE, WORDS = 2, 3
ALIGNMENT = "MLF2191"
# Proposals that are tried for one loop, and how many may be combined.
MOST = 24


@dataclass(slots=True)
class Suggestion:
    """A change that was compiled, and what it did."""
    loop: Loop  # as it was
    now: Loop
    edits: list[Edit]
    before: str  # text of the file without it
    after: str


@dataclass(slots=True)
class Searched:
    """What came of one file."""
    suggestions: list[Suggestion] = field(default_factory=list)
    left: list[tuple[Loop, str]] = field(default_factory=list)  # loops without one, and why
    text: str = ""
    after: str = ""
    runs: int = 0
    through: str = ""  # the source file that a header was compiled through


def worth(loop: Loop) -> int:
    words = loop.value("Words") in ("memlift", "compiler")
    return WORTH.get(loop.decision, WORDS if words else DONE)


def may_gain(loop: Loop) -> bool:
    """True if a better decision is possible: also for a call that would be words if its addresses
    were known."""
    return worth(loop) < DONE or any(fact.code == ALIGNMENT for fact in loop.failed())


def moved_line(edits: list[Edit], text: Text, line: int) -> int:
    """Where a line is after changes that stand before its own words."""
    offset = text.offset(line)
    first = offset + len(text.text[offset:]) - len(text.text[offset:].lstrip(" \t"))
    shift = sum(new.count("\n") - text.text.count("\n", start, end)
                for edit in edits for start, end, new in edit.changes if start <= first)
    return line + shift


class FileSearch:
    """The search in one file."""

    def __init__(self, compiler: Compiler, text: str):
        self.compiler = compiler
        self.text = Text(text)
        self.loops: list[Loop] = []
        self.result = Searched(text=text, after=text)

    def run(self, wanted: Callable[[Loop], bool]) -> Searched:
        """Tries all loops that are kept or guarded and wanted."""
        loops = self.compiler.verdicts(self.text.text)
        if loops is None:
            raise OSError(self.compiler.complaint)
        self.loops = loops
        todo = [(loop.line, loop) for loop in sorted(loops, key=lambda l: (l.line, l.column))
                if may_gain(loop) and wanted(loop)]
        seen = set()
        for number, (line, loop) in enumerate(todo):
            if (line, loop.column) in seen:
                continue  # a copy of the function, or what was inlined: one text
            seen.add((line, loop.column))
            found = self.find(loop, line)
            if isinstance(found, str):
                self.result.left.append((loop, found))
                continue
            edits, after, verdicts = found
            later = todo[number + 1:]
            todo[number + 1:] = [(moved_line(edits, self.text, n), l) for n, l in later]
            self.keep(loop, self.extent(loop, line, edits), edits, after, verdicts)
        self.result.after = self.text.text
        self.result.runs = self.compiler.runs
        return self.result

    def keep(self, loop: Loop, lines: tuple[int, int], edits: list[Edit], after: str,
             verdicts: list[Loop]) -> None:
        now = max((l for l in verdicts
                   if l.function == loop.function and lines[0] <= l.line <= lines[1]), key=worth)
        self.result.suggestions.append(Suggestion(loop, now, edits, self.text.text, after))
        self.text = Text(after)
        self.loops = verdicts

    def place_of(self, loop: Loop, line: int) -> Place | None:
        text = self.text
        found = text.loop_at(line, loop.column) if loop.value("Operation") == "" else None
        start = text.offset(line) + max(loop.column - 1, 0)
        at = found.first if found else next(
            (n for n, word in enumerate(text.words) if word.end > start), 0)
        function = text.function_at(at)
        if not function or at == 0:
            return None
        return Place(text, function, found, at, self.compiler.command.is_c,
                     self.compiler.command.restrict)

    def find(self, loop: Loop, line: int) -> tuple[list[Edit], str, list[Loop]] | str:
        """Edits that help this loop, the text with them and what is decided then; or why not."""
        place = self.place_of(loop, line)
        if place is None:
            return "its text was not understood"
        codes = list(dict.fromkeys([fact.code for fact in loop.facts if fact.code and
                                    fact.verdict in ("failed", "guarded")] + [loop.code]))
        tried = proposals(place, codes)[:MOST]
        if not tried:
            return "no change of the source is known for " + ", ".join(codes)
        for edits in [*trials(tried), *together(tried)]:
            verdicts = self.helps(loop, line, edits)
            if verdicts is None:
                continue
            for milder in edits[0].milder if len(edits) == 1 else ():
                found = self.helps(loop, line, [milder])
                if found is not None:
                    edits, verdicts = [milder], found
                    break
            return self.reduced(loop, line, edits, verdicts)
        return "nothing that was tried changes the decision"

    def helps(self, loop: Loop, line: int, edits: list[Edit]) -> list[Loop] | None:
        """What is decided with these edits, if that is better for the loop and worse for none."""
        after = apply(self.text.text, [c for edit in edits for c in edit.changes])
        verdicts = self.compiler.verdicts(after)
        if verdicts is None:
            return None
        first, last = self.extent(loop, line, edits)
        now: dict[tuple[str, int], int] = {}
        for function, at, value in ((l.function, l.line, worth(l)) for l in verdicts):
            key = function, first if first <= at <= last else at
            now[key] = max(now.get(key, 0), value)
        for other in self.loops:
            at = moved_line(edits, self.text, other.line)
            if now.get((other.function, first if first <= at <= last else at), 0) < worth(other):
                return None
        return verdicts if now.get((loop.function, first), 0) > worth(loop) else None

    def extent(self, loop: Loop, line: int, edits: list[Edit]) -> tuple[int, int]:
        """Lines between which the loop's remarks may stand after the edits: a compiler may name the
        line of a store, where it made the loop a call by itself. A loop in this one has its own."""
        found = self.text.loop_at(line, loop.column) if not loop.value("Operation") else None
        first = moved_line(edits, self.text, line)
        if found is None or any(found.first < other.first < found.end
                                for other in self.text.loops()):
            return first, first
        return first, moved_line(edits, self.text, self.text.line(found.end - 1))

    def reduced(self, loop: Loop, line: int, edits: list[Edit],
                verdicts: list[Loop]) -> tuple[list[Edit], str, list[Loop]]:
        """The same with as few parts as suffice, the last left out first."""
        parts = [part for edit in edits for part in (edit.parts or (edit,))]
        for part in reversed(parts[:] if len(parts) > 1 else []):
            fewer = [other for other in parts if other is not part]
            found = self.helps(loop, line, fewer) if fewer else None
            if found is not None:
                parts, verdicts = fewer, found
        after = apply(self.text.text, [c for edit in parts for c in edit.changes])
        return parts, after, verdicts


def trials(tried: list[Edit]) -> list[list[Edit]]:
    """Each proposal, and then its parts: one of them may be what does not compile."""
    return [[edit] for whole in tried for edit in (whole, *whole.parts)]


def together(tried: list[Edit]) -> list[list[Edit]]:
    """The first proposals of each kind at once, for a loop with several reasons."""
    chosen: list[Edit] = []
    for edit in tried:
        if all(edit.kind != other.kind and fit(edit.changes, other.changes) for other in chosen):
            chosen.append(edit)
    return [chosen] if len(chosen) > 1 else []


def name_of(loop: Loop) -> tuple[str, str]:
    """Function and number of a candidate, which do not depend on the folder of the build."""
    return loop.function, loop.loop_id.rpartition("#")[2]
