# test_diff.py - what changed between two builds, and the gate that keeps loops from being lost.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import random
import unittest

import jsonschema

from support import Case, package

SCHEMAS = os.path.join(os.path.dirname(package().__file__), "schema")
SEED = int(os.environ.get("MEMLIFT_TEST_SEED", "1"))


def loop(function="f", number=0, decision="lowered", code="MLF1001", line=10, idiom="copy",
         file="src/a.c", failed=(), series=""):
    kind = "Missed" if decision == "kept" else "Passed"
    facts = "".join(f"  - Fact:            'fact of {code}'\n  - Verdict:         'failed'\n"
                    f"  - Code:            '{code}'\n  - Need:            'this'\n"
                    "  - Have:            'that'\n" for code in failed)
    return f"""\
--- !{kind}
Pass:            memlift
Name:            N
DebugLoc:        {{ File: '{file}', Line: {line}, Column: 3 }}
Function:        '{function}'
Args:
  - String:          'loop'
  - Idiom:           '{idiom}'
  - Decision:        '{decision}'
  - Code:            '{code}'
  - LoopId:          '{file}:{function}#{series}{number}'
{facts}...
"""


def kept(code="MLF2010", **other):
    return loop(decision="kept", code=code, failed=(code,), **other)


class Diff(Case):
    def diff(self, before, after, *options, code=0):
        self.write("before.yaml", before)
        self.write("after.yaml", after)
        data = json.loads(self.fine("diff", "--format", "json", *options, "before.yaml",
                                    "after.yaml", code=code))
        with open(os.path.join(SCHEMAS, "diff.schema.json"), encoding="utf-8") as stream:
            jsonschema.validate(data, json.load(stream))
        return data

    def kinds(self, before, after, code=0):
        return [(c["kind"], (c["new"] or c["old"])["id"]) for c in
                self.diff(before, after, code=code)["changes"]]

    def test_lines_do_not_count(self):
        before = loop() + kept(number=1, line=20)
        after = loop(line=11) + kept(number=1, line=99)
        self.assertEqual(self.kinds(before, after), [])
        self.assertEqual(self.fine("diff", "before.yaml", "after.yaml"),
                         "no change in 2 loops\n")

    def test_each_kind(self):
        name = "src/a.c:f#0"
        other = loop("other")
        for before, after, kind, code in (
                (loop(), kept(), "lost", 1), (kept(), loop(), "gained", 0),
                (kept(), kept("MLF2014"), "changed", 0),
                (loop(decision="guarded", code="MLF1003"), loop(), "changed", 0),
                (loop(), kept("MLF2014"), "lost", 1)):
            self.assertEqual(self.kinds(before + other, after + other, code), [(kind, name)])
        self.assertEqual(self.kinds(other, other + loop()), [("new", name)])
        self.assertEqual(self.kinds(loop() + other, other), [("gone", name)])

    def test_whoever_got_there_first(self):
        for decision, code in (("already", "MLF1004"), ("inlined", "MLF1002")):
            self.assertEqual(self.kinds(loop(), loop(decision=decision, code=code)), [])

    def test_fail_on(self):
        self.diff(loop(), kept(), "--fail-on", "none")
        self.diff(kept(), loop(), "--fail-on", "gained,new", code=1)
        self.diff(loop(), loop(), "--fail-on", "gained,new")
        self.assertIn("expected lost", self.refused("diff", "--fail-on", "x", "a", "b"))

    def test_added_loop_shifts_numbers(self):
        """Those behind it are the same loops, though their names changed."""
        before = loop(number=0, idiom="copy") + kept(number=1, idiom="fill")
        after = (loop(number=0, idiom="sum") + loop(number=1, idiom="copy") +
                 kept(number=2, idiom="fill"))
        self.assertEqual(self.kinds(before, after), [("new", "src/a.c:f#0")])

    def test_source_tells_alike_loops_apart(self):
        text = "for (i = 0; i < n; i++)\n  {}[i] = 0;\n"
        self.write("old/src/a.c", text.format("a") + text.format("b"))
        self.write("new/src/a.c", text.format("x") + "/* why */ " + text.format("a") +
                   text.format("b"))
        before = loop(number=0, line=1) + kept(number=1, line=3)
        after = loop(number=0, line=1) + loop(number=1, line=3) + kept(number=2, line=5)
        changes = self.diff(before, after, "--source-before", "old", "--source", "new")
        self.assertEqual([(c["kind"], c["new"]["id"]) for c in changes["changes"]],
                         [("new", "src/a.c:f#0")])

    def test_moved(self):
        self.assertEqual(self.kinds(loop() + loop("g"), loop(file="src/b.c") + loop("g")),
                         [("moved", "src/b.c:f#0")])
        self.write("src/a.c", "for (i = 0; i < n; i++)\n  to[i] = from[i];\n")
        self.assertEqual(self.kinds(loop("old", line=1) + loop("g"),
                                    loop("helper", line=1) + loop("g")),
                         [("moved", "src/a.c:helper#0")])

    def test_lost_while_moving(self):
        self.assertEqual(self.kinds(loop() + loop("g"), kept(file="src/b.c") + loop("g"), 1),
                         [("lost", "src/b.c:f#0")])

    def test_builds_in_different_folders(self):
        before = loop(file="/home/a/src/x.c") + loop(file="/home/a/src/d/y.c")
        after = loop(file="/ci/9/src/x.c") + loop(file="/ci/9/src/d/y.c")
        self.assertEqual(self.kinds(before, after), [])

    def test_copies_of_a_function(self):
        """GCC's clones and LLVM's names of one function are one."""
        self.assertEqual(self.kinds(loop("f"), loop("f.constprop.0.isra.0")), [])
        self.assertEqual(self.kinds(loop("f"), loop("f.llvm.1234")), [])

    def test_unrolled_by_one_compiler(self):
        self.assertEqual(self.kinds(kept(), kept(series="unrolled")), [])

    def test_worst_of_several_verdicts(self):
        """A header's loop is kept in one of its users."""
        self.assertEqual(self.kinds(loop(), loop() + kept(), 1), [("lost", "src/a.c:f#0")])

    def test_a_comment_anywhere_is_nothing(self):
        """Random programs: lines move, the diff stays empty; a loop that goes is named alone."""
        rand = random.Random(SEED)
        for _ in range(60):
            loops = [{"function": f"f{rand.randrange(4)}", "number": n,
                      "idiom": rand.choice(("copy", "fill", "sum")), "line": n * 3 + 1}
                     for n in range(rand.randrange(1, 12))]
            names = set()
            loops = [l for l in loops if (l["function"], l["number"]) not in names
                     and not names.add((l["function"], l["number"]))]
            at = rand.randrange(40)
            before = "".join(loop(**l) for l in loops)
            after = "".join(loop(**{**l, "line": l["line"] + 2 * (l["line"] > at)})
                            for l in loops)
            self.assertEqual(self.kinds(before, after), [], f"seed {SEED}")
            gone = rand.randrange(len(loops))
            if len(loops) > 1:
                rest = "".join(loop(**l) for n, l in enumerate(loops) if n != gone)
                self.assertEqual([kind for kind, _ in self.kinds(before, rest)], ["gone"])

    def test_text_and_markdown(self):
        self.write("before.yaml", loop() + loop("g"))
        self.write("after.yaml", kept() + loop("h"))
        out = self.fine("diff", "before.yaml", "after.yaml", code=1)
        for part in ("lost: 1 loop (was done, now stays as written)\n  src/a.c:10:3: f #0\n",
                     "was: copy lowered [MLF1001]", "now: copy kept [MLF2010]",
                     "MLF2010: fact of MLF2010: need this, have that",
                     "1 lost, 1 new, 1 gone; 0 loops without a change"):
            self.assertIn(part, out)
        out = self.fine("diff", "--format", "md", "before.yaml", "after.yaml", code=1)
        self.assertIn("| lost | src/a.c:10 | `f` | copy lowered MLF1001 | copy kept MLF2010 |",
                      out)


