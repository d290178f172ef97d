# source.py - the text of source files that remarks name, found where they lie now.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source files by the names that remarks have for them.

A build elsewhere, or with -ffile-prefix-map, wrote other names. --source-map OLD=NEW replaces the
beginning of a name; --source DIR is a folder that names are relative to.
"""
from __future__ import annotations

import functools
import os
import re

from . import ReportError

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
LARGEST = 16 << 20  # bytes; a file beyond that is no source


def map_of(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not old or not equals:
        raise ReportError(f"bad value '{text}' for option '--source-map': expected OLD=NEW "
                          "[MLF0002]")
    return old, new


def without_comments(text: str) -> str:
    """Text with each comment as a space and its line breaks kept."""
    def instead(found: re.Match) -> str:
        word = found.group(0)
        return " " + "\n" * word.count("\n") if word.startswith("/") else word
    return COMMENT.sub(instead, text)


class Sources:
    def __init__(self, folders: list[str] | None = None,
                 maps: list[tuple[str, str]] | None = None):
        self.folders = [".", *(folders or [])]
        self.maps = maps or []
        self.files: dict[str, list[str] | None] = {}
        self.plain: dict[str, list[str]] = {}
        for folder in folders or []:
            if not os.path.isdir(folder):
                raise ReportError(f"'{folder}' cannot be read: no such folder [MLF0007]")

    def places(self, name: str) -> list[str]:
        """Where a file may lie, the likeliest first."""
        names = [new + name[len(old):] for old, new in self.maps if name.startswith(old)]
        return [os.path.join(folder, word) for word in [*names, name] for folder in self.folders]

    def lines(self, name: str) -> list[str] | None:
        """Lines of the file, or None if it is nowhere."""
        if name not in self.files:
            self.files[name] = None
            for place in self.places(name) if name else ():
                try:
                    if os.path.getsize(place) > LARGEST:
                        continue
                    with open(place, encoding="utf-8", errors="replace") as stream:
                        self.files[name] = stream.read().split("\n")
                        break
                except OSError:
                    continue
        return self.files[name]

    def line(self, name: str, number: int) -> str:
        lines = self.lines(name) if number else None
        return lines[number - 1] if lines and number <= len(lines) else ""

    def missing(self, names: list[str]) -> list[str]:
        return [name for name in names if name and self.lines(name) is None]

    def must_have(self, names: list[str]) -> None:
        """Raises if one of them cannot be read, and says what to do."""
        missing = self.missing(names)
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise ReportError(
                f"the source '{missing[0]}'{more} cannot be read [MLF0007]\n"
                "run where the compiler ran, name its folder with --source DIR, or say what the "
                f"name begins with here: --source-map {os.path.dirname(missing[0]) or '.'}=DIR\n"
                "--no-source makes the report without source text")

    def fingerprint(self, name: str, number: int) -> str:
        """The loop's line and the next as one word, which comments and blanks do not change."""
        if name not in self.plain:
            lines = self.lines(name)
            self.plain[name] = without_comments("\n".join(lines)).split("\n") if lines else []
        lines = self.plain[name]
        if not number or number > len(lines):
            return ""
        here = [word for line in lines[number - 1:number + 5] if (word := "".join(line.split()))]
        return " ".join(here[:2])


class NoSources(Sources):
    """Stands for the source when nobody wants it."""

    def lines(self, name: str) -> list[str] | None:
        return None

    def must_have(self, names: list[str]) -> None:
        pass


@functools.lru_cache(maxsize=1)
def nothing() -> Sources:
    return NoSources()
