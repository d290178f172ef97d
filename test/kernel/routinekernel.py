# routinekernel.py - a small Linux with the routines of examples/linux, its device trees and guests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The patched source, the three ways to build it, and what a boot says. Used by routines.py and
iperf.py."""

import dataclasses
import os
import re
import shutil
import subprocess

import machine
from linux import GCC, Kind, Linux
from sources import Unavailable

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
GUEST = os.path.join(HERE, "routines")
EXAMPLES = os.path.join(TOP, "examples", "linux")
FILES = ("string.c", "uaccess.c", "csum.c", "user.h", "kernel/Kbuild", "kernel/choose.c")
# By compatible name in the device tree: the core whose routines are taken.
CORES = {"sifive,u74-mc": "sifive-u74", "openhwgroup,cva6": "cva6", "sifive,rocket0": "rocket",
         "": "generic-inorder"}
# A wrapper by which the stock compiler, which knows neither attributes nor options of memlift,
# compiles the same C. Without the second option GCC makes the loop of memcpy a call of memcpy.
PLAIN = """#!/bin/sh
for word do
  shift
  case $word in --memlift-*) ;; *) set -- "$@" "$word" ;; esac
done
exec {} -Wno-attributes {} "$@"
"""
# Without a seed the kernel makes its own by running in circles.
SEED = "/ { chosen { rng-seed = <1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16>; }; };\n"


# Messages at boot of the checkers that look at the rest of the kernel, by the end of a kind's name.
# Linux 6.1's generic KASAN says nothing on RISC-V; without its shadow the first check would fault.
CHECKS = {"lockdep": ("Lock dependency validator",), "kasan": ()}


def check(kind):
    """The key in CHECKS of a kind, or None."""
    name = kind.name.split("-")[-1]
    return name if name in CHECKS else None


def kinds(build):
    """By name: the compiler of the kernel, and memlift's wrapper of it for the routines."""
    tools = os.path.join(build, "bin")
    both = (Kind("gcc-12", "gcc-12", "gcc", (GCC,),
                 (os.path.join(tools, "memlift-riscv64-linux-gnu-gcc"),)),
            Kind("clang-22", "clang-22", "clang", ("clang-22",),
                 (os.path.join(tools, "memlift-clang-22"),)))
    checked = tuple(dataclasses.replace(kind, name=f"{kind.name}-{name}")
                    for kind in both for name in CHECKS)
    return {kind.name: kind for kind in both + checked}


def same(path, text):
    """True if the file has this text already."""
    if not os.path.exists(path):
        return False
    with open(path, "rb") as stream:
        return stream.read() == text


