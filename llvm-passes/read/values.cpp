// values.cpp - a loop's stored values as expressions over its loads and invariants
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are bits: a float, a pointer or a short vector is the integer that is in memory after
// storing it.
#include "read/binding.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {

/// Returns the shortest run of bytes that `word` repeats, as an expression.
static ExprId repeated(ExprGraph &graph, uint64_t word, unsigned bits) {
  unsigned period = 64;
  while (period > 8) {
    unsigned half = period / 2;
    if ((word & maskOf(half)) != (word >> half & maskOf(half)))
      break;
    period = half;
  }
  return graph.splat(graph.constant(word, period), bits);
}

/// Returns a constant of any type, read back from memory as integers.
ExprId Reader::wholeConstant(Constant *c, unsigned bits) {
  if (auto *n = dyn_cast<ConstantInt>(c); n && bits == 128)
    return n->getValue().getActiveBits() <= 64
               ? graph.constant(n->getValue().trunc(64).getZExtValue(), bits)
               : NoExpr;
  if (isa<UndefValue>(c) || c->isNullValue())
    return bits <= 64 ? graph.constant(0, bits) : graph.splat(graph.constant(0, 8), bits);
  LLVMContext &ctx = c->getContext();
  if (bits <= 64) {
    Constant *word = ConstantFoldLoadFromConst(c, Type::getIntNTy(ctx, bits), env.dl);
    const auto *n = dyn_cast_or_null<ConstantInt>(word);
    return n ? graph.constant(n->getZExtValue(), bits) : NoExpr;
  }
  if (bits % 64)
    return NoExpr;
  uint64_t first = 0;
  for (unsigned at = 0; at < bits; at += 64) {
    APInt offset(env.dl.getIndexSizeInBits(0), at / 8);
    Constant *word = ConstantFoldLoadFromConst(c, Type::getInt64Ty(ctx), offset, env.dl);
    const auto *n = dyn_cast_or_null<ConstantInt>(word);
    if (!n || (at && n->getZExtValue() != first))
      return NoExpr;
    first = n->getZExtValue();
  }
  return repeated(graph, first, bits);
}

/// Returns whether a value is a select of two constants, or an operation on such a select and a
/// third constant, so that both cases can be evaluated.
static bool isChoice(const Value *v, unsigned operations) {
  if (auto *choice = dyn_cast<SelectInst>(v))
    return isa<ConstantInt>(choice->getTrueValue()) && isa<ConstantInt>(choice->getFalseValue());
  auto *op = dyn_cast<BinaryOperator>(v);
  return op && operations && (op->isBitwiseLogicOp() || op->isShift()) &&
         isa<ConstantInt>(op->getOperand(1)) && isChoice(op->getOperand(0), operations - 1);
}

ExprId Reader::invariantValue(Value *v, unsigned bits) {
  if (auto *c = dyn_cast<Constant>(v)) {
    ExprId r = wholeConstant(c, bits);
    if (r != NoExpr)
      return r;
  }
  Type *type = v->getType();
  if (type->isVectorTy())
    if (auto *element = const_cast<Value *>(getSplatValue(v)))
      if (!inNest(element) && env.dl.typeSizeEqualsStoreSize(element->getType()))
        return graph.splat(value(element), bits);
  if (type->isPointerTy() && type->getPointerAddressSpace() != 0)
    return graph.opaque(bits);
  if (type->isIntegerTy() && bits <= 64 && isChoice(v, 2) && !inChain(v))
    return bodyValue(cast<Instruction>(v), bits);
  if (type->isAggregateType())
    return graph.opaque(bits);
  return symbolOf(v);
}

/// Deeper expressions are opaque.
constexpr unsigned maxDepth = 256;

/// Operands have smaller numbers than the expressions made of them.
uint64_t Reader::treeSize(ExprId id) {
  for (ExprId n = ExprId(treeSizes.size()); n <= id; ++n) {
    uint64_t sum = 1;
    for (ExprId operand : {graph[n].a, graph[n].b, graph[n].c})
      if (operand != NoExpr)
        sum = std::min(sum + treeSizes[operand], uint64_t(1) << 32);
    treeSizes.push_back(sum);
  }
  return treeSizes[id];
}

