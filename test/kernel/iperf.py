#!/usr/bin/env python3
# iperf.py - instructions that Linux spends on copies while iperf3 runs between two guests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Boots the kernel of routines.py twice under qemu-system-riscv64, with one wire between the virtio
network interfaces of both, and runs iperf3 over it: TCP and UDP, MTU 1500 and 9000. A plugin for
QEMU counts the instructions of each guest while iperf3 runs. This is done with the copies of the C
of examples/linux by the stock compiler (before there was assembler), with Linux's assembler, and
with memlift's for a core.

Prints a table: the shares of the kernel's instructions that are in memcpy and in copies to and from
the program, and for a KiB of data the instructions of all these copies and of the kernel. iperf3 is
Debian 13's package for riscv64, fetched by name. Exit status: 0 all runs ended well, 1 not; 77
nothing could be done.
"""

import argparse
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "realcode"))
# pylint: disable=wrong-import-position
import routinekernel
from kernel import NEEDS
from linux import Linux
from packages import missing
from sources import Unavailable, mirror

PACKAGES = ("iperf3", "libiperf0", "libssl3t64", "libsctp1", "zlib1g", "libzstd1", "libc6",
            "libgcc-s1")
RELEASE = "trixie"  # the first with riscv64
LIBRARIES = re.compile(r"/(lib(iperf|ssl|crypto|sctp|z|zstd|c|m|gcc_s)\.so\.\d+|"
                       r"ld-linux-riscv64-lp64d\.so\.1)$")
HARDWARE = ["-m", "256M", "-smp", "1", "-nographic"]
SECONDS = 900
DONE = re.compile(r"([\d.]+) MBytes .*receiver")
OPTIONS = {"TCP": ["-n", "16M"], "UDP": ["-u", "-b", "40M", "--length", "6500", "-n", "8M"]}
COPIES = {"memcpy": ("memcpy", "memmove"), "user": ("copy_to_user", "copy_from_user")}


def say(text):
    """A line of progress."""
    print(f"iperf: {text}", flush=True)


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--kind", default="gcc-12", help="gcc-12 or clang-22 (default gcc-12)")
    parser.add_argument("--core", default="sifive,u74-mc", choices=list(routinekernel.CORES),
                        help="the core in the device tree (default sifive,u74-mc)")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    return parser.parse_args()


class Foreign:
    """iperf3 and its libraries, out of packages for riscv64."""

    def __init__(self, folder):
        self.folder = folder

    def apt(self, *words, where=None):
        """Runs apt-get for that release and machine; what it said."""
        below = self.folder
        run = subprocess.run(
            ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={below}/sources.list",
             "-o", "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={below}/lists",
             "-o", f"Dir::State::status={below}/status", "-o", f"Dir::Cache={below}/cache",
             "-o", "APT::Sandbox::User=", "-o", "APT::Architecture=riscv64",
             "-o", "APT::Architectures=riscv64", "-o", "Acquire::Languages=none",
             "-o", "Acquire::Retries=3", *words], cwd=where, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
        if run.returncode:
            raise Unavailable(f"{' '.join(words)}:\n{run.stdout}")

    def fetch(self):
        """{name in the guest: file}"""
        root = os.path.join(self.folder, "root")
        if not os.path.isdir(root):
            for part in ("lists/partial", "cache/archives/partial", "packages", "part"):
                os.makedirs(os.path.join(self.folder, part), exist_ok=True)
            with open(os.path.join(self.folder, "sources.list"), "w", encoding="utf-8") as stream:
                stream.write(f"deb [arch=riscv64] {mirror()[0]} {RELEASE} main\n")
            open(os.path.join(self.folder, "status"), "w", encoding="utf-8").close()
            self.apt("update")
            packages = os.path.join(self.folder, "packages")
            self.apt("download", *PACKAGES, where=packages)
            part = os.path.join(self.folder, "part")
            for name in os.listdir(packages):
                subprocess.run(["dpkg-deb", "-x", os.path.join(packages, name), part], check=True)
            os.rename(part, root)
        files = {}
        for below, _, names in os.walk(root):
            for name in names:
                path = os.path.join(below, name)
                if LIBRARIES.search(path):
                    files["lib/" + name] = os.path.realpath(path)
        return {"iperf3": os.path.join(root, "usr", "bin", "iperf3"), **files}


def ranges(vmlinux, path):
    """Writes the kernel's functions as counts.c reads them; the address of its mark."""
    text = subprocess.run(["riscv64-linux-gnu-nm", "-n", vmlinux], check=True,
                          capture_output=True, text=True).stdout
    symbols = [(int(words[0], 16), words[2]) for words in map(str.split, text.splitlines())
               if len(words) == 3 and words[1] in "tTwW" and not words[2].startswith(".L")]
    wanted = re.compile(r"_*(asm_)?(memcpy|memmove|memset|copy_to_user|copy_from_user|clear_user|"
                        r"csum_partial)(_generic_inorder|_sifive_u74|_cva6|_rocket)?$")
    with open(path, "w", encoding="utf-8") as stream:
        ends = sorted({address for address, _ in symbols})
        written = 0
        for address, name in symbols:
            end = next((e for e in ends if e > address), address)
            if wanted.match(name) and address >= written and end > address:
                stream.write(f"{address:x} {end:x} {name}\n")
                written = end
    return next(address for address, name in symbols if name == "ksys_sync")


