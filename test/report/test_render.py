# test_render.py - what is printed: tables, proof chains, folding, counts.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import shutil
import unittest

from support import GUARDED, KEPT, LOWERED, Case


class Table(Case):
    def test_rows(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED)
        out = self.good("a.yaml")
        self.assertRegex(out, r"12:3 +clear +fill +kept +MLF2010 +how often the loop runs is not")
        self.assertRegex(out, r"40:7 +put +copy +guarded +MLF1003 +loop became a call")
        self.assertIn("(and 1 more)", " ".join(out.split()))
        self.assertIn("loop became a call of memlift_fill8", " ".join(out.split()))

    def test_order_and_files(self):
        self.write("a.yaml", GUARDED + KEPT + LOWERED)
        out = self.good("a.yaml")
        at = [out.index(word) for word in ("src/buf.c", " 4:5", "12:3", "src/net.c", "40:7")]
        self.assertEqual(at, sorted(at))

    def test_counts(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED)
        out = self.good("a.yaml")
        self.assertIn("3 loops in 2 files\n", out)
        self.assertIn("decisions: 1 kept, 1 guarded, 1 lowered\n", out)
        self.assertIn("idioms: 1 copy, 2 fill\n", out)

    @unittest.skipUnless(shutil.which("c++filt"), "c++filt is not installed")
    def test_cpp_names_are_shown_as_written(self):
        self.write("a.yaml", LOWERED)
        self.assertIn("paint(unsigned char*", self.good("a.yaml"))

    def test_long_names_are_shortened(self):
        self.write("a.yaml", KEPT.replace("clear", "c" * 90))
        self.assertIn("c" * 29 + "...", self.good("a.yaml"))
        self.assertIn("c" * 90 + ": fill kept", self.good("-v", "a.yaml"))

    def test_width_is_kept(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED)
        for line in self.good("a.yaml", COLUMNS="100").split("\n"):
            self.assertLessEqual(len(line), 100)

    def test_loop_without_a_place(self):
        self.write("a.yaml", "".join(l + "\n" for l in KEPT.split("\n")[:-1]
                                     if not l.startswith("DebugLoc")))
        self.assertIn("compile with -g", self.good("a.yaml"))

    def test_only(self):
        self.write("a.yaml", KEPT + LOWERED + GUARDED)
        out = self.good("--only", "kept,guarded", "a.yaml")
        self.assertIn("2 loops in 2 files", out)
        self.assertNotIn("MLF1001", out)


class Filters(Case):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", KEPT + LOWERED + GUARDED)

    def test_each(self):
        for options, loops in ((("--file", "net.c"), 1), (("--file", "src/*"), 3),
                               (("--file", "*/buf.?"), 2), (("--file", "buf"), 0),
                               (("--function", "clear,put"), 2), (("--function", "_Z*"), 1),
                               (("--idiom", "copy"), 1), (("--idiom", "copy,fill"), 3),
                               (("--code", "MLF2014"), 1), (("--code", "2010,Guarded"), 2),
                               (("--only", "kept"), 1),
                               (("--only", "kept", "--only", "lowered"), 2),
                               (("--only", "kept", "--idiom", "copy"), 0)):
            counts = self.fine(*options, "a.yaml").split("\n\n")[-1]
            self.assertIn(f"{loops} loop", counts, options)

    def test_unknown_code(self):
        self.assertIn("no such code: '9999'", self.refused("--code", "9999", "a.yaml"))


