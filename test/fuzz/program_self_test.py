#!/usr/bin/env python3
# program_self_test.py - can program_fuzz.py fail? Wrong wrappers and bad programs must be noticed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program_self_test.py BUILD: runs program_fuzz.py with a wrapper whose programs call a wrong
routine, with one that fails, and on programs that are undefined or that compilers disagree on.
Exit status: 0 each was noticed, 1 not, 77 nothing to test with."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ONE = ["--compiler", "gcc-12", "--level=-O2", "--mode", "memlift", "--jobs", "1"]

ROUTINE = """\
#include <stddef.h>
#include <string.h>
void short_copy(void *to, const void *from, size_t n) { memmove(to, from, n - (n > 4)); }
"""
WRAPPER = """\
#!/bin/sh
case " $* " in
  *" -c "*) exec {wrapper} "$@" --memlift-map=copy=short_copy,move=short_copy ;;
  *) exec {wrapper} "$@" {routine} ;;
esac
"""
FAILING = """\
#!/bin/sh
case " $* " in *--memlift-print-command*) exit 0 ;; esac
echo 'internal compiler error: none' >&2
exit 4
"""
UNDEFINED = """\
int printf(const char *, ...);
static volatile int big = 2147483647;
int main(void) { return printf("%d\\n", big + 1) & 1; }
"""
UNKNOWN = """\
int printf(const char *, ...);
int main(int argc, char **argv) { int a[9]; a[1] = 3; return a[argc] + a[argc + 1] > 3; }
"""
DISAGREED = """\
int printf(const char *, ...);
#ifdef __clang__
int main(void) { return printf("clang\\n") & 1; }
#else
int main(void) { return printf("gcc\\n") & 1; }
#endif
"""
COPY = """\
int printf(const char *, ...);
static volatile int count = 60;
unsigned char from[99], to[99];
int main(void) {
  for (int i = 0; i < 99; i++) from[i] = i * 7 + (i ^ 5);
  int n = count;
  __asm__ volatile("" ::: "memory"); // a copy of what is written or read at once stays
  for (int i = 0; i < n; i++) to[i] = from[i];
  __asm__ volatile("" ::: "memory");
  unsigned sum = 0;
  for (int i = 0; i < 99; i++) sum = (sum ^ to[i]) * 16777619u;
  printf("%x\\n", sum);
  return 7;
}
"""


class Test:
    """The fuzzer, a working folder, and whether all went well so far."""

    def __init__(self, folder):
        self.folder, self.good = folder, True

    def write(self, name, text):
        """A file of the working folder that can be run."""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(path, 0o755)
        return path

    def fuzz(self, status, words, *options):
        """Runs the fuzzer, which has to end with a status and to say some words."""
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "program_fuzz.py"),
                               "--build", sys.argv[1], *options], capture_output=True, text=True,
                              check=False, env={**os.environ, "TMPDIR": self.folder})
        good = done.returncode == status and re.search(words, done.stdout)
        self.good = self.good and bool(good)
        if not good:
            print(f"program_self_test: {' '.join(options)}: exit {done.returncode}, not {status}, "
                  f"or no '{words}' in:\n{done.stdout}{done.stderr}")
        return done.stdout

    def wrong_routine(self):
        """A routine that forgets a byte is found, by a command that finds it again."""
        wrapper = os.path.abspath(os.path.join(sys.argv[1], "bin", "memlift-gcc"))
        source, routine = self.write("short.c", ROUTINE), os.path.join(self.folder, "short.o")
        subprocess.run(["gcc-12", "-O1", "-c", source, "-o", routine], check=True)
        broken = self.write("broken", WRAPPER.format(wrapper=wrapper, routine=routine))
        file = ["--file", self.write("copy.c", COPY)]
        self.fuzz(0, "1 programs, 1 compilations, 1 calling.* 0 different", *ONE, *file)
        options = [f"gcc-12={broken}" if o == "gcc-12" else o for o in ONE]
        self.fuzz(1, r"copy.c: gcc-12 -O2 memlift: printed(.|\n)* 2 different",
                  *options, "--mode", "async", *file)
        said = self.fuzz(1, r"nests seed \d+: gcc-12 -O2 memlift: printed",
                         *options, "--kind", "nests", "--seed", "2", "--programs", "4")
        again = re.search(r"again with\n.*program_fuzz.py --build \S+ (.*)", said)
        if again:
            self.fuzz(1, "1 different", *again.group(1).split())
        self.good = self.good and bool(again)

    def all(self):
        """Every case."""
        self.wrong_routine()
        failing = self.write("failing", FAILING)
        options = [f"gcc-12={failing}" if o == "gcc-12" else o for o in ONE]
        copy = os.path.join(self.folder, "copy.c")
        self.fuzz(1, "internal compiler error.*\n(.*\n)*.*1 failed", *options, "--file", copy)
        for name, text in (("undefined.c", UNDEFINED), ("unknown.c", UNKNOWN)):
            path = self.write(name, text)
            self.fuzz(1, "1 undefined", "--check-ub", "--file", path)
        self.fuzz(0, "disagree.* set aside", "--file", self.write("disagreed.c", DISAGREED))
        self.fuzz(0, "runs for more than", *ONE, "--file",
                  self.write("endless.c", "int main(void) { for (volatile int i = 0;; i++) ; }"))
        self.fuzz(0, "3 programs, .* 0 undefined", "--check-ub", "--kind", "nests",
                  "--programs", "3")


def main():
    """All cases, in a folder of their own."""
    if not all(map(shutil.which, ("gcc-12", "clang-22"))) or not os.path.exists(
            f"{sys.argv[1]}/bin/memlift-gcc"):
        print("program_self_test: skipped: a compiler or memlift-gcc is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        test = Test(folder)
        test.all()
    print("program_self_test: " + ("all was noticed" if test.good else "something was not noticed"))
    return 0 if test.good else 1


if __name__ == "__main__":
    sys.exit(main())
