#!/usr/bin/env python3
# reading.py - measures how long memlift-report takes for large remark files, and its memory.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table: seconds (the least of --runs) and peak memory of memlift-report on remark files
that it makes: records of memlift alone, and among those of other passes.

Budget: 100,000 remarks in 2 s and 300 MB. Exit status 1 if --check is given and it is exceeded,
in seconds of CPU, as other programs may run beside it.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import remarks

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(HERE, "..", "..", "report", "bin", "memlift-report")
CASES = (("memlift's own, 3.1 KB each", 1, 0), ("one in ten of memlift", 10, 9))


def run(report, arguments):
    """Seconds, seconds of CPU, and MB of one run."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        start = time.monotonic()
        child = subprocess.Popen([sys.executable, report, *arguments], stdout=nowhere)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"reading: memlift-report {' '.join(arguments)} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", default=REPORT, help="the command that is measured")
    parser.add_argument("--count", type=int, default=100_000, help="remarks in a file")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="exit 1 beyond 2 s or 300 MB")
    parser.add_argument("command", nargs="*", default=["stats"], help="default: stats")
    args = parser.parse_args()
    worst = (0.0, 0.0)
    print("| remarks | file, MB | s | s of CPU | peak, MB |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, share, others in CASES:
            path = os.path.join(folder, f"{share}.yaml")
            remarks.write(path, args.count // share, others)
            runs = [run(args.report, [*args.command, path]) for _ in range(args.runs)]
            seconds, cpu = min(run[0] for run in runs), min(run[1] for run in runs)
            memory = max(run[2] for run in runs)
            worst = max(worst[0], cpu), max(worst[1], memory)
            print(f"| {args.count:,}: {name} | {os.path.getsize(path) / 1e6:.0f} | "
                  f"{seconds:.2f} | {cpu:.2f} | {memory:.0f} |", flush=True)
            os.remove(path)
    return int(args.check and (worst[0] > 2 or worst[1] > 300))


if __name__ == "__main__":
    sys.exit(main())
