// fork.cpp - the arms of a branch between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.h"

namespace memlift {

void flush(Emitter &e, basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);
  e.seq = nullptr;
}

namespace {
/// Adds an empty block on the arm from `at`, taken if the condition is `holds`, to the block after
/// the branch.
basic_block armFrom(basic_block at, basic_block join, bool holds, int weight) {
  basic_block arm = create_empty_bb(at);
  add_bb_to_loop(arm, at->loop_father);
  edge in = make_edge(at, arm, holds ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE);
  in->probability = profile_probability::guessed_always().apply_scale(weight, 10);
  make_single_succ_edge(arm, join, EDGE_FALLTHRU);
  arm->count = in->count();
  set_immediate_dominator(CDI_DOMINATORS, arm, at);
  return arm;
}
} // namespace

Fork::Fork(Emitter &e, basic_block at, const Branch &c) {
  gcond *test = e.branch(c.condition);
  flush(e, at);
  join = split_edge(single_succ_edge(at));
  edge other = single_succ_edge(at);
  first = armFrom(at, join, true, int(c.weight));
  if (c.others) {
    second = armFrom(at, join, false, 10 - int(c.weight));
    remove_edge(other);
  } else {
    other->flags = (other->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    other->probability = single_pred_edge(first)->probability.invert();
  }
  set_immediate_dominator(CDI_DOMINATORS, join, at);
  gimple_stmt_iterator gsi = gsi_last_bb(at);
  gsi_insert_after(&gsi, test, GSI_NEW_STMT);
}

void prepareStores(Emitter &e, const LoopBinding &binding, const Decision &d, size_t first,
                   size_t end) {
  for (size_t i = first; i < end; ++i)
    for (const InlineStore &s : d.loops[i].stores)
      if (binding.loop.exprs.isInvariant(s.value))
        e.prepare(s.value);
}

std::vector<tree> phiValuesOf(Emitter &e, const Branch &c, bool first, bool user) {
  std::vector<tree> values;
  for (const Phi &m : c.phis) {
    ExprId id = first ? m.ifTrue : m.ifFalse;
    values.push_back(user                    ? e.convert(ptr_type_node, e.value(id))
                     : m.kind == Phi::Number ? e.value(id)
                                             : e.pointer(id));
  }
  return values;
}

void merge(Emitter &e, basic_block join, const Arm &one, const Arm &other, location_t where,
           bool user) {
  for (size_t i = 0; i < one.values.size(); ++i) {
    tree merged = make_ssa_name(TREE_TYPE(one.values[i]));
    gphi *phi = create_phi_node(merged, join);
    add_phi_arg(phi, one.values[i], one.from, where);
    add_phi_arg(phi, other.values[i], other.from, where);
    e.merge(user ? e.convert(wordType(POINTER_SIZE), merged) : merged);
  }
}

} // namespace memlift
