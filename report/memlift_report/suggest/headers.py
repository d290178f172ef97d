# headers.py - changed copies of a header, compiled through a source file that includes it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A header is compiled as part of a source file.

The compiler looks for "x.h" first where the including file lies, so a changed x.h in a folder that
is searched first would not always be found. Therefore all files of the project that the source file
includes (-MM) are copied to a folder of their own, each under its absolute path, and the options
that name folders name those copies first.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess

from .. import read, remarkyaml
from ..model import Loop
from .recompile import SECONDS, Command, Compiler, remark_options

# Source files that are asked for what they include.
MOST_ASKED = 200
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
FOLDERS = ("-I", "-iquote", "-isystem", "-idirafter")


def depends(command: Command) -> list[str]:
    """Absolute names of the files that a source file includes, itself first; none if the compiler
    refuses it."""
    try:
        run = subprocess.run([*command.words, "-MM", "-MT", "x", command.path], cwd=command.folder,
                             capture_output=True, text=True, errors="replace", check=False,
                             timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return []
    text = run.stdout.replace("\\\n", " ")
    if run.returncode or not text.startswith("x:"):
        return []
    names = [re.sub(r"\\(.)", r"\1", name).replace("$$", "$")
             for name in re.findall(r"(?:\\.|[^\s\\])+", text[2:])]
    return [os.path.normpath(os.path.join(command.folder, name)) for name in names]


def includes(path: str, name: str) -> bool:
    """True if the source file itself includes a file of that name."""
    try:
        with open(path, "rb") as stream:
            found = INCLUDE.findall(stream.read())
    except OSError:
        return False
    return any(os.path.basename(os.fsdecode(word)) == name for word in found)


def through(header: str, known: dict[str, Command]) -> tuple[Command, list[str]] | None:
    """The first command whose file includes the header, and all that it includes. Files that name
    it themselves are asked first."""
    name = os.path.basename(header)
    order = sorted(known, key=lambda path: not includes(path, name))
    for path in order[:MOST_ASKED]:
        files = depends(known[path])
        if any(os.path.realpath(file) == header for file in files):
            return known[path], files
    return None


class HeaderCompiler(Compiler):
    """Compiles a source file with changed copies of one header."""

    def __init__(self, command: Command, files: list[str], header: str, scratch: str):
        super().__init__(command, scratch)
        for file in files:
            copy = self.scratch + file
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copyfile(file, copy)
        spelled = next(file for file in files if os.path.realpath(file) == header)
        self.copy = self.scratch + spelled
        self.source = self.scratch + files[0]
        self.words = self.redirected(command.words)

    def redirected(self, words: list[str]) -> list[str]:
        """The command with the folder of copies before each folder, and copies of single files."""
        result: list[str] = []
        rest = iter(words)
        for word in rest:
            option = next((o for o in FOLDERS if word.startswith(o)), "")
            if option:
                value = word[len(option):] or next(rest, "")
                result += [option, self.inside(value), option, value]
            elif word in ("-include", "-imacros"):
                value = next(rest, "")
                copy = self.inside(value)
                result += [word, copy if os.path.exists(copy) else value]
            else:
                result.append(word)
        return result

    def inside(self, name: str) -> str:
        return self.scratch + os.path.normpath(os.path.join(self.command.folder, name))

    def compile_words(self, remarks: str) -> list[str]:
        # A header that only the folder of the source file leads to is found there at last.
        return [*self.words, "-iquote", os.path.dirname(self.source), "-iquote",
                os.path.dirname(self.command.path), "-g1", "-c", "-o",
                os.path.join(self.scratch, "out.o"), *remark_options(self.command, remarks),
                self.source]

    def loops_of(self, remarks: str) -> list[Loop]:
        result = read.Input()
        read.read_file(remarks, result, remarkyaml.Parser())
        copy = os.path.realpath(self.copy)
        return [loop for loop in result.loops
                if os.path.realpath(os.path.join(self.command.folder, loop.file)) == copy]