class Lock(Case):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", loop() + kept(function="g") + loop("h", decision="guarded",
                                                                code="MLF1003"))
        self.fine("update-baseline", "a.yaml")

    def test_lines(self):
        lines = self.read("memlift.lock").split("\n")
        self.assertTrue(lines[0].startswith("# memlift.lock 1"))
        self.assertEqual(lines[1:], ["default src/a.c:f#0 done copy - -",
                                     "default src/a.c:g#0 kept copy MLF2010 -",
                                     "default src/a.c:h#0 guarded copy - -", ""])

    def test_same_build_passes(self):
        self.assertEqual(self.fine("check", "a.yaml"), "no change in 3 loops\n")

    def test_lost(self):
        self.write("b.yaml", kept() + kept(function="g") + kept(function="h"))
        out = self.fine("check", "b.yaml", code=1)
        self.assertIn("lost: 2 loops", out)
        self.fine("check", "--allow", "MLF2010", "b.yaml")
        self.fine("check", "--allow", "MLF2014", "b.yaml", code=1)
        self.fine("check", "--fail-on", "none", "b.yaml")

    def test_gained_is_no_failure_unless_asked(self):
        self.write("b.yaml", self.read("a.yaml").replace(kept(function="g"), loop("g")))
        self.assertIn("gained: 1 loop", self.fine("check", "b.yaml"))
        self.fine("check", "--fail-on", "gained", "b.yaml", code=1)

    def test_configurations_stand_beside_each_other(self):
        before = self.read("memlift.lock").split("\n")
        self.write("b.yaml", kept())
        out = self.fine("update-baseline", "--config", "gcc-12 x86", "b.yaml")
        self.assertIn("1 loop of gcc-12 x86: 1 line new, 0 removed", out)
        lines = self.read("memlift.lock").split("\n")
        self.assertEqual(lines[1:4], before[1:4])
        self.assertEqual(lines[4], "gcc-12%20x86 src/a.c:f#0 kept copy MLF2010 -")
        self.fine("check", "--config", "gcc-12 x86", "b.yaml")
        error = self.refused("check", "--config", "clang", "b.yaml")
        self.assertIn("it has: default, gcc-12 x86", error)

    def test_update_is_small_and_repeatable(self):
        before = self.read("memlift.lock")
        self.fine("update-baseline", "a.yaml")
        self.assertEqual(self.read("memlift.lock"), before)

    def test_names_with_blanks(self):
        self.write("b.yaml", loop(file="my src/ü.c"))
        self.fine("update-baseline", "--baseline", "b.lock", "b.yaml")
        self.assertIn("default my%20src/%C3%BC.c:f#0 done", self.read("b.lock"))
        self.fine("check", "--baseline", "b.lock", "b.yaml")

    def test_no_baseline_or_no_lock(self):
        self.assertIn("update-baseline", self.refused("check", "--baseline", "none", "a.yaml"))
        for text in ("hello\n", "default a.c:f done copy - -\n"):
            self.write("memlift.lock", text)
            self.assertIn("memlift.lock:1: not a line", self.refused("check", "a.yaml"))
            self.assertIn("memlift.lock:1: ", self.refused("update-baseline", "a.yaml"))
            self.assertEqual(self.read("memlift.lock"), text)


