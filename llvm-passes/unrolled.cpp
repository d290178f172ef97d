// unrolled.cpp - judges loops that LLVM unrolls completely while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop idioms    memset and memcpy: judged as calls later
//   note           <- each innermost loop with a constant trip count is judged
//   full unroll    it may be straight code from here on
//   ...
//   report         <- loops that are gone, with their outer loops, get the remark
//                     of their verdict; a remaining outer loop gets its own later,
//                     which includes the loops inside
//
// Straight-line stores cannot be guarded by one run-time check later. So a loop that needs a check
// keeps a mark that the unroller heeds, until it was judged again.
#include "unrolled.h"

#include "narrow.h"
#include "pass.h"
#include "read/bounds.h"
#include "report.h"
#include "require/require.h"
#include "write/write.h"

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr char RolledTag[] = "memlift.rolled";
constexpr char NoUnroll[] = "llvm.loop.unroll.disable";

/// No loop of more iterations is unrolled completely, unless a pragma asks for it.
constexpr unsigned mostUnrolled = 1024;

/// Number of loops of a function that have a name already, as they are no loops any more where the
/// others are judged: steps of a shift register, and what was unrolled. The first numbers are
/// theirs.
constexpr char NamedAttribute[] = "memlift-named";

struct Note {
  WeakVH header;
  std::vector<WeakVH> around; // the headers of the loops around it
  unsigned depth;
  DebugLoc loc;
  Remark remark;
  std::string required; // the text of its requirement
  bool told = true;     // has a remark
};

/// Notes of one pipeline, which one thread runs.
using Notes = std::map<const Function *, std::vector<Note>>;

bool isLoop(const LoopInfo &li, const WeakVH &header, unsigned depth) {
  auto *block = cast_or_null<BasicBlock>(header);
  const llvm::Loop *loop = block ? li.getLoopFor(block) : nullptr;
  return loop && loop->getHeader() == block && loop->getLoopDepth() >= depth;
}

class NotePass : public PassInfoMixin<NotePass> {
public:
  NotePass(std::shared_ptr<Notes> notes, unsigned level) : notes(std::move(notes)), level(level) {}
  PreservedAnalyses run(llvm::Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &ar,
                        LPMUpdater &);

private:
  std::shared_ptr<Notes> notes;
  unsigned level;
  void note(llvm::Loop &loop, const LoopBinding &binding, const Outcome &outcome);
  bool lookUp(Env &env, llvm::Loop &loop, const TargetTransformInfo &target);
  void judgeStraight(Env &env, llvm::Loop &loop, const std::string &required);
};

/// Notes a loop. A loop noted inside of it is part of its body now.
void NotePass::note(llvm::Loop &loop, const LoopBinding &binding, const Outcome &outcome) {
  std::vector<Note> &list = (*notes)[loop.getHeader()->getParent()];
  auto within = [&](const Note &n) {
    return n.header == loop.getHeader() || is_contained(n.around, loop.getHeader());
  };
  list.erase(std::remove_if(list.begin(), list.end(), within), list.end());
  Note n{
      loop.getHeader(),     {}, loop.getLoopDepth(), binding.loc, makeRemark(binding.loop, outcome),
      requirementText(loop)};
  for (llvm::Loop *l = loop.getParentLoop(); l; l = l->getParentLoop())
    n.around.push_back(l->getHeader());
  list.push_back(std::move(n));
}

/// Returns the next name of a loop of the function, which is then taken.
std::string takeName(Function &f) {
  unsigned ordinal = namedOf(f);
  f.addFnAttr(NamedAttribute, std::to_string(ordinal + 1));
  return functionId(f) + "#" + std::to_string(ordinal);
}

/// Returns whether LLVM will not turn the call into one load and store.
bool staysCall(const Instruction &i) {
  if (!isMemCall(i))
    return false;
  const auto *set = dyn_cast<MemSetInst>(&i);
  const auto *size = dyn_cast<ConstantInt>(cast<MemIntrinsic>(i).getLength());
  bool word = size && size->getValue().isPowerOf2() && size->getZExtValue() <= 8;
  return !word || (set && !isa<Constant>(set->getValue()));
}

bool callsMemory(const llvm::Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) { return any_of(*block, staysCall); });
}

