// row.cpp - which units make a row, and its values as seen from its entry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/row.h"

#include "prove/alias.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memlift {
namespace {

/// Computes, and does nothing else.
bool isQuiet(const Instruction &i) {
  if (i.isDebugOrPseudoInst() || isa<PHINode>(i) || isa<BranchInst>(i))
    return true;
  return !i.isTerminator() && !i.mayHaveSideEffects() && !i.mayReadFromMemory() &&
         !isa<AllocaInst>(i) && !i.isEHPad();
}

bool isUnitCall(const Row &row, const Instruction &i) {
  for (const RowUnit &u : row.units)
    if (u.call == &i)
      return true;
  return false;
}

/// Everything from `entry` to `exit`; false if it is left or entered elsewhere.
bool collect(Env &env, Row &row) {
  SmallVector<BasicBlock *, 8> work(successors(row.entry));
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (block == row.exit || !row.blocks.insert(block).second)
      continue;
    if (block == row.entry || !env.dt.dominates(row.entry, block) || row.blocks.size() > 64)
      return false;
    work.append(succ_begin(block), succ_end(block));
  }
  return !row.blocks.empty();
}

/// The last loop's own exit, where what it leaves gets its name: that is part of
/// the row, as much as between two loops.
bool namesResults(const Row &row, const BasicBlock &exit) {
  if (exit.phis().empty())
    return false;
  for (const RowUnit &u : row.units)
    if (u.loop && u.loop->getExitBlock() == &exit)
      return true;
  return false;
}

/// Where the row ends, behind the exit of its last loop if that has a block alone.
BasicBlock *endOf(const Row &row, BasicBlock *exit) {
  BasicBlock *next = exit ? exit->getSingleSuccessor() : nullptr;
  bool bare = next && &*exit->getFirstNonPHIIt() == exit->getTerminator();
  return bare && namesResults(row, *exit) ? next : exit;
}

} // namespace

bool findRow(Env &env, const PostDominatorTree &pdt, Row &row) {
  row.pdt = &pdt;
  llvm::Loop *parent = env.li.getLoopFor(row.units.front().front());
  BasicBlock *exit = nullptr, *entry = nullptr;
  for (const RowUnit &u : row.units) {
    BasicBlock *front = u.front(), *last = u.loop ? u.loop->getExitBlock() : front;
    // A call's own block belongs to the row; a preheader does not have to.
    BasicBlock *from = u.loop ? front : front->getSinglePredecessor();
    if (!front || !last || !from || env.li.getLoopFor(front) != parent ||
        (u.loop && u.loop->getParentLoop() != parent))
      return false;
    BasicBlock *to = u.loop ? last : front->getSingleSuccessor();
    if (!to || !pdt.getNode(to) || env.li.getLoopFor(to) != parent)
      return false;
    entry = entry ? env.dt.findNearestCommonDominator(entry, from) : from;
    exit = exit ? pdt.findNearestCommonDominator(exit, to) : to;
    if (!entry || !exit)
      return false;
  }
  for (BasicBlock *s : successors(entry))
    exit = exit ? pdt.findNearestCommonDominator(exit, s) : nullptr;
  exit = endOf(row, exit);
  if (!exit || env.li.getLoopFor(entry) != parent || env.li.getLoopFor(exit) != parent ||
      !isa<BranchInst>(entry->getTerminator()))
    return false;
  row.entry = entry;
  row.exit = exit;
  if (!collect(env, row))
    return false;
  for (BasicBlock *block : row.blocks) {
    if (row.unitOf(block))
      continue;
    if (env.li.getLoopFor(block) != parent || block->hasAddressTaken())
      return false;
    for (Instruction &i : *block)
      if (!isQuiet(i) && !isUnitCall(row, i))
        return false;
  }
  for (const RowUnit &u : row.units)
    if (!row.blocks.count(u.loop ? u.loop->getHeader() : u.front()))
      return false;
  return true;
}

