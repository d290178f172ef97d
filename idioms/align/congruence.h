// congruence.h - facts about values modulo powers of two
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if ((d ^ s) & 7) return;              d - s is 0 modulo 8
//   while (d & 7) *d++ = *s++;            d + i is 0 modulo 8 after the loop:
//                                         so is s + i
//
// A query about alignment is one about the lowest bits of a pointer, and nearly all facts
// that programs state about those are linear: sums, products with constants, masks,
// remainders, tests of masked values. Each fact is a linear equation over Z/2^64. A
// congruence modulo 2^k is one whose coefficients are all shifted up by 64 - k.
//
// The equations are kept in Howell form. In that form an equation follows from the
// others exactly if it reduces to nothing. So the answer depends neither on the order
// in which facts are found nor on their spelling.
#ifndef MEMLIFT_IDIOMS_ALIGN_CONGRUENCE_H
#define MEMLIFT_IDIOMS_ALIGN_CONGRUENCE_H

#include "../expr.h"

#include <set>
#include <tuple>

namespace memlift {

enum class Aligned : uint8_t { Unknown, Always, Never };

class Congruences {
public:
  /// Numbers of facts, as their callers count them.
  using Sources = std::set<unsigned>;

  explicit Congruences(const ExprGraph &g) : g(g) {}

  /// Adds a condition (width 1) that holds wherever the answers are used. Parts of it
  /// that are not understood add nothing.
  void assume(ExprId condition, bool holds, unsigned source);
  /// Adds that the lowest `bits` of a and b agree; widths may differ.
  void equal(ExprId a, ExprId b, unsigned bits, const Sources &sources);
  /// Adds that the lowest `bits` of a are zero.
  void zero(ExprId a, unsigned bits, unsigned source);

  /// Returns how many of the lowest bits of a and b certainly agree. `why` gets the
  /// facts that the proof used.
  unsigned agreeing(ExprId a, ExprId b, Sources *why = nullptr);
  /// Returns how many of the lowest bits are certainly zero, at most `limit`.
  unsigned zeroBits(ExprId a, unsigned limit = 64, Sources *why = nullptr);
  /// Returns whether the address is a multiple of 2^bits.
  Aligned aligned(ExprId address, unsigned bits, Sources *why = nullptr);
  /// Returns the atoms that keep it from being a multiple of 2^bits; none if it is
  /// one, or a known distance from one.
  std::set<ExprId> beyond(ExprId address, unsigned bits);
  /// Returns true if the facts contradict one another: the code is not reached.
  bool impossible() const { return rows.count({}); }

private:
  /// The source of definitions: no caller uses this number, and no answer names it.
  static constexpr unsigned byDefinition = ~0u;
  /// A polynomial whose largest monomial is its last.
  using Terms = std::map<Monomial, uint64_t>;
  struct Row {
    Terms terms; // their sum is 0 modulo 2^64; the first key is the last one
    Sources from;
  };
  /// A test and its outcome, independent of the spelling; n != 0, n > 0 and !(n == 0)
  /// are one literal.
  struct Literal {
    ExprId a, b;
    bool holds;
    bool operator<(const Literal &l) const {
      return std::tie(a, b, holds) < std::tie(l.a, l.b, l.holds);
    }
  };
  /// A disjunction: at least one of the two holds.
  struct Clause {
    ExprId conditions[2];
    bool holds;
    unsigned source;
  };
  const ExprGraph &g;
  mutable size_t steps = 0;     // steps of reductions; beyond a limit nothing more is proved
  std::map<Monomial, Row> rows; // by their largest monomial
  std::set<ExprId> defined;     // atoms whose definitions have been added
  std::vector<Clause> clauses;
  std::set<Literal> literals; // literals that hold
  std::vector<ExprId> clues;  // values whose being zero says something of their operands

  Terms termsOf(ExprId id) const;
  /// Returns the equation p = 0 modulo 2^bits.
  static Row row(Terms p, unsigned bits, Sources from);
  /// Returns the equation a = b in the lowest `bits`, as far as both are that wide.
  Row difference(ExprId a, ExprId b, unsigned bits, Sources from = {}) const;
  void insert(Row row);
  void store(Row row);
  void reduce(Row &row) const;
  void add(Row row);
  bool follows(Row row, Sources *why) const;
  void define(const Terms &p);
  void defineAtom(ExprId atom);
  void defineBits(ExprId atom);
  void defineMask(ExprId atom, ExprId value, uint64_t mask);
  void defineSet(ExprId atom, ExprId value, uint64_t bits);
  void defineShift(ExprId atom);
  void learnZero(ExprId value, unsigned bits, const Sources &sources);
  void learnFrom(ExprId clue, const Sources &sources);
  void saturate(const Sources &sources);
  void learnBit(ExprId value, uint64_t mask, unsigned source);
  Literal literalOf(ExprId condition, bool holds) const;
  void resolve();
  void assumeUnequal(ExprId a, ExprId b, unsigned source);
};

} // namespace memlift

#endif
