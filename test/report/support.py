# support.py - remarks to test with, and a way to run memlift-report on them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import importlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.environ.get("MEMLIFT_REPORT",
                        os.path.join(HERE, "..", "..", "report", "bin", "memlift-report"))

PREFIX = os.path.dirname(os.path.dirname(os.path.realpath(REPORT)))
PACKAGES = os.path.join(PREFIX, "lib", "memlift", "python")
sys.path.insert(0, PACKAGES if os.path.isdir(PACKAGES) else PREFIX)
sys.dont_write_bytecode = True


def package(name=""):
    """A module of the memlift_report that is tested."""
    return importlib.import_module("memlift_report" + ("." + name if name else ""))


KEPT = """\
--- !Missed
Pass:            memlift
Name:            TripCountUnknown
DebugLoc:        { File: src/buf.c, Line: 12, Column: 3 }
Function:        clear
Args:
  - String:          'fill kept: how often the loop runs is not known before it starts'
  - Idiom:           fill
  - Decision:        kept
  - Code:            MLF2010
  - LoopId:          'src/buf.c:clear:0:9f3a'
  - Fact:            destination contiguous
  - Verdict:         proved
  - Need:            step 4
  - Have:            step 4
  - Fact:            trip count
  - Verdict:         failed
  - Code:            MLF2010
  - Need:            'a count that is fixed before the loop'
  - Have:            'no'
  - Evidence:        'b->n is read in line 12'
  - Evidence:        'b->p[i] may be b->n'
  - Fact:            index
  - Verdict:         failed
  - Code:            MLF2014
...
"""
LOWERED = """\
--- !Passed
Pass:            memlift
Name:            Lowered
DebugLoc:        { File: src/buf.c, Line: 4, Column: 5 }
Function:        _Z5paintPhm
Args:
  - String:          'loop became a call of '
  - Callee:          memlift_fill8
  - Idiom:           fill
  - Decision:        lowered
  - Code:            MLF1001
  - LoopId:          'src/buf.c:paint:0:11aa'
  - Fact:            trip count
  - Verdict:         proved
...
"""
GUARDED = """\
--- !Passed
Pass:            memlift
Name:            Guarded
DebugLoc:        { File: src/net.c, Line: 40, Column: 7 }
Function:        put
Args:
  - Idiom:           copy
  - Decision:        guarded
  - Code:            MLF1003
  - LoopId:          'src/net.c:put:0:77'
  - Fact:            regions apart
  - Verdict:         guarded
  - Suggestion:      declare d restrict
...
"""
OTHER = """\
--- !Missed
Pass:            inline
Name:            NoDefinition
Function:        f
Args:
  - Callee:          g
  - String:          "memlift\\n"
...
"""


class Output(io.StringIO):
    """Standard output that is no terminal."""

    def reconfigure(self, **_):
        pass


class Result:
    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err


class Case(unittest.TestCase):
    """A test with a folder of its own, which is also the current one."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as stream:
            return stream.read()

    def run_report(self, *arguments, command=(REPORT,), **environment):
        where = {**os.environ, "COLUMNS": "120", "PYTHONDONTWRITEBYTECODE": "1", **environment}
        run = subprocess.run([sys.executable, *command, *arguments], cwd=self.folder, env=where,
                             capture_output=True, text=True, check=False)
        return Result(run.returncode, run.stdout, run.stderr)

    def call(self, *arguments):
        """The same in this process: what takes no time to start."""
        before = os.getcwd()
        out, err = Output(), io.StringIO()
        os.chdir(self.folder)
        package("model").shown_file.cache_clear()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = package("cli").main(list(arguments))
        finally:
            os.chdir(before)
        return Result(code, out.getvalue(), err.getvalue())

    def fine(self, *arguments, code=0):
        result = self.call(*arguments)
        self.assertEqual((result.code, result.err), (code, ""), result.out)
        return result.out

    def refused(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual((result.code, result.out), (2, ""), result.err)
        self.assertTrue(result.err.startswith("memlift-report: error: "), result.err)
        return result.err

    def good(self, *arguments, **environment):
        result = self.run_report(*arguments, **environment)
        self.assertEqual((result.code, result.err), (0, ""), result.out)
        return result.out

    def bad(self, *arguments):
        result = self.run_report(*arguments)
        self.assertEqual((result.code, result.out), (2, ""), result.err)
        self.assertNotIn("Traceback", result.err)
        self.assertTrue(result.err.startswith("memlift-report: error: "), result.err)
        return result.err
