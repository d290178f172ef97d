# cli.py - the entry of memlift-report: which command, and how it ends.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import gc
import os
import sys

from . import ReportError, __version__, commands, gates


def suggest(arguments: list[str]) -> int:
    from .suggest import command  # other commands need none of what it imports
    return command.show(arguments)


def run(arguments: list[str]) -> int:
    named = {**commands.COMMANDS, **gates.COMMANDS, "suggest": suggest}
    if arguments and arguments[0] in named:
        status = named[arguments[0]](arguments[1:])
    elif "--version" in arguments:
        print(f"memlift-report {__version__}")
        status = 0
    else:
        status = commands.show(arguments)
    sys.stdout.flush()
    return status


def main(arguments: list[str] | None = None) -> int:
    sys.stdout.reconfigure(errors="backslashreplace")
    # A run makes objects by the hundred thousand and drops none of them before its end.
    gc.disable()
    try:
        return run(sys.argv[1:] if arguments is None else arguments)
    except ReportError as error:
        lines = str(error).split("\n")
        print(f"memlift-report: error: {lines[0]}", file=sys.stderr)
        for line in lines[1:]:
            print(f"memlift-report: note: {line}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (head, a pager) has seen enough; Python must not complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def entry() -> None:
    """A run as a program. What it read is not taken apart object by object at its end."""
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
