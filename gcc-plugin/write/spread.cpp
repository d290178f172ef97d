// spread.cpp - makes a function of a nest's iterations, which memlift_spread calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (memlift_spread_units != 0 && the guard holds)
//     caller:  the environment: the values that the nest uses
//              memlift_spread(plan, body, environment, iterations, values)
//     after:   what the blocks have joined
//   else the nest as it was
//
// The body is the nest itself, moved to a function of (environment, first, end, values). A PHI of
// the header that counts begins at start + first * step; one that is joined begins with the value
// that changes nothing, and in the end is joined with values[k]. Its additions wrap, as those of a
// block may overflow where the whole does not.
#include "spread.h"
#include "../read/spread.h"
#include "emit.h"

namespace memlift {
namespace {

enum SpreadName { SpreadCall, SpreadUnits, SpreadNames };

/// Declarations for the compilation, kept from the garbage collector.
tree spreadNames[SpreadNames];

tree spreadFunction() {
  tree &decl = spreadNames[SpreadCall], p = ptr_type_node;
  if (decl)
    return decl;
  tree type = build_function_type_list(void_type_node, p, p, p, wordType(64), p, NULL_TREE);
  decl = build_fn_decl(SpreadAbi::call, type);
  TREE_NOTHROW(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  return decl;
}

tree unitsVariable() {
  tree &decl = spreadNames[SpreadUnits];
  if (!decl)
    decl = volatileOfRuntime(SpreadAbi::units);
  return decl;
}

class SpreadWriter {
public:
  SpreadWriter(const Nest &nest, LoopBinding &binding, const Decision &decision)
      : binding(binding), decision(decision), plan(decision.spread), loop(nest.outer()),
        word(wordType(64)), e(binding, binding.where) {}
  void run();

private:
  LoopBinding &binding;
  const Decision &decision;
  const SpreadPlan &plan;
  class loop *loop;
  tree word;
  Emitter e;
  struct Start { // a PHI of the header by its name, and where it begins
    tree phi, init, step;
    Carry::Kind kind;
    tree last; // its value after the nest
  };
  std::vector<Start> counters, joined; // joined: as plan.values
  std::map<tree, tree> finals;         // values of the nest that are known before it
  tree iterations = NULL_TREE, cycles = NULL_TREE, guard = NULL_TREE;
  basic_block caller = nullptr, entry = nullptr, last = nullptr, after = nullptr;
  gimple_seq head = nullptr;                        // of the body
  tree given[4];                                    // names of its arguments
  std::map<tree, std::pair<tree, unsigned>> inputs; // name in the body, offset in the environment
  unsigned environmentBytes = 0;

  void compute();
  void fork();
  void append(basic_block bb, gimple_seq seq);
  void cutOut();
  tree inBody(tree v);
  void useInputs();
  void useInputs(basic_block bb);
  void forget(tree name);
  tree assign(gimple_seq *seq, tree_code code, tree type, tree a, tree b = NULL_TREE);
  tree converted(gimple_seq *seq, tree type, tree v);
  tree place(tree pointer, unsigned offset, tree type);
  tree valueAt(tree values, size_t k) { return place(values, unsigned(8 * k), word); }
  void stepAlone(tree name, tree wide, tree by);
  void begin();
  void wrap();
  void tellApart();
  void count();
  void join();
  tree variable(unsigned bytes, const char *name);
  tree makePlan();
  void call(tree body, const std::vector<tree> &inits, tree values);
  void takeResults(tree values);
};

/// Computes all that the call and the guard need. It comes before the CFG changes, as folding may
/// ask for dominators; fork() inserts the statements.
void SpreadWriter::compute() {
  iterations = e.convert(word, e.value(plan.iterations));
  cycles = e.convert(word, e.value(plan.cycles16));
  if (decision.guard != NoExpr)
    guard = e.value(decision.guard);
  for (const auto &[name, value] : binding.finals)
    finals[name] = e.convert(TREE_TYPE(name),
                             POINTER_TYPE_P(TREE_TYPE(name)) ? e.pointer(value) : e.value(value));
  edge in = loop_preheader_edge(loop), back = loop_latch_edge(loop);
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    gphi *phi = psi.phi();
    affine_iv iv;
    if (virtual_operand_p(gimple_phi_result(phi)) || !isCounter(loop, phi, iv))
      continue;
    gimple_seq seq = nullptr;
    tree step = force_gimple_operand(unshare_expr(iv.step), &seq, true, NULL_TREE);
    gimple_seq_add_seq(&e.seq, seq);
    counters.push_back(
        {gimple_phi_result(phi), PHI_ARG_DEF_FROM_EDGE(phi, in), step, Carry::Other, NULL_TREE});
  }
  for (const CarriedPhi &c : carriedPhis(loop))
    joined.push_back({gimple_phi_result(c.phi), PHI_ARG_DEF_FROM_EDGE(c.phi, in), NULL_TREE, c.kind,
                      PHI_ARG_DEF_FROM_EDGE(c.phi, back)});
}

void SpreadWriter::append(basic_block bb, gimple_seq seq) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  if (!gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi)))
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  else
    gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
}

