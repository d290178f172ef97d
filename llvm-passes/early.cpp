// early.cpp - remarks of calls that LLVM turns into a load and a store early
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy(d, s, 8) is no call any more by the time that calls are judged, but count-calls and
// memlift-report alignment count these calls, too. The accesses get their alignment later
// (align/raise.h), while variables that such a call is given get it here: an access alone no longer
// shows that its alignment matters. Under trust-names, calls without built-ins become the functions
// that they are named after: all proofs rely on that.
#include "align/raise.h"
#include "pass.h"
#include "read/binding.h"
#include "report.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {

constexpr uint64_t widestAccess = 8; // InstCombine's limit, in bytes

/// Returns whether InstCombine makes one or two accesses of the call.
static bool becomesAccess(const Instruction &i) {
  auto *call = dyn_cast<MemIntrinsic>(&i);
  auto *size = call ? dyn_cast<ConstantInt>(call->getLength()) : nullptr;
  return size && !call->isVolatile() && size->getValue().isPowerOf2() &&
         size->getValue().ule(widestAccess);
}

PreservedAnalyses EarlyCallsPass::run(Function &f, FunctionAnalysisManager &fam) {
  Config config = configOf(f);
  FunctionFacts facts = functionFacts(f, config);
  if (facts.off)
    return PreservedAnalyses::all();
  PreservedAnalyses kept = PreservedAnalyses::all();
  if (config.trustNames && !facts.implementsIdiom && takeNamed(f)) {
    kept = PreservedAnalyses::none();
    kept.preserveSet<CFGAnalyses>();
    fam.invalidate(f, kept);
  }
  auto &ore = fam.getResult<OptimizationRemarkEmitterAnalysis>(f);
  uint64_t most = coreOf(config.options).expandMaxBytes;
  bool counts = config.countCalls && (!config.remarks.empty() || ore.allowExtraAnalysis("memlift"));
  if (!counts && !most)
    return kept;
  std::vector<WeakVH> calls;
  for (Instruction &i : instructions(f))
    if (becomesAccess(i))
      calls.push_back(&i);
  if (calls.empty())
    return kept;
  // A raised alignment invalidates no analysis.
  if (most)
    raiseObjects(f, std::min(most, widestAccess), fam.getResult<DominatorTreeAnalysis>(f),
                 fam.getResult<LoopAnalysis>(f), fam.getResult<AssumptionAnalysis>(f));
  if (!counts)
    return kept;
  Env env = envOf(f, fam, config);
  env.config.options.quiet = false;
  proveAligned(env, calls);
  unsigned ordinal = 0;
  for (const WeakVH &call : calls) {
    LoopBinding binding;
    readCall(env, *cast<CallBase>(call), binding);
    binding.loop.id = functionId(f) + "#early" + std::to_string(ordinal++);
    binding.loop.function = facts;
    report(env, binding, judge(binding.loop, env.config.options));
  }
  return kept;
}

} // namespace memlift
