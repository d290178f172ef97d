// unseen.cpp - functions whose loops are not read at all, and the remarks of these loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "narrow.h"
#include "pass.h"
#include "read/binding.h"
#include "report.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns whether the target cannot call the runtime, or calls it in another way than C.
bool isForeign(const Triple &triple) {
  return triple.isAMDGPU() || triple.isNVPTX() || triple.isSPIR() || triple.isSPIRV() ||
         triple.isBPF() || triple.isDXIL();
}

/// Returns whether the function has funclets (EH of Windows and WebAssembly), where every call has
/// to name its pad.
bool hasFunclets(const Function &f) {
  return f.hasPersonalityFn() && isScopedEHPersonality(classifyEHPersonality(f.getPersonalityFn()));
}

} // namespace

std::string whyUnseen(const Function &f) {
  if (hasFunclets(f))
    return "exceptions are handled in funclets";
  if (isForeign(compat::tripleOf(*f.getParent())))
    return "the target has no routines that C code could call";
  if (hasNarrowOffsets(f.getParent()->getDataLayout()) && asksForIntegers(f))
    return NarrowOffsets;
  return "";
}

bool storesBeyondLocals(const llvm::Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &i) {
      const auto *store = dyn_cast<StoreInst>(&i);
      return store && !isa<AllocaInst>(store->getPointerOperand());
    });
  });
}

LoopBinding unreadLoop(Function &f, const llvm::Loop &loop, const Config &config,
                       const std::string &why) {
  LoopBinding binding;
  binding.at = loop.getHeader()->getTerminator();
  binding.loc = loop.getStartLoc();
  binding.loop.loc = sourceLoc(binding.loc);
  binding.loop.origin = Origin::Loop;
  binding.loop.ptrBits = f.getParent()->getDataLayout().getPointerSizeInBits(0);
  binding.loop.function = functionFacts(f, config);
  binding.loop.function.properties.set(Property::Unread, why);
  binding.loop.obstacles.push_back({Diag::NotInnermostForm, "it was not read", binding.loop.loc});
  return binding;
}

static void emitLoopRemarks(Function &f, FunctionAnalysisManager &fam, const Config &config,
                            const std::string &why) {
  auto &ore = fam.getResult<OptimizationRemarkEmitterAnalysis>(f);
  if (config.off || !remarksEnabled(config, ore))
    return;
  unsigned ordinal = 0;
  for (const llvm::Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !storesBeyondLocals(*loop))
      continue;
    LoopBinding binding = unreadLoop(f, *loop, config, why);
    binding.loop.id = functionId(f) + "#" + std::to_string(ordinal++);
    Outcome outcome = judge(binding.loop, config.options);
    report(ore, f, config, makeRemark(binding.loop, outcome), binding.loc, loop->getHeader());
  }
}

void emitUnseenRemarks(Function &f, FunctionAnalysisManager &fam, const Config &config) {
  std::string why = whyUnseen(f);
  if (!why.empty())
    emitLoopRemarks(f, fam, config, why);
}

PreservedAnalyses UnoptimisedPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  for (Function &f : m)
    if (!f.isDeclaration() && (!optimising || f.hasOptNone()))
      emitLoopRemarks(f, fam, configOf(f),
                      optimising ? "optnone" : "the file is compiled without optimisation (-O0)");
  return PreservedAnalyses::all();
}

} // namespace memlift
