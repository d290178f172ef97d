#!/usr/bin/env python3
# mutate_engines.py - takes out the engines' handling of faults, one by one: a test has to fail
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Take out the engines' handling of faults, one by one, and look whether a test fails.

Each record of mutations.json changes one place of one source file. The file is compiled anew into
a copy of the runtime and linked before the library of a build, and the tests named run; they pass
with nothing changed. One that passes all the same defends nothing.

"tests" is a filter of GoogleTest. A record of another program has "command" instead: words, of
which {program} is the program linked with the changed file, {module} the shared library of the
target that "module" names, linked likewise, {build} and {runtime} the folders of the build and of
its tests' sources.

--copy FROM TO adds the records of one engine to mutations.json once more, under another name: those
that a copy of engine/template starts with.

exit codes: 0 every change was noticed, 1 one was not, 2 bad usage, or a record that fits no source
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDS = Path(__file__).with_name("mutations.json")
SECONDS = 40  # a change may well make a test run for ever: that is noticed too


def fail(message, code=2):
    print(f"mutate_engines.py: error: {message}", file=sys.stderr)
    sys.exit(code)


def run(command, seconds=SECONDS):
    """Exit code and output; a code of its own when it takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=seconds, check=False)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return "no end", ""


def copy_records(engine, name):
    """The records of an engine once more, for a copy of it."""
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    if any(r["name"].startswith(f"{name}: ") for r in records):
        fail(f"there are records of {name}")
    copied = [r for r in records if r["name"].startswith(f"{engine}: ")]
    if not copied:
        fail(f"there are no records of {engine}")
    text = json.dumps(copied, ensure_ascii=False)
    for change in (str.lower, str.capitalize, str.upper):
        text = text.replace(change(engine), change(name))
    text = json.dumps(records + json.loads(text), indent=1, ensure_ascii=False)
    RECORDS.write_text(text + "\n", encoding="utf-8")


class Tests:
    def __init__(self, build, work, compilers):
        self.build, self.work = build, work
        self.cc, self.cxx = compilers

    def tests_object(self, program):
        folder = self.build / "test/runtime/CMakeFiles" / f"{program}.dir"
        objects = sorted(folder.rglob("*.o"))
        if not objects:
            fail(f"{program} has not been built in {self.build}")
        return [str(o) for o in objects]

    def tree(self, name):
        """A copy of the sources, so that relative includes find their files."""
        tree = self.work / name
        shutil.copytree(ROOT / "runtime", tree / "runtime")
        (tree / "intrinsics").mkdir()
        shutil.copytree(ROOT / "intrinsics/generated", tree / "intrinsics/generated")
        return tree

    def link(self, record, tree, target, out, *flags):
        """Links a target's own objects with the changed file and the build's libraries."""
        linked = run([self.cxx, *flags, *self.tests_object(target), str(tree / "changed.o"),
                      str(self.build / "lib/libmemlift_model.a"),
                      str(self.build / "lib/libmemlift.a"), "-lgtest_main", "-lgtest", "-lpthread",
                      "-ldl", "-o", str(out)])
        if linked[0] != 0:
            fail(f"{record['name']}: does not link:\n{linked[1]}")

    def command(self, record, tree):
        """Compiles the changed file, links the test program with it: how to run that."""
        # A header is changed in the unit that includes it.
        source = tree / "runtime" / record.get("unit", record["file"])
        program, module = tree / "test", tree / "module.so"
        compiled = run([self.cc, "-std=gnu11", "-O1", "-g", "-fPIC", "-fno-builtin", "-c",
                        str(source), "-o", str(tree / "changed.o")])
        if compiled[0] != 0:
            fail(f"{record['name']}: does not compile:\n{compiled[1]}")
        if "module" in record:
            self.link(record, tree, record["module"], module, "-shared")
            program = self.build / "test/bin" / record["program"]
        else:
            self.link(record, tree, record["program"], program)
        if "tests" in record:
            return [str(program), "--gtest_brief=1", "--gtest_filter=" + record["tests"]]
        names = {"program": program, "module": module, "build": self.build,
                 "runtime": ROOT / "test/runtime"}
        return [word.format(**names) for word in record["command"]]

    def outcome(self, record, change):
        tree = self.tree(re.sub(r"\W", "_", record["name"]) + ("" if change else "_as_it_is"))
        source = tree / "runtime" / record["file"]
        text = source.read_text(encoding="utf-8")
        count = text.count(record["old"])
        if count != 1:
            fail(f"{record['name']}: {record['file']} has its text {count} times")
        if change:
            source.write_text(text.replace(record["old"], record["new"]), encoding="utf-8")
        code, output = run(self.command(record, tree))
        shutil.rmtree(tree)
        return code, output


def misfits(records):
    """Prints the records whose text is not in its file exactly once, and returns how many."""
    bad = 0
    for record in records:
        text = (ROOT / "runtime" / record["file"]).read_text(encoding="utf-8")
        count = text.count(record["old"])
        if count != 1:
            bad += 1
            print(f"{record['name']}: {record['file']} has its text {count} times")
    print(f"{len(records) - bad} of {len(records)} changes can be made")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="FOLDER",
                        help="where the tests have been built (default: build)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="changes at a time (2)")
    parser.add_argument("--cc", default=os.environ.get("CC", "gcc-12"), help="C compiler")
    parser.add_argument("--cxx", default=os.environ.get("CXX", "g++-12"), help="C++ compiler")
    parser.add_argument("--copy", nargs=2, metavar=("FROM", "TO"),
                        help="add one engine's records once more, for a copy of it, and stop")
    parser.add_argument("--fit", action="store_true",
                        help="look whether the changes can be made, and stop")
    parser.add_argument("only", nargs="*", help="parts of the names of the changes to make")
    arguments = parser.parse_args()
    if arguments.copy:
        copy_records(*arguments.copy)
        return 0
    records = [r for r in json.loads(RECORDS.read_text(encoding="utf-8"))
               if not arguments.only or any(part in r["name"] for part in arguments.only)]
    if not records:
        fail("no such change")
    if arguments.fit:
        return 1 if misfits(records) else 0
    os.environ.setdefault("MEMLIFT_TEST_SEED", "1")
    for name in ("MEMLIFT_ENGINE", "MEMLIFT_CPU", "MEMLIFT_LIMITS"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as work:
        tests = Tests(arguments.build.resolve(), Path(work), (arguments.cc, arguments.cxx))
        with ThreadPoolExecutor(arguments.jobs) as pool:
            before = pool.map(lambda r: tests.outcome(r, False), records)
            bad = [(r["name"], o) for r, o in zip(records, before) if o[0] != 0]
            if bad:
                fail("fails with nothing changed: " + "\n".join(f"{n}\n{o[1][-2000:]}"
                                                                for n, o in bad), 1)
            after = list(pool.map(lambda r: tests.outcome(r, True), records))
    missed = 0
    for record, (code, _) in zip(records, after):
        missed += code == 0
        verdict = "NOT NOTICED" if code == 0 else "noticed"
        print(f"{verdict:12} {record['name']}: {record['file']}, "
              + (record.get("tests") or record["program"])
              + (f" ({code})" if code not in (0, 1) else ""))
    print(f"{len(records) - missed} of {len(records)} changes were noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
