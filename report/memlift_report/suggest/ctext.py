# ctext.py - C and C++ text as words: which statement, loop and function stand where.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enough of C's syntax to change a loop where it stands.

The text is cut into words with their offsets. Nothing is expanded: a preprocessor line is one word
that is left out, and what does not look like C gives None. Each change is compiled before anyone
sees it, so a wrong guess here costs a suggestion and nothing else.
"""
from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field

WORD = re.compile(r"""
    (?P<space>\s+|//(?:\\\r?\n|[^\n])*|/\*.*?\*/)
  | (?P<line>^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n])*)
  | (?P<text>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
  | (?P<name>[^\W\d]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
  | (?P<sign>->|\+\+|--|<<=|>>=|<=|>=|==|!=|&&|\|\||<<|>>|::|[-+*/%&|^]=|\.\.\.|.)
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
CLOSES = {"(": ")", "[": "]", "{": "}"}
LOOPS = ("for", "while", "do")
# A parenthesis behind one of these opens no list of parameters.
CONTROL = frozenset(("if", "for", "while", "switch", "return", "sizeof", "catch"))
NOT_PARAMETERS = frozenset(("__attribute__", "__attribute", "__declspec", "asm", "__asm__",
                            "noexcept", "alignas", "_Alignas", "throw", "requires"))
KEYWORDS = CONTROL | frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "goto", "inline", "int", "long", "register", "restrict", "short", "signed",
    "static", "struct", "typedef", "union", "unsigned", "void", "volatile", "_Bool", "bool"))


@dataclass(slots=True)
class Word:
    kind: str  # text, name, number or sign
    text: str
    start: int
    end: int


@dataclass(slots=True)
class LoopText:
    """A loop statement; all numbers are indices of words, ends are behind the last one.

    parts are those between the parentheses: three of a `for`, else the condition.
    """
    keyword: str
    first: int
    end: int
    parts: list[tuple[int, int]]
    body: tuple[int, int]


@dataclass(slots=True)
class Parameter:
    name: str
    at: int  # index of the word that is the name
    words: list[str]

    @property
    def is_pointer(self) -> bool:
        return "*" in self.words


@dataclass(slots=True)
class FunctionText:
    name: str
    parameters: list[Parameter]
    open: int  # of the body's braces
    close: int


