// nest.cpp - the lowered form beside the original nest, and the joint behind both
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//        before                          after
//   preheader -> nest -> rest     preheader -> fork -+-> fast ----------+-> join -> rest
//                                                    +-> nest -> exit --+
//
// Without a guard the fork's condition is `true`, and GCC's clean-up of the
// control flow deletes the nest with all that hangs on it: dominators, loop
// structure, debug statements, virtual operands. That is its best-tested path.
#include "routine.h"

namespace memlift {
namespace {

struct Diamond {
  basic_block fork, fast, exit, join;
};

Diamond build(const Nest &nest, bool always) {
  Diamond d;
  d.exit = split_loop_exit_edge(nest.exit);
  d.join = split_edge(single_succ_edge(d.exit));
  d.fork = split_edge(loop_preheader_edge(nest.outer()));
  edge slow = single_succ_edge(d.fork);
  split_edge(slow); // the nest's own preheader
  slow = single_succ_edge(d.fork);
  d.fast = create_empty_bb(d.fork);
  add_bb_to_loop(d.fast, d.join->loop_father);

  edge in = make_edge(d.fork, d.fast, EDGE_TRUE_VALUE);
  slow->flags = (slow->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  in->probability = always ? profile_probability::always() : profile_probability::likely();
  slow->probability = in->probability.invert();
  make_single_succ_edge(d.fast, d.join, EDGE_FALLTHRU);
  d.fast->count = in->count();
  set_immediate_dominator(CDI_DOMINATORS, d.fast, d.fork);
  set_immediate_dominator(CDI_DOMINATORS, d.join, d.fork);
  return d;
}

/// What the live-out is without the nest: its rebuilt value, or itself if it is
/// no value of the nest.
tree finalOf(Emitter &e, Picture &pic, const Decision &decision, tree name) {
  tree type = TREE_TYPE(name);
  for (const LiveOutResult &r : decision.results)
    if (pic.liveOuts[r.index] == name)
      return e.convert(type, e.value(r.value));
  for (const auto &[known, value] : pic.finals)
    if (known == name)
      return e.convert(type, POINTER_TYPE_P(type) ? e.pointer(value) : e.value(value));
  return name;
}

/// In `exit` every live-out has a PHI of one argument; `join` gets one that
/// chooses between it and the rebuilt value, for all uses behind.
void joinLiveOuts(Emitter &e, Picture &pic, const Decision &decision, const Diamond &d,
                  edge fastEdge) {
  for (gphi_iterator psi = gsi_start_phis(d.exit); !gsi_end_p(psi); gsi_next(&psi)) {
    gphi *phi = psi.phi();
    tree slow = gimple_phi_result(phi);
    if (virtual_operand_p(slow))
      continue;
    tree fast = finalOf(e, pic, decision, PHI_ARG_DEF(phi, 0));
    tree both = copy_ssa_name(slow);
    gphi *joint = create_phi_node(both, d.join);
    imm_use_iterator it;
    gimple *user;
    FOR_EACH_IMM_USE_STMT(user, it, slow) {
      if (user == joint)
        continue;
      use_operand_p use;
      FOR_EACH_IMM_USE_ON_STMT(use, it)
        SET_USE(use, both);
      update_stmt(user);
    }
    add_phi_arg(joint, slow, single_succ_edge(d.exit), gimple_phi_arg_location(phi, 0));
    add_phi_arg(joint, fast, fastEdge, pic.where);
  }
}

} // namespace

void writeNest(const Nest &nest, Picture &pic, const Outcome &outcome) {
  const Decision &decision = outcome.decision;
  bool always = decision.guard == NoExpr;
  // Written before the CFG changes: folding may ask for dominators.
  Emitter guard(pic, pic.where);
  tree cond = always ? boolean_true_node : guard.value(decision.guard);

  Diamond d = build(nest, always);
  gimple_stmt_iterator gsi = gsi_last_bb(d.fork);
  gsi_insert_seq_after(&gsi, guard.seq, GSI_CONTINUE_LINKING);
  gcond *fork = gimple_build_cond(NE_EXPR, cond, boolean_false_node, NULL_TREE, NULL_TREE);
  gimple_set_location(fork, pic.where);
  gsi_insert_after(&gsi, fork, GSI_NEW_STMT);

  Emitter e(pic, pic.where);
  emitCalls(e, decision, pic.where);
  joinLiveOuts(e, pic, decision, d, single_succ_edge(d.fast));
  if (decision.calls.empty())
    emitDecision(e, outcome.match, decision, pic.where);
  gsi = gsi_last_bb(d.fast);
  gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);
}

} // namespace memlift
