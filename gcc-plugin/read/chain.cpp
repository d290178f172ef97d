// chain.cpp - finds which links make a chain, and its values as seen from its entry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chain.h"

namespace memlift {

constexpr size_t mostBlocks = 64;
constexpr unsigned mostSteps = 16;

/// Returns whether the statement only computes.
static bool isQuiet(gimple *stmt) {
  if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_COND ||
      gimple_code(stmt) == GIMPLE_PREDICT || gimple_code(stmt) == GIMPLE_NOP)
    return true;
  if (glabel *label = dyn_cast<glabel *>(stmt))
    return !FORCED_LABEL(gimple_label_label(label)) && !DECL_NONLOCAL(gimple_label_label(label));
  return is_gimple_assign(stmt) && !gimple_vuse(stmt) && !gimple_has_side_effects(stmt) &&
         !stmt_could_throw_p(cfun, stmt) && !gimple_could_trap_p(stmt);
}

bool isQuietBetween(const ChainLink &a, const ChainLink &b) {
  gimple_stmt_iterator gsi;
  if (a.call)
    for (gsi = gsi_for_stmt(a.call), gsi_next(&gsi); !gsi_end_p(gsi); gsi_next(&gsi))
      if (!isQuiet(gsi_stmt(gsi)))
        return false;
  if (b.call)
    gsi = gsi_for_stmt(b.call), gsi_prev(&gsi);
  else
    gsi = gsi_last_bb(b.front());
  for (; !gsi_end_p(gsi) && gsi_stmt(gsi) != a.call; gsi_prev(&gsi))
    if (!isQuiet(gsi_stmt(gsi)))
      return false;
  return true;
}

static bool isLink(const LoopChain &chain, gimple *stmt) {
  for (const ChainLink &u : chain.links)
    if (u.call == stmt)
      return true;
  return false;
}

static bool isQuietBlock(const LoopChain &chain, basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (!isLink(chain, gsi_stmt(gsi)) && !isQuiet(gsi_stmt(gsi)))
      return false;
  for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
    if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_phi_result(psi.phi())))
      return false;
  return true;
}

/// Collects the blocks from `entry` to `exit`. Returns false if they are left or entered elsewhere.
static bool collect(LoopChain &chain) {
  std::vector<basic_block> work;
  auto follow = [&](basic_block bb) {
    for (edge e : bb->succs) {
      if (e->flags & (EDGE_EH | EDGE_ABNORMAL))
        return false;
      work.push_back(e->dest);
    }
    return true;
  };
  if (!follow(chain.entry))
    return false;
  while (!work.empty()) {
    basic_block bb = work.back();
    work.pop_back();
    if (bb == chain.exit || !chain.blocks.insert(bb).second)
      continue;
    if (bb == chain.entry || !dominated_by_p(CDI_DOMINATORS, bb, chain.entry) ||
        chain.blocks.size() > mostBlocks || !follow(bb))
      return false;
  }
  return !chain.blocks.empty();
}

/// Finds the block where a link begins and the one after it; null if the control flow is unusual.
static bool endsOf(const ChainLink &u, basic_block &from, basic_block &to) {
  if (u.loop) {
    edge exit = single_exit(u.loop);
    from = u.front();
    to = exit ? exit->dest : nullptr;
    return to && !(exit->flags & EDGE_COMPLEX);
  }
  basic_block bb = u.front();
  if (!single_pred_p(bb) || !single_succ_p(bb))
    return false;
  from = single_pred(bb);
  to = single_succ(bb);
  return true;
}

bool findChain(LoopChain &chain) {
  basic_block entry = nullptr, exit = nullptr;
  class loop *parent = chain.links[0].front()->loop_father;
  for (const ChainLink &u : chain.links) {
    basic_block from, to;
    if (u.front()->loop_father != parent || !endsOf(u, from, to))
      return false;
    entry = entry ? nearest_common_dominator(CDI_DOMINATORS, entry, from) : from;
    exit = exit ? nearest_common_dominator(CDI_POST_DOMINATORS, exit, to) : to;
    if (!entry || !exit)
      return false;
  }
  for (edge e : entry->succs)
    exit = exit ? nearest_common_dominator(CDI_POST_DOMINATORS, exit, e->dest) : nullptr;
  if (!exit || exit == EXIT_BLOCK_PTR_FOR_FN(cfun) || entry == ENTRY_BLOCK_PTR_FOR_FN(cfun) ||
      entry->loop_father != parent || exit->loop_father != parent)
    return false;
  // closeChain would leave a header there that the loop is not entered by.
  if (exit == parent->header)
    return false;
  gimple *last = last_stmt(entry);
  if (last && stmt_ends_bb_p(last) && gimple_code(last) != GIMPLE_COND)
    return false;
  chain.entry = entry;
  chain.exit = exit;
  if (!collect(chain))
    return false;
  for (basic_block bb : chain.blocks)
    if (!chain.linkOf(bb) && (bb->loop_father != parent || !isQuietBlock(chain, bb)))
      return false;
  for (const ChainLink &u : chain.links)
    if (!chain.blocks.count(u.loop ? u.loop->header : u.front()))
      return false;
  return true;
}

