# results.py - what the kernels of each compiler do, and what it costs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of their results, and the table of their cycles."""

import os
import re
import shutil
import subprocess
import sys

import programs
from wheels import HERE

sys.path.insert(1, os.path.join(os.path.dirname(HERE), "mca"))
# pylint: disable=wrong-import-position
import mca

QEMU = "qemu-riscv64"
MODEL = "sifive-u74"
NAMES = {"copy": "copy", "copy_restrict": "copy, restrict", "copy_down": "copy, downwards",
         "fill": "fill",
         "inet": "checksum, folded in each step", "inet_deferred": "checksum, folded behind",
         "xor": "xor of bytes", "turn": "words turned", "scaled": "scaled sum of words",
         "scaled_restrict": "scaled sum, restrict"}
COPIES = ("copy", "copy_restrict", "copy_down")
PAIRS = COPIES + ("xor",)


def check_of(bench, core, variant, say):
    """1 if a result is wrong on a core."""
    extra = ["-DDENSE=300"] if bench.arguments.exhaustive else []
    program = programs.program("check", variant, core, bench.root, extra)
    done = bench.run(core, program, "--cycles=4000000000")
    say(f"{core.text}: {variant.text}: right: " + ", ".join(done.split("\n")[:-1]))


def check_linux(bench, core, variant, say):
    """All lengths under qemu, which does unaligned accesses that the cores trap on."""
    program = programs.user_program(variant, core, bench.root)
    done = subprocess.run([QEMU, program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{variant.text} for {core.text} under {QEMU} ended with "
                           f"{done.returncode}: {done.stdout}")
    say(f"{QEMU}: {variant.text} for {core.text}: right: "
        + ", ".join(done.stdout.split("\n")[:-1]))


def check(bench, say):
    """Count the variants with wrong results."""
    bad = 0
    for variant in bench.variants:
        for core in () if variant.linux or variant.user else bench.cores:
            try:
                check_of(bench, core, variant, say)
                if shutil.which(QEMU):
                    check_linux(bench, core, variant, say)
            except RuntimeError as error:
                bad += 1
                say(f"wrong: {error}")
    return bad


def cycles(bench, core, variant):
    """{(kernel, bytes, destination, source): cycles}, and the program."""
    program = programs.program("table", variant, core, bench.root)
    found = {}
    for line in bench.run(core, program, *bench.latency()).splitlines():
        kernel, *numbers = line.split()
        size, to, source, count = map(int, numbers)
        found[kernel, size, to, source] = count
    return found, program


def where(kernel, to, source):
    """The offsets of a row, in words."""
    if kernel in PAIRS:
        return f"d+{to}, s+{source}" if to or source else "aligned"
    return f"+{to or source}" if to or source else "aligned"


def one_core(bench, core, say):
    """The cycles on a core, as Markdown; its programs by variant."""
    columns, made = {}, {}
    for variant in bench.variants:
        say(f"{core.text}: measures {variant.text}")
        columns[variant], made[variant] = cycles(bench, core, variant)
    head = [variant.text for variant in bench.variants]
    lines = [f"Cycles on {core.text}, memory latency {bench.arguments.latency}, "
             "caches warm, the call included:", "",
             "| | bytes | at | " + " | ".join(head) + " |", "|---|---:|---|" + "---:|" * len(head)]
    rows = next(iter(columns.values()), {})
    for kernel, size, to, source in sorted(rows, key=lambda row: (list(NAMES).index(row[0])
                                           if row[0] in NAMES else -1, row[1:])):
        cells = []
        for variant in bench.variants:
            apart = variant.linux not in ("", "__memcpy") and kernel not in COPIES
            cells.append("" if apart else str(columns[variant].get((kernel, size, to, source), "")))
        lines.append(f"| {NAMES.get(kernel, 'an empty call')} | {size} | "
                     f"{where(kernel, to, source)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n", made


def sizes(program):
    """{function: bytes}"""
    text = subprocess.run(["llvm-nm-22", "-S", program], capture_output=True, text=True,
                          check=True).stdout
    found = re.findall(r"^[0-9a-f]+ ([0-9a-f]+) \w (\S+)$", text, re.MULTILINE)
    return {name: int(size, 16) for size, name in found}


def models(core, made):
    """The best loop of each function by llvm-mca, and the bytes of code, as Markdown."""
    lines = [f"Cycles a byte of the best loop by llvm-mca -mcpu={MODEL}, and bytes of code, as "
             f"compiled for {core.text}:", "",
             "| | " + " | ".join(variant.text for variant in made) + " |",
             "|---|" + "---:|" * len(made)]
    columns = {}
    for variant, program in made.items():
        names = {"copy": variant.linux or "k_copy", "copy_restrict": "k_copy_restrict",
                 "copy_down": variant.linux or "k_copy_down",
                 "fill": "__memset" if variant.linux else "k_fill",
                 "inet": "ip_compute_csum" if variant.linux else "k_inet",
                 "inet_deferred": "k_inet_deferred", "xor": "k_xor", "turn": "k_turn",
                 "scaled": "k_scaled", "scaled_restrict": "k_scaled_restrict"}
        best, bytes_of = mca.table(program, MODEL, names.values()), sizes(program)
        columns[variant] = {
            kernel: f"{best[name][0]:.3f}, {bytes_of.get(name, 0)} B"
            for kernel, name in names.items() if name in best
            and (variant.linux in ("", "__memcpy") or kernel in COPIES)}
    for kernel, text in NAMES.items():
        cells = [columns[variant].get(kernel, "") for variant in made]
        lines.append(f"| {text} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def table(bench, say):
    """Prints the table; 0."""
    texts = []
    for core in bench.cores:
        text, made = one_core(bench, core, say)
        texts.append(text)
        if mca.available():
            say(f"no llvm-mca: there is no {mca.available()}")
        else:
            texts.append(models(core, made))
    whole = "\n".join(texts)
    print(whole)
    if bench.arguments.table:
        with open(bench.arguments.table, "w", encoding="utf-8") as stream:
            stream.write(whole)
    return 0
