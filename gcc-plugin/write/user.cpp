// user.cpp - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   body:    ...; asm goto access -> next, landing   each access ends a block
//   next:    ...
//   landing: -> fixup                                one for each loop over words
//   fixup:   p = PHI <where stores had come to>
//   resume:  q = PHI <to, p>                         then the last loop, which goes by bytes
//   out:     q = PHI <to, where a loop over bytes had come to>
//            -> the code after the source's loop, which returns end - q in place of 0
//
// Values that `resume` uses are computed before the first loop. If the source does more after its
// loop than asm statements that forbid accesses to a program's memory again, `out` is for faults
// alone: it repeats these, and returns.
//
// The statements are volatile, so their order is the order of the decision; GCC 12 needs that word
// also to keep an asm goto whose outputs are not used.
#include "user.h"
#include "fork.h"

namespace memlift {

constexpr char EntrySection[] = "__ex_table";

/// The function that has an asm statement where it cannot be repeated after a fault.
static tree misplacedIn = NULL_TREE;

const UserTarget *userTarget() {
#if defined(TARGET_SSE2)
  return TARGET_64BIT && POINTER_SIZE == 64 && ASSEMBLER_DIALECT == ASM_ATT ? userTargetOf("x86_64")
                                                                            : nullptr;
#elif defined(TARGET_RVE)
  return TARGET_64BIT ? userTargetOf("riscv64") : nullptr;
#else
  return nullptr;
#endif
}

UserAccesses::UserAccesses(Emitter &e, LoopBinding &binding, const UserFixup &fixup,
                           basic_block begin)
    : e(e), where(binding.where), target(userTarget()), fixup(fixup), g(binding.loop.exprs),
      begin(begin), bytes(e.value(fixup.bytes)), end(e.launder(e.value(fixup.end))) {
  gcc_assert(target || !fixup.faults);
  e.set(fixup.end, end);
  tree value = fixup.value == NoExpr ? NULL_TREE : e.value(fixup.value);
  if (value && CONSTANT_CLASS_P(value)) // once, not beside each store
    constant = e.launder(e.convert(wordType(64), value));
}

void UserAccesses::beforeWords() {
  if (!apart && fixup.apart != NoExpr)
    apart = e.value(fixup.apart);
}

/// The pointers themselves take the place of addresses that would be computed again, and need the
/// arguments.
void UserAccesses::came(ExprId end, tree to, tree from) {
  tree type = TREE_TYPE(this->end), address = e.convert(type, to);
  e.set(end, address);
  if (!from || fixup.apart == NoExpr)
    return;
  tree source = e.convert(type, from);
  e.set(g.binary(Op::Add, end, fixup.apart), source);
  if (!apart) {
    apart = gimple_build(&e.seq, where, MINUS_EXPR, type, source, address);
    e.set(fixup.apart, apart);
  }
}

basic_block UserAccesses::resume(basic_block before, tree &to, tree &from) {
  resumed = split_edge(single_succ_edge(before));
  auto merged = [&](tree value) {
    gphi *phi = create_phi_node(make_ssa_name(TREE_TYPE(value)), resumed);
    add_phi_arg(phi, value, single_pred_edge(resumed), where);
    return phi;
  };
  resumedTo = merged(to);
  to = gimple_phi_result(resumedTo);
  if (from) {
    resumedFrom = merged(from);
    from = gimple_phi_result(resumedFrom);
  }
  return resumed;
}

static tree operandOf(const char *constraint, tree value) {
  tree kind = build_string(int(strlen(constraint) + 1), constraint);
  return build_tree_list(build_tree_list(NULL_TREE, kind), value);
}

static vec<tree, va_gc> *memoryClobber() {
  vec<tree, va_gc> *clobbers = nullptr;
  vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(7, "memory")));
  return clobbers;
}

