// reload.cpp - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     stores of bytes may change b, so its
//     b->data[i] = 0;                 loads cannot be moved out of the loop
//
// The loop is read with copies of these loads before it; the loads stay in the loop model as
// `fixed` accesses (loop.h). A copy runs when the loop is reached. There the load itself would run
// in the first iteration, with no exit before it, or the same place was loaded before the loop.
//
//   first = *p;  *d++ = first;        PRE reads the next one at the loop's end:
//   v = PHI <first, next>             the PHI is then taken for fixed, if nothing
//   *d++ = v;  next = *p;             has changed *p before the loop
#include "reload.h"
#include "ranges.h"
#include "translate.h"

namespace memlift {

constexpr size_t maxReloads = 12;
/// Blocks before a loop that are searched for a load like one of its own.
constexpr unsigned maxBlocksBefore = 4;

/// Returns the store that increments the loaded value, if it is the only one to the place, runs in
/// each iteration and after the only load. `stored` tells whether there is any store.
gimple *Reloads::counterOf(gassign *load, bool &stored) const {
  gimple *counts = nullptr;
  unsigned loads = 0, stores = 0;
  tree ref = gimple_assign_rhs1(load), name = gimple_assign_lhs(load);
  basic_block *body = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      if (gimple_store_p(stmt) && operand_equal_p(gimple_get_lhs(stmt), ref, 0)) {
        counts = stmt;
        ++stores;
      }
      loads += gimple_assign_load_p(stmt) && operand_equal_p(gimple_assign_rhs1(stmt), ref, 0);
    }
  free(body);
  stored = stores != 0;
  if (stores != 1 || loads != 1 || !gimple_assign_single_p(counts) ||
      gimple_has_volatile_ops(counts) || !isScalar(TREE_TYPE(name)))
    return nullptr;
  tree next = gimple_assign_rhs1(counts);
  basic_block before = gimple_bb(load), after = gimple_bb(counts);
  bool inOrder = before != after && dominated_by_p(CDI_DOMINATORS, after, before);
  if (before == after) // one after the other: the load's memory is older
    for (gimple_stmt_iterator gsi = gsi_for_stmt(load); !gsi_end_p(gsi); gsi_next(&gsi))
      inOrder |= gsi_stmt(gsi) == counts;
  return inOrder && TREE_CODE(next) == SSA_NAME && next != name &&
                 types_compatible_p(TREE_TYPE(next), TREE_TYPE(name)) &&
                 dominated_by_p(CDI_DOMINATORS, loop->latch, after)
             ? counts
             : nullptr;
}

/// Returns whether the place was loaded before the loop, and memory cannot have been freed since.
bool Reloads::readOnTheWay(gimple *load) const {
  basic_block bb = loop_preheader_edge(loop)->src;
  for (unsigned k = 0; k < maxBlocksBefore; ++k, bb = single_pred(bb)) {
    for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      if (gimple_assign_load_p(stmt) && !gimple_has_volatile_ops(stmt) &&
          operand_equal_p(gimple_assign_rhs1(stmt), gimple_assign_rhs1(load), 0))
        return true;
      if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_COND)
        continue;
      if (!is_gimple_assign(stmt) || gimple_has_side_effects(stmt) || gimple_clobber_p(stmt))
        return false;
    }
    if (!single_pred_p(bb))
      return false;
  }
  return false;
}

/// Returns whether the loop uses the name, other than to carry it on.
bool Reloads::usedInLoop(tree name) const {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, name) {
    gimple *user = USE_STMT(use);
    if (!is_gimple_debug(user) && gimple_bb(user) && flow_bb_inside_loop_p(loop, gimple_bb(user)) &&
        !(gimple_code(user) == GIMPLE_PHI && gimple_bb(user) == loop->header))
      return true;
  }
  return false;
}

/// Returns whether the load runs in each iteration; `everyTime`: and whenever the loop does.
bool Reloads::runsAlways(gimple *load, bool everyTime) const {
  basic_block bb = gimple_bb(load);
  return dominated_by_p(CDI_DOMINATORS, loop->latch, bb) &&
         (!everyTime || dominated_by_p(CDI_DOMINATORS, exits[0]->src, bb) ||
          (exits.size() > 1 && readOnTheWay(load)));
}

