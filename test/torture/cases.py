# cases.py - the cases of GCC's own test suite, and what their comments ask for
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds gcc.c-torture/execute and the loop-distribution tests in Debian's gcc-12-source, and
reads of their DejaGnu comments what a single compilation needs.

Only unconditional options count. What a test requires of a target is not evaluated: a case that
the stock compiler does not compile, or whose program fails there, is no case.
"""

import glob
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field

PACKAGE = "gcc-12-source"
OPTIONS = re.compile(r'\{\s*dg-(?:additional-)?options\s+\{?\s*"([^"]*)"\s*\}?\s*\}')
SCAN = re.compile(r'\{\s*dg-final\s*\{\s*scan-tree-dump(-times|-not|)\s+"((?:[^"\\]|\\.)*)"\s*'
                  r'(\d*)\s*"(\w+)"')


@dataclass(frozen=True)
class Case:
    """A test: its file, the options it asks for, the scans of a dump: (kind, pattern, count)."""
    name: str
    path: str
    options: tuple = ()
    scans: tuple = field(default=())


def unpacked(archive, folder):
    """The testsuite's folder of the package, downloaded and unpacked if it is not here."""
    place = os.path.join(folder, "testsuite")
    if os.path.isdir(place):
        return place
    package = archive.binary(PACKAGE)
    part = os.path.join(folder, "part")
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    subprocess.run(f"dpkg-deb --fsys-tarfile '{package}' | tar -xf - -C '{part}' "
                   "--wildcards './usr/src/gcc-12/gcc-12*.tar.xz'", shell=True, check=True)
    tarball, = glob.glob(os.path.join(part, "usr/src/gcc-12/gcc-12*.tar.xz"))
    subprocess.run(["tar", "-xf", tarball, "-C", part, "--wildcards",
                    "*/gcc/testsuite/gcc.c-torture/execute/*",
                    "*/gcc/testsuite/gcc.dg/tree-ssa/ldist-*"], check=True)
    suite, = glob.glob(os.path.join(part, "gcc-*/gcc/testsuite"))
    os.rename(suite, place)
    shutil.rmtree(part)
    return place


def dejagnu(text):
    """(options, scans) of a test's comments."""
    options = tuple(word for words in OPTIONS.findall(text) for word in words.split())
    scans = tuple((kind, re.sub(r"\\(.)", r"\\\1", pattern), int(count or 1))
                  for kind, pattern, count, dump in SCAN.findall(text) if dump == "ldist")
    return options, scans


def case(path, name):
    """The Case of a file."""
    with open(path, encoding="latin-1") as stream:
        return Case(name, path, *dejagnu(stream.read()))


def find(place):
    """(those to run, those of loop distribution), sorted by name."""
    torture = [case(path, os.path.basename(path)[:-2]) for path in
               sorted(glob.glob(os.path.join(place, "gcc.c-torture/execute/*.c")))
               + sorted(glob.glob(os.path.join(place, "gcc.c-torture/execute/ieee/*.c")))]
    ldist = [case(path, os.path.basename(path)[:-2]) for path in
             sorted(glob.glob(os.path.join(place, "gcc.dg/tree-ssa/ldist-*.c")))]
    return torture, ldist
