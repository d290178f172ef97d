#!/usr/bin/env python3
# ni.py - the Linux driver of the network interface works, and keeps processes apart, under qemu
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a small Linux 6.1 for riscv64 and the driver of runtime/linux with it, both through
memlift, and boots it under qemu-system-riscv64 on a device tree with a network interface, which a
process in the guest plays on reserved memory (test/kernel/ni/device.c). test/kernel/ni/init.c does
the checks there, among them: no process reaches another's page. It boots once with an interrupt and
once without.

--mutations takes single lines out of the driver instead: for each one named checks have to fail.

The kernel is built below BUILD/kernel/ni, and not again while configuration and compiler are the
same. Exit status: 0 all checks passed, 1 not; 2 bad usage; 77 nothing could be done.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(os.path.dirname(HERE), "realcode"))
# pylint: disable=wrong-import-position
import machine
from kernel import NEEDS
from linux import GCC, Linux, kinds
from packages import missing
from sources import Unavailable

GUEST = os.path.join(HERE, "ni")
SECONDS = 900  # a boot with all checks takes one minute on an idle machine
SICK = ("BUG:", "WARNING:", "Oops", "Kernel panic", "INFO: ", "FAILED")
INTERRUPT = re.compile(r"\s*(?:line: interrupt-line \{.*?\};|interrupts-extended = [^;]*;)", re.S)


def say(text):
    """A line of progress."""
    print(f"kernel-ni: {text}", flush=True)


def arguments():
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="build folder with bin/memlift-*")
    parser.add_argument("--kind", default="memlift-clang-22", metavar="NAME",
                        help="how to build kernel and driver (default %(default)s; kernel.py "
                             "--list names them)")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default 2)")
    parser.add_argument("--mutations", nargs="*", metavar="NAME",
                        help="try mutations of the driver, all or those named")
    return parser.parse_args()


class Small(Linux):
    """A kernel with little but what the driver needs, and the kernel's own checks."""

    def __init__(self, root, kernels):
        super().__init__(root)
        self.source = kernels.source

    def configuration(self, kind):
        """The options of ni.config, which decide the result as the compiler does."""
        with open(os.path.join(GUEST, "ni.config"), encoding="utf-8") as stream:
            return stream.read() + kind.print()

    def configure(self, kind, log):
        status = self.run(kind, log, "tinyconfig")
        if status:
            return status
        folder = self.folder(kind)
        with open(os.path.join(GUEST, "ni.config"), encoding="utf-8") as fragment, \
                open(os.path.join(folder, ".config"), "a", encoding="utf-8") as config:
            config.write(fragment.read())
        return self.run(kind, log, "olddefconfig")

    def build(self, kind, jobs):
        """Builds it, or goes on; the exit status."""
        stamp = os.path.join(self.folder(kind), "memlift-configuration")
        wanted = self.configuration(kind)
        try:
            with open(stamp, encoding="utf-8") as stream:
                same = stream.read() == wanted
        except OSError:
            same = False
        if not same:
            shutil.rmtree(self.folder(kind), ignore_errors=True)
            os.makedirs(self.folder(kind))
        os.makedirs(os.path.dirname(self.log(kind)), exist_ok=True)
        with open(self.log(kind), "ab") as log:
            status = 0 if same else self.configure(kind, log)
            if not status and not same:
                with open(stamp, "w", encoding="utf-8") as stream:
                    stream.write(wanted)
            return status or self.run(kind, log, f"-j{jobs}", "Image", "modules")

    def modules(self, kind, tree):
        """Builds the modules of a copy of the sources; what make says if it fails, else None."""
        log = os.path.join(tree, "log")
        for below in ("runtime/linux", "test/kernel/ni"):
            with open(log, "wb") as stream:
                status = self.run(kind, stream, "W=1", f"M={os.path.join(tree, below)}", "modules")
            with open(log, encoding="utf-8", errors="replace") as stream:
                said = stream.read()
            if status or "warning:" in said.lower():
                return said
        return None


