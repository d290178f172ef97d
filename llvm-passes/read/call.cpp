// call.cpp - reads a call of memset, memcpy or memmove as a loop model without dimensions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align/lowbits.h"
#include "align/reasons.h"
#include "read/chain.h"

#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;

namespace memlift {

bool isMemCall(const Instruction &i) {
  const auto *call = dyn_cast<MemIntrinsic>(&i);
  if (!call)
    return false;
  Intrinsic::ID id = call->getIntrinsicID();
  return id == Intrinsic::memset || id == Intrinsic::memcpy || id == Intrinsic::memmove;
}

namespace {

/// Uses base and constant offset only: a recurrence of a loop around the call is not to be expanded
/// a second time.
Access sideOf(Reader &r, MemIntrinsic &call, bool store) {
  Access access;
  auto *transfer = dyn_cast<MemTransferInst>(&call);
  Value *pointer = store ? call.getRawDest() : transfer->getRawSource();
  access.addressSpace = pointer->getType()->getPointerAddressSpace();
  int64_t offset = 0;
  Value *base = pointer;
  if (!access.addressSpace) {
    APInt sum(r.env.dl.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *stripped =
        pointer->stripAndAccumulateConstantOffsets(r.env.dl, sum, /*AllowNonInbounds=*/true);
    if (stripped->getType() == pointer->getType()) {
      base = stripped;
      offset = sum.getSExtValue();
    }
  }
  access.store = store;
  if (r.binding.chain) {
    r.address(pointer, access);
    if (!access.affine)
      r.binding.chain->failed = true;
  } else {
    access.base = r.baseOf(base);
    access.offset = r.graph.constant(uint64_t(offset), r.ptrBits);
  }
  MaybeAlign align = store ? call.getDestAlign() : transfer->getSourceAlign();
  access.align = align.valueOrOne().value();
  auto proved = r.env.proved.find(&call);
  if (proved != r.env.proved.end()) {
    access.proved = store ? proved->second.dst : proved->second.src;
    access.provedBy = store ? proved->second.dstBy : proved->second.srcBy;
  }
  access.isVolatile = call.isVolatile();
  access.loc = sourceLoc(call.getDebugLoc());
  return access;
}

ExprId lengthOf(Reader &r, MemIntrinsic &call) {
  ExprId n = r.value(call.getLength());
  return r.graph.zextOrTrunc(n, r.ptrBits);
}

void aliasOf(Env &env, LoopBinding &binding, MemTransferInst &call) {
  if (call.getIntrinsicID() == Intrinsic::memcpy) {
    binding.loop.aliases.push_back({0, 1, AliasKind::None, "memcpy's contract"});
    return;
  }
  if (env.aa.isNoAlias(MemoryLocation::getForSource(&call), MemoryLocation::getForDest(&call)))
    binding.loop.aliases.push_back({0, 1, AliasKind::None, "distinct objects"});
}

} // namespace

void proveAligned(Env &env, ArrayRef<WeakVH> calls) {
  std::optional<LowBits> bits;
  for (const WeakVH &c : calls) {
    auto &call = *cast<MemIntrinsic>(c);
    auto *transfer = dyn_cast<MemTransferInst>(&call);
    auto *size = dyn_cast<ConstantInt>(call.getLength());
    auto multiple = [&](Value &p, MaybeAlign known, std::string &by) {
      unsigned most = bitsToProve(size ? size->getLimitedValue() : 0, known.valueOrOne().value(),
                                  env.dl.getPointerSizeInBits(0), env.config.options);
      if (!most || p.getType()->getPointerAddressSpace() != 0)
        return uint64_t(1);
      if (!bits)
        bits.emplace(env.f, env.dt, env.li, env.ac, nullptr);
      if (env.config.options.quiet)
        return uint64_t(1) << bits->zeroBits(p, most, call);
      AlignProof how;
      uint64_t proved = uint64_t(1) << bits->zeroBits(p, most, call, &how);
      by = reasonOf(how, nullptr);
      return proved;
    };
    Env::Aligned &proved = env.proved[&call];
    proved.dst = multiple(*call.getRawDest(), call.getDestAlign(), proved.dstBy);
    if (transfer)
      proved.src = multiple(*transfer->getRawSource(), transfer->getSourceAlign(), proved.srcBy);
  }
}

void readCall(Env &env, CallBase &callBase, LoopBinding &binding) {
  auto &call = cast<MemIntrinsic>(callBase);
  binding.at = binding.chain ? binding.chain->entry->getTerminator() : &call;
  binding.loc = call.getDebugLoc();
  binding.loop.loc = sourceLoc(binding.loc);
  binding.loop.origin = Origin::Call;
  Reader r(env, binding);
  if (auto *set = dyn_cast<MemSetInst>(&call)) {
    Access store = sideOf(r, call, true);
    store.bytes = lengthOf(r, call);
    store.value = r.value(set->getValue());
    r.addAccess(store, &call);
    return;
  }
  Access load = sideOf(r, call, false), store = sideOf(r, call, true);
  load.bytes = store.bytes = lengthOf(r, call);
  store.value = r.graph.leaf(Op::Load, 0, 8);
  r.addAccess(load, &call);
  r.addAccess(store, &call);
  aliasOf(env, binding, cast<MemTransferInst>(call));
}

} // namespace memlift
