// join.cpp - values at a join of paths, and stores of all the paths that meet there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (big) { c = ...; t[i] = c; } else { c = ...; t[i] = c; }
//
// The stores at the ends of all paths to a join are one store of a selection, if they write to one
// place. GCC leaves them apart where the paths hold more than the store.
//
// Paths may fork again before the join. Each block has one result for all paths through it, so a
// row of forks takes as many steps as it has blocks.
#include "join.h"

namespace memlift {

namespace {

/// Blocks between a fork and its join: no more are looked at. Both arms of a fork may have eight
/// steps of a shift register, of four blocks each.
constexpr unsigned maxBlocksBetween = 64;

} // namespace

struct JoinWalk {
  basic_block join;
  const std::function<ExprId(edge)> &each;
  std::map<basic_block, ExprId> results;
};

/// Returns the result for control that leaves a fork by edge `way`: through conditions, and small
/// loops that are left in one place.
ExprId Translator::arriving(JoinWalk &walk, edge way) {
  if (way->dest == walk.join)
    return walk.each(way);
  auto known = walk.results.find(way->dest);
  if (known != walk.results.end())
    return known->second;
  if (walk.results.size() >= maxBlocksBetween)
    return NoExpr;
  walk.results[way->dest] = NoExpr; // until it is known
  ExprId result = beyond(walk, way->dest);
  return walk.results[way->dest] = result;
}

/// Returns the result for control that comes to a block before the join.
ExprId Translator::beyond(JoinWalk &walk, basic_block bb) {
  class loop *around = walk.join->loop_father, *inside = bb->loop_father;
  bool passable = inside == around || (loop_outer(inside) == around && fewIterations(inside) >= 0);
  if (!passable || bb == around->header)
    return NoExpr;
  if (inside != around)
    return arriving(walk, single_exit(inside));
  return single_succ_p(bb) ? arriving(walk, single_succ_edge(bb)) : forked(walk, bb);
}

/// Returns a selection by the condition at the fork, or the result of both arms if it is one.
ExprId Translator::forked(JoinWalk &walk, basic_block fork) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(fork));
  if (!cond)
    return NoExpr;
  edge taken, other;
  extract_true_false_edges_from_block(fork, &taken, &other);
  ExprId x = arriving(walk, taken);
  ExprId y = x == NoExpr ? NoExpr : arriving(walk, other);
  if (y == NoExpr || x == y)
    return y;
  ExprId c = compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  return c == NoExpr || g.width(x) != g.width(y) ? NoExpr : g.select(c, x, y);
}

ExprId Translator::joined(basic_block join, const std::function<ExprId(edge)> &each) {
  basic_block fork = get_immediate_dominator(CDI_DOMINATORS, join);
  if (!fork || fork->loop_father != join->loop_father ||
      !flow_bb_inside_loop_p(nest->outer(), fork))
    return NoExpr;
  JoinWalk walk = {join, each, {}};
  return forked(walk, fork);
}

namespace {

/// Returns the join to which control comes from the block, and only from blocks of accesses from
/// `first` on, one of each; null if there is none.
basic_block joinAfter(const LoopBinding &binding, const Nest &nest, size_t first) {
  basic_block join = single_succ_p(binding.accessBlocks[first])
                         ? single_succ(binding.accessBlocks[first])
                         : nullptr;
  if (!join || join->loop_father != nest.inner() || join == nest.inner()->header ||
      EDGE_COUNT(join->preds) != binding.accessBlocks.size() - first ||
      !dominated_by_p(CDI_DOMINATORS, nest.inner()->latch, join))
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

} // namespace

bool joinStores(Translator &t, LoopBinding &binding, const Nest &nest) {
  std::vector<Access> &all = binding.loop.accesses;
  size_t first = all.size();
  while (first && atOnePlace(binding.loop.exprs, all[first - 1], all.back()))
    --first;
  if (all.size() - first < 2 || !nest.exits.empty() || binding.accessBlocks.size() != all.size())
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
