// address.cpp - describes pointers as base + offset, and their steps in a nest
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC's scalar evolution gives {{base, +, s0}_outer, +, s1}_inner for an address that moves by
// constant steps. It folds a conversion into such a chain only where the narrower index provably
// does not wrap. That makes the steps exact.
#include "../prove/prove.h"
#include "chain.h"

namespace memlift {

constexpr unsigned maxPeels = 32;

bool splitReference(tree ref, Reference &to) {
  poly_int64 bitSize, bitPos;
  machine_mode mode;
  int isUnsigned, reversed, isVolatile;
  tree base = get_inner_reference(ref, &bitSize, &bitPos, &to.offset, &mode, &isUnsigned, &reversed,
                                  &isVolatile);
  HOST_WIDE_INT size, pos;
  if (!bitSize.is_constant(&size) || !bitPos.is_constant(&pos) || reversed)
    return false;
  to.wholeBytes = pos % 8 == 0 && size % 8 == 0;
  to.bytes = pos >> 3;
  if (TREE_CODE(base) == MEM_REF) {
    offset_int extra;
    if (!mem_ref_offset(base).is_constant(&extra) || !wi::fits_shwi_p(extra))
      return false;
    to.bytes += extra.to_shwi();
    to.pointer = TREE_OPERAND(base, 0);
    return true;
  }
  if (TREE_CODE(base) == TARGET_MEM_REF || !(DECL_P(base) || TREE_CODE(base) == STRING_CST))
    return false;
  if (VAR_P(base) && (DECL_HARD_REGISTER(base) || DECL_HAS_VALUE_EXPR_P(base)))
    return false;
  to.pointer = build_fold_addr_expr(base);
  return true;
}

uint32_t Translator::baseOf(tree root) {
  for (size_t i = 0; i < binding.bases.size(); ++i)
    if (binding.bases[i] && operand_equal_p(binding.bases[i], root, 0))
      return uint32_t(i);
  binding.loop.bases.push_back(describeBase(root));
  Base &made = binding.loop.bases.back();
  for (size_t i = 0; i + 1 < binding.loop.bases.size(); ++i)
    if (binding.loop.bases[i].name == made.name)
      made.name += "." + std::to_string(binding.bases.size());
  binding.bases.push_back(root);
  return uint32_t(binding.bases.size() - 1);
}

constexpr unsigned maxTerms = 48;

/// Returns whether an integer is computed from any pointer, as far as definitions tell, or has too
/// many of them to tell.
static bool seesPointer(tree t, unsigned &budget) {
  if (!budget)
    return true;
  --budget;
  if (POINTER_TYPE_P(TREE_TYPE(t)))
    return true;
  if (TREE_CODE(t) != SSA_NAME)
    return !CONSTANT_CLASS_P(t);
  gimple *def = SSA_NAME_DEF_STMT(t);
  if (gimple_vuse(def) || (!is_gimple_assign(def) && gimple_code(def) != GIMPLE_PHI))
    return false;
  if (auto *phi = dyn_cast<gphi *>(def)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (seesPointer(gimple_phi_arg_def(phi, i), budget))
        return true;
    return false;
  }
  for (unsigned i = 1; i < gimple_num_ops(def); ++i)
    if (seesPointer(gimple_op(def, i), budget))
      return true;
  return false;
}

/// Splits a sum of sizetype numbers, one of them a pointer's, into that pointer and the rest. So
/// GCC 14 writes the value that a pointer has after a loop: the pointer before it, moved. The
/// object stays that pointer's. A source's own sum of addresses, which may lead from one object
/// into another, has another type (uintptr_t); and none of the other terms may come from a pointer.
bool Translator::pointerInSum(tree sum, tree &from, ExprId &by, unsigned budget) {
  gassign *def = TREE_CODE(sum) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(sum)) : nullptr;
  if (!budget || !def || gimple_vuse(def) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(sum) || inNest(sum) ||
      !isSizetype(TREE_TYPE(sum)))
    return false;
  tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
  if (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)) && POINTER_TYPE_P(TREE_TYPE(a)) &&
      TYPE_PRECISION(TREE_TYPE(a)) == ptrBits()) {
    from = a;
    return true;
  }
  if (gimple_assign_rhs_code(def) != PLUS_EXPR)
    return false;
  bool left = pointerInSum(a, from, by, budget - 1);
  if (!left && !pointerInSum(b, from, by, budget - 1))
    return false;
  tree other = left ? b : a;
  unsigned terms = maxTerms;
  if (seesPointer(other, terms))
    return false;
  ExprId more = value(other);
  if (more == NoExpr || g.width(more) != ptrBits())
    return false;
  by = g.add(by, more);
  return true;
}

