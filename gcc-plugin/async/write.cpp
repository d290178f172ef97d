// write.cpp - begins operations in one place and ends them in others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token is 0 where no operation is in flight, and ending 0 does nothing. So paths with and
// without a begun operation may join. The token is a memory variable in GIMPLE; in RTL it gets a
// register.
#include "async.h"

namespace memlift {
namespace {

enum AsyncRoutine { BeginCopy, BeginFill, EndOperation, AsyncRoutines };

tree tokenType() { return build_nonstandard_integer_type(64, 1); }

tree typeOfRoutine(AsyncRoutine routine) {
  tree token = tokenType();
  return routine == BeginCopy ? build_function_type_list(token, ptr_type_node, const_ptr_type_node,
                                                         size_type_node, NULL_TREE)
         : routine == BeginFill
             ? build_function_type_list(token, ptr_type_node, token, size_type_node, size_type_node,
                                        NULL_TREE)
             : build_function_type_list(void_type_node, token, NULL_TREE);
}

/// One declaration for the compilation, kept from the garbage collector.
tree asyncRoutines[AsyncRoutines];

/// Declares a function of the runtime that, as far as GCC knows, may change all escaped memory.
tree asyncRoutine(AsyncRoutine routine) {
  static const char *const names[] = {asyncBeginCopy, asyncBeginFill, asyncEnd};
  tree &decl = asyncRoutines[routine];
  if (decl)
    return decl;
  decl = build_fn_decl(names[routine], typeOfRoutine(routine));
  TREE_NOTHROW(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  return decl;
}

/// Returns the value converted to `type`, with the conversion at the end of `seq` if one is needed.
tree valueAs(tree type, tree v, gimple_seq &seq) {
  if (useless_type_conversion_p(type, TREE_TYPE(v)))
    return v;
  tree unsignedOne = unsigned_type_for(TREE_TYPE(v));
  if (TREE_CODE(v) == INTEGER_CST)
    return fold_convert(type, fold_convert(unsignedOne, v));
  return gimple_convert(&seq, type, gimple_convert(&seq, unsignedOne, v));
}

/// Returns a fill's pattern, lowest byte first in either byte order.
tree patternOf(const AsyncCall &op, gimple_seq &seq) {
  tree type = tokenType(), v = op.pattern;
  unsigned bytes = TYPE_PRECISION(TREE_TYPE(v)) / 8;
  bool swapped = !op.period && bytes > 1 && BYTES_BIG_ENDIAN;
  if (swapped && TREE_CODE(v) == INTEGER_CST) {
    wide_int value = wi::to_wide(v);
    v = wide_int_to_tree(unsigned_type_for(TREE_TYPE(v)), bytesSwapped(value));
  } else if (swapped) {
    built_in_function swap = bytes == 2   ? BUILT_IN_BSWAP16
                             : bytes == 4 ? BUILT_IN_BSWAP32
                                          : BUILT_IN_BSWAP64;
    tree decl = builtin_decl_implicit(swap);
    tree arg = TREE_VALUE(TYPE_ARG_TYPES(TREE_TYPE(decl)));
    gcall *call = gimple_build_call(decl, 1, valueAs(arg, v, seq));
    v = make_ssa_name(TREE_TYPE(TREE_TYPE(decl)));
    gimple_call_set_lhs(call, v);
    gimple_seq_add_stmt(&seq, call);
  }
  return valueAs(type, v, seq);
}

/// Returns the value at the sequence's place, recomputed if it is not available there:
/// isComputable() has returned true.
tree computed(const AsyncFacts &facts, FlowPoint at, tree v, gimple_seq &seq) {
  if (facts.isThere(v, at))
    return v;
  gimple *again = gimple_copy(SSA_NAME_DEF_STMT(v));
  for (unsigned i = 1; i < gimple_num_ops(again); ++i)
    gimple_set_op(again, i, computed(facts, at, gimple_op(again, i), seq));
  tree lhs = make_ssa_name(TREE_TYPE(v), again);
  gimple_assign_set_lhs(again, lhs);
  gimple_seq_add_stmt(&seq, again);
  return lhs;
}

/// Returns the size, or 0 where a test that the operation is moved above would not lead to it.
tree guardedBytes(const AsyncFacts &facts, const AsyncPlan &plan, tree bytes, gimple_seq &seq) {
  for (const AsyncGuard &g : plan.guards) {
    gimple *test = last_stmt(facts.block(g.from));
    edge e = find_edge(facts.block(g.from), facts.block(g.to));
    tree is = make_ssa_name(boolean_type_node), chosen = make_ssa_name(size_type_node);
    tree left = computed(facts, plan.begin, gimple_cond_lhs(test), seq);
    tree right = computed(facts, plan.begin, gimple_cond_rhs(test), seq);
    gimple_seq_add_stmt(&seq, gimple_build_assign(is, gimple_cond_code(test), left, right));
    tree none = size_zero_node;
    bool wanted = e->flags & EDGE_TRUE_VALUE;
    gimple_seq_add_stmt(&seq, gimple_build_assign(chosen, COND_EXPR, is, wanted ? bytes : none,
                                                  wanted ? none : bytes));
    bytes = chosen;
  }
  return bytes;
}

gimple_seq beginSequence(const AsyncFacts &facts, const AsyncPlan &plan, AsyncCall op, tree token) {
  gimple_seq seq = nullptr;
  for (tree *v : {&op.dst, &op.src, &op.pattern, &op.period, &op.bytes})
    *v = computed(facts, plan.begin, *v, seq);
  location_t where = gimple_location(op.call);
  tree bytes = guardedBytes(facts, plan, valueAs(size_type_node, op.bytes, seq), seq);
  gcall *call;
  if (op.src) {
    call = gimple_build_call(asyncRoutine(BeginCopy), 3, op.dst, op.src, bytes);
  } else {
    tree period = op.period ? valueAs(size_type_node, op.period, seq)
                            : build_int_cst(size_type_node, op.operation->elementBits / 8);
    tree pattern = patternOf(op, seq);
    call = gimple_build_call(asyncRoutine(BeginFill), 4, op.dst, pattern, period, bytes);
  }
  tree value = make_ssa_name(tokenType());
  gimple_call_set_lhs(call, value);
  gimple_set_location(call, where);
  gimple_seq_add_stmt(&seq, call);
  gimple_seq_add_stmt(&seq, gimple_build_assign(token, value));
  return seq;
}

gimple_seq waitSequence(tree token, location_t where) {
  gimple_seq seq = nullptr;
  tree value = make_ssa_name(tokenType());
  gimple_seq_add_stmt(&seq, gimple_build_assign(value, token));
  gcall *call = gimple_build_call(asyncRoutine(EndOperation), 1, value);
  gimple_set_location(call, where);
  gimple_seq_add_stmt(&seq, call);
  gimple_seq_add_stmt(&seq, gimple_build_assign(token, build_zero_cst(tokenType())));
  return seq;
}

void insertBefore(const AsyncFacts &facts, FlowPoint at, gimple_seq seq) {
  gimple *stmt = facts.statement(at);
  gimple_stmt_iterator gsi;
  if (stmt) {
    gsi = gsi_for_stmt(stmt);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    return;
  }
  basic_block bb = facts.block(at.block);
  gsi = gsi_last_bb(bb);
  if (gsi_end_p(gsi)) {
    gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  } else {
    gsi_insert_seq_after(&gsi, seq, GSI_NEW_STMT);
  }
}

void insertWait(const AsyncFacts &facts, const AsyncWait &wait, tree token) {
  gimple *cause = facts.statement(wait.cause);
  gimple_seq seq = waitSequence(token, cause ? gimple_location(cause) : UNKNOWN_LOCATION);
  if (wait.to == AsyncWait::NoBlock) {
    insertBefore(facts, wait.at, seq);
    return;
  }
  edge e = find_edge(facts.block(wait.at.block), facts.block(wait.to));
  gsi_insert_seq_on_edge(e, seq);
}

tree newToken() {
  tree token = create_tmp_var_raw(tokenType(), "memlift_token");
  DECL_NOT_GIMPLE_REG_P(token) = 1;
  DECL_CONTEXT(token) = current_function_decl;
  add_local_decl(cfun, token);
  gimple_seq seq = nullptr;
  gimple_seq_add_stmt(&seq, gimple_build_assign(token, build_zero_cst(tokenType())));
  gsi_insert_seq_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), seq);
  return token;
}

} // namespace