/// Returns what is read of a struct from an invariant address by an assignment, as a word of its
/// size; null if it is too large for that, or may not run.
tree Reloads::fixedStruct(gimple *stmt) const {
  if (!is_gimple_assign(stmt) || !gimple_assign_load_p(stmt) || !gimple_store_p(stmt) ||
      gimple_has_volatile_ops(stmt) || stmt_could_throw_p(cfun, stmt) || !runsAlways(stmt, true))
    return NULL_TREE;
  tree ref = gimple_assign_rhs1(stmt), size = TYPE_SIZE_UNIT(TREE_TYPE(ref));
  poly_int64 offset;
  tree base = get_addr_base_and_unit_offset(ref, &offset);
  if (!base || TREE_CODE(base) != MEM_REF || TREE_THIS_VOLATILE(ref) || !size ||
      !tree_fits_uhwi_p(size) || tree_to_uhwi(size) > 8 || !pow2p_hwi(tree_to_uhwi(size)) ||
      !expr_invariant_in_loop_p(loop, TREE_OPERAND(base, 0)) ||
      !ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))))
    return NULL_TREE;
  for (const Copy &c : copies)
    if (c.load == stmt)
      return NULL_TREE;
  unsigned bits = 8 * unsigned(tree_to_uhwi(size));
  tree type =
      build_aligned_type(build_nonstandard_integer_type(bits, 1), get_object_alignment(ref));
  offset += wi::to_poly_offset(TREE_OPERAND(base, 1)).force_shwi();
  return build2(MEM_REF, type, TREE_OPERAND(base, 0), build_int_cst(ptr_type_node, offset));
}

/// Returns whether the load is of register size from an invariant address, and runs whenever the
/// loop does.
bool Reloads::isFixed(gimple *stmt, bool everyTime) const {
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
    if (c.load == stmt && (c.name == name || !usedInLoop(name)))
      return false;
  if (!runsAlways(stmt, everyTime))
    return false;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND(use, stmt, it, SSA_OP_USE)
  if (!expr_invariant_in_loop_p(loop, use))
    return false;
  return true;
}

/// Replaces uses of `from` in the loop by `to`.
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

/// Returns whether nothing writes to `ref` from `memory` back to `until`.
static bool unchangedSince(tree memory, tree until, tree ref) {
  for (unsigned budget = 8; budget && memory != until; --budget) {
    gimple *stmt = SSA_NAME_DEF_STMT(memory);
    ao_ref place;
    ao_ref_init(&place, ref);
    if (!gimple_vdef(stmt) || stmt_may_clobber_ref_p_1(stmt, &place, false))
      return false;
    memory = gimple_vuse(stmt);
  }
  return memory == until;
}

/// Returns whether both references are of the same bytes, through the same pointer.
static bool isSamePlace(tree a, tree b) {
  poly_int64 atA, atB;
  tree baseA = get_addr_base_and_unit_offset(a, &atA),
       baseB = get_addr_base_and_unit_offset(b, &atB);
  if (!baseA || !baseB || TREE_CODE(baseA) != MEM_REF || TREE_CODE(baseB) != MEM_REF ||
      TREE_OPERAND(baseA, 0) != TREE_OPERAND(baseB, 0) ||
      !types_compatible_p(TREE_TYPE(a), TREE_TYPE(b)))
    return false;
  return known_eq(wi::to_poly_offset(TREE_OPERAND(baseA, 1)) + atA,
                  wi::to_poly_offset(TREE_OPERAND(baseB, 1)) + atB);
}

/// Returns whether both are one value: PRE makes PHIs that are copies of others.
static bool isSameValue(tree a, tree b) {
  if (operand_equal_p(a, b, 0))
    return true;
  gphi *first = TREE_CODE(a) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(a)) : nullptr;
  gphi *second = TREE_CODE(b) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(b)) : nullptr;
  if (!first || !second || gimple_bb(first) != gimple_bb(second))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args(first); ++i)
    if (!operand_equal_p(gimple_phi_arg_def(first, i), gimple_phi_arg_def(second, i), 0))
      return false;
  return true;
}

/// Returns whether the place has the value in `memory`, as the last store to it left it. Stores of
/// an earlier iteration of some loop do not count: the value's name stood for another value then.
static bool isStored(tree memory, tree ref, tree value, unsigned &budget) {
  for (; budget; --budget) {
    gimple *stmt = SSA_NAME_DEF_STMT(memory);
    if (gphi *phi = dyn_cast<gphi *>(stmt)) {
      basic_block bb = gimple_bb(phi);
      if (bb->loop_father->header == bb || bb->flags & BB_IRREDUCIBLE_LOOP)
        return false;
      --budget;
      for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
        if (!isStored(gimple_phi_arg_def(phi, i), ref, value, budget))
          return false;
      return true;
    }
    ao_ref place;
    ao_ref_init(&place, ref);
    if (!gimple_vdef(stmt))
      return false;
    if (gimple_assign_single_p(stmt) && gimple_store_p(stmt) && !gimple_has_volatile_ops(stmt) &&
        isSamePlace(gimple_assign_lhs(stmt), ref))
      return isSameValue(gimple_assign_rhs1(stmt), value);
    if (stmt_may_clobber_ref_p_1(stmt, &place, false))
      return false;
    memory = gimple_vuse(stmt);
  }
  return false;
}