/// Makes a copy of the nest, which runs while there are no units, and where the guard fails. The
/// test for units comes first: most programs have none, and then nothing else is to be computed.
void SpreadWriter::fork() {
  gimple_seq test = nullptr;
  tree units = make_ssa_name(wordType(32));
  gassign *load = gimple_build_assign(units, unitsVariable());
  gimple_set_location(load, binding.where);
  gimple_seq_add_stmt(&test, load);
  append(loop_preheader_edge(loop)->src, test);
  profile_probability chance = profile_probability::unlikely();
  tree condition = build2(NE_EXPR, boolean_type_node, units, build_zero_cst(wordType(32)));
  basic_block forked;
  initialize_original_copy_tables();
  class loop *copy = loop_version(loop, condition, &forked, chance, chance.invert(), chance,
                                  chance.invert(), true);
  free_original_copy_tables();
  gcc_assert(copy);
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  basic_block check = split_edge(loop_preheader_edge(loop));
  basic_block kept = loop_preheader_edge(copy)->src;
  if (guard) {
    gcc_assert(gimple_seq_empty_p(phi_nodes(kept)));
    split_edge(single_succ_edge(check));
    gimple_seq_add_stmt(&e.seq, gimple_build_cond(NE_EXPR, guard, build_zero_cst(TREE_TYPE(guard)),
                                                  NULL_TREE, NULL_TREE));
    edge on = single_succ_edge(check), off = make_edge(check, kept, EDGE_FALSE_VALUE);
    on->flags = (on->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
    on->probability = profile_probability::likely();
    off->probability = on->probability.invert();
  }
  append(check, e.seq);
  e.seq = nullptr;
}

/// Makes the blocks around the nest: `entry` and `last` go to the body with it.
void SpreadWriter::cutOut() {
  caller = split_edge(loop_preheader_edge(loop));
  entry = split_edge(single_succ_edge(caller));
  last = split_loop_exit_edge(single_exit(loop));
  after = split_edge(single_succ_edge(last));
  tree p = ptr_type_node, types[] = {p, word, word, p};
  for (int i = 0; i < 4; ++i) {
    given[i] = make_ssa_name(types[i]);
    gimple_seq_add_stmt(&head, gimple_build_assign(given[i], build_zero_cst(types[i])));
  }
}

/// Returns the memory of a value, of any type.
tree SpreadWriter::place(tree pointer, unsigned offset, tree type) {
  tree anything = build_pointer_type_for_mode(char_type_node, ptr_mode, true);
  tree aligned = build_aligned_type(TYPE_MAIN_VARIANT(type), MIN(TYPE_ALIGN(type), unsigned(64)));
  return build2(MEM_REF, aligned, pointer, build_int_cst(anything, offset));
}

/// Returns the name that a value from before the nest has in the body, which loads it.
tree SpreadWriter::inBody(tree v) {
  if (TREE_CODE(v) != SSA_NAME)
    return v;
  auto known = inputs.find(v);
  if (known != inputs.end())
    return known->second.first;
  tree type = TREE_TYPE(v), name = make_ssa_name(type);
  inputs[v] = {name, environmentBytes};
  gimple_seq_add_stmt(&head, gimple_build_assign(name, place(given[0], environmentBytes, type)));
  environmentBytes += unsigned(tree_to_uhwi(TYPE_SIZE_UNIT(type)) + 7) / 8 * 8;
  return name;
}

/// Has debuggers know nothing of a value that moves.
void SpreadWriter::forget(tree name) {
  imm_use_iterator it;
  gimple *user;
  FOR_EACH_IMM_USE_STMT(user, it, name)
  if (gimple_debug_bind_p(user) && !flow_bb_inside_loop_p(loop, gimple_bb(user))) {
    gimple_debug_bind_reset_value(user);
    update_stmt(user);
  }
}

/// Replaces uses of values from before the nest; removes what is for a debugger.
void SpreadWriter::useInputs(basic_block bb) {
  auto replace = [&](use_operand_p use) {
    tree v = USE_FROM_PTR(use);
    if (TREE_CODE(v) != SSA_NAME || virtual_operand_p(v))
      return;
    basic_block from = gimple_bb(SSA_NAME_DEF_STMT(v));
    if (SSA_NAME_IS_DEFAULT_DEF(v) || !from || !flow_bb_inside_loop_p(loop, from))
      SET_USE(use, inBody(v));
  };
  use_operand_p use;
  def_operand_p def;
  ssa_op_iter i;
  for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())))
      forget(gimple_phi_result(psi.phi()));
  for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
    for (unsigned k = 0; k < gimple_phi_num_args(psi.phi()); ++k)
      if (gimple_phi_arg_edge(psi.phi(), k)->src != entry)
        replace(gimple_phi_arg_imm_use_ptr(psi.phi(), int(k)));
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
    gimple *stmt = gsi_stmt(gsi);
    if (is_gimple_debug(stmt)) {
      gsi_remove(&gsi, true);
      continue;
    }
    FOR_EACH_SSA_USE_OPERAND(use, stmt, i, SSA_OP_USE)
    replace(use);
    FOR_EACH_SSA_DEF_OPERAND(def, stmt, i, SSA_OP_DEF)
    forget(DEF_FROM_PTR(def));
    update_stmt(stmt);
    gsi_next(&gsi);
  }
}

