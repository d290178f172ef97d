// inplace.cpp - loops that take the place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// at: trip == 0 ? -> the next code
//               : -> body: iv, pointers, scalars = PHIs; loads, stores, next ...
//                          iv + 1 == trip ? -> the next code : -> body
//
// The test is at the end of the body from the start, as no later pass could move it there; targets
// that count loops in hardware accept no other form. A body that runs at most once is a block after
// a branch. Where the next loop continues from the pointers of this one, they have PHIs after it,
// so no address is computed again.
#include "fork.h"
#include "user.h"

namespace memlift {
namespace {

tree nextOf(Emitter &e, const InlineScalar &s, tree type) {
  tree next = e.value(s.next);
  return s.width == 128 ? next : e.convert(type, next);
}

/// The pointers that the loads and stores of a loop have reached.
struct PointerState {
  tree start = NULL_TREE, to = NULL_TREE;
  std::vector<tree> more; // InlineLoop::more
};

class LoopInPlace {
public:
  LoopInPlace(Emitter &e, LoopBinding &binding, const Decision &d, size_t number,
              UserAccesses *user)
      : e(e), binding(binding), d(d), user(user), faults(d.fixup.faults), l(d.loops[number]),
        once(runsOnce(binding.loop, l)), ends(user && l.end != NoExpr && !once),
        continues(memlift::continues(d.loops, number) || ends),
        walks(stepsPointers(d.loops, number)), lastLoop(number + 1 == d.loops.size()) {
    // Not habits of GCC.
    gcc_assert(!l.multiplies && l.pointers != PointerStep::First);
  }
  /// Emits the loop after `at`; returns the block after the loop. Starts from the pointers in
  /// `from`, and updates them.
  basic_block emit(basic_block at, PointerState &from);

private:
  Emitter &e;
  LoopBinding &binding;
  const Decision &d;
  UserAccesses *user; // not null if loops end at addresses
  const bool faults;  // accesses may fault
  const InlineLoop &l;
  const bool once;      // at most one iteration: no loop at all
  const bool ends;      // at an address that other code may know
  const bool continues; // another loop continues from this one's pointers
  const bool walks;     // steps pointers
  const bool lastLoop;
  PointerState next; // pointers after an iteration
  class loop *loop = nullptr;
  tree some = NULL_TREE;   // not 0 exactly where the trip count is not
  tree extent = NULL_TREE; // bytes that a walking pointer covers
  tree trip = NULL_TREE, start = NULL_TREE, to = NULL_TREE, end = NULL_TREE;
  tree iv = NULL_TREE;
  tree reached = NULL_TREE; // InlineLoop::reached
  std::vector<tree> more;   // start of the other loads
  std::vector<tree> inits;
  tree constant = NULL_TREE; // the stored constant, in a register
  gphi *source = nullptr;    // pointer of a copy, while there are loads
  basic_block after = nullptr, body = nullptr;
  edge past = nullptr, out = nullptr; // around the body, and from it

