// lowbits.cpp - the known lowest bits of IR values where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align/lowbits.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memlift {

LowBits::LowBits(Function &f, const DominatorTree &dt, const LoopInfo &li, AssumptionCache &ac,
                 Known known)
    : f(f), dl(f.getParent()->getDataLayout()), dt(dt), li(li), ac(ac), known(std::move(known)) {
  for (const BasicBlock *block : ReversePostOrderTraversal<Function *>(&f)) {
    numbers[block] = unsigned(blocks.size());
    blocks.push_back(block);
  }
}

unsigned LowBits::widthOf(const Type &type) const {
  if (type.isPointerTy())
    return dl.getPointerTypeSizeInBits(const_cast<Type *>(&type));
  return type.isIntegerTy() ? type.getIntegerBitWidth() : 0;
}

ExprId LowBits::value(Value &v) {
  auto old = exprs.find(&v);
  if (old != exprs.end())
    return old->second;
  unsigned width = widthOf(*v.getType());
  if (width == 0 || width > 64 ||
      (v.getType()->isPointerTy() && v.getType()->getPointerAddressSpace() != 0))
    return exprs[&v] = NoExpr;
  ExprId r = exprs.size() > AlignQuery::mostValues ? leaf(v, width) : made(v, width);
  return exprs[&v] = r == NoExpr ? leaf(v, width) : r;
}

/// Makes a leaf of a value without operands that can be followed, with its own alignment if that is
/// known.
ExprId LowBits::leaf(Value &v, unsigned width) {
  unsigned zeros = known ? known(v) : 0;
  if (v.getType()->isPointerTy())
    zeros = std::max(zeros, Log2(v.getPointerAlignment(dl)));
  // Facts that hold at the use alone are not used: the preceding loops are proved from this.
  if (auto *i = dyn_cast<Instruction>(&v))
    zeros = std::max(zeros, computeKnownBits(i, dl).countMinTrailingZeros());
  return q.leaf(width, zeros, {AlignFact::Kind::Value, &v});
}

ExprId LowBits::cast(Value &v, Value &from, unsigned width) {
  ExprId a = value(from);
  if (a == NoExpr)
    return NoExpr;
  if (isa<SExtInst>(v))
    return q.g.cast(Op::SExt, a, width);
  return q.g.zextOrTrunc(a, width);
}

ExprId LowBits::made(Value &v, unsigned width) {
  if (auto *c = dyn_cast<ConstantInt>(&v))
    return q.g.constant(c->getZExtValue(), width);
  if (isa<ConstantPointerNull>(v))
    return q.g.constant(0, width);
  if (auto *gep = dyn_cast<GEPOperator>(&v))
    return address(*gep, width);
  if (auto *o = dyn_cast<Operator>(&v))
    switch (o->getOpcode()) {
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::BitCast: return cast(v, *o->getOperand(0), width);
    default: break;
    }
  if (auto *i = dyn_cast<BinaryOperator>(&v))
    return binary(*i);
  if (auto *i = dyn_cast<ICmpInst>(&v))
    return compared(*i);
  if (auto *i = dyn_cast<SelectInst>(&v)) {
    ExprId c = value(*i->getCondition()), a = value(*i->getTrueValue());
    ExprId b = value(*i->getFalseValue());
    return c == NoExpr || a == NoExpr || b == NoExpr ? NoExpr : q.g.select(c, a, b);
  }
  if (auto *phi = dyn_cast<PHINode>(&v))
    return merged(*phi, width);
  if (auto *call = dyn_cast<IntrinsicInst>(&v))
    if (call->getIntrinsicID() == Intrinsic::ptrmask) {
      ExprId p = value(*call->getArgOperand(0)), m = value(*call->getArgOperand(1));
      return p == NoExpr || m == NoExpr || q.g.width(m) != width ? NoExpr
                                                                 : q.g.binary(Op::And, p, m);
    }
  return NoExpr;
}

ExprId LowBits::binary(BinaryOperator &i) {
  static const std::map<unsigned, Op> ops = {
      {Instruction::Add, Op::Add},  {Instruction::Sub, Op::Sub},   {Instruction::Mul, Op::Mul},
      {Instruction::And, Op::And},  {Instruction::Or, Op::Or},     {Instruction::Xor, Op::Xor},
      {Instruction::Shl, Op::Shl},  {Instruction::LShr, Op::LShr}, {Instruction::AShr, Op::AShr},
      {Instruction::URem, Op::URem}};
  auto op = ops.find(i.getOpcode());
  if (op == ops.end())
    return NoExpr;
  ExprId a = value(*i.getOperand(0)), b = value(*i.getOperand(1));
  if (a == NoExpr || b == NoExpr || (op->second == Op::URem && !q.g.isDivisor(op->second, b)))
    return NoExpr;
  bool shift = op->second == Op::Shl || op->second == Op::LShr || op->second == Op::AShr;
  if (shift && q.g.isConst(b) && q.g[b].value >= q.g.width(a))
    return NoExpr; // poison
  return q.g.binary(op->second, a, b);
}

