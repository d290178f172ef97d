// words.cpp - words in place of a loop or a call, straight-line or in a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  ...
//   body:    to, from = PHIs; loads; stores; to, from += bytes of an iteration
//            to != end -> body
//   after:   remaining words; the code after the operation
#include "routine.h"

namespace memlift {

void emitStore(Emitter &e, tree ref, tree value, location_t where) {
  gassign *store = gimple_build_assign(
      ref, e.convert(wordType(unsigned(TYPE_PRECISION(TREE_TYPE(ref)))), value));
  gimple_set_location(store, where);
  gimple_seq_add_stmt(&e.seq, store);
}

/// Loads and stores one group of words.
static void emitGroup(Emitter &e, const InlineWord *group, size_t count, tree to, tree from,
                      location_t where) {
  std::vector<tree> values;
  for (size_t i = 0; i < count; ++i) {
    const InlineWord &w = group[i];
    if (w.value != NoExpr) {
      values.push_back(e.value(w.value));
      continue;
    }
    tree loaded = make_ssa_name(wordType(8 * w.bytes));
    gassign *load = gimple_build_assign(loaded, reference(from, w.offset, w.bytes, w.srcAlign));
    gimple_set_location(load, where);
    gimple_seq_add_stmt(&e.seq, load);
    values.push_back(loaded);
  }
  for (size_t i = 0; i < count; ++i)
    emitStore(e, reference(to, group[i].offset, group[i].bytes, group[i].dstAlign), values[i],
              where);
}

void emitWords(Emitter &e, const Match &match, const Decision &d, location_t where) {
  tree to = e.pointer(match.dst);
  tree from = match.idiom == Idiom::Fill ? NULL_TREE : e.pointer(match.src);
  size_t group = d.group ? d.group : d.words.size();
  for (size_t at = 0; at < d.words.size(); at += group)
    emitGroup(e, &d.words[at], std::min(group, d.words.size() - at), to, from, where);
}

namespace {

/// A pointer that steps by the bytes of an iteration.
struct Walk {
  gphi *phi;
  tree at;
  Walk(tree start, edge in, location_t where) {
    at = make_ssa_name(ptr_type_node);
    phi = create_phi_node(at, in->dest);
    add_phi_arg(phi, start, in, where);
  }
  tree step(Emitter &e, uint64_t bytes, edge back, location_t where) {
    tree next = gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, at,
                             build_int_cst(sizetype, int64_t(bytes)));
    add_phi_arg(phi, next, back, where);
    return next;
  }
};

/// Adds a block between the part of `old`'s block before `old` and the rest of it.
basic_block addBody(gimple *old, uint64_t iterations) {
  gimple_stmt_iterator gsi = gsi_for_stmt(old);
  basic_block before = gsi_bb(gsi);
  gsi_prev(&gsi);
  edge fall = split_block(before, gsi_end_p(gsi) ? nullptr : gsi_stmt(gsi));
  basic_block after = fall->dest, body = create_empty_bb(before);
  if (loops_for_fn(cfun)) {
    add_bb_to_loop(body, before->loop_father);
    loops_state_set(LOOPS_NEED_FIXUP);
  }
  remove_edge(fall);
  make_single_succ_edge(before, body, EDGE_FALLTHRU);
  edge back = make_edge(body, body, EDGE_TRUE_VALUE);
  edge out = make_edge(body, after, EDGE_FALSE_VALUE);
  back->probability =
      profile_probability::guessed_always().apply_scale(int(iterations) - 1, int(iterations));
  out->probability = back->probability.invert();
  body->count = before->count.apply_scale(int(iterations), 1);
  if (dom_info_available_p(CDI_DOMINATORS)) {
    set_immediate_dominator(CDI_DOMINATORS, body, before);
    set_immediate_dominator(CDI_DOMINATORS, after, body);
  }
  free_dominance_info(CDI_POST_DOMINATORS);
  return body;
}

} // namespace

void emitWordLoop(Emitter &e, const Match &match, const WordLoop &l, gimple *old) {
  location_t where = gimple_location(old);
  bool copies = l.value == NoExpr;
  uint64_t each = uint64_t(l.count) * l.bytes;
  tree to = e.pointer(match.dst), from = copies ? e.pointer(match.src) : NULL_TREE;
  tree end = gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, to,
                          build_int_cst(sizetype, int64_t(each * l.iterations)));
  if (!copies)
    e.value(l.value);
  gimple_stmt_iterator gsi = gsi_for_stmt(old);
  gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  e.seq = nullptr;
  basic_block body = addBody(old, l.iterations);
  edge back = find_edge(body, body);
  edge in = EDGE_PRED(body, EDGE_PRED(body, 0) == back ? 1 : 0);
  Walk dst(to, in, where);
  std::vector<InlineWord> words;
  for (unsigned k = 0; k < l.count; ++k)
    words.push_back({uint64_t(k) * l.bytes, l.bytes, l.bytes, l.bytes, l.value});
  tree source = NULL_TREE;
  if (copies) {
    Walk src(from, in, where);
    source = src.at;
    emitGroup(e, words.data(), words.size(), dst.at, source, where);
    src.step(e, each, back, where);
  } else {
    emitGroup(e, words.data(), words.size(), dst.at, source, where);
  }
  tree next = dst.step(e, each, back, where);
  gcond *again = gimple_build_cond(NE_EXPR, next, end, NULL_TREE, NULL_TREE);
  gimple_set_location(again, where);
  gimple_seq_add_stmt(&e.seq, again);
  gsi = gsi_start_bb(body);
  gsi_insert_seq_after(&gsi, e.seq, GSI_NEW_STMT);
  e.seq = nullptr;
}

} // namespace memlift
