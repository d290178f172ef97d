#!/usr/bin/env python3
# meanings.py - every attribute and option of a compiler is in a table, and does what the table says
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare a table of this folder with the compiler whose attributes or options it lists.

Each name that the compiler knows needs a line, each line a name. Then the loops of a probe are
compiled with each attribute or option that the table says how to write: a refused one has to keep
them with its code, any other one has to leave memlift's decisions as they are.

exit codes: 0 all is as the table says, 1 it is not, 2 bad usage, 77 a compiler is not installed
"""
import argparse
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MISSING = 77
VERDICTS = ("refused", "honoured", "irrelevant")

PROBE = """#include <stddef.h>
@ void fill@(unsigned short *restrict p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0x0102;
}
"""


IR = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define CONVENTION void @fill(ptr %p, i64 %n) ATTRIBUTE {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %to = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 16843010, ptr %to, align 4
  %next = add nuw i64 %i, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
"""


class Line:
    """One line of a table: NAME VERDICT [CODE] [use=HOW] [# REASON]."""

    def __init__(self, text, number):
        match = re.match(r"(\S+)\s+(\w+)(?:\s+(MLF\d{4}))?(?:\s+use=(\S.*?))?\s*(?:#.*)?$", text)
        if not match or match.group(2) not in VERDICTS or \
                (match.group(2) == "refused") != bool(match.group(3)):
            raise ValueError(
                f"line {number}: expected NAME refused CODE | honoured | irrelevant: {text}")
        self.name, self.verdict, self.code, self.use = match.groups()
        self.names = []

    def matches(self, name):
        return fnmatch.fnmatchcase(name, self.name)


def read_table(path):
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.strip() and not text.startswith("#"):
            lines.append(Line(text, number))
    return lines


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


# ---- What a compiler knows --------------------------------------------------------------------

def gcc_attributes(args):
    names = set()
    for language in ("c", "c++"):
        done = run([args.stock, "-x", language, f"-fplugin={args.lister}", "-fsyntax-only", "-"],
                   input="")
        if done.returncode:
            sys.exit(f"meanings: error: {args.lister} does not list attributes: {done.stderr}")
        names |= set(done.stdout.splitlines())
    return names


def option_name(text):
    return re.split(r"[=<\[]", text.lstrip("-"))[0]


def gcc_options(args):
    done = run([args.stock, "-Q", "--help=common", "--help=optimizers", "--help=c", "--help=c++"])
    return {option_name(o) for o in re.findall(r"^  (-f\S+)", done.stdout, re.M)}


def clang_options(args):
    done = run([args.stock, "--autocomplete=-f"])
    names = {option_name(line.split("\t")[0].split()[0]) for line in done.stdout.splitlines()
             if line.startswith("-f")}
    return {n for n in names if not (n.startswith("fno-") and "f" + n[4:] in names)}


def header(args, name):
    """Text of a header of the LLVM that the compiler is from."""
    place = Path(args.headers, "include", name)
    if not place.exists():
        print(f"meanings: skipped: {place} is not installed")
        sys.exit(MISSING)
    return place.read_text(encoding="utf-8")


def clang_attributes(args):
    text = header(args, "clang/Basic/AttrHasAttributeImpl.inc")
    gnu = text[text.index("AS_GNU:"):text.index("AS_Declspec:")]
    return set(re.findall(r'\.Case\("([^"]+)"', gnu))


def llvm_attributes(args):
    return set(re.findall(r'^def \w+\s*:\s*\w*Attr<"([^"]+)"[^;]*\bFnAttr\b',
                          header(args, "llvm/IR/Attributes.td"), re.M))


def convention_numbers(args):
    text = header(args, "llvm/IR/CallingConv.h")
    body = re.sub(r"//.*", "", text[text.index("enum {"):text.index("};", text.index("enum {"))])
    pairs = re.findall(r"\b(\w+)\s*=\s*(\d+)", body)
    return {name: int(number) for name, number in pairs if name not in ("FirstTargetCC", "MaxID")}


def llvm_conventions(args):
    return set(convention_numbers(args))


# ---- What memlift does ------------------------------------------------------------------------

def codes(remarks):
    """Function -> the set of codes of its records."""
    found = {}
    for record in remarks.split("\n--- ")[0:]:
        function = re.search(r"^Function: *'?([\w.$]+)", record, re.M)
        code = re.search(r"^  - Code: *'(MLF\d{4})'", record, re.M)
        if function and code:
            found.setdefault(function.group(1).split(".")[0], set()).add(code.group(1))
    return found


