# compare.py - one case under a compiler, with memlift's plugin and without
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a case to assembly twice. Where the two are the same there is nothing more to ask;
else both are linked and run, and their exit status and output compared.

Outcomes: same (the very code), agree (other code, the same behaviour), built (other code, and a
stock build that makes no program or one that fails: nothing to run), none (stock does not compile
it), scan (a dump differs because memlift was there first), and bad.
"""

import os
import re
import shlex
import subprocess
from dataclasses import dataclass

# Errors of a newer clang in code that GCC 12 takes; switched off, so that old tests compile.
LENIENT = ("-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion",
           "-Wno-return-type", "-Wno-incompatible-pointer-types",
           "-Wno-incompatible-function-pointer-types")
OLD_C = ("-std=gnu17", "-fpermissive")  # the same for GCC 14, and for 15, which starts with C23
CLANG_TAKES = re.compile(r"-(?:D|U|std=|fwrapv$|ffast-math$|fgnu89-inline$|fno-inline$)")
RUN_SECONDS, COMPILE_SECONDS = 60, 300


@dataclass(frozen=True)
class Tool:
    """A compiler: its command, the flags that memlift's wrapper adds, the runtime to link."""
    name: str
    command: str
    plugin: tuple
    runtime: str

    @property
    def clang(self):
        """Tell whether it is a clang."""
        return self.name.startswith("clang")


def tool(name, wrapper, build):
    """The Tool of a wrapper, or None if it does not run here. The wrapper says what it adds."""
    if not os.access(wrapper, os.X_OK):
        return None
    shown = subprocess.run([wrapper, "--memlift-print-command", "-S", "x.c"], capture_output=True,
                           text=True, check=False)
    if shown.returncode:
        return None
    words = shlex.split(shown.stdout)
    plugin = tuple(word for word in words[1:] if "plugin" in word)
    return Tool(name, words[0], plugin, os.path.join(build, "lib", "libmemlift.a"))


def run(command, seconds, where=None):
    """(exit status, output) of a command; a status of 'timeout' for one that does not end."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=seconds, cwd=where, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "timeout", b""


def contents(path):
    """Options of a file."""
    with open(path, "rb") as stream:
        return stream.read()


class Comparison:
    """A case at a level under a compiler, in a folder of its own."""

    def __init__(self, case, compiler, level, folder, stock):
        self.case, self.compiler, self.level, self.folder = case, compiler, level, folder
        self.stock = stock  # folder of the stock compiler's assembly, kept between runs
        self.name = f"{compiler.name}.{level}.{case.name}"

    def flags(self):
        """Options of the case and of the level, for this compiler."""
        options = self.case.options
        if self.compiler.clang:
            options = tuple(filter(CLANG_TAKES.match, options)) + LENIENT
        elif self.compiler.name not in ("gcc-12", "gcc-13"):
            options = OLD_C + options
        return [self.level, "-w"] + [o for o in options if not re.match(r"-O|-fdump", o)]

    def assemble(self, to, extra):
        """(exit status, messages) of compiling to assembly; `extra` flags in front."""
        return run([self.compiler.command, *extra, *self.flags(), "-S", self.case.path, "-o", to],
                   COMPILE_SECONDS)

    def stock_assembly(self):
        """Path of it, or None where the stock compiler refuses; done once."""
        path = os.path.join(self.stock, self.name + ".s")
        if os.path.exists(path):
            return path if os.path.getsize(path) else None
        status, _ = self.assemble(path + ".part", ())
        if status != 0:
            with open(path + ".part", "wb"):
                pass
        os.rename(path + ".part", path)
        return path if status == 0 else None

    def program(self, assembly, libraries):
        """(what linking or running gave, its output)"""
        binary = os.path.join(self.folder, self.name + ".exe")
        status, said = run([self.compiler.command, assembly, *libraries, "-lm", "-o", binary],
                           COMPILE_SECONDS)
        if status != 0:
            return f"link {status}", said
        outcome = run([binary], RUN_SECONDS, self.folder)
        os.remove(binary)
        return outcome

    def outcome(self):
        """(outcome, what to tell of it)"""
        stock = self.stock_assembly()
        if stock is None:
            return "none", ""
        ours = os.path.join(self.folder, self.name + ".s")
        status, said = self.assemble(ours, self.compiler.plugin)
        if status != 0:
            return "bad", f"does not compile ({status}):\n" + said.decode(errors="replace")
        if contents(ours) == contents(stock):
            os.remove(ours)
            return "same", ""
        return self.behaviour(stock, ours)

    def behaviour(self, stock, ours):
        """Links and runs both."""
        expected = self.program(stock, ())
        if expected[0] != 0:
            os.remove(ours)
            return "built", ""
        got = self.program(ours, (self.compiler.runtime,))
        if got == expected:
            os.remove(ours)
            return "agree", ""
        return "bad", f"gives {got[0]}, stock {expected[0]}; assembly: {ours}\n" + \
            got[1].decode(errors="replace")[:2000]
