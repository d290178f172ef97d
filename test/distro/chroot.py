# chroot.py - a folder that is another Debian, and commands in it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a chroot by debootstrap from the archive that this machine's apt uses, and runs commands in
it. Each command has mounts of its own: they go when it ends, however it ends."""

import os
import re
import shutil
import subprocess

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# What a command gets to see besides the folder; $1 is the folder, the rest the command.
ENTER = """mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" &&
mount --rbind /dev "$1/dev" || exit 125
root=$1; shift; exec chroot "$root" "$@" """
# Mends an installation that was killed: dpkg finishes what it can, and apt unpacks again what was
# half unpacked, and installs what is missing.
RECOVER = """dpkg --configure -a || :
dpkg-query -W -f '${db:Status-Eflag} ${binary:Package}\\n' | sed -n 's/^reinstreq //p' |
  xargs apt-get -q -y --no-install-recommends --fix-broken --reinstall install"""


class Failure(Exception):
    """A step that failed: what it was, and its last words."""


def addresses():
    """{label: address} of Debian's archives, from the lists of packages that apt keeps here."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)",
         "Created-By: Packages"], capture_output=True, text=True, check=False).stdout
    found = {}
    for line in listed.splitlines():
        origin, label, address = line.split("|", 2)
        if origin == "Debian":
            found.setdefault(label, address)
    return found


def archive():
    """Address of Debian's archive."""
    found = addresses().get("Debian")
    if not found:
        raise Failure("apt has no lists of Debian's archive: run apt-get update")
    return found


def updates(release):
    """Lines for apt that a released Debian has besides: its updates, and those of security."""
    if release in ("sid", "unstable"):
        return ""
    security = addresses().get("Debian-Security")
    return f"deb {archive()} {release}-updates main\n" + (
        f"deb {security} {release}-security main\n" if security else "")


def apt_settings():
    """How apt reaches the archive from here: proxies, and whether dates are checked."""
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
    return "".join(f"{line}\n" for line in dump.splitlines()
                   if re.match(r"Acquire::(Check|https?|ftp)\b.*\"[^\"]", line))


def mounted_below(folder):
    """Is anything mounted in the folder? Then removing it would reach further."""
    with open("/proc/self/mountinfo", encoding="utf-8") as stream:
        return any(line.split()[4].startswith(folder + "/") for line in stream)


class Chroot:
    """One folder with one release of Debian in it."""

    def __init__(self, root, release):
        self.root, self.release = os.path.realpath(root), release

    def path(self, name):
        """A file of the chroot, seen from here."""
        return os.path.join(self.root, name.lstrip("/"))

    def make(self):
        """Makes it, unless it is there as a whole; what a step before left is made anew."""
        done = self.path("/memlift-made")
        if os.path.exists(done):
            return
        if mounted_below(self.root):
            raise Failure(f"something is mounted in {self.root}")
        if os.path.isdir(self.root):
            shutil.rmtree(self.root)
        os.makedirs(self.root)
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", "--include=ca-certificates,git",
             f"--keyring={KEYRING}", self.release, self.root, archive()],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if made.returncode:
            raise Failure(f"debootstrap {self.release}: {made.stdout[-2000:]}")
        for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"):
            if os.path.exists(name):
                shutil.copyfile(name, self.path(name))
        with open(self.path("/etc/apt/apt.conf.d/90outside"), "w", encoding="utf-8") as stream:
            stream.write(apt_settings() + 'Acquire::Languages "none";\n')
        # One that is half made is made anew, so dpkg need not wait for the disk after each file.
        with open(self.path("/etc/dpkg/dpkg.cfg.d/90outside"), "w", encoding="utf-8") as stream:
            stream.write("force-unsafe-io\n")
        with open(self.path("/etc/apt/sources.list"), "a", encoding="utf-8") as stream:
            stream.write("\n" + updates(self.release))
        with open(done, "w", encoding="utf-8"):
            pass

    def run(self, command, log=None, **options):
        """Runs a command in it, by a shell, with the output in a file of that name or returned."""
        environment = {"HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb",
                       "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                       "DEBIAN_FRONTEND": "noninteractive"}
        whole = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "enter",
                 self.root, "bash", "-c", command]
        if log is None:
            return subprocess.run(whole, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False, **options)
        with open(log, "w", encoding="utf-8") as stream:
            return subprocess.run(whole, env=environment, stdout=stream,
                                  stderr=subprocess.STDOUT, text=True, check=False, **options)

    def install(self, packages, log):
        """Installs packages by name, after one that was killed as well."""
        command = (f"apt-get -q update && {{ {RECOVER}\n}} && apt-get -q dist-upgrade -y && "
                   "apt-get -q install -y --no-install-recommends "
                   + " ".join(packages))
        if self.run(command, log).returncode:
            raise Failure(f"installing failed; the whole output: {log}")
