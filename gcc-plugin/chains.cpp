// chains.cpp - finds chains of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC itself makes calls of some loops of a chain, so calls of an unknown size count
// as links, too.
#include "chains.h"
#include "options.h"
#include "read/ranges.h"
#include "write/chain.h"

namespace memlift {

static bool isVariableMemCall(gimple *stmt) {
  if (!gimple_call_builtin_p(stmt, BUILT_IN_MEMSET) &&
      !gimple_call_builtin_p(stmt, BUILT_IN_MEMCPY) &&
      !gimple_call_builtin_p(stmt, BUILT_IN_MEMMOVE))
    return false;
  return !gimple_call_lhs(stmt) && TREE_CODE(gimple_call_arg(stmt, 2)) == SSA_NAME;
}

/// Collects all links in program order.
static std::vector<ChainLink> collectUnits() {
  std::vector<ChainLink> links;
  int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, order, false);
  for (int i = 0; i < count; ++i) {
    basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
    class loop *loop = bb->loop_father;
    if (!loop)
      continue;
    bool inner = loop_outer(loop) && !loop->inner;
    if (inner && loop->header == bb)
      links.push_back({loop, nullptr});
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !inner && !gsi_end_p(gsi); gsi_next(&gsi))
      if (isVariableMemCall(gsi_stmt(gsi)))
        links.push_back({nullptr, gsi_stmt(gsi)});
  }
  free(order);
  return links;
}

namespace {

class ChainRewriter : public ChainSearch {
public:
  ChainRewriter(Driver &driver, const std::function<void()> &settle,
                std::set<class loop *> &handled)
      : ChainSearch(driver), settle(settle), handled(handled) {}
  bool run();

private:
  const std::function<void()> &settle;
  std::set<class loop *> &handled;
  std::vector<ChainLink> links;
  LoopChain chain; // the one that was read last
  bool changed = false;

  bool mayContinue(size_t k) override;
  void giveBlock(size_t link) override;
  bool isChain(size_t first, size_t count) override;
  std::vector<BoundLoop *> read(size_t first, size_t count) override;
  BoundLoop &bind(const Joined &joined) override;
  void write(BoundLoop &binding, const Joined &joined) override;
  void take(size_t first, size_t count) override;
  void undo() override;
  bool find(size_t first, size_t count, LoopChain &chain) const;
};

} // namespace

static bool writes(const ChainLink &u) { return u.call || storesOf(u.loop) != Stores::None; }

/// Returns whether a loop follows a copy closely enough to sum the copied bytes.
static bool mayBeSummed(const ChainLink &copy, const ChainLink &loop) {
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

bool ChainRewriter::mayContinue(size_t k) {
  const ChainLink &a = links[k], &b = links[k + 1];
  auto around = [](const ChainLink &u) {
    return u.loop ? loop_outer(u.loop) : gimple_bb(u.call)->loop_father;
  };
  auto place = [](const ChainLink &u) { return u.loop ? u.loop->header : gimple_bb(u.call); };
  return around(a) == around(b) && place(a) != place(b) &&
         (writes(a) == writes(b) || mayBeSummed(a, b)) && (!a.loop || single_exit(a.loop)) &&
         (!b.loop || single_exit(b.loop)) && isQuietBetween(a, b);
}

/// Splits a block of its own for the call, which leads into no loop. It must not be the latch of
/// the loop around it either: a loop's header cannot follow a chain (findChain).
void ChainRewriter::giveBlock(size_t at) {
  const ChainLink &link = links[at];
  if (!link.call)
    return;
  basic_block bb = gimple_bb(link.call);
  gimple_stmt_iterator gsi = gsi_for_stmt(link.call);
  gsi_prev(&gsi);
  bool first = gsi_end_p(gsi) && single_pred_p(bb) && !phi_nodes(bb);
  bool last = gsi_stmt(gsi_last_nondebug_bb(bb)) == link.call && single_succ_p(bb) &&
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
    split_block(bb, link.call);
}

bool ChainRewriter::find(size_t first, size_t count, LoopChain &chain) const {
  calculate_dominance_info(CDI_POST_DOMINATORS);
  chain.links.assign(links.begin() + long(first), links.begin() + long(first + count));
  return findChain(chain);
}

bool ChainRewriter::isChain(size_t first, size_t count) {
  LoopChain chain;
  return find(first, count, chain);
}

std::vector<BoundLoop *> ChainRewriter::read(size_t first, size_t count) {
  chain = LoopChain();
  if (!find(first, count, chain))
    return {};
  closeChain(chain);
  forgetRanges();
  changed = true;
  basic_block exit = chain.exit;
  chain = LoopChain();
  if (!find(first, count, chain) || chain.exit != exit || !readChain(chain))
    return {};
  std::vector<BoundLoop *> list;
  for (LoopBinding &binding : chain.bindings)
    list.push_back(&binding);
  return list;
}

BoundLoop &ChainRewriter::bind(const Joined &joined) {
  LoopBinding &last = chain.bindings.back();
  last.loop = joined.loop;
  last.where = chain.bindings.front().where;
  return last;
}

void ChainRewriter::write(BoundLoop &binding, const Joined &joined) {
  writeChain(chain, static_cast<LoopBinding &>(binding), joined);
}

void ChainRewriter::take(size_t first, size_t count) {
  for (size_t k = first; k < first + count; ++k)
    if (links[k].loop)
      handled.insert(links[k].loop);
  free_dominance_info(CDI_POST_DOMINATORS);
  settle();
}

/// Leaves the blocks to GCC's clean-up of the control flow, which runs as `changed` is set.
void ChainRewriter::undo() { free_dominance_info(CDI_POST_DOMINATORS); }

bool ChainRewriter::run() {
  links = collectUnits();
  search(links.size());
  return changed;
}

bool runChains(Driver &driver, const std::function<void()> &settle,
               std::set<class loop *> &handled) {
  return ChainRewriter(driver, settle, handled).run();
}

} // namespace memlift
