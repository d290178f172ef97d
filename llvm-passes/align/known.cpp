// known.cpp - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align/known.h"

#include "align/builtin.h"
#include "align/raise.h"
#include "read/binding.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memlift {

LowBits &KnownEverywhere::bitsOf(Function &f) {
  auto &made = bits[&f];
  if (!made)
    made = std::make_unique<LowBits>(f, fam.getResult<DominatorTreeAnalysis>(f),
                                     fam.getResult<LoopAnalysis>(f),
                                     fam.getResult<AssumptionAnalysis>(f), [this](const Value &v) {
                                       AlignSlots::AlignSlot h;
                                       return slotOf(v, h) ? slots.read(h) : 0;
                                     });
  return *made;
}

bool KnownEverywhere::slotOf(const Value &v, AlignSlots::AlignSlot &h) const {
  auto found = [&h](const auto &map, const auto &key) {
    auto it = map.find(key);
    if (it != map.end())
      h = it->second;
    return it != map.end();
  };
  if (auto *a = dyn_cast<Argument>(&v))
    return found(arguments, a);
  if (auto *call = dyn_cast<CallBase>(&v))
    return found(returns, call->getCalledFunction());
  auto *load = dyn_cast<LoadInst>(&v);
  if (!load || !load->getType()->isPointerTy())
    return false;
  APInt offset(64, 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      m.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return found(variables, Place(dyn_cast<GlobalVariable>(base), offset.getSExtValue()));
}

bool KnownEverywhere::holds(const Value &v, const Assignment *&worst) const {
  AlignSlots::AlignSlot h;
  worst = nullptr;
  if (!slotOf(v, h))
    return false;
  if (slots.worst(h) != AlignSlots::noPut)
    worst = &assignments[slots.worst(h)];
  return true;
}

void KnownEverywhere::assign(AlignSlots::AlignSlot h, Value &value, Instruction &at) {
  slots.assign(h);
  assignments.push_back({&value, &at});
}

static bool isOurPointer(const Type &type) {
  return type.isPointerTy() && type.getPointerAddressSpace() == 0;
}

/// Collects returned values, if the visible body is the one that runs.
void KnownEverywhere::collectReturns(Function &f) {
  if (!f.hasExactDefinition() || f.hasFnAttribute(Attribute::Naked) ||
      !isOurPointer(*f.getReturnType()))
    return;
  AlignSlots::AlignSlot h = returns[&f] = slots.add();
  for (Instruction &i : instructions(f))
    if (auto *ret = dyn_cast<ReturnInst>(&i))
      assign(h, *ret->getReturnValue(), i);
}

/// Collects the arguments of all calls, if all calls are visible.
void KnownEverywhere::collectArguments(Function &f) {
  if (!f.hasLocalLinkage() || f.isVarArg())
    return;
  for (const Use &use : f.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || call->getFunctionType() != f.getFunctionType())
      return;
  }
  for (Argument &a : f.args()) {
    if (!isOurPointer(*a.getType()) || a.hasPassPointeeByValueCopyAttr())
      continue;
    AlignSlots::AlignSlot h = arguments[&a] = slots.add();
    for (Use &use : f.uses()) {
      auto *call = cast<CallBase>(use.getUser());
      assign(h, *call->getArgOperand(a.getArgNo()), *call);
    }
  }
}

bool KnownEverywhere::collectStore(StoreInst &store, int64_t offset, Uses &uses) {
  Value &value = *store.getValueOperand();
  if (isOurPointer(*value.getType())) {
    uses.pointers[offset].push_back({&value, &store});
    return true;
  }
  TypeSize size = m.getDataLayout().getTypeStoreSize(value.getType());
  if (size.isScalable())
    return false;
  uses.others.push_back({offset, offset + int64_t(size.getFixedValue())});
  return true;
}

/// Returns true if all uses are loads and stores at known offsets.
bool KnownEverywhere::collectUses(Value &pointer, int64_t offset, Uses &uses) {
  for (Use &use : pointer.uses()) {
    User *user = use.getUser();
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->isVolatile())
        return false; // hardware or a debugger may write it
      if (isOurPointer(*load->getType()))
        uses.pointers[offset];
      continue;
    }
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() == &pointer || store->isVolatile() ||
          !collectStore(*store, offset, uses))
        return false;
      continue;
    }
    auto *gep = dyn_cast<GEPOperator>(user);
    APInt more(64, 0);
    if (!gep || !gep->accumulateConstantOffset(m.getDataLayout(), more) ||
        !collectUses(*gep, offset + more.getSExtValue(), uses))
      return false;
  }
  return true;
}

/// Returns the known zero bits of the variable's initial value at that offset; 0 if unknown.
static unsigned firstBits(GlobalVariable &v, int64_t offset, const DataLayout &dl) {
  Type *pointer = PointerType::get(v.getContext(), 0);
  Constant *first =
      ConstantFoldLoadFromConst(v.getInitializer(), pointer, APInt(64, uint64_t(offset), true), dl);
  if (!first)
    return 0;
  return isa<ConstantPointerNull>(first) ? AlignSlots::mostBits
                                         : unsigned(Log2(first->getPointerAlignment(dl)));
}