class RoutineKernel(Linux):
    """Builds the kernel; everything is below a folder."""

    def __init__(self, root, kernels):
        super().__init__(root)
        self.plain_source = kernels.source
        self.variant = "memlift"

    def prepare(self):
        """A copy of the source, the patch applied, with the routines as they are now."""
        if not os.path.isdir(self.source):
            part = self.source + ".part"
            shutil.rmtree(part, ignore_errors=True)
            os.makedirs(self.root, exist_ok=True)
            subprocess.run(["cp", "-al", self.plain_source, part], check=True)
            with open(os.path.join(EXAMPLES, "kernel", "linux-6.1.patch"), "rb") as patch:
                run = subprocess.run(["patch", "-p1", "-s", "-d", part], stdin=patch, check=False)
            if run.returncode:
                raise Unavailable("the patch does not fit the package's source")
            os.mkdir(os.path.join(part, "arch/riscv/lib/memlift"))
            os.rename(part, self.source)
        for name in FILES:
            to = os.path.join(self.source, "arch/riscv/lib/memlift", os.path.basename(name))
            with open(os.path.join(EXAMPLES, name), "rb") as stream:
                text = stream.read()
            if not same(to, text):  # else make would build it again
                with open(to, "wb") as stream:
                    stream.write(text)

    def words(self, kind):
        """Arguments of make."""
        wrapper = kind.ours[0]
        if self.variant == "plain":
            wrapper = os.path.join(self.root, "bin", "plain-" + kind.name)
            os.makedirs(os.path.dirname(wrapper), exist_ok=True)
            more = "-fno-tree-loop-distribute-patterns" if kind.family == "gcc" else ""
            with open(wrapper, "w", encoding="utf-8") as stream:
                stream.write(PLAIN.format(" ".join(kind.compiler), more))
            os.chmod(wrapper, 0o755)
        tools = ["LLVM=-22"] if kind.family == "clang" else ["CROSS_COMPILE=riscv64-linux-gnu-"]
        return ["make", "-s", "-C", self.source, "O=" + self.folder(kind), "ARCH=riscv",
                "KBUILD_BUILD_TIMESTAMP=@0", "KBUILD_BUILD_USER=memlift",
                "KBUILD_BUILD_HOST=memlift", "CC=" + " ".join(kind.compiler),
                "MEMLIFT_CC=" + wrapper] + tools

    def configure(self, kind, log):
        """Same but for the routines, so that little is built again for another variant."""
        if status := self.run(kind, log, "tinyconfig"):
            return status
        with open(os.path.join(GUEST, "routines.config"), encoding="utf-8") as fragment, \
                open(os.path.join(self.folder(kind), ".config"), "a", encoding="utf-8") as config:
            config.write(fragment.read())
            if check(kind):
                with open(os.path.join(GUEST, check(kind) + ".config"), encoding="utf-8") as more:
                    config.write(more.read())
            if self.variant == "assembler":
                config.write("# CONFIG_RISCV_MEMLIFT is not set\n")
        return self.run(kind, log, "olddefconfig")

    def image(self, kind):
        """Where the image of the variant is kept; vmlinux is beside it."""
        return os.path.join(self.root, "images", f"{kind.name}-{self.variant}", "Image")

    def build(self, kind, variant, jobs):
        """Builds a variant; returns the image's path, or None."""
        self.variant = variant
        os.makedirs(self.folder(kind), exist_ok=True)
        os.makedirs(os.path.dirname(self.log(kind)), exist_ok=True)
        os.makedirs(os.path.dirname(self.image(kind)), exist_ok=True)
        with open(self.log(kind), "ab") as log:
            if self.configure(kind, log) or self.run(kind, log, f"-j{jobs}", "Image"):
                return None
        for name in ("vmlinux", "arch/riscv/boot/Image"):
            shutil.copy(os.path.join(self.folder(kind), name), os.path.dirname(self.image(kind)))
        return self.image(kind)

    def dtc(self, kind):
        """The kernel's own compiler of device trees."""
        return os.path.join(self.folder(kind), "scripts", "dtc", "dtc")


def device_tree(work, dtc, names, hardware):
    """Writes that of QEMU's machine with other names of its cores, one for each; its path."""
    plain = os.path.join(work, "virt.dtb")
    subprocess.run(["qemu-system-riscv64", "-M", f"virt,dumpdtb={plain}", *hardware],
                   check=True, capture_output=True)
    text = subprocess.run([dtc, "-q", "-I", "dtb", "-O", "dts", plain], check=True,
                          capture_output=True, text=True).stdout
    left = iter(names)
    text = re.sub(r'compatible = "riscv";',
                  lambda found: found.group(0) if not (name := next(left)) else
                  f'compatible = "{name}", "riscv";', text)
    path = os.path.join(work, "-".join(name.split(",")[-1] or "riscv" for name in names) + ".dtb")
    subprocess.run([dtc, "-q", "-I", "dts", "-O", "dtb", "-o", path, "-"], check=True,
                   input=text + SEED, text=True)
    return path


def guest(work):
    """The first process of the guests, by the stock compiler; its path."""
    path = os.path.join(work, "init")
    subprocess.run([GCC, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o", path]
                   + [os.path.join(GUEST, name + ".c") for name in ("init", "faults", "link")]
                   + ["-lpthread"], check=True)
    return path


def initial(path, files):
    """Writes an initial file system: files by name, and the folders that they are in."""
    folders = sorted({"dev", "tmp", "proc"} | {os.path.dirname(n) for n in files} - {""})
    made = set()
    contents = []
    for folder in folders:
        parts = folder.split("/")
        for i in range(1, len(parts) + 1):
            if (name := "/".join(parts[:i])) not in made:
                made.add(name)
                contents.append((name, 0o040755, b"", (0, 0)))
    contents.append(("dev/console", 0o020600, b"", (5, 1)))
    for name, source in files.items():
        with open(source, "rb") as stream:
            contents.append((name, 0o100755, stream.read(), (0, 0)))
    contents.append(("TRAILER!!!", 0, b"", (0, 0)))
    with open(path, "wb") as stream:
        stream.write(b"".join(machine.entry(1 + i, *file) for i, file in enumerate(contents)))
    return path
