// clmul.cpp - pairs of words, carry-less products and CRC instructions as GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128 bits made of Op::Pair and Op::ClMul are a vector of two words. The instructions are the
// target's built-in functions, found by their names: no header of a plugin has their numbers. On
// RV64 128 bits are an integer, and each half of a product is an asm statement.
#include "../targetfacts.h"
#include "emit.h"

#include "vec-perm-indices.h"

namespace memlift {

tree pairType() {
  return MEMLIFT_ASM_PRODUCTS ? wordType(128) : build_vector_type(wordType(64), 2);
}

tree Emitter::pair(tree low, tree high) {
  tree type = pairType();
  if (!VECTOR_TYPE_P(type)) {
    tree upper = gimple_build(&seq, where, LSHIFT_EXPR, type, convert(type, high),
                              build_int_cst(unsigned_type_node, 64));
    return gimple_build(&seq, where, BIT_IOR_EXPR, type, convert(type, low), upper);
  }
  vec<constructor_elt, va_gc> *elements = nullptr;
  CONSTRUCTOR_APPEND_ELT(elements, NULL_TREE, low);
  CONSTRUCTOR_APPEND_ELT(elements, NULL_TREE, high);
  if (CONSTANT_CLASS_P(low) && CONSTANT_CLASS_P(high))
    return build_vector_from_ctor(type, elements);
  tree name = make_ssa_name(type);
  add(gimple_build_assign(name, build_constructor(type, elements)));
  return name;
}

void Emitter::add(gimple *stmt) {
  gimple_set_location(stmt, where);
  gimple_seq_add_stmt(&seq, stmt);
}

tree Emitter::lane(tree v, unsigned which) {
  tree type = wordType(64), name = make_ssa_name(type);
  tree part = build3(BIT_FIELD_REF, type, v, bitsize_int(64), bitsize_int(64 * which));
  add(gimple_build_assign(name, BIT_FIELD_REF, part));
  return name;
}

/// Returns the vector that `id` is a half of. `half` tells which one.
tree Emitter::vectorOf(ExprId id, unsigned &half) {
  Expr e = g[id];
  if (e.op != Op::Trunc || g.width(e.a) != 128)
    return NULL_TREE;
  Expr whole = g[e.a];
  half = whole.op == Op::LShr && g.isConst(whole.b, 64);
  tree v = value(half ? whole.a : e.a);
  return VECTOR_TYPE_P(TREE_TYPE(v)) ? v : NULL_TREE;
}

tree Emitter::half(ExprId id) {
  unsigned which;
  tree v = vectorOf(id, which);
  return v ? lane(v, which) : NULL_TREE;
}

/// Returns a call whose arguments and result are converted bit by bit.
tree Emitter::builtin(const char *function, std::vector<tree> args, tree type) {
  tree decl = targetBuiltin(function), at = TYPE_ARG_TYPES(TREE_TYPE(decl));
  auto as = [&](tree want, tree v) {
    if (useless_type_conversion_p(want, TREE_TYPE(v)))
      return v;
    return VECTOR_TYPE_P(want) ? gimple_build(&seq, where, VIEW_CONVERT_EXPR, want, v)
                               : convert(want, v);
  };
  auto_vec<tree> converted;
  for (tree arg : args) {
    converted.safe_push(as(TREE_VALUE(at), arg));
    at = TREE_CHAIN(at);
  }
  gcall *call = gimple_build_call_vec(decl, converted);
  tree result = make_ssa_name(TREE_TYPE(TREE_TYPE(decl)));
  gimple_call_set_lhs(call, result);
  add(call);
  return as(type, result);
}

tree Emitter::assembler(const char *text, std::vector<std::pair<const char *, tree>> from,
                        tree type) {
  tree result = make_ssa_name(type);
  addAssembler(text, from, {result});
  return result;
}

void Emitter::addAssembler(const char *text, const std::vector<std::pair<const char *, tree>> &from,
                           const std::vector<tree> &results) {
  auto operand = [](const char *constraint, tree value) {
    tree kind = build_string(int(strlen(constraint) + 1), constraint);
    return build_tree_list(build_tree_list(NULL_TREE, kind), value);
  };
  vec<tree, va_gc> *inputs = nullptr, *outputs = nullptr;
  for (auto [constraint, value] : from)
    vec_safe_push(inputs, operand(constraint, value));
  for (tree result : results)
    vec_safe_push(outputs, operand("=r", result));
  gasm *made = gimple_build_asm_vec(text, inputs, outputs, nullptr, nullptr);
  for (tree result : results)
    SSA_NAME_DEF_STMT(result) = made;
  add(made);
}

/// Returns whether all operands of an asm statement fit into registers at once, beside the other
/// live values.
static bool fitsRegisters(const std::vector<tree> &values) {
  return hasManyRegisters() && std::all_of(values.begin(), values.end(), [](tree value) {
           return TYPE_PRECISION(TREE_TYPE(value)) <= BITS_PER_WORD;
         });
}

std::vector<tree> Emitter::pinTogether(const std::vector<tree> &values) {
  static const char *const places[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  if (values.size() < 2 || values.size() > sizeof places / sizeof *places || !fitsRegisters(values))
    return values;
  std::vector<std::pair<const char *, tree>> from;
  std::vector<tree> results;
  for (tree value : values) {
    from.push_back({places[from.size()], value});
    results.push_back(make_ssa_name(TREE_TYPE(value)));
  }
  addAssembler("", from, results);
  return results;
}

/// Returns a carry-less product. x86 names the halves of two vectors; a word that is not in one is
/// moved there.
tree Emitter::product(const Expr &e) {
  if (MEMLIFT_ASM_PRODUCTS) {
    tree a = value(e.a), b = value(e.b);
    auto half = [&](const char *text) {
      return assembler(text, {{"r", a}, {"r", b}}, wordType(64));
    };
    tree low = half("clmul\t%0,%1,%2");
    return pair(low, half("clmulh\t%0,%1,%2"));
  }
  unsigned halves[2] = {0, 0};
  tree operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    ExprId id = i ? e.b : e.a;
    operands[i] = vectorOf(id, halves[i]);
    if (operands[i])
      continue;
    halves[i] = 0;
    operands[i] = pair(value(id), build_int_cst(wordType(64), 0));
  }
  tree which = build_int_cst(integer_type_node, int(halves[0] | halves[1] << 4));
  return builtin(productBuiltin, {operands[0], operands[1], which}, pairType());
}

/// Returns the 16 bytes in reverse order, in one step if the target has one.
tree Emitter::byteSwapped(tree v) {
  if (!VECTOR_TYPE_P(TREE_TYPE(v))) {
    tree type = wordType(64), amount = build_int_cst(unsigned_type_node, 64);
    tree high = convert(type, gimple_build(&seq, where, RSHIFT_EXPR, TREE_TYPE(v), v, amount));
    tree low = swap(convert(type, v)), other = swap(high);
    return pair(other, low);
  }
  if (!shufflesBytes()) {
    auto swapped = [&](unsigned which) {
      gcall *call = gimple_build_call(builtin_decl_explicit(BUILT_IN_BSWAP64), 1, lane(v, which));
      gimple_call_set_lhs(call, make_ssa_name(wordType(64)));
      add(call);
      return gimple_call_lhs(call);
    };
    tree low = swapped(1), high = swapped(0);
    return pair(low, high);
  }
  tree bytes = build_vector_type(wordType(8), 16);
  vec_perm_builder places(16, 16, 1);
  for (int i = 15; i >= 0; --i)
    places.quick_push(i);
  vec_perm_indices indices(places, 1, 16);
  v = gimple_build(&seq, where, VIEW_CONVERT_EXPR, bytes, v);
  v = gimple_build(&seq, where, VEC_PERM_EXPR, bytes, v, v,
                   vec_perm_indices_to_tree(build_vector_type(ssizetype, 16), indices));
  return gimple_build(&seq, where, VIEW_CONVERT_EXPR, pairType(), v);
}

tree Emitter::crcStep(const Expr &e) {
  tree state = value(e.a), data = value(e.b), type = wordType(32);
  unsigned bytes = g.width(e.b) / 8;
  return builtin(crcBuiltins[exact_log2(bytes)], {state, data}, type);
}

} // namespace memlift
