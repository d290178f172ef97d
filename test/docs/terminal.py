#!/usr/bin/env python3
# terminal.py - a picture of a terminal as SVG: the text and colours that are on its screen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what `tmux capture-pane -e -p` prints, and writes SVG. So a picture of the documentation is
what a program really showed:

    tmux new -d -x 100 -y 24 'vim key.c'; tmux send-keys ':make' Enter
    tmux capture-pane -e -p | test/docs/terminal.py >docs/reviewer/vim.svg
"""
import html
import re
import sys

COLOURS = ("#2e3436", "#c01c28", "#1a7f37", "#8a6100", "#1a5fb4", "#8e24aa", "#00707a", "#d0d0d0",
           "#5e5c64", "#e01b24", "#2ec27e", "#c88800", "#3584e4", "#c061cb", "#33b2a4", "#ffffff")
PAPER, INK = "#fafafa", "#222222"
WIDTH, HEIGHT = 8.0, 18  # of a character, in pixels
SGR = re.compile(r"\x1b\[([\d;:]*)m|\x1b[^m]*m|\x0e|\x0f")


def cube(number):
    """A colour of the 256 of xterm."""
    if number < 16:
        return COLOURS[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#" + "".join(f"{levels[n]:02x}" for n in (number // 36, number // 6 % 6, number % 6))


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.ink, self.paper, self.bold, self.turned = None, None, False, False

    def change(self, text):
        codes = [int(word or 0) for word in re.split("[;:]", text)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code == 7:
                self.turned = True
            elif code == 27:
                self.turned = False
            elif code in (38, 48) and codes[:1] == [5]:
                self.set(code == 38, cube(codes[1]))
                codes = codes[2:]
            elif code in (39, 49):
                self.set(code == 39, None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.set(True, COLOURS[code % 10 + 8 * (code >= 90)])
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.set(False, COLOURS[code % 10 + 8 * (code >= 100)])

    def set(self, ink, colour):
        if ink:
            self.ink = colour
        else:
            self.paper = colour

    def look(self):
        ink, paper = self.ink or INK, self.paper or PAPER
        return (paper, ink, self.bold) if self.turned else (ink, paper, self.bold)


def runs(line, style):
    """(column, text, ink, paper, bold) of pieces that look alike."""
    column = at = 0
    for found in [*SGR.finditer(line), None]:
        text = line[at:found.start() if found else len(line)]
        if text:
            yield (column, text, *style.look())
            column += len(text)
        if found:
            at = found.end()
            if found.group(1) is not None:
                style.change(found.group(1))


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    style, back, front, columns = Style(), [], [], 0
    for number, line in enumerate(lines):
        for column, text, ink, paper, bold in runs(line, style):
            x, y = 8 + column * WIDTH, 8 + number * HEIGHT
            columns = max(columns, column + len(text))
            if paper != PAPER:
                back.append(f'<rect x="{x:g}" y="{y}" width="{len(text) * WIDTH:g}" '
                            f'height="{HEIGHT}" fill="{paper}"/>')
            if text.strip():
                plain = html.escape(text).replace(" ", "&#160;")
                weight = ' font-weight="bold"' if bold else ""
                front.append(f'<text x="{x:g}" y="{y + 13}" fill="{ink}"{weight} '
                             f'textLength="{len(text) * WIDTH:g}">{plain}</text>')
    width, height = columns * WIDTH + 16, len(lines) * HEIGHT + 16
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
          f'width="{width:g}" height="{height}" font-family="monospace" font-size="13.3" '
          'xml:space="preserve">')
    print(f'<rect width="100%" height="100%" rx="6" fill="{PAPER}" stroke="#999"/>')
    print("\n".join([*back, *front, "</svg>"]))


if __name__ == "__main__":
    main()
