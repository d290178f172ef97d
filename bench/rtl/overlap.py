# overlap.py - a loop over far memory by blocks, and how much of its transfers is hidden
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs target/overlap.c, with the library for bare metal, on a core with a DMA engine (pdma.h)."""

import os
import re

import programs

ROOT = os.path.dirname(os.path.dirname(programs.HERE))
RUNTIME = os.path.join(ROOT, "runtime")
FLAGS = ["-O2", "-fno-builtin", "-DMEMLIFT_BARE_METAL", "-ffunction-sections", "-fdata-sections",
         f"-I{RUNTIME}/include", f"-I{RUNTIME}"]
CHANNELS = 0xf
NEAR, FARS = 10, (100,)
PORTS = {"front": [], "own": ["--direct"]} # by which the engine goes to far memory; see pdma.h
BAR = 1.05 # of the time by hand


def library(where):
    """Objects of the library for bare metal."""
    with open(os.path.join(RUNTIME, "sources.cmake"), encoding="utf-8") as stream:
        listed = stream.read().split("set(MEMLIFT_MODEL")[0]
    made = []
    for source in re.findall(r"^ +([a-z0-9_/]+\.c)\)?$", listed, re.M):
        made.append(os.path.join(where, source.replace("/", "_") + ".o"))
        programs.step(programs.CLANG + programs.MACHINE + FLAGS +
                      ["-c", os.path.join(RUNTIME, source), "-o", made[-1]])
    return made


def build(bench, core, variant):
    """Path of the program; `variant` compiles the loop."""
    where = programs.folder(bench.root, core.name, variant.name, "overlap")
    loop = os.path.join(where, "saxpy.o")
    command = [part for part in variant.command if not part.startswith("--memlift-runtime")]
    programs.step([*command, *programs.MACHINE, "--memlift-runtime=memlift",
                   "--memlift-core=" + core.mcpu, "-c",
                   os.path.join(programs.TARGET, "saxpy.c"), "-o", loop])
    parts = programs.support(where, "overlap", FLAGS + [f"-DCHANNELS={CHANNELS}"])
    return programs.link([*parts, loop, *library(where)], ["-Wl,--gc-sections", "-lgcc"],
                         os.path.join(where, "overlap"))


def figures(output):
    """{name: cycles}, and those of each block length by hand."""
    found, blocks = {}, []
    for line in output.splitlines():
        name, number = line.split()
        if name == "block":
            blocks.append({})
        (blocks[-1] if blocks and name != "streamed" else found)[name] = int(number)
    return found, blocks


def row(variant, port, far, found, blocks):
    """A row of the table; 1 if a bar is missed."""
    best = min(blocks, key=lambda one: one["doubled"])
    compute, moves = best["compute"], best["get"] + best["put"]
    hidden = [1 - (cycles - compute) / moves for cycles in (best["doubled"], found["streamed"])]
    ratio = found["streamed"] / best["doubled"]
    print(f"| {variant.text} | {port} | {far} | {found['plain']:,} | {compute + moves:,} | "
          f"{compute:,} | {moves:,} | {best['doubled']:,} ({best['block']}) | {hidden[0]:.2f} | "
          f"{found['streamed']:,} | {hidden[1]:.2f} | {ratio:.3f} |", flush=True)
    return int(ratio > BAR)


def run(bench, say):
    """Count the bars that are missed."""
    bad = 0
    for core in bench.cores:
        if core.name != "rocket":
            continue # the others have no port for an engine
        say(f"{core.text}: saxpy of 65,536 bytes, near memory {NEAR} cycles away")
        print("| loop by | port | far | plain | single buffers | compute | transfers | "
              "by hand (block) | hidden | streamed | hidden | of by hand |\n"
              "|---|---|" + "---:|" * 10)
        for variant in bench.variants:
            if not variant.ours or variant.user:
                continue
            program = build(bench, core, variant)
            for port, option in PORTS.items():
                for far in FARS:
                    found, blocks = figures(bench.run(
                        core, program, f"--memory-read={NEAR}", f"--memory-write={NEAR}",
                        f"--far-read={far}", f"--far-write={far}", *option))
                    bad += row(variant, port, far, found, blocks)
    return bad
