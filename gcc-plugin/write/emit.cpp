// emit.cpp - the decision's expressions as GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../targetfacts.h"
#include "crctable.h"
#include "emit.h"

namespace memlift {

tree wordType(unsigned width) {
  return width == 1 ? boolean_type_node : build_nonstandard_integer_type(width, 1);
}

unsigned short newClique() {
  if (cfun->last_clique == 0)
    cfun->last_clique = 1;
  return ++cfun->last_clique;
}

tree volatileOfRuntime(const char *name) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), wordType(32));
  DECL_EXTERNAL(decl) = 1;
  TREE_PUBLIC(decl) = 1;
  TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  TREE_THIS_VOLATILE(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED(decl) = 1;
  varpool_node::get_create(decl);
  return decl;
}

tree reference(tree pointer, uint64_t offset, unsigned bytes, uint64_t align) {
  tree word = build_aligned_type(bytes == 16 ? pairType() : wordType(8 * bytes),
                                 unsigned(std::min<uint64_t>(align, bytes)) * BITS_PER_UNIT);
  tree anything = build_pointer_type_for_mode(char_type_node, ptr_mode, true);
  return build2(MEM_REF, word, pointer, build_int_cst(anything, int64_t(offset)));
}

tree Emitter::convert(tree type, tree from) { return gimple_convert(&seq, where, type, from); }

/// Gimplifies an address. Its operand is no register from here on.
static tree operandOf(tree t, gimple_seq *seq) {
  if (TREE_CODE(t) == ADDR_EXPR)
    mark_addressable(TREE_OPERAND(t, 0));
  gimple_seq stmts = nullptr;
  t = force_gimple_operand(unshare_expr(t), &stmts, true, NULL_TREE);
  gimple_seq_add_seq(seq, stmts);
  return t;
}

/// Returns the operation's own copy of a value of the program (Emitter::apart).
tree Emitter::own(tree t) {
  if (!apart || TREE_CODE(t) != SSA_NAME)
    return t;
  tree &copy = copies[t];
  auto old = before.find(t);
  if (!copy && old != before.end()) // without the result it would be the same to GCC
    copy = assembler("", {{"0", old->second}, {"r", results.back()}}, TREE_TYPE(t));
  else if (!copy)
    copy = launder(t);
  return copy;
}

/// Returns a symbol or base: gimplified if it is no name yet, then as bits of `type`.
tree Emitter::leaf(tree t, tree type) {
  t = own(operandOf(t, &seq));
  tree from = TREE_TYPE(t);
  if (INTEGRAL_TYPE_P(from) || POINTER_TYPE_P(from))
    return convert(type, t);
  return gimple_build(&seq, where, VIEW_CONVERT_EXPR, type, t);
}

/// Repeats the operand's bits: times 0x...010101 of the right period.
tree Emitter::splat(const Expr &e, tree type) {
  unsigned part = g.width(e.a);
  tree one = convert(type, value(e.a));
  uint64_t factor = 0;
  for (unsigned at = 0; at < e.width; at += part)
    factor |= uint64_t(1) << at;
  return gimple_build(&seq, where, MULT_EXPR, type, one, build_int_cstu(type, factor));
}

/// Reads memory at the place of the emitter's statements.
tree Emitter::memory(const Expr &e, tree type) {
  tree loaded = make_ssa_name(type);
  gassign *load = gimple_build_assign(
      loaded, reference(pointer(e.a), 0, e.width / 8, std::max<uint64_t>(e.value, 1)));
  gimple_set_location(load, where);
  gimple_seq_add_stmt(&seq, load);
  return loaded;
}

/// Swaps bytes by shifts and masks where the target has no instruction for it: the built-in would
/// be a call.
tree Emitter::swap(tree x) {
  unsigned bits = TYPE_PRECISION(TREE_TYPE(x));
  if (swapsBytes(bits)) {
    tree swapped = make_ssa_name(TREE_TYPE(x));
    gcall *call = gimple_build_call(
        builtin_decl_implicit(bits == 32 ? BUILT_IN_BSWAP32 : BUILT_IN_BSWAP64), 1, x);
    gimple_call_set_lhs(call, swapped);
    gimple_set_location(call, where);
    gimple_seq_add_stmt(&seq, call);
    return swapped;
  }
  tree type = TREE_TYPE(x), result = build_int_cst(type, 0), mask = build_int_cst(type, 0xff);
  tree amountType = unsigned_type_node;
  for (unsigned at = 0; at < bits; at += 8) {
    tree byte = gimple_build(&seq, where, RSHIFT_EXPR, type, x, build_int_cst(amountType, at));
    byte = gimple_build(&seq, where, BIT_AND_EXPR, type, byte, mask);
    byte = gimple_build(&seq, where, LSHIFT_EXPR, type, byte,
                        build_int_cst(amountType, bits - 8 - at));
    result = gimple_build(&seq, where, BIT_IOR_EXPR, type, result, byte);
  }
  return result;
}

