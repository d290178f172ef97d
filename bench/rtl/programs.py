# programs.py - the kernels by each compiler, linked into programs for the simulators
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are compared, and their compilation: freestanding, for rv64imac."""

import os
import shutil
import subprocess
from dataclasses import dataclass

import linux
from wheels import HERE, Unavailable

TARGET = os.path.join(HERE, "target")
MACHINE = ["-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany", "-ffreestanding",
           "-fno-pic", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
           # Where a loop begins is luck otherwise, and a cycle an iteration: fetches are aligned.
           "-falign-loops=8"]
CLANG = ["clang-22", "--target=riscv64-linux-gnu"]
GCC = ["riscv64-linux-gnu-gcc-12"]
# In code that nothing can be called from, GCC may not make memcpy of a loop.
GCC_LOOPS = ["-fno-tree-loop-distribute-patterns"]
OBJDUMP = "llvm-objdump-22"
OBJCOPY = "riscv64-linux-gnu-objcopy"


@dataclass(frozen=True)
class Variant:
    """A way to get the kernels."""
    name: str
    text: str         # for the tables
    command: tuple    # compiler and its options; of memlift: it lacks the core
    files: tuple = () # it needs these
    ours: bool = False
    linux: str = ""   # Linux's routine that copies
    user: bool = False  # copies are those of examples/linux that may fault
    kernel: bool = False # copies and fills are those of examples/linux for the kernel itself


def variants(build):
    """By name."""
    none = "--memlift-runtime=none"
    clang = ("--target=riscv64-linux-gnu", "-O3", "-mtune=sifive-u74")
    own_clang = os.path.join(build, "bin", "memlift-clang-22")
    own_gcc = os.path.join(build, "bin", "memlift-riscv64-linux-gnu-gcc")
    plugins = [os.path.join(build, "lib", name) for name in (
        "memlift-llvm22.so", "memlift-gcc12-riscv64-linux-gnu.so")]
    gcc = ("-O3", "-funroll-loops", *GCC_LOOPS)
    linux_c = (*GCC, "-O2", *GCC_LOOPS)
    return {one.name: one for one in (
        Variant("gcc", "gcc-12 -O3 -funroll-loops", (*GCC, *gcc)),
        Variant("clang", "clang-22 -O3 -mtune=sifive-u74", ("clang-22", *clang)),
        Variant("memlift-gcc", "memlift, gcc-12 -O3", (own_gcc, "-O3", *GCC_LOOPS, none),
                (own_gcc, plugins[1]), True),
        Variant("memlift-clang", "memlift, clang-22 -O3", (own_clang, *clang, none),
                (own_clang, plugins[0]), True),
        Variant("memlift-kernel-gcc", "memlift memcpy of examples/linux, gcc-12 -Os",
                (own_gcc, "-Os", *GCC_LOOPS, none), (own_gcc, plugins[1]), True, kernel=True),
        Variant("memlift-kernel-clang", "memlift memcpy of examples/linux, clang-22 -Os",
                (own_clang, "--target=riscv64-linux-gnu", "-Os", none), (own_clang, plugins[0]),
                True, kernel=True),
        Variant("memlift-user-gcc", "memlift copy_to_user, gcc-12 -O2",
                (own_gcc, "-O2", *GCC_LOOPS, none), (own_gcc, plugins[1]), True, user=True),
        Variant("memlift-user-clang", "memlift copy_to_user, clang-22 -O2",
                (own_clang, "--target=riscv64-linux-gnu", "-O2", none), (own_clang, plugins[0]),
                True, user=True),
        Variant("memlift-user-small-gcc", "memlift copy_to_user, gcc-12 -Os",
                (own_gcc, "-Os", *GCC_LOOPS, none), (own_gcc, plugins[1]), True, user=True),
        Variant("memlift-user-small-clang", "memlift copy_to_user, clang-22 -Os",
                (own_clang, "--target=riscv64-linux-gnu", "-Os", none), (own_clang, plugins[0]),
                True, user=True),
        Variant("linux-memcpy", "Linux memcpy, memset, checksum", linux_c, linux="__memcpy"),
        Variant("linux-memmove", "Linux memmove", linux_c, linux="__memmove"),
        Variant("linux-user", "Linux copy_to_user", linux_c, linux="__asm_copy_to_user"))}


def step(command):
    """Compiles or links; what fails is an error of ours."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout.strip()}")


def missing(variant):
    """Tool that the variant needs and that is not there, or None."""
    needs = list(variant.files) or [variant.command[0]]
    return next((name for name in needs if not shutil.which(name) and not os.path.exists(name)),
                None)


