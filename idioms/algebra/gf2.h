// gf2.h - GF(2): values as matrices of bits over the state and the bytes read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: recognise a CRC however it is computed. Bit by bit, over a table of 16
// or 256 entries, over 8 tables at once, branch-free as `-(c & 1) & P`, in one
// register or two: all of these are the same function of the state and of the bytes
// read.
//
// The naive approach has one pattern for each. The idea is to forget the spelling:
// all of these functions are linear over GF(2), up to a constant. A linear function
// is a matrix, and two functions are equal if their matrices are.
//
// So the body is evaluated once, on symbolic bits. Each bit of a value is an
// exclusive-or of columns: bits of the state (one recurrence, or several side by
// side), bits of the bytes that the iteration reads, and the constant 1. These
// operations are exact:
//
// - xor, shifts and rotations by constants, byte swaps, extension, truncation;
// - `and` with constants; `or` and `+` of values that have no bit in common;
// - selection on a bit, where the two values differ by a constant or by that bit;
// - a look-up in a table that is itself linear, every entry of which is checked;
// - any arithmetic on a function of one bit, such as -(bit) & poly, bit * poly, bit -
//   1: it is run for both values of the bit.
//
// Anything else ends the evaluation with its reason.
//
// The cleverer step serves polynomials that the program computes. If P is a loop
// invariant, `bit * P` is not linear in the state and P together. Loop invariants may
// then be formal bits. A bit has, in addition to columns, terms of two kinds: a
// formal bit; and a formal bit times a factor. A factor is an exclusive-or of state
// bits, bytes and earlier factors. Factors are numbered where they are met first. So
// the register of P stays a matrix: the bit that falls out in each step is a factor
// of the bits of P.
//
// The limits: 64 bits of state, as many bytes as the columns hold (gf2MaxBytes),
// values of at most 64 bits, tables indexed by at most 16 varying bits.
//
// Example: c & 1 ? c >> 1 ^ P : c >> 1 with a constant P. Bit i of c is column i. The
// condition is column 0. The two values differ by the constant P, so by the rule for
// selections bit i of the result is column i + 1, plus column 0 if bit i of P is set.
// After eight such steps each bit is still an exclusive-or of columns. The mask -(c &
// 1) & P has the same bits, because it is run for c & 1 = 0 and 1. A look-up in a
// table gives them at once.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_GF2_H
#define MEMLIFT_IDIOMS_ALGEBRA_GF2_H

#include "../loop.h"

#include <bitset>
#include <map>
#include <tuple>
#include <utility>

namespace memlift {

/// Columns: 64 bits of the state, then 8 for each byte in order of first use. The
/// last column is the constant 1, the one before it marks an unknown value.
constexpr unsigned gf2Columns = 256, gf2One = gf2Columns - 1;
constexpr unsigned gf2Unknown = gf2One - 1, gf2MaxBytes = (gf2Unknown - 64) / 8;

/// A term: the factor's number (0: none, the formal bit stands alone), the number of
/// an invariant, and the number of one of its bits.
struct Gf2Term {
  unsigned factor, word, bit;

  bool operator<(const Gf2Term &o) const {
    return std::tie(factor, word, bit) < std::tie(o.factor, o.word, o.bit);
  }
  bool operator==(const Gf2Term &o) const { return !(*this < o) && !(o < *this); }
};

/// An exclusive-or of columns and of terms of formal invariants.
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

/// The result of an evaluation.
struct Gf2Form {
  bool ok = false;
  std::string why;             // if !ok: the reason, in the programmer's terms
  bool tableNotLinear = false; // if !ok: a table look-up failed
  bool symbolic = false;       // if !ok: a loop invariant was not linear
  std::string unknownTable;    // if ok: a table whose contents are not known
  int mixedWith = -1;          // if !ok: a recurrence outside the state
  Gf2Value value;
  /// Byte k has columns 64 + 8k and up; a pair is (access, byte by address).
  std::vector<std::pair<uint32_t, unsigned>> bytes;
  /// Factor k of the terms is factors[k - 1]; invariant k is words[k].
  std::vector<Gf2Bit> factors;
  std::vector<ExprId> words;
};

/// Multiplies a by b where exactly one of them consists of formal invariants and 1
/// alone; else returns false. Appends the factor if it is new.
bool gf2Product(const Gf2Bit &a, const Gf2Bit &b, std::vector<Gf2Bit> &factors, Gf2Bit &product);

/// Returns true if the bit is 0 or 1.
bool isConstant(const Gf2Bit &b);

/// Returns true if all bits of v are 0, 1, one common bit or its complement; sets
/// `bit` to that bit.
bool dependsOn(const Gf2Value &v, Gf2Bit &bit);

/// The number that v is if the one bit it depends on is `one`.
uint64_t valueAt(const Gf2Value &v, bool one);

/// The bits of a number.
Gf2Value constantBits(uint64_t value, unsigned width);

/// Sets `bit` to the only bit of v that is not 0; false if there is more than one.
bool oneBit(const Gf2Value &v, Gf2Bit &bit);

/// The state: recurrences side by side, the first one lowest, at most 64 bits in all;
/// `zero` has the bits known to be 0. Loop invariants are not linear. In a trial they
/// are replaced by constants, others for each seed; in a proof (`formal`) by formal
/// bits.
struct Gf2State {
  std::vector<uint32_t> recs;
  uint64_t zero = 0;
  unsigned trial = 0; // not 0: the seed of a trial
  bool formal = false;
  /// Recurrences outside the state that are a known function of it.
  std::map<uint32_t, ExprId> derived;
};

/// The constant that replaces a symbol in a trial.
uint64_t gf2Assumed(const Gf2State &state, uint64_t symbol);

/// Evaluates `id` over the state and the bytes read. Columns and factors continue
/// those of `earlier`, so that several values of one body can be compared.
Gf2Form gf2Of(const Loop &loop, ExprId id, const Gf2State &state,
              const Gf2Form &earlier = Gf2Form());

/// Strips a constant addend from a table index, also one inside an extension if the sum cannot wrap
/// there; `added` is set if there is one.
ExprId withoutConstant(const Loop &loop, ExprId id, size_t &added);

} // namespace memlift

#endif
