// generators-main.c - compares each table of generators.c with that of a build without memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables are filled for several polynomials. Bytes before and after them must stay.
#include "generators.h"

#include <stdio.h>
#include <string.h>

#define DECLARE(name, bytes)                                                                       \
  void plain_##name(void *table, uint32_t poly);                                                   \
  void lifted_##name(void *table, uint32_t poly);
FILLED(DECLARE)
OTHER(DECLARE)

enum { most = 4096, around = 64 };
static _Alignas(64) unsigned char want[most + 2 * around], got[most + 2 * around];
static const uint32_t polynomials[] = {0,           1,          0x80000000u, 0xffffffffu,
                                       0xedb88320u, 0x04c11db7, 0xa001,      0x1234567};

static int compare(const char *name, void (*plain)(void *, uint32_t),
                   void (*lifted)(void *, uint32_t), size_t bytes) {
  for (unsigned i = 0; i < sizeof polynomials / sizeof *polynomials; i++) {
    memset(want, 0xa5, sizeof want);
    memset(got, 0xa5, sizeof got);
    plain(want + around, polynomials[i]);
    lifted(got + around, polynomials[i]);
    if (bytes > most || memcmp(want, got, sizeof want)) {
      printf("%s: another table for polynomial %#x\n", name, (unsigned)polynomials[i]);
      return 1;
    }
  }
  return 0;
}

#define COMPARE(name, bytes) failures += compare(#name, plain_##name, lifted_##name, bytes);

int main(void) {
  int failures = 0;
  FILLED(COMPARE)
  OTHER(COMPARE)
  return failures != 0;
}
