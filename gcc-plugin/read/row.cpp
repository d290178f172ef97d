// row.cpp - which units make a row, and its values as seen from its entry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "row.h"

namespace memlift {

constexpr size_t mostBlocks = 64;
constexpr unsigned mostSteps = 16;

/// Computes, and does nothing else.
static bool isQuiet(gimple *stmt) {
  if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_COND ||
      gimple_code(stmt) == GIMPLE_PREDICT || gimple_code(stmt) == GIMPLE_NOP)
    return true;
  if (glabel *label = dyn_cast<glabel *>(stmt))
    return !FORCED_LABEL(gimple_label_label(label)) && !DECL_NONLOCAL(gimple_label_label(label));
  return is_gimple_assign(stmt) && !gimple_vuse(stmt) && !gimple_has_side_effects(stmt) &&
         !stmt_could_throw_p(cfun, stmt) && !gimple_could_trap_p(stmt);
}

bool isQuietBetween(const RowUnit &a, const RowUnit &b) {
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

static bool isUnit(const Row &row, gimple *stmt) {
  for (const RowUnit &u : row.units)
    if (u.call == stmt)
      return true;
  return false;
}

static bool isQuietBlock(const Row &row, basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (!isUnit(row, gsi_stmt(gsi)) && !isQuiet(gsi_stmt(gsi)))
      return false;
  for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
    if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_phi_result(psi.phi())))
      return false;
  return true;
}

/// Everything from `entry` to `exit`; false if it is left or entered elsewhere.
static bool collect(Row &row) {
  std::vector<basic_block> work;
  auto follow = [&](basic_block bb) {
    for (edge e : bb->succs) {
      if (e->flags & (EDGE_EH | EDGE_ABNORMAL))
        return false;
      work.push_back(e->dest);
    }
    return true;
  };
  if (!follow(row.entry))
    return false;
  while (!work.empty()) {
    basic_block bb = work.back();
    work.pop_back();
    if (bb == row.exit || !row.blocks.insert(bb).second)
      continue;
    if (bb == row.entry || !dominated_by_p(CDI_DOMINATORS, bb, row.entry) ||
        row.blocks.size() > mostBlocks || !follow(bb))
      return false;
  }
  return !row.blocks.empty();
}

/// Where a unit begins and where control goes on behind it; null if unusual.
static bool endsOf(const RowUnit &u, basic_block &from, basic_block &to) {
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

bool findRow(Row &row) {
  basic_block entry = nullptr, exit = nullptr;
  class loop *parent = row.units[0].front()->loop_father;
  for (const RowUnit &u : row.units) {
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
  // closeRow would leave a header there that the loop is not entered by.
  if (exit == parent->header)
    return false;
  gimple *last = last_stmt(entry);
  if (last && stmt_ends_bb_p(last) && gimple_code(last) != GIMPLE_COND)
    return false;
  row.entry = entry;
  row.exit = exit;
  if (!collect(row))
    return false;
  for (basic_block bb : row.blocks)
    if (!row.unitOf(bb) && (bb->loop_father != parent || !isQuietBlock(row, bb)))
      return false;
  for (const RowUnit &u : row.units)
    if (!row.blocks.count(u.loop ? u.loop->header : u.front()))
      return false;
  return true;
}

static const Row *closing;

static bool comesFromRow(edge e) {
  return closing->blocks.count(e->src) || e->src == closing->entry;
}

void closeRow(Row &row) {
  free_dominance_info(CDI_POST_DOMINATORS);
  bool others = false;
  closing = &row;
  for (edge e : row.exit->preds)
    others |= !comesFromRow(e);
  if (others)
    row.exit = make_forwarder_block(row.exit, comesFromRow, nullptr)->src;
  else
    row.exit = split_block_after_labels(row.exit)->src;
}

/// The condition, seen from the row's entry, under which the edge is taken once its
/// beginning is reached.
ExprId Translator::edgeTaken(edge e) {
  Row &row = *binding.row;
  ExprId always = g.constant(1, 1);
  if (single_succ_p(e->src) || row.unitOf(e->src))
    return always;
  // What is known of values where the condition holds must not be used for it.
  basic_block oldWhere = where;
  edge oldOn = on;
  std::map<tree, ExprId> oldMemo;
  oldMemo.swap(memo);
  at(row.entry);
  ExprId c = edgeCondition(e);
  where = oldWhere;
  on = oldOn;
  memo.swap(oldMemo);
  if (c == NoExpr || !(e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE))) {
    row.failed = true;
    return always;
  }
  return c;
}

/// The condition under which control comes from `top` to `block`.
ExprId Translator::reached(basic_block top, basic_block block, unsigned budget) {
  Row &row = *binding.row;
  ExprId always = g.constant(1, 1);
  if (const RowUnit *u = row.unitOf(block))
    block = u->front();
  if (block == top || dominated_by_p(CDI_POST_DOMINATORS, top, block))
    return always;
  if (!budget || !row.blocks.count(block)) {
    row.failed = true;
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

/// Chooses between what comes in over the edges.
ExprId Translator::chosen(gphi *phi, basic_block top, const std::function<ExprId(tree)> &each) {
  ExprId r = NoExpr;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
    ExprId x = each(gimple_phi_arg_def(phi, i));
    if (x == NoExpr || (r != NoExpr && g.width(x) != g.width(r))) {
      binding.row->failed = true;
      return NoExpr;
    }
    r = r == NoExpr ? x : g.select(arrives(top, gimple_phi_arg_edge(phi, i), mostSteps), x, r);
  }
  return r;
}

/// Where the ways part that meet at the PHI.
static basic_block topOf(const Row &row, gphi *phi) {
  basic_block bb = gimple_bb(phi);
  return bb == row.exit ? row.entry : get_immediate_dominator(CDI_DOMINATORS, bb);
}

/// A PHI of the row, outside of its loops, or what a loop leaves.
ExprId Translator::rowValue(tree name) {
  Row &row = *binding.row;
  auto known = row.behind.find(name);
  if (known != row.behind.end())
    return known->second;
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
  basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
  if (!phi || row.unitOf(bb) || tooDeep()) {
    row.failed = true;
    return NoExpr;
  }
  if (gimple_phi_num_args(phi) == 1)
    return value(gimple_phi_arg_def(phi, 0));
  ++depth;
  ExprId r = chosen(phi, topOf(row, phi), [&](tree t) { return value(t); });
  --depth;
  return r;
}

/// The same of a pointer: an offset from one that is there in front of the row.
bool Translator::rowPointer(tree name, uint32_t &base, ExprId &offset) {
  Row &row = *binding.row;
  auto known = row.behind.find(name);
  gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name));
  ExprId whole = NoExpr;
  bool first = true;
  if (known != row.behind.end()) {
    whole = known->second;
  } else if (!phi || row.unitOf(gimple_bb(phi)) || tooDeep()) {
    row.failed = true;
    return false;
  } else {
    ++depth;
    offset = chosen(phi, topOf(row, phi), [&](tree t) {
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
