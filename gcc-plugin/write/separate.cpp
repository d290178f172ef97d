// separate.cpp - gives a loop beside its copy values of its own, which are in other registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that lives across a call is in a register that the function has to save.
// The blocks of a loop have calls between them, and the copy that runs without a local store has
// none. As long as both use the same value, GCC saves registers on the way to that copy, too, which
// costs some 3 ns a call. With values of their own the copy is as cheap as the loop was.
#include "emit.h"
#include "stream.h"

namespace memlift {
namespace {

class Separator {
public:
  Separator(class loop *loop, gimple *before, location_t where)
      : loop(loop), before(before), where(where) {}
  void run();

private:
  class loop *loop;
  gimple *before;
  location_t where;
  std::map<tree, tree> copies;

  bool isFromBefore(tree value) const;
  tree copyOf(tree value);
  void replace(use_operand_p use);
};

/// Returns whether a value is in one general register, and defined before the statement's block.
/// The address of a variable is none: a copy of it would escape.
bool Separator::isFromBefore(tree value) const {
  if (TREE_CODE(value) != SSA_NAME || virtual_operand_p(value) ||
      SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value))
    return false;
  tree type = TREE_TYPE(value);
  if (!POINTER_TYPE_P(type) &&
      (!INTEGRAL_TYPE_P(type) || GET_MODE_BITSIZE(SCALAR_TYPE_MODE(type)) > 64))
    return false;
  gimple *definition = SSA_NAME_DEF_STMT(value);
  basic_block from = gimple_bb(definition);
  if (is_gimple_assign(definition) && gimple_assign_rhs_code(definition) == ADDR_EXPR)
    return false;
  return from != gimple_bb(before) && !(from && flow_bb_inside_loop_p(loop, from));
}

/// Returns a copy that no pass sees through: an empty line of assembler makes it.
tree Separator::copyOf(tree value) {
  auto [known, isNew] = copies.emplace(value, NULL_TREE);
  if (!isNew)
    return known->second;
  tree copy = known->second = make_ssa_name(TREE_TYPE(value));
  auto operand = [](const char *constraint, tree v) {
    return build_tree_list(build_tree_list(NULL_TREE, build_string(strlen(constraint), constraint)),
                           v);
  };
  vec<tree, va_gc> *in = nullptr, *out = nullptr;
  vec_safe_push(in, operand("0", value));
  vec_safe_push(out, operand("=r", copy));
  gasm *stmt = gimple_build_asm_vec("", in, out, nullptr, nullptr);
  gimple_set_location(stmt, where);
  SSA_NAME_DEF_STMT(copy) = stmt;
  gimple_stmt_iterator gsi = gsi_for_stmt(before);
  gsi_insert_before(&gsi, stmt, GSI_SAME_STMT);
  return copy;
}

void Separator::replace(use_operand_p use) {
  if (isFromBefore(USE_FROM_PTR(use)))
    SET_USE(use, copyOf(USE_FROM_PTR(use)));
}

void Separator::run() {
  basic_block *body = get_loop_body(loop);
  ssa_op_iter i;
  use_operand_p use;
  for (unsigned n = 0; n < loop->num_nodes; ++n) {
    for (gphi_iterator psi = gsi_start_phis(body[n]); !gsi_end_p(psi); gsi_next(&psi))
      FOR_EACH_PHI_ARG(use, psi.phi(), i, SSA_OP_USE)
    replace(use);
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[n]); !gsi_end_p(gsi); gsi_next(&gsi)) {
      if (is_gimple_debug(gsi_stmt(gsi)))
        continue;
      FOR_EACH_SSA_USE_OPERAND(use, gsi_stmt(gsi), i, SSA_OP_USE)
      replace(use);
      update_stmt(gsi_stmt(gsi));
    }
  }
  free(body);
}

} // namespace

void separateValues(class loop *loop, gimple *before, location_t where) {
  Separator(loop, before, where).run();
}

} // namespace memlift
