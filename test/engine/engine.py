#!/usr/bin/env python3
# engine.py - what is checked of engines by other people's tools
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check what other people's tools can check of engines.

  ring       the ring, its doorbell and its events (ring.pml), and the operations that are under way
             (hub.pml), model-checked by Spin
  firmware   examples/firmware, booted on QEMU's models of boards that have DMA engines
  harts      examples/firmware-tasks, booted on those with five harts
  costs      instructions and bytes that tasks take there, beside what they took before

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 a tool is not installed
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "realcode"))
# pylint: disable=wrong-import-position
import costs  # noqa: E402
import firmware  # noqa: E402
import harts  # noqa: E402
import ring  # noqa: E402
from packages import get, missing  # noqa: E402

# Part -> what runs it, and the Debian packages that it needs.
PARTS = {"ring": (lambda build: ring.run(), ["spin", "gcc-12"]),
         "firmware": (firmware.run, firmware.PACKAGES),
         "harts": (harts.run, harts.PACKAGES),
         "costs": (costs.run, harts.PACKAGES)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), metavar="FOLDER",
                        help="where memlift has been built (default: build)")
    parser.add_argument("--install", action="store_true",
                        help="install the Debian packages that it needs, and stop")
    parser.add_argument("part", nargs="*", help=f"only these parts, of {', '.join(PARTS)}")
    arguments = parser.parse_args()
    parts = arguments.part or list(PARTS)
    for part in parts:
        if part not in PARTS:
            parser.error(f"no part '{part}'; there are: {', '.join(PARTS)}")
    needs = sorted({need for part in parts for need in PARTS[part][1]})
    if arguments.install:
        return get("engine", needs)
    if missing(needs):
        print(f"engine: skipped: it needs {' '.join(missing(needs))} (--install)")
        return 77
    good = True
    for part in parts:
        good &= PARTS[part][0](arguments.build.resolve())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
