// stream.cpp - cuts a nest into blocks that memlift_stream_next moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   preheader: begin; m0 = next(shifts)
//   block:     m = PHI <m0, m1>                    each PHI of the header has one here, too
//              q = shifts[k].delta, as a pointer
//   header:    j = PHI <0, j + 1>
//              the body; an access of stream k through q + p, in place of p
//   exit:      if (j + 1 == m) goto next           in place of the loop's own test
//   next:      m1 = next(shifts); if (m1 != 0) goto block
//   done:      end
//
// The iterations of all blocks together are the loop's trip count, so its own test is not needed.
// The pointer q + p has no points-to set: the bytes are those of the local store in some blocks,
// and of the program's array in others. Numbers of a clique tell the streams apart, as for
// restrict.
//
// A copy of the loop runs where the guard fails, and while no thread has a local store.
#include "stream.h"
#include "emit.h"

namespace memlift {
namespace {

enum Entry { Begin, Next, End, Entries };

/// One declaration for the compilation, kept from the garbage collector.
tree entries[Entries];

tree entryPoint(Entry entry) {
  static const char *const names[] = {StreamAbi::begin, StreamAbi::next, StreamAbi::end};
  tree &decl = entries[entry], word = wordType(64), p = ptr_type_node;
  if (decl)
    return decl;
  tree type = entry == Begin  ? build_function_type_list(void_type_node, p, p, p, word, NULL_TREE)
              : entry == Next ? build_function_type_list(word, p, p, NULL_TREE)
                              : build_function_type_list(void_type_node, p, NULL_TREE);
  decl = build_fn_decl(names[entry], type);
  TREE_NOTHROW(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  return decl;
}

/// The number of threads that have a local store, kept from the garbage collector.
tree boundThreads;

tree boundVariable() {
  if (!boundThreads)
    boundThreads = volatileOfRuntime(StreamAbi::bound);
  return boundThreads;
}

class StreamWriter {
public:
  StreamWriter(const Nest &nest, LoopBinding &binding, const Decision &decision)
      : nest(nest), binding(binding), decision(decision), plan(decision.stream), loop(nest.outer()),
        word(wordType(64)), e(binding, binding.where) {}
  void run();

private:
  const Nest &nest;
  LoopBinding &binding;
  const Decision &decision;
  const StreamPlan &plan;
  class loop *loop;
  tree word;
  Emitter e;
  tree state = NULL_TREE, accesses = NULL_TREE, shifts = NULL_TREE, planned = NULL_TREE;
  std::vector<tree> bases, steps, sizes; // as plan.accesses
  tree iterations = NULL_TREE, cycles = NULL_TREE, guard = NULL_TREE;
  basic_block block = nullptr, entry = nullptr, next = nullptr, done = nullptr, again = nullptr;
  gcall *beginning = nullptr;
  std::map<tree, std::pair<size_t, unsigned short>> streamOf; // by reference: stream, base number

  void compute();
  void keepCopy();
  tree threadsBound();
  class loop *version(tree value, profile_probability holds);
  void check(class loop *copy);
  tree onStack(unsigned words, const char *name);
  void store(tree to, unsigned offset, unsigned bytes, tree value);
  void append(basic_block bb);
  gcall *call(Entry entry, std::vector<tree> args, tree result = NULL_TREE);
  tree begin();
  void cut(tree first);
  void carry();
  tree leaving(tree value);
  void count(tree first, tree m1);
  tree shiftOf(size_t stream);
  void retarget();
  void retargetCall(gimple *stmt, const std::vector<tree> &by);
  void retarget(gimple *stmt, const std::vector<tree> &by, unsigned short clique);
  tree moved(gimple *stmt, tree ref, tree by, unsigned short clique, unsigned short base);
};

void StreamWriter::append(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  if (!gsi_end_p(gsi) && stmt_ends_bb_p(gsi_stmt(gsi)))
    gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  else
    gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);
  e.seq = nullptr;
}

/// Computes all that the calls and the guard need. It comes before the CFG changes, as folding may
/// ask for dominators; keepCopy() inserts the statements.
void StreamWriter::compute() {
  for (const StreamAccess &a : plan.accesses) {
    bases.push_back(e.pointer(a.base));
    steps.push_back(e.convert(word, e.value(a.step)));
    sizes.push_back(e.convert(word, e.value(a.bytes)));
  }
  iterations = e.convert(word, e.value(plan.iterations));
  cycles = e.convert(word, e.value(plan.cycles16));
  if (decision.guard != NoExpr)
    guard = e.value(decision.guard);
}

/// Reads how many threads have a local store.
tree StreamWriter::threadsBound() {
  tree variable = boundVariable(), threads = make_ssa_name(wordType(32));
  gassign *load = gimple_build_assign(threads, variable);
  gimple_set_location(load, binding.where);
  gimple_seq_add_stmt(&e.seq, load);
  return threads;
}

/// Makes a copy of the nest, which runs where a value is 0.
class loop *StreamWriter::version(tree value, profile_probability holds) {
  tree condition = build2(NE_EXPR, boolean_type_node, value, build_zero_cst(TREE_TYPE(value)));
  basic_block fork;
  initialize_original_copy_tables();
  class loop *copy =
      loop_version(loop, condition, &fork, holds, holds.invert(), holds, holds.invert(), true);
  free_original_copy_tables();
  gcc_assert(copy);
  // The copy's stores need virtual operands of their own before the loop is changed.
  mark_virtual_operands_for_renaming(cfun);
  update_ssa(TODO_update_ssa);
  return copy;
}

/// Inserts what the calls need before the nest, and has the copy run where the guard fails, too.
void StreamWriter::check(class loop *copy) {
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
  append(check);
}

/// Puts a copy of the nest on the other branch of the test for local stores, and of the guard. That
/// test comes first: most programs have no store, and then nothing else is to be computed.
void StreamWriter::keepCopy() {
  if (!plan.whereBound) {
    append(loop_preheader_edge(loop)->src);
    // Where addresses overlap, the vectoriser would test for that once more.
    for (class loop *l = guard ? version(guard, profile_probability::likely()) : nullptr; l;
         l = l->inner)
      l->dont_vectorize = true;
    return;
  }
  gimple_seq computed = e.seq;
  e.seq = nullptr;
  tree threads = threadsBound();
  append(loop_preheader_edge(loop)->src);
  class loop *copy = version(threads, profile_probability::unlikely());
  e.seq = computed;
  check(copy);
}

/// Makes a variable, and returns its address.
tree StreamWriter::onStack(unsigned words, const char *name) {
  tree variable = create_tmp_var(build_array_type_nelts(word, words), name);
  TREE_ADDRESSABLE(variable) = 1;
  return build_fold_addr_expr(variable);
}

void StreamWriter::store(tree to, unsigned offset, unsigned bytes, tree value) {
  tree at = reference(to, offset, bytes, bytes);
  gassign *stmt = gimple_build_assign(at, e.convert(TREE_TYPE(at), value));
  gimple_set_location(stmt, binding.where);
  gimple_seq_add_stmt(&e.seq, stmt);
}

/// Calls a function of the runtime. As far as GCC knows, it may change all escaped memory.
gcall *StreamWriter::call(Entry which, std::vector<tree> args, tree result) {
  auto_vec<tree, 4> list;
  for (tree arg : args)
    list.safe_push(arg);
  gcall *stmt = gimple_build_call_vec(entryPoint(which), list);
  if (result)
    gimple_call_set_lhs(stmt, result);
  gimple_set_location(stmt, binding.where);
  gimple_seq_add_stmt(&e.seq, stmt);
  return stmt;
}

/// Emits the calls before the first block. Returns the number of its iterations.
tree StreamWriter::begin() {
  unsigned n = unsigned(plan.accesses.size());
  state = onStack(StreamAbi::stateBytes / 8, "memlift_stream");
  accesses = onStack(n * StreamAbi::accessBytes / 8, "memlift_accesses");
  shifts = onStack(n * StreamAbi::shiftBytes / 8, "memlift_shifts");
  planned = onStack(StreamAbi::planBytes / 8, "memlift_plan");
  tree zero = build_zero_cst(word);
  store(planned, 0, 4, build_int_cst(word, n));
  store(planned, StreamAbi::cycles16, 4, cycles);
  store(planned, StreamAbi::store, 8, build_int_cst(word, int64_t(plan.store)));
  for (unsigned k = 0; k < n; ++k) {
    unsigned at = k * StreamAbi::accessBytes;
    store(accesses, at, 8, bases[k]);
    store(accesses, at + StreamAbi::step, 8, steps[k]);
    store(accesses, at + StreamAbi::bytes, 8, sizes[k]);
    store(accesses, at + StreamAbi::how, 4, build_int_cst(word, plan.accesses[k].how));
    store(accesses, at + StreamAbi::how + 4, 4, zero);
  }
  beginning = call(Begin, {state, planned, accesses, iterations});
  tree first = make_ssa_name(word);
  call(Next, {state, shifts}, first);
  append(loop_preheader_edge(loop)->src);
  return first;
}

/// Returns the value of the loop after a block.
tree StreamWriter::leaving(tree value) {
  if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value) ||
      !flow_bb_inside_loop_p(loop, gimple_bb(SSA_NAME_DEF_STMT(value))))
    return value;
  gphi *phi = create_phi_node(copy_ssa_name(value), next);
  add_phi_arg(phi, value, single_pred_edge(next), binding.where);
  return gimple_phi_result(phi);
}

