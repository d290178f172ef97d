# read.py - remark files (LLVM remark YAML, Pass memlift) to plain records.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Remark files to plain records.

A compiler's optimisation record holds the remarks of all passes, by the thousand. The file is cut
into documents first and only memlift's are parsed; of the others it is checked that they are
whole. All scalars are kept as strings: 'Have: no' is a word and no boolean.
"""
import os
import re
from dataclasses import dataclass, field

import yaml

from . import ReportError

Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

SUFFIXES = (".yaml", ".yml")
START = re.compile(r"^--- !(\w+)[ \t]*$", re.MULTILINE)
OURS = re.compile(r"^Pass:[ \t]+['\"]?memlift['\"]?[ \t]*$", re.MULTILINE)
# First bytes of LLVM's bitstream remarks and of its YAML with a string table.
BINARY = (b"RMRK", b"REMARKS\0")


@dataclass
class Record:
    """One remark as it is written: kind, the mapping's entries, and where it stands."""
    kind: str
    entries: dict
    args: list = field(default_factory=list)  # (key, value) in order
    where: str = ""


@dataclass
class Input:
    """All that was read, and what is needed to say why nothing was found."""
    records: list = field(default_factory=list)
    files: int = 0
    empty_files: int = 0
    other_remarks: int = 0


def find_files(path):
    """Remark files of a path: the file itself, or those in a folder that look like one."""
    if not os.path.exists(path):
        raise ReportError(f"'{path}' cannot be read: no such file or folder [MLF0007]")
    if not os.path.isdir(path):
        return [path]
    found = []

    def complain(error):
        raise ReportError(f"'{error.filename}' cannot be read: {error.strerror} [MLF0007]")

    for folder, folders, names in os.walk(path, onerror=complain):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SUFFIXES) and looks_like_remarks(os.path.join(folder, name)):
                found.append(os.path.join(folder, name))
    return found


def looks_like_remarks(path):
    """A folder may hold any YAML; a remark file is empty or begins with a tagged document."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(64)
    except OSError as error:
        raise ReportError(f"'{path}' cannot be read: {error.strerror} [MLF0007]") from None
    return not start.strip() or start.lstrip().startswith((b"--- !", *BINARY))


def read_text(path):
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise ReportError(f"'{path}' cannot be read: {error.strerror} [MLF0007]") from None
    if data.startswith(BINARY):
        raise broken(path, 1, "a bitstream; compile with -fsave-optimization-record=yaml")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise broken(path, line, "not UTF-8 text") from None


def broken(path, line, reason):
    return ReportError(f"{path}:{line}: not a remark file that can be read: {reason} [MLF0008]")


def read_file(path, result):
    text = read_text(path).replace("\r\n", "\n")
    starts = list(START.finditer(text))
    head = text[:starts[0].start()] if starts else text
    if head.strip():
        line = head[:len(head) - len(head.lstrip())].count("\n") + 1
        raise broken(path, line, "expected a line such as '--- !Missed'")
    result.files += 1
    result.empty_files += not starts
    line = 1 + head.count("\n")
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(text)
        document = text[start.start():end]
        check_whole(path, line, document)
        if OURS.search(document):
            result.records.append(parse(path, line, start.group(1), document))
        else:
            result.other_remarks += 1
        line += document.count("\n")


def check_whole(path, line, document):
    stripped = document.rstrip()
    if not stripped.endswith("\n..."):
        last = line + stripped.count("\n")
        raise broken(path, last, "the record is cut off: '...' is missing after it")


def parse(path, line, kind, document):
    try:
        entries = yaml.load(document, Loader=Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n", maxsplit=1)[0]
        raise broken(path, line + (mark.line if mark else 0), problem) from None
    if not isinstance(entries, dict):
        raise broken(path, line, "the record is no list of entries")
    record = Record(kind, entries, where=f"{path}:{line}")
    args = entries.get("Args") or []
    if not isinstance(args, list):
        raise broken(path, line, "Args is no list")
    for arg in args:
        if not isinstance(arg, dict):
            raise broken(path, line, "an entry of Args has no key")
        record.args += [(k, v) for k, v in arg.items() if isinstance(v, str)]
    keys = {key for key, _ in record.args}
    for needed in ("Code", "Decision"):
        if needed not in keys:
            raise broken(path, line, f"a remark of memlift without {needed}")
    return record


def read_paths(paths):
    """Everything below the paths. Raises ReportError at the first thing that cannot be read."""
    result = Input()
    seen = set()
    for path in paths:
        for name in find_files(path):
            identity = os.path.realpath(name)
            if identity not in seen:
                seen.add(identity)
                read_file(name, result)
    return result
