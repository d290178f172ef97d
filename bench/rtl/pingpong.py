# pingpong.py - two cores that send a message to and fro through network interfaces
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time that a message of 32 bytes takes from one program to another, and where the time goes."""

import concurrent.futures
import os
from dataclasses import dataclass

import programs

ROOT = os.path.dirname(os.path.dirname(programs.HERE))
INCLUDES = ["-I" + os.path.join(ROOT, *where, "include") for where in (["runtime"], ["intrinsics"])]
# Where harness/memory.h has the interface; the values of ni_page.h and ni_await.h.
DEVICE, WINDOW, GATHERING = 0x40100000, 0x40200000, 0x40300000
INTERFACE, MAILBOXES, POP = 0x100000, 0x40000, 0x3f8
ORDERED, COMBINING, GATHERED = 0, 1, 3
LINKS = range(31) # cycles: more than two looks at the mailbox are apart
ROUNDS = 32       # the last ones, which are the same


@dataclass(frozen=True)
class Way:
    """Use of the interface by a program."""
    name: str
    text: str
    send: int        # kind
    send_at: int
    receive: int
    receive_at: int
    steps: bool = False
    latency: int = 1 # of the device, cycles, for which there is a limit
    limit: float = 0 # cycles one way, without those of the link; 0: none

    def macros(self, size):
        """Options of the compiler."""
        return [f"-DBYTES={size}", f"-DSTEPS={int(self.steps)}", f"-DSEND={self.send}",
                f"-DSEND_AT=(void *){self.send_at:#x}", f"-DRECEIVE={self.receive}",
                f"-DRECEIVE_AT=(void *){self.receive_at:#x}"]


WAYS = {way.name: way for way in (
    Way("steps", "device pages, ni_page.h step by step", ORDERED, DEVICE, ORDERED, DEVICE, True),
    Way("device", "device pages", ORDERED, DEVICE, ORDERED, DEVICE, limit=80),
    Way("barrier", "window, barrier before the doorbell", COMBINING, WINDOW, GATHERED, WINDOW),
    Way("unsafe", "window, no barrier: unsafe", GATHERED, WINDOW, GATHERED, WINDOW),
    Way("gathering", "gathering window", GATHERED, GATHERING, GATHERED, WINDOW, latency=2,
        limit=60))}


def build(bench, core, variant, way, name, size=32):
    """Path of a program."""
    where = programs.folder(bench.root, core.name, variant.name, f"{name}-{way.name}-{size}")
    output = os.path.join(where, name + ".o")
    programs.step([*variant.command, *programs.MACHINE, "--memlift-core=" + core.mcpu, *INCLUDES,
                   *way.macros(size), "-Wall", "-Wextra", "-c",
                   os.path.join(programs.TARGET, name + ".c"), "-o", output])
    objects = programs.objects(where, ("start.S", "device.c", "io.c"))
    return programs.link([output, *objects], [], os.path.join(where, name))


def events(bench, core, program, latency, link):
    """The logs of both nodes: lists of (cycle, event, address, data)."""
    log = f"{program}-{latency}-{link}.log"
    bench.run(core, program, program, f"--device-read={latency}", f"--device-write={latency}",
              f"--link={link}", f"--log={log}")
    found = []
    for node in "01":
        with open(f"{log}.{node}", encoding="utf-8") as stream:
            lines = [line.split() for line in stream]
        # Sorted: what the interface does is told when it is decided.
        found.append(sorted((int(cycle), what, int(where, 16), int(data, 16))
                            for cycle, what, where, data, _ in lines))
        os.remove(f"{log}.{node}")
    return found


def one_way(log):
    """Cycles from a header that leaves a node to the one that leaves the other: mean of ROUNDS."""
    headers = [cycle for cycle, what, *_ in log if what == "header"]
    return (headers[-1] - headers[-1 - ROUNDS]) / (2 * ROUNDS)


def times(bench, core, program, latency):
    """Cycles one way without those of the link, for each link."""
    def at(link):
        return one_way(events(bench, core, program, latency, link)[0]) - link
    with concurrent.futures.ThreadPoolExecutor(bench.arguments.jobs) as pool:
        return list(pool.map(at, LINKS))


def exchange(log, latency):
    """{event: its cycle} in the last but one round of a node, from its first store of the payload.
    An answer of the device counts when the core has it, `latency` cycles behind its address."""
    def after(begin, right):
        return next(i for i, one in enumerate(log) if i > begin and right(*one))
    first = [i for i, (_, what, where, _) in enumerate(log)
             if what == "write" and where >= DEVICE and where % INTERFACE < MAILBOXES
             and where & 0x3ff == 0]
    begin, following = first[-2], first[-1]
    sent = after(begin, lambda _, what, *rest: what == "header")
    popped = after(sent, lambda _, what, where, data: what == "write" and where & 0xfff == POP)
    def look(cycle, what, where, data):
        return what == "read" and where % INTERFACE == MAILBOXES
    here = after(sent, lambda cycle, what, *rest: what == "packet")
    found = after(max(here, popped), lambda *one: look(*one) and one[3])
    words = [i for i, (_, what, where, _) in enumerate(log)
             if what == "read" and where % INTERFACE > MAILBOXES and found < i < following]
    ack = after(sent, lambda cycle, what, *rest: what == "ack")
    cycles = {"first store of the payload": log[begin][0], "header out": log[sent][0],
              "first look at the mailbox": log[after(popped, look)][0] + latency,
              "acknowledgement in": log[ack][0], "message in the mailbox": log[here][0],
              "look that finds it": log[found][0] + latency,
              "last word of it": log[words[-1]][0] + latency,
              "next first store": log[following][0]}
    return {name: cycle - log[begin][0] for name, cycle in cycles.items()}


# Events that the logic analyser of the seed's testbed shows, cycles of 10 ns; its network takes 20.
SEED = {"first store of the payload": 0, "header out": 7, "first look at the mailbox": 22,
        "acknowledgement in": 47, "message in the mailbox": 99, "look that finds it": 107,
        "last word of it": 129, "next first store": 144}
SEED_LINK = 20


def breakdown(bench, core, made, say):
    """The seed's table of events beside ours, for the first of the variants."""
    columns = {"seed's modified CVA6": SEED}
    for name, latency in (("device", 1), ("device", 2), ("gathering", 2)):
        log = events(bench, core, made[name], latency, SEED_LINK)[0]
        columns[f"{WAYS[name].text}, latency {latency}"] = exchange(log, latency)
    say("| cycle of | " + " | ".join(columns) + " |")
    say("|---|" + "---:|" * len(columns))
    for event in SEED:
        say(f"| {event} | " + " | ".join(str(one[event]) for one in columns.values()) + " |")
    say("| one way without the network | " + " | ".join(
        f"{one['next first store'] / 2 - SEED_LINK:g}" for one in columns.values()) + " |")


