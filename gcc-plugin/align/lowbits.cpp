// lowbits.cpp - the known lowest bits of GIMPLE values where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowbits.h"

#include "trusted.h"

#include "../options.h"

#include "../prove/prove.h"
#include "../read/chain.h"

namespace memlift {

static unsigned widthOf(tree type) {
  if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
    return 0;
  return TYPE_PRECISION(type) <= 64 ? TYPE_PRECISION(type) : 0;
}

LowBits::LowBits(Known known) : known(std::move(known)) {
  int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
  int count = pre_and_rev_post_order_compute(nullptr, order, false);
  for (int i = 0; i < count; ++i) {
    basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
    numbers[bb] = unsigned(blocks.size());
    blocks.push_back(bb);
  }
  free(order);
}

ExprId LowBits::value(tree t) {
  auto old = exprs.find(t);
  if (old != exprs.end())
    return old->second;
  if (widthOf(TREE_TYPE(t)) == 0)
    return exprs[t] = NoExpr;
  ExprId r = exprs.size() > AlignQuery::mostValues ? NoExpr : made(t);
  auto known = exprs.find(t); // a phi names itself
  return exprs[t] = known != exprs.end() ? known->second : r == NoExpr ? leaf(t) : r;
}

static unsigned zerosOf(tree n) {
  int power = n && tree_fits_uhwi_p(n) ? exact_log2(tree_to_uhwi(n)) : -1;
  return power > 0 ? unsigned(power) : 0;
}

/// Returns the zero bits that the attributes of the callee's declaration promise for its result.
/// GCC's own record of them does not survive to a link.
static unsigned declaredBits(tree t) {
  auto *call = TREE_CODE(t) == SSA_NAME ? dyn_cast<gcall *>(SSA_NAME_DEF_STMT(t)) : nullptr;
  if (!call || !POINTER_TYPE_P(TREE_TYPE(t)))
    return 0;
  if (gimple_call_builtin_p(call, BUILT_IN_ALIGNED_ALLOC))
    return zerosOf(gimple_call_arg(call, 0));
  tree type = gimple_call_fntype(call);
  tree attribute = type ? lookup_attribute("assume_aligned", TYPE_ATTRIBUTES(type)) : NULL_TREE;
  if (attribute && !TREE_CHAIN(TREE_VALUE(attribute))) // without an offset
    return zerosOf(TREE_VALUE(TREE_VALUE(attribute)));
  attribute = type ? lookup_attribute("alloc_align", TYPE_ATTRIBUTES(type)) : NULL_TREE;
  tree where = attribute ? TREE_VALUE(TREE_VALUE(attribute)) : NULL_TREE;
  if (!where || !tree_fits_uhwi_p(where) || tree_to_uhwi(where) - 1 >= gimple_call_num_args(call))
    return 0;
  return zerosOf(gimple_call_arg(call, unsigned(tree_to_uhwi(where)) - 1));
}

/// Makes a leaf of a value without operands that can be followed, with what GCC knows of it
/// everywhere.
ExprId LowBits::leaf(tree t) {
  unsigned zeros = std::max({known ? known(t) : 0, trustedBits(t), declaredBits(t)});
  if (TREE_CODE(t) == SSA_NAME && POINTER_TYPE_P(TREE_TYPE(t))) {
    unsigned align, off;
    ptr_info_def *info = SSA_NAME_PTR_INFO(t);
    if (info && get_ptr_info_alignment(info, &align, &off))
      zeros = std::max(zeros, unsigned(exact_log2(off ? off & -off : align)));
  } else if (TREE_CODE(t) == SSA_NAME) {
    int tail = wi::ctz(get_nonzero_bits(t));
    zeros = tail > 0 ? unsigned(tail) : 0;
  }
  return q.leaf(widthOf(TREE_TYPE(t)), zeros, {AlignFact::Kind::Value, t});
}

ExprId LowBits::made(tree t) {
  unsigned width = widthOf(TREE_TYPE(t));
  if (TREE_CODE(t) == INTEGER_CST)
    return q.g.constant(TREE_INT_CST_LOW(t), width);
  if (TREE_CODE(t) == ADDR_EXPR)
    return address(TREE_OPERAND(t, 0), width);
  if (TREE_CODE(t) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(t))
    return NoExpr;
  gimple *def = SSA_NAME_DEF_STMT(t);
  if (gphi *phi = dyn_cast<gphi *>(def))
    return merged(phi);
  if (gassign *assign = dyn_cast<gassign *>(def))
    return assigned(assign, width);
  if (gcall *call = dyn_cast<gcall *>(def))
    return assumed(call, width);
  return NoExpr;
}

ExprId LowBits::converted(tree from, unsigned width) {
  tree type = TREE_TYPE(from);
  ExprId a = value(from);
  if (a == NoExpr)
    return NoExpr;
  if (q.g.width(a) < width && INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type))
    return q.g.cast(Op::SExt, a, width);
  return q.g.zextOrTrunc(a, width);
}

