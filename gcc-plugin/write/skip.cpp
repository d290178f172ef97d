// skip.cpp - enters a loop at the iteration that it ends in
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   guard:   if (!guard) goto enter
//   test 0:  if (ends) goto enter                tests of what the first iterations read
//   test 1:  ...
//   call:    found = call                        where none of them ends the loop
//   work:    what the iterations before `found` do, if they do more than count
//   enter:   k = PHI <0 (guard), 0 (test 0), 1 (test 1) ... found (call)>
//   loop:    i = PHI <start + k * step (enter), next (latch)>
#include "skip.h"
#include "routine.h"

namespace memlift {
namespace {

/// A block of the way to the loop: what it computes, and the test at its end.
struct Step {
  gimple_seq seq;
  gcond *test;    // null: the last one
  bool leaves;    // to the loop if the test is true
  tree iteration; // at which the loop is entered from here
};

/// A recurrence's PHI in the header, and its value after what has been done.
using Worked = std::pair<gphi *, tree>;

/// Finds the end, and does what the iterations before it do, or enters the loop as before.
template <class End>
void emitWork(Emitter &e, LoopBinding &binding, const Decision &decision, const End &end,
              std::vector<Worked> &worked, tree type) {
  const std::vector<ReturningCall> &calls = decision.calls;
  emitCalls(e, {calls.front()}, binding.where);
  end(e.branch(decision.skip.work), false, build_zero_cst(type));
  emitCalls(e, {calls.begin() + 1, calls.end()}, binding.where);
  if (decision.routine != Routine::None)
    emitDecision(e, Match(), decision, binding.where);
  for (const LiveOutResult &r : decision.results) {
    tree name = binding.carried[size_t(binding.loop.liveOuts[r.index].rec)];
    worked.push_back(
        {as_a<gphi *>(SSA_NAME_DEF_STMT(name)), e.convert(TREE_TYPE(name), e.value(r.value))});
  }
}

/// Computes all blocks before the CFG changes, as folding may ask for dominators.
std::vector<Step> stepsOf(Emitter &e, LoopBinding &binding, const Decision &decision, tree type,
                          std::vector<tree> &places, std::vector<Worked> &worked) {
  std::vector<Step> steps;
  auto end = [&](gcond *test, bool leaves, tree iteration) {
    steps.push_back({e.seq, test, leaves, iteration});
    e.seq = nullptr;
  };
  ExprGraph &g = binding.loop.exprs;
  for (auto [phi, index] : binding.loaded) { // where their values are loaded in the first iteration
    const Access &a = binding.loop.accesses[index];
    ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, binding.loop.ptrBits), a.offset);
    places.push_back(e.pointer(g.fromPoly(g.poly(at), binding.loop.ptrBits)));
  }
  if (decision.skip.guard != NoExpr)
    end(e.branch(decision.skip.guard), false, build_zero_cst(type));
  for (const SkipPlan::Early &early : decision.skip.early)
    end(e.branch(early.ends), true, build_int_cst(type, early.iteration));
  if (decision.skip.work != NoExpr)
    emitWork(e, binding, decision, end, worked, type);
  else
    emitCalls(e, decision.calls, binding.where);
  tree to = e.value(decision.skip.to);
  end(nullptr, true, e.convert(type, to));
  return steps;
}

void append(basic_block bb, const Step &step) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  gsi_insert_seq_after(&gsi, step.seq, GSI_CONTINUE_LINKING);
  if (step.test) {
    gsi = gsi_last_bb(bb);
    gsi_insert_after(&gsi, step.test, GSI_NEW_STMT);
  }
}

