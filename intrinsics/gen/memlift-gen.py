#!/usr/bin/env python3
# memlift-gen.py - turns the records of intrinsics/*.td into headers, tables and documents.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turn the records of intrinsics/*.td into C tables, shell functions, JSON and documents.

llvm-tblgen resolves All.td and dumps it as JSON; gen/templates/*.j2 become the files of OUTPUTS.
The results are checked in, so that a build needs neither LLVM nor Python; --check compares.

exit codes: 0 done (--check: equal), 1 --check found a difference, 2 bad usage or bad records,
77 llvm-tblgen or Jinja2 is not installed
"""
import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent
ROOT = ROOM.parent
GENERATOR = "intrinsics/gen/memlift-gen.py"
MISSING_TOOL = 77
COLUMNS = 100

# Template -> (file below the repository, source record file).
OUTPUTS = {
    "Diagnostics.inc.j2": ("intrinsics/generated/Diagnostics.inc", "Diagnostics.td"),
    "BulkOps.inc.j2": ("intrinsics/generated/BulkOps.inc", "BulkOps.td"),
    "Cores.inc.j2": ("intrinsics/generated/Cores.inc", "Cores.td"),
    "Engines.inc.j2": ("intrinsics/generated/Engines.inc", "Engines.td"),
    "memlift_engines.h.j2": ("intrinsics/generated/memlift_engines.h", "Engines.td"),
    "Options.inc.j2": ("intrinsics/generated/Options.inc", "Builtins.td"),
    "Builtins.inc.j2": ("intrinsics/generated/Builtins.inc", "Builtins.td"),
    "Functions.inc.j2": ("intrinsics/generated/Functions.inc", "Functions.td"),
    "UserAccess.inc.j2": ("intrinsics/generated/UserAccess.inc", "UserAccess.td"),
    "memlift_tests.h.j2": ("intrinsics/generated/memlift_tests.h", "BulkOps.td"),
    "memlift_formats.h.j2": ("intrinsics/generated/memlift_formats.h", "Formats.td"),
    "memlift-options.sh.j2": ("intrinsics/generated/memlift-options.sh", "Builtins.td"),
    "diagnostics.json.j2": ("intrinsics/generated/diagnostics.json", "Diagnostics.td"),
    "diagnostics.md.j2": ("docs/reference/diagnostics.md", "Diagnostics.td"),
    "options.md.j2": ("docs/reference/options.md", "Builtins.td"),
    "memlift.1.j2": ("intrinsics/generated/memlift.1", "Builtins.td"),
    "operations.md.j2": ("docs/reference/operations.md", "BulkOps.td"),
    "operations.h.j2": ("runtime/include/memlift/operations.h", "BulkOps.td"),
    "ni_words.h.j2": ("runtime/include/memlift/ni_words.h", "Formats.td"),
    "libmemlift.map.j2": ("runtime/libmemlift.map", "BulkOps.td"),
    "cores.md.j2": ("docs/reference/cores.md", "Cores.td"),
    "formats.md.j2": ("docs/reference/formats.md", "Formats.td"),
}


def fail(message, code=2):
    print(f"memlift-gen: error: {message}", file=sys.stderr)
    sys.exit(code)


def find_tblgen():
    """The newest llvm-tblgen present; MEMLIFT_TBLGEN names another one."""
    named = os.environ.get("MEMLIFT_TBLGEN")
    for name in [named] if named else ["llvm-tblgen-22", "llvm-tblgen-19", "llvm-tblgen"]:
        if shutil.which(name):
            return name
    fail("llvm-tblgen is not installed (Debian: llvm-22 or llvm-19)", MISSING_TOOL)


def dump_records():
    command = [find_tblgen(), "--dump-json", "-I", str(ROOM), str(ROOM / "All.td")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        fail(f"{' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)


def definition_order(path, order):
    """Names in the order in which they are written: the JSON is sorted by name."""
    for line in path.read_text(encoding="utf-8").splitlines():
        include = re.match(r'\s*include\s+"([^"]+)"', line)
        if include:
            definition_order(ROOM / include.group(1), order)
        definition = re.match(r"\s*def\s+(\w+)", line)
        if definition:
            order.setdefault(definition.group(1), len(order))
    return order


def fold(text):
    """Text on one line."""
    return " ".join(text.split())


def roff(text):
    """Text for a manual page: a dash is a minus, and no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text)


def dedent(text):
    """A [{...}] block without its margin and its first and last newline."""
    lines = text.rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    margin = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return "\n".join(l[margin:].rstrip() for l in lines)


class Records:
    def __init__(self):
        self.json = dump_records()
        self.order = definition_order(ROOM / "All.td", {})

    def of(self, name):
        names = self.json["!instanceof"].get(name, [])
        named = [n for n in names if n in self.order]
        return [self.plain(self.json[n]) for n in sorted(named, key=self.order.get)]

    def plain(self, value):
        """References to records become the records."""
        if isinstance(value, dict) and "def" in value:
            return self.plain(self.json[value["def"]])
        if isinstance(value, dict):
            return {key.replace("!", "") or key: self.plain(v) for key, v in value.items()}
        if isinstance(value, list):
            return [self.plain(v) for v in value]
        return value


def c_escape(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return text.replace("\n", "\\n")


def c_string(text, indent=4):
    """A C string literal, one line of text to a line of source, broken at COLUMNS."""
    room = COLUMNS - indent - 4
    pieces = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", text) or [""]:
        words = re.findall(r"\s*[^\s|]+\|?|\s*\|+|\s+", line)
        piece = ""
        for word in words:
            if piece and len(c_escape(piece + word)) > room:
                pieces.append(piece)
                piece = ""
            piece += word
        pieces.append(piece)
    return ("\n" + " " * indent).join('"' + c_escape(p) + '"' for p in pieces)


def wrap_comment(text, lead):
    return "\n".join(textwrap.wrap(fold(text), COLUMNS, initial_indent=lead,
                                   subsequent_indent=lead, break_on_hyphens=False))


def header_comment(text):
    """A C comment in front of declarations; lines that are indented are kept as they are."""
    lines, paragraph = [], []
    for line in [*text.split("\n"), ""]:
        if line and not line.startswith(" "):
            paragraph.append(line)
            continue
        lines += textwrap.wrap(fold(" ".join(paragraph)), COLUMNS - len(" * "),
                               break_on_hyphens=False)
        paragraph = []
        lines.append(line)
    body = "\n".join(f" * {line}".rstrip() for line in lines[:-1])
    last = body.rsplit("\n", 1)[-1]
    return "/*" + body[2:] + (" */" if len(last) <= COLUMNS - len(" */") else "\n */")


