// gf2.h - GF(2): values as matrices of bits over the state and the bytes read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each bit of a value is an exclusive-or of bits of the state (one recurrence, or
// several side by side), of bytes that the iteration reads, and of 1. xor, shifts,
// masks, or of disjoint bits, byte swaps, selection on a bit, look-ups in a table
// that is itself linear (every entry is checked) and any arithmetic on what is a
// function of one bit (-(bit) & poly, bit * poly, (bit - 1)) stay exact; anything
// else ends the evaluation with the reason.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_GF2_H
#define MEMLIFT_IDIOMS_ALGEBRA_GF2_H

#include "../loop.h"

#include <bitset>
#include <map>
#include <utility>

namespace memlift {

/// Columns: the recurrence's bits, then 8 for each byte, in order of first use;
/// the last column is the constant 1, the one before it what is not known.
constexpr unsigned gf2Columns = 256, gf2One = gf2Columns - 1;
constexpr unsigned gf2Unknown = gf2One - 1, gf2MaxBytes = (gf2Unknown - 64) / 8;
using Gf2Bit = std::bitset<gf2Columns>;
using Gf2Value = std::vector<Gf2Bit>; // least significant bit first

struct Gf2Form {
  bool ok = false;
  std::string why;             // of !ok, in the programmer's terms
  bool tableNotLinear = false; // of !ok: a table look-up was what failed
  bool symbolic = false;       // of !ok: an invariant value was what failed
  std::string unknownTable;    // of ok: one whose contents would decide
  int mixedWith = -1;          // of !ok: a recurrence outside the state
  Gf2Value value;
  /// Byte k is columns 64 + 8k ..; as (access, byte by address).
  std::vector<std::pair<uint32_t, unsigned>> bytes;
};

/// What the state is: recurrences side by side, the first one lowest, at most 64
/// bits in all; and which of these bits are known to be 0. Loop invariants are
/// not linear; for a trial they may be taken for constants, others for each seed.
struct Gf2State {
  std::vector<uint32_t> recs;
  uint64_t zero = 0;
  unsigned trial = 0; // not 0: a seed
  /// Recurrences outside the state that are always a function of it.
  std::map<uint32_t, ExprId> derived;
};

/// What a symbol is taken for in a trial.
uint64_t gf2Assumed(const Gf2State &state, uint64_t symbol);

/// The form of `id` over the state and the bytes read. `bytes` continues those of
/// an earlier form, so that the two have the same columns.
Gf2Form gf2Of(const Loop &loop, ExprId id, const Gf2State &state,
              std::vector<std::pair<uint32_t, unsigned>> bytes = {});

} // namespace memlift

#endif
