// exits.cpp - loops that end at the first of several exits, each of them counted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n && i < *m; i++)      header: m = load; if (i >= m) leave
//     d[i] = s[i];                         body:   d[i] = s[i]; i++
//                                          latch:  if (i >= n) leave
//
// Optimisers do not join these tests, as a store is between them. Each exit has a count of its own:
// for how many consecutive iterations the loop is not left there. The latch runs as often as the
// least of them. Code after some exits runs as often as those allow, and once more than the latch
// if the loop is not left at one of them. The tests are of counters only: an exit that depends on
// the loop's loads has no count.
#include "exits.h"

namespace memlift {

constexpr size_t maxExits = 4;
/// Depth of loads and operations in an address.
constexpr unsigned maxLinks = 8;
/// Depth of loads and operations where a counter is looked for.
constexpr unsigned maxReadLinks = 3;

/// Returns whether `t` is made of invariants, of loads from such addresses, and of PHIs, which may
/// carry those.
static bool mayBeFixed(class loop *loop, tree t, unsigned links) {
  gimple *def = TREE_CODE(t) == SSA_NAME ? SSA_NAME_DEF_STMT(t) : nullptr;
  if (!def || !gimple_bb(def) || !flow_bb_inside_loop_p(loop, gimple_bb(def)) ||
      gimple_code(def) == GIMPLE_PHI)
    return true;
  if (!links || !is_gimple_assign(def))
    return false;
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND(use, def, it, SSA_OP_USE)
  if (!mayBeFixed(loop, use, links - 1))
    return false;
  return true;
}

/// Returns whether `t` is made of a load from a varying address, and so is no counter.
static bool isRead(class loop *loop, tree t, unsigned links) {
  gassign *def = TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  if (!def || !flow_bb_inside_loop_p(loop, gimple_bb(def)))
    return false;
  if (gimple_assign_load_p(def))
    return !mayBeFixed(loop, t, maxLinks);
  tree use;
  ssa_op_iter it;
  FOR_EACH_SSA_TREE_OPERAND(use, def, it, SSA_OP_USE)
  if (links && isRead(loop, use, links - 1))
    return true;
  return false;
}

/// Returns whether a counter may meet its bound at the exit.
static bool mayCount(class loop *loop, edge exit) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  if (!cond || exit->flags & EDGE_COMPLEX)
    return false;
  tree a = gimple_cond_lhs(cond), b = gimple_cond_rhs(cond);
  return (!isRead(loop, a, maxReadLinks) && mayBeFixed(loop, b, maxLinks)) ||
         (!isRead(loop, b, maxReadLinks) && mayBeFixed(loop, a, maxLinks));
}

/// Returns true if only PHIs of `to` use the block's PHIs.
static bool usedIn(basic_block bb, basic_block to) {
  for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi)) {
    imm_use_iterator it;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, it, gimple_phi_result(psi.phi()))
    if (!is_gimple_debug(USE_STMT(use)) &&
        (gimple_code(USE_STMT(use)) != GIMPLE_PHI || gimple_bb(USE_STMT(use)) != to))
      return false;
  }
  return true;
}

/// Returns the edge on from an exit: after a block for it alone that does nothing.
static edge edgeOn(edge exit) {
  basic_block bb = exit->dest;
  if (!single_pred_p(bb) || !single_succ_p(bb) ||
      !gsi_end_p(gsi_start_nondebug_after_labels_bb(bb)) ||
      single_succ_edge(bb)->flags & EDGE_COMPLEX || !usedIn(bb, single_succ(bb)))
    return exit;
  return single_succ_edge(bb);
}

void findExits(Nest &nest) {
  class loop *loop = nest.inner();
  if (loop->inner || !loop->latch || single_exit(loop))
    return;
  auto_vec<edge> exits = get_loop_exit_edges(loop);
  if (exits.length() < 2 || exits.length() > maxExits)
    return;
  for (edge e : exits)
    if (e->dest->loop_father != loop_outer(loop) ||
        !dominated_by_p(CDI_DOMINATORS, loop->latch, e->src) || !mayCount(loop, e))
      return;
  nest.exits.assign(exits.begin(), exits.end());
  // All dominate the latch, so of any two one dominates the other.
  std::sort(nest.exits.begin(), nest.exits.end(), [](edge a, edge b) {
    return a->src != b->src && dominated_by_p(CDI_DOMINATORS, b->src, a->src);
  });
  for (edge e : nest.exits)
    nest.into.push_back(edgeOn(e));
}