def copy_sources(tree, mutation=None):
    """Copy the sources of the modules; the kernel leaves its objects beside them."""
    shutil.rmtree(tree, ignore_errors=True)
    for below in ("runtime/linux", "runtime/include", "intrinsics/generated", "test/kernel/ni"):
        shutil.copytree(os.path.join(TOP, below), os.path.join(tree, below))
    if mutation:
        for file, old, new in mutation["replace"]:
            path = os.path.join(tree, "runtime/linux", file)
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            if text.count(old) != 1:
                raise SystemExit(f"kernel-ni: error: mutation '{mutation['name']}': '{old}' is not "
                                 f"there once in {file}")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text.replace(old, new))


def programs(work, build):
    """The programs of the guest, by the stock compiler, with the library of the build."""
    library = os.path.join(build, "lib", "riscv64-linux-gnu", "libmemlift.a")
    parts = {"device": ["device"],
             "init": ["init", "guest", "refused", "others", "messages", "life"]}
    for name, sources in parts.items():
        subprocess.run(
            [GCC, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static",
             f"-I{TOP}/runtime/include", f"-I{TOP}/intrinsics/include",
             "-o", os.path.join(work, name)]
            + [os.path.join(GUEST, source + ".c") for source in sources]
            + [library, "-lpthread"], check=True)


def device_tree(work, dtc, interrupt):
    """Writes that of QEMU's machine with the network interface in it; its path."""
    plain, path = os.path.join(work, "virt.dtb"), os.path.join(work, "ni.dtb")
    subprocess.run(["qemu-system-riscv64", "-M", f"virt,dumpdtb={plain}", *machine.HARDWARE],
                   check=True, capture_output=True)
    text = subprocess.run([dtc, "-q", "-I", "dtb", "-O", "dts", plain], check=True,
                          capture_output=True, text=True).stdout
    with open(os.path.join(GUEST, "tree.dts"), encoding="utf-8") as stream:
        more = stream.read()
    if not interrupt:
        more = INTERRUPT.sub("", more)
    subprocess.run([dtc, "-q", "-I", "dts", "-O", "dtb", "-o", path, "-"], check=True,
                   input=text + more, text=True)
    return path


def boot(work, image, tree, blob, *names):
    """Judge the console's text; names are those of the checks, if not all."""
    contents = [("dev", 0o040755, b"", (0, 0)), ("dev/console", 0o020600, b"", (5, 1))]
    files = {"init": os.path.join(work, "init"), "device": os.path.join(work, "device"),
             "memlift_ni.ko": os.path.join(tree, "runtime/linux/memlift_ni.ko"),
             "memlift_ni_line.ko": os.path.join(tree, "test/kernel/ni/memlift_ni_line.ko")}
    for name, path in files.items():
        with open(path, "rb") as stream:
            contents.append((name, 0o100755, stream.read(), (0, 0)))
    contents.append(("TRAILER!!!", 0, b"", (0, 0)))
    initial = os.path.join(work, "ni.cpio")
    with open(initial, "wb") as stream:
        stream.write(b"".join(machine.entry(1 + i, *file) for i, file in enumerate(contents)))
    return machine.console(image, initial, SECONDS, ["-dtb", blob], "--", *names)


def checks():
    """The names of all checks, as init.c has them."""
    with open(os.path.join(GUEST, "init.c"), encoding="utf-8") as stream:
        text = stream.read()
    names = re.findall(r"^  RUN\((\w+)\);", text, re.M) + re.findall(r'^  say\("(\w+)"', text, re.M)
    assert len(names) > 20
    return names


def failed(said):
    """The checks that did not pass, in the order of the guest; of one that runs twice, each."""
    passed = re.findall(r"^memlift-ni: (\w+): ok$", said, re.M)
    missed = []
    for name in checks():
        if name in passed:
            passed.remove(name)
        else:
            missed.append(name)
    return missed


