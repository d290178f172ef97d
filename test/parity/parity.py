#!/usr/bin/env python3
# parity.py - the same source gets the same verdict from every compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each file of loops/ with every memlift wrapper by major that is ready, and
compares what the remarks say of each function with its PARITY line.

A function of several loops has their verdicts in the order of lines, with " + " between them;
"untouched" is one with no candidate in it.
"already" (the compiler itself had done it) counts as "lowered" and as "inlined":
whoever got there first. PARITY_ALREADY states what a compiler does itself, and what its assembly
names then, without memlift. Loops have one name (LoopId) from clang-22 and gcc-12, so that
memlift-report compares builds of both: all but a few, see SAME_NAME. Exit status: 0 all as
expected, 1 a difference, 2 bad usage or a compiler that failed, 77 nothing to compare.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import typing

try:
    import yaml
except ImportError:
    print("parity: skipped: this Python has no yaml module (python3-yaml)")
    sys.exit(77)

COMPILERS = ([f"clang-{major}" for major in range(18, 24)] +
             [f"gcc-{major}" for major in range(12, 17)])
# Whose exception holds for a compiler for which the file has none.
LIKE = {"clang-18": "clang-19", "clang-20": "clang-21", "clang-21": "clang-22",
        "clang-23": "clang-22", **{f"gcc-{major}": f"gcc-{major - 1}" for major in range(13, 17)}}
USUAL = ("clang-19", "clang-22", "gcc-12")  # those of Debian 12
# Share of loops that must have one name. Others are candidates that one compiler does not have:
# LLVM 22 makes a table of a CRC by itself, for instance.
SAME_NAME = 0.95
EXPECT = re.compile(r'^PARITY\((\w+), "([^"]*)"\)', re.M)
FLAGS = re.compile(r'^PARITY_FLAGS\("([^"]*)"\)', re.M)
EXCEPT = re.compile(r'^PARITY_BUT\((\w+), "([^"]*)", "([^"]*)",\s*"([^"]+)"\)', re.M)
ALREADY = re.compile(
    r'^PARITY_ALREADY\((\w+), "([^"]*)", "([^"]*)",\s*"([^"]+)",\s*"([^"]+)"\)', re.M)


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """Reads LLVM's remark tags as plain mappings."""


for tag in ("!Passed", "!Missed", "!Analysis"):
    Loader.add_constructor(tag, lambda loader, node: loader.construct_mapping(node, True))


def flags_of(path):
    """Options that the PARITY_FLAGS lines of the file add."""
    with open(path, encoding="utf-8") as stream:
        return " ".join(FLAGS.findall(stream.read())).split()


class Expected(typing.NamedTuple):
    """What a compiler says, why if it is not the usual, and what its own assembly names then."""
    verdict: str
    why: str = ""
    names: str = ""


def expectations(path):
    """{function: {compiler: Expected}} as the PARITY lines of the file state it; "" is any other
    compiler."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    result = {name: {"": Expected(verdict)} for name, verdict in EXPECT.findall(text)}
    others = [line[:3] + ("", line[3]) for line in EXCEPT.findall(text)] + ALREADY.findall(text)
    for name, compiler, verdict, names, why in others:
        if name not in result or compiler not in COMPILERS or compiler in result[name]:
            sys.exit(f"parity: {path}: PARITY_BUT({name}, {compiler}) matches no PARITY line")
        result[name][compiler] = Expected(verdict, why, names)
    return result


def expected_of(verdicts, compiler):
    """What one compiler says: its own, or that of the version that it is like."""
    while compiler and compiler not in verdicts:
        compiler = LIKE.get(compiler, "")
    return verdicts[compiler]


def verdict_of(remark):
    """'idiom decision code ...': codes of failed facts, sorted, each once."""
    head, codes, failed = {}, set(), False
    for arg in remark["Args"]:
        (key, value), = arg.items()
        if key in ("Idiom", "Decision"):
            head[key] = value
        elif key == "Verdict":
            failed = value == "failed"
        elif key == "Code" and failed:
            codes.add(value)
    return " ".join([head["Idiom"], head["Decision"]] + sorted(codes))


def same(expected, got):
    """True if the two verdicts are one, whoever did the work."""
    if expected == got:
        return True
    idiom, decision, *codes = expected.split()
    return decision in ("lowered", "inlined") and not codes and got == f"{idiom} already"


def as_wanted(expected, got):
    """True if the remarks of one function say what they should."""
    if expected == "untouched":
        return all(verdict.startswith("none kept") for verdict in got)
    wanted = expected.split(" + ")
    return len(got) == len(wanted) and all(map(same, wanted, got))


def assembly(compiler, path, flags):
    """Assembly that the compiler writes for the file, named as a build in its folder names it."""
    folder, name = os.path.split(os.path.abspath(path))
    command = [compiler, "-O2", "-S", name, "-o", "-"] + flags
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if run.returncode != 0:
        print(f"parity: {' '.join(command)} failed:\n{run.stderr}")
        sys.exit(2)
    return run.stdout


def names_of(remark):
    return {value for arg in remark["Args"] for key, value in arg.items() if key == "LoopId"}


def body_of(function, text):
    """A match of the function's lines in assembly; None if it is not there."""
    return re.search(rf"^{re.escape(function)}:[^\n]*$(.*?)^\s*\.size\s+{re.escape(function)},",
                     text, re.M | re.S)


