// gf2bit.cpp - bits as exclusive-ors of columns and of terms of formal invariants
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit is a sum modulo 2, kept as a set: of columns (a bitset), and of terms (a
// sorted list). Adding an element twice removes it. Equal bits are therefore equal as
// data, which is what comparing two bodies column by column relies on.
#include "gf2.h"

#include <algorithm>
#include <iterator>

namespace memlift {

/// Terms are sorted and unique, so adding two lists modulo 2 is their symmetric
/// difference.
Gf2Bit &Gf2Bit::operator^=(const Gf2Bit &o) {
  columns ^= o.columns;
  if (o.terms.empty())
    return *this;
  std::vector<Gf2Term> sum;
  std::set_symmetric_difference(terms.begin(), terms.end(), o.terms.begin(), o.terms.end(),
                                std::back_inserter(sum));
  terms = std::move(sum);
  return *this;
}

/// Returns true if the bit consists of formal bits and perhaps 1, and is no constant.
static bool isFormal(const Gf2Bit &b) {
  Gf2Bit rest = b;
  rest[gf2One] = false;
  return rest.columns.none() && !b.terms.empty() && !b.terms.back().factor;
}

/// Distributes (factor + 1?) * (formal + 1?) over the four products. Equal factors
/// get one number, so that equal products are equal term by term.
bool gf2Product(const Gf2Bit &a, const Gf2Bit &b, std::vector<Gf2Bit> &factors, Gf2Bit &product) {
  if (isFormal(a) == isFormal(b))
    return false;
  const Gf2Bit &formal = isFormal(a) ? a : b;
  Gf2Bit factor = isFormal(a) ? b : a;
  product = Gf2Bit();
  if (factor[gf2One])
    product = formal; // (f + 1) * s = f * s + s
  factor[gf2One] = false;
  if (formal[gf2One])
    product ^= factor;
  auto it = std::find(factors.begin(), factors.end(), factor);
  unsigned number = unsigned(it - factors.begin()) + 1;
  if (it == factors.end())
    factors.push_back(factor);
  Gf2Bit terms;
  for (Gf2Term t : formal.terms)
    terms.terms.push_back({number, t.word, t.bit});
  product ^= terms;
  return true;
}

bool isConstant(const Gf2Bit &b) { return b.none() || (b.count() == 1 && b[gf2One]); }

bool dependsOn(const Gf2Value &v, Gf2Bit &bit) {
  for (Gf2Bit b : v) {
    b[gf2One] = false;
    if (b.none())
      continue;
    if (bit.none())
      bit = b;
    if (b != bit)
      return false;
  }
  return true;
}

uint64_t valueAt(const Gf2Value &v, bool one) {
  uint64_t r = 0;
  for (unsigned i = 0; i < v.size() && i < 64; ++i) {
    bool depends = v[i].count() > v[i][gf2One];
    r |= uint64_t(v[i][gf2One] ^ (depends && one)) << i;
  }
  return r;
}

Gf2Value constantBits(uint64_t value, unsigned width) {
  Gf2Value v(width);
  for (unsigned i = 0; i < width && i < 64; ++i)
    v[i][gf2One] = value >> i & 1;
  return v;
}

bool oneBit(const Gf2Value &v, Gf2Bit &bit) {
  size_t live = 0;
  for (const Gf2Bit &b : v)
    if (b.any() && ++live)
      bit = b;
  return live <= 1;
}

} // namespace memlift
