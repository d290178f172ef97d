// trip.cpp - counts the iterations of the loops of a nest: exactly, the zero trip included
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC describes a loop by the number of times its latch runs, a condition under which it does not
// run at all whatever that number is, and assumptions. Only loops without assumptions are counted.
// A body before the exit test runs once more than the latch.
//
// In a nest, an inner loop that does not run at all makes the nest do nothing. Such conditions, and
// the guards between the loops, move to the outermost trip count. So "rows x columns" stays a
// product that can be compared with the row's step.
#include "exits.h"
#include "trip.h"
#include "../../idioms/algebra/cases.h"

namespace memlift {

static ExprId invert(ExprGraph &g, ExprId c) { return g.binary(Op::Xor, c, g.constant(1, 1)); }

/// Returns latch + 1 at pointer width. In the narrow type the expression is simpler ((n - 1) + 1),
/// and right if the count cannot be the type's largest number.
static ExprId oneMore(ExprGraph &g, ExprId narrow, unsigned bits, const widest_int &max) {
  unsigned width = g.width(narrow);
  if (width < bits && wi::ltu_p(max, widest_int(maskOf(width))))
    return g.zextOrTrunc(g.add(narrow, g.constant(1, width)), bits);
  return g.add(g.zextOrTrunc(narrow, bits), g.constant(1, bits));
}

/// Returns a bound of the latch's executions: from GCC's analysis, or from the known range of `n`
/// in `n - 1` before the loop. 0 if there is none.
static uint64_t largest(Translator &t, const tree_niter_desc &desc) {
  uint64_t max = wi::fits_uhwi_p(desc.max) ? desc.max.to_uhwi() : ~uint64_t(0), n;
  tree type = TREE_TYPE(desc.niter);
  tree more = fold_build2(PLUS_EXPR, type, desc.niter, build_one_cst(type));
  STRIP_NOPS(more);
  if (TYPE_PRECISION(TREE_TYPE(more)) == TYPE_PRECISION(type) && t.maximum(more, n))
    max = std::min(max, n - 1);
  return max == ~uint64_t(0) ? 0 : max;
}

static bool wrapsInNarrowType(class loop *loop, edge exit, unsigned ptrBits) {
  tree_niter_desc desc;
  if (!number_of_iterations_exit_assumptions(loop, exit, &desc, nullptr))
    return false;
  return desc.control.base && INTEGRAL_TYPE_P(TREE_TYPE(desc.control.base)) &&
         TYPE_PRECISION(TREE_TYPE(desc.control.base)) < ptrBits;
}

/// Adds the conditions that the count depends on. Returns false if they cannot be tested before the
/// loop, or never hold.
static bool assumed(Translator &t, Loop &loop, tree assumptions, Count &count) {
  ExprGraph &g = loop.exprs;
  if (integer_nonzerop(assumptions))
    return true;
  ExprId condition = t.value(assumptions);
  if (condition == NoExpr || !g.isInvariant(condition) || largestOf(loop, condition) == 0 ||
      g.isConst(condition))
    return false;
  count.assumption = g.width(condition) == 1
                         ? condition
                         : g.binary(Op::Ne, condition, g.constant(0, g.width(condition)));
  return true;
}

/// Rewrites i <= 63 to i < 64. Not for a variable bound that may be the type's last number.
static tree strictBound(tree_code &code, tree bound) {
  tree type = TREE_TYPE(bound);
  if (TREE_CODE(bound) != INTEGER_CST || !INTEGRAL_TYPE_P(type) ||
      (code != LE_EXPR && code != GE_EXPR) ||
      tree_int_cst_equal(bound, code == LE_EXPR ? TYPE_MAX_VALUE(type) : TYPE_MIN_VALUE(type)))
    return bound;
  tree_code by = code == LE_EXPR ? PLUS_EXPR : MINUS_EXPR;
  code = code == LE_EXPR ? LT_EXPR : GT_EXPR;
  return const_binop(by, type, bound, build_one_cst(type));
}

/// Returns whether a counter of step `step` passes a constant bound without wrapping.
static bool hasRoom(const ExprGraph &g, ExprId bound, uint64_t step, bool up, bool isSigned) {
  if (!g.isConst(bound) || g.width(bound) > 64)
    return false;
  unsigned width = g.width(bound);
  uint64_t sign = isSigned ? uint64_t(1) << (width - 1) : 0, at = g[bound].value ^ sign;
  return up ? maskOf(width) - at >= step : at >= step - 1;
}

/// Returns for how many consecutive iterations a test of the exit holds, one after each iteration;
/// NoExpr if that is not known. Integers must have step 1 or -1, so that they meet the bound before
/// they wrap. Pointers may have larger steps, as they do not wrap, and so may distances to a
/// pointer under a signed comparison.
static ExprId iterationsOf(Translator &t, ExprGraph &g, tree_code code, tree counter, tree bound) {
  auto isBound = [&](tree x) {
    ExprId known = t.value(x);
    return !t.moves(x) || (known != NoExpr && g.isInvariant(known));
  };
  if (isBound(counter)) {
    std::swap(counter, bound);
    code = swap_tree_comparison(code);
  }
  tree type = TREE_TYPE(counter);
  bound = strictBound(code, bound);
  ExprId start, from, end = t.value(bound);
  int64_t by, back;
  bool isSigned = INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type);
  // A distance may be a counter as well: since GCC 16 its own analysis sees through it.
  bool counts = t.counter(counter, start, by),
       apart = (!counts || (isSigned && TYPE_PRECISION(type) == t.ptrBits())) &&
               t.distance(counter, from, back);
  if (apart)
    start = from, by = back;
  if ((!counts && !apart) || end == NoExpr || !g.isInvariant(end) || g.width(end) != g.width(start))
    return NoExpr;
  unsigned width = g.width(start);
  bool up = by > 0;
  uint64_t step = up ? uint64_t(by) : -uint64_t(by);
  bool mayWrap = !POINTER_TYPE_P(type) && !(apart && isSigned && width == t.ptrBits()) &&
                 !hasRoom(g, end, step, up, isSigned);
  if (by == 0 || (step != 1 && (code == NE_EXPR || mayWrap)))
    return NoExpr;
  if (apart && (code == LE_EXPR || code == GE_EXPR)) { // with the type's last number as bound it
                                                       // never ends
    end = g.add(end, g.constant(code == LE_EXPR ? 1 : ~uint64_t(0), width));
    code = code == LE_EXPR ? LT_EXPR : GT_EXPR;
  }
  ExprId between = up ? g.sub(end, start) : g.sub(start, end);
  if (code == NE_EXPR)
    return g.zextOrTrunc(between, t.ptrBits());
  if (code != (up ? LT_EXPR : GT_EXPR))
    return NoExpr;
  ExprId sign = g.constant(isSigned ? uint64_t(1) << (width - 1) : 0, width);
  ExprId low = g.binary(Op::Xor, up ? start : end, sign);
  ExprId high = g.binary(Op::Xor, up ? end : start, sign);
  ExprId one = g.constant(1, width);
  ExprId iterations = step == 1 ? between : g.add(g.quotient(g.sub(between, one), step), one);
  iterations = g.select(g.binary(Op::ULt, low, high), iterations, g.constant(0, width));
  return g.zextOrTrunc(iterations, t.ptrBits());
}

