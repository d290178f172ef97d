// carry.cpp - carries options and attributes into the IR, first in a pipeline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang can pass a plugin's attribute on to an IR function only as an annotation: an entry of
// @llvm.global.annotations with the text "memlift:off". It becomes the function attribute
// "memlift"="off". As inlining takes loops out of their function, each loop and each mem* call is
// marked too.
//
// Functions that the option names also get "memlift"="shape". Such a function has no built-ins from
// here on, so no pass of LLVM makes a call of a loop, then or later. It is not inlined: other
// functions may have built-ins.
#include "options.h"
#include "pass.h"
#include "read/binding.h"
#include "require/require.h"
#include "streamsize.h"
#include "write/opaque.h"
#include "write/user.h"
#include "write/write.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr char Annotations[] = "llvm.global.annotations";

/// An entry of the list of annotations that is ours; `function` is null if it is not.
struct Annotation {
  Function *function = nullptr;
  GlobalVariable *text = nullptr;
  StringRef value;
};

Annotation parse(Constant *entry) {
  Annotation a;
  auto *fields = dyn_cast<ConstantStruct>(entry);
  if (!fields || fields->getNumOperands() < 2)
    return a;
  a.text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
  if (!a.text || !a.text->hasInitializer())
    return a;
  auto *data = dyn_cast<ConstantDataSequential>(a.text->getInitializer());
  if (!data || !data->isCString())
    return a;
  a.value = data->getAsCString();
  if (a.value.consume_front("memlift:"))
    a.function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts());
  return a;
}

void eraseUnused(GlobalVariable *text) {
  text->removeDeadConstantUsers();
  if (text->use_empty() && text->hasLocalLinkage())
    text->eraseFromParent();
}

/// Takes our annotations out of the list, and ignores them if switched off.
bool takeAnnotations(Module &m, bool off) {
  GlobalVariable *old = m.getGlobalVariable(Annotations);
  if (!old || !old->hasInitializer())
    return false;
  auto *list = dyn_cast<ConstantArray>(old->getInitializer());
  if (!list)
    return false;
  SmallVector<Constant *, 16> others;
  SmallSetVector<GlobalVariable *, 4> texts;
  for (Use &use : list->operands()) {
    auto *entry = cast<Constant>(use.get());
    Annotation a = parse(entry);
    if (!a.function) {
      others.push_back(entry);
      continue;
    }
    uint64_t store = 0;
    if (a.value == "user") // also if switched off, to be refused
      a.function->addFnAttr(UserAttribute);
    if (off) {
      // Removed, as if the attribute had not been written.
    } else if (a.value == "async") {
      a.function->addFnAttr("memlift-async");
      // An inlined function loses its attribute, and its operations would not be begun early.
      if (!a.function->hasFnAttribute(Attribute::AlwaysInline))
        a.function->addFnAttr(Attribute::NoInline);
    } else if (a.value == "spread" || parseStreamValue(a.value.str(), store)) {
      const bool spread = a.value == "spread";
      a.function->addFnAttr(spread ? SpreadAttribute : LocalAttribute);
      if (!spread || !a.function->hasFnAttribute(StreamAttribute))
        a.function->addFnAttr(StreamAttribute, std::to_string(store));
      if (!a.function->hasFnAttribute(Attribute::AlwaysInline))
        a.function->addFnAttr(Attribute::NoInline); // for the same reason
    } else if (a.value == "require") {
      a.function->addFnAttr(RequireAttribute);
    } else if (a.function->getFnAttribute("memlift").getValueAsString() != "off") {
      a.function->addFnAttr("memlift", a.value == "user" ? "shape" : a.value);
    }
    texts.insert(a.text);
  }
  if (others.size() == list->getNumOperands())
    return false;
  if (!others.empty()) {
    auto *type = ArrayType::get(others[0]->getType(), others.size());
    auto *fresh = new GlobalVariable(m, type, old->isConstant(), old->getLinkage(),
                                     ConstantArray::get(type, others));
    fresh->copyAttributesFrom(old);
    fresh->takeName(old);
  }
  old->eraseFromParent();
  for (GlobalVariable *text : texts)
    eraseUnused(text);
  return true;
}

bool markOff(Function &f) {
  if (f.getFnAttribute("memlift").getValueAsString() != "off")
    return false;
  DominatorTree dt(f);
  LoopInfo li(dt);
  for (llvm::Loop *loop : li.getLoopsInPreorder())
    addStringMetadataToLoop(loop, OffTag, 1);
  for (BasicBlock &block : f)
    for (Instruction &i : block)
      if (isMemCall(i))
        cast<CallBase>(i).addFnAttr(Attribute::get(f.getContext(), "memlift", "off"));
  return true;
}

