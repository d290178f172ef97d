// carried.cpp - reads sums, checksums and their like: phis that loads flow into
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   preheader:                     sum.0
//   header:  sum  = phi [sum.0, preheader], [next, latch]     the recurrence
//            next = sum + load                                 its next value
//
// In a nest, each outer loop has a phi of its own that starts the inner one and takes its final
// value. If an invariant condition skips the inner loop, the outer phi's own value comes back, as
// after no iterations.
#include "read/carried.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns whether the phi has a width that a recurrence may have.
bool isCarried(const PHINode &phi) {
  return phi.getType()->isIntegerTy(128) ||
         (phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() <= 64);
}

/// Returns the value of the phi when the exit test leaves the loop: see loop.h's recurrences.
Value *valueAtExit(PHINode &phi, llvm::Loop &loop, Side side) {
  if (side == Side::UpToExit)
    return phi.getIncomingValueForBlock(loop.getLoopLatch());
  return side == Side::AfterExit ? &phi : nullptr;
}

/// Returns whether control comes from `from` past the inner loop, without entering it.
bool goesAround(Env &env, llvm::Loop &outer, llvm::Loop &inner, const BasicBlock *from) {
  SmallPtrSet<BasicBlock *, 1> notAgain = {outer.getHeader()};
  return from == outer.getHeader() ||
         !isPotentiallyReachable(inner.getHeader(), from, &notAgain, &env.dt, &env.li);
}

/// Returns true if `v` is `end`, the inner loop's result, wherever that loop ran, and `old`
/// wherever it was skipped.
bool handsThrough(Env &env, llvm::Loop &outer, llvm::Loop &inner, Value *v, Value *end, Value *old,
                  unsigned depth) {
  if (v == end)
    return true;
  auto *phi = dyn_cast<PHINode>(v);
  if (!phi || !depth || phi == old || !outer.contains(phi) || inner.contains(phi))
    return false;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    Value *in = phi->getIncomingValue(i);
    bool around = in == old && goesAround(env, outer, inner, phi->getIncomingBlock(i));
    if (!around && !handsThrough(env, outer, inner, in, end, old, depth - 1))
      return false;
  }
  return true;
}

/// Follows the innermost phi outwards. Returns false if a loop does more than pass it on.
bool followOutwards(Env &env, ArrayRef<llvm::Loop *> nest, ArrayRef<Side> sides, PHINode &innermost,
                    Carried &c) {
  PHINode *phi = &innermost;
  c.phis = {phi};
  for (size_t k = nest.size() - 1; k > 0; --k) {
    llvm::Loop &inner = *nest[k], &outer = *nest[k - 1];
    auto *start = dyn_cast<PHINode>(phi->getIncomingValueForBlock(inner.getLoopPreheader()));
    Value *end = valueAtExit(*phi, inner, sides[k]);
    if (!start || !end || start->getParent() != outer.getHeader() ||
        !handsThrough(env, outer, inner, start->getIncomingValueForBlock(outer.getLoopLatch()), end,
                      start, 4))
      return false;
    phi = start;
    c.phis.insert(c.phis.begin(), phi);
  }
  c.init = phi->getIncomingValueForBlock(nest.front()->getLoopPreheader());
  c.next = innermost.getIncomingValueForBlock(nest.back()->getLoopLatch());
  c.after = valueAtExit(*phi, *nest.front(), sides[0]);
  return true;
}

bool countsLinearly(Env &env, PHINode &phi) {
  const auto *rec = dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(&phi));
  return rec && rec->isAffine();
}

/// Returns true if a load of the loop is among the operands of `v`, directly or not.
bool usesLoad(Env &env, const llvm::Loop &loop, const Value *v) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> todo = {v};
  while (!todo.empty() && seen.size() < 128) {
    const auto *i = dyn_cast<Instruction>(todo.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    if (isa<LoadInst>(i))
      return true;
    if (isa<PHINode>(i) && i->getParent() == loop.getHeader())
      continue;
    if (isa<PHINode>(i)) // the operands that decide between its values
      if (auto *node = env.dt.getNode(i->getParent()); node && node->getIDom())
        if (auto *branch = dyn_cast<BranchInst>(node->getIDom()->getBlock()->getTerminator()))
          if (branch->isConditional())
            todo.push_back(branch->getCondition());
    todo.append(i->op_begin(), i->op_end());
  }
  return false;
}

} // namespace

