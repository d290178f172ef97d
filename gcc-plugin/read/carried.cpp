// carried.cpp - reads sums, checksums and their like: PHIs that loads flow into
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   # sum = PHI <init (preheader), next (latch)>
//   next = sum + *p
//
// In a nest, each outer loop has a PHI of its own that starts the inner one and takes its final
// value. Where a test before the inner loop skips it, the outer PHI's own value comes back, as
// after no iterations.
#include "carried.h"
#include "../../idioms/knownzero.h"
#include "../../idioms/recognize/recognize.h"

namespace memlift {

constexpr unsigned maxJoins = 4;
constexpr unsigned maxLookedAt = 128;

/// Returns whether the name is an integer of a width that a recurrence may have.
static bool carriedInteger(tree name) {
  return !virtual_operand_p(name) && INTEGRAL_TYPE_P(TREE_TYPE(name)) &&
         isNumber(TREE_TYPE(name)) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name);
}

static bool inLoop(class loop *loop, tree name) {
  basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(name));
  return bb && flow_bb_inside_loop_p(loop, bb);
}

/// Returns the condition that decides which argument the PHIs of a block in the loop take.
static gcond *choiceBefore(class loop *loop, basic_block join) {
  basic_block fork = join != loop->header ? get_immediate_dominator(CDI_DOMINATORS, join) : nullptr;
  bool inside = fork && flow_bb_inside_loop_p(loop, fork) && EDGE_COUNT(join->preds) > 1;
  return inside ? safe_dyn_cast<gcond *>(last_stmt(fork)) : nullptr;
}

/// Returns true if a load of the loop is among the operands of `name`, directly or not.
static bool usesLoad(class loop *loop, tree name) {
  std::vector<tree> todo = {name}, seen;
  while (!todo.empty() && seen.size() < maxLookedAt) {
    tree t = todo.back();
    todo.pop_back();
    if (TREE_CODE(t) != SSA_NAME || !inLoop(loop, t) ||
        std::find(seen.begin(), seen.end(), t) != seen.end())
      continue;
    seen.push_back(t);
    gimple *def = SSA_NAME_DEF_STMT(t);
    if (gimple_assign_load_p(def))
      return true;
    if (gphi *phi = dyn_cast<gphi *>(def)) {
      for (unsigned i = 0; gimple_bb(phi) != loop->header && i < gimple_phi_num_args(phi); ++i)
        todo.push_back(gimple_phi_arg_def(phi, i));
      if (gcond *choice = choiceBefore(loop, gimple_bb(phi))) {
        todo.push_back(gimple_cond_lhs(choice));
        todo.push_back(gimple_cond_rhs(choice));
      }
      continue;
    }
    ssa_op_iter it;
    tree use;
    FOR_EACH_SSA_TREE_OPERAND(use, def, it, SSA_OP_USE)
    todo.push_back(use);
  }
  return false;
}

bool mayCarryLoads(class loop *loop) {
  if (!loop->latch)
    return false;
  for (gphi_iterator psi = gsi_start_phis(loop->header); !gsi_end_p(psi); gsi_next(&psi))
    if (carriedInteger(gimple_phi_result(psi.phi())) &&
        usesLoad(loop, PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_latch_edge(loop))))
      return true;
  return false;
}

/// Returns whether a name is a counter. That is no recurrence: its value is an expression of the
/// iteration.
static bool countsLinearly(class loop *loop, tree name) {
  tree c = analyze_scalar_evolution(loop, name);
  return c && TREE_CODE(c) == POLYNOMIAL_CHREC && CHREC_VARIABLE(c) == unsigned(loop->num) &&
         !tree_contains_chrecs(CHREC_LEFT(c), nullptr) &&
         !tree_contains_chrecs(CHREC_RIGHT(c), nullptr) &&
         expr_invariant_in_loop_p(loop, CHREC_LEFT(c)) &&
         expr_invariant_in_loop_p(loop, CHREC_RIGHT(c));
}

static gphi *headerPhi(class loop *loop, tree name) {
  gphi *phi = TREE_CODE(name) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  return phi && gimple_bb(phi) == loop->header ? phi : nullptr;
}

