// nest.cpp - finds the loops that are perfect around an innermost one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (y...) { if (w > 0) for (x...) body; }
//
// GCC inserts such a test before an inner loop when it rotates the loop. The test is invariant in
// the nest, so it is a guard of the nest. With memory accesses or calls between the loops there is
// no nest.
#include "exits.h"

namespace memlift {

/// Returns whether the block only computes. `small`: a small loop around the block, where look-ups
/// in tables are allowed.
static bool plainBlock(basic_block bb, class loop *small = nullptr) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gimple *stmt = gsi_stmt(gsi);
    if (is_gimple_debug(stmt) || gimple_clobber_p(stmt) || (small && isTableLookUp(small, stmt)))
      continue;
    if (gimple_vuse(stmt) || gimple_has_side_effects(stmt) || stmt_could_throw_p(cfun, stmt))
      return false;
  }
  return true;
}

/// Collects the edges that decide, in each iteration of `outer`, whether `inner` is reached.
/// Returns false if the conditions between them do not show that.
static bool collectGuards(class loop *outer, class loop *inner, edge exit,
                          std::vector<edge> &guards) {
  basic_block bb = loop_preheader_edge(inner)->src;
  while (bb != outer->header) {
    basic_block dom = get_immediate_dominator(CDI_DOMINATORS, bb);
    if (!single_pred_p(bb) || single_pred(bb) != dom || dom->loop_father != outer)
      return false;
    edge e = single_pred_edge(bb);
    if (!single_succ_p(dom) && dom != exit->src) {
      if (!safe_dyn_cast<gcond *>(last_stmt(dom)))
        return false;
      guards.push_back(e);
    }
    bb = dom;
  }
  return true;
}

static bool perfectAround(class loop *outer, class loop *inner, std::vector<edge> &guards) {
  if (!outer || !loop_outer(outer) || outer->inner != inner || inner->next)
    return false;
  edge exit = single_exit(outer), innerExit = single_exit(inner);
  if (!exit || !innerExit || exit->src->loop_father != outer ||
      innerExit->dest->loop_father != outer || outer->header->flags & BB_IRREDUCIBLE_LOOP)
    return false;
  basic_block *body = get_loop_body(outer);
  bool plain = true;
  for (unsigned i = 0; i < outer->num_nodes; ++i)
    plain &= body[i]->loop_father != outer || plainBlock(body[i]);
  free(body);
  return plain && collectGuards(outer, inner, exit, guards);
}

Nest nestAround(class loop *inner, unsigned depth) {
  Nest nest;
  nest.loops.push_back(inner);
  while (nest.loops.size() < depth) {
    std::vector<edge> guards = nest.guards;
    class loop *outer = loop_outer(nest.outer());
    if (!perfectAround(outer, nest.outer(), guards))
      break;
    nest.guards = guards;
    nest.loops.insert(nest.loops.begin(), outer);
  }
  nest.exit = single_exit(nest.outer());
  if (nest.loops.size() == 1)
    findExits(nest);
  return nest;
}

/// As many as a 64-bit word has bits.
constexpr uint64_t maxIterations = 64;

int fewIterations(class loop *loop) {
  edge exit = single_exit(loop);
  tree_niter_desc desc;
  if (loop->inner || !loop->latch || !exit)
    return -1;
  Fold fold;
  int iterations = foldOf(loop, fold) ? int(fold.folds) : -1;
  if (iterations < 0 && number_of_iterations_exit(loop, exit, &desc, false) &&
      integer_nonzerop(desc.assumptions) && integer_zerop(desc.may_be_zero) &&
      tree_fits_uhwi_p(desc.niter) && tree_to_uhwi(desc.niter) < maxIterations)
    iterations = int(tree_to_uhwi(desc.niter));
  if (iterations < 0 && isSettled(loop))
    iterations = 1;
  if (iterations < 0)
    return -1;
  basic_block *body = get_loop_body(loop);
  bool plain = true;
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    plain &= plainBlock(body[i], loop);
  free(body);
  return plain ? iterations : -1;
}

