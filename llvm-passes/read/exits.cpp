// exits.cpp - loops that end at the first of several exits, each of them counted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n && i < *m; i++)      header: m = load; if (i >= m) leave
//     d[i] = s[i];                         body:   d[i] = s[i]; i++
//                                          latch:  if (i >= n) leave
//
// Optimisers do not join these tests, as a store is between them. Each exit has a count of its own:
// for how many consecutive iterations the loop is not left there. The back edge is taken as often
// as the least of them. Code after some exits runs as often as those allow, and once more than the
// back edge is taken if the loop is not left at one of them. The tests are of counters only: an
// exit that depends on the loop's loads has no count.
//
// Counts are joined in the order of the tests (a sequential minimum): where the first exit is taken
// at once, the bound of the second may be no value at all.
#include "read/exits.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {

constexpr size_t maxExits = 4;
/// Depth of loads and additions in an address.
constexpr unsigned maxLinks = 8;
/// Depth of loads and operations where a counter is looked for.
constexpr unsigned maxReadLinks = 3;

/// Returns whether a value is made of invariants and of loads from such addresses, or is a phi that
/// carries such a value on.
static bool mayBeFixed(const llvm::Loop &loop, const Value *v, unsigned links) {
  if (loop.isLoopInvariant(v))
    return true;
  const auto *i = cast<Instruction>(v);
  if (links && isa<PHINode>(i) && i->getParent() == loop.getHeader() && loop.getLoopLatch())
    v = cast<PHINode>(i)->getIncomingValueForBlock(loop.getLoopLatch());
  if (v != i)
    return mayBeFixed(loop, v, links - 1);
  return links && !isa<PHINode>(i) && !isa<CallBase>(i) &&
         all_of(i->operands(),
                [&](const Use &use) { return mayBeFixed(loop, use.get(), links - 1); });
}

/// Returns whether `t` is made of a load from a varying address, and so is no counter.
static bool isRead(const llvm::Loop &loop, const Value *v, unsigned links) {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || !loop.contains(i) || isa<PHINode>(i))
    return false;
  if (const auto *load = dyn_cast<LoadInst>(i))
    return !mayBeFixed(loop, load->getPointerOperand(), maxLinks);
  return links &&
         any_of(i->operands(), [&](const Use &use) { return isRead(loop, use.get(), links - 1); });
}

/// Returns whether the test may compare a counter with a bound.
static bool mayCount(const llvm::Loop &loop, Value *test, unsigned links) {
  Value *left, *right;
  using namespace PatternMatch;
  if (links && (match(test, m_LogicalAnd(m_Value(left), m_Value(right))) ||
                match(test, m_LogicalOr(m_Value(left), m_Value(right)))))
    return mayCount(loop, left, links - 1) && mayCount(loop, right, links - 1);
  const auto *compare = dyn_cast<ICmpInst>(test);
  for (unsigned bound = 0; compare && bound < 2; ++bound)
    if (!isRead(loop, compare->getOperand(1 - bound), maxReadLinks) &&
        mayBeFixed(loop, compare->getOperand(bound), maxLinks))
      return true;
  return loop.isLoopInvariant(test);
}

bool mayBeCounted(const llvm::Loop &loop) {
  if (loop.getExitingBlock())
    return loop.getExitBlock();
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return !exiting.empty() && exiting.size() <= maxExits &&
         all_of(exiting, [&](const BasicBlock *block) {
           const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
           return branch && branch->isConditional() &&
                  mayCount(loop, branch->getCondition(), maxLinks);
         });
}