/// Returns the end of a loop that goes on while `a` is not `b`, if one is the index of a ring.
static std::optional<RingEnd> endInRing(Translator &t, tree a, tree b) {
  std::optional<RingEnd> end = t.ringEnd(a, b);
  return end ? end : t.ringEnd(b, a);
}

/// a && b:    for as long as both hold
/// !(a || b): for as long as neither does, if not `whileIt`
static ExprId iterationsOfAll(Translator &t, Loop &loop, tree name, bool whileIt,
                              std::vector<RingEnd> &ends, unsigned budget) {
  ExprGraph &g = loop.exprs;
  gassign *def =
      TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  if (!def || !budget)
    return NoExpr;
  tree_code code = gimple_assign_rhs_code(def);
  tree a = gimple_assign_rhs1(def), b = gimple_assign_rhs2(def);
  if (TREE_CODE_CLASS(code) == tcc_comparison) {
    if (!whileIt)
      code = invert_tree_comparison(code, HONOR_NANS(a));
    auto end = code == NE_EXPR ? endInRing(t, a, b) : std::nullopt;
    if (!end)
      return iterationsOf(t, g, code, a, b);
    ends.push_back(*end);
    return stepsTo(loop, *end);
  }
  if (code != (whileIt ? BIT_AND_EXPR : BIT_IOR_EXPR))
    return NoExpr;
  ExprId first = iterationsOfAll(t, loop, a, whileIt, ends, budget - 1),
         second = iterationsOfAll(t, loop, b, whileIt, ends, budget - 1);
  return first == NoExpr || second == NoExpr
             ? NoExpr
             : g.select(g.binary(Op::ULt, first, second), first, second);
}

