#!/usr/bin/env python3
# check.py - has memlift-report suggest changes, applies the patch, and looks what compilers say.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py REPORT FILE [--main FILE] [--option OPTION]... ADVISOR COMPILER...

ADVISOR, one of memlift's wrappers, compiles FILE; its remarks give suggestions, whose patch
`git apply` applies. Then each COMPILER has to decide better on every function of FILE that is not
called none_..., and no suggestion may be for one that is. With --main the programs before and after
have to print the same. --apply writes what the patch does; then nothing more is suggested."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

PLACES = {"kept": 0, "guarded": 1}


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def verdicts(args, compiler, folder):
    """Function -> how well its worst loop does; words in place of a call are best."""
    run(compiler, *args.option, "-O2", "-g", "-c", args.name, "-o", "x.o",
        "--memlift-remarks=x.yaml", cwd=folder)
    report = json.loads(run(args.report, "--format", "json", "--each-copy", "x.yaml", cwd=folder))
    result = {}
    for loop in report["loops"]:
        value = PLACES.get(loop["decision"], 2)
        if any(more["key"] == "Words" and more["value"] != "none" for more in loop["other"]):
            value = 3
        result.setdefault(loop["function"], []).append(value)
    return result


def program(args, compiler, folder, path):
    run(compiler, *args.option, "-O2", args.name, path, "-o", "x", cwd=folder)
    return run("./x", cwd=folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("path")
    parser.add_argument("--main")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("advisor")
    parser.add_argument("compilers", nargs="+")
    args = parser.parse_args()
    args.name = os.path.basename(args.path)
    top = os.path.join(os.getcwd(), f"{args.name}-{os.path.basename(args.advisor)}")
    shutil.rmtree(top, ignore_errors=True)
    old, new = os.path.join(top, "old"), os.path.join(top, "new")
    for folder in (old, new):
        os.makedirs(folder)
        shutil.copy(args.path, folder)
        run("git", "init", "-q", cwd=folder)  # a work tree that the build's own does not hold
    before = verdicts(args, args.advisor, old)
    work = shutil.copytree(old, os.path.join(top, "work"))
    with open(os.path.join(work, "compile_commands.json"), "w", encoding="utf-8") as stream:
        json.dump([{"directory": work, "file": args.name, "command":
                    f"{args.advisor} {' '.join(args.option)} -O2 -MD -c {args.name} -o y.o"}],
                  stream)
    out = run(args.report, "suggest", "--patch", "../x.patch", "--apply", "x.yaml", cwd=work)
    told = set(re.findall(r"^\S+:\d+:\d+: ([^ :]+(?:::[^ :]+)*): ", out, re.MULTILINE))
    wanted = {name for name in before if "none_" not in name}
    if told != wanted or not wanted:
        sys.exit(f"{args.name}: {args.advisor}: suggestions for {sorted(told)}, not for "
                 f"{sorted(wanted)}:\n{out}")
    run("git", "apply", "../x.patch", cwd=new)
    run("cmp", os.path.join(work, args.name), os.path.join(new, args.name))
    for compiler in args.compilers:
        was, now = verdicts(args, compiler, old), verdicts(args, compiler, new)
        for name in wanted:
            if max(now.get(name, [-1])) <= max(was.get(name, [-1])):
                sys.exit(f"{args.name}: {compiler}: {name}: {was.get(name)} before, "
                         f"{now.get(name)} with the patch of {args.advisor}")
        if args.main and program(args, compiler, old, args.main) != program(
                args, compiler, new, args.main):
            sys.exit(f"{args.name}: {compiler}: the patched program prints something else")
    again = run(args.report, "suggest", os.path.join(old, "x.yaml"), cwd=work)
    if not again.startswith("0 suggestions"):
        sys.exit(f"{args.name}: {args.advisor}: more to suggest after the patch:\n{again}")


if __name__ == "__main__":
    main()
