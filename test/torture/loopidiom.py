#!/usr/bin/env python3
# loopidiom.py - what memlift makes of the tests of LLVM's LoopIdiomRecognize
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""loopidiom.py FOLDER OPT PLUGIN [--all]

FOLDER is llvm/test/Transforms/LoopIdiom of LLVM's sources, OPT the opt of that version, PLUGIN
memlift's for it. A function is a positive if LLVM's pass, with the target that its file asks for,
makes a call of memset, memcpy or memmove in it, or a look-up of a CRC's table. memlift sees the
same code, and, as its passes lie in several places, that of -O2 without LLVM's pass: a positive is
taken if one of the two changes it. Atomic accesses and address spaces are left alone on purpose
and counted apart, and so are the functions of KEPT, which may not be lowered. Bit counts, powers
and searches are not what is counted here."""

import glob
import os
import re
import subprocess
import sys
import tempfile

MADE = re.compile(r"call [^@\n]*@(llvm\.mem(?:set|cpy|move)[.\w]*|memset_pattern16|"
                  r"llvm\.experimental\.memset\.pattern[.\w]*)\(|(@\.?crctable[.\w]*)")
DEFINED = re.compile(r"^define [^\n]*?@(\"[^\"]+\"|[\w.$-]+)\(.*?^}", re.M | re.S)
RUN = re.compile(r"^; *RUN: *opt (.*)$", re.M)
OPTION = re.compile(r"-m(?:triple|cpu|attr)(?:=\S+| \S+)|-aa-pipeline=\S+|"
                    r"-loop-idiom-force-memset-pattern-intrinsic")
SAID = re.compile(r"^Function: +'?(.*?)'?$.*?Idiom: +'(\w+)'\n +- Decision: +'(\w+)'\n"
                  r" +- Code: +'(\w+)'", re.M | re.S)
APART = re.compile(r"unordered|addrspace\([1-9]")
DONE = {"lowered", "guarded", "inlined"}
OURS = (["-passes=memlift", "-verify-each"], ["-passes=default<O2>", "-disable-loop-idiom-all"])

ENDLESS = "its length is 0 modulo 2^64: LLVM's call writes nothing"
SLOWER = "128 bytes are eight stores of 16 bytes, which a call is no faster than"
KEPT = {
    ("pr70008.ll", "test"): ENDLESS,
    ("pr80954.ll", "test"): ENDLESS,
    ("cyclic-redundancy-check-dl.ll", "test_with_dl"):
        "no CRC: its polynomial is 0, so that the register stays 0, and nothing uses it",
    ("memset-pattern-tbaa.ll", "double_memset"): SLOWER,
    ("memset-pattern-tbaa.ll", "struct_memset"): SLOWER,
}


def run(command, source):
    """What a command prints, or None if it fails."""
    done = subprocess.run([*command, source, "-o", "-"], capture_output=True, text=True,
                          check=False, timeout=60)
    return done.stdout if done.returncode == 0 else None


def bodies(text):
    """{function: its text}"""
    return {m[1].strip('"'): m[0] for m in DEFINED.finditer(text)}


def options(text):
    """Options of the first RUN line that runs the pass, or None."""
    lines = [line for line in RUN.findall(text)
             if "loop-idiom" in line and "vectorize" not in line]
    return OPTION.findall(lines[0]) if lines else None


def remarks(command, path, folder):
    """{function: what was said of its loops}; a failure of opt is said of all."""
    file = os.path.join(folder, "remarks.yaml")
    if os.path.exists(file):
        os.remove(file)
    said = {}
    if run([*command, f"-memlift-remarks={file}"], path) is None:
        said[None] = ["FAILED"]
    elif os.path.exists(file):
        with open(file, encoding="utf-8") as stream:
            for document in stream.read().split("--- ")[1:]:
                for function, *rest in SAID.findall(document):
                    said.setdefault(function, []).append(" ".join(rest))
    return said


def taken(said):
    """Tell whether a loop of the function was changed."""
    return any(s.split()[1] in DONE for s in said if " " in s)


def judge(path, opt, plugin, folder):
    """Yields (function, apart, what was said) of the positives of a file."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    flags = options(text)
    before = flags is not None and run([opt, *flags, "-passes=verify", "-S"], path)
    after = before and run([opt, *flags, "-passes=function(loop(loop-idiom))", "-S"], path)
    if not after:
        return
    command = [opt, *flags, f"-load-pass-plugin={plugin}", "-S"]
    said = [remarks(command + passes, path, folder) for passes in OURS]
    old, new = bodies(before), bodies(after)
    for function, body in new.items():
        if len(MADE.findall(body)) <= len(MADE.findall(old.get(function, ""))):
            continue
        told = [s.get(function, s.get(None, [])) for s in said]
        yield (function, APART.search(old[function]) is not None,
               told[0] if taken(told[0]) or not told[1] else told[1])


def main():
    every = "--all" in sys.argv
    folder, opt, plugin = [a for a in sys.argv[1:] if a != "--all"]
    count = {"positive": 0, "taken": 0, "apart": 0, "kept": 0, "FAILED": 0}
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.ll"), recursive=True)):
            for function, apart, said in judge(path, opt, plugin, work):
                why = KEPT.get((os.path.basename(path), function))
                row = "apart" if apart else "kept" if why else "positive"
                count[row] += 1
                count["taken"] += taken(said) and row == "positive"
                count["FAILED"] += "FAILED" in said or (taken(said) and row == "kept")
                if every or (not apart and not taken(said)):
                    print(f"  {os.path.relpath(path, folder)} {function}: "
                          f"{'; '.join(said) or 'no remark'}{' (apart)' if apart else ''}"
                          f"{f' (kept: {why})' if why else ''}")
    print(f"{count['positive']} functions that LLVM's pass lowers and memlift may, "
          f"{count['taken']} of them taken; {count['apart']} atomic or in another address space; "
          f"{count['kept']} that may not be lowered; {count['FAILED']} failures")
    return 1 if count["FAILED"] else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main())
