# select.py - which loops a report shows, and in which order.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import fnmatch
from collections.abc import Callable
from dataclasses import dataclass

from .model import Loop, Report, in_order, report_of


@dataclass(slots=True)
class Filter:
    """Loops that pass all of these; an empty one lets everything pass.

    Patterns are those of a shell. One without a slash is also compared with a file's last name.
    """
    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    idioms: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    def passes(self, loop: Loop) -> bool:
        return ((not self.decisions or loop.decision in self.decisions)
                and (not self.idioms or (loop.idiom or "none") in self.idioms)
                and (not self.codes or any(code in self.codes for code in loop.codes()))
                and (not self.functions or any(
                    fnmatch.fnmatchcase(name, pattern) for pattern in self.functions
                    for name in (loop.function, *loop.copies)))
                and (not self.files or any(self.is_file(loop.file, p) for p in self.files)))

    @staticmethod
    def is_file(name: str, pattern: str) -> bool:
        return fnmatch.fnmatchcase(name, pattern) or (
            "/" not in pattern and fnmatch.fnmatchcase(name.rsplit("/", 1)[-1], pattern))

    def anything(self) -> bool:
        return not any((self.files, self.functions, self.idioms, self.decisions, self.codes))


def is_ranked(loops: list[Loop]) -> bool:
    """Tell whether a profile tells loops that matter from others. A gain alone does not: it is
    that of one run, and unknown for most loops."""
    return any(loop.hotness >= 0 for loop in loops)


def by_rank(loops: list[Loop]) -> list[Loop]:
    """hotness x gain, the largest first; equal ones stay in the order of the source."""
    return sorted(in_order(loops), key=lambda loop: -loop.rank())


def select(report: Report, wanted: Filter, ranked: bool) -> Report:
    loops = report.loops if wanted.anything() else [l for l in report.loops if wanted.passes(l)]
    order: Callable = by_rank if ranked else in_order
    return report_of(order(loops), report.repeats, report.copies, report.samples)
