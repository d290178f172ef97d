# alignment.py - calls by size and alignment, for people.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ..alignment import ALIGNMENTS, MADE, OPERATIONS, UNKNOWN, WRITTEN, places, table, totals

ORIGINS = ((WRITTEN, "written in the source"), (MADE, "made by the compiler"),
           (UNKNOWN, "not known to be written (no source at hand)"))


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "none"


def sentence(name, calls, origin):
    n = totals(calls)
    good = n["and_in_line"]
    return (f"of {n['calls']} {name} calls {origin}, {n['constant']} of constant size, "
            f"{n['multiple_of_4_and_aligned_4']} a multiple of 4 and 4-aligned, and in line: "
            f"{good} = {percent(good, n['calls'])}")


def at_places(calls):
    n = places(calls)
    good = n["and_in_line_up_to_256"]
    return (f"these stand at {n['places']} places, {n['constant']} of constant size, "
            f"{n['multiple_of_4']} a multiple of 4, {n['and_aligned_4']} of them 4-aligned, and in "
            f"line up to 256 bytes: {good} = {percent(good, n['places'])}")


def operation(name, calls):
    width = 14
    lines = [name, "  " + "bytes".ljust(width) +
             "".join(f"align {a}{'+' if a == ALIGNMENTS[-1] else ''}".rjust(10)
                     for a in ALIGNMENTS)]
    for size, cells in table(calls).items():
        lines.append("  " + size.ljust(width) +
                     "".join((str(cells[a]) if cells[a] else ".").rjust(10) for a in ALIGNMENTS))
    for origin, words in ORIGINS:
        mine = [c for c in calls if c.origin == origin]
        if mine:
            lines.append("  " + sentence(name, mine, words))
        if mine and origin == WRITTEN:
            lines.append("  " + at_places(mine))
    n = totals(calls)
    lines.append(f"  words in place: {n['words_by_memlift']} by memlift, "
                 f"{n['words_by_compiler']} by the compiler; "
                 f"{n['calls'] - n['words_by_memlift'] - n['words_by_compiler']} stay calls")
    return lines


def one(call):
    size = f"{call.size} bytes" if call.size >= 0 else "size not constant"
    aligned = f"aligned {call.destination}"
    if call.source:
        aligned += f" and {call.source}"
    became = {"memlift": "words by memlift", "compiler": "words by the compiler",
              "no": "a call"}[call.words]
    line = f"{call.place}: {call.operation} in {call.function}: {size}, {aligned}: {became}"
    return line + (f" ({call.why})" if call.why else "")


def render(calls, out, verbose):
    if verbose:
        for call in calls:
            out.write(one(call) + "\n")
        out.write("\n")
    for name in OPERATIONS:
        mine = [c for c in calls if c.operation == name]
        if mine:
            out.write("\n".join(operation(name, mine)) + "\n")
