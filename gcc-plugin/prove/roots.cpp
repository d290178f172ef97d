// roots.cpp - finds the roots of a pointer's computation: parameters and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC's points-to sets forget restrict where a pointer passes through an integer, as its induction
// variable optimisation makes pointers of nested loops do. The promise of restrict depends only on
// the values that an address is computed from, through whatever operations.
#include "prove.h"

namespace memlift {
namespace {

class Roots {
public:
  /// Collects the roots of a value; false if an operand cannot be followed.
  bool of(tree value, bool isOffset);
  std::set<tree> found; // default definitions of parameters, and variables

private:
  bool ofName(tree name, bool isOffset);
  bool ofAssign(const gassign *def, bool isOffset);
  bool ofAddress(tree object);

  std::set<std::pair<tree, bool>> seen;
};

constexpr size_t most = 64; // values of one address

bool Roots::of(tree value, bool isOffset) {
  switch (TREE_CODE(value)) {
  case INTEGER_CST: return true;
  case ADDR_EXPR: return ofAddress(TREE_OPERAND(value, 0));
  case SSA_NAME:
    return !seen.insert({value, isOffset}).second ||
           (seen.size() < most && ofName(value, isOffset));
  default: return isOffset;
  }
}

bool Roots::ofAddress(tree object) {
  tree base = get_base_address(object);
  if (!base)
    return false;
  if (TREE_CODE(base) == MEM_REF)
    return of(TREE_OPERAND(base, 0), false);
  if (!VAR_P(base))
    return false;
  found.insert(base);
  return true;
}

/// An offset added to a pointer does not lead to another object, unless it was computed from a
/// pointer to that object. Any other sum stays in the first pointer's object.
bool Roots::ofName(tree name, bool isOffset) {
  gimple *def = SSA_NAME_DEF_STMT(name);
  if (SSA_NAME_IS_DEFAULT_DEF(name)) {
    if (!SSA_NAME_VAR(name) || TREE_CODE(SSA_NAME_VAR(name)) != PARM_DECL)
      return false;
    if (POINTER_TYPE_P(TREE_TYPE(name)))
      found.insert(name);
    return true; // an integer argument depends on no pointer of this function
  }
  if (const gphi *phi = dyn_cast<const gphi *>(def)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (!of(gimple_phi_arg_def(const_cast<gphi *>(phi), i), isOffset))
        return false;
    return true;
  }
  if (const gassign *assign = dyn_cast<const gassign *>(def))
    return ofAssign(assign, isOffset);
  return isOffset && !POINTER_TYPE_P(TREE_TYPE(name));
}

bool Roots::ofAssign(const gassign *def, bool isOffset) {
  if (gimple_vuse(def) || gimple_assign_single_p(def)) {
    tree rhs = gimple_assign_rhs1(def);
    bool memory = gimple_vuse(def) != NULL_TREE;
    return memory ? isOffset && !POINTER_TYPE_P(TREE_TYPE(rhs)) : of(rhs, isOffset);
  }
  switch (gimple_assign_rhs_code(def)) {
  case POINTER_PLUS_EXPR:
    return of(gimple_assign_rhs1(def), isOffset) && of(gimple_assign_rhs2(def), true);
  CASE_CONVERT:
  case PLUS_EXPR:
  case MINUS_EXPR:
  case MULT_EXPR:
  case NEGATE_EXPR:
  case BIT_AND_EXPR:
  case LSHIFT_EXPR:
  case RSHIFT_EXPR: break;
  default:
    if (!isOffset)
      return false;
  }
  for (unsigned i = 1; i < gimple_num_ops(def); ++i)
    if (tree op = gimple_op(def, i); op && !of(op, isOffset))
      return false;
  return true;
}

/// Returns whether the root is a parameter of this function that is declared restrict.
bool isRestrict(tree root) {
  return TREE_CODE(root) == SSA_NAME && TYPE_RESTRICT(TREE_TYPE(SSA_NAME_VAR(root)));
}

} // namespace

/// Memory reached through one restrict parameter, if the function changes it, is not reached by
/// pointers computed from other roots.
bool rootsDisjoint(const std::vector<tree> &a, const std::vector<tree> &b) {
  Roots from, to;
  for (tree v : a)
    if (!from.of(v, false))
      return false;
  for (tree v : b)
    if (!to.of(v, false))
      return false;
  for (tree x : from.found)
    for (tree y : to.found)
      if (x == y || (!isRestrict(x) && !isRestrict(y)))
        return false;
  return !from.found.empty() && !to.found.empty();
}

} // namespace memlift
