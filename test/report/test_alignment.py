# test_alignment.py - calls counted by size, alignment, origin and what they became.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import unittest

from support import KEPT, Case

SOURCE = """\
void clear(struct s *p) { memset(p, 0, sizeof *p); }
void put(char *d) { struct s x = {0}; use(&x); }
void wrapped(struct s *p) { ZERO(p); }
#define ZERO(p) \\
  memset(p, 0, sizeof *(p))
void made(void) { LIST(x); use(&x); }
#define LIST(x) struct list x = {0}
"""


def call(line, column, identity, operation="memset", size="64", align="8", source=None,
         words="compiler", facts=""):
    keys = [("Operation", operation), ("Bytes", size), ("DestinationAlign", align)]
    if source:
        keys.append(("SourceAlign", source))
    keys.append(("Words", words))
    extra = "".join(f"  - {key}: '{value}'\n" for key, value in keys)
    return f"""\
--- !Analysis
Pass:            memlift
Name:            Already
DebugLoc:        {{ File: src/a.c, Line: {line}, Column: {column} }}
Function:        f
Args:
  - String:          'the compiler itself had made this a call of memset [MLF1004]'
  - Idiom:           fill
  - Decision:        already
  - Code:            MLF1004
  - LoopId:          'src/a.c:f#{identity}'
{extra}  - Fact:            size
  - Verdict:         proved
{facts}...
"""


SHORT = """\
  - Fact:            alignment
  - Verdict:         failed
  - Code:            MLF2191
  - Need:            4 bytes
  - Have:            1 byte
"""


class Alignment(Case):
    def test_counts(self):
        self.write("src/a.c", SOURCE)
        self.write("r.yaml", call(1, 27, 0, words="memlift") + call(2, 30, 1) +
                   call(3, 29, 2, align="1", words="no", facts=SHORT) +
                   call(1, 27, 3, size="unknown", words="no") + call(1, 27, 4, size="6") + KEPT)
        out = self.good("alignment", "r.yaml")
        self.assertRegex(out, r"bytes +align 1 +align 2 +align 4 +align 8\+\n")
        self.assertRegex(out, r"1-8 +\. +\. +\. +1\n *9-64 +1 +\. +\. +2\n *not constant")
        self.assertIn("of 4 memset calls written in the source, 3 of constant size, "
                      "1 a multiple of 4 and 4-aligned, and in line: 1 = 25.0 %", out)
        self.assertIn("of 1 memset calls made by the compiler", out)
        self.assertIn("words in place: 1 by memlift, 2 by the compiler; 2 stay calls", out)

    def test_both_pointers_count(self):
        self.write("r.yaml", call(1, 1, 0, "memcpy", "16", "8", "2"))
        out = self.good("alignment", "r.yaml")
        self.assertRegex(out, r"9-64 +\. +1 +\. +\.\n")
        self.assertIn("0 a multiple of 4 and 4-aligned, and in line: 0 = 0.0 %", out)
        self.assertIn("no source at hand", out)

    def test_source_folder(self):
        self.write("tree/src/a.c", SOURCE)
        self.write("r.yaml", call(1, 27, 0))
        self.assertIn("written in the source", self.good("alignment", "--source", "tree", "r.yaml"))
        self.assertIn("no such folder", self.bad("alignment", "--source", "nowhere", "r.yaml"))

    def test_each_call_with_its_reason(self):
        self.write("r.yaml", call(3, 29, 2, align="1", words="no", facts=SHORT))
        self.assertIn("src/a.c:3:29: memset in f: 64 bytes, aligned 1: a call "
                      "(alignment: need 4 bytes, have 1 byte)\n",
                      self.good("alignment", "-v", "r.yaml"))

    def test_macros(self):
        """A caller of memset has the call written, an initialiser has it not."""
        self.write("src/a.c", SOURCE)
        self.write("r.yaml", call(3, 29, 0) + call(6, 19, 1))
        out = self.good("alignment", "r.yaml")
        self.assertIn("of 1 memset calls written", out)
        self.assertIn("of 1 memset calls made by the compiler", out)

    def test_macros_of_headers(self):
        self.write("tree/b.h", "#define LIST(x) memset(&(x), 0, 8)\n")
        self.write("tree/src/a.c", SOURCE)
        self.write("r.yaml", call(6, 19, 1))
        self.assertIn("written", self.good("alignment", "--source", "tree", "r.yaml"))

    def test_places_count_once(self):
        """With the worst that became of what stands there."""
        self.write("src/a.c", SOURCE)
        self.write("r.yaml", call(1, 27, 0) + call(1, 27, 1, align="2") + call(3, 29, 2) +
                   call(3, 29, 3, size="512", words="no"))
        self.assertIn("these stand at 2 places, 2 of constant size, 2 a multiple of 4, 1 of them "
                      "4-aligned, and in line up to 256 bytes: 1 = 50.0 %",
                      self.good("alignment", "r.yaml"))
        self.write("r.yaml", call(1, 27, 0, words="no"))
        self.assertIn("1 of them 4-aligned, and in line up to 256 bytes: 0 = 0.0 %",
                      self.good("alignment", "r.yaml"))

    def test_json(self):
        self.write("src/a.c", SOURCE)
        self.write("r.yaml", call(1, 27, 0) + call(2, 30, 1, "assignment", "unknown", "4", "4"))
        data = json.loads(self.good("alignment", "--json", "r.yaml"))
        self.assertEqual(data["version"], 1)
        memset = data["operations"]["memset"]
        self.assertEqual(memset["by_origin"]["written"]["and_in_line"], 1)
        self.assertEqual(memset["table"], {"9-64": {"8": 1}})
        self.assertIsNone(data["calls"][1]["bytes"])
        self.assertEqual(data["calls"][1]["origin"], "made")

    def test_repeats_are_one(self):
        self.write("r.yaml", call(1, 27, 0) * 3)
        self.assertIn("of 1 memset calls", self.good("alignment", "r.yaml"))

    def test_bad_usage(self):
        self.write("r.yaml", KEPT)
        self.assertIn("no call in 1 remark", self.bad("alignment", "r.yaml"))
        self.assertIn("MLF0001", self.bad("alignment"))
        self.write("alignment", KEPT)
        self.assertIn("1 loop", self.good("./alignment"))


if __name__ == "__main__":
    unittest.main()
