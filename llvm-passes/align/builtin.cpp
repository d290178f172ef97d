// builtin.cpp - __builtin_memlift_aligned(p, n) in IR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is folded as soon as it is decided. An undecided call may be decided after inlining, or
// once all callers are known. So it stays a call until the module is simplified, or until the link
// if there is one. No pass folds it early as __builtin_constant_p would be folded: only these
// passes turn "unknown" into 0.
#include "align/builtin.h"

#include "align/reasons.h"
#include "options.h"
#include "remark.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr char BuiltinName[] = "__builtin_memlift_aligned";
/// Metadata that marks a module compiled for a link.
constexpr char AwaitsLink[] = "memlift.aligned.awaits.link";

} // namespace

bool isAlignedCall(const Instruction &i) {
  auto *call = dyn_cast<CallInst>(&i);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == BuiltinName && call->arg_size() == 2 &&
         call->getArgOperand(0)->getType()->isPointerTy() &&
         call->getArgOperand(1)->getType()->isIntegerTy() && call->getType()->isIntegerTy();
}

namespace {

std::vector<CallInst *> alignedCalls(Function &f) {
  std::vector<CallInst *> list;
  for (Instruction &i : instructions(f))
    if (isAlignedCall(i))
      list.push_back(cast<CallInst>(&i));
  return list;
}

void refuse(CallInst &call, Diag code, const std::string &have) {
  std::string text = toolMessage(code, {{"have", have}});
  call.getContext().diagnose(
      DiagnosticInfoUnsupported(*call.getFunction(), "memlift: " + text + " [" + codeOf(code) + "]",
                                call.getDebugLoc(), DS_Error));
}

/// Reads the n of a call as a power of two. Returns false if it is none, with a message if `last`.
bool powerOf(CallInst &call, bool last, unsigned &bits) {
  auto *n = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (n && n->getValue().isPowerOf2()) {
    bits = n->getValue().logBase2();
    return true;
  }
  if (last && !n)
    refuse(call, Diag::AlignedNotConstant, "");
  else if (last)
    refuse(call, Diag::AlignedNoPower, std::to_string(n->getZExtValue()));
  return false;
}

void fold(CallInst &call, bool isAligned) {
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), isAligned));
  call.eraseFromParent();
}

/// Emits a remark of the answer and its reason, where remarks are enabled.
void emitAlignedRemark(CallInst &call, bool isAligned, const std::string &why) {
  Diag code = isAligned ? Diag::AlignedProved : Diag::AlignedUnproved;
  std::string text = toolMessage(code, {{"why", why}});
  OptimizationRemarkEmitter ore(call.getFunction());
  ore.emit(OptimizationRemarkAnalysis("memlift", nameOf(code), &call)
           << text << " [" << codeOf(code) << "]");
}

bool foldDecided(Function &f, LowBits &bits, bool last, const KnownEverywhere *known = nullptr) {
  bool heard = OptimizationRemarkEmitter::allowExtraAnalysis(f, "memlift");
  bool changed = false;
  for (CallInst *call : alignedCalls(f)) {
    unsigned power = 0;
    bool valid = powerOf(*call, last, power);
    AlignProof how;
    Aligned answer =
        valid ? bits.aligned(*call->getArgOperand(0), power, *call, heard ? &how : nullptr)
              : Aligned::Unknown;
    // The attribute comes from trust-types (trust.cpp), which knows of this call only.
    if (valid && answer != Aligned::Always && Log2(call->getParamAlign(0).valueOrOne()) >= power) {
      answer = Aligned::Always;
      how = {{{AlignFact::Kind::Assumption, call}}};
    }
    if (answer == Aligned::Unknown && !last)
      continue;
    if (heard && valid)
      emitAlignedRemark(*call, answer == Aligned::Always, reasonOf(how, known));
    fold(*call, answer == Aligned::Always);
    changed = true;
  }
  return changed;
}

/// Returns whether the module's core profits from calls replaced by words, where that is allowed.
bool wantsWords(Module &m) {
  for (Function &f : m)
    if (!f.isDeclaration() && coreOf(configOf(f).options).expandMaxBytes)
      return true;
  return false;
}

/// Returns whether the module is bitcode that a later link will compile further.
bool awaitsLink(Module &m, bool atLink) {
  if (atLink || (!m.getModuleFlag("ThinLTO") && !m.getModuleFlag("EnableSplitLTOUnit")))
    return false;
  if (m.getNamedMetadata(AwaitsLink))
    return false; // ThinLTO's link runs the same pipeline once more
  m.getOrInsertNamedMetadata(AwaitsLink);
  return true;
}

} // namespace

PreservedAnalyses AlignedPass::run(Function &f, FunctionAnalysisManager &fam) {
  Function *builtin = f.getParent()->getFunction(BuiltinName);
  if (!builtin || builtin->use_empty() || alignedCalls(f).empty())
    return PreservedAnalyses::all();
  LowBits bits(f, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<LoopAnalysis>(f),
               fam.getResult<AssumptionAnalysis>(f), nullptr);
  if (!foldDecided(f, bits, last))
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

PreservedAnalyses AlignedEverywherePass::run(Module &m, ModuleAnalysisManager &mam) {
  Function *builtin = m.getFunction(BuiltinName);
  bool asked = builtin && !builtin->use_empty(), calls = wantsWords(m);
  if (!(asked || calls) || (awaitsLink(m, atLink) && asked))
    return PreservedAnalyses::all();
  FunctionAnalysisManager &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  KnownEverywhere known(m, fam);
  known.find(calls);
  bool changed = known.write();
  for (Function &f : m)
    if (!f.isDeclaration() && !alignedCalls(f).empty())
      changed |= foldDecided(f, known.bitsOf(f), /*last=*/true, &known);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void registerAligned(PassBuilder &builder) {
  builder.registerPeepholeEPCallback([](FunctionPassManager &fpm, OptimizationLevel) {
    fpm.addPass(AlignedPass(/*last=*/false));
  });
  auto finish = [](ModulePassManager &mpm, OptimizationLevel, auto...) {
    mpm.addPass(PrintAlignmentPass(errs(), /*ifAsked=*/true));
    mpm.addPass(AlignedEverywherePass(/*atLink=*/false));
  };
  builder.registerOptimizerEarlyEPCallback(finish);
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &mpm, OptimizationLevel) {
        mpm.addPass(AlignedEverywherePass(/*atLink=*/true));
      });
}

} // namespace memlift
