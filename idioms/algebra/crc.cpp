// crc.cpp - cyclic redundancy checks: the register, and the tables and constants made of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CRC is a remainder. Read the message as a polynomial M over GF(2), the first bit
// being the highest coefficient. The register of a polynomial G of degree w then
// holds M * x^w mod G (initial and final exclusive-ors aside).
//
// The naive method shifts bit by bit: multiply by x, and subtract G if x^w appeared.
// Three faster methods share the constants made here:
//
// - One table: the remainder is linear, so that of 8 bits is looked up (256 entries).
// - Slicing by 8: entry b of table k is the remainder of byte b with k zero bytes
//   after it. Eight bytes are eight independent look-ups, which are then added.
// - Folding: 128 bits H * x^64 + L with D bits after them may be replaced by H *
//   (x^(D+64) mod G) + L * (x^D mod G), added D bits further on. This takes two
//   carry-less products. fold[] has both constants for each D, then those of
//   Barrett's reduction of the last 128 bits.
//
// All constants are computed for a polynomial of degree 64: one of degree w < 64 is
// multiplied by x^(64 - w), so that one kernel serves every width. In the reflected
// form bit 0 is the highest coefficient. The product of two 64-bit reflected numbers
// then comes out one bit too low (127 bits, not 128), hence the exponents d + 63 and
// d - 1 in place of d + 64 and d.
//
// The limits: widths from 8 to 64.
#include "crc.h"
#include "../expr.h"

namespace memlift {

/// The bit-by-bit definition. Proofs compare with it and tables are made by it; it is
/// never a fast path.
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

/// Reverses the order of all 64 bits.
uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (int i = 0; i < 64; ++i, x >>= 1)
    y = y << 1 | (x & 1);
  return y;
}

/// Multiplies a by x modulo x^64 + g.
uint64_t timesX(uint64_t a, uint64_t g) { return a << 1 ^ (a >> 63 ? g : 0); }

/// Computes x^exponent modulo x^64 + g.
uint64_t power(unsigned exponent, uint64_t g) {
  uint64_t a = 1;
  while (exponent--)
    a = timesX(a, g);
  return a;
}

} // namespace

/// Computes the folding constants for each distance, then the quotient x^128 / G
/// without its leading bit and G itself, by long division.
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

/// Appends the tables: entry b of table k is the register after byte b and k zero
/// bytes.
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
