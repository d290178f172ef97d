# tables.py - the tables of the kernels, stock beside memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what is known of each kind of kernel."""

HEAD = """\
| Linux 6.1, riscv64 | boots | code, KiB | growth | calls left: memset | memcpy | memmove |
|---|---|---:|---:|---:|---:|---:|
"""


def row(kind, result, stock):
    """A line of the table."""
    if result.get("status"):
        return f"| {kind.name} | does not build | | | | | |\n"
    size, growth = result["text"], ""
    if kind.ours and stock.get("text"):
        growth = f"{100 * (size / stock['text'] - 1):+.2f} %"
    calls = [str(result["calls"].get(name, 0)) for name in ("memset", "memcpy", "memmove")]
    boots = "yes" if result.get("booted") else "**no**"
    return f"| {kind.name} | {boots} | {size / 1024:,.0f} | {growth} | {' | '.join(calls)} |\n"


WRITTEN_HEAD = """
| written in the source | places | constant size | a multiple of 4 | and 4-aligned \
| and in line up to 256 B |
|---|---:|---:|---:|---:|---:|
"""
COLUMNS = ("constant", "multiple_of_4", "and_aligned_4", "and_in_line_up_to_256")


def written_rows(results):
    """Count the outcomes of the calls that the source has, by memlift's kinds."""
    lines = []
    for name, result in results.items():
        for operation, numbers in result.get("written", {}).items():
            places = numbers["places"]
            cells = [f"{numbers[c]} ({100 * numbers[c] / places:.1f} %)" if places else "0"
                     for c in COLUMNS]
            lines.append(f"| {name}: {operation} | {places} | {' | '.join(cells)} |\n")
    return WRITTEN_HEAD + "".join(lines) if lines else ""


def table(linux, known, results):
    """All kinds that were built now, each beside its stock one, whenever that was built."""
    lines = [row(known[name], result,
                 results.get(known[name].stock) or linux.earlier(known[known[name].stock]))
             for name, result in results.items()]
    return HEAD + "".join(lines) + written_rows(results)