def diagnostics(records):
    result = []
    for d in records.of("Diagnostic"):
        item = {
            "code": f"MLF{d['Number']:04d}", "number": d["Number"], "name": d["name"],
            "severity": d["Severity"], "text": fold(d["Text"]), "advice": fold(d["Advice"]),
            "why": dedent(d["Why"]), "bad": dedent(d["Bad"]), "good": dedent(d["Good"]),
        }
        item["long"] = long_explanation(item)
        result.append(item)
    numbers = [d["number"] for d in result]
    if sorted(set(numbers)) != numbers:
        fail("Diagnostics.td: numbers must be unique and ascending")
    return result


def example_titles(severity):
    """Captions of the examples Bad and Good, by the kind of diagnostic."""
    return {"Error": ("wrong", "right"), "Missed": ("kept", "lowered")}.get(
        severity, ("as it is", "example"))


def long_explanation(item):
    parts = [item["why"]]
    for title, code in zip(example_titles(item["severity"]), (item["bad"], item["good"])):
        if code:
            parts.append(f"{title}:\n" + "\n".join(("    " + l).rstrip()
                                                    for l in code.split("\n")))
    return "\n\n".join(parts)


def parameters(op):
    """The C parameters of an operation."""
    both = {"Dst", "Src"} <= {p["Kind"] for p in op["Params"]}
    restrict = "restrict " if op["Disjoint"] and both else ""
    return [p["Type"] + (restrict if p["Kind"] in ("Dst", "Src") else "") + p["Name"]
            for p in op["Params"]]


def declaration(head, params):
    """A declaration for a public header, broken at COLUMNS as clang-format does."""
    lines = [f"MEMLIFT_API {head}("]
    margin, tail = len(lines[0]), " MEMLIFT_NOEXCEPT;"
    for i, param in enumerate(params):
        last = i + 1 == len(params)
        text = param.replace("restrict", "MEMLIFT_RESTRICT") + (")" if last else ",")
        if len(f"{lines[-1]} {text}{tail if last else ''}") > COLUMNS:
            lines.append(" " * margin)
        lines[-1] += text if lines[-1].endswith(("(", "  ")) else " " + text
    return "\n".join(lines) + tail


def operations(records):
    """The operations, each with its C prototype and its declaration."""
    ops = records.of("BulkOp")
    for op in ops:
        if not op["In"]:
            fail(f"BulkOps.td: {op['name']} is in no group")
        result = f"uint{op['ResultBits']}_t" if op["ResultBits"] else "void"
        head, params = f"{result} {op['Symbol']}", parameters(op)
        op["Prototype"] = f"{head}({', '.join(params)})"
        op["Declaration"] = declaration(head, params)
    return ops


def op_groups(records, ops):
    """The groups of operations, each with its own."""
    groups = records.of("Group")
    for group in groups:
        group["Text"] = dedent(group["Text"])
        group["ops"] = [o for o in ops if o["In"]["name"] == group["name"]]
        if not group["ops"]:
            fail(f"BulkOps.td: no operation is in the group {group['name']}")
    return groups


