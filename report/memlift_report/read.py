# read.py - remark files and folders of them to loops, with loud failures.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Remark files to loops.

A compiler's optimisation record holds the remarks of all passes, by the thousand. The file is cut
into records first and only memlift's are parsed; of the others it is checked that they are whole.
A file is read in pieces, so that its size does not matter.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import ReportError, remarkyaml
from .model import Loop
from .progress import Progress

SUFFIXES = (".yaml", ".yml", ".bitstream", ".opt.bin")
PIECE = 4 << 20
MARK = b"--- !"
# First bytes of LLVM's YAML with a string table, which no newer LLVM writes.
STRING_TABLE = b"REMARKS\0"
BITSTREAM = b"RMRK"
GZIP = b"\x1f\x8b"
CUT_OFF = "the record is cut off: '...' is missing after it"


@dataclass(slots=True)
class Input:
    """All that was read, and what is needed to say why nothing was found."""
    loops: list[Loop] = field(default_factory=list)
    files: int = 0
    empty_files: int = 0
    other_remarks: int = 0


def unreadable(path: str, error: OSError | str) -> ReportError:
    reason = error if isinstance(error, str) else error.strerror
    return ReportError(f"'{path}' cannot be read: {reason} [MLF0007]")


def broken(path: str, line: int, reason: str) -> ReportError:
    return ReportError(f"{path}:{line}: not a remark file that can be read: {reason} [MLF0008]")


def find_files(path: str) -> list[str]:
    """Remark files of a path: the file itself, or those in a folder that look like one."""
    if not os.path.exists(path):
        raise unreadable(path, "no such file or folder")
    if not os.path.isdir(path):
        return [path]
    found = []

    def complain(error: OSError) -> None:
        raise unreadable(error.filename, error)

    for folder, folders, names in os.walk(path, onerror=complain):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SUFFIXES) and looks_like_remarks(os.path.join(folder, name)):
                found.append(os.path.join(folder, name))
    return found