/// Returns 0 or 1 as an expression of type `word`, and which of the two it is where the condition
/// holds; null if the condition is not known to be the same in each iteration.
static const SCEV *fixedCondition(Env &env, const llvm::Loop &loop, Value *test, Type *word,
                                  bool &holdsIfZero) {
  ScalarEvolution &se = env.se;
  auto *compare = dyn_cast<ICmpInst>(test);
  holdsIfZero = false;
  if (!compare || !loop.contains(compare))
    return loop.isLoopInvariant(test) ? se.getZeroExtendExpr(se.getSCEV(test), word) : nullptr;
  const SCEV *sides[2];
  for (unsigned k = 0; k < 2; ++k) {
    sides[k] = se.getSCEV(compare->getOperand(k));
    if (sides[k]->getType()->isPointerTy())
      sides[k] = se.getLosslessPtrToIntExpr(sides[k]);
    if (isa<SCEVCouldNotCompute>(sides[k]) || !se.isLoopInvariant(sides[k], &loop) ||
        se.getTypeSizeInBits(sides[k]->getType()) > se.getTypeSizeInBits(word))
      return nullptr;
  }
  if (!compare->isEquality())
    return nullptr;
  holdsIfZero = compare->getPredicate() == CmpInst::ICMP_EQ;
  const SCEV *difference = se.getMinusSCEV(sides[0], sides[1]);
  return se.getZeroExtendExpr(se.getUMinExpr(difference, se.getOne(difference->getType())), word);
}

/// Returns the count of an exit whose test is the same in each iteration: the loop is left there
/// at once, or never. Null if the test is another.
static const SCEV *countOfFixedTest(Env &env, const llvm::Loop &loop, BasicBlock &exiting,
                                    Type *word) {
  auto *branch = dyn_cast<BranchInst>(exiting.getTerminator());
  bool holdsIfZero;
  const SCEV *one = branch && branch->isConditional()
                        ? fixedCondition(env, loop, branch->getCondition(), word, holdsIfZero)
                        : nullptr;
  if (!one)
    return nullptr;
  bool leavesIfHolds = !loop.contains(branch->getSuccessor(0));
  return leavesIfHolds == holdsIfZero ? env.se.getNegativeSCEV(one) // 0: 0, 1: all ones
                                      : env.se.getMinusSCEV(one, env.se.getOne(word));
}

bool SeveralExits::find(function_ref<const SCEV *(const BasicBlock &)> other) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() < 2 || !loop.getSubLoops().empty() || !loop.getLoopLatch() ||
      !mayBeCounted(loop))
    return false;
  SmallVector<BasicBlock *, 4> exitBlocks;
  loop.getExitBlocks(exitBlocks);
  for (BasicBlock *block : exitBlocks)
    if (env.li.getLoopFor(block) != loop.getParentLoop())
      return false;
  for (BasicBlock *block : exiting)
    if (!env.dt.dominates(block, loop.getLoopLatch()))
      return false;
  // All dominate the latch, so of any two one dominates the other.
  sort(exiting, [&](BasicBlock *a, BasicBlock *b) { return env.dt.properlyDominates(a, b); });
  Type *word = IntegerType::get(env.f.getContext(), env.dl.getIndexSizeInBits(0));
  counts.clear();
  size_t fixed = 0;
  for (BasicBlock *block : exiting) {
    const SCEV *count = env.se.getExitCount(&loop, block);
    if (isa<SCEVCouldNotCompute>(count)) {
      if (const SCEV *once = countOfFixedTest(env, loop, *block, word)) {
        count = once;
        ++fixed;
      } else if (const SCEV *known = other(*block)) {
        count = known;
      }
    }
    if (isa<SCEVCouldNotCompute>(count) ||
        env.se.getTypeSizeInBits(count->getType()) > env.se.getTypeSizeInBits(word))
      return false;
    counts.push_back(env.se.getNoopOrZeroExtend(count, word));
  }
  if (fixed == exiting.size())
    return false; // it may run forever
  blocks.assign(exiting.begin(), exiting.end());
  return true;
}

size_t SeveralExits::before(const BasicBlock &block) const {
  return size_t(count_if(blocks, [&](const BasicBlock *exiting) {
    return env.dt.properlyDominates(exiting, &block);
  }));
}

