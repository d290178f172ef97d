// gf2.h - GF(2): values as matrices of bits over the state and the bytes read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each bit of a value is an exclusive-or of bits of the state (one recurrence, or
// several side by side), of bytes that the iteration reads, and of 1. xor, shifts,
// masks, or of disjoint bits, byte swaps, selection on a bit, look-ups in a table
// that is itself linear (every entry is checked) and any arithmetic on what is a
// function of one bit (-(bit) & poly, bit * poly, (bit - 1)) stay exact; anything
// else ends the evaluation with the reason.
//
// Loop invariants may be taken for formal bits. Then a bit may also have terms that
// are one of them, or one of them times a factor: a bit of the state, the bytes and
// of earlier factors that is multiplied, numbered where it is met first. So the
// register of a polynomial P stays a matrix, each step's bit that falls out being a
// factor of the bits of P, whatever the steps.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_GF2_H
#define MEMLIFT_IDIOMS_ALGEBRA_GF2_H

#include "../loop.h"

#include <bitset>
#include <map>
#include <tuple>
#include <utility>

namespace memlift {

/// Columns: the recurrence's bits, then 8 for each byte, in order of first use;
/// the last column is the constant 1, the one before it what is not known.
constexpr unsigned gf2Columns = 256, gf2One = gf2Columns - 1;
constexpr unsigned gf2Unknown = gf2One - 1, gf2MaxBytes = (gf2Unknown - 64) / 8;

/// A factor (0: none, the term is the invariant's bit itself), the number of an
/// invariant and the number of one of its bits.
struct Gf2Term {
  unsigned factor, word, bit;

  bool operator<(const Gf2Term &o) const {
    return std::tie(factor, word, bit) < std::tie(o.factor, o.word, o.bit);
  }
  bool operator==(const Gf2Term &o) const { return !(*this < o) && !(o < *this); }
};

/// The exclusive-or of some columns, and of terms of formal invariants.
class Gf2Bit {
public:
  std::bitset<gf2Columns> columns;
  std::vector<Gf2Term> terms; // sorted

  bool any() const { return columns.any() || !terms.empty(); }
  bool none() const { return !any(); }
  size_t count() const { return columns.count() + terms.size(); }
  bool operator[](unsigned i) const { return columns[i]; }
  std::bitset<gf2Columns>::reference operator[](unsigned i) { return columns[i]; }
  Gf2Bit &operator^=(const Gf2Bit &o);
  Gf2Bit operator^(const Gf2Bit &o) const { return Gf2Bit(*this) ^= o; }
  bool operator==(const Gf2Bit &o) const { return columns == o.columns && terms == o.terms; }
  bool operator!=(const Gf2Bit &o) const { return !(*this == o); }
};

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
  /// Factor k of the terms is factors[k - 1], of formal invariants words[..].
  std::vector<Gf2Bit> factors;
  std::vector<ExprId> words;
};

/// a * b where one of them is made of formal invariants and 1 alone; false if
/// neither is, or both. Adds a factor to those there are.
bool gf2Product(const Gf2Bit &a, const Gf2Bit &b, std::vector<Gf2Bit> &factors, Gf2Bit &product);

bool isConstant(const Gf2Bit &b);

/// True if all bits of v are 0, 1, `bit` or its complement; sets `bit` to the
/// first that is no constant.
bool dependsOn(const Gf2Value &v, Gf2Bit &bit);

/// v where the bit it depends on is 0 or 1.
uint64_t valueAt(const Gf2Value &v, bool one);

Gf2Value constantBits(uint64_t value, unsigned width);

/// The one bit of a value that is any, if there is no more than one.
bool oneBit(const Gf2Value &v, Gf2Bit &bit);

/// What the state is: recurrences side by side, the first one lowest, at most 64
/// bits in all; and which of these bits are known to be 0. Loop invariants are
/// not linear; for a trial they may be taken for constants, others for each seed,
/// or for a proof be formal ones.
struct Gf2State {
  std::vector<uint32_t> recs;
  uint64_t zero = 0;
  unsigned trial = 0; // not 0: a seed
  bool formal = false;
  /// Recurrences outside the state that are always a function of it.
  std::map<uint32_t, ExprId> derived;
};

/// What a symbol is taken for in a trial.
uint64_t gf2Assumed(const Gf2State &state, uint64_t symbol);

/// The form of `id` over the state and the bytes read. The columns and factors
/// continue those of an earlier form, so that the two have the same.
Gf2Form gf2Of(const Loop &loop, ExprId id, const Gf2State &state,
              const Gf2Form &earlier = Gf2Form());

} // namespace memlift

#endif