static bool opOf(unsigned opcode, Op &op) {
  switch (opcode) {
  case Instruction::Add: op = Op::Add; return true;
  case Instruction::Sub: op = Op::Sub; return true;
  case Instruction::Mul: op = Op::Mul; return true;
  case Instruction::URem: op = Op::URem; return true;
  case Instruction::SRem: op = Op::SRem; return true;
  case Instruction::And: op = Op::And; return true;
  case Instruction::Or: op = Op::Or; return true;
  case Instruction::Xor: op = Op::Xor; return true;
  case Instruction::Shl: op = Op::Shl; return true;
  case Instruction::LShr: op = Op::LShr; return true;
  case Instruction::AShr: op = Op::AShr; return true;
  case Instruction::ZExt: op = Op::ZExt; return true;
  case Instruction::SExt: op = Op::SExt; return true;
  case Instruction::Trunc: op = Op::Trunc; return true;
  default: return false;
  }
}

/// Translates a binary operation. A shift by too much is poison in IR, zero or sign in an
/// expression: only amounts that are surely in range are described.
ExprId Reader::binaryValue(Instruction *i, Op op) {
  ExprId a = value(i->getOperand(0)), b = value(i->getOperand(1));
  bool shift = op == Op::Shl || op == Op::LShr || op == Op::AShr;
  if (shift && env.se.getUnsignedRangeMax(env.se.getSCEV(i->getOperand(1))).uge(graph.width(b)))
    return graph.opaque(graph.width(a));
  bool remainder = op == Op::URem || op == Op::SRem;
  if (graph.width(a) > 64 && (remainder || op == Op::Mul || op == Op::AShr))
    return graph.opaque(graph.width(a));
  if (remainder && !graph.isDivisor(op, b))
    return graph.opaque(graph.width(a));
  return graph.binary(op, a, b);
}

/// Translates a division by a constant.
ExprId Reader::quotient(Value *x, Value *by, unsigned bits) {
  auto *divisor = dyn_cast<ConstantInt>(by);
  if (!divisor || divisor->isZero() || bits > 64)
    return graph.opaque(bits);
  return graph.quotient(value(x), divisor->getZExtValue());
}

ExprId Reader::compareValue(Instruction *i) {
  auto *cmp = cast<ICmpInst>(i);
  return compared(cmp->getPredicate(), value(cmp->getOperand(0)), value(cmp->getOperand(1)));
}

ExprId Reader::compared(CmpInst::Predicate how, ExprId a, ExprId b) {
  unsigned bits = graph.width(a);
  if (bits > 64 && (bits != 128 || CmpInst::isSigned(how)))
    return graph.opaque(1);
  if (CmpInst::isSigned(how)) { // x <s y is x ^ sign <u y ^ sign
    ExprId sign = graph.constant(uint64_t(1) << (bits - 1), bits);
    a = graph.binary(Op::Xor, a, sign);
    b = graph.binary(Op::Xor, b, sign);
  }
  switch (how) {
  case CmpInst::ICMP_EQ: return graph.binary(Op::Eq, a, b);
  case CmpInst::ICMP_NE: return graph.binary(Op::Ne, a, b);
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT: return graph.binary(Op::ULt, a, b);
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE: return graph.binary(Op::ULe, a, b);
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT: return graph.binary(Op::ULt, b, a);
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE: return graph.binary(Op::ULe, b, a);
  default: return graph.opaque(1);
  }
}

/// Translates a rotation or funnel shift by a constant: a part of both operands.
ExprId Reader::funnelShift(IntrinsicInst *call, unsigned bits) {
  ExprId high = value(call->getArgOperand(0));
  ExprId low = value(call->getArgOperand(1));
  auto *amount = dyn_cast<ConstantInt>(call->getArgOperand(2));
  if (!amount)
    return graph.opaque(bits);
  unsigned by = unsigned(amount->getValue().urem(bits));
  bool left = call->getIntrinsicID() == Intrinsic::fshl;
  if (by == 0)
    return left ? high : low;
  unsigned up = left ? by : bits - by;
  return graph.binary(Op::Or, graph.binary(Op::Shl, high, graph.constant(up, bits)),
                      graph.binary(Op::LShr, low, graph.constant(bits - up, bits)));
}

