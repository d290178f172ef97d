// builtin.cpp - __builtin_memlift_aligned(p, n) in GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is folded as soon as it is decided. An undecided call may be decided after inlining, so it
// stays a call until then: folded to 0 early, it would be 0 in every caller.
#include "../compat.h"
#include "builtin.h"

#include "../options.h"
#include "../read/binding.h"
#include "reasons.h"

namespace memlift {

constexpr char BuiltinName[] = "__builtin_memlift_aligned";

void declareAligned() {
  if (in_lto_p)
    return; // declarations come with the units, and lto1 knows no attributes
  tree pointer = build_pointer_type(
      build_qualified_type(void_type_node, TYPE_QUAL_CONST | TYPE_QUAL_VOLATILE));
  tree type = build_function_type_list(integer_type_node, pointer, size_type_node, NULL_TREE);
  tree attributes = tree_cons(get_identifier("const"), NULL_TREE, NULL_TREE);
  attributes = tree_cons(get_identifier("nothrow"), NULL_TREE, attributes);
  attributes = tree_cons(get_identifier("leaf"), NULL_TREE, attributes);
  // NOT_BUILT_IN: GCC would fold and expand functions of a built-in class by itself.
  add_builtin_function(BuiltinName, type, 0, NOT_BUILT_IN, nullptr, attributes);
}

static bool isAlignedCall(gimple *stmt) {
  tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
  return callee && DECL_NAME(callee) && DECL_EXTERNAL(callee) &&
         strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), BuiltinName) == 0 &&
         gimple_call_num_args(stmt) == 2 && POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, 0))) &&
         INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, 1)));
}

static void refuse(gimple *stmt, Diag code, const std::string &have) {
  error_at(expansion_point_location(gimple_location(stmt)), "memlift: %s [%s]",
           toolMessage(code, {{"have", have}}).c_str(), codeOf(code).c_str());
}

/// Reads n as a power of two. Returns false if it is none, with a message if `last`.
static bool powerOf(gimple *stmt, bool last, unsigned &bits) {
  tree n = gimple_call_arg(stmt, 1);
  int power = tree_fits_uhwi_p(n) ? exact_log2(tree_to_uhwi(n)) : -1;
  if (power >= 0) {
    bits = unsigned(power);
    return true;
  }
  if (last && TREE_CODE(n) != INTEGER_CST)
    refuse(stmt, Diag::AlignedNotConstant, "");
  else if (last)
    refuse(stmt, Diag::AlignedNoPower,
           tree_fits_uhwi_p(n) ? std::to_string(tree_to_uhwi(n)) : "this");
  return false;
}

/// Emits a remark of the answer and its reason, where remarks are enabled.
static void emitAlignedRemark(gimple *stmt, bool isAligned, const AlignProof &how) {
  if (!dump_enabled_p())
    return;
  Diag code = isAligned ? Diag::AlignedProved : Diag::AlignedUnproved;
  dump_printf_loc(MSG_NOTE, dump_user_location_t(stmt), "memlift: %s [%s]\n",
                  toolMessage(code, {{"why", reasonOf(how, nullptr)}}).c_str(),
                  codeOf(code).c_str());
}

static bool foldOne(gimple_stmt_iterator gsi, bool last) {
  gimple *stmt = gsi_stmt(gsi);
  unsigned power = 0;
  AlignProof how;
  Aligned answer = Aligned::Unknown;
  bool valid = powerOf(stmt, last, power);
  if (valid)
    answer =
        LowBits().aligned(gimple_call_arg(stmt, 0), power, stmt, dump_enabled_p() ? &how : nullptr);
  if (answer == Aligned::Unknown && !last)
    return false;
  if (valid)
    emitAlignedRemark(stmt, answer == Aligned::Always, how);
  replace_call_with_value(&gsi, build_int_cst(integer_type_node, answer == Aligned::Always));
  return true;
}

bool asksAligned() {
  static int asked = -1; // a process compiles one unit, and no later pass adds calls
  if (asked >= 0)
    return asked;
  asked = 0;
  cgraph_node *node;
  FOR_EACH_FUNCTION(node)
  if (DECL_NAME(node->decl) && strcmp(IDENTIFIER_POINTER(DECL_NAME(node->decl)), BuiltinName) == 0)
    asked = 1;
  return asked;
}

static bool isCopyOrFill(enum built_in_function code) {
  return code == BUILT_IN_MEMCPY || code == BUILT_IN_MEMMOVE || code == BUILT_IN_MEMSET;
}

bool asksAlignmentOf(gcall *call, unsigned argument) {
  if (isAlignedCall(call))
    return argument == 0;
  built_in_function called = argument > 1 ? END_BUILTINS : calledFunction(call);
  return called != END_BUILTINS && (argument == 0 || called != BUILT_IN_MEMSET);
}

bool asksAlignment() {
  cgraph_node *node;
  if (!coreOf(pluginOptions.judge).expandMaxBytes && !pluginOptions.printAlignment)
    return asksAligned(); // no call becomes words
  FOR_EACH_FUNCTION(node)
  if (functionNamed(node->decl) != END_BUILTINS ||
      (fndecl_built_in_p(node->decl, BUILT_IN_NORMAL) &&
       isCopyOrFill(DECL_FUNCTION_CODE(node->decl))))
    return true;
  return asksAligned();
}

void proveEverywhere() {
  KnownEverywhere known;
  known.find();
  if (pluginOptions.printAlignment)
    known.print();
  known.write();
}

unsigned foldAligned(bool last) {
  std::vector<gimple *> calls;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (isAlignedCall(gsi_stmt(gsi)))
      calls.push_back(gsi_stmt(gsi));
  if (calls.empty())
    return 0;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS); // builds loop information, or repairs it
  calculate_dominance_info(CDI_DOMINATORS);
  bool changed = false;
  for (gimple *stmt : calls)
    changed |= foldOne(gsi_for_stmt(stmt), last);
  loop_optimizer_finalize();
  return changed ? TODO_update_ssa | TODO_cleanup_cfg : 0;
}

} // namespace memlift
