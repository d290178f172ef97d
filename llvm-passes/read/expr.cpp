// expr.cpp - translates bases, symbols and scalar evolution's expressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses and counts come from ScalarEvolution. Its arithmetic is modular, like that of Expr, so
// the translation needs to know nothing about overflow. Operations without counterpart (division,
// signed extrema) make the whole subexpression a symbol, if SCEVExpander can compute it early.
#include "read/assumed.h"
#include "read/chain.h"
#include "read/likely.h"
#include "read/ring.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memlift {

Reader::Reader(Env &env, LoopBinding &binding)
    : env(env), binding(binding), graph(binding.loop.exprs), ptrBits(env.dl.getIndexSizeInBits(0)),
      expander(compat::expanderOf<SCEVExpander>(env.se, env.dl)) {
  binding.loop.ptrBits = ptrBits;
  binding.loop.bigEndian = env.dl.isBigEndian();
  // The loop model of a link starts with the symbols and bases of the one before.
  for (size_t i = 0; i < binding.bases.size(); ++i)
    baseIndex[{binding.bases[i], binding.throughIntegers[i]}] = uint32_t(i);
  for (size_t i = 0; i < binding.syms.size(); ++i) {
    ExprId s = graph.leaf(Op::Sym, i, binding.loop.syms[i].width);
    if (binding.syms[i].value)
      symbolIndex[binding.syms[i].value] = s;
    else
      scevIndex[binding.syms[i].scev] = s;
  }
}

bool Reader::inChain(const Value *v) const {
  return binding.chain && !inNest(v) && binding.chain->contains(v);
}

/// Translates a division by a power of two, as a shift.
ExprId Reader::divided(const SCEVUDivExpr *s) {
  const auto *by = dyn_cast<SCEVConstant>(s->getRHS());
  ExprId x = by && by->getAPInt().isPowerOf2() ? expr(s->getLHS()) : NoExpr;
  if (x == NoExpr)
    return NoExpr;
  return graph.binary(Op::LShr, x, graph.constant(by->getAPInt().logBase2(), graph.width(x)));
}

/// Translates the minimum or maximum of several values.
ExprId Reader::extremum(const SCEVNAryExpr *s) {
  SCEVTypes type = s->getSCEVType();
  bool isSigned = type == scSMaxExpr || type == scSMinExpr;
  bool most = type == scSMaxExpr || type == scUMaxExpr;
  ExprId r = NoExpr;
  for (unsigned i = 0; i < s->getNumOperands(); ++i) {
    ExprId x = expr(s->getOperand(i));
    if (x == NoExpr)
      return NoExpr;
    if (r == NoExpr) {
      r = x;
      continue;
    }
    unsigned bits = graph.width(x);
    ExprId sign = graph.constant(isSigned ? uint64_t(1) << (bits - 1) : 0, bits);
    ExprId less =
        graph.binary(Op::ULt, graph.binary(Op::Xor, r, sign), graph.binary(Op::Xor, x, sign));
    r = most ? graph.select(less, x, r) : graph.select(less, r, x);
  }
  return r;
}

bool Reader::inNest(const Value *v) const {
  const auto *i = dyn_cast<Instruction>(v);
  return i && !binding.nest.empty() && binding.nest.front()->contains(i);
}

static void describeObject(const Value *v, const DataLayout &dl, Base &base) {
  if (const auto *a = dyn_cast<Argument>(v)) {
    base.kind = BaseKind::Argument;
    base.noalias = a->hasNoAliasAttr();
  } else if (const auto *g = dyn_cast<GlobalVariable>(v)) {
    base.kind = BaseKind::Global;
    if (g->hasDefinitiveInitializer())
      base.objectBytes = dl.getTypeAllocSize(g->getValueType());
  } else if (const auto *a = dyn_cast<AllocaInst>(v)) {
    base.kind = BaseKind::Local;
    base.noalias = true;
    if (auto size = a->getAllocationSize(dl))
      if (!size->isScalable())
        base.objectBytes = size->getFixedValue();
  } else if (isNoAliasCall(v)) {
    base.kind = BaseKind::Allocated;
    base.noalias = true;
  }
}

uint32_t Reader::baseOf(Value *pointer, bool throughIntegers) {
  auto [it, fresh] =
      baseIndex.try_emplace({pointer, throughIntegers}, uint32_t(binding.loop.bases.size()));
  if (!fresh)
    return it->second;
  Base base;
  base.name = nameOf(*pointer, "p", binding.loop.bases.size());
  Align align = getKnownAlignment(pointer, env.dl, binding.at, &env.ac, &env.dt);
  base.align = align.value();
  if (throughIntegers)
    base.name += ".i";
  else
    describeObject(pointer, env.dl, base);
  binding.throughIntegers.push_back(throughIntegers);
  binding.loop.bases.push_back(base);
  binding.bases.push_back(pointer);
  return it->second;
}