/// Reverses the bits: swaps ever larger neighbours.
ExprId Reader::reversedBits(ExprId x, unsigned bits) {
  if (bits & (bits - 1) || bits > 64)
    return graph.opaque(bits);
  for (unsigned by = 1; by < bits; by *= 2) {
    uint64_t low = ~uint64_t(0) / ((uint64_t(1) << by) + 1); // by = 1: 0x5555...
    ExprId mask = graph.constant(low, bits), amount = graph.constant(by, bits);
    ExprId up = graph.binary(Op::Shl, graph.binary(Op::And, x, mask), amount);
    ExprId down = graph.binary(Op::And, graph.binary(Op::LShr, x, amount), mask);
    x = graph.binary(Op::Or, up, down);
  }
  return x;
}

ExprId Reader::extremum(MinMaxIntrinsic &call) {
  ExprId a = value(call.getLHS()), b = value(call.getRHS());
  unsigned bits = graph.width(a);
  if (bits > 64)
    return graph.opaque(bits);
  ExprId sign = graph.constant(call.isSigned() ? uint64_t(1) << (bits - 1) : 0, bits);
  ExprId x = graph.binary(Op::Xor, a, sign), y = graph.binary(Op::Xor, b, sign);
  bool least = call.getPredicate() == CmpInst::ICMP_ULT || call.getPredicate() == CmpInst::ICMP_SLT;
  return graph.select(least ? graph.binary(Op::ULt, x, y) : graph.binary(Op::ULt, y, x), a, b);
}

ExprId Reader::intrinsicValue(IntrinsicInst *call, unsigned bits) {
  switch (call->getIntrinsicID()) {
  case Intrinsic::bswap: return graph.cast(Op::BSwap, value(call->getArgOperand(0)), bits);
  case Intrinsic::bitreverse: return reversedBits(value(call->getArgOperand(0)), bits);
  case Intrinsic::fshl:
  case Intrinsic::fshr: return funnelShift(call, bits);
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax: return extremum(*cast<MinMaxIntrinsic>(call));
  default: return graph.opaque(bits);
  }
}

/// Returns whether it is x86's add with carry, by name: the target may not be built into LLVM.
static bool isAddWithCarry(const IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  return name == "llvm.x86.addcarry.64" || name == "llvm.x86.addcarry.32";
}

/// Translates {carry out, a + b + (carry in, if that is not 0)}.
ExprId Reader::carriedOn(IntrinsicInst &add, bool carry, unsigned bits) {
  ExprId in = value(add.getArgOperand(0)), a = value(add.getArgOperand(1));
  ExprId first = graph.add(a, value(add.getArgOperand(2)));
  in = graph.binary(Op::Ne, in, graph.constant(0, graph.width(in)));
  ExprId sum = graph.add(first, graph.zextOrTrunc(in, graph.width(a)));
  return carry ? graph.zextOrTrunc(graph.binary(Op::Or, graph.binary(Op::ULt, first, a),
                                                graph.binary(Op::ULt, sum, first)),
                                   bits)
               : sum;
}

/// Returns the sum or the carry of an addition with overflow.
ExprId Reader::extracted(ExtractValueInst *part, unsigned bits) {
  auto *add = dyn_cast<IntrinsicInst>(part->getAggregateOperand());
  if (add && part->getNumIndices() == 1 && isAddWithCarry(*add))
    return carriedOn(*add, part->getIndices()[0] == 0, bits);
  if (!add || add->getIntrinsicID() != Intrinsic::uadd_with_overflow || part->getNumIndices() != 1)
    return graph.opaque(bits);
  ExprId a = value(add->getArgOperand(0)), b = value(add->getArgOperand(1));
  ExprId sum = graph.add(a, b);
  return part->getIndices()[0] == 0 ? sum : graph.binary(Op::ULt, sum, a);
}

/// Returns the address of a pointer that moves by constant steps.
ExprId Reader::steppedPointer(Instruction *i, unsigned bits) {
  Access at;
  if (i->getType()->getPointerAddressSpace() || bits != ptrBits || stepped ||
      !env.se.isSCEVable(i->getType()))
    return graph.opaque(bits);
  address(i, at);
  if (!at.affine)
    return graph.opaque(bits);
  ExprId sum = graph.add(graph.leaf(Op::BaseAddr, at.base, ptrBits), at.offset);
  for (size_t k = 0; k < at.step.size(); ++k)
    sum = graph.add(sum, graph.mul(at.step[k], graph.leaf(Op::Iv, k, ptrBits)));
  return sum;
}