/// Counts loops that GCC does not count: while (i < bound) ... i++, with an i that affine() had to
/// widen and that starts at a variable; to where a ring's index is at a place, while (t != head);
/// and tests of several such at once.
static void countTests(Translator &t, Loop &loop, edge exit, Count &count) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  if (!cond || !t.alone())
    return;
  ExprGraph &g = loop.exprs;
  tree_code code = gimple_cond_code(cond);
  tree a = gimple_cond_lhs(cond), b = gimple_cond_rhs(cond);
  bool leaves = exit->flags & EDGE_TRUE_VALUE;
  bool flag = TREE_CODE(TREE_TYPE(a)) == BOOLEAN_TYPE && integer_zerop(b);
  if (leaves && !flag)
    code = invert_tree_comparison(code, false);
  auto end = !flag && code == NE_EXPR ? endInRing(t, a, b) : std::nullopt;
  if (end)
    count.ends.push_back(*end);
  count.latch = end    ? stepsTo(loop, *end)
                : flag ? iterationsOfAll(t, loop, a, (code == NE_EXPR) != leaves, count.ends, 4)
                       : iterationsOf(t, g, code, a, b);
  if (count.latch == NoExpr) {
    count.ends.clear();
    return;
  }
  count.plusOne = g.add(count.latch, g.constant(1, t.ptrBits()));
  count.known = true;
}

/// Returns whether the exit compares the distance of two pointers. GCC 16 counts such a loop like
/// one of integers, under the condition that they do not wrap; older versions do not count it.
static bool testsDistance(Translator &t, edge exit) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  ExprId start;
  int64_t by;
  return cond && t.alone() &&
         (t.distance(gimple_cond_lhs(cond), start, by) ||
          t.distance(gimple_cond_rhs(cond), start, by));
}

/// Returns how often the loop runs at least if its assumption does not hold; 0 if that is unknown.
/// With  while (i + 8 <= n) i += 8;  and n > max - 8 it runs until i + 8 wraps.
static uint64_t otherwise(Translator &t, const ExprGraph &g, edge exit, ExprId assumption) {
  gcond *cond = safe_dyn_cast<gcond *>(last_stmt(exit->src));
  if (!cond || !t.alone())
    return 0;
  tree_code code = gimple_cond_code(cond);
  tree counter = gimple_cond_lhs(cond), bound = gimple_cond_rhs(cond);
  if (exit->flags & EDGE_TRUE_VALUE)
    code = invert_tree_comparison(code, false);
  if (!t.moves(counter)) {
    std::swap(counter, bound);
    code = swap_tree_comparison(code);
  }
  ExprId start, end = t.value(bound);
  int64_t by;
  if (!INTEGRAL_TYPE_P(TREE_TYPE(counter)) || TYPE_PRECISION(TREE_TYPE(counter)) != t.ptrBits() ||
      !TYPE_UNSIGNED(TREE_TYPE(counter)) || !t.counter(counter, start, by) || end == NoExpr || !by)
    return 0;
  const Expr &e = g[assumption];
  if (e.op != Op::ULe || (code != LE_EXPR && code != LT_EXPR) || by < 0 || !g.equal(e.a, end) ||
      !g.isConst(e.b) || !g.isConst(start) || g[start].value > g[e.b].value)
    return 0;
  return (g[e.b].value - g[start].value) / uint64_t(by) + 1;
}