/// Puts the blocks before `enter`, and returns the PHI of the iteration.
tree writeSteps(basic_block enter, const std::vector<Step> &steps, tree type, location_t where,
                const std::vector<Worked> &worked) {
  std::vector<edge> ways;
  std::vector<basic_block> blocks;
  for (edge last = single_pred_edge(enter); blocks.size() < steps.size();
       last = single_succ_edge(blocks.back()))
    blocks.push_back(split_edge(last));
  for (size_t i = 0; i < steps.size(); ++i) {
    append(blocks[i], steps[i]);
    edge on = single_succ_edge(blocks[i]);
    ways.push_back(on);
    if (!steps[i].test)
      break;
    bool leaves = steps[i].leaves;
    on->flags = (on->flags & ~EDGE_FALLTHRU) | (leaves ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE);
    ways[i] = make_edge(blocks[i], enter, leaves ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE);
    ways[i]->probability = profile_probability::guessed_always().apply_scale(1, 10);
    on->probability = ways[i]->probability.invert();
  }
  set_immediate_dominator(CDI_DOMINATORS, enter, blocks.front());
  gphi *phi = create_phi_node(make_ssa_name(type), enter);
  for (size_t i = 0; i < steps.size(); ++i)
    add_phi_arg(phi, steps[i].iteration, ways[i], where);
  for (auto [recurrence, value] : worked) {
    use_operand_p use = PHI_ARG_DEF_PTR_FROM_EDGE(recurrence, single_succ_edge(enter));
    gphi *now = create_phi_node(copy_ssa_name(gimple_phi_result(recurrence)), enter);
    for (size_t i = 0; i < steps.size(); ++i)
      add_phi_arg(now, i + 1 == steps.size() ? value : USE_FROM_PTR(use), ways[i], where);
    SET_USE(use, gimple_phi_result(now));
  }
  return gimple_phi_result(phi);
}

/// Moves the start value of a counter on to iteration `k`.
tree advanced(gimple_seq *seq, location_t where, tree start, tree k, int64_t by) {
  tree type = TREE_TYPE(start);
  bool points = POINTER_TYPE_P(type);
  tree number = points ? sizetype : unsigned_type_for(type);
  tree steps = gimple_convert(seq, where, number, k);
  steps = gimple_build(seq, where, MULT_EXPR, number, steps, build_int_cst(number, by));
  if (points)
    return gimple_build(seq, where, POINTER_PLUS_EXPR, type, start, steps);
  tree sum =
      gimple_build(seq, where, PLUS_EXPR, number, gimple_convert(seq, where, number, start), steps);
  return gimple_convert(seq, where, type, sum);
}

} // namespace

void skipAhead(class loop *loop, LoopBinding &binding, const Decision &decision) {
  tree type = wordType(binding.loop.ptrBits);
  Emitter e(binding, binding.where);
  std::vector<tree> places;
  std::vector<Worked> worked;
  std::vector<Step> steps = stepsOf(e, binding, decision, type, places, worked);
  basic_block enter = split_edge(loop_preheader_edge(loop));
  tree k = writeSteps(enter, steps, type, binding.where, worked);
  gimple_seq seq = nullptr;
  for (auto [phi, by] : binding.steps) {
    use_operand_p use = PHI_ARG_DEF_PTR_FROM_EDGE(phi, single_succ_edge(enter));
    SET_USE(use, advanced(&seq, binding.where, USE_FROM_PTR(use), k, by));
  }
  for (size_t i = 0; i < places.size(); ++i) {
    auto [phi, index] = binding.loaded[i];
    const Access &a = binding.loop.accesses[index];
    int64_t by = int64_t(binding.loop.exprs[a.step[0]].value);
    unsigned bytes = unsigned(binding.loop.exprs[a.bytes].value);
    tree place = advanced(&seq, binding.where, places[i], k, by);
    tree value = make_ssa_name(wordType(8 * bytes));
    gimple_seq_add_stmt(&seq, gimple_build_assign(value, reference(place, 0, bytes, 1)));
    use_operand_p use = PHI_ARG_DEF_PTR_FROM_EDGE(phi, single_succ_edge(enter));
    SET_USE(use, gimple_convert(&seq, binding.where, TREE_TYPE(USE_FROM_PTR(use)), value));
  }
  gimple_stmt_iterator gsi = gsi_after_labels(enter);
  gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  // One iteration is left, or few.
  loop->dont_vectorize = true;
  loop->unroll = 1;
}

} // namespace memlift