def objects(where, sources, extra=()):
    """Objects of sources in target/ that are not measured; `extra`: options."""
    compiler = CLANG + MACHINE + ["-O2", "-fno-builtin", "-Wall", "-Wextra", *extra]
    made = []
    for source in sources:
        output = os.path.join(where, source + ".o")
        step(compiler + ["-c", os.path.join(TARGET, source), "-o", output])
        made.append(output)
    return made


def support(where, name, extra=()):
    """Objects of the program `name` beside its kernels; `extra`: options."""
    return objects(where, ("start.S", "device.c", "io.c", name + ".c"), extra)


def kernels(variant, core, root, where):
    """Objects of the kernels, and options for the linker."""
    compiler = list(variant.command) + MACHINE
    if variant.linux:
        made = linux.commands(root, where, compiler)
        for _, command in made:
            step(command)
        names = {"k_copy": variant.linux, "k_copy_restrict": variant.linux,
                 "k_copy_down": variant.linux, "k_fill": "__memset"}
        return ([output for output, _ in made],
                [f"-Wl,--defsym={name}={theirs}" for name, theirs in names.items()])
    if variant.ours:
        compiler.append("--memlift-core=" + core.mcpu)
    output = os.path.join(where, "kernels.o")
    step(compiler + ["-c", os.path.join(TARGET, "kernels.c"), "-o", output])
    if variant.user:
        return example_kernels(compiler, output, where, "uaccess", ("__asm_copy_to_user",) * 2)
    if variant.kernel:
        return example_kernels(compiler, output, where, "string", ("memmove", "memcpy"), "memset")
    return [output], []


def example_kernels(compiler, others, where, name, copies, fill=None):
    """The kernels with the routines of a file of examples/linux: any copy, and one upwards. Those
    of user memory switch a bit of mstatus, as Linux's. No loop is aligned, as in a kernel: a short
    copy would take longer to come to it."""
    compiler = [word for word in compiler if not word.startswith("-falign-loops")]
    output = os.path.join(where, name + ".o")
    source = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples", "linux", name + ".c")
    step(compiler + ['-DSUM(x)=x " mstatus, %0"', "-c", source, "-o", output])
    step([OBJCOPY, "--weaken", others])
    names = {"k_copy": copies[0], "k_copy_down": copies[0], "k_copy_restrict": copies[1]}
    if fill:
        names["k_fill"] = fill
    return [output, others], [f"-Wl,--defsym={name}={ours}" for name, ours in names.items()]


def link(parts, options, output, script=True):
    """A program of them; labels inside of functions are not in its list of symbols."""
    how = ["-T", os.path.join(TARGET, "link.ld")] if script else []
    step(GCC + MACHINE + ["-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,--discard-all",
                          "-Wl,--no-warn-rwx-segments"] + how + options + parts
         + ["-o", output])
    return output


def folder(root, *names):
    """root/programs/NAMES, empty."""
    where = os.path.join(root, "programs", *names)
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    return where


def program(name, variant, core, root, extra=(), place=0):
    """A program with the variant's kernels, for a core; they begin `place` bytes after the start of
    a line of the instruction cache, if it is not 0."""
    where = folder(root, core.name, variant.name, name)
    made, options = kernels(variant, core, root, where)
    before = [gap(where, place)] if place else []
    return link(before + made + support(where, name, extra), options, os.path.join(where, name))


def gap(where, place):
    """An object that only takes room in front of others."""
    output = os.path.join(where, "gap.o")
    source = output.replace(".o", ".s")
    with open(source, "w", encoding="utf-8") as stream:
        stream.write(f".text\n.skip {place}\n")
    step(GCC + MACHINE + ["-c", source, "-o", output])
    return output


def user_program(variant, core, root):
    """The check of every length, for Linux."""
    where = folder(root, core.name, variant.name, "check-linux")
    made, options = kernels(variant, core, root, where)
    made += objects(where, ("linux.c", "io.c", "check.c"), ["-DDENSE=300"])
    return link(made, options, os.path.join(where, "check"), script=False)


def anchors(root):
    """The program whose figures are known; it has no kernels."""
    where = folder(root, "anchors")
    parts = support(where, "anchors") + objects(where, ["anchors.S"])
    return link(parts, [], os.path.join(where, "anchors"))


def tools():
    """Raises Unavailable where nothing could be linked or measured."""
    for name in (CLANG[0], GCC[0], OBJDUMP):
        if not shutil.which(name):
            raise Unavailable(f"there is no {name}")