def looks_like_remarks(path: str) -> bool:
    """A folder may hold any YAML; a remark file is empty or begins with a tagged document."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(64)
    except OSError as error:
        raise unreadable(path, error) from None
    return not start.strip() or start.lstrip().startswith((MARK, STRING_TABLE, BITSTREAM))


def records(path: str) -> Iterator[tuple[int, memoryview]]:
    """Pieces of the file that hold whole records, with the offset of each. A piece is valid until
    the next one is asked for."""
    offset = held = 0  # of the file; bytes of the buffer that were not given yet
    buffer = bytearray(PIECE)
    try:
        with open(path, "rb", buffering=0) as stream:
            while True:
                view = memoryview(buffer)
                count = stream.readinto(view[held:])
                held += count or 0
                cut = buffer.rfind(b"\n" + MARK, 0, held) + 1 if count else held
                if cut:
                    yield offset, view[:cut]
                    offset += cut
                    held -= cut
                    view[:held] = view[cut:cut + held]
                view.release()
                if not count:
                    return
                if held == len(buffer):
                    buffer = buffer + bytes(len(buffer))  # the old one may still be looked at
    except OSError as error:
        raise unreadable(path, error) from None


def line_at(path: str, offset: int) -> int:
    """Line of an offset, from 1. Lines are counted only when something is wrong."""
    with open(path, "rb") as stream:
        lines = 1
        while offset > 0 and (data := stream.read(min(offset, PIECE))):
            lines += data.count(b"\n")
            offset -= len(data)
    return lines


class YamlFile:
    """One file of records; errors name its line."""

    def __init__(self, path: str, result: Input, parser: remarkyaml.Parser):
        self.path = path
        self.result = result
        self.parser = parser
        self.found = 0

    def broken(self, offset: int, text: str, line: int, reason: str) -> ReportError:
        """`text` stands between `offset`, that of a piece, and the record."""
        at = line_at(self.path, offset) + text.count("\n") + line
        return broken(self.path, at, reason)

    def read(self) -> None:
        for offset, data in records(self.path):
            try:
                text = str(data, "utf-8")
            except UnicodeDecodeError as error:
                line = line_at(self.path, offset + error.start)
                raise broken(self.path, line, "not UTF-8 text") from None
            if "\r" in text:
                text = text.replace("\r\n", "\n")
            self.piece(offset, text)
        self.result.files += 1
        self.result.empty_files += not self.found

    def piece(self, offset: int, text: str) -> None:
        """Whole records. If any is not in the usual form, each is looked at by itself."""
        if text.startswith("--- !") and text.endswith("\n...\n"):
            try:
                loops, others = self.parser.many(text[5:-5])
            except remarkyaml.Unusual:
                pass
            else:
                self.result.loops += loops
                self.result.other_remarks += others
                self.found += len(loops) + others
                return
        self.each(offset, text)

    def each(self, offset: int, text: str) -> None:
        parts = text.split("\n--- !")
        if parts[0].startswith("--- !"):
            parts[0] = parts[0][5:]
        else:
            head = parts.pop(0)
            if head.strip():
                before = head[:len(head) - len(head.lstrip())]
                raise self.broken(offset, before, 0, "expected a line such as '--- !Missed'")
        # As many ends as records, and an end in each: none holds two.
        even = text.count("\n...") == len(parts)
        for number, part in enumerate(parts):
            if not part.endswith("\n..."):
                part = part.rstrip()
            try:
                self.record(part, even)
            except remarkyaml.Broken as error:
                before = text[:text.index(part)] if number else ""
                raise self.broken(offset, before, error.line, error.reason) from None
        self.found += len(parts)

    def record(self, part: str, even: bool) -> None:
        if not part.endswith("\n..."):
            raise remarkyaml.Broken(part.count("\n"), CUT_OFF)
        body = part[:-4]
        if not even and re.search(r"^\.\.\.[ \t]*$", body, re.MULTILINE):
            at = body.index("\n...") + 4
            raise remarkyaml.Broken(body.count("\n", 0, at) + 1,
                                    "text between two records: were two files mixed up?")
        if remarkyaml.is_ours(body):
            self.result.loops.append(self.parser.parse(body))
        elif remarkyaml.TAG.match(body):
            self.result.other_remarks += 1
        else:
            raise remarkyaml.Broken(0, "expected a line such as '--- !Missed'")


def read_file(path: str, result: Input, parser: remarkyaml.Parser) -> None:
    try:
        with open(path, "rb") as stream:
            start = stream.read(16)
    except OSError as error:
        raise unreadable(path, error) from None
    if start.startswith(STRING_TABLE):
        raise broken(path, 1, "YAML with a string table; compile with "
                              "-fsave-optimization-record=yaml")
    if start.startswith(GZIP):
        raise broken(path, 1, "a compressed file, as GCC's own record is, which has no proof; "
                              "compile with --memlift-remarks=FILE")
    if start.startswith(BITSTREAM):
        from . import bitstream  # and ctypes, which other files do not need
        loops, others = bitstream.read(path)
    else:
        YamlFile(path, result, parser).read()
        return
    result.files += 1
    result.loops += loops
    result.other_remarks += others
    result.empty_files += not loops and not others


def read_paths(paths: list[str]) -> Input:
    """Everything below the paths. Raises ReportError at the first thing that cannot be read."""
    result = Input()
    progress = Progress()
    parser = remarkyaml.Parser()
    names: dict[str, str] = {}  # without those that are named twice
    for path in paths:
        for name in find_files(path):
            names.setdefault(os.path.realpath(name), name)
    try:
        for number, name in enumerate(names.values()):
            progress.say("reading file", number + 1, len(names), f", {len(result.loops):,} loops")
            read_file(name, result, parser)
    finally:
        progress.clear()
    return result
