# package.py - makes Debian packages of memlift for the release that runs here
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make Debian packages (.deb) of memlift for the release of Debian that runs here, with a plugin
for each clang and GCC that is installed with its headers.

The sources that git knows are copied to FOLDER/tree, configured and built there, so that a second
run compiles only what has changed. The packages are then in FOLDER.

exit codes: 0 done, 1 a step failed, 2 bad usage
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(HERE)
sys.path.insert(1, HERE)
import names  # noqa: E402  pylint: disable=wrong-import-position

NEEDS = ("debhelper", "dpkg-dev", "fakeroot")
MAINTAINER = "The memlift developers <memlift@localhost.localdomain>"


class Failure(Exception):
    """A step that failed."""


def run(command, folder, log, **environment):
    """Runs a command; its output goes to the end of the log."""
    with open(log, "a", encoding="utf-8") as stream:
        print("+", *command, file=stream, flush=True)
        done = subprocess.run(command, cwd=folder, stdout=stream, stderr=subprocess.STDOUT,
                              env={**os.environ, **environment}, check=False)
    if done.returncode:
        with open(log, encoding="utf-8", errors="replace") as stream:
            print("".join(stream.readlines()[-25:]), file=sys.stderr)
        raise Failure(f"{command[0]} failed; the whole output: {log}")


def copy_sources(tree):
    """What git knows of the sources, with the times of the files; removes what is no more."""
    listed = subprocess.run(["git", "-C", SOURCES, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True, check=False)
    if listed.returncode:
        raise Failure("the sources are not in a work tree of git")
    wanted = {name for name in listed.stdout.split("\0")
              if name and os.path.lexists(os.path.join(SOURCES, name))}
    for folder, folders, files in os.walk(tree):
        if folder == tree:
            folders[:] = [name for name in folders if name not in ("build", "debian")]
        for name in files:
            path = os.path.join(folder, name)
            if os.path.relpath(path, tree) not in wanted:
                os.remove(path)
    for name in wanted:
        copy = os.path.join(tree, name)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        if os.path.lexists(copy):
            os.remove(copy)
        shutil.copy2(os.path.join(SOURCES, name), copy, follow_symlinks=False)


def release():
    """(12, "bookworm") of this Debian."""
    values = {}
    with open("/etc/os-release", encoding="utf-8") as stream:
        for line in stream:
            key, _, value = line.strip().partition("=")
            values[key] = value.strip('"')
    return values.get("VERSION_ID", "0"), values.get("VERSION_CODENAME", "unstable")


def multiarch():
    """Name of the folder of libraries, such as x86_64-linux-gnu."""
    return subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True,
                          text=True, check=True).stdout.strip()


def configure(tree, log):
    """Configures the tree for the layout of Debian; what CMake found."""
    run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_INSTALL_PREFIX=/usr", f"-DCMAKE_INSTALL_LIBDIR:STRING=lib/{multiarch()}",
         f"-DMEMLIFT_INSTALL_PLUGINDIR:STRING={names.PRIVATE.removeprefix('usr/')}",
         "-DCMAKE_SKIP_INSTALL_RPATH=ON", "-DMEMLIFT_BUILD_TESTS=OFF", "-DMEMLIFT_CROSS=OFF"],
        tree, log)
    with open(os.path.join(tree, "build", "memlift.json"), encoding="utf-8") as stream:
        return json.load(stream)


