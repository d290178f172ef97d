// hoistguard.cpp - hoists the minimum-size guard above the zero-trip test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  from: n == 0 ? past : fork            after:  from -> fork
//            fork: guard ? fast : kept                     fork: guard ? fast : kept
//            kept -> nest                                  kept: n == 0 ? past : nest
//
// A guard that never holds for an empty loop answers the zero-trip test as well. Operations that
// are long enough then save a test, and the others compute nothing twice.
#include "routine.h"

namespace memlift {
namespace {

/// Returns whether a statement may be speculated. Signed overflow would be undefined there.
bool isFree(gimple *stmt) {
  if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_LABEL)
    return true;
  auto *assign = dyn_cast<gassign *>(stmt);
  return assign && !gimple_vuse(assign) && !gimple_has_side_effects(assign) &&
         !gimple_could_trap_p(assign) && INTEGRAL_TYPE_P(TREE_TYPE(gimple_assign_lhs(assign))) &&
         !arith_code_with_undefined_signed_overflow(gimple_assign_rhs_code(assign));
}

/// Returns whether all statements of the block may be speculated.
bool isFree(basic_block bb) {
  if (!gimple_seq_empty_p(phi_nodes(bb)))
    return false;
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (!isFree(gsi_stmt(gsi)))
      return false;
  return true;
}

/// Drops the ranges of the block's values, which held only where the trip count was not zero.
void forgetRanges(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (is_gimple_assign(gsi_stmt(gsi)))
      reset_flow_sensitive_info(gimple_assign_lhs(gsi_stmt(gsi)));
}

/// Returns the edge of the branch from which all code up to `fork` may be speculated; null if there
/// is none.
edge branchTo(basic_block fork) {
  if (!gimple_seq_empty_p(phi_nodes(fork)) || !single_pred_p(fork))
    return nullptr;
  edge in = single_pred_edge(fork);
  while (single_succ_p(in->src)) {
    if (!isFree(in->src) || !single_pred_p(in->src))
      return nullptr;
    in = single_pred_edge(in->src);
  }
  return in->src->loop_father == fork->loop_father ? in : nullptr;
}

/// Returns the name that is 0 exactly where the branch does not take `in`; null if there is none.
tree noneElsewhere(const gcond *test, edge in) {
  tree name = gimple_cond_lhs(test);
  bool equal = gimple_cond_code(test) == EQ_EXPR;
  if ((!equal && gimple_cond_code(test) != NE_EXPR) || TREE_CODE(name) != SSA_NAME ||
      !integer_zerop(gimple_cond_rhs(test)) ||
      !(in->flags & (equal ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE)))
    return NULL_TREE;
  return name;
}

ExprId nameOf(LoopBinding &binding, tree name) {
  for (size_t i = 0; i < binding.syms.size(); ++i)
    if (binding.syms[i] == name)
      return binding.loop.exprs.leaf(Op::Sym, i, binding.loop.syms[i].width);
  return NoExpr;
}

/// Moves the test from the branch of `in` and `past` to the end of `kept`.
void move(gcond *test, edge in, edge past, basic_block kept) {
  gcond *again = gimple_build_cond(gimple_cond_code(test), gimple_cond_lhs(test),
                                   gimple_cond_rhs(test), NULL_TREE, NULL_TREE);
  gimple_set_location(again, gimple_location(test));
  gimple_stmt_iterator gsi = gsi_last_bb(kept);
  gsi_insert_after(&gsi, again, GSI_NEW_STMT);
  constexpr int ways = EDGE_TRUE_VALUE | EDGE_FALSE_VALUE;
  edge on = single_succ_edge(kept), out = make_edge(kept, past->dest, past->flags & ways);
  on->flags = (on->flags & ~EDGE_FALLTHRU) | (in->flags & ways);
  on->probability = in->probability;
  out->probability = past->probability;
  for (gphi_iterator psi = gsi_start_phis(past->dest); !gsi_end_p(psi); gsi_next(&psi))
    add_phi_arg(psi.phi(), PHI_ARG_DEF_FROM_EDGE(psi.phi(), past), out,
                gimple_phi_arg_location_from_edge(psi.phi(), past));
  gsi = gsi_for_stmt(test);
  gsi_remove(&gsi, true);
  remove_edge(past);
  in->flags = (in->flags & ~ways) | EDGE_FALLTHRU;
  in->probability = profile_probability::always();
}

} // namespace

void askSizeFirst(LoopBinding &binding, ExprId guard, basic_block fork, basic_block kept) {
  edge in = branchTo(fork);
  gimple *last = in ? last_stmt(in->src) : nullptr;
  auto *test = last ? dyn_cast<gcond *>(last) : nullptr;
  tree count = test ? noneElsewhere(test, in) : NULL_TREE;
  ExprId none = count ? nameOf(binding, count) : NoExpr;
  if (none == NoExpr || !failsWithout(binding.loop.exprs, guard, none) || !single_succ_p(kept))
    return;
  edge past = EDGE_SUCC(in->src, EDGE_SUCC(in->src, 0) == in);
  if (past->flags & (EDGE_COMPLEX | EDGE_DFS_BACK) || find_edge(kept, past->dest))
    return;
  basic_block from = in->src;
  for (basic_block bb = fork; bb != from; bb = single_pred(bb))
    forgetRanges(bb);
  move(test, in, past, kept);
  auto_vec<basic_block> below = get_dominated_by(CDI_DOMINATORS, from);
  iterate_fix_dominators(CDI_DOMINATORS, below, false);
}

} // namespace memlift