  basic_block prepare(basic_block at, const PointerState &from);
  tree place(ExprId id) {
    // Asm statements ask for no object, so nothing is added to that of one.
    return user ? e.convert(ptr_type_node, e.value(id)) : e.pointer(id);
  }
  /// Returns the pointer that ends the loop, where it walks.
  tree last() const { return to ? to : start; }
  void prepareEnd();
  void branch(basic_block at);
  void create(basic_block at);
  tree either(tree init, tree value, edge from);
  void close(edge from, const std::vector<tree> &next);
  void emitOnce();
  void findEnd(basic_block pre);
  void emitLoop();
  struct Stepped {
    tree now, next;
  };
  Stepped step(tree from, tree_code how, tree by);
  tree stepped(tree from);
  tree placeOf(tree from);
  tree walk(tree from);
  void move(Emitter::Inside &inside);
  /// The pointers of this iteration's loads and stores.
  struct IterationPtrs {
    tree from = NULL_TREE, into = NULL_TREE;
    std::vector<tree> more;
    tree of(const InlineLoad &a) const {
      return a.from == InlineLoad::FromStart ? from
             : a.from == InlineLoad::FromTo  ? into
                                             : more[a.from - InlineLoad::FromMore];
    }
  };
  IterationPtrs enter();
  void load(Emitter::Inside &inside, const IterationPtrs &here, size_t end);
  void await(Emitter::Inside &inside, const IterationPtrs &here, size_t i);
  void multiplyFirst(size_t store);
};

/// Computes the values of the loop in `at`, or in a block after it that faults lead to; returns
/// the block.
basic_block LoopInPlace::prepare(basic_block at, const PointerState &from) {
  next = from;
  if (user && (l.loads.empty() ? l.stores[0].bytes : l.loads[0].bytes) > 1)
    user->beforeWords();
  if (l.start != NoExpr)
    start = l.startFollows ? from.start : place(l.start);
  if (l.hidden)
    start = e.launder(start);
  if (l.to != NoExpr)
    to = l.toFollows ? from.to : place(l.to);
  if (faults && lastLoop) {
    flush(e, at);
    at = user->resume(at, to, start);
  }
  prepareEnd();
  if (l.reached != NoExpr)
    reached = place(l.reached);
  for (size_t i = 0; i < l.more.size(); ++i)
    more.push_back(l.toFollows ? from.more[i] : e.pointer(l.more[i].at));
  next.more = more;
  for (const InlineStore &s : l.stores)
    e.prepare(s.value);
  // A loop that the target counts may be one store: not with a move of a constant beside it. Nor
  // is a constant moved beside each asm statement. What an iteration computes is none.
  bool counted = targetm.have_doloop_end() && l.stores.size() == 1 && !once;
  if (user) {
    constant = user->filled();
  } else if (l.loads.empty() && !l.stores.empty() && counted &&
             binding.loop.exprs.isInvariant(l.stores[0].value)) {
    tree value = e.value(l.stores[0].value);
    if (CONSTANT_CLASS_P(value))
      constant = e.launder(value);
  }
  for (const InlineScalar &s : l.scalars) {
    inits.push_back(s.width == 128 ? e.value(s.init)
                                   : e.convert(wordType(s.width), e.value(s.init)));
    e.prepare(s.next);
  }
  return at;
}

/// Computes what the end of the loop is recognised by.
void LoopInPlace::prepareEnd() {
  if (ends) {
    trip = build_int_cst(wordType(64), 0); // not used
    if (!lastLoop)
      e.set(l.end, e.launder(e.value(l.end)));
    end = place(l.end);
    return;
  }
  trip = e.value(l.trip);
  if (walks && !once)
    extent = e.value(extentOf(binding.loop, l));
  bool counts = !extent || targetm.have_doloop_end();
  some = counts ? e.value(runsAtAll(binding.loop, l)) : extent;
}

/// Branches from `at` to `body`, which is still empty, or around it if the trip count is 0.
void LoopInPlace::branch(basic_block at) {
  after = split_edge(single_succ_edge(at));
  basic_block first = create_empty_bb(at);
  add_bb_to_loop(first, at->loop_father);
  past = single_succ_edge(at);
  edge in = make_edge(at, first, EDGE_TRUE_VALUE);
  past->flags = (past->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  in->probability =
      profile_probability::guessed_always().apply_scale(runWeight(binding.loop, l), 10);
  past->probability = in->probability.invert();
  first->count = in->count();
  set_immediate_dominator(CDI_DOMINATORS, first, at);
  gcond *test =
      gimple_build_cond(NE_EXPR, ends ? to : some, ends ? end : build_int_cst(TREE_TYPE(some), 0),
                        NULL_TREE, NULL_TREE);
  gimple_set_location(test, binding.where);
  gimple_stmt_iterator gsi = gsi_last_bb(at);
  gsi_insert_after(&gsi, test, GSI_NEW_STMT);
  body = first;
}

/// Makes the empty block a preheader, and the loop after it.
void LoopInPlace::create(basic_block pre) {
  body = create_empty_bb(pre);
  basic_block latch = create_empty_bb(body);
  add_bb_to_loop(body, pre->loop_father);
  add_bb_to_loop(latch, pre->loop_father);
  make_single_succ_edge(pre, body, EDGE_FALLTHRU);
  edge again = make_edge(body, latch, EDGE_TRUE_VALUE);
  out = make_edge(body, after, EDGE_FALSE_VALUE);
  make_single_succ_edge(latch, body, EDGE_FALLTHRU);
  constexpr int iterations = 8; // as likely as any number
  out->probability = profile_probability::guessed_always().apply_scale(1, iterations);
  again->probability = out->probability.invert();
  body->count = pre->count.apply_scale(iterations, 1);
  latch->count = again->count();
  set_immediate_dominator(CDI_DOMINATORS, body, pre);
  set_immediate_dominator(CDI_DOMINATORS, latch, body);
  loop = alloc_loop();
  loop->header = body;
  loop->latch = latch;
  add_loop(loop, pre->loop_father);
  uint64_t most = upperBound(binding.loop, l.trip);
  if (most < 16 &&
      !l.resumes) { // not record_niter_bound(): the GCC of another target has none of this type
    loop->any_upper_bound = loop->any_likely_upper_bound = true;
    loop->nb_iterations_upper_bound = loop->nb_iterations_likely_upper_bound = most - 1;
  }
  if (l.few && most > 1) {
    loop->dont_vectorize = true;
    loop->unroll = 1;
  }
  gcond *test = gimple_build_cond(NE_EXPR, trip, trip, NULL_TREE, NULL_TREE);
  gimple_set_location(test, binding.where);
  gimple_stmt_iterator gsi = gsi_last_bb(body);
  gsi_insert_after(&gsi, test, GSI_NEW_STMT);
  tree type = TREE_TYPE(trip);
  Stepped count = step(build_int_cst(type, 0), PLUS_EXPR, build_int_cst(type, 1));
  iv = count.now;
  gimple_cond_set_condition(test, NE_EXPR, count.next, trip);
  update_stmt(test);
}

/// Returns the pointer after an iteration.
tree LoopInPlace::stepped(tree from) {
  tree by = build_int_cst(sizetype, int64_t(l.step));
  return gimple_build(&e.seq, binding.where, POINTER_PLUS_EXPR, ptr_type_node, from, by);
}

/// Returns the pointer to this iteration's part of the region at `from`.
tree LoopInPlace::placeOf(tree from) {
  if (!loop) {
    if (continues && !user)
      (from == to ? next.to : next.start) = stepped(from);
    return from;
  }
  if (walks)
    return walk(from);
  tree step = build_int_cst(sizetype, int64_t(l.step));
  tree at = gimple_build(&e.seq, binding.where, MULT_EXPR, sizetype, e.convert(sizetype, iv), step);
  return gimple_build(&e.seq, binding.where, POINTER_PLUS_EXPR, ptr_type_node, from, at);
}

/// Adds a PHI of initial value `from`, stepped by `by` before the test in each iteration.
LoopInPlace::Stepped LoopInPlace::step(tree from, tree_code how, tree by) {
  tree type = TREE_TYPE(from), now = make_ssa_name(type), next = make_ssa_name(type);
  gphi *phi = create_phi_node(now, body);
  add_phi_arg(phi, from, loop_preheader_edge(loop), binding.where);
  add_phi_arg(phi, next, loop_latch_edge(loop), binding.where);
  gassign *add = gimple_build_assign(next, how, now, by);
  gimple_set_location(add, binding.where);
  gimple_stmt_iterator gsi = gsi_last_bb(body);
  gsi_insert_before(&gsi, add, GSI_SAME_STMT);
  if (user)
    pinStep(add, binding.where);
  return {now, next};
}

/// Returns a pointer that steps along: in a loop that only loads and stores, the cost of a counter
/// beside it would matter. The one to the destination, if there is one, ends the loop, unless the
/// target counts loops by itself. The one to the source may step before its end.
tree LoopInPlace::walk(tree from) {
  if (from != last() && l.pointers == PointerStep::AfterLoads) {
    source = create_phi_node(make_ssa_name(TREE_TYPE(from)), body);
    add_phi_arg(source, from, loop_preheader_edge(loop), binding.where);
    return gimple_phi_result(source);
  }
  Stepped at = step(from, POINTER_PLUS_EXPR, build_int_cst(sizetype, int64_t(l.step)));
  (from == to ? next.to : next.start) = at.next;
  if (from != last())
    return at.now;
  tree type = TREE_TYPE(trip);
  bool counted = !ends && targetm.have_doloop_end(); // down to zero, as the target does
  tree then = counted ? step(trip, MINUS_EXPR, build_int_cst(type, 1)).next : at.next;
  auto *test = as_a<gcond *>(last_stmt(body));
  gimple_cond_set_condition(test, NE_EXPR, then, counted ? build_int_cst(type, 0) : end);
  update_stmt(test);
  return at.now;
}

/// Loads the words of this iteration up to number `end`.
void LoopInPlace::load(Emitter::Inside &inside, const IterationPtrs &here, size_t end) {
  for (size_t i = inside.loads.size(); i < end; ++i) {
    const InlineLoad &a = l.loads[i];
    if (faults) {
      inside.loads.push_back(user->load(here.of(a), a.offset, a.bytes));
      continue;
    }
    tree value = make_ssa_name(a.bytes == 16 ? pairType() : wordType(8 * a.bytes));
    gassign *load = gimple_build_assign(value, reference(here.of(a), a.offset, a.bytes, a.align));
    gimple_set_location(load, binding.where);
    gimple_seq_add_stmt(&e.seq, load);
    inside.loads.push_back(value);
  }
}

/// Returns the pointers of an iteration; those of `more` step at its end.
LoopInPlace::IterationPtrs LoopInPlace::enter() {
  IterationPtrs here;
  here.from = start && !l.loads.empty() ? placeOf(start) : NULL_TREE;
  for (size_t i = 0; i < more.size(); ++i) {
    tree by = build_int_cst(sizetype, int64_t(l.more[i].step));
    Stepped at = {more[i], NULL_TREE};
    if (loop)
      at = step(more[i], POINTER_PLUS_EXPR, by);
    else if (continues)
      at.next = gimple_build(&e.seq, binding.where, POINTER_PLUS_EXPR, ptr_type_node, more[i], by);
    here.more.push_back(at.now);
    next.more[i] = at.next;
  }
  here.into = l.stores.empty() ? NULL_TREE : placeOf(to);
  return here;
}

/// Delays the operands of the value after store `i` until that store is done. Otherwise the
/// scheduler works on as many values at a time as there are registers, including callee-saved ones.
void LoopInPlace::await(Emitter::Inside &inside, const IterationPtrs &here, size_t i) {
  const InlineStore &s = l.stores[i];
  for (size_t x : firstUsed(binding.loop.exprs, l, i + 1))
    if (x < inside.loads.size()) {
      tree stored = reference(here.into, s.offset, s.bytes, s.align), &value = inside.loads[x];
      value = e.assembler("", {{"0", value}, {"m", stored}}, TREE_TYPE(value));
    }
}

/// Multiplies for a whole group of stores first, side by side.
void LoopInPlace::multiplyFirst(size_t store) {
  std::vector<ExprId> ids = multipliesOfGroup(binding.loop.exprs, l, store);
  std::vector<tree> values;
  for (ExprId id : ids)
    values.push_back(e.value(id));
  values = e.pinTogether(values);
  for (size_t k = 0; k < ids.size(); ++k)
    e.set(ids[k], values[k]);
}

/// Emits the loads and stores of an iteration, a group at a time.
void LoopInPlace::move(Emitter::Inside &inside) {
  IterationPtrs here = enter();
  if (faults)
    user->reach(here.into ? here.into : reached, !l.stores.empty() && l.stores[0].bytes == 1);
  if (l.stores.empty())
    load(inside, here, l.loads.size());
  e.enter(inside);
  for (size_t i = 0; i < l.stores.size(); ++i) {
    const InlineStore &s = l.stores[i];
    load(inside, here, loadsBefore(l, i));
    if (source && inside.loads.size() == l.loads.size()) {
      // Uses the last load's latency. GCC would step at the end, and the last store would wait for
      // the load idly (CompilerFacts::stepsLast).
      next.start = e.launder(stepped(here.from));
      add_phi_arg(source, next.start, loop_latch_edge(loop), binding.where);
      source = nullptr;
    }
    e.setLoads(inside.loads);
    if (l.multipliesFirst && (!i || loadsBefore(l, i) != loadsBefore(l, i - 1)))
      multiplyFirst(i);
    tree value = constant ? constant : e.value(s.value);
    if (faults)
      user->store(here.into, s.offset, s.bytes, value);
    else
      emitStore(e, reference(here.into, s.offset, s.bytes, s.align), value, binding.where);
    if (l.inTurn && i + 1 < l.stores.size())
      await(inside, here, i);
  }
}

/// Returns the value after the loop: `init`, or the one that leaves the body on `from`.
tree LoopInPlace::either(tree init, tree value, edge from) {
  tree final = make_ssa_name(TREE_TYPE(value));
  gphi *phi = create_phi_node(final, after);
  add_phi_arg(phi, init, past, binding.where);
  add_phi_arg(phi, value, from, binding.where);
  return final;
}

void LoopInPlace::close(edge from, const std::vector<tree> &values) {
  std::vector<tree> finals;
  for (size_t i = 0; i < inits.size(); ++i)
    finals.push_back(either(inits[i], values[i], from));
  if (continues && to)
    next.to = either(to, next.to, from);
  if (continues && start)
    next.start = either(start, next.start, from);
  for (size_t i = 0; continues && i < more.size(); ++i)
    next.more[i] = either(more[i], next.more[i], from);
  e.leave(finals);
}

void LoopInPlace::emitOnce() {
  out = make_single_succ_edge(body, after, EDGE_FALLTHRU);
  Emitter::Inside inside;
  inside.iv = build_int_cst(TREE_TYPE(trip), 0);
  inside.tables = &d.tables;
  inside.scalars = inits;
  move(inside);
  if (user && continues) // after the statements, which use the pointers
    next.to = to ? stepped(to) : to, next.start = start ? stepped(start) : start;
  std::vector<tree> values;
  for (size_t i = 0; i < inits.size(); ++i)
    values.push_back(nextOf(e, l.scalars[i], TREE_TYPE(inits[i])));
  close(out, values);
  flush(e, body);
}

/// Finds the end of the pointer that ends the loop; computed only where there are iterations.
void LoopInPlace::findEnd(basic_block pre) {
  end = gimple_build(&e.seq, binding.where, POINTER_PLUS_EXPR, ptr_type_node, last(),
                     e.convert(sizetype, extent));
  flush(e, pre);
}

void LoopInPlace::emitLoop() {
  if (walks && !ends)
    findEnd(body);
  create(body);
  Emitter::Inside inside;
  inside.iv = iv;
  inside.tables = &d.tables;
  std::vector<gphi *> phis;
  for (size_t i = 0; i < inits.size(); ++i) {
    inside.scalars.push_back(make_ssa_name(TREE_TYPE(inits[i])));
    phis.push_back(create_phi_node(inside.scalars[i], body));
    add_phi_arg(phis[i], inits[i], loop_preheader_edge(loop), binding.where);
  }
  move(inside);
  std::vector<tree> values;
  for (size_t i = 0; i < phis.size(); ++i) {
    values.push_back(nextOf(e, l.scalars[i], TREE_TYPE(inits[i])));
    add_phi_arg(phis[i], values[i], loop_latch_edge(loop), binding.where);
  }
  close(out, values);
  // Before the steps and the test.
  gimple_stmt_iterator gsi = gsi_after_labels(body);
  gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  e.seq = nullptr;
}

basic_block LoopInPlace::emit(basic_block at, PointerState &from) {
  at = prepare(at, from);
  flush(e, at);
  branch(at);
  once ? emitOnce() : emitLoop();
  if (ends && !lastLoop)
    user->came(l.end, next.to, inits.empty() ? next.start : NULL_TREE);
  from = continues ? next : PointerState();
  return after;
}

} // namespace

basic_block emitInPlace(Emitter &e, LoopBinding &binding, const Decision &d, basic_block at) {
  PointerState from;
  std::unique_ptr<UserAccesses> user;
  bool ends = d.fixup.exists();
  if (ends)
    user = std::make_unique<UserAccesses>(e, binding, d.fixup, at);
  auto each = [&](size_t i) { at = LoopInPlace(e, binding, d, i, user.get()).emit(at, from); };
  auto choose = [&](const Branch &c, size_t first, auto &inner, auto &other) {
    std::vector<tree> ones, others;
    if (!c.others)
      prepareStores(e, binding, d, first, first + c.loops), others = phiValuesOf(e, c, false, ends);
    basic_block before = at;
    Fork fork(e, at, c);
    PointerState cameTo = from;
    // Values computed on one arm are available neither on the other nor after the branch.
    std::map<ExprId, tree> known = e.values();
    at = fork.first;
    inner();
    ones = phiValuesOf(e, c, true, ends);
    flush(e, at);
    edge one = single_succ_edge(at);
    e.setValues(known);
    from = cameTo;
    if (fork.second) {
      at = fork.second;
      other();
      others = phiValuesOf(e, c, false, ends);
      flush(e, at);
      before = at;
      e.setValues(known);
    }
    at = fork.join;
    merge(e, at, {one, ones}, {find_edge(before, at), others}, binding.where, ends);
    from = PointerState();
  };
  walkLoops(d.loops, 0, d.loops.size(), 0, each, choose);
  return d.fixup.faults ? user->cover(from.to, at) : at;
}

} // namespace memlift
