#!/usr/bin/env python3
# checked.py - a Linux whose accesses or locks are checked keeps its loops, and boots
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the small Linux 6.1 of routines.py by memlift's wrappers alone, with KASAN or with
lockdep, and boots it under qemu-system-riscv64.

Each file that -fsanitize=kernel-address instruments is compiled by the stock compiler as well, by
the same command: each function has to call the same routines, checks of loads and stores among
them, and the remark of each loop has to say MLF2005. Lockdep changes no access, so loops may be
replaced there, but none that takes or releases a lock. The kernel has to say at boot that lockdep
is on, and may warn of nothing while test/kernel/routines/faults.c runs.

Everything is kept below BUILD/kernel/routines. Exit status: 0 all right, 1 not; 2 bad usage; 77
nothing could be done.
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[1:1] = [os.path.join(TOP, "test", "realcode"), os.path.join(TOP, "report")]
# pylint: disable=wrong-import-position
import machine
import routinekernel
from kernel import NEEDS
from linux import Linux
from memlift_report import model, read
from packages import missing
from routines import boot
from sources import Unavailable

KEPT = "MLF2005"
LOCKS = re.compile(r"\b(lock_(acquire|release)\w*|_raw_\w*(un)?lock\w*|mutex_(un)?lock\w*)\b")

# Compiles by memlift, and what KASAN instruments by the stock compiler, too; keeps both objects if
# they differ.
SHIM = """#!/bin/sh
ours='{ours}' stock='{stock}' folder=${{KERNEL_REMARKS-}}
[ -n "$folder" ] || exec $ours "$@"
object='' before='' kind=others
for word do
  [ "$before" != -o ] || object=$word
  [ "$word" != -fsanitize=kernel-address ] || kind=watched
  before=$word
done
case $object in *.tmp_*) exec $ours "$@" ;; *.o) ;; *) exec $ours "$@" ;; esac
$ours "--memlift-remarks=$folder/$kind/$$.$PPID.yaml" "$@" || exit
[ $kind = watched ] || exit 0
mv "$object" "$object.ours" && $stock "$@" && mv "$object" "$object.stock" &&
  mv "$object.ours" "$object" || exit
echo "$object" >> "$folder/compared"
cmp -s "$object" "$object.stock" || exit 0
rm "$object.stock"
"""
OBJDUMP = "riscv64-linux-gnu-objdump"
HEAD = re.compile(r"[0-9a-f]+ <(.*)>:$")
CALL = re.compile(r"\t+[0-9a-f]+: R_RISCV_CALL\w*\t(\S+)")


def say(text):
    """A line of progress."""
    print(f"kernel-checked: {text}", flush=True)


class CheckedKernel(routinekernel.RoutineKernel):
    """Builds the kernel of routinekernel.py, all of it by memlift."""

    def folder(self, kind):
        """Where a kind is built."""
        return super().folder(kind) + "-whole"

    def log(self, kind):
        """Log of make."""
        return os.path.join(self.root, "logs", kind.name + "-whole.log")

    def words(self, kind):
        """Arguments of make."""
        words = super().words(kind)
        command = os.path.join(self.root, "bin", "whole-" + kind.name)
        os.makedirs(os.path.dirname(command), exist_ok=True)
        with open(command, "w", encoding="utf-8") as stream:
            stream.write(SHIM.format(ours=kind.ours[0] + " --memlift-runtime=none",
                                     stock=" ".join(kind.compiler)))
        os.chmod(command, 0o755)
        return [word for word in words if not word.startswith("CC=")] + ["CC=" + command]

    def whole(self, kind, jobs, targets):
        """Builds it anew, or some of its folders; returns whether make did."""
        self.variant = "whole"
        remarks = self.remarks(kind)
        shutil.rmtree(remarks, ignore_errors=True)
        shutil.rmtree(self.folder(kind), ignore_errors=True)
        for path in (os.path.join(remarks, "watched"), os.path.join(remarks, "others"),
                     self.folder(kind), os.path.dirname(self.log(kind)),
                     os.path.dirname(self.image(kind))):
            os.makedirs(path, exist_ok=True)
        with open(self.log(kind), "wb") as log:
            if self.configure(kind, log) or \
                    self.run(kind, log, f"-j{jobs}", *targets, remarks=remarks):
                return False
        if "Image" in targets:
            shutil.copy(os.path.join(self.folder(kind), "arch/riscv/boot/Image"), self.image(kind))
        return True


def checks(path):
    """The routines that each function of an object calls, among them checks of loads and stores by
    width. With a plugin, labels and values have other numbers: registers, the order of functions,
    and how often a compiler repeats a piece of code may differ."""
    text = subprocess.run([OBJDUMP, "-dr", path], capture_output=True, text=True, check=True).stdout
    found, name = {}, ""
    for line in text.splitlines():
        if (head := HEAD.match(line)) and not head.group(1).startswith(".L"):
            name = re.sub(r"\.\d+", "", head.group(1))
            found.setdefault(name, set())
        elif call := CALL.match(line):
            found[name].add(re.sub(r"\.\d+", "", call.group(1)))
    return found


