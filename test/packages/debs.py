#!/usr/bin/env python3
# debs.py - installs the Debian packages of memlift in a bare chroot, and takes them away again
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make packages with tools/package, check them by lintian, and use them in a bare chroot of the
same release: install, compile the demo's programs, update the compiler, upgrade, purge. The chroot
as it was before is the image that packages/Dockerfile begins with.

Packages of another release than this machine's are made in the chroot of the suite of its name
(test/distro/distro.py). Needs root.
exit codes: 0 all passed, 1 a part failed, 2 bad usage, 77 not root, or debootstrap is missing
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
for folder in ("realcode", "distro"):
    sys.path.insert(1, os.path.join(HERE, "..", folder))
# pylint: disable=wrong-import-position
import chroot  # noqa: E402
import distro  # noqa: E402
import packages as debian  # noqa: E402

RELEASES = {"debian12": "bookworm", "debian13": "trixie"}
NEEDS = ["debootstrap", "debhelper", "fakeroot", "lintian", "buildah"]
PARTS = ("clear_away", "container", "install_first", "demo", "point_release", "revision", "upgrade",
         "purge")


def codename():
    """Name of the release that runs here."""
    with open("/etc/os-release", encoding="utf-8") as stream:
        return next((line.strip().split("=")[1] for line in stream
                     if line.startswith("VERSION_CODENAME=")), "")


def make_here(output):
    """Makes both revisions on this machine; the second only packages again."""
    for revision, options in (("1", ["--lintian"]), ("2", [])):
        done = subprocess.run([os.path.join(SOURCES, "tools", "package"), "--output", output,
                               "--revision", revision, *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode:
            raise chroot.Failure(f"tools/package: {done.stdout}")
        keep(output, revision, output)


def keep(source, revision, output):
    """Moves the packages of a revision to a folder of their own."""
    target = os.path.join(output, revision)
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    for path in glob.glob(os.path.join(source, "*.deb")):
        if "-dbgsym_" not in path:
            shutil.move(path, target)


def make_there(name, output, root):
    """The same in the chroot where memlift is built for that release."""
    builder = chroot.Chroot(root, RELEASES[name])
    builder.make()
    builder.install(distro.needed(distro.RELEASES[name]) + NEEDS[1:],
                    os.path.join(output, "install.log"))
    distro.copy_sources(builder)
    for revision, options in (("1", "--lintian"), ("2", "")):
        log = os.path.join(output, f"package-{revision}.log")
        command = ("cd /memlift && { git rev-parse -q --git-dir >/dev/null 2>&1 || { "
                   "git init -q . && git add -A && git -c user.name=memlift "
                   "-c user.email=memlift@localhost commit -q -m import; }; } && "
                   f"tools/package --output /packages --revision {revision} {options}")
        if builder.run(command, log).returncode:
            raise chroot.Failure(f"tools/package in the chroot; the whole output: {log}")
        keep(builder.path("/packages"), revision, output)


def prepare(output, release, root):
    """The bare chroot, with the packages and the programs in it."""
    bare = chroot.Chroot(root, release)
    bare.make()
    for folder in ("/debs", "/check", "/repack"):
        shutil.rmtree(bare.path(folder), ignore_errors=True)
    for revision in "12":
        shutil.copytree(os.path.join(output, revision), bare.path(f"/debs/{revision}"))
    shutil.copytree(os.path.join(SOURCES, "examples"), bare.path("/check/examples"))
    shutil.copy(os.path.join(HERE, "check.sh"), bare.path("/check"))
    return bare


def container(bare, output, log):
    """Builds packages/Dockerfile, and compiles in it."""
    number = next(name for name, release in RELEASES.items() if release == bare.release)
    with open(log, "w", encoding="utf-8") as stream:
        return subprocess.run([os.path.join(HERE, "container.sh"), output, bare.root,
                               number[len("debian"):]], stdout=stream,
                              stderr=subprocess.STDOUT, check=False)


def test(bare, part, output):
    """Runs one part; true if it passed."""
    start, log = time.monotonic(), os.path.join(output, part + ".log")
    done = (container(bare, output, log) if part == "container" else
            bare.run(f"bash /check/check.sh {part}", log))
    print(f"{part}: {'passed' if done.returncode == 0 else 'FAILED'}, "
          f"{time.monotonic() - start:.0f} s", flush=True)
    if done.returncode:
        with open(log, encoding="utf-8", errors="replace") as stream:
            print("".join(f"  {line}" for line in stream.readlines()[-25:]), flush=True)
    return done.returncode == 0


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", nargs="?", choices=RELEASES, default="debian12")
    parser.add_argument("--output", default=os.path.join(SOURCES, "build", "packages"),
                        help="folder for all that this makes; default: build/packages")
    parser.add_argument("--builder", help="chroot to make packages of another release in; "
                        "default: that of the suite, build/distro/RELEASE")
    parser.add_argument("--bare", help="folder of the bare chroot; default: in the output")
    parser.add_argument("--keep", action="store_true", help="use the packages made before")
    parser.add_argument("--part", action="append", default=[], choices=PARTS,
                        help="this part only; may be given again")
    parser.add_argument("--install", action="store_true",
                        help=f"install what this needs ({' '.join(NEEDS)}), and stop")
    return parser.parse_args()


def main():
    """Makes the packages, and tests them in the bare chroot."""
    args = arguments()
    if args.install:
        return debian.get("packages", NEEDS)
    if os.geteuid() or debian.missing(NEEDS):
        print("packages: skipped: it needs root, and debootstrap and others (--install)")
        return 77
    output = os.path.join(os.path.abspath(args.output), args.release)
    os.makedirs(output, exist_ok=True)
    try:
        if not args.keep:
            if codename() == RELEASES[args.release]:
                make_here(output)
            else:
                make_there(args.release, output, args.builder or os.path.join(
                    SOURCES, "build", "distro", args.release))
            print(f"made and checked: {len(os.listdir(os.path.join(output, '1')))} packages",
                  flush=True)
        bare = prepare(output, RELEASES[args.release],
                       args.bare or os.path.join(output, "bare"))
    except chroot.Failure as failure:
        print(f"packages: error: {failure}")
        return 1
    for part in args.part or PARTS:  # each needs those before it
        if not test(bare, part, output):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
