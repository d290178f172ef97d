#!/usr/bin/env python3
# ni.py - checks the protocol of the network interface: right as it is, wrong with a rule left out
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check ni.pml with Spin: each configuration as it is, and each of its variants, in which one rule
is left out and a counterexample has to be found.

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 a tool is not installed
"""
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent / "engine"), str(HERE.parent / "realcode")]
# pylint: disable=wrong-import-position
import ofi  # noqa: E402
import spin  # noqa: E402


class Configuration(NamedTuple):
    """One size of the model, and the variants that are wrong: macros, or in words."""
    name: str
    sizes: dict
    flags: tuple = ()
    variants: tuple = ()

    def macros(self):
        """For the preprocessor."""
        return [*self.flags, *(f"{name}={value}" for name, value in self.sizes.items())]


ONCE = {"RETRIES": 0}
TWO = {"MESSAGES": 2}
# One message is pending at a time; eight sequence numbers; a copy lives for four messages.
WRAP = ONCE | {"CHANNELS": 1, "MESSAGES": 7, "NUMBERS": 8, "WINDOW": 1, "LIFETIME": 4}
# A window of two numbers.
NARROW = ONCE | {"NUMBERS": 12, "WINDOW": 2, "LIFETIME": 4}
# Numbers come round while a channel rests.
RESTS = ONCE | {"MESSAGES": 5, "NUMBERS": 6, "WINDOW": 2, "LIFETIME": 1, "SLOTS": 1}
PAGES = ONCE | {"PAGES": 2, "CHANNELS": 1, "MESSAGES": 2}
CONFIGURATIONS = (
    Configuration("repetitions", TWO, variants=(
        "NO_SUPPRESSION", "ACKNOWLEDGE_FIRST", "NEW_NUMBER_FOR_RETRY", "NO_NUMBER_IN_ANSWER",
        "NO_WAIT_FOR_END", "CHAIN_GOES_ON")),
    Configuration("library looks later", TWO, ("LOOKS_LATER",)),
    Configuration("three messages", {}),
    Configuration("given up", ONCE, variants=("NO_CHANNEL_ORDER",)),
    Configuration("narrow window", NARROW, variants=("NO_WINDOW", "NO_BEHIND")),
    Configuration("numbers wrap", WRAP, variants=("NO_REFUSAL",)),
    Configuration("numbers wrap", WRAP | {"NUMBERS": 6}, variants=("numbers too few",)),
    Configuration("numbers wrap", WRAP | {"LIFETIME": 6}, variants=("copies too old",)),
    Configuration("sender dies", TWO | ONCE, ("DEATH_SENDER",), (
        "SAME_INCARNATION", "LAST_INCARNATION_ONLY", "NO_RESET_AT_DEATH")),
    Configuration("no withdrawal", ONCE, ("NO_WITHDRAW",), ("REUSES_CHANNEL",)),
    Configuration("orphans", TWO, ("NO_WITHDRAW",), ("REPEATS_ORPHANS",)),
    Configuration("channel rests", RESTS, variants=("CHANNEL_ORDER_FOR_EVER",)),
    Configuration("reader dies", TWO | ONCE, ("DEATH_READER",)),
    Configuration("plain", ONCE, ("PLAIN",), ("CHAIN_GOES_ON",)),
    Configuration("fair", {}, ("FAIR",), ("WAIT_AGAIN", "CHAIN_BY_REGISTER", "HEAD_OF_LINE")),
    Configuration("two pages", PAGES),
    Configuration("two pages, fair", PAGES, ("FAIR",)),
)


def run(configurations):
    """Tell whether all are as they should be."""
    good = True
    for one in configurations:
        # Words for a variant: the sizes are what is wrong, there is nothing right beside it.
        whole = [] if any(" " in variant for variant in one.variants) else [None]
        for variant in [*whole, *one.variants]:
            good &= spin.verdict(HERE / "ni.pml", one.name, one.macros(), variant,
                                 liveness="FAIR" in one.flags)
    return good


if __name__ == "__main__":
    sys.exit(spin.main(__doc__, "ni", run, CONFIGURATIONS, ofi.PACKAGES))
