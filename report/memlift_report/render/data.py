# data.py - reports as JSON, CSV and Markdown.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports as JSON (schema: schema/report.schema.json, checked by test/report), CSV and Markdown."""
from __future__ import annotations

import csv
import json
from typing import Any, TextIO

from .. import __version__
from ..model import DECISIONS, Loop, Report
from ..names import demangle
from ..words import NO_PLACE, advice, place, reason, sentence, summary, times

FORMAT = 1  # grows when a key changes its meaning; new keys may come at any time


def loop_data(loop: Loop, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": loop.identity(), "file": loop.file, "line": loop.line or None,
        "column": loop.column or None, "function": loop.function,
        "function_name": names.get(loop.function, loop.function),
        "also_in": list(loop.copies), "idiom": loop.idiom or "none", "decision": loop.decision,
        "code": loop.code, "name": loop.name, "kind": loop.kind, "message": sentence(loop),
        "reason": reason(loop), "times": loop.times,
        "hotness": loop.hotness if loop.hotness >= 0 else None, "gain_cycles": loop.gain(),
        "gain_model": loop.value("GainModel") or None,
        "facts": [{"name": f.name, "verdict": f.verdict, "code": f.code or None, "need": f.need,
                   "have": f.have, "evidence": list(f.evidence)} for f in loop.facts],
        "suggestions": list(loop.suggestions),
        "advice": [{"code": code, "text": text} for code, text in advice(loop)],
        "other": [{"key": key, "value": value} for key, value in loop.extra]}


def report_data(report: Report) -> dict[str, Any]:
    names = demangle(loop.function for loop in report.loops)
    return {
        "format": FORMAT, "tool": "memlift-report", "version": __version__,
        "summary": summary_data(report),
        "loops": [loop_data(loop, names) for loop in report.loops]}


def summary_data(report: Report) -> dict[str, Any]:
    codes: dict[str, int] = {}
    for loop in report.loops:
        for code in loop.codes():
            codes[code] = codes.get(code, 0) + 1
    return {
        "loops": len(report.loops), "files": len(report.files), "repeats": report.repeats,
        "decisions": {name: report.decisions[name] for name in DECISIONS},
        "idioms": dict(sorted(report.idioms.items())), "codes": dict(sorted(codes.items()))}


def dump(data: dict[str, Any], out: TextIO) -> None:
    json.dump(data, out, indent=1, ensure_ascii=False)
    out.write("\n")


CSV_COLUMNS = ("file", "line", "column", "function", "idiom", "decision", "code", "codes",
               "reason", "hotness", "gain_cycles", "times", "suggestions", "id")


def render_csv(report: Report, out: TextIO) -> None:
    """One line a loop, as RFC 4180 has it; lists are parted by a semicolon."""
    names = demangle(loop.function for loop in report.loops)
    writer = csv.writer(out)
    writer.writerow(CSV_COLUMNS)
    for loop in report.loops:
        gain = loop.gain()
        writer.writerow((
            loop.file, loop.line or "", loop.column or "",
            names.get(loop.function, loop.function), loop.idiom or "none", loop.decision,
            loop.code, ";".join(loop.codes()), reason(loop),
            loop.hotness if loop.hotness >= 0 else "", "" if gain is None else f"{gain:.0f}",
            loop.times, ";".join(loop.suggestions), loop.identity()))


def cell(text: str) -> str:
    """Text that stays within a cell of a Markdown table and is no markup there."""
    for special in "\\`*_<[|":
        text = text.replace(special, "\\" + special)
    return " ".join(text.split())


def code(text: str) -> str:
    """Text as code: nothing in it is markup, but for the bar that ends a cell."""
    text = " ".join(text.replace("|", "\\|").split())
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def render_markdown(report: Report, out: TextIO) -> None:
    names = demangle(loop.function for loop in report.loops)
    head, *rest = summary(report)
    out.write(f"# memlift: {head}\n\n" + "".join(f"- {line}\n" for line in rest))
    for file, loops in report.files.items():
        out.write(f"\n## {cell(file or NO_PLACE)}\n\n| line | function | idiom | decision | code | "
                  "reason | gain |\n|---:|---|---|---|---|---|---:|\n")
        for loop in loops:
            gain = loop.gain()
            out.write(f"| {place(loop)} | {code(names.get(loop.function, loop.function))} | "
                      f"{loop.idiom or 'none'} | {loop.decision} | {loop.code} | "
                      f"{cell(reason(loop) + times(loop))} | "
                      f"{'' if gain is None else f'{gain:,.0f}'} |\n")
