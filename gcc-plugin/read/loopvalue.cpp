// loopvalue.cpp - what changes inside a nest: counters, conditional values, tables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "translate.h"

namespace memlift {

constexpr uint64_t maxEntries = 4096;
constexpr unsigned maxSteps = 32;

/// A header's PHI that counts linearly, and one behind  if (c) x = a; else x = b;
/// Recurrences have been noted before.
ExprId Translator::phiValue(gphi *phi) {
  tree name = gimple_phi_result(phi);
  basic_block bb = gimple_bb(phi);
  if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name))
    return NoExpr;
  if (gimple_phi_num_args(phi) == 1)
    return value(gimple_phi_arg_def(phi, 0));
  if (bb->loop_father->header == bb)
    return flow_loop_nested_p(nest->inner(), bb->loop_father) ? NoExpr : countValue(chrecOf(name));
  return diamond(phi);
}

/// {{left, +, step}_outer, +, step}_inner in its own width.
ExprId Translator::countValue(tree chrec) {
  if (!chrec || automatically_generated_chrec_p(chrec) || !isScalar(TREE_TYPE(chrec)))
    return NoExpr;
  if (TREE_CODE(chrec) != POLYNOMIAL_CHREC) {
    ExprId v = tree_contains_chrecs(chrec, nullptr) ? NoExpr : value(chrec);
    return v != NoExpr && g.isInvariant(v) ? v : NoExpr;
  }
  ExprId first = countValue(CHREC_LEFT(chrec)), step = value(CHREC_RIGHT(chrec));
  if (first == NoExpr || step == NoExpr || !g.isInvariant(step) ||
      g.width(first) != g.width(step))
    return NoExpr;
  for (size_t k = 0; k < nest->loops.size(); ++k)
    if (unsigned(nest->loops[k]->num) == CHREC_VARIABLE(chrec)) {
      ExprId count = g.zextOrTrunc(g.leaf(Op::Iv, k, ptrBits()), g.width(step));
      return g.add(first, g.mul(step, count));
    }
  return NoExpr;
}

/// The edge into `join` that control takes when it leaves the fork by `way`.
static edge arrival(edge way, basic_block join) {
  if (way->dest == join)
    return way;
  if (!single_pred_p(way->dest))
    return nullptr;
  for (edge e : join->preds)
    if (dominated_by_p(CDI_DOMINATORS, e->src, way->dest))
      return e;
  return nullptr;
}

ExprId Translator::diamond(gphi *phi) {
  basic_block join = gimple_bb(phi);
  basic_block fork = get_immediate_dominator(CDI_DOMINATORS, join);
  if (EDGE_COUNT(join->preds) != 2 || !fork || fork->loop_father != join->loop_father ||
      !flow_bb_inside_loop_p(nest->outer(), fork))
    return NoExpr;
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(fork));
  if (!cond)
    return NoExpr;
  edge taken, other;
  extract_true_false_edges_from_block(fork, &taken, &other);
  edge yes = arrival(taken, join), no = arrival(other, join);
  if (!yes || !no || yes == no)
    return NoExpr;
  ExprId c = compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  ExprId x = value(PHI_ARG_DEF_FROM_EDGE(phi, yes)), y = value(PHI_ARG_DEF_FROM_EDGE(phi, no));
  if (c == NoExpr || x == NoExpr || y == NoExpr || g.width(x) != g.width(y))
    return NoExpr;
  return g.select(c, x, y);
}

/// A value of a loop in the body that is looked at from behind that loop.
bool Translator::insideSmallLoop(tree name) const {
  basic_block bb = nest ? gimple_bb(SSA_NAME_DEF_STMT(name)) : nullptr;
  return bb && bb->loop_father != stepped &&
         flow_loop_nested_p(nest->inner(), bb->loop_father);
}

///   for (k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ poly : c >> 1;
/// What `name` is when the loop around it is left: all its header PHIs step
/// together, round by round.
ExprId Translator::afterRounds(tree name) {
  class loop *loop = gimple_bb(SSA_NAME_DEF_STMT(name))->loop_father;
  int rounds = stepped ? -1 : fewRounds(loop);
  if (rounds < 0 || !dominated_by_p(CDI_DOMINATORS, single_exit(loop)->src,
                                    gimple_bb(SSA_NAME_DEF_STMT(name))))
    return NoExpr;
  std::map<tree, ExprId> before = memo, state, next;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())))
      next[gimple_phi_result(psi.phi())] =
          value(PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_preheader_edge(loop)));
  stepped = loop;
  for (int round = 0; round <= rounds; ++round) {
    state = next;
    memo = before;
    for (auto &[phi, v] : state)
      values[phi] = v;
    for (auto &[phi, v] : state)
      if (round < rounds)
        next[phi] = value(PHI_ARG_DEF_FROM_EDGE(as_a<gphi *>(SSA_NAME_DEF_STMT(phi)),
                                                loop_latch_edge(loop)));
  }
  ExprId result = value(name);
  stepped = nullptr;
  memo = before;
  for (auto &[phi, v] : state)
    values.erase(phi);
  return result;
}

