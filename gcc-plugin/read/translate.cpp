// translate.cpp - translates GIMPLE integers and conditions to the loop model's expressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All arithmetic is modulo 2^width: signed overflow is undefined in the source, so any result is
// right there. Definitions outside the loop are looked through as well, so that equal values become
// equal expressions; the limit keeps that cheap.
#include "ranges.h"
#include "chain.h"

namespace memlift {

/// Bodies may be unrolled; before the loop, less depth suffices.
constexpr unsigned maxDepth = 160, maxOutside = 24;

bool isScalar(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) <= 64;
}

bool isNumber(tree type) {
  return isScalar(type) || (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 128);
}

Translator::Translator(LoopBinding &binding, const Nest *nest)
    : binding(binding), g(binding.loop.exprs), nest(nest), outside(!nest) {
  if (nest)
    useRanges(); // GCC's iteration analysis asks for them, too
}

Translator::~Translator() { putRangesAside(); }

bool Translator::inNest(tree name) const {
  basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
  return nest && bb && flow_bb_inside_loop_p(nest->outer(), bb);
}

/// Returns whether the name is of the chain's own blocks, or of another link.
bool Translator::inChain(tree name) const {
  return binding.chain && !inNest(name) && binding.chain->contains(name);
}

bool Translator::tooDeep() const { return depth > (outside ? maxOutside : maxDepth); }

bool Translator::invariant(tree t) const {
  return !nest || expr_invariant_in_loop_p(nest->outer(), t);
}

/// Returns true if the SSA name is known to be >= 0 at the current point.
bool Translator::nonNegative(tree t) {
  if (TREE_CODE(t) == INTEGER_CST)
    return tree_int_cst_sgn(t) >= 0;
  if (TREE_CODE(t) != SSA_NAME || !rangeHolds(TREE_TYPE(t)) || inNest(t))
    return false;
  int_range_max range;
  bool known = where ? rangeOnEntry(useRanges(), where, t, range)
                     : on && rangeOnEdge(useRanges(), on, t, range);
  return known && wi::ge_p(range.lower_bound(), 0, TYPE_SIGN(TREE_TYPE(t)));
}

static bool mentions(tree t, const std::function<bool(tree)> &is) {
  if (TREE_CODE(t) == SSA_NAME)
    return is(t);
  for (int i = 0; EXPR_P(t) && i < TREE_OPERAND_LENGTH(t); ++i)
    if (TREE_OPERAND(t, i) && mentions(TREE_OPERAND(t, i), is))
      return true;
  return false;
}

static void collectAbnormal(tree t, bool &found) {
  if (TREE_CODE(t) == SSA_NAME)
    found |= SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t);
  else if (EXPR_P(t))
    for (int i = 0; i < TREE_OPERAND_LENGTH(t); ++i)
      if (TREE_OPERAND(t, i))
        collectAbnormal(TREE_OPERAND(t, i), found);
}

/// Returns true if evaluating `t` where its operands are known can have no effect.
static bool harmless(tree t) {
  if (TREE_CODE(t) == SSA_NAME || CONSTANT_CLASS_P(t))
    return true;
  if (TREE_CODE(t) == ADDR_EXPR)
    return is_gimple_min_invariant(t);
  if (!EXPR_P(t) || TREE_SIDE_EFFECTS(t) || tree_could_trap_p(t) || REFERENCE_CLASS_P(t) ||
      TREE_CODE(t) == CALL_EXPR)
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH(t); ++i)
    if (TREE_OPERAND(t, i) && !harmless(TREE_OPERAND(t, i)))
      return false;
  return true;
}

