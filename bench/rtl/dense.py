# dense.py - memlift's copies and fills beside Linux's assembler, at every length up to 64 and more
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs target/dense.c with the routines of each variant, and prints for ranges of lengths how many
cycles Linux's routine and the variant's take in all, and how many pairs of length and alignment are
slower, with the worst of them."""

import programs

CLEAR = ["-DCLEAR=__clear_user"]
RANGES = ((0, 0), (1, 7), (8, 15), (16, 31), (32, 64), (256, 256), (1500, 1500), (6500, 6500),
          (9000, 9000))
LINUX = {True: "linux-user", False: "linux-memcpy"}  # what a variant is compared with


def cycles(bench, core, variant):
    """{(kernel, bytes, destination, source): cycles}, the mean of all places"""
    user = variant.user or variant.name == LINUX[True]
    asked = bench.arguments
    extra = CLEAR if user else []
    extra += ["-DSAMPLE"] if asked.sample else []
    extra += ["-DSHORT"] if asked.short else []
    found = {}
    for place in range(0, asked.places * asked.apart, asked.apart):
        program = programs.program("dense", variant, core, bench.root, extra, place)
        for line in bench.run(core, program, "--cycles=4000000000", *bench.latency()).splitlines():
            kernel, *numbers = line.split()
            size, to, source, count = map(int, numbers)
            key = kernel, size, to, source
            found[key] = found.get(key, 0) + count
    return {key: count / asked.places for key, count in found.items()}


def rows(name, ours, theirs):
    """The table's rows for a kernel: of a range of lengths, sums and those that are slower."""
    for low, high in RANGES:
        keys = [key for key in theirs if key[0] == name and low <= key[1] <= high and key in ours]
        if not keys:
            continue
        slower = [key for key in keys if ours[key] > theirs[key]]
        worst = max(slower, key=lambda key: ours[key] / theirs[key], default=None)
        text = ""
        if worst:
            text = (f"{worst[1]} at {worst[2]}, {worst[3]}: {ours[worst]:g}, "
                    f"not {theirs[worst]:g}")
        lengths = f"{low}" if low == high else f"{low} to {high}"
        yield (f"| {name} | {lengths} | {sum(theirs[key] for key in keys):,.0f} | "
               f"{sum(ours[key] for key in keys):,.0f} | {len(slower)} of {len(keys)} | {text} |")


def table(bench, say):
    """Prints the tables; 0."""
    variants = [v for v in bench.variants if v.ours]
    for core in bench.cores:
        linux = {}
        for variant in variants:
            other = programs.variants(bench.build)[LINUX[variant.user]]
            if other not in linux:
                say(f"{core.text}: measures {other.text}")
                linux[other] = cycles(bench, core, other)
            say(f"{core.text}: measures {variant.text}")
            ours = cycles(bench, core, variant)
            print(f"{core.text}, memory latency {bench.arguments.latency}: {variant.text}\n\n"
                  "| | bytes | Linux | memlift | slower | worst: bytes at destination, source |\n"
                  "|---|---|---:|---:|---:|---|")
            names = ["copy", "clear"] if variant.user else ["copy", "fill"]
            for name in names + [name + "-cold" for name in names]:
                for row in rows(name, ours, linux[other]):
                    print(row)
            print(flush=True)
    return 0
