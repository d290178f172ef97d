// chainread.cpp - reads the loop models of a chain's links, and the values that it leaves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/chain.h"

#include "decide/chain.h"
#include "prove/alias.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {
namespace {

/// Gives symbols to the carried values that the link leaves.
void nameStates(Reader &r, size_t stage, LoopBinding &binding) {
  for (uint32_t i = 0; i < binding.liveOuts.size(); ++i) {
    int rec = binding.loop.liveOuts[i].rec;
    if (binding.liveOuts[i].value)
      binding.chain->after[binding.liveOuts[i].phi] = binding.liveOuts[i].value;
    if (rec < 0)
      continue;
    Symbol s{binding.loop.liveOuts[i].name + ".after", binding.loop.recs[size_t(rec)].width};
    s.stage = int(stage);
    s.liveOut = i;
    binding.chain->states[binding.liveOuts[i].phi] =
        r.graph.leaf(Op::Sym, binding.loop.syms.size(), s.width);
    binding.loop.syms.push_back(s);
    binding.syms.push_back({binding.liveOuts[i].phi, nullptr});
  }
}

/// Returns whether neither this link nor a preceding one loads an object that the other stores to.
bool isDisjoint(Env &env, const LoopChain &chain, const LoopBinding &binding) {
  auto overlap = [&](const LoopBinding &a, const LoopBinding &b) {
    for (const Access &x : a.loop.accesses)
      for (const Access &y : b.loop.accesses)
        if (x.store != y.store &&
            (x.base == y.base || binding.throughIntegers[x.base] ||
             binding.throughIntegers[y.base] ||
             !basesDisjoint(env, binding.bases[x.base], binding.bases[y.base])))
          return true;
    return false;
  };
  for (const LoopBinding &other : chain.bindings)
    if (overlap(binding, other))
      return false;
  return true;
}

/// Collects the values of the chain that are used after it.
void collectFinals(LoopChain &chain) {
  for (PHINode &phi : chain.exit->phis())
    chain.finals.push_back(&phi);
  for (BasicBlock *block : chain.blocks) {
    if (chain.linkOf(block))
      continue; // closed: used through phis only
    for (Instruction &i : *block)
      for (const Use &use : i.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        bool ours =
            chain.blocks.count(user->getParent()) || (phi && phi->getParent() == chain.exit);
        if (!ours) {
          chain.finals.push_back(&i);
          break;
        }
      }
  }
}

bool readFinals(Reader &r, LoopBinding &binding) {
  collectFinals(*binding.chain);
  for (Instruction *i : binding.chain->finals) {
    Type *type = i->getType();
    if (!(type->isIntegerTy() && type->getIntegerBitWidth() <= 64) &&
        !(type->isPointerTy() && type->getPointerAddressSpace() == 0))
      return false;
    ExprId v = r.afterChain(*i);
    if (v == NoExpr || !r.graph.isInvariant(v))
      return false;
    binding.loop.finals.push_back({i->getName().str(), v});
  }
  return true;
}

} // namespace

bool readChain(Env &env, LoopChain &chain) {
  chain.bindings.reserve(chain.links.size());
  for (size_t k = 0; k < chain.links.size(); ++k) {
    LoopBinding binding;
    const ChainLink &link = chain.links[k];
    if (k) {
      const LoopBinding &before = chain.bindings.back();
      binding.loop.exprs = before.loop.exprs;
      binding.loop.syms = before.loop.syms;
      binding.loop.source = before.loop.source;
      binding.loop.bases = before.loop.bases;
      binding.bases = before.bases;
      binding.throughIntegers = before.throughIntegers;
      binding.syms = before.syms;
      binding.loop.follows = true;
    }
    binding.chain = &chain;
    link.loop ? readNest(env, link.loop, binding) : readCall(env, *link.call, binding);
    if (chain.failed || !binding.loop.obstacles.empty())
      return false;
    Reader r(env, binding);
    runsOnlyIf(binding.loop, r.reached(chain.entry, link.front(), 16));
    nameStates(r, k, binding);
    binding.loop.disjoint = k && isDisjoint(env, chain, binding);
    if (k + 1 == chain.links.size() && !readFinals(r, binding))
      return false;
    if (chain.failed)
      return false;
    chain.bindings.push_back(std::move(binding));
  }
  return true;
}

} // namespace memlift
