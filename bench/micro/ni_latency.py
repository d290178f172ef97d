#!/usr/bin/env python3
# ni_latency.py - one-way latency of transport shm beside that of UCX, in turns
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure messages of 32 bytes between two processes, by memlift-ni-ping and by ucx_perftest.

The two take turns, so that whatever else the machine does meets both. Each figure is the median of
the rounds' medians. ucx_perftest (Debian: ucx-utils) measures tag matching over shared memory,
its test tag_lat, which reports half of a round trip as memlift-ni-ping does.

Exit codes: 0 done and within the bars, 1 not, 2 bad usage, 77 fewer than two CPUs.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

PORT = 13599
SECONDS = 120


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ping", help="memlift-ni-ping")
    parser.add_argument("--rounds", type=int, default=5, help="default %(default)s")
    parser.add_argument("--count", type=int, default=200000, help="messages of a round")
    parser.add_argument("--size", type=int, default=32, help="bytes, default %(default)s")
    parser.add_argument("--bar", type=float, help="fail if the median is more nanoseconds, or more "
                        "than that of UCX")
    return parser.parse_args()


def ours(arguments, cpus):
    out = subprocess.run([arguments.ping, "--count", str(arguments.count), "--size",
                          str(arguments.size), "--cpus", f"{cpus[0]},{cpus[1]}"],
                         capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    return float(re.search(r"p50 +(\d+)", out).group(1))


def ucx(arguments, cpus):
    """Nanoseconds; the far end is a process of its own, as UCX wants it."""
    environment = dict(os.environ, UCX_TLS="posix,self", UCX_WARN_UNUSED_ENV_VARS="n")
    command = ["ucx_perftest", "-p", str(PORT)]
    far = subprocess.Popen([*command, "-c", str(cpus[1])], env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        out = subprocess.run([*command, "-c", str(cpus[0]), "127.0.0.1", "-t", "tag_lat", "-s",
                              str(arguments.size), "-n", str(arguments.count)], check=True,
                             capture_output=True, text=True, env=environment,
                             timeout=SECONDS).stdout
    finally:
        far.kill()
        far.wait()
    return float(re.search(r"Final:\s+\d+\s+([0-9.]+)", out).group(1)) * 1000


def main():
    arguments = parse()
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        print("ni_latency.py: one CPU: two ends that look without a pause wait for each other")
        return 77
    peers = {"memlift shm": ours}
    if shutil.which("ucx_perftest"):
        peers["ucx tag_lat, posix"] = ucx
    else:
        print("ni_latency.py: no ucx_perftest (Debian: ucx-utils): nothing to compare with")
    found = {name: [] for name in peers}
    for _ in range(arguments.rounds):
        for name, measure in peers.items():
            found[name].append(measure(arguments, cpus))
    print(f"one way, {arguments.size} bytes, {arguments.rounds} rounds of {arguments.count} "
          f"messages, CPUs {cpus[0]} and {cpus[1]}, nanoseconds")
    medians = {name: statistics.median(values) for name, values in found.items()}
    for name, values in found.items():
        print(f"  {name:20} median {medians[name]:6.0f}   rounds {min(values):.0f} to "
              f"{max(values):.0f}")
    if arguments.bar is None:
        return 0
    best = medians["memlift shm"]
    slower = [name for name in medians if medians[name] < best]
    if best > arguments.bar or slower:
        print(f"ni_latency.py: {best:.0f} ns: more than {arguments.bar:.0f}, or slower than: "
              f"{', '.join(slower) or 'none'}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
