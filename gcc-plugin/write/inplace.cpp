// inplace.cpp - loops that take the place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// at -> header: iv, scalars = PHIs; iv < trip ? -> latch: loads, next ... -> header
//                                             : -> what comes next
#include "routine.h"

namespace memlift {
namespace {

/// Inserts what the emitter has collected at the end of `bb`.
void flush(Emitter &e, basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  gsi_insert_seq_after(&gsi, e.seq, GSI_CONTINUE_LINKING);
  e.seq = nullptr;
}

/// The words of this iteration.
std::vector<tree> loadWords(Emitter &e, const InlineLoop &l, tree start, tree iv,
                            location_t where) {
  tree step = build_int_cst(sizetype, int64_t(l.step));
  tree at = gimple_build(&e.seq, where, MULT_EXPR, sizetype, e.convert(sizetype, iv), step);
  tree pointer = gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, start, at);
  std::vector<tree> values;
  for (const InlineLoad &a : l.loads) {
    values.push_back(make_ssa_name(a.bytes == 16 ? pairType() : wordType(8 * a.bytes)));
    gassign *load = gimple_build_assign(values.back(),
                                        reference(pointer, a.offset, a.bytes, a.align));
    gimple_set_location(load, where);
    gimple_seq_add_stmt(&e.seq, load);
  }
  return values;
}

tree nextOf(Emitter &e, const InlineScalar &s, tree type) {
  tree next = e.value(s.next);
  return s.width == 128 ? next : e.convert(type, next);
}

basic_block emitLoop(Emitter &e, Picture &pic, const Decision &d, const InlineLoop &l,
                     basic_block at) {
  tree trip = e.value(l.trip), start = e.pointer(l.start);
  std::vector<tree> inits;
  for (const InlineScalar &s : l.scalars) {
    inits.push_back(s.width == 128 ? e.value(s.init)
                                   : e.convert(wordType(s.width), e.value(s.init)));
    e.prepare(s.next);
  }
  flush(e, at);
  tree type = TREE_TYPE(trip), before, after;
  class loop *loop = create_empty_loop_on_edge(
      single_succ_edge(at), build_int_cst(type, 0), build_int_cst(type, 1), trip,
      create_tmp_var(type, "memlift"), &before, &after, at->loop_father);
  // What runs once or never is to become straight code behind a branch.
  uint64_t most = upperBound(pic.loop, l.trip);
  if (most < 16) { // not record_niter_bound(): another target's GCC has none of this type
    loop->any_upper_bound = loop->any_likely_upper_bound = true;
    loop->nb_iterations_upper_bound = loop->nb_iterations_likely_upper_bound = most;
  }
  if (l.few && most > 1) {
    loop->dont_vectorize = true;
    loop->unroll = 1;
  }
  Emitter::Inside inside;
  inside.iv = before;
  inside.tables = &d.tables;
  std::vector<gphi *> phis;
  for (size_t i = 0; i < inits.size(); ++i) {
    inside.scalars.push_back(make_ssa_name(TREE_TYPE(inits[i])));
    phis.push_back(create_phi_node(inside.scalars[i], loop->header));
    add_phi_arg(phis[i], inits[i], loop_preheader_edge(loop), pic.where);
  }
  inside.loads = loadWords(e, l, start, before, pic.where);
  std::vector<tree> finals = inside.scalars;
  e.enter(inside);
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
    at = emitLoop(e, pic, d, l, at);
  return at;
}

} // namespace memlift
