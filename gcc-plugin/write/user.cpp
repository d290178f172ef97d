// user.cpp - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   body:    ...; asm goto access -> next, landing   each access ends a block
//   next:    ...
//   landing: -> fixup                                one for each loop
//   fixup:   p = PHI <where stores had come to>
//   byte:    q = PHI <p, q + 1>
//            asm goto load -> stored, out; asm goto store -> again, out
//   again:   if (q + 1 == end) goto out
//   latch:   -> byte
//   out:     return end - (q, or end)
//
// The fixup returns from the function instead of going on after the loops: values that are computed
// between them are not known there. Asm statements that come before every return, which forbid
// accesses to a program's memory again, are repeated in `out`.
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

UserAccesses::UserAccesses(Emitter &e, LoopBinding &binding, const UserFixup &fixup)
    : e(e), where(binding.where), target(userTarget()), end(e.value(fixup.end)) {
  gcc_assert(target);
  if (fixup.apart != NoExpr)
    apart = e.convert(sizetype, e.value(fixup.apart));
  else
    value = e.value(fixup.value);
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
  accesses.push_back({stmt, reached});
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

/// Adds a block at the end of the function, in no loop.
static basic_block addBlock() {
  basic_block bb = create_empty_bb(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb);
  bb->count = profile_count::zero();
  add_bb_to_loop(bb, current_loops->tree_root);
  return bb;
}

/// Gives the accesses of the loops their edges. Returns the block where the landings meet, with the
/// address that stores had come to.
basic_block UserAccesses::land(gphi *&at) {
  basic_block fixup = addBlock();
  std::map<tree, basic_block> landings;
  for (const Access &a : accesses) {
    basic_block &landing = landings[a.reached];
    if (!landing) {
      landing = addBlock();
      make_single_succ_edge(landing, fixup, EDGE_FALLTHRU);
    }
    divide(a.stmt, landing);
  }
  accesses.clear();
  at = create_phi_node(make_ssa_name(ptr_type_node), fixup);
  for (auto [address, landing] : landings)
    add_phi_arg(at, address, single_succ_edge(landing), where);
  return fixup;
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

/// Repeats the statements, whose operands are constants or arguments.
static void repeatSwitches(gimple_seq &seq, const std::vector<gasm *> &statements) {
  for (gasm *code : statements) {
    for (unsigned i = 0; i < gimple_asm_ninputs(code); ++i) {
      tree value = TREE_VALUE(gimple_asm_input_op(code, i));
      if (!is_gimple_min_invariant(value) &&
          (TREE_CODE(value) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(value)))
        misplacedIn = current_function_decl;
    }
    gimple *again = gimple_copy(code);
    gimple_set_vuse(again, NULL_TREE);
    gimple_set_vdef(again, NULL_TREE);
    gimple_seq_add_stmt(&seq, again);
  }
}

/// Returns from the function with the number of bytes from `left` to the end.
void UserAccesses::leave(basic_block out, tree left) {
  repeatSwitches(e.seq, atEnd);
  tree bytes =
      gimple_build(&e.seq, where, MINUS_EXPR, TREE_TYPE(end), end, e.convert(TREE_TYPE(end), left));
  tree type = TREE_TYPE(TREE_TYPE(current_function_decl)); // void where no caller uses the result
  tree given = VOID_TYPE_P(type) ? NULL_TREE : e.convert(type, bytes);
  greturn *stmt = gimple_build_return(given);
  gimple_set_location(stmt, where);
  gimple_seq_add_stmt(&e.seq, stmt);
  flush(e, out);
  make_edge(out, EXIT_BLOCK_PTR_FOR_FN(cfun), 0)->probability = profile_probability::always();
}

void UserAccesses::cover() {
  gimple_seq before = e.seq; // of the code after the loops
  e.seq = nullptr;
  misplacedIn = NULL_TREE;
  atEnd = switchesAtEnd();
  gphi *at;
  basic_block fixup = land(at), byte = addBlock(), latch = addBlock(), out = addBlock();
  class loop *loop = alloc_loop();
  make_single_succ_edge(fixup, byte, EDGE_FALLTHRU);
  edge more = make_edge(byte, latch, EDGE_FALSE_VALUE),
       done = make_edge(byte, out, EDGE_TRUE_VALUE);
  more->probability = profile_probability::likely();
  done->probability = more->probability.invert();
  edge back = make_single_succ_edge(latch, byte, EDGE_FALLTHRU);
  loop->header = byte;
  loop->latch = latch;
  add_loop(loop, current_loops->tree_root);
  loop->dont_vectorize = true;
  loop->unroll = 1;

  tree to = make_ssa_name(ptr_type_node), byteValue = value;
  gphi *pointer = create_phi_node(to, byte);
  if (apart)
    byteValue =
        load(gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, to, apart), 0, 1);
  store(to, 0, 1, byteValue);
  tree next =
      gimple_build(&e.seq, where, POINTER_PLUS_EXPR, ptr_type_node, to, build_one_cst(sizetype));
  gcond *test =
      gimple_build_cond(EQ_EXPR, e.convert(TREE_TYPE(end), next), end, NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&e.seq, test);
  flush(e, byte);
  add_phi_arg(pointer, gimple_phi_result(at), single_succ_edge(fixup), where);
  add_phi_arg(pointer, next, back, where);

  gphi *left = create_phi_node(make_ssa_name(ptr_type_node), out);
  std::vector<Access> own = std::move(accesses);
  for (const Access &a : own) {
    edge on = divide(a.stmt, out);
    add_phi_arg(left, to, find_edge(on->src, out), where);
  }
  add_phi_arg(left, next, find_edge(single_pred(latch), out), where);
  leave(out, gimple_phi_result(left));
  e.seq = before;
  free_dominance_info(CDI_DOMINATORS);
  calculate_dominance_info(CDI_DOMINATORS);
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
