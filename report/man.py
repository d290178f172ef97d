#!/usr/bin/env python3
# man.py - writes memlift-report(1) from the text of memlift-report --help.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""man.py [VERSION [FILE]]: writes the manual page to FILE, or prints it.

--help has its form already, so it is the only text: headings become sections, and the lines below
them stay as they are.
"""
import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def escaped(line):
    """A line that roff prints as it is."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def section(title, lines):
    while lines and not lines[-1]:
        lines.pop()
    if title == "NAME":  # apropos wants "name \- text" on one line
        return [".SH NAME", " ".join(line.strip() for line in lines).replace(" - ", " \\- ", 1)]
    return [f".SH {title}", ".nf", *(escaped(line.removeprefix("  ")) for line in lines), ".fi"]


def page(text, version):
    result = [f'.TH MEMLIFT\\-REPORT 1 "" "memlift {version}" "User Commands"']
    title, lines = "", []
    for line in [*text.splitlines(), "END"]:
        if line and not line.startswith(" "):
            if title:
                result += section(title, lines)
            title, lines = line, []
        else:
            lines.append(line)
    return "\n".join(result) + "\n"


if __name__ == "__main__":
    manual = runpy.run_path(os.path.join(HERE, "memlift_report", "manual.py"))["HELP"]
    text = page(manual, sys.argv[1] if len(sys.argv) > 1 else "")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as output:
            output.write(text)
    else:
        sys.stdout.write(text)
