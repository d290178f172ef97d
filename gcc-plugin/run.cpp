// run.cpp - lists a function's loops, calls and assignments for the driver
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "align/lowbits.h"
#include "attributes.h"
#include "candidate.h"
#include "carry.h"
#include "options.h"
#include "passes.h"
#include "read/carried.h"
#include "read/nearby.h"
#include "read/ranges.h"
#include "read/search.h"
#include "report.h"
#include "require/require.h"
#include "chains.h"
#include "unrolled.h"
#include "write/routine.h"

namespace memlift {
namespace {

class CurrentFunction : public FunctionHost {
public:
  std::string functionId() const override { return memlift::functionId(); }
  const Options &options() const override { return pluginOptions.judge; }
  void report(const BoundLoop &bound, const Outcome &outcome) override {
    const auto &binding = static_cast<const LoopBinding &>(bound);
    printModel(binding, outcome);
    if (hasValue(current_function_decl, OutlinedValue)) // the loop that it was made of has one
      return;
    memlift::report(binding, outcome);
    requireJudged(binding, outcome);
  }
};

/// Updates SSA form, loop information and its caches for the next reader.
void settle() {
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  forgetRanges();
  free_numbers_of_iterations_estimates(cfun);
  scev_reset();
}

/// Returns true if the function changed. Adds the loop to `done` if it was replaced. Loops inside
/// it are parts of the operation.
bool runLoop(Driver &driver, class loop *inner, std::vector<class loop *> &done) {
  uint64_t store;
  auto isInside = [&](class loop *outer) { return flow_loop_nested_p(outer, inner); };
  if (std::any_of(done.begin(), done.end(), isInside) ||
      (storesOf(inner) == Stores::None && !mayCarryLoads(inner) && !mayBeRegister(inner) &&
       !maySearch(inner) && !asksForBlocks(current_function_decl, store)))
    return false;
  requireFor(inner);
  CandidateNest nest(inner);
  bool changed = driver.runNest(nest);
  if (nest.isDone())
    done.push_back(inner);
  return changed;
}

/// Lists the headers of innermost loops, and of those around small loops over no memory, in program
/// order. Blocks survive the changes of lowering; loops that a lowered nest leaves dead stay until
/// the end.
std::vector<basic_block> innermostHeaders() {
  std::vector<basic_block> headers;
  int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, order, false);
  for (int i = 0; i < count; ++i) {
    basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
    class loop *loop = bb->loop_father;
    if (loop && loop_outer(loop) && loop->header == bb && (!loop->inner || holdsSmallLoops(loop)))
      headers.push_back(bb);
  }
  free(order);
  return headers;
}

/// Returns whether the block is in the current function still: a loop that several threads compute
/// moves to one of its own, with the loops inside.
bool isHere(basic_block bb) {
  return bb->index < last_basic_block_for_fn(cfun) && BASIC_BLOCK_FOR_FN(cfun, bb->index) == bb;
}

/// A call or an assignment, and the proved multiples of its addresses.
struct Statement {
  gimple *stmt;
  Multiples proved;
};

/// Collects all statements, with proofs made while blocks, loops and dominators are unchanged.
std::vector<Statement> collectStatements() {
  std::vector<Statement> list;
  std::vector<unsigned> wanted;
  unsigned most = 0;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (isStatement(gsi_stmt(gsi))) {
      list.push_back({gsi_stmt(gsi), Multiples()});
      wanted.push_back(bitsToProve(gsi_stmt(gsi), pluginOptions.judge));
      most = std::max(most, wanted.back());
    }
  if (!most)
    return list;
  bool ours = !loops_for_fn(cfun);
  if (ours)
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  calculate_dominance_info(CDI_DOMINATORS);
  {
    LowBits bits;
    for (size_t i = 0; i < list.size(); ++i)
      if (wanted[i]) {
        list[i].proved = proveStatement(list[i].stmt, wanted[i], bits);
        raiseObjects(list[i].stmt, pluginOptions.judge, list[i].proved);
      }
  }
  if (ours)
    loop_optimizer_finalize();
  return list;
}

bool runStatement(Driver &driver, const Statement &s) {
  LoopBinding binding;
  if (!readStatement(s.stmt, binding, s.proved))
    return false;
  if (binding.loop.origin == Origin::Call) {
    const bool ours = !current_loops;
    if (ours)
      loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    addNeighbours(s.stmt, binding.loop);
    if (ours)
      loop_optimizer_finalize();
  }
  return driver.runCall(binding, [&](const Outcome &outcome) {
    writeStatement(s.stmt, binding, outcome);
    forgetRanges();
  });
}

/// Reports loops that GCC's loop tree does not know; they are kept.
void runMultiEntry(Driver &driver) {
  if (pluginOptions.judge.quiet)
    return;
  for (LoopBinding &binding : multiEntryLoops())
    driver.runKept(binding);
}

/// Drops a pass's findings about a function when it ends.
struct PassEnd {
  ~PassEnd() {
    forgetRanges();
    forgetCodeBudget();
  }
};

} // namespace

unsigned &remarkCount() {
  static tree function = NULL_TREE; // compared only, never followed
  static unsigned count = 0;
  if (function != current_function_decl)
    count = 0;
  function = current_function_decl;
  return count;
}

unsigned runLoops() {
  uint64_t store;
  if (hasValue(current_function_decl, OutlinedValue) && !namesBlocks(current_function_decl, store))
    return 0;
  PassEnd end;
  releaseRolled();
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled() && !anyRequired();
  CurrentFunction function;
  Driver driver(function, remarkCount());
  std::set<class loop *> handled;
  notePresent();
  bool changed = runChains(driver, settle, handled);
  settleJoined(handled);
  if (number_of_loops(cfun) <= 1 && !changed)
    return 0;
  std::vector<class loop *> done;
  for (basic_block header : innermostHeaders())
    if (isHere(header) && !handled.count(header->loop_father) &&
        runLoop(driver, header->loop_father, done)) {
      settle();
      changed = true;
    }
  if (!changed)
    return 0;
  rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
  return TODO_cleanup_cfg;
}

unsigned runCalls() {
  if (hasValue(current_function_decl, OutlinedValue))
    return 0;
  PassEnd end;
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled() && !anyRequired();
  requireFor(nullptr);
  CurrentFunction function;
  Driver driver(function, remarkCount());
  bool changed = false;
  runMultiEntry(driver);
  for (const Statement &s : collectStatements())
    changed |= runStatement(driver, s);
  finishRequired();
  if (!changed)
    return 0;
  mark_virtual_operands_for_renaming(cfun);
  return TODO_update_ssa;
}

} // namespace memlift
