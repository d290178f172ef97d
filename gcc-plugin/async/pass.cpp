// pass.cpp - plans, reports and rewrites asynchronous operations where they are enabled
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async.h"
#include "../attributes.h"
#include "../carry.h"
#include "../options.h"
#include "../read/binding.h"
#include "../report.h"
#include "../../idioms/asyncremark.h"

namespace memlift {
namespace {

bool hasAsyncCall() {
  basic_block bb;
  AsyncCall call;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (isAsyncCall(gsi_stmt(gsi), call))
      return true;
  return false;
}

void emitAsyncRemarks(const AsyncFacts &facts, const std::vector<AsyncPlan> &plans) {
  for (size_t k = 0; k < plans.size(); ++k) {
    const AsyncCall &op = facts.operations[k];
    AsyncSubject subject;
    subject.id = functionId() + "#async" + std::to_string(k);
    subject.function = assemblerName(current_function_decl);
    subject.loc = sourceLoc(gimple_location(op.call));
    subject.idiom = op.src ? Idiom::Copy : Idiom::Fill;
    subject.symbol = op.operation->symbol;
    report(asyncRemark(subject, plans[k],
                       [&](FlowPoint p) {
                         const gimple *stmt = facts.statement(p);
                         return stmt ? sourceLoc(gimple_location(stmt)) : SourceLoc();
                       }),
           gimple_location(op.call));
  }
}

bool plan() {
  AsyncFacts facts;
  if (facts.operations.size() > asyncMostOperations)
    return false;
  std::vector<AsyncPlan> plans = planAsync(facts.flow, facts.places, facts);
  if (remarksEnabled())
    emitAsyncRemarks(facts, plans);
  bool any = false;
  for (const AsyncPlan &p : plans)
    any |= p.worthIt;
  if (any)
    writeAsync(facts, plans);
  return any;
}

} // namespace

bool wantsAsync() {
  useOptionsOfFunction();
  if (optimize == 0 || pluginOptions.judge.runtime != RuntimeMode::Memlift)
    return false;
  FunctionFacts facts = functionFacts(pluginOptions.keep, pluginOptions.trustTypes);
  return (pluginOptions.async || hasValue(current_function_decl, "async")) && !facts.off &&
         !facts.properties.any() && !flag_tm;
}

unsigned runAsync() {
  if (size_t(n_basic_blocks_for_fn(cfun)) > asyncMostBlocks || cfun->calls_setjmp ||
      cfun->has_nonlocal_label || !hasAsyncCall())
    return 0;
  pluginOptions.judge.quiet = !remarksEnabled();
  bool ours = !loops_for_fn(cfun);
  if (ours)
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  calculate_dominance_info(CDI_DOMINATORS);
  bool changed = plan();
  if (ours)
    loop_optimizer_finalize();
  return changed ? TODO_update_ssa_only_virtuals | TODO_cleanup_cfg : 0;
}

} // namespace memlift
