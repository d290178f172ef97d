// calls.cpp - calls of routines with exact attributes, and inline words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call states everything that the optimiser knew of the loop: it touches the memory of its
// arguments only, returns, does not unwind, captures no pointer. So a fill of memory that is freed
// next is still deleted, and loads move across it.
#include "write/write.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace llvm;

namespace memlift {
namespace {

bool isFill(Routine r) {
  return r == Routine::Fill8 || r == Routine::Fill16 || r == Routine::Fill32 ||
         r == Routine::Fill64 || r == Routine::Fill64A8 || r == Routine::Fill64A64 ||
         r == Routine::FillPattern || r == Routine::FillPattern16 || r == Routine::Fill2d;
}

/// Returns the parameter that points to the copied memory; 0 if there is none.
unsigned copiedParam(Routine r) {
  switch (r) {
  case Routine::Copy:
  case Routine::CopyA8:
  case Routine::CopyA64:
  case Routine::Move:
  case Routine::CopyForward:
  case Routine::CopySwap16:
  case Routine::CopySwap32:
  case Routine::CopySwap64:
  case Routine::Memcpy:
  case Routine::Memmove: return 1;
  case Routine::Copy2d:
  case Routine::Move2d: return 2;
  default: return 0;
  }
}

/// Returns whether it is a copy by one of the runtime's own routines.
bool isCopy(Routine r) { return copiedParam(r) && !returnsPointer(r); }

constexpr Routine own[] = {
    Routine::Fill8,       Routine::Fill16,        Routine::Fill32,        Routine::Fill64,
    Routine::FillPattern, Routine::FillPattern16, Routine::Fill2d,        Routine::Copy2d,
    Routine::Move2d,      Routine::CopySwap16,    Routine::CopySwap32,    Routine::CopySwap64,
    Routine::Copy,        Routine::CopyA8,        Routine::Fill64A8,      Routine::CopyForward,
    Routine::CopyA64,     Routine::Fill64A64,     Routine::Move,          Routine::SumU8,
    Routine::SumS8,       Routine::SumU16,        Routine::SumS16,        Routine::SumU32,
    Routine::SumS32,      Routine::SumU64,        Routine::SumSwapU16,    Routine::SumSwapS16,
    Routine::SumSwapU32,  Routine::SumSwapS32,    Routine::SumSwapU64,    Routine::WsumU8,
    Routine::WsumU16,     Routine::WsumU32,       Routine::WsumS8,        Routine::WsumU64,
    Routine::XorU8,       Routine::XorU16,        Routine::XorU32,        Routine::XorU64,
    Routine::PolyhashU8,  Routine::PolyhashS8,    Routine::PolyhashU16,   Routine::PolyhashU32,
    Routine::PolyhashU64, Routine::InetSum,       Routine::OnesSumU32,    Routine::OnesSumU64,
    Routine::CopyInetSum, Routine::CopySumU16,    Routine::ModsumU8,      Routine::ModsumU16,
    Routine::ModsumU32,   Routine::ModsumSwapU16, Routine::ModsumSwapU32, Routine::Crc,
    Routine::CrcAny};

bool sumsAndCopies(Routine r) { return r == Routine::CopyInetSum || r == Routine::CopySumU16; }

/// Returns the parameter that points to the memory of a sum or checksum.
unsigned sourceParam(Routine r) {
  bool second = r == Routine::Crc || r == Routine::CrcAny || sumsAndCopies(r);
  return second ? 1 : 0;
}

FunctionType *typeOf(const Module &m, Routine r) {
  LLVMContext &c = m.getContext();
  Type *pointer = PointerType::get(c, 0), *word = m.getDataLayout().getIntPtrType(c);
  Type *none = Type::getVoidTy(c), *i64 = Type::getInt64Ty(c);
  Type *i32 = Type::getInt32Ty(c);
  auto fill = [&](unsigned bits) {
    return FunctionType::get(none, {pointer, Type::getIntNTy(c, bits), word}, false);
  };
  switch (r) {
  case Routine::Fill8: return fill(8);
  case Routine::Fill16: return fill(16);
  case Routine::Fill32: return fill(32);
  case Routine::Fill64:
  case Routine::Fill64A8:
  case Routine::Fill64A64: return fill(64);
  case Routine::FillPattern: return FunctionType::get(none, {pointer, i64, word, word}, false);
  case Routine::FillPattern16:
    return FunctionType::get(none, {pointer, i64, i64, word, word}, false);
  case Routine::Fill2d:
    return FunctionType::get(none, {pointer, word, i64, word, word, word}, false);
  case Routine::Copy2d:
  case Routine::Move2d:
    return FunctionType::get(none, {pointer, word, pointer, word, word, word}, false);
  case Routine::CopyForward: return FunctionType::get(none, {pointer, pointer, word, word}, false);
  case Routine::Copy:
  case Routine::CopyA8:
  case Routine::CopyA64:
  case Routine::Move:
  case Routine::CopySwap16:
  case Routine::CopySwap32:
  case Routine::CopySwap64: return FunctionType::get(none, {pointer, pointer, word}, false);
  case Routine::PolyhashU8:
  case Routine::PolyhashS8:
  case Routine::PolyhashU16:
  case Routine::PolyhashU32:
  case Routine::PolyhashU64: return FunctionType::get(i64, {pointer, word, i64, i64}, false);
  case Routine::CopyInetSum: return FunctionType::get(i32, {pointer, pointer, word, i32}, false);
  case Routine::CopySumU16: return FunctionType::get(i64, {pointer, pointer, word}, false);
  case Routine::ModsumU8:
  case Routine::ModsumU16:
  case Routine::ModsumU32:
  case Routine::ModsumSwapU16:
  case Routine::ModsumSwapU32: return FunctionType::get(i64, {pointer, word, i64, i64, i32}, false);
  case Routine::Crc: return FunctionType::get(i64, {i64, pointer, word, pointer}, false);
  case Routine::CrcAny: return FunctionType::get(i64, {i64, pointer, word, i64, i32, i32}, false);
  case Routine::InetSum:
  case Routine::OnesSumU32: return FunctionType::get(i32, {pointer, word, i32}, false);
  case Routine::OnesSumU64: return FunctionType::get(i64, {pointer, word, i64}, false);
  default: return FunctionType::get(i64, {pointer, word}, false);
  }
}

/// Extends a narrow unsigned argument as C does on this target.
void extendArgument(CallBase &call, Function *f, unsigned param, unsigned bits) {
  Attribute::AttrKind kind = Attribute::None;
  if (bits == 8 || bits == 16)
    kind = Attribute::ZExt;
  else if (bits == 32)
    kind = TargetLibraryInfo::getExtAttrForI32Param(compat::tripleOf(*call.getModule()),
                                                    /*Signed=*/false);
  if (kind == Attribute::None)
    return;
  call.addParamAttr(param, kind);
  if (f && f->isDeclaration())
    f->addParamAttr(param, kind);
}

/// Declares a routine. The user's own function keeps its type: it may return a value that is
/// ignored.
FunctionCallee declare(Module &m, Routine r, StringRef symbol) {
  GlobalValue *old = m.getNamedValue(symbol);
  if (old && symbol != symbolOf(r))
    return {cast<FunctionType>(old->getValueType()), old};
  FunctionCallee callee = m.getOrInsertFunction(symbol, typeOf(m, r));
  if (!old)
    markRegisterParameterAttributes(cast<Function>(callee.getCallee())); // -mregparm
  return callee;
}

/// Adds the call's attributes. The user's own routine is only said to return: it may count its
/// calls, or drive a device.
void describeEffects(CallBase &call, Routine r, bool mapped) {
  ModRefInfo effect = isFill(r)                       ? ModRefInfo::Mod
                      : isCopy(r) || sumsAndCopies(r) ? ModRefInfo::ModRef
                                                      : ModRefInfo::Ref;
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn})
    call.addFnAttr(kind);
  if (!mapped) {
    call.setMemoryEffects(MemoryEffects::argMemOnly(effect));
    for (Attribute::AttrKind kind : {Attribute::NoFree, Attribute::NoCallback, Attribute::NoSync})
      call.addFnAttr(kind);
  }
  for (unsigned param = 0; param < call.arg_size(); ++param) {
    if (!call.getArgOperand(param)->getType()->isPointerTy())
      continue;
    bool written = param == 0 && effect != ModRefInfo::Ref;
    call.addParamAttr(param, written ? Attribute::WriteOnly : Attribute::ReadOnly);
    compat::setNoCapture(call, param);
  }
}