static const LoopChain *closing;

static bool comesFromChain(edge e) {
  return closing->blocks.count(e->src) || e->src == closing->entry;
}

void closeChain(LoopChain &chain) {
  free_dominance_info(CDI_POST_DOMINATORS);
  bool others = false;
  closing = &chain;
  for (edge e : chain.exit->preds)
    others |= !comesFromChain(e);
  if (others)
    chain.exit = make_forwarder_block(chain.exit, comesFromChain, nullptr)->src;
  else
    chain.exit = split_block_after_labels(chain.exit)->src;
}

/// Returns the condition, seen from the chain's entry, under which the edge is taken once its
/// source is reached.
ExprId Translator::edgeTaken(edge e) {
  LoopChain &chain = *binding.chain;
  ExprId always = g.constant(1, 1);
  if (single_succ_p(e->src) || chain.linkOf(e->src))
    return always;
  // Facts about values that hold under the condition must not be used for it.
  basic_block oldWhere = where;
  edge oldOn = on;
  std::map<tree, ExprId> oldMemo;
  oldMemo.swap(memo);
  at(chain.entry);
  ExprId c = edgeCondition(e);
  where = oldWhere;
  on = oldOn;
  memo.swap(oldMemo);
  if (c == NoExpr || !(e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE))) {
    chain.failed = true;
    return always;
  }
  return c;
}

/// Returns the condition under which control comes from `top` to `block`.
ExprId Translator::reached(basic_block top, basic_block block, unsigned budget) {
  LoopChain &chain = *binding.chain;
  ExprId always = g.constant(1, 1);
  if (const ChainLink *u = chain.linkOf(block))
    block = u->front();
  if (block == top || dominated_by_p(CDI_POST_DOMINATORS, top, block))
    return always;
  if (!budget || !chain.blocks.count(block)) {
    chain.failed = true;
    return always;
  }
  ExprId any = NoExpr;
  for (edge e : block->preds) {
    ExprId way = arrives(top, e, budget - 1);
    any = any == NoExpr || g.isConst(way, 1) ? way
          : g.isConst(any, 1)                ? any
                                             : g.binary(Op::Or, any, way);
  }
  return any == NoExpr ? always : any;
}

ExprId Translator::arrives(basic_block top, edge e, unsigned budget) {
  ExprId a = reached(top, e->src, budget), b = edgeTaken(e);
  return g.isConst(a, 1) ? b : g.isConst(b, 1) ? a : g.binary(Op::And, a, b);
}

/// Returns the value of a phi as a selection among its incoming values.
ExprId Translator::chosen(gphi *phi, basic_block top, const std::function<ExprId(tree)> &each) {
  ExprId r = NoExpr;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
    ExprId x = each(gimple_phi_arg_def(phi, i));
    if (x == NoExpr || (r != NoExpr && g.width(x) != g.width(r))) {
      binding.chain->failed = true;
      return NoExpr;
    }
    r = r == NoExpr ? x : g.select(arrives(top, gimple_phi_arg_edge(phi, i), mostSteps), x, r);
  }
  return r;
}

/// Returns the block where the paths that meet at the PHI diverge.
static basic_block topOf(const LoopChain &chain, gphi *phi) {
  basic_block bb = gimple_bb(phi);
  return bb == chain.exit ? chain.entry : get_immediate_dominator(CDI_DOMINATORS, bb);
}

/// Returns the value of a PHI of the chain outside of its loops, or of a loop's live-out.
ExprId Translator::chainValue(tree name) {
  LoopChain &chain = *binding.chain;
  auto known = chain.after.find(name);
  if (known != chain.after.end())
    return known->second;
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
  basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
  if (!phi || chain.linkOf(bb) || tooDeep()) {
    chain.failed = true;
    return NoExpr;
  }
  if (gimple_phi_num_args(phi) == 1)
    return value(gimple_phi_arg_def(phi, 0));
  ++depth;
  ExprId r = chosen(phi, topOf(chain, phi), [&](tree t) { return value(t); });
  --depth;
  return r;
}

/// Returns a pointer of the chain as an offset from one that is available before the chain.
bool Translator::rowPointer(tree name, uint32_t &base, ExprId &offset) {
  LoopChain &chain = *binding.chain;
  auto known = chain.after.find(name);
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
  ExprId whole = NoExpr;
  bool first = true;
  if (known != chain.after.end()) {
    whole = known->second;
  } else if (!phi || chain.linkOf(gimple_bb(phi)) || tooDeep()) {
    chain.failed = true;
    return false;
  } else {
    ++depth;
    offset = chosen(phi, topOf(chain, phi), [&](tree t) {
      uint32_t b;
      ExprId at;
      if (!pointer(t, b, at) || (!first && b != base))
        return NoExpr;
      base = b;
      first = false;
      return at;
    });
    --depth;
    return offset != NoExpr;
  }
  for (const auto &[atoms, factor] : g.poly(whole))
    if (atoms.size() == 1 && factor == 1 && g[atoms[0]].op == Op::BaseAddr) {
      base = uint32_t(g[atoms[0]].value);
      offset = g.sub(whole, atoms[0]);
      return true;
    }
  return false;
}

} // namespace memlift