def compile_probe(args, source, options):
    """The codes of the probe, or None and why it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        remarks = os.path.join(folder, "remarks.yaml")
        done = run([args.compiler, "-O2", "-w", *options, f"--memlift-remarks={remarks}",
                    "-c", "-xc", "-", "-o", os.path.join(folder, "probe.o")],
                   input=source, cwd=folder)
        if done.returncode:
            return None, done.stderr
        return codes(Path(remarks).read_text(encoding="utf-8")), ""


def run_opt(args, source):
    """The code of the decision of a function of IR, or None and why there is none."""
    done = run([f"{args.headers}/bin/opt", f"-load-pass-plugin={args.plugin}",
                "-passes=memlift-print", "-disable-output", "-"], input=source)
    found = set(re.findall(r"^; \w+ (MLF\d{4})", done.stderr, re.M))
    return (None, done.stderr) if done.returncode else ({"fill": found}, "")


def ir_jobs(args, chosen):
    numbers = convention_numbers(args)
    for line, name in chosen:
        convention = f"cc{numbers[name]}" if args.table == "llvm-conventions" else ""
        attribute = "" if convention else line.use or name
        yield line, name, IR.replace("CONVENTION", convention).replace("ATTRIBUTE", attribute), None


def attribute_jobs(args, chosen):
    for index, (line, name) in enumerate(chosen):
        how = line.use or name
        probe = PROBE.replace("@ void", f"__attribute__(({how})) void")
        yield line, name, probe.replace("@", str(index)), []


def option_jobs(args, chosen):
    for line, name in chosen:
        yield line, name, PROBE.replace("@", ""), (line.use or "-" + name).split()


def judge(args, job, expected):
    line, name, source, options = job
    found, why = run_opt(args, source) if options is None else compile_probe(args, source, options)
    if found is None:
        first = next((l for l in why.splitlines() if "error" in l), why.strip()[:200])
        return f"{name}: does not compile: {first}"
    have = set().union(*found.values()) if found else set()
    want = {line.code} if line.verdict == "refused" else expected
    if have == want:
        return None
    return (f"{name}: {line.verdict}: has {' '.join(sorted(have)) or 'no record'}, "
            f"wants {' '.join(sorted(want))}")


# ---- The comparison ---------------------------------------------------------------------------

KINDS = {
    "gcc-attributes": (gcc_attributes, attribute_jobs),
    "gcc-options": (gcc_options, option_jobs),
    "clang-attributes": (clang_attributes, attribute_jobs),
    "clang-options": (clang_options, option_jobs),
    "llvm-attributes": (llvm_attributes, ir_jobs),
    "llvm-conventions": (llvm_conventions, ir_jobs),
}


def assign(lines, names):
    """Problems of a table that misses names, or has lines without any."""
    problems = []
    for name in sorted(names):
        exact = [l for l in lines if l.name == name]
        line = (exact or [l for l in lines if l.matches(name)] or [None])[0]
        if line is None:
            problems.append(f"{name}: no line of the table says what it means")
        else:
            line.names.append(name)
    problems += [f"{l.name}: the compiler knows no such name" for l in lines if not l.names]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=sorted(KINDS), help="which table, without .txt")
    parser.add_argument("--stock", required=True, help="the compiler itself")
    parser.add_argument("--compiler", help="the compiler through memlift, for the effects")
    parser.add_argument("--lister", help="the plugin that prints GCC's attributes")
    parser.add_argument("--headers", help="the installation of LLVM that the compiler is from")
    parser.add_argument("--plugin", help="memlift's plugin for that LLVM")
    parser.add_argument("--sample", type=int, default=1, metavar="N",
                        help="the effects of one name in N only; "
                             "all of them where MEMLIFT_TEST_ALL is set")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    args = parser.parse_args()
    listed, jobs_of = KINDS[args.table]
    lines = read_table(HERE / f"{args.table}.txt")
    problems = assign(lines, listed(args))
    chosen = [(l, n) for l in lines for n in l.names[:1 if l.use else None] if l.use != "-"]
    every = 1 if os.environ.get("MEMLIFT_TEST_ALL") else args.sample
    refused = [c for c in chosen if c[0].verdict == "refused"]
    others = [c for c in chosen if c[0].verdict != "refused"]
    chosen = refused + others[::every] if args.compiler or args.plugin else []
    if chosen:
        plain = compile_probe(args, PROBE.replace("@", ""), []) if args.compiler else \
            run_opt(args, IR.replace("CONVENTION", "").replace("ATTRIBUTE", ""))
        expected = set().union(*plain[0].values())
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            found = pool.map(lambda job: judge(args, job, expected), jobs_of(args, chosen))
            problems += [p for p in found if p]
    for problem in problems:
        print(f"meanings: {args.table}: {problem}")
    print(f"meanings: {args.table}: {sum(len(l.names) for l in lines)} names, {len(chosen)} tried, "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
