# machine.py - a virtual machine for the kernel: its disk, its only program, its console
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""qemu-system-riscv64 -M virt with a virtio disk (ext4) and init.c as the initial file system."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 240  # a boot takes some ten seconds on an idle machine
HARDWARE = ["-m", "512M", "-smp", "2", "-nographic"]
GOOD = "memlift-init: all is well"


def padded(data):
    """To a multiple of four bytes."""
    return data + b"\0" * (-len(data) % 4)


def entry(number, name, mode, content=b"", device=(0, 0)):
    """A file of a cpio archive of the kind that the kernel reads ("newc")."""
    fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08x" % field for field in fields)
    return padded(head + name.encode() + b"\0") + padded(content)


def archive(program):
    """The initial file system."""
    files = [("dev", 0o040755, b"", (0, 0)), ("mnt", 0o040755, b"", (0, 0)),
             ("dev/console", 0o020600, b"", (5, 1)), ("init", 0o100755, program, (0, 0)),
             ("TRAILER!!!", 0, b"", (0, 0))]
    return b"".join(entry(1 + i, *file) for i, file in enumerate(files))


def prepare(root):
    """Makes the initial file system; the stock compiler makes its program."""
    init = os.path.join(root, "init")
    subprocess.run(
        ["riscv64-linux-gnu-gcc-12", "-O1", "-Wall", "-Wextra", "-Werror", "-ffreestanding",
         "-fno-stack-protector", "-fno-tree-loop-distribute-patterns", "-nostdlib", "-static",
         "-o", init, os.path.join(HERE, "init.c")], check=True)
    with open(init, "rb") as stream:
        program = stream.read()
    with open(os.path.join(root, "init.cpio"), "wb") as stream:
        stream.write(archive(program))


def console(image, initial, seconds, more, *words):
    """What a kernel with this initial file system says until it ends, seconds at most. Takes more
    options of the machine and more words of the kernel's command line. Warnings are printed
    (loglevel 5): what the callers look for is one."""
    command = ["qemu-system-riscv64", "-M", "virt", *HARDWARE, "-no-reboot", "-kernel", image,
               "-initrd", initial, "-append",
               " ".join(("console=ttyS0 panic=-1 loglevel=5", *words)), *more]
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                             timeout=seconds, check=False)
        said = run.stdout + run.stderr
    except subprocess.TimeoutExpired as error:
        said = (error.stdout or b"") + b"\n(still running after %d seconds)" % seconds
    return said.decode(errors="replace").replace("\r", "")


def boot(root, image):
    """(did all that init tries work, what the console said at the end)"""
    disk = os.path.join(root, "disk.img")
    with open(disk, "wb") as stream:
        stream.truncate(64 << 20)
    subprocess.run(["/sbin/mkfs.ext4", "-q", "-F", disk], check=True)
    text = console(image, os.path.join(root, "init.cpio"), SECONDS,
                   ["-drive", f"file={disk},format=raw,id=disk,if=none",
                    "-device", "virtio-blk-device,drive=disk",
                    "-netdev", "user,id=net", "-device", "virtio-net-device,netdev=net"])
    os.unlink(disk)
    sick = any(word in text for word in ("BUG:", "WARNING:", "Oops", "Kernel panic", "FAILED"))
    return GOOD in text and not sick, "\n".join(text.splitlines()[-40:])
