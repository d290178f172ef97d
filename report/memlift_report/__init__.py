# __init__.py - memlift-report: reads remark files and nothing else.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of the decisions on loops that copy, fill or checksum memory, with the reasons.

read, remarkyaml, bitstream   remark files to loops, with loud failures
model                         loops: proof chain, folding, order, counts
select                        filters, order, and the files of the source
pair, diff, baseline          two reports beside each other; a report beside memlift.lock
explain                       the long text of a code
render                        loops to what people and tools look at
cli, commands                 the command line
"""

__version__ = "0.1.0"


class ReportError(Exception):
    """Error that makes the command stop with exit code 2; the text is for the user."""