/// Emits an access without its edge for faults. It is replaced before the function is complete.
void UserAccesses::emit(bool isStore, unsigned bytes, uint64_t offset, std::vector<tree> from,
                        tree result) {
  std::string text = userAccess(*target, isStore, bytes, int64_t(offset),
                                {"%", "", "", /*modifierFirst=*/true, "%l2"});
  vec<tree, va_gc> *inputs = nullptr, *outputs = nullptr;
  for (tree value : from)
    vec_safe_push(inputs, operandOf("r", value));
  if (result)
    vec_safe_push(outputs, operandOf("=r", result));
  gasm *stmt =
      gimple_build_asm_vec(ggc_strdup(text.c_str()), inputs, outputs, memoryClobber(), nullptr);
  gimple_asm_set_volatile(stmt, true);
  gimple_set_location(stmt, where);
  if (result)
    SSA_NAME_DEF_STMT(result) = stmt;
  gimple_seq_add_stmt(&e.seq, stmt);
  accesses.push_back({stmt, reached, single});
}

tree UserAccesses::load(tree from, uint64_t offset, unsigned bytes) {
  tree loaded = make_ssa_name(wordType(64));
  emit(false, bytes, offset, {from}, loaded);
  return e.convert(wordType(8 * bytes), loaded);
}

void UserAccesses::store(tree to, uint64_t offset, unsigned bytes, tree stored) {
  // The instruction ignores the other bits of a register, so those of a load need not be cleared.
  gimple *cast = TREE_CODE(stored) == SSA_NAME ? SSA_NAME_DEF_STMT(stored) : nullptr;
  if (cast && gimple_assign_cast_p(cast) &&
      TYPE_PRECISION(TREE_TYPE(gimple_assign_rhs1(cast))) == BITS_PER_WORD)
    stored = gimple_assign_rhs1(cast);
  emit(true, bytes, offset, {e.convert(wordType(64), stored), to}, NULL_TREE);
}

/// Hides from GCC that a pointer steps. Otherwise it counts in an integer, and moves that to the
/// pointer in each iteration: where a fault leads, the pointer is used while the integer is a step
/// ahead.
void pinStep(gassign *add, location_t where) {
  tree next = gimple_assign_lhs(add), stepped = make_ssa_name(TREE_TYPE(next));
  gimple_assign_set_lhs(add, stepped);
  auto operand = [](tree constraint, tree value) {
    return build_tree_list(build_tree_list(NULL_TREE, constraint), value);
  };
  vec<tree, va_gc> *inputs = nullptr, *outputs = nullptr;
  vec_safe_push(inputs, operand(build_string(2, "0"), stepped));
  vec_safe_push(outputs, operand(build_string(3, "=r"), next));
  gasm *pin = gimple_build_asm_vec("", inputs, outputs, nullptr, nullptr);
  gimple_set_location(pin, where);
  SSA_NAME_DEF_STMT(next) = pin;
  gimple_stmt_iterator gsi = gsi_for_stmt(add);
  gsi_insert_after(&gsi, pin, GSI_SAME_STMT);
  update_stmt(add);
}

/// Ends the block with the access, and returns the edge to the block after it.
edge UserAccesses::divide(gasm *stmt, basic_block fault) {
  edge next = split_block(gimple_bb(stmt), stmt);
  vec<tree, va_gc> *inputs = nullptr, *outputs = nullptr, *labels = nullptr;
  for (unsigned i = 0; i < gimple_asm_ninputs(stmt); ++i)
    vec_safe_push(inputs, gimple_asm_input_op(stmt, i));
  for (unsigned i = 0; i < gimple_asm_noutputs(stmt); ++i)
    vec_safe_push(outputs, gimple_asm_output_op(stmt, i));
  vec_safe_push(labels, build_tree_list(NULL_TREE, gimple_block_label(fault)));
  gasm *jump =
      gimple_build_asm_vec(gimple_asm_string(stmt), inputs, outputs, memoryClobber(), labels);
  gimple_asm_set_volatile(jump, true);
  gimple_set_location(jump, where);
  gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
  gsi_replace(&gsi, jump, true);
  if (gimple_asm_noutputs(jump))
    SSA_NAME_DEF_STMT(TREE_VALUE(gimple_asm_output_op(jump, 0))) = jump;
  edge off = make_edge(next->src, fault, 0);
  off->probability = profile_probability::never();
  return next;
}