def try_driver(linux, kind, work, dtc):
    """Boots with an interrupt and without; True if all is well."""
    good, tree = True, os.path.join(work, "tree")
    for interrupt in (True, False):
        blob = device_tree(work, dtc, interrupt)
        said = boot(work, linux.image(kind), tree, blob)
        missed = failed(said)
        wanted = "with an" if interrupt else "without an"
        sick = [word for word in SICK if word in said]
        print("\n".join(line for line in said.splitlines() if "memlift-ni" in line), flush=True)
        if missed or sick or "memlift-ni: all is well" not in said:
            good = False
            print("\n".join(said.splitlines()[-60:]))
            say(f"{wanted} interrupt: FAILED: {' '.join(missed + sick)}")
        else:
            say(f"{wanted} interrupt: {len(checks())} checks passed")
    return good


def try_mutations(linux, kind, work, dtc, names):
    """Each has to make its checks fail; True if all do."""
    with open(os.path.join(GUEST, "mutations.json"), encoding="utf-8") as stream:
        known = json.load(stream)
    if unknown := set(names) - {mutation["name"] for mutation in known}:
        raise SystemExit(f"kernel-ni: error: no mutation {unknown}")
    blob, tree = device_tree(work, dtc, True), os.path.join(work, "tree")
    survived = []
    for mutation in known:
        if names and mutation["name"] not in names:
            continue
        copy_sources(tree, mutation)
        if wrong := linux.modules(kind, tree):
            print(wrong)
            survived.append(mutation["name"])
            continue
        names_of = mutation.get("fails", []) + mutation.get("passes", [])
        said = boot(work, linux.image(kind), tree, blob, *names_of)
        passed = [name for name in names_of if f"memlift-ni: {name}: ok" in said]
        good = "memlift-ni: begins" in said and passed == mutation.get("passes", [])
        say(f"{mutation['name']}: " + ("as it should" if good else "WRONG, passed: ")
            + ("" if good else " ".join(passed)))
        for line in re.findall("^memlift-ni: FAILED: .*", said, re.M):
            print(" ", line)
        if not good:
            survived.append(mutation["name"])
    return not survived


def main():
    """Builds, boots, tells."""
    args = arguments()
    build = os.path.abspath(args.build)
    known = kinds(build)
    if args.kind not in known:
        print(f"kernel-ni: error: no kind '{args.kind}'; there are: {', '.join(known)}",
              file=sys.stderr)
        return 2
    kind = known[args.kind]
    if missing(NEEDS):
        say(f"skipped: it needs {' '.join(missing(NEEDS))} (kernel.py --install)")
        return 77
    if not kind.runs():
        say(f"skipped: {kind.name}: its compiler or plugin is not there")
        return 77
    kernels = Linux(os.path.join(build, "kernel"))
    try:
        kernels.fetch()
    except Unavailable as error:
        say(f"skipped: {error}")
        return 77
    linux = Small(os.path.join(kernels.root, "ni"), kernels)
    say(f"{kind.name}: builds the kernel; the log is {linux.log(kind)}")
    if linux.build(kind, args.jobs):
        say("make failed")
        return 1
    work = os.path.join(linux.root, "guest", kind.name)
    os.makedirs(work, exist_ok=True)
    programs(work, build)
    tree = os.path.join(work, "tree")
    dtc = os.path.join(linux.folder(kind), "scripts", "dtc", "dtc")
    if args.mutations is not None:
        return int(not try_mutations(linux, kind, work, dtc, args.mutations))
    copy_sources(tree)
    if wrong := linux.modules(kind, tree):
        print(wrong)
        say("the driver cannot be built, or not without warnings")
        return 1
    return int(not try_driver(linux, kind, work, dtc))


if __name__ == "__main__":
    sys.exit(main())
