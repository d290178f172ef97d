# simulators.py - from a core's RTL to a program that runs ELF files on it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verilator makes C++ of the RTL; clang makes a program of that and of harness/."""

import concurrent.futures
import glob
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass

from wheels import CVA6, HERE, PINS, ROCKET, ROCKET_CONFIG, Unavailable, sources

CLANG = "clang++-22"
HARNESS = os.path.join(HERE, "harness")
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(HERE)), "runtime", "include")
VERILATOR_FLAGS = ["--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert",
                   "--no-timing"] + ["-Wno-" + name for name in (
                       "fatal", "lint", "style", "UNOPTFLAT", "SELRANGE", "WIDTHCONCAT",
                       "SYMRSVDWORD")]
CXX_FLAGS = ["-std=c++17", "-O3", "-w"] + ["-D" + name + "=0" for name in (
    "VM_COVERAGE", "VM_SC", "VM_TIMING", "VM_TRACE", "VM_TRACE_FST", "VM_TRACE_VCD",
    "VM_TRACE_SAIF")] + ["-DVERILATOR=1"]
OWN_FLAGS = ["-Wall", "-Wextra"]


@dataclass(frozen=True)
class Core:
    """A core in one configuration."""
    name: str
    text: str    # for the tables
    top: str
    harness: str # the file of harness/ that knows its ports
    mcpu: str    # its record in Cores.td


CORES = {core.name: core for core in (
    Core("cva6", "CVA6, write-through", "memlift_cva6", "cva6.cpp", "cva6"),
    Core("cva6-wb", "CVA6, write-back", "memlift_cva6", "cva6.cpp", "cva6"),
    Core("rocket", "Rocket", "ExampleRocketSystem", "rocket.cpp", "rocket"))}


