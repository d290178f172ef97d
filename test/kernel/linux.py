# linux.py - configures and builds Linux for riscv64, each kind in a folder of its own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source by package name, the configuration, make, and what is counted in its result."""

import collections
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
from dataclasses import dataclass

from sources import Archive, Unavailable
from written import written

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "linux-source-6.1"
GCC = "riscv64-linux-gnu-gcc-12"

# A remark file for each command that compiles; memlift's wrapper does the rest.
SHIM = """#!/bin/sh
case ${KERNEL_REMARKS-} in
  '') exec %s "$@" ;;
  *) exec %s "--memlift-remarks=$KERNEL_REMARKS/$$.$PPID.yaml" "$@" ;;
esac
"""


@dataclass(frozen=True)
class Kind:
    """A way to build the kernel."""
    name: str
    stock: str      # the kind that it is compared with; its own name if it is stock
    family: str     # clang or gcc
    compiler: tuple  # command and options
    ours: tuple = ()

    def runs(self):
        """True if compiler and plugin are there."""
        return shutil.which(self.compiler[0]) is not None and all(map(os.path.exists, self.ours))

    def print(self):
        """A digest of what decides the result."""
        digest = hashlib.sha256(repr((self.name, self.compiler[1:])).encode())
        for path in (os.path.join(HERE, "reduced.config"),) + self.ours:
            with open(path, "rb") as stream:
                digest.update(stream.read())
        return digest.hexdigest()[:16]


def kinds(build):
    """By name."""
    none = "--memlift-runtime=none"
    trust = "--memlift-trust-types"
    clang = (os.path.join(build, "bin", "memlift-clang-22"), none, "--memlift-count-calls")
    gcc = (os.path.join(build, "bin", "memlift-riscv64-linux-gnu-gcc"), none)
    llvm_plugin = (os.path.join(build, "lib", "memlift-llvm22.so"),)
    gcc_plugin = (os.path.join(build, "lib", "memlift_gcc12_riscv64_linux_gnu.so"),)
    return {kind.name: kind for kind in (
        Kind("clang-22", "clang-22", "clang", ("clang-22",)),
        Kind("memlift-clang-22", "clang-22", "clang", clang, llvm_plugin),
        Kind("memlift-clang-22-trust", "clang-22", "clang", clang + (trust,), llvm_plugin),
        Kind("gcc-12", "gcc-12", "gcc", (GCC,)),
        Kind("memlift-gcc", "gcc-12", "gcc", gcc, gcc_plugin),
        Kind("memlift-gcc-trust", "gcc-12", "gcc", gcc + (trust,), gcc_plugin))}


