#!/usr/bin/env python3
# distro.py - builds and tests memlift where its other compilers live: Debian 13 and sid
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a chroot of a Debian release from its packages, build memlift in it with every compiler
that the release has, and run parts of the tests: lit suites with each GCC and each clang, parity,
random loops, programs of cross compilers on emulated machines, and tools/demo.

A chroot that is there is used again; the sources are copied into it each time. Needs root.
exit codes: 0 all passed, 1 a part failed, 2 bad usage, 77 not root, or debootstrap is missing
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(HERE, "..", "realcode"))
# pylint: disable=wrong-import-position
import chroot  # noqa: E402
import packages  # noqa: E402
import parts  # noqa: E402


class Release(NamedTuple):
    """Its name in the archive, and the compilers that it has."""
    name: str
    gccs: tuple
    clangs: tuple
    cross: int  # version of the cross compilers
    machines: tuple  # and for what


class Machine(NamedTuple):
    """Another machine: what Debian calls its compiler, its libc and its emulator; whether it traps
    on words of some size that are not aligned."""
    triple: str
    libc: str
    qemu: str
    traps: bool = False


MACHINES = (Machine("aarch64-linux-gnu", "arm64", "aarch64"),
            Machine("riscv64-linux-gnu", "riscv64", "riscv64"),
            Machine("arm-linux-gnueabihf", "armhf", "arm", True),
            Machine("s390x-linux-gnu", "s390x", "s390x"),
            Machine("powerpc64le-linux-gnu", "ppc64el", "ppc64le"),
            Machine("sparc64-linux-gnu", "sparc64", "sparc64", True),
            Machine("mips64el-linux-gnuabi64", "mips64el", "mips64el", True),
            Machine("mips-linux-gnu", "mips", "mips", True))
RELEASES = {"debian13": Release("trixie", (12, 13, 14), (18, 19, 22), 14, MACHINES),
            "sid": Release("sid", (13, 14, 15, 16), (21, 22, 23), 15, MACHINES[:1])}
HARNESS = "gcc-12 g++-12"  # what the fuzzers compile their references with
COMMON = ("build-essential cmake ninja-build pkg-config python3 python3-jinja2 python3-yaml "
          "python3-rich python3-jsonschema libgmp-dev qemu-user gdb " + HARNESS).split()
NEEDS = ["debootstrap"]
# Loops that check themselves, at each level of optimisation and with each way to call nothing of
# ours; what prints its results is compared with what plain GCC makes of it. Loops were replaced, or
# nothing was tested.
EMULATED = """set -eo pipefail; rm -rf /tmp/cross; mkdir /tmp/cross; cd /memlift
plain={triple}-gcc-{major}; memlift=build/bin/memlift-$plain; out=/tmp/cross
runtime=libc; place="--memlift-runtime=none --memlift-core=generic-inorder"
! test -f build/lib/{triple}/libmemlift.a || runtime=memlift
for options in "-O1 --memlift-runtime=$runtime" "-O2 --memlift-runtime=libc" \\
  "-Os --memlift-runtime=$runtime" "-O2 $place" "-O3 $place"; do
  $memlift $options -static -fno-strict-aliasing test/gcc/Inputs/differential.c -o $out/run \\
    --memlift-remarks=$out/remarks.yaml
  qemu-{qemu} $out/run 40 >$out/said || {{ cat $out/said; exit 1; }}
  grep '^PASS' $out/said
  echo "$options: $(grep -c 'Pass: *memlift' $out/remarks.yaml) remarks," \\
    "$(grep -c '^--- !Passed' $out/remarks.yaml) loops replaced"
  grep -q '^--- !Passed' $out/remarks.yaml
done
if ! {traps}; then # the words of this one lie anywhere
  $plain -O0 -static -fwrapv -fno-strict-aliasing test/gcc/Inputs/sums.c -o $out/plain
  qemu-{qemu} $out/plain >$out/expected
  for options in "-O2 --memlift-runtime=$runtime" "-O3 $place"; do
    $memlift $options -static -fno-strict-aliasing test/gcc/Inputs/sums.c -o $out/sums
    qemu-{qemu} $out/sums | cmp - $out/expected
  done
fi
$plain -O2 -static examples/*.c -o $out/plain
$memlift -O2 -static --memlift-runtime=$runtime examples/*.c -o $out/lifted
for program in plain lifted; do # a line "operation result speed" for each operation
  qemu-{qemu} $out/$program build/lib/libmemlift.so 1 | awk '{{ print $1, $2 }}' >$out/$program.said
  test -s $out/$program.said
done
cmp $out/plain.said $out/lifted.said
{triple}-objdump -d $out/lifted >$out/code
test $runtime = libc || grep -q '<memlift_.*>$' $out/code
"""
# A package whose installation kills dpkg the first time, and one of the archive that is half
# unpacked: apt refuses to do more, until it recovers.
KILLED = f"""set -e; rm -rf /tmp/killed; mkdir -p /tmp/killed/DEBIAN; cd /tmp/killed
cat >DEBIAN/control <<'END'
Package: memlift-killed
Version: 1
Architecture: all
Maintainer: nobody <nobody@localhost>
Description: killed while it is installed
END
cat >DEBIAN/postinst <<'END'
#!/bin/sh
test "$1" = configure && ! test -e /tmp/killed/once || exit 0
touch /tmp/killed/once; kill -KILL $PPID
END
chmod 755 DEBIAN/postinst; dpkg-deb --root-owner-group -b . /tmp/killed.deb
sed -i '/^Package: ninja-build$/,/^$/s/^Status: .*/Status: install reinstreq half-installed/' \\
  /var/lib/dpkg/status
if dpkg -i /tmp/killed.deb; then exit 1; fi
if apt-get -q -y install git; then exit 1; fi
{chroot.RECOVER}
apt-get -q check; test -z "$(dpkg --audit)"
dpkg-query -W -f '${{Status}}\\n' memlift-killed ninja-build >states
test "$(uniq states)" = 'install ok installed'
dpkg -P memlift-killed
"""


