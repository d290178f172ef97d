// pass.cpp - plans, reports and rewrites asynchronous operations where they are enabled
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async/async.h"
#include "asyncremark.h"
#include "pass.h"
#include "read/binding.h"
#include "report.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace memlift {
namespace {

bool hasAsyncCall(Function &f) {
  AsyncCall call;
  return any_of(instructions(f), [&](Instruction &i) { return isAsyncCall(i, call); });
}

void emitAsyncRemarks(Function &f, const Config &config, OptimizationRemarkEmitter &ore,
                      AsyncFacts &facts, const std::vector<AsyncPlan> &plans) {
  for (size_t k = 0; k < plans.size(); ++k) {
    const AsyncCall &op = facts.operations[k];
    AsyncSubject subject;
    subject.id = functionId(f) + "#async" + std::to_string(k);
    subject.function = f.getName().str();
    subject.loc = sourceLoc(op.call->getDebugLoc());
    subject.idiom = op.src ? Idiom::Copy : Idiom::Fill;
    subject.symbol = op.call->getCalledFunction()->getName().str();
    Remark remark = asyncRemark(subject, plans[k], [&](FlowPoint p) {
      return sourceLoc(facts.statement(p)->getDebugLoc());
    });
    report(ore, f, config, remark, op.call->getDebugLoc(), op.call->getParent());
  }
}

} // namespace

PreservedAnalyses AsyncPass::run(Function &f, FunctionAnalysisManager &fam) {
  Config config = configOf(f);
  if (!config.async || !canBeJudged(f, config) || !hasAsyncCall(f) || f.size() > asyncMostBlocks ||
      config.options.runtime != RuntimeMode::Memlift)
    return PreservedAnalyses::all();
  FunctionFacts about = functionFacts(f, config);
  if (about.off || about.properties.any())
    return PreservedAnalyses::all();
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &li = fam.getResult<LoopAnalysis>(f);
  AsyncFacts facts(f, li, dt, fam.getResult<ScalarEvolutionAnalysis>(f),
                   fam.getResult<AAManager>(f));
  if (facts.operations.empty() || facts.operations.size() > asyncMostOperations)
    return PreservedAnalyses::all();
  std::vector<AsyncPlan> plans = planAsync(facts.flow, facts.places, facts);
  auto &ore = fam.getResult<OptimizationRemarkEmitterAnalysis>(f);
  if (remarksEnabled(config, ore))
    emitAsyncRemarks(f, config, ore, facts, plans);
  if (none_of(plans, [](const AsyncPlan &p) { return p.worthIt; }))
    return PreservedAnalyses::all();
  writeAsync(f, dt, li, facts, plans);
  return PreservedAnalyses::none();
}

void registerAsync(PassBuilder &builder) {
  compat::registerLast(builder, [](ModulePassManager &mpm, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      mpm.addPass(createModuleToFunctionPassAdaptor(AsyncPass()));
  });
}

} // namespace memlift
