# alignment.py - calls of memset, memcpy and memmove by size, proved alignment and what they became.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls counted as ARC's Linux port counted its own in 2012: of the memset calls written in the
source, how many have a constant size that is a multiple of 4 and a destination that is proved to
be 4-aligned, and are words in place of the call.

Compilers make such calls too, of initialisers and loops. They are told apart by the source, where
that can be read: where a call was written, the name of the operation stands at the remark's place,
or of a macro that calls it. A place counts once, however often what stands there was copied: with
the worst that became of it.
"""
import collections
import os
import re
from dataclasses import dataclass

OPERATIONS = ("memset", "memcpy", "memmove", "assignment")
SIZES = ((8, "1-8"), (64, "9-64"), (256, "65-256"), (4096, "257-4096"))
ALIGNMENTS = (1, 2, 4, 8)
CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
MEM = re.compile(r"mem(?:set|cpy|move)")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(([^\n]*)", re.M)
LARGEST = 256  # bytes that words are made of; what is larger is a call anywhere
# Names that may stand for themselves: a word of memset or a line of a loop is made by the compiler.
WRITTEN, MADE, UNKNOWN = "written", "made", "unknown"


@dataclass
class Call:
    operation: str
    place: str
    function: str
    size: int  # -1: not constant
    destination: int
    source: int  # 0: there is none
    words: str  # memlift, compiler or none; older records have no
    why: str
    origin: str
    times: int

    @property
    def align(self):
        return min(self.destination, self.source or self.destination)

    def counted(self):
        """Tell whether it has a constant size that is a multiple of 4, and 4-aligned."""
        return self.size > 0 and self.size % 4 == 0 and self.align >= 4

    def in_line(self):
        return self.words not in ("none", "no")

    def served(self):
        """As ARC counted them: proved, and words unless it is too large for any."""
        return self.counted() and (self.in_line() or self.size > LARGEST)


class Sources:
    """Lines of source files, relative to one of some folders; macros of headers below others."""

    def __init__(self, folders, headers):
        self.folders = folders
        self.headers = headers
        self.files = {}
        self.callers = None  # macros of headers that call one of the operations

    def lines(self, name):
        if name not in self.files:
            self.files[name] = None
            for folder in self.folders:
                try:
                    with open(os.path.join(folder, name), encoding="utf-8",
                              errors="replace") as stream:
                        self.files[name] = stream.read().split("\n")
                        break
                except OSError:
                    continue
        return self.files[name]

    def header_macros(self):
        if self.callers is None:
            self.callers = set()
            for folder in self.headers:
                for path, _, names in os.walk(folder):
                    for name in names:
                        if name.endswith((".h", ".hpp")):
                            self.callers |= macros_of(os.path.join(path, name))
        return self.callers

    def calls_one(self, name, word):
        """Is it one of the operations, or a macro of one?"""
        if MEM.search(word):
            return True
        inside = macros_in("\n".join(self.lines(name)))
        return word in inside or word in self.header_macros()

    def origin(self, name, line, column):
        lines = self.lines(name) if name and line else None
        if not lines or line > len(lines) or not column:
            return UNKNOWN
        # Clang counts bytes and GCC too, unless told otherwise; tabs are one.
        call = CALL.match(lines[line - 1][column - 1:])
        return WRITTEN if call and self.calls_one(name, call.group(1)) else MADE


def macros_in(text):
    """Names of macros that call one of the operations."""
    if not MEM.search(text):
        return set()
    return {found.group(1) for found in MACRO.finditer(text.replace("\\\n", " "))
            if MEM.search(found.group(2))}


def macros_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return macros_in(stream.read())
    except OSError:
        return set()


def number(text):
    return int(text) if text.isdigit() else -1


def call_of(loop, sources):
    """The remark's call; None if it is no call, or one that may not be touched."""
    extra = dict(loop.extra)
    if extra.get("Operation") not in OPERATIONS or "Bytes" not in extra:
        return None
    failed = [f"{fact.name}: need {fact.need}, have {fact.have}" +
              "".join(f", {words}" for words in fact.evidence) for fact in loop.failed()]
    origin = MADE if extra["Operation"] == "assignment" else sources.origin(
        loop.file, loop.line, loop.column)
    place = f"{loop.file}:{loop.line}:{loop.column}" if loop.line else loop.loop_id
    return Call(extra["Operation"], place, loop.function, number(extra["Bytes"]),
                number(extra.get("DestinationAlign", "1")),
                max(number(extra.get("SourceAlign", "0")), 0), extra.get("Words", "none"),
                "; ".join(failed), origin, loop.times)


def size_class(size):
    if size < 0:
        return "not constant"
    return next((name for most, name in SIZES if size <= most), "more")


def align_class(align):
    return max(a for a in ALIGNMENTS if a <= max(align, 1))


def calls_of(report, folders, headers=()):
    sources = Sources(folders, headers)
    calls = (call_of(loop, sources) for loop in report.loops)
    return [call for call in calls if call]


def totals(calls):
    """Numbers of one operation, as the report and its JSON form give them."""
    counted = [c for c in calls if c.counted()]
    return {
        "calls": len(calls),
        "constant": sum(c.size >= 0 for c in calls),
        "multiple_of_4_and_aligned_4": len(counted),
        "and_in_line": sum(c.in_line() for c in counted),
        "words_by_memlift": sum(c.words == "memlift" for c in calls),
        "words_by_compiler": sum(c.words == "compiler" for c in calls),
    }


def places(calls):
    """Numbers of one operation by places in the source."""
    grouped = collections.defaultdict(list)
    for call in calls:
        grouped[call.place].append(call)
    at = list(grouped.values())
    return {
        "places": len(at),
        "constant": sum(all(c.size >= 0 for c in p) for p in at),
        "multiple_of_4": sum(all(c.size > 0 and c.size % 4 == 0 for c in p) for p in at),
        "and_aligned_4": sum(all(c.counted() for c in p) for p in at),
        "and_in_line_up_to_256": sum(all(c.served() for c in p) for p in at),
    }


def table(calls):
    """{size class: {alignment: calls}}, in order, without empty rows."""
    rows = collections.OrderedDict((name, collections.Counter())
                                   for name in [n for _, n in SIZES] + ["more", "not constant"])
    for call in calls:
        rows[size_class(call.size)][align_class(call.align)] += 1
    return {name: row for name, row in rows.items() if row}


def as_data(calls):
    """Build the object that --json prints."""
    operations = {}
    for name in OPERATIONS:
        mine = [c for c in calls if c.operation == name]
        if mine:
            by = {origin: totals([c for c in mine if c.origin == origin])
                  for origin in (WRITTEN, MADE, UNKNOWN) if any(c.origin == origin for c in mine)}
            operations[name] = {
                "all": totals(mine), "by_origin": by,
                "written_places": places([c for c in mine if c.origin == WRITTEN]),
                "table": {row: {str(a): n for a, n in sorted(cells.items())}
                          for row, cells in table(mine).items()}}
    return {
        "version": 1,
        "operations": operations,
        "calls": [{"operation": c.operation, "place": c.place, "function": c.function,
                   "bytes": c.size if c.size >= 0 else None,
                   "destination_align": c.destination, "source_align": c.source or None,
                   "words": c.words, "origin": c.origin, "why": c.why} for c in calls]}