@dataclass(slots=True)
class Text:
    """The text of one file, and its words."""
    text: str
    words: list[Word] = field(default_factory=list)
    partner: dict[int, int] = field(default_factory=dict)  # of brackets, both ways
    lines: list[int] = field(default_factory=list)  # offset of each line
    found: list[LoopText] | None = None  # see loops

    def __post_init__(self) -> None:
        for found in WORD.finditer(self.text):
            if found.lastgroup not in ("space", "line"):
                self.words.append(Word(found.lastgroup or "", found.group(), *found.span()))
        self.lines = [0, *(found.end() for found in re.finditer("\n", self.text))]
        stack: list[int] = []
        for at, word in enumerate(self.words):
            if word.kind != "sign":
                continue
            if word.text in CLOSES:
                stack.append(at)
            elif stack and word.text == CLOSES[self.words[stack[-1]].text]:
                start = stack.pop()
                self.partner[start], self.partner[at] = at, start

    def says(self, at: int, *texts: str) -> bool:
        return 0 <= at < len(self.words) and self.words[at].text in texts

    def offset(self, line: int) -> int:
        return self.lines[line - 1] if 0 < line <= len(self.lines) else len(self.text)

    def line(self, at: int) -> int:
        """Line of a word, from 1."""
        return bisect.bisect_right(self.lines, self.words[at].start)

    def between(self, start: int, end: int) -> str:
        """Text from one word up to the last before another."""
        return self.text[self.words[start].start:self.words[end - 1].end] if start < end else ""

    def indent(self, at: int) -> str:
        """Blanks before the first word of a word's line."""
        start = self.offset(self.line(at))
        return re.match(r"[ \t]*", self.text[start:]).group(0)  # type: ignore[union-attr]

    def names(self, start: int, end: int) -> list[str]:
        """Names of the words that are no member's, each once."""
        return list(dict.fromkeys(
            word.text for at, word in enumerate(self.words[start:end], start)
            if word.kind == "name" and word.text not in KEYWORDS
            and not self.says(at - 1, ".", "->")))

    def split(self, start: int, end: int, sign: str) -> list[tuple[int, int]]:
        """Ranges between signs that are in no brackets."""
        parts, at, first = [], start, start
        while at < end:
            if self.says(at, sign):
                parts.append((first, at))
                first = at + 1
            at = self.partner[at] if self.words[at].text in CLOSES and at in self.partner else at
            at += 1
        return [*parts, (first, end)]

    def statement_end(self, at: int) -> int | None:
        """Index behind the statement that begins here, or None if it is not understood."""
        if not 0 <= at < len(self.words):
            return None
        word = self.words[at].text
        if word == "{":
            return self.partner[at] + 1 if at in self.partner else None
        if word in ("if", "for", "while", "switch") and self.partner.get(at + 1):
            end = self.statement_end(self.partner[at + 1] + 1)
            if word == "if" and end and self.says(end, "else"):
                end = self.statement_end(end + 1)
            return end
        if word == "do":
            end = self.statement_end(at + 1)
            if not (end and self.says(end, "while") and end + 1 in self.partner):
                return None
            return self.partner[end + 1] + 2
        while at < len(self.words):
            word = self.words[at].text
            if word == ";":
                return at + 1
            if word == "}" or word in CLOSES and at not in self.partner:
                return None
            at = self.partner[at] + 1 if word in CLOSES else at + 1
        return None

    def loop(self, at: int) -> LoopText | None:
        """The loop that begins with this word."""
        keyword, end = self.words[at].text, self.statement_end(at)
        if keyword not in LOOPS or end is None:
            return None
        if keyword == "do":
            body_end = self.statement_end(at + 1)
            if body_end is None:
                return None
            return LoopText(keyword, at, end, [(body_end + 2, end - 2)], (at + 1, body_end))
        close = self.partner[at + 1]
        parts = self.split(at + 2, close, ";")
        if keyword == "for" and len(parts) != 3:
            return None
        return LoopText(keyword, at, end, parts, (close + 1, end))

    def is_loop(self, at: int) -> bool:
        """False also for the `while` that ends a `do`, which is no statement of its own."""
        if self.words[at].kind != "name" or self.words[at].text not in LOOPS:
            return False
        return not (self.says(at, "while") and at + 1 in self.partner
                    and self.says(self.partner[at + 1] + 1, ";") and self.ends_do(at))

    def ends_do(self, at: int) -> bool:
        if self.says(at - 1, "}"):
            return self.says(self.partner.get(at - 1, 0) - 1, "do")
        return self.says(at - 1, ";") and any(
            self.says(before, "do") and self.statement_end(before + 1) == at
            for before in range(max(at - 200, 0), at))

    def loops(self) -> list[LoopText]:
        """All loop statements, in the order in which they begin."""
        if self.found is None:
            self.found = [loop for at in range(len(self.words))
                          if self.is_loop(at) and (loop := self.loop(at))]
        return self.found

    def loop_at(self, line: int, column: int) -> LoopText | None:
        """The innermost loop that a compiler may mean by a place, which is that of its keyword,
        its condition or a word of its body."""
        start, end = self.offset(line), self.offset(line + 1)
        heads = [loop for loop in self.loops() if start <= self.words[loop.first].start < end]
        if heads:
            before = [loop for loop in heads if self.words[loop.first].start - start < column]
            return (before or heads[:1])[-1]
        around = [loop for loop in self.loops() if self.words[loop.first].start < start
                  < self.words[loop.end - 1].end]
        return around[-1] if around else None

    def function_at(self, at: int) -> FunctionText | None:
        """The function whose body holds the word."""
        for start in range(at):
            if self.says(start, "{") and self.partner.get(start, -1) > at:
                function = self.function_of(start)
                if function:
                    return function
        return None

    def function_of(self, brace: int) -> FunctionText | None:
        """The function whose body a brace opens, if it does."""
        at = brace - 1
        while at > 0 and not self.says(at, ";", "}", "{", "="):
            if self.says(at, ")") and at in self.partner:
                start = self.partner[at]
                name = self.words[start - 1]
                if name.kind == "name" and name.text not in CONTROL | NOT_PARAMETERS:
                    parameters = self.parameters(start + 1, at)
                    return FunctionText(name.text, parameters, brace, self.partner[brace])
                at = start
            at -= 1
        return None

    def parameters(self, start: int, end: int) -> list[Parameter]:
        """Those whose form is plain: no pointers to functions or arrays."""
        result = []
        for first, behind in self.split(start, end, ","):
            words = self.words[first:behind]
            names = [at for at in range(first, behind) if self.words[at].kind == "name"]
            if len(names) >= 1 and names[-1] == behind - 1 and not any(
                    word.text in ("(", "[", "=", "<") for word in words):
                result.append(Parameter(self.words[names[-1]].text, names[-1],
                                        [word.text for word in words]))
        return result

    def is_statement(self, at: int) -> bool:
        """True if another statement may stand before the one that begins here."""
        return self.says(at - 1, "{", "}", ";") and not self.says(at, "else")
