#!/usr/bin/env python3
# lint_test.py - tools/lint accepts good sources and finds each kind of fault
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil

from support import BODY, ENVIRONMENT, Repository, main


class Sources(Repository):
    """Faults in sources. ruff is a stand-in: the real one may have to be installed."""

    def setUp(self):
        super().setUp()
        self.bin = self.top / ".git" / "bin"
        self.bin.mkdir()
        self.environment = dict(ENVIRONMENT, PATH=f"{self.bin}:{os.environ['PATH']}")
        self.program("ruff", "exit 0")

    def program(self, name, script):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def lint(self, code, words, *arguments):
        return self.expect(code, words, "lint", *arguments, env=self.environment)

    def need(self, name):
        if not shutil.which(name):
            self.skipTest(f"{name} is not installed")

    def test_usage(self):
        self.lint(0, ["SYNOPSIS", "EXIT STATUS"], "--help")
        self.lint(0, ["format ", "sizes ", "python ", "shell ", "commits "], "--list")
        for arguments in (["--frobnicate"], ["nothing"], ["--commits"], ["--commits", "none.."]):
            with self.subTest(arguments):
                self.lint(2, ["error:"], *arguments)

    def test_format(self):
        self.need("clang-format-19")
        self.write("a file.c", "int x;\n")
        self.lint(0, [], "format")
        self.write("a file.c", "int   x;\n")
        self.lint(1, ["a file.c:1", "failed: format"], "format")

    def test_inputs_and_generated_files_are_left_out(self):
        self.need("clang-format-19")
        for name in ("intrinsics/generated/a.h", "test/llvm/a.c", "test/parity/loops/a.c"):
            self.write(name, "int   x;\n")
        self.lint(0, [], "format", "sizes")

    def test_sizes(self):
        self.write("a.h", "// " + "ä" * 97 + "\n" * 500)
        self.lint(0, [], "sizes")
        self.write("a.h", "// " + "ä" * 98 + "\n" * 500)
        self.lint(1, ["a.h:1: more than 100 columns"], "sizes")
        self.write("a.h", "\n" * 501)
        self.lint(1, ["a.h: more than 500 lines"], "sizes")

    def test_python(self):
        self.write("a", "#!/usr/bin/env python3\n")
        self.program("ruff", 'printf "%s\\n" "$@"; exit 1')
        said = self.lint(1, ["failed: python"], "python").split("\n")
        self.assertIn("a", said)
        self.assertIn("tools/commit-msg", said)
        self.assertNotIn("tools/lint", said)

    def test_shell(self):
        self.need("shellcheck")
        self.write("a", "#!/bin/sh\necho $1\n")
        self.lint(1, ["a:2:", "SC2086"], "shell")

    def test_deleted_files_are_no_fault(self):
        self.write("a.h", "// a\n")
        self.commit("docs: add a header" + BODY)
        (self.top / "a.h").unlink()
        self.lint(0, [], "sizes")

    def test_commits(self):
        self.lint(0, [], "commits")  # none after the one that added the check
        self.commit("docs: all the suites" + BODY)
        self.lint(1, ["'all' is no imperative verb"], "commits")
        self.commit("docs: name the suites" + BODY)
        self.lint(0, [], "--commits", "HEAD~1..", "commits")

    def test_no_ruff(self):
        (self.bin / "ruff").unlink()
        self.program("python3", "echo no network >&2; exit 1")
        self.environment["PATH"] = f"{self.bin}:/usr/bin:/bin"
        if shutil.which("ruff", path="/usr/bin:/bin"):
            self.skipTest("there is a ruff")
        self.lint(1, ["no network", "ruff is not in PATH"], "python")
        self.lint(0, ["left out: python"], "--skip-missing", "python")

    def test_no_repository(self):
        (self.top / ".git").rename(self.top / "elsewhere")
        self.environment["PATH"] = os.environ["PATH"]
        self.lint(1, ["no git repository"])
        self.lint(0, ["left out"], "--skip-missing")


if __name__ == "__main__":
    main()
