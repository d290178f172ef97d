# stages.py - configures, builds and tests a copy of a source with one compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The three stages of a project under one compiler, each with its log, and what came of them.

A finished result is kept with what it depended on (record, plugin, runtime), and is not done
again while that is the same.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

STAGES = ("configure", "build", "test")


@dataclass(frozen=True)
class Compiler:
    """One of the compilers: what runs, and the files of ours that it depends on."""
    name: str
    stock: str   # name of the compiler that it is compared with; its own if it is stock
    cc: str
    cxx: str
    ours: tuple = ()

    def print(self):
        """A digest of the files of ours that decide what it does."""
        digest = hashlib.sha256()
        for path in self.ours:
            with open(path, "rb") as stream:
                digest.update(stream.read())
        return digest.hexdigest()[:16]


def compilers(build):
    """By name, those that a result can be had of; the wrappers come from the build folder."""
    library = os.path.join(build, "lib")
    llvm = tuple(os.path.join(library, name) for name in ("memlift-llvm22.so", "libmemlift.a"))
    gcc = tuple(os.path.join(library, name) for name in ("memlift_gcc12.so", "libmemlift.a"))
    binary = os.path.join(build, "bin", "memlift-")
    return {one.name: one for one in (
        Compiler("clang-22", "clang-22", "clang-22", "clang++-22"),
        Compiler("gcc-12", "gcc-12", "gcc-12", "g++-12"),
        Compiler("memlift-clang-22", "clang-22", binary + "clang-22", binary + "clang++-22", llvm),
        Compiler("memlift-gcc", "gcc-12", binary + "gcc", binary + "g++", gcc))}


SHIM = """#!/bin/sh
# A remark file for each command that compiles, while a project is built.
case ${REALCODE_REMARKS-} in
  '') exec "%s" "$@" ;;
  *) exec "%s" "--memlift-remarks=$REALCODE_REMARKS/$$.$PPID.yaml" "$@" ;;
esac
"""


def shim(folder, name, command):
    """Path of a script that runs the wrapper with a remark file of its own."""
    path = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(SHIM % (command, command))
    os.chmod(path + ".new", 0o755)
    os.rename(path + ".new", path)
    return path


class Run:
    """A project under a compiler: its folders, its environment, its result."""

    def __init__(self, project, compiler, root, jobs):
        self.project, self.compiler = project, compiler
        self.name = f"{project.name}.{compiler.name}"
        self.tree = os.path.join(root, "trees", self.name)
        self.logs = os.path.join(root, "logs", self.name)
        self.remarks = os.path.join(root, "remarks", self.name)
        self.result = os.path.join(root, "results", self.name + ".json")
        self.environment = {**os.environ, "CFLAGS": "-O2", "CXXFLAGS": "-O2", "JOBS": str(jobs),
                            "LC_ALL": "C", "CC": compiler.cc, "CXX": compiler.cxx}
        if compiler.ours:
            shims = os.path.join(root, "bin")
            self.environment["CC"] = shim(shims, compiler.name, compiler.cc)
            self.environment["CXX"] = shim(shims, compiler.name + "++", compiler.cxx)
        for name in ("MAKEFLAGS", "MAKELEVEL", "CPPFLAGS", "LDFLAGS"):
            self.environment.pop(name, None)
        made = (project.package, project.configure, project.build, compiler.name, compiler.print())
        self.build_key = hashlib.sha256(repr(made).encode()).hexdigest()
        self.key = hashlib.sha256(
            repr((self.build_key, project.test, project.verdicts)).encode()).hexdigest()

    def earlier(self):
        """The result of an earlier run, whatever it was of; empty if there is none."""
        try:
            with open(self.result, encoding="utf-8") as stream:
                return json.load(stream)
        except (OSError, ValueError):
            return {}

    def done(self):
        """The result of an earlier run that still holds, or None."""
        result = self.earlier()
        return result if result.get("key") == self.key else None

    def built(self):
        """The result of an earlier run that built the same, if what it built is there; or None."""
        result = self.earlier()
        same = result.get("build_key") == self.build_key and result.get("build") == 0
        return result if same and os.path.isdir(self.tree) else None

    def save(self, result):
        """Writes it so that it is there whole or not at all."""
        os.makedirs(os.path.dirname(self.result), exist_ok=True)
        with open(self.result + ".new", "w", encoding="utf-8") as stream:
            json.dump(result, stream, indent=1)
        os.rename(self.result + ".new", self.result)

    def log(self, stage):
        """Path of a stage's log."""
        return os.path.join(self.logs, stage + ".log")

    def stage(self, stage):
        """Runs one stage; returns (exit status or 'timeout', seconds, user seconds)."""
        environment = dict(self.environment)
        if stage == "build" and self.compiler.ours:
            environment["REALCODE_REMARKS"] = self.remarks
        begun, before = time.monotonic(), os.times().children_user
        with open(self.log(stage), "wb") as log, subprocess.Popen(
                ["sh", "-e", "-c", getattr(self.project, stage)], cwd=self.tree, env=environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True) as process:
            try:
                status = process.wait(self.project.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                status = "timeout"
        return status, time.monotonic() - begun, os.times().children_user - before

    def verdicts(self):
        """The lines of the test's log that tell outcomes, sorted."""
        pattern = re.compile(self.project.verdicts)
        with open(self.log("test"), encoding="utf-8", errors="replace") as stream:
            found = (pattern.search(line) for line in stream)
            return sorted(" ".join(match.group().split()) for match in found if match)

    def test(self, result):
        """Runs the tests and notes their outcome in the result."""
        status, seconds, _ = self.stage("test")
        result.update(test=status, test_seconds=round(seconds, 1), verdicts=self.verdicts())

    def run(self, pristine):
        """Does all stages that are to be done; returns the result. One that fails is the last."""
        result = self.built()
        if result is None:
            result = self.make(pristine)
            if result.get("build") != 0:
                self.save(result)
                return result
        self.test(result)
        result["key"] = self.key
        result.pop("repeated", None)
        self.save(result)
        return result

    def make(self, pristine):
        """Configures and builds a copy of the source; returns how that went."""
        for folder in (self.tree, self.logs, self.remarks):
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self.logs, self.remarks):
            os.makedirs(folder)
        shutil.copytree(pristine, self.tree, symlinks=True)
        result = {"key": self.key, "build_key": self.build_key, "project": self.project.name,
                  "compiler": self.compiler.name, "verdicts": []}
        for stage in STAGES[:2]:
            status, seconds, user = self.stage(stage)
            result.update({stage: status, stage + "_seconds": round(seconds, 1),
                           stage + "_user": round(user, 1)})
            if status != 0:
                break
        return result