ExprId LowBits::assigned(gassign *stmt, unsigned width) {
  tree a = gimple_assign_rhs1(stmt), b = gimple_assign_rhs2(stmt);
  tree_code code = gimple_assign_rhs_code(stmt);
  if (TREE_CODE_CLASS(code) == tcc_comparison)
    return compared(code, a, b);
  switch (code) {
  case SSA_NAME:
  case INTEGER_CST:
  case ADDR_EXPR:
    return value(a);
  CASE_CONVERT:
    return widthOf(TREE_TYPE(a)) ? converted(a, width) : NoExpr;
  case NEGATE_EXPR:
  case BIT_NOT_EXPR: {
    ExprId v = value(a);
    if (v == NoExpr)
      return NoExpr;
    return code == NEGATE_EXPR ? q.g.sub(q.g.constant(0, width), v)
                               : q.g.binary(Op::Xor, v, q.g.constant(~uint64_t(0), width));
  }
  case COND_EXPR: {
    tree c = a;
    ExprId test = COMPARISON_CLASS_P(c)
                      ? compared(TREE_CODE(c), TREE_OPERAND(c, 0), TREE_OPERAND(c, 1))
                      : value(c);
    ExprId yes = value(b), no = value(gimple_assign_rhs3(stmt));
    return test == NoExpr || q.g.width(test) != 1 || yes == NoExpr || no == NoExpr
               ? NoExpr
               : q.g.select(test, yes, no);
  }
  default: return b && TREE_CODE_CLASS(code) == tcc_binary ? binary(code, a, b, width) : NoExpr;
  }
}

ExprId LowBits::binary(tree_code code, tree a, tree b, unsigned width) {
  static const std::map<tree_code, Op> ops = {
      {PLUS_EXPR, Op::Add},         {POINTER_PLUS_EXPR, Op::Add}, {MINUS_EXPR, Op::Sub},
      {POINTER_DIFF_EXPR, Op::Sub}, {MULT_EXPR, Op::Mul},         {BIT_AND_EXPR, Op::And},
      {BIT_IOR_EXPR, Op::Or},       {BIT_XOR_EXPR, Op::Xor},      {LSHIFT_EXPR, Op::Shl},
      {RSHIFT_EXPR, Op::LShr},      {TRUNC_MOD_EXPR, Op::URem}};
  auto known = ops.find(code);
  if (known == ops.end())
    return NoExpr;
  Op op = known->second;
  bool shift = op == Op::Shl || op == Op::LShr;
  ExprId x = value(a), y = shift ? converted(b, width) : value(b);
  if (x == NoExpr || y == NoExpr || q.g.width(x) != width || q.g.width(y) != width)
    return NoExpr;
  if (!TYPE_UNSIGNED(TREE_TYPE(a)) && op == Op::LShr)
    op = Op::AShr;
  if (op == Op::URem && (!TYPE_UNSIGNED(TREE_TYPE(a)) || !q.g.isDivisor(op, y)))
    return NoExpr;
  if (shift && (!q.g.isConst(y) || q.g[y].value >= width))
    return op == Op::Shl && !q.g.isConst(y) ? q.g.binary(op, x, y) : NoExpr;
  return q.g.binary(op, x, y);
}

ExprId LowBits::compared(tree_code code, tree a, tree b) {
  ExprId x = value(a), y = value(b);
  if (x == NoExpr || y == NoExpr || q.g.width(x) != q.g.width(y))
    return NoExpr;
  if (code == EQ_EXPR || code == NE_EXPR)
    return q.g.binary(code == EQ_EXPR ? Op::Eq : Op::Ne, x, y);
  if (INTEGRAL_TYPE_P(TREE_TYPE(a)) && !TYPE_UNSIGNED(TREE_TYPE(a)))
    return NoExpr;
  switch (code) {
  case LT_EXPR: return q.g.binary(Op::ULt, x, y);
  case GT_EXPR: return q.g.binary(Op::ULt, y, x);
  case LE_EXPR: return q.g.binary(Op::ULe, x, y);
  case GE_EXPR: return q.g.binary(Op::ULe, y, x);
  default: return NoExpr;
  }
}

