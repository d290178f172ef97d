// random.h - numbers that look random and are the same in each run, after splitmix64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

static uint64_t state = 1; // a test may start elsewhere

static uint64_t next_random(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