/// Returns whether `first` is what `ref` reads before the loop: read, or stored there.
static bool isReadBefore(tree first, tree ref, tree memory) {
  gassign *before = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(first));
  if (before && gimple_assign_load_p(before) && !gimple_has_volatile_ops(before) &&
      operand_equal_p(gimple_assign_rhs1(before), ref, 0))
    return unchangedSince(memory, gimple_vuse(before), ref);
  unsigned budget = 12;
  return isStored(memory, ref, first, budget);
}

/// Returns the load at the end of the latch that a PHI carries on from an equal load before the
/// loop; null if the PHI is no such phi.
gassign *Reloads::carriedLoad(gphi *phi, tree memory) const {
  tree first = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
  tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
  if (virtual_operand_p(gimple_phi_result(phi)) || TREE_CODE(first) != SSA_NAME ||
      TREE_CODE(next) != SSA_NAME)
    return nullptr;
  bool stored = false;
  gassign *again = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next));
  if (!again || !gimple_bb(again) || !flow_bb_inside_loop_p(loop, gimple_bb(again)) ||
      !isFixed(again, /*everyTime=*/false) || counterOf(again, stored) || stored ||
      !isReadBefore(first, gimple_assign_rhs1(again), memory))
    return nullptr;
  return again;
}

tree Reloads::copyInFront(gassign *load, tree ref, tree memory) {
  tree before = make_ssa_name(TYPE_MAIN_VARIANT(TREE_TYPE(ref)));
  gassign *copy = gimple_build_assign(before, unshare_expr(ref));
  gimple_set_vuse(copy, memory);
  gimple_set_location(copy, gimple_location(load));
  gimple_stmt_iterator end = gsi_last_bb(loop_preheader_edge(loop)->src);
  gsi_insert_after(&end, copy, GSI_NEW_STMT);
  return before;
}

void Reloads::hoistStruct(gassign *load, tree word, tree memory) {
  tree before = copyInFront(load, word, memory);
  copies.push_back({load, NULL_TREE, as_a<gassign *>(SSA_NAME_DEF_STMT(before)), nullptr, nullptr});
}

void Reloads::hoistOne(gassign *load, tree name, tree memory) {
  tree before = copyInFront(load, gimple_assign_rhs1(load), memory);
  exchange(name, before);
  copies.push_back({load, name, as_a<gassign *>(SSA_NAME_DEF_STMT(before)), nullptr, nullptr});
}

/// Returns the initial value of a PHI that has the counter's value, too, as an earlier load found
/// it: PRE reads the index of a ring twice in an iteration. Null if there is none.
tree Reloads::alreadyCounted(gassign *load, gimple *counts, tree memory) const {
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    tree first = PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_preheader_edge(loop));
    if (!virtual_operand_p(gimple_phi_result(psi.phi())) && TREE_CODE(first) == SSA_NAME &&
        PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_latch_edge(loop)) == gimple_assign_rhs1(counts) &&
        isReadBefore(first, gimple_assign_rhs1(load), memory))
      return first;
  }
  return NULL_TREE;
}

/// Reads the counter as if it were in a register.
void Reloads::hoistCounter(gassign *load, gimple *counts, tree memory) {
  tree name = gimple_assign_lhs(load), before = copyInFront(load, gimple_assign_rhs1(load), memory);
  tree first = alreadyCounted(load, counts, memory);
  tree counter = make_ssa_name(TREE_TYPE(name));
  gphi *phi = create_phi_node(counter, loop->header);
  exchange(name, counter);
  add_phi_arg(phi, first ? first : before, loop_preheader_edge(loop), UNKNOWN_LOCATION);
  add_phi_arg(phi, gimple_assign_rhs1(counts), loop_latch_edge(loop), UNKNOWN_LOCATION);
  copies.push_back({load, name, as_a<gassign *>(SSA_NAME_DEF_STMT(before)), phi, counts});
}

/// Returns whether `before`, a name from before the loop, is what the loop computes for `name` in
/// each iteration: the same of fixed loads.
bool Reloads::isFirst(tree name, tree before, tree memory, unsigned links) const {
  if (operand_equal_p(name, before, 0))
    return true;
  if (TREE_CODE(name) != SSA_NAME || TREE_CODE(before) != SSA_NAME || !links ||
      !types_compatible_p(TREE_TYPE(name), TREE_TYPE(before)))
    return false;
  gassign *first = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(before));
  gassign *later = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name));
  if (!first || !later || gimple_has_volatile_ops(first))
    return false;
  for (const Copy &c : copies)
    if (c.copy == later && !c.phi)
      return c.load && gimple_assign_load_p(first) &&
             operand_equal_p(gimple_assign_rhs1(first), gimple_assign_rhs1(c.load), 0) &&
             unchangedSince(memory, gimple_vuse(first), gimple_assign_rhs1(first));
  if (gimple_vuse(first) || gimple_vuse(later) ||
      gimple_assign_rhs_code(first) != gimple_assign_rhs_code(later) ||
      gimple_num_ops(first) != gimple_num_ops(later))
    return false;
  for (unsigned i = 1; i < gimple_num_ops(first); ++i)
    if (!isFirst(gimple_op(later, i), gimple_op(first, i), memory, links - 1))
      return false;
  return true;
}