std::string declName(tree decl) {
  return decl && DECL_P(decl) && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

/// Returns what is loaded as the source spells it: "total", "*p", "p->n"; "" if that is not known.
static std::string placeName(tree place) {
  if (TREE_CODE(place) == COMPONENT_REF) {
    std::string of = placeName(TREE_OPERAND(place, 0)), field = declName(TREE_OPERAND(place, 1));
    if (of.empty() || field.empty())
      return "";
    return of[0] == '*' ? of.substr(1) + "->" + field : of + "." + field;
  }
  if (TREE_CODE(place) != MEM_REF)
    return declName(place);
  tree pointer = TREE_OPERAND(place, 0);
  std::string name = TREE_CODE(pointer) == SSA_NAME ? declName(SSA_NAME_VAR(pointer)) : "";
  return name.empty() || !integer_zerop(TREE_OPERAND(place, 1)) ? "" : "*" + name;
}

static std::string sourceName(tree t) {
  if (TREE_CODE(t) != SSA_NAME)
    return "";
  std::string name = declName(SSA_NAME_VAR(t));
  gimple *def = SSA_NAME_DEF_STMT(t);
  return name.empty() && gimple_assign_load_p(def) ? placeName(gimple_assign_rhs1(def)) : name;
}

ExprId Translator::symbol(tree t, unsigned width) {
  bool abnormal = false;
  collectAbnormal(t, abnormal);
  if (abnormal || !invariant(t) || !harmless(t) || tree_contains_chrecs(t, nullptr))
    return NoExpr;
  if (binding.chain && mentions(t, [&](tree name) { return binding.chain->contains(name); })) {
    binding.chain->failed = true; // not known before the chain
    return NoExpr;
  }
  for (size_t i = 0; i < binding.syms.size(); ++i)
    if (binding.syms[i] && binding.loop.syms[i].width == width &&
        operand_equal_p(binding.syms[i], t, 0))
      return g.leaf(Op::Sym, i, width);
  std::string name = sourceName(t);
  for (const Symbol &s : binding.loop.syms)
    if (s.name == name)
      name.clear();
  if (name.empty())
    name = "v" + std::to_string(binding.syms.size());
  binding.loop.syms.push_back({name, width, largest(t)});
  binding.syms.push_back(t);
  return g.leaf(Op::Sym, binding.syms.size() - 1, width);
}

ExprId Translator::value(tree t) {
  tree type = TREE_TYPE(t);
  if (!type || !isNumber(type) || TREE_OVERFLOW_P(t) || tooDeep())
    return NoExpr;
  unsigned width = TYPE_PRECISION(type);
  if (TREE_CODE(t) == INTEGER_CST)
    return width <= 64 || tree_fits_uhwi_p(t) ? g.constant(TREE_INT_CST_LOW(t), width) : NoExpr;
  if (TREE_CODE(t) == SSA_NAME)
    return name(t);
  if (POINTER_TYPE_P(type)) {
    uint32_t base;
    ExprId offset;
    if (!pointer(t, base, offset))
      return NoExpr;
    return g.add(g.leaf(Op::BaseAddr, base, ptrBits()), offset);
  }
  ++depth;
  ExprId result = NoExpr;
  int operands = EXPR_P(t) ? TREE_OPERAND_LENGTH(t) : 0;
  if (operands && operands <= 3)
    result = operation(TREE_CODE(t), type, TREE_OPERAND(t, 0),
                       operands > 1 ? TREE_OPERAND(t, 1) : NULL_TREE,
                       operands > 2 ? TREE_OPERAND(t, 2) : NULL_TREE);
  --depth;
  return result != NoExpr ? result : symbol(t, width);
}

ExprId Translator::name(tree t) {
  unsigned width = TYPE_PRECISION(TREE_TYPE(t));
  auto known = memo.find(t);
  if (known != memo.end())
    return known->second;
  if (binding.chain) {
    auto after = binding.chain->after.find(t);
    if (after != binding.chain->after.end())
      return after->second;
  }
  auto load = loads.find(t);
  if (load != loads.end()) {
    const Access &a = binding.loop.accesses[load->second];
    if (!g.isConst(a.bytes, width / 8) || width % 8)
      return NoExpr;
    return g.leaf(Op::Load, load->second, width);
  }
  auto value = values.find(t);
  if (value != values.end())
    return value->second;
  ExprId result = NoExpr;
  bool entered = !outside && !inNest(t);
  unsigned before = depth;
  if (entered)
    outside = true, depth = 0;
  if (POINTER_TYPE_P(TREE_TYPE(t))) {
    uint32_t base;
    ExprId offset;
    if (pointer(t, base, offset))
      result = g.add(g.leaf(Op::BaseAddr, base, ptrBits()), offset);
    else if (inNest(t))
      result = steppedPointer(t);
  } else {
    ++depth;
    result = definition(t);
    --depth;
    if (result == NoExpr)
      result = symbol(t, width);
  }
  if (entered)
    outside = false, depth = before;
  memo[t] = result; // failures as well, so that no name is tried twice
  return result;
}

/// Translates __builtin_bswap, written or recognised by GCC.
ExprId Translator::byteSwap(gimple *def, unsigned width) {
  if (!gimple_call_builtin_p(def, BUILT_IN_BSWAP16) &&
      !gimple_call_builtin_p(def, BUILT_IN_BSWAP32) &&
      !gimple_call_builtin_p(def, BUILT_IN_BSWAP64))
    return NoExpr;
  ExprId x = value(gimple_call_arg(def, 0));
  // An argument of 16 bits is passed as an int.
  return x != NoExpr && g.width(x) >= width ? g.cast(Op::BSwap, g.zextOrTrunc(x, width), width)
                                            : NoExpr;
}

bool Translator::maximum(tree t, uint64_t &max) {
  if (TREE_CODE(t) == INTEGER_CST && tree_fits_uhwi_p(t)) {
    max = tree_to_uhwi(t);
    return true;
  }
  if (TREE_CODE(t) != SSA_NAME || !rangeHolds(TREE_TYPE(t)) || inNest(t))
    return false;
  int_range_max range;
  if (!(where ? rangeOnEntry(useRanges(), where, t, range)
              : on && rangeOnEdge(useRanges(), on, t, range)))
    return false;
  if (wi::neg_p(range.lower_bound(), TYPE_SIGN(TREE_TYPE(t))) ||
      !wi::fits_uhwi_p(range.upper_bound()))
    return false;
  max = range.upper_bound().to_uhwi();
  return !rangeHasZero(range, TREE_TYPE(t));
}

/// Returns the sum or the carry of an unsigned addition with overflow.
ExprId Translator::overflowPart(tree_code part, tree both) {
  gcall *add = TREE_CODE(both) == SSA_NAME ? dyn_cast<gcall *>(SSA_NAME_DEF_STMT(both)) : nullptr;
  if (!add || !gimple_call_internal_p(add, IFN_ADD_OVERFLOW))
    return NoExpr;
  tree type = TREE_TYPE(TREE_TYPE(both));
  ExprId x = value(gimple_call_arg(add, 0)), y = value(gimple_call_arg(add, 1));
  // With operands of other types the overflow is that of the exact sum, not of their bits.
  for (unsigned i = 0; i < 2; ++i) {
    tree from = TREE_TYPE(gimple_call_arg(add, i));
    if (!isScalar(type) || !TYPE_UNSIGNED(type) || !TYPE_UNSIGNED(from) ||
        TYPE_PRECISION(from) != TYPE_PRECISION(type))
      return NoExpr;
  }
  if (x == NoExpr || y == NoExpr)
    return NoExpr;
  ExprId sum = g.add(x, y);
  return part == REALPART_EXPR ? sum
                               : g.zextOrTrunc(g.binary(Op::ULt, sum, x), TYPE_PRECISION(type));
}

/// Returns the largest unsigned value of `t` before the nest; 0 if unknown. A symbol stands for one
/// value everywhere, so facts that hold only at the current point, after some condition, must not
/// count.
uint64_t Translator::largest(tree t) {
  if (uint64_t most = largestEntry(t))
    return most;
  int_range_max range;
  if ((!nest && !binding.chain) || TREE_CODE(t) != SSA_NAME || !rangeHolds(TREE_TYPE(t)) ||
      !(binding.chain ? rangeOnEntry(useRanges(), binding.chain->entry, t, range)
                      : rangeOnEdge(useRanges(), loop_preheader_edge(nest->outer()), t, range)) ||
      wi::neg_p(range.lower_bound(), TYPE_SIGN(TREE_TYPE(t))) ||
      !wi::fits_uhwi_p(range.upper_bound()))
    return 0;
  uint64_t most = range.upper_bound().to_uhwi();
  return most < maskOf(TYPE_PRECISION(TREE_TYPE(t))) ? most : 0;
}

/// Translates the operation that defines an SSA name, if it has a counterpart.
ExprId Translator::definition(tree t) {
  if (insideSmallLoop(t))
    return afterIterations(t);
  if (is_gimple_call(SSA_NAME_DEF_STMT(t)))
    return byteSwap(SSA_NAME_DEF_STMT(t), TYPE_PRECISION(TREE_TYPE(t)));
  if (inChain(t) && (binding.chain->linkOf(gimple_bb(SSA_NAME_DEF_STMT(t))) ||
                     gimple_code(SSA_NAME_DEF_STMT(t)) == GIMPLE_PHI))
    return chainValue(t);
  if (gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(t)))
    return inNest(t) && !tooDeep() ? phiValue(phi) : NoExpr;
  gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
  if (!def || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t) || tooDeep())
    return NoExpr;
  if (gimple_vuse(def))
    return loadedInRound(def);
  tree_code code = gimple_assign_rhs_code(def);
  tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
  if (code == REALPART_EXPR || code == IMAGPART_EXPR)
    return overflowPart(code, TREE_OPERAND(a, 0));
  if (code == SSA_NAME || code == INTEGER_CST)
    return value(a);
  if (code == COND_EXPR && !COMPARISON_CLASS_P(a) && TREE_CODE(a) != SSA_NAME)
    return NoExpr;
  return operation(code, TREE_TYPE(t), a, b, gimple_assign_rhs3(def));
}

