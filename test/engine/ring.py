# ring.py - checks the models with Spin: right as they are, and wrong with any one thing left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check ring.pml and hub.pml with Spin."""
from pathlib import Path

import spin

HERE = Path(__file__).parent
BOTH = ["NO_RELEASE", "NO_RETURN", "NO_EMPTY", "NO_LOOK", "NO_ARM_DEVICE", "NO_ARM_NOTIFIER"]
HUB = ["SLEEPERS", "LEAVE_LOCKED", "LEAVE_BUSY", "NO_ACK", "NO_BUSY", "LOOK_FIRST",
       "NO_LOOK_AGAIN", "NO_CAS", "NO_NOTIFY", "NO_ADOPT", "NO_ORPHAN"]
# File, what is checked of it by name, the macro that makes it, what may be left out of it.
MODELS = [("ring", "in turn", [], ["NO_FLAG", *BOTH]),
          ("ring", "at once", ["MANY"], ["NO_CLAIM", *BOTH]),
          ("hub", "waiting", [], ["NO_REWIND", *HUB]),
          ("hub", "cancelling", ["CANCEL"], ["NO_DROP", "NO_TELL", *HUB])]


def run():
    """Tell whether the models are right, and each variant wrong; what was found is printed."""
    good = True
    for model, name, macros, variants in MODELS:
        for variant in [None, *variants]:
            good &= spin.verdict(HERE / f"{model}.pml", name, macros, variant)
    return good
