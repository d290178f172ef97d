# cli.py - the command line of memlift-report.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import json
import os
import sys

from . import ReportError, __version__, alignment, explain, model, read
from .render import alignment as alignment_text
from .render import terminal

HELP = """\
NAME
  memlift-report - says what became of each loop that copies or fills memory, and why

SYNOPSIS
  memlift-report [OPTION...] PATH...
  memlift-report alignment [OPTION...] PATH...
  memlift-report explain [CODE...]

DESCRIPTION
  Reads remark files and prints a table for each source file: line and column, function, what the
  loop does (fill, copy, move), what was decided, the code, and the first fact that failed or what
  was done. PATH is a file, or a folder that is searched for *.yaml (among them *.opt.yaml).
  Repeated remarks of one loop are folded and counted as [xN].

  Remark files are written by
    memlift-clang --memlift-remarks=FILE ...       memlift-gcc --memlift-remarks=FILE ...
    clang -fsave-optimization-record ...           (with the plugin; other passes are skipped)

  explain prints the long text of each CODE (MLF2010, 2010 or TripCountUnknown), or lists them all.
  A path that is named explain or alignment is written ./explain.

  alignment counts the calls of memset, memcpy and memmove, and large assignments, by size and by
  what their addresses are proved to be multiples of: how many became words in place of a call, by
  memlift or by the compiler alone. Calls that the compiler made (of initialisers, of loops) are
  told from those that were written where the source is found: here, or below --source DIR, whose
  headers tell which macros call one. Written ones are also counted by their places in the source.

OPTIONS
  -v, --verbose        each loop with its whole proof: every fact with its verdict, what was
                       needed, what was found, the evidence; then suggestions
  --only DECISION[,DECISION...]
                       only loops with these decisions
  --source DIR         alignment: source files are below DIR (may be given again)
  --json               alignment: print JSON: totals, tables, and each call
  --color WHEN         auto (a terminal, and NO_COLOR is not set), always, never
  --version            print the version and stop
  -h, --help           print this and stop

  Decisions are: kept (the loop stays), guarded (a call if a run-time check passes), lowered
  (a call), inlined (a few accesses in place), offloaded (a coprocessor), already (done by the
  compiler).
  A suggestion was tried: with it the decision changes. Advice is general, and was not.

EXIT STATUS
  0  the report was printed
  2  bad usage, a file that cannot be read or is cut off, or no remark of memlift at all

EXAMPLE
  memlift-clang -O2 -g --memlift-remarks=x.yaml -c x.c && memlift-report x.yaml
"""


class Parser(argparse.ArgumentParser):
    def format_help(self):
        return HELP

    def error(self, message):
        raise ReportError(f"{message}\nmemlift-report --help says what there is [MLF0001]")


def decisions(text):
    words = text.split(",")
    for word in words:
        if word not in model.DECISIONS:
            raise ReportError(f"bad value '{word}' for option '--only': expected "
                              f"{', '.join(model.DECISIONS)} [MLF0002]")
    return words


def parse(arguments):
    parser = Parser(prog="memlift-report", allow_abbrev=False)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--only", type=decisions, default=())
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("--version", action="version", version=f"memlift-report {__version__}")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    return parser.parse_args(arguments)


def why_nothing(found, paths):
    """No remark of memlift at all: silence must never be mistaken for 'no loops'."""
    where = ", ".join(f"'{path}'" for path in paths)
    if found.files == 0:
        return (f"no remark file in {where}\n"
                "compile with --memlift-remarks=FILE (wrappers) or -fsave-optimization-record "
                "(clang with the plugin)")
    if found.other_remarks:
        return (f"no remark of memlift in {where}, though {found.other_remarks} of other passes\n"
                "likely cause: compiled without the plugin (use memlift-clang or memlift-gcc), or "
                "with --memlift-off")
    return (f"no remark of memlift in {where}: {found.empty_files} file(s), all empty\n"
            "likely cause: compiled at -O0, no loop or call that touches memory, or the compiler "
            "stopped with an error")


def report(arguments):
    options = parse(arguments)
    found = read.read_paths(options.paths)
    if not found.loops:
        raise ReportError(why_nothing(found, options.paths))
    wanted = [l for l in found.loops if not options.only or l.decision in options.only]
    result = model.build(wanted)
    terminal.render(result, sys.stdout, options.verbose, options.color)


def report_alignment(arguments):
    parser = Parser(prog="memlift-report", allow_abbrev=False)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--source", action="append", default=[])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    options = parser.parse_args(arguments)
    for folder in options.source:
        if not os.path.isdir(folder):
            raise ReportError(f"'{folder}' cannot be read: no such folder [MLF0007]")
    found = read.read_paths(options.paths)
    if not found.loops:
        raise ReportError(why_nothing(found, options.paths))
    calls = alignment.calls_of(model.build(found.loops), [".", *options.source], options.source)
    if not calls:
        raise ReportError(f"no call in {len(found.loops)} remark(s): loops only, or remarks of "
                          "an older version")
    if options.json:
        json.dump(alignment.as_data(calls), sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        alignment_text.render(calls, sys.stdout, options.verbose)


def run(arguments):
    if arguments[:1] == ["alignment"]:
        report_alignment(arguments[1:])
    elif arguments[:1] == ["explain"]:
        words = arguments[1:]
        if any(word in ("-h", "--help") for word in words):
            sys.stdout.write(HELP)
        elif any(word.startswith("-") for word in words):
            raise ReportError("explain takes codes only; memlift-report --help [MLF0001]")
        else:
            sys.stdout.write(explain.explain(words))
    else:
        report(arguments)
    sys.stdout.flush()
    return 0


def main(arguments):
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return run(arguments)
    except ReportError as error:
        lines = str(error).split("\n")
        print(f"memlift-report: error: {lines[0]}", file=sys.stderr)
        for line in lines[1:]:
            print(f"memlift-report: note: {line}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (head, a pager) has seen enough; Python must not complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
