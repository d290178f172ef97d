#!/usr/bin/env python3
# routines.py - a Linux with the routines of examples/linux takes its core's, and faults right
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a small Linux 6.1 for riscv64 by the stock compiler, its copies, fills and checksums by
memlift from examples/linux, and boots the one kernel under qemu-system-riscv64 on device trees with
different cores: its log has to say whose routines it takes, on a machine of two different cores the
generic ones. On each, test/kernel/routines/faults.c tries system calls whose copies fault at every
byte, and a page that vanishes on another core. The same runs on the kernel with Linux's assembler,
whose counts may be too small.

Everything is kept below BUILD/kernel/routines. Exit status: 0 all right, 1 not; 2 bad usage; 77
nothing could be done.
"""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "realcode"))
# pylint: disable=wrong-import-position
import machine
import routinekernel
from kernel import NEEDS
from linux import Linux
from packages import missing
from sources import Unavailable

SECONDS = 1500
SICK = ("BUG:", "WARNING:", "Oops", "Kernel panic", "WRONG", "FAILED")
TAKEN = re.compile(r"memlift: memcpy, .* for (\S+)$", re.M)


def say(text):
    """A line of progress."""
    print(f"kernel-routines: {text}", flush=True)


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--kind", action="append", metavar="NAME",
                        help="gcc-12 or clang-22 (default both), or with a check of the rest of "
                        "the kernel, as gcc-12-lockdep, gcc-12-kasan; repeatable")
    parser.add_argument("--core", action="append", metavar="COMPATIBLE",
                        help="boot as this core only; repeatable")
    parser.add_argument("--without-assembler", action="store_true",
                        help="leave out Linux's own kernel")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    return parser.parse_args()


def boot(image, files, tree, expected, exact, check=None):
    """Boots once; returns whether all was well. `check`: a key in CHECKS."""
    seconds = SECONDS * (4 if check else 1)  # checks take time
    says = routinekernel.CHECKS[check] if check else ()
    said = machine.console(image, files, seconds, ["-dtb", tree], "loglevel=7", "--", "faults",
                           "exact" if exact else "rounded")
    taken = TAKEN.findall(said)
    good = "memlift-user: all is well" in said and not any(word in said for word in SICK) and \
        taken == ([expected] if expected else []) and all(word in said for word in says)
    say(f"{os.path.basename(tree)}: " + (f"routines for {taken[0]}" if taken else "assembler")
        + (": right" if good else ": WRONG"))
    lines, words = said.splitlines(), ("memlift", *says)
    for line in [l for l in lines if any(w in l for w in words)] if good else lines[-40:]:
        print("   ", line)
    return good


def one(linux, kind, args, files):
    """Builds and boots with a compiler; returns whether all was well."""
    say(f"{kind.name}: builds; the log is {linux.log(kind)}")
    image = linux.build(kind, "memlift", args.jobs)
    if not image:
        say("make failed")
        return False
    trees = {name: (name, name) for name in args.core or routinekernel.CORES}
    expected = dict(routinekernel.CORES)
    if not args.core:
        trees["two kinds"] = ("sifive,u74-mc", "sifive,rocket0")
        expected["two kinds"] = "generic-inorder"
    good = True
    check = routinekernel.check(kind)
    for name, cores in trees.items():
        tree = routinekernel.device_tree(linux.root, linux.dtc(kind), cores, machine.HARDWARE)
        good &= boot(image, files, tree, expected[name], True, check)
    if not args.without_assembler:
        image = linux.build(kind, "assembler", args.jobs)
        good &= bool(image) and boot(image, files, tree, "", False)
    return good


def main():
    """Builds, boots, tells."""
    args = arguments()
    build = os.path.abspath(args.build)
    known = routinekernel.kinds(build)
    for name, among in [(n, known) for n in args.kind or ()] + \
            [(n, routinekernel.CORES) for n in args.core or ()]:
        if name not in among:
            print(f"kernel-routines: error: no '{name}'; there are: {', '.join(among)}",
                  file=sys.stderr)
            return 2
    if missing(NEEDS):
        say(f"skipped: it needs {' '.join(missing(NEEDS))} (kernel.py --install)")
        return 77
    kernels = Linux(os.path.join(build, "kernel"))
    linux = routinekernel.RoutineKernel(os.path.join(kernels.root, "routines"), kernels)
    try:
        kernels.fetch()
        linux.prepare()
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    wanted = args.kind or [n for n in known if not routinekernel.check(known[n])]
    chosen = [known[name] for name in known if name in wanted]
    ready = [kind for kind in chosen if kind.runs()]
    for kind in chosen:
        if kind not in ready:
            say(f"left out: {kind.name}: its compiler or wrapper is not there")
    if not ready:
        return 77
    files = routinekernel.initial(os.path.join(linux.root, "init.cpio"),
                                  {"init": routinekernel.guest(linux.root)})
    good = [one(linux, kind, args, files) for kind in ready]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
