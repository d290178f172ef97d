// registers-main.c - compares each function of registers.c with a build without memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and data have every single bit, some mixtures, and random values. A function of GF(2)
// that is right for all single bits and for none is right; the others show that it is one.
#include "registers.h"

#include <stdio.h>

#define DECLARE(name, state, data)                                                                 \
  state plain_##name(state, data);                                                                 \
  state lifted_##name(state, data);
WORDS(DECLARE)
KEPT(DECLARE)

static unsigned ports;
uint8_t read_port(uint8_t data) { return (uint8_t)(data * 29 + ++ports * 131); }

static uint64_t mixed(uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9;
  return i ^ i >> 29;
}

static uint64_t value(unsigned i) { return i == 0 ? 0 : i < 65 ? 1ull << (i - 1) : mixed(i); }

static int failures;

#define COMPARE(name, state, data)                                                                 \
  for (unsigned i = 0; i < 200; i++)                                                               \
    for (unsigned j = 0; j < 200; j++) {                                                           \
      state s = (state)value(i);                                                                   \
      data d = (data)value(j);                                                                     \
      ports = i;                                                                                   \
      state want = plain_##name(s, d);                                                             \
      ports = i;                                                                                   \
      state got = lifted_##name(s, d);                                                             \
      if (want != got) {                                                                           \
        printf(#name " of %llx and %llx: %llx, not %llx\n", (unsigned long long)s,                 \
               (unsigned long long)d, (unsigned long long)got, (unsigned long long)want);          \
        failures++;                                                                                \
        i = j = 200;                                                                               \
      }                                                                                            \
    }

int main(void) {
  WORDS(COMPARE)
  KEPT(COMPARE)
  return failures != 0;
}
