#!/usr/bin/env python3
# check.py - loops in headers get suggestions, whichever way the source finds the header.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py REPORT COMPILER...: lays out a small project, whose headers are included with quotes
from their own folder, through another header, and in angle brackets with -I. Each COMPILER compiles
it, memlift-report suggest writes a patch from the compilation database, and after it every loop is
decided on better. A header that nothing includes is named as not tried."""
import json
import os
import shutil
import subprocess
import sys

COPY = """\
#ifndef {guard}
#define {guard}
static inline void {name}(unsigned *to, const unsigned *from, long n) {{
  for (long i = 0; i < n; i++)
    to[i] = __builtin_bswap32(from[i]);
}}
#endif
"""
FILES = {
    "src/near.h": COPY.format(guard="NEAR_H", name="put_near"),
    "src/outer.h": '#include "inner.h"\n#include <string.h>\n',
    "src/inner.h": COPY.format(guard="INNER_H", name="put_inner"),
    "include/lib/far.h": COPY.format(guard="FAR_H", name="put_far"),
    "src/first.c": '#include <stdio.h>\nint other(void) { return puts(""); }\n',
    "src/a b.c": '#include "near.h"\n#include "outer.h"\n#include <lib/far.h>\n'
                 "void all(unsigned *p, unsigned *q, long n) {\n"
                 "  put_near(p, q, n);\n  put_inner(p, q, n + 1);\n  put_far(p, q, n + 2);\n}\n",
}


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def verdicts(report, compiler, top):
    run(compiler, "-O2", "-g", "-I", "../include", "-c", "a b.c", "-o", "x.o",
        "--memlift-remarks=x.yaml", cwd=top + "/src")
    found = json.loads(run(report, "--format", "json", "--no-source", "src/x.yaml", cwd=top))
    return {os.path.basename(loop["file"]): loop["decision"] for loop in found["loops"]}


def check(report, compiler, top):
    shutil.rmtree(top, ignore_errors=True)
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(f"{top}/{name}"), exist_ok=True)
        with open(f"{top}/{name}", "w", encoding="utf-8") as stream:
            stream.write(text)
    run("git", "init", "-q", cwd=top)
    with open(f"{top}/compile_commands.json", "w", encoding="utf-8") as stream:
        json.dump([{"directory": f"{top}/src", "file": name,
                    "arguments": [compiler, "-O2", "-I", "../include", "-MD", "-c", name]}
                   for name in ("first.c", "a b.c")], stream)
    before = verdicts(report, compiler, top)
    if before != {"near.h": "guarded", "inner.h": "guarded", "far.h": "guarded"}:
        sys.exit(f"{compiler}: before: {before}")
    out = run(report, "suggest", "--patch", "fix.patch", "--source", "src", "src/x.yaml", cwd=top)
    for words in ("3 suggestions", "in src/a b.c, the only file that was tried"):
        if words not in out:
            sys.exit(f"{compiler}: no '{words}' in:\n{out}")
    run("git", "apply", "fix.patch", cwd=top)
    after = verdicts(report, compiler, top)
    if set(after.values()) != {"lowered"}:
        sys.exit(f"{compiler}: after: {after}")
    os.remove(f"{top}/compile_commands.json")
    alone = run(report, "suggest", "--source", "src", "src/x.yaml", "--", compiler, "-c",
                "src/first.c", cwd=top)
    if "not tried" in alone:
        sys.exit(f"{compiler}: nothing was to be tried after the patch:\n{alone}")
    run("git", "apply", "-R", "fix.patch", cwd=top)
    verdicts(report, compiler, top)
    alone = run(report, "suggest", "--source", "src", "src/x.yaml", "--", compiler, "-c",
                "src/first.c", cwd=top)
    if "not tried: 3 files that no command compiles, nor a file that includes it" not in alone:
        sys.exit(f"{compiler}: no word of headers that cannot be tried:\n{alone}")


def main():
    report, *compilers = sys.argv[1:]
    for compiler in compilers:
        check(report, compiler, os.path.join(os.getcwd(), os.path.basename(compiler)))


if __name__ == "__main__":
    main()
