# sources.py - Debian source packages, by name, with an apt configuration of our own
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Downloads and unpacks source packages of this Debian release's main section.

The mirror is the one that the system's own apt uses; no file of the system is changed, and
nothing needs root. A package that main does not have (any more) is an error that says so.
"""

import glob
import os
import shutil
import subprocess

STAMP = 1000000000  # any time that is past


class Unavailable(Exception):
    """A source cannot be had; the text says why and what can be done."""


def mirror():
    """(address of the archive, code name) of the release whose main section apt reads."""
    run = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages"], capture_output=True, text=True, check=False)
    name = code_name()
    for line in run.stdout.splitlines():
        fields = line.split()
        if fields[1:] == [name, "main"]:
            return fields[0], name
    raise Unavailable(f"apt knows no archive of {name} main: the sources come from there "
                      "(apt-get indextargets lists what it knows)")


def code_name():
    """Source packages of this Debian release."""
    with open("/etc/os-release", encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("VERSION_CODENAME="):
                return line.split("=", 1)[1].strip().strip('"')
    raise Unavailable("/etc/os-release has no VERSION_CODENAME: this is made for Debian 12")


def one_time(folder):
    """Gives every file below the same time: a patched configure.ac must not look newer than the
    configure beside it, or make asks for the very autoconf that made it."""
    for below, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(below, name)
            if not os.path.islink(path):
                os.utime(path, (STAMP, STAMP))


class Archive:
    """Make the folders that apt needs for source packages, below one of ours."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.fresh = False

    def configuration(self):
        """The options of apt that keep it to our folder."""
        below = self.folder
        return ["-q", "-o", f"Dir::Etc::SourceList={below}/sources.list",
                "-o", "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={below}/lists",
                "-o", f"Dir::Cache={below}/cache", "-o", "APT::Sandbox::User=",
                "-o", "Acquire::Retries=3", "-o", "Acquire::Languages=none",
                "-o", "APT::Get::Only-Source=true"]

    def apt(self, *words, where=None):
        """Runs apt-get; returns (worked, what it said)."""
        run = subprocess.run(["apt-get"] + self.configuration() + list(words), cwd=where,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        return run.returncode == 0, run.stdout

    def update(self, kind="deb-src"):
        """Reads the list of packages, once."""
        if self.fresh:
            return
        address, name = mirror()
        for part in ("lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(self.folder, part), exist_ok=True)
        with open(os.path.join(self.folder, "sources.list"), "w", encoding="utf-8") as stream:
            stream.write(f"{kind} {address} {name} main\n")
        worked, said = self.apt("update")
        if not worked:
            raise Unavailable(f"the list of {name} main's packages cannot be read:\n{said}")
        self.fresh = True

    def source(self, package):
        """Path of the .dsc of a source package, downloaded if it is not here."""
        found = sorted(glob.glob(os.path.join(self.folder, "packages", package, "*.dsc")))
        if found:
            return found[-1]
        self.update()
        where = os.path.join(self.folder, "packages", package + ".part")
        shutil.rmtree(where, ignore_errors=True)
        os.makedirs(where)
        worked, said = self.apt("source", "--download-only", package, where=where)
        if not worked:
            raise Unavailable(f"the source package {package} cannot be had from main:\n{said}")
        os.rename(where, os.path.join(self.folder, "packages", package))
        return self.source(package)

    def binary(self, package):
        """Path of the .deb of a binary package, downloaded if it is not here."""
        pattern = os.path.join(self.folder, "packages", package + "_*.deb")
        if not glob.glob(pattern):
            self.update("deb")
            where = os.path.join(self.folder, "packages")
            os.makedirs(where, exist_ok=True)
            worked, said = self.apt("download", package, where=where)
            if not worked:
                raise Unavailable(f"the package {package} cannot be had from main:\n{said}")
        return sorted(glob.glob(pattern))[-1]

    def unpack(self, package, to):
        """Unpacks the patched source into the folder `to`, which must not exist."""
        dsc = self.source(package)
        part = to + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        # dpkg-source leaves the archives beside the folder that it makes.
        made = os.path.join(part, "source")
        run = subprocess.run(["dpkg-source", "--no-check", "-x", dsc, made],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        if run.returncode:
            raise Unavailable(f"{os.path.basename(dsc)} cannot be unpacked:\n{run.stdout}")
        one_time(made)
        os.rename(made, to)
        shutil.rmtree(part)

    def version(self, package):
        """The version of the package that was downloaded."""
        name = os.path.basename(self.source(package))
        return name[len(package) + 1:-len(".dsc")]