Count countLoop(Translator &t, LoopBinding &binding, class loop *loop) {
  edge exit = single_exit(loop);
  return exit ? countExit(t, binding, loop, exit) : Count();
}

static Count countOf(Translator &t, LoopBinding &binding, const Nest &nest, size_t k) {
  return nest.exits.empty() ? countLoop(t, binding, nest.loops[k]) : countSeveral(t, binding, nest);
}

Count countExit(Translator &t, LoopBinding &binding, class loop *loop, edge exit) {
  Count count;
  ExprGraph &g = binding.loop.exprs;
  tree_niter_desc desc;
  bool counted = number_of_iterations_exit_assumptions(loop, exit, &desc, nullptr);
  if (counted && !integer_nonzerop(desc.assumptions) && testsDistance(t, exit)) {
    countTests(t, binding.loop, exit, count);
    if (count.known)
      return count;
  }
  if (!counted || !assumed(t, binding.loop, desc.assumptions, count)) {
    count.mayWrap = wrapsInNarrowType(loop, exit, t.ptrBits());
    countTests(t, binding.loop, exit, count);
    return count;
  }
  if (count.assumption != NoExpr)
    count.otherwise = otherwise(t, g, exit, count.assumption);
  if (!integer_zerop(desc.may_be_zero)) {
    ExprId zero = t.value(desc.may_be_zero);
    if (zero == NoExpr || !g.isInvariant(zero))
      return count;
    count.zero = g.width(zero) == 1 ? zero : g.binary(Op::Ne, zero, g.constant(0, g.width(zero)));
  }
  ExprId narrow = t.value(desc.niter);
  if (narrow == NoExpr || !g.isInvariant(narrow) || g.width(narrow) > t.ptrBits())
    return count;
  count.latch = g.zextOrTrunc(narrow, t.ptrBits());
  count.plusOne = oneMore(g, narrow, t.ptrBits(), desc.max);
  count.max = largest(t, desc);
  count.known = true;
  return count;
}

static void unknownTrip(LoopBinding &binding, const Count &c, class loop *loop) {
  location_t where = gimple_location_safe(last_stmt(loop->header));
  if (c.mayWrap)
    binding.loop.obstacles.push_back(
        {Diag::IndexMayWrap, "the loop's counter may wrap before it ends", sourceLoc(where)});
  else
    binding.loop.obstacles.push_back({Diag::TripCountUnknown,
                                      "how often the loop runs is not known before it starts",
                                      sourceLoc(where)});
}

/// Returns the trip count of one dimension. `skip` collects the conditions under which the nest
/// does nothing.
static Dim dimension(ExprGraph &g, const Count &c, bool bodyFirst, bool inner, ExprId &skip) {
  Dim d;
  d.trip = bodyFirst ? c.plusOne : c.latch;
  d.maxTrip = c.max ? c.max + bodyFirst : g.isConst(d.trip) ? g[d.trip].value : 0;
  d.nonzero = bodyFirst && !c.testedBefore;
  if (c.zero == NoExpr)
    return d;
  if (bodyFirst || !inner)
    d.trip = g.select(c.zero, g.constant(bodyFirst, g.width(d.trip)), d.trip);
  else
    skip = skip == NoExpr ? c.zero : g.binary(Op::Or, skip, c.zero);
  return d;
}

void countNest(Translator &t, LoopBinding &binding, const Nest &nest,
               const std::vector<bool> &bodyFirst, basic_block body) {
  ExprGraph &g = binding.loop.exprs;
  ExprId skip = NoExpr;
  for (size_t k = 0; k < nest.loops.size(); ++k) {
    // The inner counts matter only where the body runs, and may use facts known there.
    if (k == 0)
      t.at(loop_preheader_edge(nest.outer()));
    else
      t.at(body);
    Count c = countOf(t, binding, nest, k);
    c.known &= c.assumption == NoExpr || nest.loops.size() == 1;
    if (c.known)
      binding.loop.dims.push_back(dimension(g, c, bodyFirst[k], k > 0, skip));
    else
      binding.loop.dims.push_back(Dim());
    if (!c.known && single_exit(nest.loops[k]))
      unknownTrip(binding, c, nest.loops[k]);
  }
  t.at(loop_preheader_edge(nest.outer()));
  for (edge e : nest.guards) {
    ExprId taken = t.edgeCondition(e);
    if (taken == NoExpr) {
      binding.loop.obstacles.push_back({Diag::NotInnermostForm,
                                        "the inner loop runs under a condition",
                                        sourceLoc(gimple_location_safe(last_stmt(e->src)))});
      return;
    }
    ExprId not_ = invert(g, taken);
    skip = skip == NoExpr ? not_ : g.binary(Op::Or, skip, not_);
  }
  Dim &outer = binding.loop.dims[0];
  if (skip == NoExpr || outer.trip == NoExpr)
    return;
  outer.trip = g.select(skip, binding.loop.word(0), outer.trip);
  outer.nonzero = false;
}