/// Adds a block at the end of the function.
static basic_block addBlock(class loop *around) {
  basic_block bb = create_empty_bb(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb);
  bb->count = profile_count::zero();
  add_bb_to_loop(bb, around);
  return bb;
}

/// Gives the accesses of the loops their edges: to `out`, where `left` is the address that a loop
/// over bytes had come to, or to where the last loop begins.
void UserAccesses::land(basic_block out, tree left) {
  std::map<tree, basic_block> landings;
  basic_block fixup = nullptr;
  for (const Access &a : accesses) {
    if (a.exact) {
      basic_block bb = gimple_bb(a.stmt);
      divide(a.stmt, out);
      // An edge may have made another statement of the PHI.
      auto *phi = as_a<gphi *>(SSA_NAME_DEF_STMT(left));
      add_phi_arg(phi, a.reached, find_edge(bb, out), where);
      continue;
    }
    fixup = fixup ? fixup : addBlock(resumed->loop_father);
    basic_block &landing = landings[a.reached];
    if (!landing) {
      landing = addBlock(resumed->loop_father);
      make_single_succ_edge(landing, fixup, EDGE_FALLTHRU);
    }
    divide(a.stmt, landing);
  }
  accesses.clear();
  if (!fixup)
    return;
  gphi *at = create_phi_node(make_ssa_name(ptr_type_node), fixup);
  for (auto [address, landing] : landings)
    add_phi_arg(at, address, single_succ_edge(landing), where);
  tree to = gimple_phi_result(at), from = NULL_TREE;
  if (resumedFrom)
    from = gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, to,
                        e.convert(sizetype, apart));
  flush(e, fixup);
  edge on = make_single_succ_edge(fixup, resumed, EDGE_FALLTHRU);
  add_phi_arg(resumedTo, to, on, where);
  if (resumedFrom)
    add_phi_arg(resumedFrom, from, on, where);
}

/// Returns the statement if it is an asm statement of the source that only switches something: no
/// outputs, no labels, and all operands in registers or constants.
static gasm *switching(gimple *stmt) {
  auto *code = dyn_cast<gasm *>(stmt);
  if (!code || gimple_asm_noutputs(code) || gimple_asm_nlabels(code) ||
      strstr(gimple_asm_string(code), EntrySection))
    return nullptr;
  for (unsigned i = 0; i < gimple_asm_ninputs(code); ++i) {
    tree operand = gimple_asm_input_op(code, i);
    const char *constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(operand)));
    if (strpbrk(constraint, "moVpgX<>Q") || POINTER_TYPE_P(TREE_TYPE(TREE_VALUE(operand))))
      return nullptr;
  }
  return code;
}

/// Appends the asm statements of a block.
static void addSwitches(std::vector<gasm *> &found, basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (gasm *code = switching(gsi_stmt(gsi)))
      found.push_back(code);
}

/// Returns the asm statements in the straight line of code that ends with the function's only
/// return, in order. Notes whether there are any that are neither there nor in the straight line at
/// the beginning.
static std::vector<gasm *> switchesAtEnd() {
  std::vector<gasm *> atEnd, atBegin, all;
  if (single_pred_p(EXIT_BLOCK_PTR_FOR_FN(cfun)))
    for (basic_block bb = single_pred(EXIT_BLOCK_PTR_FOR_FN(cfun));; bb = single_pred(bb)) {
      std::vector<gasm *> here;
      addSwitches(here, bb);
      atEnd.insert(atEnd.begin(), here.begin(), here.end());
      if (!single_pred_p(bb) || !single_succ_p(single_pred(bb)) ||
          single_pred(bb) == ENTRY_BLOCK_PTR_FOR_FN(cfun))
        break;
    }
  for (basic_block bb = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)); single_pred_p(bb);
       bb = single_succ(bb)) {
    addSwitches(atBegin, bb);
    if (!single_succ_p(bb))
      break;
  }
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  addSwitches(all, bb);
  auto has = [](const std::vector<gasm *> &in, gasm *code) {
    return std::find(in.begin(), in.end(), code) != in.end();
  };
  for (gasm *code : all)
    if (!has(atEnd, code) && !has(atBegin, code))
      misplacedIn = current_function_decl;
  return atEnd;
}