/// Removes one layer of arithmetic from a pointer. Returns false if there is none.
bool Translator::peel(tree &t, ExprId &offset) {
  tree a = t, b = NULL_TREE;
  tree_code code = TREE_CODE(t);
  if (code == SSA_NAME) {
    gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
    if (!def || gimple_vuse(def) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t))
      return false;
    code = gimple_assign_rhs_code(def);
    a = gimple_assign_rhs1(def);
    b = gimple_assign_rhs2(def);
  } else if (code == POINTER_PLUS_EXPR) {
    a = TREE_OPERAND(t, 0);
    b = TREE_OPERAND(t, 1);
  } else if (CONVERT_EXPR_CODE_P(code)) {
    a = TREE_OPERAND(t, 0);
  }
  if (code == POINTER_PLUS_EXPR) {
    ExprId by = value(b);
    if (by == NoExpr || g.width(by) != ptrBits())
      return false;
    offset = g.add(offset, by);
    t = a;
    return true;
  }
  if ((CONVERT_EXPR_CODE_P(code) || code == SSA_NAME) && POINTER_TYPE_P(TREE_TYPE(a)) &&
      TYPE_PRECISION(TREE_TYPE(a)) == ptrBits()) {
    t = a;
    return true;
  }
  if (CONVERT_EXPR_CODE_P(code) && POINTER_TYPE_P(TREE_TYPE(t)) && isCFamily()) {
    tree from = NULL_TREE;
    ExprId by = binding.loop.word(0);
    if (!pointerInSum(a, from, by, maxPeels))
      return false;
    offset = g.add(offset, by);
    t = from;
    return true;
  }
  if (code != ADDR_EXPR)
    return false;
  Reference at;
  if (!splitReference(TREE_OPERAND(a, 0), at) || !at.wholeBytes)
    return false;
  ExprId by = at.offset ? value(at.offset) : binding.loop.word(0);
  if (by == NoExpr || g.width(by) != ptrBits())
    return false;
  if (TREE_CODE(at.pointer) == ADDR_EXPR && operand_equal_p(at.pointer, t, 0))
    return false;
  offset = g.add(offset, g.add(by, binding.loop.word(uint64_t(at.bytes))));
  t = at.pointer;
  return true;
}

bool Translator::pointer(tree t, uint32_t &base, ExprId &offset) {
  if (TYPE_PRECISION(TREE_TYPE(t)) != ptrBits())
    return false;
  offset = binding.loop.word(0);
  for (unsigned i = 0; i < maxPeels && peel(t, offset); ++i)
    ;
  if (binding.chain && TREE_CODE(t) == SSA_NAME && (inChain(t) || binding.chain->after.count(t))) {
    ExprId further;
    if (!rowPointer(t, base, further))
      return false;
    offset = g.add(further, offset);
    return true;
  }
  if (TREE_CODE(t) == INTEGER_CST) {
    offset = g.add(offset, g.constant(TREE_INT_CST_LOW(t), ptrBits()));
    t = build_int_cst(ptr_type_node, 0);
  }
  bool fine =
      TREE_CODE(t) == SSA_NAME ? !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t) : is_gimple_min_invariant(t);
  if (!fine || !invariant(t))
    return false;
  base = baseOf(t);
  return true;
}

tree Translator::chrecOf(tree t) const {
  tree c = analyze_scalar_evolution(nest->inner(), t);
  if (!c || automatically_generated_chrec_p(c))
    return chrec_dont_know;
  return instantiate_scev(loop_preheader_edge(nest->outer()), nest->inner(), c);
}

