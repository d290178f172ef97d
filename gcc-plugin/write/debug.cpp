// debug.cpp - debug information of variables whose loops were replaced
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   # DEBUG s => 0                    # DEBUG s => 0
//   loop: s_5 = PHI <0, s_6>    =>    # DEBUG s => NULL
//         # DEBUG s => s_5            s_9 = memlift_sum (..)
//         ..                          # DEBUG s => s_9
//
// Only debug statements are read and written: the code is identical with -g and without.
#include "debug.h"

#include <algorithm>

namespace memlift {

BoundVariables::Variable &BoundVariables::of(tree decl) {
  for (Variable &v : variables)
    if (v.decl == decl)
      return v;
  variables.push_back({decl, NULL_TREE, nullptr, true, false});
  return variables.back();
}

static bool isOuter(tree value, const std::vector<basic_block> &region) {
  if (!value || TREE_CODE(value) != SSA_NAME)
    return value && is_gimple_ip_invariant(value);
  basic_block at = gimple_bb(SSA_NAME_DEF_STMT(value));
  return !at || std::find(region.begin(), region.end(), at) == region.end();
}

/// Keeps the last binding before the region's end: of several whose blocks all dominate it, the
/// nearest one was executed last.
void BoundVariables::note(gimple *stmt, const std::vector<basic_block> &region, basic_block last) {
  bool source = gimple_debug_source_bind_p(stmt);
  if (!source && !gimple_debug_bind_p(stmt))
    return;
  tree decl = source ? gimple_debug_source_bind_get_var(stmt) : gimple_debug_bind_get_var(stmt);
  if (TREE_CODE(decl) == DEBUG_EXPR_DECL)
    return;
  basic_block at = gimple_bb(stmt);
  Variable &v = of(decl);
  v.certain &= last && dominated_by_p(CDI_DOMINATORS, last, at);
  if (!v.certain || (v.at && !dominated_by_p(CDI_DOMINATORS, at, v.at)))
    return;
  v.at = at;
  v.value = !source && gimple_debug_bind_has_value_p(stmt) ? gimple_debug_bind_get_value(stmt)
                                                           : NULL_TREE;
  v.outer = isOuter(v.value, region);
}

BoundVariables::BoundVariables(const std::vector<basic_block> &region, basic_block last) {
  if (MAY_HAVE_DEBUG_BIND_STMTS)
    for (basic_block bb : region)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        note(gsi_stmt(gsi), region, last);
}

static void bindAtStart(basic_block bb, tree decl, tree value) {
  gimple_stmt_iterator gsi = gsi_after_labels(bb);
  gsi_insert_before(&gsi, gimple_build_debug_bind(decl, value, nullptr), GSI_SAME_STMT);
}

void BoundVariables::forget(basic_block arm) const {
  for (const Variable &v : variables)
    bindAtStart(arm, v.decl, NULL_TREE);
}

void BoundVariables::bind(basic_block join, tree old, tree both) const {
  for (const Variable &v : variables)
    if (v.certain && v.value == old)
      bindAtStart(join, v.decl, both);
}

void BoundVariables::bindOuter(basic_block join) const {
  for (const Variable &v : variables)
    if (v.certain && v.outer)
      bindAtStart(join, v.decl, unshare_expr(v.value));
}

} // namespace memlift
