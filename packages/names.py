# names.py - the packages of memlift: what each is for, what it needs, and which files it has
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one place that names packages. A path is below the root of the installed tree, with the
wildcards of dh_install; which compilers there are is what CMake has found."""

from typing import NamedTuple

SAME = "(= ${binary:Version})"
COMMON = "${misc:Depends}"
LIBRARIES = "${shlibs:Depends}, " + COMMON
PRIVATE = "usr/lib/memlift"


class Package(NamedTuple):
    """One binary package."""
    name: str
    summary: str
    text: str
    files: tuple = ()
    depends: str = LIBRARIES
    recommends: str = ""
    architecture: str = "any"
    section: str = "devel"
    multi_arch: str = ""
    overrides: tuple = ()  # of lintian: (why, tag and what follows it)
    gcc: str = ""          # its major version, if the package has a plugin of GCC


def wrappers(*names):
    """The commands of these names, and their manual pages."""
    return tuple(f"usr/bin/{name}" for name in names) + tuple(
        f"usr/share/man/man1/{name}.1" for name in names)


def pkg_config(*names):
    """Files of pkg-config."""
    return tuple(f"usr/lib/*/pkgconfig/{name}.pc" for name in names)


def libraries():
    """The run-time library, and what is not of one compiler."""
    return [
        Package("libmemlift0", "routines that copy, fill and checksum memory",
                "This package has the shared library. Programs that were compiled with memlift "
                "alone need none: they are linked with an archive.",
                ("usr/lib/*/libmemlift.so.*", "usr/lib/*/libmemlift_mars.so.*"),
                section="libs", multi_arch="same",
                overrides=(("libmemlift_mars has the version of libmemlift, which it needs",
                            "package-name-doesnt-match-sonames"),)),
        Package("libmemlift-dev", "routines that copy, fill and checksum memory - development",
                "This package has the archive that compiled programs are linked with, headers, and "
                "files for CMake and pkg-config.",
                ("usr/include/memlift", "usr/include/memlift-mars", "usr/lib/*/libmemlift.a",
                 "usr/lib/*/libmemlift.so", "usr/lib/*/libmemlift_mars.a",
                 "usr/lib/*/libmemlift_mars.so", "usr/lib/*/cmake/memlift")
                + pkg_config("memlift-runtime", "memlift-mars"),
                f"libmemlift0 {SAME}, {COMMON}", section="libdevel", multi_arch="same"),
        Package("memlift-common", "options of memlift's compilers",
                "This package has what the commands of all compilers read: the list of their "
                "options, and their manual page.",
                (f"{PRIVATE}/memlift-options.sh", "usr/share/man/man1/memlift.1",
                 "usr/share/bash-completion"), COMMON, architecture="all", multi_arch="foreign"),
        Package("memlift-tools", "tools around memlift's library and recogniser",
                "This package has memlift-info, which says what the library does on this machine, "
                "memlift-loops, which runs the recogniser on the text of a loop, memlift-ni-ping "
                "and memlift-mpu-cc.",
                wrappers("memlift-info", "memlift-loops", "memlift-ni-ping", "memlift-mpu-cc")
                + (f"{PRIVATE}/mpu.map", "usr/lib/*/libmemlift_mpu.a"),
                f"libmemlift-dev {SAME}, {LIBRARIES}"),
        Package("memlift-report", "says what became of each loop that copies or checksums memory",
                "This package reads the remarks that compilers write with memlift, compares those "
                "of two builds, and writes HTML, SARIF and JSON.",
                wrappers("memlift-report") + (f"{PRIVATE}/python",),
                f"python3 (>= 3.11), python3-jinja2, python3-yaml, {COMMON}", "python3-rich",
                architecture="all", multi_arch="foreign")]


def of_clang(major):
    """The plugin for one version of clang."""
    return Package(f"memlift-clang-{major}",
                   f"faster copies, fills and checksums, for clang {major}",
                   "This package has the plugin and commands that run clang with it.",
                   wrappers(f"memlift-clang-{major}", f"memlift-clang++-{major}")
                   + pkg_config(f"memlift-clang-{major}") + (f"{PRIVATE}/memlift-llvm{major}.so",),
                   f"clang-{major}, libmemlift-dev {SAME}, memlift-common, {LIBRARIES}")


def of_gcc(major):
    """The plugin for one version of GCC."""
    return Package(f"memlift-gcc-{major}",
                   f"faster copies, fills and checksums, for GCC {major}",
                   "This package has the plugin and commands that run GCC with it. When GCC is "
                   "updated, the plugin is compiled again where its headers are installed.",
                   wrappers(f"memlift-gcc-{major}", f"memlift-g++-{major}")
                   + pkg_config(f"memlift-gcc-{major}")
                   + (f"{PRIVATE}/memlift-gcc{major}.so", f"{PRIVATE}/memlift-gcc{major}.headers"),
                   f"gcc-{major}, libmemlift-dev {SAME}, memlift-common, memlift-gcc-build {SAME}, "
                   f"{LIBRARIES}",
                   f"g++-{major}, gcc-{major}-plugin-dev, libgmp-dev", gcc=str(major))


def packages(clangs, gccs, gcc):
    """All packages, for these versions of clang and GCC; `gcc` is the one without a number."""
    result = libraries() + [of_clang(major) for major in clangs] + [of_gcc(major) for major in gccs]
    if clangs:
        result.append(Package(
            "memlift-clang", "faster copies, fills and checksums, for the newest clang",
            "This package has the commands without a version.",
            wrappers("memlift-clang", "memlift-clang++") + pkg_config("memlift-clang"),
            f"memlift-clang-{max(clangs)} {SAME}, {COMMON}"))
    if gccs:
        result += [
            Package("memlift-gcc-build", "builds memlift's plugins for another revision of GCC",
                    "This package has the sources of the plugin and the compiled recogniser. A "
                    "plugin fits one build of GCC only.",
                    wrappers("memlift-gcc-rebuild") + (f"{PRIVATE}/gcc-plugin",)),
            Package("memlift-gcc", "faster copies, fills and checksums, for the system's own GCC",
                    "This package has the commands without a version.",
                    wrappers("memlift-gcc", "memlift-g++") + pkg_config("memlift-gcc"),
                    f"memlift-gcc-{gcc} {SAME}, {COMMON}")]
    return result