/// Adds the step of a POLYNOMIAL_CHREC. Returns false if its loop is not of the nest.
bool Translator::addStep(Affine &a, tree chrec) {
  ExprId step = value(CHREC_RIGHT(chrec));
  if (step == NoExpr || g.width(step) != ptrBits() || !g.isInvariant(step))
    return false;
  for (size_t k = 0; k < nest->loops.size(); ++k)
    if (unsigned(nest->loops[k]->num) == CHREC_VARIABLE(chrec)) {
      a.step[k] = g.add(a.step[k], step);
      return true;
    }
  return false;
}

Affine Translator::combine(Affine a, const Affine &b, bool subtract) {
  a.ok &= b.ok && (a.base < 0 || b.base < 0) && (!subtract || b.base < 0);
  if (!a.ok)
    return a;
  a.base = a.base < 0 ? b.base : a.base;
  a.inv = subtract ? g.sub(a.inv, b.inv) : g.add(a.inv, b.inv);
  for (size_t k = 0; k < a.step.size(); ++k)
    a.step[k] = subtract ? g.sub(a.step[k], b.step[k]) : g.add(a.step[k], b.step[k]);
  return a;
}

/// Scales the address by `factor`, which is invariant and of pointer width.
Affine Translator::scaled(Affine a, ExprId factor) {
  a.ok &= a.base < 0 && factor != NoExpr && g.isInvariant(factor) && g.width(factor) == ptrBits();
  if (!a.ok)
    return a;
  a.inv = g.mul(a.inv, factor);
  for (ExprId &s : a.step)
    s = g.mul(s, factor);
  return a;
}

Affine Translator::sum(tree x, tree y, bool subtract) {
  return combine(affineChrec(x), affineChrec(y), subtract);
}

Affine Translator::product(tree x, tree y) {
  if (tree_contains_chrecs(y, nullptr))
    std::swap(x, y);
  return tree_contains_chrecs(y, nullptr) ? Affine() : scaled(affineChrec(x), value(y));
}

Affine Translator::affineChrec(tree chrec) {
  Affine a;
  if (!chrec || automatically_generated_chrec_p(chrec) ||
      TYPE_PRECISION(TREE_TYPE(chrec)) != ptrBits())
    return a;
  if (TREE_CODE(chrec) == POLYNOMIAL_CHREC) {
    a = affineChrec(CHREC_LEFT(chrec));
    a.ok = a.ok && addStep(a, chrec);
    return a;
  }
  if (tree_contains_chrecs(chrec, nullptr)) {
    tree_code code = TREE_CODE(chrec);
    if (code == PLUS_EXPR || code == POINTER_PLUS_EXPR || code == MINUS_EXPR)
      return sum(TREE_OPERAND(chrec, 0), TREE_OPERAND(chrec, 1), code == MINUS_EXPR);
    if (code == MULT_EXPR)
      return product(TREE_OPERAND(chrec, 0), TREE_OPERAND(chrec, 1));
    if (CONVERT_EXPR_CODE_P(code))
      return widened(TREE_OPERAND(chrec, 0));
    return a;
  }
  a.step.assign(nest->loops.size(), binding.loop.word(0));
  if (POINTER_TYPE_P(TREE_TYPE(chrec))) {
    uint32_t base;
    a.ok = pointer(chrec, base, a.inv);
    a.base = a.ok ? int(base) : -1;
  } else {
    a.inv = value(chrec);
    a.ok = a.inv != NoExpr;
  }
  a.ok = a.ok && g.isInvariant(a.inv);
  return a;
}

Affine Translator::affine(tree t) {
  Affine a = affineChrec(chrecOf(t));
  return a.ok ? a : walked(t);
}

/// Returns the address that a pointer of the body holds in each iteration.
ExprId Translator::steppedPointer(tree t) {
  Affine a = TYPE_PRECISION(TREE_TYPE(t)) == ptrBits() ? affine(t) : Affine();
  if (!a.ok || a.base < 0)
    return NoExpr;
  ExprId sum = g.add(g.leaf(Op::BaseAddr, unsigned(a.base), ptrBits()), a.inv);
  for (size_t k = 0; k < a.step.size(); ++k)
    sum = g.add(sum, g.mul(a.step[k], g.leaf(Op::Iv, k, ptrBits())));
  return sum;
}

