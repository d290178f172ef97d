# remarkyaml.py - LLVM remark YAML to loops: fast for its fixed shape, by PyYAML for any other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM remark YAML to loops.

A record of memlift has some 25 facts, most of them the same in every record. The text of a record
is split where a fact begins, and a piece that was seen before is not parsed again. What has not
the shape that compilers write (text over several lines, an escape) raises Unusual; then the whole
record goes through PyYAML, which takes any YAML and says what is wrong with the rest.

All scalars are kept as strings: 'Have: no' is a word and no boolean.
"""
from __future__ import annotations

import re

import yaml

from .model import Fact, Loop, Pair, fact_of, fill_head, set_args

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

# Behind '--- !', which stands before every record.
TAG = re.compile(r"(\w+)[ \t]*\n")
OURS = re.compile(r"^Pass:[ \t]+['\"]?memlift['\"]?[ \t]*$", re.MULTILINE)
OURS_AS_WRITTEN = "Pass:            memlift\n"
HEAD = re.compile(r"""(\w+)[ \t]*\nPass:[ ]+memlift\nName:[ ]+(\w+)\n
    (?:DebugLoc:[ ]+\{[ ]File:[ ]('(?:[^'\n]|'')*'|[^\s,'"{}\[\]&*!|>%@`#-][^,\n'"{}\[\]:#]*),\s+
    Line:[ ](\d+),\s+Column:[ ](\d+)[ ]\}\n)?
    Function:[ ]+([^\n]+)\n(?:Hotness:[ ]+(\d+)\n)?Args:[ ]*""", re.VERBOSE)
# A scalar without quotes that means itself. A colon before a space, or a number sign behind one,
# would be YAML.
PLAIN = re.compile(r"[^\s'\"\[\]{},&*!|>%@`#?:-](?:[^\s:#]|:(?=[^\s])|(?<=\S)#|[ ](?=[^#]))*")
QUOTED = re.compile(r"'(?:[^'\n]|'')*'")
# Head of a record as the plugins' own files have it: all in single quotes, and none inside.
QUOTED_HEAD = re.compile(r"""(\w+)\nPass:[ ]+memlift\nName:[ ]+(\w+)\n
    (?:DebugLoc:[ ]+\{[ ]File:[ ]'([^'\n]*)',[ ]Line:[ ](\d+),[ ]Column:[ ](\d+)[ ]\}\n)?
    Function:[ ]+'([^'\n]*)'\nArgs:\n[ ]{2}-[ ]String:[ ]+'([^'\n]*)'\n
    [ ]{2}-[ ]Idiom:[ ]+'(\w+)'\n[ ]{2}-[ ]Decision:[ ]+'(\w+)'\n
    [ ]{2}-[ ]Code:[ ]+'(MLF\d+)'\n[ ]{2}-[ ]LoopId:[ ]+'([^'\n]*)'""", re.VERBOSE)
FACT = "\n  - Fact:"
# A fact as the plugins' own files have it, up to Have, and from there. The first part is the same
# in many records. A name that ends in a bracket may hold a code.
QUOTED_START = re.compile(r"""[ ]+'([^'\n]*[^'\n\]])'\n[ ]{2}-[ ]Verdict:[ ]+'(\w+)'
    (?:\n[ ]{2}-[ ]Code:[ ]+'(MLF\d+)')?\n[ ]{2}-[ ]Need:[ ]+'([^'\n]*)'""", re.VERBOSE)
QUOTED_REST = re.compile(r"""[ ]+'([^'\n]*)'(?:\n[ ]{2}-[ ]Evidence:[ ]+'([^'\n]*)')?""",
                         re.VERBOSE)
HAVE = "\n  - Have:"
GAIN = "\n  - Gain"
GAIN_KEYS = frozenset(("GainCycles", "Iterations", "GainModel"))
# Rest of a step after HAVE, if the step names its evidence. That is a line of the source, so such a
# step seldom occurs twice.
OWN_REST = re.compile(r""" ++'[^'\n]*+'\n  - Evidence: ++'[^'\n]*+'""")
# Pieces and scalars that are remembered; beyond that they are mostly new ones.
REMEMBERED = 60_000


# Between two records.
BETWEEN = "\n...\n--- !"


class Unusual(Exception):
    """Text that this parser leaves to PyYAML."""


