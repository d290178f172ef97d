#!/usr/bin/env python3
# routines.py - instructions and bytes of examples/linux beside Linux's own assembler for riscv64
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile examples/linux for each core, and count beside arch/riscv/lib of Debian's Linux 6.1.

Each routine runs once under qemu-riscv64, which logs each instruction between the routines' first
and last address: the count is exact, and the same on every machine. The program compares the bytes,
too. Sizes are of code, and of entries in __ex_table beside it. Linux's source is fetched by package
name, as for the suite `kernel`, below BUILD/kernel; the instructions that switch sstatus.SUM are
nops in both, as a program may not execute them.

exit codes: 0 done, 1 a routine is wrong, 77 something is not installed or cannot be fetched
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[1:1] = [str(ROOT / "test" / "realcode"), str(ROOT / "test" / "kernel")]
CROSS, QEMU = "riscv64-linux-gnu-", "qemu-riscv64"
GCC = CROSS + "gcc-12"
ROUTINES = ("memcpy", "memmove", "memset", "__asm_copy_to_user", "__clear_user")
CORES = ("generic-inorder", "sifive-u74", "cva6", "rocket")
SIZES = (0, 8, 31, 64, 256, 1500, 6500, 9000)
PLACES = ((0, 0), (3, 0), (3, 3), (0, 5))  # source and destination in a word
CONFIG = "#define CONFIG_64BIT 1\n#define CONFIG_MMU 1\n#define CONFIG_RISCV 1\n"
# Programs may not switch sstatus.SUM: an instruction of the same length, in both.
NO_SUM = "\t.macro csrs reg, value\n\tnop\n\t.endm\n\t.macro csrc reg, value\n\tnop\n\t.endm\n"


def call(command, where=None):
    run = subprocess.run([str(word) for word in command], cwd=where, capture_output=True, text=True,
                         check=False)
    if run.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{run.stdout}{run.stderr}")
    return run.stdout


def linux_object(source, folder):
    """Assembles the kernel's routines as they are, outside the kernel."""
    (folder / "generated").mkdir(exist_ok=True)
    (folder / "generated" / "autoconf.h").write_text(CONFIG, encoding="utf-8")
    include = [f"-I{folder}", *(f"-I{source / d}" for d in (
        "arch/riscv/include", "include", "include/uapi", "arch/riscv/include/uapi"))]
    objects = []
    for name in ("memcpy", "memmove", "memset", "uaccess"):
        text = folder / f"{name}.S"
        text.write_text(NO_SUM + f'#include "{source}/arch/riscv/lib/{name}.S"\n', encoding="utf-8")
        call([GCC, "-D__ASSEMBLY__", "-D__KERNEL__", "-march=rv64gc", "-mabi=lp64d", "-nostdinc",
              *include, "-include", source / "include/linux/kconfig.h", "-c", text,
              "-o", folder / f"{name}.o"])
        objects.append(folder / f"{name}.o")
    return joined(objects, folder / "linux.o")


def our_object(compiler, core, folder, level):
    objects = []
    for name in ("string", "uaccess"):
        objects.append(folder / f"{core}-{name}.o")
        call([*compiler, level, "-ffreestanding", "-mno-relax", f"--memlift-core={core}", "-c",
              ROOT / "examples" / "linux" / f"{name}.c", "-o", objects[-1]])
    return joined(objects, folder / f"{core}.o")


def joined(objects, to):
    call([CROSS + "ld", "-r", "-o", to, *objects])
    return to


def program(of, folder):
    """Links the routines into one section of their own; returns the program and its range."""
    named = folder / "named.o"
    renames = ["--rename-section", ".text=routines"]
    for name in ROUTINES + ("__asm_copy_from_user",):
        renames += ["--redefine-sym", f"{name}=lifted_{name}"]
    call([CROSS + "objcopy", *renames, of, named])
    run = folder / ("run-" + Path(of).stem)
    call([GCC, "-O1", "-static", ROOT / "bench" / "linux" / "run.c", named, "-o", run])
    symbols = {words[-1]: int(words[0], 16) for words in
               map(str.split, call([CROSS + "nm", run]).splitlines()) if len(words) == 3}
    return run, symbols["__start_routines"], symbols["__stop_routines"]


def count(made, name, size, places, folder):
    """Instructions of one call."""
    run, first, end = made
    log = folder / "log"
    call([QEMU, "-singlestep", "-d", "nochain,exec", "-dfilter", f"{first:#x}..{end - 1:#x}", "-D",
          log, run, name, size, *places])
    with open(log, encoding="utf-8", errors="replace") as stream:
        return sum(line.startswith("Trace") for line in stream)


def sizes(of):
    """Bytes of code by routine's file, and of entries."""
    code = entries = 0
    for line in call([CROSS + "size", "-A", of]).splitlines():
        words = line.split()
        if words and words[0].startswith(".text"):
            code += int(words[1])
        if words and words[0] == "__ex_table":
            entries += int(words[1])
    return code, entries


def linux_source(given, build):
    if given:
        return Path(given)
    from linux import Linux  # pylint: disable=import-outside-toplevel
    tree = Linux(os.path.join(build, "kernel"))
    tree.fetch()
    return Path(tree.source)


def table(made, folder):
    """Markdown: a row for each routine, size and alignment."""
    names = list(made)
    print("| routine | bytes | source, destination | " + " | ".join(names) + " |")
    print("|---|---:|---|" + "---:|" * len(names))
    for name in ROUTINES:
        fills = name in ("memset", "__clear_user")
        for places in PLACES:
            if fills and places[0]:
                continue
            for size in SIZES:
                row = [count(made[k], name, size, places, folder) for k in names]
                at = f"+{places[1]}" if fills else f"+{places[0]}, +{places[1]}"
                print(f"| {name} | {size} | {at} | " + " | ".join(map(str, row)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"), metavar="FOLDER")
    parser.add_argument("--source", metavar="FOLDER", help="Linux's source, unpacked")
    parser.add_argument("--level", default="-O2", choices=("-O2", "-Os"),
                        help="of both files (default: %(default)s)")
    parser.add_argument("--compiler", default="gcc", choices=("gcc", "clang-19", "clang-22"))
    given = parser.parse_args()
    tools = Path(given.build) / "bin"
    compiler = [str(tools / "memlift-riscv64-linux-gnu-gcc")] if given.compiler == "gcc" else [
        str(tools / f"memlift-{given.compiler}"), "--target=riscv64-linux-gnu", "-isystem",
        "/usr/riscv64-linux-gnu/include"]
    absent = [t for t in (GCC, QEMU, compiler[0]) if not shutil.which(t)]
    if absent:
        print("not installed: " + ", ".join(absent), file=sys.stderr)
        return 77
    try:
        source = linux_source(given.source, given.build)
    except Exception as error:  # pylint: disable=broad-except
        print(f"Linux's source cannot be had: {error}", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            objects = {"Linux": linux_object(source, folder)}
            objects.update((core, our_object(compiler, core, folder, given.level))
                           for core in CORES)
            made = {k: program(of, folder) for k, of in objects.items()}
            print("| | " + " | ".join(objects) + " |")
            print("|---|" + "---:|" * len(objects))
            both = [sizes(of) for of in objects.values()]
            for what, which in (("code, bytes", 0), ("entries, bytes", 1)):
                print(f"| {what} | " + " | ".join(str(b[which]) for b in both) + " |")
            print()
            table(made, folder)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
