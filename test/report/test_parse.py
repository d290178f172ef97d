# test_parse.py - the fast reader says what PyYAML and LLVM's own library say of the same bytes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import random
import unittest

from support import HERE, KEPT, LOWERED, OTHER, Case, package

bitstream, model, read, remarkyaml = (package("bitstream"), package("model"), package("read"),
                                      package("remarkyaml"))
SEED = int(os.environ.get("MEMLIFT_TEST_SEED", "1"))
# Each of them as a scalar is another case of YAML.
WORDS = ("n", "n bytes", "no", "~", "0x10", "12", "it's", "a: b", "a:b", "a #b", "a#b", "- a", "-a",
         "? x", "[x]", "{x}", "&x", "*x", "!x", "|", ">", "%x", "@x", "`x`", '"x"', "'x'", "x'y",
         "", " x", "x ", "a,b", "ünï", "back\\slash", "s[...]", "a\tb", "p->n + 1", "::f", "x:",
         "a  b", "trip count [MLF2010]", ".", "...", "---", "=", "<<", "\u00a0x", "a\u2028b")


def quoted(word):
    return "'" + word.replace("'", "''") + "'"


def scalar(rand):
    """A scalar in one of the forms that a writer may choose, valid or not."""
    word = rand.choice(WORDS)
    form = rand.randrange(6) if rand.random() < 0.1 else 5
    if form == 0:
        return word
    if form == 1:
        return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if form == 2:
        return quoted(word) + "  "
    if form == 3 and rand.random() < 0.2:
        return "|\n      line\n      " + (word or "x")
    return quoted(word)


def record(rand):
    lines = [rand.choice(("Missed", "Passed", "Analysis")), "Pass:            memlift",
             f"Name:            {rand.choice(('Lowered', quoted('Kept')))}"]
    if rand.random() < 0.8:
        lines.append(f"DebugLoc:        {{ File: {rand.choice(('a.c', quoted('d/b c.c')))}, "
                     f"{rand.choice(('', chr(10) + ' ' * 19))}Line: {rand.randrange(99)}, "
                     "Column: 3 }")
    lines.append(f"Function:        {rand.choice(('f', quoted('_Z1fv'), 'a.b', scalar(rand)))}")
    if rand.random() < 0.3:
        lines.append(f"Hotness:         {rand.randrange(1000)}")
    lines.append("Args:")
    keys = ["String", "Idiom", "Decision", "Code", "LoopId"]
    for _ in range(rand.randrange(4)):
        keys += ["Fact", "Verdict", *rand.choice(((), ("Code",))), "Need", "Have",
                 *["Evidence"] * rand.randrange(3)]
    keys += rand.choice(((), ("Suggestion",), ("GainCycles", "Suggestion"), ("GainModel",),
                         ("Suggestion", "GainCycles", "Iterations", "GainModel"),
                         ("GainCycles", "Iterations", "Other", "GainModel")))
    fixed = {"Code": "MLF2010", "Decision": "'kept'", "Verdict": "'failed'"}
    for key in keys:
        plain = key in fixed and rand.random() < 0.98
        lines.append(f"  - {key + ':':16} {fixed[key] if plain else scalar(rand)}")
    # Steps that many records share but for what was found, and where.
    for name in ("length", "overlap")[:rand.randrange(3)]:
        lines += [f"  - Fact:            '{name}'", "  - Verdict:         'proved'",
                  "  - Need:            'known'", f"  - Have:            {scalar(rand)}",
                  f"  - Evidence:        {scalar(rand)}"]
    return "\n".join(lines)


def outcome(parse, text):
    try:
        return parse(text)
    except remarkyaml.Broken:
        return "broken"


class Agreement(unittest.TestCase):
    def test_random_records(self):
        """PyYAML alone gives the same loop, or finds the same record broken."""
        rand = random.Random(SEED)
        parser = remarkyaml.Parser()
        fast = broken = left = 0
        for number in range(1200):
            text = record(rand)
            try:
                got = parser.usual(text)
                fast += 1
            except remarkyaml.Unusual:
                continue
            want = outcome(remarkyaml.by_yaml, text)
            broken += want == "broken"
            left += sum(isinstance(step, str) for step in got.steps)
            self.assertEqual(len(got.facts), len(got.steps))  # steps left as text are none now
            self.assertEqual(got, want, f"seed {SEED}, record {number}:\n{text}")
        self.assertGreater(fast, 200, "most records took the slow way")
        self.assertGreater(left, 100, "no step was left as text")
        self.assertEqual(broken, 0)

    def test_many_at_once(self):
        """Records that follow one another give the same loops as one by one."""
        rand = random.Random(SEED)
        parser = remarkyaml.Parser()
        other = OTHER.removeprefix("--- !").removesuffix("\n...\n")
        fast = 0
        for _ in range(400):
            texts = [other if rand.random() < 0.3 else record(rand)
                     for _ in range(rand.randrange(1, 5))]
            try:
                loops, others = parser.many(remarkyaml.BETWEEN.join(texts))
            except remarkyaml.Unusual:
                continue
            fast += len(loops) > 1
            self.assertEqual(others, texts.count(other))
            want = [remarkyaml.by_yaml(text) for text in texts if text != other]
            self.assertTrue(all(loop.facts is not None for loop in loops))
            self.assertEqual(loops, want, f"seed {SEED}")
        self.assertGreater(fast, 10, "all took the slow way")

    def test_what_plugins_write_takes_the_fast_way(self):
        parser = remarkyaml.Parser()
        text = (KEPT + OTHER + LOWERED + KEPT).removeprefix("--- !").removesuffix("\n...\n")
        self.assertEqual(len(parser.many(text)[0]), 3)
        for text in (KEPT, LOWERED):
            parser.usual(text.removeprefix("--- !").removesuffix("\n...\n"))

    @unittest.skipUnless(bitstream.libraries(), "no libRemarks is installed")
    def test_llvm_reads_the_same(self):
        """LLVM's reader keeps '' of a quoted scalar, a fault of its own: none is in these."""
        data = (KEPT + OTHER + LOWERED).encode()
        loops, others = bitstream.Library(bitstream.libraries()[-1]).read(data, "ParserCreateYAML")
        parser = remarkyaml.Parser()
        self.assertEqual(loops, [parser.parse(text.removeprefix("--- !").removesuffix("\n...\n"))
                                 for text in (KEPT, LOWERED)])
        self.assertEqual(others, 1)


