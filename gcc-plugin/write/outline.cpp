// outline.cpp - moves blocks into a function of their own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../attributes.h"
#include "spread.h"

#include "tree-ssa.h"

namespace memlift {
namespace {

/// Declares a function void (void *, uint64_t, uint64_t, void *), local to the file.
tree declareBody(location_t where, const std::string &asks) {
  tree word = long_long_unsigned_type_node, p = ptr_type_node;
  tree name = clone_function_name_numbered(current_function_decl, "spread");
  tree decl = build_decl(where, FUNCTION_DECL, name,
                         build_function_type_list(void_type_node, p, word, word, p, NULL_TREE));
  SET_DECL_ASSEMBLER_NAME(decl, name);
  TREE_STATIC(decl) = 1;
  TREE_USED(decl) = 1;
  TREE_NOTHROW(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_IGNORED_P(decl) = 0;
  DECL_UNINLINABLE(decl) = 1;
  DECL_FUNCTION_SPECIFIC_TARGET(decl) = DECL_FUNCTION_SPECIFIC_TARGET(current_function_decl);
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) =
      DECL_FUNCTION_SPECIFIC_OPTIMIZATION(current_function_decl);
  addValue(decl, OutlinedValue);
  if (!asks.empty())
    addValue(decl, asks.c_str());
  DECL_INITIAL(decl) = make_node(BLOCK);
  BLOCK_SUPERCONTEXT(DECL_INITIAL(decl)) = decl;
  tree result = build_decl(where, RESULT_DECL, NULL_TREE, void_type_node);
  DECL_ARTIFICIAL(result) = 1;
  DECL_IGNORED_P(result) = 1;
  DECL_CONTEXT(result) = decl;
  DECL_RESULT(decl) = result;
  tree *next = &DECL_ARGUMENTS(decl);
  for (tree type : {p, word, word, p}) {
    tree parameter = build_decl(where, PARM_DECL, NULL_TREE, type);
    DECL_ARTIFICIAL(parameter) = 1;
    DECL_ARG_TYPE(parameter) = type;
    DECL_CONTEXT(parameter) = decl;
    TREE_USED(parameter) = 1;
    *next = parameter;
    next = &DECL_CHAIN(parameter);
  }
  return decl;
}

function *allocate(tree decl, location_t where) {
  function *outer = cfun;
  allocate_struct_function(decl, false);
  function *made = DECL_STRUCT_FUNCTION(decl);
  set_cfun(outer);
  made->function_start_locus = made->function_end_locus = where;
  made->curr_properties = cfun->curr_properties;
  made->last_clique = cfun->last_clique;
  init_tree_ssa(made);
  init_ssa_operands(made);
  made->gimple_df->in_ssa_p = true;
  return made;
}

/// Has the first assignments of the function take the arguments.
void takeArguments(tree decl, function *made) {
  gimple_stmt_iterator gsi = gsi_start_bb(single_succ(ENTRY_BLOCK_PTR_FOR_FN(made)));
  for (tree p = DECL_ARGUMENTS(decl); p; p = DECL_CHAIN(p), gsi_next(&gsi)) {
    while (!is_gimple_assign(gsi_stmt(gsi)))
      gsi_next(&gsi);
    gimple_assign_set_rhs1(gsi_stmt(gsi), get_or_create_ssa_default_def(made, p));
    update_stmt(gsi_stmt(gsi));
  }
}

/// Drops variables that stay with the outer function.
void dropVariables(tree decl, function *made) {
  unsigned kept = 0;
  for (unsigned i = 0; i < vec_safe_length(made->local_decls); ++i) {
    tree variable = (*made->local_decls)[i];
    if (DECL_CONTEXT(variable) == decl)
      (*made->local_decls)[kept++] = variable;
  }
  if (made->local_decls)
    made->local_decls->truncate(kept);
}

} // namespace

tree moveToFunction(basic_block entry, basic_block last, location_t where,
                    const std::string &asks) {
  where = LOCATION_LOCUS(where); // its scope is one of the outer function
  tree decl = declareBody(where, asks);
  function *made = allocate(decl, where);
  free_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_DOMINATORS);
  basic_block instead = move_sese_region_to_fn(made, entry, last, NULL_TREE);
  single_succ_edge(instead)->flags = EDGE_FALLTHRU;
  dropVariables(decl, made);
  cgraph_node::get_create(decl);
  cgraph_node::add_new_function(decl, true);
  push_cfun(made);
  takeArguments(decl, made);
  update_max_bb_count();
  cgraph_edge::rebuild_edges();
  update_ssa(TODO_update_ssa);
  pop_cfun();
  return decl;
}

} // namespace memlift
