// early.cpp - remarks of calls that LLVM makes a load and a store of before anybody looks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy(d, s, 8) is no call any more by the time that calls are judged. Whoever counts
// the calls of a program (count-calls, memlift-report alignment) wants these among them.
// Nothing is changed here: the accesses get their alignment later (align/raise.h).
#include "pass.h"
#include "read/picture.h"
#include "report.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {

/// InstCombine makes one access of it, or two.
static bool becomesAccess(const Instruction &i) {
  constexpr uint64_t widest = 8;
  auto *call = dyn_cast<MemIntrinsic>(&i);
  auto *size = call ? dyn_cast<ConstantInt>(call->getLength()) : nullptr;
  return size && !call->isVolatile() && size->getValue().isPowerOf2() &&
         size->getValue().ule(widest);
}

PreservedAnalyses EarlyCallsPass::run(Function &f, FunctionAnalysisManager &fam) {
  Config config = configOf(f);
  auto &ore = fam.getResult<OptimizationRemarkEmitterAnalysis>(f);
  if (config.off || !config.countCalls || (config.remarks.empty() && !ore.allowExtraAnalysis("memlift")) ||
      f.getFnAttribute("memlift").getValueAsString() == "off")
    return PreservedAnalyses::all();
  std::vector<WeakVH> calls;
  for (Instruction &i : instructions(f))
    if (becomesAccess(i))
      calls.push_back(&i);
  if (calls.empty())
    return PreservedAnalyses::all();
  Env env = envOf(f, fam, config);
  env.config.options.quiet = false;
  proveAligned(env, calls);
  unsigned ordinal = 0;
  for (const WeakVH &call : calls) {
    Picture pic;
    readCall(env, *cast<CallBase>(call), pic);
    pic.loop.id = sourcePath(f) + ":" + f.getName().str() + "#early" +
                  std::to_string(ordinal++);
    pic.loop.function = functionFacts(f, env.config);
    report(env, pic, judge(pic.loop, env.config.options));
  }
  return PreservedAnalyses::all();
}

} // namespace memlift