/// Translates an instruction of the loop's body, other than a load.
ExprId Reader::bodyValue(Instruction *i, unsigned bits) {
  if (isa<BitCastInst>(i) || isa<PtrToIntInst>(i) || isa<IntToPtrInst>(i)) {
    ExprId x = value(i->getOperand(0));
    return graph.width(x) == bits ? x : graph.opaque(bits);
  }
  if (i->getType()->isPointerTy())
    return steppedPointer(i, bits);
  if (!i->getType()->isIntegerTy() || (bits > 64 && bits != 128))
    return graph.opaque(bits);
  if (isa<ICmpInst>(i) && !i->getOperand(0)->getType()->isVectorTy() &&
      !i->getOperand(0)->getType()->isPointerTy())
    return compareValue(i);
  if (i->getOpcode() == Instruction::UDiv)
    return quotient(i->getOperand(0), i->getOperand(1), bits);
  Op op;
  if (opOf(i->getOpcode(), op)) {
    if (!isa<CastInst>(i))
      return binaryValue(i, op);
    ExprId x = value(i->getOperand(0));
    return i->getOperand(0)->getType()->isIntegerTy() && graph.width(x) <= 128
               ? graph.cast(op, x, bits)
               : graph.opaque(bits);
  }
  if (auto *call = dyn_cast<IntrinsicInst>(i))
    return intrinsicValue(call, bits);
  if (auto *part = dyn_cast<ExtractValueInst>(i))
    return extracted(part, bits);
  // Poison may be replaced by any fixed value.
  if (isa<FreezeInst>(i))
    return value(i->getOperand(0));
  if (auto *phi = dyn_cast<PHINode>(i))
    return phiValue(phi, bits);
  // In a small loop only: the other loads have been read with the body.
  if (auto *load = dyn_cast<LoadInst>(i); load && stepped) {
    ExprId entry = tableEntry(*load);
    return entry == NoExpr ? graph.opaque(bits) : entry;
  }
  if (auto *select = dyn_cast<SelectInst>(i))
    return graph.select(value(select->getCondition()), value(select->getTrueValue()),
                        value(select->getFalseValue()));
  return graph.opaque(bits);
}

ExprId Reader::value(Value *v) {
  auto old = valueIndex.find(v);
  if (old != valueIndex.end())
    return old->second;
  Type *type = v->getType();
  TypeSize size =
      type->isX86_FP80Ty() ? env.dl.getTypeAllocSizeInBits(type) : env.dl.getTypeSizeInBits(type);
  unsigned bits = size.isScalable() ? 8 : unsigned(size.getFixedValue());
  // Other phis may refer to themselves, and larger trees match no idiom.
  auto *i = dyn_cast<Instruction>(v);
  ExprId r = NoExpr;
  if (size.isScalable() || bits == 0 || bits > UINT16_MAX) {
    r = graph.opaque(8);
  } else if (i && loads.count(i)) {
    ExprId load = loads[i];
    r = graph.width(load) == bits ? load : graph.opaque(bits);
  } else if (!inNest(v)) {
    r = inChain(v) ? chainValue(v, bits) : frontValue(v, bits);
  } else if (llvm::Loop *small = smallLoopOf(i); small && small != stepped) {
    r = afterIterations(i, *small, bits);
  } else if (auto rec = recs.find(dyn_cast<PHINode>(i)); rec != recs.end()) {
    r = rec->second;
  } else if (depth < maxDepth) {
    ++depth;
    r = bodyValue(i, bits);
    --depth;
  } else {
    r = graph.opaque(bits);
  }
  return valueIndex[v] = r;
}

ExprId Reader::startValue(Value *v) {
  ExprId r = value(v);
  if (graph[r].op != Op::Sym || !env.se.isSCEVable(v->getType()))
    return r;
  unsigned bits = graph.width(r);
  unsigned used = env.se.getUnsignedRangeMax(env.se.getSCEV(v)).getActiveBits();
  if (used == 0 || used >= bits)
    return r;
  return graph.cast(Op::ZExt, graph.cast(Op::Trunc, r, used), bits);
}

} // namespace memlift