/// Returns the value that exit number `which` leaves to a PHI after all of them.
static tree leftTo(const Nest &nest, gphi *phi, size_t which) {
  tree t = PHI_ARG_DEF_FROM_EDGE(phi, nest.into[which]);
  gphi *own = TREE_CODE(t) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  bool between =
      own && nest.into[which] != nest.exits[which] && gimple_bb(own) == nest.exits[which]->dest;
  return between ? PHI_ARG_DEF_FROM_EDGE(own, nest.exits[which]) : t;
}

size_t Nest::testsBefore(basic_block bb) const {
  return size_t(std::count_if(exits.begin(), exits.end(), [&](edge e) {
    return e->src != bb && dominated_by_p(CDI_DOMINATORS, bb, e->src);
  }));
}

/// Depth of operations between a load and a test of the loop.
constexpr unsigned maxStepsBefore = 4;

/// Returns whether the block comes after as many tests as the accesses do.
static bool isLate(const Nest &nest, basic_block bb) {
  if (!nest.exits.empty())
    return nest.testsBefore(bb) == nest.place;
  return nest.exit && bb != nest.exit->src && dominated_by_p(CDI_DOMINATORS, bb, nest.exit->src);
}

static bool usedLate(const Nest &nest, tree name, unsigned steps) {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, name) {
    gimple *user = USE_STMT(use);
    if (is_gimple_debug(user) ||
        (gimple_code(user) != GIMPLE_PHI && gimple_bb(user) &&
         flow_bb_inside_loop_p(nest.inner(), gimple_bb(user)) && isLate(nest, gimple_bb(user))))
      continue;
    tree next = is_gimple_assign(user) ? gimple_assign_lhs(user) : NULL_TREE;
    if (!steps || !next || TREE_CODE(next) != SSA_NAME || gimple_vuse(user) ||
        !flow_bb_inside_loop_p(nest.inner(), gimple_bb(user)) || !usedLate(nest, next, steps - 1))
      return false;
  }
  return true;
}

bool mayLoadLater(const Nest &nest, gimple *load) {
  return gimple_assign_load_p(load) && !gimple_has_volatile_ops(load) &&
         TREE_CODE(gimple_assign_lhs(load)) == SSA_NAME && !isLate(nest, gimple_bb(load)) &&
         usedLate(nest, gimple_assign_lhs(load), maxStepsBefore);
}

/// Returns the count of an exit whose test is the same in each iteration: the loop is left there at
/// once, or never.
static ExprId countOfFixedTest(Translator &t, ExprGraph &g, edge exit, unsigned word) {
  gcond *cond = as_a<gcond *>(last_stmt(exit->src));
  if (!t.invariant(gimple_cond_lhs(cond)) || !t.invariant(gimple_cond_rhs(cond)))
    return NoExpr;
  ExprId leaves = t.edgeCondition(exit);
  return leaves == NoExpr || !g.isInvariant(leaves)
             ? NoExpr
             : g.select(leaves, g.constant(0, word), g.constant(~uint64_t(0), word));
}

/// Counts that hold under assumptions are rejected: an assumption of one exit need not hold where
/// the loop is left at another. A place that a ring's index reaches has to be in the ring anyway.
std::vector<ExprId> countExits(Translator &t, LoopBinding &binding, const Nest &nest,
                               std::vector<RingEnd> *ends) {
  ExprGraph &g = binding.loop.exprs;
  std::vector<ExprId> counts;
  size_t fixed = 0;
  for (edge exit : nest.exits) {
    ExprId once = countOfFixedTest(t, g, exit, binding.loop.ptrBits);
    if (once != NoExpr) {
      counts.push_back(once);
      ++fixed;
      continue;
    }
    Count count = countExit(t, binding, nest.outer(), exit);
    if (!count.known || count.assumption != NoExpr)
      return {};
    if (ends)
      ends->insert(ends->end(), count.ends.begin(), count.ends.end());
    counts.push_back(count.zero == NoExpr
                         ? count.latch
                         : g.select(count.zero, binding.loop.word(0), count.latch));
  }
  if (fixed == counts.size())
    return {}; // it may run forever
  return counts;
}

