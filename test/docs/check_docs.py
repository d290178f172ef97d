#!/usr/bin/env python3
# check_docs.py - runs the commands of the documents and looks up their links, paths and options
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check README.md, NEWS.md, CONTRIBUTING.md and docs/: commands, links, paths, option names.

Of docs/reference/, which is generated, and of all other Markdown files only the links are checked.

The words after the language of a fenced block say what the test does with the block:

  ```c copy.c            writes the block into the file copy.c (any language, any file name)
  ```sh                  runs the block with bash; a command that fails is an error
  ```sh needs: WORD...   does not run the block where a command, or a file build/..., is missing
  ```sh no-test: REASON  does not run the block; the reason says why (any language)
  ```output              has to be what the sh block before it printed, on both streams

Blocks of the languages c, cmake, cpp, python and sh need one of these; other blocks are not
looked at. In an output block "..." stands for any text within a line, and a line "..." for any
lines.

The blocks of one document run in their order, in one shell, in a temporary directory. There the
top-level directories of the repository are links, `build` is a link to the build directory, HOME
is a directory of its own, and the build's bin directory comes first in PATH. A block does not
write into a linked directory.

Exit status: 0 all is right, 1 something is not, 2 bad usage, 77 a compiler is missing.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MISSING = 77
README_LINES = 120
TIMEOUT = 600  # seconds for all commands of one document
TESTED = {"c", "cmake", "cpp", "python", "sh"}
WRAPPERS = ("memlift-clang-22", "memlift-gcc", "memlift-info", "memlift-report")

Block = namedtuple("Block", "line language words text")

# ---- Reading ------------------------------------------------------------------------------------


def fenced_blocks(text):
    """The fenced blocks of a document. `line` is the number of the opening fence, from 1."""
    found, opened = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if opened is None:
            match = re.match(r"```([a-zA-Z]*) *(.*)$", line)
            if match:
                opened = (number, match[1], match[2].strip(), [])
        elif line == "```":
            found.append(Block(opened[0], opened[1], opened[2], "".join(opened[3])))
            opened = None
        else:
            opened[3].append(line + "\n")
    return found


