// chainread.cpp - reads the loop models of a chain's links, and the values that it leaves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../prove/prove.h"
#include "../../idioms/decide/chain.h"
#include "chain.h"

namespace memlift {

/// Names the values that the link leaves: symbols for carried values, known expressions for the
/// others.
static void nameAfter(size_t stage, LoopBinding &binding) {
  for (auto &[name, value] : binding.finals)
    binding.chain->after[name] = value;
  for (uint32_t i = 0; i < binding.liveOuts.size(); ++i) {
    int rec = binding.loop.liveOuts[i].rec;
    if (rec < 0)
      continue;
    Symbol s{binding.loop.liveOuts[i].name + ".after", binding.loop.recs[size_t(rec)].width};
    for (const Symbol &other : binding.loop.syms)
      if (other.name == s.name)
        s.name += std::to_string(stage);
    s.stage = int(stage);
    s.liveOut = i;
    binding.chain->after[binding.liveOuts[i]] =
        binding.loop.exprs.leaf(Op::Sym, binding.loop.syms.size(), s.width);
    binding.loop.syms.push_back(s);
    binding.syms.push_back(NULL_TREE); // never written
  }
}

static bool overlap(const LoopBinding &a, const LoopBinding &b) {
  for (const Access &x : a.loop.accesses)
    for (const Access &y : b.loop.accesses)
      if (x.store != y.store &&
          (x.base == y.base || !basesDisjoint(a.bases[x.base], a.bases[y.base])))
        return true;
  return false;
}

/// Returns whether neither this link nor a preceding one loads an object that the other stores to.
static bool isDisjoint(const LoopChain &chain, const LoopBinding &binding) {
  for (const LoopBinding &other : chain.bindings)
    if (overlap(binding, other))
      return false;
  return true;
}

static bool usedAfter(const LoopChain &chain, tree name) {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, name) {
    gimple *user = USE_STMT(use);
    if (!is_gimple_debug(user) && !chain.blocks.count(gimple_bb(user)) &&
        !(gimple_code(user) == GIMPLE_PHI && gimple_bb(user) == chain.exit))
      return true;
  }
  return false;
}

/// Collects the values of the chain that are used after it: its exit's PHIs, and names of its own
/// blocks. Values of the loops go through PHIs.
static bool collectFinals(LoopChain &chain) {
  for (gphi_iterator psi = gsi_start_phis(chain.exit); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())))
      chain.finals.push_back(gimple_phi_result(psi.phi()));
  auto add = [&](tree name) {
    if (name && TREE_CODE(name) == SSA_NAME && !virtual_operand_p(name) && usedAfter(chain, name))
      chain.finals.push_back(name);
  };
  for (basic_block bb : chain.blocks) {
    bool inLoop = chain.linkOf(bb);
    size_t before = chain.finals.size();
    for (gphi_iterator psi = gsi_start_phis(bb); !gsi_end_p(psi); gsi_next(&psi))
      add(gimple_phi_result(psi.phi()));
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      add(gimple_get_lhs(gsi_stmt(gsi)));
    if (inLoop && chain.finals.size() != before)
      return false;
  }
  return true;
}

static bool readFinals(Translator &t, LoopBinding &binding) {
  if (!collectFinals(*binding.chain))
    return false;
  for (tree name : binding.chain->finals) {
    ExprId v = isScalar(TREE_TYPE(name)) ? t.value(name) : NoExpr;
    if (v == NoExpr || !binding.loop.exprs.isInvariant(v))
      return false;
    binding.loop.finals.push_back({"", v});
  }
  return true;
}

bool readChain(LoopChain &chain) {
  chain.bindings.reserve(chain.links.size());
  for (size_t k = 0; k < chain.links.size(); ++k) {
    LoopBinding binding;
    const ChainLink &link = chain.links[k];
    if (k) {
      const LoopBinding &before = chain.bindings.back();
      binding.loop.exprs = before.loop.exprs;
      binding.loop.syms = before.loop.syms;
      binding.loop.bases = before.loop.bases;
      binding.bases = before.bases;
      binding.syms = before.syms;
      binding.loop.follows = true;
    }
    binding.chain = &chain;
    Nest nest;
    if (link.loop) {
      nest = nestAround(link.loop, 1);
      if (!nest.exit)
        return false;
      readNest(nest, binding);
    } else if (!readStatement(link.call, binding)) {
      return false;
    }
    if (chain.failed || !binding.loop.obstacles.empty())
      return false;
    Translator t(binding, nullptr);
    t.at(chain.exit);
    runsOnlyIf(binding.loop, t.reached(chain.entry, link.front(), 16));
    nameAfter(k, binding);
    binding.loop.disjoint = k && isDisjoint(chain, binding);
    if (k + 1 == chain.links.size() && !readFinals(t, binding))
      return false;
    if (chain.failed)
      return false;
    chain.bindings.push_back(std::move(binding));
  }
  return true;
}

} // namespace memlift