bool isCounted(const LoopBinding &binding, const Nest &nest) {
  if (nest.exits.empty())
    return false;
  LoopBinding other; // obstacles met here must not be part of this one
  other.loop.ptrBits = binding.loop.ptrBits;
  Translator t(other, &nest);
  t.findRings();
  t.at(loop_preheader_edge(nest.outer()));
  return !countExits(t, other, nest).empty();
}

static ExprId leastOf(ExprGraph &g, const std::vector<ExprId> &counts, size_t number) {
  ExprId least = counts[0];
  for (size_t k = 1; k < number; ++k)
    least = g.select(g.binary(Op::ULt, counts[k], least), counts[k], least);
  return least;
}

/// The latch count plus one is 0 only if no exit before the block is ever taken, and then the block
/// would have to run 2^64 times.
Count countSeveral(Translator &t, LoopBinding &binding, const Nest &nest) {
  ExprGraph &g = binding.loop.exprs;
  Count all;
  std::vector<ExprId> counts = countExits(t, binding, nest, &all.ends);
  if (counts.empty())
    return all;
  all.known = true;
  all.latch = leastOf(g, counts, counts.size());
  all.plusOne = g.add(all.latch, binding.loop.word(1));
  all.testedBefore = nest.place != 0;
  if (nest.place) {
    ExprId limit = leastOf(g, counts, nest.place);
    all.plusOne = g.select(g.binary(Op::ULt, limit, all.plusOne), limit, all.plusOne);
  }
  return all;
}

/// Returns the value of a name used after exit number `which`, after `iterations` runs of the body.
/// At an exit after the body one more iteration has begun than at one before it.
static ExprId valueAtExit(Translator &t, LoopBinding &binding, const Nest &nest, size_t which,
                          tree name, ExprId iterations) {
  ExprGraph &g = binding.loop.exprs;
  ExprId start;
  if (TREE_CODE(name) != SSA_NAME || t.invariant(name))
    return t.value(name);
  int64_t by;
  size_t assumed = t.counters.size();
  bool counts = t.counter(name, start, by) && t.counters.size() == assumed;
  t.counters.resize(assumed, {}); // its assumptions are in the loop model already
  if (!counts) {
    bool after = which >= nest.place;
    return t.ringAtExit(name, after ? g.sub(iterations, binding.loop.word(1)) : iterations);
  }
  unsigned width = g.width(start);
  ExprId step = g.constant(uint64_t(by), width);
  ExprId value = g.add(start, g.mul(step, g.zextOrTrunc(iterations, width)));
  return which < nest.place ? value : g.sub(value, step);
}

/// Returns the value of a PHI after the exits; NoExpr if it is not known before the loop, or
/// differs.
static ExprId finalOf(Translator &t, LoopBinding &binding, const Nest &nest, gphi *phi,
                      ExprId iterations) {
  ExprId same = NoExpr;
  for (size_t k = 0; k < nest.exits.size(); ++k) {
    ExprId value = valueAtExit(t, binding, nest, k, leftTo(nest, phi, k), iterations);
    if (value == NoExpr || !binding.loop.exprs.isInvariant(value) ||
        (same != NoExpr && !binding.loop.exprs.equal(value, same)))
      return NoExpr;
    same = value;
  }
  return same;
}

/// Returns the recurrence whose last value a PHI after the exits has, or -1.
static int carriedAfter(const Nest &nest, const std::vector<Carried> &carried, gphi *phi) {
  for (size_t r = 0; r < carried.size(); ++r) {
    bool is = true;
    for (size_t k = 0; k < nest.exits.size(); ++k)
      is &= leftTo(nest, phi, k) == (k < nest.place ? carried[r].phi : carried[r].next);
    if (is)
      return int(r);
  }
  return -1;
}

/// Returns true if all exits leave one and the same invariant.
static bool isInvariant(Translator &t, const Nest &nest, gphi *phi) {
  tree first = leftTo(nest, phi, 0);
  bool same = TREE_CODE(first) != SSA_NAME || t.invariant(first);
  for (size_t k = 1; k < nest.exits.size(); ++k)
    same &= operand_equal_p(leftTo(nest, phi, k), first, 0);
  return same;
}