def prose(text):
    """The document with its fenced blocks blanked, so that line numbers stay."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        lines.append("" if inside or fence else line)
        inside ^= fence
    return "\n".join(lines)


def documents(root):
    """The documents whose commands run, as paths relative to the root."""
    named = [Path(name) for name in ("README.md", "NEWS.md", "CONTRIBUTING.md")]
    below = sorted(path.relative_to(root) for path in (root / "docs").rglob("*.md"))
    return [path for path in named if (root / path).exists()] + \
        [path for path in below if path.parts[1] != "reference"]


def all_markdown(root):
    """Every Markdown file of the repository; its links have to resolve."""
    skipped = re.compile(r"(build|build-.*|\..*)$")
    return sorted(path.relative_to(root) for path in root.rglob("*.md")
                  if not skipped.match(path.relative_to(root).parts[0]))

# ---- Links, paths, options ----------------------------------------------------------------------


def anchors(text):
    """The anchors that GitHub makes of a document's headings, and those written out."""
    heads = re.findall(r"^#+ +(.*?) *#*$", prose(text), re.M)
    made = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return made | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def check_links(root, document):
    """Relative links lead to a file, and to a heading of it if they name one."""
    text = (root / document).read_text(encoding="utf-8")
    for number, line in enumerate(prose(text).splitlines(), 1):
        for target in re.findall(r"\]\(<?([^)>\s]+)>?\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = root / document.parent / name if name else root / document
            if not path.exists():
                yield f"{document}:{number}: link to '{target}': no such file"
            elif anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
                yield f"{document}:{number}: link to '{target}': no such heading"


def alternatives(pattern):
    """a{b,c}d is abd and acd."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if not match:
        return [pattern]
    return [path for word in match[1].split(",")
            for path in alternatives(pattern[:match.start()] + word + pattern[match.end():])]


def resolves(root, pattern):
    return all(glob.glob(str(root / path)) for path in alternatives(pattern))


def check_paths(root, document):
    """In backquotes, a path below a directory of the repository exists. So does any path in the
    tables of CONTRIBUTING.md, where a command begins with a path, too."""
    top = {path.name for path in root.iterdir() if path.is_dir()} - {"build"}
    suffix = r"\.(c|cpp|h|py|sh|td|test|loop|txt|json|ll|md|cmake|pml|config|map|in)$"
    text = (root / document).read_text(encoding="utf-8")
    for number, line in enumerate(prose(text).splitlines(), 1):
        table = line.startswith("|") and document.name == "CONTRIBUTING.md"
        for quoted in re.findall(r"`([^`]+)`", line):
            word = quoted.split()[0].split(":")[0] if quoted.strip() else ""
            if re.match(r"[\w.\-]+/", word) and word.split("/")[0] in top:
                pass
            elif not table or not ("/" in word or re.search(suffix, word)):
                continue
            if re.match(r"[\w./{},*?+\-]+$", word) and not resolves(root, word):
                yield f"{document}:{number}: no such path: `{word}`"
            if quoted.startswith("tools/test "):
                yield from check_suites(root, f"{document}:{number}", quoted.split()[1:])


def check_suites(root, where, words):
    listed = re.search(r"^suites='(.*?)'", (root / "tools/test").read_text(encoding="utf-8"),
                       re.M | re.S)[1]
    for word in words:
        if re.match(r"[a-z]", word) and not re.search(rf"^{re.escape(word)} ", listed, re.M):
            yield f"{where}: no suite of tools/test: {word}"


def check_names(root, document):
    """Options and message codes that a document names exist."""
    options = (root / "intrinsics/generated/memlift-options.sh").read_text(encoding="utf-8")
    known = set(re.findall(r"--memlift-([a-z-]+)", options)) | {"print-command", "version"}
    codes = set(re.findall(r"MLF\d{4}", (root / "docs/reference/diagnostics.md")
                           .read_text(encoding="utf-8")))
    text = (root / document).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        for name in re.findall(r"--memlift-([a-z-]+[a-z])", line):
            if name not in known:
                yield f"{document}:{number}: no such option: --memlift-{name}"
        for code in re.findall(r"\bMLF\d{4}\b", line):
            if code not in codes:
                yield f"{document}:{number}: no such code: {code}"


def check_blocks(root, document):
    """The convention is kept: each block says what is done with it."""
    before = None
    directories = {path.name for path in root.iterdir() if path.is_dir()} | {"/", "..", "build"}
    for block in fenced_blocks((root / document).read_text(encoding="utf-8")):
        where = f"{document}:{block.line}"
        if re.match(r"no-test:? *$", block.words):
            yield f"{where}: no-test needs a reason"
        elif block.language in TESTED - {"sh"} and not block.words:
            yield f"{where}: a block of {block.language} needs a file name or no-test: REASON"
        elif is_file(block) and Path(block.words).parts[0] in directories:
            yield f"{where}: a file in a directory of the repository: {block.words}"
        elif block.language == "output" and not (before and is_run(before)):
            yield f"{where}: output without a command before it"
        before = block

# ---- Commands -----------------------------------------------------------------------------------


def is_run(block):
    return block.language == "sh" and not block.words.startswith("no-test:")


def is_file(block):
    return block.language not in ("sh", "output") and block.words and \
        not block.words.startswith("no-test:")


def lacking(block, build):
    """Commands, and files of the build, that the block needs and that are not there."""
    match = re.match(r"needs: *(.*)", block.words)
    return [word for word in (match[1].split() if match else [])
            if not ((build / word[6:]).exists() if word.startswith("build/")
                    else shutil.which(word))]


def script_of(blocks, folder, build):
    """One script for a document; the output of the block at line N goes to folder/N."""
    lines = ["set -e -o pipefail"]
    for block in blocks:
        if is_file(block):
            source = folder / f"file-{block.line}"
            source.write_text(block.text, encoding="utf-8")
            lines.append(f"mkdir -p \"$(dirname '{block.words}')\"; cp {source} '{block.words}'")
        elif is_run(block) and not lacking(block, build):
            lines += [f"exec >{folder}/{block.line} 2>&1", block.text]
    return "\n".join(lines) + "\n"


def work_directory(root, build, folder):
    """Folder that the blocks see as the root of the repository."""
    work = folder / "work"
    work.mkdir()
    (folder / "home").mkdir()
    for path in root.iterdir():
        if path.is_dir() and not path.name.startswith((".", "build")):
            (work / path.name).symlink_to(path)
    (work / "build").symlink_to(build)
    return work


def environment(build, folder):
    env = {name: value for name, value in os.environ.items() if not name.startswith("MEMLIFT_")}
    env.update(HOME=str(folder / "home"), LC_ALL="C", TERM="dumb",
               PATH=os.pathsep.join([str(build / "bin"), env.get("PATH", "")]))
    return env


def matches(expected, printed):
    """Tell whether the printed text is the one that the document shows."""
    pattern = "".join(r"(.*\n)*?" if line == "..." else
                      ".*?".join(re.escape(part) for part in line.split("...")) + r"\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, printed) is not None


def compare(document, blocks, folder, build):
    """Yields (complaint, output block, what was printed) for each output that differs."""
    before = None
    for block in blocks:
        if block.language == "output" and before and is_run(before) and not lacking(before, build):
            printed = output_of(before, folder)
            if not matches(block.text, printed):
                yield (f"{document}:{block.line}: the output is now\n{indent(printed)}", block,
                       printed)
        before = block


def output_of(block, folder):
    """Text that a block printed, without blanks at the ends of lines and empty lines last."""
    path = folder / str(block.line)
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    lines = "".join(line.rstrip() + "\n" for line in text.splitlines()).rstrip()
    return lines + "\n" if lines else ""


def indent(text):
    return "".join(f"    {line}\n" for line in text.splitlines()).rstrip("\n")


def last_started(blocks, folder):
    started = [block for block in blocks if is_run(block) and (folder / str(block.line)).exists()]
    return started[-1] if started else blocks[0]


def run_document(root, build, document, update=False):
    """Runs the blocks of a document; yields complaints."""
    text = (root / document).read_text(encoding="utf-8")
    blocks = fenced_blocks(text)
    if not any(is_run(block) for block in blocks):
        return
    for block in blocks:
        if is_run(block) and lacking(block, build):
            print(f"{document}:{block.line}: not run, missing: {' '.join(lacking(block, build))}")
    with tempfile.TemporaryDirectory(prefix="memlift-docs-") as name:
        folder = Path(name).resolve()
        work = work_directory(root, build, folder)
        script = script_of(blocks, folder, build)
        try:
            status = subprocess.run(["bash", "-c", script], cwd=work, timeout=TIMEOUT,
                                    env=environment(build, folder), stdin=subprocess.DEVNULL,
                                    check=False).returncode
        except subprocess.TimeoutExpired:
            status = f"none within {TIMEOUT} s"
        if status:
            block = last_started(blocks, folder)
            yield f"{document}:{block.line}: a command failed, exit status {status}:\n" \
                f"{indent(block.text)}\n  it printed\n{indent(output_of(block, folder))}"
            return
        differing = list(compare(document, blocks, folder, build))
    if update:
        rewrite(root / document, text, differing)
    yield from (complaint for complaint, block, _ in differing
                if not update or "..." in block.text)


def rewrite(path, text, differing):
    """Puts in what was printed, unless the block has a "..." that a writer has to place."""
    lines = text.splitlines(keepends=True)
    for _, block, printed in reversed(differing):
        if "..." not in block.text:
            first = block.line
            lines[first:first + block.text.count("\n")] = [printed]
    path.write_text("".join(lines), encoding="utf-8")

# ---- All of it ----------------------------------------------------------------------------------


def check_text(root):
    """Everything that needs no compiler."""
    for document in all_markdown(root):
        yield from check_links(root, document)
    for document in documents(root):
        yield from check_paths(root, document)
        yield from check_names(root, document)
        yield from check_blocks(root, document)
    length = len((root / "README.md").read_text(encoding="utf-8").splitlines())
    if length > README_LINES:
        yield f"README.md: {length} lines, more than {README_LINES}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0],
                                     epilog="The head of this file has the convention.")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build directory")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    parser.add_argument("--no-commands", action="store_true", help="links, paths and names only")
    parser.add_argument("--update", action="store_true", help="rewrite output blocks that differ")
    parser.add_argument("documents", nargs="*", type=Path, metavar="DOCUMENT",
                        help="run the commands of these only, as named from the root")
    arguments = parser.parse_args()
    root, build = arguments.root.resolve(), arguments.build.resolve()
    for document in arguments.documents:
        if not (root / document).is_file():
            parser.error(f"no such document: {document}")
    complaints = list(check_text(root))
    lacks = [name for name in WRAPPERS if not (build / "bin" / name).exists()]
    if not arguments.no_commands and not lacks:
        for document in arguments.documents or documents(root):
            complaints += run_document(root, build, document, arguments.update)
    for complaint in complaints:
        print(complaint)
    if complaints:
        return 1
    if lacks and not arguments.no_commands:
        print(f"commands not run: {build}/bin has no {', '.join(lacks)}")
        return MISSING
    return 0


if __name__ == "__main__":
    sys.exit(main())
