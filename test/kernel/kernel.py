#!/usr/bin/env python3
# kernel.py - Linux for riscv64, built through memlift, boots, and what became of its mem* calls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds Debian's Linux 6.1 for riscv64 (a reduced defconfig with networking, ext4 and virtio)
with clang-22 and gcc-12 and with memlift's wrappers of the two, boots each under
qemu-system-riscv64 with a small program of ours that uses disk and network, and prints a table:
memset, memcpy and memmove calls that are left in the kernel, its size, and of the calls written in
the source (each place once) how many have a constant size that is a multiple of 4, are proved to be
4-aligned, and are words in line.

The source is fetched by package name from this Debian release's main section and kept, like
everything else, below BUILD/kernel. A finished build is not done again while the plugin is the
same. Exit status: 0 all booted, 1 a build or a boot failed; 2 bad usage; 77 nothing could be done.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "realcode"))
# pylint: disable=wrong-import-position
import machine
import uboot
from linux import Linux, kinds
from packages import get, missing
from sources import Unavailable
from tables import table

NEEDS = ["bc", "bison", "flex", "lld-22", "llvm-22", "gcc-12-riscv64-linux-gnu",
         "binutils-riscv64-linux-gnu", "libc6-dev-riscv64-cross", "e2fsprogs",
         "qemu-system-misc", "make", "xz-utils"]


def say(text):
    """A line of progress."""
    print(f"kernel: {text}", flush=True)


def bad_usage(text):
    """Ends with the message."""
    print(f"kernel: error: {text}", file=sys.stderr)
    sys.exit(2)


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--kind", action="append", metavar="NAME",
                        help="build this one only; repeatable (--list names them)")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    parser.add_argument("--nice", type=int, default=5, help="added to the niceness (default 5)")
    parser.add_argument("--table", metavar="FILE", help="also write the table there, as Markdown")
    parser.add_argument("--list", action="store_true", help="name the kinds of builds, and stop")
    parser.add_argument("--install", action="store_true",
                        help="install the Debian packages that it and uboot.py need, and stop")
    return parser.parse_args()


def one(linux, kind, args):
    """The result of a kind, from before or done now."""
    result = linux.done(kind)
    if result is None:
        say(f"{kind.name}: builds; the log is {linux.log(kind)}")
        result = linux.make(kind, args.jobs)
        if result["status"]:
            say(f"{kind.name}: make ended with {result['status']}")
            return result
        say(f"{kind.name}: built in {result['user_seconds']:.0f} s of user time")
    if not result.get("booted"):
        result["booted"], said = machine.boot(linux.root, linux.image(kind))
        say(f"{kind.name}: " + ("booted" if result["booted"] else "did not come up:\n" + said))
        linux.save(kind, result)
    return result


def main():
    """Does what is asked for; prints the table."""
    args = arguments()
    build = os.path.abspath(args.build)
    known = kinds(build)
    if args.list:
        print("kinds:", *known)
        return 0
    if args.install:
        return get("kernel", sorted(set(NEEDS + uboot.NEEDS)))
    for name in args.kind or ():
        if name not in known:
            bad_usage(f"no kind '{name}'; there are: {', '.join(known)}")
    if missing(NEEDS):
        say(f"skipped: it needs {' '.join(missing(NEEDS))} (--install)")
        return 77
    os.nice(args.nice)
    linux = Linux(os.path.join(build, "kernel"))
    try:
        linux.fetch()
        machine.prepare(linux.root)
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    chosen = [kind for name, kind in known.items() if not args.kind or name in args.kind]
    ready = [kind for kind in chosen if kind.runs()]
    for kind in chosen:
        if kind not in ready:
            say(f"left out: {kind.name}: its compiler or plugin is not there")
    if not ready:
        return 77
    results = {kind.name: one(linux, kind, args) for kind in ready}
    text = table(linux, known, results)
    print(text)
    if args.table:
        with open(args.table, "w", encoding="utf-8") as stream:
            stream.write(text)
    return int(not all(result.get("booted") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