/// Gives every PHI of the header one in the block's header, so that values go on from block to
/// block.
void StreamWriter::carry() {
  edge in = single_succ_edge(entry), back = loop_latch_edge(loop);
  edge first = EDGE_PRED(block, 0), more = single_succ_edge(again);
  if (first == more)
    first = EDGE_PRED(block, 1);
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    gphi *phi = psi.phi();
    tree result = gimple_phi_result(phi);
    if (virtual_operand_p(result))
      continue;
    gphi *outer = create_phi_node(copy_ssa_name(result), block);
    add_phi_arg(outer, PHI_ARG_DEF_FROM_EDGE(phi, in), first, binding.where);
    add_phi_arg(outer, leaving(PHI_ARG_DEF_FROM_EDGE(phi, back)), more, binding.where);
    SET_PHI_ARG_DEF(phi, in->dest_idx, gimple_phi_result(outer));
  }
}

/// Replaces the loop's test by one of the block's iterations.
void StreamWriter::count(tree first, tree m1) {
  edge more = single_succ_edge(again), leave = single_exit(loop);
  gphi *m = create_phi_node(make_ssa_name(word), block);
  for (unsigned i = 0; i < 2; ++i)
    add_phi_arg(m, EDGE_PRED(block, i) == more ? m1 : first, EDGE_PRED(block, i), binding.where);
  gphi *j = create_phi_node(make_ssa_name(word), loop->header);
  tree one = make_ssa_name(word);
  auto *test = as_a<gcond *>(last_stmt(leave->src));
  gimple_stmt_iterator gsi = gsi_for_stmt(test);
  gsi_insert_before(&gsi,
                    gimple_build_assign(one, PLUS_EXPR, gimple_phi_result(j), build_one_cst(word)),
                    GSI_SAME_STMT);
  add_phi_arg(j, build_zero_cst(word), single_succ_edge(entry), binding.where);
  add_phi_arg(j, one, loop_latch_edge(loop), binding.where);
  gimple_cond_set_condition(test, leave->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, one,
                            gimple_phi_result(m));
  update_stmt(test);
}