/// Returns whether the operation surely runs on at least one byte: only then do the accesses prove
/// anything about the pointers.
bool surelyTouches(const LoopBinding &binding) {
  const Loop &loop = binding.loop;
  for (const Dim &d : loop.dims)
    if (!d.nonzero)
      return false;
  for (const Access &a : loop.accesses)
    if (!loop.exprs.isConst(a.bytes) || loop.exprs.isConst(a.bytes, 0))
      return false;
  return !loop.accesses.empty();
}

void describePointer(CallBase &call, unsigned param, const LoopBinding &binding, uint64_t align,
                     ExprId bytes) {
  LLVMContext &c = call.getContext();
  bool touches = surelyTouches(binding);
  // Attributes of mem*'s own arguments hold for any size.
  if (align > 1 && (touches || binding.loop.origin == Origin::Call))
    call.addParamAttr(param, Attribute::getWithAlignment(c, Align(align)));
  if (touches && binding.loop.exprs.isConst(bytes) && binding.loop.exprs[bytes].value)
    call.addParamAttr(param,
                      Attribute::getWithDereferenceableBytes(c, binding.loop.exprs[bytes].value));
}

CallInst *callOwn(IRBuilder<> &builder, Routine r, const std::string &symbol,
                  ArrayRef<Value *> args) {
  FunctionCallee callee = declare(*builder.GetInsertBlock()->getModule(), r, symbol);
  auto *f = dyn_cast<Function>(callee.getCallee());
  CallInst *call = builder.CreateCall(callee, args);
  if (f)
    call->setCallingConv(f->getCallingConv());
  for (unsigned i = 0; i < args.size(); ++i)
    if (args[i]->getType()->isIntegerTy())
      extendArgument(*call, f, i, args[i]->getType()->getIntegerBitWidth());
  describeEffects(*call, r, symbol != symbolOf(r));
  return call;
}

