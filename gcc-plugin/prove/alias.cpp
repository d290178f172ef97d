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

/// Returns a pointer to the object of a reference at a computed address; null if there is none.
static tree pointerOf(tree ref) {
  tree object = ref ? get_base_address(ref) : NULL_TREE;
  if (!object)
    return NULL_TREE;
  if (TREE_CODE(object) == MEM_REF)
    return TREE_OPERAND(object, 0);
  return DECL_P(object) ? build_fold_addr_expr(object) : NULL_TREE;
}

/// Proves, for loops that are to be cut into blocks, which accesses at computed addresses stay
/// apart from others. Points-to sets hold for all values that a pointer has.
static void proveScattered(const Nest &nest, LoopBinding &binding) {
  const std::vector<Access> &all = binding.loop.accesses;
  for (uint32_t a = 0; a < all.size(); ++a)
    for (uint32_t b = 0; b < all.size(); ++b) {
      if (all[a].affine || (!all[b].affine && b <= a) || !(all[a].store || all[b].store))
        continue;
      std::string evidence = "restrict";
      tree p = pointerOf(binding.refs[a]), q = pointerOf(binding.refs[b]);
      if (disjointByRestrict(nest, binding.refs[a], binding.refs[b]) ||
          (p && q && disjointByObject(p, q, evidence)))
        binding.loop.aliases.push_back({a, b, AliasKind::None, evidence});
    }
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
  if (binding.loop.function.stream)
    proveScattered(nest, binding);
}

} // namespace memlift
