"""debug-values.py - stops gdb at the lines of a program that say so, and compares what it prints

usage: debug-values.py [--shown NAME] SOURCE PROGRAM
A line `...; // stop: NAME VALUE, ...` names expressions and their values there. Each may be gone
instead ("optimized out"), but NAME of --shown. Half of the lines have to be reached: optimised
code has no place for some of them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess
import sys
import tempfile

arguments = sys.argv[1:]
shown = arguments.pop(1) if arguments[0] == "--shown" else None
source, program = arguments[-2:]

wanted = []  # (line, expression, value)
with open(source, encoding="utf-8") as text:
    for number, line in enumerate(text, 1):
        if found := re.search(r"; // stop: (.*)", line):
            wanted += [(number, *item.rsplit(" ", 1)) for item in found[1].split(", ")]
lines = sorted({number for number, _, _ in wanted})

# Runs in gdb: wherever it stops, what each expression of that line is.
SCRIPT = f"""
import gdb
gdb.execute("set confirm off")
for line in {lines!r}:
    gdb.Breakpoint(str(line))
gdb.execute("run", to_string=True)
while gdb.selected_thread():
    line = gdb.selected_frame().find_sal().line
    for at, name, _ in {wanted!r}:
        if at == line:
            try:
                told = gdb.parse_and_eval("(long)(" + name + ")").format_string()
            except gdb.error as error:
                told = str(error)
            print("at", line, name + ":", told)
    gdb.execute("continue", to_string=True)
"""
with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
    script.write(SCRIPT)
    script.flush()
    out = subprocess.run(["gdb", "-nx", "-batch", "-x", script.name, program],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         check=False)
wrong, reached = 0, set()
for number, name, value in wanted:
    answers = re.findall(rf"^at {number} {re.escape(name)}: (.*)$", out.stdout, re.M)
    reached.update([number] if answers else [])
    for told in answers or (["nothing"] if name == shown else []):
        gone = "optimized out" in told or "No symbol" in told
        if told != value and (not gone or name == shown):
            print(f"{source}:{number}: {name} is {value}, gdb says {told}")
            wrong += 1
if wrong or len(reached) * 2 < len(lines):
    print(out.stdout, out.stderr)
    sys.exit(1)
