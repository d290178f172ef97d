# written.py - the mem* calls written in the source, by what memlift said of them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts places in the source as ARC's Linux port counted its own: memlift-report does the work.

A call of 1, 2, 4 or 8 bytes that LLVM makes an access of at once is among them (count-calls), with
the alignment that was known by then; GCC folds such calls while it reads the source, so that they
are missing of its kernels. A place whose code the compiler removed is not there at all.
"""

import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "report"))
# pylint: disable=wrong-import-position
from memlift_report import alignment, model, read


def written(root, remarks, source="linux"):
    """{operation: numbers by places} of the remark files, of what is built from root/source."""
    root = os.path.realpath(root)
    report = model.build(read.read_paths([remarks]).loops)
    headers = [os.path.join(root, source, "include"),
               os.path.join(root, source, "arch", "riscv", "include")]
    # Clang's names are relative to the root; GCC's are whole, or start where we are.
    calls = alignment.calls_of(report, [root, os.curdir], headers)
    return {name: alignment.places([call for call in calls if call.operation == name
                                    and call.origin == alignment.WRITTEN])
            for name in ("memset", "memcpy", "memmove")}


def main():
    """For a build that is not complete: ROOT REMARKS."""
    for name, numbers in written(*sys.argv[1:]).items():
        whole = numbers["places"] or 1
        print(name, *(f"{key} {value} ({100 * value / whole:.1f} %)"
                      for key, value in numbers.items()), sep="\n  ")


if __name__ == "__main__":
    main()
