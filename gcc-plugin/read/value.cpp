// value.cpp - reads the values that stores store: constants, invariants, loaded bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop model works on bits, so a float, a vector or a pointer is the integer of its bytes as
// the target would load them.
#include "translate.h"

namespace memlift {

constexpr unsigned maxConstantBytes = 1024;
constexpr unsigned maxViews = 8;

/// Returns a constant as an integer, or as a splat of its shortest period if it is wide.
ExprId Translator::constantBits(tree t, unsigned bits) {
  unsigned size = bits / 8;
  unsigned char bytes[maxConstantBytes];
  if (bits % 8 || size > maxConstantBytes)
    return NoExpr;
  if (TREE_CODE(t) == CONSTRUCTOR) {
    if (CONSTRUCTOR_NELTS(t) || TREE_CLOBBER_P(t))
      return NoExpr;
    return bits <= 64 ? g.constant(0, bits) : g.splat(g.constant(0, 8), bits);
  }
  if (native_encode_expr(t, bytes, int(size)) != int(size))
    return NoExpr;
  auto number = [&](unsigned count) {
    uint64_t v = 0;
    for (unsigned i = 0; i < count; ++i)
      v |= uint64_t(bytes[i]) << 8 * (binding.loop.bigEndian ? count - 1 - i : i);
    return g.constant(v, 8 * count);
  };
  if (size <= 8)
    return number(size);
  for (unsigned period : {1u, 2u, 4u, 8u})
    if (size % period == 0 && memcmp(bytes, bytes + period, size - period) == 0)
      return g.splat(number(period), bits);
  return NoExpr;
}

/// Reads a vector of equal elements as a splat, and a reinterpreted value as the same bits.
ExprId Translator::storedDefinition(gassign *def, unsigned bits) {
  tree_code code = gimple_assign_rhs_code(def);
  tree rhs = gimple_assign_rhs1(def);
  if (code == VIEW_CONVERT_EXPR) {
    tree from = TREE_OPERAND(rhs, 0);
    if (TREE_CODE(from) != SSA_NAME || depth > maxViews)
      return NoExpr;
    ++depth;
    ExprId v = stored(from, bits);
    --depth;
    return v;
  }
  if (code != CONSTRUCTOR && code != VEC_DUPLICATE_EXPR)
    return NoExpr;
  tree element = VECTOR_TYPE_P(TREE_TYPE(rhs)) ? uniform_vector_p(rhs)
                 : code == VEC_DUPLICATE_EXPR  ? rhs
                                               : NULL_TREE;
  if (!element || VECTOR_TYPE_P(TREE_TYPE(element)))
    return NoExpr;
  unsigned part = unsigned(tree_to_uhwi(TYPE_SIZE(TREE_TYPE(element))));
  ExprId one = part > 64 || bits % part ? NoExpr : stored(element, part);
  return one == NoExpr || g[one].op == Op::Opaque ? NoExpr : g.splat(one, bits);
}

/// Reads a name that holds loaded bytes, perhaps converted, or an invariant.
ExprId Translator::storedName(tree t, unsigned bits) {
  auto load = loads.find(t);
  if (load != loads.end()) {
    const Access &a = binding.loop.accesses[load->second];
    return g.isConst(a.bytes, bits / 8) ? g.leaf(Op::Load, load->second, bits) : NoExpr;
  }
  tree type = TREE_TYPE(t);
  bool integer = INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
  if (integer && TYPE_PRECISION(type) <= 64) {
    ExprId v = value(t);
    if (v != NoExpr && g.width(v) == bits)
      return v;
    // A bool is stored as a byte that holds 0 or 1.
    return v != NoExpr && g.width(v) < bits && TREE_CODE(type) == BOOLEAN_TYPE
               ? g.cast(Op::ZExt, v, bits)
               : NoExpr;
  }
  gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
  if (def && !gimple_vuse(def)) {
    ExprId v = storedDefinition(def, bits);
    if (v != NoExpr && g[v].op != Op::Opaque)
      return v;
  }
  return symbol(t, bits);
}

static bool writtenIn(class loop *nest, tree object) {
  bool written = false;
  ao_ref ref;
  ao_ref_init(&ref, object);
  basic_block *body = get_loop_body(nest);
  for (unsigned i = 0; i < nest->num_nodes; ++i)
    for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi); gsi_next(&gsi))
      written =
          written || (gimple_vdef(gsi_stmt(gsi)) && stmt_may_clobber_ref_p_1(gsi_stmt(gsi), &ref));
  free(body);
  return written;
}

/// Returns the bits of a local structure of a few words ("p[i] = v") that nothing in the nest
/// writes and whose address does not escape. They can be read before the nest, even if it does not
/// run.
ExprId Translator::localObject(tree ref) {
  if (!nest || (!VAR_P(ref) && TREE_CODE(ref) != PARM_DECL) || is_global_var(ref) ||
      TREE_ADDRESSABLE(ref) || TREE_THIS_VOLATILE(ref) ||
      (VAR_P(ref) && (DECL_HARD_REGISTER(ref) || DECL_HAS_VALUE_EXPR_P(ref))))
    return NoExpr;
  tree size = DECL_SIZE(ref);
  if (!AGGREGATE_TYPE_P(TREE_TYPE(ref)) || !size || !tree_fits_uhwi_p(size))
    return NoExpr;
  uint64_t bits = tree_to_uhwi(size);
  if (bits < 8 || bits > 2 * ptrBits() || exact_log2(bits) < 0 || writtenIn(nest->outer(), ref))
    return NoExpr;
  tree word = build_nonstandard_integer_type(unsigned(bits), 1);
  binding.loop.syms.push_back({"v" + std::to_string(binding.syms.size()), unsigned(bits)});
  binding.syms.push_back(build1(VIEW_CONVERT_EXPR, word, ref));
  return g.leaf(Op::Sym, binding.syms.size() - 1, unsigned(bits));
}

ExprId Translator::stored(tree rhs, unsigned bits) {
  ExprId v = NoExpr;
  if (TREE_CODE(rhs) == SSA_NAME)
    v = storedName(rhs, bits);
  else if (CONSTANT_CLASS_P(rhs) || TREE_CODE(rhs) == CONSTRUCTOR)
    v = constantBits(rhs, bits);
  else if (TREE_CODE(rhs) == ADDR_EXPR)
    v = value(rhs);
  return v != NoExpr && g.width(v) == bits ? v : g.opaque(bits);
}

} // namespace memlift
