# spin.py - has Spin look at all that a model can do
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run Spin on a model and count the errors that it finds."""
import os
import re
import subprocess
import sys
import tempfile

PACKAGES = ["spin", "gcc-12"]
DEPTH = 2000000 # steps of the longest run that is followed


def check(model, macros, liveness=False):
    """Number of errors in a model (a Path) with these macros, and how many states were seen. Looks
    for invalid end states and violated assertions; with `liveness`, instead, for runs of fair
    processes that violate the model's ltl formula."""
    flags = [f"-D{macro}" for macro in macros]
    kind = ["-DNFAIR=3"] if liveness else ["-DSAFETY"]
    search = ["-a", "-f"] if liveness else []
    compiler = os.environ.get("CC", "gcc-12")
    with tempfile.TemporaryDirectory() as work:
        for command in (["spin", *flags, "-a", str(model)],
                        [compiler, "-O2", "-w", *kind, "-DCOLLAPSE", "-DVECTORSZ=2048", "-o", "pan",
                         "pan.c"]):
            done = subprocess.run(command, cwd=work, check=False, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{model.name}: error: {' '.join(command)}\n{done.stdout}{done.stderr}")
        done = subprocess.run(["./pan", f"-m{DEPTH}", *search], cwd=work, check=False,
                              capture_output=True, text=True)
    errors = re.search(r"errors: (\d+)", done.stdout)
    states = re.search(r"(\S+) states, stored", done.stdout)
    if done.returncode or not errors or "max search depth too small" in done.stdout:
        sys.exit(f"{model.name}: error: pan says\n{done.stdout}{done.stderr}")
    return int(errors.group(1)), states.group(1)


def verdict(model, name, macros, variant=None, liveness=False):
    """Tell whether a model is right as it is, or wrong as a variant of it; print what was found.
    The variant is the macro that makes it, or says in words what is wrong with the macros."""
    more = [variant] if variant and " " not in variant else []
    errors, states = check(model, [*macros, *more], liveness)
    right = (errors == 0) == (variant is None)
    print(f"{model.stem}, {name + ':':20} {variant or 'as it is':20} {states:>9} states, "
          f"{errors} errors: {'as it should be' if right else 'WRONG'}", flush=True)
    return right
