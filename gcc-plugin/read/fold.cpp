// fold.cpp - small loops that fold a sum until nothing is left to fold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (s >> 16)
//     s = (s & 0xffff) + (s >> 16);
//
// Folding a folded number changes nothing, so the value is that after as many folds as any number
// of its width might need. A fold may also appear as a loop of at most two iterations: GCC knows
// the constant 65536 that the second starts from, where only one more bit can be set. And a loop
// may subtract:
//
//   while (s > 65535)
//     s -= 65535;
//
// which leaves a remainder.
#include "../../idioms/algebra/ones.h"
#include "binding.h"

namespace memlift {
namespace {

/// Matches `name` = a `code` constant, and sets `a` and `constant`.
bool isBinary(tree name, tree_code code, tree &a, uint64_t &constant) {
  gassign *def =
      TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  if (!def || gimple_assign_rhs_code(def) != code || !tree_fits_uhwi_p(gimple_assign_rhs2(def)))
    return false;
  a = gimple_assign_rhs1(def);
  constant = tree_to_uhwi(gimple_assign_rhs2(def));
  return true;
}

struct FoldLoop {
  class loop *loop;
  edge exit, start, latch;
  gphi *sum;
  tree next; // the sum's next value
  unsigned width, k = 0;

  bool isHighOf(tree high, tree v) const {
    tree of;
    uint64_t bits;
    return isBinary(high, RSHIFT_EXPR, of, bits) && of == v && bits == k;
  }
  bool isHigh(tree high) const;
  bool isFold();
  bool leaves(tree folded) const;
  bool startsAbove(uint64_t mask) const;
  bool isLess(Fold &fold) const;
};

/// Returns whether `high` is the sum shifted right by k bits, or a PHI that always holds that.
/// Where the loop continues after a fold of 2k bits just one bit is left above, and GCC knows it.
bool FoldLoop::isHigh(tree high) const {
  if (isHighOf(high, gimple_phi_result(sum)))
    return true;
  gphi *phi = TREE_CODE(high) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(high)) : nullptr;
  if (!phi || gimple_bb(phi) != loop->header ||
      !isHighOf(PHI_ARG_DEF_FROM_EDGE(phi, start), PHI_ARG_DEF_FROM_EDGE(sum, start)))
    return false;
  tree later = PHI_ARG_DEF_FROM_EDGE(phi, latch);
  bool onlyOne = TYPE_UNSIGNED(TREE_TYPE(next)) && integer_onep(later) && width == 2 * k &&
                 leaves(next) && dominated_by_p(CDI_DOMINATORS, latch->src, exit->src);
  return isHighOf(later, next) || onlyOne;
}

/// Matches next = (sum & (1 << k) - 1) + high, in either order.
bool FoldLoop::isFold() {
  gassign *def =
      TREE_CODE(next) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next)) : nullptr;
  if (!def || gimple_assign_rhs_code(def) != PLUS_EXPR)
    return false;
  tree low = gimple_assign_rhs1(def), high = gimple_assign_rhs2(def), of;
  uint64_t mask;
  for (int swapped = 0; swapped < 2; ++swapped, std::swap(low, high))
    if (isBinary(low, BIT_AND_EXPR, of, mask) && of == gimple_phi_result(sum) && mask &&
        !(mask & (mask + 1))) {
      k = unsigned(__builtin_popcountll(mask));
      return 2 * k <= width && isHigh(high);
    }
  return false;
}

/// Returns true if the loop is left exactly where `folded` has no bits above the lowest k.
bool FoldLoop::leaves(tree folded) const {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  if (!cond || !tree_fits_uhwi_p(gimple_cond_rhs(cond)))
    return false;
  tree_code code = gimple_cond_code(cond);
  tree a = gimple_cond_lhs(cond);
  uint64_t limit = tree_to_uhwi(gimple_cond_rhs(cond)), mask = (uint64_t(1) << k) - 1;
  if (exit->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison(code, false);
  if (code == EQ_EXPR && limit == 0)
    return isHighOf(a, folded) || (folded != next && isHigh(a));
  if (!TYPE_UNSIGNED(TREE_TYPE(a)) && (folded != next || !startsAbove(mask)))
    return false; // numbers below zero are left as they are
  return a == folded &&
         ((code == LE_EXPR && limit == mask) || (code == LT_EXPR && limit == mask + 1));
}

/// Returns true if a test before the loop lets only numbers above `mask` enter it.
bool FoldLoop::startsAbove(uint64_t mask) const {
  edge way = start;
  while (single_succ_p(way->src) && single_pred_p(way->src))
    way = single_pred_edge(way->src);
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(way->src));
  if (!cond || !tree_fits_uhwi_p(gimple_cond_rhs(cond)) ||
      gimple_cond_lhs(cond) != PHI_ARG_DEF_FROM_EDGE(sum, start))
    return false;
  tree_code code = gimple_cond_code(cond);
  if (way->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison(code, false);
  uint64_t limit = tree_to_uhwi(gimple_cond_rhs(cond));
  return (code == GT_EXPR && limit == mask) || (code == GE_EXPR && limit == mask + 1);
}

/// Matches next = sum - by, until it is at most a limit from which `by` can be subtracted.
bool FoldLoop::isLess(Fold &fold) const {
  gassign *def =
      TREE_CODE(next) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next)) : nullptr;
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  tree name = gimple_phi_result(sum);
  if (!def || !cond || gimple_assign_rhs_code(def) != PLUS_EXPR ||
      gimple_assign_rhs1(def) != name || TREE_CODE(gimple_assign_rhs2(def)) != INTEGER_CST ||
      !tree_fits_uhwi_p(gimple_cond_rhs(cond)) ||
      !dominated_by_p(CDI_DOMINATORS, latch->src, exit->src))
    return false;
  tree_code code = gimple_cond_code(cond);
  tree tested = gimple_cond_lhs(cond);
  if (exit->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison(code, false);
  fold.atOnce = tested == next;
  fold.isSigned = !TYPE_UNSIGNED(TREE_TYPE(name));
  fold.by = -uint64_t(TREE_INT_CST_LOW(gimple_assign_rhs2(def))) & maskOf(width);
  fold.limit = tree_to_uhwi(gimple_cond_rhs(cond)) - (code == LT_EXPR);
  fold.end = tested;
  return (code == LT_EXPR || code == LE_EXPR) &&
         (tested == next || (tested == name && exit->src == loop->header)) && fold.by &&
         fold.limit < maskOf(width) >> fold.isSigned && fold.limit + 1 >= fold.by;
}