def map_keys(ops):
    """Keys of map=KEY=SYMBOL: operations, and idioms that have one operation only."""
    keys = [o["Symbol"].removeprefix("memlift_") for o in ops]
    idioms = [o["Idiom"] for o in ops]
    return keys + [i for i in dict.fromkeys(idioms) if idioms.count(i) == 1 and i not in keys]


def options(records, cores, ops):
    result = []
    for o in records.of("Option"):
        values = list(o["Values"])
        names = values
        if o["ValuesAreCores"]:
            names = [c["Name"] for c in cores]
            values = [v for c in cores for v in [c["Name"], *c["Aliases"]]]
        if o["Kind"] == "Map":
            values, names = map_keys(ops), []
        result.append({**o, "Values": values, "Names": names, "Help": fold(o["Help"]),
                       "Enum": o["name"].removeprefix("Opt")})
    return result


def check_formats(formats):
    for f in formats:
        for field in f["Fields"]:
            end = field["Offset"] + field["Bytes"]
            if end > f["Bytes"] or not 0 <= field["Low"] <= field["High"] < 8 * field["Bytes"]:
                fail(f"Formats.td: {f['Prefix']}.{field['Name']} does not fit its format")
        f["Words"] = words_of(f)
        check_names(f)
    return formats


def check_names(f):
    """Two constants of one name would be a warning here and a wrong number there."""
    parts = ["OFFSET", "BYTES", "SHIFT", "MASK"]
    names = [f"{field['Name']}_{part}" for field in f["Fields"] for part in parts]
    names += [v["Name"] for v in f["Values"]] + ["SIZE", "ALIGN", "BIG_ENDIAN", "WORDS"]
    for name in names:
        if names.count(name) > 1:
            fail(f"Formats.td: {f['Prefix']}: two constants are named {name}")


# Formats up to this size are records, all of whose bytes are words; longer ones register blocks.
LONGEST_RECORD = 128


def words_of(f):
    """(offset, bytes, mask of the bits that mean something) of every word, in order. In a record
    the bytes between the fields are words too, that mean nothing."""
    words, end = {}, 0
    for field in f["Fields"]:
        size, mask = words.setdefault(field["Offset"], (field["Bytes"], 0))
        bits = (2 << field["High"]) - (1 << field["Low"])
        if size != field["Bytes"] or mask & bits:
            fail(f"Formats.td: {f['Prefix']}.{field['Name']} overlaps another field")
        means_something = not field["Name"].startswith("RESERVED")
        words[field["Offset"]] = (size, mask | bits if means_something else mask)
    result = []
    for offset, (size, mask) in [*sorted(words.items()), (f["Bytes"], (0, 0))]:
        if offset < end:
            fail(f"Formats.td: {f['Prefix']}: the words at byte {offset} overlap")
        if f["Bytes"] <= LONGEST_RECORD:
            result += [(at, 1, 0) for at in range(end, offset)]
        if size:
            result.append((offset, size, mask))
        end = offset + size
    return result


def model():
    records = Records()
    cores, ops = records.of("Core"), operations(records)
    for core in cores:
        core["Source"] = fold(core["Source"])
    return {
        "generator": GENERATOR,
        "diagnostics": diagnostics(records),
        "ops": ops,
        "libc_ops": records.of("LibcOp"),
        "op_groups": op_groups(records, ops),
        "cores": cores,
        "engines": records.of("Engine"),
        "formats": check_formats(records.of("Format")),
        "options": options(records, cores, ops),
        "attributes": records.of("AttributeValue"),
        "properties": records.of("FunctionProperty"),
        "user_accesses": records.of("UserAccess"),
    }


def render():
    """Path below the repository -> text, of every output."""
    try:
        import jinja2
    except ImportError:
        fail("Jinja2 is not installed for this Python (Debian: python3-jinja2)", MISSING_TOOL)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOM / "gen" / "templates"), trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(cstr=c_string, fold=fold, roff=roff, comment=wrap_comment,
                               header_comment=header_comment,
                               titles=example_titles, json=lambda v: json.dumps(v, indent=2))
    data = model()
    return {path: environment.get_template(template).render(source=source, **data)
            for template, (path, source) in OUTPUTS.items()}


def compare(files):
    stale = 0
    for path, text in files.items():
        present = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
        if present != text:
            stale += 1
            lines = difflib.unified_diff(present.splitlines(), text.splitlines(),
                                         f"{path} (checked in)", f"{path} (from the records)",
                                         lineterm="", n=1)
            print("\n".join(list(lines)[:40]))
    if stale:
        print(f"memlift-gen: {stale} generated file(s) differ from their records; run\n"
              f"    python3 {GENERATOR}\n(or build the target 'regenerate') and commit the result",
              file=sys.stderr)
    return 1 if stale else 0


def write(files, root):
    for path, text in files.items():
        target = root / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="write nothing; compare with the files that are checked in")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="FOLDER",
                        help="write below FOLDER instead of the repository")
    arguments = parser.parse_args()
    files = render()
    if arguments.check:
        return compare(files)
    write(files, arguments.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
