# stats.py - counts of a report: by decision, idiom, code and file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from collections import Counter
from typing import TextIO

from .. import explain
from ..model import DECISIONS, Report
from ..words import NO_PLACE, summary

MOST_FILES = 30


def by_file(report: Report) -> dict[str, dict[str, int]]:
    return {file: dict(Counter(loop.decision for loop in loops))
            for file, loops in report.files.items()}


def table(head: list[str], rows: list[list[str]], out: TextIO) -> None:
    """Columns of numbers to the right, the last column of words to the left."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head) - 1)]
    for row in [head, *rows]:
        cells = [f"{cell:>{width}}" for cell, width in zip(row, widths)]
        out.write("  " + "  ".join([*cells, row[-1]]).rstrip() + "\n")
    out.write("\n")


def render(report: Report, out: TextIO) -> None:
    for line in summary(report):
        out.write(line + "\n")
    out.write("\n")
    idioms: dict[str, Counter] = {}
    for loop in report.loops:
        idioms.setdefault(loop.idiom or "none", Counter())[loop.decision] += 1
    table([*DECISIONS, "idiom"],
          [[str(found[d] or ".") for d in DECISIONS] + [idiom]
           for idiom, found in sorted(idioms.items())], out)
    codes = Counter(loop.code for loop in report.loops)
    table(["loops", "code", "meaning"],
          [[str(n), code, explain.text_of(code)] for code, n in codes.most_common()], out)
    files = by_file(report)
    worst = sorted(files, key=lambda f: (-files[f].get("kept", 0), -sum(files[f].values()), f))
    rows = [[str(files[f].get(d, 0) or ".") for d in DECISIONS] + [f or NO_PLACE]
            for f in worst[:MOST_FILES]]
    table([*DECISIONS, "file"], rows, out)
    if len(worst) > MOST_FILES:
        out.write(f"and {len(worst) - MOST_FILES} more files with fewer kept loops\n")