/// Builds the loop around the loop.
void StreamWriter::cut(tree first) {
  block = split_edge(loop_preheader_edge(loop));
  entry = split_edge(single_succ_edge(block));
  next = split_loop_exit_edge(single_exit(loop));
  done = split_edge(single_succ_edge(next));
  call(End, {state});
  append(done);
  tree m1 = make_ssa_name(word);
  call(Next, {state, shifts}, m1);
  gimple_seq_add_stmt(&e.seq,
                      gimple_build_cond(NE_EXPR, m1, build_zero_cst(word), NULL_TREE, NULL_TREE));
  append(next);
  edge out = single_succ_edge(next);
  edge back = make_edge(next, block, EDGE_TRUE_VALUE);
  out->flags = (out->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  back->probability = profile_probability::likely();
  out->probability = back->probability.invert();
  again = split_edge(back);
  class loop *outer = alloc_loop();
  outer->header = block;
  outer->latch = again;
  add_loop(outer, loop_outer(loop));
  carry();
  count(first, m1);
}

/// Returns what is added to addresses of a stream, as a pointer: constant in a block, or one more
/// slope in each iteration.
tree StreamWriter::shiftOf(size_t stream) {
  auto load = [&](unsigned offset) {
    tree value = make_ssa_name(word);
    gimple_seq_add_stmt(&e.seq, gimple_build_assign(value, reference(shifts, offset, 8, 8)));
    return value;
  };
  unsigned at = unsigned(stream) * StreamAbi::shiftBytes;
  tree delta = load(at);
  if (!(plan.accesses[stream].how & StreamAccess::Rows)) {
    tree by = e.convert(ptr_type_node, delta);
    append(entry);
    return by;
  }
  tree slope = load(at + StreamAbi::slope);
  append(entry);
  gphi *phi = create_phi_node(make_ssa_name(word), loop->header);
  tree by = gimple_phi_result(phi), more = make_ssa_name(word);
  gimple_stmt_iterator gsi = gsi_for_stmt(last_stmt(single_exit(loop)->src));
  gsi_insert_before(&gsi, gimple_build_assign(more, PLUS_EXPR, by, slope), GSI_SAME_STMT);
  add_phi_arg(phi, delta, single_succ_edge(entry), binding.where);
  add_phi_arg(phi, more, loop_latch_edge(loop), binding.where);
  tree pointer = e.convert(ptr_type_node, by);
  gsi = gsi_after_labels(loop->header);
  gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  e.seq = nullptr;
  return pointer;
}

/// Returns the reference to the moved bytes.
tree StreamWriter::moved(gimple *stmt, tree ref, tree by, unsigned short clique,
                         unsigned short base) {
  gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
  tree alias = reference_alias_ptr_type(ref);
  tree type = build_aligned_type(TYPE_MAIN_VARIANT(TREE_TYPE(ref)), get_object_alignment(ref));
  tree to = ref;
  if (by) {
    tree address = force_gimple_operand_gsi(&gsi, build_fold_addr_expr(unshare_expr(ref)), true,
                                            NULL_TREE, true, GSI_SAME_STMT);
    gimple_seq seq = nullptr;
    tree offset = gimple_convert(&seq, sizetype, address);
    to = gimple_build(&seq, POINTER_PLUS_EXPR, ptr_type_node, by, offset);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    to = build2(MEM_REF, type, to, build_zero_cst(alias));
  }
  tree inner = to;
  while (handled_component_p(inner))
    inner = TREE_OPERAND(inner, 0);
  if (TREE_CODE(inner) == MEM_REF || TREE_CODE(inner) == TARGET_MEM_REF) {
    MR_DEPENDENCE_CLIQUE(inner) = clique;
    MR_DEPENDENCE_BASE(inner) = base;
  }
  return to;
}

/// Replaces the addresses of a call that was read as a load and a store.
void StreamWriter::retargetCall(gimple *stmt, const std::vector<tree> &by) {
  auto accesses = binding.copies.find(stmt);
  if (accesses == binding.copies.end())
    return;
  bool set = accesses->second.first == accesses->second.second;
  for (unsigned argument = 0; argument < (set ? 1 : 2); ++argument) {
    uint32_t access = argument ? accesses->second.first : accesses->second.second;
    size_t k = streamOf[binding.refs[access]].first;
    if (k >= by.size())
      continue;
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    gimple_seq seq = nullptr;
    tree offset = gimple_convert(&seq, sizetype, gimple_call_arg(stmt, argument));
    tree to = gimple_build(&seq, POINTER_PLUS_EXPR, ptr_type_node, by[k], offset);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    gimple_call_set_arg(stmt, argument, to);
  }
  update_stmt(stmt);
}

/// Replaces the references of a statement that are those of the loop model.
void StreamWriter::retarget(gimple *stmt, const std::vector<tree> &by, unsigned short clique) {
  retargetCall(stmt, by);
  if (!is_gimple_assign(stmt))
    return;
  for (unsigned i = 0; i < 2; ++i) {
    tree ref = gimple_op(stmt, i);
    auto known = streamOf.find(ref);
    if (known == streamOf.end())
      continue;
    size_t k = known->second.first;
    gimple_set_op(
        stmt, i, moved(stmt, ref, k < by.size() ? by[k] : NULL_TREE, clique, known->second.second));
  }
  update_stmt(stmt);
}

/// Gives each stream a number of a new clique, and one to the accesses that are not moved.
void StreamWriter::retarget() {
  size_t n = plan.accesses.size();
  for (tree ref : binding.refs)
    streamOf[ref] = {n, (unsigned short)(n + 1)};
  std::vector<tree> by;
  for (size_t k = 0; k < n; ++k) {
    by.push_back(shiftOf(k));
    for (uint32_t index : plan.accesses[k].accesses)
      streamOf[binding.refs[index]] = {k, (unsigned short)(k + 1)};
  }
  unsigned short clique = newClique();
  basic_block *body = get_loop_body(loop);
  std::vector<gimple *> all;
  for (unsigned i = 0; i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      all.push_back(gsi_stmt(gsi));
  free(body);
  for (gimple *stmt : all)
    retarget(stmt, by, clique);
}

void StreamWriter::run() {
  compute();
  keepCopy();
  tree first = begin();
  cut(first);
  retarget();
  if (plan.whereBound)
    separateValues(loop_outer(loop), beginning, binding.where);
}

} // namespace

bool isResumable(const Nest &nest, const LoopBinding &binding) {
  class loop *loop = nest.outer();
  edge exit = nest.exit;
  if (!exit || !loop->latch || !safe_dyn_cast<gcond *>(last_stmt(exit->src)) ||
      !empty_block_p(loop->latch) || !single_pred_p(loop->latch) ||
      single_pred(loop->latch) != exit->src || !can_duplicate_loop_p(loop))
    return false;
  return std::find(binding.refs.begin(), binding.refs.end(), NULL_TREE) == binding.refs.end();
}

void streamNest(const Nest &nest, LoopBinding &binding, const Decision &decision) {
  StreamWriter(nest, binding, decision).run();
}

void keepStreamDeclarations(const char *pluginName) {
  static const ggc_root_tab roots[] = {
      {entries, sizeof entries / sizeof *entries, sizeof *entries, &gt_ggc_mx_tree_node,
       &gt_pch_nx_tree_node},
      {&boundThreads, 1, sizeof boundThreads, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
      LAST_GGC_ROOT_TAB};
  register_callback(pluginName, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab *>(roots));
}

} // namespace memlift
