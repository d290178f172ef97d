#!/usr/bin/env python3
# sentences.py - no sentence of a message's text, advice or explanation has more than 25 words
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the length of the sentences in intrinsics/generated/diagnostics.json.

usage: sentences.py REPOSITORY
exit codes: 0 all are short enough, 1 some are not, 2 bad usage
"""
import json
import re
import sys
from pathlib import Path

MOST_WORDS = 25


def sentences(text):
    """The sentences of a text; a dot within a name or a number ends none."""
    return re.split(r"(?<=[.!?])\s+", text.strip())


def too_long(diagnostics):
    for item in diagnostics:
        for part in ("text", "advice", "why"):
            for sentence in sentences(item[part]):
                count = len(sentence.split())
                if count > MOST_WORDS:
                    yield f"{item['code']} {part}: {count} words: {' '.join(sentence.split())}"


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path = Path(sys.argv[1]) / "intrinsics" / "generated" / "diagnostics.json"
    diagnostics = json.loads(path.read_text(encoding="utf-8"))["diagnostics"]
    found = list(too_long(diagnostics))
    for line in found:
        print(line)
    if not diagnostics or found:
        print(f"{path}: {len(found)} sentences of {len(diagnostics)} messages have more than "
              f"{MOST_WORDS} words", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
