// numbers.c - numbers that are read and written byte by byte, and near misses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(name) names each function; numbers.h lists them.
#include "numbers.h"

uint64_t F(be4)(const uint8_t *p) {
  uint32_t v = 0;
  for (int i = 0; i < 4; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(be8)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++)
    v = (v << 8) + *p++;
  return v;
}

// Lower half of a longer word.
uint64_t F(be4_of_8)(const uint8_t *p) {
  uint64_t v = 0;
  for (size_t i = 4; i < 8; i++)
    v = v << 8 | p[i];
  return v;
}

// Other bytes are shifted in front of those that are read.
uint64_t F(be4_after)(const uint8_t *p) {
  uint64_t v = 0x1234;
  for (int i = 0; i < 4; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(le8_by_shifts)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++)
    v |= (uint64_t)p[i] << 8 * i;
  return v;
}

uint64_t F(le8_down)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 7; i >= 0; i--)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(be8_by_pairs)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i += 2)
    v = v << 16 | (uint64_t)p[i] << 8 | p[i + 1];
  return v;
}

void F(put_be8)(uint8_t *p, uint64_t v) {
  for (int i = 7; i >= 0; i--) {
    p[i] = (uint8_t)v;
    v >>= 8;
  }
}

void F(put_be4)(uint8_t *p, uint64_t v) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)(v >> (24 - 8 * i));
}

void F(put_le8)(uint8_t *p, uint64_t v) {
  for (int i = 0; i < 8; i++) {
    *p++ = (uint8_t)v;
    v >>= 8;
  }
}

// --- two words: a length of a message, an Ethernet address ---

uint64_t F(three)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 3; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(le3_after)(const uint8_t *p) {
  uint32_t v = 0x12345678;
  for (int i = 2; i >= 0; i--)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(five)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 5; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(be6)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 6; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(le6_by_shifts)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 6; i++)
    v |= (uint64_t)p[i] << 8 * i;
  return v;
}

uint64_t F(be6_by_pairs)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 6; i += 2)
    v = v << 16 | (uint64_t)p[i] << 8 | p[i + 1];
  return v;
}

// --- near misses ---

uint64_t F(seven)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 7; i++)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(six_turned)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 6; i += 2)
    v = v << 16 | (uint64_t)p[i + 1] << 8 | p[i];
  return v;
}

uint64_t F(six_of_other_places)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 3; i++)
    v = v << 16 | (uint64_t)p[i] << 8 | p[i + 4];
  return v;
}

uint64_t F(every_other)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i += 2)
    v = v << 8 | p[i];
  return v;
}

uint64_t F(nibbles)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++)
    v = v << 4 | p[i];
  return v;
}

uint64_t F(signs)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++)
    v = v << 8 | (uint64_t)(int8_t)p[i];
  return v;
}

uint64_t F(middle_endian)(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i += 2)
    v = v << 16 | (uint64_t)p[i + 1] << 8 | p[i];
  return v;
}

void F(put_be6)(uint8_t *p, uint64_t v) {
  for (int i = 5; i >= 0; i--) {
    p[i] = v & 0xff;
    v >>= 8;
  }
}

void F(put_every_other)(uint8_t *p, uint64_t v) {
  for (int i = 7; i >= 1; i -= 2) {
    p[i] = (uint8_t)v;
    v >>= 8;
  }
}

void F(put_nibbles)(uint8_t *p, uint64_t v) {
  for (int i = 7; i >= 0; i--) {
    p[i] = (uint8_t)v;
    v >>= 4;
  }
}

// The next bytes are those that were just written.
void F(put_read)(uint8_t *p, uint64_t v) {
  for (int i = 0; i < 7; i++) {
    p[i] = (uint8_t)v;
    v = v << 8 | p[i + 1];
  }
}