static tree_code codeOf(Op op) {
  switch (op) {
  case Op::Add: return PLUS_EXPR;
  case Op::Sub: return MINUS_EXPR;
  case Op::Mul: return MULT_EXPR;
  case Op::URem: return TRUNC_MOD_EXPR;
  case Op::And: return BIT_AND_EXPR;
  case Op::Or: return BIT_IOR_EXPR;
  case Op::Xor: return BIT_XOR_EXPR;
  case Op::Eq: return EQ_EXPR;
  case Op::Ne: return NE_EXPR;
  case Op::ULt: return LT_EXPR;
  case Op::ULe: return LE_EXPR;
  case Op::Shl: return LSHIFT_EXPR;
  case Op::LShr:
  case Op::AShr: return RSHIFT_EXPR;
  default: return ERROR_MARK;
  }
}

/// Returns `v` in words, except that a pair stays one.
tree Emitter::inWords(tree type, tree v) {
  return VECTOR_TYPE_P(TREE_TYPE(v)) ? v : convert(type, v);
}

/// Returns x | x << n. The empty asm keeps the shifted value live. Otherwise it and the result
/// would share a register, and a core that does not rename would wait until that is written
/// (Core::rewriteWaits).
tree Emitter::doubled(const Expr &e) {
  tree x = value(e.a), up = value(e.b), type = wordType(e.width);
  tree both = gimple_build(&seq, where, BIT_IOR_EXPR, type, x, up);
  return is_gimple_min_invariant(both) ? both : assembler("", {{"0", both}, {"r", up}}, type);
}

/// Returns true for a comparison of signed numbers, with its operands: their sign bits are inverted
/// in the graph. GCC makes an addition of that, and the comparison is one of zero no longer.
bool Emitter::signedOperands(const Expr &e, tree &a, tree &b) {
  if (e.op != Op::ULt && e.op != Op::ULe)
    return false;
  const unsigned width = g.width(e.a);
  const uint64_t sign = uint64_t(1) << (width - 1);
  auto inverted = [&](ExprId id) { return g[id].op == Op::Xor && g.isConst(g[id].b, sign); };
  auto isSigned = [&](ExprId id) { return g.isConst(id) || inverted(id); };
  if (width > 64 || !isSigned(e.a) || !isSigned(e.b) || (g.isConst(e.a) && g.isConst(e.b)))
    return false;
  auto operand = [&](ExprId id) {
    ExprId plain = inverted(id) ? g[id].a : g.constant(g[id].value ^ sign, width);
    return convert(signed_type_for(wordType(width)), value(plain));
  };
  a = operand(e.a), b = operand(e.b);
  return true;
}

tree Emitter::build(ExprId id) {
  const Expr e = g[id]; // a copy: the graph may grow
  tree type = wordType(e.width);
  switch (e.op) {
  case Op::Const: return wide_int_to_tree(type, wi::uhwi(e.value, e.width));
  case Op::Sym: return leaf(binding.syms[e.value], type);
  case Op::BaseAddr: return leaf(binding.bases[e.value], type);
  case Op::Result:
    return inWords(type, e.value < FinalResult ? results[e.value] : finals[e.value - FinalResult]);
  case Op::Iv: return convert(type, inside.iv);
  case Op::Load: return inWords(type, inside.loads[e.value]);
  case Op::Rec: return inWords(type, inside.scalars[e.value]);
  case Op::Table: return convert(type, lookUp(e));
  case Op::Splat: return splat(e, type);
  case Op::BSwap: {
    tree v = value(e.a);
    return e.width == 128 ? byteSwapped(v) : swap(v);
  }
  case Op::Pair: {
    tree low = value(e.a), high = value(e.b);
    return pair(low, high);
  }
  case Op::ClMul: return product(e);
  case Op::Crc32:
  case Op::Crc32c: return crcStep(e);
  case Op::Memory: return memory(e, type);
  case Op::Trunc:
    if (tree part = half(id))
      return part;
    return convert(type, value(e.a));
  case Op::ZExt: return convert(type, value(e.a));
  case Op::SExt: {
    tree narrow = convert(signed_type_for(wordType(g.width(e.a))), value(e.a));
    return convert(type, convert(signed_type_for(type), narrow));
  }
  case Op::SRem: {
    tree isSigned = signed_type_for(type);
    tree x = convert(isSigned, value(e.a)), y = convert(isSigned, value(e.b));
    return convert(type, gimple_build(&seq, where, TRUNC_MOD_EXPR, isSigned, x, y));
  }
  case Op::AShr: {
    tree isSigned = signed_type_for(type);
    tree amount = convert(unsigned_type_node, value(e.b));
    tree x = convert(isSigned, value(e.a));
    return convert(type, gimple_build(&seq, where, RSHIFT_EXPR, isSigned, x, amount));
  }
  case Op::Shl:
  case Op::LShr: {
    // At full width: a narrower amount beside it would be another register on RISC-V.
    tree amount = value(e.b);
    if (TYPE_PRECISION(TREE_TYPE(amount)) > BITS_PER_WORD)
      amount = convert(unsigned_type_node, amount);
    return gimple_build(&seq, where, codeOf(e.op), type, value(e.a), amount);
  }
  case Op::Select: {
    tree cond = value(e.a), yes = value(e.b), no = value(e.c);
    cond = gimple_build(&seq, where, NE_EXPR, boolean_type_node, cond, boolean_false_node);
    return gimple_build(&seq, where, COND_EXPR, type, cond, yes, no);
  }
  case Op::Opaque: gcc_unreachable(); // a decision uses only values known before the loop
  case Op::ClearsBlocks:
    gcc_unreachable(); // GCC for such a target has no plugin; see targetfacts.cpp
  case Op::Or:
    if (rewriteWaits && g[e.b].op == Op::Shl && g[e.b].a == e.a)
      return doubled(e);
    [[fallthrough]];
  default: {
    tree a, b;
    if (signedOperands(e, a, b))
      return gimple_build(&seq, where, codeOf(e.op), type, a, b);
    a = value(e.a), b = value(e.b);
    if (VECTOR_TYPE_P(TREE_TYPE(a)))
      type = TREE_TYPE(a); // Xor of pairs
    return gimple_build(&seq, where, codeOf(e.op), type, a, b);
  }
  }
}

