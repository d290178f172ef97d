# spin.py - has Spin look at all that a model can do
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run Spin on a model and count the errors that it finds. realcode/ has to be in sys.path."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from packages import get, missing

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


def verdicts(folder, configurations):
    """Tell whether all are as they should be. A configuration is (name, model, macros, variants,
    whole): a model in the folder, with these macros, is right as it is if `whole`, and wrong with
    each variant."""
    good = True
    for name, model, macros, variants, whole in configurations:
        for variant in [*([None] if whole else []), *variants]:
            good &= verdict(folder / model, name, macros, variant)
    return good


def main(description, suite, run, configurations, packages=()):
    """Read the command line of a program that checks models, and call run with the configurations
    that were named, or with all; gives the exit status. `packages`: what --install installs for
    others besides."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="CONFIGURATION", help="check these alone")
    parser.add_argument("--build", metavar="FOLDER", help="accepted as in other suites; not used")
    parser.add_argument("--install", action="store_true",
                        help="install the Debian packages that the suite needs, and stop")
    arguments = parser.parse_args()
    if arguments.install:
        return get(suite, [*PACKAGES, *packages])
    unknown = set(arguments.names) - {one[0] for one in configurations}
    if unknown:
        parser.error(f"no configuration {', '.join(sorted(unknown))}")
    if missing(PACKAGES):
        print(f"{suite}: skipped: it needs {' '.join(missing(PACKAGES))} (--install)")
        return 77
    chosen = [one for one in configurations if not arguments.names or one[0] in arguments.names]
    return 0 if run(chosen) else 1
