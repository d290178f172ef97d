// pass.cpp - reads, judges, reports and rewrites the loops of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass.h"

#include "align/raise.h"
#include "read/bounds.h"
#include "read/integers.h"
#include "read/binding.h"
#include "read/nearby.h"
#include "read/search.h"
#include "report.h"
#include "require/require.h"
#include "candidate.h"
#include "chains.h"
#include "narrow.h"
#include "unrolled.h"
#include "write/region.h"
#include "write/user.h"
#include "write/write.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

class FunctionRun : FunctionHost {
public:
  FunctionRun(Env &env, bool printOnly)
      : env(env), printOnly(printOnly),
        judgedBefore(!printOnly && env.f.hasFnAttribute(JudgedAttribute)) {}
  PreservedAnalyses run();

private:
  std::string functionId() const override { return memlift::functionId(env.f); }
  const Options &options() const override { return env.config.options; }
  bool mayWrite() const override { return !printOnly; }
  void report(const BoundLoop &binding, const Outcome &outcome) override;

  PreservedAnalyses preserved() const;
  void canonicalise();
  void closeLoops();
  std::vector<llvm::Loop *> candidates();
  bool isIdle(const Instruction &call) const;
  std::vector<WeakVH> memCalls();
  bool standsBeside(const CallBase &call) const;
  void loop(llvm::Loop &innermost);
  void multiEntry();
  PreservedAnalyses fills();
  PreservedAnalyses finished();
  void call(CallBase &call);
  void removeUnreachable();

  Env &env;
  bool printOnly;
  bool judgedBefore;
  /// LoopInfo, dominators and scalar evolution are up to date with `changed` code, but not with
  /// `rewritten` code.
  bool rewritten = false;
  CodeState code;
  unsigned ordinal = namedOf(env.f);
  Driver driver{*this, ordinal};
  RequireCheck required{env};
};

/// Returns whether there is nothing to judge, and nothing left open by an earlier stage.
bool hasNothing(const Function &f, const LoopInfo &li) {
  return li.empty() && !f.hasFnAttribute(JudgedAttribute) && none_of(instructions(f), isMemCall);
}

bool isOff(const Function &f) {
  return f.getFnAttribute("memlift").getValueAsString() == "off" ||
         propertiesOf(f).has(Property::Instrumented);
}

/// Gives loops preheaders, one latch, dedicated exits and LCSSA form.
void FunctionRun::canonicalise() {
  for (llvm::Loop *loop : env.li)
    code.changed |= simplifyLoop(loop, &env.dt, &env.li, &env.se, &env.ac, nullptr,
                                 /*PreserveLCSSA=*/false);
  for (llvm::Loop *loop : env.li.getLoopsInPreorder())
    if (isCandidate(env, *loop)) {
      bool stepped = stepIntegers(*loop), bounded = compareWithPowers(*loop);
      bool subtracted = subtractCounters(*loop, env.se);
      if (!stepped && !bounded && !subtracted)
        continue;
      env.se.forgetLoop(loop);
      code.changed = true;
    }
  closeLoops();
}

/// Makes phis for all values that leave a loop. Expanding one loop's values may use another loop's
/// values directly.
void FunctionRun::closeLoops() {
  for (llvm::Loop *loop : env.li)
    code.changed |= formLCSSARecursively(*loop, env.dt, &env.li, &env.se);
  code.stale = false;
}

/// Lists the candidate loops in program order, as far as the control flow has one.
std::vector<llvm::Loop *> FunctionRun::candidates() {
  std::vector<llvm::Loop *> list;
  ReversePostOrderTraversal<Function *> order(&env.f);
  for (BasicBlock *block : order) {
    llvm::Loop *loop = env.li.getLoopFor(block);
    // A small loop in a candidate is part of its body.
    bool part = loop && !list.empty() && list.back()->contains(loop->getParentLoop());
    if (loop && loop->getHeader() == block && !part && isCandidate(env, *loop) &&
        !getBooleanLoopAttribute(loop, DoneTag))
      list.push_back(loop);
  }
  return list;
}

