// unrolled.cpp - judges loops that GCC unrolls completely while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cunrolli` is far before the loop pipeline, where the other loops are judged. A loop that it
// unrolls has its verdict from here. The others are judged later, and a loop around an unrolled one
// then includes its body.
//
// Steps of a shift register are no loop any more once they are unrolled, so loops that become
// look-ups are kept from the unroller until they are judged with the others.
#include "compat.h"
#include "carry.h"
#include "options.h"
#include "read/carried.h"
#include "read/ranges.h"
#include "report.h"
#include "require/require.h"
#include "unrolled.h"

namespace memlift {
namespace {

struct Note {
  std::vector<int> loops; // its number, and those of the loops around it
  location_t where;
  Remark remark;
};

/// Notes of the function that is between the two passes.
std::vector<Note> notes;

/// Numbers of the function's loops that the unrollers leave alone until they are judged.
std::vector<int> rolled;

/// GCC's word for a loop that is not to be unrolled, as `#pragma GCC unroll 1` says it.
constexpr unsigned short noUnroll = 1;

bool isThere(int number) {
  class loop *loop = loops_for_fn(cfun) ? get_loop(cfun, unsigned(number)) : nullptr;
  return loop && loop->header && loop->latch && find_edge(loop->latch, loop->header);
}

void note(class loop *loop) {
  Stores stores = storesOf(loop);
  tree_niter_desc desc;
  edge exit = single_exit(loop);
  if (loop->inner || !exit || (stores != Stores::Plain && !mayCarryLoads(loop)) ||
      !number_of_iterations_exit(loop, exit, &desc, false) || TREE_CODE(desc.niter) != INTEGER_CST)
    return;
  LoopBinding binding;
  readNest(nestAround(loop, 1), binding);
  binding.loop.id = functionId() + "#" + std::to_string(notes.size()); // named when it is told
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  if (!deservesRemark(binding.loop, outcome, stores == Stores::Plain))
    return;
  makeStraight(outcome);
  Note n{{}, binding.where, makeRemark(binding.loop, outcome)};
  for (class loop *l = loop; loop_outer(l); l = loop_outer(l))
    n.loops.push_back(l->num);
  notes.push_back(std::move(n));
}

/// Returns whether the value is computed from one that the loop carries from one iteration to the
/// next, counters aside.
bool isCarried(class loop *loop, tree start) {
  std::vector<tree> todo = {start};
  std::set<tree> seen;
  while (!todo.empty()) {
    tree value = todo.back();
    todo.pop_back();
    if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value) || virtual_operand_p(value))
      continue;
    gimple *stmt = SSA_NAME_DEF_STMT(value);
    affine_iv iv;
    if (!flow_bb_inside_loop_p(loop, gimple_bb(stmt)) || !seen.insert(value).second)
      continue;
    if (gimple_code(stmt) == GIMPLE_PHI && gimple_bb(stmt) == loop->header) {
      if (!simple_iv(loop, loop, value, &iv, false))
        return true;
      continue;
    }
    use_operand_p use;
    ssa_op_iter next;
    FOR_EACH_PHI_OR_STMT_USE(use, stmt, next, SSA_OP_USE)
    todo.push_back(USE_FROM_PTR(use));
  }
  return false;
}

/// Returns whether the loop has calls or other statements that rule out a vectoriser.
bool hasSideEffects(class loop *loop) {
  basic_block *body = get_loop_body(loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      found |= !is_gimple_debug(stmt) && (is_gimple_call(stmt) || gimple_code(stmt) == GIMPLE_ASM ||
                                          gimple_has_volatile_ops(stmt));
    }
  free(body);
  return found;
}

/// Returns the bits of the vectors by which iterations of the loop around `loop` may be computed at
/// once: the registers of all of them start anew, and nothing rules the vectoriser out.
unsigned vectorBitsAround(class loop *loop) {
  class loop *around = loop_outer(loop);
  machine_mode vectors = targetm.vectorize.preferred_simd_mode(SImode);
  if (!flag_tree_loop_vectorize || !VECTOR_MODE_P(vectors) || around->inner->next ||
      hasSideEffects(around))
    return 0;
  for (gphi_iterator phi = gsi_start_phis(loop->header); !gsi_end_p(phi); gsi_next(&phi))
    if (isCarried(around, PHI_ARG_DEF_FROM_EDGE(phi.phi(), loop_preheader_edge(loop))))
      return 0;
  return unsigned(GET_MODE_BITSIZE(vectors).to_constant());
}

