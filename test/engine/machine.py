# machine.py - output of a program on a machine of QEMU, which is killed when it takes too long
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A limit in the processor's time, so that other programs beside a test do not make it fail.

A program that goes on for ever takes that time; one that waits for ever takes none, and is found by
that. So both end, however many others want the processor.
"""

import os
import subprocess
import threading

SECONDS = 240  # of the processor, all threads of QEMU together; the longest takes a quarter
ASLEEP = 60  # by the clock: one that takes less than a second of the processor in that time waits
OFTEN = 0.25  # seconds between two looks


def spent(process):
    """Seconds of the processor that a process has taken."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(run, over):
    """Kills a process that takes too long, unless it is over before."""
    looks, begun = 0, 0.0
    while not over.wait(OFTEN):
        now = spent(run.pid)
        looks += 1
        if now - begun >= 1:
            looks, begun = 0, now
        if now > SECONDS or looks * OFTEN > ASLEEP:
            run.kill()
            return


def said(command, is_verdict, errors=subprocess.DEVNULL):
    """Output of a command up to a line after which is_verdict(output) is true."""
    output, over = "", threading.Event()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=errors) as run:
        watcher = threading.Thread(target=watch, args=(run, over))
        watcher.start()
        try:
            for line in run.stdout:
                output += line.decode(errors="replace")
                if is_verdict(output):
                    break
        finally:
            over.set()
            watcher.join()
            run.kill()
    return output