/// Returns the largest unsigned value that `v` can have; 0 if unknown.
uint64_t Reader::largest(Value *v) const {
  if (!v->getType()->isIntegerTy() || !env.se.isSCEVable(v->getType()) ||
      v->getType()->getIntegerBitWidth() > 64)
    return 0;
  if (uint64_t most = largestEntry(env.dl, v))
    return most;
  APInt most = env.se.getUnsignedRangeMax(env.se.getSCEV(v));
  return most.isAllOnes() ? 0 : most.getZExtValue();
}

/// Returns whether both are the same operation on the same values, flags included: unrolling and
/// hoisting leave such copies of one expression until a later pass joins them.
static bool computeTheSame(Value *a, Value *b, unsigned depth) {
  auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
  if (a == b || !x || !y || !depth)
    return a == b;
  bool alike = x->isSameOperationAs(y) && !x->mayReadOrWriteMemory() && !isa<PHINode>(x) &&
               !isa<CallBase>(x) && !isa<FreezeInst>(x) &&
               x->getRawSubclassOptionalData() == y->getRawSubclassOptionalData();
  for (unsigned i = 0; alike && i < x->getNumOperands(); ++i)
    alike = computeTheSame(x->getOperand(i), y->getOperand(i), depth - 1);
  return alike;
}

ExprId Reader::symbolOf(Value *v) {
  auto old = symbolIndex.find(v);
  if (old != symbolIndex.end())
    return old->second;
  size_t index = binding.loop.syms.size();
  unsigned bits = env.dl.getTypeSizeInBits(v->getType()).getFixedValue();
  constexpr unsigned maxOperations = 4; // nesting depth
  for (size_t i = 0; i < binding.syms.size() && isa<Instruction>(v); ++i)
    if (binding.syms[i].value && computeTheSame(binding.syms[i].value, v, maxOperations))
      return symbolIndex[v] = graph.leaf(Op::Sym, i, bits);
  uint64_t most = largest(v);
  binding.loop.syms.push_back({nameOf(*v, "n", index), bits, most});
  if (env.se.isSCEVable(v->getType())) {
    const SCEV *s = env.se.getSCEV(v);
    uint64_t likely = likelyMost(env.se, s);
    binding.loop.syms.back().likely = most && likely >= most ? 0 : likely;
    showSource(s);
  }
  binding.syms.push_back({v, nullptr});
  return symbolIndex[v] = graph.leaf(Op::Sym, index, bits);
}

/// Returns `s` as the sum of an existing symbol and a constant; NoExpr if there is none. In an
/// outer loop that steps by itself, the bytes p[0], p[1], ... of an inner iteration are separate
/// recurrences, and this shows their distance.
ExprId Reader::nearSymbol(const SCEV *s, unsigned bits) {
  const unsigned few = 8; // symbols looked at: there are few outer pointers
  unsigned looked = 0;
  for (size_t i = 0; i < binding.syms.size() && looked < few; ++i) {
    const SCEV *old = binding.syms[i].scev;
    if (!old || !isa<SCEVAddRecExpr>(old) || old->getType() != s->getType())
      continue;
    ++looked;
    if (auto distance = env.se.computeConstantDifference(s, old))
      return graph.binary(Op::Add, graph.leaf(Op::Sym, i, bits),
                          graph.constant(distance->sextOrTrunc(bits).getZExtValue(), bits));
  }
  return NoExpr;
}

ExprId Reader::scevSymbol(const SCEV *s) {
  unsigned bits = env.se.getTypeSizeInBits(s->getType());
  if (bits <= 64 && isa<SCEVAddRecExpr>(s))
    if (ExprId near = nearSymbol(s, bits); near != NoExpr)
      return near;
  if (bits > 64 || !s->getType()->isIntegerTy() || !expander.isSafeToExpandAt(s, binding.at))
    return NoExpr;
  size_t index = binding.loop.syms.size();
  binding.loop.syms.push_back({"e" + std::to_string(index), bits});
  showSource(s);
  binding.syms.push_back({nullptr, s});
  return graph.leaf(Op::Sym, index, bits);
}

ExprId Reader::convertNary(const SCEVNAryExpr *s, Op op) {
  ExprId r = NoExpr;
  for (unsigned i = 0; i < s->getNumOperands(); ++i) {
    ExprId x = expr(s->getOperand(i));
    if (x == NoExpr)
      return NoExpr;
    r = r == NoExpr ? x : graph.binary(op, r, x);
  }
  return r;
}

