// materialise.cpp - expressions of a loop model as instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No instruction made here can trap or be poison: plain modular arithmetic
// without nsw or nuw, on frozen leaves.
#include "write/blocks.h"
#include "write/write.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace memlift {

Materialiser::Materialiser(Env &env, LoopBinding &binding)
    : builder(binding.at), env(env), binding(binding),
      expander(compat::expanderOf<SCEVExpander>(env.se, env.dl)) {
  DebugLoc loc = binding.loc;
  // A call in a function with debug information needs some location.
  if (!loc)
    if (DISubprogram *sub = env.f.getSubprogram())
      loc = DILocation::get(env.f.getContext(), 0, 0, sub);
  builder.SetCurrentDebugLocation(loc);
}

Value *Materialiser::frozen(Value *v) {
  if (isGuaranteedNotToBeUndefOrPoison(v, &env.ac, binding.at, &env.dt))
    return v;
  return builder.CreateFreeze(v);
}

Value *Materialiser::symbol(uint64_t index) {
  const SymbolSource &source = binding.syms[index];
  Value *v = source.value;
  unsigned bits = binding.loop.syms[index].width;
  Type *type = IntegerType::get(env.f.getContext(), bits);
  if (!v)
    return frozen(expander.expandCodeFor(source.scev, type, binding.at));
  v = frozen(v);
  if (v->getType()->isPointerTy())
    return builder.CreatePtrToInt(v, type);
  return v->getType() == type ? v : builder.CreateBitCast(v, type);
}

/// Repeats a value by doubling: v | v << n | ...
Value *Materialiser::splat(const Expr &e) {
  unsigned from = binding.loop.exprs.width(e.a);
  Type *type = IntegerType::get(env.f.getContext(), e.width);
  Value *v = builder.CreateZExtOrTrunc(integer(e.a), type);
  for (unsigned at = from; at < e.width; at *= 2)
    v = builder.CreateOr(v, builder.CreateShl(v, at));
  return v;
}

/// Loads through the pointer that the address is an offset from, if there is one.
Value *Materialiser::memory(const Expr &e) {
  ExprGraph &graph = binding.loop.exprs;
  Type *type = IntegerType::get(env.f.getContext(), e.width);
  Value *at = nullptr;
  for (const auto &[atoms, factor] : graph.poly(e.a))
    if (atoms.size() == 1 && factor == 1 && graph[atoms[0]].op == Op::BaseAddr && !at)
      at = pointer(e.a, uint32_t(graph[atoms[0]].value));
  if (!at)
    at = builder.CreateIntToPtr(integer(e.a), builder.getPtrTy());
  Value *loaded = builder.CreateAlignedLoad(type, at, Align(std::max<uint64_t>(e.value, 1)));
  return builder.CreateFreeze(loaded);
}

Value *Materialiser::node(ExprId id) {
  Expr e = binding.loop.exprs[id]; // a copy: the graph may grow
  Type *type = IntegerType::get(env.f.getContext(), e.width);
  auto a = [&] { return integer(e.a); };
  auto b = [&] { return integer(e.b); };
  switch (e.op) {
  case Op::Const: return ConstantInt::get(type, e.value);
  case Op::Sym: return symbol(e.value);
  case Op::BaseAddr: return frozen(builder.CreatePtrToInt(binding.bases[e.value], type));
  case Op::Splat: return splat(e);
  case Op::Add: return builder.CreateAdd(a(), b());
  case Op::Sub: return builder.CreateSub(a(), b());
  case Op::Mul: return builder.CreateMul(a(), b());
  case Op::URem: return builder.CreateURem(a(), b());
  case Op::SRem: return builder.CreateSRem(a(), b());
  case Op::And: return builder.CreateAnd(a(), b());
  case Op::Or: return builder.CreateOr(a(), b());
  case Op::Xor: return builder.CreateXor(a(), b());
  case Op::Shl: return builder.CreateShl(a(), b());
  case Op::LShr: return builder.CreateLShr(a(), b());
  case Op::AShr: return builder.CreateAShr(a(), b());
  case Op::ZExt: return builder.CreateZExt(a(), type);
  case Op::SExt: return builder.CreateSExt(a(), type);
  case Op::Trunc:
    if (Value *part = half(id))
      return part;
    return builder.CreateTrunc(a(), type);
  case Op::BSwap: return byteSwapped(a());
  case Op::Eq: return builder.CreateICmpEQ(a(), b());
  case Op::Ne: return builder.CreateICmpNE(a(), b());
  case Op::ULt: return builder.CreateICmpULT(a(), b());
  case Op::ULe: return builder.CreateICmpULE(a(), b());
  case Op::Select: return builder.CreateSelect(a(), b(), integer(e.c));
  case Op::Result: {
    Value *v = e.value < FinalResult ? results[e.value] : finals[e.value - FinalResult];
    return v->getType()->isPointerTy() ? builder.CreatePtrToInt(v, type) : v;
  }
  case Op::Memory: return memory(e);
  case Op::Iv: return inside.iv;
  case Op::Load: return inside.loads[e.value];
  case Op::Rec: return inside.scalars[e.value];
  case Op::Table: return lookUp(e);
  case Op::Pair: return pair(a(), b());
  case Op::ClMul: return product(e);
  case Op::Crc32:
  case Op::Crc32c: return crcStep(e);
  case Op::ClearsBlocks: return clearsBlocks(builder, e.value);
  case Op::Opaque: break;
  }
  report_fatal_error("memlift: an argument that varies in the loop");
}

