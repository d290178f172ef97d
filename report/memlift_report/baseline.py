# baseline.py - memlift.lock: the decision on each loop, kept with the source.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memlift.lock, one sorted line a loop, for people to read in a review and for tools to gate on:

    CONFIG PATH:FUNCTION#NUMBER DECISION IDIOM CODES TEXT

CONFIG names the compiler and target. DECISION is done, guarded or kept. CODES are those of a kept
loop, with commas, or -. TEXT is a hash of the loop's source line, or -. A blank in a name is %20.
"""
from __future__ import annotations

import hashlib
import os
import urllib.parse

from . import ReportError
from .diff import kind_of_decision
from .pair import ORDINAL, Item

HEAD = "# memlift.lock 1: update-baseline of memlift-report writes it, check reads it\n"
FIELDS = 6


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="/:#.,+-=@()<>*&[]~$") or "-"


def text_hash(item: Item) -> str:
    return hashlib.sha256(item.text.encode()).hexdigest()[:8] if item.text else ""


def line_of(config: str, item: Item) -> str:
    decision = kind_of_decision(item.decision)
    codes = ",".join(sorted(set(item.codes))) if decision == "kept" else ""
    return " ".join((quoted(config), quoted(item.name()), decision, item.idiom, codes or "-",
                     text_hash(item) or "-")) + "\n"


def item_of_line(path: str, number: int, line: str) -> tuple[str, Item]:
    words = line.split()
    found = ORDINAL.match(urllib.parse.unquote(words[1])) if len(words) == FIELDS else None
    if not found:
        raise ReportError(f"{path}:{number}: not a line of memlift.lock: '{line.strip()[:60]}' "
                          "[MLF0008]\nmemlift-report update-baseline writes it anew")
    place, _, function = found.group(1).rpartition(":")
    codes = () if words[4] == "-" else tuple(words[4].split(","))
    return urllib.parse.unquote(words[0]), Item(
        place, function, found.group(2), int(found.group(3)), words[3], words[2], codes,
        "" if words[5] == "-" else words[5])


def read(path: str) -> dict[str, list[Item]]:
    """Items by configuration."""
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ReportError(f"'{path}' cannot be read: {reason} [MLF0007]\n"
                          "memlift-report update-baseline PATH... writes the first one") from None
    items: dict[str, list[Item]] = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            config, item = item_of_line(path, number, line)
            items.setdefault(config, []).append(item)
    return items


def write(path: str, config: str, items: list[Item]) -> tuple[int, int]:
    """Replaces the lines of one configuration; returns how many lines came and went."""
    old: set[str] = set()
    if os.path.exists(path):
        read(path)  # what is no baseline is not written over
        with open(path, encoding="utf-8") as stream:
            old = {line for line in stream if line.strip() and not line.startswith("#")}
    mine = {line for line in old if line.split(" ", 1)[0] == quoted(config)}
    new = {line_of(config, item) for item in items}
    part = path + ".part"
    try:
        with open(part, "w", encoding="utf-8") as stream:
            stream.write(HEAD + "".join(sorted((old - mine) | new)))
        os.replace(part, path)
    except OSError as error:
        raise ReportError(f"'{path}' cannot be written: {error.strerror} [MLF0007]") from None
    return len(new - mine), len(mine - new)
