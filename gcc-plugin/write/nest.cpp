// nest.cpp - the lowered form beside the original nest, and the joint after both
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//        before                          after
//   preheader -> nest -> rest     preheader -> fork -+-> fast ----------+-> join -> rest
//                                                    +-> nest -> exit --+
//
// Without a guard the fork's condition is `true`, and GCC's clean-up of the control flow deletes
// the nest with all that depends on it: dominators, loop structure, debug statements, virtual
// operands. That is its best-tested path.
#include "debug.h"
#include "routine.h"
#include "../attributes.h"

namespace memlift {
namespace {

BoundVariables boundIn(const Nest &nest) {
  basic_block *body = get_loop_body_in_dom_order(nest.outer());
  std::vector<basic_block> region(body, body + nest.outer()->num_nodes);
  free(body);
  return BoundVariables(region, nest.exit ? nest.exit->src : nullptr);
}

struct Diamond {
  basic_block fork, fast, exit, join;
  basic_block apart = nullptr, fill = nullptr; // the second test and its arm
};

/// Adds a block between the end of `from` and the join, taken if a condition that is still to be
/// written holds; otherwise the existing edge is taken.
basic_block addArm(const Diamond &d, basic_block from, profile_probability taken) {
  edge other = single_succ_edge(from);
  basic_block arm = create_empty_bb(from);
  add_bb_to_loop(arm, d.join->loop_father);
  edge in = make_edge(from, arm, EDGE_TRUE_VALUE);
  other->flags = (other->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  in->probability = taken;
  other->probability = taken.invert();
  make_single_succ_edge(arm, d.join, EDGE_FALLTHRU);
  arm->count = in->count();
  set_immediate_dominator(CDI_DOMINATORS, arm, from);
  return arm;
}

/// The edges that are being joined.
const std::vector<edge> *joined;

bool isJoined(edge e) { return std::find(joined->begin(), joined->end(), e) != joined->end(); }

/// Adds an otherwise empty block that all exits of the nest lead to.
basic_block joinExits(const Nest &nest) {
  basic_block to = nest.into[0]->dest;
  free_dominance_info(CDI_POST_DOMINATORS);
  joined = &nest.into;
  if (EDGE_COUNT(to->preds) == nest.into.size())
    return split_block_after_labels(to)->src;
  return make_forwarder_block(to, isJoined, nullptr)->src;
}

/// Returns the edge whose PHI arguments binding.liveOuts are.
edge liveEdge(const Nest &nest, const Diamond &d) {
  return nest.exit ? single_pred_edge(d.exit) : nest.into[0];
}

Diamond build(const Nest &nest, profile_probability chance, bool twice) {
  Diamond d;
  d.exit = nest.exit ? split_loop_exit_edge(nest.exit) : joinExits(nest);
  d.join = split_edge(single_succ_edge(d.exit));
  d.fork = split_edge(loop_preheader_edge(nest.outer()));
  split_edge(single_succ_edge(d.fork)); // the nest's own preheader
  if (twice)
    d.apart = split_edge(single_succ_edge(d.fork));
  d.fast = addArm(d, d.fork, chance);
  if (twice)
    d.fill = addArm(d, d.apart, profile_probability::even());
  set_immediate_dominator(CDI_DOMINATORS, d.join, d.fork);
  return d;
}

/// Returns the value used after one of several exits: see gather.cpp.
tree finalAfter(Emitter &e, LoopBinding &binding, const Decision &decision, size_t which,
                tree type) {
  size_t count = binding.liveOuts.size();
  if (which >= count)
    return e.convert(type, e.value(binding.apart.isLeft[which - count]));
  for (const LiveOutResult &r : decision.results)
    if (r.index == which)
      return e.convert(type, e.value(r.value));
  ExprId known = binding.apart.values[which].known;
  return e.convert(type, POINTER_TYPE_P(type) ? e.pointer(known) : e.value(known));
}

/// Returns the live-out of a PHI after the nest as the operation leaves it: its rebuilt value, or
/// the PHI's argument if that is no value of the nest.
tree finalOf(Emitter &e, LoopBinding &binding, const Decision &decision, gphi *phi, edge from) {
  tree name = PHI_ARG_DEF_FROM_EDGE(phi, from), type = TREE_TYPE(name);
  auto told = binding.apart.gathered.find(gimple_phi_result(phi));
  if (told != binding.apart.gathered.end())
    return finalAfter(e, binding, decision, told->second, type);
  for (const LiveOutResult &r : decision.results)
    if (binding.liveOuts[r.index] == name)
      return e.convert(type, e.value(r.value));
  for (const auto &[known, value] : binding.finals)
    if (known == name)
      return e.convert(type, POINTER_TYPE_P(type) ? e.pointer(value) : e.value(value));
  return name;
}

/// Adds the PHIs of the join. In `exit` every live-out has a PHI, with one argument per exit;
/// `join` gets one that selects between it and the rebuilt value, for all later uses. All arms of
/// `binding` but the nest itself leave equal values.
void joinLiveOuts(Emitter &e, LoopBinding &binding, const Decision &decision, const Diamond &d,
                  edge from, const BoundVariables &bound) {
  for (gphi_iterator psi = gsi_start_phis(d.exit); !gsi_end_p(psi); gsi_next(&psi)) {
    gphi *phi = psi.phi();
    tree slow = gimple_phi_result(phi);
    if (virtual_operand_p(slow))
      continue;
    tree fast = finalOf(e, binding, decision, phi, from);
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
    add_phi_arg(joint, fast, single_succ_edge(d.fast), binding.where);
    bound.bind(d.join, PHI_ARG_DEF_FROM_EDGE(phi, from), both);
  }
}

/// Adds the second arm's values to the PHIs of the join. It computes them again: they are only
/// additions.
void joinSecond(Emitter &e, LoopBinding &binding, const Decision &decision, const Diamond &d,
                edge from) {
  for (gphi_iterator psi = gsi_start_phis(d.exit); !gsi_end_p(psi); gsi_next(&psi)) {
    tree slow = gimple_phi_result(psi.phi());
    if (virtual_operand_p(slow))
      continue;
    for (gphi_iterator joints = gsi_start_phis(d.join); !gsi_end_p(joints); gsi_next(&joints))
      if (PHI_ARG_DEF_FROM_EDGE(joints.phi(), single_succ_edge(d.exit)) == slow)
        add_phi_arg(joints.phi(), finalOf(e, binding, decision, psi.phi(), from),
                    single_succ_edge(d.fill), binding.where);
  }
}

/// A condition, and the statements that compute it.
struct Test {
  gimple_seq seq;
  gcond *branch;
};

/// Returns one test for each part of the condition that has to hold.
std::vector<Test> testsOf(Emitter &e, const ExprGraph &g, ExprId condition) {
  std::vector<Test> tests;
  for (ExprId part : conjuncts(g, condition)) {
    gcond *branch = e.branch(part);
    tests.push_back({e.seq, branch});
    e.seq = nullptr;
  }
  return tests;
}

/// Ends `block` with the condition, computed in it.
void endWith(basic_block block, const Test &test) {
  gimple_stmt_iterator gsi = gsi_last_bb(block);
  gsi_insert_seq_after(&gsi, test.seq, GSI_CONTINUE_LINKING);
  gsi_insert_after(&gsi, test.branch, GSI_NEW_STMT);
}

/// Adds the tests that lead from `block` to `arm`, one after the other. A failed test goes to the
/// first one's other edge. `later` is how likely the others hold.
void endWith(basic_block block, basic_block arm, const std::vector<Test> &tests,
             profile_probability later) {
  edge in = find_edge(block, arm);
  edge other = EDGE_SUCC(block, EDGE_SUCC(block, 0) == in);
  for (size_t i = 0; i < tests.size(); ++i) {
    if (i) {
      block = split_edge(in);
      in = single_succ_edge(block);
      in->flags = (in->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
      edge fails = make_edge(block, other->dest, EDGE_FALSE_VALUE);
      in->probability = later;
      fails->probability = later.invert();
    }
    endWith(block, tests[i]);
  }
}

void append(basic_block block, gimple_seq seq) {
  gimple_stmt_iterator gsi = gsi_last_bb(block);
  gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
}

/// Writes the arm taken where the first guard fails and the second holds.
void writeSecond(LoopBinding &binding, const Outcome &outcome, Diamond &d, edge from) {
  Decision fill = outcome.decision;
  fill.routine = fill.repeat.routine;
  fill.symbol = fill.repeat.symbol;
  fill.args = fill.repeat.args;
  fill.loops.clear();
  Emitter e(binding, binding.where);
  joinSecond(e, binding, fill, d, from);
  if (fill.routine != Routine::None)
    emitDecision(e, outcome.match, fill, binding.where);
  emitFinals(e, fill, binding.where);
  append(d.fill, e.seq);
}

} // namespace

/// Allows one loop of a function whose accesses may fault: after a fault the function returns what
/// this one had left.
static void takeUser() {
  if (hasValue(current_function_decl, "covered"))
    refuseUncovered(current_function_decl, "it has two loops");
  markCovered(current_function_decl);
}

void writeNest(const Nest &given, LoopBinding &binding, const Outcome &outcome) {
  const Decision &decision = outcome.decision;
  if (decision.fixup.faults)
    takeUser();
  codeBudget().add(decision);
  bool always = decision.guard == NoExpr;
  bool twice = decision.repeat.exists();
  // Written before the CFG changes: folding may ask for dominators.
  Emitter guard(binding, binding.where), second(binding, binding.where);
  const ExprGraph &g = binding.loop.exprs;
  gcc_assert(given.isClosed()); // else the reader has an obstacle, and nothing is written
  std::vector<Test> first = {
      {nullptr,
       gimple_build_cond(NE_EXPR, boolean_true_node, boolean_false_node, NULL_TREE, NULL_TREE)}};
  std::vector<Test> then;
  if (!always)
    first = testsOf(guard, g, decision.guard);
  if (twice)
    then = testsOf(second, g, decision.repeat.guard);

  const BoundVariables bound = boundIn(given);
  const Nest nest = gatherExits(given, binding);
  Diamond d = build(nest, chanceOf(decision), twice);
  bound.forget(d.fast);
  if (twice)
    bound.forget(d.fill);
  endWith(d.fork, d.fast, first,
          decision.sizeFirst ? profile_probability::likely() : chanceOf(decision));
  if (twice)
    endWith(d.apart, d.fill, then, profile_probability::even());
  else if (decision.longOnly || (!always && !decision.loops.empty()))
    askSizeFirst(binding, decision.guard, d.fork, loop_preheader_edge(nest.outer())->src);

  Emitter e(binding, binding.where);
  e.rewriteWaits = decision.rewriteWaits;
  d.fast = emitInPlace(e, binding, decision, d.fast);
  emitCalls(e, decision.calls, binding.where);
  e.useTables(decision.tables);
  joinLiveOuts(e, binding, decision, d, liveEdge(nest, d), bound);
  bound.bindOuter(d.join);
  if (decision.routine != Routine::None || !decision.words.empty() || !decision.sequence.empty())
    emitDecision(e, outcome.match, decision, binding.where);
  emitFinals(e, decision, binding.where);
  append(d.fast, e.seq);
  if (twice)
    writeSecond(binding, outcome, d, liveEdge(nest, d));
  // Most kept loops run where addresses overlap, which the vectoriser would test once more.
  for (class loop *loop : nest.loops)
    loop->dont_vectorize |= !always && !decision.keptAlone;
}

} // namespace memlift
