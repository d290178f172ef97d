// walk.cpp - addresses that GCC's scalar evolution does not analyse
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   p = PHI <start, next>        a pointer that is stepped as an integer
//   x = (uintptr_t) p
//   y = x + 8
//   next = (void *) y
//
//   w = PHI <(size_t) from, v>   a counter that is kept in its wide form: PRE
//   i = PHI <from, j>            makes it of  d[i]  with a narrow i
//   j = i + 1
//   v = (size_t) j
//
// Only in single loops, not in nests. Narrow counters assumed not to wrap are noted for trip.cpp,
// which makes a condition of the assumption.
#include "translate.h"

namespace memlift {

/// Returns {start, +, by} of fewer bits than a pointer, extended.
Affine Translator::widenedFrom(ExprId start, tree type, int64_t by) {
  Affine a;
  bool isSigned = !TYPE_UNSIGNED(type);
  counters.push_back({start, by, isSigned});
  a.ok = true;
  a.inv = g.cast(isSigned ? Op::SExt : Op::ZExt, start, ptrBits());
  a.step = {binding.loop.word(uint64_t(by))};
  return a;
}

/// Splits a counter of the nest's only loop in a type narrower than a pointer, or one plus an
/// invariant. Its bits are counted modulo 2^width whatever the types of that width, signed or not.
bool Translator::narrowCounter(tree chrec, ExprId &start, int64_t &by) {
  tree type = TREE_TYPE(chrec);
  tree_code code = TREE_CODE(chrec);
  if (!INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) >= ptrBits() || nest->loops.size() != 1)
    return false;
  if (CONVERT_EXPR_CODE_P(code)) {
    tree inside = TREE_OPERAND(chrec, 0);
    return INTEGRAL_TYPE_P(TREE_TYPE(inside)) &&
           TYPE_PRECISION(TREE_TYPE(inside)) == TYPE_PRECISION(type) &&
           narrowCounter(inside, start, by);
  }
  if (code == PLUS_EXPR || code == MINUS_EXPR) {
    tree moves = TREE_OPERAND(chrec, 0), stays = TREE_OPERAND(chrec, 1);
    if (code == PLUS_EXPR && !tree_contains_chrecs(moves, nullptr))
      std::swap(moves, stays);
    ExprId more = tree_contains_chrecs(stays, nullptr) ? NoExpr : value(stays);
    if (more == NoExpr || !g.isInvariant(more) || g.width(more) != TYPE_PRECISION(type) ||
        !narrowCounter(moves, start, by))
      return false;
    start = code == PLUS_EXPR ? g.add(start, more) : g.sub(start, more);
    return true;
  }
  if (code != POLYNOMIAL_CHREC || unsigned(nest->inner()->num) != CHREC_VARIABLE(chrec) ||
      TREE_CODE(CHREC_RIGHT(chrec)) != INTEGER_CST ||
      tree_contains_chrecs(CHREC_LEFT(chrec), nullptr))
    return false;
  start = value(CHREC_LEFT(chrec));
  by = signExtend(TREE_INT_CST_LOW(CHREC_RIGHT(chrec)), TYPE_PRECISION(type));
  return start != NoExpr && g.isInvariant(start) && g.width(start) == TYPE_PRECISION(type);
}

bool Translator::counter(tree name, ExprId &start, int64_t &by) {
  if (nest->loops.size() != 1 || !isScalar(TREE_TYPE(name)))
    return false;
  if (TYPE_PRECISION(TREE_TYPE(name)) < ptrBits()) {
    tree chrec = chrecOf(name);
    return chrec != chrec_dont_know && narrowCounter(chrec, start, by);
  }
  Affine a = affine(name);
  if (!a.ok || !g.isConst(a.step[0]))
    return false;
  start = a.base < 0 ? a.inv : g.add(g.leaf(Op::BaseAddr, unsigned(a.base), ptrBits()), a.inv);
  by = signExtend(g[a.step[0]].value, ptrBits());
  return true;
}

/// Returns whether a pointer advances by `by` in each iteration, or stays.
bool Translator::walks(tree pointer, ExprId &start, int64_t &by) {
  if (moves(pointer))
    return counter(pointer, start, by);
  start = value(pointer);
  by = 0;
  return start != NoExpr && g.isInvariant(start);
}

