// used.cpp - finds the bits of a value that the code after a loop looks at
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (...) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
//   return crc & 0xffff;                    the lower 16 bits alone
//
// A use that is not followed counts as one of all bits.
#include "carried.h"

namespace memlift {

constexpr unsigned deepestUse = 4, mostUses = 8;
constexpr uint64_t all = ~uint64_t(0);

static uint64_t usedBy(gimple *user, tree name, unsigned depth);

uint64_t usedBits(tree name, unsigned depth) {
  if (depth > deepestUse || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
    return all;
  uint64_t used = 0;
  unsigned uses = 0;
  use_operand_p use;
  imm_use_iterator it;
  FOR_EACH_IMM_USE_FAST(use, it, name)
  if (!is_gimple_debug(USE_STMT(use)))
    used |= ++uses > mostUses ? all : usedBy(USE_STMT(use), name, depth + 1);
  return used;
}

/// Returns the bits used through a shift by a constant, or a mask.
static uint64_t usedByConstant(gassign *user, uint64_t constant, unsigned depth) {
  tree result = gimple_assign_lhs(user), name = gimple_assign_rhs1(user);
  unsigned width = TYPE_PRECISION(TREE_TYPE(name));
  uint64_t of = usedBits(result, depth) & maskOf(width);
  switch (gimple_assign_rhs_code(user)) {
  case BIT_AND_EXPR: return of & constant;
  case BIT_IOR_EXPR: return of & ~constant;
  case BIT_XOR_EXPR: return of;
  case LSHIFT_EXPR: return constant < width ? of >> constant : all;
  case RSHIFT_EXPR:
    return constant < width && TYPE_UNSIGNED(TREE_TYPE(name)) ? of << constant : all;
  default: return all;
  }
}

static uint64_t usedBy(gimple *user, tree name, unsigned depth) {
  if (gphi *phi = dyn_cast<gphi *>(user))
    return usedBits(gimple_phi_result(phi), depth);
  gassign *assign = dyn_cast<gassign *>(user);
  tree result = assign ? gimple_assign_lhs(assign) : NULL_TREE;
  if (!result || TREE_CODE(result) != SSA_NAME || !INTEGRAL_TYPE_P(TREE_TYPE(result)) ||
      !INTEGRAL_TYPE_P(TREE_TYPE(name)) || TYPE_PRECISION(TREE_TYPE(result)) > 64)
    return all;
  tree_code code = gimple_assign_rhs_code(assign);
  unsigned from = TYPE_PRECISION(TREE_TYPE(name)), to = TYPE_PRECISION(TREE_TYPE(result));
  if (CONVERT_EXPR_CODE_P(code) && TREE_CODE(TREE_TYPE(result)) != BOOLEAN_TYPE) {
    bool plain = to <= from || TYPE_UNSIGNED(TREE_TYPE(name));
    return plain ? usedBits(result, depth) & maskOf(to) : all;
  }
  if (code == SSA_NAME || code == BIT_NOT_EXPR)
    return usedBits(result, depth);
  tree other =
      gimple_assign_rhs_class(assign) == GIMPLE_BINARY_RHS ? gimple_assign_rhs2(assign) : NULL_TREE;
  if (other && gimple_assign_rhs1(assign) == name && TREE_CODE(other) == INTEGER_CST &&
      TYPE_PRECISION(TREE_TYPE(other)) <= 64)
    return usedByConstant(assign, TREE_INT_CST_LOW(other), depth);
  return code == BIT_XOR_EXPR ? usedBits(result, depth) : all;
}

} // namespace memlift
