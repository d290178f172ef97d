// run.cpp - the passes' work on one function: read, judge, report, write
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "align/lowbits.h"
#include "carry.h"
#include "options.h"
#include "passes.h"
#include "read/carried.h"
#include "read/ranges.h"
#include "read/reload.h"
#include "report.h"
#include "chains.h"
#include "write/routine.h"
#include "../idioms/decide/group.h"

namespace memlift {
namespace {

/// Loops nested deeper than this are judged without the outer ones.
constexpr unsigned maxNest = 3;

/// Returns the next candidate's number, counted through both passes of a function. The calls pass
/// may be the only one to run, so the count is kept with the function's name.
unsigned nextOrdinal(bool take = true) {
  static tree function = NULL_TREE; // compared only, never followed
  static unsigned count = 0;
  if (function != current_function_decl)
    count = 0;
  function = current_function_decl;
  return take ? count++ : count;
}

std::string loopId(unsigned ordinal) { return functionId() + "#" + std::to_string(ordinal); }

/// Updates SSA form, loop information and its caches for the next reader.
void settle() {
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  forgetRanges();
  free_numbers_of_iterations_estimates(cfun);
  scev_reset();
}

/// Tries the loop again, with the values that it reloads in each iteration taken as fixed. Returns
/// false if it is kept all the same. The loop is then restored, and `plain` and `kept` hold the
/// more informative reading.
bool runWithReloads(class loop *inner, unsigned ordinal, LoopBinding &plain, Outcome &kept) {
  Nest nest = nestAround(inner, 1);
  Reloads reloads(nest);
  if (!reloads.hoist())
    return false;
  LoopBinding binding;
  binding.fixedLoads = reloads.loads();
  binding.fixedStores = reloads.stores();
  readNest(nest, ordinal, binding);
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  bool lower = isDone(outcome.decision.kind) && nest.isClosed();
  if (lower) {
    printModel(binding, outcome);
    report(binding, outcome);
    writeNest(nest, binding, outcome);
  } else if (saysMore(outcome.match, kept.match)) {
    plain = binding;
    kept = outcome;
  }
  reloads.restore(lower);
  return lower;
}

/// Tries load clustering on a kept loop. `binding` may be another reading of it.
bool runGrouped(class loop *inner, unsigned ordinal, LoopBinding &binding, Outcome &kept) {
  if (!wantsGroups(binding.loop, pluginOptions.judge))
    return false;
  Nest nest = nestAround(inner, 1);
  LoopBinding plain;
  readNest(nest, ordinal, plain);
  if (!nest.isClosed() || !judgeGroups(plain.loop, pluginOptions.judge, binding.loop, kept))
    return false;
  printModel(plain, kept);
  report(plain, kept);
  writeNest(nest, plain, kept);
  return true;
}

/// Lowers the widest nest around `inner` that can be; else reports the innermost loop's reasons.
/// Returns true if the function changed.
bool runLoop(class loop *inner) {
  Stores stores = storesOf(inner);
  if (stores == Stores::None && !mayCarryLoads(inner))
    return false;
  unsigned ordinal = stores == Stores::Plain ? nextOrdinal() : 0;
  size_t deepest = nestAround(inner, maxNest).loops.size();
  for (size_t depth = deepest; depth > 0; --depth) {
    Nest nest = nestAround(inner, unsigned(depth));
    LoopBinding binding;
    readNest(nest, ordinal, binding);
    Outcome outcome = judge(binding.loop, pluginOptions.judge);
    bool lower = isDone(outcome.decision.kind) && nest.isClosed();
    if (!lower && (depth > 1 || stores == Stores::Bulk))
      continue;
    if (!lower && stores == Stores::Plain && runWithReloads(inner, ordinal, binding, outcome))
      return true;
    if (!lower && stores == Stores::Plain && runGrouped(inner, ordinal, binding, outcome))
      return true;
    if (!deservesRemark(binding.loop, outcome, stores != Stores::None))
      return false;
    if (stores != Stores::Plain)
      binding.loop.id = loopId(nextOrdinal());
    printModel(binding, outcome);
    report(binding, outcome);
    if (lower)
      writeNest(nest, binding, outcome);
    return lower;
  }
  return false;
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

bool runStatement(const Statement &s) {
  LoopBinding binding;
  if (!readStatement(s.stmt, 0, binding, s.proved))
    return false;
  binding.loop.id = loopId(nextOrdinal());
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  printModel(binding, outcome);
  report(binding, outcome);
  if (!isDone(outcome.decision.kind))
    return false;
  writeStatement(s.stmt, binding, outcome);
  forgetRanges();
  return true;
}

/// Reports loops that GCC's loop tree does not know; they are kept.
void runMultiEntry() {
  if (pluginOptions.judge.quiet)
    return;
  for (LoopBinding &binding : multiEntryLoops()) {
    Outcome outcome = judge(binding.loop, pluginOptions.judge);
    binding.loop.id = loopId(nextOrdinal());
    printModel(binding, outcome);
    report(binding, outcome);
  }
}

/// Drops a pass's findings about a function when it ends.
struct PassEnd {
  ~PassEnd() {
    forgetRanges();
    forgetCodeBudget();
  }
};

} // namespace

unsigned runLoops() {
  PassEnd end;
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled();
  std::set<class loop *> handled;
  bool changed = runChains([](bool take) { return nextOrdinal(take); }, settle, handled);
  if (number_of_loops(cfun) <= 1 && !changed)
    return 0;
  for (basic_block header : innermostHeaders())
    if (!handled.count(header->loop_father) && runLoop(header->loop_father)) {
      settle();
      changed = true;
    }
  if (!changed)
    return 0;
  rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
  return TODO_cleanup_cfg;
}

unsigned runCalls() {
  PassEnd end;
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled();
  bool changed = false;
  runMultiEntry();
  for (const Statement &s : collectStatements())
    changed |= runStatement(s);
  if (!changed)
    return 0;
  mark_virtual_operands_for_renaming(cfun);
  return TODO_update_ssa;
}

} // namespace memlift
