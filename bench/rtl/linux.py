# linux.py - Linux's routines for copies, fills and checksums, as the kernels of a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches the package with Linux's source, which is never part of memlift, and takes the files
that are measured out of it. On RISC-V the copies and fills are assembler, the checksum is C."""

import os
import shutil
import subprocess
import sys

from wheels import HERE, Unavailable

sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(HERE)), "test", "realcode"))
# pylint: disable=wrong-import-position
import sources

PACKAGE = "linux-source-6.1"
FILES = ["arch/riscv/lib/" + name for name in ("memcpy.S", "memmove.S", "memset.S", "uaccess.S")]
FILES.append("lib/checksum.c")
SHIM = os.path.join(HERE, "linux")
EMPTY = ["linux/linkage.h", "linux/export.h", "net/checksum.h", "asm/asm.h", "asm/asm-extable.h",
         "asm/csr.h", "asm/byteorder.h", "asm-generic/export.h"]


def fetch(root):
    """The folder with the files, fetched if they are not there."""
    folder = os.path.join(root, "linux")
    if os.path.isdir(folder):
        return folder
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    try:
        package = sources.Archive(os.path.join(root, "packages")).binary(PACKAGE)
    except sources.Unavailable as error:
        raise Unavailable(str(error)) from error
    tarball = os.path.join(part, "usr", "src", PACKAGE + ".tar.xz")
    for command in (["dpkg-deb", "-x", package, part],
                    ["tar", "-C", part, "-xf", tarball] + [f"{PACKAGE}/{name}" for name in FILES]):
        if subprocess.run(command, check=False).returncode:
            raise Unavailable(f"{package} cannot be unpacked")
    for name in EMPTY:
        path = os.path.join(part, PACKAGE, "include", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8"):
            pass
    os.rename(os.path.join(part, PACKAGE), folder)
    shutil.rmtree(part)
    shutil.rmtree(os.path.join(root, "packages"))
    return folder


def commands(root, where, compiler):
    """Objects, and the commands that make them."""
    folder = fetch(root)
    made = []
    for source in [os.path.join(folder, name) for name in FILES] + [
            os.path.join(SHIM, "inet.c")]:
        output = os.path.join(where, os.path.basename(source) + ".o")
        made.append((output, compiler + [
            "-w", "-I" + os.path.join(folder, "include"), "-include",
            os.path.join(SHIM, "shim.h"), "-c", source, "-o", output]))
    return made
