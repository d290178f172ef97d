// definitions.cpp - equations that operations and conditions imply for the lowest bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "congruence.h"

#include <algorithm>

namespace memlift {

// Limit on atoms; no pointer of a real program depends on more.
constexpr size_t mostAtoms = 256;

static unsigned trailingZeros(uint64_t v) { return v ? unsigned(__builtin_ctzll(v)) : 64; }

static unsigned trailingOnes(uint64_t v) { return trailingZeros(~v); }

/// Returns a - by * b.
template <typename Terms> static Terms minus(Terms a, const Terms &b, uint64_t by) {
  for (const auto &[m, c] : b)
    if (!(a[m] -= by * c))
      a.erase(m);
  return a;
}

template <typename Terms> static Terms plusConstant(Terms a, uint64_t c) {
  return minus(std::move(a), Terms{{{}, 1}}, 0 - c);
}

/// Adds the definitions of all atoms once; a definition may name others. A product
/// ends in as many zeros as its factors together.
void Congruences::define(const Terms &p) {
  for (const auto &term : p)
    for (ExprId atom : term.first)
      if (defined.size() < mostAtoms && defined.insert(atom).second)
        defineAtom(atom);
  for (const auto &term : p) {
    unsigned bits = 0;
    Sources why{byDefinition};
    for (ExprId atom : term.first)
      bits += term.first.size() > 1 ? zeroBits(atom, 64, &why) : 0;
    insert(row({{term.first, 1}}, std::min(bits, 64u), std::move(why)));
  }
}

/// Defines x & m: it ends in the zeros of m, and agrees with x in the lowest ones of
/// m.
void Congruences::defineMask(ExprId atom, ExprId value, uint64_t mask) {
  learnZero(atom, trailingZeros(mask), {byDefinition});
  add(difference(atom, value, trailingOnes(mask), {byDefinition}));
}

/// Defines x | c, x ^ c: a sum if no bit of c is set in x; equal to x below the bits
/// of c.
void Congruences::defineSet(ExprId atom, ExprId value, uint64_t bits) {
  Sources why{byDefinition};
  unsigned free = std::min(zeroBits(value, 64, &why), 63u), width = g.width(atom);
  if (bits >> free == 0 && width <= 64)
    add(row(minus(plusConstant(termsOf(value), bits), termsOf(atom), 1), width, std::move(why)));
  else
    add(difference(atom, value, trailingZeros(bits), {byDefinition}));
}

void Congruences::defineBits(ExprId atom) {
  const Expr e = g[atom];
  Sources why{byDefinition};
  unsigned a = zeroBits(e.a, 64, &why), b = zeroBits(e.b, 64, &why);
  learnZero(atom, e.op == Op::And ? std::max(a, b) : std::min(a, b), why);
  if (e.op != Op::And)
    clues.push_back(atom);
  for (ExprId constant : {e.a, e.b}) {
    ExprId value = constant == e.a ? e.b : e.a;
    if (!g.isConst(constant))
      continue;
    if (e.op == Op::And)
      defineMask(atom, value, g[constant].value);
    else
      defineSet(atom, value, g[constant].value);
  }
}

/// Defines 2^k * (x >> k): it equals x if x ends in k zeros.
void Congruences::defineShift(ExprId atom) {
  const Expr e = g[atom];
  if (e.op == Op::Shl) {
    Sources why{byDefinition};
    unsigned bits = zeroBits(e.a, 64, &why);
    learnZero(atom, bits, why);
    return;
  }
  if (!g.isConst(e.b) || g[e.b].value >= std::min<unsigned>(e.width, 64))
    return;
  unsigned by = unsigned(g[e.b].value);
  Sources why{byDefinition};
  if (zeroBits(e.a, by, &why) >= by)
    add(row(minus(termsOf(e.a), termsOf(atom), uint64_t(1) << by), std::min<unsigned>(e.width, 64),
            std::move(why)));
}

void Congruences::defineAtom(ExprId atom) {
  const Expr e = g[atom];
  switch (e.op) {
  case Op::And:
  case Op::Or:
  case Op::Xor: return defineBits(atom);
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: return defineShift(atom);
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc: return add(difference(atom, e.a, 64, {byDefinition}));
  case Op::URem:
  case Op::SRem:
    if (g.isConst(e.b))
      add(difference(atom, e.a, trailingZeros(g[e.b].value), {byDefinition}));
    return;
  case Op::Select: {
    Sources why{byDefinition};
    unsigned bits = agreeing(e.b, e.c, &why);
    return add(difference(atom, e.b, bits, std::move(why)));
  }
  default: return;
  }
}

/// If x | y ends in zeros, both do; if x ^ y does, they agree.
void Congruences::learnFrom(ExprId clue, const Sources &sources) {
  const Expr e = g[clue];
  Sources why = sources;
  unsigned bits = zeroBits(clue, 64, &why);
  if (e.op == Op::Xor) {
    add(difference(e.a, e.b, bits, why));
    return;
  }
  for (ExprId side : {e.a, e.b})
    add(row(termsOf(side), bits, why));
}

/// Applies learnFrom() until no new fact follows.
void Congruences::saturate(const Sources &sources) {
  size_t before;
  unsigned iterations = 4;
  do {
    before = rows.size();
    for (size_t i = 0; i < clues.size(); ++i)
      learnFrom(clues[i], sources);
  } while (rows.size() != before && --iterations);
}

/// Learns that some bit of x & mask is set. If the mask has one bit only, and x ends
/// in zeros below it, x is known modulo twice that bit.
void Congruences::learnBit(ExprId value, uint64_t mask, unsigned source) {
  unsigned k = trailingZeros(mask);
  Sources why{source};
  if (k >= std::min(g.width(value), 64u) || mask >> k != 1 || zeroBits(value, k, &why) < k)
    return;
  add(row(plusConstant(termsOf(value), 0 - (uint64_t(1) << k)), k + 1, why));
  saturate({source});
}

void Congruences::assumeUnequal(ExprId a, ExprId b, unsigned source) {
  if (!g.isConst(b, 0))
    return;
  const Expr e = g[a];
  if (e.op == Op::And && g.isConst(e.b))
    learnBit(e.a, g[e.b].value, source);
  else if (e.width <= 64)
    learnBit(a, maskOf(e.width), source);
}

/// Matches an ordered test that x is 0: x < 1, x <= 0, not 0 < x, not 1 <= x. Returns
/// NoExpr if it is none with the outcome `holds`.
static ExprId testedForZero(const ExprGraph &g, const Expr &e, bool &holds) {
  if (e.op != Op::ULt && e.op != Op::ULe)
    return NoExpr;
  bool less = e.op == Op::ULt;
  if (g.isConst(e.b, less))
    return e.a;
  if (!g.isConst(e.a, !less))
    return NoExpr;
  holds = !holds;
  return e.b;
}

/// Represents 0 in a literal: the graph has one for each width, or none.
constexpr ExprId zeroOfAnyWidth = NoExpr - 1;

Congruences::Literal Congruences::literalOf(ExprId condition, bool holds) const {
  Expr e = g[condition];
  while (e.op == Op::Xor && g.isConst(e.b, 1)) {
    holds = !holds;
    condition = e.a;
    e = g[condition];
  }
  ExprId zero = testedForZero(g, e, holds);
  if (zero != NoExpr)
    return {zero, zeroOfAnyWidth, holds};
  if (e.op != Op::Eq && e.op != Op::Ne)
    return {condition, NoExpr, holds};
  bool equal = (e.op == Op::Eq) == holds;
  if (g.isConst(e.b, 0))
    return {e.a, zeroOfAnyWidth, equal};
  return {std::min(e.a, e.b), std::max(e.a, e.b), equal};
}

/// Resolves disjunctions: if one of the two tests does not hold, the other does.
void Congruences::resolve() {
  for (size_t i = 0; i < clauses.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      Clause c = clauses[i];
      if (!literals.count(literalOf(c.conditions[k], !c.holds)))
        continue;
      clauses.erase(clauses.begin() + long(i));
      assume(c.conditions[1 - k], c.holds, c.source);
      return; // the recursive call handles the others
    }
}

void Congruences::assume(ExprId condition, bool holds, unsigned source) {
  const Expr e = g[condition];
  if (e.width != 1)
    return;
  if (e.op == Op::Const && (e.value != 0) != holds)
    insert(row({{{}, 1}}, 64, {source})); // 1 is 0: the code is not reached
  literals.insert(literalOf(condition, holds));
  bool isOr = e.op == Op::Or || (e.op == Op::Select && g.isConst(e.b, 1));
  bool isAnd = e.op == Op::And || (e.op == Op::Select && g.isConst(e.c, 0));
  bool outcome = holds;
  ExprId second = e.op == Op::Select && isOr ? e.c : e.b;
  ExprId zeroed = testedForZero(g, e, outcome);
  if (e.op == Op::Xor && g.isConst(e.b, 1)) {
    assume(e.a, !holds, source);
  } else if (holds ? isAnd : isOr) { // both of a && b hold; neither of a || b
    assume(e.a, holds, source);
    assume(second, holds, source);
  } else if (isAnd || isOr) {
    clauses.push_back({{e.a, second}, holds, source});
  } else if (e.op == Op::Eq || e.op == Op::Ne) {
    (e.op == Op::Eq) == holds ? equal(e.a, e.b, 64, {source}) : assumeUnequal(e.a, e.b, source);
  } else if (zeroed != NoExpr && outcome) {
    zero(zeroed, 64, source);
  } else if (e.op == Op::Trunc) {
    holds ? learnBit(e.a, 1, source) : zero(e.a, 1, source);
  }
  resolve();
}

} // namespace memlift