/// Replaces PHIs that carry on what is computed of fixed loads from the same before the loop.
void Reloads::hoistComputed(tree memory) {
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    gphi *phi = psi.phi();
    tree result = gimple_phi_result(phi);
    tree first = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
    tree next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
    if (copies.size() >= maxReloads || virtual_operand_p(result) || first == next ||
        TREE_CODE(next) != SSA_NAME || !usedInLoop(result) || !isFirst(next, first, memory))
      continue;
    tree before = make_ssa_name(TREE_TYPE(result));
    gassign *copy = gimple_build_assign(before, first);
    gimple_stmt_iterator end = gsi_last_bb(loop_preheader_edge(loop)->src);
    gsi_insert_after(&end, copy, GSI_NEW_STMT);
    exchange(result, before);
    copies.push_back({nullptr, result, copy, nullptr, nullptr});
  }
}

void Reloads::hoistCarried(tree memory) {
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (gassign *load = copies.size() < maxReloads ? carriedLoad(psi.phi(), memory) : nullptr)
      hoistOne(load, gimple_phi_result(psi.phi()), memory);
}

bool Reloads::hoist() {
  gphi *memory = get_virtual_phi(loop->header);
  basic_block before = loop_preheader_edge(loop)->src;
  if (loop->inner || exits.empty() || !memory || !single_succ_p(before) || !loop->latch ||
      (!gsi_end_p(gsi_last_bb(before)) && stmt_ends_bb_p(gsi_stmt(gsi_last_bb(before)))))
    return false;
  tree start = PHI_ARG_DEF_FROM_EDGE(memory, loop_preheader_edge(loop));
  basic_block *body = get_loop_body_in_dom_order(loop);
  hoistCarried(start); // before their loads are taken for ordinary ones
  // One pointer may be read through another.
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < loop->num_nodes; ++i)
      for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
        if (copies.size() < maxReloads && isFixed(gsi_stmt(gsi))) {
          gassign *load = as_a<gassign *>(gsi_stmt(gsi));
          bool stored;
          gimple *counts = counterOf(load, stored);
          if (counts && exits.size() > 1)
            continue;
          if (counts)
            hoistCounter(load, counts, start);
          else if (!stored)
            hoistOne(load, gimple_assign_lhs(load), start);
          again |= counts || !stored;
        } else if (tree word =
                       copies.size() < maxReloads ? fixedStruct(gsi_stmt(gsi)) : NULL_TREE) {
          hoistStruct(as_a<gassign *>(gsi_stmt(gsi)), word, start);
        }
  }
  hoistCarried(start);
  hoistComputed(start);
  free(body);
  if (copies.empty())
    return false;
  forgetRanges();
  scev_reset();
  free_numbers_of_iterations_estimates(loop);
  return true;
}

void Reloads::restore(bool used) {
  for (size_t i = copies.size(); i-- > 0;) {
    tree before = gimple_assign_lhs(copies[i].copy);
    if (gphi *phi = copies[i].phi) {
      exchange(gimple_phi_result(phi), copies[i].name);
      gphi_iterator psi = gsi_for_phi(phi);
      remove_phi_node(&psi, true);
    } else if (copies[i].name) {
      exchange(before, copies[i].name);
    }
    if (used)
      continue;
    gimple_stmt_iterator gsi = gsi_for_stmt(copies[i].copy);
    unlink_stmt_vdef(copies[i].copy);
    gsi_remove(&gsi, true);
    release_defs(copies[i].copy);
  }
  forgetRanges();
  scev_reset();
  free_numbers_of_iterations_estimates(loop);
}

std::vector<gimple *> Reloads::stores() const {
  std::vector<gimple *> list;
  for (const Copy &c : copies)
    if (c.counts)
      list.push_back(c.counts);
  return list;
}

std::map<gimple *, tree> Reloads::loads() const {
  std::map<gimple *, tree> list;
  for (const Copy &c : copies)
    if (c.load)
      list[c.load] = c.phi ? gimple_phi_result(c.phi) : gimple_assign_lhs(c.copy);
  return list;
}

} // namespace memlift