bool markShaped(Function &f, const std::string &named) {
  StringRef value = f.getFnAttribute("memlift").getValueAsString();
  std::string name = f.getName().str();
  if (value != "shape" && (!value.empty() || !inList(name, named)))
    return false;
  if (f.hasFnAttribute(Attribute::AlwaysInline)) {
    refuse(*f.getParent(), Diag::ShapeInlined,
           "'" + name + "' is always_inline: its loops are its callers', and cannot be shaped");
    return false;
  }
  f.addFnAttr("memlift", "shape");
  f.addFnAttr("no-builtins");
  f.addFnAttr(Attribute::NoInline);
  return true;
}

/// Marks a function whose loops the command line wants in blocks. Functions that are named are not
/// inlined into others; of a whole file, all may be.
bool markStreamed(Function &f, const std::string &named) {
  bool all = named == "all";
  if (f.hasFnAttribute(LocalAttribute) || (!all && !inList(f.getName().str(), named)))
    return false;
  f.addFnAttr(LocalAttribute);
  f.addFnAttr(StreamAttribute, std::to_string(givenStore()));
  if (!all && !f.hasFnAttribute(Attribute::AlwaysInline))
    f.addFnAttr(Attribute::NoInline);
  return true;
}

/// Prepares a function whose accesses may fault. Its result is laundered: otherwise callers would
/// know that it is 0, as the source says.
bool markUser(Function &f, bool covers) {
  if (!f.hasFnAttribute(UserAttribute))
    return false;
  const std::string name = f.getName().str();
  const char *reason = !userTargetOf(f)            ? "the target has none"
                       : !covers || f.hasOptNone() ? "its loops are not optimised by memlift"
                                                   : nullptr;
  if (reason) {
    refuse(*f.getParent(), Diag::UserUncovered, uncoveredMessage(f, reason));
    return false;
  }
  const DataLayout &layout = f.getParent()->getDataLayout();
  if (f.getReturnType() != layout.getIntPtrType(f.getContext())) {
    refuse(*f.getParent(), Diag::UserReturns,
           "'" + name + "' is memlift(\"user\") and has to return an integer as wide as a pointer");
    return false;
  }
  DominatorTree dt(f);
  LoopInfo li(dt);
  for (llvm::Loop *loop : li.getLoopsInPreorder()) // one of few iterations is still a loop later
    addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
  for (BasicBlock &block : f)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> b(end);
      end->setOperand(0, launder(b, end->getReturnValue()));
    }
  return true;
}

/// Marks a function whose loops the command line wants to be computed by several threads.
bool markSpread(Function &f, const std::string &named) {
  bool all = named == "all";
  if (f.hasFnAttribute(SpreadAttribute) || (!all && !inList(f.getName().str(), named)))
    return false;
  f.addFnAttr(SpreadAttribute);
  if (!f.hasFnAttribute(StreamAttribute))
    f.addFnAttr(StreamAttribute, std::to_string(givenStore()));
  if (!all && !f.hasFnAttribute(Attribute::AlwaysInline))
    f.addFnAttr(Attribute::NoInline);
  return true;
}

} // namespace

PreservedAnalyses CarryPass::run(Module &m, ModuleAnalysisManager &) {
  SymbolMap map = givenMap();
  std::string shaped = givenShape(), streamed = givenStream(), spread = givenSpread();
  bool good = checkOptions(m) && checkMap(m, map), off = isSwitchedOff();
  bool changed = takeAnnotations(m, off);
  for (Function &f : m)
    if (!f.isDeclaration())
      changed |=
          markUser(f, optimising && good && !off) | carryRequired(f, optimising && good && !off);
  if (optimising && good)
    changed |= carryOptions(m);
  if (optimising && good && !off) {
    changed |= fast && carryLevel(m);
    changed |= keepMapped(m, map);
    for (Function &f : m)
      if (!f.isDeclaration() && !f.hasFnAttribute(OutlinedAttribute))
        changed |= markOff(f) || markShaped(f, shaped) ||
                   (markSpread(f, spread) | markStreamed(f, streamed));
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses JoinedPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = keepOptionsApart(m);
  if (!isSwitchedOff())
    changed |= markServants(m, givenMap());
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace memlift
