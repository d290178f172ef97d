#!/bin/sh
# vectors.sh - the bytes of device commands, written by a big-endian machine under qemu-user
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: vectors.sh RUNTIME_DIR TEST_DIR CC QEMU
# Freestanding, so that no C library for the machine is needed.
set -eu
runtime=$1 tests=$2 cc=$3 qemu=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cc" -O2 -ffreestanding -nostdlib -static -fno-stack-protector -fno-pie -no-pie \
  -DSMOKE_FREESTANDING -fno-tree-loop-distribute-patterns -Wl,--build-id=none -I"$runtime" \
  "$tests/vectors.c" \
  "$tests/start_bigendian.c" "$runtime"/engine/dax/dax_ccb.c \
  "$runtime"/engine/dsa/dsa_descriptor.c \
  "$runtime"/engine/template/template_job.c -o "$work/vectors"
"$qemu" "$work/vectors" || {
  echo "vectors.sh: check $? failed on $(basename "$qemu")" >&2
  exit 1
}
echo ok
