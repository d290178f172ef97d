// join.cpp - values at a join of paths, and stores of all the paths that meet there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (big) { c = ...; t[i] = c; } else { c = ...; t[i] = c; }
//
// The stores at the ends of all paths to a join are one store of a selection, if they write to one
// place. GCC leaves them apart where the paths hold more than the store.
//
// Paths may fork again before the join. Each block has one result for all paths through it, so a
// row of forks takes as many steps as it has blocks. GCC threads jumps by conditions that it knows,
// so some paths may pass the join by. A value at the join is used only after it, where control did
// not take them.
#include "join.h"

namespace memlift {

namespace {

/// Blocks between a fork and its join: no more are looked at. Both arms of a fork may have eight
/// steps of a shift register, of up to six blocks each.
constexpr unsigned maxBlocksBetween = 96;

/// Result of the paths from a block: their value at the join, if they come there.
struct Arrival {
  bool comes;
  ExprId value; // NoExpr: it cannot be read
};
constexpr Arrival unknown = {true, NoExpr}, passesBy = {false, NoExpr};

/// All paths from a fork to a join.
struct JoinWalk {
  Translator &t;
  ExprGraph &g;
  basic_block join;
  const std::function<ExprId(edge)> &each;
  std::map<basic_block, Arrival> results;

  Arrival arriving(edge way);
  Arrival beyond(basic_block bb);
  Arrival forked(basic_block fork);
};

/// Follows control that leaves a fork by edge `way`: through conditions, and small loops that are
/// left in one place.
Arrival JoinWalk::arriving(edge way) {
  if (way->dest == join)
    return {true, each(way)};
  auto known = results.find(way->dest);
  if (known != results.end())
    return known->second;
  if (results.size() >= maxBlocksBetween)
    return unknown;
  results[way->dest] = unknown; // until it is known
  Arrival result = beyond(way->dest);
  return results[way->dest] = result;
}

/// Follows control that comes to a block before the join.
Arrival JoinWalk::beyond(basic_block bb) {
  class loop *around = join->loop_father, *inside = bb->loop_father;
  if (bb == around->header || !flow_bb_inside_loop_p(around, bb))
    return passesBy; // the iteration is over
  if (inside != around && (loop_outer(inside) != around || fewIterations(inside) < 0))
    return unknown;
  if (inside != around)
    return arriving(single_exit(inside));
  return single_succ_p(bb) ? arriving(single_succ_edge(bb)) : forked(bb);
}

/// Selects by the condition at the fork, unless both arms have one value, or one passes by.
Arrival JoinWalk::forked(basic_block fork) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(fork));
  if (!cond)
    return unknown;
  edge taken, other;
  extract_true_false_edges_from_block(fork, &taken, &other);
  Arrival x = arriving(taken);
  Arrival y = x.comes && x.value == NoExpr ? unknown : arriving(other);
  if (!x.comes || !y.comes)
    return x.comes ? x : y;
  if (y.value == NoExpr || x.value == y.value)
    return y;
  ExprId c = t.compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  if (c == NoExpr || g.width(x.value) != g.width(y.value))
    return unknown;
  return {true, g.select(c, x.value, y.value)};
}

} // namespace

ExprId Translator::joined(basic_block join, const std::function<ExprId(edge)> &each) {
  basic_block fork = get_immediate_dominator(CDI_DOMINATORS, join);
  if (!fork || fork->loop_father != join->loop_father ||
      !flow_bb_inside_loop_p(nest->outer(), fork))
    return NoExpr;
  return JoinWalk{*this, g, join, each, {}}.forked(fork).value;
}

namespace {

/// Returns whether the loop may be left on some of the paths to the join.
bool leavesBefore(const Nest &nest, basic_block join) {
  basic_block exit = nest.exit ? nest.exit->src : nullptr;
  return !exit || !(dominated_by_p(CDI_DOMINATORS, join, exit) ||
                    dominated_by_p(CDI_DOMINATORS, exit, join));
}

/// Returns the join to which control comes from the block, and only from blocks of accesses from
/// `first` on, one of each; null if there is none.
basic_block joinAfter(const LoopBinding &binding, const Nest &nest, size_t first) {
  basic_block join = single_succ_p(binding.accessBlocks[first])
                         ? single_succ(binding.accessBlocks[first])
                         : nullptr;
  if (!join || join->loop_father != nest.inner() || join == nest.inner()->header ||
      EDGE_COUNT(join->preds) != binding.accessBlocks.size() - first ||
      !dominated_by_p(CDI_DOMINATORS, nest.inner()->latch, join) || leavesBefore(nest, join))
    return nullptr;
  std::set<basic_block> stores(binding.accessBlocks.begin() + long(first),
                               binding.accessBlocks.end());
  for (edge e : join->preds)
    if (e->src->loop_father != nest.inner() || !single_succ_p(e->src) || !stores.erase(e->src))
      return nullptr;
  return join;
}

/// Returns whether two plain stores write to one place.
bool atOnePlace(const ExprGraph &g, const Access &a, const Access &b) {
  return a.store && b.store && a.affine && b.affine && !a.isVolatile && !b.isVolatile &&
         !a.atomic && !b.atomic && !a.fixed && !b.fixed && a.base == b.base &&
         a.offset == b.offset && a.step == b.step && a.bytes == b.bytes &&
         a.addressSpace == b.addressSpace && a.value != NoExpr && b.value != NoExpr &&
         g.width(a.value) == g.width(b.value);
}

/// Returns whether a store from `first` on is a call, which is known by its access.
bool hasCalls(const LoopBinding &binding, size_t first) {
  for (auto &[call, sides] : binding.copies)
    if (sides.second >= first)
      return true;
  return false;
}

} // namespace

bool joinStores(Translator &t, LoopBinding &binding, const Nest &nest) {
  std::vector<Access> &all = binding.loop.accesses;
  size_t first = all.size();
  while (first && atOnePlace(binding.loop.exprs, all[first - 1], all.back()))
    --first;
  if (all.size() - first < 2 || !nest.exits.empty() || binding.accessBlocks.size() != all.size() ||
      hasCalls(binding, first))
    return false;
  basic_block join = joinAfter(binding, nest, first);
  if (!join)
    return false;
  t.at(join);
  ExprId value = t.joined(join, [&](edge e) {
    for (size_t i = first; i < all.size(); ++i)
      if (binding.accessBlocks[i] == e->src)
        return all[i].value;
    return NoExpr;
  });
  if (value == NoExpr)
    return false;
  Access &one = all[first];
  one.value = value;
  one.conditional = false;
  for (size_t i = first; i < all.size(); ++i) {
    one.align = std::min(one.align, all[i].align);
    one.paddingBits |= all[i].paddingBits;
  }
  all.resize(first + 1);
  binding.refs.resize(first + 1);
  binding.accessBlocks.resize(first + 1);
  binding.refs[first] = NULL_TREE; // no single reference: the loop cannot be cut into blocks
  return true;
}

} // namespace memlift
