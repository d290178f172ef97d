// anchors.c - prints "NAME CYCLES" a line: figures by which a simulator is known to be right
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io.h"

extern function nothing, chase64, chase128, rewrite96, issue96, words64, words192, stores16,
    atomics; // anchors.S

/// What f(a) says of its cycles when it runs for the third time.
static uint64_t warm(function *f, uintptr_t a) {
  uint64_t cycles = 0;
  for (int i = 0; i < 3; ++i)
    timed(f, a, 0, 0, &cycles);
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
  uint64_t empty = warm(nothing, 0);
  line("64 loads in a chain", warm(chase128, self[0]) - warm(chase64, self[0]));
  line("96 rewrites of a register", warm(rewrite96, 0) - empty);
  line("96 writes of registers in turns", warm(issue96, 0) - empty);
  uint64_t stored = warm(words192, (uintptr_t)words) - warm(words64, (uintptr_t)words);
  line("tenths of a cycle from store to store", (10 * stored + 64) / 128);
  uint64_t wrong = 0;
  timed(atomics, (uintptr_t)words, 0, 0, &wrong);
  line("atomics", wrong);
  for (int i = 0; i < 3; ++i) // the last ones count: their instructions are in the cache
    timed(stores16, (uintptr_t)DEVICE_REGISTERS, 0, 0, NULL);
  return wrong != 0;
}