class Runner:
    """Boots pairs of guests with a kernel."""

    def __init__(self, work, image, files, core, dtc):
        self.work, self.image, self.files = work, image, files
        self.tree = routinekernel.device_tree(work, dtc, (core,), HARDWARE)
        self.ranges = os.path.join(work, "ranges")
        self.mark = ranges(os.path.join(os.path.dirname(image), "vmlinux"), self.ranges)

    def start(self, number, options, words):
        """A guest that writes its counts to a file."""
        wire = os.path.join(self.work, "wire")
        how = f"stream,id=wire,addr.type=unix,addr.path={wire},server={options}"
        plugin = (f"{self.work}/counts.so,ranges={self.ranges},out={self.work}/counts{number},"
                  f"mark={self.mark:x}")
        command = ["qemu-system-riscv64", "-M", "virt", *HARDWARE, "-no-reboot",
                   "-kernel", self.image, "-initrd", self.files, "-dtb", self.tree,
                   "-plugin", plugin, "-netdev", how,
                   "-device", f"virtio-net-device,netdev=wire,mac=52:54:00:00:00:0{number}",
                   "-append", "console=ttyS0 panic=-1 loglevel=6 -- link " + " ".join(words)]
        log = os.path.join(self.work, f"console{number}")
        with open(log, "wb") as stream:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream,
                                    stderr=subprocess.STDOUT), log

    def counts(self, number):
        """{function: instructions} of a guest."""
        with open(os.path.join(self.work, f"counts{number}"), encoding="utf-8") as stream:
            return {name: int(count) for name, count in map(str.split, stream)}

    def run(self, protocol, mtu):
        """The counts of who receives and who sends, or None."""
        for name in ("wire", "counts1", "counts2"):
            if os.path.exists(os.path.join(self.work, name)):
                os.unlink(os.path.join(self.work, name))
        guests = [self.start(1, "on", [str(mtu), "1", "-s", "-1"])]
        for _ in range(600):  # QEMU does not try again if nothing listens yet
            if os.path.exists(os.path.join(self.work, "wire")):
                break
            time.sleep(0.1)
        guests.append(self.start(2, "off", [str(mtu), "2", "-c", "10.0.0.1",
                                            *OPTIONS[protocol]]))
        good, kibs = True, 0
        for process, log in guests:
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            with open(log, encoding="utf-8", errors="replace") as stream:
                said = stream.read()
            done = DONE.findall(said)
            if "memlift-user: all is well" not in said or not done:
                good = False
                print("\n".join(said.splitlines()[-25:]))
            else:
                kibs = 1024 * float(done[-1])
        return [(self.counts(1), kibs), (self.counts(2), kibs)] if good else None


def shares(counts):
    """(in memcpy, in copies of the program's memory, all) of the kernel's instructions"""
    kernel = sum(count for name, count in counts.items() if name != "program")
    return [sum(count for name, count in counts.items() if any(part in name for part in parts))
            for parts in COPIES.values()] + [kernel]


def cells(result):
    """Text of a variant's cells."""
    counts, kibs = result
    memcpy, user, kernel = shares(counts)
    return (f"{100 * memcpy / kernel:.1f} + {100 * user / kernel:.1f} % | "
            f"{(memcpy + user) / kibs:,.0f} | {kernel / kibs:,.0f}")


def table(results):
    """Markdown: a row for each guest and run."""
    print("| | " + " | ".join(f"{variant}: memcpy + user | copies | kernel"
                              for variant in results) + " |")
    print("|---|" + "---:|---:|---:|" * len(results))
    for protocol in OPTIONS:
        for mtu in (1500, 9000):
            for i, what in enumerate(("receive", "send")):
                row = [cells(runs[protocol, mtu][i]) if runs[protocol, mtu] else "- | - | -"
                       for runs in results.values()]
                print(f"| {protocol} {what}, MTU {mtu} | " + " | ".join(row) + " |")


def main():
    """Builds, runs, prints the table."""
    args = arguments()
    build = os.path.abspath(args.build)
    kind = routinekernel.kinds(build)[args.kind]
    if missing(NEEDS) or not kind.runs():
        say(f"skipped: it needs {' '.join(missing(NEEDS)) or kind.name} (kernel.py --install)")
        return 77
    kernels = Linux(os.path.join(build, "kernel"))
    linux = routinekernel.RoutineKernel(os.path.join(kernels.root, "routines"), kernels)
    work = os.path.join(linux.root, "iperf")
    os.makedirs(work, exist_ok=True)
    try:
        kernels.fetch()
        linux.prepare()
        files = Foreign(os.path.join(work, "riscv64")).fetch()
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    files = routinekernel.initial(os.path.join(work, "iperf.cpio"),
                                  {"init": routinekernel.guest(work), **files})
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                    "-fvisibility=hidden", "-o", os.path.join(work, "counts.so"),
                    os.path.join(routinekernel.GUEST, "counts.c")], check=True)
    results = {}
    for variant in ("plain", "assembler", "memlift"):
        image = linux.build(kind, variant, args.jobs)
        if not image:
            say(f"make failed; the log is {linux.log(kind)}")
            return 1
        runner = Runner(work, image, files, args.core, linux.dtc(kind))
        results[variant] = {(protocol, mtu): runner.run(protocol, mtu)
                            for protocol in OPTIONS for mtu in (1500, 9000)}
        say(f"{variant}: done")
    table(results)
    return int(not all(run for runs in results.values() for run in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
