# ldist.py - GCC's loop-distribution tests: what their dumps say with memlift and without
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the dump scans of a loop-distribution test on the stock compiler's dump and on the one
with the plugin. A scan that passes in one only is a difference; it is memlift's doing, and no
defect, where memlift had taken a loop of that file before GCC's pass saw it."""

import glob
import os
import re
import shutil

from compare import COMPILE_SECONDS, run

TAKEN = re.compile(r"^  - Decision: +'?(?:lowered|inlined|guarded)", re.M)


def passes(scan, dump):
    """Tell whether one scan passes on a dump's text."""
    kind, pattern, count = scan
    found = len(re.findall(pattern, dump))
    return {"-times": found == count, "-not": found == 0}.get(kind, found > 0)


def dump(case, tool, extra, folder):
    """(exit status, messages, text of the ldist dump)"""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    status, said = run([tool.command, *extra, *case.options, "-w", "-S", case.path, "-o", "x.s"],
                       COMPILE_SECONDS, folder)
    text = ""
    for path in glob.glob(os.path.join(folder, "*.ldist")):
        with open(path, encoding="latin-1") as stream:
            text += stream.read()
    return status, said, text


def compare(case, tool, folder):
    """(outcome, what to tell of it) of a case under GCC."""
    where = os.path.join(folder, "ldist." + case.name)
    stock_status, _, stock = dump(case, tool, (), where)
    if stock_status != 0:
        return "none", ""
    remarks = os.path.join(folder, case.name + ".yaml")
    plugin_name = os.path.basename(tool.plugin[0].split("=", 1)[1])[:-len(".so")]
    status, said, ours = dump(
        case, tool, (*tool.plugin, f"-fplugin-arg-{plugin_name}-remarks={remarks}"), where)
    if status != 0:
        return "bad", f"does not compile ({status}):\n" + said.decode(errors="replace")
    changed = [scan for scan in case.scans if passes(scan, stock) != passes(scan, ours)]
    if not changed:
        return "agree" if case.scans else "same", ""
    with open(remarks, encoding="utf-8") as stream:
        taken = len(TAKEN.findall(stream.read()))
    told = "; ".join(f"{pattern!r}: stock {'passes' if passes(scan, stock) else 'fails'}"
                     for scan in changed for pattern in [scan[1]])
    return ("scan" if taken else "bad"), f"{told}; memlift took {taken} loops"
