# changes.py - what changed between two builds: for the terminal, as JSON and Markdown.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from typing import Any, TextIO

from .. import __version__
from ..diff import KINDS, MEANINGS, Change
from ..names import demangle
from ..pair import Item
from ..words import place, plural
from .data import FORMAT, cell, code
from .terminal import STYLES, Out, printer


def verdict_of(item: Item) -> str:
    codes = ",".join(item.codes) if item.codes else ""
    return f"{item.idiom} {item.decision}" + (f" [{codes}]" if codes else "")


def show_change(out: Out, change: Change, names: dict[str, str]) -> None:
    item = change.item()
    line = f":{place(item.loop)}" if item.loop else ""
    function = names.get(item.function, item.function)
    out.line(f"  {item.path}{line}: {function} #{item.series}{item.number}",
             STYLES.get(change.kind, ""))
    if change.kind == "moved" and change.old:
        out.line(f"      from {change.old.path}: "
                 f"{names.get(change.old.function, change.old.function)}")
    elif change.old and change.new:
        out.line(f"      was: {verdict_of(change.old)}")
        out.line(f"      now: {verdict_of(change.new)}")
    else:
        out.line(f"      {verdict_of(item)}")
    if change.kind in ("lost", "changed") and change.new and change.new.loop:
        for fact in change.new.loop.failed():
            have = f"have {fact.have}" + "".join(f" ({words})" for words in fact.evidence)
            out.line(f"      {fact.code}: {fact.name}: need {fact.need}, {have}")


def render_text(changes: list[Change], same: int, stream: TextIO, colour: str) -> None:
    out = printer(stream, colour)
    names = demangle(c.item().function for c in changes)
    for kind in KINDS:
        mine = [change for change in changes if change.kind == kind]
        if mine:
            out.line(f"{kind}: {plural(len(mine), 'loop')} ({MEANINGS[kind]})", "bold")
            for change in mine:
                show_change(out, change, names)
            out.line()
    if changes:
        told = ", ".join(f"{n} {kind}" for kind in KINDS
                         if (n := sum(c.kind == kind for c in changes)))
        out.line(f"{told}; {plural(same, 'loop')} without a change")
    else:
        out.line(f"no change in {plural(same, 'loop')}")


def item_data(item: Item | None) -> dict[str, Any] | None:
    if item is None:
        return None
    loop = item.loop
    return {"id": item.name(), "file": item.path, "function": item.function,
            "line": loop.line or None if loop else None, "idiom": item.idiom,
            "decision": item.decision, "codes": list(item.codes)}


def diff_data(changes: list[Change], same: int) -> dict[str, Any]:
    return {
        "format": FORMAT, "tool": "memlift-report", "version": __version__, "same": same,
        "counts": {kind: sum(c.kind == kind for c in changes) for kind in KINDS},
        "changes": [{"kind": c.kind, "old": item_data(c.old), "new": item_data(c.new)}
                    for c in changes]}


def render_markdown(changes: list[Change], same: int, out: TextIO) -> None:
    names = demangle(c.item().function for c in changes)
    counted = ", ".join(f"{n} {kind}" for kind in KINDS
                        if (n := sum(c.kind == kind for c in changes)))
    out.write(f"# memlift: {counted or 'no change'}; {same} without a change\n")
    if changes:
        out.write("\n| | file | function | was | now |\n|---|---|---|---|---|\n")
    for change in changes:
        item = change.item()
        verdicts = [f"{i.idiom} {i.decision} {','.join(i.codes)}" if i else "-"
                    for i in (change.old, change.new)]
        line = f":{item.loop.line}" if item.loop and item.loop.line else ""
        out.write(f"| {change.kind} | {cell(item.path)}{line} | "
                  f"{code(names.get(item.function, item.function))} | {cell(verdicts[0])} | "
                  f"{cell(verdicts[1])} |\n")