bool mayBeRegister(class loop *loop) {
  return !loop->inner && fewIterations(loop) + 1 >= int(leastSteps);
}

bool holdsSmallLoops(class loop *loop) {
  for (class loop *inside = loop->inner; inside; inside = inside->next)
    if (fewIterations(inside) < 0)
      return false;
  return loop->inner;
}

/// Returns a block that computes what the loop carries to its next iteration. The header is none in
/// a loop that is left from there before it does anything.
static basic_block carryingBlock(class loop *loop) {
  edge latch = loop->latch ? loop_latch_edge(loop) : nullptr;
  for (gphi_iterator psi = gsi_start_phis(loop->header); latch && !gsi_end_p(psi); gsi_next(&psi)) {
    tree next = PHI_ARG_DEF_FROM_EDGE(psi.phi(), latch);
    basic_block bb = TREE_CODE(next) == SSA_NAME ? gimple_bb(SSA_NAME_DEF_STMT(next)) : nullptr;
    if (bb && flow_bb_inside_loop_p(loop, bb) && !virtual_operand_p(next) &&
        (bb != loop->header || gimple_code(SSA_NAME_DEF_STMT(next)) != GIMPLE_PHI))
      return bb;
  }
  return loop->header;
}

basic_block accessBlock(class loop *loop) {
  basic_block *body = get_loop_body_in_dom_order(loop), stores = nullptr, loads = nullptr;
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      if (is_gimple_debug(gsi_stmt(gsi)))
        continue;
      if (gimple_vdef(gsi_stmt(gsi)) && !stores)
        stores = body[i];
      else if (gimple_vuse(gsi_stmt(gsi)) && !loads)
        loads = body[i];
    }
  free(body);
  return stores ? stores : loads ? loads : carryingBlock(loop);
}

bool runsBeforeExit(class loop *loop, basic_block bb) {
  edge exit = single_exit(loop);
  return !exit || bb == exit->src || !dominated_by_p(CDI_DOMINATORS, bb, exit->src);
}

/// Differs from GCC's find_loop_location, which takes a debug statement's place for the loop's:
/// with -g the code would have other line numbers than without.
location_t loopLocation(class loop *loop) {
  auto known = [](gimple *stmt) {
    return stmt && LOCATION_LOCUS(gimple_location(stmt)) > BUILTINS_LOCATION;
  };
  if (gcond *exit = get_loop_exit_condition(loop))
    if (known(exit))
      return gimple_location(exit);
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(loop->header); !gsi_end_p(gsi);
       gsi_next_nondebug(&gsi))
    if (known(gsi_stmt(gsi)))
      return gimple_location(gsi_stmt(gsi));
  return UNKNOWN_LOCATION;
}

static Stores storesOf(gimple *stmt) {
  if (gimple_clobber_p(stmt) || is_gimple_debug(stmt) || !gimple_vdef(stmt))
    return Stores::None;
  if (is_gimple_assign(stmt))
    return gimple_store_p(stmt) ? Stores::Plain : Stores::None;
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
    return Stores::None;
  int code = DECL_FUNCTION_CODE(gimple_call_fndecl(stmt));
  if (code >= BUILT_IN_ATOMIC_STORE_1 && code <= BUILT_IN_ATOMIC_STORE_16)
    return Stores::Plain;
  bool bulk = code == BUILT_IN_MEMSET || code == BUILT_IN_MEMCPY || code == BUILT_IN_MEMMOVE;
  return bulk ? Stores::Bulk : Stores::None;
}

Stores storesOf(class loop *inner) {
  basic_block *body = get_loop_body(inner);
  Stores most = Stores::None;
  for (unsigned i = 0; i < inner->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      most = std::max(most, storesOf(gsi_stmt(gsi)));
  free(body);
  return most;
}

} // namespace memlift