class Pieces(Case):
    def test_any_size_of_the_pieces(self):
        """Records that a piece's end cuts are read as if it were elsewhere."""
        data = OTHER + KEPT + LOWERED + OTHER
        path = os.path.join(self.folder, self.write("a.yaml", data))
        whole = read.read_paths([path])
        before = read.PIECE
        self.addCleanup(setattr, read, "PIECE", before)
        for read.PIECE in (1, 7, 100, len(KEPT), len(data)):
            pieces = read.read_paths([path])
            for loop in whole.loops + pieces.loops:
                self.assertTrue(loop.facts)
            self.assertEqual((pieces.loops, pieces.other_remarks), (whole.loops, 2), read.PIECE)

    def test_line_of_an_error_behind_many_pieces(self):
        path = os.path.join(self.folder, self.write("a.yaml", KEPT * 50 + LOWERED[:-40] + "\n"))
        self.addCleanup(setattr, read, "PIECE", read.PIECE)
        read.PIECE = 512
        with self.assertRaises(package().ReportError) as caught:
            read.read_paths([path])
        line = (KEPT * 50 + LOWERED[:-40]).count("\n") + 1
        self.assertIn(f"a.yaml:{line}: ", str(caught.exception))

    def outcome(self, path):
        try:
            found = read.read_paths([path])
        except package().ReportError as error:
            return str(error)
        return [(loop, loop.facts) for loop in found.loops], found.other_remarks

    def test_damage_is_found_as_if_each_record_were_looked_at(self):
        rand = random.Random(SEED)
        many = remarkyaml.Parser.many
        self.addCleanup(setattr, remarkyaml.Parser, "many", many)

        def refuse(*_):
            raise remarkyaml.Unusual

        bad = 0
        for number in range(150):
            text = "".join(rand.choice((KEPT, LOWERED, OTHER)) for _ in range(4))
            at, count = rand.randrange(len(text)), rand.choice((0, 1, 4, 40, 400))
            more = rand.choice(("", "\n", "'", "...\n", "--- !X\n", "  - Fact: x\n"))
            path = os.path.join(self.folder,
                                self.write("a.yaml", text[:at] + more + text[at + count:]))
            remarkyaml.Parser.many = many
            fast = self.outcome(path)
            remarkyaml.Parser.many = refuse
            self.assertEqual(fast, self.outcome(path), f"seed {SEED}, text {number}")
            bad += isinstance(fast, str)
        self.assertGreater(bad, 20)

    def test_mixed_up(self):
        """Two compilers that wrote one file at a time, without appending whole records."""
        for text in (KEPT + KEPT[20:], KEPT[:200] + LOWERED + KEPT[200:],
                     KEPT.replace("...\n", "...\nPass: x\n...\n")):
            self.write("a.yaml", text)
            self.assertRegex(self.bad("a.yaml"), r"a\.yaml:\d+: not a remark file")


class Binary(Case):
    def test_bitstream_of_clang(self):
        """copies.bitstream was written by clang 22 of three loops."""
        loops, others = bitstream.read(os.path.join(HERE, "Inputs", "copies.bitstream")) \
            if any("22" in name for name in bitstream.libraries()) else self.skipTest(
                "no libRemarks of LLVM 22 is installed")
        self.assertEqual([(l.function, l.decision, l.code, l.line) for l in loops],
                         [("forward", "lowered", "MLF1001", 3), ("apart", "lowered", "MLF1005", 9),
                          ("gaps", "kept", "MLF2021", 13)])
        self.assertEqual(loops[2].failed()[0].code, "MLF2021")
        self.assertGreater(others, 0)

    def test_compressed(self):
        self.write("a.yaml", b"\x1f\x8b\x08\x00")
        self.assertIn("--memlift-remarks=FILE", self.bad("a.yaml"))


if __name__ == "__main__":
    unittest.main()
