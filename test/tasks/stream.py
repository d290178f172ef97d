#!/usr/bin/env python3
# stream.py - checks the pipeline of blocks: right as it is, wrong with any wait left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check stream.pml with Spin: each configuration as it is, and each of its variants, in which one
thing is left out and a counterexample has to be found.

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 a tool is not installed
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent / "engine"), str(HERE.parent / "realcode")]
# pylint: disable=wrong-import-position
import spin  # noqa: E402

# Name, model, macros, and the variants that are wrong; all are checked as they are, too.
CONFIGURATIONS = tuple((name, "stream.pml", macros, variants, True) for name, macros, variants in (
    ("no fault", ["FAULTS=0"],
     ["NO_WAIT_FOR_PUTS", "NO_WAIT_FOR_GETS", "NO_WAIT_AT_END", "GETS_FIRST", "PUTS_OUT_OF_ORDER",
      "TWO_BUFFERS_IN_PLACE", "ONE_BUFFER_TO_READ", "ONE_BUFFER_TO_WRITE"]),
    ("a fault", ["FAULTS=1"], ["GETS_ARE_BELIEVED", "PUTS_ARE_BELIEVED"]),
    ("two faults", ["FAULTS=2"], ["DIRECT_AT_ONCE"]),
    ("a loss", ["FAULTS=0", "LOSSES=1"], ["NO_ABORT"]),
    ("a fault, a loss", ["FAULTS=1", "LOSSES=1", "BLOCKS=3"], []),
    ("one block", ["BLOCKS=1", "FAULTS=2"], []),
))


def run(configurations):
    """Tell whether all are as they should be."""
    return spin.verdicts(HERE, configurations)


if __name__ == "__main__":
    sys.exit(spin.main(__doc__, "stream", run, CONFIGURATIONS))