void SpreadWriter::useInputs() {
  basic_block *body = get_loop_body(loop);
  for (unsigned n = 0; n < loop->num_nodes; ++n)
    useInputs(body[n]);
  free(body);
}

/// Emits one operation. Nothing is folded: the arguments of the body look like constants so far.
tree SpreadWriter::assign(gimple_seq *seq, tree_code code, tree type, tree a, tree b) {
  tree name = make_ssa_name(type);
  gimple_seq_add_stmt(seq, gimple_build_assign(name, code, a, b));
  return name;
}

tree SpreadWriter::converted(gimple_seq *seq, tree type, tree v) {
  if (useless_type_conversion_p(type, TREE_TYPE(v)))
    return v;
  return CONSTANT_CLASS_P(v) ? fold_convert(type, v) : assign(seq, NOP_EXPR, type, v);
}

/// Has a counter step by itself that takes the value of another one: where they begin is loaded in
/// the body, and no longer one step apart.
void SpreadWriter::stepAlone(tree name, tree wide, tree by) {
  auto *phi = as_a<gphi *>(SSA_NAME_DEF_STMT(name));
  edge back = loop_latch_edge(loop);
  tree next = PHI_ARG_DEF_FROM_EDGE(phi, back), type = TREE_TYPE(name);
  gimple *def = TREE_CODE(next) == SSA_NAME ? SSA_NAME_DEF_STMT(next) : nullptr;
  if (!def || gimple_code(def) != GIMPLE_PHI || gimple_bb(def) != loop->header)
    return;
  gimple_seq seq = nullptr;
  if (POINTER_TYPE_P(type))
    next = assign(&seq, POINTER_PLUS_EXPR, type, name, by);
  else
    next = converted(&seq, type, assign(&seq, PLUS_EXPR, wide, converted(&seq, wide, name), by));
  gimple_stmt_iterator test = gsi_for_stmt(last_stmt(single_exit(loop)->src));
  gsi_insert_seq_before(&test, seq, GSI_SAME_STMT);
  SET_PHI_ARG_DEF(phi, back->dest_idx, next);
}

/// Sets where the PHIs of the header begin.
void SpreadWriter::begin() {
  edge in = single_succ_edge(entry);
  auto start = [&](tree phi, tree value) {
    SET_PHI_ARG_DEF(as_a<gphi *>(SSA_NAME_DEF_STMT(phi)), in->dest_idx, value);
  };
  for (const Start &s : counters) {
    tree type = TREE_TYPE(s.phi), init = inBody(s.init), step = inBody(s.step);
    tree wide = POINTER_TYPE_P(type) ? sizetype : unsigned_type_for(type);
    tree by = converted(&head, wide, step);
    tree way = assign(&head, MULT_EXPR, wide, converted(&head, wide, given[1]), by);
    stepAlone(s.phi, wide, by);
    if (POINTER_TYPE_P(type)) {
      start(s.phi, assign(&head, POINTER_PLUS_EXPR, type, init, way));
      continue;
    }
    tree sum = assign(&head, PLUS_EXPR, wide, converted(&head, wide, init), way);
    start(s.phi, converted(&head, type, sum));
  }
  for (const Start &s : joined) {
    tree type = TREE_TYPE(s.phi);
    start(s.phi, wide_int_to_tree(type, neutral(s.kind, TYPE_PRECISION(type))));
  }
}