/// Translates equal-width and widening conversions. A value known to be non-negative is always
/// zero-extended, so that equal values have equal expressions.
ExprId Translator::conversion(tree type, tree from) {
  tree fromType = TREE_TYPE(from);
  if (!isNumber(fromType))
    return NoExpr;
  ExprId x = value(from);
  if (x == NoExpr)
    return NoExpr;
  unsigned to = TYPE_PRECISION(type), width = g.width(x);
  if (to == width)
    return x;
  // Also a conversion to a boolean of one bit: GCC writes (x & 1) != 0 as (_Bool)x.
  if (to < width)
    return TREE_CODE(type) == BOOLEAN_TYPE && to != 1 ? NoExpr : g.cast(Op::Trunc, x, to);
  bool extend = TYPE_UNSIGNED(fromType) || POINTER_TYPE_P(fromType) || nonNegative(from) ||
                upperBound(binding.loop, x) <= maskOf(width) >> 1;
  return g.cast(extend ? Op::ZExt : Op::SExt, x, to);
}

/// Translates a division by a constant; a signed one by a power of two only, where it is a shift.
ExprId Translator::division(tree_code code, tree type, ExprId x, tree b) {
  if (TREE_CODE(b) != INTEGER_CST || !tree_fits_uhwi_p(b) || integer_zerop(b) || g.width(x) > 64)
    return NoExpr;
  bool isUnsigned = TYPE_UNSIGNED(type);
  if (isUnsigned && !integer_pow2p(b) && !g.isInvariant(x)) // which is a symbol
    return g.quotient(x, tree_to_uhwi(b));
  if (!integer_pow2p(b) || (!isUnsigned && code == TRUNC_DIV_EXPR))
    return NoExpr;
  ExprId amount = g.constant(exact_log2(tree_to_uhwi(b)), g.width(x));
  return g.binary(isUnsigned ? Op::LShr : Op::AShr, x, amount);
}

