# pair.py - which loop of one report is which of another.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs loops of two reports.

A loop's name is its file, its function and its number among the function's candidates. Lines do
not count, so a comment changes nothing. A loop that is added changes the numbers behind it: the
candidates of a function are aligned in order, as lines of two files are by diff, and alike loops
(same source text, same idiom) go together. What is left may have moved to another file or function.
"""
from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .model import Loop
from .source import Sources

# Endings that compilers give to copies of a function.
COPY = re.compile(r"(\.(constprop|isra|part|cold|lto_priv|llvm|specialized|__uniq)(\.?\d+)*)+$")
ORDINAL = re.compile(r"^(.*?)#([a-z]*)(\d+)$", re.DOTALL)
# From this many candidates on, a function's are paired by number alone.
ALIGNED = 300
# Weights of what two candidates have in common. To be paired at all counts most of the way.
PAIRED, SAME_TEXT, SAME_IDIOM, SAME_NUMBER = 2, 6, 2, 1


@dataclass(slots=True)
class Item:
    """One loop of a report or of a baseline, reduced to what pairs and compares it."""
    path: str
    function: str
    series: str  # "" for loops and calls; others are numbered apart
    number: int
    idiom: str
    decision: str
    codes: tuple[str, ...]
    text: str = ""
    loop: Loop | None = None

    def name(self) -> str:
        return f"{self.path}:{self.function}#{self.series}{self.number}"


Pairs = list[tuple[Item | None, Item | None]]


def tail(path: str, root: str) -> str:
    return os.path.relpath(path, root) if root else path


def item_of(loop: Loop, sources: Sources) -> Item:
    path, function, series, number = loop.file, loop.function, "", 0
    found = ORDINAL.match(loop.loop_id)
    if found:
        series, number = found.group(2), int(found.group(3))
        ending = ":" + loop.function
        if found.group(1).endswith(ending):
            path = found.group(1)[:-len(ending)]
        else:
            path, _, function = found.group(1).partition(":")
    else:
        number = loop.line * 1000 + min(loop.column, 999)
    return Item(os.path.normpath(path) if path else "", COPY.sub("", function), series, number,
                loop.idiom or "none", loop.decision, tuple(loop.codes()),
                sources.fingerprint(loop.file, loop.line), loop)


ATTENTION = {"kept": 0, "guarded": 1}


def items_of(loops: Iterable[Loop], sources: Sources) -> list[Item]:
    """One item a loop. Of several verdicts (copies of a header, stages of LTO) the worst counts."""
    found: dict[str, Item] = {}
    for loop in loops:
        item = item_of(loop, sources)
        first = found.setdefault(item.name(), item)
        if ATTENTION.get(item.decision, 2) < ATTENTION.get(first.decision, 2):
            found[item.name()] = item
    return list(found.values())


def likeness(old: Item, new: Item) -> int:
    return (PAIRED + SAME_TEXT * (old.text == new.text and bool(old.text))
            + SAME_IDIOM * (old.idiom == new.idiom) + SAME_NUMBER * (old.number == new.number))


def align(old: list[Item], new: list[Item]) -> Pairs:
    """Candidates of one function, in order: pairs with the largest likeness altogether."""
    rows, columns = len(old), len(new)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1],
                             best[i + 1][j + 1] + likeness(old[i], new[j]))
    pairs: Pairs = []
    i = j = 0
    while i < rows and j < columns:
        if best[i][j] == best[i + 1][j + 1] + likeness(old[i], new[j]):
            pairs.append((old[i], new[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((old[i], None))
            i += 1
        else:
            pairs.append((None, new[j]))
            j += 1
    return pairs + [(item, None) for item in old[i:]] + [(None, item) for item in new[j:]]


def by_number(old: list[Item], new: list[Item]) -> Pairs:
    left = {item.number: item for item in old}
    right = {item.number: item for item in new}
    return [(left.get(n), right.get(n)) for n in sorted(left.keys() | right.keys())]


Groups = dict[tuple[str, str, str], list[Item]]


def groups_of(items: list[Item]) -> Groups:
    groups: Groups = defaultdict(list)
    for item in items:
        groups[item.path, item.function, item.series].append(item)
    for group in groups.values():
        group.sort(key=lambda item: item.number)
    return groups


def common_folder(items: list[Item]) -> str:
    folders = {os.path.dirname(item.path) for item in items}
    if any(os.path.isabs(f) for f in folders) != all(os.path.isabs(f) for f in folders):
        return ""
    return os.path.commonpath(folders) if folders else ""


def same_paths(old: list[Item], new: list[Item]) -> None:
    """If no path is in both reports, the builds ran in different folders: paths become relative
    to what those of one report have in common."""
    if {i.path for i in old} & {i.path for i in new}:
        return
    for items in (old, new):
        folder = common_folder(items)
        for item in items:
            item.path = tail(item.path, folder)


def pair_groups(old: Groups, new: Groups) -> Pairs:
    pairs: Pairs = []
    for key in sorted(old.keys() | new.keys()):
        mine, other = old.get(key, []), new.get(key, [])
        if [i.number for i in mine] == [i.number for i in other] and all(
                a.idiom == b.idiom for a, b in zip(mine, other)):
            pairs += zip(mine, other)
        elif len(mine) * len(other) > ALIGNED * ALIGNED:
            pairs += by_number(mine, other)
        else:
            pairs += align(mine, other)
    return pairs


def moved(pairs: Pairs) -> Pairs:
    """Pairs of loops that are gone here and new there.

    Of one function, as a loop that one compiler unrolled before has a name of another series; or
    of the same function and number in another file; or of the same text.
    """
    for signature in (lambda i: (i.path, i.function, i.idiom),
                      lambda i: (i.function, i.series, i.number, i.idiom),
                      lambda i: (i.text, i.idiom) if len(i.text) >= 8 else None):
        gone: dict[tuple, list[Item]] = defaultdict(list)
        came: dict[tuple, list[Item]] = defaultdict(list)
        for old, new in pairs:
            if (old is None) != (new is None):
                item = old or new
                if (key := signature(item)) is not None:
                    (gone if old else came)[key].append(item)
        same = {id(gone[key][0]): came[key][0] for key in gone
                if len(gone[key]) == 1 and len(came.get(key, [])) == 1}
        taken = {id(item) for item in same.values()}
        pairs = [(old, same[id(old)]) if old and not new and id(old) in same else (old, new)
                 for old, new in pairs if old or id(new) not in taken]
    return pairs


def pair(old: list[Item], new: list[Item]) -> Pairs:
    """Every item of both once: (old, new), (old, None) or (None, new)."""
    same_paths(old, new)
    return moved(pair_groups(groups_of(old), groups_of(new)))
