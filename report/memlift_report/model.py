# model.py - loops as data: the proof chain, folding of repeats, order, counts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops as data, one model for the records of every compiler.

The order of Args carries meaning: a Fact opens a step of the proof, and Verdict, Need, Have,
Evidence (and a Code, if the step failed) up to the next Fact belong to it.
"""
from __future__ import annotations

import collections
import functools
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

# Attention that a reviewer has to give it.
DECISIONS = ("kept", "guarded", "lowered", "inlined", "offloaded", "already")
# Decisions after which the loop as written is no longer what runs, or not always.
DONE = frozenset(("guarded", "lowered", "inlined", "offloaded", "already"))
VERDICTS = ("proved", "guarded", "assumed", "failed", "unchecked")
CODE = re.compile(r"MLF\d{4}")
STEP_KEYS = ("Verdict", "Code", "Need", "Have", "Evidence")
# With one of these the interchange begins. Names and pieces of text that stand before it are the
# sentence that the compiler prints.
FIRST_KEYS = frozenset(("Idiom", "Decision", "Code", "LoopId", "Fact"))
TEXT_KEYS = frozenset(("String", "Message"))
HEAD_KEYS = {"Idiom": "idiom", "Decision": "decision", "Code": "code", "LoopId": "loop_id"}

Pair = tuple[str, str]


@dataclass(slots=True, unsafe_hash=True)
class Fact:
    """One step of a proof. Equal steps of many loops are one object; nobody changes it."""
    name: str
    verdict: str = "unchecked"
    code: str = ""
    need: str = ""
    have: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(slots=True)
class Loop:
    """One candidate, a loop or a call, and what became of it.

    line and column count from 1; 0 is unknown. hotness is -1 without a profile.
    """
    kind: str
    name: str
    function: str
    file: str
    line: int
    column: int
    hotness: int = -1
    idiom: str = ""
    decision: str = ""
    code: str = ""
    loop_id: str = ""
    message: str = ""
    steps: tuple[Fact | str, ...] = ()  # of the proof; see facts
    suggestions: tuple[str, ...] = ()
    extra: tuple[Pair, ...] = ()  # keys that are not known here, in order
    times: int = 1
    copies: tuple[str, ...] = ()  # other functions that this loop was inlined into

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The proof. Most steps are never looked at, so a reader may leave those that did not fail
        as text, which it has checked; the text becomes a Fact here."""
        if any(isinstance(step, str) for step in self.steps):
            self.steps = tuple(fact_of_text(step) if isinstance(step, str) else step
                               for step in self.steps)
        return self.steps  # type: ignore[return-value]

    def key(self) -> tuple:
        """Equal for repeats: a build that ran again, LTO stages, one header in many files."""
        place = self.loop_id or (self.file, self.line, self.column, self.function)
        return (place, self.code, self.decision, self.idiom)

    def identity(self) -> str:
        """Name that stays when lines move: path, function and number of the candidate in it."""
        return self.loop_id or f"{self.file}:{self.function}:{self.line}:{self.column}"

    def failed(self) -> list[Fact]:
        return [step for step in self.steps
                if not isinstance(step, str) and step.verdict == "failed"]

    def codes(self) -> list[str]:
        """The decision's code, then those of all failed facts, each once."""
        return list(dict.fromkeys([self.code, *(f.code for f in self.failed() if f.code)]))

    def value(self, key: str) -> str:
        return next((value for name, value in self.extra if name == key), "")

    def gain(self) -> float | None:
        """Cycles that are expected to be saved each time the loop runs; None is unknown."""
        return positive(self.value("GainCycles"))

    def rank(self) -> float:
        """hotness x gain, where known; an unknown factor counts as one.

        A profile counts iterations, and the gain is that of all iterations of one run.
        """
        gain = self.gain()
        if gain is None:
            return max(self.hotness, 0)
        iterations = positive(self.value("Iterations")) or 1
        return gain if self.hotness < 0 else self.hotness * gain / iterations


@dataclass(slots=True)
class Report:
    loops: list[Loop]
    files: dict[str, list[Loop]]  # file -> loops, both in order
    decisions: collections.Counter
    idioms: collections.Counter
    repeats: int
    copies: int = 0  # rows that were folded into others, see fold_copies
    samples: tuple[int, int] | None = None  # of perf: how many lie in loops, of how many


