// congruence.h - what is known of values modulo powers of two
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if ((d ^ s) & 7) return;              d - s is 0 modulo 8
//   while (d & 7) *d++ = *s++;            d + i is 0 modulo 8 behind the loop:
//                                         so is s + i
//
// Whether a pointer is aligned is a query about its lowest bits, and nearly all
// that programs say of those is linear: sums, products by constants, masks,
// remainders, tests of masked values. Each fact is a linear equation over Z/2^64,
// a congruence modulo 2^k being one with all coefficients shifted up by 64 - k.
// The equations are kept in Howell form, in which an equation follows from the
// others exactly if it reduces to nothing: the answer does not depend on the order
// in which facts are found, nor on how they are spelt.
#ifndef MEMLIFT_IDIOMS_ALIGN_CONGRUENCE_H
#define MEMLIFT_IDIOMS_ALIGN_CONGRUENCE_H

#include "../expr.h"

#include <set>
#include <tuple>

namespace memlift {

enum class Aligned : uint8_t { Unknown, Always, Never };

class Congruences {
public:
  /// Numbers of facts, as their givers count them.
  using Sources = std::set<unsigned>;

  explicit Congruences(const ExprGraph &g) : g(g) {}

  /// A condition (width 1) that is so wherever the answers are to hold. What is not
  /// understood of it says nothing.
  void assume(ExprId condition, bool holds, unsigned source);
  /// The lowest `bits` of a and b agree; widths may differ.
  void equal(ExprId a, ExprId b, unsigned bits, const Sources &sources);
  /// The lowest `bits` of a are zero.
  void zero(ExprId a, unsigned bits, unsigned source);

  /// How many of the lowest bits of a and b certainly agree. `why` gets what the
  /// proof of it used.
  unsigned agreeing(ExprId a, ExprId b, Sources *why = nullptr);
  /// How many of the lowest bits are certainly zero, at most `limit`.
  unsigned zeroBits(ExprId a, unsigned limit = 64, Sources *why = nullptr);
  /// Whether the address is a multiple of 2^bits.
  Aligned aligned(ExprId address, unsigned bits, Sources *why = nullptr);
  /// The atoms that keep it from being a multiple of 2^bits; empty if it is one, or
  /// is a known number away from one.
  std::set<ExprId> beyond(ExprId address, unsigned bits);
  /// The facts contradict one another: nothing runs there.
  bool impossible() const { return rows.count({}); }

private:
  /// Definitions have a source that nobody else numbers, and that no answer names.
  static constexpr unsigned byDefinition = ~0u;
  /// A polynomial whose largest monomial is its last.
  using Terms = std::map<Monomial, uint64_t>;
  struct Row {
    Terms terms; // sum of them is 0 modulo 2^64; the first key is last
    Sources from;
  };
  /// A test and how it came out, whatever the way it is written; n != 0, n > 0 and
  /// !(n == 0) are one.
  struct Literal {
    ExprId a, b;
    bool holds;
    bool operator<(const Literal &l) const {
      return std::tie(a, b, holds) < std::tie(l.a, l.b, l.holds);
    }
  };
  /// One of the two is so.
  struct Clause {
    ExprId conditions[2];
    bool holds;
    unsigned source;
  };
  const ExprGraph &g;
  mutable size_t steps = 0;     // of reductions; from some number on nothing more is proved
  std::map<Monomial, Row> rows; // by their largest monomial
  std::set<ExprId> defined;     // atoms whose operations have been looked at
  std::vector<Clause> clauses;
  std::set<Literal> literals; // that hold
  std::vector<ExprId> parts;  // those whose being zero says something of their operands

  Terms termsOf(ExprId id) const;
  /// p is 0 modulo 2^bits.
  static Row row(Terms p, unsigned bits, Sources from);
  /// The lowest `bits` of a and b agree, as far as both are that wide.
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
  void learnFrom(ExprId part, const Sources &sources);
  void saturate(const Sources &sources);
  void learnBit(ExprId value, uint64_t mask, unsigned source);
  Literal literalOf(ExprId condition, bool holds) const;
  void resolve();
  void assumeUnequal(ExprId a, ExprId b, unsigned source);
};

} // namespace memlift

#endif