/// Reports a verdict. A loop that an earlier stage kept has its remark from there, and may be
/// unrolled and vectorised by now, so only other verdicts are reported.
void FunctionRun::report(const BoundLoop &bound, const Outcome &outcome) {
  if (env.config.options.quiet || (judgedBefore && !isDone(outcome.decision.kind)))
    return;
  const auto &binding = static_cast<const LoopBinding &>(bound);
  if (env.config.printLoops || printOnly || outcome.decision.code == Diag::ClaimRefuted)
    printModel(binding, outcome);
  if (!printOnly && !env.f.hasFnAttribute(OutlinedAttribute))
    memlift::report(env, binding, outcome);
  if (!printOnly && !judgedBefore)
    required.judged(binding, outcome);
}

void FunctionRun::loop(llvm::Loop &innermost) {
  if (env.config.options.quiet && isSurelyKept(innermost) && !maySearch(innermost))
    return;
  if (code.stale)
    closeLoops();
  CandidateNest nest(env, innermost, code);
  driver.runNest(nest);
}

void FunctionRun::call(CallBase &call) {
  LoopBinding binding;
  readCall(env, call, binding);
  addFunction(env, binding);
  addNeighbours(env, binding);
  binding.loop.function.off |=
      call.getAttributes().getFnAttr("memlift").getValueAsString() == "off";
  driver.runCall(binding, [&](const Outcome &outcome) {
    rewriteCall(env, binding, outcome.match, outcome.decision);
    code.changed = true;
    rewritten |= outcome.decision.wordLoop.iterations != 0;
  });
}

/// Reports loops that LoopInfo does not know; they are kept.
void FunctionRun::multiEntry() {
  if (env.config.options.quiet || judgedBefore)
    return;
  for (LoopBinding &binding : multiEntryLoops(env.f)) {
    addFunction(env, binding);
    driver.runKept(binding);
  }
}

/// Returns true if the call stays as it is and its remark is not wanted.
bool FunctionRun::isIdle(const Instruction &call) const {
  const auto &mem = cast<MemIntrinsic>(call);
  const auto *length = dyn_cast<ConstantInt>(mem.getLength());
  Align align = mem.getDestAlign().valueOrOne();
  if (auto *transfer = dyn_cast<MemTransferInst>(&mem))
    align = std::min(align, transfer->getSourceAlign().valueOrOne());
  return env.config.options.quiet && length &&
         staysInline(length->getLimitedValue(), align.value(), env.dl.getPointerSizeInBits(0),
                     env.config.options);
}

/// Lists the mem* calls that exist before a loop becomes one.
std::vector<WeakVH> FunctionRun::memCalls() {
  std::vector<WeakVH> calls;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&env.f))
    for (Instruction &i : *block)
      if (isMemCall(i) && !isIdle(i))
        calls.push_back(&i);
  return calls;
}

