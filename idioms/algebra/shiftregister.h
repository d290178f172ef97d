// shiftregister.h - is a linear map over GF(2) a CRC, and how is it held?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's state after one iteration is a matrix times its bits before, plus
// another times the bytes read. The shift register R of a polynomial is found in
// it also where the program holds R in its own way:
//   - in some bits of a wider type: those above it may be cleared, shifted out or
//     never looked at, those below it be always 0;
//   - with less than 8 bits (then R is the one of 8 bits, shifted down);
//   - with its bits or bytes in the other order, because the input's are;
//   - exclusive-ored with a constant, when each round inverts it and back;
//   - some steps late, when the message comes in at the other end, and is
//     followed by zeros.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_SHIFTREGISTER_H
#define MEMLIFT_IDIOMS_ALGEBRA_SHIFTREGISTER_H

#include "crc.h"

namespace memlift {

/// state' = sum of state[j] over the bits j that are set + sum of bytes[8k + i] over
/// the bits i of byte k, in the order of addresses, + constant.
struct LinearMap {
  std::vector<uint64_t> state, bytes;
  uint64_t constant = 0;
};

/// How the state holds the register R, in the order in which R is made of it.
struct HeldCrc {
  CrcPoly crc;
  unsigned low = 0, bits = 0; // it is in bits low .. low + bits - 1, ...
  uint64_t mixed = 0;         // exclusive-ored with this,
  bool bytesTurned = false;   // its bytes in the other order,
  bool bitsTurned = false;    // or its bits,
  unsigned shift = 0;         // shifted down by so many: 8 - bits, or 0,
  unsigned late = 0;          // and R is what it would be so many steps later.
  uint64_t above = 0;         // bits of the state that no byte has to do with,
  bool aboveShifts = false;   // shifted up by the bits of each round, or cleared
};

enum class CrcSlip : uint8_t {
  None,
  Other,       // it is no register, and nothing is known that would make it one
  Constant,    // a constant is mixed in that cannot be taken out
  UpperBits,   // it would be one if bits above it were not looked at
  WordsTurned, // it would be one of the bytes in another order
};

/// Finds a register. `zero`: bits of the state that are always 0; `used`: bits that
/// the result is looked at in. What is in the way, if there is none.
CrcSlip findCrc(const LinearMap &map, uint64_t zero, uint64_t used, HeldCrc &held);

/// What R becomes, bit by bit of it, when it runs `late` steps on without input,
/// or back.
std::vector<uint64_t> lateColumns(const HeldCrc &held, bool back);

} // namespace memlift

#endif
