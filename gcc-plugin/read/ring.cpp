// ring.cpp - reads the indices of rings: PHIs, and numbers that are cut in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   h = PHI <h0, next>       {h0, +, 1} until it comes to the end of the ring
//   sum = h + 1
//   next = sum & mask        {next(h0), +, 1}, likewise
//
//   sum = start + i          start, i: as GCC's scalar evolution has them
//   at = sum & mask          {start & mask, +, 1}, likewise
//
// Rules of which steps and cuts make a ring are in idioms/recognize/ring.cpp.
#include "trip.h"

namespace memlift {

static gassign *assignOf(tree t) {
  gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  return def && !gimple_vuse(def) ? def : nullptr;
}

/// Returns whether the name may be the next index: the last operation is one that leads back.
static bool mayLeadBack(class loop *loop, tree t) {
  if (TREE_CODE(t) != SSA_NAME || !gimple_bb(SSA_NAME_DEF_STMT(t)) ||
      !flow_bb_inside_loop_p(loop, gimple_bb(SSA_NAME_DEF_STMT(t))))
    return false;
  if (gimple_code(SSA_NAME_DEF_STMT(t)) == GIMPLE_PHI)
    return gimple_bb(SSA_NAME_DEF_STMT(t)) != loop->header;
  gassign *def = assignOf(t);
  tree_code code = def ? gimple_assign_rhs_code(def) : ERROR_MARK;
  return code == BIT_AND_EXPR || code == TRUNC_MOD_EXPR || code == COND_EXPR ||
         CONVERT_EXPR_CODE_P(code);
}

/// Returns whether one is added to the name: most others are sums and checksums, whose next values
/// would be read twice.
static bool countsOn(tree name) {
  imm_use_iterator uses;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, uses, name) {
    auto *sum = dyn_cast<gassign *>(USE_STMT(use));
    if (sum && gimple_assign_rhs_code(sum) == PLUS_EXPR && integer_onep(gimple_assign_rhs2(sum)))
      return true;
  }
  return false;
}

/// Reads the step from a PHI to its next value.
std::optional<Ring> Translator::steppedRing(tree next, ExprId leaf) {
  gassign *def = assignOf(next);
  if (!def || gimple_assign_rhs_code(def) != TRUNC_MOD_EXPR || !invariant(gimple_assign_rhs2(def)))
    return ringOf(binding.loop, leaf, value(next));
  ExprId sum = value(gimple_assign_rhs1(def)), size = value(gimple_assign_rhs2(def));
  return sum == NoExpr || size == NoExpr
             ? std::nullopt
             : ringByRemainder(binding.loop, leaf, sum, size, !TYPE_UNSIGNED(TREE_TYPE(next)));
}

void Translator::findRings() {
  class loop *loop = nest->inner();
  if (!alone() || binding.chain || !loop->latch || binding.loop.function.stream)
    return;
  mayHaveRings = true;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = gimple_phi_result(psi.phi());
    if (virtual_operand_p(name) || !INTEGRAL_TYPE_P(TREE_TYPE(name)) ||
        TYPE_PRECISION(TREE_TYPE(name)) > ptrBits() || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
      continue;
    tree next = PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_latch_edge(loop));
    if (!mayLeadBack(loop, next) || !countsOn(name) || chrecOf(name) != chrec_dont_know)
      continue;
    at(loop_preheader_edge(loop));
    ExprId first = value(PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_preheader_edge(loop)));
    if (first == NoExpr || !g.isInvariant(first))
      continue;
    ExprId leaf = g.opaque(g.width(first));
    at(loop->header);
    values[name] = leaf;
    auto ring = steppedRing(next, leaf);
    if (ring) {
      ring->first = first;
      ringIndices.push_back({name, next, *ring});
    } else {
      values.erase(name);
    }
  }
  findRingsAgain();
  for (const RingIndex &i : ringIndices)
    values[i.next] = i.ring.next;
  at(loop_preheader_edge(loop));
}

