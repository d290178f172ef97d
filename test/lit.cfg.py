# lit.cfg.py - how lit runs these tests; README.md says which kinds of file there are.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Works from ctest and by hand: `lit test/idioms` uses the build in build/, `lit --param build=DIR
# ...` another one. The build leaves what it found in DIR/test/lit-values.json. `--param gcc=N` runs
# the tests of GCC with that version of it; their RUN lines say gcc12 whichever it is.

import json
import os
import re
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)  # lit sends the format to its workers by the name of its module
import run_line_test  # noqa: E402 pylint: disable=wrong-import-position

build = lit_config.params.get("build", os.path.join(os.path.dirname(here), "build"))
try:
    with open(os.path.join(build, "test", "lit-values.json"), encoding="utf-8") as stream:
        values = json.load(stream)
except OSError as error:
    lit_config.fatal(f"no configured build in {build}: {error}; run: cmake --preset release")
values = {key: "" if isinstance(value, str) and value.endswith("-NOTFOUND") else value
          for key, value in values.items()}
gcc = lit_config.params.get("gcc", values["gcc_major"])
if f"gcc{gcc}" not in values:
    lit_config.fatal(f"--param gcc={gcc}: memlift knows no such version of GCC")

config.name = "memlift"
config.test_format = run_line_test.RunLineTest()
config.suffixes = [".c", ".cpp", ".ll", ".test", ".loop"]
config.excludes = ["Inputs", "CMakeLists.txt", "README.md"]
config.test_source_root = here
config.test_exec_root = os.path.join(build, "test")

bin_dir = os.path.join(build, "bin")
lib_dir = os.path.join(build, "lib")


def plugin_headers(compiler):
    """True if this GCC's plugin headers are installed, so that its plugin was built."""
    if not values["has_gcc"] or not values[compiler]:
        return False
    folder = subprocess.run([values[compiler], "-print-file-name=plugin"], capture_output=True,
                            text=True, check=False).stdout.strip()
    return os.path.exists(os.path.join(folder, "include", "gcc-plugin.h"))


def of_this_version(compiler):
    """True for a cross compiler of the version under test: RUN lines spell its plugin's name."""
    return re.search(r"\d*$", values[compiler]).group() in ("", gcc)


features = {
    "gdb": bool(shutil.which("gdb")),
    "man": bool(shutil.which("man")),
    "runtime": values["has_runtime"],
    "sanitized": values["sanitized"],
    "gcc-12": int(gcc) in values["gcc_built"],
    "riscv64-gcc": plugin_headers("riscv64_gcc"),
    "arc-gcc": plugin_headers("arc_gcc") and of_this_version("arc_gcc"),
    "sparc64-gcc": plugin_headers("sparc64_gcc") and of_this_version("sparc64_gcc"),
    "aarch64-gcc": bool(values["aarch64_gcc"]),
    "qemu-riscv64": bool(values["qemu_riscv64"]),
    "qemu-aarch64": bool(values["qemu_aarch64"]),
}
features.update((f"clang-{major}", True) for major in values["llvm_built"])
config.available_features.update(name for name, present in features.items() if present)


def cross_plugin(name, triple):
    """Path of the plugin of the cross compiler that is called %NAME-gcc."""
    major = re.search(r"\d*$", values[f"{name}_gcc"]).group() or gcc
    return os.path.join(lib_dir, f"memlift-gcc{major}-{triple}.so")


substitutions = {
    "%gcc12": values[f"gcc{gcc}"],
    "%gxx12": values[f"gxx{gcc}"],
    "%riscv64-gcc": values["riscv64_gcc"],
    "%arc-gcc": values["arc_gcc"],
    "%sparc64-gcc": values["sparc64_gcc"],
    "%aarch64-gcc": values["aarch64_gcc"],
    "%qemu-riscv64": values["qemu_riscv64"],
    "%qemu-aarch64": values["qemu_aarch64"],
    "%llvm-dwarfdump": os.path.join(values["llvm22"] or values["llvm19"], "bin", "llvm-dwarfdump"),
    "%plugingcc": os.path.join(lib_dir, f"memlift-gcc{gcc}.so"),
    "%plugingcc-riscv64": cross_plugin("riscv64", "riscv64-linux-gnu"),
    "%plugingcc-arc": cross_plugin("arc", "arc-linux-gnu"),
    "%plugingcc-sparc64": cross_plugin("sparc64", "sparc64-linux-gnu"),
    "%plugingcc-aarch64": cross_plugin("aarch64", "aarch64-linux-gnu"),
    "%filecheck": values["filecheck"],
    "%python": values["python"],
    "%runtime_inc": os.path.join(values["source"], "runtime", "include"),
    "%intrinsics_inc": os.path.join(values["source"], "intrinsics", "include"),
    "%libmemlift": os.path.join(lib_dir, "libmemlift.a"),
    "%libmemlift-riscv64": os.path.join(lib_dir, "riscv64-linux-gnu", "libmemlift.a"),
    "%source": values["source"],
    "%build": build,
}
for major in sorted({19, 22, *values["llvm_built"]}):
    clang, llvm = values[f"clang{major}"], values[f"llvm{major}"]
    substitutions[f"%clang{major}"] = clang
    substitutions[f"%clangxx{major}"] = clang + " --driver-mode=g++"
    substitutions[f"%llvm{major}"] = llvm
    substitutions[f"%opt{major}"] = os.path.join(llvm, "bin", "opt")
    substitutions[f"%plugin{major}"] = os.path.join(lib_dir, f"memlift-llvm{major}.so")
    for tool in (f"memlift-clang-{major}", f"memlift-clang++-{major}"):
        substitutions["%" + tool] = os.path.join(bin_dir, tool)