/// Describes the address of an object or of a part of one.
ExprId LowBits::address(tree object, unsigned width) {
  Reference to;
  if (!handled_component_p(object) && TREE_CODE(object) != MEM_REF &&
      TREE_CODE(object) != TARGET_MEM_REF) { // one leaf, however often it is spelt
    auto known = exprs.emplace(object, NoExpr).first;
    unsigned bytes = DECL_P(object) ? get_object_alignment(object) / 8 : 1; // or a literal
    if (known->second == NoExpr)
      known->second =
          q.leaf(width, unsigned(exact_log2(MAX(bytes, 1u))), {AlignFact::Kind::Value, object});
    return known->second;
  }
  if (!splitReference(object, to))
    return NoExpr;
  ExprId r = value(to.pointer);
  if (r == NoExpr)
    return NoExpr;
  r = q.g.add(r, q.g.constant(uint64_t(to.bytes), width));
  if (!to.offset)
    return r;
  ExprId off = offsetOf(to.offset, width);
  return off == NoExpr ? NoExpr : q.g.add(r, off);
}

/// Translates an offset that get_inner_reference has computed: not GIMPLE, but a tree of sums and
/// products of names.
ExprId LowBits::offsetOf(tree t, unsigned width) {
  if (TREE_CODE(t) == SSA_NAME || TREE_CODE(t) == INTEGER_CST)
    return converted(t, width);
  if (CONVERT_EXPR_P(t)) {
    tree from = TREE_OPERAND(t, 0), type = TREE_TYPE(from);
    if (TREE_CODE(from) == SSA_NAME || TREE_CODE(from) == INTEGER_CST)
      return converted(from, width);
    return TYPE_PRECISION(type) == width ? offsetOf(from, width) : NoExpr;
  }
  Op op = TREE_CODE(t) == PLUS_EXPR    ? Op::Add
          : TREE_CODE(t) == MINUS_EXPR ? Op::Sub
          : TREE_CODE(t) == MULT_EXPR  ? Op::Mul
                                       : Op::Const;
  if (op == Op::Const || TYPE_PRECISION(TREE_TYPE(t)) != width)
    return NoExpr;
  ExprId a = offsetOf(TREE_OPERAND(t, 0), width), b = offsetOf(TREE_OPERAND(t, 1), width);
  return a == NoExpr || b == NoExpr ? NoExpr : q.g.binary(op, a, b);
}

/// Describes __builtin_assume_aligned(p, 64): the value of p, and its alignment.
ExprId LowBits::assumed(gcall *call, unsigned width) {
  if (!gimple_call_builtin_p(call, BUILT_IN_ASSUME_ALIGNED) ||
      !tree_fits_uhwi_p(gimple_call_arg(call, 1)))
    return NoExpr;
  uint64_t n = tree_to_uhwi(gimple_call_arg(call, 1));
  bool shifted = gimple_call_num_args(call) > 2 && !integer_zerop(gimple_call_arg(call, 2));
  ExprId p = value(gimple_call_arg(call, 0));
  if (p == NoExpr || !n || (n & (n - 1)) || shifted)
    return p;
  ExprId self = q.leaf(width, unsigned(exact_log2(n)), {AlignFact::Kind::Assumption, call});
  q.phis.push_back({numbers[gimple_bb(call)], self, {p}, {false}, AlignQuery::noLoop, {}});
  return self;
}

/// Returns whether the block is a secondary entry of an irreducible cycle: an edge comes in from a
/// block later in reverse post order, and the block heads no loop. An incoming value may depend on
/// the phi itself.
bool LowBits::isTangled(basic_block bb) {
  if (loop_outer(bb->loop_father) && bb->loop_father->header == bb)
    return false;
  for (edge e : bb->preds)
    if (isReached(e->src) && numbers[e->src] >= numbers[bb])
      return true;
  return false;
}

/// Describes a phi: as a symbol at first; its incoming values are read once they can refer to the
/// symbol.
ExprId LowBits::merged(gphi *phi) {
  tree name = gimple_phi_result(phi);
  basic_block bb = gimple_bb(phi);
  ExprId self = exprs[name] = leaf(name);
  class loop *loop = bb->loop_father; // GCC calls the whole function one, too
  bool header = loop && loop->header == bb && loop_outer(loop);
  int number = header ? loop->num : AlignQuery::noLoop;
  AlignQuery::Phi m{numbers[bb], self,   {},
                    {},          number, {AlignFact::Kind::Phi, header ? phi : nullptr}};
  bool whole = !isTangled(bb);
  for (unsigned k = 0; k < gimple_phi_num_args(phi); ++k) {
    // An edge that is never taken brings no other value.
    basic_block from = gimple_phi_arg_edge(phi, k)->src;
    bool reached = isReached(from);
    m.values.push_back(reached ? value(gimple_phi_arg_def(phi, k)) : self);
    m.inside.push_back(!reached || (header && flow_bb_inside_loop_p(loop, from)));
    whole &= m.values.back() != NoExpr;
  }
  if (whole) {
    phis.push_back({phi, q.phis.size()});
    q.phis.push_back(std::move(m));
  }
  return self;
}