static void assume(LoopBinding &binding, ExprId condition, uint64_t otherwise = 0) {
  for (const Assumption &a : binding.loop.assumptions)
    if (a.condition == condition)
      return;
  if (!binding.loop.exprs.isConst(condition, 1))
    binding.loop.assumptions.push_back({Diag::NarrowCounter, condition,
                                        "the counter reaches its bound before it wraps",
                                        otherwise});
}

/// Returns the condition that {start, +, step} does not wrap in `latch` steps: they fit between
/// start and the end of its type in the direction of the step.
static ExprId staysInside(ExprGraph &g, const Counter &c, const Count &count) {
  unsigned width = g.width(c.start), word = g.width(count.latch);
  uint64_t top = c.isSigned ? maskOf(width) >> 1 : maskOf(width);
  uint64_t by = c.step < 0 ? -uint64_t(c.step) : uint64_t(c.step);
  ExprId room = c.step < 0 ? g.sub(c.start, g.constant(c.isSigned ? top + 1 : 0, width))
                           : g.sub(g.constant(top, width), c.start);
  room = g.zextOrTrunc(room, word);
  room = by ? g.quotient(room, by) : room;
  ExprId fits = by ? g.binary(Op::ULe, count.latch, room) : g.constant(1, 1);
  return count.zero == NoExpr ? fits : g.binary(Op::Or, count.zero, fits);
}

void assumeNoWrap(Translator &t, LoopBinding &binding, const Nest &nest) {
  if (nest.loops.size() != 1)
    return;
  t.at(loop_preheader_edge(nest.outer()));
  Count count = countOf(t, binding, nest, 0);
  if (!count.known)
    return;
  if (count.assumption != NoExpr)
    assume(binding, count.assumption, count.otherwise);
  for (const RingEnd &end : count.ends)
    assumeReached(binding.loop, end);
  for (const Counter &c : t.counters) {
    ExprId fits = staysInside(binding.loop.exprs, c, count);
    if (fits == NoExpr)
      binding.loop.obstacles.push_back({Diag::IndexMayWrap, "an index may wrap", binding.loop.loc});
    else
      assume(binding, fits);
  }
}

/// Returns how often the latch of a counted loop runs.
static ExprId latchIterations(LoopBinding &binding, const Count &count) {
  return count.zero == NoExpr
             ? count.latch
             : binding.loop.exprs.select(count.zero, binding.loop.word(0), count.latch);
}

void assumeRings(Translator &t, LoopBinding &binding, const Nest &nest) {
  if (t.ringUses.empty())
    return;
  t.at(loop_preheader_edge(nest.outer()));
  Count count = countOf(t, binding, nest, 0);
  for (const Translator::RingUse &use : t.ringUses)
    if (count.known)
      assumeInside(binding.loop, use.ring, latchIterations(binding, count), use.isSigned);
}

/// Returns the final value of a distance between pointers.
static ExprId finalDistance(Translator &t, LoopBinding &binding, const Count &count, tree name) {
  ExprGraph &g = binding.loop.exprs;
  ExprId start;
  int64_t by;
  if (!count.known || !t.alone() || !t.distance(name, start, by))
    return NoExpr;
  unsigned width = g.width(start);
  return g.add(start, g.mul(g.zextOrTrunc(latchIterations(binding, count), width),
                            g.constant(uint64_t(by), width)));
}

