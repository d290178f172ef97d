# run_line_test.py - lit's shell tests, where programs share suffixes with tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test format of this folder: a file is a test if it has a RUN line."""

import lit.formats


class RunLineTest(lit.formats.ShTest):
    """ShTest that passes over programs (GoogleTest and inputs) of any name. A shell runs the RUN
    lines: `for` and `case` are none of lit's own. LLVM 23's lit refuses the argument for that."""

    def __init__(self):
        super().__init__()
        self.execute_external = True

    def getTestsInDirectory(self, *args, **options):
        for test in super().getTestsInDirectory(*args, **options):
            with open(test.getSourcePath(), encoding="utf-8", errors="replace") as source:
                if "RUN:" in source.read():
                    yield test
