#!/usr/bin/env python3
# check.py - compiles a file and compares the errors of memlift with the marks in its comments.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py MARK COMMAND [--warn] FILE...: each line with "// MARK [CODE [REASON]]" has to get an
error with that code; with --warn a warning, and the file has to compile. REASON is the code of a
fact in the chain below the error. No other line may get one. MARK NONE: no error at all."""
import re
import subprocess
import sys

KINDS = {False: "error", True: "warning"}


def found_in(text, file, kind):
    """Line -> (code, all codes of its chain), of memlift's messages."""
    found = {}
    line = 0
    for row in text.splitlines():
        place = re.match(rf"(?:.*/)?{re.escape(file)}:(\d+):\d+: (\w+): (.*)", row)
        if place and place[2] == kind:
            codes = re.findall(r"MLF\d{4}", place[3])
            line = int(place[1]) if codes else 0
            if line:
                old = found.get(line, ("", set()))
                found[line] = codes[-1], old[1] | set(codes)
        elif line and not row.lstrip().startswith(("|", f"{line} |")):
            found[line][1].update(re.findall(r"MLF\d{4}", row))
    return found


def check(mark, command, warn, path):
    options = ["--memlift-require=warn"] if warn else []
    options += ["-ferror-limit=0"] if "clang" in command else []
    run = subprocess.run([*command.split(), *options, path, "-o", "check.o"], capture_output=True,
                         text=True, check=False)
    file = path.rsplit("/", maxsplit=1)[-1]
    found = found_in(run.stderr, file, KINDS[warn])
    wanted = {}
    with open(path, encoding="utf-8") as source:
        for number, text in enumerate(source, 1):
            if marked := re.search(rf"// {mark}((?: MLF\d+)*)", text):
                wanted[number] = marked[1].split()
    wrong = [f"{file}:{n}: no {KINDS[warn]}" for n in wanted if n not in found]
    wrong += [f"{file}:{n}: {found[n][0]} is too much" for n in found if n not in wanted]
    for number in wanted.keys() & found.keys():
        code, codes = found[number]
        expected = wanted[number]
        if expected and (code != expected[0] or not codes.issuperset(expected)):
            wrong.append(f"{file}:{number}: {code} {sorted(codes)}, not {expected}")
    if (run.returncode != 0) != (bool(wanted) and not warn):
        wrong.append(f"{file}: exit status {run.returncode}")
    for text in wrong:
        print(f"{command}: {text}")
    if wrong:
        print(run.stderr)
    return not wrong


def main():
    mark, command, *files = sys.argv[1:]
    warn = "--warn" in files
    good = [check(mark, command, warn, f) for f in files if f != "--warn"]
    return 0 if all(good) and good else 1


if __name__ == "__main__":
    sys.exit(main())
