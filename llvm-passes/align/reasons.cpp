// reasons.cpp - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align/reasons.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memlift {

using Evidence = AlignEvidence::Kind;

std::string sourcePlace(const Instruction &i) {
  const DebugLoc &at = i.getDebugLoc();
  if (!at || at.getLine() == 0)
    return "";
  return cast<DIScope>(at.getScope())->getFilename().str() + ":" + std::to_string(at.getLine());
}

static std::string argumentName(const Argument &a) {
  std::string name = sourceName(a);
  return name.empty() ? "argument " + std::to_string(a.getArgNo() + 1) : name;
}

/// Returns "buf" or "buf + 2"; empty for a pointer without a name.
static std::string pointerName(const Value &v, const DataLayout &dl) {
  APInt offset(64, 0);
  const Value *base = &v;
  if (v.getType()->isPointerTy() && dl.getIndexTypeSizeInBits(v.getType()) == 64)
    base = v.stripAndAccumulateConstantOffsets(dl, offset, true);
  std::string name;
  if (auto *g = dyn_cast<GlobalValue>(base))
    name = g->getName().str();
  else if (auto *a = dyn_cast<Argument>(base))
    name = argumentName(*a) + " of " + a->getParent()->getName().str();
  else if (isa<ConstantPointerNull>(base))
    name = "0";
  int64_t off = offset.getSExtValue();
  if (name.empty() || off == 0)
    return name;
  return name + (off < 0 ? " - " : " + ") + std::to_string(off < 0 ? -off : off);
}

static Evidence evidenceKind(const Value &v, bool isHeld) {
  if (isa<Argument>(v))
    return isHeld ? Evidence::Callers : Evidence::Argument;
  if (isa<CallBase>(v))
    return isHeld ? Evidence::Returned : Evidence::Result;
  if (isa<LoadInst>(v))
    return isHeld ? Evidence::Stored : Evidence::Loaded;
  if (isa<PHINode>(v))
    return Evidence::Steps;
  return isa<GlobalValue>(v) || isa<AllocaInst>(v) ? Evidence::Object : Evidence::Other;
}

static std::string nameOf(const Value &v, const DataLayout &dl) {
  if (auto *call = dyn_cast<CallBase>(&v))
    return call->getCalledFunction() ? call->getCalledFunction()->getName().str() : "";
  if (auto *load = dyn_cast<LoadInst>(&v))
    return pointerName(*load->getPointerOperand(), dl);
  return pointerName(v, dl);
}

static AlignEvidence evidenceOf(const AlignFact &fact, const DataLayout &dl,
                                const KnownEverywhere *known) {
  auto &v = *static_cast<const Value *>(fact.what);
  auto *i = dyn_cast<Instruction>(&v);
  AlignEvidence g;
  g.where = i ? sourcePlace(*i) : "";
  if (fact.kind != AlignFact::Kind::Value) {
    g.kind = fact.kind == AlignFact::Kind::Test         ? Evidence::Test
             : fact.kind == AlignFact::Kind::Assumption ? Evidence::Assumption
                                                        : Evidence::Steps;
    return g;
  }
  const KnownEverywhere::Assignment *worst = nullptr;
  g.kind = evidenceKind(v, known && known->holds(v, worst));
  g.name = nameOf(v, dl);
  if (worst) {
    g.put = pointerName(*worst->value, dl);
    g.putAt = sourcePlace(*worst->at);
  }
  return g;
}

static const DataLayout *layoutOf(const AlignFact &fact) {
  auto &v = *static_cast<const Value *>(fact.what);
  if (auto *i = dyn_cast<Instruction>(&v))
    return &i->getModule()->getDataLayout();
  if (auto *a = dyn_cast<Argument>(&v))
    return &a->getParent()->getParent()->getDataLayout();
  auto *g = dyn_cast<GlobalValue>(&v);
  return g ? &g->getParent()->getDataLayout() : nullptr;
}

std::string reasonOf(const AlignProof &how, const KnownEverywhere *known) {
  std::vector<AlignEvidence> evidence;
  for (const AlignFact &fact : how.facts)
    if (const DataLayout *dl = layoutOf(fact))
      evidence.push_back(evidenceOf(fact, *dl, known));
  return how.broken ? whyNotAligned(evidence) : whyAligned(evidence);
}

} // namespace memlift