class Rank(Case):
    def test_hotness_times_gain(self):
        hot = "Function:        put\nHotness:         {}\n"
        gain = "  - GainCycles:      '{}'\n  - Suggestion"
        text = ""
        for number, (heat, cycles) in enumerate(((5, 10), (100, 2), (1, 20))):
            text += GUARDED.replace("Function:        put\n", hot.format(heat)).replace(
                "  - Suggestion", gain.format(cycles)).replace(
                "Line: 40", f"Line: {number + 1}").replace(":77", f":{number}")
        self.write("a.yaml", text)
        out = self.fine("a.yaml")
        at = [out.index(f"src/net.c:{line}:7") for line in (2, 1, 3)]
        self.assertEqual(at, sorted(at), out)
        self.assertIn("[hotness 100]", " ".join(out.split()))
        out = self.fine("--sort", "place", "a.yaml")
        at = [out.index(f" {line}:7 ") for line in (1, 2, 3)]
        self.assertEqual(at, sorted(at), out)
        self.assertIn("gain: 2 cycles each time, hotness 100", self.fine("-v", "a.yaml"))

    def test_hotness_counts_iterations(self):
        """1,000 iterations in 10 runs that save 50 cycles each are less than 200 in 100 runs that
        save 6."""
        text = ""
        for line, (heat, cycles, iterations) in enumerate(((1000, 50, 100), (200, 6, 2)), 1):
            text += GUARDED.replace("Function:        put\n", "Function:        put\n"
                                    f"Hotness:         {heat}\n").replace(
                "  - Suggestion", f"  - GainCycles: '{cycles}'\n  - Iterations: '{iterations}'\n"
                "  - Suggestion").replace("Line: 40", f"Line: {line}").replace(":77", f":{line}")
        self.write("a.yaml", text)
        out = self.fine("a.yaml")
        self.assertLess(out.index("src/net.c:2:7"), out.index("src/net.c:1:7"))
        self.assertIn("[gain 50]", " ".join(out.split()))

    def test_gain_alone_does_not_change_the_order(self):
        gain = "  - GainCycles:      '{}'\n  - Suggestion"
        self.write("a.yaml", "".join(
            GUARDED.replace("  - Suggestion", gain.format(cycles)).replace(
                "Line: 40", f"Line: {cycles}").replace(":77", f":{cycles}") for cycles in (3, 9)))
        out = self.fine("a.yaml")
        self.assertLess(out.index(" 3:7 "), out.index(" 9:7 "))
        out = self.fine("--sort", "rank", "a.yaml")
        self.assertLess(out.index("src/net.c:9:7"), out.index("src/net.c:3:7"))

    def test_unknown_gain_has_its_reason(self):
        for cycles, model, words in (
                ("", "unknown: no count", "gain: unknown: no count"),
                ("1234", "9 iterations", "gain: 1,234 cycles each time (9 iterations)"),
                ("many", "9 iterations", "gain: 9 iterations"), ("nan", "x", "gain: x"),
                ("-5", "x", "gain: x"), ("inf", "x", "gain: x")):
            keys = (f"  - GainCycles:  '{cycles}'\n" if cycles else "") + \
                f"  - GainModel:   '{model}'\n"
            self.write("a.yaml", GUARDED.replace("  - Suggestion", keys + "  - Suggestion"))
            self.assertIn(words + "\n", self.fine("-v", "a.yaml"))


class Folding(Case):
    def test_same_loop_and_code_is_one(self):
        self.write("a.yaml", KEPT + KEPT)
        self.write("b.yaml", KEPT)
        out = self.good("a.yaml", "b.yaml")
        self.assertIn("1 loop in 1 file", out)
        self.assertIn("[x3]", out)
        self.assertIn("2 repeated remarks folded", out)

    def test_another_verdict_on_the_same_loop_is_not_folded(self):
        changed = KEPT.replace("MLF2010", "MLF2014")
        self.write("a.yaml", KEPT + changed)
        self.assertIn("2 loops in 1 file", self.good("a.yaml"))

    def test_line_and_column_do_not_make_another_loop(self):
        self.write("a.yaml", KEPT + KEPT.replace("Column: 3", "Column: 15"))
        self.assertIn("1 loop in 1 file", self.good("a.yaml"))

    def test_without_an_id_the_place_counts(self):
        bare = "".join(l + "\n" for l in KEPT.split("\n")[:-1] if "LoopId" not in l)
        self.write("a.yaml", bare + bare + bare.replace("Line: 12", "Line: 13"))
        self.assertIn("2 loops in 1 file", self.good("a.yaml"))


    def test_inlined_copies_are_one_row(self):
        other = GUARDED.replace("Function:        put", "Function:        send").replace(
            "put:0:77", "send:0:77")
        third = other.replace("MLF1003", "MLF1001")
        again = GUARDED.replace("put:0:77", "put:1:77")
        self.write("a.yaml", GUARDED + other + third + again)
        out = self.fine("a.yaml")
        self.assertIn("2 loops in 1 file", out)
        self.assertIn("2 inlined copies folded", out)
        self.assertIn("also inlined into: send\n", self.fine("-v", "a.yaml"))
        self.assertIn("[x2]", self.fine("-v", "a.yaml"))
        self.assertIn("4 loops in 1 file", self.fine("--each-copy", "a.yaml"))


