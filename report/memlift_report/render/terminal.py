# terminal.py - a report for the terminal: a table for each file, or each loop with its proof.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain text that a script may read, and the same with colours and rules if a person looks on.

rich is used where it is installed and the output is a terminal; the words are the same.
"""
import os
import re
import shutil
import subprocess
import textwrap

from .. import explain
from ..model import DECISIONS

COLUMNS = ("line", "function", "idiom", "decision", "code", "reason")
STYLES = {"kept": "yellow", "guarded": "cyan", "lowered": "green", "inlined": "green",
          "offloaded": "green", "already": "dim", "failed": "red", "proved": "green"}
NO_PLACE = "(no source location; compile with -g or -gline-tables-only)"
# Columns that a reason needs to be read, and those that the others take without the function.
REASON_WIDTH = 40
FIXED_WIDTH = 40


def demangle(names):
    """C++ names as people write them, where c++filt is installed."""
    mangled = sorted({name for name in names if name.startswith("_Z")})
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt-22")
    if not mangled or not tool:
        return {}
    run = subprocess.run([tool], input="\n".join(mangled), capture_output=True, text=True,
                         check=False)
    plain = run.stdout.split("\n")
    return dict(zip(mangled, plain)) if run.returncode == 0 else {}


def reason(loop):
    """One line: the first fact that failed, or what was done."""
    failed = loop.failed()
    if failed:
        first = failed[0]
        # The remark's own code may be the decision's; the first failed fact is the reader's.
        text = explain.text_of(first.code or loop.code) or first.name
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return text + more
    # The code has a column of its own.
    return re.sub(r" \[MLF\d{4}\]", "", sentence(loop))


def sentence(loop):
    """Message of the compiler; else the code's text, with its blanks marked as such."""
    text = loop.message or explain.text_of(loop.code) or loop.name
    return re.sub(r"\{(\w+)\}", r"<\1>", text)


def place(loop):
    return f"{loop.line}:{loop.column}" if loop.line else "?"


def row(loop, names):
    times = f" [x{loop.times}]" if loop.times > 1 else ""
    function = names.get(loop.function, loop.function)
    return (place(loop), function, loop.idiom or "none", loop.decision, loop.code,
            reason(loop) + times)


def shorten(text, width):
    return text if len(text) <= width else text[:width - 3] + "..."


def counts(title, counter, order=()):
    names = [n for n in order if counter[n]] + sorted(n for n in counter if n not in order)
    return f"{title}: " + ", ".join(f"{counter[n]} {n}" for n in names)


def summary(report):
    total = len(report.loops)
    lines = [f"{total} loop{'s' * (total != 1)} in {len(report.files)} "
             f"file{'s' * (len(report.files) != 1)}",
             counts("decisions", report.decisions, DECISIONS), counts("idioms", report.idioms)]
    if report.repeats:
        lines.append(f"{report.repeats} repeated remark{'s' * (report.repeats != 1)} folded")
    return lines


class Plain:
    """Aligned columns, no colour; long reasons wrap under themselves."""

    def __init__(self, stream, width):
        self.stream = stream
        self.width = width

    def line(self, text="", style=""):
        del style
        self.stream.write(text + "\n")

    def table(self, rows):
        function_width = min(32, max(16, self.width - REASON_WIDTH - FIXED_WIDTH))
        rows = [(r[0], shorten(r[1], function_width), *r[2:]) for r in rows]
        widths = [max(len(COLUMNS[i]), *(len(r[i]) for r in rows)) for i in range(5)]
        left = 2 + sum(widths) + 2 * 5
        for cells in (COLUMNS, *rows):
            text = "  " + "".join(f"{c:{w}}  " for c, w in zip(cells, widths))
            # A narrow terminal breaks lines itself rather than getting a column of single words.
            room = max(self.width - left, REASON_WIDTH // 2)
            self.line(textwrap.fill(cells[5], room + left, initial_indent=text,
                                    subsequent_indent=" " * left, break_on_hyphens=False))


class Rich:
    """Print words with colours and a rule under the heading."""

    def __init__(self, console):
        self.console = console

    def line(self, text="", style=""):
        self.console.print(text, style=style or None, markup=False, highlight=False,
                           soft_wrap=True)

    def table(self, rows):
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for name in COLUMNS:
            table.add_column(name, overflow="fold", no_wrap=name in ("line", "idiom", "code"))
        for cells in rows:
            table.add_row(*(Text(c, style=STYLES.get(c, "")) for c in cells))
        self.console.print(table)


def printer(stream, colour):
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


def show_fact(out, index, fact):
    code = f" [{fact.code}]" if fact.code and fact.code not in fact.name else ""
    out.line(f"  {index:2}. {fact.verdict:9} {fact.name}{code}", STYLES.get(fact.verdict, ""))
    pairs = [("need", fact.need), ("have", fact.have)]
    for key, value in pairs + [("evidence", e) for e in fact.evidence]:
        if value:
            out.line(f"        {key + ':':9} {value}")


def show_loop(out, loop, names):
    """A loop with its whole proof chain, in proof order."""
    where = f"{loop.file or '?'}:{place(loop)}"
    times = f" [x{loop.times}]" if loop.times > 1 else ""
    out.line(f"{where}: {names.get(loop.function, loop.function)}: {loop.idiom or 'none'} "
             f"{loop.decision} [{loop.code} {loop.name}]{times}", STYLES.get(loop.decision, ""))
    out.line(f"  {sentence(loop)}")
    for index, fact in enumerate(loop.facts, 1):
        show_fact(out, index, fact)
    for key, value in loop.extra:
        out.line(f"  {key}: {value}")
    for text in loop.suggestions:
        out.line(f"  suggestion: {text}")
    if not loop.suggestions and loop.decision in ("kept", "guarded"):
        failed = [fact.code for fact in loop.failed() if fact.code] or [loop.code]
        for code in dict.fromkeys(failed):
            if explain.advice_of(code):
                out.line(f"  advice ({code}): {explain.advice_of(code)}")
    if loop.loop_id:
        out.line(f"  loop id: {loop.loop_id}")
    out.line()


def render(report, stream, verbose=False, colour="auto"):
    out = printer(stream, colour)
    names = demangle(loop.function for loop in report.loops)
    for file, loops in report.files.items():
        if verbose:
            for loop in loops:
                show_loop(out, loop, names)
        else:
            out.line(file or NO_PLACE, "bold")
            out.table([row(loop, names) for loop in loops])
            out.line()
    for text in summary(report):
        out.line(text)