void closeRow(Env &env, Row &row) {
  if (namesResults(row, *row.exit)) {
    row.exit = SplitBlock(row.exit, row.exit->getFirstNonPHIIt(), &env.dt, &env.li);
    return;
  }
  SmallVector<BasicBlock *, 4> inside;
  bool others = false;
  for (BasicBlock *pred : predecessors(row.exit))
    if (row.blocks.count(pred) || pred == row.entry)
      inside.push_back(pred);
    else
      others = true;
  if (others)
    row.exit = SplitBlockPredecessors(row.exit, inside, ".memlift.row", &env.dt, &env.li, nullptr,
                                      /*PreserveLCSSA=*/true);
}

ExprId Reader::both(ExprId a, ExprId b) {
  if (graph.isConst(a, 1))
    return b;
  return graph.isConst(b, 1) ? a : graph.binary(Op::And, a, b);
}

/// The condition, seen from `from`, under which the edge is taken once its
/// beginning is reached.
ExprId Reader::edgeTaken(BasicBlock *from, BasicBlock *to) {
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  ExprId always = graph.constant(1, 1);
  if (!branch || !branch->isConditional() || binding.row->unitOf(from) ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return always;
  ExprId c = value(branch->getCondition());
  return branch->getSuccessor(0) == to ? c : graph.binary(Op::Xor, c, always);
}

/// The condition under which control comes from `top` to `block`.
ExprId Reader::reached(BasicBlock *top, BasicBlock *block, unsigned budget) {
  Row &row = *binding.row;
  ExprId always = graph.constant(1, 1);
  if (const RowUnit *u = row.unitOf(block))
    block = u->loop->getLoopPreheader();
  if (block == top || row.pdt->dominates(block, top))
    return always;
  if (!budget || !row.blocks.count(block)) {
    row.failed = true;
    return always;
  }
  ExprId any = NoExpr;
  for (BasicBlock *pred : predecessors(block)) {
    ExprId way = both(reached(top, pred, budget - 1), edgeTaken(pred, block));
    any = any == NoExpr || graph.isConst(way, 1) ? way
          : graph.isConst(any, 1)                ? any
                                                 : graph.binary(Op::Or, any, way);
  }
  return any == NoExpr ? always : any;
}

/// Chooses between what comes in over the edges into `join`.
ExprId Reader::chosen(PHINode &phi, BasicBlock *top, function_ref<ExprId(Value *)> each) {
  ExprId r = NoExpr;
  BasicBlock *join = phi.getParent();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    ExprId x = each(phi.getIncomingValue(i));
    BasicBlock *from = phi.getIncomingBlock(i);
    if (x == NoExpr || (r != NoExpr && graph.width(x) != graph.width(r))) {
      binding.row->failed = true;
      return NoExpr;
    }
    r = r == NoExpr ? x : graph.select(both(reached(top, from, 16), edgeTaken(from, join)), x, r);
  }
  return r;
}

/// The unit that leaves this phi its value, if it is one of the row's exits.
static const RowUnit *unitBefore(const Row &row, const PHINode &phi) {
  return phi.getNumIncomingValues() == 1 ? row.unitOf(phi.getIncomingBlock(0)) : nullptr;
}

ExprId Reader::rowValue(Value *v, unsigned bits) {
  auto *i = cast<Instruction>(v);
  Row &row = *binding.row;
  ExprId r = NoExpr;
  auto *phi = dyn_cast<PHINode>(i);
  if (depth > 64 || row.unitOf(i->getParent())) {
    row.failed = true;
    return graph.opaque(bits);
  }
  ++depth;
  if (i->getType()->isPointerTy()) {
    uint32_t base;
    ExprId offset;
    if (rowPointerAt(v, base, offset))
      r = graph.add(graph.leaf(Op::BaseAddr, base, ptrBits), offset);
  } else if (phi) {
    auto state = row.states.find(phi);
    const RowUnit *unit = unitBefore(row, *phi);
    if (state != row.states.end())
      r = state->second;
    else if (unit) {
      auto final = row.behind.find(phi);
      r = final == row.behind.end() ? NoExpr : expr(final->second);
    } else if (phi->getType()->isIntegerTy() && bits <= 64) {
      r = chosen(*phi, env.dt.getNode(phi->getParent())->getIDom()->getBlock(),
                 [&](Value *x) { return value(x); });
    }
  } else {
    r = bodyValue(i, bits);
    if (graph[r].op == Op::Opaque)
      r = NoExpr;
  }
  --depth;
  if (r != NoExpr)
    return r;
  row.failed = true;
  return graph.opaque(bits);
}

