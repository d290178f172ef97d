// clmul.cpp - pairs of words, carry-less products and CRC instructions as intrinsics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128 bits made of Op::Pair and Op::ClMul are a vector of two words where the products are of
// vectors (x86-64, AArch64). Where they are of registers (RV64), 128 bits are an integer.
#include "write/write.h"

#include "compat.h"
#include "targetfacts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsRISCV.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace memlift {

static Triple::ArchType archOf(const LoopBinding &binding) {
  return compat::tripleOf(*binding.at->getModule()).getArch();
}

Type *Materialiser::pairType() {
  if (archOf(binding) == Triple::riscv64)
    return builder.getInt128Ty();
  return FixedVectorType::get(builder.getInt64Ty(), 2);
}

Value *Materialiser::pair(Value *low, Value *high) {
  Type *type = pairType();
  if (type->isVectorTy()) {
    Value *v = builder.CreateInsertElement(PoisonValue::get(type), low, uint64_t(0));
    return builder.CreateInsertElement(v, high, uint64_t(1));
  }
  Value *upper = builder.CreateShl(builder.CreateZExt(high, type), 64);
  return builder.CreateOr(builder.CreateZExt(low, type), upper);
}

/// Returns the vector that `id` is a half of. `half` tells which one.
Value *Materialiser::vectorOf(ExprId id, unsigned &half) {
  ExprGraph &graph = binding.loop.exprs;
  Expr e = graph[id];
  if (e.op != Op::Trunc || graph.width(e.a) != 128)
    return nullptr;
  Expr whole = graph[e.a];
  half = whole.op == Op::LShr && graph.isConst(whole.b, 64);
  Value *v = integer(half ? whole.a : e.a);
  return v->getType()->isVectorTy() ? v : nullptr;
}

Value *Materialiser::half(ExprId id) {
  unsigned which;
  Value *v = vectorOf(id, which);
  return v ? builder.CreateExtractElement(v, which) : nullptr;
}

/// Returns a carry-less product. x86 names the halves of two vectors; a word that is not in one is
/// moved there.
Value *Materialiser::product86(const Expr &e) {
  unsigned halves[2] = {0, 0};
  Value *operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    ExprId id = i ? e.b : e.a;
    operands[i] = vectorOf(id, halves[i]);
    if (operands[i])
      continue;
    halves[i] = 0;
    operands[i] = pair(integer(id), builder.getInt64(0));
  }
  Value *which = builder.getInt8(uint8_t(halves[0] | halves[1] << 4));
  return builder.CreateIntrinsic(Intrinsic::x86_pclmulqdq, {}, {operands[0], operands[1], which});
}

Value *Materialiser::product(const Expr &e) {
  Triple::ArchType arch = archOf(binding);
  if (arch == Triple::x86_64)
    return product86(e);
  Value *a = integer(e.a), *b = integer(e.b);
  if (arch == Triple::aarch64)
    return builder.CreateBitCast(
        builder.CreateIntrinsic(Intrinsic::aarch64_neon_pmull64, {}, {a, b}), pairType());
  Type *word = builder.getInt64Ty();
  Value *low = builder.CreateIntrinsic(compat::carrylessLow, {word}, {a, b});
  Value *high = builder.CreateIntrinsic(Intrinsic::riscv_clmulh, {word}, {a, b});
  return pair(low, high);
}

/// Returns the bytes in reverse order, of a vector in one step if there is one.
Value *Materialiser::byteSwapped(Value *v) {
  auto swapped = [&](Value *word) { return builder.CreateUnaryIntrinsic(Intrinsic::bswap, word); };
  if (!v->getType()->isVectorTy())
    return swapped(v);
  if (!shufflesBytes(env.f))
    return pair(swapped(builder.CreateExtractElement(v, uint64_t(1))),
                swapped(builder.CreateExtractElement(v, uint64_t(0))));
  SmallVector<int, 16> places;
  for (int i = 15; i >= 0; --i)
    places.push_back(i);
  Value *bytes = builder.CreateBitCast(v, FixedVectorType::get(builder.getInt8Ty(), 16));
  return builder.CreateBitCast(builder.CreateShuffleVector(bytes, places), v->getType());
}

Value *Materialiser::crcStep(const Expr &e) {
  Value *state = integer(e.a), *data = integer(e.b);
  unsigned bytes = binding.loop.exprs.width(e.b) / 8, log = Log2_32(bytes);
  if (archOf(binding) == Triple::x86_64) {
    static const Intrinsic::ID steps[] = {
        Intrinsic::x86_sse42_crc32_32_8, Intrinsic::x86_sse42_crc32_32_16,
        Intrinsic::x86_sse42_crc32_32_32, Intrinsic::x86_sse42_crc32_64_64};
    if (bytes == 8)
      state = builder.CreateZExt(state, builder.getInt64Ty());
    Value *after = builder.CreateIntrinsic(steps[log], {}, {state, data});
    return builder.CreateTrunc(after, builder.getInt32Ty());
  }
  static const Intrinsic::ID steps[2][4] = {{Intrinsic::aarch64_crc32b, Intrinsic::aarch64_crc32h,
                                             Intrinsic::aarch64_crc32w, Intrinsic::aarch64_crc32x},
                                            {Intrinsic::aarch64_crc32cb, Intrinsic::aarch64_crc32ch,
                                             Intrinsic::aarch64_crc32cw,
                                             Intrinsic::aarch64_crc32cx}};
  if (bytes < 4)
    data = builder.CreateZExt(data, builder.getInt32Ty());
  return builder.CreateIntrinsic(steps[e.op == Op::Crc32c][log], {}, {state, data});
}

} // namespace memlift