void KnownEverywhere::collectVariable(GlobalVariable &v) {
  Uses uses;
  // The loader, not the program, determines the initial contents of a section of its own.
  if (!v.hasLocalLinkage() || !v.hasInitializer() || v.isThreadLocal() || v.hasSection() ||
      v.isExternallyInitialized() || !collectUses(v, 0, uses))
    return;
  const DataLayout &dl = m.getDataLayout();
  int64_t size = dl.getPointerSize();
  for (auto &[offset, stored] : uses.pointers) {
    if (!isWhole(offset, size, uses.pointers, uses.others))
      continue;
    AlignSlots::AlignSlot h = variables[{&v, offset}] = slots.add(firstBits(v, offset, dl));
    for (const Assignment &p : stored)
      assign(h, *p.value, *p.at);
  }
}

static bool isMemName(StringRef name) {
  return name == "memset" || name == "memcpy" || name == "memmove";
}

void eachPointer(Instruction &i, bool calls,
                 function_ref<void(StringRef, unsigned, Value &)> each) {
  auto *call = dyn_cast<CallBase>(&i);
  if (!call)
    return;
  if (isAlignedCall(i))
    return each("memlift_aligned", 0, *call->getArgOperand(0));
  auto *mem = dyn_cast<AnyMemIntrinsic>(call);
  const Function *callee = call->getCalledFunction();
  StringRef name = isa<AnyMemSetInst>(call)                 ? "memset"
                   : isa<AnyMemMoveInst>(call)              ? "memmove"
                   : mem                                    ? "memcpy"
                   : callee && isMemName(callee->getName()) ? callee->getName()
                                                            : "";
  if (!calls || name.empty() || call->arg_size() < 3)
    return;
  for (unsigned k = 0; k < (name == "memset" ? 1 : 2); ++k)
    if (isOurPointer(*call->getArgOperand(k)->getType()))
      each(name, k, *call->getArgOperand(k));
}

void KnownEverywhere::collectQueries(Instruction &i, bool calls) {
  eachPointer(i, calls,
              [&](StringRef, unsigned, Value &pointer) { queries.push_back({&pointer, &i}); });
  if (calls && bitsToRaise(i, m.getDataLayout()))
    queries.push_back({const_cast<Value *>(getLoadStorePointerOperand(&i)), &i});
}

/// Repeats the queries until they read no further names: a query may read more once less is known.
void KnownEverywhere::find(bool calls) {
  for (Function &f : m)
    if (!f.isDeclaration()) {
      collectReturns(f);
      collectArguments(f);
      // A sanitizer's checks depend on alignment, and have to be those of the compiler alone.
      bool raises = calls && !propertiesOf(f).has(Property::Instrumented);
      for (Instruction &i : instructions(f))
        collectQueries(i, raises);
    }
  for (GlobalVariable &v : m.globals())
    collectVariable(v);
  auto ask = [this](const Assignment &p, unsigned limit) {
    return bitsOf(*p.at->getFunction()).zeroBits(*p.value, limit, *p.at);
  };
  size_t before;
  do {
    before = slots.wanted();
    for (const Assignment &q : queries)
      ask(q, AlignSlots::mostBits);
    slots.settle(
        [&](AlignSlots::Assignment p, unsigned limit) { return ask(assignments[p], limit); });
  } while (slots.wanted() != before);
}

/// Writes the proved alignment of a call's result to the call.
bool KnownEverywhere::writeReturn(Instruction &i) {
  auto *call = dyn_cast<CallBase>(&i);
  auto known = returns.find(call ? call->getCalledFunction() : nullptr);
  if (known == returns.end() || !slots.isEverSet(known->second))
    return false;
  Align align(uint64_t(1) << slots.bits(known->second));
  if (call->getRetAlign().valueOrOne() >= align)
    return false;
  call->removeRetAttr(Attribute::Alignment);
  call->addRetAttr(Attribute::getWithAlignment(m.getContext(), align));
  return true;
}

/// Writes the proved alignment of a loaded pointer to the load.
bool KnownEverywhere::writeLoad(Instruction &i) {
  AlignSlots::AlignSlot h;
  if (!isa<LoadInst>(i) || i.hasMetadata(LLVMContext::MD_align) || !slotOf(i, h) || !slots.bits(h))
    return false;
  auto *bytes = ConstantInt::get(Type::getInt64Ty(m.getContext()), uint64_t(1) << slots.bits(h));
  i.setMetadata(LLVMContext::MD_align, MDNode::get(m.getContext(), ConstantAsMetadata::get(bytes)));
  return true;
}

bool KnownEverywhere::write() {
  bool changed = false;
  for (auto [argument, h] : arguments) {
    auto *a = const_cast<Argument *>(argument);
    Align align(uint64_t(1) << slots.bits(h));
    if (!slots.isEverSet(h) || a->getParamAlign().valueOrOne() >= align)
      continue;
    a->removeAttr(Attribute::Alignment);
    a->addAttr(Attribute::getWithAlignment(m.getContext(), align));
    changed = true;
  }
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      changed |= writeReturn(i);
      changed |= writeLoad(i);
    }
  return changed;
}

} // namespace memlift
