# command.py - memlift-report suggest: prints, writes or applies changes that were compiled.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import concurrent.futures
import difflib
import os
import sys
import tempfile
from typing import TextIO

from .. import ReportError, commands, model, options, select
from ..manual import HELP
from ..progress import Progress
from ..render import data
from ..words import plural
from . import headers, recompile
from .search import WORDS, FileSearch, Searched, Suggestion, may_gain, name_of, worth

NO_END = "\\ No newline at end of file\n"


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def diff_of(before: str, after: str, name: str, context: int = 3) -> str:
    """The change in the format of `git apply`; empty if there is none."""
    result = []
    for line in difflib.unified_diff(lines_of(before), lines_of(after), f"a/{name}", f"b/{name}",
                                     n=context):
        result.append(line if line.endswith("\n") else line + "\n" + NO_END)
    head = f"diff --git a/{name} b/{name}\n" if result else ""
    return head + "".join(result)


def patch_root(folder: str) -> str:
    """What names of a patch are relative to: the work tree of git, or where we are."""
    at = folder
    while at != os.path.dirname(at):
        if os.path.exists(os.path.join(at, ".git")):
            return at
        at = os.path.dirname(at)
    return folder


def name_in_patch(path: str, root: str) -> str:
    name = os.path.relpath(path, root)
    if name.startswith(os.pardir):
        raise ReportError(f"'{path}' is not below '{root}', so no patch can name it [MLF0002]\n"
                          "run where the sources are, or use --apply")
    return name.replace(os.sep, "/")


def wanted_files(report: model.Report, sources) -> dict[str, list[model.Loop]]:
    """Loops that have something to gain, by the real path of their file."""
    found: dict[str, list[model.Loop]] = {}
    for loop in report.loops:
        if not may_gain(loop) or not loop.file:
            continue
        place = next((p for p in sources.places(loop.file) if os.path.isfile(p)), None)
        if place is None:
            sources.must_have([loop.file])
        found.setdefault(os.path.realpath(place), []).append(loop)
    return found


def search_file(path: str, loops: list[model.Loop], known: dict[str, recompile.Command],
                scratch: str) -> Searched | None:
    """What helps these loops of one file; None if no command compiles it. Raises ReportError if it
    cannot be compiled as it is."""
    if path in known:
        command, files = known[path], []
    elif found := headers.through(path, known):
        command, files = found
    else:
        return None
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as stream:
            text = stream.read()
    except OSError as error:
        raise recompile.read.unreadable(path, error) from None
    if not recompile.has_plugin(command):
        raise ReportError(f"'{command.compiler}' compiles '{path}' without memlift [MLF0002]\n"
                          "build with memlift-clang or memlift-gcc, or give such a command: "
                          "memlift-report suggest PATH... -- memlift-clang -O2 -c FILE")
    try:
        if not files:
            names = {name_of(loop) for loop in loops}
            search = FileSearch(recompile.Compiler(command, scratch), text)
            return search.run(lambda loop: name_of(loop) in names)
        # Another source file may have put the header's loop into another function.
        places = {(loop.line, loop.column) for loop in loops}
        search = FileSearch(headers.HeaderCompiler(command, files, path, scratch), text)
        result = search.run(lambda loop: (loop.line, loop.column) in places)
        result.through = command.path
        return result
    except OSError as error:
        raise ReportError(f"'{command.path}' does not compile with its command: {error}\n"
                          f"the command is: {' '.join(command.words)}") from None


def render_one(path: str, through: str, found: Suggestion, out: TextIO) -> None:
    loop, now = found.loop, found.now
    print(f"{path}:{loop.line}:{loop.column}: {loop.function}: {loop.idiom or 'none'} "
          f"{loop.decision} [{loop.code}]", file=out)
    for edit in found.edits:
        if edit is found.edits[0] or edit.title != found.edits[0].title:
            print(f"  suggestion: {edit.title}", file=out)
    for promise in dict.fromkeys(edit.promise for edit in found.edits):
        print(f"  right only if: {promise}", file=out)
    words = " as words in place" if worth(now) == WORDS else ""
    print(f"  compiled: {now.idiom or 'none'} {now.decision}{words} [{now.code}]"
          + (f" in {through}, the only file that was tried" if through else ""), file=out)
    for line in diff_of(found.before, found.after, path, 0).split("\n")[3:-1]:
        if line[:1] in "+-":
            print(f"    {line}".rstrip(), file=out)
    print(file=out)


