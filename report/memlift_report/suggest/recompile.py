# recompile.py - compiles a changed copy of a file with the command of its build, and reads back.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a file is compiled, and what the compiler says of a changed copy of it.

The command is that of compile_commands.json, or is given. The copy lies in a folder of its own
under the name of the file, and nothing of the build is written: the object and the remarks are
thrown away. A link has no part in this, so -flto is dropped.
"""
from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass

from .. import ReportError, read, remarkyaml
from ..model import Loop

DATABASE = "compile_commands.json"
SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii", ".m", ".mm")
LAUNCHERS = frozenset(("ccache", "sccache", "distcc", "icecc"))
# Options that write something or only say what is written; those of the second set have a value.
DROPPED = frozenset(("-c", "-S", "-E", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM", "-flto",
                     "-fsave-optimization-record", "--coverage", "-save-temps", "-fsyntax-only"))
DROPPED_VALUE = frozenset(("-o", "-MF", "-MT", "-MQ", "-MJ", "--memlift-remarks", "-dumpdir"))
DROPPED_START = ("--memlift-remarks=", "-flto=", "-fsave-optimization-record=", "-save-temps=",
                 "-foptimization-record-file=", "-fplugin-arg-memlift", "--memlift-require=")
SECONDS = 600


@dataclass(slots=True)
class Command:
    """How one file is compiled."""
    folder: str
    words: list[str]  # the compiler and its options, without the file and what is written
    path: str  # absolute

    @property
    def compiler(self) -> str:
        return os.path.basename(self.words[0])

    @property
    def is_c(self) -> bool:
        languages = [self.words[n + 1] for n, word in enumerate(self.words[:-1]) if word == "-x"]
        if languages:
            return languages[-1] in ("c", "cpp-output")
        return self.path.endswith((".c", ".i", ".m"))

    @property
    def restrict(self) -> str:
        old = any(re.fullmatch(r"-std=(c|gnu|iso9899:)(89|90|1990|199409)|-ansi", word)
                  for word in self.words)
        return "restrict" if self.is_c and not old else "__restrict"


def command_of(words: list[str], folder: str, path: str) -> Command:
    """From the words of a build's command, which compiles the file at `path`."""
    if not words:
        raise ReportError(f"the command that compiles '{path}' is empty [MLF0002]")
    if os.path.basename(words[0]) in LAUNCHERS and len(words) > 1:
        words = words[1:]
    kept = []
    rest = iter(words)
    for word in rest:
        if word in DROPPED_VALUE:
            next(rest, None)
        elif word in DROPPED or word.startswith(DROPPED_START) or (
                word.startswith("-o") and len(word) > 2 and not word.startswith("-objc")):
            pass
        elif word.startswith("-") or os.path.realpath(os.path.join(folder, word)) != path:
            kept.append(word)
    return Command(folder, kept, path)


def has_plugin(command: Command) -> bool:
    return command.compiler.startswith("memlift-") or any("memlift" in w for w in command.words)


def remark_options(command: Command, path: str) -> list[str]:
    """How the compiler of this command is asked for memlift's remarks."""
    if command.compiler.startswith("memlift-"):
        return [f"--memlift-remarks={path}"]
    for word in command.words:
        found = re.fullmatch(r"-fplugin=(?:.*/)?(memlift_gcc\w*)\.so", word)
        if found:
            return [f"-fplugin-arg-{found.group(1)}-remarks={path}"]
    return ["-Xclang", "-mllvm", "-Xclang", f"-memlift-remarks={path}", "-Rpass-analysis=^$"]


def database(folder: str) -> dict[str, Command]:
    """Commands by the real path of their file. A file that is compiled twice has its first."""
    path = os.path.join(folder, DATABASE) if os.path.isdir(folder) else folder
    try:
        with open(path, encoding="utf-8") as stream:
            entries = json.load(stream)
    except OSError as error:
        raise read.unreadable(path, error) from None
    except ValueError as error:
        raise ReportError(f"'{path}' is no compilation database: {error} [MLF0008]") from None
    found: dict[str, Command] = {}
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict) or "file" not in entry or "directory" not in entry:
            raise ReportError(f"'{path}' is no compilation database: an entry has no file or no "
                              "directory [MLF0008]")
        where = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
        words = entry.get("arguments") or shlex.split(entry.get("command", ""))
        found.setdefault(where, command_of(words, entry["directory"], where))
    return found


def given(words: list[str]) -> dict[str, Command]:
    """The command behind `--`, which names one source file or more."""
    folder = os.getcwd()
    files = [os.path.realpath(word) for word in words[1:]
             if word.endswith(SUFFIXES) and os.path.isfile(word)]
    if not files:
        raise ReportError("the command behind '--' names no source file that exists here [MLF0001]")
    without = [w for w in words if w == words[0] or os.path.realpath(w) not in files]
    return {path: command_of(without, folder, path) for path in files}


class Compiler:
    """Compiles changed copies of one file."""

    def __init__(self, command: Command, scratch: str):
        self.command = command
        self.scratch = tempfile.mkdtemp(dir=scratch)
        self.copy = os.path.join(self.scratch, os.path.basename(command.path))
        self.runs = 0
        self.complaint = ""

    def verdicts(self, text: str) -> list[Loop] | None:
        """Loops of the file itself if its text were this; None if the compiler refuses it."""
        with open(self.copy, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
            stream.write(text)
        remarks = os.path.join(self.scratch, "remarks.yaml")
        if os.path.exists(remarks):
            os.remove(remarks)
        self.runs += 1
        self.complaint = ""
        words = self.compile_words(remarks)
        try:
            run = subprocess.run(words, cwd=self.command.folder, capture_output=True, text=True,
                                 errors="replace", check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.complaint = f"the compiler was still running after {SECONDS} s"
            return None
        except OSError as error:
            self.complaint = f"'{words[0]}' cannot be run: {error.strerror}"
            return None
        if run.returncode:
            self.complaint = (run.stderr.strip().split("\n") or [""])[0]
            return None
        if not os.path.exists(remarks):
            self.complaint = "the compiler wrote no remarks"
            return []
        return self.loops_of(remarks)

    def compile_words(self, remarks: str) -> list[str]:
        """The command that compiles the copy."""
        return [*self.command.words, "-iquote", os.path.dirname(self.command.path), "-g1", "-c",
                "-o", os.path.join(self.scratch, "out.o"), *remark_options(self.command, remarks),
                self.copy]

    def loops_of(self, remarks: str) -> list[Loop]:
        """The loops of the copy."""
        result = read.Input()
        read.read_file(remarks, result, remarkyaml.Parser())
        return [loop for loop in result.loops
                if os.path.basename(loop.file) == os.path.basename(self.copy)]
