// differential.c - every loop of loops.h, lowered against written; see differential.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "differential.h"

#define LOOP(NAME, UNIT, OVERLAP, ALIGN)                                                         \
  __attribute__((noipa)) static uintptr_t lowered_##NAME(u8 *d, u8 *s, size_t n, uint64_t v)
#include "loops.h"
#undef LOOP

#define LOOP(NAME, UNIT, OVERLAP, ALIGN)                                                         \
  __attribute__((noipa, memlift("off"), optimize("no-tree-loop-distribute-patterns")))           \
  static uintptr_t plain_##NAME(u8 *d, u8 *s, size_t n, uint64_t v)
#include "loops.h"
#undef LOOP

#define ROW(NAME, UNIT, OVERLAP, ALIGN)                                                          \
  {#NAME, lowered_##NAME, plain_##NAME, UNIT, OVERLAP, ALIGN},

int main(int argc, char **argv) {
  static const struct pair pairs[] = {
#include "table.h"
  };
  return run(pairs, sizeof pairs / sizeof *pairs, argc > 1 ? (unsigned)atoi(argv[1]) : 400);
}