Value *Materialiser::lookUp(const Expr &e) {
  const Table &table = (*inside.tables)[e.value];
  Constant *array = entryTable(*binding.at->getModule(), table);
  Type *entry = builder.getIntNTy(table.entryBits);
  return builder.CreateLoad(entry, builder.CreateGEP(entry, array, integer(e.a)));
}

void Materialiser::prepare(ExprId id) {
  if (id == NoExpr)
    return;
  Expr e = binding.loop.exprs[id];
  if (binding.loop.exprs.isInvariant(id)) {
    integer(id);
    return;
  }
  for (ExprId operand : {e.a, e.b, e.c})
    prepare(operand);
}

void Materialiser::beginLoop(Inside of) {
  outside = done;
  inside = std::move(of);
}

void Materialiser::endLoop(const std::vector<Value *> &values) {
  done = std::move(outside);
  inside = Inside();
  finals.insert(finals.end(), values.begin(), values.end());
}

Value *Materialiser::integer(ExprId id) {
  auto old = done.find(id);
  if (old != done.end())
    return old->second;
  IRBuilder<>::InsertPointGuard back(builder);
  DebugLoc loc = builder.getCurrentDebugLocation();
  if (!inside.iv)
    builder.SetInsertPoint(late && binding.loop.exprs.isLate(id) ? late : binding.at);
  builder.SetCurrentDebugLocation(loc);
  Value *v = node(id);
  done[id] = v;
  return v;
}

Value *Materialiser::pointer(ExprId id, uint32_t base, uint64_t offset) {
  ExprGraph &graph = binding.loop.exprs;
  unsigned bits = binding.loop.ptrBits;
  const Expr &result = graph[id];
  if (result.op == Op::Result && result.value >= FinalResult && !offset)
    if (Value *v = finals[result.value - FinalResult]; v->getType()->isPointerTy())
      return v;
  if (binding.throughIntegers[base])
    return builder.CreateIntToPtr(integer(graph.add(id, graph.constant(offset, bits))),
                                  binding.bases[base]->getType());
  ExprId address = graph.leaf(Op::BaseAddr, base, bits);
  ExprId rest = graph.add(graph.sub(id, address), graph.constant(offset, bits));
  Poly sum = graph.poly(rest);
  Value *bytes = integer(graph.fromPoly(sum, bits));
  if (isa<ConstantInt>(bytes) && cast<ConstantInt>(bytes)->isZero())
    return binding.bases[base];
  return builder.CreateGEP(builder.getInt8Ty(), binding.bases[base], bytes);
}

Value *Materialiser::final(const LiveOutSource &out) {
  if (out.known != NoExpr)
    return integer(out.known);
  Value *v = expander.expandCodeFor(out.value, out.value->getType(), binding.at);
  Type *type = out.phi->getType();
  return v->getType() == type ? v : builder.CreateIntToPtr(v, type);
}

} // namespace memlift
