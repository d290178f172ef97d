// routine.cpp - the call or the words that a decision asks for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser is told all properties of a runtime routine. It touches the memory of its pointer
// arguments and nothing else ("fn spec", see GCC's attr-fnspec.h: c = nothing but the arguments'
// memory, O = only written, R = only read, W = both, upper case = only the pointer itself is
// dereferenced, digit = the argument that holds the size). It does not throw and calls back no
// code.
#include "../map.h"
#include "../../idioms/decide/reductions.h"
#include "crctable.h"
#include "spread.h"
#include "stream.h"
#include "routine.h"

namespace memlift {
namespace {

tree typeOf(ParamKind k) {
  switch (k) {
  case ParamKind::Dst:
  case ParamKind::Registers: return ptr_type_node;
  case ParamKind::Src:
  case ParamKind::Table:
  case ParamKind::Poly: return const_ptr_type_node;
  case ParamKind::Size: return size_type_node;
  case ParamKind::Offset: return ptrdiff_type_node;
  case ParamKind::U8:
  case ParamKind::U16:
  case ParamKind::U32:
  case ParamKind::U64: break;
  }
  return wordType(bitsOf(k));
}

tree typeOf(const Operation &o) {
  tree params[mostParams];
  for (unsigned i = 0; i < o.paramCount; ++i)
    params[i] = typeOf(o.params[i]);
  return build_function_type_array(o.resultBits ? wordType(o.resultBits) : void_type_node,
                                   int(o.paramCount), params);
}

char letterOf(ParamKind k) {
  return k == ParamKind::Dst ? 'O' : k == ParamKind::Registers ? 'W' : 'R';
}

/// Returns the accesses of a routine as "fn spec". Rows have none: it would say that memory is
/// accessed upwards of a pointer only, and rows may go down from the first one.
std::string accessesOf(const Operation &o) {
  // A search may be told a size beyond the object.
  bool seeks = o.kind == OpKind::Search || o.kind == OpKind::Compare;
  std::string spec = ".c";
  for (unsigned i = 0; i < o.paramCount; ++i)
    spec += !o.isPointer(i)
                ? ". "
                : std::string(1, letterOf(o.params[i])) +
                      (o.params[i] >= ParamKind::Table || seeks ? ' ' : char('1' + o.sizeParam()));
  while (spec.size() > 2 && spec.compare(spec.size() - 2, 2, ". ") == 0)
    spec.resize(spec.size() - 2);
  return o.inRows() ? "" : spec;
}

tree runtimeType(const Operation &o) {
  tree type = typeOf(o);
  std::string spec = accessesOf(o);
  if (spec.empty())
    return type;
  tree args = build_tree_list(NULL_TREE, build_string(int(spec.size()), spec.c_str()));
  return build_type_attribute_variant(
      type, tree_cons(get_identifier("fn spec"), args, TYPE_ATTRIBUTES(type)));
}

/// One declaration per routine and compilation, kept from the garbage collector.
tree declarations[unsigned(Routine::Memmove) + 1];

/// Returns the user's own routine, with the program's declaration if it has one. The routine is
/// only said not to throw: it may count its calls, or drive a device.
tree mappedDeclaration(const std::string &symbol, Routine r) {
  if (tree known = mappedFunction(symbol))
    return known;
  tree decl = build_fn_decl(symbol.c_str(), typeOf(operationOf(r)));
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
  const Operation &o = operationOf(r);
  decl = build_fn_decl(o.symbol, runtimeType(o));
  TREE_NOTHROW(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  DECL_PURE_P(decl) = o.resultBits && !o.writes() && !o.has(ParamKind::Registers);
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  return decl;
}

void emitCall(Emitter &e, const Decision &d, location_t where) {
  const Operation &o = operationOf(d.routine);
  auto_vec<tree, mostParams> args;
  tree decl = declaration(d.routine, d.symbol), parameter = TYPE_ARG_TYPES(TREE_TYPE(decl));
  for (unsigned i = 0; i < d.args.size(); ++i, parameter = TREE_CHAIN(parameter)) {
    // Sizes are size_t, memset takes an int.
    args.safe_push(o.isPointer(i) ? e.pointer(d.args[i])
                                  : e.convert(TREE_VALUE(parameter), e.value(d.args[i])));
  }
  gcall *call = gimple_build_call_vec(decl, args);
  if (!o.isLibc())
    gimple_call_set_fntype(call, TREE_TYPE(decl));
  gimple_set_location(call, where);
  gimple_seq_add_stmt(&e.seq, call);
}

tree emitReturning(Emitter &e, const ReturningCall &c, const vec<tree> &args, location_t where) {
  tree type = TREE_TYPE(declaration(c.routine, c.symbol));
  gcall *call = gimple_build_call_vec(declaration(c.routine, c.symbol), args);
  gimple_call_set_fntype(call, type);
  tree result = make_ssa_name(TREE_TYPE(type));
  gimple_call_set_lhs(call, result);
  gimple_set_location(call, where);
  gimple_seq_add_stmt(&e.seq, call);
  return result;
}

/// Makes the one call that as many of Routine::CrcLanes stand for as it has registers. They are in
/// memory while it runs.
void emitLanes(Emitter &e, const ReturningCall *first, size_t lanes, location_t where) {
  tree word = wordType(64),
       variable = create_tmp_var(build_array_type_nelts(word, lanes), "memlift_registers");
  TREE_ADDRESSABLE(variable) = 1;
  tree at = build_fold_addr_expr(variable);
  auto place = [&](size_t lane) { return reference(at, 8 * lane, 8, 8); };
  for (size_t k = 0; k < lanes; ++k)
    emitStore(e, place(k), e.value(first[k].args[0]), where);
  const Operation &o = operationOf(first->routine);
  auto_vec<tree, mostParams> args;
  args.safe_push(at);
  args.safe_push(e.pointer(first->args[1]));
  for (unsigned i : {2, 3}) // the size, and the number of registers
    args.safe_push(e.convert(typeOf(o.params[i]), e.value(first->args[i])));
  args.safe_push(build_fold_addr_expr(crcTable(first->crc)));
  e.results.push_back(emitReturning(e, *first, args, where));
  for (size_t k = 1; k < lanes; ++k) {
    tree result = make_ssa_name(word);
    gassign *load = gimple_build_assign(result, place(k));
    gimple_set_location(load, where);
    gimple_seq_add_stmt(&e.seq, load);
    e.results.push_back(e.convert(word, result));
  }
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
  keepStreamDeclarations(pluginName);
  keepSpreadDeclarations(pluginName);
}

void emitCalls(Emitter &e, const std::vector<ReturningCall> &calls, location_t where) {
  for (size_t at = 0; at < calls.size(); ++at) {
    const ReturningCall &c = calls[at];
    if (c.routine == Routine::CrcLanes) {
      const size_t lanes = lanesOf(c, e.graph());
      emitLanes(e, &c, lanes, where);
      at += lanes - 1;
      continue;
    }
    if (c.inPlace != NoExpr) {
      e.results.push_back(e.value(c.inPlace));
      continue;
    }
    const Operation &o = operationOf(c.routine);
    gcc_assert(o.resultBits);
    tree decl = declaration(c.routine, c.symbol);
    tree type = TREE_TYPE(decl), parameter = TYPE_ARG_TYPES(type);
    auto_vec<tree, mostParams> args;
    for (unsigned i = 0; i < c.args.size(); ++i, parameter = TREE_CHAIN(parameter))
      args.safe_push(o.isPointer(i) ? e.pointer(c.args[i])
                                    : e.convert(TREE_VALUE(parameter), e.value(c.args[i])));
    if (takesPolynomial(c.routine))
      args.safe_push(build_fold_addr_expr(crcTable(c.crc)));
    e.results.push_back(emitReturning(e, c, args, where));
  }
}

void emitDecision(Emitter &e, const Match &match, const Decision &d, location_t where) {
  for (size_t i = 0; i < d.sequence.size(); ++i)
    emitDecision(e, match.sequence()[i], d.sequence[i], where);
  if (!d.sequence.empty())
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
  const WordLoop &wordLoop = outcome.decision.wordLoop;
  if (wordLoop.iterations)
    emitWordLoop(e, outcome.match, wordLoop, old);
  if (!wordLoop.iterations || !outcome.decision.words.empty())
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
