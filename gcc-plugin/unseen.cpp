// unseen.cpp - functions whose loops no pass of GCC looks at, and the remarks of these loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "options.h"
#include "report.h"
#include "require/require.h"
#include "unrolled.h"

namespace memlift {
namespace {

/// Returns the reason why GCC runs no pass over the loops of the current function; null if it does.
const char *whyUnseen() {
  tree f = current_function_decl;
  if (!opt_for_fn(f, optimize))
    return "the function is compiled without optimisation (-O0)";
  if (opt_for_fn(f, optimize_debug))
    return "the function is optimised for debugging (-Og)";
  if (!opt_for_fn(f, flag_tree_loop_optimize))
    return "passes over loops are off (-fno-tree-loop-optimize)";
  return nullptr;
}

/// Returns the first store of an innermost loop to more than a local variable; null if there is
/// none.
gimple *firstStore(class loop *loop) {
  gimple *found = nullptr;
  basic_block *body = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes && !found; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi) && !found;
         gsi_next(&gsi)) {
      gimple *stmt = gsi_stmt(gsi);
      if (is_gimple_assign(stmt) && REFERENCE_CLASS_P(gimple_assign_lhs(stmt)))
        found = stmt;
    }
  free(body);
  return found;
}

void emitUnseenRemark(gimple *store, unsigned ordinal, const char *why) {
  LoopBinding binding;
  beginBinding(binding, Origin::Loop, gimple_location(store), gimple_bb(store));
  binding.loop.id = functionId() + "#" + std::to_string(ordinal);
  binding.loop.function.properties.set(Property::Unread, why);
  binding.loop.obstacles.push_back({Diag::NotInnermostForm, "it was not read", binding.loop.loc});
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  report(binding, outcome);
}

} // namespace

unsigned emitUnseenRemarks() {
  noteReached();
  const char *why = whyUnseen();
  if (!why)
    return 0;
  useOptionsOfFunction();
  if (pluginOptions.off || !remarksEnabled())
    return 0;
  // The pass that has just built the control flow graph has found its loops.
  if (!loops_for_fn(cfun))
    return 0;
  unsigned ordinal = 0;
  for (class loop *loop : *get_loops(cfun))
    if (loop && loop_outer(loop) && !loop->inner)
      if (gimple *store = firstStore(loop))
        emitUnseenRemark(store, ordinal++, why);
  return 0;
}

} // namespace memlift
