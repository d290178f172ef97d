# parts.py - parts of a suite, of which the first one is the build
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the suites of this folder say of their parts."""

import time


def run_all(names, run):
    """Runs the parts, none after a first one that failed; the exit status."""
    results = []
    for name in names:
        results.append(run(name))
        if not results[0]:
            break
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


def tell(name, passed, start, log, of_passed=0):
    """One line for a part, and the last lines of its output: 25 of one that failed."""
    print(f"{name}: {'passed' if passed else 'FAILED'}, {time.monotonic() - start:.0f} s",
          flush=True)
    with open(log, encoding="utf-8", errors="replace") as stream:
        said = stream.readlines()
    shown = said[-25:] if not passed else said[-of_passed:] if of_passed else []
    print("".join(f"  {line}" for line in shown), end="", flush=True)
    if not passed:
        print(f"  whole output: {log}", flush=True)