/// Keeps the analyses that the next pass needs, too.
PreservedAnalyses FunctionRun::preserved() const {
  if (rewritten)
    return PreservedAnalyses::none();
  if (!code.changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserve<DominatorTreeAnalysis>();
  kept.preserve<LoopAnalysis>();
  kept.preserve<ScalarEvolutionAnalysis>();
  return kept;
}

/// Returns whether the call is part of a loop kept beside its operation, or moved elsewhere.
bool FunctionRun::standsBeside(const CallBase &call) const {
  if (call.getFunction() != &env.f)
    return true;
  for (llvm::Loop *l = env.li.getLoopFor(call.getParent()); l; l = l->getParentLoop())
    if (getBooleanLoopAttribute(l, DoneTag))
      return true;
  return false;
}

/// Deletes chains that are no longer reachable.
void FunctionRun::removeUnreachable() {
  for (BasicBlock &block : env.f)
    ConstantFoldTerminator(&block);
  removeUnreachableBlocks(env.f);
}

PreservedAnalyses FunctionRun::finished() {
  if (!printOnly) {
    if (!judgedBefore)
      required.finish();
    env.f.addFnAttr(JudgedAttribute);
  }
  return preserved();
}

/// Judges the loops that are read where offsets are narrower than pointers. None is, if the user
/// has routines: they have a size_t, too.
PreservedAnalyses FunctionRun::fills() {
  for (llvm::Loop *loop : env.li)
    code.changed |= simplifyLoop(loop, &env.dt, &env.li, &env.se, &env.ac, nullptr,
                                 /*PreserveLCSSA=*/false);
  closeLoops();
  for (llvm::Loop *loop : candidates()) {
    if (env.config.options.map.empty() && onlyFills(*loop)) {
      this->loop(*loop);
    } else if (!env.config.options.quiet && storesBeyondLocals(*loop)) {
      LoopBinding binding = unreadLoop(env.f, *loop, env.config, NarrowOffsets);
      driver.runKept(binding);
    }
  }
  return finished();
}

PreservedAnalyses FunctionRun::run() {
  if (hasNarrowOffsets(env.dl))
    return fills();
  std::vector<WeakVH> calls = memCalls();
  proveAligned(env, calls);
  rewritten = judgedBefore && settleGuards(env.f, env.aa);
  bool anyLoop = false;
  for (llvm::Loop *loop : env.li.getLoopsInPreorder())
    anyLoop |= isCandidate(env, *loop);
  std::vector<llvm::Loop *> loops;
  if (anyLoop) {
    canonicalise();
    loops = candidates();
  }
  std::vector<std::string> texts; // a chain deletes its loops
  for (const llvm::Loop *loop : loops)
    texts.push_back(requirementText(*loop));
  ChainRewriter chains(env, driver);
  bool joined = loops.size() + calls.size() > 1 && chains.run(loops);
  rewritten |= joined;
  code.stale = chains.looked();
  for (size_t i = 0; i < loops.size(); ++i)
    if (!chains.handled(loops[i]))
      loop(*loops[i]);
    else
      required.joined(texts[i]);
  multiEntry();
  for (WeakVH &c : calls)
    if (c && !standsBeside(*cast<CallBase>(c)) && !chains.handled(cast<CallBase>(c)) &&
        !cast<CallBase>(c)->getMetadata(DoneTag))
      call(*cast<CallBase>(c));
  if (joined && !printOnly)
    removeUnreachable();
  if (!printOnly && !joined)
    for (llvm::Loop *loop : env.li.getLoopsInPreorder())
      releaseRolled(*loop);
  return finished();
}

} // namespace

bool remarksEnabled(const Config &config, const OptimizationRemarkEmitter &ore) {
  return config.printLoops || !config.remarks.empty() || config.options.verifyTrials ||
         ore.allowExtraAnalysis("memlift");
}

unsigned vectorBitsOf(const TargetTransformInfo &target) {
  return unsigned(
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
}

/// The unroller's limits are 150 and 300 instructions, of which an iteration of a load and a store
/// has about four.
/// Returns true if the target swaps the bytes of a number by an instruction, and not by shifts.
static bool swapsBytes(const Function &f, const TargetTransformInfo &target) {
  Type *word = Type::getInt32Ty(f.getContext());
  IntrinsicCostAttributes swap(Intrinsic::bswap, word, {word});
  constexpr unsigned most = 2; // of a wider number, and a shift
  return target.getIntrinsicInstrCost(swap, TargetTransformInfo::TCK_SizeAndLatency) <= most;
}

void setLevel(Env &env, const TargetTransformInfo &target, unsigned level) {
  env.swapsBytes = swapsBytes(env.f, target);
  if (level < 2)
    return;
  env.vectorBits = vectorBitsOf(target);
  env.unrolledMost = level > 2 ? 76 : 40;
}

Env envOf(Function &f, FunctionAnalysisManager &fam, const Config &config) {
  const TargetTransformInfo &target = fam.getResult<TargetIRAnalysis>(f);
  Env env = {f,
             fam.getResult<LoopAnalysis>(f),
             fam.getResult<DominatorTreeAnalysis>(f),
             fam.getResult<ScalarEvolutionAnalysis>(f),
             fam.getResult<AAManager>(f),
             fam.getResult<AssumptionAnalysis>(f),
             fam.getResult<OptimizationRemarkEmitterAnalysis>(f),
             f.getParent()->getDataLayout(),
             config,
             {},
             {},
             target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/false))};
  if (f.hasProfileData()) // also without remarks, as decisions look at it
    env.profile = &fam.getResult<BlockFrequencyAnalysis>(f);
  return env;
}