def compared(folder, remarks):
    """The instrumented objects: how many, how many are the very bytes of the stock compiler's, and
    the functions whose checks are not the same."""
    with open(os.path.join(remarks, "compared"), encoding="utf-8") as stream:
        names = sorted({os.path.join(folder, name) for name in stream.read().split()})
    others = [name for name in names if os.path.exists(name + ".stock")]
    different = []
    for name in others:
        ours, stock = checks(name), checks(name + ".stock")
        different += [f"{name}: {function}" for function in sorted(ours.keys() | stock.keys())
                      if ours.get(function) != stock.get(function)]
    return len(names), len(names) - len(others), different


def loops(folder):
    """What became of the loops and calls of remark files, each place once."""
    return model.build(read.read_paths([folder]).loops).loops


def outcome(found):
    """A line about loops: how many, by decision."""
    counts = collections.Counter(loop.decision for loop in found)
    return ", ".join(f"{count} {decision}" for decision, count in sorted(counts.items()))


def kasan(folder, remarks):
    """True if nothing that is instrumented has changed, and each loop says so."""
    count, equal, different = compared(folder, remarks)
    found = loops(os.path.join(remarks, "watched"))
    outside = [loop for loop in found if KEPT not in loop.codes()]
    say(f"instrumented: {count} files, {equal} of them byte for byte as by the stock compiler; "
        f"functions with other calls: {len(different)}")
    say(f"instrumented loops and calls: {len(found) - len(outside)} kept with {KEPT}, others: "
        f"{outcome(outside) or 'none'}")
    for loop in outside:
        say(f"  {loop.file}:{loop.line}: {loop.function}: {loop.decision} [{loop.code}]")
    for name in different:
        say(f"  different: {name}")
    say(f"not instrumented: {outcome(loops(os.path.join(remarks, 'others')))}")
    return bool(count and found) and not different and not outside


def lockdep(_, remarks):
    """True if no loop was replaced that takes or releases a lock."""
    found = loops(os.path.join(remarks, "others"))
    locking = [loop for loop in found if LOCKS.search(loop.message) or any(
        LOCKS.search(fact.have) for fact in loop.failed())]
    replaced = [loop for loop in locking if loop.decision in model.DONE]
    say(f"{outcome(found)}; with a lock inside: {outcome(locking) or 'none'}, by code "
        + ", ".join(f"{code} {n}" for code, n in sorted(
            collections.Counter(loop.code for loop in locking).items())))
    for loop in replaced:
        say(f"  {loop.file}:{loop.line}: {loop.function}: {loop.decision} [{loop.code}]")
    return bool(found and locking) and not replaced


def one(linux, kind, args, files):
    """Builds, compares, boots; returns whether all was well."""
    check = routinekernel.check(kind)
    linux.variant = "whole"
    if not args.again:
        say(f"{kind.name}: builds; the log is {linux.log(kind)}")
        if not linux.whole(kind, args.jobs, args.folder or ["Image"]):
            say(f"{kind.name}: make failed")
            return False
    say(f"{kind.name}:")
    good = {"kasan": kasan, "lockdep": lockdep}[check](linux.folder(kind), linux.remarks(kind))
    if not args.folder:
        tree = routinekernel.device_tree(linux.root, linux.dtc(kind), ("sifive,rocket0",) * 2,
                                         machine.HARDWARE)
        good &= boot(linux.image(kind), files, tree, "rocket", True, check)
    return good


def main():
    """Builds, boots, tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--kind", action="append", metavar="NAME",
                        help="gcc-12-kasan or another one (default: all); repeatable")
    parser.add_argument("--again", action="store_true", help="do not build: what is there is read")
    parser.add_argument("--folder", action="append", metavar="NAME/",
                        help="compare only what is compiled in this one, as lib/, and do not boot; "
                        "repeatable")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    known = {name: kind for name, kind in routinekernel.kinds(build).items()
             if routinekernel.check(kind)}
    if unknown := [name for name in args.kind or () if name not in known]:
        parser.error(f"no '{unknown[0]}'; there are: {', '.join(known)}")
    if missing(NEEDS):
        say(f"skipped: it needs {' '.join(missing(NEEDS))} (kernel.py --install)")
        return 77
    kernels = Linux(os.path.join(build, "kernel"))
    linux = CheckedKernel(os.path.join(kernels.root, "routines"), kernels)
    try:
        kernels.fetch()
        linux.prepare()
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    ready = [kind for name, kind in known.items()
             if kind.runs() and (not args.kind or name in args.kind)]
    if not ready:
        say("skipped: no compiler or no wrapper is there")
        return 77
    files = routinekernel.initial(os.path.join(linux.root, "init.cpio"),
                                  {"init": routinekernel.guest(linux.root)})
    good = [one(linux, kind, args, files) for kind in ready]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
