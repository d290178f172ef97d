// references.h - reference loops of the routines that return a number, one word after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops that a program would have, with nothing put off and nothing combined: slow, and right
// at a glance.
#ifndef MEMLIFT_TEST_REFERENCES_H
#define MEMLIFT_TEST_REFERENCES_H

#include <memlift/memlift.h>

#include <cstdint>
#include <cstring>

// A word from anywhere; Swapped: with its bytes swapped.
template <typename Word, bool Swapped = false> Word wordAt(const unsigned char *p) {
  unsigned char bytes[sizeof(Word)];
  for (size_t j = 0; j < sizeof(Word); ++j)
    bytes[Swapped ? sizeof(Word) - 1 - j : j] = p[j];
  Word word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

template <typename Word, bool Swapped = false> uint64_t plainSum(const unsigned char *p, size_t n) {
  uint64_t total = 0;
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word))
    total += static_cast<uint64_t>(static_cast<int64_t>(wordAt<Word, Swapped>(p + i)));
  return total;
}

template <typename Word> uint64_t plainWeighted(const unsigned char *p, size_t n) {
  uint64_t a = 0, b = 0;
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
    a += static_cast<uint64_t>(static_cast<int64_t>(wordAt<Word>(p + i)));
    b += a;
  }
  return b;
}

template <typename Word> uint64_t plainXor(const unsigned char *p, size_t n) {
  Word x = 0;
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word))
    x = static_cast<Word>(x ^ wordAt<Word>(p + i));
  return x;
}

template <typename Word>
uint64_t plainHash(const unsigned char *p, size_t n, uint64_t h, uint64_t k) {
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word))
    h = h * k + static_cast<uint64_t>(static_cast<int64_t>(wordAt<Word>(p + i)));
  return h;
}

// One step of a modular sum.
inline uint64_t plainReduced(uint64_t x, uint64_t m, uint32_t how) {
  if (!(how & MEMLIFT_MODSUM_FOLD))
    return x % m;
  while (x > m)
    x = x % m ? x % m : m;
  return x;
}

template <typename Word, bool Swapped = false>
uint64_t plainModsum(const void *from, size_t n, uint64_t start, uint64_t m, uint32_t how) {
  const unsigned char *p = static_cast<const unsigned char *>(from);
  uint64_t a = start & 0xffffffff, b = start >> 32;
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
    if (how & MEMLIFT_MODSUM_BEFORE)
      b = plainReduced(b + a, m, how);
    a = plainReduced(a + wordAt<Word, Swapped>(p + i), m, how);
    if (!(how & MEMLIFT_MODSUM_BEFORE))
      b = plainReduced(b + a, m, how);
  }
  return how & MEMLIFT_MODSUM_FIRST ? a : b << 32 | a;
}

// RFC 1071, 4.1, with a carry added back at each word.
inline uint32_t plainInet(const unsigned char *p, size_t n, uint32_t init) {
  uint64_t sum = init;
  for (size_t i = 0; i < n; i += 2) {
    unsigned char pair[2] = {p[i], static_cast<unsigned char>(i + 1 < n ? p[i + 1] : 0)};
    sum += wordAt<uint16_t>(pair);
    while (sum >> 16)
      sum = (sum & 0xffff) + (sum >> 16);
  }
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint32_t>(sum);
}

template <typename Word> Word plainOnes(const unsigned char *p, size_t n, Word sum) {
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
    Word word = wordAt<Word>(p + i);
    sum = static_cast<Word>(sum + word);
    sum = static_cast<Word>(sum + (sum < word));
  }
  return sum;
}

// A polynomial and its tables, of which nothing was 0 before.
inline memlift_crc_poly make(uint32_t width, bool reflected, uint64_t poly) {
  memlift_crc_poly t;
  memset(&t, 0xA5, sizeof t);
  t.width = width, t.reflected = reflected, t.poly = poly;
  memlift_crc_init(&t);
  return t;
}

// A CRC by definition: one bit at a time, the register in the low `width` bits.
inline uint64_t shiftRegister(uint64_t c, const unsigned char *p, size_t n,
                              const memlift_crc_poly &t) {
  const uint64_t mask = ~uint64_t(0) >> (64 - t.width);
  for (size_t i = 0; i < n; ++i)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (t.reflected) {
        uint64_t out = (c ^ (p[i] >> bit)) & 1;
        c = c >> 1 ^ (out ? t.poly : 0);
      } else {
        uint64_t out = (c >> (t.width - 1) ^ (p[i] >> (7 - bit))) & 1;
        c = (c << 1 & mask) ^ (out ? t.poly : 0);
      }
  return c;
}

#endif