void emitOwn(LoopBinding &binding, IRBuilder<> &builder, ArrayRef<Value *> args, const Match &match,
             const Decision &decision) {
  Routine r = decision.routine;
  CallInst *call = callOwn(builder, r, calleeOf(decision), args);
  describePointer(*call, 0, binding, match.dstAlign, match.bytes);
  if (!isCopy(r))
    return;
  bool copies = r == Routine::Copy || r == Routine::CopyA8 || r == Routine::CopyA64;
  bool guarded = decision.guard != NoExpr && (copies || r == Routine::Move);
  if (guarded || r == Routine::CopyForward)
    call->addFnAttr(Attribute::get(call->getContext(), GuardedAttribute));
  describePointer(*call, copiedParam(r), binding, match.srcAlign, match.bytes);
  // memcpy's own contract allows dst == src; a proof of disjointness does not.
  bool apart = copies || r == Routine::Copy2d;
  if (apart && binding.loop.origin == Origin::Loop)
    for (unsigned param : {0u, copiedParam(r)})
      call->addParamAttr(param, Attribute::NoAlias);
}

MaybeAlign knownAlign(const LoopBinding &binding, uint64_t align) {
  return surelyTouches(binding) ? MaybeAlign(Align(align)) : MaybeAlign();
}

void emitLibc(LoopBinding &binding, IRBuilder<> &builder, ArrayRef<Value *> args,
              const Match &match, const Decision &decision) {
  MaybeAlign dst = knownAlign(binding, match.dstAlign);
  MaybeAlign src = knownAlign(binding, match.srcAlign);
  switch (decision.routine) {
  case Routine::Memset:
    builder.CreateMemSet(args[0], builder.CreateTrunc(args[1], builder.getInt8Ty()), args[2], dst);
    return;
  case Routine::Memcpy: builder.CreateMemCpy(args[0], dst, args[1], src, args[2]); return;
  case Routine::Memmove: builder.CreateMemMove(args[0], dst, args[1], src, args[2]); return;
  default: report_fatal_error("memlift: a decision without a routine");
  }
}

} // namespace