/// Returns the subtraction of two pointers whose low bits, divided by the element `size`, `name`
/// has; null if there is none.
gassign *Translator::apart(tree name, int64_t &size) {
  size = 1;
  for (unsigned width = 0, budget = 5; budget--;) {
    gassign *def =
        TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name)) : nullptr;
    if (!def || !inNest(name) || !isScalar(TREE_TYPE(name)))
      return nullptr;
    tree_code code = gimple_assign_rhs_code(def);
    unsigned bits = TYPE_PRECISION(TREE_TYPE(name));
    if (code == POINTER_DIFF_EXPR)
      return def;
    bool divides = code == EXACT_DIV_EXPR && size == 1 && bits == ptrBits() &&
                   tree_fits_shwi_p(gimple_assign_rhs2(def));
    if (bits > ptrBits() || bits < width || (!divides && !CONVERT_EXPR_CODE_P(code)))
      return nullptr;
    if (divides)
      size = tree_to_shwi(gimple_assign_rhs2(def));
    width = size == 1 ? bits : ptrBits();
    name = gimple_assign_rhs1(def);
  }
  return nullptr;
}

bool Translator::distance(tree name, ExprId &start, int64_t &by) {
  int64_t size, back;
  ExprId from;
  gassign *def = apart(name, size);
  if (!def || size <= 0 || !walks(gimple_assign_rhs1(def), start, by) ||
      !walks(gimple_assign_rhs2(def), from, back) || __builtin_sub_overflow(by, back, &by) ||
      by % size)
    return false;
  start = g.exactQuotient(g.sub(start, from), uint64_t(size));
  by /= size;
  // Below the quotient's sign bit nothing is lost at the end of the address space.
  unsigned width = TYPE_PRECISION(TREE_TYPE(name));
  uint64_t most = maskOf(width) >> 1;
  if (width < ptrBits() &&
      (uint64_t(size) > maskOf(ptrBits() - width) || uint64_t(by < 0 ? -by : by) > most))
    return false;
  start = g.zextOrTrunc(start, width);
  return true;
}

/// Translates a conversion to pointer width. GCC leaves it outside of a narrower counter that it
/// cannot prove not to wrap.
Affine Translator::widened(tree chrec) {
  ExprId start;
  int64_t by;
  if (TYPE_PRECISION(TREE_TYPE(chrec)) == ptrBits())
    return affineChrec(chrec);
  return narrowCounter(chrec, start, by) ? widenedFrom(start, TREE_TYPE(chrec), by) : Affine();
}

static gassign *plainAssign(tree t) {
  gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  return def && !gimple_vuse(def) ? def : nullptr;
}

/// Matches `t` = phi + step, with only additions of invariants and conversions that keep all bits
/// between.
bool Translator::stepsFrom(tree t, tree phi, ExprId &step, unsigned budget) {
  if (t == phi)
    return true;
  gassign *def = plainAssign(t);
  if (!def || !budget || TYPE_PRECISION(TREE_TYPE(t)) != ptrBits() || !inNest(t))
    return false;
  tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
  tree_code code = gimple_assign_rhs_code(def);
  if (CONVERT_EXPR_CODE_P(code) || code == SSA_NAME)
    return isScalar(TREE_TYPE(a)) && stepsFrom(a, phi, step, budget - 1);
  if (code != PLUS_EXPR && code != POINTER_PLUS_EXPR && code != MINUS_EXPR)
    return false;
  if (code == PLUS_EXPR && invariant(a))
    std::swap(a, b);
  ExprId by = invariant(b) ? value(b) : NoExpr;
  if (by == NoExpr || g.width(by) != ptrBits() || !g.isInvariant(by))
    return false;
  step = code == MINUS_EXPR ? g.sub(step, by) : g.add(step, by);
  return stepsFrom(a, phi, step, budget - 1);
}

