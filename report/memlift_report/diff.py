# diff.py - what changed from one build's report to another's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

from dataclasses import dataclass

from .pair import Item, Pairs

# The order in which they are told.
KINDS = ("lost", "gained", "changed", "moved", "new", "gone")
MEANINGS = {
    "lost": "was done, now stays as written",
    "gained": "stayed as written, now is done",
    "changed": "another reason, or with a run-time check now and without before",
    "moved": "same verdict in another file or function",
    "new": "only in the second",
    "gone": "only in the first",
}


@dataclass(slots=True)
class Change:
    kind: str
    old: Item | None
    new: Item | None

    def item(self) -> Item:
        found = self.new or self.old
        assert found is not None
        return found


def kind_of_decision(decision: str) -> str:
    """Compilers that did it themselves and memlift that did it are one: whoever got there first."""
    return decision if decision in ("kept", "guarded") else "done"


def compare(old: Item, new: Item) -> str:
    """Kind of the change; empty if there is none."""
    before, after = kind_of_decision(old.decision), kind_of_decision(new.decision)
    if before != after:
        return "lost" if after == "kept" else "gained" if before == "kept" else "changed"
    if after == "kept" and set(old.codes) != set(new.codes):
        return "changed"
    if (old.path, old.function) != (new.path, new.function):
        return "moved"
    return ""


def changes_of(pairs: Pairs) -> list[Change]:
    changes = []
    for old, new in pairs:
        kind = compare(old, new) if old and new else "gone" if old else "new"
        if kind:
            changes.append(Change(kind, old, new))
    changes.sort(key=lambda c: (KINDS.index(c.kind), c.item().path, c.item().function,
                                c.item().series, c.item().number))
    return changes
