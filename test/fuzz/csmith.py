# csmith.py - programs of csmith (a Debian package), with loops and arrays made likely
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interface of program_fuzz.py to csmith: the text of a program for a seed."""

import os
import random
import shutil
import subprocess

HEADERS = "/usr/include/csmith"
SMALL, LARGE = 4000, 60000  # bytes: below there is hardly a statement, above it takes too long
SHAPES = [  # each about a page of loops; arrays that are long enough for loops to stay loops
    "--max-array-len-per-dim 24 --max-array-dim 2 --max-expr-complexity 3 --max-block-depth 3"
    " --max-funcs 3",
    "--max-array-len-per-dim 40 --max-array-dim 1 --max-expr-complexity 3 --max-block-depth 3"
    " --max-funcs 4",
    "--max-array-len-per-dim 300 --max-array-dim 1 --max-expr-complexity 2 --max-block-depth 3"
    " --max-block-size 3 --max-funcs 3",
    "--max-array-len-per-dim 1000 --max-array-dim 1 --max-expr-complexity 2 --max-block-depth 3"
    " --max-funcs 4",
]
# The upper ends of ranges of 100: 10 if, 28 for, 2 return, 2 continue, 2 break, 2 goto, 26 loops
# over whole arrays, 28 assignments.
PROBABILITIES = """\
new_array_var_prob=35

[statement_prob,statement_assign_prob=100,statement_block_prob=0,statement_for_prob=38,\
statement_ifelse_prob=10,statement_return_prob=40,statement_continue_prob=42,\
statement_break_prob=44,statement_goto_prob=46,statement_arrayop_prob=72]
"""


def missing():
    """Name of the package that has to be installed, or None."""
    if shutil.which("csmith") and os.path.exists(os.path.join(HEADERS, "csmith.h")):
        return None
    return "csmith and libcsmith-dev are not installed"


def options(seed):
    """csmith's options for a program, by chance."""
    rng = random.Random(f"csmith {seed}")
    chosen = rng.choice(SHAPES).split() + ["--no-force-non-uniform-arrays", "--quiet"]
    for option in ("--no-volatiles", "--no-volatiles", "--no-unions", "--no-bitfields",
                   "--no-const-pointers", "--inline-function", "--no-packed-struct"):
        chosen += [option] if rng.randrange(2) else []
    return chosen, rng.randrange(4) != 0


def program(seed, folder):
    """(text, compiler options) of a program, or None where it is too small or too large."""
    chosen, loops = options(seed)
    if loops:
        path = os.path.join(folder, "probabilities")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(PROBABILITIES)
        chosen += ["--probability-configuration", path]
    try:  # it leaves a file in the folder in which it runs
        done = subprocess.run(["csmith", "--seed", str(seed), *chosen], capture_output=True,
                              text=True, check=False, timeout=10, cwd=folder)
    except subprocess.TimeoutExpired:  # it looks for a program without end, now and then
        return None
    if done.returncode or not SMALL <= len(done.stdout) <= LARGE:
        return None
    return done.stdout, ["-I" + HEADERS]
