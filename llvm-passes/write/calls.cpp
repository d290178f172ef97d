// calls.cpp - calls of routines with exact attributes, and inline words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call states everything that the optimiser knew of the loop: it touches the memory of its
// arguments only, returns, does not unwind, captures no pointer. So a fill of memory that is freed
// next is still deleted, and loads move across it.
#include "../idioms/decide/reductions.h"
#include "write/write.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace llvm;

namespace memlift {
namespace {

Type *typeOf(const Module &m, ParamKind k) {
  LLVMContext &c = m.getContext();
  if (k <= ParamKind::Poly)
    return PointerType::get(c, 0);
  return bitsOf(k) ? Type::getIntNTy(c, bitsOf(k)) : m.getDataLayout().getIntPtrType(c);
}

FunctionType *typeOf(const Module &m, const Operation &o) {
  LLVMContext &c = m.getContext();
  SmallVector<Type *, mostParams> params;
  for (unsigned i = 0; i < o.paramCount; ++i)
    params.push_back(typeOf(m, o.params[i]));
  Type *result = o.resultBits ? Type::getIntNTy(c, o.resultBits) : Type::getVoidTy(c);
  return FunctionType::get(result, params, false);
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
  FunctionCallee callee = m.getOrInsertFunction(symbol, typeOf(m, operationOf(r)));
  if (!old)
    compat::passInRegisters(*cast<Function>(callee.getCallee())); // -mregparm
  return callee;
}

/// Adds the call's attributes. The user's own routine is only said to return: it may count its
/// calls, or drive a device.
void describeEffects(CallBase &call, Routine r, bool mapped) {
  const Operation &o = operationOf(r);
  ModRefInfo effect = o.isFill()                                  ? ModRefInfo::Mod
                      : o.copies() || o.has(ParamKind::Registers) ? ModRefInfo::ModRef
                                                                  : ModRefInfo::Ref;
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn})
    call.addFnAttr(kind);
  if (!mapped) {
    call.setMemoryEffects(MemoryEffects::argMemOnly(effect));
    for (Attribute::AttrKind kind : {Attribute::NoFree, Attribute::NoCallback, Attribute::NoSync})
      call.addFnAttr(kind);
  }
  for (unsigned param = 0; param < call.arg_size(); ++param) {
    if (!o.isPointer(param))
      continue;
    if (o.params[param] != ParamKind::Registers)
      call.addParamAttr(param, o.params[param] == ParamKind::Dst ? Attribute::WriteOnly
                                                                 : Attribute::ReadOnly);
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
  const Operation &o = operationOf(decision.routine);
  CallInst *call = callOwn(builder, o.routine, calleeOf(decision), args);
  describePointer(*call, 0, binding, match.dstAlign, match.bytes);
  if (o.isFill())
    return;
  unsigned src = o.find(ParamKind::Src);
  bool plain = (o.kind == OpKind::Copy || o.kind == OpKind::Move) && !o.inRows();
  if ((plain && decision.guard != NoExpr) || o.kind == OpKind::StepCopy)
    call->addFnAttr(Attribute::get(call->getContext(), GuardedAttribute));
  describePointer(*call, src, binding, match.srcAlign, match.bytes);
  // memcpy's own contract allows dst == src; a proof of disjointness does not.
  if (o.disjoint && binding.loop.origin == Origin::Loop)
    for (unsigned param : {0u, src})
      call->addParamAttr(param, Attribute::NoAlias);
}

/// Returns a pointer to a table, into the object of the base that its address is made of.
Value *tablePointer(ExprId address, const ExprGraph &g, Materialiser &make) {
  for (const auto &[monomial, factor] : g.poly(address))
    if (monomial.size() == 1 && factor == 1 && g[monomial[0]].op == Op::BaseAddr)
      return make.pointer(address, uint32_t(g[monomial[0]].value));
  report_fatal_error("memlift: a table without a base");
}

/// Returns the base of a region that is read; a comparison has two.
uint32_t sourceOf(const Match &match, size_t argument) {
  return match.search && argument ? match.search->otherBase : match.srcBase;
}

std::vector<Value *> argumentsOf(const Operation &o, const std::vector<ExprId> &args,
                                 const ExprGraph &g, Materialiser &make, const Match &match) {
  std::vector<Value *> values;
  for (size_t i = 0; i < args.size(); ++i)
    values.push_back(o.params[i] == ParamKind::Dst     ? make.pointer(args[i], match.dstBase)
                     : o.params[i] == ParamKind::Src   ? make.pointer(args[i], sourceOf(match, i))
                     : o.params[i] == ParamKind::Table ? tablePointer(args[i], g, make)
                                                       : make.integer(args[i]));
  return values;
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
  for (const Operation &o : LibraryOperations()) {
    const GlobalValue *old = m.getNamedValue(o.symbol);
    if (!old)
      continue;
    const auto *f = dyn_cast<Function>(old);
    if (!f || f->hasLocalLinkage() || f->getFunctionType() != typeOf(m, o))
      return false;
  }
  return true;
}

void emitOperation(Env &env, LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
                   const Match &match, const Decision &decision) {
  for (size_t i = 0; i < decision.sequence.size(); ++i)
    emitOperation(env, binding, make, builder, match.sequence()[i], decision.sequence[i]);
  if (!decision.sequence.empty())
    return;
  if (decision.kind == DecisionKind::Inlined || decision.routine == Routine::None)
    return emitWords(env, binding, make, builder, match, decision);
  const Operation &o = operationOf(decision.routine);
  std::vector<Value *> args = argumentsOf(o, decision.args, binding.loop.exprs, make, match);
  if (o.isLibc())
    emitLibc(binding, builder, args, match, decision);
  else
    emitOwn(binding, builder, args, match, decision);
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

void checkResults(const LoopBinding &binding, const Decision &decision) {
  if (decision.calls.empty())
    return;
  std::vector<bool> known;
  for (const LiveOut &out : binding.loop.liveOuts)
    known.push_back(out.rebuilt);
  for (const LiveOutResult &r : decision.results) {
    Type *type = binding.liveOuts[r.index].phi->getType();
    known[r.index] = binding.loop.exprs.width(r.value) == type->getPrimitiveSizeInBits();
  }
  if (is_contained(known, false))
    report_fatal_error("memlift: a decision without a value for a live-out");
}

/// Makes the one call that as many of Routine::CrcLanes stand for as it has registers. They are in
/// memory while it runs.
static void emitLanes(LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
                      const Match &match, const ReturningCall *first, size_t lanes) {
  Type *word = builder.getInt64Ty();
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> atEntry(&entry, entry.begin()); // an outer loop does not make it again
  Value *registers =
      atEntry.CreateAlloca(ArrayType::get(word, lanes), nullptr, "memlift.registers");
  auto place = [&](size_t lane) {
    return builder.CreateConstInBoundsGEP1_64(word, registers, lane);
  };
  for (size_t k = 0; k < lanes; ++k)
    builder.CreateStore(make.integer(first[k].args[0]), place(k));
  CallInst *call =
      callOwn(builder, first->routine, calleeOf(*first),
              {registers, make.pointer(first->args[1], match.srcBase), make.integer(first->args[2]),
               make.integer(first->args[3]), crcTable(*binding.at->getModule(), first->crc)});
  describePointer(*call, 1, binding, match.srcAlign, match.bytes);
  make.addResult(call);
  for (size_t k = 1; k < lanes; ++k)
    make.addResult(builder.CreateLoad(word, place(k)));
}

void emitReturningCalls(LoopBinding &binding, Materialiser &make, IRBuilder<> &builder,
                        const Match &match, const Decision &decision) {
  for (size_t at = 0; at < decision.calls.size(); ++at) {
    const ReturningCall &c = decision.calls[at];
    if (c.routine == Routine::CrcLanes) {
      const size_t lanes = lanesOf(c, binding.loop.exprs);
      emitLanes(binding, make, builder, match, &c, lanes);
      at += lanes - 1;
      continue;
    }
    if (c.inPlace != NoExpr) {
      make.addResult(make.integer(c.inPlace));
      continue;
    }
    const Operation &o = operationOf(c.routine);
    std::vector<Value *> args = argumentsOf(o, c.args, binding.loop.exprs, make, match);
    if (takesPolynomial(c.routine))
      args.push_back(crcTable(*binding.at->getModule(), c.crc));
    CallInst *call = callOwn(builder, c.routine, calleeOf(c), args);
    // Nothing is known of a part of the region.
    unsigned source = o.find(ParamKind::Src);
    if (c.args[source] == match.src && !match.search)
      describePointer(*call, source, binding, match.srcAlign,
                      c.args[source + 1] == match.bytes ? match.bytes : NoExpr);
    if (o.writes())
      describePointer(*call, 0, binding, match.dstAlign, match.bytes);
    make.addResult(call);
  }
}

} // namespace memlift
