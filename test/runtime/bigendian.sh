#!/bin/sh
# bigendian.sh - the generic kernels on a big-endian machine: s390x under qemu-user
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bigendian.sh RUNTIME_DIR TEST_DIR CLANG LLD QEMU
# Freestanding: neither libc nor engines. The rest of the runtime is not for s390x.
set -eu
runtime=$1 tests=$2 clang=$3 lld=$4 qemu=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in "$runtime"/kernels/*.c "$runtime"/kernels/generic/*.c "$runtime/environment.c" \
  "$runtime/status.c" "$tests/smoke.c" "$tests/start_s390x.c"; do
  "$clang" --target=s390x-linux-gnu -ffreestanding -DSMOKE_FREESTANDING -O2 -fno-stack-protector \
    -I"$runtime/include" -c "$source" -o "$work/$(basename "$source").o"
done
"$lld" -m elf64_s390 "$work"/*.o -o "$work/smoke"
"$qemu" "$work/smoke"
echo "ok"