/// Translates a remainder by a constant that is positive in the operand's type.
ExprId Translator::remainder(tree type, ExprId x, tree b) {
  unsigned width = g.width(x);
  if (TREE_CODE(b) != INTEGER_CST || !tree_fits_uhwi_p(b) || integer_zerop(b) || width > 64)
    return NoExpr;
  return g.binary(TYPE_UNSIGNED(type) ? Op::URem : Op::SRem, x, g.constant(tree_to_uhwi(b), width));
}

/// Translates shifts by any amount (one that is too large is undefined in the source), and
/// rotations by a constant.
ExprId Translator::shift(tree_code code, tree type, ExprId x, ExprId y) {
  unsigned width = TYPE_PRECISION(type);
  if (g.width(x) != width || (g.isConst(y) && g[y].value >= width) ||
      (width > 64 && !TYPE_UNSIGNED(type)))
    return NoExpr;
  bool rotate = code == LROTATE_EXPR || code == RROTATE_EXPR;
  if (rotate) {
    uint64_t left = g.isConst(y) ? g[y].value : 0;
    if (left == 0)
      return NoExpr;
    left = code == LROTATE_EXPR ? left : width - left;
    ExprId high = g.binary(Op::Shl, x, g.constant(left, width));
    return g.binary(Op::Or, high, g.binary(Op::LShr, x, g.constant(width - left, width)));
  }
  y = g.zextOrTrunc(y, width);
  if (code == LSHIFT_EXPR)
    return g.binary(Op::Shl, x, y);
  return g.binary(TYPE_UNSIGNED(type) ? Op::LShr : Op::AShr, x, y);
}

