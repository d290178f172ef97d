# html.py - the report as one file for a browser, which needs no network.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report as one file for a browser.

The table is in the file as it is, so that it can be read without scripts and printed. Proofs,
source and assembly are data, which templates/report.js shows when they are asked for. Texts that
occur many times, as those of facts do, are there once and are named by number.
"""
from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from typing import Any, TextIO

from .. import ReportError, __version__, explain
from ..assembly import Assembly
from ..diff import KINDS, MEANINGS, Change, changes_of
from ..model import DECISIONS, Loop, Report
from ..names import demangle
from ..source import Sources
from ..words import NO_PLACE, advice, attention, gain, place, reason, sentence, summary, times

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "templates")
# Lines about each loop, and the number of characters that all source may have with them.
CONTEXTS = ((None, 350_000), (12, 300_000), (5, 250_000), (2, 0))
MOST_ASSEMBLY = 200_000  # characters
BARS = 12


class Table:
    """Values by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        return self.numbers.setdefault(value, len(self.numbers))


def excerpt(lines: list[str], marks: list[int], context: int | None) -> list[list]:
    """[first line, lines] of each part of a file; the whole of it if `context` is None."""
    if context is None:
        return [[1, lines]]
    parts: list[list] = []
    for mark in sorted(set(marks)):
        first, last = max(1, mark - context), min(len(lines), mark + context + 1)
        if parts and first <= parts[-1][0] + len(parts[-1][1]):
            known = parts[-1][0] + len(parts[-1][1])
            parts[-1][1].extend(lines[known - 1:last])
        else:
            parts.append([first, lines[first - 1:last]])
    return parts


def sources_data(report: Report, sources: Sources) -> list[dict[str, Any]]:
    """Source of each file, whole if all is small enough, else what is around the loops."""
    files: list[dict[str, Any]] = []
    for context, most in CONTEXTS:
        files = []
        for name, loops in report.files.items():
            lines = sources.lines(name)
            marks = [loop.line for loop in loops if 0 < loop.line <= len(lines or ())]
            parts = excerpt([line.rstrip().expandtabs(4) for line in lines], marks, context) \
                if lines and marks else []
            files.append({"name": name or NO_PLACE, "parts": parts})
        size = sum(len(line) + 4 for f in files for _, lines in f["parts"] for line in lines)
        if size <= most:
            break
    return files


def loop_data(loop: Loop, strings: Table, facts: Table) -> dict[str, Any]:
    def number(text: str) -> int:
        return strings.number(text)
    data: dict[str, Any] = {
        "m": number(sentence(loop)), "l": loop.line, "i": loop.loop_id,
        "f": [facts.number((number(f.name), number(f.verdict), number(f.code), number(f.need),
                            number(f.have), *(number(e) for e in f.evidence)))
              for f in loop.facts]}
    if loop.value("GainModel") or loop.gain() is not None:
        data["g"] = number(gain(loop))
    if loop.suggestions:
        data["s"] = [number(text) for text in loop.suggestions]
    if told := advice(loop):
        data["a"] = [[code, number(text)] for code, text in told]
    if loop.copies:
        data["c"] = list(loop.copies)
    return data


def assembly_data(report: Report, folders: list[str]) -> dict[str, Any]:
    """Code of the loops' functions: by file and function, of each folder."""
    builds = [Assembly(folder) for folder in folders]
    found: dict[str, list[str]] = {}
    size = 0
    for loop in report.loops if builds else ():
        key = f"{loop.file}:{loop.function}"
        if key in found:
            continue
        codes = ["\n".join(build.code(loop.file, loop.function)) for build in builds]
        size += sum(map(len, codes))
        if size > MOST_ASSEMBLY:
            break
        found[key] = codes
    return found


def stacks(groups: dict[str, Counter]) -> list[dict[str, Any]]:
    """Bars of counts by decision, the longest first; widths in per cent of the longest."""
    order = sorted(groups, key=lambda name: (-sum(groups[name].values()), name))
    longest = max((sum(c.values()) for c in groups.values()), default=1)
    bars = []
    for name in order[:BARS]:
        at = 0.0
        pieces = []
        for decision in DECISIONS:
            count = groups[name][decision]
            if count:
                width = 100 * count / longest
                pieces.append({"decision": decision, "count": count, "x": round(at, 2),
                               "width": round(width, 2)})
                at += width
        bars.append({"name": name, "total": sum(groups[name].values()), "pieces": pieces,
                     "words": ", ".join(f"{p['count']} {p['decision']}" for p in pieces)})
    return bars


def by_file(report: Report) -> list[dict[str, Any]]:
    return stacks({name or NO_PLACE: Counter(l.decision for l in loops)
                   for name, loops in report.files.items()})


