#!/bin/sh
# bigendian.sh - the generic kernels on a big-endian machine under qemu-user
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bigendian.sh TARGET EMULATION RUNTIME_DIR TEST_DIR CLANG LLD QEMU
# TARGET is clang's, EMULATION the linker's. Freestanding: neither libc nor engines.
set -eu
target=$1 emulation=$2 runtime=$3 tests=$4 clang=$5 lld=$6 qemu=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export target runtime clang work
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$runtime"/kernels/*.c "$runtime"/kernels/*/*.c "$runtime"/entry/*.c \
  "$runtime"/async/*.c "$runtime"/tasks/dma.c "$runtime"/tasks/mover_*.c "$runtime"/tasks/store.c \
  "$runtime"/tasks/stream*.c "$runtime/environment.c" "$runtime/status.c" "$tests/smoke.c" \
  "$tests/start_bigendian.c" |
  xargs -P 2 -n 1 sh -c '"$clang" --target="$target" -ffreestanding -DSMOKE_FREESTANDING -O2 \
    -fno-stack-protector -I"$runtime/include" -c "$0" -o "$work/$(basename "$0").o"'
"$lld" -m "$emulation" "$work"/*.o -o "$work/smoke"
"$qemu" "$work/smoke"
echo "ok"