for tool in ("memlift-loops", "memlift-report", "memlift-info", "memlift-clang", "memlift-clang++",
             "memlift-riscv64-linux-gnu-gcc"):
    substitutions["%" + tool] = os.path.join(bin_dir, tool)
own = "" if gcc == values["gcc_major"] else f"-{gcc}"
for tool in ("memlift-gcc", "memlift-g++"):
    substitutions["%" + tool] = os.path.join(bin_dir, tool + own)
# Names of files that RUN lines spell out: the plugin is that of the GCC under test.
if gcc != "12":
    for separator in "-_":
        substitutions[f"memlift{separator}gcc12"] = f"memlift{separator}gcc{gcc}"

# Those of clang that this build has.
substitutions["%clangs"] = " ".join(
    os.path.join(bin_dir, f"memlift-clang-{major}") for major in values["llvm_built"])

# For `for cc in %wrappers; do`: the compilers through memlift that this build has, for C and for
# C++. All plugins for LLVM are compiled from the same source, so a test sees one of them, which
# follows from its name, and GCC; tools/test --all has it see all, and so has %allwrappers.
everything = bool(os.environ.get("MEMLIFT_TEST_ALL"))

# In a short run fewer: idioms-claim tries what is decided for the same loop models as well.
if not everything:
    substitutions["%memlift-loops"] += " --verify=60"


def one_of(names):
    """A part of a command that gives one of these names, the same to all lines of a test."""
    if everything or len(names) < 2:
        return " ".join(names)
    return (f"$(set -- {' '.join(names)}; n=$(basename %s | cksum | cut -d ' ' -f 1); "
            f"shift $((n % {len(names)})); echo $1)")


substitutions["%versions"] = one_of(sorted(
    name[len("clang-"):] for name, has in features.items() if name.startswith("clang-") and has))
for name, driver, own_gcc in (("%wrappers", "memlift-clang", "memlift-gcc" + own),
                              ("%wrappersxx", "memlift-clang++", "memlift-g++" + own)):
    wrappers = [os.path.join(bin_dir, f"{driver}-{major}") for major in values["llvm_built"]]
    last = " " + os.path.join(bin_dir, own_gcc) if features["gcc-12"] else ""
    substitutions[name] = one_of(wrappers) + last
    substitutions[name.replace("%", "%all")] = " ".join(wrappers) + last
    # For the longest tests: one of all the compilers, as its name has it.
    substitutions[name.replace("%", "%one")] = one_of(wrappers + last.split())

# For `for cc in %wrappers; do for options in ...; do %sample; ...`: a quarter of the options of
# each compiler, another quarter of the next one's; %third takes a third, so that three compilers
# see all options; tools/test --all runs every pair.
for name, part in (("%sample", 4), ("%third", 3)):
    substitutions[name] = ":" if everything else (
        '[ "$cc" = "$sampled" ] || { sampled=$cc; turns=$((turns + 1)); turn=$turns; }; '
        f'turn=$((turn + 1)); [ $((turn % {part})) = 0 ] || continue')

# Every other option, for lists of two or three options and where an emulator runs the program.
substitutions["%half"] = ":" if everything else (
    '[ "$cc" = "$halved" ] || { halved=$cc; halves=$((halves + 1)); half=$halves; }; '
    'half=$((half + 1)); [ $((half % 2)) = 0 ] || continue')

# For what only tools/test --all runs: `[ $level = -O2 ] || %seldom`.
substitutions["%seldom"] = ":" if everything else "continue"

# lit replaces in the order of the list, so a name that begins another one has to come after it.
for name in sorted(substitutions, key=len, reverse=True):
    config.substitutions.append((re.escape(name), substitutions[name]))

# `not`, `count` and `split-file` come with LLVM's tools; `FileCheck` by its plain name works as
# well.
tool_dirs = [os.path.join(values[f"llvm{major}"], "bin")
             for major in (22, 19, *reversed(values["llvm_built"])) if values[f"llvm{major}"]]
tool_dirs.append(os.path.dirname(values["filecheck"]))
config.environment["PATH"] = os.pathsep.join([bin_dir] + [os.environ["PATH"]] + tool_dirs)
for name in [name for name in os.environ if name.startswith("MEMLIFT_")]:
    config.environment.pop(name, None)
