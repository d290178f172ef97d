# packages.py - Debian packages that a suite needs beside memlift's own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages that are missing, and the way to get them."""

import os
import subprocess


def missing(packages):
    """Those that dpkg does not have."""
    def absent(package):
        run = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package],
                             capture_output=True, text=True, check=False)
        return run.stdout != "installed"
    return [package for package in packages if absent(package)]


def get(suite, needs):
    """Installs what is missing of them; the exit status."""
    packages = missing(needs)
    if not packages:
        print(f"{suite}: nothing is missing")
        return 0
    root = [] if os.geteuid() == 0 else ["sudo"]
    return subprocess.run(root + ["apt-get", "-q", "install", "-y", "--no-install-recommends"]
                          + packages, check=False).returncode
