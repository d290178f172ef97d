// returns.cpp - finds calls that always return although LLVM does not mark them so
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C LLVM marks no function with a loop "willreturn": a loop whose condition is constant may run
// for ever. It marks other loops, one by one, as obliged to make progress: they end unless they
// have an effect visible from outside.
#include "async/async.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace memlift {

bool Returning::call(const CallBase &call) {
  if (call.willReturn())
    return true;
  const Function *f = call.getCalledFunction();
  return f && call.getFunctionType() == f->getFunctionType() && function(*f);
}

constexpr unsigned deepest = 4; // nested calls that are analysed

/// A recursive function finds itself not known to return.
bool Returning::function(const Function &f) {
  auto [at, isNew] = known.try_emplace(&f, false);
  if (!isNew)
    return at->second;
  ++depth;
  bool returns = depth <= deepest && f.hasExactDefinition() && statementsEnd(f) && loopsEnd(f);
  --depth;
  return known[&f] = returns;
}

/// Returns whether the function has no atomic, volatile or fence instruction, and calls only
/// functions that return.
bool Returning::statementsEnd(const Function &f) {
  for (const BasicBlock &block : f)
    for (const Instruction &i : block) {
      if (i.isAtomic() || i.isVolatile() || isa<FenceInst>(i))
        return false;
      if (const auto *inner = dyn_cast<CallBase>(&i); inner && !call(*inner))
        return false;
    }
  return true;
}

bool Returning::loopsEnd(const Function &f) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> back;
  FindFunctionBackedges(f, back);
  if (back.empty())
    return true;
  DominatorTree dt(const_cast<Function &>(f));
  LoopInfo li(dt);
  for (auto [from, to] : back) {
    const llvm::Loop *loop = li.getLoopFor(to);
    if (!loop || loop->getHeader() != to || !loop->contains(from) || !hasMustProgress(loop))
      return false; // an irreducible loop, or one that may run for ever
  }
  return true;
}

} // namespace memlift
