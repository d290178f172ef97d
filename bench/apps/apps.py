#!/usr/bin/env python3
# apps.py - times real programs built with and without memlift
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs from Debian's sources at -O2, stock and through memlift, runs both sides of each
pair in turns over one input, and prints the user time of stock divided by that of memlift, of the
fastest rounds: above 1 memlift is faster. Both must write the same bytes, or the script fails.

The input is made of sources and machine code of this build: text of the C headers of the system,
and memlift's own libraries. Sources are kept in WORK, so a later run does not fetch them again.
Exit status: 0 measured, 1 outputs differ, 2 bad usage, 77 no source.
"""

import argparse
import glob
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "test", "realcode"))

from sources import Archive, Unavailable  # noqa: E402

COMPILERS = {"gcc": ("gcc-12", "memlift-gcc"), "clang": ("clang-22", "memlift-clang")}


@dataclass(frozen=True)
class App:
    """One program. `build` runs in a copy of the source by sh -e, with CC, CFLAGS and JOBS.
    `packs` are the ways to compress standard input to standard output, `unpack` the way back;
    without one they are other ways to read it."""
    name: str
    package: str
    build: str
    program: str
    packs: tuple
    unpack: tuple


APPS = [
    App("gzip", "gzip", './configure -q CC="$CC" CFLAGS="$CFLAGS"; make -s -j"$JOBS" gzip ||'
        ' make -s -j"$JOBS"', "gzip", (("-1",), ("-6",)), ("-d",)),
    App("minigzip", "zlib", './configure --static; make -s -j"$JOBS" minigzip',
        "minigzip", (("-1",), ("-6",)), ("-d",)),
    App("bzip2", "bzip2", 'make -s -j"$JOBS" bzip2 CC="$CC" CFLAGS="$CFLAGS"',
        "bzip2", (("-1",),), ("-d",)),
    App("lz4", "lz4", 'make -s -C lib liblz4.a CC="$CC" CFLAGS="$CFLAGS";'
        ' make -s -C programs lz4 CC="$CC" CFLAGS="$CFLAGS" LDFLAGS=-L../lib',
        "programs/lz4", (("-1",), ("-9",)), ("-d",)),
    App("zstd", "libzstd", 'make -s -j"$JOBS" -C programs zstd CC="$CC" CFLAGS="$CFLAGS" '
        "HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 HAVE_THREAD=0", "programs/zstd",
        (("-1", "--single-thread"), ("-5", "--single-thread")), ("-d",)),
    App("compress", "ncompress", 'make -s CC="$CC" CFLAGS="$CFLAGS"', "compress",
        (("-c",),), ("-d", "-c")),
    App("mawk", "mawk", './configure -q CC="$CC" CFLAGS="$CFLAGS"; make -s', "mawk",
        (('{ n[$1]++; s += length($0) } END { print s, n["#define"] }',),
         ('{ gsub(/int/, "long"); print }',)), ()),
]


def fail(message):
    """Ends the program with a message."""
    sys.exit(f"apps.py: error: {message}")


def make_input(options):
    """Writes the input, if it is not there; gives its path."""
    path = os.path.join(options.work, f"input-{options.size}")
    if not os.path.exists(path):
        names = sorted(glob.glob("/usr/include/**/*.h", recursive=True))
        names += sorted(glob.glob(os.path.join(options.build, "lib", "*.so")))
        texts = []
        for name in filter(os.path.isfile, names):
            with open(name, "rb") as stream:
                texts.append(stream.read(1 << 20))
        once = b"".join(texts)
        with open(path, "wb") as out:  # again and again: user time has steps of some milliseconds
            while out.tell() < options.size << 20:
                out.write(once[:(options.size << 20) - out.tell()])
    return path


def build(options, app, archive, compiler, side):
    """Builds one side; gives the path of the program."""
    stock, lift = COMPILERS[compiler]
    source = os.path.join(options.work, "source", app.package)
    if not os.path.isdir(source):
        os.makedirs(os.path.dirname(source), exist_ok=True)
        archive.unpack(app.package, source)
    where = os.path.join(options.work, f"{app.name}-{compiler}-{side}")
    program = os.path.join(where, app.program)
    if os.path.exists(program):
        return program
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(source, where, symlinks=True)
    driver = stock if side == "stock" else os.path.join(options.build, "bin", lift)
    env = dict(os.environ, CC=driver, CFLAGS="-O2", JOBS=str(options.jobs))
    done = subprocess.run(["sh", "-ec", app.build], cwd=where, env=env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode or not os.path.exists(program):
        fail(f"{app.name} by {driver}:\n{done.stdout[-2000:]}")
    return program


def run(program, args, path):
    """User seconds, and what was written."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with open(path, "rb") as stream:
        done = subprocess.run([program, *args], stdin=stream, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        fail(f"{program} {' '.join(args)}: exit status {done.returncode}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def compare(options, programs, args, path):
    """Runs both sides in turns; gives (the fastest times, the output), which must be the same."""
    fastest, outputs = [1e9, 1e9], [None, None]
    for _ in range(options.rounds):
        for i, program in enumerate(programs):
            seconds, outputs[i] = run(program, args, path)
            fastest[i] = min(fastest[i], seconds)
    if outputs[0] != outputs[1]:
        fail(f"{' '.join(args)}: the outputs of {programs[0]} and {programs[1]} differ")
    return fastest, outputs[0]


def measure(options, app, archive, path):
    """The rows of one program: (name, arguments, compiler, stock, memlift)."""
    rows = []
    packed = os.path.join(options.work, "packed")
    for compiler in options.compilers:
        programs = [build(options, app, archive, compiler, side) for side in ("stock", "lift")]
        for args in app.packs:
            times, output = compare(options, programs, args, path)
            rows.append((app.name, " ".join(args), compiler, *times))
        if not app.unpack:
            continue
        with open(packed, "wb") as out:
            out.write(output)
        times, _ = compare(options, programs, app.unpack, packed)
        rows.append((app.name, " ".join(app.unpack), compiler, *times))
    return rows


def main():
    """Reads the options, builds, measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="*", metavar="APP", help="by name (default: all)")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="of memlift")
    parser.add_argument("--work", help="for sources and programs (default: BUILD/apps)")
    parser.add_argument("--compilers", nargs="+", choices=COMPILERS, default=list(COMPILERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=64, help="of the input, in MiB")
    parser.add_argument("--jobs", type=int, default=2, help="of make")
    options = parser.parse_args()
    if set(options.apps) - {app.name for app in APPS}:
        parser.error(f"programs are {' '.join(app.name for app in APPS)}")
    options.work = os.path.abspath(options.work or os.path.join(options.build, "apps"))
    options.build = os.path.abspath(options.build)
    os.makedirs(options.work, exist_ok=True)
    archive, path, rows = Archive(options.work), make_input(options), []
    try:
        for app in APPS:
            if app.name in (options.apps or [app.name]):
                rows += measure(options, app, archive, path)
                print(f"apps.py: {app.name} done", file=sys.stderr)
    except Unavailable as reason:
        print(f"apps.py: skipped: {reason}")
        return 77
    print("| program | | compiler | stock, s | memlift, s | ratio |\n|---|---|---|---:|---:|---:|")
    for name, args, compiler, stock, lift in sorted(rows, key=lambda r: r[3] / max(r[4], 1e-3)):
        print(f"| {name} | `{args}` | {compiler} | {stock:.3f} | {lift:.3f} | "
              f"{stock / max(lift, 1e-3):.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
