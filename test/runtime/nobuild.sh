#!/bin/sh
# nobuild.sh - the runtime compiles with nothing but "cc -O2 -c", under every compiler at hand
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: nobuild.sh RUNTIME_DIR SMOKE_C
# MEMLIFT_TEST_ALL=1 (tools/test --all): all of them; else the target that differs most from the
# build that made the tests. standalone.sh compiles for this machine by clang.
# For each native compiler: compile every file, make a program of it, run it at each instruction
# set. For cross compilers without a C library: compile what a freestanding target gets.
# No kernel may call memcpy, memset or memmove: those may be calls of itself. At -O0 clang calls
# memcpy inside its own vector intrinsics, so nothing is asked of that level but to run.
set -eu
runtime=$1 smoke=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export runtime work
ran=0

fail() {
  echo "nobuild.sh: $*" >&2
  exit 1
}

sources() {
  (cd "$runtime" && find . -name '*.c' ! -path './tools/*' ! -path './linux/*') |
    sed 's,^\./,,' | sort
}

# compile FLAGS...: every source into $work/o, whose kernels are then checked
compile() {
  rm -rf "$work/o" && mkdir "$work/o"
  # shellcheck disable=SC2016 # expanded by the inner shell
  sources | xargs -P 2 -I% sh -c 'source=$1 && shift && "$@" -I"$runtime/include" \
    -c "$runtime/$source" -o "$work/o/$(echo "$source" | tr / _).o"' sh % "$@" ||
    fail "$*: does not compile"
  case "$*" in *-O0*) return 0 ;; esac
  if (cd "$work/o" && nm -A -u kernels_*.o entry_*.o) |
    grep -wE 'memcpy|memset|memmove|memcmp'; then
    fail "$*: calls the above"
  fi
}

set --
[ -z "${MEMLIFT_TEST_ALL-}" ] ||
  set -- "clang-22 -O2" "clang-19 -O0" "gcc-12 -O2" "gcc-12 -O3" "clang-19 -O2" "clang-22 -O0"
for build in "$@"; do
  cc=${build% *}
  command -v "$cc" > /dev/null || { echo "$cc is not installed: $build is left out"; continue; }
  compile "$cc" "${build#* }"
  "$cc" -O1 -I"$runtime/include" "$smoke" "$work"/o/*.o -lpthread -o "$work/smoke" ||
    fail "$build: does not link"
  for isa in generic sse2 avx2 avx512; do
    MEMLIFT_CPU=$isa "$work/smoke" > /dev/null || fail "$build, MEMLIFT_CPU=$isa: smoke failed"
  done
  MEMLIFT_ENGINE=soft "$work/smoke" > /dev/null || fail "$build, MEMLIFT_ENGINE=soft: smoke failed"
  ran=$((ran + 1))
done

set -- arc-linux-gnu-gcc-12 # 32 bits; other byte orders run under emulators
[ -z "${MEMLIFT_TEST_ALL-}" ] ||
  set -- "$@" sparc64-linux-gnu-gcc-12 riscv64-linux-gnu-gcc-12 aarch64-linux-gnu-gcc-12
for cc in "$@"; do
  command -v "$cc" > /dev/null || { echo "$cc is not installed: left out"; continue; }
  compile "$cc" -O2 -ffreestanding
  ran=$((ran + 1))
done
[ $ran -gt 0 ] || fail "no compiler found"
echo "$ran builds"
