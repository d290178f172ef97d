# proof.py - what a bounded proof is: a claim that has no counterexample, and a twin that has one
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A proof is a function with the decorator @proof("what is proved", twin="what is wrong in it").

It is called twice, with good=True and good=False, and returns (assumptions, claim). The claim must
hold for all values of its variables; that of the twin, in which one thing is changed, must not: a
proof that cannot fail shows nothing. Widths are small where the argument does not hang on them.
"""

import time

import z3

PROOFS = []


def proof(what, twin):
    """Registers a function of `good`."""
    def register(function):
        PROOFS.append((function.__module__, function.__name__, what, twin, function))
        return function
    return register


def counterexample(assumptions, claim):
    """None if the claim holds wherever the assumptions do, else a model."""
    solver = z3.Solver()
    # A limit of work, not of time: a loaded machine decides as much. All proofs take 21 million.
    solver.set("rlimit", 200_000_000)
    solver.add(*assumptions)
    solver.add(z3.Not(claim))
    answer = solver.check()
    if answer == z3.unknown:
        raise RuntimeError(f"undecided: {solver.reason_unknown()}")
    return solver.model() if answer == z3.sat else None


def run(only=""):
    """Checks all proofs and their twins; prints one line for each. The number of failures."""
    failures = 0
    for module, name, what, twin, function in PROOFS:
        if only and only not in f"{module}.{name}":
            continue
        start = time.monotonic()
        model = counterexample(*function(True))
        refuted = counterexample(*function(False)) is not None
        seconds = time.monotonic() - start
        verdict = "proved" if model is None and refuted else "FAILED"
        failures += verdict == "FAILED"
        print(f"{verdict} {module}.{name} ({seconds:.1f} s): {what}")
        if model is not None:
            print(f"  counterexample: {model}")
        if not refuted:
            print(f"  the twin holds as well, so the proof shows nothing: {twin}")
    return failures


def byte_list(name, count, bits=8):
    """`count` variables of `bits` bits."""
    return [z3.BitVec(f"{name}{i}", bits) for i in range(count)]


def widen(value, bits, signed=False):
    """`value` extended or cut to `bits`."""
    own = value.size()
    if own == bits:
        return value
    if own > bits:
        return z3.Extract(bits - 1, 0, value)
    return (z3.SignExt if signed else z3.ZeroExt)(bits - own, value)
