// rows.cpp - finds rows of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC itself makes calls of some loops of a row, so calls of an unknown size count
// as units, too.
#include "rows.h"
#include "options.h"
#include "report.h"
#include "read/ranges.h"
#include "../idioms/decide/row.h"
#include "write/row.h"

namespace memlift {

static bool isMemCall(gimple *stmt) {
  if (!gimple_call_builtin_p(stmt, BUILT_IN_MEMSET) &&
      !gimple_call_builtin_p(stmt, BUILT_IN_MEMCPY) &&
      !gimple_call_builtin_p(stmt, BUILT_IN_MEMMOVE))
    return false;
  return !gimple_call_lhs(stmt) && TREE_CODE(gimple_call_arg(stmt, 2)) == SSA_NAME;
}

/// All units in program order.
static std::vector<RowUnit> collectUnits() {
  std::vector<RowUnit> units;
  int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, order, false);
  for (int i = 0; i < count; ++i) {
    basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
    class loop *loop = bb->loop_father;
    if (!loop)
      continue;
    bool inner = loop_outer(loop) && !loop->inner;
    if (inner && loop->header == bb)
      units.push_back({loop, nullptr});
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !inner && !gsi_end_p(gsi); gsi_next(&gsi))
      if (isMemCall(gsi_stmt(gsi)))
        units.push_back({nullptr, gsi_stmt(gsi)});
  }
  free(order);
  return units;
}

namespace {

class Rows : public RowSearch {
public:
  Rows(const std::function<unsigned(bool)> &nextOrdinal, const std::function<void()> &settle,
       std::set<class loop *> &handled)
      : nextOrdinal(nextOrdinal), settle(settle), handled(handled) {}
  bool run();

private:
  const std::function<unsigned(bool)> &nextOrdinal;
  const std::function<void()> &settle;
  std::set<class loop *> &handled;
  std::vector<RowUnit> units;
  bool changed = false;

  bool mayContinue(size_t k) override;
  void giveBlock(size_t unit) override;
  bool isRow(size_t first, size_t count) override;
  bool tryRow(size_t first, size_t count) override;
  bool find(size_t first, size_t count, Row &row) const;
  bool rewrite(size_t first, size_t count);
};

} // namespace

static bool writes(const RowUnit &u) { return u.call || storesOf(u.loop) != Stores::None; }

/// A loop close behind a copy may add up what was copied.
static bool mayBeSummed(const RowUnit &copy, const RowUnit &loop) {
  if (!copy.call || !gimple_call_builtin_p(copy.call, BUILT_IN_MEMCPY) || !loop.loop ||
      writes(loop))
    return false;
  basic_block at = loop_preheader_edge(loop.loop)->src;
  for (int steps = 0; steps < 3; ++steps, at = single_pred(at))
    if (at == gimple_bb(copy.call))
      return true;
    else if (!single_pred_p(at))
      return false;
  return false;
}

bool Rows::mayContinue(size_t k) {
  const RowUnit &a = units[k], &b = units[k + 1];
  auto around = [](const RowUnit &u) {
    return u.loop ? loop_outer(u.loop) : gimple_bb(u.call)->loop_father;
  };
  auto place = [](const RowUnit &u) { return u.loop ? u.loop->header : gimple_bb(u.call); };
  return around(a) == around(b) && place(a) != place(b) &&
         (writes(a) == writes(b) || mayBeSummed(a, b)) && (!a.loop || single_exit(a.loop)) &&
         (!b.loop || single_exit(b.loop)) && isQuietBetween(a, b);
}

/// Gives the call a block that holds nothing else and leads into no loop. It must not be the
/// latch of the loop around it either: what follows a row cannot be a loop's header (findRow).
void Rows::giveBlock(size_t at) {
  const RowUnit &unit = units[at];
  if (!unit.call)
    return;
  basic_block bb = gimple_bb(unit.call);
  gimple_stmt_iterator gsi = gsi_for_stmt(unit.call);
  gsi_prev(&gsi);
  bool first = gsi_end_p(gsi) && single_pred_p(bb) && !phi_nodes(bb);
  bool last = gsi_stmt(gsi_last_nondebug_bb(bb)) == unit.call && single_succ_p(bb) &&
              single_succ(bb)->loop_father == bb->loop_father &&
              single_succ(bb) != bb->loop_father->header;
  if (first && last)
    return;
  changed = true;
  forgetRanges();
  free_dominance_info(CDI_POST_DOMINATORS);
  if (!first)
    bb = (gsi_end_p(gsi) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(gsi)))->dest;
  if (!last)
    split_block(bb, unit.call);
}

bool Rows::find(size_t first, size_t count, Row &row) const {
  calculate_dominance_info(CDI_POST_DOMINATORS);
  row.units.assign(units.begin() + long(first), units.begin() + long(first + count));
  return findRow(row);
}

bool Rows::isRow(size_t first, size_t count) {
  Row row;
  return find(first, count, row);
}

/// True if the row was rewritten.
bool Rows::rewrite(size_t first, size_t count) {
  Row row;
  if (!find(first, count, row))
    return false;
  closeRow(row);
  forgetRanges();
  changed = true;
  basic_block exit = row.exit;
  row = Row();
  if (!find(first, count, row) || row.exit != exit || !readRow(row, nextOrdinal(false)))
    return false;
  std::vector<Loop> stages;
  for (LoopBinding &p : row.bindings)
    stages.push_back(p.loop);
  Joined joined = judgeRow(stages, pluginOptions.judge);
  LoopBinding &binding = row.bindings.back();
  binding.loop = joined.loop;
  binding.where = row.bindings.front().where;
  if (joined.ok || joined.outcome.decision.code == Diag::ClaimRefuted) {
    printModel(binding, joined.outcome);
    report(binding, joined.outcome);
  }
  if (joined.ok)
    writeRow(row, binding, joined);
  return joined.ok;
}

bool Rows::tryRow(size_t first, size_t count) {
  if (!rewrite(first, count))
    return false;
  nextOrdinal(true);
  for (size_t k = first; k < first + count; ++k)
    if (units[k].loop)
      handled.insert(units[k].loop);
  free_dominance_info(CDI_POST_DOMINATORS);
  settle();
  return true;
}

bool Rows::run() {
  units = collectUnits();
  search(units.size());
  free_dominance_info(CDI_POST_DOMINATORS);
  return changed;
}

bool runRows(const std::function<unsigned(bool)> &nextOrdinal, const std::function<void()> &settle,
             std::set<class loop *> &handled) {
  return Rows(nextOrdinal, settle, handled).run();
}

} // namespace memlift