ExprId Reader::convert(const SCEV *s) {
  if (!s->getType()->isIntegerTy())
    return NoExpr;
  unsigned bits = env.se.getTypeSizeInBits(s->getType());
  if (bits > 64)
    return NoExpr;
  switch (s->getSCEVType()) {
  case scConstant: return graph.constant(cast<SCEVConstant>(s)->getAPInt().getZExtValue(), bits);
  case scAddExpr: return convertNary(cast<SCEVNAryExpr>(s), Op::Add);
  case scMulExpr: return convertNary(cast<SCEVNAryExpr>(s), Op::Mul);
  case scTruncate:
  case scZeroExtend:
  case scSignExtend: {
    const SCEV *inner = cast<SCEVCastExpr>(s)->getOperand();
    if (env.se.getTypeSizeInBits(inner->getType()) > 64)
      return scevSymbol(s);
    ExprId x = expr(inner);
    Op op = isa<SCEVTruncateExpr>(s) ? Op::Trunc : isa<SCEVZeroExtendExpr>(s) ? Op::ZExt : Op::SExt;
    return x == NoExpr ? NoExpr : graph.cast(op, x, bits);
  }
  case scPtrToInt: {
    const auto *u = dyn_cast<SCEVUnknown>(cast<SCEVCastExpr>(s)->getOperand());
    if (!u || bits != ptrBits || inNest(u->getValue()) ||
        u->getType()->getPointerAddressSpace() != 0)
      return scevSymbol(s);
    if (inChain(u->getValue()))
      return value(u->getValue());
    return graph.leaf(Op::BaseAddr, baseOf(u->getValue()), ptrBits);
  }
  case scUnknown: {
    Value *v = cast<SCEVUnknown>(s)->getValue();
    return inNest(v) ? NoExpr : inChain(v) ? value(v) : symbolOf(v);
  }
  case scUDivExpr:
    if (ExprId r = divided(cast<SCEVUDivExpr>(s)); r != NoExpr)
      return r;
    return scevSymbol(s);
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
    if (ExprId r = extremum(cast<SCEVNAryExpr>(s)); r != NoExpr)
      return r;
    return scevSymbol(s);
  case scSequentialUMinExpr: return scevSymbol(s);
  default:
    // A recurrence of a loop outside the nest stands for its value in this iteration.
    return isa<SCEVAddRecExpr>(s) ? scevSymbol(s) : NoExpr;
  }
}

ExprId Reader::expr(const SCEV *s) {
  auto old = scevIndex.find(s);
  if (old != scevIndex.end())
    return old->second;
  ExprId r = NoExpr;
  const SCEV *key = s;
  bool invariant = !isa<SCEVCouldNotCompute>(s) &&
                   (binding.nest.empty() || env.se.isLoopInvariant(s, binding.nest.front()));
  // Another loop of the chain may leave the value.
  if (binding.chain && invariant)
    s = env.se.getSCEVAtScope(s, env.li.getLoopFor(binding.chain->entry));
  if (invariant && !isa<SCEVCouldNotCompute>(s) &&
      (binding.nest.empty() || env.se.isLoopInvariant(s, binding.nest.front())))
    r = convert(s);
  return scevIndex[key] = r;
}

/// Splits the recurrences of the nest's loops off `s`: the rest is its value in the first
/// iteration.
bool Reader::split(const SCEV *s, const SCEV *&rest, std::vector<const SCEV *> &steps) {
  llvm::Loop *outer = binding.nest.front();
  while (!env.se.isLoopInvariant(s, outer)) {
    if (const auto *sum = dyn_cast<SCEVAddExpr>(s)) {
      const SCEV *total = env.se.getZero(s->getType());
      for (unsigned i = 0; i < sum->getNumOperands(); ++i) {
        const SCEV *part = nullptr;
        if (!split(sum->getOperand(i), part, steps))
          return false;
        total = env.se.getAddExpr(total, part);
      }
      rest = total;
      return true;
    }
    const auto *rec = dyn_cast<SCEVAddRecExpr>(s);
    if (!rec || !rec->isAffine())
      return false;
    auto *at = find(binding.nest, rec->getLoop()) == binding.nest.end()
                   ? nullptr
                   : &*find(binding.nest, rec->getLoop());
    const SCEV *step = rec->getStepRecurrence(env.se);
    if (!at || !env.se.isLoopInvariant(step, outer))
      return false;
    const SCEV *&slot = steps[at - &binding.nest[0]];
    slot = slot ? env.se.getAddExpr(slot, step) : step;
    s = rec->getStart();
  }
  rest = s;
  return true;
}

/// Returns whether the index is narrow and may wrap: an extended recurrence is one that
/// ScalarEvolution could not widen.
static bool hasNarrowIndex(const SCEV *s) {
  return SCEVExprContains(s, [](const SCEV *x) {
    const auto *c = dyn_cast<SCEVIntegralCastExpr>(x);
    return c && !isa<SCEVTruncateExpr>(c) &&
           SCEVExprContains(c->getOperand(), [](const SCEV *y) { return isa<SCEVAddRecExpr>(y); });
  });
}