/// Has the operations on joined values wrap, and forgets their ranges.
void SpreadWriter::wrap() {
  for (const CarriedPhi &c : carriedPhis(loop))
    for (tree m : c.members) {
      gimple *stmt = SSA_NAME_DEF_STMT(m);
      reset_flow_sensitive_info(m);
      tree type = TREE_TYPE(m);
      if (is_gimple_assign(stmt) && TYPE_OVERFLOW_UNDEFINED(type) &&
          arith_code_with_undefined_signed_overflow(gimple_assign_rhs_code(stmt)))
        defineOverflow(stmt);
    }
}

/// Gives the arrays that are apart numbers of a clique, as the pointers say nothing any more.
void SpreadWriter::tellApart() {
  unsigned short clique = newClique();
  auto setBase = [&](tree ref, size_t base) {
    while (handled_component_p(ref))
      ref = TREE_OPERAND(ref, 0);
    if (TREE_CODE(ref) == MEM_REF || TREE_CODE(ref) == TARGET_MEM_REF) {
      MR_DEPENDENCE_CLIQUE(ref) = clique;
      MR_DEPENDENCE_BASE(ref) = (unsigned short)base;
    }
  };
  for (tree ref : binding.refs)
    setBase(ref, plan.apart.size() + 1);
  for (size_t k = 0; k < plan.apart.size(); ++k)
    for (uint32_t index : plan.apart[k])
      setBase(binding.refs[index], k + 1);
  loop->owned_clique = clique;
}

/// Replaces the nest's test by one of the block's iterations.
void SpreadWriter::count() {
  edge leave = single_exit(loop);
  gphi *j = create_phi_node(make_ssa_name(word), loop->header);
  tree one = make_ssa_name(word);
  auto *test = as_a<gcond *>(last_stmt(leave->src));
  gimple_stmt_iterator gsi = gsi_for_stmt(test);
  gsi_insert_before(&gsi,
                    gimple_build_assign(one, PLUS_EXPR, gimple_phi_result(j), build_one_cst(word)),
                    GSI_SAME_STMT);
  add_phi_arg(j, given[1], single_succ_edge(entry), binding.where);
  add_phi_arg(j, one, loop_latch_edge(loop), binding.where);
  gimple_cond_set_condition(test, leave->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, one,
                            given[2]);
  update_stmt(test);
}

/// Joins what the block gives, and returns.
void SpreadWriter::join() {
  gimple_seq seq = nullptr;
  for (size_t k = 0; k < joined.size(); ++k) {
    tree old = make_ssa_name(word);
    gimple_seq_add_stmt(&seq, gimple_build_assign(old, valueAt(given[3], k)));
    tree type = extendedFrom(TREE_TYPE(joined[k].phi), joined[k].kind),
         in = hasSign(joined[k].kind) ? signed_type_for(word) : word;
    tree mine = converted(&seq, in, converted(&seq, type, joined[k].last));
    tree all = assign(&seq, treeCodeOf(joined[k].kind), in, converted(&seq, in, old), mine);
    gimple_seq_add_stmt(&seq,
                        gimple_build_assign(valueAt(given[3], k), converted(&seq, word, all)));
  }
  gimple_seq_add_stmt(&seq, gimple_build_return(NULL_TREE));
  append(last, seq);
}

tree SpreadWriter::variable(unsigned bytes, const char *name) {
  tree v = create_tmp_var(build_array_type_nelts(word, MAX(bytes / 8, 1u)), name);
  TREE_ADDRESSABLE(v) = 1;
  return build_fold_addr_expr(v);
}

