// chains.cpp - finds chains of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM itself makes calls of some loops of a chain, so calls of an unknown size count as links,
// too. A chain of calls alone must have control flow between them: otherwise it is straight-line
// code as written in the source.
#include "chains.h"

#include "write/write.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {

/// Collects all links in program order.
void ChainRewriter::collect(const std::vector<llvm::Loop *> &candidates) {
  SmallPtrSet<const llvm::Loop *, 8> wanted(candidates.begin(), candidates.end());
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&env.f)) {
    llvm::Loop *loop = env.li.getLoopFor(block);
    if (loop && loop->getHeader() == block && wanted.count(loop) && loop->isInnermost() &&
        loop->getLoopPreheader() && loop->getExitBlock() && !findOptionMDForLoop(loop, OffTag)) {
      links.push_back({loop, nullptr});
      continue;
    }
    for (Instruction &i : *block)
      if (isMemCall(i) && !(loop && wanted.count(loop)) &&
          !isa<Constant>(cast<MemIntrinsic>(i).getLength()) &&
          !cast<MemIntrinsic>(i).isVolatile() && !i.getMetadata(DoneTag))
        links.push_back({nullptr, cast<CallBase>(&i)});
  }
}

static bool writes(const ChainLink &u) {
  if (u.call)
    return true;
  for (const BasicBlock *block : u.loop->blocks())
    for (const Instruction &i : *block)
      if (i.mayWriteToMemory())
        return true;
  return false;
}

/// Returns whether a loop follows a copy closely enough to sum the copied bytes.
static bool mayBeSummed(const ChainLink &copy, const ChainLink &loop) {
  if (!copy.call || !isa<MemCpyInst>(copy.call) || !loop.loop || writes(loop))
    return false;
  const BasicBlock *at = loop.loop->getLoopPreheader();
  for (int steps = 0; at && steps < 3; ++steps, at = at->getSinglePredecessor())
    if (at == copy.call->getParent())
      return true;
  return false;
}

static BasicBlock *placeOf(const ChainLink &u) {
  return u.loop ? u.loop->getHeader() : u.call->getParent();
}

bool ChainRewriter::mayContinue(size_t k) {
  const ChainLink &a = links[k], &b = links[k + 1];
  auto around = [&](const ChainLink &u) {
    return u.loop ? u.loop->getParentLoop() : env.li.getLoopFor(u.call->getParent());
  };
  auto kept = [](const ChainLink &u) { return u.loop && isSurelyKept(*u.loop); };
  return around(a) == around(b) && (writes(a) == writes(b) || mayBeSummed(a, b)) &&
         placeOf(a) != placeOf(b) && !kept(a) && !kept(b);
}

/// Splits a block of its own for the call, which is no loop's preheader.
void ChainRewriter::giveBlock(size_t at) {
  const ChainLink &link = links[at];
  if (!link.call)
    return;
  BasicBlock *block = link.call->getParent();
  DomTreeUpdater trees(&env.dt, pdt ? &*pdt : nullptr, DomTreeUpdater::UpdateStrategy::Eager);
  bool first = &block->front() == link.call && block->getSinglePredecessor();
  const BasicBlock *next = block->getSingleSuccessor();
  bool last = link.call->getNextNode() == block->getTerminator() && next &&
              env.li.getLoopFor(next) == env.li.getLoopFor(block);
  if (!first)
    split.push_back(block = SplitBlock(block, link.call, &trees, &env.li));
  if (!last)
    split.push_back(SplitBlock(block, link.call->getNextNode(), &trees, &env.li));
}

/// Merges the split blocks again where no chain was found. Otherwise the compiled code would differ
/// although nothing was found.
void ChainRewriter::undo() {
  DomTreeUpdater trees(env.dt, DomTreeUpdater::UpdateStrategy::Eager);
  for (WeakVH &value : split)
    if (auto *block = cast_or_null<BasicBlock>(value))
      changed |= !MergeBlockIntoPredecessor(block, &trees, &env.li);
  if (!split.empty())
    env.se.forgetBlockAndLoopDispositions();
}

bool ChainRewriter::find(size_t first, size_t count, LoopChain &chain) {
  if (!pdt)
    pdt.emplace(env.f);
  chain.links.assign(links.begin() + long(first), links.begin() + long(first + count));
  return findChain(env, *pdt, chain);
}

bool ChainRewriter::isChain(size_t first, size_t count) {
  LoopChain chain;
  return find(first, count, chain);
}

std::vector<BoundLoop *> ChainRewriter::read(size_t first, size_t count) {
  chain = LoopChain();
  if (!find(first, count, chain))
    return {};
  BasicBlock *before = chain.exit;
  closeChain(env, chain);
  if (chain.exit != before) {
    split.push_back(chain.exit);
    pdt.reset();
    chain = LoopChain();
    if (!find(first, count, chain))
      return {};
  }
  if (!readChain(env, chain))
    return {};
  std::vector<BoundLoop *> list;
  for (LoopBinding &binding : chain.bindings) {
    addFunction(env, binding);
    list.push_back(&binding);
  }
  return list;
}

BoundLoop &ChainRewriter::bind(const Joined &joined) {
  LoopBinding &last = chain.bindings.back();
  last.loop = joined.loop;
  last.loc = chain.bindings.front().loc;
  last.nest = chain.bindings.front().nest;
  if (joined.counting + 1 < chain.bindings.size())
    last.liveOuts = chain.bindings[joined.counting].liveOuts;
  return last;
}

void ChainRewriter::write(BoundLoop &binding, const Joined &joined) {
  rewriteChain(env, chain, static_cast<LoopBinding &>(binding), joined);
  changed = true;
}

void ChainRewriter::take(size_t first, size_t count) {
  for (size_t k = first; k < first + count; ++k)
    if (links[k].loop)
      loops.insert(links[k].loop);
    else
      calls.insert(links[k].call);
  pdt.reset();
}

bool ChainRewriter::run(const std::vector<llvm::Loop *> &candidates) {
  collect(candidates);
  search(links.size());
  return changed;
}

} // namespace memlift
