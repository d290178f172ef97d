#!/usr/bin/env python3
# tasks.py - checks the protocol of tasks: right as it is, wrong with a rule left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the models of tasks with Spin, pull.pml, handoff.pml, deadline.pml, end.pml and queue.pml:
each configuration as it is, and each of its variants, in which one rule is left out and a
counterexample has to be found.

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 a tool is not installed
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent / "engine"), str(HERE.parent / "realcode")]
# pylint: disable=wrong-import-position
import spin  # noqa: E402

# Name, model, macros, variants that are wrong; and whether the whole is checked. ROUND, TAKE_BACK,
# THREE, ORDER, and DEATH as it is, of pull.pml, and ROUND of queue.pml have more than 25 million
# states: they are not run here. CLOSED has 36 million since the tail follows the places.
CONFIGURATIONS = (
    ("one ring", "pull.pml", [],
     ["PULL_WITHOUT_CAS", "ENTRY_FIRST", "NO_SECOND_LOOK", "MARK_FIRST", "SLEEP_AT_ONCE",
      "WAKE_FIRST", "NO_WAKE_AFTER_MARK"], True),
    ("two priorities", "pull.pml", ["TWO_PRIORITIES"], [], True),
    ("a task waits", "pull.pml", ["TWO_PRIORITIES", "WAITS"], ["NO_PASSING_ON"], True),
    ("a unit dies", "pull.pml", ["TWO_PRIORITIES", "DEATH"], ["BURIAL_WAKES_IDLE"], False),
    ("semaphore", "handoff.pml", [],
     ["TAKE_WITHOUT_CAS", "JOIN_AFTER_UNLOCK", "RELEASE_BLINDLY", "PARK_ANYWAY", "READY_AT_ONCE",
      "BELL_AFTER_LOOK"], True),
    ("limits", "handoff.pml", ["LIMITS"], ["GIVE_TO_EXPIRED", "QUIT_TWICE", "NO_NUMBER"], True),
    ("signal", "handoff.pml", ["SIGNALS"], ["ANY_KIND", "NO_LAST_LOOK"], True),
    ("signal with a limit", "handoff.pml", ["BOTH"], [], True),
    ("two at once", "handoff.pml", ["GIFT"], ["GIVE_TO_EXPIRED"], True),
    ("host's limit first", "deadline.pml", [], ["NO_RING", "NO_WAKE"], True),
    ("host's limit later", "deadline.pml", ["HOST_LATER"], [], True),
    ("end of a task", "end.pml", [], ["NO_BARRIER", "LOOK_FIRST", "NOT_TOLD"], True),
    ("one place", "queue.pml", [],
     ["TAKE_WITHOUT_CAS", "FILL_WITHOUT_CAS", "NO_LAST_LOOK", "LINE_FIRST", "BY_ONE"], True),
    ("one place, twice", "queue.pml", ["ROUND"], ["ANY_TICKET"], False),
    ("out of order", "queue.pml", ["OPEN"], ["SEEN_BEFORE_END", "NO_LOOK_AT_NEXT"], True),
    ("peek", "queue.pml", ["PEEKS"], [], True),
    ("pusher ends", "queue.pml", ["LEFT"], ["NOBODY_IS_OVER"], True),
    ("pusher stops", "queue.pml", ["STOPS"], ["NOBODY_IS_OVER", "NO_HELP"], True),
    ("peeker ends", "queue.pml", ["LOOKED"], ["NOBODY_IS_OVER"], True),
    ("popper ends", "queue.pml", ["DROPPED"], ["NOBODY_IS_OVER", "NO_FORSAKING"], True),
    ("closed", "queue.pml", ["CLOSED"], ["NO_PASSING_ON", "NO_WAKE_AT_LAST", "TAIL_TELLS"], True),
)


def run(configurations):
    """Tell whether all are as they should be."""
    return spin.verdicts(HERE, configurations)


if __name__ == "__main__":
    sys.exit(spin.main(__doc__, "tasks", run, CONFIGURATIONS))