/// Returns base + step * (executions of the latch), in the value's own width.
static ExprId finalValue(Translator &t, LoopBinding &binding, class loop *outer, const Count &count,
                         tree name) {
  ExprGraph &g = binding.loop.exprs;
  tree type = TREE_TYPE(name);
  if (!(INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) || TYPE_PRECISION(type) > 64)
    return NoExpr;
  tree chrec = analyze_scalar_evolution(outer, name);
  if (!chrec || automatically_generated_chrec_p(chrec))
    return NoExpr;
  chrec = instantiate_scev(loop_preheader_edge(outer), outer, chrec);
  if (automatically_generated_chrec_p(chrec))
    return NoExpr;
  tree first = chrec, step = NULL_TREE;
  if (TREE_CODE(chrec) == POLYNOMIAL_CHREC && CHREC_VARIABLE(chrec) == unsigned(outer->num)) {
    first = CHREC_LEFT(chrec);
    step = CHREC_RIGHT(chrec);
  }
  if (tree_contains_chrecs(first, nullptr) || (step && tree_contains_chrecs(step, nullptr)))
    return NoExpr;
  ExprId value = t.value(first);
  if (value == NoExpr || !g.isInvariant(value) || !step)
    return value != NoExpr && g.isInvariant(value) ? value : NoExpr;
  ExprId by = t.value(step);
  if (!count.known || by == NoExpr || !g.isInvariant(by) || g.width(by) != g.width(value))
    return NoExpr;
  return g.add(value, g.mul(by, g.zextOrTrunc(latchIterations(binding, count), g.width(value))));
}

/// Returns the copy that replaces a reloaded value, or the name itself.
static tree standIn(const LoopBinding &binding, tree name) {
  auto copy = binding.fixedLoads.find(SSA_NAME_DEF_STMT(name));
  return copy != binding.fixedLoads.end() && is_gimple_assign(SSA_NAME_DEF_STMT(copy->second))
             ? copy->second
             : name;
}

static void describeLiveOuts(Translator &t, LoopBinding &binding, const Nest &nest,
                             const std::vector<bool> &bodyFirst) {
  t.at(loop_preheader_edge(nest.outer()));
  Count count = countLoop(t, binding, nest.outer());
  count.known &= count.assumption == NoExpr || nest.loops.size() == 1;
  for (gphi_iterator psi = gsi_start_phis(nest.exit->dest); !gsi_end_p(psi); gsi_next(&psi)) {
    tree name = PHI_ARG_DEF_FROM_EDGE(psi.phi(), nest.exit);
    if (virtual_operand_p(gimple_phi_result(psi.phi())) || TREE_CODE(name) != SSA_NAME ||
        t.invariant(name))
      continue;
    uint64_t used = usedBits(gimple_phi_result(psi.phi()));
    auto old = std::find(binding.liveOuts.begin(), binding.liveOuts.end(), name);
    if (old != binding.liveOuts.end()) {
      binding.loop.liveOuts[size_t(old - binding.liveOuts.begin())].used |= used;
      continue;
    }
    ExprId value = finalValue(t, binding, nest.outer(), count, standIn(binding, name));
    if (value == NoExpr)
      value = finalDistance(t, binding, count, name);
    if (value == NoExpr && count.known)
      value = t.ringAtExit(name, latchIterations(binding, count));
    int rec = value == NoExpr ? carriedAs(binding, name) : -1;
    if (value == NoExpr && rec < 0 && bodyFirst[0])
      rec = carriedInOtherWidth(t, binding, nest, name);
    if (value != NoExpr)
      used = ~uint64_t(0);
    binding.loop.liveOuts.push_back({declName(SSA_NAME_VAR(name)), value != NoExpr, rec, used});
    binding.liveOuts.push_back(name);
    if (value != NoExpr)
      binding.finals.push_back({name, value});
  }
}

void readLiveOuts(Translator &t, LoopBinding &binding, const Nest &nest,
                  const std::vector<bool> &bodyFirst) {
  if (nest.exit)
    describeLiveOuts(t, binding, nest, bodyFirst);
}

} // namespace memlift