def by_idiom(report: Report) -> list[dict[str, Any]]:
    groups: dict[str, Counter] = {}
    for loop in report.loops:
        groups.setdefault(loop.idiom or "none", Counter())[loop.decision] += 1
    return stacks(groups)


def gains(report: Report) -> list[dict[str, Any]]:
    """hotness x gain by idiom, of what was done and of what a suggestion would do."""
    totals: dict[str, Counter] = {}
    for loop in report.loops:
        if loop.gain() is not None:
            part = "kept" if loop.decision == "kept" else "lowered"
            totals.setdefault(loop.idiom or "none", Counter())[part] += loop.rank()
    order = sorted(totals, key=lambda name: (-totals[name].total(), name))[:BARS]
    longest = max((totals[name].total() for name in order), default=0)
    return [{"name": name, "gain": f"{totals[name].total():,.0f}",
             "done": round(100 * totals[name]["lowered"] / longest, 2),
             "left": round(100 * totals[name]["kept"] / longest, 2),
             "words": f"{totals[name]['lowered']:,.0f} saved, {totals[name]['kept']:,.0f} by "
                      "suggestions"} for name in order if longest > 0]


def rows(report: Report, names: dict[str, str]) -> list[dict[str, Any]]:
    files = list(report.files)
    return [{"n": n, "file": loop.file or "(no place)", "k": files.index(loop.file),
             "place": place(loop) if loop.line else "", "line": loop.line, "function":
             names.get(loop.function, loop.function), "idiom": loop.idiom or "none",
             "decision": loop.decision, "code": loop.code, "reason": reason(loop) + times(loop),
             "copies": len(loop.copies), "rank": round(loop.rank()), "gain": loop.gain(),
             "hotness": loop.hotness if loop.hotness >= 0 else None}
            for n, loop in enumerate(report.loops)]


def compared(chosen: argparse.Namespace, report: Report,
             sources: Sources) -> list[dict[str, Any]]:
    """Changes from --before, by kind."""
    from ..commands import load
    from ..pair import items_of, pair
    if not chosen.before:
        return []
    pairs = pair(items_of(load(chosen.before).loops, sources), items_of(report.loops, sources))
    changes: list[Change] = changes_of(pairs)
    same = len(pairs) - len(changes)
    longest = max([1, *Counter(c.kind for c in changes).values()])
    kinds = [{"kind": kind, "meaning": MEANINGS[kind], "count": len(mine),
              "width": round(100 * len(mine) / longest, 2),
              "loops": [{"place": f"{i.path}:{i.loop.line}" if i.loop else i.path,
                         "function": i.function, "idiom": i.idiom,
                         "codes": ", ".join(i.codes)} for i in (c.item() for c in mine)]}
             for kind in KINDS if (mine := [c for c in changes if c.kind == kind])]
    return [{"same": same, "kinds": kinds}]


def embedded(data: Any) -> str:
    """JSON that may stand in a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--").replace(
        "\u2028", "\\u2028").replace("\u2029", "\\u2029")


def part(name: str) -> str:
    with open(os.path.join(HERE, name), encoding="utf-8") as stream:
        return stream.read()


def render(report: Report, out: TextIO, sources: Sources, chosen: argparse.Namespace) -> None:
    try:
        import jinja2
    except ImportError:
        raise ReportError("--format html needs Python's jinja2 (Debian: python3-jinja2)") from None
    names = demangle(loop.function for loop in report.loops)
    strings, facts = Table(), Table()
    loops = [loop_data(loop, strings, facts) for loop in report.loops]
    codes = {code for loop in report.loops
             for code in [*loop.codes(), *(fact.code for fact in attention(loop))]}
    data = {
        "loops": loops, "strings": list(strings.numbers), "facts": list(facts.numbers),
        "files": sources_data(report, sources), "names": names,
        "assembly": assembly_data(report, chosen.assembly),
        "codes": {code: explain.codes()[code]["long"] for code in sorted(codes)
                  if code in explain.codes()}}
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    template = environment.from_string(part("report.html.j2"))
    out.write(template.render(
        title=chosen.title or "Loops and what became of them", version=__version__,
        summary=summary(report), decisions=[(d, report.decisions[d]) for d in DECISIONS
                                            if report.decisions[d]],
        idioms=sorted(report.idioms), by_file=by_file(report), by_idiom=by_idiom(report),
        gains=gains(report), diff=compared(chosen, report, sources), rows=rows(report, names),
        more_files=max(len(report.files) - BARS, 0), files=list(report.files),
        hot=any(loop.hotness >= 0 for loop in report.loops),
        gained=any(loop.gain() is not None for loop in report.loops),
        css=part("report.css"), js=part("report.js"), data=embedded(data)))
    out.write("\n")
