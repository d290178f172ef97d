#!/usr/bin/env python3
# check_docs_test.py - check_docs.py complains of each fault that a document can have
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tempfile
import unittest
from pathlib import Path

import check_docs

FILES = {
    "README.md": "# Name\n\nSee [the guide](docs/guide.md#first-steps).\n",
    "CONTRIBUTING.md": "| a change | `runtime/{a,b}.c` | `tools/test runtime` |\n",
    "docs/guide.md": "# Guide\n\n## First steps\n",
    "docs/reference/diagnostics.md": "MLF1001\n",
    "intrinsics/generated/memlift-options.sh": "--memlift-core=NAME\n",
    "runtime/a.c": "",
    "runtime/b.c": "",
    "tools/test": "suites='intrinsics  records\nruntime  kernels'\n",
}


class Repository(unittest.TestCase):
    """A repository without a fault, to which each test adds one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        for name, text in FILES.items():
            self.write(name, text)
        (self.root / "build/bin").mkdir(parents=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def text_complaints(self):
        return "\n".join(check_docs.check_text(self.root))

    def run_guide(self, text, update=False):
        self.write("docs/guide.md", text)
        return "\n".join(check_docs.run_document(self.root, self.root / "build",
                                                 Path("docs/guide.md"), update))


class Text(Repository):
    def test_nothing_to_complain_of(self):
        self.assertEqual(self.text_complaints(), "")

    def test_links(self):
        for target, complaint in (("docs/nothing.md", "no such file"),
                                  ("docs/guide.md#nothing", "no such heading"),
                                  ("#nothing", "no such heading")):
            self.write("README.md", f"# Name\n\n[a link]({target})\n")
            self.assertIn(f"README.md:3: link to '{target}': {complaint}",
                          self.text_complaints())

    def test_links_outside(self):
        self.write("README.md", "[a](https://example.org/x) `[b](nothing.md)` [c](#d-e)\n# D, E\n")
        self.assertEqual(self.text_complaints(), "")

    def test_paths_of_directories(self):
        self.write("docs/guide.md", "# Guide\n## First steps\n`runtime/c.c` `and/or` `./prog`\n")
        self.assertEqual(self.text_complaints(),
                         "docs/guide.md:3: no such path: `runtime/c.c`")

    def test_paths_of_contributing(self):
        for cell in ("`c.c`", "`read/c.c`", "`runtime/{a,c}.c`", "`test/run.py --all`"):
            self.write("CONTRIBUTING.md", f"| a change | {cell} |\n")
            self.assertIn("no such path", self.text_complaints(), cell)
        self.write("CONTRIBUTING.md", "| a change | `tools/test nothing` |\n")
        self.assertIn("no suite of tools/test: nothing", self.text_complaints())

    def test_names(self):
        self.write("README.md", "`--memlift-core=x`, `--memlift-cor`, MLF1001, MLF1002\n")
        self.assertEqual(self.text_complaints(), "README.md:1: no such option: --memlift-cor\n"
                                                 "README.md:1: no such code: MLF1002")

    def test_length(self):
        self.write("README.md", "\n" * 120)
        self.assertEqual(self.text_complaints(), "")
        self.write("README.md", "\n" * 121)
        self.assertEqual(self.text_complaints(), "README.md: 121 lines, more than 120")

    def test_blocks(self):
        for block, complaint in (("```c\nint i;\n```\n", "needs a file name"),
                                 ("```sh no-test:\nreboot\n```\n", "needs a reason"),
                                 ("```output\nx\n```\n", "without a command"),
                                 ("```c runtime/x.c\nint i;\n```\n", "in a directory of")):
            self.write("README.md", block)
            self.assertIn(complaint, self.text_complaints())


class Commands(Repository):
    def test_files_and_one_shell(self):
        self.assertEqual(self.run_guide("```text deep/f\nhello\n```\n"
                                        "```sh\nword=$(cat deep/f)\n```\n"
                                        "```sh\necho $word; ls runtime/a.c\n```\n"
                                        "```output\nhello\n...\n```\n"), "")

    def test_failure(self):
        told = self.run_guide("```sh\ntrue\n```\n"
                              "```sh\necho before\nfalse | cat\necho after\n```\n")
        self.assertIn("docs/guide.md:4: a command failed, exit status 1", told)
        self.assertIn("it printed\n    before", told)
        self.assertNotIn("    after\n    ", told)

    def test_not_run(self):
        self.assertEqual(self.run_guide("```sh no-test: breaks things\nfalse\n```\n"
                                        "```sh needs: no-such-command\nfalse\n```\n"
                                        "```sh needs: sh build/bin/no-such\nfalse\n```\n"
                                        "```output\nanything\n```\n```sh\ntrue\n```\n"), "")

    def test_output(self):
        for shown, same in (("a b\nc", True), ("a ...\nc", True), ("...\nc", True), ("a b", False),
                            ("a b\nc\nd", False), ("a  b\nc", False), ("", False)):
            told = self.run_guide("```sh\necho a b; echo c >&2\n```\n"
                                  f"```output\n{shown}\n```\n")
            self.assertEqual(told == "", same, f"{shown!r}: {told}")

    def test_update(self):
        command = "```sh\necho now\n```\n"
        self.assertEqual(self.run_guide(f"{command}```output\nthen\n```\nend\n", True), "")
        self.assertEqual((self.root / "docs/guide.md").read_text(encoding="utf-8"),
                         f"{command}```output\nnow\n```\nend\n")
        told = self.run_guide(f"{command}```output\nth...\n```\n", True)
        self.assertIn("the output is now", told)


if __name__ == "__main__":
    unittest.main()
