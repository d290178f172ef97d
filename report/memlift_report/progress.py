# progress.py - one line on the terminal that says how far long work is.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import time

FIRST = 0.8  # seconds before anything is said: most runs end before
EVERY = 0.1


class Progress:
    """Writes to a terminal only; a log or a pipe gets nothing. `clear` removes the line."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.wanted = self.stream.isatty()
        self.next = time.monotonic() + FIRST
        self.shown = False

    def say(self, what, done, total, more=""):
        now = time.monotonic()
        if not self.wanted or now < self.next:
            return
        self.next = now + EVERY
        self.shown = True
        self.stream.write(f"\r\x1b[K{what} {done:,} of {total:,}{more}")
        self.stream.flush()

    def clear(self):
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False