def needed(release):
    """Debian packages of a release, by name."""
    names = list(COMMON)
    for major in release.gccs:
        names += [f"gcc-{major}", f"g++-{major}", f"gcc-{major}-plugin-dev"]
    for major in release.clangs:
        names += [f"clang-{major}", f"llvm-{major}-dev", f"llvm-{major}-tools",
                  f"libclang-{major}-dev", f"lld-{major}"]
    for machine in release.machines:
        names += [f"gcc-{release.cross}-{machine.triple}", f"libc6-dev-{machine.libc}-cross",
                  f"gcc-{release.cross}-plugin-dev-{machine.triple}"]
    return names


def commands_of(release, programs):
    """{name: command} of what is tested, in this order."""
    jobs = os.cpu_count() or 2
    lit = ("lit=$(ls -d /usr/lib/llvm-*/build/utils/lit/lit.py /usr/lib/llvm-*/bin/lit "
           "2>/dev/null | tail -n 1); python3 $lit -sv")
    compilers = [f"clang-{m}" for m in release.clangs] + [f"gcc-{m}" for m in release.gccs]
    commands = {
        "build": "cmake --preset release -DMEMLIFT_ASSERTIONS=ON && "
                 f"cmake --build --preset release -j {jobs} --target product",
        "killed": KILLED, "llvm": f"MEMLIFT_TEST_ALL=1 {lit} test/llvm"}
    for major in release.gccs:
        commands[f"gcc-{major}"] = f"{lit} --param gcc={major} test/gcc"
    for name in compilers:
        commands[f"parity-{name}"] = f"python3 test/parity/parity.py --build build --only {name}"
    for name in compilers:
        commands[f"fuzz-{name}"] = ("python3 test/fuzz/loops_fuzz.py --build build "
                                    f"--only {name} --programs {programs}")
    for machine in release.machines:
        commands[machine.qemu] = EMULATED.format(triple=machine.triple, qemu=machine.qemu,
                                                 major=release.cross,
                                                 traps=str(machine.traps).lower())
    commands["demo"] = "tools/demo"
    return commands


def copy_sources(root):
    """What git knows of the sources, as it is in the work tree; the build folder stays."""
    target = root.path("/memlift")
    for name in os.listdir(target) if os.path.isdir(target) else ():
        if name != "build":
            path = os.path.join(target, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    listed = subprocess.run(["git", "-C", SOURCES, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, copy = os.path.join(SOURCES, name), os.path.join(target, name)
        if os.path.lexists(source):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", nargs="?", choices=RELEASES)
    parser.add_argument("--root", help="folder of the chroot; default: build/distro/RELEASE")
    parser.add_argument("--part", action="append", default=[], metavar="NAME",
                        help="this part only, after a build; may be given again")
    parser.add_argument("--programs", type=int, default=200,
                        help="random loops for each compiler (%(default)s)")
    parser.add_argument("--list", action="store_true", help="list the parts, and stop")
    parser.add_argument("--install", action="store_true",
                        help=f"install what this needs ({' '.join(NEEDS)}), and stop")
    return parser, parser.parse_args()


def test(root, name, command, logs):
    """Runs one part; true if it passed."""
    start, log = time.monotonic(), os.path.join(logs, name + ".log")
    done = root.run(f"cd /memlift && {{ {command}\n}}", log)
    parts.tell(name, done.returncode == 0, start, log)
    return done.returncode == 0


def main():
    """Makes the chroot and runs the parts."""
    parser, args = arguments()
    if args.install:
        return packages.get("distro", NEEDS)
    if not args.release:
        parser.error(f"which release? {', '.join(RELEASES)}")
    release = RELEASES[args.release]
    commands = commands_of(release, args.programs)
    if args.list:
        print("\n".join(commands))
        return 0
    unknown = [name for name in args.part if name not in commands]
    if unknown:
        parser.error(f"no part {unknown[0]}; there are: {', '.join(commands)}")
    if os.geteuid() or packages.missing(NEEDS):
        print("distro: skipped: it needs root, and debootstrap (--install)")
        return 77
    root = chroot.Chroot(args.root or os.path.join(SOURCES, "build", "distro", args.release),
                         release.name)
    logs = root.root + "-logs"
    os.makedirs(logs, exist_ok=True)
    try:
        print(f"distro: {release.name} in {root.root}", flush=True)
        root.make()
        root.install(needed(release), os.path.join(logs, "install.log"))
        copy_sources(root)
    except chroot.Failure as failure:
        print(f"distro: error: {failure}")
        return 1
    wanted = [name for name in commands if name == "build" or name in args.part or not args.part]
    return parts.run_all(wanted, lambda name: test(root, name, commands[name], logs))


if __name__ == "__main__":
    sys.exit(main())
