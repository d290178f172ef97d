# words.py - sentences about a loop, the same in every format.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from . import explain
from .model import DECISIONS, Fact, Loop, Report

NO_PLACE = "(no source location; compile with -g or -gline-tables-only)"


def sentence(loop: Loop) -> str:
    """Message of the compiler; else the code's text, with its blanks marked as such."""
    text = loop.message or explain.text_of(loop.code) or loop.name
    return re.sub(r"\{(\w+)\}", r"<\1>", text) if "{" in text else text


def reason(loop: Loop) -> str:
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


def place(loop: Loop) -> str:
    return f"{loop.line}:{loop.column}" if loop.line else "?"


def where(loop: Loop) -> str:
    return f"{loop.file or '?'}:{place(loop)}"


def times(loop: Loop) -> str:
    return f" [x{loop.times}]" if loop.times > 1 else ""


def gain(loop: Loop) -> str:
    """Expected gain, in words; "unknown" when it is."""
    cycles = loop.gain()
    model = loop.value("GainModel")
    if cycles is None:
        return model or "unknown"
    return f"{cycles:,.0f} cycles each time" + (f" ({model})" if model else "")


def advice(loop: Loop) -> list[tuple[str, str]]:
    """(code, general advice) for what failed; nothing where a suggestion was tried."""
    if loop.suggestions or loop.decision not in ("kept", "guarded"):
        return []
    codes = dict.fromkeys([fact.code for fact in loop.failed() if fact.code] or [loop.code])
    return [(code, text) for code in codes if (text := explain.advice_of(code))]


def folded(facts: Iterable[Fact], width: int = 0) -> str:
    """How many facts hold, and their names, each once: one line, of `width` columns if not 0."""
    names = Counter(fact.name for fact in facts)
    total = plural(sum(names.values()), "fact")
    text = ", ".join(name + (f" (x{n})" if n > 1 else "") for name, n in names.items())
    if width and len(total) + 2 + len(text) > width:
        text = text[:max(text.rfind(", ", 0, width - len(total) - 6), 0)] + ", ..."
    return f"{total}: {text}"


def holds(loop: Loop) -> list[Fact]:
    """Facts that need no attention."""
    return [fact for fact in loop.facts if fact.verdict in ("proved", "unchecked")]


def attention(loop: Loop) -> list[Fact]:
    """Facts that are shown in full, those that failed first."""
    rest = [fact for fact in loop.facts if fact.verdict not in ("proved", "unchecked")]
    return sorted(rest, key=lambda fact: fact.verdict != "failed")


def plural(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def counts(title: str, counter: Counter, order: tuple[str, ...] = ()) -> str:
    names = [n for n in order if counter[n]] + sorted(n for n in counter if n not in order)
    return f"{title}: " + ", ".join(f"{counter[n]} {n}" for n in names)


def summary(report: Report) -> list[str]:
    lines = [f"{plural(len(report.loops), 'loop')} in {plural(len(report.files), 'file')}"]
    if report.loops:
        lines += [counts("decisions", report.decisions, DECISIONS),
                  counts("idioms", report.idioms)]
    if report.repeats:
        lines.append(f"{plural(report.repeats, 'repeated remark')} folded")
    if report.copies:
        lines.append(f"{plural(report.copies, 'inlined copy').replace('copys', 'copies')} folded")
    if report.samples:
        hit, total = report.samples
        lines.append(f"hotness: {hit:,} of {total:,} samples lie in these loops")
    return lines
