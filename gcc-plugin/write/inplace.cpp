// inplace.cpp - loops that take the place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// at -> header: iv, pointers, scalars = PHIs
//       iv < trip ? -> latch: loads, stores, next ... -> header
//                 : -> what comes next
//
// What runs once or never is a block behind a branch.
#include "routine.h"

namespace memlift {
namespace {

/// Inserts what the emitter has collected at the end of `bb`.
void flush(Emitter &e, basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);
  e.seq = nullptr;
}

tree nextOf(Emitter &e, const InlineScalar &s, tree type) {
  tree next = e.value(s.next);
  return s.width == 128 ? next : e.convert(type, next);
}

/// The same pointer, of which nobody knows any more what it points into.
tree hide(Emitter &e, tree pointer, location_t where) {
  tree same = make_ssa_name(ptr_type_node);
  auto operand = [](const char *constraint, tree value) {
    tree text = build_string(int(strlen(constraint) + 1), constraint);
    return build_tree_list(build_tree_list(NULL_TREE, text), value);
  };
  vec<tree, va_gc> *inputs = nullptr, *outputs = nullptr;
  vec_safe_push(inputs, operand("0", pointer));
  vec_safe_push(outputs, operand("=r", same));
  gasm *nothing = gimple_build_asm_vec("", inputs, outputs, nullptr, nullptr);
  SSA_NAME_DEF_STMT(same) = nothing;
  gimple_set_location(nothing, where);
  gimple_seq_add_stmt(&e.seq, nothing);
  return same;
}

class LoopInPlace {
public:
  LoopInPlace(Emitter &e, Picture &pic, const Decision &d, const InlineLoop &l)
      : e(e), pic(pic), d(d), l(l) {}
  /// Behind `at`; returns the block behind the loop.
  basic_block emit(basic_block at);

private:
  Emitter &e;
  Picture &pic;
  const Decision &d;
  const InlineLoop &l;
  class loop *loop = nullptr;
  tree trip = NULL_TREE, start = NULL_TREE, to = NULL_TREE, end = NULL_TREE;
  tree iv = NULL_TREE;
  std::vector<tree> inits;

