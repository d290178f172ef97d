# support.py - repositories with faults, for the tests of this directory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each test runs the tools in a git repository of its own, below a temporary directory."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MISSING = 77
BODY = "\n\nReaders of the log need the reason.\n"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
ENVIRONMENT.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
for who in ("AUTHOR", "COMMITTER"):
    ENVIRONMENT.update({f"GIT_{who}_NAME": "A", f"GIT_{who}_EMAIL": "a@example.org"})


def run(*command, where, **more):
    more.setdefault("env", ENVIRONMENT)
    return subprocess.run([str(part) for part in command], cwd=where, capture_output=True,
                          text=True, check=False, **more)


class Repository(unittest.TestCase):
    """A repository that has the tools and their configuration in its first commit."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = Path(holder.name, "a repository")
        self.top.mkdir()
        shutil.copytree(ROOT / "tools", self.top / "tools",
                        ignore=shutil.ignore_patterns("__pycache__"))
        for name in (".clang-format", "ruff.toml"):
            shutil.copy(ROOT / name, self.top)
        self.git("init", "-q")
        self.commit("what was there before the check")

    def git(self, *arguments):
        done = run("git", *arguments, where=self.top)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)

    def write(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.git("add", "--intent-to-add", name)

    def expect(self, code, words, tool, *arguments, **more):
        """The tool ends with a code, and its messages have these words."""
        command = [self.top / "tools" / tool, *arguments]
        if tool == "commit-msg":
            command.insert(0, sys.executable)  # a quarter of the time where python3 is a wrapper
        done = run(*command, where=self.top, **more)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        for word in words:
            self.assertIn(word, said)
        return said


def main():
    """Runs the tests of the calling script; exit status 77: there is no git."""
    if not shutil.which("git"):
        print("skipped: git is not installed")
        sys.exit(MISSING)
    unittest.main()