def absent_calls(remark, text):
    """Routines that a remark says a function calls and that its assembly does not name: the test
    before such a call can never hold."""
    body = body_of(remark["Function"], text)
    message = next((arg["String"] for arg in remark["Args"] if "String" in arg), "")
    called = re.findall(r"memlift_\w+", message) if "became" in message else []
    return [name for name in called if body and not re.search(rf"\b{name}\b", body[1])]


def compile_file(wrapper, path, verify, again):
    """{function: [verdict, ...]} and the names of loops from the remarks of one compilation, which
    tries each claim if it is to `verify`, the calls that are only in remarks, and whether, if it
    is compiled `again`, the code is the same when nobody listens: then the plugins look for less.
    """
    with tempfile.TemporaryDirectory() as folder:
        remarks, flags = os.path.join(folder, "remarks.yaml"), flags_of(path)
        heard = assembly(wrapper, path, flags + [f"--memlift-remarks={remarks}"] +
                         ["--memlift-verify"] * verify)
        found, names, absent = {}, set(), []
        with open(remarks, encoding="utf-8") as stream:
            for remark in yaml.load_all(stream, Loader):
                line = remark.get("DebugLoc", {}).get("Line", 0)
                found.setdefault(remark["Function"], []).append((line, verdict_of(remark)))
                names |= names_of(remark)
                absent += [(line, name) for name in absent_calls(remark, heard)]
        found = {name: [verdict for _, verdict in sorted(list_, key=lambda of: of[0])]
                 for name, list_ in found.items()}
        return found, names, absent, not again or assembly(wrapper, path, flags) == heard


def not_its_own(path, compiler, wrapper):
    """[(function, name), ...] of what PARITY_ALREADY says that the compiler's own assembly names,
    and what that does not name without memlift."""
    stated = {function: expected_of(verdicts, compiler).names
              for function, verdicts in expectations(path).items()}
    if not any(stated.values()):
        return []
    command = subprocess.run([wrapper, "--memlift-print-command", "-c", "x.c"],
                             capture_output=True, text=True, check=True).stdout
    flags = [flag for flag in flags_of(path) if not flag.startswith("--memlift")]
    text = assembly(command.split()[0], path, flags)
    bodies = {function: body_of(function, text) for function in stated}
    return [(function, name) for function, names in stated.items() for name in names.split()
            if not (bodies[function] and name in bodies[function][1])]


def compare(path, compiler, wrapper, verify, again):
    """Prints every difference; returns (checked, different, names of loops)."""
    found, names, absent, alike = compile_file(wrapper, path, verify, again)
    checked = different = 0
    if not alike:
        different += 1
        print(f"{os.path.basename(path)}: {compiler}: other code with remarks than without")
    for line, name in absent:
        different += 1
        print(f"{os.path.basename(path)}:{line}: {compiler}: no call of {name}, which the remark "
              "names")
    for function, name in not_its_own(path, compiler, wrapper):
        different += 1
        print(f"{os.path.basename(path)}: {function}: {compiler}: its own assembly has no {name}")
    for name, verdicts in expectations(path).items():
        checked += 1
        expected, got = expected_of(verdicts, compiler).verdict, found.get(name, [])
        if not as_wanted(expected, got):
            different += 1
            print(f"{os.path.basename(path)}: {name}: {compiler}: "
                  f"expected '{expected}', got {got or 'no remark'}")
    return checked, different, names


def alike_names(names):
    """Prints how many loops have one name from clang-22 and gcc-12; true if they are enough."""
    if not (names.get("clang-22") and names.get("gcc-12")):
        return True
    both, all_names = (names["clang-22"] & names["gcc-12"], names["clang-22"] | names["gcc-12"])
    share = len(both) / len(all_names)
    print(f"parity: {len(both)} of {len(all_names)} loops have one name from clang-22 and gcc-12: "
          f"{100 * share:.1f} %")
    return share >= SAME_NAME


