// chain.cpp - puts one operation beside a chain of loops, and joins the values after both
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry -+-> fast ----------------+-> join -> after
//          +-> rest: chain -> exit ---+
//
// `rest` has the entry's last condition. Without a guard the condition is `true`, and GCC's
// clean-up of the control flow deletes the chain.
#include "../read/chain.h"
#include "debug.h"
#include "chain.h"

namespace memlift {
namespace {

/// Splits the entry's last condition off into a block of its own.
basic_block splitRest(basic_block entry) {
  gimple *last = last_stmt(entry);
  if (!last || gimple_code(last) != GIMPLE_COND)
    return split_edge(single_succ_edge(entry));
  gimple_stmt_iterator gsi = gsi_for_stmt(last);
  gsi_prev(&gsi);
  edge e = gsi_end_p(gsi) ? split_block_after_labels(entry) : split_block(entry, gsi_stmt(gsi));
  return e->dest;
}

tree finalOf(Emitter &e, ExprId id, tree type) {
  return e.convert(type, POINTER_TYPE_P(type) ? e.pointer(id) : e.value(id));
}

/// Replaces all uses of `name` after the chain, or after its exit's PHI, by the new name.
void replaceAfter(const LoopChain &chain, tree name, tree both, gphi *joint, bool isPhi) {
  imm_use_iterator it;
  gimple *user;
  FOR_EACH_IMM_USE_STMT(user, it, name) {
    if (user == joint || (!isPhi && chain.blocks.count(gimple_bb(user))) ||
        ((!isPhi || is_gimple_debug(user)) && gimple_bb(user) == chain.exit))
      continue;
    use_operand_p use;
    FOR_EACH_IMM_USE_ON_STMT(use, it)
    SET_USE(use, both);
    update_stmt(user);
  }
}

} // namespace

void writeChain(LoopChain &chain, LoopBinding &binding, const Joined &joined) {
  const Outcome &outcome = joined.outcome;
  const Decision &d = outcome.decision;
  codeBudget().add(d);
  bool always = d.guard == NoExpr;
  Emitter guard(binding, binding.where), e(binding, binding.where);
  tree cond = always ? boolean_true_node : guard.value(d.guard);
  e.apart = d.longOnly && d.routine == Routine::None;
  emitCalls(e, d.calls, binding.where);
  if (e.apart)
    e.forget();
  std::vector<tree> finals;
  for (size_t i = 0; i < chain.finals.size(); ++i)
    finals.push_back(finalOf(e, joined.finals[i], TREE_TYPE(chain.finals[i])));
  if (d.routine != Routine::None || !d.words.empty())
    emitDecision(e, outcome.match, d, binding.where);

  std::vector<basic_block> region(chain.blocks.begin(), chain.blocks.end());
  region.push_back(chain.exit);
  const BoundVariables bound(region, chain.exit);
  basic_block rest = splitRest(chain.entry);
  chain.blocks.insert(rest);
  basic_block join = split_edge(single_succ_edge(chain.exit));
  basic_block fast = create_empty_bb(chain.entry);
  add_bb_to_loop(fast, join->loop_father);
  edge other = single_succ_edge(chain.entry);
  edge in = make_edge(chain.entry, fast, EDGE_TRUE_VALUE);
  other->flags = (other->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  in->probability = chanceOf(d);
  other->probability = in->probability.invert();
  make_single_succ_edge(fast, join, EDGE_FALLTHRU);
  fast->count = in->count();
  bound.forget(fast);
  set_immediate_dominator(CDI_DOMINATORS, fast, chain.entry);
  set_immediate_dominator(CDI_DOMINATORS, join, chain.entry);

  gimple_stmt_iterator gsi = gsi_last_bb(chain.entry);
  gsi_insert_seq_after(&gsi, guard.seq, GSI_CONTINUE_LINKING);
  gcond *fork = gimple_build_cond(NE_EXPR, cond, boolean_false_node, NULL_TREE, NULL_TREE);
  gimple_set_location(fork, binding.where);
  gsi_insert_after(&gsi, fork, GSI_NEW_STMT);
  gsi = gsi_last_bb(fast);
  gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);

  for (size_t i = 0; i < chain.finals.size(); ++i) {
    tree name = chain.finals[i];
    bool isPhi = gimple_bb(SSA_NAME_DEF_STMT(name)) == chain.exit;
    tree both = copy_ssa_name(name);
    gphi *joint = create_phi_node(both, join);
    replaceAfter(chain, name, both, joint, isPhi);
    add_phi_arg(joint, name, single_succ_edge(chain.exit), binding.where);
    add_phi_arg(joint, finals[i], single_succ_edge(fast), binding.where);
    bound.bind(join, name, both);
  }
  bound.bindOuter(join);
}

} // namespace memlift
