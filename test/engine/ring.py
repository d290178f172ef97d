# ring.py - checks ring.pml with Spin: right as it is, and wrong with any one thing left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check ring.pml with Spin."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = Path(__file__).with_name("ring.pml")
BOTH = ["NO_RELEASE", "NO_RETURN", "NO_EMPTY", "NO_LOOK", "NO_ARM_DEVICE", "NO_ARM_NOTIFIER"]
# What is checked by name, the macro that makes it, what may be left out of it.
RINGS = [("in turn", [], ["NO_FLAG", *BOTH]), ("at once", ["MANY"], ["NO_CLAIM", *BOTH])]


def check(macros, work):
    """Number of errors that Spin finds, and how many states it has seen."""
    flags = [f"-D{macro}" for macro in macros]
    subprocess.run(["spin", *flags, "-a", str(MODEL)], cwd=work, check=True, capture_output=True)
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
    """Whether the ring is right, and each variant wrong; what was found is printed."""
    good = True
    for name, macros, variants in RINGS:
        for variant in [None, *variants]:
            with tempfile.TemporaryDirectory() as work:
                errors, states = check(macros + ([variant] if variant else []), work)
            right = (errors == 0) == (variant is None)
            good &= right
            print(f"ring, {name + ':':8} {variant or 'as it is':16} {states:>8} states, {errors} errors: "
                  + ("as it should be" if right else "WRONG"), flush=True)
    return good
