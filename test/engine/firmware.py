# firmware.py - builds examples/firmware through memlift and boots it on QEMU's boards
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bare-metal programs whose large copies and fills go through the DMA engines that QEMU models."""

import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "examples/firmware"
RUNTIME = ROOT / "runtime"
PACKAGES = ["clang-22", "lld-22", "gcc-12-riscv64-linux-gnu", "qemu-system-misc", "qemu-system-arm"]

RISCV = ["-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany"]
CLANG_RISCV = ["--target=riscv64-none-elf", *RISCV]
CLANG_ARM = ["--target=aarch64-none-elf", "-march=armv8-a", "-mstrict-align"]

# Compiler of the runtime, wrapper for the program's own loops, target's flags.
COMPILERS = {
    "clang-22": ("clang-22", "memlift-clang-22", CLANG_RISCV),
    "gcc-12": ("riscv64-linux-gnu-gcc-12", "memlift-riscv64-linux-gnu-gcc", RISCV),
    "clang-22 (aarch64)": ("clang-22", "memlift-clang-22", CLANG_ARM),
}

SIFIVE = ["qemu-system-riscv64", "-M", "sifive_u", "-smp", "2", "-bios", "none", "-nographic"]
ICICLE = ["qemu-system-riscv64", "-M", "microchip-icicle-kit", "-m", "2G", "-smp", "5", "-bios",
          "none", "-nographic"]
ZCU102 = ["qemu-system-aarch64", "-M", "xlnx-zcu102", "-m", "1G", "-audiodev", "none,id=a0",
          "-display", "none", "-serial", "stdio", "-monitor", "none"]

# Board's macro, machine, start of RAM, start code, compilers.
BOARDS = [
    ("BOARD_SIFIVE_U", SIFIVE, 0x80000000, "start_riscv64.S", ["clang-22", "gcc-12"]),
    ("BOARD_ICICLE", ICICLE, 0x80000000, "start_riscv64.S", ["clang-22", "gcc-12"]),
    ("BOARD_ZCU102", ZCU102, 0x100000, "start_aarch64.S", ["clang-22 (aarch64)"]),
]


def fail(message):
    print(f"firmware: {message}", file=sys.stderr)
    return False


def compiled(command):
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        raise RuntimeError(f"{command[0]} ... {command[-1]}:\n{run.stderr}")


def runtime_objects(compiler, flags, work, level="-O2"):
    """libmemlift for bare metal, file by file: no build system is needed."""
    listed = (RUNTIME / "sources.cmake").read_text(encoding="utf-8").split("set(MEMLIFT_MODEL")[0]
    sources = re.findall(r"^ +([a-z0-9_/]+\.c)\)?$", listed, re.M)

    def one(source):
        out = work / (source.replace("/", "_") + ".o")
        compiled([compiler, *flags, level, "-ffreestanding", "-fno-pic", "-fno-builtin",
                  "-DMEMLIFT_BARE_METAL", "-ffunction-sections", "-fdata-sections",
                  *([] if "clang" in compiler else ["-fno-tree-loop-distribute-patterns"]),
                  f"-I{RUNTIME}/include", "-c", RUNTIME / source, "-o", out])
        return out
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, sources))


def program(board, wrapper, compiler, flags, ram, start, objects, work):
    """One ELF file for one board."""
    own = []
    for source in ("main.c", "loops.c", "support.c", start):
        out = work / f"{board}_{source}.o"
        lifted = source == "loops.c"
        compiled([wrapper if lifted else compiler, *flags, "-O2", "-ffreestanding", "-fno-pic",
                  *(["--memlift-runtime=memlift"] if lifted else []), f"-D{board}",
                  f"-I{RUNTIME}/include", f"-I{RUNTIME}", "-c", FIRMWARE / source, "-o", out])
        own.append(out)
    elf = work / f"{board}.elf"
    compiled(["ld.lld-22", f"--defsym=RAM_BEGIN={ram:#x}", "-T", FIRMWARE / "firmware.ld",
              "--gc-sections", *own, *objects, *libgcc(compiler, flags), "-o", elf])
    return elf


def libgcc(compiler, flags):
    """GCC calls it for what the machine has no instruction for."""
    if "gcc" not in compiler:
        return []
    return subprocess.run([compiler, *flags, "-print-libgcc-file-name"], capture_output=True,
                          text=True, check=True).stdout.split()


def empty_device_tree(path):
    """The smallest one: a root without properties. QEMU asks for one, the program does not."""
    structure = struct.pack(">IIII", 1, 0, 2, 9)
    reserved = bytes(16)
    offset = 40 + len(reserved)
    total = offset + len(structure)
    header = struct.pack(">10I", 0xd00dfeed, total, offset, total, 40, 17, 16, 0, 0, len(structure))
    path.write_bytes(header + reserved + structure)
    return path


def boot(board, elf, work):
    """Output of the program, up to its verdict."""
    command = board + ["-kernel", str(elf)]
    if "microchip-icicle-kit" in board:
        command += ["-dtb", str(empty_device_tree(work / "empty.dtb"))]
    ends = ("firmware: ok", "firmware: FAILED", "does not start")
    return machine.said(command, lambda said: said.rstrip().endswith(ends), subprocess.STDOUT)


def run(build):
    """All boards with all their compilers; True if all is well."""
    good = True
    for name, (compiler, wrapper, flags) in COMPILERS.items():
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            try:
                objects = runtime_objects(compiler, flags, work)
                for board, qemu, ram, start, compilers in BOARDS:
                    if name not in compilers:
                        continue
                    elf = program(board, build / "bin" / wrapper, compiler, flags, ram, start,
                                  objects, work)
                    said = boot(qemu, elf, work)
                    ok = said.rstrip().endswith("firmware: ok")
                    print(f"firmware: {qemu[2]}, {name}: {'ok' if ok else 'FAILED'}")
                    if not ok:
                        print(said)
                    good &= ok
            except RuntimeError as error:
                good = fail(f"{name}: {error}")
    return good
