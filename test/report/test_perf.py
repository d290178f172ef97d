# test_perf.py - samples that perf recorded become the hotness of loops, by file and line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import shutil
import unittest

from support import HERE, KEPT, LOWERED, Case

INPUTS = os.path.join(HERE, "Inputs")
RECORDED = ("perf-clang.txt", "perf-gcc.txt")


def remark(function, line, file="perf.c", text=KEPT, ordinal=0):
    old = "src/buf.c, Line: 12" if text is KEPT else "src/buf.c, Line: 4"
    return (text.replace(old, f"{file}, Line: {line}")
            .replace("Function:        clear", f"Function:        {function}")
            .replace("Function:        _Z5paintPhm", f"Function:        {function}")
            .replace("src/buf.c:clear:0:9f3a", f"{file}:{function}#{ordinal}")
            .replace("src/buf.c:paint:0:11aa", f"{file}:{function}#{ordinal}"))


class Recorded(Case):
    """Of a program that was run: hot's loop is inlined, copied's is a routine now."""

    def setUp(self):
        super().setUp()
        for name in ("perf.c", *RECORDED):
            shutil.copy(os.path.join(INPUTS, name), self.folder)
        self.write("r.yaml", remark("copied", 16, text=LOWERED) + remark("cold", 12) +
                   remark("hot", 7))

    def hotness(self, *options):
        loops = json.loads(self.fine("--format", "json", *options, "r.yaml"))["loops"]
        return {loop["function"]: loop["hotness"] for loop in loops}, loops[0]["function"]

    def test_both_compilers(self):
        for name, hot, cold in (("perf-clang.txt", 24, 2), ("perf-gcc.txt", 27, 4)):
            self.assertEqual(self.hotness("--perf", name),
                             ({"hot": hot, "cold": cold, "copied": 0}, "hot"))
        both, _ = self.hotness("--perf", RECORDED[0], "--perf", RECORDED[1])
        self.assertEqual(both["hot"], 51)

    def test_the_share_is_told(self):
        out = self.fine("--perf", "perf-clang.txt", "r.yaml")
        self.assertIn("hotness: 26 of 39 samples lie in these loops", out)
        self.assertLess(out.index("hot  "), out.index("cold  "))

    def test_without_the_source_its_first_line_and_the_proof(self):
        """The remark says line 7 alone, and the proof line 8: then no sample is lost."""
        os.remove(os.path.join(self.folder, "perf.c"))
        text = self.read("r.yaml")
        self.assertLess(self.hotness("--perf", "perf-clang.txt")[0]["hot"], 24)
        self.write("r.yaml", text.replace("'b->p[i] may be b->n'", "'line 8:14'"))
        self.assertEqual(self.hotness("--perf", "perf-clang.txt")[0]["hot"], 24)

    def test_samples_of_something_else(self):
        for text, words in (("", "no sample in 's.txt'"),
                            ("\t 4664 hot\n\n", "has a line of the source"),
                            ("\t 4664 hot\n  other.c:5\n\n", "lies in a loop of these remarks")):
            self.write("s.txt", text)
            self.assertIn(words, self.refused("--perf", "s.txt", "r.yaml"))
        self.assertIn("cannot be read", self.refused("--perf", "absent", "r.yaml"))


class Written(Case):
    def hotness(self, samples, remarks):
        self.write("s.txt", samples)
        self.write("r.yaml", remarks)
        out = self.fine("--format", "json", "--each-copy", "--perf", "s.txt", "r.yaml")
        return [(loop["function"], loop["hotness"]) for loop in json.loads(out)["loops"]]

    def test_a_caller_has_the_time_of_its_callee(self):
        """The first place that lies in a loop counts, once."""
        chain = "\t  1 memlift_copy\n  copy.c:7\n\t  2 f\n  a/x.c:12\n\t  3 main\n  a/x.c:30\n\n"
        self.assertEqual(self.hotness(chain * 3, remark("f", 12, "a/x.c") +
                                      remark("main", 30, "a/x.c")), [("f", 3), ("main", 0)])

    def test_a_copy_has_the_samples_of_its_function(self):
        samples = "\t 1 ns::f\n  /home/b/x.h:5\n\n\t 1 g\n  /home/b/x.h:5\n\n\t 1 g\n  x.h:5\n\n"
        remarks = remark("g", 5, "x.h") + remark("_ZN2ns1fEi", 5, "x.h")
        self.assertEqual(sorted(self.hotness(samples, remarks)), [("_ZN2ns1fEi", 1), ("g", 2)])

    def test_periods_of_a_whole_record(self):
        """What perf script -F +srcline prints: the period is the weight."""
        sample = "a.out  96 7.4:    {} cpu-clock:u: \n\t 4 f+0x3 (/tmp/a.out)\n  x.c:5\n\n"
        self.assertEqual(self.hotness(sample.format(200) + sample.format(50),
                                      remark("f", 5, "x.c")), [("f", 250)])

    def test_another_folder_is_another_file(self):
        samples = "\t 1 f\n  b/x.c:5\n\n\t 1 f\n  a/x.c:5\n\n"
        self.assertEqual(self.hotness(samples, remark("f", 5, "a/x.c")), [("f", 1)])


if __name__ == "__main__":
    unittest.main()
