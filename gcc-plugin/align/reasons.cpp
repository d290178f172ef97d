// reasons.cpp - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../compat.h"
#include "reasons.h"
#include "../read/translate.h"

namespace memlift {

using Evidence = AlignEvidence::Kind;

std::string sourcePlace(gimple *stmt) {
  expanded_location at = expand_location(gimple_location(stmt));
  return at.file && at.line ? std::string(at.file) + ":" + std::to_string(at.line) : "";
}

static std::string plusBytes(const std::string &name, HOST_WIDE_INT off) {
  if (name.empty() || off == 0)
    return name;
  return name + (off < 0 ? " - " : " + ") + std::to_string(off < 0 ? -off : off);
}

/// Returns "buf" or "buf + 2"; empty for a pointer without a name.
static std::string pointerName(tree t) {
  poly_int64 at;
  HOST_WIDE_INT off = 0;
  if (TREE_CODE(t) == INTEGER_CST)
    return integer_zerop(t) ? "0" : "";
  if (TREE_CODE(t) == ADDR_EXPR) {
    tree base = get_addr_base_and_unit_offset(TREE_OPERAND(t, 0), &at);
    return base && at.is_constant(&off) ? plusBytes(declName(base), off) : "";
  }
  if (TREE_CODE(t) != SSA_NAME)
    return declName(t);
  gimple *def = SSA_NAME_DEF_STMT(t);
  if (is_gimple_assign(def) && gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR &&
      tree_fits_shwi_p(gimple_assign_rhs2(def)))
    return plusBytes(pointerName(gimple_assign_rhs1(def)), tree_to_shwi(gimple_assign_rhs2(def)));
  if (!SSA_NAME_IS_DEFAULT_DEF(t) || !SSA_NAME_VAR(t) || !DECL_CONTEXT(SSA_NAME_VAR(t)))
    return "";
  return declName(SSA_NAME_VAR(t)) + " of " + declName(DECL_CONTEXT(SSA_NAME_VAR(t)));
}

/// Describes a name by the statement that defines it.
static AlignEvidence nameEvidence(tree name, bool isHeld) {
  AlignEvidence g;
  g.name = pointerName(name);
  gimple *def = SSA_NAME_DEF_STMT(name);
  if (SSA_NAME_IS_DEFAULT_DEF(name)) {
    g.kind = isHeld ? Evidence::Callers : Evidence::Argument;
    return g;
  }
  g.where = sourcePlace(def);
  if (is_gimple_call(def)) {
    g.kind = isHeld ? Evidence::Returned : Evidence::Result;
    g.name = gimple_call_fndecl(def) ? declName(gimple_call_fndecl(def)) : "";
  } else if (gimple_assign_load_p(def)) {
    g.kind = isHeld ? Evidence::Stored : Evidence::Loaded;
    tree address = build_fold_addr_expr(unshare_expr(gimple_assign_rhs1(def)));
    g.name = pointerName(address);
  }
  return g;
}

static AlignEvidence heldEvidence(tree name, const KnownEverywhere &known) {
  const KnownEverywhere::Assignment *worst = nullptr;
  AlignEvidence g = nameEvidence(name, known.holds(name, worst));
  if (worst) {
    g.put = pointerName(worst->value);
    g.putAt = sourcePlace(worst->at);
  }
  return g;
}

/// Remembered reasons, by the number of the argument's declaration.
static std::map<unsigned, AlignEvidence> &remembered() {
  static std::map<unsigned, AlignEvidence> all;
  return all;
}

static AlignEvidence evidenceOf(const AlignFact &fact, const KnownEverywhere *known) {
  AlignEvidence g;
  if (fact.kind != AlignFact::Kind::Value) {
    auto *stmt = static_cast<gimple *>(const_cast<void *>(fact.what));
    g.where = sourcePlace(stmt);
    g.kind = fact.kind == AlignFact::Kind::Test         ? Evidence::Test
             : fact.kind == AlignFact::Kind::Assumption ? Evidence::Assumption
                                                        : Evidence::Steps;
    return g;
  }
  tree t = static_cast<tree>(const_cast<void *>(fact.what));
  if (TREE_CODE(t) != SSA_NAME) {
    g.kind = Evidence::Object;
    g.name = declName(t);
    return g;
  }
  if (!known && SSA_NAME_IS_DEFAULT_DEF(t) && SSA_NAME_VAR(t)) {
    auto old = remembered().find(DECL_UID(SSA_NAME_VAR(t)));
    if (old != remembered().end())
      return old->second;
  }
  return known ? heldEvidence(t, *known) : nameEvidence(t, false);
}

void remember(tree name, const KnownEverywhere &known) {
  if (SSA_NAME_IS_DEFAULT_DEF(name))
    remembered()[DECL_UID(SSA_NAME_VAR(name))] = heldEvidence(name, known);
}

std::string reasonOf(const AlignProof &how, const KnownEverywhere *known) {
  std::vector<AlignEvidence> evidence;
  for (const AlignFact &fact : how.facts)
    evidence.push_back(evidenceOf(fact, known));
  return how.broken ? whyNotAligned(evidence) : whyAligned(evidence);
}

} // namespace memlift