/// Returns true for i386 or x32 under a 64-bit OS, by -m32 or -mx32: the installed libmemlift.a
/// does not fit it, and such a library is rarely built.
bool isOtherAbi(const Triple &triple) {
  return sizeof(void *) == 8 && (triple.getArch() == Triple::x86 || triple.isX32());
}

bool canBeJudged(const Function &f, Config &config) {
  if (config.off || f.isPresplitCoroutine() || !whyUnseen(f).empty())
    return false;
  // Nothing tells how wide size_t is if offsets are narrow. Intrinsics take any width.
  if (config.options.runtime == RuntimeMode::Memlift &&
      (hasNarrowOffsets(f.getParent()->getDataLayout()) || !canDeclareRoutines(*f.getParent()) ||
       (!config.options.runtimeGiven && isOtherAbi(compat::tripleOf(*f.getParent())))))
    config.options.runtime = RuntimeMode::Libc;
  return true;
}

PreservedAnalyses SettlePass::run(Function &f, FunctionAnalysisManager &fam) {
  if (!f.hasFnAttribute(JudgedAttribute) || !settleGuards(f, fam.getResult<AAManager>(f)))
    return PreservedAnalyses::all();
  SimplifyCFGPass().run(f, fam);
  return PreservedAnalyses::none();
}

PreservedAnalyses MemliftPass::run(Function &f, FunctionAnalysisManager &fam) {
  PreservedAnalyses kept = change(f, fam);
  if (printOnly || !f.hasFnAttribute(UserAttribute))
    return kept;
  if (std::string what = uncovered(f); !what.empty())
    refuse(*f.getParent(), Diag::UserUncovered, uncoveredMessage(f, what));
  return kept;
}

PreservedAnalyses MemliftPass::change(Function &f, FunctionAnalysisManager &fam) {
  Config config = configOf(f);
  if (!canBeJudged(f, config)) {
    emitUnseenRemarks(f, fam, config);
    return PreservedAnalyses::all();
  }
  if (!checkMap(*f.getParent(), config.options.map))
    return PreservedAnalyses::all();
  PreservedAnalyses kept = PreservedAnalyses::all();
  if (!printOnly && !isOff(f) && !hasNarrowOffsets(f.getParent()->getDataLayout()))
    kept = prepare(f, fam, config);
  PreservedAnalyses after = judgeAll(f, fam, config);
  after.intersect(kept);
  return after;
}

/// Prepares calls and accesses to be judged.
PreservedAnalyses MemliftPass::prepare(Function &f, FunctionAnalysisManager &fam,
                                       const Config &config) {
  PreservedAnalyses kept = PreservedAnalyses::all();
  bool folded = foldChecked(f, fam.getResult<TargetLibraryAnalysis>(f));
  if (config.trustNames && !functionFacts(f, config).implementsIdiom)
    folded |= takeNamed(f);
  if (folded) {
    kept = PreservedAnalyses::none();
    kept.preserveSet<CFGAnalyses>();
    fam.invalidate(f, kept);
  }
  // A raised alignment invalidates no analysis.
  if (unsigned most = coreOf(config.options).expandMaxBytes)
    raiseObjects(f, most, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<LoopAnalysis>(f),
                 fam.getResult<AssumptionAnalysis>(f));
  if (coreOf(config.options).expandMaxBytes && hasAccessToRaise(f))
    raiseAccesses(f, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<LoopAnalysis>(f),
                  fam.getResult<AssumptionAnalysis>(f));
  return kept;
}

PreservedAnalyses MemliftPass::judgeAll(Function &f, FunctionAnalysisManager &fam,
                                        const Config &config) {
  LoopInfo &li = fam.getResult<LoopAnalysis>(f);
  auto &ore = fam.getResult<OptimizationRemarkEmitterAnalysis>(f);
  bool required = memlift::isRequired(f, li);
  bool quiet = !printOnly && !required && !remarksEnabled(config, ore);
  if (!required && hasNothing(f, li) && (quiet || multiEntryLoops(f).empty())) {
    if (!printOnly)
      f.addFnAttr(JudgedAttribute);
    return PreservedAnalyses::all();
  }
  Env env = envOf(f, fam, config);
  env.config.options.quiet = quiet;
  setLevel(env, fam.getResult<TargetIRAnalysis>(f), level);
  return FunctionRun(env, printOnly).run();
}

} // namespace memlift