bool wantsUnroll(const llvm::Loop &loop) {
  return findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
         findOptionMDForLoop(&loop, "llvm.loop.unroll.enable") ||
         findOptionMDForLoop(&loop, "llvm.loop.unroll.count");
}

/// Returns whether a loop of so many iterations may be steps of a shift register in scalars.
bool mayBeRegister(const llvm::Loop &loop, unsigned iterations) {
  auto touches = [](const Instruction &i) {
    return !i.isDebugOrPseudoInst() && (i.mayReadOrWriteMemory() || i.mayHaveSideEffects());
  };
  return iterations >= leastSteps && loop.isInnermost() &&
         none_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, touches); });
}

/// Returns whether the value is computed from one that the loop carries from one iteration to the
/// next, counters aside.
bool isCarried(Env &env, const llvm::Loop &loop, Value *value) {
  SmallVector<Value *, 16> todo = {value};
  SmallPtrSet<Value *, 32> seen;
  while (!todo.empty()) {
    auto *i = dyn_cast<Instruction>(todo.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second)
      continue;
    auto *phi = dyn_cast<PHINode>(i);
    if (phi && phi->getParent() == loop.getHeader()) {
      if (!env.se.isSCEVable(phi->getType()) || !isa<SCEVAddRecExpr>(env.se.getSCEV(phi)))
        return true;
      continue;
    }
    todo.append(i->op_begin(), i->op_end());
  }
  return false;
}

/// Returns the bits of the vectors by which iterations of the loop around `loop` may be computed at
/// once: the registers of all of them start anew, and nothing rules a vectoriser out.
unsigned vectorBitsAround(Env &env, const llvm::Loop &loop, const TargetTransformInfo &target) {
  const llvm::Loop *around = loop.getParentLoop();
  if (!around || around->getSubLoops().size() != 1)
    return 0;
  for (const BasicBlock *block : around->blocks())
    for (const Instruction &i : *block)
      if (!i.isDebugOrPseudoInst() && i.mayHaveSideEffects() && !isa<StoreInst>(i))
        return 0;
  for (PHINode &phi : loop.getHeader()->phis())
    if (isCarried(env, *around, phi.getIncomingValueForBlock(loop.getLoopPreheader())))
      return 0;
  return vectorBitsOf(target);
}

/// Reads and judges the loop, with small loops inside it as parts of its body.
Outcome judged(Env &env, llvm::Loop &loop, LoopBinding &binding, unsigned vectorBits = 0) {
  readNest(env, &loop, binding);
  binding.loop.vectorBits = vectorBits;
  addFunction(env, binding);
  binding.loop.function.off |= findOptionMDForLoop(&loop, OffTag) != nullptr;
  return judge(binding.loop, env.config.options);
}

/// Returns whether the loop around is an operation as a whole, of which this one is a part.
bool isPart(Env &env, const llvm::Loop &loop) {
  llvm::Loop *around = loop.getParentLoop();
  LoopBinding binding;
  return around && isCandidate(env, *around) && isDone(judged(env, *around, binding).decision.kind);
}

/// Replaces steps of a shift register by look-ups, since later they would be straight code. Returns
/// whether the loop is gone.
bool NotePass::lookUp(Env &env, llvm::Loop &loop, const TargetTransformInfo &target) {
  LoopBinding binding;
  Outcome outcome = judged(env, loop, binding, vectorBitsAround(env, loop, target));
  if (outcome.match.idiom == Idiom::None || isPart(env, loop))
    return false;
  binding.loop.id = takeName(env.f);
  if (!env.config.options.quiet) {
    if (env.config.printLoops)
      printModel(binding, outcome);
    report(env, binding, outcome);
  }
  if (!isDone(outcome.decision.kind))
    return false;
  rewriteLoop(env, binding, outcome.match, outcome.decision);
  return true;
}

/// Judges a loop that may become straight code, and marks or notes it.
void NotePass::judgeStraight(Env &env, llvm::Loop &loop, const std::string &required) {
  LoopBinding binding;
  Outcome outcome = judged(env, loop, binding);
  // Others may be told before.
  binding.loop.id = functionId(env.f) + "#" + std::to_string(namedOf(env.f));
  if (outcome.decision.kind == DecisionKind::Guarded && outcome.decision.calls.empty() &&
      !wantsUnroll(loop)) {
    addStringMetadataToLoop(&loop, RolledTag, 1);
    addStringMetadataToLoop(&loop, NoUnroll, 1);
  } else if (!env.config.options.quiet && deservesRemark(binding.loop, outcome, hasStore(loop))) {
    makeStraight(outcome);
    note(loop, binding, outcome);
  } else if (!required.empty()) {
    note(loop, binding, outcome);
    (*notes)[&env.f].back().told = false;
  }
}

