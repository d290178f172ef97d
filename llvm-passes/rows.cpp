// rows.cpp - finds rows of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM itself makes calls of some loops of a row, so calls of an unknown size count
// as units, too; a row of calls alone must have control flow between them, or it is
// as somebody wrote it.
#include "rows.h"

#include "write/write.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {

/// All units in program order.
void Rows::collect(const std::vector<llvm::Loop *> &candidates) {
  SmallPtrSet<const llvm::Loop *, 8> wanted(candidates.begin(), candidates.end());
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&env.f)) {
    llvm::Loop *loop = env.li.getLoopFor(block);
    if (loop && loop->getHeader() == block && wanted.count(loop) && loop->isInnermost() &&
        loop->getLoopPreheader() && loop->getExitBlock() && !findOptionMDForLoop(loop, OffTag)) {
      units.push_back({loop, nullptr});
      continue;
    }
    for (Instruction &i : *block)
      if (isMemCall(i) && !(loop && wanted.count(loop)) &&
          !isa<Constant>(cast<MemIntrinsic>(i).getLength()) &&
          !cast<MemIntrinsic>(i).isVolatile() && !i.getMetadata(DoneTag))
        units.push_back({nullptr, cast<CallBase>(&i)});
  }
}

static bool writes(const RowUnit &u) {
  if (u.call)
    return true;
  for (const BasicBlock *block : u.loop->blocks())
    for (const Instruction &i : *block)
      if (i.mayWriteToMemory())
        return true;
  return false;
}

/// A loop close behind a copy may add up what was copied.
static bool mayBeSummed(const RowUnit &copy, const RowUnit &loop) {
  if (!copy.call || !isa<MemCpyInst>(copy.call) || !loop.loop || writes(loop))
    return false;
  const BasicBlock *at = loop.loop->getLoopPreheader();
  for (int steps = 0; at && steps < 3; ++steps, at = at->getSinglePredecessor())
    if (at == copy.call->getParent())
      return true;
  return false;
}

static BasicBlock *placeOf(const RowUnit &u) {
  return u.loop ? u.loop->getHeader() : u.call->getParent();
}

bool Rows::mayContinue(size_t k) {
  const RowUnit &a = units[k], &b = units[k + 1];
  auto around = [&](const RowUnit &u) {
    return u.loop ? u.loop->getParentLoop() : env.li.getLoopFor(u.call->getParent());
  };
  auto kept = [](const RowUnit &u) { return u.loop && isSurelyKept(*u.loop); };
  return around(a) == around(b) && (writes(a) == writes(b) || mayBeSummed(a, b)) &&
         placeOf(a) != placeOf(b) && !kept(a) && !kept(b);
}

/// A block that holds the call and nothing else, and is no loop's preheader.
void Rows::giveBlock(size_t at) {
  const RowUnit &unit = units[at];
  if (!unit.call)
    return;
  BasicBlock *block = unit.call->getParent();
  DomTreeUpdater trees(&env.dt, pdt ? &*pdt : nullptr, DomTreeUpdater::UpdateStrategy::Eager);
  bool first = &block->front() == unit.call && block->getSinglePredecessor();
  const BasicBlock *next = block->getSingleSuccessor();
  bool last = unit.call->getNextNode() == block->getTerminator() && next &&
              env.li.getLoopFor(next) == env.li.getLoopFor(block);
  if (!first)
    split.push_back(block = SplitBlock(block, unit.call, &trees, &env.li));
  if (!last)
    split.push_back(SplitBlock(block, unit.call->getNextNode(), &trees, &env.li));
}

/// Where no row came of it, the function is as it was: else what is compiled from
/// it would differ though nothing was found.
void Rows::mergeBack() {
  DomTreeUpdater trees(env.dt, DomTreeUpdater::UpdateStrategy::Eager);
  for (WeakVH &value : split)
    if (auto *block = cast_or_null<BasicBlock>(value))
      changed |= !MergeBlockIntoPredecessor(block, &trees, &env.li);
  if (!split.empty())
    env.se.forgetBlockAndLoopDispositions();
}

bool Rows::find(size_t first, size_t count, Row &row) {
  if (!pdt)
    pdt.emplace(env.f);
  row.units.assign(units.begin() + long(first), units.begin() + long(first + count));
  return findRow(env, *pdt, row);
}

bool Rows::isRow(size_t first, size_t count) {
  Row row;
  return find(first, count, row);
}

bool Rows::tryRow(size_t first, size_t count) {
  Row row;
  if (!find(first, count, row))
    return false;
  BasicBlock *before = row.exit;
  closeRow(env, row);
  if (row.exit != before) {
    split.push_back(row.exit);
    pdt.reset();
    row = Row();
    if (!find(first, count, row))
      return false;
  }
  if (!readRow(env, row))
    return false;
  std::vector<Loop> stages;
  for (LoopBinding &p : row.bindings) {
    name(p);
    stages.push_back(p.loop);
  }
  Joined joined = judgeRow(stages, env.config.options);
  bool refuted = joined.outcome.decision.code == Diag::ClaimRefuted;
  LoopBinding &last = row.bindings.back();
  if (!joined.ok && !refuted)
    return false;
  last.loop = joined.loop;
  last.loc = row.bindings.front().loc;
  last.nest = row.bindings.front().nest;
  if (joined.counting + 1 < row.bindings.size())
    last.liveOuts = row.bindings[joined.counting].liveOuts;
  if (refuted || !canWrite(last, joined.outcome.decision)) {
    if (refuted)
      tell(last, joined.outcome);
    return refuted;
  }
  tell(last, joined.outcome);
  if (!printOnly)
    rewriteRow(env, row, last, joined);
  for (const RowUnit &u : row.units) {
    if (u.loop)
      loops.insert(u.loop);
    else
      calls.insert(u.call);
  }
  pdt.reset();
  changed |= !printOnly;
  return true;
}

bool Rows::run(const std::vector<llvm::Loop *> &candidates) {
  collect(candidates);
  search(units.size());
  mergeBack();
  return changed;
}

} // namespace memlift
