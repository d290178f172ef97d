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

/// Entry b of table k: the register after byte b and k zero bytes.
std::vector<uint64_t> crcTables(const CrcPoly &crc) {
  std::vector<uint64_t> tables(8 * 256);
  for (unsigned b = 0; b < 256; ++b) {
    uint64_t state = crcStep(crc, 0, uint8_t(b));
    for (unsigned k = 0; k < 8; ++k) {
      tables[256 * k + b] = state;
      state = crcStep(crc, state, 0);
    }
  }
  return tables;
}

} // namespace memlift