ExprId LowBits::compared(ICmpInst &i) {
  ExprId a = value(*i.getOperand(0)), b = value(*i.getOperand(1));
  if (a == NoExpr || b == NoExpr)
    return NoExpr;
  switch (i.getPredicate()) {
  case CmpInst::ICMP_EQ: return q.g.binary(Op::Eq, a, b);
  case CmpInst::ICMP_NE: return q.g.binary(Op::Ne, a, b);
  case CmpInst::ICMP_ULT: return q.g.binary(Op::ULt, a, b);
  case CmpInst::ICMP_UGT: return q.g.binary(Op::ULt, b, a);
  default: return NoExpr;
  }
}

ExprId LowBits::address(GEPOperator &gep, unsigned width) {
  ExprId r = value(*gep.getPointerOperand());
  if (r == NoExpr)
    return NoExpr;
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
    Value &index = *it.getOperand();
    if (StructType *s = it.getStructTypeOrNull()) {
      uint64_t field = llvm::cast<ConstantInt>(&index)->getZExtValue();
      r = q.g.add(r, q.g.constant(dl.getStructLayout(s)->getElementOffset(unsigned(field)), width));
      continue;
    }
    TypeSize stride = it.getSequentialElementStride(dl);
    ExprId n = value(index);
    if (n == NoExpr || stride.isScalable())
      return NoExpr;
    n = q.g.width(n) < width ? q.g.cast(Op::SExt, n, width) : q.g.zextOrTrunc(n, width);
    r = q.g.add(r, q.g.mul(n, q.g.constant(stride.getFixedValue(), width)));
  }
  return r;
}

/// Returns whether the block is a secondary entry of an irreducible cycle: an edge comes in from a
/// block later in reverse post order, and the block heads no loop. An incoming value may depend on
/// the phi itself.
bool LowBits::isTangled(const BasicBlock &b) const {
  const llvm::Loop *loop = li.getLoopFor(&b);
  if (loop && loop->getHeader() == &b)
    return false;
  return any_of(predecessors(&b), [&](const BasicBlock *from) {
    return dt.isReachableFromEntry(from) && numberOf(*from) >= numberOf(b);
  });
}

/// Describes a phi: as a symbol at first; its incoming values are read once they can refer to the
/// symbol.
ExprId LowBits::merged(PHINode &phi, unsigned width) {
  ExprId self = exprs[&phi] = q.leaf(width);
  const llvm::Loop *loop = li.getLoopFor(phi.getParent());
  bool header = loop && loop->getHeader() == phi.getParent();
  AlignQuery::Phi m{numberOf(*phi.getParent()),
                    self,
                    {},
                    {},
                    header ? int(numberOf(*phi.getParent())) : AlignQuery::noLoop,
                    {AlignFact::Kind::Phi, header ? &phi : nullptr}};
  bool whole = !isTangled(*phi.getParent());
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    // An edge that is never taken brings no other value.
    bool reached = dt.isReachableFromEntry(phi.getIncomingBlock(k));
    m.values.push_back(reached ? value(*phi.getIncomingValue(k)) : self);
    m.inside.push_back(!reached || (header && loop->contains(phi.getIncomingBlock(k))));
    whole &= m.values.back() != NoExpr;
  }
  if (whole) {
    phis.push_back({&phi, q.phis.size()});
    q.phis.push_back(std::move(m));
  }
  return self;
}

/// Adds the test that must have held for the edge to be taken.
void LowBits::collectEdge(const BasicBlock &from, const BasicBlock &to,
                          std::vector<AlignQuery::Test> &list) {
  auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || list.size() >= AlignQuery::mostFacts ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return;
  ExprId c = value(*branch->getCondition());
  if (c != NoExpr)
    list.push_back(
        {numberOf(to), c, branch->getSuccessor(0) == &to, {AlignFact::Kind::Test, branch}});
}

/// Returns the only block that control comes from, or that enters the loop which the block heads;
/// null if there are several.
static const BasicBlock *edgeInto(const LoopInfo &li, const BasicBlock &block) {
  const llvm::Loop *loop = li.getLoopFor(&block);
  return loop && loop->getHeader() == &block ? loop->getLoopPredecessor()
                                             : block.getSinglePredecessor();
}

/// Adds the tests implied by a true `a || b` of which only two branches are left.
void LowBits::collectEither(const BasicBlock &block, std::vector<AlignQuery::Test> &list) {
  std::vector<AlignQuery::Test> sides;
  const llvm::Loop *loop = li.getLoopFor(&block);
  if (pred_size(&block) != 2 || isTangled(block) || (loop && loop->getHeader() == &block) ||
      list.size() >= AlignQuery::mostFacts)
    return;
  for (const BasicBlock *from : predecessors(&block))
    if (dt.isReachableFromEntry(from))
      collectEdge(*from, block, sides);
  if (sides.size() == 2)
    list.push_back(q.either(numberOf(block), sides[0], sides[1]));
}

