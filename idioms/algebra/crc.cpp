// crc.cpp - cyclic redundancy checks: the register, and the tables made of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "crc.h"
#include "../expr.h"

namespace memlift {

uint64_t crcStep(const CrcPoly &crc, uint64_t state, uint8_t byte) {
  uint64_t mask = maskOf(crc.width), top = uint64_t(1) << (crc.width - 1);
  if (crc.reflected) {
    state ^= byte;
    for (int i = 0; i < 8; ++i)
      state = state & 1 ? state >> 1 ^ crc.poly : state >> 1;
  } else {
    state ^= uint64_t(byte) << (crc.width - 8);
    for (int i = 0; i < 8; ++i)
      state = (state & top ? state << 1 ^ crc.poly : state << 1) & mask;
  }
  return state & mask;
}

namespace {

/// 64 bits from the other end.
uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (int i = 0; i < 64; ++i, x >>= 1)
    y = y << 1 | (x & 1);
  return y;
}

/// Multiplied by x, modulo x^64 + g.
uint64_t timesX(uint64_t a, uint64_t g) { return a << 1 ^ (a >> 63 ? g : 0); }

uint64_t power(unsigned exponent, uint64_t g) {
  uint64_t a = 1;
  while (exponent--)
    a = timesX(a, g);
  return a;
}

} // namespace

std::vector<uint64_t> crcFold(const CrcPoly &crc) {
  uint64_t g = crc.reflected ? reversed(crc.poly) : crc.poly << (64 - crc.width);
  std::vector<uint64_t> fold;
  for (unsigned d : {2048, 1536, 1024, 512, 384, 256, 128}) {
    fold.push_back(power(crc.reflected ? d + 63 : d, g));
    fold.push_back(power(crc.reflected ? d - 1 : d + 64, g));
  }
  uint64_t quotient = 0, rest = g;
  for (int i = 0; i < 64; ++i) {
    quotient = quotient << 1 | rest >> 63;
    rest = timesX(rest, g);
  }
  fold.push_back(quotient);
  fold.push_back(g);
  if (crc.reflected)
    for (size_t i = 0; i < fold.size(); ++i)
      fold[i] = i < 14 ? reversed(fold[i]) : reversed(fold[i]) << 1 | 1;
  return fold;
}

/// Entry b of table k: the register after byte b and k zero bytes.
std::vector<uint64_t> crcTables(const CrcPoly &crc) {
  std::vector<uint64_t> words = crcFold(crc);
  size_t first = words.size();
  words.resize(first + 8 * 256);
  for (unsigned b = 0; b < 256; ++b) {
    uint64_t state = crcStep(crc, 0, uint8_t(b));
    for (unsigned k = 0; k < 8; ++k) {
      words[first + 256 * k + b] = state;
      state = crcStep(crc, state, 0);
    }
  }
  return words;
}

} // namespace memlift
