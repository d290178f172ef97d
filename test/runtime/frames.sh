#!/bin/sh
# frames.sh - sums by masked vectors are leaves: they call nothing, and have no stack frame
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: frames.sh ARCHIVE
# A call that never happens, of a kernel for what vectors leave, gives a routine a frame, aligned to
# a vector: seven instructions of some thirty for up to 64 bytes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objdump -d --no-show-raw-insn "$1" >"$work/code"
awk '
  /^[0-9a-f]+ <.*>:$/ {
    name = $2
    gsub(/[<>:]/, "", name)
    sum = name ~ /^memlift_sum_.*_x86_avx512$/
    sums += sum
  }
  sum && $2 ~ /^(push|call|leave|enter)/ {
    print "frames.sh: " name " has a frame: " $0
    bad = 1
  }
  END {
    if (sums < 10) {
      print "frames.sh: " sums " sums by AVX-512 instead of at least 10"
      bad = 1
    }
    exit bad
  }' "$work/code" >&2
echo ok
