// alias.cpp - asks LLVM's alias analysis about whole objects, not single accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A query about two addresses of one iteration proves nothing about other iterations. So the
// pointers of a query are the bases, which do not change in the nest, with any offset. Type tags
// hold for all iterations. Scopes that are declared inside the nest (a restrict parameter of a
// function inlined there) hold for one iteration each, and are left out.
#include "prove/alias.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {
namespace {

bool declaresScope(const LoopBinding &binding) {
  for (const BasicBlock *block : binding.nest.front()->blocks())
    for (const Instruction &i : *block)
      if (isa<NoAliasScopeDeclInst>(i))
        return true;
  return false;
}

bool areDisjoint(Env &env, Value *a, const AAMDNodes &tagsA, Value *b, const AAMDNodes &tagsB) {
  return env.aa.isNoAlias(MemoryLocation(a, LocationSize::beforeOrAfterPointer(), tagsA),
                          MemoryLocation(b, LocationSize::beforeOrAfterPointer(), tagsB));
}

bool isRestrict(const Value *v) {
  const auto *a = dyn_cast<Argument>(getUnderlyingObject(v));
  return a && a->hasNoAliasAttr();
}

/// The first and weakest analysis that suffices gives the evidence.
bool prove(Env &env, Value *a, AAMDNodes tagsA, Value *b, AAMDNodes tagsB, std::string &evidence) {
  if (areDisjoint(env, a, AAMDNodes(), b, AAMDNodes())) {
    evidence = isRestrict(a) || isRestrict(b) ? "restrict" : "distinct objects";
    return true;
  }
  AAMDNodes typesA, typesB;
  typesA.TBAA = tagsA.TBAA;
  typesB.TBAA = tagsB.TBAA;
  if (areDisjoint(env, a, typesA, b, typesB)) {
    evidence = "TBAA";
    return true;
  }
  evidence = "restrict";
  return areDisjoint(env, a, tagsA, b, tagsB);
}

AAMDNodes tagsOf(const Instruction &i, bool withScopes) {
  AAMDNodes tags;
  if (!isa<LoadInst>(i) && !isa<StoreInst>(i))
    return tags;
  tags = i.getAAMetadata();
  if (!withScopes)
    tags.Scope = tags.NoAlias = nullptr;
  return tags;
}

} // namespace

bool basesDisjoint(Env &env, Value *a, Value *b) {
  return areDisjoint(env, a, AAMDNodes(), b, AAMDNodes());
}

void proveAliases(Env &env, LoopBinding &binding) {
  const std::vector<Access> &list = binding.loop.accesses;
  if (list.size() > 32) // n^2 queries for n accesses; no loop that large is lowered
    return;
  bool withScopes = !declaresScope(binding);
  // A walk at computed addresses stays in the object of its base, if that is no value of the loop.
  bool asked = env.f.hasFnAttribute(StreamAttribute);
  auto isPlaced = [&](const Access &access) {
    const auto *base = dyn_cast<Instruction>(binding.bases[access.base]);
    return access.affine || (asked && !(base && binding.nest.front()->contains(base)));
  };
  for (uint32_t a = 0; a < list.size(); ++a)
    for (uint32_t b = a + 1; b < list.size(); ++b) {
      if (!isPlaced(list[a]) || !isPlaced(list[b]) || list[a].base == list[b].base ||
          !(list[a].store || list[b].store) || binding.throughIntegers[list[a].base] ||
          binding.throughIntegers[list[b].base])
        continue;
      std::string evidence;
      if (prove(env, binding.bases[list[a].base], tagsOf(*binding.accesses[a], withScopes),
                binding.bases[list[b].base], tagsOf(*binding.accesses[b], withScopes), evidence))
        binding.loop.aliases.push_back({a, b, AliasKind::None, evidence});
    }
}

} // namespace memlift
