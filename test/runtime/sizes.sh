#!/bin/sh
# sizes.sh - a static program brings the kernels of the routines that it calls, and no others
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: sizes.sh COMPILER ARCHIVE INCLUDE
# Links a program for each family of routines, compares its code and data with those of an empty
# program, and runs it at each level of MEMLIFT_CPU: all have to compute the same. A limit is in
# bytes; the goal for one family is 24 KiB. Routines that copy and fill bring the engines.
set -eu
compiler=$1 archive=$2 include=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# bytes PROGRAM: its code and data
bytes() { size "$1" | awk 'NR == 2 { print $1 + $2 }'; }

link() {
  $compiler -O2 -static -I"$include" "$work/$1.c" "$archive" -o "$work/$1"
}

echo 'int main(int count, char **arguments) { return count > 9 ? **arguments : 0; }' >"$work/none.c"
link none
none=$(bytes "$work/none")

# family NAME LIMIT EXPRESSION: of p, 1500 bytes, q, 1500 others, and n, their number
family() {
  cat >"$work/$1.c" <<END
#include <memlift/memlift.h>
#include <unistd.h>
static const struct memlift_crc_poly poly = {.width = 32, .reflected = 1, .poly = 0xedb88320};
static unsigned char p[1500], q[1500];
int main(void) {
  size_t n = 1500;
  for (size_t i = 0; i < n; i++)
    p[i] = (unsigned char)(i * 7 + i / 5);
  uint64_t result = (uint64_t)($3);
  char text[17] = "                ";
  for (unsigned i = 0; i < 16; i++)
    text[i] = "0123456789abcdef"[result >> (60 - 4 * i) & 15];
  for (unsigned i = 0; i < 16; i++)
    text[i] = (char)(text[i] + q[i] % 7);
  return write(1, text, 16) == 16 && poly.width ? 0 : 1;
}
END
  link "$1"
  grown=$(($(bytes "$work/$1") - none))
  echo "sizes.sh: $1: $grown bytes more, limit $2"
  if [ "$grown" -gt "$2" ]; then
    echo "sizes.sh: $1 grows by $grown bytes instead of at most $2" >&2
    bad=1
  fi
  first=$(MEMLIFT_CPU=generic "$work/$1")
  for level in sse2 avx2 avx512; do
    other=$(MEMLIFT_CPU=$level "$work/$1")
    if [ "$other" != "$first" ]; then
      echo "sizes.sh: $1 computes $first with generic kernels, $other with those of $level" >&2
      bad=1
    fi
  done
}

goal=24576
family sum_u8 $goal 'memlift_sum_u8(p, n)'
family sum_u16 $goal 'memlift_sum_u16(p, n) + memlift_sum_swap_u16(p, n)'
family sum_u32 $goal 'memlift_sum_u32(p, n)'
family sum_low_u32 $goal 'memlift_sum_low_u32(p, n)'
family sum_u64 $goal 'memlift_sum_u64(p, n)'
family wsum_u8 $goal 'memlift_wsum_u8(p, n)'
family wsum_u16 $goal 'memlift_wsum_u16(p, n)'
family xor_u8 $goal 'memlift_xor_u8(p, n)'
family inet_sum $goal 'memlift_inet_sum(p, n, 5)'
family ones_sum_u64 $goal 'memlift_ones_sum_u64(p, n, 5)'
family modsum_u8 $goal 'memlift_modsum_u8(p, n, 1, 65521, 0)'
family polyhash_u8 $goal 'memlift_polyhash_u8(p, n, 5381, 33)'
family crc_any 30720 'memlift_crc_any(1, p, n, 0xedb88320, 32, 1)'
# The kernels for one register come with those for lanes.
family crc_lanes 32768 '({
  static struct memlift_crc_poly made;
  made.width = 32, made.reflected = 1, made.poly = 0xedb88320;
  memlift_crc_init(&made);
  uint64_t r[5] = {1, 2, 3, 4, 5};
  memlift_crc_lanes(r, p, n, 5, &made);
  r[0] ^ r[1] << 8 ^ r[2] << 16 ^ r[3] << 24 ^ r[4] << 32;
})'
family find_u8 $goal 'memlift_find_u8(p, n, 200)'
family mismatch_u8 $goal 'memlift_mismatch_u8(p, q, n)'
family count_u8 $goal 'memlift_count_u8(p, n, 200)'
# A word's sum, its swapped sum and the weighted sum.
family modsum_u16 36864 'memlift_modsum_u16(p, n, 1, 65535, 0)'
# The kernels of copies, of the checksum, and of both at once.
family copy_inet_sum 50176 'memlift_copy_inet_sum(q, p, n, 5)'
# Engines come with these.
engines=262144
family copy $engines '(memlift_copy(q, p, n), memlift_sum_u8(q, n))'
family move $engines '(memlift_move(p + 1, p, n - 1), memlift_sum_u8(p, n))'
family fill $engines '(memlift_fill_pattern(q, 0x30201, 3, n), memlift_sum_u8(q, n))'
family fill16 $engines '(memlift_fill_pattern16(q, 7, 8, 9, n), memlift_wsum_u8(q, n))'
family swap $engines '(memlift_copy_swap32(q, p, n), memlift_wsum_u8(q, n))'
family reverse $engines '(memlift_copy_reverse8(q, p, n), memlift_wsum_u8(q, n))'
[ $bad = 0 ] && echo ok
exit $bad
