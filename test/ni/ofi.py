#!/usr/bin/env python3
# ofi.py - messages between two hosts: the runtime with libfabric, in two network namespaces
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Build libmemlift with transport ofi in BUILD/ni-ofi, run its tests on this host, and send
messages with memlift-ni-ping between two network namespaces that a pair of virtual Ethernet devices
connects. The second part needs the right to make namespaces (root).

ni.py --install installs what it needs.

exit codes: 0 all as it should be, 1 something is not, 2 bad usage, 77 what it needs is not there
"""
import argparse
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[1:1] = [str(HERE.parent / "realcode")]
# pylint: disable=wrong-import-position
from packages import missing  # noqa: E402

PACKAGES = ["libfabric-dev", "iproute2"]
NODES = "0=10.98.7.1:7000,1=10.98.7.2:7000,provider=tcp;ofi_rxm"
COUNT = 2000


def run(*command, **options):
    """Run a command that has to succeed."""
    return subprocess.run([str(word) for word in command], check=True, **options)


def build(folder):
    """The runtime with libfabric, its tool and its tests."""
    if not (folder / "build.ninja").exists():
        off = [f"-DMEMLIFT_BUILD_{name}=OFF" for name in ("LLVM19", "LLVM22", "GCC")]
        run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            "-DMEMLIFT_OFI=ON", *off, stdout=subprocess.DEVNULL)
    run("ninja", "-C", folder, "runtime-ni-ofi", "memlift-ni-ping", stdout=subprocess.DEVNULL)


@contextmanager
def two_hosts():
    """The names of two namespaces with the addresses of NODES."""
    names = [f"memlift-ni-{os.getpid()}-{host}" for host in (0, 1)]
    try:
        for name in names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", "ni0", "netns", names[0], "type", "veth", "peer", "name", "ni1",
            "netns", names[1])
        for host, name in enumerate(names):
            ip = ("ip", "-n", name)
            run(*ip, "address", "add", f"10.98.7.{host + 1}/24", "dev", f"ni{host}")
            run(*ip, "link", "set", f"ni{host}", "up")
            run(*ip, "link", "set", "lo", "up")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False,
                           stderr=subprocess.DEVNULL)


def ping(tool, names):
    """Tell whether messages of three sizes come back between the hosts; prints their latency."""
    def command(host, *more):
        return ["ip", "netns", "exec", names[host], str(tool), "--transport", "ofi", "--where",
                f"self={host},{NODES}", *more]
    for size in (8, 32, 256):
        with subprocess.Popen(command(1, "--echo", "--page", "3"), stdout=subprocess.PIPE,
                              text=True) as echo:
            try:
                page = re.fullmatch(r"page (\d+)\n", echo.stdout.readline())
                if not page or page.group(1) != "3":
                    print("ofi: error: the far end did not attach page 3")
                    return False
                near = subprocess.run(
                    command(0, "--to", "3", "--node", "1", "--size", str(size),
                            "--count", str(COUNT)),
                    check=False, text=True, stdout=subprocess.PIPE, timeout=120)
            finally:
                echo.kill()
        print(near.stdout, end="", flush=True)
        if near.returncode:
            return False
    return True


def main():
    """Exit status."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", metavar="FOLDER", required=True, help="build folder")
    arguments = parser.parse_args()
    if missing(PACKAGES):
        print(f"ofi: skipped: it needs {' '.join(missing(PACKAGES))} (ni.py --install)")
        return 77
    folder = Path(arguments.build).resolve() / "ni-ofi"
    build(folder)
    good = subprocess.run([folder / "test/bin/runtime-ni-ofi"], check=False).returncode == 0
    if os.geteuid() != 0:
        print("ofi: two hosts are left out: only root makes network namespaces")
        return 0 if good else 1
    with two_hosts() as names:
        good &= ping(folder / "bin/memlift-ni-ping", names)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
