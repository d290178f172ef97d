// anchors.c - prints "NAME CYCLES" a line: figures by which a simulator is known to be right
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io.h"

extern function nothing, chase64, chase128, rewrite96, issue96, words64, words192, stores16,
    products32, products64, turns96, loads16, held16,
    atomics; // anchors.S

/// Returns the cycles that f(a, b) reports when it runs for the third time.
static uint64_t warm(function *f, uintptr_t a, uintptr_t b) {
  uint64_t cycles = 0;
  for (int i = 0; i < 3; ++i)
    timed(f, a, b, 0, &cycles);
  return cycles;
}

static void line(const char *name, uint64_t cycles) {
  put(name);
  put(" ");
  put_number(cycles);
  put("\n");
}

int main(void) {
  static uintptr_t self[2] __attribute__((aligned(64)));
  static uint64_t words[192] __attribute__((aligned(64)));
  self[0] = (uintptr_t)self;
  uint64_t empty = warm(nothing, 0, 0);
  line("64 loads in a chain", warm(chase128, self[0], 0) - warm(chase64, self[0], 0));
  line("96 rewrites of a register", warm(rewrite96, 0, 0) - empty);
  line("96 writes of registers in turns", warm(issue96, 0, 0) - empty);
  uint64_t stored = warm(words192, (uintptr_t)words, 0) - warm(words64, (uintptr_t)words, 0);
  line("tenths of a cycle from store to store", (10 * stored + 64) / 128);
  uint64_t wide = (uint64_t)-1 >> 1, byte = 0x7f;
  line("cycles from a product of 32 bits to the next",
       (warm(products32, wide, 3) - empty + 48) / 96);
  line("of 64 bits", (warm(products64, wide, 3) - empty + 48) / 96);
  line("of 32 bits, the first factor one byte", (warm(products32, byte, 3) - empty + 48) / 96);
  line("cycles of a product and an addition in turns", (warm(turns96, wide, 3) - empty + 24) / 48);
  uint64_t wrong = 0;
  timed(atomics, (uintptr_t)words, 0, 0, &wrong);
  line("atomics", wrong);
  for (int i = 0; i < 3; ++i) // the last ones count: their instructions are in the cache
    timed(stores16, (uintptr_t)DEVICE_REGISTERS, 0, 0, NULL);
  for (int i = 0; i < 3; ++i)
    timed(loads16, (uintptr_t)DEVICE_REGISTERS, 0, 0, NULL);
  for (int i = 0; i < 3; ++i)
    timed(held16, (uintptr_t)DEVICE_REGISTERS, 0, 0, NULL);
  for (int i = 0; i < 3; ++i)
    timed(stores16, (uintptr_t)DEVICE_WINDOW, 0, 0, NULL);
  return wrong != 0;
}