def positive(text: str) -> float | None:
    """A number above 0, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < float("inf") else None


def fact_of_text(text: str) -> Fact:
    """A step from its text behind "Fact:", which remarkyaml has found to be in the plugins' own
    form: one line for each key, and no quote inside of a value."""
    name, *lines = text.split("\n  - ")
    pairs = [("Fact", name.strip()[1:-1].strip())]
    for line in lines:
        key, _, value = line.partition(":")
        pairs.append((key, value.strip()[1:-1].strip()))
    return fact_of(pairs)[0]


def fact_of(pairs: list[Pair]) -> tuple[Fact, list[Pair]]:
    """A step from its pairs, which begin with Fact; and those that are not of a step."""
    name = pairs[0][1]
    named = CODE.search(name)
    values = {"Verdict": "unchecked", "Code": named.group(0) if named else "", "Need": "",
              "Have": ""}
    evidence = []
    rest = []
    for key, value in pairs[1:]:
        if key == "Evidence":
            evidence.append(value)
        elif key in values:
            values[key] = value
        else:
            rest.append((key, value))
    return Fact(name, values["Verdict"], values["Code"], values["Need"], values["Have"],
                tuple(evidence)), rest


def fill_head(loop: Loop, pairs: Iterable[Pair], sentence: bool = True) -> None:
    """Gives a loop the pairs that are of the whole: its sentence, keys, suggestions.

    `sentence` is false for pairs behind a fact: no more of them are words for people.
    """
    text = [loop.message]
    extra = list(loop.extra)
    for key, value in pairs:
        sentence = sentence and key not in FIRST_KEYS
        if sentence or key in TEXT_KEYS:
            text.append(value)
        elif key in HEAD_KEYS:
            setattr(loop, HEAD_KEYS[key], value.strip())
        elif key == "Suggestion":
            loop.suggestions += (value.strip(),)
        else:
            extra.append((key, value.strip()))
    loop.message = " ".join("".join(text).split())
    loop.extra = tuple(extra)


def set_args(loop: Loop, pairs: list[Pair]) -> None:
    """Everything from Args in their order."""
    starts = [i for i, (key, _) in enumerate(pairs) if key == "Fact"]
    fill_head(loop, pairs[:starts[0]] if starts else pairs)
    facts = []
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else len(pairs)
        fact, rest = fact_of([(key, value.strip()) for key, value in pairs[start:end]])
        facts.append(fact)
        if rest:
            fill_head(loop, rest, sentence=False)
    loop.steps = tuple(facts)


@functools.lru_cache(maxsize=4096)
def shown_file(path: str) -> str:
    """Relative to where we are, if it lies below: shorter, and the same on every machine."""
    if not os.path.isabs(path):
        return os.path.normpath(path) if path else ""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def in_order(loops: Iterable[Loop]) -> list[Loop]:
    return sorted(loops, key=lambda l: (l.file, l.line, l.column, l.function, l.code))


def report_of(loops: list[Loop], repeats: int = 0, copies: int = 0,
              samples: tuple[int, int] | None = None) -> Report:
    """Counts of the loops, which stay in their order."""
    files: dict[str, list[Loop]] = {}
    for loop in loops:
        files.setdefault(loop.file, []).append(loop)
    return Report(loops, files, collections.Counter(l.decision for l in loops),
                  collections.Counter(l.idiom or "none" for l in loops), repeats, copies,
                  samples)


def fold(loops: Iterable[Loop]) -> tuple[list[Loop], int]:
    """Repeats made one; and how many there were."""
    folded: dict[tuple, Loop] = {}
    repeats = 0
    for loop in loops:
        loop.file = shown_file(loop.file)
        first = folded.setdefault(loop.key(), loop)
        if first is not loop:
            first.times += loop.times
            first.hotness = max(first.hotness, loop.hotness)
            repeats += 1
    return list(folded.values()), repeats


def fold_copies(loops: list[Loop]) -> tuple[list[Loop], int]:
    """One row for a loop that stands in several places of the code, because its function was
    inlined there.

    They have one place in the source and one verdict. The first is kept: it counts the others that
    are in its own function, and has the names of other functions.
    """
    rows: dict[tuple, Loop] = {}
    copies = 0
    for loop in loops:
        place = (loop.file, loop.line, loop.column) if loop.line else id(loop)
        first = rows.setdefault((place, loop.code, loop.decision, loop.idiom), loop)
        if first is loop:
            continue
        copies += 1
        if loop.function == first.function:
            first.times += loop.times
        elif loop.function not in first.copies:
            first.copies += (loop.function,)
        if loop.hotness >= 0:
            first.hotness = max(first.hotness, 0) + loop.hotness
    return list(rows.values()), copies


def build(loops: Iterable[Loop]) -> Report:
    """Report of everything that was read."""
    folded, repeats = fold(loops)
    return report_of(in_order(folded), repeats)
