// chain.cpp - finds which links make a chain, and its values as seen from its entry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/chain.h"

#include "prove/alias.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns whether the statement only computes.
bool isQuiet(const Instruction &i) {
  if (i.isDebugOrPseudoInst() || isa<PHINode>(i) || isa<BranchInst>(i))
    return true;
  return !i.isTerminator() && !i.mayHaveSideEffects() && !i.mayReadFromMemory() &&
         !isa<AllocaInst>(i) && !i.isEHPad();
}

bool isUnitCall(const LoopChain &chain, const Instruction &i) {
  for (const ChainLink &u : chain.links)
    if (u.call == &i)
      return true;
  return false;
}

/// Collects the blocks from `entry` to `exit`. Returns false if they are left or entered elsewhere.
bool collect(Env &env, LoopChain &chain) {
  SmallVector<BasicBlock *, 8> work(successors(chain.entry));
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (block == chain.exit || !chain.blocks.insert(block).second)
      continue;
    if (block == chain.entry || !env.dt.dominates(chain.entry, block) || chain.blocks.size() > 64)
      return false;
    work.append(succ_begin(block), succ_end(block));
  }
  return !chain.blocks.empty();
}

/// Returns whether the block is the last loop's own exit with phis for its live-outs: then it is
/// part of the chain, as between two loops.
bool namesResults(const LoopChain &chain, const BasicBlock &exit) {
  if (exit.phis().empty())
    return false;
  for (const ChainLink &u : chain.links)
    if (u.loop && u.loop->getExitBlock() == &exit)
      return true;
  return false;
}

/// Returns the block where the chain ends: after the exit of its last loop if that has a block
/// alone.
BasicBlock *endOf(const LoopChain &chain, BasicBlock *exit) {
  BasicBlock *next = exit ? exit->getSingleSuccessor() : nullptr;
  bool bare = next && &*exit->getFirstNonPHIIt() == exit->getTerminator();
  return bare && namesResults(chain, *exit) ? next : exit;
}

} // namespace