class Broken(Exception):
    """Text that is no remark: the line within the record, from 0, and the reason."""

    def __init__(self, line: int, reason: str):
        super().__init__(reason)
        self.line = line
        self.reason = reason


class Parser:
    def __init__(self) -> None:
        self.scalars: dict[str, str] = {}
        self.shared: dict[str, str] = {}  # one object for equal words of all records
        self.starts: dict[str, tuple[str, str, str, str]] = {}
        self.starts_held: set[str] = set()  # of steps that did not fail
        self.pieces: dict[str, tuple[Fact, list[Pair]]] = {}
        self.gains: dict[str, tuple[Pair, ...]] = {}
        self.plain: dict[str, Fact] = {}  # those of pieces behind which no more pairs stand

    def scalar(self, raw: str) -> str:
        known = self.scalars.get(raw)
        if known is not None:
            return known
        text = raw.strip(" \t")
        if text[:1] == text[-1:] == "'" and text.count("'") == 2:
            value = text[1:-1]
        elif QUOTED.fullmatch(text):
            value = text[1:-1].replace("''", "'")
        elif PLAIN.fullmatch(text):
            value = text
        else:
            raise Unusual
        if len(self.scalars) < REMEMBERED:
            self.scalars[raw] = value
        return value

    def pairs(self, text: str) -> list[Pair]:
        """'\n  - Key: value' again and again."""
        result: list[Pair] = []
        if not text.startswith("\n  - "):
            raise Unusual
        for line in text.split("\n  - ")[1:]:
            key, colon, value = line.partition(":")
            if not colon or "\n" in value or not key.isalnum():
                raise Unusual
            result.append((key, self.scalar(value)))
        return result

    def piece(self, text: str) -> tuple[Fact, list[Pair]]:
        """One fact, and pairs that stand behind it."""
        rest: list[Pair] = []
        start, _, end = text.partition(HAVE)
        known = self.starts.get(start)
        if known is None and (found := QUOTED_START.fullmatch(start)):
            name, verdict, code, need = found.groups()
            known = self.starts[start] = name.strip(), verdict, code or "", need.strip()
            if verdict != "failed":
                self.starts_held.add(start)
        found = QUOTED_REST.fullmatch(end)
        if known and found:
            have, evidence = found.groups()
            fact = Fact(*known, have.strip(), () if evidence is None else (evidence.strip(),))
        else:
            pairs = self.pairs(FACT + text)
            fact, rest = fact_of([(key, value.strip()) for key, value in pairs])
        if len(self.pieces) < REMEMBERED:
            self.pieces[text] = fact, rest
            if not rest:
                self.plain[text] = fact
        return fact, rest

    def head(self, text: str) -> Loop:
        """A record up to its first fact."""
        found = QUOTED_HEAD.match(text)
        if found:
            (kind, name, file, line, column, function, message, idiom, decision, code,
             loop_id) = found.groups()
            share = self.shared.setdefault
            message = " ".join(message.split()) if "  " in message else message.strip()
            loop = Loop(share(kind, kind), share(name, name), share(function, function),
                        share(file, file) if file else "", int(line or 0), int(column or 0), -1,
                        share(idiom, idiom), share(decision, decision), share(code, code),
                        loop_id.strip(),
                        share(message, message))
            behind = True
        else:
            found = HEAD.match(text)
            if not found:
                raise Unusual
            kind, name, file, line, column, function, hotness = found.groups()
            loop = Loop(kind, name, self.scalar(function), self.scalar(file) if file else "",
                        int(line or 0), int(column or 0), -1 if hotness is None else int(hotness))
            behind = False
        if found.end() < len(text):
            fill_head(loop, self.pairs(text[found.end():]), sentence=not behind)
        return loop

    def usual(self, text: str) -> Loop:
        """A record between '--- !' and '\n...'."""
        head, *chain = text.split(FACT)
        loop = self.head(head)
        loop.steps = tuple([self.step(text, loop) for text in chain])
        return loop

    def many(self, text: str) -> tuple[list[Loop], int]:
        """Loops of records that follow one another, the first without its '--- !' and the last
        without its end; and how many records of other passes stand among them.

        The text is cut where facts begin, so a record's end is found inside of a piece, as what is
        no fact that is known. Raises Unusual for all that is not in the usual form.
        """
        loops: list[Loop] = []
        others = 0
        loop = None
        begin = 1  # of the record's facts
        pieces = text.split(FACT)
        steps: list[Fact | str | None] = list(map(self.plain.get, pieces))
        steps[0] = None
        held, own = self.starts_held, OWN_REST.fullmatch
        for at in [at for at, step in enumerate(steps) if step is None]:
            piece = pieces[at]
            start, _, end = piece.partition(HAVE)
            if start in held and own(end):
                steps[at] = piece
                continue
            last, *heads = piece.split(BETWEEN)
            if at == 0:
                heads.insert(0, last)
            elif not loop:
                raise Unusual
            else:
                steps[at] = self.step(last, loop)
            if not heads:
                continue
            if loop:
                self.end(loop, loops, steps[begin:at + 1])
            for head in heads[:-1]:
                others += self.without_facts(head, loops)
            begin = at + 1
            loop = self.head(heads[-1]) if is_ours(heads[-1]) else None
            if not loop:
                others += self.without_facts(heads[-1], loops)
        if loop:
            self.end(loop, loops, steps[begin:])
        elif begin < len(pieces):
            raise Unusual
        return loops, others

    def step(self, text: str, loop: Loop) -> Fact | str:
        """A fact. Gives the loop what stands behind it."""
        if (gain := text.find(GAIN)) > 0 and (known := self.gain(text[gain:])):
            loop.extra = loop.extra + known if loop.extra else known
            text = text[:gain]
        start, _, end = text.partition(HAVE)
        if start in self.starts_held and OWN_REST.fullmatch(end):
            return text  # in the plugins' own form: see Loop.facts
        fact, more = self.pieces.get(text) or self.piece(text)
        if more:
            fill_head(loop, more, sentence=False)
        return fact

    def gain(self, text: str) -> tuple[Pair, ...]:
        """The pairs of the gain, which end a record; none if other pairs stand among them."""
        known = self.gains.get(text)
        if known is None:
            pairs = self.pairs(text)
            known = tuple((key, value.strip()) for key, value in pairs) \
                if all(key in GAIN_KEYS for key, _ in pairs) else ()
            if len(self.gains) < REMEMBERED:
                self.gains[text] = known
        return known

    def end(self, loop: Loop, loops: list[Loop], steps: list) -> None:
        if not loop.code or not loop.decision:
            raise Unusual
        loop.steps = tuple(steps)
        loops.append(loop)

    def without_facts(self, text: str, loops: list[Loop]) -> int:
        """A whole record without a fact: 1 if it is of another pass."""
        if is_ours(text):
            self.end(self.head(text), loops, [])
            return 0
        if "\n..." in text or "\n--- " in text or not TAG.match(text):
            raise Unusual
        return 1

    def parse(self, text: str) -> Loop:
        """A record between '--- !' and '\n...', both left out."""
        try:
            loop = self.usual(text)
        except Unusual:
            loop = by_yaml(text)
        if not loop.code or not loop.decision:
            raise Broken(0, "a remark of memlift without " + ("Decision" if loop.code else "Code"))
        return loop


