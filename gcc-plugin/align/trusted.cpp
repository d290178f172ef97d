// trusted.cpp - alignment by declarations, in GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trusted.h"

#include "../options.h"
#include "builtin.h"

#include <algorithm>
#include <set>

namespace memlift {

/// Returns the pointer type that a name's value is declared with; NULL_TREE if there is none. The
/// name is an argument, a function's result, a field, or a variable of static storage or an element
/// of one that is read. A local variable holds the value that it was given.
static tree declaredType(tree t) {
  if (TREE_CODE(t) != SSA_NAME)
    return NULL_TREE;
  if (SSA_NAME_IS_DEFAULT_DEF(t)) {
    tree p = SSA_NAME_VAR(t); // GCC makes arguments of its own, too
    return p && TREE_CODE(p) == PARM_DECL && !DECL_ARTIFICIAL(p) ? TREE_TYPE(p) : NULL_TREE;
  }
  gimple *def = SSA_NAME_DEF_STMT(t);
  if (gcall *call = dyn_cast<gcall *>(def)) {
    tree callee = gimple_call_fndecl(call);
    bool built = callee && fndecl_built_in_p(callee);
    return gimple_call_internal_p(call) || built ? NULL_TREE : gimple_call_return_type(call);
  }
  if (!gimple_assign_load_p(def))
    return NULL_TREE;
  tree ref = gimple_assign_rhs1(def);
  while (TREE_CODE(ref) == ARRAY_REF)
    ref = TREE_OPERAND(ref, 0);
  if (TREE_CODE(ref) == COMPONENT_REF)
    ref = TREE_OPERAND(ref, 1);
  bool fixed = TREE_CODE(ref) == FIELD_DECL || (VAR_P(ref) && is_global_var(ref));
  return fixed && !DECL_ARTIFICIAL(ref) ? strip_array_types(TREE_TYPE(ref)) : NULL_TREE;
}

/// Returns the alignment bits that a pointer's type promises.
static unsigned bitsOfType(tree type) {
  if (!type || !POINTER_TYPE_P(type))
    return 0;
  tree to = TREE_TYPE(type);
  if (!COMPLETE_TYPE_P(to) || VOID_TYPE_P(to) || TREE_CODE(to) == FUNCTION_TYPE)
    return 0;
  return unsigned(floor_log2(std::max(min_align_of_type(to), 1u)));
}

unsigned trustedBits(tree t) {
  return pluginOptions.trustTypes && POINTER_TYPE_P(TREE_TYPE(t)) ? bitsOfType(declaredType(t)) : 0;
}

/// Bits of a null pointer, and of a value already visited.
constexpr unsigned AnyBits = 63;

static unsigned convertedBits(tree t, std::set<tree> &seen);

static bool isVoidPointer(tree type) {
  return type && POINTER_TYPE_P(type) && VOID_TYPE_P(TREE_TYPE(type));
}

/// Returns the type of the value that a statement assigns to its name.
static tree givenType(gimple *def) {
  if (gcall *call = dyn_cast<gcall *>(def)) {
    tree callee = gimple_call_fndecl(call);
    bool built = callee && fndecl_built_in_p(callee);
    return gimple_call_internal_p(call) || built ? NULL_TREE : gimple_call_return_type(call);
  }
  bool single = gimple_assign_single_p(def) || gimple_assign_cast_p(def);
  return single ? TREE_TYPE(gimple_assign_rhs1(def)) : NULL_TREE;
}

/// Returns the alignment bits of an address that is another one plus a constant.
static unsigned bitsOfObject(tree object, std::set<tree> &seen) {
  poly_int64 offset;
  tree base = get_addr_base_and_unit_offset(object, &offset);
  HOST_WIDE_INT bytes;
  if (!base || !offset.is_constant(&bytes) || TREE_CODE(base) != MEM_REF)
    return 0;
  unsigned at = bytes ? unsigned(ctz_hwi(bytes)) : AnyBits;
  tree added = TREE_OPERAND(base, 1);
  if (!tree_fits_shwi_p(added))
    return 0;
  if (tree_to_shwi(added))
    at = std::min(at, unsigned(ctz_hwi(tree_to_shwi(added))));
  return std::min(at, convertedBits(TREE_OPERAND(base, 0), seen));
}

static unsigned bitsOfDefinition(tree t, gimple *def, std::set<tree> &seen) {
  if (gphi *phi = dyn_cast<gphi *>(def)) {
    unsigned least = AnyBits;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
      least = std::min(least, convertedBits(gimple_phi_arg_def(phi, i), seen));
    return least;
  }
  if (isVoidPointer(givenType(def)) && !isVoidPointer(TREE_TYPE(t)))
    return bitsOfType(TREE_TYPE(t));
  if (!is_gimple_assign(def) || gimple_assign_load_p(def))
    return trustedBits(t);
  tree first = gimple_assign_rhs1(def);
  switch (gimple_assign_rhs_code(def)) {
  case INTEGER_CST:
  case SSA_NAME:
  CASE_CONVERT:
    return POINTER_TYPE_P(TREE_TYPE(first)) ? convertedBits(first, seen) : 0;
  case ADDR_EXPR: return bitsOfObject(TREE_OPERAND(first, 0), seen);
  case POINTER_PLUS_EXPR: {
    tree by = gimple_assign_rhs2(def);
    int even = TREE_CODE(by) == INTEGER_CST ? int(tree_ctz(by)) : 0;
    return std::min(unsigned(even), convertedBits(first, seen));
  }
  default: return trustedBits(t);
  }
}

/// Returns the least zero bits of all values that `t` is made of.
static unsigned convertedBits(tree t, std::set<tree> &seen) {
  if (TREE_CODE(t) == INTEGER_CST)
    return integer_zerop(t) ? AnyBits : 0;
  if (TREE_CODE(t) == ADDR_EXPR)
    return bitsOfObject(TREE_OPERAND(t, 0), seen);
  if (TREE_CODE(t) != SSA_NAME || !POINTER_TYPE_P(TREE_TYPE(t)))
    return 0;
  if (!seen.insert(t).second)
    return AnyBits;
  return SSA_NAME_IS_DEFAULT_DEF(t) ? trustedBits(t)
                                    : bitsOfDefinition(t, SSA_NAME_DEF_STMT(t), seen);
}

static void wrapArgument(gimple_stmt_iterator *at, gcall *call, unsigned i, unsigned bits) {
  tree pointer = gimple_call_arg(call, i);
  gcall *assume = gimple_build_call(builtin_decl_implicit(BUILT_IN_ASSUME_ALIGNED), 2, pointer,
                                    size_int(HOST_WIDE_INT_1U << bits));
  tree aligned = make_ssa_name(TREE_TYPE(pointer));
  gimple_call_set_lhs(assume, aligned);
  gimple_set_location(assume, gimple_location(call));
  gsi_insert_before(at, assume, GSI_SAME_STMT);
  gimple_call_set_arg(call, i, aligned);
  update_stmt(call);
}

unsigned wrapConverted() {
  if (!builtin_decl_implicit(BUILT_IN_ASSUME_ALIGNED))
    return 0;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
    for (unsigned i = 0; call && i < 2; i++) {
      if (!asksAlignmentOf(call, i) || TREE_CODE(gimple_call_arg(call, i)) != SSA_NAME)
        continue;
      std::set<tree> seen;
      unsigned bits = convertedBits(gimple_call_arg(call, i), seen);
      if (bits > 0 && bits <= 12) // a larger number means null, or no value at all
        wrapArgument(&gsi, call, i, bits);
    }
  }
  return 0;
}

} // namespace memlift