class Watch(Case):
    def test_tells_what_a_compilation_changed(self):
        watch = package("watch")
        source = package("source")
        path = os.path.join(self.folder, "build")
        self.write("build/a.yaml", loop() + loop("g"))
        state = watch.Watch([path])
        self.assertEqual(len(state.update()), 1)
        self.assertEqual(state.update(), [])
        before = state.items(source.nothing())
        self.write("build/b.yaml", loop("h"))
        self.write("build/a.yaml", loop() + kept(function="g"))
        self.assertEqual(len(state.update()), 2)
        changes = package("diff").changes_of(package("pair").pair(
            before, state.items(source.nothing())))
        self.assertEqual([c.kind for c in changes], ["lost", "new"])

    def test_half_written_file_waits(self):
        watch = package("watch")
        self.write("build/a.yaml", loop() + loop("g")[:-20])
        state = watch.Watch([os.path.join(self.folder, "build")])
        self.assertEqual(state.update(), [])
        self.write("build/a.yaml", loop() + loop("g"))
        self.assertEqual(len(state.update()), 1)
        os.remove(os.path.join(self.folder, "build", "a.yaml"))
        self.assertEqual(len(state.update()), 1)
        self.assertEqual(state.loops, {})

    def test_command(self):
        self.write("a.yaml", loop())
        out = self.fine("watch", "--every", "0.01", "--rounds", "2", ".")
        self.assertEqual(out, "watching 1 remark file with 1 loop; Ctrl-C stops\n")
        for value in ("-1", "soon", "nan"):
            self.assertIn("expected seconds", self.refused("watch", "--every", value, "."))


if __name__ == "__main__":
    unittest.main()