/// Returns the value of `name` where the header's PHIs are constants; null if it is no constant.
tree inRound(tree name, std::map<tree, tree> &known, unsigned depth = 8) {
  if (TREE_CODE(name) != SSA_NAME)
    return TREE_CODE(name) == INTEGER_CST ? name : NULL_TREE;
  auto it = known.find(name);
  gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name));
  if (it != known.end() || !def || !depth)
    return it != known.end() ? it->second : NULL_TREE;
  tree_code code = gimple_assign_rhs_code(def);
  unsigned operands = gimple_num_ops(def) - 1;
  tree a = operands <= 2 ? inRound(gimple_assign_rhs1(def), known, depth - 1) : NULL_TREE;
  tree b = a && operands == 2 ? inRound(gimple_assign_rhs2(def), known, depth - 1) : NULL_TREE;
  tree type = TREE_TYPE(name), value = NULL_TREE;
  if (a && operands == 1)
    value = code == INTEGER_CST ? a : fold_unary(code, type, a);
  else if (b)
    value = fold_binary(code, type, a, b);
  return known[name] = value && TREE_CODE(value) == INTEGER_CST ? value : NULL_TREE;
}

} // namespace

bool isSettled(class loop *loop) {
  edge exit = single_exit(loop);
  gcond *cond = exit ? safe_dyn_cast<gcond *>(last_stmt(exit->src)) : nullptr;
  if (!cond || !loop->latch || !dominated_by_p(CDI_DOMINATORS, loop->latch, exit->src))
    return false;
  std::map<tree, tree> known;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    tree later = PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_latch_edge(loop));
    if (virtual_operand_p(later))
      continue;
    if (TREE_CODE(later) != INTEGER_CST)
      return false;
    known[gimple_phi_result(psi.phi())] = later;
  }
  tree a = inRound(gimple_cond_lhs(cond), known), b = inRound(gimple_cond_rhs(cond), known);
  tree test = a && b ? fold_binary(gimple_cond_code(cond), boolean_type_node, a, b) : NULL_TREE;
  return test && (exit->flags & EDGE_TRUE_VALUE ? integer_onep(test) : integer_zerop(test));
}

bool foldOf(class loop *loop, Fold &fold) {
  edge exit = single_exit(loop);
  if (!exit || !loop->latch)
    return false;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = gimple_phi_result(psi.phi());
    if (virtual_operand_p(name) || !INTEGRAL_TYPE_P(TREE_TYPE(name)) ||
        TYPE_PRECISION(TREE_TYPE(name)) > 64)
      continue;
    edge start = loop_preheader_edge(loop), latch = loop_latch_edge(loop);
    FoldLoop f{loop,
               exit,
               start,
               latch,
               psi.phi(),
               PHI_ARG_DEF_FROM_EDGE(psi.phi(), latch),
               TYPE_PRECISION(TREE_TYPE(name))};
    fold = Fold();
    fold.start = PHI_ARG_DEF_FROM_EDGE(psi.phi(), start);
    fold.folds = 1;
    if (f.isLess(fold))
      return true;
    if (!f.isFold())
      continue;
    bool after = f.leaves(f.next);
    if (!after && !(exit->src == loop->header && f.leaves(name)))
      continue;
    fold = Fold();
    fold.start = PHI_ARG_DEF_FROM_EDGE(psi.phi(), start);
    fold.end = after ? f.next : name;
    fold.k = f.k;
    fold.folds = foldsToEnd(f.width, f.k);
    fold.isSigned = !TYPE_UNSIGNED(TREE_TYPE(name));
    return true;
  }
  return false;
}

} // namespace memlift