def what_is_done(verdict):
    """Which loops of a verdict are replaced and which are kept, whatever they are called then."""
    if verdict == "untouched":
        return verdict
    return {part.split()[1] == "kept" for part in verdict.split(" + ")}


def is_already(got, usual):
    """True if the compiler's own work is all that is not as usual: PARITY_ALREADY states it, or
    each remark more than usual does."""
    more = got.verdict.split(" + ")
    for part in usual.split(" + "):
        alike = next((other for other in more if same(part, other)), None)
        if alike is None:
            return bool(got.names)
        more.remove(alike)
    return bool(got.names) or all(part.endswith(" already") for part in more)


def print_table(files):
    """Prints what the files state of each compiler, without compiling, and each reason once."""
    counts = {compiler: [0, 0, 0, 0] for compiler in COMPILERS}
    reasons = {}
    for path in files:
        for name, verdicts in expectations(path).items():
            usual = verdicts[""].verdict
            for compiler in COMPILERS:
                got = expected_of(verdicts, compiler)
                own = got.verdict != usual and is_already(got, usual)
                counts[compiler][0] += 1
                counts[compiler][1] += got.verdict != usual
                counts[compiler][2] += own
                counts[compiler][3] += what_is_done(got.verdict) != what_is_done(usual)
                if got.verdict != usual:
                    reasons.setdefault((name, got, own), []).append(compiler)
    print("| compiler | verdicts | the same word for word | or already the compiler's | "
          "the same loops replaced |\n|---|---:|---:|---:|---:|")
    for compiler, (number, others, own, done) in counts.items():
        alike = number - others
        print(f"| {compiler} | {number} | {alike} ({alike / number:.1%}) | "
              f"{alike + own} ({(alike + own) / number:.1%}) | "
              f"{number - done} ({1 - done / number:.1%}) |")
    for (name, got, own), compilers in reasons.items():
        print(f"{name}: '{got.verdict}' by {', '.join(compilers)}: {'already: ' * own}{got.why}")


def is_ready(wrapper):
    """True if the wrapper is there, with its compiler and its plugin."""
    return os.path.exists(wrapper) and subprocess.run(
        [wrapper, "--memlift-print-command", "-c", "x.c"], capture_output=True,
        check=False).returncode == 0


def ready(args):
    """Compilers to be tried, and their wrappers."""
    result = []
    for compiler in args.only or COMPILERS:
        wrapper = os.path.join(os.path.abspath(args.build), "bin", "memlift-" + compiler)
        if is_ready(wrapper):
            result.append((compiler, wrapper))
        elif args.only or compiler in USUAL:
            print(f"parity: {compiler}: left out (memlift-{compiler} is not ready to run)")
    return result


def main():
    """Runs every compiler over every file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", help="build folder with bin/memlift-*")
    parser.add_argument("--table", action="store_true", help="compile nothing: print how many "
                        "verdicts of each compiler the files state as usual, and why others differ")
    parser.add_argument("--only", choices=COMPILERS, action="append",
                        help="this compiler; may be given again; default: each that is ready")
    parser.add_argument("files", nargs="*", help="default: every file of loops/; each compiler "
                        "tries what it claims in a third of them, and compiles a sixth once more "
                        "without remarks. With --only or MEMLIFT_TEST_ALL=1: in all")
    args = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    files = args.files or sorted(
        os.path.join(here, "loops", name) for name in os.listdir(os.path.join(here, "loops"))
        if name.endswith(".c"))
    if args.table:
        return print_table(files) or 0
    if not args.build:
        parser.error("which build? --build FOLDER")
    checked = different = 0
    names = {}
    whole = bool(args.files or args.only or os.environ.get("MEMLIFT_TEST_ALL"))
    for turn, (compiler, wrapper) in enumerate(ready(args)):
        before = checked, different
        for number, path in enumerate(files):
            more, wrong, its_names = compare(path, compiler, wrapper,
                                             whole or (number + turn) % 3 == 1,
                                             whole or (number + turn) % 6 == 0)
            names.setdefault(compiler, set()).update(its_names)
            checked += more
            different += wrong
        print(f"parity: {compiler}: {checked - before[0]} verdicts, "
              f"{different - before[1]} different")
    different += not (args.files or alike_names(names))
    print(f"parity: {checked} verdicts compared, {different} different")
    if checked == 0:
        return 77
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