def write(tree, name, text, mode=0o644):
    """A file of debian/."""
    path = os.path.join(tree, "debian", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(path, mode)


def folded(text):
    """A description as debian/control has it."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 76:
            lines.append(line)
            line = ""
        line += " " + word
    return "\n".join(lines + [line])


def control(packages):
    """debian/control."""
    text = (f"Source: memlift\nSection: devel\nPriority: optional\nMaintainer: {MAINTAINER}\n"
            "Build-Depends: debhelper-compat (= 13)\nStandards-Version: 4.6.2\n"
            "Rules-Requires-Root: no\n")
    for package in packages:
        fields = {"Package": package.name, "Architecture": package.architecture,
                  "Section": package.section, "Multi-Arch": package.multi_arch,
                  "Depends": package.depends, "Recommends": package.recommends}
        text += "\n" + "".join(f"{key}: {value}\n" for key, value in fields.items() if value)
        text += (f"Description: {package.summary}\n"
                 " memlift finds loops that copy, fill or checksum memory, and calls a tuned\n"
                 " routine for them, or writes faster code in place.\n .\n"
                 f"{folded(package.text)}\n")
    return text


def gcc_scripts(tree, package):
    """What runs when the compiler changes, and when the package goes."""
    compiler = f"gcc-{package.gcc}"
    ask = lambda *words: subprocess.run([compiler, *words], capture_output=True, text=True,  # noqa: E731
                                        check=True).stdout.strip()
    values = {"compiler": compiler, "major": package.gcc,
              "cc1": os.path.realpath(ask("-print-prog-name=cc1")),
              "headers": os.path.realpath(ask("-print-file-name=plugin")) + "/include"}
    for kind, mode in (("postinst", 0o755), ("prerm", 0o755), ("triggers", 0o644)):
        with open(os.path.join(HERE, "debian", f"gcc.{kind}"), encoding="utf-8") as stream:
            text = stream.read()
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        write(tree, f"{package.name}.{kind}", text, mode)


def describe(tree, found, revision):
    """Writes debian/."""
    shutil.rmtree(os.path.join(tree, "debian"), ignore_errors=True)
    packages = names.packages(found["clangs"], found["gccs"], found["gcc"])
    number, name = release()
    stamp = subprocess.run(["git", "-C", SOURCES, "log", "-1", "--format=%at"], capture_output=True,
                           text=True, check=True).stdout.strip()
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(int(stamp)))
    write(tree, "changelog", f"memlift ({found['version']}-{revision}~deb{number}) {name}; "
          f"urgency=medium\n\n  * See NEWS.md.\n\n -- {MAINTAINER}  {date}\n")
    write(tree, "control", control(packages))
    write(tree, "source/format", "3.0 (native)\n")
    write(tree, "not-installed", "usr/share/doc/*\n"
          + "".join(f"usr/lib/memlift/memlift_gcc{major}.so\n" for major in found["gccs"])
          + "".join(f"{path}\n" for path in leftovers(found)))
    for part in ("copyright", "rules"):
        shutil.copy(os.path.join(HERE, "debian", part), os.path.join(tree, "debian", part))
    for package in packages:
        write(tree, f"{package.name}.install", "".join(f"{path}\n" for path in package.files))
        if package.overrides:
            write(tree, f"{package.name}.lintian-overrides", "".join(
                f"# {why}\n{package.name}: {tag}\n" for why, tag in package.overrides))
        script = os.path.join(HERE, "debian", f"{package.name}.prerm")
        if os.path.exists(script):
            shutil.copy(script, os.path.join(tree, "debian"))
        if package.gcc:
            gcc_scripts(tree, package)
    return packages


def leftovers(found):
    """Wrappers of compilers that were not found when this was built."""
    return [f"{folder}/memlift-{name}-{major}{end}"
            for kinds, majors in ((("clang", "clang++"), found["clangs"]),
                                  (("gcc", "g++"), found["gccs"]))
            for name in kinds for major in found["wrappers"][kinds[0]] if major not in majors
            for folder, end in (("usr/bin", ""), ("usr/share/man/man1", ".1"))]


def lint(output, log):
    """Runs lintian over the packages, whose warnings are errors."""
    # Packages that go into no archive have no address that mail could be sent to.
    run(["lintian", "--fail-on", "error,warning", "--suppress-tags",
         "bogus-mail-host,bogus-mail-host-in-debian-changelog",
         *sorted(glob.glob(os.path.join(output, "*.changes")))], output, log)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="tools/package", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default=os.path.join(SOURCES, "build", "package"),
                        metavar="FOLDER", help="where to build; default: build/package")
    parser.add_argument("--revision", default="1", help="of the packages (%(default)s)")
    parser.add_argument("--lintian", action="store_true", help="check the packages by lintian, too")
    return parser.parse_args()


def main():
    """Copies, configures, builds, packages."""
    args = arguments()
    output = os.path.abspath(args.output)
    tree, log = os.path.join(output, "tree"), os.path.join(output, "log")
    os.makedirs(tree, exist_ok=True)
    for old in glob.glob(os.path.join(output, "memlift_*")) + glob.glob(
            os.path.join(output, "*.deb")) + [log]:
        if os.path.exists(old):
            os.remove(old)
    lacking = [name for name in ("dh", "dpkg-buildpackage", "fakeroot") if not shutil.which(name)]
    try:
        if lacking:
            raise Failure(f"{lacking[0]} is not installed (apt install {' '.join(NEEDS)})")
        copy_sources(tree)
        describe(tree, configure(tree, log), args.revision)
        run(["dpkg-buildpackage", "-b", "-us", "-uc", "-nc", "-d"], tree, log,
            DEB_BUILD_OPTIONS="noautodbgsym")
        if args.lintian:
            lint(output, log)
    except Failure as failure:
        print(f"package: error: {failure}", file=sys.stderr)
        return 1
    print("\n".join(sorted(glob.glob(os.path.join(output, "*.deb")))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
