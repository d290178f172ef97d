# options.py - what the words of the command line mean; those that several commands share.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, TextIO

from . import ReportError, explain, model
from .diff import KINDS
from .select import Filter
from .source import NoSources, Sources, map_of

FORMATS = ("text", "json", "md", "csv", "sarif", "html")


class Parser(argparse.ArgumentParser):
    def __init__(self, help_text: str, command: str = ""):
        super().__init__(prog=f"memlift-report {command}".strip(), allow_abbrev=False)
        self.help_text = help_text

    def format_help(self) -> str:
        return self.help_text

    def error(self, message: str) -> NoReturn:
        raise ReportError(f"{message}\nmemlift-report --help says what there is [MLF0001]")


def words_of(option: str, allowed: tuple[str, ...]):
    """Type of an option that takes words of a list with commas between them."""
    def parse(text: str) -> tuple[str, ...]:
        words = tuple(text.split(","))
        for word in words:
            if word not in allowed:
                raise ReportError(f"bad value '{word}' for option '{option}': expected "
                                  f"{', '.join(allowed)} [MLF0002]")
        return words
    return parse


def any_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(",") if word)


def codes(text: str) -> tuple[str, ...]:
    return tuple(explain.find(word)["code"] for word in text.split(","))


def count(text: str) -> int:
    if not text.isdigit():
        raise ReportError(f"bad value '{text}' for a number: expected 0 or more [MLF0002]")
    return int(text)


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1e6:
        raise ReportError(f"bad value '{text}' for option '--every': expected seconds [MLF0002]")
    return value


class Join(argparse.Action):
    """Lets an option be given again: its values are joined."""

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, getattr(namespace, self.dest) + values)


def add_filters(parser: Parser) -> None:
    for option, dest, kind in (
            ("--only", "only", words_of("--only", model.DECISIONS)), ("--file", "file", any_words),
            ("--function", "function", any_words), ("--idiom", "idiom", any_words),
            ("--code", "code", codes)):
        parser.add_argument(option, dest=dest, type=kind, action=Join, default=())


def filter_of(options: argparse.Namespace) -> Filter:
    return Filter(options.file, options.function, options.idiom, options.only, options.code)


def add_sources(parser: Parser) -> None:
    parser.add_argument("--source", action="append", default=[])
    parser.add_argument("--source-map", action="append", default=[], type=map_of)
    parser.add_argument("--no-source", action="store_true")


def sources_of(options: argparse.Namespace) -> Sources:
    if options.no_source:
        return NoSources()
    return Sources(options.source, options.source_map)


def add_output(parser: Parser, formats: tuple[str, ...]) -> None:
    parser.add_argument("--format", choices=formats, default="text")
    parser.add_argument("-o", "--output", metavar="FILE", default="-")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def fail_on() -> dict:
    """Arguments of the option --fail-on."""
    return {"type": words_of("--fail-on", (*KINDS, "none")), "default": ("lost",)}


@contextmanager
def output(path: str) -> Iterator[TextIO]:
    """Standard output for '-', else a file that has its name only when it is whole."""
    if path == "-":
        yield sys.stdout
        return
    import os
    part = path + ".part"
    try:
        with open(part, "w", encoding="utf-8", newline="") as stream:
            yield stream
        os.replace(part, path)
    except OSError as error:
        raise ReportError(f"'{path}' cannot be written: {error.strerror} [MLF0007]") from None
