// chain.cpp - proves that loops continue one another, by case splits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions that decide which loops run are split into cases, at most a few dozen. In each
// case the addresses, sizes and start values are polynomials that can be compared
// (algebra/simplify.h). For a loop that does not run in a case, nothing has to be shown. All
// cases together cover all inputs.
#include "chainprover.h"

namespace memlift {

constexpr unsigned mostCases = 64;
constexpr size_t longestChain = 6;

/// Copies an expression into the joined loop's graph. Symbols and bases have the same numbers
/// there.
ExprId ChainProver::import(const ExprGraph &from, ExprId id, std::map<ExprId, ExprId> &known) {
  if (id == NoExpr)
    return NoExpr;
  auto old = known.find(id);
  if (old != known.end())
    return old->second;
  const Expr e = from[id];
  ExprId a = import(from, e.a, known), b = import(from, e.b, known);
  ExprId c = import(from, e.c, known), r;
  if (e.op == Op::Const)
    r = g.constant(e.value, e.width);
  else if (e.op == Op::Opaque)
    r = g.opaque(e.width);
  else if (a == NoExpr)
    r = g.leaf(e.op, e.value, e.width);
  else if (e.op == Op::Table)
    r = g.table(e.value, a, e.width);
  else if (e.op == Op::Memory)
    r = g.memory(a, e.width, e.value);
  else if (e.op == Op::Splat)
    r = g.splat(a, e.width);
  else if (c != NoExpr)
    r = g.select(a, b, c);
  else
    r = b != NoExpr ? g.binary(e.op, a, b) : g.cast(e.op, a, e.width);
  return known[id] = r;
}

namespace {

/// Lists the expressions that are particular to a kind of reduction.
struct ValuesOf {
  using List = std::vector<ExprId *>;

