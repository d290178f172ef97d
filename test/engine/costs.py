# costs.py - instructions and bytes that tasks take on a hart, beside what they took before
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Count instructions of examples/firmware-tasks/measure.c on QEMU, and bytes of the unit side.

QEMU counts instructions exactly, so a count that is not as stored below is an error, also when it
is less: then the new one belongs there, and into bench/README.md. With another version of the
compiler counts may be one twentieth off. `test/engine/engine.py costs` prints all of them.
"""

import re
import subprocess
import tempfile
from pathlib import Path

import firmware
import harts

# Debian's, when the counts were stored.
VERSION = "22.1.8"
COUNTS = {
    "schedule the first of its priority": 159,
    "schedule": 104,
    "pull": 87,
    "run and end": 87,
    "pull that empties a priority": 279,
    "pull of nothing": 21,
    "pull among 64 priorities": 83,
    "switch there and back": 69,
    "start by the mover": 34,
    "wait by the mover": 32,
    "memlift_get": 114,
    "memlift_tags_wait": 235,
}
# Bytes of text and constants for rv64gc, at most, of all that is linked: the unit side; and a unit
# that runs tasks and has no local store.
SMALLEST = "-Oz -msave-restore"
TEXT = {("clang-22", "-Os", "unit"): 17255, ("clang-22", "-Os", "least"): 6688,
        ("clang-22", SMALLEST, "unit"): 15213, ("clang-22", SMALLEST, "least"): 6182,
        ("gcc-12", "-Os", "unit"): 17536, ("gcc-12", "-Os", "least"): 7084}

MACHINE = ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"]


def version():
    """Of clang-22."""
    said = subprocess.run(["clang-22", "--version"], capture_output=True, text=True, check=True)
    return re.search(r"version (\d+\.\d+\.\d+)", said.stdout).group(1)


def counts(work):
    """What measure.c says: step -> instructions."""
    flags = ["--target=riscv64-none-elf", *MACHINE]
    objects = firmware.runtime_objects("clang-22", flags, work)
    elf = harts.program("BOARD_SIFIVE_U", "clang-22", flags, objects, work, "measure.c")
    said = harts.boot("BOARD_SIFIVE_U", elf, work, ["-icount", "shift=0"])
    if not said.rstrip().endswith("firmware: ok"):
        raise RuntimeError(f"measure.c: {said}")
    return {what: int(count) for what, count in re.findall(r"^(.*): (\d+)\s*$", said, re.M)}


def unit_objects(name, level, work):
    """The library's objects, those of size.c and of what a compiler calls, by such options."""
    compiler, _, flags = firmware.COMPILERS[name]
    flags = [*flags, *level.split()]
    objects = firmware.runtime_objects(compiler, flags, work, flags[-1])
    for source in (harts.TASKS / "size.c", firmware.FIRMWARE / "support.c"):
        objects.append(work / f"{source.name}.o")
        firmware.compiled([compiler, *flags, "-ffreestanding", "-fno-pic", "-fno-builtin",
                           "-ffunction-sections", "-DMEMLIFT_BARE_METAL",
                           f"-I{firmware.RUNTIME}/include", f"-I{firmware.RUNTIME}",
                           "-c", source, "-o", objects[-1]])
    return objects + firmware.libgcc(firmware.COMPILERS["gcc-12"][0], firmware.RISCV)


def text(entry, objects, work):
    """Bytes of a program that begins with that function of size.c, beside that file's."""
    sections = work / "map"
    firmware.compiled(["ld.lld-22", "-e", entry, "--gc-sections", f"-Map={sections}", *objects,
                       "-o", work / "unit.elf"])
    lines = re.findall(r"^ *\w+ +\w+ +(\w+) +\d+ (.*):\(\.(?:text|s?rodata)",
                       sections.read_text(encoding="utf-8"), re.M)
    if len(lines) < 30:
        raise RuntimeError("the map of the link has another form than expected")
    return sum(int(size, 16) for size, file in lines if not file.endswith("/size.c.o"))


def is_as_stored(what, found, stored, slack):
    """1 if a count is right; says so in any case."""
    right = abs(found - stored) <= slack
    print(f"costs: {what:48} {found:6}{'' if right else f', stored is {stored}: FAILED'}")
    return right


def run(_build):
    """True if all is as stored."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        slack = 0 if version() == VERSION else 20
        found = counts(work)
        for what in {**COUNTS, **found}:
            stored = COUNTS.get(what, 0)
            good &= is_as_stored(what, found.get(what, -1), stored, slack and stored // slack)
        objects = {}
        for name, level, entry in TEXT:
            made = work / f"{name} {level}"
            if made not in objects:
                made.mkdir()
                objects[made] = unit_objects(name, level, made)
            most = TEXT[name, level, entry]
            good &= is_as_stored(f"bytes of text, {name} {level}, {entry}",
                                 text(entry, objects[made], made), most, most // 50)
    return good
