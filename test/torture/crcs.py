#!/usr/bin/env python3
# crcs.py - what memlift makes of the tests of GCC 15's own CRC pass
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crcs.py SUITE WRAPPER OPTION...

SUITE is gcc/testsuite of the sources in the package gcc-15-source. Each file is compiled by the
wrapper with the options; a file counts as taken if a CRC in it was changed. Those with a main
function are run, and have to end with 0. Files that GCC says are no CRC may hold linear functions,
which become look-ups; --all prints what was said of each file."""

import glob
import os
import re
import subprocess
import sys
import tempfile

SETS = {"Fedora": "gcc.dg/crc-from-fedora-packages-*.c", "no CRC": "gcc.dg/crc-not-crc-*.c",
        "torture": "gcc.dg/torture/crc-*.c"}
TAKEN = re.compile(r"Idiom: +'crc'\n +- Decision: +'(?:lowered|guarded|inlined)'")
SAID = re.compile(r"Idiom: +'(\w+)'\n +- Decision: +'(\w+)'\n +- Code: +'(\w+)'")


def judge(command, path, folder):
    """(compiled, taken, ran, right, what was said) of one file."""
    remarks, output = os.path.join(folder, "remarks.yaml"), os.path.join(folder, "output")
    if os.path.exists(remarks):
        os.remove(remarks)
    with open(path, encoding="utf-8", errors="replace") as stream:
        runs = re.search(r"\bmain\s*\(", stream.read()) is not None
    done = subprocess.run([*command, "-w", "--memlift-verify", f"--memlift-remarks={remarks}", path,
                           "-o", output] + ([] if runs else ["-c"]),
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return False, False, False, True, done.stderr.strip().split("\n")[-1]
    right = not runs or not subprocess.run([output], capture_output=True, timeout=60,
                                           check=False).returncode
    text = ""
    if os.path.exists(remarks):
        with open(remarks, encoding="utf-8") as stream:
            text = stream.read()
    said = "; ".join(" ".join(found) for found in SAID.findall(text))
    return True, TAKEN.search(text) is not None, runs, right, said


def main():
    every = "--all" in sys.argv
    suite, *command = [a for a in sys.argv[1:] if a != "--all"]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, pattern in SETS.items():
            files = sorted(glob.glob(os.path.join(suite, pattern)))
            judged = {os.path.basename(f): judge(command, f, folder) for f in files}
            count = [sum(j[k] for j in judged.values()) for k in range(4)]
            failed |= count[3] != len(files)
            print(f"{name}: {len(files)} files, {count[0]} compiled, {count[1]} with a CRC taken, "
                  f"{count[2]} run, {len(files) - count[3]} wrong")
            for file, (compiled, taken, _, right, said) in judged.items():
                if every or not right:
                    state = "taken" if taken else "kept" if compiled else "not compiled"
                    print(f"  {file}: {'' if right else 'WRONG, '}{state}: {said}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main())
