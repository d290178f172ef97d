// by-words.c - loops that compute elements of elements, as programs spell them, and near misses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(x) gives each build names of its own; by-words-main.c compares their results.
#include "by-words.h"

void F(mask)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)other, (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

void F(three)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *a = from, *b = other;
  (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] ^ b[i];
}

void F(clear)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)other, (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] &= (uint8_t)~s[i];
}

void F(inverted)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  (void)from, (void)other, (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] = (uint8_t)~d[i];
}

void F(key)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to, key = (uint8_t)k;
  const uint8_t *s = from;
  (void)other;
  while (n--)
    *d++ = *s++ ^ key;
}

void F(added)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)other, (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] = (uint8_t)(d[i] + s[i]);
}

void F(counted)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from;
  int count = (int)n;
  (void)other, (void)k;
  for (int i = 0; i < count; i++)
    d[i] |= s[i];
}

void F(walked)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to, *end = d + n;
  const uint8_t *s = from;
  (void)other, (void)k;
  while (d < end)
    *d++ ^= *s++;
}

void F(halves)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint16_t *d = to;
  const uint16_t *s = from;
  (void)other;
  for (size_t i = 0; i < n; i++)
    d[i] = (uint16_t)(s[i] ^ (uint16_t)k);
}

void F(words)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint32_t *d = to;
  const uint32_t *s = from;
  (void)other, (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

/* ---- Near misses ----------------------------------------------------- */

void F(table)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from, *t = other;
  (void)k;
  for (size_t i = 0; i < n; i++)
    d[i] ^= t[s[i] & 63];
}

void F(product)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  const uint8_t *s = from;
  (void)other;
  for (size_t i = 0; i < n; i++)
    d[i] = (uint8_t)(s[i] * k);
}

void F(delta)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to;
  (void)from, (void)other, (void)k;
  for (size_t i = 1; i < n; i++)
    d[i] ^= d[i - 1];
}

void F(rolling)(void *to, const void *from, const void *other, size_t n, uint32_t k) {
  uint8_t *d = to, last = (uint8_t)k;
  const uint8_t *s = from;
  (void)other;
  for (size_t i = 0; i < n; i++)
    d[i] = last = (uint8_t)(last ^ s[i]);
}
