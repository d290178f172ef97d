// alias.cpp - proves which accesses of a nest never overlap in any two iterations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two proofs are used. Points-to sets are of whole objects and flow-insensitive, so they hold
// across iterations. GCC keeps restrict as numbers on references. They hold for the whole nest only
// if they come from this function's own parameters, or from a function that was inlined around the
// nest: one inlined inside the loop promises disjointness for one call, that is, for one iteration
// only.
//
// Types (TBAA) prove nothing here: a load may precede a store of another type
// to the same place, and a copy has to keep that order.
#include "prove.h"

namespace memlift {

static tree memRefOf(tree ref) {
  while (ref && handled_component_p(ref))
    ref = TREE_OPERAND(ref, 0);
  return ref && TREE_CODE(ref) == MEM_REF ? ref : NULL_TREE;
}

static bool disjointByRestrict(const Nest &nest, tree a, tree b) {
  a = memRefOf(a);
  b = memRefOf(b);
  if (!a || !b)
    return false;
  unsigned short clique = MR_DEPENDENCE_CLIQUE(a);
  bool whole = clique == 1 || (clique && clique == nest.outer()->owned_clique);
  return whole && clique == MR_DEPENDENCE_CLIQUE(b) &&
         MR_DEPENDENCE_BASE(a) != MR_DEPENDENCE_BASE(b);
}

static bool disjointByObject(tree a, tree b, std::string &evidence) {
  if (ptr_derefs_may_alias_p(a, b))
    return false;
  bool objects = TREE_CODE(a) == ADDR_EXPR && TREE_CODE(b) == ADDR_EXPR;
  evidence = objects ? "distinct objects" : "points-to sets";
  return true;
}

bool basesDisjoint(tree a, tree b) {
  std::string evidence;
  return a && b && (disjointByObject(a, b, evidence) || rootsDisjoint({a}, {b}));
}

void proveAliases(const Nest &nest, LoopBinding &binding) {
  const std::vector<Access> &all = binding.loop.accesses;
  for (uint32_t s = 0; s < all.size(); ++s)
    for (uint32_t o = 0; all[s].store && o < all.size(); ++o) {
      if (all[o].base == all[s].base || (all[o].store && o < s) || !all[s].affine || !all[o].affine)
        continue;
      std::string evidence = "restrict";
      if (disjointByRestrict(nest, binding.refs[s], binding.refs[o]) ||
          disjointByObject(binding.bases[all[s].base], binding.bases[all[o].base], evidence))
        binding.loop.aliases.push_back({s, o, AliasKind::None, evidence});
    }
}

} // namespace memlift