PreservedAnalyses NotePass::run(llvm::Loop &loop, LoopAnalysisManager &,
                                LoopStandardAnalysisResults &ar, LPMUpdater &updater) {
  Function &f = *loop.getHeader()->getParent();
  Config config = configOf(f);
  std::string required = requirementText(loop);
  if (!required.empty() && becameCall(loop))
    noteMet(f, required);
  unsigned iterations = ar.SE.getSmallConstantTripCount(&loop);
  bool many = (iterations > mostUnrolled && !wantsUnroll(loop)) ||
              hasNarrowOffsets(f.getParent()->getDataLayout());
  if (!iterations || many || !loop.isInnermost() || !canBeJudged(f, config))
    return PreservedAnalyses::all();
  OptimizationRemarkEmitter ore(&f);
  config.options.quiet = required.empty() && !remarksEnabled(config, ore);
  Env env{f,      ar.LI, ar.DT, ar.SE, ar.AA, ar.AC, ore, f.getParent()->getDataLayout(),
          config, {},    {}};
  setLevel(env, ar.TTI, level);
  if (mayBeRegister(loop, iterations)) {
    std::string name = loop.getName().str();
    if (!lookUp(env, loop, ar.TTI))
      return PreservedAnalyses::all();
    updater.markLoopAsDeleted(loop, name);
    return getLoopPassPreservedAnalyses();
  }
  if (config.options.quiet && !hasStore(loop))
    return PreservedAnalyses::all();
  // A loop that contains only mem* calls gets no remark: the calls get theirs.
  if (!isCandidate(env, loop) || (!hasStore(loop) && callsMemory(loop)))
    return PreservedAnalyses::all();
  const bool subtracted = subtractCounters(loop, ar.SE);
  if (subtracted)
    ar.SE.forgetLoop(&loop);
  judgeStraight(env, loop, required);
  return subtracted ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
}

class TellPass : public PassInfoMixin<TellPass> {
public:
  explicit TellPass(std::shared_ptr<Notes> notes) : notes(std::move(notes)) {}
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &fam);

private:
  std::shared_ptr<Notes> notes;
};

PreservedAnalyses TellPass::run(Function &f, FunctionAnalysisManager &fam) {
  auto found = notes->find(&f);
  if (found == notes->end())
    return PreservedAnalyses::all();
  std::vector<Note> list = std::move(found->second);
  notes->erase(found);
  Env env = envOf(f, fam, configOf(f));
  for (const Note &n : list) {
    if (isLoop(env.li, n.header, n.depth) ||
        any_of(n.around, [&](const WeakVH &h) { return isLoop(env.li, h, 1); }))
      continue;
    if (!n.required.empty())
      noteMet(f, n.required);
    if (n.told) {
      Remark remark = n.remark;
      renameLoop(remark, takeName(f));
      report(env.ore, f, env.config, remark, n.loc, &f.getEntryBlock());
    }
  }
  return PreservedAnalyses::all();
}

} // namespace

unsigned namedOf(const Function &f) {
  unsigned count = 0;
  f.getFnAttribute(NamedAttribute).getValueAsString().getAsInteger(10, count);
  return count;
}

bool releaseRolled(llvm::Loop &loop) {
  if (!getBooleanLoopAttribute(&loop, RolledTag) || getBooleanLoopAttribute(&loop, DoneTag))
    return false;
  loop.setLoopID(makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(),
                                                {RolledTag, NoUnroll}, {}));
  return true;
}

void registerUnrolled(PassBuilder &builder) {
  auto notes = std::make_shared<Notes>();
  builder.registerLateLoopOptimizationsEPCallback(
      [notes](LoopPassManager &lpm, OptimizationLevel level) {
        lpm.addPass(NotePass(notes, compat::speedOf(level)));
      });
  builder.registerScalarOptimizerLateEPCallback(
      [notes](FunctionPassManager &fpm, OptimizationLevel) { fpm.addPass(TellPass(notes)); });
}

} // namespace memlift