bool canDeclareRoutines(const Module &m) {
  for (Routine r : own) {
    const GlobalValue *old = m.getNamedValue(symbolOf(r));
    if (!old)
      continue;
    const auto *f = dyn_cast<Function>(old);
    if (!f || f->hasLocalLinkage() || f->getFunctionType() != typeOf(m, r))
      return false;
  }
  return true;
}

void emitOperation(Env &env, LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
                   const Match &match, const Decision &decision) {
  for (size_t i = 0; i < decision.parts.size(); ++i)
    emitOperation(env, binding, make, builder, match.parts[i], decision.parts[i]);
  if (!decision.parts.empty())
    return;
  if (decision.kind == DecisionKind::Inlined || decision.routine == Routine::None)
    return emitWords(env, binding, make, builder, match, decision);
  std::vector<Value *> args;
  for (size_t i = 0; i < decision.args.size(); ++i) {
    bool isDst = i == 0, isSrc = i && i == copiedParam(decision.routine);
    args.push_back(isDst   ? make.pointer(decision.args[i], match.dstBase)
                   : isSrc ? make.pointer(decision.args[i], match.srcBase)
                           : make.integer(decision.args[i]));
  }
  if (isFill(decision.routine) || isCopy(decision.routine))
    emitOwn(binding, builder, args, match, decision);
  else
    emitLibc(binding, builder, args, match, decision);
}

void useCopy(CallBase &call) {
  const char *move = symbolOf(Routine::Move), *copy = symbolOf(Routine::Copy);
  for (unsigned param : {0, 1})
    call.addParamAttr(param, Attribute::NoAlias);
  Function *f = call.getCalledFunction();
  if (f && f->getName() == move)
    call.setCalledFunction(declare(*f->getParent(), Routine::Copy, copy));
}

void useCopyForSteps(CallBase &call) {
  IRBuilder<> builder(&call);
  CallInst *copy = callOwn(builder, Routine::Copy, symbolOf(Routine::Copy),
                           {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(3)});
  for (unsigned param : {0, 1}) {
    AttrBuilder known(call.getContext(), call.getAttributes().getParamAttrs(param));
    copy->setAttributes(copy->getAttributes().addParamAttributes(call.getContext(), param, known));
    copy->addParamAttr(param, Attribute::NoAlias);
  }
  call.eraseFromParent();
}

bool canWrite(const LoopBinding &binding, const Decision &decision) {
  const Loop &loop = binding.loop;
  if (decision.calls.empty())
    return true;
  std::vector<bool> known;
  for (const LiveOut &out : loop.liveOuts)
    known.push_back(out.rebuilt);
  for (const LiveOutResult &r : decision.results) {
    if (r.index >= known.size() ||
        loop.exprs.width(r.value) !=
            binding.liveOuts[r.index].phi->getType()->getPrimitiveSizeInBits())
      return false;
    known[r.index] = true;
  }
  for (const ReturningCall &c : decision.calls)
    if (!is_contained(own, c.routine) || isFill(c.routine) || isCopy(c.routine))
      return false;
  return !is_contained(known, false);
}

void emitReturningCalls(LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
                        const Match &match, const Decision &decision) {
  for (const ReturningCall &c : decision.calls) {
    if (c.inPlace != NoExpr) {
      make.addResult(make.integer(c.inPlace));
      continue;
    }
    std::vector<Value *> args;
    bool copies = sumsAndCopies(c.routine);
    for (size_t i = 0; i < c.args.size(); ++i)
      args.push_back(i == sourceParam(c.routine) ? make.pointer(c.args[i], match.srcBase)
                     : copies && i == 0          ? make.pointer(c.args[i], match.dstBase)
                                                 : make.integer(c.args[i]));
    if (c.routine == Routine::Crc)
      args.push_back(crcTable(*binding.at->getModule(), c.crc));
    CallInst *call = callOwn(builder, c.routine, calleeOf(c), args);
    // Nothing is known of a part of the region.
    unsigned source = sourceParam(c.routine);
    if (c.args[source] == match.src)
      describePointer(*call, source, binding, match.srcAlign,
                      c.args[source + 1] == match.bytes ? match.bytes : NoExpr);
    if (copies)
      describePointer(*call, 0, binding, match.dstAlign, match.bytes);
    make.addResult(call);
  }
}

} // namespace memlift
