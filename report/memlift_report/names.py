# names.py - C++ names as people write them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable

TOOLS = ("c++filt", "llvm-cxxfilt-22", "llvm-cxxfilt-19", "llvm-cxxfilt")


def demangle(names: Iterable[str]) -> dict[str, str]:
    """Mangled name -> name, where c++filt is installed."""
    mangled = sorted({name for name in names if name.startswith("_Z")})
    tool = next((found for name in TOOLS if (found := shutil.which(name))), None)
    if not mangled or not tool:
        return {}
    run = subprocess.run([tool], input="\n".join(mangled), capture_output=True, text=True,
                         check=False)
    plain = run.stdout.split("\n")
    return dict(zip(mangled, plain)) if run.returncode == 0 else {}