/// Returns whether the operands of a statement are known before the first loop.
static bool isKnownAt(basic_block begin, gasm *code) {
  for (unsigned i = 0; i < gimple_asm_ninputs(code); ++i) {
    tree value = TREE_VALUE(gimple_asm_input_op(code, i));
    if (is_gimple_min_invariant(value))
      continue;
    if (TREE_CODE(value) != SSA_NAME)
      return false;
    gimple *computed = SSA_NAME_DEF_STMT(value);
    if (!SSA_NAME_IS_DEFAULT_DEF(value) &&
        (gimple_code(computed) == GIMPLE_PHI ||
         !dominated_by_p(CDI_DOMINATORS, begin, gimple_bb(computed))))
      return false;
  }
  return true;
}

/// Repeats the statements.
static void repeatSwitches(gimple_seq &seq, const std::vector<gasm *> &statements,
                           basic_block begin) {
  for (gasm *code : statements) {
    if (!isKnownAt(begin, code))
      misplacedIn = current_function_decl;
    gimple *again = gimple_copy(code);
    gimple_set_vuse(again, NULL_TREE);
    gimple_set_vdef(again, NULL_TREE);
    gimple_seq_add_stmt(&seq, again);
  }
}

/// Returns the number of bytes from `left` to the end.
tree UserAccesses::leftFrom(tree left) {
  tree bytes =
      gimple_build(&e.seq, where, MINUS_EXPR, TREE_TYPE(end), end, e.convert(TREE_TYPE(end), left));
  tree type = TREE_TYPE(TREE_TYPE(current_function_decl)); // void where no caller uses the result
  return VOID_TYPE_P(type) ? NULL_TREE : e.convert(type, bytes);
}

/// Returns from the function with the number of bytes from `left` to the end.
void UserAccesses::leave(basic_block out, tree left) {
  repeatSwitches(e.seq, atEnd, begin);
  greturn *stmt = gimple_build_return(leftFrom(left));
  gimple_set_location(stmt, where);
  gimple_seq_add_stmt(&e.seq, stmt);
  flush(e, out);
  make_edge(out, EXIT_BLOCK_PTR_FOR_FN(cfun), 0)->probability = profile_probability::always();
}

/// Returns whether a statement does nothing but to compute, or to switch what is known before the
/// loops.
static bool isQuiet(gimple *stmt, basic_block begin) {
  if (gasm *code = switching(stmt))
    return isKnownAt(begin, code);
  bool computes = is_gimple_assign(stmt) && !gimple_vuse(stmt) && !gimple_has_side_effects(stmt);
  return computes || is_gimple_debug(stmt) || gimple_clobber_p(stmt) ||
         gimple_code(stmt) == GIMPLE_LABEL || gimple_code(stmt) == GIMPLE_NOP ||
         gimple_code(stmt) == GIMPLE_PREDICT;
}

/// Returns the blocks from `bb` to a return of 0 if nothing is done there but to switch something;
/// else none.
static std::vector<basic_block> straightToZero(basic_block bb, basic_block begin) {
  std::vector<basic_block> path;
  for (; std::find(path.begin(), path.end(), bb) == path.end(); bb = single_succ(bb)) {
    path.push_back(bb);
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
      if (auto *end = dyn_cast<greturn *>(gsi_stmt(gsi))) {
        tree value = gimple_return_retval(end);
        return value && integer_zerop(value) ? path : std::vector<basic_block>();
      }
      if (!isQuiet(gsi_stmt(gsi), begin))
        return {};
    }
    if (!single_succ_p(bb))
      return {};
  }
  return {};
}