  template <class Kind> List operator()(Kind &) const { return {}; }
  List operator()(Reduction::Sum &sum) const { return {&sum.perIteration}; }
  List operator()(Reduction::WeightedSum &sum) const { return {&sum.perIteration}; }
  List operator()(Reduction::Ones &ones) const { return {&ones.state}; }
  List operator()(Reduction::Crc &crc) const {
    return {&crc.poly, &crc.choice, &crc.otherPoly, &crc.table};
  }
};

} // namespace

/// Rewrites a match in terms of the joined loop, and keeps the initial values of the stage's
/// recurrences.
void ChainProver::importMatch(Match &m, Loop &from, std::map<ExprId, ExprId> &known) {
  for (ExprId *id : {&m.dst, &m.src, &m.bytes, &m.iterations, &m.condition})
    *id = import(from.exprs, *id, known);
  if (auto *fill = std::get_if<FillForm>(&m.writes))
    for (ExprId *id : {&fill->pattern, &fill->patternHigh})
      *id = import(from.exprs, *id, known);
  for (Reduction &r : m.reductions)
    for (ExprId *id : std::visit(ValuesOf(), r.kind))
      *id = import(from.exprs, *id, known);
  if (m.copy())
    m.toCopy().repeated = NoExpr;
  std::vector<ExprId> starts;
  for (const Recurrence &r : from.recs)
    starts.push_back(import(from.exprs, r.init, known));
  inits.push_back(starts);
}

/// Returns true for a fill with a value from memory: another stage of the chain may write it, and
/// none may run.
static bool readsPattern(const Loop &stage, const Match &m) {
  const FillForm *fill = m.fill();
  return fill && (stage.exprs.isLate(fill->pattern) ||
                  (fill->patternHigh != NoExpr && stage.exprs.isLate(fill->patternHigh)));
}

/// Recognises each stage on its own. Only plain operations continue one another: no rows, byte
/// swaps, sequences, stored results or downward sums.
bool ChainProver::recogniseAll() {
  if (stages.size() < 2 || stages.size() > longestChain)
    return false;
  loop = stages.back();
  for (Loop &stage : stages) {
    Match m = recognize(stage, /*quiet=*/true);
    if (!m.ok || !m.sequence().empty() || m.rows != NoExpr || m.reorders() || m.stored ||
        !m.finals.empty() || m.descending || m.bytes == NoExpr || readsPattern(stage, m) ||
        stage.dims.size() > 1)
      return false;
    std::map<ExprId, ExprId> known;
    importMatch(m, stage, known);
    matches.push_back(std::move(m));
  }
  return true;
}

/// Returns the symbol that stands for a live-out of a stage, if later stages use it.
ExprId ChainProver::symbolOf(size_t stage, uint32_t liveOut) const {
  for (size_t i = 0; i < loop.syms.size(); ++i)
    if (loop.syms[i].stage == int(stage) && loop.syms[i].liveOut == liveOut)
      return g.leaf(Op::Sym, i, loop.syms[i].width);
  return NoExpr;
}

/// Binds the symbols of the stages. A stage that does not run leaves the value it began with. If
/// `toWhole`, the last stage that runs leaves the result of the whole chain; if none runs, that
/// result is the initial value.
void ChainProver::bindStages(AssumptionSimplifier &u, bool toWhole) {
  bool later = false; // whether a later stage may run
  for (size_t k = stages.size(); k-- > 0;) {
    // In this case the stage may be known not to run.
    bool idle = u.isZero(matches[k].bytes);
    for (size_t i = 0; i < liveOuts.size() && i < liveOuts[k].size(); ++i) {
      ExprId s = symbolOf(k, liveOuts[k][i]);
      int rec = stages[k].liveOuts[liveOuts[k][i]].rec;
      if (s == NoExpr)
        continue;
      if (idle)
        u.bind(s, inits[k][size_t(rec)]);
      else if (toWhole && !later)
        u.bind(s, wholes[i]);
    }
    later |= !idle;
  }
  for (size_t i = 0; i < wholes.size() && toWhole && !later; ++i)
    u.bind(wholes[i], inits[summing][size_t(stages[summing].liveOuts[liveOuts[summing][i]].rec)]);
}

/// Splits cases until no watched value has an undecided condition, then calls `leaf`. The sizes
/// of all stages are watched too, since they decide which symbols are bound. Runs out of budget
/// in at most mostCases steps, which counts as a failure.
bool ChainProver::each(AssumptionSimplifier u, const std::vector<ExprId> &watched, const Leaf &leaf,
                       unsigned &budget) {
  if (!budget)
    return false;
  --budget;
  bindStages(u, false);
  std::vector<ExprId> all = watched;
  for (const Match &m : matches)
    all.push_back(m.bytes);
  for (ExprId id : all) {
    ExprId condition = u.undecided(u.simple(id));
    if (condition == NoExpr)
      continue;
    AssumptionSimplifier yes = u, no = u;
    yes.assume(condition, true);
    no.assume(condition, false);
    return each(yes, watched, leaf, budget) && each(no, watched, leaf, budget);
  }
  return leaf(u);
}

/// Returns true if `leaf` holds in every case.
bool ChainProver::always(const std::vector<ExprId> &watched, const Leaf &leaf) {
  unsigned budget = mostCases;
  return each(AssumptionSimplifier(loop), watched, leaf, budget);
}

/// Returns true if the decision's guard fails in this case.
bool ChainProver::excludedByGuard(AssumptionSimplifier u) {
  return guard != NoExpr && g.isConst(u.simple(guard), 0);
}

/// Computes the value with as few conditions left in it as possible.
ExprId ChainProver::merged(AssumptionSimplifier u, ExprId id, bool toWhole, unsigned &budget) {
  bindStages(u, toWhole);
  ExprId s = u.simple(id), condition = u.undecided(s);
  if (condition == NoExpr || !budget)
    return condition == NoExpr ? u.shortest(s) : s;
  --budget;
  AssumptionSimplifier yes = u, no = u;
  yes.assume(condition, true);
  no.assume(condition, false);
  if (excludedByGuard(yes))
    return merged(no, s, toWhole, budget);
  if (excludedByGuard(no))
    return merged(yes, s, toWhole, budget);
  ExprId ifSo = merged(yes, s, toWhole, budget);
  ExprId ifNot = merged(no, s, toWhole, budget);
  bindStages(yes, toWhole);
  bindStages(no, toWhole);
  // If one arm's value is right under both conditions, no select is needed.
  if (no.same(ifSo, ifNot))
    return ifSo;
  return yes.same(ifNot, ifSo) ? ifNot : g.select(condition, ifSo, ifNot);
}

/// Returns the value unchanged if the budget is spent: it is right, only longer.
ExprId ChainProver::merge(ExprId id, bool toWhole) {
  unsigned budget = mostCases;
  ExprId r = merged(AssumptionSimplifier(loop), id, toWhole, budget);
  return budget ? r : id;
}

/// Returns true if the value depends on the result of a stage, so it is not known before the
/// chain.
bool ChainProver::mentionsStage(ExprId id) const {
  if (id == NoExpr)
    return false;
  const Expr &e = g[id];
  if (e.op == Op::Sym)
    return loop.syms[e.value].stage >= 0;
  return mentionsStage(e.a) || mentionsStage(e.b) || mentionsStage(e.c);
}

/// Returns the bytes of the first `count` stages together.
ExprId ChainProver::total(size_t count) const {
  ExprId sum = matches[0].bytes;
  for (size_t k = 1; k < count; ++k)
    sum = g.add(sum, matches[k].bytes);
  return sum;
}

/// Leaves conditions out of the values of a guarded decision that its guard decides: a test for
/// enough bytes in the first loop says that this loop runs.
void ChainProver::useGuard(Decision &d) {
  guard = d.guard;
  if (guard == NoExpr)
    return;
  auto shorten = [&](std::vector<ExprId> &values) {
    for (ExprId &value : values)
      if (value != NoExpr)
        value = merge(value);
  };
  shorten(d.args);
  for (ReturningCall &c : d.calls)
    shorten(c.args);
}

/// Computes the values that later code uses, from the results of the decision's calls.
bool ChainProver::finals(const Decision &d) {
  std::map<ExprId, ExprId> results;
  for (size_t i = 0; i < wholes.size(); ++i)
    for (const LiveOutResult &r : d.results)
      if (r.index == liveOuts[summing][i])
        results[wholes[i]] = r.value;
  for (const Final &f : stages.back().finals) {
    // `loop` started as the last stage's, so these are its expressions, too
    ExprId value = g.substitute(merge(f.value, true), results);
    if (mentionsStage(value))
      return false;
    out.finals.push_back(value);
  }
  return true;
}

static Diag codeOfChain(DecisionKind kind, Diag code) {
  return kind == DecisionKind::Lowered   ? Diag::Joined
         : kind == DecisionKind::Guarded ? Diag::JoinedGuarded
                                         : code;
}

void runsOnlyIf(Loop &loop, ExprId runs) {
  ExprGraph &g = loop.exprs;
  if (g.isConst(runs, 1))
    return;
  ExprId zero = loop.word(0);
  for (Dim &d : loop.dims) {
    if (d.trip != NoExpr)
      d.trip = g.select(runs, d.trip, zero);
    d.nonzero = false;
  }
  if (loop.origin != Origin::Loop)
    for (Access &a : loop.accesses)
      a.bytes = g.select(runs, a.bytes, zero);
  ExprId idle = g.binary(Op::Xor, runs, g.constant(1, 1));
  for (Assumption &a : loop.assumptions)
    a.condition = g.binary(Op::Or, idle, a.condition);
}

/// Joins, decides and verifies. A decision that differs from the loops is a bug of memlift; it is
/// reported, and the chain is kept.
Joined judgeChain(std::vector<Loop> &chain, const Options &options) {
  Joined out;
  for (Loop &loop : chain)
    if (options.map.isTarget(loop.function.name))
      loop.function.implementsIdiom = true;
  ChainProver prover(chain, out);
  Outcome &o = out.outcome;
  if (!prover.join(o.match))
    return out;
  o.decision = decide(out.loop, o.match, options);
  if (!isDone(o.decision.kind) || !prover.pays(o.decision))
    return out;
  prover.useGuard(o.decision);
  if (!prover.finals(o.decision))
    return out;
  o.decision.code = codeOfChain(o.decision.kind, o.decision.code);
  schedule(out.loop, options, o.decision);
  out.ok = true;
  unsigned runs = 0;
  if (!options.verifyTrials)
    return out;
  std::string wrong = differsFromChain(chain, out, options.verifyTrials, 1, runs);
  if (wrong.empty())
    return out;
  Decision kept;
  kept.code = Diag::ClaimRefuted;
  std::string bindings;
  for (const Loop &loop : chain)
    bindings += print(loop);
  kept.facts.push_back({"claim tried on random memory", Verdict::Failed, kept.code,
                        "memory and results as after the loops", wrong, bindings});
  o.decision = kept;
  out.ok = false;
  return out;
}

} // namespace memlift
