#!/usr/bin/env python3
# help_page.py - writes the manual page of a command from what its --help prints.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""help_page.py NAME VERSION SUMMARY FILE COMMAND...: writes the page of NAME to FILE.

COMMAND prints the help. Headings in capitals become sections. Without them, "Usage:" and the
indented lines below it are the synopsis, and the rest is the description. Lines stay as they are.
"""
import subprocess
import sys


def escaped(line):
    """A line that roff prints as it is."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def sections(text):
    """[(heading, lines)] of the help."""
    lines = text.strip("\n").splitlines()
    if lines[0].lower().startswith("usage:"):
        end = next((number for number, line in enumerate(lines)
                    if number and not line.startswith(" ")), len(lines))
        usage = [line[len("usage:"):] if not number else line
                 for number, line in enumerate(lines[:end])]
        return [("SYNOPSIS", [line.strip() for line in usage]), ("DESCRIPTION", lines[end:])]
    found = []
    for line in lines:
        if line and line == line.upper() and not line.startswith(" "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line.removeprefix("  "))
    return [(heading, body) for heading, body in found if heading != "NAME"]


def page(name, version, summary, text):
    """The page as roff."""
    result = [f'.TH {name.upper()} 1 "" "memlift {version}" "User Commands"'.replace("-", "\\-"),
              ".SH NAME", f"{escaped(name)} \\- {escaped(summary)}"]
    for heading, lines in sections(text):
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        result += [f".SH {heading}", ".nf", *(escaped(line) for line in lines), ".fi"]
    return "\n".join(result) + "\n"


def main():
    """Runs the command, writes the page."""
    name, version, summary, target, *command = sys.argv[1:]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with open(target, "w", encoding="utf-8") as stream:
        stream.write(page(name, version, summary, text))


if __name__ == "__main__":
    main()
