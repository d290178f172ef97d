# loops.py - what memlift said of the loops of a project: the table's figures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the remarks of a build.

A loop counts once however often it was compiled or inlined: by file, line, column and function
of the source; of several decisions about it the best counts. Its failed facts are the reasons
why it is kept.
"""

import collections
import glob
import os

import yaml

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
DONE = ("lowered", "inlined", "already", "guarded", "kept")  # best first
NAMELESS = ("none", "?")  # a loop that stores, and is nothing that memlift knows


class Remarks(Loader):
    """Reads LLVM's remark tags as plain mappings."""


for tag in ("!Passed", "!Missed", "!Analysis", "!Failure"):
    Remarks.add_constructor(tag, lambda loader, node: loader.construct_mapping(node, True))


def parse(remark):
    """(place, idiom, decision, [(code, text) of failed facts]) of a remark."""
    loop = {"idiom": "?", "decision": "?"}
    failed, fact = [], {}
    for argument in remark.get("Args", ()):
        (key, value), = ((k, v) for k, v in argument.items() if k != "DebugLoc")
        if key in ("Idiom", "Decision"):
            loop[key.lower()] = value
        elif key == "Fact":
            fact = {"Fact": value}
        elif key in ("Verdict", "Code"):
            fact[key] = value
            if "Code" in fact and fact.get("Verdict") == "failed":
                failed.append((fact.pop("Code"), fact.get("Fact", "")))
    where = remark.get("DebugLoc") or {}
    place = (os.path.basename(where.get("File", "?")), int(where.get("Line", 0)),
             int(where.get("Column", 0)))
    return place, remark.get("Function", "?"), loop["idiom"], loop["decision"], failed


def rank(decision):
    """Place of a decision among DONE; what is not there counts as kept."""
    return DONE.index(decision) if decision in DONE else len(DONE)


def read(folder):
    """{place: (idiom, decision, failed facts, function)} of every loop in a folder's remarks."""
    loops = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
        if os.path.getsize(path) == 0:
            continue
        with open(path, encoding="utf-8", errors="replace") as stream:
            for remark in yaml.load_all(stream, Remarks):
                place, function, idiom, decision, failed = parse(remark)
                old = loops.get(place)
                if old is None or rank(decision) < rank(old[1]):
                    loops[place] = (idiom, decision, failed, function)
    return loops


def summary(loops):
    """Summarise the loops whose idiom has a name: counts by decision, by idiom of those that are
    not kept, and by reason of those that are; and how many have none."""
    named = [loop for loop in loops.values() if loop[0] not in NAMELESS]
    decisions = collections.Counter(decision for _, decision, _, _ in named)
    idioms = collections.Counter(idiom for idiom, decision, _, _ in named if decision in DONE[:-1])
    reasons = collections.Counter(reason for _, decision, failed, _ in named
                                  if decision not in DONE[:-1] for reason in set(failed))
    return decisions, idioms, reasons, len(loops) - len(named)
