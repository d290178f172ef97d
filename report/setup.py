# setup.py - copies the records of the codes into the wheel; pyproject.toml has the rest.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py

RECORDS = os.path.join("..", "intrinsics", "generated", "diagnostics.json")


class WithRecords(build_py):
    def run(self):
        super().run()
        shutil.copy(RECORDS, os.path.join(self.build_lib, "memlift_report", "diagnostics.json"))


setup(cmdclass={"build_py": WithRecords})
