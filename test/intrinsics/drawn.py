#!/usr/bin/env python3
# drawn.py - each code of Diagnostics.td is drawn by a test, from C source where there is any
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for MLF#### and code_#### in the tests. Loop models in the text form (test/idioms) are no C
source, so they count only for codes of the tools that read them. Exit status 1 if a code is
missing."""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
RECORDS = os.path.join(TESTS, "..", "intrinsics", "generated", "diagnostics.json")
# Codes that no compilation draws: a remark file that memlift-report refuses, and a loop model that
# memlift-loops does.
TOOLS = {"MLF0008": "report", "MLF0010": "idioms"}
# Folders whose tests compile a language that people write, or run a tool of users on it.
FOLDERS = ("distro", "e2e", "engine", "gcc", "kernel", "languages", "llvm", "mars", "parity",
           "recipes", "slow", "tasks", "user")


def named_in(folders):
    """All codes that the files below these folders name."""
    found = set()
    for folder in folders:
        for where, _, names in os.walk(os.path.join(TESTS, folder)):
            for name in names:
                with open(os.path.join(where, name), encoding="utf-8", errors="replace") as file:
                    found.update(re.findall(r"(?:MLF|code_)(\d{4})", file.read()))
    return {"MLF" + number for number in found}


def main():
    with open(RECORDS, encoding="utf-8") as file:
        records = json.load(file)
    codes = {record["code"] for record in
             (records if isinstance(records, list) else records["diagnostics"])}
    known = named_in(FOLDERS)
    known.update(code for code, folder in TOOLS.items() if code in named_in([folder]))
    missing = sorted(codes - known)
    for code in missing:
        print(f"{code}: no test draws it from C source")
    print(f"{len(codes) - len(missing)} of {len(codes)} codes are drawn")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
