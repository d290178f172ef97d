#!/usr/bin/env python3
# check.py - compiles a file and looks for the codes that its functions are named after.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py REPORT OPTIONS FILE COMPILER...: each function code_NNNN of FILE must get a remark with
code MLFNNNN from some compiler, of the decision or of a fact, failed, guarded or not."""
import json
import re
import subprocess
import sys


def codes_of(report, command):
    """Function -> the codes of its remarks."""
    subprocess.run([*command, "-c", "-g", "-o", "codes.o", "--memlift-remarks=codes.yaml"],
                   check=True)
    out = subprocess.run([report, "--format", "json", "--each-copy", "codes.yaml"],
                         capture_output=True, check=True)
    found = {}
    for loop in json.loads(out.stdout)["loops"]:
        codes = found.setdefault(loop["function"], set())
        codes.update([loop["code"], *(f["code"] for f in loop["facts"] if f["code"])])
    return found


def main():
    report, options, path, *compilers = sys.argv[1:]
    with open(path, encoding="utf-8") as source:
        wanted = re.findall(r"^[^\s/].*\bcode_(\d{4})\(", source.read(), re.MULTILINE)
    found = [codes_of(report, [compiler, *options.split(), path]) for compiler in compilers]
    missing = [(code, [sorted(f.get("code_" + code, ())) for f in found]) for code in wanted
               if not any("MLF" + code in f.get("code_" + code, ()) for f in found)]
    for code, codes in missing:
        print(f"{path}: code_{code} has {codes}")
    return int(bool(missing) or not wanted)


if __name__ == "__main__":
    sys.exit(main())
