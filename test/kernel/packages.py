# packages.py - the Debian packages that building and booting Linux needs beside memlift's own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names, what is missing of them, and how to get it."""

import os
import subprocess

NEEDS = ["bc", "bison", "flex", "lld-22", "llvm-22", "gcc-12-riscv64-linux-gnu",
         "binutils-riscv64-linux-gnu", "libc6-dev-riscv64-cross", "e2fsprogs",
         "qemu-system-misc", "make", "xz-utils"]


def missing(packages):
    """Those that dpkg does not have."""
    def absent(package):
        run = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package],
                             capture_output=True, text=True, check=False)
        return run.stdout != "installed"
    return [package for package in packages if absent(package)]


def install():
    """Installs them; the exit status."""
    packages = missing(NEEDS)
    if not packages:
        print("kernel: nothing is missing")
        return 0
    root = [] if os.geteuid() == 0 else ["sudo"]
    return subprocess.run(root + ["apt-get", "-q", "install", "-y", "--no-install-recommends"]
                          + packages, check=False).returncode
