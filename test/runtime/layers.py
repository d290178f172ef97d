#!/usr/bin/env python3
# layers.py - a directory of the runtime includes lower ones only, and no files include each other
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: layers.py RUNTIME_DIR

A module is NAME.c with NAME.h, and with a header that they alone include. Modules that include each
other, directly or through others, can be neither understood nor changed one by one.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
# Lowest first. Directories and files that are not listed, as model/ and describe.c, are above all.
LAYERS = ["include", "config.h", "queue", "kernels", "engine", "entry", "async"]
EXCEPTIONS = {("queue/watch.c", "kernels/riscv64/features_riscv64.h"),  # which cores can watch
              ("engine/soft/soft.h", "model/soft_device.h")}  # this device is in the library


def included(path):
    """The files of the runtime that a file includes."""
    text = (ROOT / path).read_text(encoding="utf-8")
    names = re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)
    found = {os.path.normpath(os.path.join(os.path.dirname(path), name)) for name in names}
    return {name for name in found if (ROOT / name).is_file() and not name.startswith("..")}


def layer(path):
    top = path.split("/")[0]
    return LAYERS.index(top) if top in LAYERS else len(LAYERS)


def modules(includes):
    """For each module the others that it includes."""
    module = {path: path.rsplit(".", 1)[0] for path in includes}
    for path in includes:
        users = {module[user] for user, names in includes.items() if path in names}
        if path.endswith(".h") and path[:-1] + "c" not in includes and len(users) == 1:
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
    files = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.[ch]")]
    includes = {path: included(path) for path in files}
    wrong = [f"{path} includes {name}, of a higher layer"
             for path, names in sorted(includes.items()) for name in sorted(names)
             if layer(name) > layer(path) and (path, name) not in EXCEPTIONS]
    wrong += [f"{name} is in a circle of includes" for name in circle(modules(includes))]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
