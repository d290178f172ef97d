// reload.cpp - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     stores of bytes may change b: nobody can
//     b->data[i] = 0;                 move its loads out of the loop
//
// The loop is read with copies of these loads in front of it; the loads stay in
// the picture as `fixed` accesses (loop.h). A copy runs when the loop is
// reached: the load itself would run in the first iteration, with nothing
// before it that could leave the loop.
#include "reload.h"

namespace memlift {

constexpr size_t maxReloads = 4;

/// A load of a register from an address that the loop does not change, which
/// runs whenever the loop does.
bool Reloads::isFixed(gimple *stmt) const {
  if (!gimple_assign_load_p(stmt) || gimple_has_volatile_ops(stmt) ||
      stmt_could_throw_p(cfun, stmt))
    return false;
  tree name = gimple_assign_lhs(stmt), ref = gimple_assign_rhs1(stmt);
  if (TREE_CODE(name) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name) ||
      TREE_THIS_VOLATILE(ref) || !is_gimple_reg_type(TREE_TYPE(name)) ||
      !TYPE_SIZE_UNIT(TREE_TYPE(name)) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(TREE_TYPE(name))) ||
      tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(name))) > 8)
    return false;
  for (const Copy &c : copies)
    if (c.load == stmt)
      return false;
  basic_block bb = gimple_bb(stmt);
  if (!dominated_by_p(CDI_DOMINATORS, loop->latch, bb) ||
      !dominated_by_p(CDI_DOMINATORS, exit->src, bb))
    return false;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND(use, stmt, it, SSA_OP_USE)
    if (!expr_invariant_in_loop_p(loop, use))
      return false;
  return true;
}

/// In the loop, uses of `from` become uses of `to`.
void Reloads::exchange(tree from, tree to) {
  imm_use_iterator it;
  gimple *user;
  FOR_EACH_IMM_USE_STMT(user, it, from) {
    if (!gimple_bb(user) || !flow_bb_inside_loop_p(loop, gimple_bb(user)) || is_gimple_debug(user))
      continue;
    use_operand_p use;
    FOR_EACH_IMM_USE_ON_STMT(use, it)
      SET_USE(use, to);
    update_stmt(user);
  }
}

void Reloads::hoistOne(gassign *load, tree memory) {
  tree name = gimple_assign_lhs(load);
  tree before = make_ssa_name(TREE_TYPE(name));
  gassign *copy = gimple_build_assign(before, unshare_expr(gimple_assign_rhs1(load)));
  gimple_set_vuse(copy, memory);
  gimple_set_location(copy, gimple_location(load));
  gimple_stmt_iterator end = gsi_last_bb(loop_preheader_edge(loop)->src);
  gsi_insert_after(&end, copy, GSI_NEW_STMT);
  exchange(name, before);
  copies.push_back({load, copy});
}

bool Reloads::hoist() {
  gphi *memory = get_virtual_phi(loop->header);
  basic_block before = loop_preheader_edge(loop)->src;
  if (loop->inner || !exit || !memory || !single_succ_p(before) || !loop->latch ||
      (!gsi_end_p(gsi_last_bb(before)) && stmt_ends_bb_p(gsi_stmt(gsi_last_bb(before)))))
    return false;
  tree start = PHI_ARG_DEF_FROM_EDGE(memory, loop_preheader_edge(loop));
  basic_block *body = get_loop_body_in_dom_order(loop);
  // One pointer may be read through another.
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < loop->num_nodes; ++i)
      for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
        if (copies.size() < maxReloads && isFixed(gsi_stmt(gsi))) {
          hoistOne(as_a<gassign *>(gsi_stmt(gsi)), start);
          again = true;
        }
  }
  free(body);
  if (copies.empty())
    return false;
  scev_reset();
  free_numbers_of_iterations_estimates(loop);
  return true;
}

void Reloads::restore(bool used) {
  for (size_t i = copies.size(); i-- > 0;) {
    tree before = gimple_assign_lhs(copies[i].copy);
    exchange(before, gimple_assign_lhs(copies[i].load));
    if (used)
      continue;
    gimple_stmt_iterator gsi = gsi_for_stmt(copies[i].copy);
    unlink_stmt_vdef(copies[i].copy);
    gsi_remove(&gsi, true);
    release_defs(copies[i].copy);
  }
  scev_reset();
  free_numbers_of_iterations_estimates(loop);
}

std::vector<gimple *> Reloads::loads() const {
  std::vector<gimple *> list;
  for (const Copy &c : copies)
    list.push_back(c.load);
  return list;
}

} // namespace memlift
