// spread.cpp - what iterations of a nest hand on, and what binds its code to its function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   header:  s = PHI <init, s2>
//            s1 = s + x             each use of s and s1 in the loop is one more addition,
//            s2 = PHI <s, s1>       a PHI or a COND_EXPR between such values
//
// Then s2 is s plus something that does not depend on s, whatever control does, and blocks of
// iterations may start from 0.
#include "spread.h"

namespace memlift {

bool isCounter(class loop *loop, gphi *phi, affine_iv &iv) {
  tree result = gimple_phi_result(phi), type = TREE_TYPE(result);
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) &&
         simple_iv(loop, loop, result, &iv, true) && iv.step &&
         !tree_contains_chrecs(iv.step, nullptr);
}

namespace {

/// `hasSign`: the operands are signed numbers.
bool kindOf(tree_code code, bool hasSign, Carry::Kind &kind) {
  switch (code) {
  case PLUS_EXPR:
  case MINUS_EXPR: kind = Carry::Add; return true;
  case BIT_XOR_EXPR: kind = Carry::Xor; return true;
  case BIT_AND_EXPR: kind = Carry::And; return true;
  case BIT_IOR_EXPR: kind = Carry::Or; return true;
  case MIN_EXPR: kind = hasSign ? Carry::SMin : Carry::UMin; return true;
  case MAX_EXPR: kind = hasSign ? Carry::SMax : Carry::UMax; return true;
  default: return false;
  }
}

/// Follows a PHI of the header through the loop.
class Follower {
public:
  Follower(class loop *loop, gphi *phi) : loop(loop), phi(phi) {}
  CarriedPhi run();

private:
  class loop *loop;
  gphi *phi;
  std::vector<tree> members;
  Carry::Kind kind = Carry::Other;

  bool isMember(tree v) const {
    return std::find(members.begin(), members.end(), v) != members.end();
  }
  tree last() const { return PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop)); }
  bool take(gimple *user);
  bool isClosed(gimple *member) const;
  bool usersFit(tree member);
  bool follow();
};

bool Follower::take(gimple *user) {
  Carry::Kind of;
  if (gimple_code(user) != GIMPLE_PHI) {
    if (!is_gimple_assign(user))
      return false;
    tree_code code = gimple_assign_rhs_code(user);
    if (kindOf(code, !TYPE_UNSIGNED(TREE_TYPE(gimple_assign_lhs(user))), of)) {
      if (kind != Carry::Other && kind != of)
        return false;
      kind = of;
    } else if (code != COND_EXPR) {
      return false;
    }
  }
  tree result = gimple_get_lhs(user);
  if (gimple_code(user) == GIMPLE_PHI)
    result = gimple_phi_result(user);
  if (!result || TREE_CODE(result) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(result))
    return false;
  if (!isMember(result))
    members.push_back(result);
  return true;
}

/// Returns whether a statement is the PHI joined with what depends on no member.
bool Follower::isClosed(gimple *member) const {
  if (member == phi)
    return isMember(last());
  if (gimple_code(member) == GIMPLE_PHI) {
    for (unsigned i = 0; i < gimple_phi_num_args(member); ++i)
      if (!isMember(gimple_phi_arg_def(member, i)))
        return false;
    return true;
  }
  tree a = gimple_assign_rhs1(member), b = gimple_assign_rhs2(member);
  if (gimple_assign_rhs_code(member) == COND_EXPR) {
    bool tested = isMember(a);
    if (COMPARISON_CLASS_P(a))
      tested = isMember(TREE_OPERAND(a, 0)) || isMember(TREE_OPERAND(a, 1));
    return !tested && isMember(b) && isMember(gimple_assign_rhs3(member));
  }
  return isMember(a) != isMember(b) &&
         (isMember(a) || gimple_assign_rhs_code(member) != MINUS_EXPR);
}

/// Returns whether each user is one more member, or gets the value after the last iteration.
bool Follower::usersFit(tree member) {
  imm_use_iterator it;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, it, member) {
    gimple *user = USE_STMT(use);
    if (is_gimple_debug(user))
      continue;
    bool inside = flow_bb_inside_loop_p(loop, gimple_bb(user));
    if (inside ? !take(user) : gimple_code(user) != GIMPLE_PHI || member != last())
      return false;
  }
  return true;
}

bool Follower::follow() {
  constexpr size_t most = 256;
  tree result = gimple_phi_result(phi), type = TREE_TYPE(result);
  if (!INTEGRAL_TYPE_P(type) || TREE_CODE(type) == BOOLEAN_TYPE || TYPE_PRECISION(type) > 64 ||
      TYPE_OVERFLOW_TRAPS(type) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(result) ||
      TYPE_PRECISION(type) != GET_MODE_BITSIZE(SCALAR_TYPE_MODE(type)))
    return false;
  members.push_back(result);
  for (size_t i = 0; i < members.size() && i < most; ++i)
    if (!usersFit(members[i]))
      return false;
  if (kind == Carry::Other || members.size() > most)
    return false;
  for (tree m : members)
    if (!isClosed(SSA_NAME_DEF_STMT(m)))
      return false;
  return true;
}

