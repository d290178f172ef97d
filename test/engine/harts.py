# harts.py - builds examples/firmware-tasks and boots it on QEMU's boards with five harts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks on bare metal: four harts pull workloads, each with a local store and a DMA channel."""

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import firmware
import machine

TASKS = firmware.ROOT / "examples/firmware-tasks"
PACKAGES = ["clang-22", "lld-22", "gcc-12-riscv64-linux-gnu", "qemu-system-misc"]

BOARDS = {
    "BOARD_SIFIVE_U": ["-M", "sifive_u", "-smp", "5"],
    "BOARD_ICICLE": ["-M", "microchip-icicle-kit", "-m", "2G", "-smp", "5"],
}

# One instruction is 1024 ns there: a hart's turn is 97,656 of them, so that all have their share.
# The same program gives the same output then, to the nanosecond.
COUNTED = ["-icount", "shift=10,sleep=off"]

WORKLOADS = re.compile(r"(\d+) bytes, workloads of each hart: (\d+) (\d+) (\d+) (\d+);")


def program(board, compiler, flags, objects, work, main="main.c"):
    """One ELF file for one board."""
    own = []
    sources = [TASKS / name for name in ("start_riscv64.S", "harts.c", main)]
    if main == "main.c":
        sources += [TASKS / "workloads.c", TASKS / "watched.c"]
    for source in [*sources, firmware.FIRMWARE / "support.c"]:
        out = work / f"{board}_{source.name}.o"
        firmware.compiled([compiler, *flags, "-O2", "-ffreestanding", "-fno-pic", "-fno-builtin",
                           "-DMEMLIFT_BARE_METAL", f"-D{board}", f"-I{firmware.RUNTIME}/include",
                           f"-I{firmware.RUNTIME}", "-c", source, "-o", out])
        own.append(out)
    elf = work / f"{board}_{main}.elf"
    firmware.compiled(["ld.lld-22", "--defsym=RAM_BEGIN=0x80000000", "-T",
                       firmware.FIRMWARE / "firmware.ld", "--gc-sections", *own, *objects,
                       *firmware.libgcc(compiler, flags), "-o", elf])
    return elf


def boot(board, elf, work, options=()):
    """Output of the program, up to its verdict."""
    command = ["qemu-system-riscv64", *BOARDS[board], "-bios", "none", "-nographic", *options,
               "-kernel", str(elf)]
    if board == "BOARD_ICICLE":
        command += ["-dtb", str(firmware.empty_device_tree(work / f"{elf.name}.dtb"))]
    return machine.said(command, lambda said: said.rstrip().endswith("firmware: ok")
                        or "firmware: FAILED" in said)


def mistakes(said, again, counted):
    """What is not as it should be in an output; and in the second of two equal runs."""
    if not said.rstrip().endswith("firmware: ok"):
        return ["does not end with ok"]
    runs = [[int(number) for number in match] for match in WORKLOADS.findall(said)]
    wrong = [] if len({run[0] for run in runs}) == 4 else ["not four sizes"]
    if counted and any(0 in run[1:] for run in runs):
        wrong.append("a hart took no workload")
    if said != again:
        wrong.append("two equal runs differ")
    return wrong


def run(_build):
    """Both boards: with the harts beside each other, and twice in turns that are counted."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        elves = {}
        for name in ("clang-22", "gcc-12", "clang-22 -Os", "gcc-12 -Os"):
            compiler, _, flags = firmware.COMPILERS[name.split()[0]]
            made = work / name
            made.mkdir()
            objects = firmware.runtime_objects(compiler, flags, made, *name.split()[1:])
            for board in BOARDS:
                elves[board, name] = program(board, compiler, flags, objects, made)

        def one(job):
            board, name, options = job
            elf = elves[board, name]
            said = boot(board, elf, work, options)
            again = boot(board, elf, work, options) if options else said
            return job, said, again, mistakes(said, again, bool(options))
        jobs = [(board, name, ()) for board, name in elves]
        jobs += [(board, "clang-22", COUNTED) for board in BOARDS]
        with ThreadPoolExecutor(2) as pool:
            for (board, name, options), said, again, wrong in pool.map(one, jobs):
                how = "turns counted, twice" if options else "beside each other"
                print(f"harts: {BOARDS[board][1]}, {name}, {how}: {'; '.join(wrong) or 'ok'}")
                if wrong:
                    print(said, again if again != said else "")
                good &= not wrong
    return good
