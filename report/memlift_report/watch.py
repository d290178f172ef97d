# watch.py - a build directory, live: what the last compilation changed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A build directory, live.

Files are looked at by size and time, so a round over thousands of them costs milliseconds; only
those that changed are read again. A file that a compiler is writing is broken for a moment: it is
read in the next round.
"""
from __future__ import annotations

import os
import time
from typing import TextIO

from . import ReportError, diff, pair, read, remarkyaml
from .commands import check_codes
from .model import Loop, fold
from .render.changes import render_text
from .source import Sources
from .words import plural

Stamp = tuple[int, int]


class Watch:
    def __init__(self, paths: list[str]):
        self.paths = paths
        self.stamps: dict[str, Stamp] = {}
        self.loops: dict[str, list[Loop]] = {}

    def files(self) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for path in self.paths:
            try:
                names = read.find_files(path)
            except ReportError:
                continue  # a folder that comes or goes while it is searched
            for name in names:
                try:
                    state = os.stat(name)
                except OSError:
                    continue
                found[name] = (state.st_size, state.st_mtime_ns)
        return found

    def update(self) -> list[str]:
        """Reads what changed; names of files that were read or went away."""
        now = self.files()
        changed = [name for name in self.stamps if name not in now]
        for name in changed:
            self.loops.pop(name, None)
            del self.stamps[name]
        for name, stamp in now.items():
            if self.stamps.get(name) != stamp:
                result = read.Input()
                try:
                    read.read_file(name, result, remarkyaml.Parser())
                    check_codes(result.loops)
                except ReportError:
                    continue
                self.stamps[name] = stamp
                self.loops[name] = result.loops
                changed.append(name)
        return changed

    def items(self, sources: Sources) -> list[pair.Item]:
        loops, _ = fold(loop for found in self.loops.values() for loop in found)
        return pair.items_of(loops, sources)


def watch(paths: list[str], every: float, rounds: int, colour: str, out: TextIO,
          sources: Sources) -> None:
    """Writes the changes after each compilation; `rounds` looks, 0 for ever."""
    state = Watch(paths)
    state.update()
    last = state.items(sources)
    out.write(f"watching {plural(len(state.stamps), 'remark file')} with "
              f"{plural(len(last), 'loop')}; Ctrl-C stops\n")
    out.flush()
    look = 0
    while not rounds or look < rounds:
        look += 1
        time.sleep(every)
        changed = state.update()
        if not changed:
            continue
        new = state.items(sources)
        pairs = pair.pair(last, new)
        changes = diff.changes_of(pairs)
        out.write(f"\n{time.strftime('%H:%M:%S')} {', '.join(changed[:3])}"
                  f"{' and more' if len(changed) > 3 else ''}\n")
        render_text(changes, len(pairs) - len(changes), out, colour)
        out.flush()
        last = new
