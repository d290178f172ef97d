// overflow.cpp - arithmetic of a loop that stops the program when it overflows (-ftrapv)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC keeps such additions as they are until it expands them. So a loop that adds signed integers
// looks alike with and without -ftrapv: only the type of the statement shows it. A routine, and a
// value that is computed from the trip count, would overflow silently.
#include "binding.h"

namespace memlift {
namespace {

bool mayTrap(gimple *stmt) {
  if (!is_gimple_assign(stmt))
    return false;
  tree type = TREE_TYPE(gimple_assign_lhs(stmt));
  if (!ANY_INTEGRAL_TYPE_P(type) || !TYPE_OVERFLOW_TRAPS(type))
    return false;
  switch (gimple_assign_rhs_code(stmt)) {
  case PLUS_EXPR:
  case MINUS_EXPR:
  case MULT_EXPR:
  case NEGATE_EXPR:
  case ABS_EXPR: return true;
  default: return false;
  }
}

/// Returns the edge that stays in the loop after `cond`, or null if both do or none. `code` then
/// compares `tested`, one of the operands, with the other one on that edge.
edge stayingEdge(class loop *loop, gcond *cond, tree tested, tree_code &code) {
  edge yes, no;
  extract_true_false_edges_from_block(gimple_bb(cond), &yes, &no);
  bool stays = flow_bb_inside_loop_p(loop, yes->dest);
  if (stays == flow_bb_inside_loop_p(loop, no->dest))
    return nullptr;
  code = stays ? gimple_cond_code(cond) : invert_tree_comparison(gimple_cond_code(cond), false);
  if (gimple_cond_lhs(cond) != tested)
    code = swap_tree_comparison(code);
  return stays ? yes : no;
}

/// Returns whether the stepped value has passed the comparison `continues` whenever `stmt` runs.
/// Either the test comes before it in the same iteration, or at the end of the previous one. In the
/// second case the first iteration must begin with a constant other than the type's last value.
bool isTested(gimple *stmt, gphi *phi, tree_code continues) {
  class loop *loop = gimple_bb(phi)->loop_father;
  tree next = gimple_assign_lhs(stmt);
  for (tree tested : {gimple_phi_result(phi), next}) {
    imm_use_iterator uses;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, uses, tested) {
      auto *cond = dyn_cast<gcond *>(USE_STMT(use));
      if (!cond || gimple_bb(cond)->loop_father != loop)
        continue;
      tree_code code;
      edge stays = stayingEdge(loop, cond, tested, code);
      if (!stays || code != continues)
        continue;
      if (tested != next)
        return single_pred_p(stays->dest) &&
               dominated_by_p(CDI_DOMINATORS, gimple_bb(stmt), stays->dest);
      tree first = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
      tree type = TREE_TYPE(next);
      return TREE_CODE(first) == INTEGER_CST && !tree_int_cst_equal(first, TYPE_MAX_VALUE(type)) &&
             !tree_int_cst_equal(first, TYPE_MIN_VALUE(type)) &&
             dominated_by_p(CDI_DOMINATORS, loop->latch, gimple_bb(cond));
    }
  }
  return false;
}

/// Returns whether i = i + 1 runs only while i < limit, or i = i - 1 while i > limit: the result is
/// at most the limit, which is a value of the type.
bool staysInRange(gimple *stmt) {
  tree now = gimple_assign_rhs1(stmt);
  if (gimple_assign_rhs_code(stmt) != PLUS_EXPR || TREE_CODE(now) != SSA_NAME)
    return false;
  tree step = gimple_assign_rhs2(stmt);
  auto *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(now));
  bool up = integer_onep(step), down = integer_minus_onep(step);
  if (!phi || (!up && !down) || gimple_bb(phi) != gimple_bb(phi)->loop_father->header)
    return false;
  return isTested(stmt, phi, up ? LT_EXPR : GT_EXPR);
}

} // namespace

void readOverflow(const Nest &nest, LoopBinding &binding) {
  if (!flag_trapv)
    return;
  basic_block *blocks = get_loop_body_in_dom_order(nest.outer());
  for (unsigned i = 0; i < nest.outer()->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(blocks[i]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      if (mayTrap(stmt) && !staysInRange(stmt))
        binding.loop.obstacles.push_back({Diag::OverflowTraps,
                                          "signed arithmetic that may overflow",
                                          sourceLoc(gimple_location(stmt))});
    }
  free(blocks);
}

} // namespace memlift
