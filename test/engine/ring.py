# ring.py - checks the models with Spin: right as they are, and wrong with any one thing left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check ring.pml and hub.pml with Spin."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BOTH = ["NO_RELEASE", "NO_RETURN", "NO_EMPTY", "NO_LOOK", "NO_ARM_DEVICE", "NO_ARM_NOTIFIER"]
HUB = ["SLEEPERS", "LEAVE_LOCKED", "LEAVE_BUSY", "NO_ACK", "NO_BUSY", "LOOK_FIRST",
       "NO_LOOK_AGAIN", "NO_CAS", "NO_NOTIFY", "NO_ADOPT", "NO_ORPHAN"]
# File, what is checked of it by name, the macro that makes it, what may be left out of it.
MODELS = [("ring", "in turn", [], ["NO_FLAG", *BOTH]),
          ("ring", "at once", ["MANY"], ["NO_CLAIM", *BOTH]),
          ("hub", "waiting", [], ["NO_REWIND", *HUB]),
          ("hub", "cancelling", ["CANCEL"], ["NO_DROP", "NO_TELL", *HUB])]


def check(model, macros, work):
    """Number of errors that Spin finds, and how many states it has seen."""
    flags = [f"-D{macro}" for macro in macros]
    subprocess.run(["spin", *flags, "-a", str(HERE / f"{model}.pml")], cwd=work, check=True,
                   capture_output=True)
    compiler = os.environ.get("CC", "gcc-12")
    subprocess.run([compiler, "-O2", "-w", "-DSAFETY", "-DVECTORSZ=2048", "-o", "pan", "pan.c"],
                   cwd=work, check=True)
    out = subprocess.run(["./pan", "-m1000000"], cwd=work, check=True, capture_output=True,
                         text=True).stdout
    errors = re.search(r"errors: (\d+)", out)
    states = re.search(r"(\S+) states, stored", out)
    if not errors or "max search depth too small" in out:
        sys.exit(f"engine: error: pan says\n{out}")
    return int(errors.group(1)), states.group(1)


def run():
    """Whether the models are right, and each variant wrong; what was found is printed."""
    good = True
    for model, name, macros, variants in MODELS:
        for variant in [None, *variants]:
            with tempfile.TemporaryDirectory() as work:
                errors, states = check(model, macros + ([variant] if variant else []), work)
            right = (errors == 0) == (variant is None)
            good &= right
            print(f"{model}, {name + ':':11} {variant or 'as it is':16} {states:>8} states, "
                  f"{errors} errors: {'as it should be' if right else 'WRONG'}", flush=True)
    return good
