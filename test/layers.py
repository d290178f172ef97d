#!/usr/bin/env python3
# layers.py - files include those of lower layers only, and no files include each other
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: layers.py DIRECTORY

DIRECTORY is runtime/ or idioms/. A module is NAME.c or NAME.cpp with NAME.h, and with a header that
they alone include. Modules that include each other, directly or through others, can be neither
understood nor changed one by one.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
# Directories and modules, lowest first. Those that are not listed are above all.
LAYERS = {
    "runtime": ["include", "config", "queue", "kernels", "engine", "entry", "async", "tasks"],
    "idioms": ["flatmap diag knownzero expr function loop loop_text loop_lexer loop_parser "
               "loop_parse loop_parse_expr loop_print source_text cycles useraccess",
               "algebra", "align", "recognize", "decide", "verify", "judge", "drive", "remark",
               "asyncremark"],
}[ROOT.resolve().name]
EXCEPTIONS = {("queue/watch.c", "kernels/riscv64/features_riscv64.h"),  # which cores can watch
              ("engine/soft/soft.h", "model/soft_device.h")}  # this device is in the library


def included(path):
    """The files of DIRECTORY that a file includes."""
    text = (ROOT / path).read_text(encoding="utf-8")
    names = re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)
    found = {os.path.normpath(os.path.join(os.path.dirname(path), name)) for name in names}
    return {name for name in found if (ROOT / name).is_file() and not name.startswith("..")}


def layer(path):
    top = path.split("/")[0].split(".")[0]
    return next((i for i, names in enumerate(LAYERS) if top in names.split()), len(LAYERS))


def modules(includes):
    """For each module the others that it includes."""
    module = {path: path.rsplit(".", 1)[0] for path in includes}
    for path in includes:
        users = {module[user] for user, names in includes.items() if path in names}
        own = {path[:-1] + "c", path[:-1] + "cpp"} & includes.keys()
        if path.endswith(".h") and not own and len(users) == 1:
            module[path] = users.pop()
    return {name: {module[other] for path in includes if module[path] == name
                   for other in includes[path]} - {name} for name in module.values()}


def circle(graph):
    """The modules that are in a circle, or between two of them."""
    while True:
        used = set().union(*graph.values())
        rest = {name: others & graph.keys() for name, others in graph.items()
                if others & graph.keys() and name in used}
        if rest == graph:
            return sorted(rest)
        graph = rest


def main():
    files = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
             if path.suffix in (".c", ".h", ".cpp")]
    includes = {path: included(path) for path in files}
    wrong = [f"{path} includes {name}, of a higher layer"
             for path, names in sorted(includes.items()) for name in sorted(names)
             if layer(name) > layer(path) and (path, name) not in EXCEPTIONS]
    # recognize.cpp uses the steps, whose header includes recognize.h: in C++ headers alone count.
    headers = {path: names for path, names in includes.items() if not path.endswith(".cpp")}
    wrong += [f"{name} is in a circle of includes" for name in circle(modules(headers))]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
