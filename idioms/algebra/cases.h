// cases.h - values as exact integers, one case of their comparisons at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   t = s + w;  t += t < w;       32 bits
//
// has two cases: s + w stays below 2^32, or it does not. In either of them every
// value is a linear form of s and of w's bytes over the integers, not modulo 2^32,
// and what the case supposes bounds it. So a carry is what it is: nothing about
// how it was spelt has to be known. A check is run once for every combination of
// outcomes that the bounds allow; there must not be too many of them.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_CASES_H
#define MEMLIFT_IDIOMS_ALGEBRA_CASES_H

#include "../loop.h"

#include <functional>
#include <map>
#include <tuple>

namespace memlift {

using Int = __int128;

/// An unknown integer: a byte read, or a value that was given a name.
struct Unknown {
  enum Kind : uint8_t { Named, Byte } kind;
  uint32_t index;  // of the name, or the access
  unsigned offset; // Byte: by address

  bool operator<(const Unknown &o) const {
    return std::tie(kind, index, offset) < std::tie(o.kind, o.index, o.offset);
  }
  bool operator==(const Unknown &o) const { return !(*this < o) && !(o < *this); }
};

/// constant + sum(coefficient * unknown), over the integers.
struct Exact {
  FlatMap<Unknown, Int> terms; // no coefficient is 0
  Int constant = 0;

  void add(const Exact &x, Int times = 1);
  bool sameTerms(const Exact &x) const { return terms == x.terms; }
};
struct Bounds {
  Int low, high;
};

class Cases {
public:
  explicit Cases(const Loop &loop) : loop(loop), g(loop.exprs) {}

  /// A new unknown between 0 and `most`.
  Exact name(Int most);
  /// From here on the expression has this value, whatever it is made of.
  void bind(ExprId id, const Exact &value) { bound[id] = value; }
  /// `form` lies within the bounds in every case.
  void assume(const Exact &form, Bounds b) { given.push_back({form, b}); }

  /// True if `check` is in every case, and there are at most `limit`.
  bool all(const std::function<bool()> &check, unsigned limit);

  // Inside a check:
  /// The expression's value as a number from 0 to 2^width - 1; false if unknown.
  bool value(ExprId id, Exact &out);
  /// The same with other values bound on top, forgotten afterwards.
  bool valueWith(ExprId id, const std::map<ExprId, Exact> &more, Exact &out);
  Bounds bounds(const Exact &form) const;
  /// True if all forms that this case supposes something of are `like` that.
  bool supposedAll(const std::function<bool(const Exact &)> &like) const;

private:
  struct Constraint {
    Exact form;
    Bounds b;
  };
  const Loop &loop;
  const ExprGraph &g;
  std::map<ExprId, Exact> bound;
  std::vector<Int> most; // by name
  std::vector<Constraint> given, supposed;
  std::vector<bool> choices; // outcomes of this case, in order
  size_t taken = 0;
  int budget = 0;
  std::map<ExprId, Exact> known; // of this case

  Bounds ofUnknown(const Unknown &u) const;
  bool isSmall(const Exact &form) const;
  Bounds loose(const Exact &form) const;
  Bounds looseSum(const Exact &x, const Exact &y, Int times) const;
  bool atMost(const Exact &form, Int limit);
  bool modulo(Exact &form, unsigned width, Exact *quotient);
  bool evaluate(ExprId id, Exact &out);
  bool loadedBytes(ExprId id, Exact &out);
  bool masked(const Exact &x, uint64_t mask, unsigned width, Exact &out);
  bool merged(Op op, const Exact &x, const Exact &y, unsigned width, Exact &out);
  bool flipped(const Exact &x, uint64_t mask, unsigned width, Exact &out);
  bool scaled(const Exact &x, uint64_t factor, unsigned width, Exact &out);
  bool compared(Op op, const Exact &x, const Exact &y, Exact &out);
  bool unreduced(ExprId id, Exact &out);
  bool binary(const Expr &e, Exact &out);
  bool cast(const Expr &e, Exact &out);
};

/// What the value of an expression can be at most, whatever its leaves are.
uint64_t largestOf(const Loop &loop, ExprId id, unsigned depth = 16);

} // namespace memlift

#endif