/// Adds the tests that dominate `block`.
void LowBits::collectTests(const BasicBlock &block, std::vector<AlignQuery::Test> &list) {
  for (const auto *node = dt.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
    if (const BasicBlock *from = edgeInto(li, *node->getBlock()))
      collectEdge(*from, *node->getBlock(), list);
    else
      collectEither(*node->getBlock(), list);
  }
}

/// Collects the last phis before the use, to be split by incoming edge. Only a few, as the cases
/// multiply.
void LowBits::collectSplits(const BasicBlock &block) {
  for (const auto *node = dt.getNode(&block); node && q.splits.size() < AlignQuery::mostSplits;
       node = node->getIDom()) {
    const BasicBlock *merge = node->getBlock();
    const llvm::Loop *loop = li.getLoopFor(merge);
    std::vector<std::pair<PHINode *, size_t>> here;
    for (auto &known : phis)
      if (known.first->getParent() == merge)
        here.push_back(known);
    if (here.empty() || pred_size(merge) > AlignQuery::mostIncoming ||
        (loop && loop->getHeader() == merge))
      continue;
    std::vector<AlignQuery::IncomingEdge> incoming;
    for (const BasicBlock *from : predecessors(merge)) {
      AlignQuery::IncomingEdge edge;
      if (!dt.isReachableFromEntry(from))
        continue;
      collectEdge(*from, *merge, edge.tests);
      collectTests(*from, edge.tests);
      for (auto [phi, k] : here) {
        const AlignQuery::Phi &m = q.phis[k];
        edge.values.push_back({m.self, m.values[unsigned(phi->getBasicBlockIndex(from))]});
      }
      incoming.push_back(std::move(edge));
    }
    q.splits.push_back(std::move(incoming));
  }
}

/// assume(true) ["align"(p, 64)] and ["align"(p, 64, 16)]: p - 16 is aligned.
void LowBits::collectBundles(AssumeInst &call) {
  for (unsigned k = 0; k < call.getNumOperandBundles(); ++k) {
    OperandBundleUse bundle = call.getOperandBundleAt(k);
    if (bundle.getTagName() != "align" || bundle.Inputs.size() < 2)
      continue;
    auto *n = dyn_cast<ConstantInt>(bundle.Inputs[1]);
    ExprId p = value(*bundle.Inputs[0]);
    if (!n || !n->getValue().isPowerOf2() || p == NoExpr)
      continue;
    ExprId off =
        bundle.Inputs.size() > 2 ? value(*bundle.Inputs[2]) : q.g.constant(0, q.g.width(p));
    if (off == NoExpr)
      continue;
    ExprId mask = q.g.constant(n->getZExtValue() - 1, q.g.width(p));
    ExprId low = q.g.binary(Op::And, q.g.sub(p, q.g.zextOrTrunc(off, q.g.width(p))), mask);
    q.tests.push_back({numberOf(*call.getParent()),
                       q.g.binary(Op::Eq, low, q.g.constant(0, q.g.width(p))),
                       true,
                       {AlignFact::Kind::Assumption, &call}});
  }
}

/// Builds everything that the query refers to.
ExprId LowBits::ask(Value &v, const Instruction &at) {
  if (!dt.isReachableFromEntry(at.getParent()))
    return NoExpr;
  q = AlignQuery();
  exprs.clear();
  phis.clear();
  q.dominates = [this](unsigned a, unsigned b) { return dt.dominates(blocks[a], blocks[b]); };
  ExprId asked = value(v);
  if (asked == NoExpr)
    return NoExpr;
  collectTests(*at.getParent(), q.tests);
  for (auto &assumed : ac.assumptions()) {
    auto *call = dyn_cast_or_null<AssumeInst>(static_cast<Value *>(assumed));
    if (!call || call->getFunction() != &f || q.tests.size() >= AlignQuery::mostFacts ||
        !dt.dominates(call, &at))
      continue;
    ExprId c = value(*call->getArgOperand(0));
    if (c != NoExpr)
      q.tests.push_back(
          {numberOf(*call->getParent()), c, true, {AlignFact::Kind::Assumption, call}});
    collectBundles(*call);
  }
  collectSplits(*at.getParent());
  return asked;
}

Aligned LowBits::aligned(Value &v, unsigned bits, const Instruction &at, AlignProof *how) {
  ExprId asked = ask(v, at);
  return asked == NoExpr ? Aligned::Unknown : q.aligned(asked, bits, how);
}

unsigned LowBits::zeroBits(Value &v, unsigned limit, const Instruction &at, AlignProof *how) {
  ExprId asked = ask(v, at);
  return asked == NoExpr ? 0 : q.zeroBits(asked, limit, how);
}

} // namespace memlift