def of_variant(bench, core, variant, say):
    """Count the limits that are missed; and the programs."""
    bad, made = 0, {}
    for way in WAYS.values():
        if core.name != "cva6" and way.send_at != DEVICE:
            continue # the windows are device pages on Rocket
        made[way.name] = build(bench, core, variant, way, "pingpong")
        cells = []
        for latency in (1, 2):
            found = times(bench, core, made[way.name], latency)
            cells.append(f"{found[0]:g} | {sum(found) / len(found):.1f} | {max(found):g}")
            if core.name == "cva6" and way.latency == latency and 0 < way.limit < max(found):
                bad += 1
                say(f"wrong: {max(found):g} cycles; the limit is {way.limit:g}")
        say(f"| {core.text} | {variant.text} | {way.text} | " + " | ".join(cells) + " |")
    return bad, made


def bursts(bench, core, variant, say):
    """Ways in which a doorbell overtakes words of its message. Without a barrier it may."""
    bad = 0
    for name in ("device", "barrier", "unsafe", "gathering"):
        program = build(bench, core, variant, WAYS[name], "burst")
        wrong = int(bench.run(core, program, program, "--device-read=2", "--device-write=2"))
        right = wrong == 0 or name == "unsafe"
        bad += not right
        say(f"{core.text}: {variant.text}: {WAYS[name].text}: {wrong} of 256 messages are not what "
            "was sent" + ("" if right else ", and that is not as it should be"))
    return bad


def run(bench, say):
    """Count the figures that are not as they should be."""
    bad = 0
    variants = [variant for variant in bench.variants if variant.ours]
    say("32 bytes, cycles one way without the link; for device latency 1 and for 2: link of 0 "
        "cycles, mean and most over links of 0 to 30 cycles")
    for core in bench.cores:
        if core.name == "cva6-wb":
            continue # not looked at so far: its fences flush the cache
        for i, variant in enumerate(variants):
            missed, made = of_variant(bench, core, variant, say)
            bad += missed
            if core.name == "cva6":
                bad += bursts(bench, core, variant, say)
                if i == 0:
                    breakdown(bench, core, made, say)
    return bad