/// Returns a 128-bit product that is a shift.
static ExprId wideMultiple(ExprGraph &g, ExprId x, ExprId y) {
  if (!g.isConst(y) || !pow2p_hwi(HOST_WIDE_INT(g[y].value)))
    return NoExpr;
  return g.binary(Op::Shl, x, g.constant(unsigned(exact_log2(g[y].value)), g.width(x)));
}

ExprId Translator::arithmetic(tree_code code, tree type, ExprId x, ExprId y) {
  unsigned width = TYPE_PRECISION(type);
  if (code == LSHIFT_EXPR || code == RSHIFT_EXPR || code == LROTATE_EXPR || code == RROTATE_EXPR)
    return shift(code, type, x, y);
  if (g.width(x) != width || g.width(y) != width)
    return NoExpr;
  switch (code) {
  case PLUS_EXPR: return g.add(x, y);
  case MINUS_EXPR:
  case POINTER_DIFF_EXPR: return g.sub(x, y);
  case MULT_EXPR: return width <= 64 ? g.mul(x, y) : wideMultiple(g, x, y);
  case BIT_AND_EXPR:
  case TRUTH_AND_EXPR: return g.binary(Op::And, x, y);
  case BIT_IOR_EXPR:
  case TRUTH_OR_EXPR: return g.binary(Op::Or, x, y);
  case BIT_XOR_EXPR:
  case TRUTH_XOR_EXPR: return g.binary(Op::Xor, x, y);
  default: return NoExpr;
  }
}

