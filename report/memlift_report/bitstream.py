# bitstream.py - LLVM's bitstream remarks to loops, through LLVM's own library.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's bitstream remarks (-fsave-optimization-record=bitstream) to loops.

The format changes with LLVM's version, so it is read by libRemarks of an LLVM that is installed:
the newest that takes the file. MEMLIFT_LIBREMARKS names one more, which is tried first.
"""
from __future__ import annotations

import ctypes
import glob
import os
import re
from collections.abc import Iterator

from . import ReportError
from .model import Loop, set_args

PLACES = ("/usr/lib/llvm-*/lib/libRemarks.so", "/usr/lib/*/libRemarks.so*",
          "/usr/local/lib/libRemarks.so*", "/opt/homebrew/opt/llvm*/lib/libRemarks.dylib")
KINDS = ("Unknown", "Passed", "Missed", "Analysis", "AnalysisFPCommute", "AnalysisAliasing",
         "Failure")
POINTERS = ("ParserCreateBitstream", "ParserCreateYAML", "ParserGetNext", "EntryGetPassName",
            "EntryGetRemarkName", "EntryGetFunctionName", "EntryGetDebugLoc", "EntryGetFirstArg",
            "EntryGetNextArg", "ArgGetKey", "ArgGetValue", "DebugLocGetSourceFilePath",
            "StringGetData")
NUMBERS = {"StringGetLen": ctypes.c_uint32, "EntryGetType": ctypes.c_int,
           "EntryGetHotness": ctypes.c_uint64, "DebugLocGetSourceLine": ctypes.c_uint32,
           "DebugLocGetSourceColumn": ctypes.c_uint32, "ParserHasError": ctypes.c_int,
           "ParserGetErrorMessage": ctypes.c_char_p, "ParserDispose": None, "EntryDispose": None}


def libraries() -> list[str]:
    """libRemarks that are installed, the newest LLVM first."""
    found = {os.path.realpath(path) for place in PLACES for path in glob.glob(place)}
    by_version = sorted(found, key=lambda path: [int(n) for n in re.findall(r"\d+", path)],
                        reverse=True)
    own = os.environ.get("MEMLIFT_LIBREMARKS")
    return ([own] if own else []) + by_version


class Library:
    """LLVM's C interface to remarks, without its prefix LLVMRemark."""

    def __init__(self, path: str):
        self.path = path
        library = ctypes.CDLL(path)
        for name in (*POINTERS, *NUMBERS):
            function = getattr(library, "LLVMRemark" + name)
            function.restype = NUMBERS.get(name, ctypes.c_void_p)
            create = name.startswith("ParserCreate")
            function.argtypes = [ctypes.c_void_p] + (
                [ctypes.c_uint64] if create else
                [ctypes.c_void_p] if name == "EntryGetNextArg" else [])
            setattr(self, name, function)

    def string(self, reference: int | None) -> str:
        if not reference:
            return ""
        length = self.StringGetLen(reference)
        data = ctypes.string_at(self.StringGetData(reference), length) if length else b""
        return data.decode("utf-8", errors="backslashreplace")

    def args(self, entry: int) -> Iterator[tuple[str, str]]:
        arg = self.EntryGetFirstArg(entry)
        while arg:
            yield self.string(self.ArgGetKey(arg)), self.string(self.ArgGetValue(arg))
            arg = self.EntryGetNextArg(arg, entry)

    def loop(self, entry: int) -> Loop:
        place = self.EntryGetDebugLoc(entry)
        hotness = self.EntryGetHotness(entry)
        loop = Loop(KINDS[self.EntryGetType(entry)], self.string(self.EntryGetRemarkName(entry)),
                    self.string(self.EntryGetFunctionName(entry)),
                    self.string(self.DebugLocGetSourceFilePath(place)) if place else "",
                    self.DebugLocGetSourceLine(place) if place else 0,
                    self.DebugLocGetSourceColumn(place) if place else 0,
                    hotness or -1)  # the interface has 0 for "no profile"
        set_args(loop, list(self.args(entry)))
        return loop

    def read(self, data: bytes, create: str = "ParserCreateBitstream") -> tuple[list[Loop], int]:
        """Loops, and the number of other passes' remarks. ValueError with LLVM's reason."""
        parser = getattr(self, create)(data, len(data))
        if not parser:
            raise ValueError("LLVM made no parser for it")
        loops = []
        others = 0
        try:
            while entry := self.ParserGetNext(parser):
                if self.string(self.EntryGetPassName(entry)) == "memlift":
                    loops.append(self.loop(entry))
                else:
                    others += 1
                self.EntryDispose(entry)
            if self.ParserHasError(parser):
                raise ValueError((self.ParserGetErrorMessage(parser) or b"").decode())
        finally:
            self.ParserDispose(parser)
        return loops, others


def read(path: str) -> tuple[list[Loop], int]:
    with open(path, "rb") as stream:
        data = stream.read()
    reasons = []
    for name in libraries():
        try:
            loops, others = Library(name).read(data)
        except (OSError, AttributeError, ValueError) as error:
            reasons.append(f"{name}: {error}")
            continue
        for loop in loops:
            if not loop.code or not loop.decision:
                raise ReportError(f"'{path}' cannot be read: a remark of memlift without Code or "
                                  "Decision [MLF0008]")
        return loops, others
    detail = "\n".join(reasons) or "no libRemarks.so found (Debian: llvm-22-dev, llvm-19-dev)"
    raise ReportError(f"'{path}' is a bitstream that cannot be read [MLF0008]\n{detail}\n"
                      "compile with -fsave-optimization-record=yaml, which needs no library")
