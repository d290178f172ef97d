// gf2.h - GF(2): values as matrices of bits over the state and the bytes read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each bit of a value is an exclusive-or of bits of one recurrence, of bytes that
// the iteration reads, and of 1. xor, shifts, masks, or of disjoint bits, byte
// swaps, selection on a bit, -(bit) & constant, bit * constant and look-ups in a
// table that is itself linear (every entry is checked) stay exact; anything else
// ends the evaluation with the reason.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_GF2_H
#define MEMLIFT_IDIOMS_ALGEBRA_GF2_H

#include "../loop.h"

#include <bitset>
#include <map>
#include <utility>

namespace memlift {

/// Columns: the recurrence's bits, then 8 for each byte, in order of first use;
/// the last column is the constant 1.
constexpr unsigned gf2Columns = 256, gf2One = gf2Columns - 1;
constexpr unsigned gf2MaxBytes = (gf2One - 64) / 8;
using Gf2Bit = std::bitset<gf2Columns>;
using Gf2Value = std::vector<Gf2Bit>; // least significant bit first

struct Gf2Form {
  bool ok = false;
  std::string why;             // of !ok, in the programmer's terms
  bool tableNotLinear = false; // of !ok: a table look-up was what failed
  Gf2Value value;
  /// Byte k is columns 64 + 8k ..; as (access, byte by address).
  std::vector<std::pair<uint32_t, unsigned>> bytes;
};

/// The form of `id` over recurrence `rec` and the bytes read.
Gf2Form gf2Of(const Loop &loop, ExprId id, uint32_t rec);

} // namespace memlift

#endif