ExprId Translator::operation(tree_code code, tree type, tree a, tree b, tree c) {
  if (!isNumber(type))
    return NoExpr;
  unsigned width = TYPE_PRECISION(type);
  if (TREE_CODE_CLASS(code) == tcc_comparison) {
    ExprId r = compare(code, a, b);
    return r == NoExpr ? r : g.zextOrTrunc(r, width);
  }
  if (CONVERT_EXPR_CODE_P(code))
    return conversion(type, a);
  if (code == COND_EXPR)
    return choice(a, type, b, c);
  if (!isNumber(TREE_TYPE(a)))
    return NoExpr;
  if (code == MIN_EXPR || code == MAX_EXPR) {
    ExprId less = compare(code == MIN_EXPR ? LT_EXPR : GT_EXPR, a, b);
    ExprId x = value(a), y = value(b);
    return less == NoExpr || x == NoExpr || y == NoExpr ? NoExpr : g.select(less, x, y);
  }
  ExprId x = value(a);
  if (x == NoExpr)
    return NoExpr;
  switch (code) {
  case NEGATE_EXPR: return g.sub(g.constant(0, width), x);
  case BIT_NOT_EXPR:
  case TRUTH_NOT_EXPR:
    return width <= 64 ? g.binary(Op::Xor, x, g.constant(maskOf(width), width)) : NoExpr;
  case TRUNC_DIV_EXPR:
  case EXACT_DIV_EXPR:
  case FLOOR_DIV_EXPR: return division(code, type, x, b);
  case TRUNC_MOD_EXPR: return remainder(type, x, b);
  default: break;
  }
  if (!b || !isNumber(TREE_TYPE(b)))
    return NoExpr;
  ExprId y = value(b);
  return y == NoExpr ? NoExpr : arithmetic(code, type, x, y);
}

ExprId Translator::choice(tree cond, tree type, tree a, tree b) {
  ExprId c = COMPARISON_CLASS_P(cond)
                 ? compare(TREE_CODE(cond), TREE_OPERAND(cond, 0), TREE_OPERAND(cond, 1))
                 : value(cond);
  ExprId x = value(a), y = value(b);
  if (c == NoExpr || x == NoExpr || y == NoExpr || g.width(x) != g.width(y) ||
      g.width(x) != TYPE_PRECISION(type))
    return NoExpr;
  if (g.width(c) != 1)
    c = g.binary(Op::Ne, c, g.constant(0, g.width(c)));
  return g.select(c, x, y);
}

/// Translates a comparison. Only unsigned comparisons exist: flipping the sign bits makes a signed
/// one unsigned.
ExprId Translator::compare(tree_code code, tree a, tree b) {
  if (!isNumber(TREE_TYPE(a)) || !isNumber(TREE_TYPE(b)))
    return NoExpr;
  ExprId x = value(a), y = value(b);
  if (x == NoExpr || y == NoExpr || g.width(x) != g.width(y))
    return NoExpr;
  if (code == EQ_EXPR || code == NE_EXPR)
    return g.binary(code == EQ_EXPR ? Op::Eq : Op::Ne, x, y);
  if (!TYPE_UNSIGNED(TREE_TYPE(a))) {
    unsigned width = g.width(x);
    if (width > 64)
      return NoExpr;
    ExprId sign = g.constant(uint64_t(1) << (width - 1), width);
    x = g.binary(Op::Xor, x, sign);
    y = g.binary(Op::Xor, y, sign);
  }
  switch (code) {
  case LT_EXPR: return g.binary(Op::ULt, x, y);
  case LE_EXPR: return g.binary(Op::ULe, x, y);
  case GT_EXPR: return g.binary(Op::ULt, y, x);
  case GE_EXPR: return g.binary(Op::ULe, y, x);
  default: return NoExpr;
  }
}

/// Returns the condition under which control leaves e->src through e; the block must end in a
/// condition.
ExprId Translator::edgeCondition(edge e) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(e->src));
  if (!cond)
    return NoExpr;
  ExprId c = compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  if (c == NoExpr || !g.isInvariant(c))
    return NoExpr;
  return e->flags & EDGE_FALSE_VALUE ? g.binary(Op::Xor, c, g.constant(1, 1)) : c;
}

} // namespace memlift
