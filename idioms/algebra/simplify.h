// simplify.h - simplifies expressions under conditions that are assumed to hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: loops that continue one another are one operation if the second begins
// where the first ends. That is a question about values such as these:
//
//   while (n >= 8) { ...; p += 8; n -= 8; }      then p and n are
//
//     select(8 <= n, p + 8 * (((n - 8) >> 3) + 1), p)
//     select(8 <= n, n - 8 * (((n - 8) >> 3) + 1), n)
//
// The naive approach compares the expressions of the two loops. It fails, since
// compilers spell such values in many ways, and none is the simplest one in itself.
//
// The idea: under the condition 8 <= n all spellings have one normal form, p + 8 * (n
// >> 3) and n - 8 * (n >> 3). The rules that lead there are few:
//
// - a multiple of 2^k is taken out of a sum before it is shifted, if nothing is
//   borrowed;
// - a mask becomes shifts: x & 7 is x - 8 * (x >> 3), and so does a remainder;
// - an extension moves to the operands, if the narrow operation does not wrap;
// - a sum is a polynomial, in which equal terms cancel.
//
// A condition decides whether something is borrowed or wraps. So assume()
// derives bounds and equalities from it (implied.cpp), and each rule asks for the
// bounds that it needs.
//
// The caller splits on each condition that is left (undecided()), so that all cases
// together cover all inputs. Only the conditions and facts about all integers are
// used.
//
// The limits: unsigned bounds of single values, differences and equalities; no
// systems of inequalities. 4096 extensions; the number of cases is limited by the
// caller.
//
// Example: under 8 <= n, ((n - 8) >> 3) + 1. The constant 8 is a multiple of 2^3, and
// n is at least 8, so nothing is borrowed: the shift is (n >> 3) - 1. Adding 1 leaves
// n >> 3. Then p + 8 * (n >> 3) is a polynomial in p and in the atom n >> 3, and so
// is the start of the next loop. Under not 8 <= n the select is p.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_SIMPLIFY_H
#define MEMLIFT_IDIOMS_ALGEBRA_SIMPLIFY_H

#include "../loop.h"

namespace memlift {

/// Returns true if v is a power of two, with its logarithm.
inline bool powerOfTwo(uint64_t v, unsigned &log) {
  if (v == 0 || (v & (v - 1)))
    return false;
  log = unsigned(__builtin_ctzll(v));
  return true;
}

/// Returns the sum or product, or the largest number if it does not fit.
inline uint64_t saturated(uint64_t a, uint64_t b, bool times) {
  uint64_t r;
  bool over = times ? __builtin_mul_overflow(a, b, &r) : __builtin_add_overflow(a, b, &r);
  return over ? ~uint64_t(0) : r;
}

/// One set of assumptions. Copies are cheap enough to split cases by: each branch of
/// a split is a copy with one more assumption; the expression graph is shared.
class AssumptionSimplifier {
public:
  explicit AssumptionSimplifier(Loop &loop) : loop(loop), g(loop.exprs) {}

  /// Assumes that the condition is `holds` from here on. It contains no undecided
  /// condition.
  void assume(ExprId condition, bool holds);
  /// Replaces `symbol` by a value from here on.
  void bind(ExprId symbol, ExprId value);
  /// Returns the value in its simplest form; memory and loads in it stay as they are.
  ExprId simple(ExprId id);
  /// Returns true if the two values are proved to be equal.
  bool same(ExprId a, ExprId b);
  bool isZero(ExprId id) { return same(id, g.constant(0, g.width(id))); }
  /// Returns the value in its simplest form, shortened by adding or subtracting
  /// values known to be 0.
  ExprId shortest(ExprId id);
  /// Returns a condition of the (simple) value that is neither known nor depends on
  /// another such condition; NoExpr if there is none.
  ExprId undecided(ExprId id) const;

private:
  Loop &loop;
  ExprGraph &g;
  std::map<ExprId, ExprId> bound, memo;
  std::map<ExprId, bool> decided;
  std::map<ExprId, uint64_t> least, most;         // unsigned bounds of values
  std::vector<std::pair<ExprId, ExprId>> ordered; // the first is not larger than the second
  std::vector<ExprId> zeros;                      // values known to be 0

  unsigned depth = 0; // extensions so far; beyond a limit they are left as they are

  ExprId rebuilt(ExprId id);
  ExprId compared(Op op, ExprId a, ExprId b);
  bool singleBit(ExprId x, uint64_t &bit) const;
  /// The value in polynomial normal form.
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
