// shiftregister.h - decides whether a linear map over GF(2) is a CRC, and in which representation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: gf2.h turns a loop body into a matrix: the state after an iteration is
// A * state + B * bytes + constant. Which polynomial's shift register is it, if any?
//
// The naive approach tries polynomials; there are 2^32 of width 32. The idea is to
// read the polynomial off the matrix and then to compare.
//
// - The last bit of the last byte reaches the end of the register in the last step.
//   It falls out and leaves the polynomial P in the register. So P is a column of B.
// - Every other column of A and B must then be the register's own. Both maps are
//   linear, and a linear map is determined by its columns, so the comparison is a
//   proof for all inputs.
//
// The program need not hold the register R as it is. These representations are found:
//
// - R in some bits of a wider type. Bits above it may be cleared, shifted out or
//   never used; bits below it must always be 0.
// - R of fewer than 8 bits. It is then part of an 8-bit register, shifted down.
// - R with its bits or bytes in reverse order, because those of the input are.
// - R exclusive-ored with a constant, if each iteration inverts it and inverts it
//   back.
// - R some steps behind, if the message enters at the other end and is followed by
//   zeros. Then P is a column of A.
//
// The limits: 3 to 64 bits that are neighbours in the state; x^w + 1, which is a
// plain exclusive-or, is no CRC here.
//
// Example: CRC-8 with P = 0x07, not reflected, one byte an iteration. The column of
// bit 0 of the byte is the register after feeding 0x01 to an empty register. The bit
// moves up seven steps without falling out. In the eighth it falls out and leaves
// 0x07. So that column is P, and the 15 other columns are compared with the register
// of 0x07.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_SHIFTREGISTER_H
#define MEMLIFT_IDIOMS_ALGEBRA_SHIFTREGISTER_H

#include "crc.h"

namespace memlift {

/// state' = sum of state[j] over the set bits j + sum of bytes[8k + i] over the set
/// bits i of byte k + constant. Bytes are in the order of addresses.
struct LinearMap {
  std::vector<uint64_t> state, bytes;
  uint64_t constant = 0;
};

/// Representation of the register R by the state, and the steps that make R of it, in order.
struct CrcRepresentation {
  CrcPoly crc;
  unsigned low = 0, bits = 0; // R is in bits low .. low + bits - 1,
  uint64_t mixed = 0;         // exclusive-ored with this,
  bool bytesReversed = false; // its bytes in reverse order,
  bool bitsReversed = false;  // or its bits,
  unsigned shift = 0;         // shifted down by so many: 8 - bits, or 0,
  unsigned late = 0;          // and run so many steps further.
  uint64_t above = 0;         // bits of the state that do not depend on any byte,
  bool aboveShifts = false;   // shifted up by the bits of an iteration, or else cleared
};

enum class CrcSlip : uint8_t {
  None,
  Other,        // it is no register, and nothing is known that would make it one
  Constant,     // a constant is mixed in that cannot be taken out
  UpperBits,    // it would be one if bits above it were not used
  WordsSwapped, // it would be one of the bytes in another order
};

/// Finds a register in the map. `zero` has the bits of the state that are always 0;
/// `used` has the bits of the result that later code uses. If there is none, returns
/// what is missing, for the remark.
CrcSlip findCrc(const LinearMap &map, uint64_t zero, uint64_t used,
                CrcRepresentation &representation);

/// Finds a register that takes the bytes of each word of 2, 4 or 8 from the last to the first.
/// Returns the bytes of a word, or 0 if there is none.
unsigned findSwappedCrc(const LinearMap &map, uint64_t zero, uint64_t used,
                        CrcRepresentation &representation);

/// Finds a reflected register of at most 32 bits, in the lowest bits of the state, that takes the
/// bytes of the map and then runs on as if bytes of 0 followed, `round` bytes in all. Bits above it
/// are 0 after that, and not used. Returns false if there is none.
bool findCrcLane(const LinearMap &map, uint64_t zero, unsigned round, CrcPoly &crc);

/// The register after `late` steps without input (`back`: before them) for each
/// single bit of R.
std::vector<uint64_t> lateColumns(const CrcRepresentation &representation, bool back);

} // namespace memlift

#endif