tree Emitter::lookUp(const Expr &e) {
  const Table &table = (*inside.tables)[e.value];
  tree array = entryTable(table), index = convert(sizetype, value(e.a));
  tree entry = TREE_TYPE(TREE_TYPE(array));
  tree loaded = make_ssa_name(TYPE_MAIN_VARIANT(entry));
  gassign *load =
      gimple_build_assign(loaded, build4(ARRAY_REF, entry, array, index, NULL_TREE, NULL_TREE));
  gimple_set_location(load, where);
  gimple_seq_add_stmt(&seq, load);
  return loaded;
}

void Emitter::prepare(ExprId id) {
  if (id == NoExpr)
    return;
  Expr e = g[id];
  if (g.isInvariant(id) && e.op != Op::Trunc) {
    value(id);
    return;
  }
  for (ExprId operand : {e.a, e.b, e.c})
    prepare(operand);
}

void Emitter::enter(Inside of) {
  outside = made;
  inside = std::move(of);
}

void Emitter::leave(const std::vector<tree> &values) {
  made = std::move(outside);
  inside = Inside();
  finals.insert(finals.end(), values.begin(), values.end());
}

tree Emitter::value(ExprId id) {
  auto known = made.find(id);
  if (known != made.end())
    return known->second;
  tree t = build(id);
  made[id] = t;
  return t;
}

/// Branches on the comparison itself, so that no target has to make a number of it first.
gcond *Emitter::branch(ExprId condition) {
  const Expr e = g[condition];
  bool compares = e.op == Op::Eq || e.op == Op::Ne || e.op == Op::ULt || e.op == Op::ULe;
  tree a = value(compares ? e.a : condition);
  tree b = compares ? value(e.b) : build_int_cst(TREE_TYPE(a), 0);
  gcond *test = gimple_build_cond(compares ? codeOf(e.op) : NE_EXPR, a, b, NULL_TREE, NULL_TREE);
  gimple_set_location(test, where);
  return test;
}

tree Emitter::pointer(ExprId id) {
  if (g[id].op == Op::Result && g[id].value >= FinalResult)
    return convert(ptr_type_node, finals[g[id].value - FinalResult]);
  Poly poly = g.poly(id), rest = poly;
  ExprId base = NoExpr;
  for (const auto &[monomial, factor] : poly)
    for (ExprId atom : monomial)
      if (g[atom].op == Op::BaseAddr) {
        if (monomial.size() != 1 || factor != 1 || base != NoExpr)
          return convert(ptr_type_node, value(id));
        base = atom;
        rest.erase(monomial);
      }
  if (base == NoExpr)
    return convert(ptr_type_node, value(id));
  tree t = convert(ptr_type_node, own(operandOf(binding.bases[g[base].value], &seq)));
  tree offset = convert(sizetype, value(g.fromPoly(rest, binding.loop.ptrBits)));
  if (integer_zerop(offset))
    return t;
  return gimple_build(&seq, where, POINTER_PLUS_EXPR, ptr_type_node, t, offset);
}

profile_probability chanceOf(const Decision &d) {
  if (d.guard == NoExpr)
    return profile_probability::always();
  return d.longOnly || d.sizeFirst ? profile_probability::guessed_always().apply_scale(Half, 10)
                                   : profile_probability::likely();
}

} // namespace memlift
