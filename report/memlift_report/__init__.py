# __init__.py - memlift-report: reads remark files and nothing else.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of each loop that copies or fills memory, and why.

read     remark files to records, with loud failures
model    records to loops: proof chain, folding, order, counts
explain  the long text of a code
render   loops to what people look at
cli      the command line
"""

__version__ = "0.1.0"


class ReportError(Exception):
    """What makes the command stop with exit code 2; the text is for the user."""
