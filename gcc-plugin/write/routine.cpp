// routine.cpp - the call or the words that a decision asks for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser is told all properties of a runtime routine. It touches the memory of its pointer
// arguments and nothing else ("fn spec", see GCC's attr-fnspec.h: c = nothing but the arguments'
// memory, O = only written, R = only read, upper case = only the pointer itself is dereferenced,
// digit = the argument that holds the size). It does not throw and calls back no code.
#include "../map.h"
#include "crctable.h"
#include "routine.h"

namespace memlift {
namespace {

/// Returns the type of a routine that returns a number; all only read, except those that copy.
tree returningType(Routine r, const char *&spec) {
  tree word = wordType(64), half = wordType(32);
  switch (r) {
  case Routine::PolyhashU8:
  case Routine::PolyhashS8:
  case Routine::PolyhashU16:
  case Routine::PolyhashU32:
  case Routine::PolyhashU64:
    spec = ".cR2";
    return build_function_type_list(word, const_ptr_type_node, size_type_node, word, word,
                                    NULL_TREE);
  case Routine::ModsumU8:
  case Routine::ModsumU16:
  case Routine::ModsumU32:
  case Routine::ModsumSwapU16:
  case Routine::ModsumSwapU32:
    spec = ".cR2";
    return build_function_type_list(word, const_ptr_type_node, size_type_node, word, word, half,
                                    NULL_TREE);
  case Routine::InetSum:
  case Routine::OnesSumU32:
    spec = ".cR2";
    return build_function_type_list(half, const_ptr_type_node, size_type_node, half, NULL_TREE);
  case Routine::OnesSumU64:
    spec = ".cR2";
    return build_function_type_list(word, const_ptr_type_node, size_type_node, word, NULL_TREE);
  case Routine::Crc:
    spec = ".c. R3. R ";
    return build_function_type_list(word, word, const_ptr_type_node, size_type_node,
                                    const_ptr_type_node, NULL_TREE);
  case Routine::CrcAny:
    spec = ".c. R3";
    return build_function_type_list(word, word, const_ptr_type_node, size_type_node, word, half,
                                    half, NULL_TREE);
  case Routine::CopyInetSum:
    spec = ".cO3R3";
    return build_function_type_list(half, ptr_type_node, const_ptr_type_node, size_type_node, half,
                                    NULL_TREE);
  case Routine::CopySumU16:
    spec = ".cO3R3";
    return build_function_type_list(word, ptr_type_node, const_ptr_type_node, size_type_node,
                                    NULL_TREE);
  case Routine::SumU8:
  case Routine::SumS8:
  case Routine::SumU16:
  case Routine::SumS16:
  case Routine::SumU32:
  case Routine::SumS32:
  case Routine::SumU64:
  case Routine::SumSwapU16:
  case Routine::SumSwapS16:
  case Routine::SumSwapU32:
  case Routine::SumSwapS32:
  case Routine::SumSwapU64:
  case Routine::WsumU8:
  case Routine::WsumU16:
  case Routine::WsumU32:
  case Routine::WsumS8:
  case Routine::WsumU64:
  case Routine::XorU8:
  case Routine::XorU16:
  case Routine::XorU32:
  case Routine::XorU64:
    spec = ".cR2";
    return build_function_type_list(word, const_ptr_type_node, size_type_node, NULL_TREE);
  default: return NULL_TREE;
  }
}

bool returnsNumber(Routine r) {
  const char *spec = nullptr;
  return returningType(r, spec) != NULL_TREE;
}

tree plainType(Routine r, const char *&spec) {
  spec = ".cO3";
  tree type = NULL_TREE, v = void_type_node;
  switch (returnsNumber(r) ? Routine::None : r) {
  case Routine::None: type = returningType(r, spec); break;
  // No "fn spec" for rows: it would say that memory is accessed upwards of a pointer only, and rows
  // may go down from the first one.
  case Routine::Fill2d:
    spec = nullptr;
    return build_function_type_list(v, ptr_type_node, ptrdiff_type_node, wordType(64),
                                    size_type_node, size_type_node, size_type_node, NULL_TREE);
  case Routine::Copy2d:
  case Routine::Move2d:
    spec = nullptr;
    return build_function_type_list(v, ptr_type_node, ptrdiff_type_node, const_ptr_type_node,
                                    ptrdiff_type_node, size_type_node, size_type_node, NULL_TREE);
  case Routine::Copy:
  case Routine::CopyA8:
  case Routine::CopyA64:
  case Routine::Move:
  case Routine::CopySwap16:
  case Routine::CopySwap32:
  case Routine::CopySwap64:
    spec = ".cO3R3";
    type =
        build_function_type_list(v, ptr_type_node, const_ptr_type_node, size_type_node, NULL_TREE);
    break;
  case Routine::CopyForward:
    spec = ".cO4R4";
    type = build_function_type_list(v, ptr_type_node, const_ptr_type_node, size_type_node,
                                    size_type_node, NULL_TREE);
    break;
  case Routine::FillPattern:
    spec = ".cO4";
    type = build_function_type_list(v, ptr_type_node, wordType(64), size_type_node, size_type_node,
                                    NULL_TREE);
    break;
  case Routine::FillPattern16:
    spec = ".cO5";
    type = build_function_type_list(v, ptr_type_node, wordType(64), wordType(64), size_type_node,
                                    size_type_node, NULL_TREE);
    break;
  default: {
    unsigned width = r == Routine::Fill8    ? 8
                     : r == Routine::Fill16 ? 16
                     : r == Routine::Fill32 ? 32
                                            : 64;
    type = build_function_type_list(v, ptr_type_node, wordType(width), size_type_node, NULL_TREE);
  }
  }
  return type;
}

tree runtimeType(Routine r) {
  const char *spec;
  tree type = plainType(r, spec);
  if (!spec)
    return type;
  tree args = build_tree_list(NULL_TREE, build_string(int(strlen(spec)), spec));
  return build_type_attribute_variant(
      type, tree_cons(get_identifier("fn spec"), args, TYPE_ATTRIBUTES(type)));
}

/// Returns the argument that points to the copied memory; 0 if there is none.
size_t copiedArgument(Routine r) {
  switch (r) {
  case Routine::Copy:
  case Routine::CopyA8:
  case Routine::CopyA64:
  case Routine::Move:
  case Routine::CopyForward:
  case Routine::Memcpy:
  case Routine::Memmove:
  case Routine::CopySwap16:
  case Routine::CopySwap32:
  case Routine::CopySwap64:
  case Routine::CopyInetSum:
  case Routine::CopySumU16: return 1;
  case Routine::Copy2d:
  case Routine::Move2d: return 2;
  default: return 0;
  }
}

/// One declaration per routine and compilation, kept from the garbage collector.
tree declarations[unsigned(Routine::Memmove) + 1];

/// Returns the user's own routine, with the program's declaration if it has one. The routine is
/// only said not to throw: it may count its calls, or drive a device.
tree mappedDeclaration(const std::string &symbol, Routine r) {
  if (tree known = mappedFunction(symbol))
    return known;
  const char *spec;
  tree decl = build_fn_decl(symbol.c_str(), plainType(r, spec));
  TREE_NOTHROW(decl) = 1;
  return decl;
}

tree declaration(Routine r, const std::string &symbol) {
  switch (r) {
  case Routine::Memset: return builtin_decl_implicit(BUILT_IN_MEMSET);
  case Routine::Memcpy: return builtin_decl_implicit(BUILT_IN_MEMCPY);
  case Routine::Memmove: return builtin_decl_implicit(BUILT_IN_MEMMOVE);
  default: break;
  }
  tree &decl = declarations[unsigned(r)];
  if (decl)
    return decl;
  if (!symbol.empty())
    return decl = mappedDeclaration(symbol, r);
  decl = build_fn_decl(symbolOf(r), runtimeType(r));
  TREE_NOTHROW(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  DECL_PURE_P(decl) = returnsNumber(r) && !copiedArgument(r);
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  return decl;
}

bool isPointerArgument(Routine r, size_t i) {
  bool second = r == Routine::Crc || r == Routine::CrcAny;
  return second ? i == 1 : i == 0 || i == copiedArgument(r);
}

void emitCall(Emitter &e, const Decision &d, location_t where) {
  auto_vec<tree, 6> args;
  tree decl = declaration(d.routine, d.symbol), parameter = TYPE_ARG_TYPES(TREE_TYPE(decl));
  for (size_t i = 0; i < d.args.size(); ++i, parameter = TREE_CHAIN(parameter)) {
    bool pointer = isPointerArgument(d.routine, i);
    // Sizes are size_t, memset takes an int.
    args.safe_push(pointer ? e.pointer(d.args[i])
                           : e.convert(TREE_VALUE(parameter), e.value(d.args[i])));
  }
  gcall *call = gimple_build_call_vec(decl, args);
  if (!returnsPointer(d.routine))
    gimple_call_set_fntype(call, TREE_TYPE(decl));
  gimple_set_location(call, where);
  gimple_seq_add_stmt(&e.seq, call);
}

} // namespace

void keepDeclarations(const char *pluginName) {
  static const ggc_root_tab roots[] = {{declarations, sizeof declarations / sizeof *declarations,
                                        sizeof *declarations, &gt_ggc_mx_tree_node,
                                        &gt_pch_nx_tree_node},
                                       LAST_GGC_ROOT_TAB};
  register_callback(pluginName, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab *>(roots));
  keepCrcTables(pluginName);
}

void emitCalls(Emitter &e, const Decision &d, location_t where) {
  for (const ReturningCall &c : d.calls) {
    if (c.inPlace != NoExpr) {
      e.results.push_back(e.value(c.inPlace));
      continue;
    }
    gcc_assert(returnsNumber(c.routine));
    tree decl = declaration(c.routine, c.symbol);
    tree type = TREE_TYPE(decl), parameter = TYPE_ARG_TYPES(type);
    auto_vec<tree, 4> args;
    for (size_t i = 0; i < c.args.size(); ++i, parameter = TREE_CHAIN(parameter))
      args.safe_push(isPointerArgument(c.routine, i)
                         ? e.pointer(c.args[i])
                         : e.convert(TREE_VALUE(parameter), e.value(c.args[i])));
    if (c.routine == Routine::Crc)
      args.safe_push(build_fold_addr_expr(crcTable(c.crc)));
    gcall *call = gimple_build_call_vec(decl, args);
    gimple_call_set_fntype(call, type);
    tree result = make_ssa_name(TREE_TYPE(type));
    gimple_call_set_lhs(call, result);
    gimple_set_location(call, where);
    gimple_seq_add_stmt(&e.seq, call);
    e.results.push_back(result);
  }
}

void emitDecision(Emitter &e, const Match &match, const Decision &d, location_t where) {
  for (size_t i = 0; i < d.parts.size(); ++i)
    emitDecision(e, match.parts[i], d.parts[i], where);
  if (!d.parts.empty())
    return;
  if (d.words.empty())
    emitCall(e, d, where);
  else
    emitWords(e, match, d, where);
}

void emitFinals(Emitter &e, const Decision &d, location_t where) {
  for (const FinalStore &f : d.finals)
    emitStore(e, reference(e.pointer(f.address), 0, f.bytes, f.align), e.value(f.value), where);
}

void writeStatement(gimple *old, LoopBinding &binding, const Outcome &outcome) {
  location_t where = gimple_location(old);
  Emitter e(binding, where);
  const WordLoop &rounds = outcome.decision.wordLoop;
  if (rounds.rounds)
    emitRounds(e, outcome.match, rounds, old);
  if (!rounds.rounds || !outcome.decision.words.empty())
    emitDecision(e, outcome.match, outcome.decision, where);
  if (is_gimple_call(old))
    if (tree lhs = gimple_call_lhs(old)) {
      // memset and its like return their first argument.
      tree result = gimple_convert(&e.seq, where, TREE_TYPE(lhs), gimple_call_arg(old, 0));
      gassign *copy = gimple_build_assign(lhs, result);
      gimple_set_location(copy, where);
      gimple_seq_add_stmt(&e.seq, copy);
      gimple_call_set_lhs(old, NULL_TREE);
      update_stmt(old);
    }
  gimple_stmt_iterator gsi = gsi_for_stmt(old);
  gsi_insert_seq_before(&gsi, e.seq, GSI_SAME_STMT);
  unlink_stmt_vdef(old);
  gsi_remove(&gsi, true);
  release_defs(old);
}

} // namespace memlift
