# terminal.py - a report for the terminal: a table for each file, or each loop with its proof.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain text that a script may read, and the same with colours and rules if a person looks on.

rich is used where it is installed and the output is a terminal; the words are the same.
"""
from __future__ import annotations

import os
import shutil
import textwrap
from typing import TextIO

from ..model import Fact, Loop, Report
from ..names import demangle
from ..source import Sources
from ..words import (
    NO_PLACE,
    advice,
    attention,
    folded,
    gain,
    holds,
    place,
    reason,
    sentence,
    summary,
    times,
    where,
)

COLUMNS = ("line", "function", "idiom", "decision", "code", "reason")
STYLES = {"kept": "yellow", "guarded": "cyan", "lowered": "green", "inlined": "green",
          "offloaded": "green", "already": "dim", "failed": "red", "proved": "green",
          "assumed": "cyan", "lost": "red", "gained": "green", "changed": "yellow"}
# Columns that a reason needs to be read, and those that the others take without the function.
REASON_WIDTH = 40
FIXED_WIDTH = 40
# Rows of one file beyond which a table is wrapped by hand: rich measures every cell twice.
MANY = 2000


def row(loop: Loop, names: dict[str, str], ranked: bool) -> tuple[str, ...]:
    """Cells of a table; in one that is ranked, with the file and what ranks the loop."""
    function = names.get(loop.function, loop.function)
    if loop.copies:
        function += f" (+{len(loop.copies)})"
    at = f"{loop.file}:{place(loop)}" if ranked else place(loop)
    heat = f" [hotness {loop.hotness:,}]" if ranked and loop.hotness >= 0 else ""
    cycles = loop.gain()
    heat += f" [gain {cycles:,.0f}]" if ranked and cycles is not None else ""
    return (at, function, loop.idiom or "none", loop.decision, loop.code,
            reason(loop) + times(loop) + heat)


def shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[:width - 3] + "..."


class Plain:
    """Aligned columns, no colour; long reasons wrap under themselves."""

    def __init__(self, stream: TextIO, width: int):
        self.stream = stream
        self.width = width

    def line(self, text: str = "", style: str = "") -> None:
        del style
        self.stream.write(text + "\n")

    def table(self, rows: list[tuple[str, ...]]) -> None:
        function_width = min(32, max(16, self.width - REASON_WIDTH - FIXED_WIDTH))
        rows = [(r[0], shorten(r[1], function_width), *r[2:]) for r in rows]
        widths = [max(len(COLUMNS[i]), *(len(r[i]) for r in rows)) for i in range(5)]
        left = 2 + sum(widths) + 2 * 5
        # A narrow terminal breaks lines itself rather than getting a column of single words.
        room = max(self.width - left, REASON_WIDTH // 2)
        for cells in (COLUMNS, *rows):
            text = "  " + "".join(f"{c:{w}}  " for c, w in zip(cells, widths))
            if len(cells[5]) > room:
                text = textwrap.fill(cells[5], room + left, initial_indent=text,
                                     subsequent_indent=" " * left, break_on_hyphens=False)
                self.stream.write(text + "\n")
            else:
                self.stream.write((text + cells[5]).rstrip() + "\n")


class Rich:
    """Print words with colours and a rule under the heading."""

    def __init__(self, console):
        self.console = console
        self.width = console.width

    def line(self, text: str = "", style: str = "") -> None:
        self.console.print(text, style=style or None, markup=False, highlight=False,
                           soft_wrap=True)

    def table(self, rows: list[tuple[str, ...]]) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text
        if len(rows) > MANY:
            Plain(self.console.file, self.width).table(rows)
            return
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for name in COLUMNS:
            table.add_column(name, overflow="fold", no_wrap=name in ("line", "idiom", "code"))
        for cells in rows:
            table.add_row(*(Text(c, style=STYLES.get(c, "")) for c in cells))
        self.console.print(table)


Out = Plain | Rich


def printer(stream: TextIO, colour: str) -> Out:
    """colour: always, never, or auto: a terminal, and NO_COLOR is not set."""
    wanted = colour == "always" or (colour == "auto" and stream.isatty()
                                    and not os.environ.get("NO_COLOR"))
    width = shutil.get_terminal_size((100, 24)).columns
    if wanted:
        try:
            from rich.console import Console
            return Rich(Console(file=stream, force_terminal=True, width=width))
        except ImportError:
            pass
    return Plain(stream, width)


def show_fact(out: Out, index: int, fact: Fact) -> None:
    code = f" [{fact.code}]" if fact.code and fact.code not in fact.name else ""
    out.line(f"  {index:2}. {fact.verdict:9} {fact.name}{code}", STYLES.get(fact.verdict, ""))
    pairs = [("need", fact.need), ("have", fact.have)]
    for key, value in pairs + [("evidence", e) for e in fact.evidence]:
        if value:
            out.line(f"        {key + ':':9} {value}")


def show_source(out: Out, loop: Loop, sources: Sources) -> None:
    """The loop's line, and the next if the statement goes on there."""
    lines = sources.lines(loop.file) if loop.line else None
    for number in (loop.line, loop.line + 1):
        if lines and number <= len(lines) and lines[number - 1].strip():
            out.line(f"  {number:5} | {lines[number - 1].expandtabs(4).rstrip()}", "dim")


def show_loop(out: Out, loop: Loop, names: dict[str, str], sources: Sources, whole: bool) -> None:
    """A loop with its proof. Facts that hold are one line, unless `whole`: then in proof order."""
    out.line(f"{where(loop)}: {names.get(loop.function, loop.function)}: {loop.idiom or 'none'} "
             f"{loop.decision} [{loop.code} {loop.name}]{times(loop)}",
             STYLES.get(loop.decision, ""))
    out.line(f"  {sentence(loop)}")
    show_source(out, loop, sources)
    if loop.copies:
        also = ", ".join(names.get(name, name) for name in loop.copies)
        out.line(f"  also inlined into: {also}")
    fine = [] if whole else holds(loop)
    if fine:
        out.line(f"  holds:    {folded(fine, out.width - 12)}", STYLES["proved"])
    chain = loop.facts if whole else attention(loop)
    numbers = {id(fact): index for index, fact in enumerate(loop.facts, 1)}
    for fact in chain:
        show_fact(out, numbers[id(fact)], fact)
    for key, value in loop.extra if whole else ():
        out.line(f"  {key}: {value}")
    if loop.hotness >= 0 or loop.value("GainModel") or loop.gain() is not None:
        heat = f", hotness {loop.hotness:,}" if loop.hotness >= 0 else ""
        out.line(f"  gain: {gain(loop)}{heat}")
    for text in loop.suggestions:
        out.line(f"  suggestion: {text}")
    for code, text in advice(loop):
        out.line(f"  advice ({code}): {text}")
    if loop.loop_id:
        out.line(f"  loop id: {loop.loop_id}")
    out.line()


def render(report: Report, stream: TextIO, sources: Sources, verbose: int = 0,
           colour: str = "auto", ranked: bool = False) -> None:
    """verbose: 0 a table, 1 each loop with what holds folded, 2 with every fact."""
    out = printer(stream, colour)
    names = demangle(loop.function for loop in report.loops)
    if verbose:
        for loop in report.loops:
            show_loop(out, loop, names, sources, verbose > 1)
    elif ranked:
        out.table([row(loop, names, True) for loop in report.loops])
        out.line()
    else:
        for file, loops in report.files.items():
            out.line(file or NO_PLACE, "bold")
            out.table([row(loop, names, False) for loop in loops])
            out.line()
    for text in summary(report):
        out.line(text)
