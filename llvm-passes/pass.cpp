// pass.cpp - the way of a loop: read, judge, report, write
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass.h"

#include "read/picture.h"
#include "report.h"
#include "write/write.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

class FunctionRun {
public:
  FunctionRun(Env &env, bool printOnly) : env(env), printOnly(printOnly) {}
  bool run();

private:
  void canonicalise();
  std::vector<llvm::Loop *> candidates();
  void loop(llvm::Loop &innermost);
  void call(CallBase &call);
  Outcome judged(Picture &pic, bool off);
  void tell(const Picture &pic, const Outcome &outcome);

  Env &env;
  bool printOnly;
  bool changed = false;
  unsigned ordinal = 0;
};

/// Targets on which nothing could be called, or called in another way than C.
bool isForeign(const Triple &triple) {
  return triple.isAMDGPU() || triple.isNVPTX() || triple.isSPIR() ||
         triple.isSPIRV() || triple.isBPF() || triple.isDXIL();
}

bool hasStore(const llvm::Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (isa<StoreInst>(i))
        return true;
  return false;
}

bool writes(const Decision &d) {
  return d.kind == DecisionKind::Lowered || d.kind == DecisionKind::Inlined ||
         d.kind == DecisionKind::Guarded;
}

/// Preheaders, one latch, exits of their own, phis for all that leaves a loop.
void FunctionRun::canonicalise() {
  for (llvm::Loop *loop : env.li) {
    changed |= simplifyLoop(loop, &env.dt, &env.li, &env.se, &env.ac, nullptr,
                            /*PreserveLCSSA=*/false);
    changed |= formLCSSARecursively(*loop, env.dt, &env.li, &env.se);
  }
}

/// In the order of the program, as far as the control flow has one.
std::vector<llvm::Loop *> FunctionRun::candidates() {
  std::vector<llvm::Loop *> list;
  ReversePostOrderTraversal<Function *> order(&env.f);
  for (BasicBlock *block : order) {
    llvm::Loop *loop = env.li.getLoopFor(block);
    if (loop && loop->getHeader() == block && isCandidate(*loop) &&
        !getBooleanLoopAttribute(loop, DoneTag))
      list.push_back(loop);
  }
  return list;
}

Outcome FunctionRun::judged(Picture &pic, bool off) {
  pic.loop.id = sourcePath(env.f) + ":" + env.f.getName().str() + "#" +
                std::to_string(ordinal);
  pic.loop.function = functionFacts(env.f, env.config);
  pic.loop.function.off |= off;
  return judge(pic.loop, env.config.options);
}

void FunctionRun::tell(const Picture &pic, const Outcome &outcome) {
  if (env.config.printLoops || printOnly)
    printPicture(pic, outcome);
  if (!printOnly)
    report(env, pic, outcome);
  ++ordinal;
}

/// Tries the widest nest first; the innermost loop alone gives the reasons.
void FunctionRun::loop(llvm::Loop &innermost) {
  // Expanding another loop's values may have left this one's used directly.
  llvm::Loop *top = &innermost;
  while (top->getParentLoop())
    top = top->getParentLoop();
  changed |= formLCSSARecursively(*top, env.dt, &env.li, &env.se);
  bool off = findOptionMDForLoop(&innermost, OffTag) != nullptr;
  std::vector<llvm::Loop *> nest = widestNest(env, innermost);
  for (size_t from = 0; from < nest.size(); ++from) {
    Picture pic;
    readNest(env, ArrayRef(nest).drop_front(from), pic);
    Outcome outcome = judged(pic, off);
    bool lowers = writes(outcome.decision);
    if (!lowers && from + 1 < nest.size())
      continue;
    // A loop around mem* calls alone: they get remarks of their own.
    bool silent =
        !lowers && (!hasStore(innermost) ||
                    getBooleanLoopAttribute(&innermost, JudgedTag) ||
                    getBooleanLoopAttribute(&innermost, VectorisedTag));
    if (!silent)
      tell(pic, outcome);
    if (printOnly)
      return;
    if (!lowers) {
      if (!silent)
        addStringMetadataToLoop(&innermost, JudgedTag, 1);
      return;
    }
    rewriteLoop(env, pic, outcome.match, outcome.decision);
    changed = true;
    return;
  }
}

void FunctionRun::call(CallBase &call) {
  unsigned tag = call.getContext().getMDKindID(JudgedTag);
  if (call.getMetadata(tag))
    return;
  Picture pic;
  readCall(env, call, pic);
  bool off = call.getAttributes().getFnAttr("memlift").getValueAsString() == "off";
  Outcome outcome = judged(pic, off);
  tell(pic, outcome);
  if (printOnly)
    return;
  if (writes(outcome.decision)) {
    rewriteCall(env, pic, outcome.match, outcome.decision);
    changed = true;
    return;
  }
  call.setMetadata(tag, MDNode::get(call.getContext(), {}));
}

bool FunctionRun::run() {
  bool anyLoop = false;
  for (llvm::Loop *loop : env.li.getLoopsInPreorder())
    anyLoop |= isCandidate(*loop);
  if (anyLoop) {
    canonicalise();
    for (llvm::Loop *innermost : candidates())
      loop(*innermost);
  }
  std::vector<CallBase *> calls;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&env.f))
    for (Instruction &i : *block)
      if (isMemCall(i))
        calls.push_back(cast<CallBase>(&i));
  for (CallBase *c : calls)
    call(*c);
  return changed;
}

} // namespace

PreservedAnalyses MemliftPass::run(Function &f, FunctionAnalysisManager &fam) {
  Config config = configOf(f);
  if (config.off || f.isPresplitCoroutine() ||
      isForeign(compat::tripleOf(*f.getParent())) ||
      f.getParent()->getDataLayout().getPointerSizeInBits(0) !=
          f.getParent()->getDataLayout().getIndexSizeInBits(0))
    return PreservedAnalyses::all();
  if (config.options.runtime == RuntimeMode::Memlift &&
      !canDeclareRoutines(*f.getParent()))
    config.options.runtime = RuntimeMode::Libc;
  Env env{f,
          fam.getResult<LoopAnalysis>(f),
          fam.getResult<DominatorTreeAnalysis>(f),
          fam.getResult<ScalarEvolutionAnalysis>(f),
          fam.getResult<AAManager>(f),
          fam.getResult<AssumptionAnalysis>(f),
          fam.getResult<OptimizationRemarkEmitterAnalysis>(f),
          f.getParent()->getDataLayout(),
          config};
  return FunctionRun(env, printOnly).run() ? PreservedAnalyses::none()
                                           : PreservedAnalyses::all();
}

} // namespace memlift