/// Drops the source's test for no bytes, if both ways do the same then: `after` are the blocks
/// after its loop.
void UserAccesses::enterAlways(const std::vector<basic_block> &after) {
  // Nothing may be done between the test and the loops.
  auto acts = [](basic_block bb) {
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (gimple_vuse(gsi_stmt(gsi)) || gimple_has_volatile_ops(gsi_stmt(gsi)))
        return true;
    return false;
  };
  basic_block to = begin;
  gcond *test = nullptr;
  for (; single_pred_p(to) && single_pred(to) != ENTRY_BLOCK_PTR_FOR_FN(cfun);
       to = single_pred(to)) {
    if (acts(to))
      return;
    test = safe_dyn_cast<gcond *>(last_stmt(single_pred(to)));
    if (test && !CONSTANT_CLASS_P(gimple_cond_lhs(test))) // else the writer's own
      break;
    test = nullptr;
  }
  if (!test || gimple_cond_lhs(test) != bytes || !integer_zerop(gimple_cond_rhs(test)))
    return;
  bool some = gimple_cond_code(test) == NE_EXPR;
  edge in = single_pred_edge(to);
  edge other = EDGE_SUCC(in->src, EDGE_SUCC(in->src, 0) == in);
  if ((!some && gimple_cond_code(test) != EQ_EXPR) || bool(in->flags & EDGE_TRUE_VALUE) != some)
    return;
  for (basic_block bb : after) {
    if (bb == other->dest) {
      some ? gimple_cond_make_true(test) : gimple_cond_make_false(test);
      update_stmt(test);
      return;
    }
    std::vector<gasm *> switched;
    addSwitches(switched, bb);
    if (!switched.empty())
      return;
  }
}

/// Leaves the function as the source does after its loop, but with the number of bytes in place of
/// 0. Returns the block before that, or null if the source does anything else there.
basic_block UserAccesses::leaveAsSource(tree to, basic_block at) {
  std::vector<basic_block> path;
  if (to)
    path = straightToZero(single_succ(at), begin);
  if (path.empty())
    return nullptr;
  basic_block out = split_edge(single_succ_edge(at)), before = out;
  gphi *left = create_phi_node(make_ssa_name(ptr_type_node), out);
  add_phi_arg(left, to, single_pred_edge(out), where);
  tree now = leftFrom(gimple_phi_result(left)), type = TREE_TYPE(now);
  flush(e, out);
  for (basic_block bb : path) {
    if (!single_pred_p(bb)) {
      gphi *phi = create_phi_node(make_ssa_name(type), bb);
      edge from;
      edge_iterator i;
      FOR_EACH_EDGE(from, i, bb->preds)
      add_phi_arg(phi, from->src == before ? now : build_zero_cst(type), from, where);
      now = gimple_phi_result(phi);
    }
    before = bb;
  }
  auto *end = as_a<greturn *>(last_stmt(path.back()));
  gimple_return_set_retval(end, now);
  update_stmt(end);
  enterAlways(path);
  land(out, gimple_phi_result(left));
  return out;
}

basic_block UserAccesses::cover(tree to, basic_block at) {
  flush(e, at);
  misplacedIn = NULL_TREE;
  if (basic_block out = leaveAsSource(to, at)) {
    at = out;
  } else {
    atEnd = switchesAtEnd();
    out = addBlock(current_loops->tree_root);
    tree left = gimple_phi_result(create_phi_node(make_ssa_name(ptr_type_node), out));
    land(out, left);
    leave(out, left);
  }
  free_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_DOMINATORS);
  return at;
}

/// Returns whether a statement cannot fault, or has an entry of its own.
static bool isSafe(gimple *stmt) {
  if (is_gimple_debug(stmt) || gimple_clobber_p(stmt) || gimple_code(stmt) == GIMPLE_RETURN ||
      !gimple_vuse(stmt))
    return true;
  auto *code = dyn_cast<gasm *>(stmt);
  if (code && switching(stmt))
    return misplacedIn != current_function_decl;
  return code && strstr(gimple_asm_string(code), EntrySection);
}

gimple *uncovered() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (!isSafe(gsi_stmt(gsi)))
      return gsi_stmt(gsi);
  return nullptr;
}

} // namespace memlift