class Linux:
    """The source and everything made of it, below a folder."""

    def __init__(self, root):
        self.root = root
        self.source = os.path.join(root, "linux")

    def fetch(self):
        """Unpacks the source, once."""
        if os.path.isdir(self.source):
            return
        package = Archive(os.path.join(self.root, "sources")).binary(PACKAGE)
        part = os.path.join(self.root, "part")
        shutil.rmtree(part, ignore_errors=True)
        tarball = os.path.join(part, "usr", "src", PACKAGE + ".tar.xz")
        for command in (["dpkg-deb", "-x", package, part], ["tar", "-C", part, "-xf", tarball]):
            if subprocess.run(command, check=False).returncode:
                raise Unavailable(f"{package} cannot be unpacked")
        os.rename(os.path.join(part, PACKAGE), self.source)
        shutil.rmtree(part)

    def folder(self, kind):
        """Where a kind is built."""
        return os.path.join(self.root, "obj", kind.name)

    def log(self, kind):
        """Log of make."""
        return os.path.join(self.root, "logs", kind.name + ".log")

    def remarks(self, kind):
        """Where the wrapper writes remark files."""
        return os.path.join(self.root, "remarks", kind.name)

    def image(self, kind):
        """Image that qemu boots."""
        return os.path.join(self.folder(kind), "arch", "riscv", "boot", "Image")

    def earlier(self, kind):
        """The result of an earlier run, of whatever; empty if there is none."""
        try:
            with open(os.path.join(self.root, "results", kind.name + ".json"),
                      encoding="utf-8") as stream:
                return json.load(stream)
        except (OSError, ValueError):
            return {}

    def done(self, kind):
        """The result of an earlier run that still holds, or None."""
        result = self.earlier(kind)
        whole = result.get("status") == 0 and os.path.exists(self.image(kind))
        return result if whole and result.get("key") == kind.print() else None

    def save(self, kind, result):
        """Writes it so that it is there whole or not at all."""
        path = os.path.join(self.root, "results", kind.name + ".json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as stream:
            json.dump(result, stream, indent=1)
        os.rename(path + ".new", path)

    def words(self, kind):
        """Arguments of make."""
        command = " ".join(kind.compiler)
        if kind.ours:
            command = os.path.join(self.root, "bin", kind.name)
            os.makedirs(os.path.dirname(command), exist_ok=True)
            with open(command, "w", encoding="utf-8") as stream:
                stream.write(SHIM % ((" ".join(kind.compiler),) * 2))
            os.chmod(command, 0o755)
        tools = ["LLVM=-22"] if kind.family == "clang" else ["CROSS_COMPILE=riscv64-linux-gnu-"]
        return ["make", "-s", "-C", self.source, "O=" + self.folder(kind), "ARCH=riscv",
                "KBUILD_BUILD_TIMESTAMP=@0", "KBUILD_BUILD_USER=memlift",
                "KBUILD_BUILD_HOST=memlift", "CC=" + command] + tools

    def run(self, kind, log, *targets, remarks=None):
        """One call of make; its exit status."""
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("MAKEFLAGS", "MAKELEVEL", "CFLAGS", "LDFLAGS")}
        environment["LC_ALL"] = "C"
        if remarks:
            environment["KERNEL_REMARKS"] = remarks
        return subprocess.run(self.words(kind) + list(targets), stdin=subprocess.DEVNULL,
                              stdout=log, stderr=subprocess.STDOUT, env=environment,
                              check=False).returncode

    def configure(self, kind, log):
        """Configure, alike for all; answers of the compiler may make a difference."""
        status = self.run(kind, log, "defconfig")
        if status:
            return status
        with open(os.path.join(HERE, "reduced.config"), encoding="utf-8") as fragment, \
                open(os.path.join(self.folder(kind), ".config"), "a", encoding="utf-8") as config:
            config.write(fragment.read())
        return self.run(kind, log, "olddefconfig")

    def make(self, kind, jobs):
        """Builds it, from what an interrupted run left of the same; the result."""
        key = kind.print()
        if self.earlier(kind).get("begun") != key:
            shutil.rmtree(self.folder(kind), ignore_errors=True)
            shutil.rmtree(self.remarks(kind), ignore_errors=True)
        for folder in (self.folder(kind), self.remarks(kind), os.path.dirname(self.log(kind))):
            os.makedirs(folder, exist_ok=True)
        self.save(kind, {"begun": key})
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        with open(self.log(kind), "ab") as log:
            status = self.configure(kind, log) or self.run(
                kind, log, f"-j{jobs}", "Image", remarks=self.remarks(kind) if kind.ours else None)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        result = {"key": key, "begun": key, "status": status, "user_seconds": spent}
        if status == 0:
            result.update(measure(os.path.join(self.folder(kind), "vmlinux")))
            if kind.ours:
                result["written"] = written(self.root, self.remarks(kind))
        self.save(kind, result)
        return result


def measure(program):
    """Bytes of code, and the calls of the mem* functions that are left."""
    sizes = subprocess.run(["riscv64-linux-gnu-size", program], capture_output=True, text=True,
                           check=True).stdout.splitlines()[1].split()
    calls = collections.Counter()
    with subprocess.Popen(["llvm-objdump-22", "-d", "--no-show-raw-insn", program],
                          stdout=subprocess.PIPE, text=True) as process:
        pattern = re.compile(r"\s(?:jal|jalr|j|tail|call)\s.*<_*(memset|memcpy|memmove)>$")
        for line in process.stdout:
            found = pattern.search(line)
            if found:
                calls[found.group(1)] += 1
    return {"text": int(sizes[0]), "calls": calls}