/// Returns whether all exits lead to one block, and leave one value to each of its PHIs, which is
/// known before the loop or carried.
static bool exitsJoin(Translator &t, LoopBinding &binding, const Nest &nest,
                      const std::vector<Carried> &carried, const Count &count, ExprId iterations) {
  basic_block to = nest.into[0]->dest;
  for (edge e : nest.into)
    if (e->dest != to || to->loop_father != loop_outer(nest.outer()))
      return false;
  for (gphi_iterator psi = gsi_start_phis(to); count.known && !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())) && !isInvariant(t, nest, psi.phi()) &&
        carriedAfter(nest, carried, psi.phi()) < 0 &&
        finalOf(t, binding, nest, psi.phi(), iterations) == NoExpr)
      return false;
  return true;
}

/// Describes the values used after exit number `which`, where exits are distinguished.
static void readLiveOutsAfter(Translator &t, LoopBinding &binding, const Nest &nest, size_t which,
                              const std::vector<Carried> &carried, ExprId iterations) {
  edge e = nest.exits[which];
  for (gphi_iterator psi = gsi_start_phis(e->dest); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = PHI_ARG_DEF_FROM_EDGE(psi.phi(), e);
    if (virtual_operand_p(gimple_phi_result(psi.phi())) || TREE_CODE(name) != SSA_NAME ||
        t.invariant(name))
      continue;
    ExprId value =
        iterations == NoExpr ? NoExpr : valueAtExit(t, binding, nest, which, name, iterations);
    int rec = -1;
    if (value != NoExpr && !binding.loop.exprs.isInvariant(value))
      value = NoExpr;
    for (size_t r = 0; value == NoExpr && r < carried.size(); ++r)
      if (name == (which < nest.place ? carried[r].phi : carried[r].next))
        rec = int(r);
    uint64_t used = value != NoExpr ? ~uint64_t(0) : usedBits(gimple_phi_result(psi.phi()));
    binding.loop.liveOuts.push_back({"", value != NoExpr, rec, used});
    binding.liveOuts.push_back(name);
    binding.apart.values.push_back({which, value});
  }
}

static void readLiveOutsApart(Translator &t, LoopBinding &binding, const Nest &nest,
                              const std::vector<Carried> &carried, const Count &count,
                              ExprId iterations) {
  std::vector<ExprId> counts = countExits(t, binding, nest);
  for (size_t k = 0; count.known && k + 1 < counts.size(); ++k)
    binding.apart.isLeft.push_back(binding.loop.exprs.binary(Op::Eq, counts[k], count.latch));
  for (size_t k = 0; k < nest.exits.size(); ++k)
    readLiveOutsAfter(t, binding, nest, k, carried, count.known ? iterations : NoExpr);
}

void readLiveOutsOfSeveral(Translator &t, LoopBinding &binding, const Nest &nest,
                           const std::vector<Carried> &carried) {
  t.at(loop_preheader_edge(nest.outer()));
  Count count = countSeveral(t, binding, nest);
  ExprId iterations = nest.place < nest.exits.size() ? count.plusOne : count.latch;
  if (!exitsJoin(t, binding, nest, carried, count, iterations))
    return readLiveOutsApart(t, binding, nest, carried, count, iterations);
  for (gphi_iterator psi = gsi_start_phis(nest.into[0]->dest); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = PHI_ARG_DEF_FROM_EDGE(psi.phi(), nest.into[0]);
    if (virtual_operand_p(gimple_phi_result(psi.phi())) ||
        (isInvariant(t, nest, psi.phi()) && name == leftTo(nest, psi.phi(), 0)))
      continue;
    ExprId value = count.known ? finalOf(t, binding, nest, psi.phi(), iterations) : NoExpr;
    int rec = value == NoExpr ? carriedAfter(nest, carried, psi.phi()) : -1;
    binding.loop.liveOuts.push_back(
        {"", value != NoExpr, rec,
         value != NoExpr ? ~uint64_t(0) : usedBits(gimple_phi_result(psi.phi()))});
    binding.liveOuts.push_back(name);
    if (value != NoExpr)
      binding.finals.push_back({name, value});
  }
}

} // namespace memlift
