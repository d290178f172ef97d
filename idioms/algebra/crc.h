// crc.h - cyclic redundancy checks: the register, and the tables made of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_ALGEBRA_CRC_H
#define MEMLIFT_IDIOMS_ALGEBRA_CRC_H

#include <cstdint>
#include <vector>

namespace memlift {

/// A shift register of `width` bits, 8 to 64. The polynomial is without its
/// leading bit; reflected (least significant bit first, as in zlib) it is written
/// bit-reversed: 0xEDB88320 for CRC-32.
struct CrcPoly {
  unsigned width = 0;
  bool reflected = false;
  uint64_t poly = 0;

  bool operator==(const CrcPoly &o) const {
    return width == o.width && reflected == o.reflected && poly == o.poly;
  }
};

/// Those that instructions know: reflected, of 32 bits.
constexpr uint64_t crc32Poly = 0xedb88320, crc32cPoly = 0x82f63b78;

/// The register after one more byte; no initial or final exclusive-or.
uint64_t crcStep(const CrcPoly &crc, uint64_t state, uint8_t byte);

/// Its member `fold` (runtime/include/memlift/memlift.h), row after row: two constants for
/// folding over each of these distances in bits, then Barrett's.
enum class CrcRow : unsigned { By2048, By1536, By1024, By512, By384, By256, By128, Barrett };
std::vector<uint64_t> crcFold(const CrcPoly &crc);

/// What struct memlift_crc_poly (runtime/include/memlift/memlift.h) holds after
/// width, reflected and poly, in order: the 8 x 2 constants for folding and the
/// 8 x 256 entries of the tables.
std::vector<uint64_t> crcTables(const CrcPoly &crc);

} // namespace memlift

#endif
