# anchors.py - figures by which a simulator is known to be right
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code in straight lines, and stores to the device as the bus sees them."""

import os
import re
import statistics

import programs

LOADS, REWRITES = "64 loads in a chain", "96 rewrites of a register"
ISSUES = "96 writes of registers in turns"
WORDS = "tenths of a cycle from store to store"
PRODUCTS = "cycles from a product of 32 bits to the next"
TURNS = "cycles of a product and an addition in turns"
LONG, SHORT = "of 64 bits", "of 32 bits, the first factor one byte"
RECORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "intrinsics",
                       "generated", "Cores.inc")


def known(name):
    """Check the record of a core, by which memlift decides: the cycles from a load that hits
    to what uses it (3 on CVA6, 2 on Rocket), from an instruction that writes a register to the
    next one that writes the same (2 on CVA6, which does not rename), the instructions that it
    issues a cycle (1), from a store to the next, of many, in tenths (13 on CVA6, 10 on Rocket), and
    from a product to the next (1 on CVA6; 6 on Rocket, whose multiplier takes 8 bits of the first
    factor a cycle, and has done when the rest of it is 0), and how long an addition waits right
    behind one (1 on CVA6). From these follow its accumulators, the words that are loaded ahead, the
    length of a fill's loop, and how products are written."""
    with open(RECORDS, encoding="utf-8") as stream:
        record = re.search(rf'"{re.escape(name)}",([^)]*)\)', stream.read()).group(1)
    width, load_use, rewrite, store, product, after = (
        int(re.search(rf"\.{field} = (\d+)", record).group(1)) for field in
        ("issueWidth", "loadUse", "rewrite", "storeTenths", "multiply", "afterProduct"))
    busy = product > 1
    return {LOADS: 64 * load_use, REWRITES: 1 + 95 * rewrite, ISSUES: 96 // width, WORDS: store,
            PRODUCTS: product, TURNS: max(product, 2) + after, LONG: product + 4 * busy,
            SHORT: product - 2 * busy, "atomics": 0}


KNOWN = {"cva6": known("cva6"), "cva6-wb": known("cva6"), "rocket": known("rocket")}
del KNOWN["cva6-wb"][WORDS] # slower still, where the record is of the default configuration
# Cycles between two stores to the device, by the latency of their acknowledgement; between two
# loads from it, and the same with each register written right before its load: a load that is
# early looks every four cycles whether it is its turn, and a register that is still to be written
# holds it back until then.
STORE_GAPS = {"cva6": {1: 6, 2: 7, 3: 8, 4: 9}}
LOAD_GAPS = {"cva6": {1: (10, 8), 2: (11, 9)}}
ACCESSES = 16
REGISTERS, WINDOW = 0x40001000, 0x40200000


def accesses(log, kind, base):
    """Cycle and address of each access of 16 words from base on."""
    with open(log, encoding="utf-8") as stream:
        lines = [line.split() for line in stream]
    return [(int(cycle), int(where, 16)) for cycle, what, where, _, _ in lines
            if what == kind and 0 <= int(where, 16) - base < 8 * ACCESSES]


def gap(found):
    """Cycles between them: the median, as the fetch of instructions delays one or another."""
    return statistics.median(b[0] - a[0] for a, b in zip(found, found[1:]))


def of_device(bench, core, program, say):
    """Wrong figures of a core's accesses of the device."""
    log = os.path.join(bench.root, "device.log")
    bad = 0

    def tell(what, found, expected):
        say(f"{core.text}: {what}: {found}" +
            ("" if found == expected else f", but {expected} is right"))
        return found != expected

    for latency, expected in STORE_GAPS.get(core.name, {}).items():
        bench.run(core, program, f"--device-write={latency}", f"--log={log}")
        bad += tell(f"cycles from store to store of the device at latency {latency}",
                    gap(accesses(log, "write", REGISTERS)[-ACCESSES:]), expected)
    for latency, (plain, held) in LOAD_GAPS.get(core.name, {}).items():
        bench.run(core, program, f"--device-read={latency}", f"--log={log}")
        loads = accesses(log, "read", REGISTERS)
        bad += tell(f"cycles from load to load of the device at latency {latency}",
                    gap(loads[2 * ACCESSES:3 * ACCESSES]), plain)
        bad += tell("the same, held back by their registers", gap(loads[-ACCESSES:]), held)
        order = [where for _, where in accesses(log, "write", WINDOW)[-ACCESSES:]]
        bad += tell("stores to a window arrive in order", order == sorted(order), False)
    return bad


def of_core(bench, core, program, say):
    """Wrong figures of a core."""
    bad = 0
    printed = {}
    for line in bench.run(core, program).splitlines():
        name, _, value = line.rpartition(" ")
        printed[name] = int(value)
    for name, expected in KNOWN[core.name].items():
        right = printed.get(name) == expected
        bad += not right
        say(f"{core.text}: {name}: {printed.get(name)}" +
            ("" if right else f", but {expected} is right"))
    return bad + of_device(bench, core, program, say)


def run(bench, say):
    """Wrong figures of all cores."""
    program = programs.anchors(bench.root)
    return sum(of_core(bench, core, program, say) for core in bench.cores)
