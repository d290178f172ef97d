#!/usr/bin/env python3
# trace.py - the file of MEMLIFT_TRACE is what viewers of traces read, and tells the truth
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a program with MEMLIFT_TRACE and check what it writes: usage: trace.py PROGRAM"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FIELDS = {"M": {"ph", "pid", "tid", "name", "args"},
          "X": {"ph", "pid", "tid", "cat", "name", "ts", "dur"},
          "b": {"ph", "pid", "tid", "cat", "name", "ts", "id"},
          "e": {"ph", "pid", "tid", "cat", "name", "ts", "id"}}
NUMBERS = {"pid", "tid", "ts", "dur", "id"}


class Trace:
    """What one run has written, checked by the rules of the Trace Event Format."""

    def __init__(self, program, what, folder):
        self.file = Path(folder) / "trace.json"
        self.file.unlink(missing_ok=True)
        subprocess.run([program, what], check=True, timeout=120,
                       env=os.environ | {"MEMLIFT_TRACE": str(self.file)})
        self.text = self.file.read_text(encoding="ascii")
        self.all = json.loads(self.text)
        self.events = self.all["traceEvents"]
        self.check_fields()
        self.check_rows()
        self.check_pairs()

    def check_fields(self):
        """Each event has the fields of its phase, of the right kind."""
        for event in self.events:
            assert FIELDS[event["ph"]] <= event.keys() <= FIELDS[event["ph"]] | {"args"}, event
            for name in NUMBERS & event.keys():
                assert isinstance(event[name], (int, float)) and event[name] >= 0, event
            assert isinstance(event["name"], str) and event["name"], event

    def check_rows(self):
        """Spans of one row follow each other, or lie within each other; each row has a name."""
        rows = {event["tid"] for event in self.of("M")}
        assert rows >= {event["tid"] for event in self.events}
        for row in rows:
            spans = [e for e in self.of("X") if e["tid"] == row]
            spans.sort(key=lambda e: (e["ts"], -e["dur"]))
            open_ends = []
            for span in spans:
                end = span["ts"] + span["dur"]
                while open_ends and open_ends[-1] <= span["ts"] + 1e-6:
                    open_ends.pop()
                assert not open_ends or end <= open_ends[-1] + 1e-6, span
                open_ends.append(end)

    def check_pairs(self):
        """Each transfer begins and ends once."""
        begins = {e["id"]: e for e in self.of("b")}
        ends = {e["id"]: e for e in self.of("e")}
        assert begins.keys() == ends.keys() and len(begins) == len(self.of("b"))
        for number, begin in begins.items():
            assert begin["ts"] <= ends[number]["ts"] and begin["name"] == ends[number]["name"]

    def of(self, phase, category=None):
        """The events of a phase, and of a category."""
        return [e for e in self.events
                if e["ph"] == phase and category in (None, e.get("cat"))]

    def time(self, category):
        """Nanoseconds of all spans of a category."""
        return round(1000 * sum(e["dur"] for e in self.of("X", category)))


def check_model(program, folder):
    """On the virtual clock all is exact, and the same each time."""
    blocks = Trace(program, "model", folder)
    assert blocks.text == Trace(program, "model", folder).text, "two runs differ"
    count = len(blocks.of("X", "compute"))
    assert count > 3 and blocks.time("compute") == 2 * 4096, blocks.text
    transfers = blocks.of("b", "transfer")
    assert [sum(e["name"] == way for e in transfers) for way in ("get", "put")] == [count] * 2
    assert sum(e["args"]["bytes"] for e in transfers) == 2 * 4 * 4096
    assert len(blocks.of("X", "setup")) == 2 * count
    # Single buffering waits for each transfer, 100 ns and 500 for each KiB.
    single = Trace(program, "single", folder)
    assert single.time("wait") == 8 * (100 + 4 * 500), single.text
    assert not single.of("X", "compute"), "no loop by blocks"
    moves = 2 * count * 100 + 500 * 32
    assert 0 < blocks.time("wait") < moves, "nothing was hidden"


def check_tasks(program, folder):
    """Tasks have their names, and one span for each time that they had the unit."""
    trace = Trace(program, "tasks", folder)
    names = [e["name"] for e in trace.of("X", "task")]
    assert sorted(set(names)) == ["plain", 'say "\\\x01\xe9"', "task", "yields"], names
    assert names.count("plain") == names.count("task") == 1
    assert 1 <= names.count("yields") <= 4
    assert "unit 0" in [e["args"]["name"] for e in trace.of("M")]
    assert trace.of("X", "sleep") and trace.all["otherData"]["dropped"] == 0


def check_processes(program, folder):
    """A unit that is a process has a row; that stays, and goes on, when the process is killed."""
    trace = Trace(program, "processes", folder)
    rows = {e["args"]["name"]: e["tid"] for e in trace.of("M")}
    tasks = [e for e in trace.of("X", "task") if e["tid"] == rows["unit 0"]]
    names = [e["name"] for e in tasks]
    assert names.count("plain") == 2 and 1 <= names.count("yields") <= 4, names
    assert len(names) == len(trace.of("X", "task")), "the host has run some"
    tasks.sort(key=lambda e: e["ts"])
    assert names[-1] == "plain", names


def main():
    """Run all."""
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        check_model(program, folder)
        check_tasks(program, folder)
        check_processes(program, folder)
        many = Trace(program, "many", folder)
        rows = [e["tid"] for e in many.of("X")]
        assert many.all["otherData"]["dropped"] > 0
        assert max(rows.count(row) for row in set(rows)) == 16384, "a track is not full"
        many.file.unlink()
        subprocess.run([program, "fork"], check=True, timeout=120,
                       env=os.environ | {"MEMLIFT_TRACE": str(many.file)})
        assert not many.file.exists(), "the child wrote the file of its parent"
        for path in (folder, f"{folder}/none/trace", "/dev/full"): # cannot be written
            subprocess.run([program, "model"], check=True, timeout=120,
                           env=os.environ | {"MEMLIFT_TRACE": path})
        subprocess.run([program, "model"], check=True, timeout=120, cwd=folder,
                       env={n: v for n, v in os.environ.items() if n != "MEMLIFT_TRACE"})
        assert not list(Path(folder).iterdir()), "a trace that nobody asked for"


if __name__ == "__main__":
    main()