def run(command, what, **more):
    """Runs a step that has to work."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{what} failed: {' '.join(command)}\n{done.stdout[-4000:]}")


def rewritten(base, name, where, change):
    """{name of a file: path of a copy of ours} with the text that `change` makes of its own."""
    with open(os.path.join(base, name), encoding="utf-8") as stream:
        text = change(stream.read())
    if text is None:
        raise RuntimeError(f"{name} is not as it was when it was pinned")
    own = os.path.join(where, os.path.basename(name))
    with open(own, "w", encoding="utf-8") as stream:
        stream.write(text)
    return {name: own}


def without_fpu(base, where):
    """Integers only: the wheel has no divider for floating point."""
    def change(text):
        for name in ("FpuEn", "CvxifEn"):
            if f"CVA6Config{name} = 1;" not in text:
                return None
            text = text.replace(f"CVA6Config{name} = 1;", f"CVA6Config{name} = 0;")
        return text
    return rewritten(base, "core/include/cv64a6_imafdc_sv39_config_pkg.sv", where, change)


def without_tracer(base, where):
    """The core without what writes each instruction to a file."""
    def change(text):
        begin, end = text.find("`ifndef VERILATOR\n  instr_tracer_if"), "`endif // VERILATOR"
        stop = text.find(end, begin)
        return None if begin < 0 or stop < 0 else text[:begin] + text[stop + len(end):]
    return rewritten(base, "core/cva6.sv", where, change)


def cva6_files(folder, where, write_back):
    """Arguments for rv64imac."""
    base = os.path.join(folder, CVA6)
    own = without_fpu(base, where) | without_tracer(base, where)
    arguments, files = [], []
    with open(os.path.join(base, "core/Flist.cv64a6_imafdc_sv39"), encoding="utf-8") as stream:
        for line in stream.read().replace("${CVA6_REPO_DIR}/", base).splitlines():
            if line.startswith("+incdir+"):
                arguments.append(line)
            elif line.startswith(base) and ("/fpu/" not in line or line.endswith("fpnew_pkg.sv")):
                files.append(own.get(line.removeprefix(base), line))
    for library in ("core/cache_subsystem", "core", "common/submodules/common_cells/src"):
        arguments += ["-y", os.path.join(base, library)]
    # Found by name, but for what shares a file with another module.
    if write_back:
        files = [file for file in files if "/wt_dcache" not in file and "/wt_axi" not in file
                 and "/wt_cache_subsystem" not in file]
        files += [os.path.join(base, "core/cache_subsystem", name + ".sv") for name in (
            "std_cache_subsystem", "std_nbdcache", "miss_handler", "cache_ctrl")]
    else:
        arguments.append("+define+WT_DCACHE")
    return arguments + files + [os.path.join(HARNESS, "cva6.sv")]


def rocket_files(folder):
    """Arguments for Rocket with 16 KiB of each cache."""
    names = [ROCKET_CONFIG + ".v", ROCKET_CONFIG + ".behav_srams.v"] + [
        ROCKET + "vsrc/" + name for name in ("plusarg_reader.v", "EICG_wrapper.v",
                                             "AsyncResetReg.v")]
    return ["+define+SYNTHESIS"] + [os.path.join(folder, name) for name in names]


def verilate(core, folder, where):
    """C++ of the core, in where/generated."""
    environment = dict(os.environ, VERILATOR_ROOT=os.path.join(folder, "verilator"))
    files = rocket_files(folder) if core.name == "rocket" else cva6_files(
        folder, where, core.name == "cva6-wb")
    run([os.path.join(folder, "verilator/bin/verilator_bin")] + VERILATOR_FLAGS +
        ["--top-module", core.top, "--Mdir", os.path.join(where, "generated")] + files,
        f"verilator of {core.text}", env=environment)


def compile_all(core, folder, where, jobs):
    """The simulator from the C++ of core, Verilator and harness."""
    generated = os.path.join(where, "generated")
    include = os.path.join(folder, "verilator/include")
    flags = CXX_FLAGS + ["-I" + generated, "-I" + HARNESS, "-I" + RUNTIME, "-isystem", include,
                         "-isystem", os.path.join(include, "vltstd")]
    header = os.path.join(generated, f"V{core.top}__pch.h")
    run([CLANG] + flags + ["-x", "c++-header", header, "-o", header + ".pch"], "a header")
    own = [os.path.join(HARNESS, name) for name in (
        "main.cpp", "node.cpp", "interface.cpp", "memory.cpp", "slave.cpp", "pdma.cpp",
        core.harness)]
    library = [os.path.join(include, name) for name in ("verilated.cpp", "verilated_threads.cpp")]
    theirs = glob.glob(os.path.join(generated, "*.cpp"))
    work = []
    for source in sorted(theirs, key=os.path.getsize, reverse=True) + library + own:
        more = ["-include-pch", header + ".pch"] if source in theirs else []
        more += OWN_FLAGS if source in own else []
        work.append((source, os.path.join(where, os.path.basename(source) + ".o"), more))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda one: run([CLANG] + flags + one[2] + ["-c", one[0], "-o", one[1]],
                                      os.path.basename(one[0])), work))
    run([CLANG] + [one[1] for one in work] + ["-pthread", "-o", os.path.join(where, "new")],
        "the link")


def key(core):
    """A digest of all that a simulator is made of."""
    digest = hashlib.sha256(repr((core, VERILATOR_FLAGS, CXX_FLAGS)).encode())
    words = os.path.join(RUNTIME, "memlift", "ni_words.h")
    for path in [PINS, __file__, words] + sorted(glob.glob(os.path.join(HARNESS, "*"))):
        with open(path, "rb") as stream:
            digest.update(stream.read())
    return digest.hexdigest()


def simulator(core, root, jobs, say):
    """Path of the core's simulator, built if it is not there."""
    where = os.path.join(root, "cores", core.name)
    program, stamp = os.path.join(where, "simulator"), os.path.join(where, "key")
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as stream:
            if stream.read() == key(core):
                return program
    if not shutil.which(CLANG):
        raise Unavailable(f"there is no {CLANG} to build the simulators with")
    folder = sources(root)
    say(f"builds the simulator of {core.text}; about a minute")
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    verilate(core, folder, where)
    compile_all(core, folder, where, jobs)
    os.rename(os.path.join(where, "new"), program)
    for path in glob.glob(os.path.join(where, "*.o")):
        os.remove(path)
    shutil.rmtree(os.path.join(where, "generated"))
    with open(stamp, "w", encoding="utf-8") as stream:
        stream.write(key(core))
    return program