class Proof(Case):
    def test_whole_chain_in_order(self):
        self.write("a.yaml", KEPT)
        out = self.good("-vv", "a.yaml")
        self.assertIn("src/buf.c:12:3: clear: fill kept [MLF2010 TripCountUnknown]", out)
        expected = ("1. proved    destination contiguous", "need:     step 4",
                    "2. failed    trip count [MLF2010]", "need:     a count that is fixed",
                    "have:     no", "evidence: b->n is read in line 12",
                    "evidence: b->p[i] may be b->n", "3. failed    index [MLF2014]")
        at = [out.index(word) for word in expected]
        self.assertEqual(at, sorted(at))

    def test_what_holds_is_one_line_and_the_rest_in_full(self):
        more = KEPT.replace("  - Fact:            trip", "  - Fact:            form\n"
                            "  - Verdict:         proved\n  - Need:            straight\n"
                            "  - Have:            straight\n  - Fact:            trip")
        self.write("a.yaml", more + GUARDED)
        out = self.fine("-v", "a.yaml")
        self.assertIn("  holds:    2 facts: destination contiguous, form\n", out)
        self.assertNotIn("need:     step 4", out)
        for text in ("3. failed    trip count [MLF2010]", "need:     a count that is fixed",
                     "evidence: b->n is read in line 12", "1. guarded   regions apart"):
            self.assertIn(text, out)

    def test_source_stands_beside_the_loop(self):
        self.write("src/buf.c", "\n" * 11 + "  for (;;)\n    b->p[i] = 0;\n")
        self.write("a.yaml", KEPT)
        self.assertIn("     12 |   for (;;)\n     13 |     b->p[i] = 0;\n",
                      self.fine("-v", "a.yaml"))
        self.assertNotIn("for (;;)", self.fine("-v", "--no-source", "a.yaml"))

    def test_source_elsewhere(self):
        self.write("here/buf.c", "\n" * 11 + "  for (;;)\n")
        self.write("a.yaml", KEPT)
        for options in (("--source-map", "src=here"), ("--source-map", "src/=here/")):
            self.assertIn("12 |   for (;;)", self.fine("-v", *options, "a.yaml"))
        self.write("tree/src/buf.c", "\n" * 11 + "  for (;;)\n")
        self.assertIn("12 |   for (;;)", self.fine("-v", "--source", "tree", "a.yaml"))
        error = self.refused("-v", "--source-map", "src=nowhere", "a.yaml")
        self.assertIn("the source 'src/buf.c' cannot be read", error)
        self.assertIn("--source-map src=DIR", error)
        self.assertIn("expected OLD=NEW", self.refused("--source-map", "src", "a.yaml"))

    def test_advice_for_every_failed_fact_but_suggestions_come_first(self):
        self.write("a.yaml", KEPT + GUARDED)
        out = self.good("-v", "a.yaml")
        self.assertIn("advice (MLF2010): count up to a bound", out)
        self.assertIn("advice (MLF2014): make the counter", out)
        self.assertIn("suggestion: declare d restrict", out)
        self.assertNotIn("advice (MLF1003)", out)

    def test_unknown_keys_are_shown(self):
        self.write("a.yaml", GUARDED.replace("  - Suggestion", "  - GainCycles:      '120'\n"
                                             "  - Suggestion"))
        out = self.good("-vv", "a.yaml")
        self.assertIn("GainCycles: 120", out)
        self.assertIn("gain: 120 cycles each time", out)


class Colour(Case):
    def test_none_when_not_a_terminal(self):
        self.write("a.yaml", KEPT)
        self.assertNotIn("\x1b", self.good("a.yaml"))

    def test_always_has_the_same_words(self):
        self.write("a.yaml", KEPT)
        for options in ((), ("-v",)):
            out = self.good(*options, "--color", "always", "a.yaml", COLUMNS="200")
            for word in ("src/buf.c", "12:3", "clear", "MLF2010", "1 loop in 1 file"):
                self.assertIn(word, out)


if __name__ == "__main__":
    unittest.main()