/// Finds PHIs of the same values as an index that was found.
void Translator::findRingsAgain() {
  class loop *loop = nest->inner();
  const edge before = loop_preheader_edge(loop), latch = loop_latch_edge(loop);
  for (size_t k = 0, found = ringIndices.size(); k < found; ++k)
    for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
      const RingIndex index = ringIndices[k]; // a copy, since the list grows
      gphi *known = as_a<gphi *>(SSA_NAME_DEF_STMT(index.phi));
      tree name = gimple_phi_result(psi.phi());
      if (isRing(name) || PHI_ARG_DEF_FROM_EDGE(psi.phi(), latch) != index.next ||
          !operand_equal_p(PHI_ARG_DEF_FROM_EDGE(psi.phi(), before),
                           PHI_ARG_DEF_FROM_EDGE(known, before), 0))
        continue;
      values[name] = index.ring.at;
      ringIndices.push_back({name, index.next, index.ring});
    }
}

bool Translator::isRing(tree name) const {
  return std::any_of(ringIndices.begin(), ringIndices.end(),
                     [&](const RingIndex &i) { return i.phi == name; });
}

std::optional<RingEnd> Translator::ringEnd(tree index, tree place) {
  for (const RingIndex &i : ringIndices) {
    if ((index != i.phi && index != i.next) || !invariant(place))
      continue;
    ExprId end = value(place);
    if (end != NoExpr && g.isInvariant(end) && g.width(end) == g.width(i.ring.first))
      return RingEnd{i.ring, end, index == i.next};
  }
  return std::nullopt;
}

/// Reads a number that counts in steps of one, and is cut to a place of the ring.
std::optional<Ring> Translator::cutRing(tree t) {
  gassign *def = assignOf(t);
  tree_code code = def && inNest(t) ? gimple_assign_rhs_code(def) : ERROR_MARK;
  if (code != BIT_AND_EXPR && code != TRUNC_MOD_EXPR)
    return std::nullopt;
  tree number = gimple_assign_rhs1(def), by = gimple_assign_rhs2(def);
  if (code == BIT_AND_EXPR && invariant(number))
    std::swap(number, by);
  ExprId start, end = invariant(by) ? value(by) : NoExpr;
  int64_t step;
  if (end == NoExpr || !moves(number) || !counter(number, start, step) || step != 1 ||
      g.width(start) != g.width(end))
    return std::nullopt;
  return code == BIT_AND_EXPR
             ? cutByMask(binding.loop, start, end)
             : cutByRemainder(binding.loop, start, end, !TYPE_UNSIGNED(TREE_TYPE(t)));
}

/// Returns an index of a ring as a part of an address.
Affine Translator::ringMoves(tree t) {
  Affine a;
  if (!mayHaveRings || TREE_CODE(t) != SSA_NAME || !inNest(t) || !INTEGRAL_TYPE_P(TREE_TYPE(t)) ||
      TYPE_PRECISION(TREE_TYPE(t)) > ptrBits())
    return a;
  std::optional<Ring> ring;
  for (const RingIndex &i : ringIndices)
    if (t == i.phi || t == i.next) {
      ring = i.ring;
      if (t == i.next)
        ring->first = stepOn(binding.loop, i.ring, i.ring.first);
    }
  if (!ring)
    ring = cutRing(t);
  if (!ring)
    return a;
  bool extends = TYPE_PRECISION(TREE_TYPE(t)) < ptrBits();
  ringUses.push_back({*ring, extends && !TYPE_UNSIGNED(TREE_TYPE(t))});
  a.ok = true;
  a.inv = g.zextOrTrunc(ring->first, ptrBits());
  a.step = {binding.loop.word(1)};
  return a;
}

/// Returns what a value that the loop keeps at one place in memory is in iteration i.
ExprId Translator::ringInIteration(ExprId value) {
  for (const RingIndex &i : ringIndices) {
    ExprId before = value;
    value = inIteration(binding.loop, i.ring, value);
    if (value != before)
      ringUses.push_back({i.ring, false});
  }
  return value;
}

ExprId Translator::ringAtExit(tree name, ExprId taken) {
  if (ringIndices.empty() || !isScalar(TREE_TYPE(name)))
    return NoExpr;
  at(nest->inner()->header);
  ExprId last = value(name);
  at(loop_preheader_edge(nest->outer()));
  for (const RingIndex &i : ringIndices) {
    ExprId before = last;
    last = last == NoExpr ? NoExpr : atEnd(binding.loop, i.ring, taken, last);
    if (last != before)
      ringUses.push_back({i.ring, false});
  }
  return last != NoExpr && g.isInvariant(last) ? last : NoExpr;
}

} // namespace memlift