/// A value in front of the nest. In a row, comparisons and sums are told apart, so
/// that they can be compared with those inside it.
ExprId Reader::frontValue(Value *v, unsigned bits) {
  auto *i = dyn_cast<Instruction>(v);
  if (!binding.row || !i || !i->getType()->isIntegerTy() || bits > 64 || depth > 64)
    return invariantValue(v, bits);
  ExprId r = NoExpr;
  ++depth;
  if (isa<ICmpInst>(i) && i->getOperand(0)->getType()->isIntegerTy()) {
    r = compareValue(i);
  } else if (bits == 1 && isa<BinaryOperator>(i)) {
    r = bodyValue(i, bits);
  } else if (env.se.isSCEVable(i->getType())) {
    const SCEV *s = env.se.getSCEV(i);
    r = isa<SCEVUnknown>(s) ? NoExpr : expr(s);
  }
  --depth;
  return r == NoExpr || graph[r].op == Op::Opaque ? invariantValue(v, bits) : r;
}

/// A pointer, as an offset from one that is there in front of the row.
bool Reader::rowPointer(const SCEV *s, uint32_t &base, ExprId &offset) {
  // Of a loop in front, what it leaves.
  s = env.se.getSCEVAtScope(s, env.li.getLoopFor(binding.row->entry));
  const auto *u = dyn_cast<SCEVUnknown>(env.se.getPointerBase(s));
  if (!u || !s->getType()->isPointerTy())
    return false;
  ExprId rest = expr(env.se.removePointerBase(s));
  if (rest == NoExpr || graph.width(rest) != ptrBits)
    return false;
  if (!inRow(u->getValue())) {
    base = baseOf(u->getValue());
    offset = rest;
    return true;
  }
  if (!rowPointerAt(u->getValue(), base, offset))
    return false;
  offset = graph.add(offset, rest);
  return true;
}

/// The same of a value: scalar evolution would look through a loop's phi.
bool Reader::rowPointerAt(Value *v, uint32_t &base, ExprId &offset) {
  auto *phi = dyn_cast<PHINode>(v);
  if (!inRow(v) || !phi)
    return !inNest(v) && (inRow(v) ? env.se.getSCEV(v) != env.se.getUnknown(v) : true) &&
           rowPointer(env.se.getSCEV(v), base, offset);
  if (depth > 64 || binding.row->unitOf(phi->getParent()))
    return false;
  ++depth;
  bool ok = true;
  if (unitBefore(*binding.row, *phi)) {
    auto final = binding.row->behind.find(phi);
    ok = final != binding.row->behind.end() && rowPointer(final->second, base, offset);
  } else {
    BasicBlock *top = env.dt.getNode(phi->getParent())->getIDom()->getBlock();
    offset = chosenPointer(*phi, top, base);
    ok = offset != NoExpr;
  }
  --depth;
  return ok;
}

/// Pointers from one base, chosen by the way that control came.
ExprId Reader::chosenPointer(PHINode &phi, BasicBlock *top, uint32_t &base) {
  bool first = true;
  return chosen(phi, top, [&](Value *x) {
    uint32_t b;
    ExprId at;
    if (!rowPointerAt(x, b, at) || (!first && b != base))
      return NoExpr;
    base = b;
    first = false;
    return at;
  });
}

/// What is behind the row's exit known as `v`.
ExprId Reader::behindRow(Instruction &v) {
  unsigned bits = unsigned(env.dl.getTypeSizeInBits(v.getType()).getFixedValue());
  auto *phi = dyn_cast<PHINode>(&v);
  if (!phi || phi->getParent() != binding.row->exit)
    return rowValue(&v, bits);
  uint32_t base = 0;
  if (!v.getType()->isPointerTy())
    return chosen(*phi, binding.row->entry, [&](Value *x) { return value(x); });
  ExprId r = chosenPointer(*phi, binding.row->entry, base);
  return r == NoExpr ? r : graph.add(graph.leaf(Op::BaseAddr, base, ptrBits), r);
}

} // namespace memlift
