#!/usr/bin/env python3
# uboot.py - U-Boot for riscv64, built through memlift, starts, and what became of its mem* calls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds Debian's U-Boot (qemu-riscv64_smode, -Os, -ffreestanding) with riscv64's gcc-12 and with
memlift's wrapper of it, has each copy memory and compare it under qemu-system-riscv64, and prints
the table that kernel.py prints of Linux. memset and memcpy are plain calls there: without
--memlift-trust-names nothing is known of them, with it they get every proof.

The source is fetched by package name from this Debian release's main section and kept, like
everything else, below BUILD/u-boot. Exit status: 0 all came up, 1 a build or a start failed; 2 bad
usage; 77 nothing could be done.
"""

import argparse
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "realcode"))
# pylint: disable=wrong-import-position
import tables
from linux import GCC, SHIM, Kind, measure
from packages import get, missing
from sources import Archive, Unavailable
from written import written

NEEDS = ["bc", "bison", "flex", "llvm-22", "gcc", "gcc-12-riscv64-linux-gnu", "libssl-dev",
         "binutils-riscv64-linux-gnu", "qemu-system-misc", "make", "dpkg-dev"]
BOARD = "qemu-riscv64_smode_defconfig"
SECONDS = 120
# The first line stops what counts down to a boot. Sizes are in hexadecimal digits.
TYPED = (b"\n\nmw.b 84000000 5a 1000\ncp.b 84000000 84001001 ff3\n"
         b"cmp.b 84000000 84001001 ff3\npoweroff\n")
GOOD = "Total of 4083 byte(s) were the same"


def say(text):
    """A line of progress."""
    print(f"u-boot: {text}", flush=True)


def kinds(build):
    """By name."""
    wrapper = os.path.join(build, "bin", "memlift-riscv64-linux-gnu-gcc")
    ours = (os.path.join(build, "lib", "memlift_gcc12_riscv64_linux_gnu.so"),)
    gcc, names = (wrapper, "--memlift-runtime=none"), "--memlift-trust-names"
    return {kind.name: kind for kind in (
        Kind("gcc-12", "gcc-12", "gcc", (GCC,)),
        Kind("memlift-gcc", "gcc-12", "gcc", gcc, ours),
        Kind("memlift-gcc-names", "gcc-12", "gcc", gcc + (names,), ours),
        Kind("memlift-gcc-names-trust", "gcc-12", "gcc",
             gcc + (names, "--memlift-trust-types"), ours))}


class UBoot:
    """The source and everything made of it, below a folder."""

    def __init__(self, root):
        self.root = root
        self.source = os.path.join(root, "source")

    def fetch(self):
        """Unpacks the source, once."""
        if not os.path.isdir(self.source):
            Archive(os.path.join(self.root, "sources")).unpack("u-boot", self.source)

    def below(self, what, kind):
        """A folder of a kind's own."""
        return os.path.join(self.root, what, kind.name)

    def compiler(self, kind):
        """The command; ours writes a remark file each time."""
        command = " ".join(kind.compiler)
        if not kind.ours:
            return command
        path = self.below("bin", kind)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(SHIM % (command, command))
        os.chmod(path, 0o755)
        return path

    def make(self, kind, jobs):
        """Builds it anew; the result."""
        for what in ("obj", "remarks"):
            shutil.rmtree(self.below(what, kind), ignore_errors=True)
            os.makedirs(self.below(what, kind))
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("MAKEFLAGS", "MAKELEVEL", "CFLAGS", "LDFLAGS")}
        environment.update(LC_ALL="C", SOURCE_DATE_EPOCH="0")
        command = ["make", "-s", "-C", self.source, "O=" + self.below("obj", kind),
                   "CROSS_COMPILE=riscv64-linux-gnu-", "CC=" + self.compiler(kind)]
        with open(self.below("obj", kind) + ".log", "wb") as log:
            for target in ([BOARD], [f"-j{jobs}", "u-boot.bin"]):
                status = subprocess.run(command + target, stdin=subprocess.DEVNULL, stdout=log,
                                        stderr=subprocess.STDOUT, env=environment,
                                        check=False).returncode
                if status:
                    return {"status": status}
                if kind.ours:
                    environment["KERNEL_REMARKS"] = self.below("remarks", kind)
        result = {"status": 0, **measure(os.path.join(self.below("obj", kind), "u-boot"))}
        if kind.ours:
            result["written"] = written(self.root, self.below("remarks", kind), "source")
        return result

    def start(self, kind):
        """(did it copy and compare, what the console said at the end)"""
        image = os.path.join(self.below("obj", kind), "u-boot.bin")
        command = ["qemu-system-riscv64", "-M", "virt", "-m", "256M", "-nographic",
                   "-no-reboot", "-kernel", image]
        try:
            run = subprocess.run(command, input=TYPED, capture_output=True, timeout=SECONDS,
                                 check=False)
            said = run.stdout + run.stderr
        except subprocess.TimeoutExpired as error:
            said = (error.stdout or b"") + b"\n(still running after %d seconds)" % SECONDS
        text = said.decode(errors="replace")
        return GOOD in text, "\n".join(text.splitlines()[-40:])


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    parser.add_argument("--install", action="store_true",
                        help="install the Debian packages that it needs, and stop")
    return parser.parse_args()


def one(uboot, kind, jobs):
    """The result of a kind."""
    say(f"{kind.name}: builds; the log is {uboot.below('obj', kind)}.log")
    result = uboot.make(kind, jobs)
    if result["status"]:
        say(f"{kind.name}: make ended with {result['status']}")
        return result
    result["booted"], said = uboot.start(kind)
    say(f"{kind.name}: " + ("came up" if result["booted"] else "did not come up:\n" + said))
    return result


def main():
    """Builds, starts, prints the table."""
    args = arguments()
    if args.install:
        return get("u-boot", NEEDS)
    if missing(NEEDS):
        say(f"skipped: it needs {' '.join(missing(NEEDS))} (--install)")
        return 77
    build = os.path.abspath(args.build)
    known = {name: kind for name, kind in kinds(build).items() if kind.runs()}
    uboot = UBoot(os.path.join(build, "u-boot"))
    try:
        uboot.fetch()
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    results = {name: one(uboot, kind, args.jobs) for name, kind in known.items()}
    stock = results.get("gcc-12", {})
    print(tables.HEAD.replace("Linux 6.1", "U-Boot").replace("boots", "comes up"), end="")
    for name, result in results.items():
        print(tables.row(known[name], result, stock), end="")
    print(tables.written_rows(results))
    return int(not all(result.get("booted") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
