# assembly.py - code of functions from .s files that a build kept.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import os
import re

from . import ReportError

LABEL = re.compile(r"^([A-Za-z_.$][\w.$@]*):")
LOCAL = re.compile(r"^\.?L[\w.$]*:")
# Directives tell nothing about the code; neither do the labels of debug information.
NOISE = re.compile(r"^\s+(\.|#|/\*|//)|^\s*$|^#|^\.?L(func|tmp|FB|FE|VL|BI|BE|text|cfi|debug)\w*:|"
                   r"^\.LBB\d+:")
LONGEST = 160  # lines of one function that are shown


def functions_of(text: str) -> dict[str, list[str]]:
    """Function -> its instructions and labels, until its .size or the next function."""
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.split("\n"):
        label = LABEL.match(line)
        if label and not LOCAL.match(line):
            current = found.setdefault(label.group(1), [])
        elif current is not None and line.lstrip().startswith((".size", ".cfi_endproc")):
            current = None
        elif current is not None and not NOISE.match(line):
            current.append(line.split("#", 1)[0].rstrip().expandtabs(8))
    return found


class Assembly:
    """Functions of all .s files below a folder."""

    def __init__(self, folder: str):
        if not os.path.isdir(folder):
            raise ReportError(f"'{folder}' cannot be read: no such folder [MLF0007]")
        self.files: dict[str, dict[str, list[str]]] = {}
        for path, _, names in os.walk(folder):
            for name in sorted(names):
                if name.endswith((".s", ".S", ".asm")):
                    with open(os.path.join(path, name), encoding="utf-8",
                              errors="replace") as stream:
                        self.files[name.split(".")[0]] = functions_of(stream.read())
        if not self.files:
            raise ReportError(f"no .s file in '{folder}' [MLF0007]\n"
                              "compile with -S, or with -save-temps, to keep the assembly")

    def code(self, file: str, function: str) -> list[str]:
        """Code of a function; a static one of the same name in another file comes last."""
        stem = os.path.basename(file).split(".")[0]
        own = self.files.get(stem, {})
        places = [own, *(f for f in self.files.values() if f is not own)]
        return next((place[function][:LONGEST] for place in places if place.get(function)), [])