/// Finds the base of an address computed as an integer: the pointer that it was converted from, or
/// address 0.
void Translator::findBase(Affine &a) {
  for (const auto &[atoms, factor] : g.poly(a.inv))
    if (atoms.size() == 1 && factor == 1 && g[atoms[0]].op == Op::BaseAddr) {
      a.base = int(g[atoms[0]].value);
      a.inv = g.fromPoly(g.poly(g.sub(a.inv, atoms[0])), ptrBits());
      return;
    }
  a.base = int(baseOf(build_int_cst(ptr_type_node, 0)));
}

Affine Translator::address(tree ref, bool &bitsLeft) {
  Affine a;
  Reference at;
  if (!splitReference(ref, at))
    return a;
  bitsLeft = !at.wholeBytes;
  a = affine(at.pointer);
  if (a.ok && a.base < 0)
    findBase(a);
  if (!a.ok)
    return a;
  if (at.offset) {
    Affine b = affine(at.offset);
    if (!b.ok || b.base >= 0) {
      a.ok = false;
      return a;
    }
    a.inv = g.add(a.inv, b.inv);
    for (size_t k = 0; k < a.step.size(); ++k)
      a.step[k] = g.add(a.step[k], b.step[k]);
  }
  a.inv = g.add(a.inv, binding.loop.word(uint64_t(at.bytes)));
  return a;
}

/// Follows an address's definition to an index of a type narrower than a pointer, which may wrap.
/// Returns true if there is one.
bool Translator::narrow(tree t, unsigned budget) {
  if (!budget)
    return false;
  tree_code code = TREE_CODE(t);
  tree ops[2] = {NULL_TREE, NULL_TREE};
  if (code == SSA_NAME) {
    gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
    if (!def || !inNest(t) || gimple_vuse(def))
      return false;
    code = gimple_assign_rhs_code(def);
    ops[0] = gimple_assign_rhs1(def);
    ops[1] = gimple_assign_rhs2(def);
  } else if (EXPR_P(t) && TREE_OPERAND_LENGTH(t) <= 2) {
    ops[0] = TREE_OPERAND(t, 0);
    ops[1] = TREE_OPERAND_LENGTH(t) == 2 ? TREE_OPERAND(t, 1) : NULL_TREE;
  }
  if (CONVERT_EXPR_CODE_P(code) && ops[0] && INTEGRAL_TYPE_P(TREE_TYPE(ops[0])) &&
      TYPE_PRECISION(TREE_TYPE(ops[0])) < ptrBits()) {
    tree c = chrecOf(ops[0]);
    return c != chrec_dont_know && TREE_CODE(c) == POLYNOMIAL_CHREC;
  }
  for (tree op : ops)
    if (op && narrow(op, budget - 1))
      return true;
  return false;
}

bool Translator::narrowIndex(tree ref) {
  Reference at;
  return splitReference(ref, at) && (narrow(at.pointer, 8) || (at.offset && narrow(at.offset, 8)));
}

bool hasPadding(tree ref) {
  tree type = TREE_TYPE(ref);
  if (AGGREGATE_TYPE_P(type) || !TYPE_SIZE(type) || !tree_fits_uhwi_p(TYPE_SIZE(type)))
    return false;
  if (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(ref, 1)))
    return true;
  uint64_t bits = tree_to_uhwi(TYPE_SIZE(type));
  if (COMPLEX_FLOAT_TYPE_P(type))
    type = TREE_TYPE(type), bits /= 2;
  if (SCALAR_FLOAT_TYPE_P(type))
    return REAL_MODE_FORMAT(TYPE_MODE(type))->signbit_ro + 1 != int(bits);
  if (INTEGRAL_TYPE_P(type) && TREE_CODE(type) != BOOLEAN_TYPE)
    return TYPE_PRECISION(type) != bits;
  return false;
}

} // namespace memlift
