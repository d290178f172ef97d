# sarif.py - reports as SARIF 2.1.0, for code hosts and editors.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports as SARIF 2.1.0.

A rule is a code MLF####; its number never changes. A result's fingerprint is the loop's identity,
which does not hold a line, so that a viewer keeps what was said of a loop when lines move. A loop
that stays is a note, any other is informational: none of them is an error.

helpUri is a link where --help-uri names a place that has docs/reference; otherwise it is a name.
"""
from __future__ import annotations

import os
import urllib.parse
from typing import Any

from .. import __version__, explain
from ..model import Fact, Loop, Report
from ..names import demangle
from ..words import advice, attention, folded, gain, holds, sentence

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
REFERENCE = "diagnostics.md"
# As many as code hosts show of one run; they refuse a file with more than 25,000.
MOST_RESULTS = 5000
FINGERPRINT = "memliftLoop/v1"


def rule(code: str, home: str) -> dict[str, Any]:
    item = explain.codes().get(code, {})
    name = item.get("name", code)
    data: dict[str, Any] = {
        "id": code, "name": name,
        "shortDescription": {"text": item.get("text", code)},
        "fullDescription": {"text": " ".join(item.get("why", code).split()) or code},
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["performance", "optimization"]}}
    if item:
        data["help"] = {"text": f"{item['long']}\n\nwhat to do: {item['advice']}",
                        "markdown": markdown_of(item)}
        data["helpUri"] = (f"{home.rstrip('/')}/{REFERENCE}#{code.lower()}-{name.lower()}" if home
                           else f"urn:x-memlift:{code}")
    return data


def markdown_of(item: dict[str, str]) -> str:
    parts = [" ".join(item["why"].split())]
    error = item["severity"] == "Error"
    for key, title in (("bad", "Wrong" if error else "Kept"), ("good", "Right" if error
                                                               else "Lowered")):
        if item.get(key):
            parts.append(f"{title}:\n\n```{'sh' if error else 'c'}\n{item[key]}\n```")
    return "\n\n".join([*parts, f"What to do: {item['advice']}"])


def uri(path: str) -> dict[str, str]:
    """Place of a source: relative to the root of the tree where it can be."""
    if os.path.isabs(path):
        return {"uri": "file://" + urllib.parse.quote(path)}
    return {"uri": urllib.parse.quote(path), "uriBaseId": "SRCROOT"}


def fact_text(fact: Fact) -> str:
    code = f" [{fact.code}]" if fact.code else ""
    evidence = "".join(f"; {words}" for words in fact.evidence)
    return f"{fact.verdict}: {fact.name}{code}: need {fact.need}; have {fact.have}{evidence}"


def message(loop: Loop) -> str:
    lines = [sentence(loop)]
    lines += [fact_text(fact) for fact in attention(loop)]
    if fine := folded(holds(loop)):
        lines.append(f"holds: {fine}")
    lines += [f"suggestion: {text}" for text in loop.suggestions]
    lines += [f"advice ({code}): {text}" for code, text in advice(loop)]
    if loop.gain() is not None or loop.value("GainModel"):
        lines.append(f"gain: {gain(loop)}")
    return "\n".join(lines)


def result(loop: Loop, index: int, names: dict[str, str]) -> dict[str, Any]:
    kept = loop.decision == "kept"
    physical: dict[str, Any] = {"artifactLocation": uri(loop.file or "unknown")}
    if loop.line:
        physical["region"] = {"startLine": loop.line}
        if loop.column:
            physical["region"]["startColumn"] = loop.column
    data = {
        "ruleId": loop.code, "ruleIndex": index,
        # A kind that is no failure must have the level none.
        "kind": "fail" if kept else "informational", "level": "note" if kept else "none",
        "message": {"text": message(loop)},
        "locations": [{
            "physicalLocation": physical,
            "logicalLocations": [{"name": names.get(loop.function, loop.function),
                                  "decoratedName": loop.function, "kind": "function"}]}],
        "partialFingerprints": {FINGERPRINT: loop.identity()},
        "properties": {"idiom": loop.idiom or "none", "decision": loop.decision,
                       "times": loop.times}}
    if loop.hotness >= 0:
        data["properties"]["hotness"] = loop.hotness
    if loop.gain() is not None:
        data["properties"]["gainCycles"] = loop.gain()
    return data


def as_results(loops: list[Loop], rules: dict[str, int],
               names: dict[str, str]) -> list[dict[str, Any]]:
    results = [result(loop, rules[loop.code], names) for loop in loops]
    highest = max((loop.rank() for loop in loops), default=0)
    for loop, data in zip(loops, results):
        if highest > 0 and loop.hotness >= 0:
            data["rank"] = round(100 * loop.rank() / highest, 2)
    return results


def log_of(report: Report, most: int = MOST_RESULTS, home: str = "") -> dict[str, Any]:
    """`most` results at most, those first that are shown first; 0 is no limit."""
    loops = report.loops[:most] if most else report.loops
    names = demangle(loop.function for loop in loops)
    codes = sorted({loop.code for loop in loops})
    rules = {code: index for index, code in enumerate(codes)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "memlift", "semanticVersion": __version__,
                            "rules": [rule(code, home) for code in codes]}},
        "originalUriBaseIds": {"SRCROOT": {
            "description": {"text": "the folder where memlift-report ran"}}},
        "columnKind": "unicodeCodePoints",
        "results": as_results(loops, rules, names),
        "properties": {"loops": len(report.loops), "shown": len(loops)}}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
