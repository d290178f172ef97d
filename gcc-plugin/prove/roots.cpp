// roots.cpp - what a pointer is computed from: parameters of the function, and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC's points-to sets forget restrict where a pointer passes through an integer, as those of loops
// inside other loops do from its induction variable optimisation on. What restrict promises is a
// matter of what an address is computed from, though, whichever way.
#include "prove.h"

namespace memlift {
namespace {

class Roots {
public:
  /// False if it depends on what cannot be followed.
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

/// What is added to a pointer does not lead to another object, unless it has been computed from a
/// pointer to that; whatever else it is, it stays in the first pointer's.
bool Roots::ofName(tree name, bool isOffset) {
  gimple *def = SSA_NAME_DEF_STMT(name);
  if (SSA_NAME_IS_DEFAULT_DEF(name)) {
    if (!SSA_NAME_VAR(name) || TREE_CODE(SSA_NAME_VAR(name)) != PARM_DECL)
      return false;
    if (POINTER_TYPE_P(TREE_TYPE(name)))
      found.insert(name);
    return true; // a number that a caller gives changes with no pointer of this function
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

/// A parameter of this function that is declared restrict.
bool isRestrict(tree root) {
  return TREE_CODE(root) == SSA_NAME && TYPE_RESTRICT(TREE_TYPE(SSA_NAME_VAR(root)));
}

} // namespace

/// What one restrict parameter leads to and the function changes is reached by nothing that is
/// computed from others.
bool rootsApart(const std::vector<tree> &a, const std::vector<tree> &b) {
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