def render(results: dict[str, Searched], skipped: list[str], out: TextIO, verbose: bool) -> None:
    count = left = 0
    for path, result in results.items():
        shown = model.shown_file(path)
        for found in result.suggestions:
            render_one(shown, model.shown_file(result.through), found, out)
        count += len(result.suggestions)
        left += len(result.left)
        for loop, why in result.left if verbose else ():
            print(f"{shown}:{loop.line}:{loop.column}: {loop.function}: no suggestion: {why}",
                  file=out)
    print(f"{plural(count, 'suggestion')}, each compiled, and the decision changed; "
          f"{plural(left, 'loop')} without one", file=out)
    if skipped:
        print(f"not tried: {plural(len(skipped), 'file')} that no command compiles, nor a file "
              f"that includes it, such as {model.shown_file(skipped[0])}", file=out)


def as_data(results: dict[str, Searched], skipped: list[str]) -> dict:
    return {"format": data.FORMAT, "not_tried": [model.shown_file(p) for p in skipped],
            "suggestions": [
                {"file": model.shown_file(path), "line": found.loop.line,
                 "column": found.loop.column, "function": found.loop.function,
                 "loop": found.loop.identity(), "was": [found.loop.decision, found.loop.code],
                 "now": [found.now.decision, found.now.code],
                 "kinds": list(dict.fromkeys(edit.kind for edit in found.edits)),
                 "compiled_in": model.shown_file(result.through or path),
                 "changes": [edit.title for edit in found.edits],
                 "right_only_if": list(dict.fromkeys(edit.promise for edit in found.edits)),
                 "patch": diff_of(found.before, found.after, model.shown_file(path))}
                for path, result in results.items() for found in result.suggestions]}


def search_all(wanted: dict[str, list[model.Loop]], known: dict[str, recompile.Command],
               jobs: int) -> dict[str, Searched]:
    progress = Progress()
    results: dict[str, Searched] = {}
    with tempfile.TemporaryDirectory(prefix="memlift-suggest-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        todo = {path: pool.submit(search_file, path, loops, known, scratch)
                for path, loops in wanted.items()}
        try:
            for number, (path, future) in enumerate(todo.items()):
                progress.say("compiling changes of file", number + 1, len(todo))
                if result := future.result():
                    results[path] = result
        finally:
            pool.shutdown(cancel_futures=True)
            progress.clear()
    return results


def write_patch(results: dict[str, Searched], path: str) -> None:
    root = os.path.realpath(patch_root(os.getcwd()))
    with options.output(path) as out:
        for file, result in results.items():
            out.write(diff_of(result.text, result.after, name_in_patch(file, root)))


def write_files(results: dict[str, Searched]) -> None:
    for path, result in results.items():
        if result.after == result.text:
            continue
        try:
            with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
                stream.write(result.after)
        except OSError as error:
            raise ReportError(
                f"'{path}' cannot be written: {error.strerror} [MLF0007]") from None


def show(arguments: list[str]) -> int:
    """Suggestions that the compiler itself rewards."""
    own, behind = arguments, None
    if "--" in arguments:
        at = arguments.index("--")
        own, behind = arguments[:at], arguments[at + 1:]
    parser = options.Parser(HELP, "suggest")
    options.add_filters(parser)
    options.add_sources(parser)
    options.add_output(parser, ("text", "json"))
    parser.add_argument("-v", "--verbose", action="count", default=0)
    parser.add_argument("-p", dest="database", default=".", metavar="DIR")
    parser.add_argument("-j", dest="jobs", type=options.count, default=os.cpu_count() or 1)
    parser.add_argument("--patch", metavar="FILE", default="")
    parser.add_argument("--apply", action="store_true")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    chosen = parser.parse_args(own)
    known = recompile.database(chosen.database) if behind is None else recompile.given(behind)
    report = select.select(commands.load(chosen.paths), options.filter_of(chosen), False)
    wanted = wanted_files(report, options.sources_of(chosen))
    results = search_all(wanted, known, max(chosen.jobs, 1))
    skipped = [path for path in wanted if path not in results]
    if chosen.patch:
        write_patch(results, chosen.patch)
    if chosen.apply:
        write_files(results)
    if chosen.patch == "-":
        return 0
    with options.output(chosen.output) as out:
        if chosen.format == "json":
            data.dump(as_data(results, skipped), out)
        else:
            render(results, skipped, out, bool(chosen.verbose))
    sys.stdout.flush()
    return 0
