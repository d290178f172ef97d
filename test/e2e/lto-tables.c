// lto-tables.c - a table of a CRC in another file: the link sees what it holds
// REQUIRES: runtime
//
// By itself each function calls a routine that tests its tables, as nobody knows the entries. In one
// program of full LTO they are known, and the loops are a CRC: byte by byte, and by
// slices of four.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for cc in %wrappers; do \
// RUN:   case $cc in *clang*) mode="-flto=full"; lld=-fuse-ld=lld ;; *) mode=-flto; lld= ;; esac; \
// RUN:   $cc -O2 --memlift-remarks=alone.yaml -DLOOP -c %s -o alone.o && nm alone.o >nm && \
// RUN:     grep memlift_crc_slices nm && grep -c MLF2123 alone.yaml >count && \
// RUN:     grep memlift_crc nm | not grep -vE "memlift_crc_(table|slices)" && \
// RUN:   $cc -O2 $mode -DLOOP -c %s -o crc.o && $cc -O2 $mode -DENTRIES -c %s -o table.o && \
// RUN:     $cc -O2 $mode -c %s -o main.o && $cc -O2 $mode $lld main.o crc.o table.o -o run && \
// RUN:     ./run && objdump -d --no-show-raw-insn run >code && \
// RUN:     test $(grep -c 'call.*<memlift_crc>' code) -ge 2 \
// RUN:       || { echo "failed: $cc $mode"; exit 1; }; \
// RUN: done
#include <stddef.h>
#include <stdint.h>

uint32_t crc(uint32_t crc, const uint8_t *p, size_t n);
uint32_t crc_words(uint32_t crc, const uint32_t *w, size_t n);

#ifdef LOOP
extern const uint32_t crc_table[4][256];

uint32_t crc(uint32_t crc, const uint8_t *p, size_t n) {
  while (n--)
    crc = crc_table[0][(crc ^ *p++) & 0xff] ^ crc >> 8;
  return crc;
}

uint32_t crc_words(uint32_t crc, const uint32_t *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    crc ^= w[i];
    crc = crc_table[3][crc & 0xff] ^ crc_table[2][crc >> 8 & 0xff] ^
          crc_table[1][crc >> 16 & 0xff] ^ crc_table[0][crc >> 24];
  }
  return crc;
}
#elif defined(ENTRIES)
#include "../parity/loops/crc-tables.h"
extern const uint32_t crc_table[4][256];
const uint32_t crc_table[4][256] = {
    {TABLE(CRC32_0)}, {TABLE(CRC32_1)}, {TABLE(CRC32_2)}, {TABLE(CRC32_3)}};
#else
static uint32_t bitwise(uint32_t crc, const uint8_t *p, size_t n) {
  for (volatile size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return crc;
}

int main(int argc, char **argv) {
  (void)argv;
  static uint32_t words[300];
  const uint8_t *bytes = (const uint8_t *)words;
  for (unsigned i = 0; i < 300; i++)
    words[i] = i * 0x9e3779b9u + (unsigned)argc;
  return crc(7, bytes, 1198 + (size_t)argc) != bitwise(7, bytes, 1198 + (size_t)argc) ||
         crc_words(9, words, 298 + (size_t)argc) != bitwise(9, bytes, 4 * (298 + (size_t)argc));
}
#endif