/// Returns whether the loop around is an operation as a whole, of which this one is a part.
bool isPart(class loop *loop) {
  class loop *around = loop_outer(loop);
  if (!holdsSmallLoops(around))
    return false;
  LoopBinding binding;
  readNest(nestAround(around, 1), binding);
  return isDone(judge(binding.loop, pluginOptions.judge).decision.kind);
}

/// Reads the values that are used after the loop, where SSA form is not loop-closed. Returns false
/// if one of them is none that the loop carries.
bool readUsesAfter(class loop *loop, LoopBinding &binding) {
  basic_block *body = get_loop_body(loop);
  bool known = true;
  binding.loop.liveOuts.clear();
  auto look = [&](tree name) {
    if (!name || TREE_CODE(name) != SSA_NAME || virtual_operand_p(name))
      return;
    use_operand_p use;
    imm_use_iterator next;
    bool isUsed = false;
    FOR_EACH_IMM_USE_FAST(use, next, name) {
      gimple *user = USE_STMT(use);
      isUsed |= !is_gimple_debug(user) && !flow_bb_inside_loop_p(loop, gimple_bb(user));
    }
    if (!isUsed)
      return;
    LiveOut after;
    after.rec = carriedAs(binding, name);
    known &= after.rec >= 0;
    binding.loop.liveOuts.push_back(after);
  };
  for (unsigned i = 0; i < loop->num_nodes; ++i) {
    for (gphi_iterator phi = gsi_start_phis(body[i]); !gsi_end_p(phi); gsi_next(&phi))
      look(gimple_phi_result(phi.phi()));
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      look(gimple_get_lhs(gsi_stmt(gsi)));
  }
  free(body);
  return known;
}

/// Returns whether `cunrolli` may unroll a loop that becomes look-ups if it stays a loop. It
/// unrolls no loop that has none around it.
bool becomesLookUps(class loop *loop) {
  if (!loop_outer(loop_outer(loop)) || loop->unroll || !mayBeRegister(loop))
    return false;
  LoopBinding binding;
  readNest(nestAround(loop, 1), binding);
  binding.loop.vectorBits = vectorBitsAround(loop);
  if (!readUsesAfter(loop, binding))
    return false;
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  return outcome.match.registers && isDone(outcome.decision.kind) && !isPart(loop);
}

} // namespace

unsigned noteLoops() {
  notes.clear();
  rolled.clear();
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled();
  // Without the pipeline of loops, nothing would judge a loop that is kept from the unroller.
  bool mayGrow = optimize >= 3 && flag_tree_loop_optimize;
  if (pluginOptions.judge.quiet && !mayGrow && !anyRequired())
    return 0;
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  if (number_of_loops(cfun) > 1) {
    noteRequired(/*after=*/false);
    scev_initialize();
    for (auto loop : loops_list(cfun, LI_ONLY_INNERMOST))
      if (mayGrow && becomesLookUps(loop)) {
        loop->unroll = noUnroll;
        rolled.push_back(loop->num);
      } else if (!pluginOptions.judge.quiet)
        note(loop);
    forgetRanges();
    free_numbers_of_iterations_estimates(cfun);
    scev_finalize();
  }
  loop_optimizer_finalize();
  return 0;
}

void releaseRolled() {
  for (int number : rolled)
    if (class loop *loop = get_loop(cfun, unsigned(number)))
      loop->unroll = 0;
  rolled.clear();
}

unsigned emitUnrolledRemarks() {
  noteRequired(/*after=*/true);
  for (const Note &n : notes) {
    if (std::any_of(n.loops.begin(), n.loops.end(), isThere))
      continue;
    Remark remark = n.remark;
    renameLoop(remark, functionId() + "#" + std::to_string(remarkCount()++));
    report(remark, n.where);
  }
  notes.clear();
  return 0;
}

} // namespace memlift
