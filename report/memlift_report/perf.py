# perf.py - hotness from samples: the text of `perf script` onto loops, by file and line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples of perf, counted where loops stand.

`perf script -F ip,sym,srcline` prints a sample as lines that are indented: an address with its
function, and below it the file and line that debug information has for it, which is that of the
innermost inlined function. With call chains (perf record -g) callers follow, the nearest first, and
inlined ones as far as perf knows them. A sample counts for the first of these places that lies in a
loop of the report: so a loop has the time of what it calls, too.

A loop reaches from its first line to the last of its body, where the source is at hand, and else to
the last line that its proof names.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import ReportError
from .model import Loop
from .names import demangle
from .source import Sources

FRAME = re.compile(r"^\s+([0-9a-f]+)\s+(.*?)(?:\+0x[0-9a-f]+)?(?:\s+\(.*\))?$")
PLACE = re.compile(r"^\s{2}(\S.*):(\d+)(?:\s+\(discriminator \d+\))?$")
PERIOD = re.compile(r"\s(\d+)\s+\S+:\s*$")
EVIDENCE = re.compile(r"\bline (\d+):\d+")

Place = tuple[str, str, int]  # function, file, line


@dataclass(slots=True)
class Sample:
    places: list[Place]  # innermost first
    weight: int = 1


def samples_of(path: str) -> Iterator[Sample]:
    """Samples of a file that perf script wrote, each with the places that have a line."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = stream.read().split("\n")
    except OSError as error:
        raise ReportError(f"'{path}' cannot be read: {error.strerror} [MLF0007]") from None
    sample, function, begun = Sample([]), "", False
    for line in [*lines, ""]:
        place = PLACE.match(line)
        frame = FRAME.match(line)
        if not line.strip():
            if begun:
                yield sample
            sample, begun = Sample([]), False
        elif place and begun:
            sample.places.append((function, place.group(1), int(place.group(2))))
        elif frame:
            function, begun = frame.group(2), True
        elif not line[0].isspace():
            if begun:
                yield sample
            period = PERIOD.search(line)
            sample, begun = Sample([], int(period.group(1)) if period else 1), False


def last_line(loop: Loop, sources: Sources, texts: dict) -> int:
    """Last line of the loop, as the source has it, or its proof."""
    from .suggest.ctext import Text
    if loop.file not in texts:
        lines = sources.lines(loop.file)
        texts[loop.file] = Text("\n".join(lines)) if lines else None
    text = texts[loop.file]
    found = text.loop_at(loop.line, loop.column) if text and not loop.value("Operation") else None
    if found:
        return max(text.line(found.end - 1), loop.line)
    return max([loop.line, *(int(number) for fact in loop.facts for words in fact.evidence
                             for number in EVIDENCE.findall(words))])


def same_file(one: str, other: str) -> bool:
    """True if both may be names of one file: the shorter is how the longer ends."""
    a, b = os.path.normpath(one).split(os.sep), os.path.normpath(other).split(os.sep)
    count = min(len(a), len(b))
    return a[-count:] == b[-count:]


class Places:
    """Which loop a file and line lies in."""

    def __init__(self, loops: list[Loop], sources: Sources):
        self.by_name: dict[str, list[tuple[int, int, Loop]]] = {}
        self.known: dict[Place, Loop | None] = {}
        self.names = demangle(loop.function for loop in loops)
        texts: dict = {}
        for loop in loops:
            if loop.line:
                self.by_name.setdefault(os.path.basename(loop.file), []).append(
                    (loop.line, last_line(loop, sources, texts), loop))

    def loop_at(self, place: Place) -> Loop | None:
        """The innermost loop; of several copies that of the sample's own function."""
        if place not in self.known:
            function, file, line = place
            here = [(last - first, not self.is_of(loop, function), number, loop)
                    for number, (first, last, loop) in enumerate(
                        self.by_name.get(os.path.basename(file), ()))
                    if first <= line <= last and same_file(file, loop.file)]
            self.known[place] = min(here, key=lambda found: found[:3])[3] if here else None
        return self.known[place]

    def is_of(self, loop: Loop, symbol: str) -> bool:
        """True if the loop stands in this function; perf demangles, and writes no parameters."""
        plain = loop.function.split(".")[0]
        name = self.names.get(loop.function, plain)
        return symbol in (loop.function, plain) or symbol.split("(")[0] == name.split("(")[0]


def apply(loops: list[Loop], paths: list[str], sources: Sources) -> tuple[int, int]:
    """Gives each loop the samples that lie in it; returns how many do, and of how many.

    Counts of a compiler's profile are replaced, as samples and iterations cannot be compared.
    """
    places = Places(loops, sources)
    for loop in loops:
        loop.hotness = 0
    hit = total = lines = 0
    for path in paths:
        for sample in samples_of(path):
            total += sample.weight
            lines += len(sample.places)
            loop = next((found for place in sample.places
                         if (found := places.loop_at(place))), None)
            if loop:
                loop.hotness += sample.weight
                hit += sample.weight
    names = ", ".join(f"'{path}'" for path in paths)
    if not total:
        raise ReportError(f"no sample in {names} [MLF0008]\n"
                          "write it with: perf script -F ip,sym,srcline >FILE")
    if not lines:
        raise ReportError(f"no sample of {names} has a line of the source [MLF0008]\n"
                          "compile with -g, and write it with: perf script -F ip,sym,srcline >FILE")
    if not hit:
        raise ReportError(f"no sample of {names} lies in a loop of these remarks [MLF0008]\n"
                          "likely cause: samples and remarks are of different sources, or all time "
                          "is spent in the routines: record call chains (perf record -g)")
    return hit, total