CarriedPhi Follower::run() {
  if (!follow())
    return {phi, Carry::Other, {}};
  return {phi, kind, members};
}

/// Returns what binds a part of a statement to its function or thread, or null.
tree partBound(tree *at, int *walkSubtrees, void *data) {
  tree t = *at;
  auto *why = static_cast<const char **>(static_cast<walk_stmt_info *>(data)->info);
  if (TYPE_P(t)) {
    *walkSubtrees = 0;
    return NULL_TREE;
  }
  if (TREE_CODE(t) == VAR_DECL && DECL_THREAD_LOCAL_P(t))
    *why = "uses a thread-local variable";
  else if (DECL_P(t) && auto_var_in_fn_p(t, current_function_decl))
    *why = "uses a local variable";
  else if (TREE_CODE(t) == LABEL_DECL)
    *why = "uses the address of a label";
  else if (EXPR_P(t) && variably_modified_type_p(TREE_TYPE(t), current_function_decl))
    *why = "uses an array of variable size";
  return *why ? t : NULL_TREE;
}

/// Returns whether a call computes the same from its arguments in any thread.
bool isPlainCall(const LoopBinding &binding, gimple *stmt) {
  if (binding.copies.count(stmt) || gimple_call_internal_p(stmt))
    return true;
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL) || !(gimple_call_flags(stmt) & ECF_CONST))
    return false;
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
  case BUILT_IN_RETURN_ADDRESS:
  case BUILT_IN_FRAME_ADDRESS:
  case BUILT_IN_THREAD_POINTER:
  case BUILT_IN_DWARF_CFA: return false;
  default: return true;
  }
}

const char *boundBy(const LoopBinding &binding, gimple *stmt) {
  const char *why = nullptr;
  switch (gimple_code(stmt)) {
  case GIMPLE_DEBUG:
  case GIMPLE_PREDICT:
  case GIMPLE_NOP: return nullptr;
  case GIMPLE_LABEL:
    return FORCED_LABEL(gimple_label_label(as_a<glabel *>(stmt)))
               ? "has a label whose address is used"
               : nullptr;
  case GIMPLE_COND:
  case GIMPLE_SWITCH:
  case GIMPLE_ASSIGN: break;
  case GIMPLE_CALL:
    if (!isPlainCall(binding, stmt))
      return "calls a function";
    break;
  default: return "has an operation that stays where it is";
  }
  walk_stmt_info info = {};
  info.info = &why;
  if (gimple_code(stmt) != GIMPLE_SWITCH)
    walk_gimple_op(stmt, partBound, &info);
  return why ? why : stmt_could_throw_p(cfun, stmt) ? "may throw" : nullptr;
}

/// PHIs may name the address of a variable.
const char *boundBy(gphi *phi) {
  const char *why = nullptr;
  walk_stmt_info info = {};
  info.info = &why;
  for (unsigned i = 0; i < gimple_phi_num_args(phi) && !why; ++i)
    walk_tree(gimple_phi_arg_def_ptr(phi, i), partBound, &info, nullptr);
  return why;
}

} // namespace

std::vector<CarriedPhi> carriedPhis(class loop *loop) {
  std::vector<CarriedPhi> list;
  affine_iv iv;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())) && !isCounter(loop, psi.phi(), iv))
      list.push_back(Follower(loop, psi.phi()).run());
  return list;
}

void readSpread(const Nest &nest, LoopBinding &binding) {
  class loop *loop = nest.outer();
  if (!nest.exit || !loop->latch)
    return; // other rules refuse it
  for (const CarriedPhi &c : carriedPhis(loop)) {
    tree variable = SSA_NAME_VAR(gimple_phi_result(c.phi));
    bool named = variable && DECL_NAME(variable);
    binding.loop.carries.push_back({named ? IDENTIFIER_POINTER(DECL_NAME(variable)) : "a value",
                                    c.kind, sourceLoc(gimple_location(c.phi))});
  }
  auto bind = [&](const char *why, gimple *stmt) {
    if (why)
      binding.loop.bound.push_back({Diag::SpreadBound, why, sourceLoc(gimple_location(stmt))});
  };
  basic_block *body = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; ++i) {
    for (gphi_iterator psi = gsi_start_phis(body[i]); !gsi_end_p(psi); gsi_next(&psi))
      if (!virtual_operand_p(gimple_phi_result(psi.phi())))
        bind(boundBy(psi.phi()), psi.phi());
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      bind(boundBy(binding, gsi_stmt(gsi)), gsi_stmt(gsi));
  }
  free(body);
  if (cfun->calls_setjmp || cfun->has_nonlocal_label)
    bind("may be left by another function", last_stmt(nest.exit->src));
}

} // namespace memlift
