// simplify.h - what expressions come to where some conditions are known
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (n >= 8) { ...; p += 8; n -= 8; }      then p and n are
//
//     select(8 <= n, p + 8 * (((n - 8) >> 3) + 1), p)
//     select(8 <= n, n - 8 * (((n - 8) >> 3) + 1), n)
//
// Compilers spell such values in many ways. Under 8 <= n all of them come to
// p + 8 * (n >> 3) and n - 8 * (n >> 3): shifts are taken out of sums where that
// borrows nothing, masks and narrow types are written as shifts, and a sum is a
// polynomial. Only what the conditions say and what holds of all integers is used.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_SIMPLIFY_H
#define MEMLIFT_IDIOMS_ALGEBRA_SIMPLIFY_H

#include "../loop.h"

namespace memlift {

inline bool powerOfTwo(uint64_t v, unsigned &log) {
  if (v == 0 || (v & (v - 1)))
    return false;
  log = unsigned(__builtin_ctzll(v));
  return true;
}

/// The sum or product, or the largest number if it is more than that.
inline uint64_t saturated(uint64_t a, uint64_t b, bool times) {
  uint64_t r;
  bool over = times ? __builtin_mul_overflow(a, b, &r) : __builtin_add_overflow(a, b, &r);
  return over ? ~uint64_t(0) : r;
}

class AssumptionSimplifier {
public:
  explicit AssumptionSimplifier(Loop &loop) : loop(loop), g(loop.exprs) {}

  /// From here on the condition is so. It has no undecided one inside itself.
  void assume(ExprId condition, bool holds);
  /// `symbol` stands for this from here on.
  void bind(ExprId symbol, ExprId value);
  /// The value in its simplest form; memory and loads in it stay what they are.
  ExprId simple(ExprId id);
  /// The same value, as far as that can be told.
  bool same(ExprId a, ExprId b);
  bool isZero(ExprId id) { return same(id, g.constant(0, g.width(id))); }
  /// The same with what is known to be 0 added where that makes it shorter.
  ExprId shortest(ExprId id);
  /// A condition in the (simple) value that is neither known nor depends on
  /// another such one; NoExpr if there is none.
  ExprId undecided(ExprId id) const;

private:
  Loop &loop;
  ExprGraph &g;
  std::map<ExprId, ExprId> bound, memo;
  std::map<ExprId, bool> decided;
  std::map<ExprId, uint64_t> least, most;         // unsigned limits of values
  std::vector<std::pair<ExprId, ExprId>> ordered; // the first is not larger
  std::vector<ExprId> zeros;                      // values known to be 0

  unsigned depth = 0; // extensions so far: they are few, or nothing is gained

  ExprId rebuilt(ExprId id);
  ExprId compared(Op op, ExprId a, ExprId b);
  bool singleBit(ExprId x, uint64_t &bit) const;
  ExprId tidy(ExprId id) { return g.fromPoly(g.poly(id), g.width(id)); }
  ExprId shifted(ExprId x, unsigned by);
  ExprId masked(ExprId x, uint64_t mask);
  ExprId extended(ExprId x, unsigned width, bool isSigned);
  ExprId extendedPart(ExprId x, unsigned width);
  ExprId extendedSum(ExprId x, unsigned width);
  ExprId truncated(ExprId x, unsigned width);
  bool remainder(ExprId x, ExprId &whole, unsigned &bits) const;
  bool multiple(ExprId x, ExprId &whole, unsigned &bits) const;
  uint64_t smallest(ExprId x) const;
  bool atLeast(ExprId x, uint64_t limit) const { return smallest(x) >= limit; }
  bool shift(ExprId x, ExprId &from, uint64_t &by, bool &up) const;
  uint64_t largest(ExprId x, unsigned budget = 16) const;
  void suppose(ExprId condition, bool holds);
  void learn(ExprId a, ExprId b, bool orEqual);
  void learnLeast(ExprId x, uint64_t limit);
  void learnMost(ExprId x, uint64_t limit);
  void learnSigned(ExprId a, ExprId b, bool orEqual);
  void learnEqual(ExprId a, ExprId b);
  void noteEqual(ExprId a, ExprId b);
  void noteLimits(ExprId x);
  bool stripSign(ExprId x, ExprId &value) const;
};

} // namespace memlift

#endif
