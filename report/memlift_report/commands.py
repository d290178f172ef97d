# commands.py - the commands that look at one build: the report, stats, alignment, explain.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import os
import sys

from . import ReportError, alignment, explain, model, options, read, select
from .manual import HELP
from .render import alignment as alignment_text
from .render import data, sarif, terminal
from .source import Sources


def why_nothing(found: read.Input, paths: list[str]) -> str:
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


def check_codes(loops: list[model.Loop]) -> None:
    """A code that is not known here is of a newer memlift, whose meaning nobody may guess."""
    known = explain.codes()
    for loop in loops if known else ():
        if loop.code not in known:
            raise ReportError(
                f"unknown code '{loop.code}' in a remark of {loop.file or loop.function} "
                "[MLF0008]\nthe remarks are of another version of memlift: use the "
                "memlift-report that was installed with the plugin")


def load(paths: list[str]) -> model.Report:
    found = read.read_paths(paths)
    if not found.loops:
        raise ReportError(why_nothing(found, paths))
    check_codes(found.loops)
    return model.build(found.loops)


def write_report(report: model.Report, chosen: argparse.Namespace, sources: Sources,
                 ranked: bool) -> None:
    with options.output(chosen.output) as out:
        if chosen.format == "json":
            data.dump(data.report_data(report), out)
        elif chosen.format == "csv":
            data.render_csv(report, out)
        elif chosen.format == "md":
            data.render_markdown(report, out)
        elif chosen.format == "sarif":
            data.dump(sarif.log_of(report, chosen.max_results, chosen.help_uri), out)
        elif chosen.format == "html":
            from .render import html  # Jinja2 is needed for this alone
            html.render(report, out, sources, chosen)
        else:
            terminal.render(report, out, sources, chosen.verbose, chosen.color, ranked)


def show(arguments: list[str]) -> int:
    """The report itself."""
    parser = options.Parser(HELP)
    parser.add_argument("-v", "--verbose", action="count", default=0)
    options.add_filters(parser)
    options.add_sources(parser)
    options.add_output(parser, options.FORMATS)
    parser.add_argument("--sort", choices=("auto", "place", "rank"), default="auto")
    parser.add_argument("--each-copy", action="store_true")
    parser.add_argument("--max-results", type=options.count, default=sarif.MOST_RESULTS)
    parser.add_argument("--help-uri", default="")
    parser.add_argument("--title", default="")
    parser.add_argument("--perf", action="append", default=[])
    parser.add_argument("--before", action="append", default=[])
    parser.add_argument("--assembly", action="append", default=[])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    report = load(chosen.paths)
    sources = options.sources_of(chosen)
    if chosen.perf:
        from . import perf  # and all that reads sources
        report.samples = perf.apply(report.loops, chosen.perf, sources)
    if not chosen.each_copy:
        loops, report.copies = model.fold_copies(report.loops)
        report.loops = loops
    ranked = chosen.sort == "rank" or (chosen.sort == "auto" and select.is_ranked(report.loops))
    report = select.select(report, options.filter_of(chosen), ranked)
    if chosen.source_map or chosen.source or chosen.format == "html":
        sources.must_have(list(report.files))
    write_report(report, chosen, sources, ranked)
    return 0


def show_alignment(arguments: list[str]) -> int:
    parser = options.Parser(HELP, "alignment")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--source", action="append", default=[])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    for folder in chosen.source:
        if not os.path.isdir(folder):
            raise ReportError(f"'{folder}' cannot be read: no such folder [MLF0007]")
    report = load(chosen.paths)
    calls = alignment.calls_of(report, [".", *chosen.source], chosen.source)
    if not calls:
        raise ReportError(f"no call in {len(report.loops)} remark(s): loops only, or remarks of "
                          "an older version")
    if chosen.json:
        data.dump(alignment.as_data(calls), sys.stdout)
    else:
        alignment_text.render(calls, sys.stdout, chosen.verbose)
    return 0


def show_explanation(arguments: list[str]) -> int:
    if any(word in ("-h", "--help") for word in arguments):
        sys.stdout.write(HELP)
    elif any(word.startswith("-") for word in arguments):
        raise ReportError("explain takes codes only; memlift-report --help [MLF0001]")
    else:
        sys.stdout.write(explain.explain(arguments))
    return 0


def show_stats(arguments: list[str]) -> int:
    """Counts alone: by file, idiom, decision and code."""
    from .render import stats
    parser = options.Parser(HELP, "stats")
    options.add_filters(parser)
    options.add_output(parser, ("text", "json"))
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    report = select.select(load(chosen.paths), options.filter_of(chosen), False)
    with options.output(chosen.output) as out:
        if chosen.format == "json":
            data.dump({"format": data.FORMAT, **data.summary_data(report),
                       "by_file": stats.by_file(report)}, out)
        else:
            stats.render(report, out)
    return 0


COMMANDS = {"alignment": show_alignment, "explain": show_explanation, "stats": show_stats}