void Reader::address(Value *pointer, Access &access) {
  access.addressSpace = pointer->getType()->getPointerAddressSpace();
  access.affine = false;
  const SCEV *s = env.se.getSCEV(pointer);
  const auto *base = dyn_cast<SCEVUnknown>(env.se.getPointerBase(s));
  if (base && inNest(base->getValue()) && placeInteger(s, access))
    return;
  if (!base || inNest(base->getValue())) {
    Value *object = const_cast<Value *>(getUnderlyingObject(pointer));
    access.base = baseOf(inNest(object) ? pointer : object);
    access.why = "the pointer itself is computed anew in each iteration";
    return;
  }
  if (place(s, access) || (rings && rings->address(pointer, access)) || !assumed)
    return;
  const SCEV *even = assumed->address(pointer);
  if (even && env.se.getPointerBase(even) == base)
    place(even, access);
}

bool Reader::place(const SCEV *s, Access &access) {
  Value *base = cast<SCEVUnknown>(env.se.getPointerBase(s))->getValue();
  ExprId further = NoExpr; // offset from a base that is available before the chain
  if (inChain(base)) {
    if (!rowPointerAt(base, access.base, further)) {
      access.base = baseOf(base);
      access.why = "the pointer is computed between this loop and the one before";
      return false;
    }
  } else {
    access.base = baseOf(base);
  }
  const SCEV *offset = env.se.removePointerBase(s);
  access.mayWrap = hasNarrowIndex(offset);
  access.why = access.mayWrap ? "the index is narrower than a pointer"
                              : "the address is no linear function of the count";
  if (!placeAt(offset, access))
    return false;
  if (further != NoExpr)
    access.offset = graph.add(access.offset, further);
  return true;
}

bool Reader::placeAt(const SCEV *offset, Access &access) {
  const SCEV *rest = nullptr;
  std::vector<const SCEV *> steps(binding.nest.size(), nullptr);
  if (env.se.getTypeSizeInBits(offset->getType()) != ptrBits ||
      !(binding.nest.empty() ? (rest = offset) != nullptr : split(offset, rest, steps)))
    return false;
  access.offset = expr(rest);
  std::vector<ExprId> stepExprs;
  for (const SCEV *step : steps)
    stepExprs.push_back(step ? expr(step) : graph.constant(0, ptrBits));
  if (access.offset == NoExpr || is_contained(stepExprs, NoExpr)) {
    access.offset = NoExpr;
    return false;
  }
  access.step = stepExprs;
  access.affine = true;
  access.mayWrap = false;
  access.why.clear();
  return true;
}

/// Splits inttoptr(i) + offset, with i counted in the nest. The pointer that i started from is the
/// base, if there is one; nothing is known of its object.
bool Reader::placeInteger(const SCEV *s, Access &access) {
  auto *cast =
      dyn_cast<IntToPtrInst>(llvm::cast<SCEVUnknown>(env.se.getPointerBase(s))->getValue());
  if (!cast || env.dl.getTypeSizeInBits(cast->getOperand(0)->getType()) != ptrBits)
    return false;
  const SCEV *number = env.se.getSCEV(cast->getOperand(0));
  if (!placeAt(env.se.getAddExpr(number, env.se.removePointerBase(s)), access))
    return false;
  Value *start = nullptr;
  for (const auto &[atoms, factor] : graph.poly(access.offset))
    if (atoms.size() == 1 && factor == 1 && graph[atoms[0]].op == Op::BaseAddr) {
      start = binding.bases[graph[atoms[0]].value];
      access.offset = graph.sub(access.offset, atoms[0]);
      break;
    }
  if (!start)
    start = ConstantPointerNull::get(llvm::cast<PointerType>(cast->getType()));
  access.base = baseOf(start, /*throughIntegers=*/true);
  return true;
}

void Reader::addAccess(const Access &access, Instruction *i) {
  binding.loop.accesses.push_back(access);
  binding.accesses.push_back(i);
  if (access.store)
    return;
  uint32_t index = uint32_t(binding.loop.accesses.size() - 1);
  uint64_t bits = graph.isConst(access.bytes) ? 8 * graph[access.bytes].value : 8;
  loads[i] = graph.leaf(Op::Load, index, unsigned(bits));
}

void Reader::obstacle(Diag code, const Twine &what, const DebugLoc &loc) {
  for (const Obstacle &o : binding.loop.obstacles)
    if (o.code == code && o.what == what.str())
      return;
  binding.loop.obstacles.push_back({code, what.str(), sourceLoc(loc)});
}

} // namespace memlift
