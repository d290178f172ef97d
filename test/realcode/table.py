# table.py - compares the outcome with the stock build's, and draws the table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differences between a result under memlift and that of the stock compiler, and the table of
what memlift said of each project's loops."""

import collections
import os
import re

import loops

HEAD = """| project | through | own tests | lowered | guarded | inline | already | kept | \
done, by idiom | kept, why most often | other |
|---|---|---|---:|---:|---:|---:|---:|---|---|---:|
"""


def verdicts(result):
    """Outcomes, counted. A row of dots shows progress: isa-l's tests print one for each trial, and
    a clock's seed decides how many trials there are. Tests that run in parallel leave their dots
    before another's line."""
    return collections.Counter(re.sub(r"\.{2,}", "..", line.lstrip("."))
                               for line in result["verdicts"])


def differences(stock, result):
    """Lines that say what is not as in the stock build; a failure that stock has is none."""
    found = []
    for stage in ("configure", "build", "test"):
        if result.get(stage) != stock.get(stage):
            found.append(f"{stage}: exit status {result.get(stage)}, stock {stock.get(stage)}")
    ours, theirs = verdicts(result), verdicts(stock)
    found += [f"- {line}" for line in sorted((theirs - ours).elements())]
    found += [f"+ {line}" for line in sorted((ours - theirs).elements())]
    return found


def outcome(stock, result, found):
    """The cell that tells how the project's own tests went."""
    if stock.get("test") is None:
        return "no stock build"
    if found:
        return "**differ**"
    count = len(result["verdicts"])
    word = "pass" if result["test"] == 0 else "as stock, which fails"
    return f"{word}, {count} verdicts" if count else word


def listed(counts):
    """Names with their counts, in a cell."""
    return ", ".join(f"{name} {count}" for name, count in counts)


def row(project, tool, result, stock, root):
    """(a line of the table, the differences)"""
    found = differences(stock, result)
    said = loops.read(os.path.join(root, "remarks", f"{project.name}.{tool.name}"))
    decisions, idioms, reasons, others = loops.summary(said)
    done = [decisions[name] for name in ("lowered", "guarded", "inlined", "already")]
    kept = sum(decisions.values()) - sum(done)
    cells = [project.name, tool.name[len("memlift-"):], outcome(stock, result, found), *done, kept,
             listed(idioms.most_common()), listed(((f"{code} {fact}", count) for (code, fact), count
                                                   in reasons.most_common(3))), others]
    return "| " + " | ".join(map(str, cells)) + " |\n", found


def markdown(projects, tools, results, root):
    """(the text, how many differ, how many were compared)"""
    text, notes, bad, compared = HEAD, "", 0, 0
    for project in projects:
        for tool in tools.values():
            result = results.get((project.name, tool.name))
            stock = results.get((project.name, tool.stock))
            if not tool.ours or result is None or stock is None:
                continue
            line, found = row(project, tool, result, stock, root)
            compared += 1
            text += line
            if result.get("repeated"):
                notes += f"\n{project.name}, {tool.name}: the tests ran twice; at first:\n" + \
                    "".join(f"    {difference}\n" for difference in result["repeated"])
            if found:
                bad += 1
                notes += f"\n{project.name}, {tool.name}, is not as {tool.stock}:\n" + \
                    "".join(f"    {difference}\n" for difference in found)
    return text + notes, bad, compared