uint64_t Translator::upperBound(ExprId id, unsigned budget) const {
  const Expr &e = g[id];
  uint64_t all = maskOf(e.width);
  if (!budget || e.width > 64)
    return ~uint64_t(0);
  auto of = [&](ExprId operand) { return upperBound(operand, budget - 1); };
  switch (e.op) {
  case Op::Const: return e.value;
  case Op::ZExt: return of(e.a);
  case Op::Trunc: return std::min(all, of(e.a));
  case Op::And: return std::min(of(e.a), of(e.b));
  case Op::Select: return std::max(of(e.b), of(e.c));
  case Op::LShr:
    return g.isConst(e.b) && g[e.b].value < e.width ? of(e.a) >> g[e.b].value : all;
  case Op::Or: case Op::Xor: {
    uint64_t bits = of(e.a) | of(e.b), mask = 0;
    while (mask < bits)
      mask = mask << 1 | 1;
    return std::min(all, mask);
  }
  case Op::Eq: case Op::Ne: case Op::ULt: case Op::ULe: return 1;
  default: return all;
  }
}

/// Splits a byte offset into an object into an element number, if it provably
/// stays in the object of `bytes` bytes: then nothing in it wraps either.
bool Translator::tableIndex(ExprId at, uint64_t bytes, uint64_t size, ExprId &index) {
  Poly poly = g.poly(at);
  unsigned __int128 top = size;
  for (auto &[monomial, factor] : poly) {
    if (factor % size || monomial.size() > 1)
      return false;
    uint64_t most = monomial.empty() ? 1 : upperBound(monomial[0]);
    top += static_cast<unsigned __int128>(factor) * most;
    if (top > bytes)
      return false;
    factor /= size;
  }
  index = g.fromPoly(poly, ptrBits());
  return true;
}

/// The bytes of a constant object, as every execution finds them.
static bool constantBytes(tree decl, std::vector<unsigned char> &bytes) {
  // A weak object may be another one when the program is linked.
  if (!VAR_P(decl) || TREE_THIS_VOLATILE(decl) || DECL_WEAK(decl) || !DECL_SIZE_UNIT(decl) ||
      !tree_fits_uhwi_p(DECL_SIZE_UNIT(decl)))
    return false;
  uint64_t size = tree_to_uhwi(DECL_SIZE_UNIT(decl));
  if (!size || size > 8 * maxEntries)
    return false;
  tree init = ctor_for_folding(decl);
  if (init == error_mark_node)
    return false;
  bytes.assign(size, 0);
  return !init || native_encode_initializer(init, bytes.data(), int(size)) == int(size);
}

/// The number of the table that the object is as entries of `size` bytes.
static uint32_t tableOf(Picture &pic, tree decl, const std::vector<unsigned char> &bytes,
                        unsigned size) {
  for (size_t i = 0; i < pic.tables.size(); ++i)
    if (pic.tables[i] == decl && pic.loop.tables[i].entryBits == 8 * size)
      return uint32_t(i);
  Table table;
  table.name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "table";
  table.entryBits = 8 * size;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    uint64_t v = 0;
    for (unsigned i = 0; i < size; ++i)
      v |= uint64_t(bytes[at + i]) << 8 * (pic.loop.bigEndian ? size - 1 - i : i);
    table.entries.push_back(v);
  }
  pic.loop.tables.push_back(table);
  pic.tables.push_back(decl);
  return uint32_t(pic.tables.size() - 1);
}

/// The constant-looking variable that a pointer points into, null if none.
static tree constantRoot(tree pointer) {
  for (unsigned i = 0; i < maxSteps; ++i) {
    if (TREE_CODE(pointer) == ADDR_EXPR) {
      tree decl = get_base_address(TREE_OPERAND(pointer, 0));
      return decl && VAR_P(decl) && TREE_READONLY(decl) ? decl : NULL_TREE;
    }
    gassign *def = TREE_CODE(pointer) == SSA_NAME
                       ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(pointer)) : nullptr;
    tree_code code = def ? gimple_assign_rhs_code(def) : ERROR_MARK;
    if (code != POINTER_PLUS_EXPR && code != SSA_NAME && code != ADDR_EXPR &&
        !CONVERT_EXPR_CODE_P(code))
      return NULL_TREE;
    pointer = gimple_assign_rhs1(def);
  }
  return NULL_TREE;
}

ExprId Translator::tableEntry(tree ref) {
  tree type = TREE_TYPE(ref);
  Parts parts;
  bool bits = false;
  if (!INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) > 64 || TREE_THIS_VOLATILE(ref) ||
      !takeApart(ref, parts) || !parts.wholeBytes || !constantRoot(parts.pointer))
    return NoExpr;
  unsigned size = unsigned(tree_to_uhwi(TYPE_SIZE_UNIT(type)));
  if (TYPE_PRECISION(type) != 8 * size || (size & (size - 1)))
    return NoExpr;
  ExprId at = parts.offset ? value(parts.offset) : pic.loop.word(0);
  if (at == NoExpr || g.width(at) != ptrBits())
    return NoExpr;
  at = g.add(at, pic.loop.word(uint64_t(parts.bytes)));
  tree root = parts.pointer;
  for (unsigned i = 0; i < maxSteps && peel(root, at); ++i)
    ;
  std::vector<unsigned char> bytes;
  if (TREE_CODE(root) != ADDR_EXPR || !constantBytes(TREE_OPERAND(root, 0), bytes))
    return NoExpr;
  ExprId index;
  if (bytes.size() / size > maxEntries || g.isInvariant(at) ||
      !tableIndex(at, bytes.size(), size, index) || address(ref, bits).ok)
    return NoExpr;
  return g.table(tableOf(pic, TREE_OPERAND(root, 0), bytes, size), index, 8 * size);
}

} // namespace memlift
