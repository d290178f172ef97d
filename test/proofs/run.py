#!/usr/bin/env python3
# run.py - proves the algebra of every family with Z3, within bounds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [PART OF A NAME]: exit status 0 all proved and all twins refuted, 1 not, 77 no Z3."""

import os
import sys

DEBIAN = "/usr/bin/python3"  # which Debian's python3-z3 belongs to, whatever python3 this is

try:
    import z3  # noqa: F401 pylint: disable=unused-import
except ImportError:
    if os.path.exists(DEBIAN) and "MEMLIFT_PROOFS_AGAIN" not in os.environ:
        os.environ["MEMLIFT_PROOFS_AGAIN"] = "1"
        os.execv(DEBIAN, [DEBIAN, "-B"] + sys.argv)
    print("proofs: skipped: this Python has no z3 module (python3-z3)")
    sys.exit(77)

# The modules register their proofs.
import copies  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
import crcs  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
import modulo  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
import ones  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import
import proof  # noqa: E402 pylint: disable=wrong-import-position
import sums  # noqa: E402,F401 pylint: disable=wrong-import-position,unused-import

failures = proof.run(sys.argv[1] if len(sys.argv) > 1 else "")
print(f"proofs: {len(proof.PROOFS)} registered, {failures} failed")
sys.exit(1 if failures else 0)
