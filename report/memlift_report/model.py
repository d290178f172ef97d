# model.py - records to loops: the proof chain, folding of repeats, order, counts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records to loops.

The order of Args carries meaning: a Fact opens a step of the proof, and Verdict, Need, Have,
Evidence (and a Code, if the step failed) up to the next Fact belong to it.
"""
import collections
import os
import re
from dataclasses import dataclass, field

# Attention that a reviewer has to give it.
DECISIONS = ("kept", "guarded", "lowered", "inlined", "offloaded", "already")
CODE = re.compile(r"MLF\d{4}")
STEP_KEYS = {"Verdict": "verdict", "Need": "need", "Have": "have"}
# With one of these the interchange begins. What stands before it, names and pieces of text, is
# the sentence that the compiler prints.
FIRST_KEYS = ("Idiom", "Decision", "Code", "LoopId", "Fact")
TEXT_KEYS = ("String", "Message")


@dataclass
class Fact:
    name: str
    verdict: str = "unchecked"
    code: str = ""
    need: str = ""
    have: str = ""
    evidence: list = field(default_factory=list)


@dataclass
class Loop:
    """One loop candidate and what became of it."""
    kind: str
    name: str
    function: str
    file: str
    line: int
    column: int
    idiom: str = ""
    decision: str = ""
    code: str = ""
    loop_id: str = ""
    message: str = ""
    facts: list = field(default_factory=list)
    suggestions: list = field(default_factory=list)
    extra: list = field(default_factory=list)  # (key, value) of keys that are not known here
    times: int = 1

    def key(self):
        """Equal for repeats: a build that ran again, LTO stages, one header in many files."""
        place = self.loop_id or (self.file, self.line, self.column, self.function)
        return (place, self.code, self.decision, self.idiom)

    def failed(self):
        return [fact for fact in self.facts if fact.verdict == "failed"]


@dataclass
class Report:
    loops: list
    files: dict  # file -> loops, both in order
    decisions: collections.Counter
    idioms: collections.Counter
    repeats: int


def number(text):
    return int(text) if isinstance(text, str) and text.isdigit() else 0


def loop_of(record):
    place = record.entries.get("DebugLoc")
    place = place if isinstance(place, dict) else {}
    loop = Loop(record.kind, record.entries.get("Name", ""), record.entries.get("Function", ""),
                place.get("File", ""), number(place.get("Line")), number(place.get("Column")))
    text = []
    sentence = True
    for key, value in record.args:
        sentence = sentence and key not in FIRST_KEYS
        if sentence or key in TEXT_KEYS:
            text.append(value)
        else:
            add(loop, key, value.strip())
    loop.message = " ".join("".join(text).split())
    return loop


def add(loop, key, value):
    """One argument: of the step that is open, or of the loop."""
    step = loop.facts[-1] if loop.facts else None
    if key == "Fact":
        named = CODE.search(value)
        loop.facts.append(Fact(value, code=named.group(0) if named else ""))
    elif key == "Code" and step is not None and loop.code:
        step.code = value
    elif key in STEP_KEYS and step is not None:
        setattr(step, STEP_KEYS[key], value)
    elif key == "Evidence" and step is not None:
        step.evidence.append(value)
    elif key == "Suggestion":
        loop.suggestions.append(value)
    elif key in ("Idiom", "Decision", "Code", "LoopId"):
        setattr(loop, {"LoopId": "loop_id"}.get(key, key.lower()), value)
    else:
        loop.extra.append((key, value))


def shown_file(path):
    """Relative to where we are, if it lies below: shorter, and the same on every machine."""
    if not os.path.isabs(path):
        return os.path.normpath(path) if path else ""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative


def build(records, only=()):
    """The report of the records; `only` keeps these decisions, all if it is empty."""
    folded = {}
    repeats = 0
    for record in records:
        loop = loop_of(record)
        loop.file = shown_file(loop.file)
        if only and loop.decision not in only:
            continue
        first = folded.setdefault(loop.key(), loop)
        if first is not loop:
            first.times += 1
            repeats += 1
    loops = sorted(folded.values(), key=lambda l: (l.file, l.line, l.column, l.function, l.code))
    files = {}
    for loop in loops:
        files.setdefault(loop.file, []).append(loop)
    return Report(loops, files, collections.Counter(l.decision for l in loops),
                  collections.Counter(l.idiom or "none" for l in loops), repeats)