bool findChain(Env &env, const PostDominatorTree &pdt, LoopChain &chain) {
  chain.pdt = &pdt;
  llvm::Loop *parent = env.li.getLoopFor(chain.links.front().front());
  BasicBlock *exit = nullptr, *entry = nullptr;
  for (const ChainLink &u : chain.links) {
    BasicBlock *front = u.front(), *last = u.loop ? u.loop->getExitBlock() : front;
    // A call's own block belongs to the chain; a preheader need not.
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
  exit = endOf(chain, exit);
  if (!exit || env.li.getLoopFor(entry) != parent || env.li.getLoopFor(exit) != parent ||
      !isa<BranchInst>(entry->getTerminator()))
    return false;
  chain.entry = entry;
  chain.exit = exit;
  if (!collect(env, chain))
    return false;
  for (BasicBlock *block : chain.blocks) {
    if (chain.linkOf(block))
      continue;
    if (env.li.getLoopFor(block) != parent || block->hasAddressTaken())
      return false;
    for (Instruction &i : *block)
      if (!isQuiet(i) && !isUnitCall(chain, i))
        return false;
  }
  for (const ChainLink &u : chain.links)
    if (!chain.blocks.count(u.loop ? u.loop->getHeader() : u.front()))
      return false;
  return true;
}

void closeChain(Env &env, LoopChain &chain) {
  if (namesResults(chain, *chain.exit)) {
    chain.exit = SplitBlock(chain.exit, chain.exit->getFirstNonPHIIt(), &env.dt, &env.li);
    return;
  }
  SmallVector<BasicBlock *, 4> inside;
  bool others = false;
  for (BasicBlock *pred : predecessors(chain.exit))
    if (chain.blocks.count(pred) || pred == chain.entry)
      inside.push_back(pred);
    else
      others = true;
  if (others)
    chain.exit =
        SplitBlockPredecessors(chain.exit, inside, ".memlift.chain", &env.dt, &env.li, nullptr,
                               /*PreserveLCSSA=*/true);
}

ExprId Reader::both(ExprId a, ExprId b) {
  if (graph.isConst(a, 1))
    return b;
  return graph.isConst(b, 1) ? a : graph.binary(Op::And, a, b);
}

/// Returns the condition, seen from `from`, under which the edge is taken once `from` is reached.
ExprId Reader::edgeTaken(BasicBlock *from, BasicBlock *to) {
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  ExprId always = graph.constant(1, 1);
  if (!branch || !branch->isConditional() || binding.chain->linkOf(from) ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return always;
  ExprId c = value(branch->getCondition());
  return branch->getSuccessor(0) == to ? c : graph.binary(Op::Xor, c, always);
}

/// Returns the condition under which control comes from `top` to `block`.
ExprId Reader::reached(BasicBlock *top, BasicBlock *block, unsigned budget) {
  LoopChain &chain = *binding.chain;
  ExprId always = graph.constant(1, 1);
  if (const ChainLink *u = chain.linkOf(block))
    block = u->loop->getLoopPreheader();
  if (block == top || chain.pdt->dominates(block, top))
    return always;
  if (!budget || !chain.blocks.count(block)) {
    chain.failed = true;
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

/// Returns the value of a phi as a selection among its incoming values.
ExprId Reader::chosen(PHINode &phi, BasicBlock *top, function_ref<ExprId(Value *)> each) {
  ExprId r = NoExpr;
  BasicBlock *join = phi.getParent();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    ExprId x = each(phi.getIncomingValue(i));
    BasicBlock *from = phi.getIncomingBlock(i);
    if (x == NoExpr || (r != NoExpr && graph.width(x) != graph.width(r))) {
      binding.chain->failed = true;
      return NoExpr;
    }
    r = r == NoExpr ? x : graph.select(both(reached(top, from, 16), edgeTaken(from, join)), x, r);
  }
  return r;
}

/// Returns the link whose live-out the phi is, if the phi is in one of the chain's exits.
static const ChainLink *unitBefore(const LoopChain &chain, const PHINode &phi) {
  return phi.getNumIncomingValues() == 1 ? chain.linkOf(phi.getIncomingBlock(0)) : nullptr;
}

ExprId Reader::chainValue(Value *v, unsigned bits) {
  auto *i = cast<Instruction>(v);
  LoopChain &chain = *binding.chain;
  ExprId r = NoExpr;
  auto *phi = dyn_cast<PHINode>(i);
  if (depth > 64 || chain.linkOf(i->getParent())) {
    chain.failed = true;
    return graph.opaque(bits);
  }
  ++depth;
  if (i->getType()->isPointerTy()) {
    uint32_t base;
    ExprId offset;
    if (rowPointerAt(v, base, offset))
      r = graph.add(graph.leaf(Op::BaseAddr, base, ptrBits), offset);
  } else if (phi) {
    auto state = chain.states.find(phi);
    const ChainLink *link = unitBefore(chain, *phi);
    if (state != chain.states.end())
      r = state->second;
    else if (link) {
      auto final = chain.after.find(phi);
      r = final == chain.after.end() ? NoExpr : expr(final->second);
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
  chain.failed = true;
  return graph.opaque(bits);
}

/// Returns a value before the nest. In a chain, comparisons and sums are expressed by their
/// operands, so that they can be compared with those inside it.
ExprId Reader::frontValue(Value *v, unsigned bits) {
  auto *i = dyn_cast<Instruction>(v);
  if (!binding.chain || !i || !i->getType()->isIntegerTy() || bits > 64 || depth > 64)
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

/// Returns a pointer as an offset from one that is available before the chain.
bool Reader::rowPointer(const SCEV *s, uint32_t &base, ExprId &offset) {
  // Use the value that a preceding loop leaves.
  s = env.se.getSCEVAtScope(s, env.li.getLoopFor(binding.chain->entry));
  const auto *u = dyn_cast<SCEVUnknown>(env.se.getPointerBase(s));
  if (!u || !s->getType()->isPointerTy())
    return false;
  ExprId rest = expr(env.se.removePointerBase(s));
  if (rest == NoExpr || graph.width(rest) != ptrBits)
    return false;
  if (!inChain(u->getValue())) {
    base = baseOf(u->getValue());
    offset = rest;
    return true;
  }
  if (!rowPointerAt(u->getValue(), base, offset))
    return false;
  offset = graph.add(offset, rest);
  return true;
}

/// Returns a value's pointer as an offset. Scalar evolution alone would look through a loop's phi.
bool Reader::rowPointerAt(Value *v, uint32_t &base, ExprId &offset) {
  auto *phi = dyn_cast<PHINode>(v);
  if (!inChain(v) || !phi)
    return !inNest(v) && (inChain(v) ? env.se.getSCEV(v) != env.se.getUnknown(v) : true) &&
           rowPointer(env.se.getSCEV(v), base, offset);
  if (depth > 64 || binding.chain->linkOf(phi->getParent()))
    return false;
  ++depth;
  bool ok = true;
  if (unitBefore(*binding.chain, *phi)) {
    auto final = binding.chain->after.find(phi);
    ok = final != binding.chain->after.end() && rowPointer(final->second, base, offset);
  } else {
    BasicBlock *top = env.dt.getNode(phi->getParent())->getIDom()->getBlock();
    offset = chosenPointer(*phi, top, base);
    ok = offset != NoExpr;
  }
  --depth;
  return ok;
}

/// Returns a selection among pointers from one base, by the edge that control came over.
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

/// Returns the value of `v` after the chain.
ExprId Reader::afterChain(Instruction &v) {
  unsigned bits = unsigned(env.dl.getTypeSizeInBits(v.getType()).getFixedValue());
  auto *phi = dyn_cast<PHINode>(&v);
  if (!phi || phi->getParent() != binding.chain->exit)
    return chainValue(&v, bits);
  uint32_t base = 0;
  if (!v.getType()->isPointerTy())
    return chosen(*phi, binding.chain->entry, [&](Value *x) { return value(x); });
  ExprId r = chosenPointer(*phi, binding.chain->entry, base);
  return r == NoExpr ? r : graph.add(graph.leaf(Op::BaseAddr, base, ptrBits), r);
}

} // namespace memlift