/// Adds the test that must have held for the edge to be taken.
void LowBits::collectEdge(edge e, std::vector<AlignQuery::Test> &list) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(e->src));
  if (!cond || list.size() >= AlignQuery::mostFacts ||
      !(e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)))
    return;
  tree a = gimple_cond_lhs(cond), b = gimple_cond_rhs(cond);
  tree_code code = gimple_cond_code(cond);
  bool holds = e->flags & EDGE_TRUE_VALUE;
  bool flag = TREE_CODE(TREE_TYPE(a)) == BOOLEAN_TYPE && TREE_CODE(b) == INTEGER_CST &&
              (code == EQ_EXPR || code == NE_EXPR);
  ExprId c = flag ? value(a) : compared(code, a, b);
  if (flag && integer_zerop(b) == (code == EQ_EXPR))
    holds = !holds;
  if (c != NoExpr && q.g.width(c) == 1)
    list.push_back({numbers[e->dest], c, holds, {AlignFact::Kind::Test, cond}});
}

/// Returns the only edge over which control enters the block, or the loop that the block heads;
/// null if there are several.
static edge edgeInto(basic_block block) {
  edge only = nullptr;
  bool header = block->loop_father && block->loop_father->header == block;
  for (edge e : block->preds) {
    if (header && flow_bb_inside_loop_p(block->loop_father, e->src))
      continue;
    if (only)
      return nullptr;
    only = e;
  }
  return only && only->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) ? only : nullptr;
}

/// Adds the tests implied by a true `a || b` of which only two branches are left.
void LowBits::collectEither(basic_block block, std::vector<AlignQuery::Test> &list) {
  std::vector<AlignQuery::Test> sides;
  if (EDGE_COUNT(block->preds) != 2 || isTangled(block) || block->loop_father->header == block ||
      list.size() >= AlignQuery::mostFacts)
    return;
  for (edge e : block->preds)
    if (isReached(e->src))
      collectEdge(e, sides);
  if (sides.size() == 2)
    list.push_back(q.either(numbers[block], sides[0], sides[1]));
}

/// Adds the tests that dominate `block`.
void LowBits::collectTests(basic_block block, std::vector<AlignQuery::Test> &list) {
  for (; block && block != ENTRY_BLOCK_PTR_FOR_FN(cfun);
       block = get_immediate_dominator(CDI_DOMINATORS, block)) {
    if (edge e = edgeInto(block))
      collectEdge(e, list);
    else
      collectEither(block, list);
  }
}

/// Collects the last phis before the use, to be split by incoming edge. Only a few, as the cases
/// multiply.
void LowBits::collectSplits(basic_block block) {
  for (; block && block != ENTRY_BLOCK_PTR_FOR_FN(cfun) && q.splits.size() < AlignQuery::mostSplits;
       block = get_immediate_dominator(CDI_DOMINATORS, block)) {
    std::vector<std::pair<gphi *, size_t>> here;
    for (auto &known : phis)
      if (gimple_bb(known.first) == block)
        here.push_back(known);
    if (here.empty() || EDGE_COUNT(block->preds) > AlignQuery::mostIncoming ||
        block->loop_father->header == block)
      continue;
    std::vector<AlignQuery::IncomingEdge> incoming;
    for (edge e : block->preds) {
      AlignQuery::IncomingEdge edge;
      if (!isReached(e->src))
        continue;
      collectEdge(e, edge.tests);
      collectTests(e->src, edge.tests);
      for (auto [phi, k] : here)
        edge.values.push_back({q.phis[k].self, q.phis[k].values[e->dest_idx]});
      incoming.push_back(std::move(edge));
    }
    q.splits.push_back(std::move(incoming));
  }
}

/// Builds everything that the query refers to.
ExprId LowBits::ask(tree asked, gimple *at) {
  if (!isReached(gimple_bb(at)))
    return NoExpr;
  q = AlignQuery();
  exprs.clear();
  phis.clear();
  q.dominates = [this](unsigned a, unsigned b) {
    return dominated_by_p(CDI_DOMINATORS, blocks[b], blocks[a]);
  };
  ExprId e = value(asked);
  if (e == NoExpr)
    return NoExpr;
  collectTests(gimple_bb(at), q.tests);
  collectSplits(gimple_bb(at));
  return e;
}

Aligned LowBits::aligned(tree value, unsigned bits, gimple *at, AlignProof *how) {
  ExprId asked = ask(value, at);
  return asked == NoExpr ? Aligned::Unknown : q.aligned(asked, bits, how);
}

unsigned LowBits::zeroBits(tree value, unsigned limit, gimple *at, AlignProof *how) {
  ExprId asked = ask(value, at);
  return asked == NoExpr ? 0 : q.zeroBits(asked, limit, how);
}

} // namespace memlift