const SCEV *SeveralExits::taken() const {
  SmallVector<compat::ScevOperand, 4> all(counts.begin(), counts.end());
  return env.se.getUMinExpr(all, /*Sequential=*/true);
}

/// The back-edge count plus one is 0 only if no exit before the block is ever taken, and then the
/// block would have to run 2^64 times.
const SCEV *SeveralExits::iterations(size_t before) const {
  if (before == count())
    return taken();
  const SCEV *more = env.se.getAddExpr(taken(), env.se.getOne(taken()->getType()));
  SmallVector<compat::ScevOperand, 4> all(counts.begin(), counts.begin() + ptrdiff_t(before));
  all.push_back(more);
  return env.se.getUMinExpr(all, /*Sequential=*/true);
}

bool SeveralExits::runsAtOnce(size_t before) const {
  for (size_t k = 0; k < before; ++k)
    if (!env.se.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_NE, counts[k],
                                         env.se.getZero(counts[k]->getType())))
      return false;
  return true;
}

bool SeveralExits::leaves(const PHINode &phi, size_t before, const Value *old,
                          const Value *next) const {
  for (size_t k = 0; k < count(); ++k)
    if (phi.getIncomingValueForBlock(blocks[k]) != (k < before ? old : next))
      return false;
  return true;
}

/// Returns whether the invariants among `left`, one value per exit, are the values that `counter`
/// has there. Where the loop is left at a bound of its own, the code after it may use the bound
/// instead of the counter.
bool SeveralExits::isWhatRemains(const SCEVAddRecExpr &counter, ArrayRef<const SCEV *> left,
                                 size_t before) const {
  for (size_t k = 0; k < count(); ++k) {
    const SCEV *run = counts[k];
    if (k >= before)
      run = env.se.getAddExpr(run, env.se.getOne(run->getType()));
    if (env.se.isLoopInvariant(left[k], &loop) &&
        counter.evaluateAtIteration(run, env.se) != left[k])
      return false;
  }
  return true;
}

/// At an exit after the block, one more iteration has begun than at one before it: there {a, +, s}
/// has the value of {a - s, +, s} after as many iterations.
const SCEV *SeveralExits::leaves(const PHINode &phi, size_t before,
                                 const std::map<Instruction *, Instruction *> &copies) const {
  const SCEVAddRecExpr *same = nullptr;
  std::vector<const SCEV *> left;
  for (size_t k = 0; k < count(); ++k) {
    Value *v = phi.getIncomingValueForBlock(blocks[k]);
    if (auto copy = copies.find(dyn_cast<Instruction>(v)); copy != copies.end())
      v = copy->second;
    if (!env.se.isSCEVable(v->getType()))
      return nullptr;
    left.push_back(env.se.getSCEV(v));
    if (env.se.isLoopInvariant(left.back(), &loop))
      continue;
    const auto *rec = dyn_cast<SCEVAddRecExpr>(left.back());
    if (!rec || rec->getLoop() != &loop || !rec->isAffine())
      return nullptr;
    if (k >= before) {
      const SCEV *step = rec->getStepRecurrence(env.se);
      rec = dyn_cast<SCEVAddRecExpr>(env.se.getAddRecExpr(
          env.se.getMinusSCEV(rec->getStart(), step), step, &loop, SCEV::FlagAnyWrap));
    }
    if (!rec || (same && same != rec))
      return nullptr;
    same = rec;
  }
  if (!same && all_of(left, [&](const SCEV *s) { return s == left[0]; }))
    return left.front();
  for (PHINode &counter : loop.getHeader()->phis())
    if (!same && counter.getType() == phi.getType() && env.se.isSCEVable(phi.getType()))
      if (const auto *rec = dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(&counter));
          rec && rec->isAffine() && isWhatRemains(*rec, left, before))
        same = rec;
  return same && isWhatRemains(*same, left, before)
             ? same->evaluateAtIteration(iterations(before), env.se)
             : nullptr;
}

} // namespace memlift
