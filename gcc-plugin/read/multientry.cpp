// multientry.cpp - finds loops that GCC's loop tree does not know, for their remark
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are searched outside of the loop pipeline, which skips functions without any natural loop.
#include "binding.h"

#include "../../idioms/cycles.h"

namespace memlift {

static bool accesses(gimple *stmt) {
  return is_gimple_assign(stmt) && gimple_vuse(stmt) && !gimple_clobber_p(stmt);
}

/// Calls `each` for the cycle's accesses.
template <class Each> static void forAccesses(const std::vector<basic_block> &blocks, Each each) {
  for (basic_block bb : blocks)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (accesses(gsi_stmt(gsi)))
        each(gsi_stmt(gsi));
}

/// Returns the place of the first access, in the function itself if there is one.
static location_t firstLine(const std::vector<basic_block> &blocks) {
  location_t first = UNKNOWN_LOCATION;
  forAccesses(blocks, [&](gimple *stmt) {
    location_t where = gimple_location(stmt);
    tree block = gimple_block(stmt);
    bool inlined = block && inlined_function_outer_scope_p(block);
    if (LOCATION_LOCUS(where) > BUILTINS_LOCATION && !inlined &&
        (first == UNKNOWN_LOCATION || LOCATION_LINE(where) < LOCATION_LINE(first)))
      first = where;
  });
  return first;
}

std::vector<LoopBinding> multiEntryLoops() {
  std::vector<LoopBinding> bindings;
  int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, order, false);
  std::vector<basic_block> blocks;
  std::map<basic_block, unsigned> number;
  for (int i = 0; i < count; ++i) {
    number[BASIC_BLOCK_FOR_FN(cfun, order[i])] = unsigned(i);
    blocks.push_back(BASIC_BLOCK_FOR_FN(cfun, order[i]));
  }
  free(order);
  FlowGraph graph(blocks.size());
  edge e;
  edge_iterator ei;
  for (size_t b = 0; b < blocks.size(); ++b)
    FOR_EACH_EDGE(e, ei, blocks[b]->succs)
  if (number.count(e->dest))
    graph[b].push_back(number[e->dest]);
  for (const std::vector<unsigned> &cycle : multiEntryCycles(graph)) {
    std::vector<basic_block> body;
    for (unsigned b : cycle)
      body.push_back(blocks[b]);
    bool any = false;
    forAccesses(body, [&](gimple *) { any = true; });
    if (!any)
      continue;
    LoopBinding binding;
    beginBinding(binding, Origin::Loop, firstLine(body), body.front());
    binding.loop.obstacles.push_back(
        {Diag::NotInnermostForm, EnteredInSeveralPlaces, binding.loop.loc});
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

} // namespace memlift
