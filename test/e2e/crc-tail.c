// crc-tail.c - look-ups eight at a time and then one by one are a call from eight bytes on
//
// A call takes as long as about six look-ups, which wait for each other. So the limit is lower than
// that of sums. GCC reads the two loops as one, whose limit is counted from its iterations.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for cc in %wrappers; do \
// RUN:   $cc -O2 -w -I%S/../parity/loops --memlift-remarks=remarks.yaml -c %s -o crc.o && \
// RUN:   nm crc.o | grep -q ' U memlift_crc$' && grep -qE 'at least (8|16) bytes' remarks.yaml \
// RUN:     || { echo "failed: $cc"; exit 1; }; \
// RUN: done
#include "crc-tables.h"
#include "parity.h"

static const u32 table[256] = {TABLE(CRC32_0)};

u32 crc32(u32 crc, const u8 *p, u32 n) {
#define ONE crc = (crc >> 8) ^ table[(crc ^ *p++) & 0xff]
  while (n >= 8) {
    n -= 8;
    ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE;
  }
  while (n) {
    n--;
    ONE;
  }
  return crc;
}
