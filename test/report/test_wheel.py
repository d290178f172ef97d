# test_wheel.py - the wheel holds all that memlift-report needs, and runs from there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel from a copy of the sources with what is installed, and asks no network."""
import glob
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from support import HERE, KEPT, Case

ROOT = os.path.join(HERE, "..", "..")


def builds():
    """Tell whether this Python has what builds a wheel."""
    return subprocess.run([sys.executable, "-c", "import setuptools, pip"],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


class Wheel(Case):
    @unittest.skipUnless(builds(), "this Python has no pip or setuptools")
    def test_runs_from_the_wheel(self):
        for name in ("report", os.path.join("intrinsics", "generated")):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.folder, "src", name),
                            ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index",
                        "--no-build-isolation", "-w", self.folder,
                        os.path.join(self.folder, "src", "report")], check=True)
        wheel, = glob.glob(os.path.join(self.folder, "*.whl"))
        site = os.path.join(self.folder, "site")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
        inside = {os.path.relpath(os.path.join(folder, name), os.path.join(site, "memlift_report"))
                  for folder, _, names in os.walk(os.path.join(site, "memlift_report"))
                  for name in names}
        source = os.path.join(ROOT, "report", "memlift_report")
        wanted = {os.path.relpath(os.path.join(folder, name), source)
                  for folder, _, names in os.walk(source) if "__pycache__" not in folder
                  for name in names}
        self.assertEqual(inside, wanted | {"diagnostics.json"})
        self.write("a.yaml", KEPT)
        self.write("src/buf.c", "int a;\n" * 20)
        for arguments, text in ((("explain", "2010"), "MLF2010 TripCountUnknown"),
                                (("a.yaml",), "1 loop in 1 file"),
                                (("--format", "html", "a.yaml"), "</html>")):
            run = subprocess.run(
                [sys.executable, "-c", "from memlift_report.cli import entry; entry()",
                 *arguments], cwd=self.folder, env={**os.environ, "PYTHONPATH": site},
                capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn(text, run.stdout)


if __name__ == "__main__":
    unittest.main()
