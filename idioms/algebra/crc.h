// crc.h - cyclic redundancy checks: the register, and the tables made of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_ALGEBRA_CRC_H
#define MEMLIFT_IDIOMS_ALGEBRA_CRC_H

#include <cstdint>
#include <vector>

namespace memlift {

/// A shift register of `width` bits, 8 to 64. The polynomial omits its leading bit. A reflected
/// one (least significant bit first, as in zlib) is written bit-reversed: 0xEDB88320 for CRC-32.
struct CrcPoly {
  unsigned width = 0;
  bool reflected = false;
  uint64_t poly = 0;

  bool operator==(const CrcPoly &o) const {
    return width == o.width && reflected == o.reflected && poly == o.poly;
  }
};

/// Polynomials that CPUs have instructions for; both reflected, of 32 bits.
constexpr uint64_t crc32Poly = 0xedb88320, crc32cPoly = 0x82f63b78;

/// Returns the register after one more byte; no initial or final exclusive-or.
uint64_t crcStep(const CrcPoly &crc, uint64_t state, uint8_t byte);

/// Rows of the array `fold` of struct memlift_crc_poly (memlift.h): two constants for each
/// folding distance in bits, then the two of Barrett's reduction.
enum class CrcRow : unsigned { By2048, By1536, By1024, By512, By384, By256, By128, Barrett };
/// Returns the constants for folding: two for each row of CrcRow.
std::vector<uint64_t> crcFold(const CrcPoly &crc);

/// Returns the contents of struct memlift_crc_poly (runtime/include/memlift/memlift.h) that
/// follow width, reflected and poly, in order: the 8 x 2 folding constants and the 8 x 256 table
/// entries.
std::vector<uint64_t> crcTables(const CrcPoly &crc);

} // namespace memlift

#endif
