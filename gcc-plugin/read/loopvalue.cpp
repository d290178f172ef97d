// loopvalue.cpp - values that change inside a nest: counters, selections, small loops' results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "translate.h"

namespace memlift {

/// Describes a header's PHI that counts linearly, and the PHI after  if (c) x = a; else x = b;
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
  return joined(bb, [&](edge e) { return value(PHI_ARG_DEF_FROM_EDGE(phi, e)); });
}

/// Translates {{left, +, step}_outer, +, step}_inner in its own width.
ExprId Translator::countValue(tree chrec) {
  if (!chrec || automatically_generated_chrec_p(chrec) || !isScalar(TREE_TYPE(chrec)))
    return NoExpr;
  if (TREE_CODE(chrec) != POLYNOMIAL_CHREC) {
    ExprId v = tree_contains_chrecs(chrec, nullptr) ? NoExpr : value(chrec);
    return v != NoExpr && g.isInvariant(v) ? v : NoExpr;
  }
  ExprId first = countValue(CHREC_LEFT(chrec)), step = value(CHREC_RIGHT(chrec));
  if (first == NoExpr || step == NoExpr || !g.isInvariant(step) || g.width(first) != g.width(step))
    return NoExpr;
  for (size_t k = 0; k < nest->loops.size(); ++k)
    if (unsigned(nest->loops[k]->num) == CHREC_VARIABLE(chrec)) {
      ExprId count = g.zextOrTrunc(g.leaf(Op::Iv, k, ptrBits()), g.width(step));
      return g.add(first, g.mul(step, count));
    }
  return NoExpr;
}

/// Returns whether the name is of a small loop in the body, and used after that loop.
bool Translator::insideSmallLoop(tree name) const {
  basic_block bb = nest ? gimple_bb(SSA_NAME_DEF_STMT(name)) : nullptr;
  return bb && bb->loop_father != stepped && flow_loop_nested_p(nest->inner(), bb->loop_father);
}

/// Returns x reduced below the limit: if x > limit, the only number from limit + 1 - by to limit
/// that is x less a multiple of `by`.
ExprId Translator::reduced(const Fold &fold, ExprId x) {
  unsigned width = g.width(x);
  if (fold.atOnce)
    x = g.sub(x, g.constant(fold.by, width));
  ExprId sign = g.constant(fold.isSigned ? uint64_t(1) << (width - 1) : 0, width);
  ExprId limit = g.binary(Op::Xor, g.constant(fold.limit, width), sign);
  ExprId above = g.sub(x, g.constant(fold.limit + 1, width));
  ExprId rest = g.add(g.binary(Op::URem, above, g.constant(fold.by, width)),
                      g.constant(fold.limit + 1 - fold.by, width));
  return g.select(g.binary(Op::ULe, g.binary(Op::Xor, x, sign), limit), x, rest);
}

/// Returns x after enough folds: more than the loop makes change nothing.
ExprId Translator::folded(const Fold &fold) {
  class loop *around = stepped;
  stepped = nullptr;
  ExprId x = value(fold.start);
  stepped = around;
  if (fold.by)
    return x == NoExpr ? x : reduced(fold, x);
  for (unsigned i = 0; x != NoExpr && i < fold.folds; ++i) {
    unsigned width = g.width(x);
    ExprId low = g.binary(Op::And, x, g.constant((uint64_t(1) << fold.k) - 1, width));
    x = g.add(low, g.binary(fold.isSigned ? Op::AShr : Op::LShr, x, g.constant(fold.k, width)));
  }
  return x;
}

/// Returns the condition under which control takes the edge from its block.
ExprId Translator::leaves(edge way) {
  auto *cond = as_a<gcond *>(last_stmt(way->src));
  ExprId c = compare(gimple_cond_code(cond), gimple_cond_lhs(cond), gimple_cond_rhs(cond));
  bool other = way->flags & EDGE_FALSE_VALUE;
  return c != NoExpr && other ? g.binary(Op::Xor, c, g.constant(1, 1)) : c;
}

/// Returns the value of `name` when the loop around it is left. All header PHIs step together,
/// iteration by iteration. The value may use those of an earlier loop: they do not change between
/// iterations.
///
///   for (k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ poly : c >> 1;
ExprId Translator::afterIterations(tree name) {
  class loop *loop = gimple_bb(SSA_NAME_DEF_STMT(name))->loop_father, *around = stepped;
  Fold fold;
  if (foldOf(loop, fold))
    return name == fold.end ? folded(fold) : NoExpr;
  int iterations = fewIterations(loop);
  if (iterations < 0 ||
      !dominated_by_p(CDI_DOMINATORS, single_exit(loop)->src, gimple_bb(SSA_NAME_DEF_STMT(name))))
    return NoExpr;
  std::map<tree, ExprId> before, state, next;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (!virtual_operand_p(gimple_phi_result(psi.phi())))
      next[gimple_phi_result(psi.phi())] =
          value(PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_preheader_edge(loop)));
  stepped = nullptr;
  for (auto &[known, v] : memo) // memoized values after the last iteration would be wrong in others
    if (!insideSmallLoop(known))
      before[known] = v;
  std::map<tree, ExprId> outside = std::move(memo);
  ExprId left = NoExpr, early = NoExpr; // is the loop left before its latch runs, and with which
                                        // value
  stepped = loop;
  for (int round = 0; round <= iterations; ++round) {
    state = next;
    memo = before;
    for (auto &[phi, v] : state)
      values[phi] = v;
    if (!round && iterations == 1 && isSettled(loop)) {
      left = leaves(single_exit(loop));
      early = value(name);
    }
    for (auto &[phi, v] : state)
      if (round < iterations)
        next[phi] = value(
            PHI_ARG_DEF_FROM_EDGE(as_a<gphi *>(SSA_NAME_DEF_STMT(phi)), loop_latch_edge(loop)));
  }
  ExprId result = value(name);
  if (iterations == 1 && isSettled(loop))
    result = left == NoExpr || early == NoExpr || result == NoExpr ? NoExpr
                                                                   : g.select(left, early, result);
  stepped = around;
  memo = std::move(outside);
  for (auto &[phi, v] : state)
    values.erase(phi);
  return result;
}

} // namespace memlift
