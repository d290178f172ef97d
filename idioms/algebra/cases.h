// cases.h - exact integer values of expressions, one case of their comparisons at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a carry makes a value piecewise linear.
//
//   t = s + w;  t += t < w;       32 bits
//
// The naive approach matches `t < w` after an addition as "carry". It misses
// `~s < w`, a wider type whose upper half holds the carry, and a carry that is kept
// for the next iteration.
//
// The idea is a case split. Here s + w either stays below 2^32 or does not. In each
// of these two cases every value is a linear form over the integers, not modulo 2^32,
// in s and in the bytes of w. The assumption of the case bounds that form. So a carry
// is the number 0 or 1, however the program spells it.
//
// The cleverer part is how the cases are found. Nobody lists them in advance: a check
// is run, and whenever a comparison or a reduction modulo 2^w can turn out in two
// ways, it takes one of them and records the choice. all() runs the check again with
// the next combination of choices, until every combination that the bounds allow has
// been seen. Choices that contradict the bounds are never offered, so one comparison
// that decides another costs nothing.
//
// The limits: the caller gives the number of cases (ones.cpp allows 64), a case
// visits 20,000 nodes, values are at most 100 bits wide unless their bounds are
// smaller, and coefficients and bounds stay below 2^110, so that sums of them fit 128
// bits.
//
// Example: the body above with 0 <= s < 2^32 and a 32-bit word w. The check asks for
// t after both statements. Reducing s + w modulo 2^32 splits: in the first case s + w
// is at most 2^32 - 1, and t is s + w. The comparison s + w < w needs s <= -1, which
// the bounds exclude, so it is 0 without a split. In the second case t is s + w -
// 2^32, the comparison is s <= 2^32 - 1, so it is 1, and t becomes s + w - 2^32 + 1.
// Two cases in all.
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
  unsigned offset; // by address

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
/// Both bounds are inclusive.
struct Bounds {
  Int low, high;
};

/// Evaluates expressions case by case. Names, bindings and assumptions hold in every
/// case and are set before all() is called.
class Cases {
public:
  explicit Cases(const Loop &loop) : loop(loop), g(loop.exprs) {}

  /// Returns a new unknown between 0 and `most`.
  Exact name(Int most);
  /// Fixes the expression's value from here on, whatever its operands are.
  void bind(ExprId id, const Exact &value) { bound[id] = value; }
  /// States that `form` lies within the bounds in every case.
  void assume(const Exact &form, Bounds b) { given.push_back({form, b}); }

  /// Returns true if `check` returns true in every case and there are at most
  /// `limit`.
  bool all(const std::function<bool()> &check, unsigned limit);

  // To be called inside a check only:
  /// Computes the expression as a number from 0 to 2^width - 1; false if unknown.
  bool value(ExprId id, Exact &out);
  /// Computes the expression with the values of `more` bound in place of those bound
  /// so far. The state of the case is restored afterwards, but for the choices it
  /// made.
  bool valueWith(ExprId id, const std::map<ExprId, Exact> &more, Exact &out);
  Bounds bounds(const Exact &form) const;
  /// Returns true if `like` holds for the form of every assumption of this case.
  bool supposedAll(const std::function<bool(const Exact &)> &like) const;

private:
  struct Constraint {
    Exact form;
    Bounds b;
  };
  const Loop &loop;
  const ExprGraph &g;
  std::map<ExprId, Exact> bound;
  std::vector<Int> most; // largest value of each name
  std::vector<Constraint> given, supposed;
  std::vector<bool> choices; // outcome of each split of this case, in order
  size_t taken = 0;
  int budget = 0;
  std::map<ExprId, Exact> known; // values computed in this case

  /// Bounds of a single unknown: a byte is at most 255, a name at most its `most`.
  Bounds ofUnknown(const Unknown &u) const;
  /// Returns true if no term can exceed maxTerm, so that sums stay within 128 bits.
  bool isSmall(const Exact &form) const;
  /// Bounds from those of the unknowns alone, without the assumptions of the case.
  Bounds loose(const Exact &form) const;
  Bounds looseSum(const Exact &x, const Exact &y, Int times) const;
  /// Decides form <= limit, splitting the case where the bounds do not.
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

/// Upper bound of an expression from its operations alone, whatever its leaves are.
uint64_t largestOf(const Loop &loop, ExprId id, unsigned depth = 16);

} // namespace memlift

#endif
