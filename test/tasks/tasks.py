#!/usr/bin/env python3
# tasks.py - checks the protocol of tasks: right as it is, wrong with a rule left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check pull.pml with Spin: each configuration as it is, and each of its variants, in which one
rule is left out and a counterexample has to be found.

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 a tool is not installed
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent / "engine"), str(HERE.parent / "realcode")]
# pylint: disable=wrong-import-position
import spin  # noqa: E402

# Name, macros, variants that are wrong; and whether the whole is checked. ROUND, TAKE_BACK, THREE,
# ORDER, and DEATH as it is, have more than 25 million states: they are not run here.
CONFIGURATIONS = (
    ("one ring", [], ["PULL_WITHOUT_CAS", "ENTRY_FIRST", "NO_SECOND_LOOK", "MARK_FIRST",
                      "SLEEP_AT_ONCE", "WAKE_FIRST", "NO_WAKE_AFTER_MARK"], True),
    ("two priorities", ["TWO_PRIORITIES"], [], True),
    ("a task waits", ["TWO_PRIORITIES", "WAITS"], ["NO_PASSING_ON"], True),
    ("a unit dies", ["TWO_PRIORITIES", "DEATH"], ["BURIAL_WAKES_IDLE"], False),
)


def run(configurations):
    """Tell whether all are as they should be."""
    good = True
    for name, macros, variants, whole in configurations:
        for variant in [*([None] if whole else []), *variants]:
            good &= spin.verdict(HERE / "pull.pml", name, macros, variant)
    return good


if __name__ == "__main__":
    sys.exit(spin.main(__doc__, "tasks", run, CONFIGURATIONS))