  void prepare();
  bool once() const { return upperBound(pic.loop, l.trip) <= 1; }
  void create(basic_block at);
  basic_block emitOnce(basic_block at);
  tree placeOf(tree from);
  tree walk(tree from);
  std::vector<tree> load();
  void store();
};

void LoopInPlace::prepare() {
  trip = e.value(l.trip);
  if (l.start != NoExpr)
    start = l.hidden ? hide(e, e.pointer(l.start), pic.where) : e.pointer(l.start);
  if (l.to != NoExpr)
    to = e.pointer(l.to);
  if (to && !once()) {
    tree step = build_int_cst(sizetype, int64_t(l.step));
    tree all = gimple_build(&e.seq, pic.where, MULT_EXPR, sizetype, e.convert(sizetype, trip),
                            step);
    end = gimple_build(&e.seq, pic.where, POINTER_PLUS_EXPR, ptr_type_node, to, all);
  }
  for (const InlineStore &s : l.stores)
    e.prepare(s.value);
  for (const InlineScalar &s : l.scalars) {
    inits.push_back(s.width == 128 ? e.value(s.init)
                                   : e.convert(wordType(s.width), e.value(s.init)));
    e.prepare(s.next);
  }
}

void LoopInPlace::create(basic_block at) {
  tree type = TREE_TYPE(trip), after;
  loop = create_empty_loop_on_edge(
      single_succ_edge(at), build_int_cst(type, 0), build_int_cst(type, 1), trip,
      create_tmp_var(type, "memlift"), &iv, &after, at->loop_father);
  uint64_t most = upperBound(pic.loop, l.trip);
  if (most < 16) { // not record_niter_bound(): another target's GCC has none of this type
    loop->any_upper_bound = loop->any_likely_upper_bound = true;
    loop->nb_iterations_upper_bound = loop->nb_iterations_likely_upper_bound = most;
  }
  if (l.few && most > 1) {
    loop->dont_vectorize = true;
    loop->unroll = 1;
  }
}

/// Where this iteration's part of the region at `from` begins.
tree LoopInPlace::placeOf(tree from) {
  if (!loop)
    return from;
  if (!l.stores.empty())
    return walk(from);
  tree step = build_int_cst(sizetype, int64_t(l.step));
  tree at = gimple_build(&e.seq, pic.where, MULT_EXPR, sizetype, e.convert(sizetype, iv), step);
  return gimple_build(&e.seq, pic.where, POINTER_PLUS_EXPR, ptr_type_node, from, at);
}

/// A pointer that steps along: of a loop that does nothing but load and store, a counter
/// beside it would be a good part. The one to the destination ends the loop.
tree LoopInPlace::walk(tree from) {
  tree at = make_ssa_name(ptr_type_node), next = make_ssa_name(ptr_type_node);
  gphi *phi = create_phi_node(at, loop->header);
  add_phi_arg(phi, from, loop_preheader_edge(loop), pic.where);
  add_phi_arg(phi, next, loop_latch_edge(loop), pic.where);
  gassign *step = gimple_build_assign(next, POINTER_PLUS_EXPR, at,
                                      build_int_cst(sizetype, int64_t(l.step)));
  gimple_set_location(step, pic.where);
  gimple_stmt_iterator gsi = gsi_last_bb(loop->latch);
  gsi_insert_after(&gsi, step, GSI_NEW_STMT);
  if (from == to) {
    auto *test = as_a<gcond *>(last_stmt(single_exit(loop)->src));
    bool stays = single_exit(loop)->flags & EDGE_FALSE_VALUE;
    gimple_cond_set_condition(test, stays ? NE_EXPR : EQ_EXPR, at, end);
    update_stmt(test);
  }
  return at;
}

/// The words of this iteration.
std::vector<tree> LoopInPlace::load() {
  std::vector<tree> values;
  if (l.loads.empty())
    return values;
  tree pointer = placeOf(start);
  for (const InlineLoad &a : l.loads) {
    values.push_back(make_ssa_name(a.bytes == 16 ? pairType() : wordType(8 * a.bytes)));
    gassign *load = gimple_build_assign(values.back(),
                                        reference(pointer, a.offset, a.bytes, a.align));
    gimple_set_location(load, pic.where);
    gimple_seq_add_stmt(&e.seq, load);
  }
  return values;
}

void LoopInPlace::store() {
  if (l.stores.empty())
    return;
  tree pointer = placeOf(to);
  for (const InlineStore &s : l.stores)
    emitStore(e, reference(pointer, s.offset, s.bytes, s.align), e.value(s.value), pic.where);
}

/// A block that is taken if the trip count is not 0.
basic_block LoopInPlace::emitOnce(basic_block at) {
  basic_block behind = split_edge(single_succ_edge(at)), body = create_empty_bb(at);
  add_bb_to_loop(body, at->loop_father);
  edge past = single_succ_edge(at), in = make_edge(at, body, EDGE_TRUE_VALUE);
  past->flags = (past->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  in->probability = past->probability = profile_probability::even();
  body->count = in->count();
  edge out = make_single_succ_edge(body, behind, EDGE_FALLTHRU);
  set_immediate_dominator(CDI_DOMINATORS, body, at);
  gcond *test = gimple_build_cond(NE_EXPR, trip, build_int_cst(TREE_TYPE(trip), 0), NULL_TREE,
                                  NULL_TREE);
  gimple_set_location(test, pic.where);
  gimple_stmt_iterator gsi = gsi_last_bb(at);
  gsi_insert_after(&gsi, test, GSI_NEW_STMT);
  Emitter::Inside inside;
  inside.iv = build_int_cst(TREE_TYPE(trip), 0);
  inside.tables = &d.tables;
  inside.scalars = inits;
  inside.loads = load();
  std::vector<tree> finals;
  e.enter(inside);
  store();
  for (size_t i = 0; i < inits.size(); ++i) {
    tree type = TREE_TYPE(inits[i]), both = make_ssa_name(type);
    gphi *phi = create_phi_node(both, behind);
    add_phi_arg(phi, inits[i], past, pic.where);
    add_phi_arg(phi, nextOf(e, l.scalars[i], type), out, pic.where);
    finals.push_back(both);
  }
  e.leave(finals);
  flush(e, body);
  return behind;
}

basic_block LoopInPlace::emit(basic_block at) {
  prepare();
  flush(e, at);
  if (once())
    return emitOnce(at);
  create(at);
  Emitter::Inside inside;
  inside.iv = iv;
  inside.tables = &d.tables;
  std::vector<gphi *> phis;
  for (size_t i = 0; i < inits.size(); ++i) {
    inside.scalars.push_back(make_ssa_name(TREE_TYPE(inits[i])));
    phis.push_back(create_phi_node(inside.scalars[i], loop->header));
    add_phi_arg(phis[i], inits[i], loop_preheader_edge(loop), pic.where);
  }
  inside.loads = load();
  std::vector<tree> finals = inside.scalars;
  e.enter(inside);
  store();
  for (size_t i = 0; i < phis.size(); ++i)
    add_phi_arg(phis[i], nextOf(e, l.scalars[i], TREE_TYPE(inits[i])), loop_latch_edge(loop),
                pic.where);
  e.leave(finals);
  gimple_stmt_iterator gsi = gsi_start_bb(loop->latch);
  gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  e.seq = nullptr;
  return split_edge(single_exit(loop));
}

} // namespace

basic_block emitInPlace(Emitter &e, Picture &pic, const Decision &d, basic_block at) {
  for (const InlineLoop &l : d.loops)
    at = LoopInPlace(e, pic, d, l).emit(at);
  return at;
}

} // namespace memlift
