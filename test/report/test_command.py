# test_command.py - the command line: help, errors, explain, where it runs from.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import unittest

from support import HERE, KEPT, REPORT, Case, package


class Usage(Case):
    def test_help(self):
        for word in ("-h", "--help"):
            out = self.good(word)
            for part in ("NAME\n", "SYNOPSIS\n", "OPTIONS\n", "EXIT STATUS\n", "--only"):
                self.assertIn(part, out)
            self.assertLessEqual(max(map(len, out.split("\n"))), 100)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed (Debian: groff-base)")
    def test_manual_page(self):
        """roff has nothing to complain about, and loses no line of --help."""
        script = os.path.join(HERE, "..", "..", "report", "man.py")
        page = subprocess.run([sys.executable, "-B", script, "1.2.3"], capture_output=True,
                              check=True).stdout
        shown = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", "-rLL=110n"],
                               input=page, capture_output=True, check=True)
        self.assertEqual(shown.stderr, b"")
        lines = {line.strip() for line in shown.stdout.decode().splitlines()}
        body = self.good("--help").split("\nSYNOPSIS\n")[1]
        for line in body.splitlines():
            self.assertIn(line.strip(), lines)

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^memlift-report \d+\.\d+\.\d+\n$")

    def test_bad_usage(self):
        self.write("a.yaml", KEPT)
        for arguments in ((), ("--no-such", "a.yaml"), ("--verb", "a.yaml"),
                          ("--color", "sometimes", "a.yaml"), ("--only",),
                          ("explain", "--long")):
            self.assertIn("MLF000", self.bad(*arguments))

    def test_bad_decision_lists_the_good_ones(self):
        self.assertIn("kept, guarded, lowered", self.bad("--only", "keep", "a.yaml"))

    def test_file_called_explain(self):
        self.write("explain", KEPT)
        self.assertIn("1 loop", self.good("./explain"))

    def test_reader_that_goes_away(self):
        self.write("a.yaml", "".join(KEPT.replace("9f3a", str(i)) for i in range(3000)))
        pipe = subprocess.Popen([sys.executable, REPORT, "a.yaml"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        pipe.stdout.readline()
        pipe.stdout.close()
        errors = pipe.stderr.read()
        pipe.stderr.close()
        self.assertEqual((pipe.wait(), errors), (0, b""))

    def test_runs_through_a_symbolic_link(self):
        os.symlink(os.path.realpath(REPORT), os.path.join(self.folder, "link"))
        result = self.run_report("--version", command=("link",))
        self.assertEqual(result.code, 0, result.err)


class Explain(Case):
    def test_spellings(self):
        page = self.good("explain", "MLF2010")
        for word in ("mlf2010", "2010", "TripCountUnknown", "tripcountunknown"):
            self.assertEqual(self.good("explain", word), page)
        for part in ("MLF2010 TripCountUnknown", "kept:\n    ", "lowered:\n    ", "what to do: "):
            self.assertIn(part, page)

    def test_tool_code_by_number(self):
        self.assertIn("MLF0001 UnknownOption", self.good("explain", "1"))

    def test_several(self):
        out = self.good("explain", "2001", "2002")
        self.assertLess(out.index("MLF2001"), out.index("MLF2002"))

    def test_list(self):
        lines = self.good("explain").strip().split("\n")
        self.assertGreater(len(lines), 45)
        self.assertEqual(lines, sorted(lines))

    def test_every_code_has_its_page(self):
        codes = [line.split()[0] for line in self.good("explain").strip().split("\n")]
        pages = self.good("explain", *codes)
        for code in codes:
            self.assertIn(code + " ", pages)

    def test_every_code_has_its_reason_an_example_and_a_fix(self):
        """A change that was made needs no fix; where advice begins with 'nothing' there is none."""
        for code, item in package("explain").codes().items():
            for key in ("text", "why", "advice"):
                self.assertTrue(item[key].strip(), f"{code} has no {key}")
            self.assertTrue(item["bad"] or item["good"], f"{code} has no example")
            if item["severity"] in ("Error", "Missed"):
                self.assertTrue(item["bad"], f"{code} has no example of what draws it")
                if not item["advice"].startswith(("nothing", "report the bug")):
                    self.assertTrue(item["good"], f"{code} has no example of the fix")

    def test_unknown(self):
        self.assertIn("no such code: 'MLF9999'", self.bad("explain", "MLF9999"))
        self.assertIn("did you mean TripCountUnknown", self.bad("explain", "TripCountUnkown"))


class Reference(Case):
    def test_reference_names_every_code(self):
        path = os.path.join(HERE, "..", "..", "docs", "reference", "diagnostics.md")
        with open(path, encoding="utf-8") as stream:
            reference = stream.read()
        for line in self.good("explain").strip().split("\n"):
            self.assertIn(f"### {line.split()[0]} {line.split()[1]}\n", reference)


if __name__ == "__main__":
    unittest.main()