/// Emits the stores of a struct memlift_spread_plan, and returns its address.
tree SpreadWriter::makePlan() {
  tree at = variable(SpreadAbi::planBytes, "memlift_plan"), half = wordType(32);
  auto store = [&](unsigned offset, tree type, tree v) {
    gimple_seq_add_stmt(&e.seq, gimple_build_assign(place(at, offset, type), e.convert(type, v)));
  };
  uint64_t joins = 0;
  for (size_t k = 0; k < joined.size(); ++k)
    joins |= uint64_t(joined[k].kind) << 8 * (BYTES_BIG_ENDIAN ? 7 - k : k);
  store(0, half, cycles);
  store(SpreadAbi::values, half, build_int_cst(half, int64_t(joined.size())));
  store(SpreadAbi::join, word, build_int_cst(word, int64_t(joins)));
  store(SpreadAbi::unit, word, build_int_cst(word, int64_t(plan.unit)));
  return at;
}

/// Emits the environment, the start values and the call.
void SpreadWriter::call(tree body, const std::vector<tree> &inits, tree values) {
  tree environment = variable(environmentBytes, "memlift_environment");
  for (const auto &[outside, input] : inputs)
    gimple_seq_add_stmt(
        &e.seq, gimple_build_assign(place(environment, input.second, TREE_TYPE(outside)), outside));
  for (size_t k = 0; k < inits.size(); ++k) {
    tree init = e.convert(extendedFrom(TREE_TYPE(inits[k]), joined[k].kind), inits[k]);
    gimple_seq_add_stmt(&e.seq, gimple_build_assign(valueAt(values, k), e.convert(word, init)));
  }
  tree planned = makePlan();
  gcall *stmt = gimple_build_call(spreadFunction(), 5, planned, build_fold_addr_expr(body),
                                  environment, iterations, values);
  gimple_set_location(stmt, binding.where);
  gimple_seq_add_stmt(&e.seq, stmt);
  append(caller, e.seq);
  e.seq = nullptr;
}

/// Gives PHIs after the nest the values that it leaves. Those of memory are made anew.
void SpreadWriter::takeResults(tree values) {
  edge out = single_succ_edge(after);
  std::map<tree, tree> results = finals;
  for (size_t k = 0; k < joined.size(); ++k) {
    tree all = make_ssa_name(word);
    gimple_seq_add_stmt(&e.seq, gimple_build_assign(all, valueAt(values, k)));
    results[joined[k].last] = e.convert(TREE_TYPE(joined[k].phi), all);
  }
  for (gphi_iterator psi = gsi_start_phis(out->dest); !gsi_end_p(psi);) {
    tree v = PHI_ARG_DEF_FROM_EDGE(psi.phi(), out);
    if (virtual_operand_p(gimple_phi_result(psi.phi()))) {
      mark_virtual_phi_result_for_renaming(psi.phi());
      remove_phi_node(&psi, true);
      continue;
    }
    if (TREE_CODE(v) == SSA_NAME && gimple_bb(SSA_NAME_DEF_STMT(v)) == last)
      v = PHI_ARG_DEF(SSA_NAME_DEF_STMT(v), 0);
    auto known = results.find(v);
    SET_PHI_ARG_DEF(psi.phi(), out->dest_idx, known != results.end() ? known->second : v);
    gsi_next(&psi);
  }
  for (gphi_iterator psi = gsi_start_phis(last); !gsi_end_p(psi);) {
    if (virtual_operand_p(gimple_phi_result(psi.phi())))
      mark_virtual_phi_result_for_renaming(psi.phi());
    remove_phi_node(&psi, true);
  }
  append(after, e.seq);
  e.seq = nullptr;
}

void SpreadWriter::run() {
  compute();
  fork();
  cutOut();
  std::vector<tree> inits;
  for (const Start &s : joined)
    inits.push_back(s.init);
  tree values = variable(unsigned(8 * joined.size()), "memlift_values");
  mark_virtual_operands_for_renaming(cfun);
  takeResults(values);
  wrap();
  tellApart();
  useInputs();
  begin();
  count();
  join();
  append(entry, head);
  std::string asks = plan.local ? "stream" : "";
  if (plan.local && plan.store)
    asks += "=" + std::to_string(plan.store);
  tree body = moveToFunction(entry, last, binding.where, asks);
  call(body, inits, values);
}

} // namespace

void spreadNest(const Nest &nest, LoopBinding &binding, const Decision &decision) {
  SpreadWriter(nest, binding, decision).run();
}

void keepSpreadDeclarations(const char *pluginName) {
  static const ggc_root_tab roots[] = {{spreadNames, sizeof spreadNames / sizeof *spreadNames,
                                        sizeof *spreadNames, &gt_ggc_mx_tree_node,
                                        &gt_pch_nx_tree_node},
                                       LAST_GGC_ROOT_TAB};
  register_callback(pluginName, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab *>(roots));
}

} // namespace memlift