/// Returns whether `next` is counted by itself, and the PHI's start `a` is one step before its
/// start: sets a's step.
bool Translator::continuesAfter(Affine &a, tree next, gassign *def) {
  Affine b = affineChrec(chrecOf(next));
  if (!b.ok && def && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)) &&
      isScalar(TREE_TYPE(gimple_assign_rhs1(def))))
    b = affineChrec(chrecOf(gimple_assign_rhs1(def)));
  auto whole = [&](const Affine &x) {
    return x.base < 0 ? x.inv : g.add(g.leaf(Op::BaseAddr, unsigned(x.base), ptrBits()), x.inv);
  };
  if (!b.ok || !g.equal(g.sub(whole(b), b.step[0]), whole(a)))
    return false;
  a.step = b.step;
  return true;
}

/// Returns the affine value of a header PHI that counts.
Affine Translator::counted(gphi *phi) {
  class loop *loop = nest->inner();
  tree name = gimple_phi_result(phi);
  if (gimple_bb(phi) != loop->header || nest->loops.size() != 1 ||
      SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
    return Affine();
  tree first = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
  tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
  Affine a = affineChrec(first);
  ExprId step = binding.loop.word(0);
  if (stepsFrom(next, name, step)) {
    if (a.ok)
      a.step = {step};
    return a;
  }
  gassign *def = plainAssign(next);
  if (a.ok && continuesAfter(a, next, def))
    return a;
  ExprId start;
  int64_t by;
  if (!a.ok || a.base >= 0 || !def || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)))
    return Affine();
  tree from = gimple_assign_rhs1(def);
  tree chrec = chrecOf(from);
  if (chrec == chrec_dont_know || !narrowCounter(chrec, start, by))
    return Affine();
  start = g.sub(start, g.constant(uint64_t(by), g.width(start)));
  start = g.fromPoly(g.poly(start), g.width(start));
  Affine wide = widenedFrom(start, TREE_TYPE(from), by);
  wide.ok = g.equal(wide.inv, a.inv);
  return wide;
}

/// Takes an operation without memory access apart: a name's definition, or an index in a reference.
static bool takeOperation(tree t, tree_code &code, tree &a, tree &b) {
  gassign *def = plainAssign(t);
  if (def) {
    code = gimple_assign_rhs_code(def);
    a = gimple_assign_rhs1(def);
    b = gimple_assign_rhs2(def);
    return true;
  }
  if (!EXPR_P(t) || TREE_OPERAND_LENGTH(t) > 2)
    return false;
  code = TREE_CODE(t);
  a = TREE_OPERAND(t, 0);
  b = TREE_OPERAND_LENGTH(t) == 2 ? TREE_OPERAND(t, 1) : NULL_TREE;
  return true;
}

Affine Translator::walked(tree t, unsigned budget) {
  bool name = TREE_CODE(t) == SSA_NAME;
  if (!budget || nest->loops.size() != 1 || (name && !inNest(t)) ||
      TYPE_PRECISION(TREE_TYPE(t)) != ptrBits())
    return Affine();
  if (Affine ring = ringMoves(t); ring.ok)
    return ring;
  if (gphi *phi = name ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t)) : nullptr)
    return counted(phi);
  tree_code code;
  tree a, b;
  if (!takeOperation(t, code, a, b))
    return Affine();
  auto part = [&](tree x) {
    Affine known = affineChrec(TREE_CODE(x) == SSA_NAME ? chrecOf(x) : x);
    return known.ok ? known : walked(x, budget - 1);
  };
  if (CONVERT_EXPR_CODE_P(code) || code == SSA_NAME) {
    if (!isScalar(TREE_TYPE(a)))
      return Affine();
    if (TYPE_PRECISION(TREE_TYPE(a)) == ptrBits())
      return part(a);
    if (Affine ring = ringMoves(a); ring.ok)
      return ring;
    tree chrec = TREE_CODE(a) == SSA_NAME ? chrecOf(a) : chrec_dont_know;
    return chrec == chrec_dont_know ? Affine() : widened(chrec);
  }
  if (code == PLUS_EXPR || code == POINTER_PLUS_EXPR || code == MINUS_EXPR)
    return combine(part(a), part(b), code == MINUS_EXPR);
  if (code == MULT_EXPR && invariant(b))
    return scaled(part(a), value(b));
  if (code == LSHIFT_EXPR && TREE_CODE(b) == INTEGER_CST && tree_to_uhwi(b) < ptrBits())
    return scaled(part(a), binding.loop.word(uint64_t(1) << tree_to_uhwi(b)));
  return Affine();
}

} // namespace memlift
