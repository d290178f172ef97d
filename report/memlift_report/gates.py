# gates.py - the commands that compare builds: diff, check, update-baseline, watch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import gc
import sys

from . import ReportError, baseline, diff, options, pair
from .commands import load
from .manual import HELP
from .render import changes as changes_of_builds
from .render import data
from .source import NoSources, Sources
from .words import plural

LOCK = "memlift.lock"


def write_changes(changes: list[diff.Change], same: int, chosen: argparse.Namespace) -> None:
    with options.output(chosen.output) as out:
        if chosen.format == "json":
            data.dump(changes_of_builds.diff_data(changes, same), out)
        elif chosen.format == "md":
            changes_of_builds.render_markdown(changes, same, out)
        else:
            changes_of_builds.render_text(changes, same, out, chosen.color)


def show_diff(arguments: list[str]) -> int:
    """Two builds beside each other; 1 if a loop of --fail-on is among the changes."""
    parser = options.Parser(HELP, "diff")
    options.add_filters(parser)
    options.add_sources(parser)
    options.add_output(parser, ("text", "json", "md"))
    parser.add_argument("--source-before", action="append", default=[])
    parser.add_argument("--fail-on", **options.fail_on())
    parser.add_argument("before")
    parser.add_argument("after")
    chosen = parser.parse_args(arguments)
    wanted = options.filter_of(chosen)
    after = options.sources_of(chosen)
    before = Sources(chosen.source_before, chosen.source_map) if chosen.source_before else after
    pairs = pair.pair(*(
        pair.items_of([l for l in load([path]).loops if wanted.passes(l)], sources)
        for path, sources in ((chosen.before, before), (chosen.after, after))))
    changes = diff.changes_of(pairs)
    write_changes(changes, len(pairs) - len(changes), chosen)
    return int(any(change.kind in chosen.fail_on for change in changes))


def items_now(paths: list[str], sources: Sources) -> list[pair.Item]:
    """What a baseline would say of these remarks."""
    items = pair.items_of(load(paths).loops, sources)
    for item in items:
        item.text = baseline.text_hash(item)
    return items


def add_baseline(parser: options.Parser) -> None:
    parser.add_argument("--baseline", default=LOCK, metavar="FILE")
    parser.add_argument("--config", default="default", metavar="NAME")
    options.add_sources(parser)


def check(arguments: list[str]) -> int:
    """A build beside the baseline; 1 if a loop of --fail-on is among the changes."""
    parser = options.Parser(HELP, "check")
    add_baseline(parser)
    options.add_output(parser, ("text", "json", "md"))
    parser.add_argument("--fail-on", **options.fail_on())
    parser.add_argument("--allow", type=options.codes, action=options.Join, default=())
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    known = baseline.read(chosen.baseline)
    if chosen.config not in known:
        raise ReportError(f"'{chosen.baseline}' has no line of the configuration "
                          f"'{chosen.config}' [MLF0002]\nit has: {', '.join(sorted(known))}")
    pairs = pair.pair(known[chosen.config], items_now(chosen.paths, options.sources_of(chosen)))
    changes = [change for change in diff.changes_of(pairs) if not is_allowed(change, chosen.allow)]
    write_changes(changes, len(pairs) - len(changes), chosen)
    return int(any(change.kind in chosen.fail_on for change in changes))


def is_allowed(change: diff.Change, codes: tuple[str, ...]) -> bool:
    return bool(change.new and change.new.decision == "kept"
                and set(change.new.codes) <= set(codes))


def update_baseline(arguments: list[str]) -> int:
    parser = options.Parser(HELP, "update-baseline")
    add_baseline(parser)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    items = items_now(chosen.paths, options.sources_of(chosen))
    came, went = baseline.write(chosen.baseline, chosen.config, items)
    print(f"{chosen.baseline}: {plural(len(items), 'loop')} of {chosen.config}: "
          f"{plural(came, 'line')} new, {went} removed")
    return 0


def watch_build(arguments: list[str]) -> int:
    from .watch import watch
    parser = options.Parser(HELP, "watch")
    parser.add_argument("--every", type=options.seconds, default=1.0)
    parser.add_argument("--rounds", type=options.count, default=0)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(arguments)
    gc.enable()  # it may run for days
    watch(chosen.paths, chosen.every, chosen.rounds, chosen.color, sys.stdout, NoSources())
    return 0


COMMANDS = {"diff": show_diff, "check": check, "update-baseline": update_baseline,
            "watch": watch_build}
