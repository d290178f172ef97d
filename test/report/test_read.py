# test_read.py - files are read as they are written, or refused with file and line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import unittest

from support import GUARDED, KEPT, LOWERED, OTHER, Case


class Files(Case):
    def test_folder_is_searched_and_other_yaml_is_passed_over(self):
        self.write("out/a.opt.yaml", KEPT)
        self.write("out/deep/b.memlift.yaml", LOWERED)
        self.write("out/deep/c.yml", GUARDED)
        self.write("out/compose.yaml", "services:\n  web: {}\n")
        self.write("out/notes.txt", "no yaml")
        out = self.good("out")
        self.assertIn("3 loops in 2 files", out)

    def test_other_passes_are_skipped(self):
        self.write("a.yaml", OTHER + KEPT + OTHER)
        self.assertIn("1 loop in 1 file", self.good("a.yaml"))

    def test_one_file_named_twice_is_read_once(self):
        self.write("d/a.yaml", KEPT)
        out = self.good("d", "d/a.yaml", "./d/../d/a.yaml")
        self.assertNotIn("folded", out)

    def test_windows_line_ends(self):
        self.write("a.yaml", KEPT.replace("\n", "\r\n"))
        self.assertIn("MLF2010", self.good("a.yaml"))

    def test_words_that_yaml_takes_for_values_stay_words(self):
        self.write("a.yaml", KEPT.replace("Have:            'no'", "Have:            no"))
        self.assertRegex(self.good("-v", "a.yaml"), r"have: +no\n")


class Broken(Case):
    def test_truncated(self):
        for cut in (len(LOWERED) + 120, len(LOWERED + KEPT) - 4):
            self.write("a.yaml", (LOWERED + KEPT)[:cut])
            err = self.bad("a.yaml")
            line = (LOWERED + KEPT)[:cut].rstrip().count("\n") + 1
            self.assertIn(f"a.yaml:{line}: ", err)
            self.assertIn("cut off", err)
            self.assertIn("MLF0008", err)

    def test_truncated_in_the_remarks_of_another_pass(self):
        self.write("a.yaml", KEPT + OTHER[:-6])
        self.assertIn("cut off", self.bad("a.yaml"))

    def test_torn_in_the_middle(self):
        self.write("a.yaml", KEPT[:200] + "\n" + LOWERED)
        self.assertIn("cut off", self.bad("a.yaml"))
        self.write("a.yaml", KEPT[:200] + LOWERED)
        self.assertIn("MLF0008", self.bad("a.yaml"))

    def test_bad_yaml_names_its_line(self):
        text = LOWERED + KEPT.replace("  - Decision:        kept", "  - Decision:        'kept")
        self.write("a.yaml", text)
        err = self.bad("a.yaml")
        self.assertRegex(err, r"a\.yaml:\d+: not a remark file")
        line = int(err.split("a.yaml:")[1].split(":")[0])
        self.assertGreater(line, LOWERED.count("\n") + 1)

    def test_remark_without_its_keys(self):
        for key in ("Code", "Decision"):
            lines = [l for l in GUARDED.split("\n") if not l.startswith(f"  - {key}:")]
            self.write("a.yaml", "\n".join(lines))
            self.assertIn(f"a.yaml:1: not a remark file that can be read: a remark of memlift "
                          f"without {key}", self.bad("a.yaml"))

    def test_args_of_a_wrong_shape(self):
        head = KEPT.split("Args:")[0]
        for args in ("Args: 3\n...\n", "Args:\n  - word\n...\n"):
            self.write("a.yaml", head + args)
            self.assertIn("a.yaml:1: ", self.bad("a.yaml"))

    def test_no_remark_file_at_all(self):
        self.write("a.yaml", "\nservices:\n  web: {}\n")
        self.assertIn("a.yaml:2: ", self.bad("a.yaml"))

    def test_bitstream(self):
        self.write("a.yaml", b"RMRK\x01\x02")
        self.assertIn("-fsave-optimization-record=yaml", self.bad("a.yaml"))

    def test_not_text(self):
        self.write("a.yaml", KEPT.encode() + b"--- !Missed\nPass: \xff\xfe\n...\n")
        self.assertIn(f"a.yaml:{KEPT.count(chr(10)) + 2}: ", self.bad("a.yaml"))

    def test_missing(self):
        self.assertIn("'nowhere' cannot be read", self.bad("nowhere"))


class Nothing(Case):
    def test_empty_file(self):
        self.write("a.yaml", "")
        self.assertIn("-O0", self.bad("a.yaml"))

    def test_folder_without_remark_files(self):
        self.write("d/x.txt", "")
        self.assertIn("--memlift-remarks=FILE", self.bad("d"))

    def test_only_other_passes(self):
        self.write("a.yaml", OTHER)
        err = self.bad("a.yaml")
        self.assertIn("1 of other passes", err)
        self.assertIn("without the plugin", err)


if __name__ == "__main__":
    unittest.main()