/// Returns true if control comes to `bb` from a test before the inner loop.
static bool goesAround(class loop *inner, basic_block bb) {
  while (single_pred_p(bb) && !flow_bb_inside_loop_p(inner, bb) &&
         !dominated_by_p(CDI_DOMINATORS, inner->header, bb))
    bb = single_pred(bb);
  return !flow_bb_inside_loop_p(inner, bb) && dominated_by_p(CDI_DOMINATORS, inner->header, bb);
}

/// Returns true if `name` is the inner loop's last value `end` wherever that loop ran, and `start`,
/// the outer loop's PHI, wherever it was skipped.
static bool handedThrough(class loop *outer, class loop *inner, tree name, tree end, tree start,
                          unsigned depth) {
  if (name == end)
    return true;
  gphi *phi = TREE_CODE(name) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  if (!phi || !depth || name == start || gimple_bb(phi)->loop_father != outer)
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
    tree arg = gimple_phi_arg_def(phi, i);
    bool around = arg == start && goesAround(inner, gimple_phi_arg_edge(phi, i)->src);
    if (!around && !handedThrough(outer, inner, arg, end, start, depth - 1))
      return false;
  }
  return true;
}

/// Follows a PHI of the innermost loop outwards. Returns false if a loop does more than pass it on.
static bool follow(const Nest &nest, const std::vector<bool> &bodyFirst, gphi *phi, Carried &c) {
  class loop *loop = nest.inner();
  auto afterLoop = [&](gphi *p, size_t k) {
    return bodyFirst[k] ? PHI_ARG_DEF_FROM_EDGE(p, loop_latch_edge(nest.loops[k]))
                        : gimple_phi_result(p);
  };
  c.phi = gimple_phi_result(phi);
  c.next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
  size_t k = nest.loops.size() - 1;
  c.after = afterLoop(phi, k);
  for (; k > 0; --k) {
    class loop *outer = nest.loops[k - 1];
    gphi *start = headerPhi(outer, PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(nest.loops[k])));
    if (!start ||
        !handedThrough(outer, nest.loops[k], PHI_ARG_DEF_FROM_EDGE(start, loop_latch_edge(outer)),
                       c.after, gimple_phi_result(start), maxJoins))
      return false;
    phi = start;
    c.after = afterLoop(phi, k - 1);
  }
  c.init = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(nest.outer()));
  return true;
}

static std::string nameFor(const LoopBinding &binding, tree name) {
  std::string s = declName(SSA_NAME_VAR(name));
  for (const Recurrence &r : binding.loop.recs)
    if (r.name == s)
      s.clear();
  return s.empty() ? "r" + std::to_string(binding.loop.recs.size()) : s;
}

std::vector<Carried> declareCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                                    const std::vector<bool> &bodyFirst) {
  std::vector<Carried> list;
  for (class loop *loop : nest.loops)
    if (!loop->latch)
      return list;
  t.findRings();
  ExprGraph &g = binding.loop.exprs;
  t.at(loop_preheader_edge(nest.outer()));
  class loop *inner = nest.inner();
  for (gphi_iterator psi = gsi_start_phis(inner->header); !gsi_end_p(psi); gsi_next(&psi)) {
    Carried c;
    tree name = gimple_phi_result(psi.phi());
    if (!carriedInteger(name) || t.isRing(name) || countsLinearly(inner, name) ||
        !follow(nest, bodyFirst, psi.phi(), c))
      continue;
    unsigned width = TYPE_PRECISION(TREE_TYPE(name));
    ExprId init = t.value(c.init);
    if (init == NoExpr || !g.isInvariant(init))
      continue;
    t.noteValue(name, g.leaf(Op::Rec, list.size(), width));
    binding.loop.recs.push_back({nameFor(binding, name), width, init, NoExpr});
    binding.recs.push_back(c.after);
    list.push_back(c);
  }
  return list;
}

/// Describes a sum with a part that has no counterpart in the model, as of conditions on
/// floating-point numbers. Of loops for threads that it is a sum suffices.
static ExprId plusUnknown(Translator &t, LoopBinding &binding, const Carried &c, unsigned width) {
  gimple *stmt = TREE_CODE(c.next) == SSA_NAME ? SSA_NAME_DEF_STMT(c.next) : nullptr;
  gassign *def = safe_dyn_cast<gassign *>(stmt);
  ExprGraph &g = binding.loop.exprs;
  if (!binding.loop.function.spread || !def || gimple_assign_rhs_code(def) != PLUS_EXPR ||
      (gimple_assign_rhs1(def) == c.phi) == (gimple_assign_rhs2(def) == c.phi))
    return g.opaque(width);
  return g.add(t.value(c.phi), g.opaque(width));
}

void readCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                 const std::vector<Carried> &carried) {
  ExprGraph &g = binding.loop.exprs;
  t.at(nest.inner()->header);
  for (size_t k = 0; k < carried.size(); ++k) {
    Recurrence &rec = binding.loop.recs[k];
    rec.next = t.value(carried[k].next);
    if (rec.next == NoExpr || g.width(rec.next) != rec.width)
      rec.next = plusUnknown(t, binding, carried[k], rec.width);
  }
}

/// Looks through conversions that change nothing but the sign.
static tree sameBits(tree t) {
  while (TREE_CODE(t) == SSA_NAME) {
    gassign *def = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t));
    tree from = def && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)) ? gimple_assign_rhs1(def)
                                                                        : NULL_TREE;
    if (!from || !INTEGRAL_TYPE_P(TREE_TYPE(from)) || !INTEGRAL_TYPE_P(TREE_TYPE(t)) ||
        TYPE_PRECISION(TREE_TYPE(from)) != TYPE_PRECISION(TREE_TYPE(t)))
      break;
    t = from;
  }
  return t;
}

int carriedAs(const LoopBinding &binding, tree name) {
  for (size_t k = 0; k < binding.recs.size(); ++k)
    if (sameBits(binding.recs[k]) == sameBits(name))
      return int(k);
  return -1;
}

/// Adds a recurrence of the bits that a wider one extends without a sign. It may stand for the
/// wider one in its own step, as that begins so, too.
static int carriedNarrow(LoopBinding &binding, ExprId value, tree name) {
  ExprGraph &g = binding.loop.exprs;
  for (size_t k = 0; k < binding.loop.recs.size(); ++k) {
    const Recurrence rec = binding.loop.recs[k];
    const unsigned width = g.width(value);
    if (rec.width <= width || g.cast(Op::ZExt, value, rec.width) != rec.next ||
        ~maskOf(width) & maskOf(rec.width) & ~knownZero(g, rec.init))
      continue;
    const size_t own = binding.loop.recs.size();
    std::map<ExprId, ExprId> narrow = {
        {g.leaf(Op::Rec, k, rec.width), g.cast(Op::ZExt, g.leaf(Op::Rec, own, width), rec.width)}};
    binding.loop.recs.push_back({rec.name + ".low", width, g.cast(Op::Trunc, rec.init, width),
                                 g.substitute(value, narrow)});
    binding.recs.push_back(name);
    return int(own);
  }
  return -1;
}

int carriedInOtherWidth(Translator &t, LoopBinding &binding, const Nest &nest, tree name) {
  ExprGraph &g = binding.loop.exprs;
  if (nest.loops.size() != 1 || !binding.loop.dims[0].nonzero || !carriedInteger(name))
    return -1;
  t.at(nest.inner()->header);
  ExprId value = t.value(name);
  t.at(loop_preheader_edge(nest.outer()));
  for (size_t k = 0; value != NoExpr && k < binding.loop.recs.size(); ++k) {
    const Recurrence rec = binding.loop.recs[k];
    if (rec.width >= g.width(value) || g.cast(Op::Trunc, value, rec.width) != rec.next)
      continue;
    binding.loop.recs.push_back(
        {rec.name + ".wide", g.width(value), g.constant(0, g.width(value)), value});
    binding.recs.push_back(name);
    return int(binding.loop.recs.size()) - 1;
  }
  if (int narrow = value == NoExpr ? -1 : carriedNarrow(binding, value, name); narrow >= 0)
    return narrow;
  if (value == NoExpr || binding.chain || binding.loop.recs.empty() ||
      !readAtLast(binding.loop, value))
    return -1;
  binding.loop.recs.push_back({"last", g.width(value), g.constant(0, g.width(value)), value});
  binding.recs.push_back(name);
  return int(binding.loop.recs.size()) - 1;
}

} // namespace memlift