def is_ours(text: str) -> bool:
    """True for a record of memlift."""
    return text.find(OURS_AS_WRITTEN, 0, 64) >= 0 or (
        "memlift" in text and OURS.search(text) is not None)


def number(text: object) -> int:
    return int(text) if isinstance(text, str) and text.isdigit() else 0


def by_yaml(text: str) -> Loop:
    """One record of any YAML, or Broken."""
    try:
        entries = yaml.load("--- !" + text + "\n...\n", Loader=Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n", maxsplit=1)[0]
        raise Broken(mark.line if mark else 0, problem) from None
    if not isinstance(entries, dict):
        raise Broken(0, "the record is no list of entries")
    args = entries.get("Args") or []
    if not isinstance(args, list):
        raise Broken(0, "Args is no list")
    pairs = []
    for arg in args:
        if not isinstance(arg, dict):
            raise Broken(0, "an entry of Args has no key")
        pairs += [(key, value) for key, value in arg.items() if isinstance(value, str)]
    place = entries.get("DebugLoc")
    place = place if isinstance(place, dict) else {}
    hotness = entries.get("Hotness")
    loop = Loop(TAG.match(text).group(1), str(entries.get("Name", "")),
                str(entries.get("Function", "")), str(place.get("File", "")),
                number(place.get("Line")), number(place.get("Column")),
                -1 if hotness is None else number(hotness))
    set_args(loop, pairs)
    return loop