void keepAsyncDeclarations(const char *pluginName) {
  static const ggc_root_tab roots[] = {{asyncRoutines, AsyncRoutines, sizeof *asyncRoutines,
                                        &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                       LAST_GGC_ROOT_TAB};
  register_callback(pluginName, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab *>(roots));
}

void writeAsync(const AsyncFacts &facts, const std::vector<AsyncPlan> &plans) {
  std::vector<tree> tokens(plans.size(), NULL_TREE);
  // At the same statement, waits come before operations that begin.
  for (size_t k = 0; k < plans.size(); ++k)
    if (plans[k].worthIt) {
      tokens[k] = newToken();
      for (const AsyncWait &wait : plans[k].waits)
        insertWait(facts, wait, tokens[k]);
    }
  for (size_t k = 0; k < plans.size(); ++k)
    if (tokens[k])
      insertBefore(facts, plans[k].begin,
                   beginSequence(facts, plans[k], facts.operations[k], tokens[k]));
  gsi_commit_edge_inserts();
  for (size_t k = 0; k < plans.size(); ++k)
    if (tokens[k]) {
      gimple_stmt_iterator gsi = gsi_for_stmt(facts.operations[k].call);
      unlink_stmt_vdef(gsi_stmt(gsi));
      gsi_remove(&gsi, true);
    }
  mark_virtual_operands_for_renaming(cfun);
}

} // namespace memlift
