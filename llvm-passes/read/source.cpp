// source.cpp - names and values as the source has them, for messages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/binding.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace memlift {

std::string sourceName(const Value &v) {
  if (const auto *a = dyn_cast<Argument>(&v))
    if (const DISubprogram *sp = a->getParent()->getSubprogram())
      for (const MDNode *node : sp->getRetainedNodes())
        if (auto *variable = dyn_cast<DILocalVariable>(node))
          if (variable->getArg() == a->getArgNo() + 1)
            return variable->getName().str();
  SmallVector<compat::DebugRecord *, 4> records;
  compat::findDebugValues(const_cast<Value &>(v), records);
  for (const compat::DebugRecord *r : records)
    if (!r->hasArgList() && r->getExpression()->getNumElements() == 0)
      return r->getVariable()->getName().str();
  if (const auto *load = dyn_cast<LoadInst>(&v)) {
    std::string from = sourceName(*load->getPointerOperand());
    if (!from.empty())
      return isa<GlobalVariable>(load->getPointerOperand()) ? from : "*" + from;
  }
  return v.getName().str();
}

std::string Reader::nameOf(const Value &v, const char *prefix, size_t n) const {
  std::string name = env.config.options.quiet ? "" : sourceName(v);
  if (!name.empty())
    return name;
  const auto *a = dyn_cast<Argument>(&v);
  return a ? "arg" + std::to_string(a->getArgNo()) : prefix + std::to_string(n);
}

/// Returns the value that a leaf stands for, under the name that the loop model gives it.
ExprId Reader::sourceLeaf(Loop &source, const SCEV *s) const {
  const SCEV *pointer = s;
  if (const auto *number = dyn_cast<SCEVPtrToIntExpr>(s))
    pointer = number->getOperand();
  const auto *leaf = dyn_cast<SCEVUnknown>(pointer);
  std::string name; // none: "..."
  if (leaf) {
    auto known = symbolIndex.find(leaf->getValue());
    name = known != symbolIndex.end() && graph[known->second].op == Op::Sym
               ? binding.loop.syms[graph[known->second].value].name
               : nameOf(*leaf->getValue(), "w", source.syms.size());
  }
  size_t i = 0;
  while (i < source.syms.size() && (name.empty() || source.syms[i].name != name))
    ++i;
  unsigned bits = unsigned(env.se.getTypeSizeInBits(s->getType()));
  if (i == source.syms.size())
    source.syms.push_back({name, bits});
  return source.exprs.leaf(Op::Sym, i, bits);
}

/// Translates what the loop model has as one symbol, quotients and extrema among it.
ExprId Reader::sourceValue(Loop &source, const SCEV *s) const {
  ExprGraph &g = source.exprs;
  unsigned bits = unsigned(env.se.getTypeSizeInBits(s->getType()));
  auto each = [&](auto join) {
    ExprId r = sourceValue(source, cast<SCEVNAryExpr>(s)->getOperand(0));
    for (unsigned i = 1; i < cast<SCEVNAryExpr>(s)->getNumOperands(); ++i)
      r = join(r, sourceValue(source, cast<SCEVNAryExpr>(s)->getOperand(i)));
    return r;
  };
  auto extremum = [&](bool isSigned, bool most) {
    ExprId sign = g.constant(isSigned ? uint64_t(1) << (bits - 1) : 0, bits);
    return each([&](ExprId x, ExprId y) {
      ExprId less = g.binary(Op::ULt, g.binary(Op::Xor, x, sign), g.binary(Op::Xor, y, sign));
      return most ? g.select(less, y, x) : g.select(less, x, y);
    });
  };
  auto cast = [&](Op op) {
    return g.cast(op, sourceValue(source, llvm::cast<SCEVCastExpr>(s)->getOperand()), bits);
  };
  switch (bits <= 64 ? s->getSCEVType() : scCouldNotCompute) {
  case scConstant: return g.constant(llvm::cast<SCEVConstant>(s)->getAPInt().getZExtValue(), bits);
  case scAddExpr: return each([&](ExprId x, ExprId y) { return g.add(x, y); });
  case scMulExpr: return each([&](ExprId x, ExprId y) { return g.mul(x, y); });
  case scTruncate: return cast(Op::Trunc);
  case scZeroExtend: return cast(Op::ZExt);
  case scSignExtend: return cast(Op::SExt);
  case scUMaxExpr: return extremum(false, true);
  case scSMaxExpr: return extremum(true, true);
  case scUMinExpr:
  case scSequentialUMinExpr: return extremum(false, false);
  case scSMinExpr: return extremum(true, false);
  case scUDivExpr: {
    const auto *by = dyn_cast<SCEVConstant>(llvm::cast<SCEVUDivExpr>(s)->getRHS());
    if (by && !by->isZero())
      return g.quotient(sourceValue(source, llvm::cast<SCEVUDivExpr>(s)->getLHS()),
                        by->getAPInt().getZExtValue());
    break;
  }
  default: break;
  }
  return sourceLeaf(source, s);
}

void Reader::showSource(const SCEV *s) {
  if (env.config.options.quiet || isa<SCEVUnknown>(s))
    return;
  auto source = std::make_shared<Loop>(binding.loop.source ? *binding.loop.source : Loop());
  binding.loop.syms.back().source = sourceValue(*source, s);
  binding.loop.source = std::move(source);
}

} // namespace memlift