std::vector<Carried> carriedScalars(Env &env, ArrayRef<llvm::Loop *> nest, ArrayRef<Side> sides) {
  std::vector<Carried> list;
  for (const llvm::Loop *loop : nest)
    if (!loop->getLoopLatch() || !loop->getLoopPreheader())
      return list;
  for (PHINode &phi : nest.back()->getHeader()->phis()) {
    Carried c;
    if (isCarried(phi) && !countsLinearly(env, phi) && followOutwards(env, nest, sides, phi, c))
      list.push_back(c);
  }
  return list;
}

bool mayCarryLoads(Env &env, const llvm::Loop &loop) {
  for (const PHINode &phi : loop.getHeader()->phis())
    for (unsigned i = 0; isCarried(phi) && i < phi.getNumIncomingValues(); ++i)
      if (loop.contains(phi.getIncomingBlock(i)) && usesLoad(env, loop, phi.getIncomingValue(i)))
        return true;
  return false;
}

/// Returns an affine counter as an expression of the iteration count; it wraps at its own width, as
/// the expression does.
ExprId Reader::countValue(PHINode *phi, unsigned bits) {
  const SCEV *rest = nullptr;
  std::vector<const SCEV *> steps(binding.nest.size(), nullptr);
  if (!env.se.isSCEVable(phi->getType()) || !split(env.se.getSCEV(phi), rest, steps))
    return graph.opaque(bits);
  ExprId sum = expr(rest);
  for (size_t k = 0; sum != NoExpr && k < steps.size(); ++k) {
    if (!steps[k])
      continue;
    ExprId step = expr(steps[k]);
    ExprId count = graph.leaf(Op::Iv, k, ptrBits);
    sum = step == NoExpr ? NoExpr : graph.add(sum, graph.mul(step, graph.zextOrTrunc(count, bits)));
  }
  return sum == NoExpr ? graph.opaque(bits) : sum;
}

/// Blocks between a fork and its join: no more are looked at.
constexpr unsigned maxBlocksBetween = 16;

/// Returns the value that `phi` gets from control between the two blocks: through conditions, and
/// small loops that are left in one place.
ExprId Reader::arriving(PHINode *phi, BasicBlock *from, BasicBlock *to, unsigned &budget) {
  BasicBlock *join = phi->getParent();
  if (to == join)
    return value(phi->getIncomingValueForBlock(from));
  llvm::Loop *around = env.li.getLoopFor(join), *inside = env.li.getLoopFor(to);
  if (!budget || !around || !inside || to == around->getHeader())
    return NoExpr;
  --budget;
  if (inside == around)
    return forked(phi, to, budget);
  bool passable = inside->getParentLoop() == around && iterationsOf(env, *inside) &&
                  inside->getExitingBlock() && inside->getExitBlock();
  return passable ? arriving(phi, inside->getExitingBlock(), inside->getExitBlock(), budget)
                  : NoExpr;
}

ExprId Reader::forked(PHINode *phi, BasicBlock *fork, unsigned &budget) {
  auto *branch = dyn_cast<BranchInst>(fork->getTerminator());
  if (!branch)
    return NoExpr;
  if (branch->isUnconditional())
    return arriving(phi, fork, branch->getSuccessor(0), budget);
  if (branch->getSuccessor(0) == branch->getSuccessor(1))
    return NoExpr;
  ExprId condition = value(branch->getCondition());
  ExprId yes = arriving(phi, fork, branch->getSuccessor(0), budget);
  ExprId no = yes == NoExpr ? NoExpr : arriving(phi, fork, branch->getSuccessor(1), budget);
  return no == NoExpr ? NoExpr : graph.select(condition, yes, no);
}

/// Describes the phi of if (c) x = a; else x = b; where both arms only compute.
ExprId Reader::phiValue(PHINode *phi, unsigned bits) {
  BasicBlock *join = phi->getParent();
  if (env.li.isLoopHeader(join))
    return countValue(phi, bits);
  if (phi->getNumIncomingValues() == 1) // after a loop
    return value(phi->getIncomingValue(0));
  auto *node = env.dt.getNode(join)->getIDom();
  BasicBlock *fork = node ? node->getBlock() : nullptr;
  unsigned budget = maxBlocksBetween;
  ExprId chosen = NoExpr;
  if (fork && inNest(fork->getTerminator()) && env.li.getLoopFor(fork) == env.li.getLoopFor(join))
    chosen = forked(phi, fork, budget);
  return chosen == NoExpr ? graph.opaque(bits) : chosen;
}

void Reader::setRecurrence(PHINode *phi, uint32_t index) {
  unsigned bits = phi->getType()->getIntegerBitWidth();
  recs[phi] = graph.leaf(Op::Rec, index, bits);
}

} // namespace memlift
