// known.cpp - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align/known.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memlift {

// Above a page nothing asks, and LLVM's attribute holds 2^32.
constexpr unsigned mostBits = 12;

LowBits &KnownEverywhere::bitsOf(Function &f) {
  auto &made = bits[&f];
  if (!made)
    made = std::make_unique<LowBits>(
        f, fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<LoopAnalysis>(f),
        fam.getResult<AssumptionAnalysis>(f),
        [this](const Value &v) { return knownOf(v); });
  return *made;
}

unsigned KnownEverywhere::knownOf(const Value &v) const {
  if (auto *a = dyn_cast<Argument>(&v)) {
    auto it = arguments.find(a);
    return it == arguments.end() ? 0 : it->second.bits;
  }
  if (auto *call = dyn_cast<CallBase>(&v)) {
    auto it = returns.find(call->getCalledFunction());
    return it == returns.end() ? 0 : it->second.bits;
  }
  auto *load = dyn_cast<LoadInst>(&v);
  if (!load || !load->getType()->isPointerTy())
    return 0;
  APInt offset(64, 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      m.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  auto it = variables.find({dyn_cast<GlobalVariable>(base), offset.getSExtValue()});
  return it == variables.end() ? 0 : it->second.bits;
}

/// Calls of it are all in sight, and so is what runs.
void KnownEverywhere::collectFunction(Function &f) {
  if (f.hasExactDefinition() && f.getReturnType()->isPointerTy()) {
    Holder &h = returns[&f];
    h.bits = mostBits;
    for (Instruction &i : instructions(f))
      if (auto *ret = dyn_cast<ReturnInst>(&i))
        h.puts.push_back({ret->getReturnValue(), ret});
  }
  if (!f.hasLocalLinkage() || f.isVarArg())
    return;
  for (const Use &use : f.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || call->getFunctionType() != f.getFunctionType())
      return;
  }
  for (Argument &a : f.args()) {
    if (!a.getType()->isPointerTy() || a.getType()->getPointerAddressSpace() != 0 ||
        a.hasPassPointeeByValueCopyAttr())
      continue;
    Holder &h = arguments[&a];
    h.bits = mostBits;
    for (Use &use : f.uses()) {
      auto *call = cast<CallBase>(use.getUser());
      h.puts.push_back({call->getArgOperand(a.getArgNo()), call});
    }
  }
}

/// True if all uses are loads and stores of whole pointers at known places.
bool KnownEverywhere::collectUses(GlobalVariable &v, Value &pointer, int64_t offset) {
  for (Use &use : pointer.uses()) {
    User *user = use.getUser();
    if (isa<LoadInst>(user)) {
      variables[{&v, offset}];
      continue;
    }
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() == &pointer ||
          !store->getValueOperand()->getType()->isPointerTy())
        return false;
      variables[{&v, offset}].puts.push_back({store->getValueOperand(), store});
      continue;
    }
    auto *gep = dyn_cast<GEPOperator>(user);
    APInt more(64, 0);
    if (!gep || !gep->accumulateConstantOffset(m.getDataLayout(), more) ||
        !collectUses(v, *gep, offset + more.getSExtValue()))
      return false;
  }
  return true;
}

void KnownEverywhere::collectVariable(GlobalVariable &v) {
  auto forget = [&] {
    for (auto it = variables.begin(); it != variables.end();)
      it = it->first.first == &v ? variables.erase(it) : std::next(it);
  };
  if (!v.hasLocalLinkage() || !v.hasInitializer() || v.isThreadLocal() ||
      v.isExternallyInitialized())
    return;
  if (!collectUses(v, v, 0))
    return forget();
  const DataLayout &dl = m.getDataLayout();
  uint64_t size = dl.getPointerSize();
  for (auto &[key, holder] : variables) {
    if (key.first != &v)
      continue;
    for (auto &[other, h] : variables) // pieces of one another are nothing for us
      if (other.first == &v && other.second != key.second &&
          uint64_t(std::abs(other.second - key.second)) < size)
        return forget();
    Constant *first = v.getInitializer()->isNullValue()
                          ? ConstantPointerNull::get(PointerType::get(m.getContext(), 0))
                          : nullptr;
    if (key.second == 0 && v.getValueType()->isPointerTy())
      first = v.getInitializer();
    if (!first)
      return forget();
    holder.bits = mostBits;
    if (!isa<ConstantPointerNull>(first))
      holder.bits = std::min(mostBits, unsigned(Log2(first->getPointerAlignment(dl))));
  }
}

/// True if it is less than was taken for known.
bool KnownEverywhere::weaken(Holder &h) {
  unsigned least = h.bits;
  for (const Put &put : h.puts)
    if (least)
      least = std::min(least, bitsOf(*put.at->getFunction())
                                  .zeroBits(*put.value, least, *put.at));
  std::swap(least, h.bits);
  return least != h.bits;
}

bool KnownEverywhere::find() {
  for (Function &f : m)
    if (!f.isDeclaration())
      collectFunction(f);
  for (GlobalVariable &v : m.globals())
    collectVariable(v);
  bool again = true;
  while (again) { // ends: every round takes bits away
    again = false;
    for (auto &a : arguments)
      again |= weaken(a.second);
    for (auto &r : returns)
      again |= weaken(r.second);
    for (auto &v : variables)
      again |= weaken(v.second);
  }
  return write();
}

bool KnownEverywhere::write() {
  bool changed = false;
  LLVMContext &context = m.getContext();
  for (auto &[argument, h] : arguments) {
    auto *a = const_cast<Argument *>(argument);
    Align align(uint64_t(1) << h.bits);
    if (h.puts.empty() || a->getParamAlign().valueOrOne() >= align)
      continue;
    a->removeAttr(Attribute::Alignment);
    a->addAttr(Attribute::getWithAlignment(context, align));
    changed = true;
  }
  return changed;
}

} // namespace memlift
