#!/usr/bin/env python3
# commit_msg_test.py - tools/commit-msg accepts good messages and finds each kind of fault
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from pathlib import Path

from support import BODY, Repository, main, run

GOOD = """
align: accept offsets that are multiples of the alignment
llvm, gcc: keep loops whose counter is volatile
test/fuzz: bound the size of a program
llvm-passes/read: re-read the trip count after hoisting
README: name the three ways to switch memlift on
runtime: byte-swap words of the command
engine: pass the queue to the waiting thread
build: address a warning of GCC 12
idioms: need one proof less for a fill
decide: embed the limits of each core
queue: ring the doorbell once for a batch
report: string the codes together
crc: multiply without carries on RV64
kernels: apply the limit to moves as well
bench: seed each round
docs: fix links, and remove two
ports: do not assume vectors
async: let a child end its operations
""".strip().split("\n")

BAD_VERBS = """
bench: what calls the kernels lies where it lay
recognize: what a memset in a loop stores is read before the loop
runtime: a thread may leave
llvm: the plugin for clang 22
gcc: of two loops the longer one
test: more options
test: fewer models under sanitizers
align: not every pointer
decide: which loops are kept
runtime: without a lock
engine: one lock for each queue
kernels: CRCs of 64 bits
kernels: Add a kernel for AArch64
idioms: added a proof
idioms: adds a proof
idioms: adding a proof
idioms: freed the loop model
sums: sums of 16-bit elements
docs: documentation of the engines
bench: new figures
queue: slowly wait
rtl: in-order cores
crc: carry-less products
idioms: written by the solver
queue: don't wait
model: 16-bit elements
tools: wip
""".strip().split("\n")

BAD_FORMS = """
add a kernel
runtime add a kernel
runtime:add a kernel
runtime:
: add a kernel
runtime ports: add a kernel
runtime, : add a kernel
Revert "runtime: add a kernel"
""".strip().split("\n")



class Messages(Repository):
    def check(self, message, code, *words):
        Path(self.top, "message").write_text(message, encoding="utf-8")
        return self.expect(code, words, "commit-msg", "message")

    def test_good_subjects(self):
        for subject in GOOD:
            with self.subTest(subject):
                self.assertEqual(self.check(subject + BODY, 0), "")

    def test_words_that_are_no_imperative(self):
        for subject in BAD_VERBS:
            with self.subTest(subject):
                self.check(subject + BODY, 1, "verb", subject)

    def test_subjects_of_another_form(self):
        for subject in BAD_FORMS:
            with self.subTest(subject):
                self.check(subject + BODY, 1, "area: imperative subject")

    def test_length_is_counted_in_characters(self):
        subject = "docs: explain " + "ä" * 58
        self.assertEqual(len(subject), 72)
        self.check(subject + BODY, 0)
        self.check(subject + "s" + BODY, 1, "73 columns")

    def test_full_stop(self):
        self.check("docs: name the suites." + BODY, 1, "full stop")

    def test_body(self):
        subject = "docs: name the suites"
        self.check(subject + "\n", 1, "no body")
        self.check(subject + "\n\n# a comment is none\n", 1, "no body")
        self.check(subject + "\n\nSigned-off-by: A <a@example.org>\n", 1, "no body")
        self.check(subject + "\nThe reason.\n", 1, "second line")

    def test_what_git_adds_is_not_looked_at(self):
        self.check("\n\n# a comment\ndocs: name the suites\n# another\n\nThe reason.\n", 0)
        cut = "# ------------------------ >8 ------------------------\n"
        self.check("docs: name the suites\n\n" + cut + "diff --git a/x b/x\n", 1, "no body")

    def test_messages_of_git_itself(self):
        for subject in ("Merge branch 'x'", "fixup! docs: name it", "squash! x", "amend! x"):
            self.check(subject + "\n", 0)
        self.check("", 0)  # git gives up by itself

    def test_range(self):
        self.commit("docs: name the suites" + BODY)
        self.commit("docs: all the suites" + BODY)
        self.expect(0, [], "commit-msg", "--commits", "HEAD~2..HEAD~1")
        said = self.expect(1, ["'docs: all the suites'"], "commit-msg", "--commits", "HEAD~2..")
        self.assertNotIn("name the suites", said)
        self.commit("fixup! docs: name the suites" + BODY)
        self.expect(1, ["fixup!"], "commit-msg", "--commits", "HEAD~1..")

    def test_usage(self):
        self.expect(0, ["usage:", "--commits"], "commit-msg", "--help")
        for arguments in ([], ["--frobnicate"], ["a", "b"], ["--commits", "none.."], ["none"],
                          ["--commits=--all"]):
            with self.subTest(arguments):
                self.expect(2, ["error:"], "commit-msg", *arguments)

    def test_hook(self):
        self.git("config", "core.hooksPath", "tools/hooks")
        (self.top / "below").mkdir()
        commit = ["git", "commit", "-q", "--allow-empty", "-m"]
        for where in (self.top, self.top / "below"):
            bad = run(*commit, "docs: all the suites", "-m", "The reason.", where=where)
            self.assertEqual(bad.returncode, 1)
            self.assertIn("'all' is no imperative verb", bad.stderr)
            good = run(*commit, "docs: name the suites", "-m", "The reason.", where=where)
            self.assertEqual(good.returncode, 0, good.stderr)


if __name__ == "__main__":
    main()
