// ones.cpp - proves that a recurrence is a sum modulo 2^w - 1; ones.h explains the idea
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ones.h"
#include "cases.h"

#include <algorithm>
#include <set>

namespace memlift {

/// Limit on the cases of one iteration: 32 words of 16 bits before a fold have so
/// many.
constexpr unsigned maxCases = 64;
/// Limit on the nodes of a body; one unrolled sixteen times has 200.
constexpr size_t maxNodes = 1000;

/// Counts folds of the largest number that is possible: after one fold that is either
/// all ones plus the largest high part less one, or the fold of the largest itself.
unsigned foldsToEnd(unsigned width, unsigned k) {
  uint64_t mask = (uint64_t(1) << k) - 1, most = ~uint64_t(0) >> (64 - width);
  unsigned folds = 0;
  for (; most > mask; ++folds) {
    uint64_t high = most >> k;
    most = std::max(mask + high - 1, (most & mask) + high);
  }
  return folds;
}

uint64_t onesRepresentative(uint64_t t, unsigned width) {
  uint64_t modulus = maskOf(width);
  return t ? (t - 1) % modulus + 1 : 0;
}

namespace {

/// The values that an iteration leaves in one case, and the bounds of T + words in
/// it.
struct OnesCase {
  std::map<ExprId, Exact> after;
  Bounds sum;
};

/// The proof for one recurrence and one width.
class OnesProof {
public:
  OnesProof(Loop &loop, uint32_t rec, unsigned width, bool comparisons)
      : loop(loop), g(loop.exprs), rec(rec), modulus(Int(maskOf(width))), width(width),
        comparisons(comparisons), cases(loop) {}
  OnesForm run();
  bool compares = false; // a comparison is part of the state

private:
  Loop &loop;
  ExprGraph &g;
  uint32_t rec;
  Int modulus;
  unsigned width;
  bool comparisons; // comparisons may be terms of the state, and are not looked into
  Cases cases;
  std::vector<uint32_t> recs;            // all recurrences that the next values depend on
  std::map<ExprId, bool> loads, carried; // of a node: is it made of loads, of recurrences?
  std::set<ExprId> mixed;                // nodes made of both, by id
  std::vector<ExprId> state;
  std::vector<Unknown> names;         // names of the state's terms
  std::map<uint32_t, Exact> partials; // by name of a partial sum: the words in it
  bool first = true, direct = true;
  bool onlySum = true;            // no case was distinguished by a single part of T
  std::vector<OnesCase> outcomes; // results of the cases, in order
  Exact words;                    // words found in the first case

  bool scan();
  bool multiplies() const;
  void visit(ExprId id);
  void findState(ExprId id);
  void nameState();
  bool step();
  bool dependsOnSum(const Exact &e) const;
  bool representative(const Exact &t);
  bool functionOfSum() const;
  bool wordsOf(const Exact &t, Exact &found) const;
  void nameSumsOnTheWay();
  bool findMain(OnesForm &form);
};

/// Records for each node whether it depends on loads and on recurrences.
void OnesProof::visit(ExprId id) {
  if (id == NoExpr || loads.count(id) || loads.size() > maxNodes)
    return;
  const Expr e = g[id];
  bool l = e.op == Op::Load, r = e.op == Op::Rec;
  if (r && std::find(recs.begin(), recs.end(), e.value) == recs.end())
    recs.push_back(uint32_t(e.value));
  loads[id] = l;
  for (ExprId operand : {e.a, e.b, e.c}) {
    visit(operand);
    l |= operand != NoExpr && loads[operand];
    r |= operand != NoExpr && carried[operand];
  }
  loads[id] = l;
  carried[id] = r;
  if (l && r)
    mixed.insert(id);
}

/// Collects the terms of T: the operands of sums that are made of carried values
/// alone. Sums and extensions are looked into, since s & 0xffff and s >> 16 count
/// separately.
void OnesProof::findState(ExprId id) {
  const Expr e = g[id];
  if (!carried[id])
    return;
  bool compare = e.op == Op::ULt || e.op == Op::ULe || e.op == Op::Eq || e.op == Op::Ne;
  compares |= compare && !loads[id];
  bool inverted = e.op == Op::Xor && g.isConst(e.b, maskOf(e.width)); // w > ~s
  bool inside = e.op == Op::Add || e.op == Op::ZExt || inverted || (compare && !comparisons);
  if (!loads[id] && !inside) {
    if (std::find(state.begin(), state.end(), id) == state.end())
      state.push_back(id);
    return;
  }
  for (ExprId operand : {e.a, e.b, e.c})
    if (operand != NoExpr)
      findState(operand);
}

/// Returns true if the sum is multiplied by a number that no fold uses, as in a hash;
/// the proof is not tried then. Folds use shifts, additions and factors that stand
/// for two of them: 2^16 + 1, 2^16 - 1. `digits` counts the nonzero digits of such a
/// factor.
bool OnesProof::multiplies() const {
  return std::any_of(carried.begin(), carried.end(), [&](auto &node) {
    const Expr &e = g[node.first];
    if (!node.second || e.op != Op::Mul)
      return false;
    ExprId factor = g.isConst(e.b) ? e.b : e.a;
    // Nonadjacent form: one bit for each signed digit.
    unsigned __int128 k = g[factor].value, digits = (3 * k) ^ k;
    unsigned few = 0;
    for (; digits && few <= 2; ++few)
      digits &= digits - 1;
    return !g.isConst(factor) || few > 2;
  });
}

/// Finds all recurrences that take part, and the terms of T.
bool OnesProof::scan() {
  recs.push_back(rec);
  for (size_t k = 0; k < recs.size(); ++k) {
    if (recs.size() > 4 || loop.recs[recs[k]].next == NoExpr)
      return false;
    visit(loop.recs[recs[k]].next);
  }
  if (loads.size() > maxNodes || mixed.empty() || multiplies())
    return false;
  std::set<ExprId> done;
  for (ExprId id : mixed) // look at every mixed node, so that no part is missed
    for (ExprId operand : {g[id].a, g[id].b, g[id].c})
      if (operand != NoExpr && !mixed.count(operand) && done.insert(operand).second)
        findState(operand);
  return !state.empty() && state.size() <= 3;
}

/// Names the terms of T and bounds their sum, which the induction assumes, by
/// 2^w - 1.
void OnesProof::nameState() {
  Exact sum;
  for (ExprId term : state) {
    Exact e = cases.name(state.size() == 1 ? modulus : Int(largestOf(loop, term)));
    names.push_back(e.terms.begin()->first);
    cases.bind(term, e);
    sum.add(e);
  }
  cases.assume(sum, {0, modulus});
}

/// Returns true if all terms of T have one coefficient, so that only their sum
/// matters.
bool OnesProof::dependsOnSum(const Exact &e) const {
  auto at = [&](const Unknown &u) {
    auto it = e.terms.find(u);
    return it == e.terms.end() ? Int(0) : it->second;
  };
  return std::all_of(names.begin(), names.end(),
                     [&](const Unknown &u) { return at(u) == at(names[0]); });
}

/// Splits t into T, or one named partial sum, and words, each counted once; `found`
/// gets all words in it.
bool OnesProof::wordsOf(const Exact &t, Exact &found) const {
  found = Exact();
  unsigned sums = 0;
  bool whole = false;
  for (auto &[u, c] : t.terms) {
    if (u.kind == Unknown::Byte) {
      found.terms[u] = c;
      if (c < 0 || c >= modulus)
        return false;
      continue;
    }
    if (c != 1)
      return false;
    auto partial = partials.find(u.index);
    whole |= partial == partials.end();
    sums += partial != partials.end();
    if (partial != partials.end())
      found.add(partial->second);
  }
  return sums + whole == 1 && dependsOnSum(t);
}

/// Returns true if t is congruent to T + words, with the same words as in earlier
/// cases, and lies in the range of the representative. In a case without a fold (the
/// constant is 0) it may be 0 or more: the form is T + words itself. In a case with a
/// fold, 2^w - 1 was subtracted, so the sum was not 0 and the result has to be 1 or
/// more.
bool OnesProof::representative(const Exact &t) {
  Bounds b = cases.bounds(t);
  bool unfolded = t.constant == 0;
  if (t.constant > 0 || t.constant % modulus != 0 || b.high > modulus || b.low < (unfolded ? 0 : 1))
    return false;
  Exact found;
  if (!wordsOf(t, found) || (!first && !found.sameTerms(words)))
    return false;
  words = found;
  first = false;
  return true;
}

/// Runs one iteration in one case: the next values, then T of these. Returns false if
/// one of the two claims fails.
bool OnesProof::step() {
  std::map<ExprId, Exact> after;
  for (uint32_t k : recs) {
    Exact next;
    if (!cases.value(loop.recs[k].next, next) || !dependsOnSum(next))
      return false;
    after[g.leaf(Op::Rec, k, loop.recs[k].width)] = next;
  }
  Exact t;
  for (ExprId term : state) {
    Exact e;
    if (!cases.valueWith(term, after, e))
      return false;
    t.add(e);
  }
  // The recurrence is T itself if the two forms are equal in every case.
  Exact left = after[g.leaf(Op::Rec, rec, loop.recs[rec].width)];
  left.add(t, -1);
  direct &= left.terms.empty() && left.constant == 0;
  onlySum &= cases.supposedAll([&](const Exact &e) { return dependsOnSum(e); });
  if (!representative(t))
    return false;
  // Keep the range of T + words in this case, for functionOfSum().
  Exact sum = words;
  for (const Unknown &u : names)
    sum.terms[u] = 1;
  outcomes.push_back({after, cases.bounds(sum)});
  return true;
}

/// Proves that the next values are a function of T + words although cases were
/// distinguished by some of it. A carry that is added between two words depends on
/// the first addition only. That is harmless if two cases with different results also
/// have disjoint ranges of T + words.
bool OnesProof::functionOfSum() const {
  auto alike = [](const OnesCase &a, const OnesCase &b) {
    return std::all_of(a.after.begin(), a.after.end(), [&](auto &value) {
      const Exact &other = b.after.at(value.first);
      return value.second.sameTerms(other) && value.second.constant == other.constant;
    });
  };
  for (const OnesCase &a : outcomes)
    for (const OnesCase &b : outcomes)
      if (!alike(a, b) && a.sum.high >= b.sum.low && b.sum.high >= a.sum.low)
        return false;
  return partials.empty();
}

/// Names the partial sums of an unrolled body that are representatives, from the
/// first to the last. Each is then one unknown up to 2^w - 1, so the cases of one
/// word do not multiply with those of the next.
void OnesProof::nameSumsOnTheWay() {
  for (ExprId id : mixed) {
    Op op = g[id].op;
    if (op != Op::Add && op != Op::Select && op != Op::Sub && op != Op::Trunc)
      continue;
    first = true;
    auto check = [&] {
      Exact e;
      return cases.value(id, e) && representative(e);
    };
    if (!cases.all(check, maxCases) || words.terms.empty())
      continue;
    Exact name = cases.name(modulus);
    partials[name.terms.begin()->first.index] = words;
    cases.bind(id, name);
  }
}

/// Finds a recurrence that can hold all of T with the others 0: the terms computed
/// from such values have to add up to T again.
bool OnesProof::findMain(OnesForm &form) {
  for (uint32_t main : recs) {
    Cases one(loop);
    Exact t = one.name(modulus);
    std::map<ExprId, Exact> values;
    for (uint32_t k : recs)
      values[g.leaf(Op::Rec, k, loop.recs[k].width)] = k == main ? t : Exact();
    auto check = [&] {
      Exact sum;
      for (ExprId term : state) {
        Exact e;
        if (!one.valueWith(term, values, e))
          return false;
        sum.add(e);
      }
      sum.add(t, -1);
      return sum.terms.empty() && sum.constant == 0;
    };
    form.main = main;
    if (modulus <= Int(maskOf(loop.recs[main].width)) && one.all(check, maxCases))
      return true;
  }
  return false;
}

/// Tries the body as a whole first, then with its partial sums named.
OnesForm OnesProof::run() {
  OnesForm form;
  if (!scan())
    return form;
  nameState();
  auto check = [&] { return step(); };
  if (!cases.all(check, maxCases)) {
    nameSumsOnTheWay();
    first = direct = onlySum = true;
    outcomes.clear();
    // Second attempt, in which the cases of one partial sum end with it.
    if (partials.empty() || !cases.all(check, maxCases))
      return form;
  }
  form.direct = direct;
  if (words.terms.empty() || !(direct || ((onlySum || functionOfSum()) && findMain(form))))
    return form;
  form.ok = true;
  form.width = width;
  form.state = state;
  for (auto &[u, c] : words.terms)
    form.words.terms[{Unit::Byte, u.index, u.offset}] = uint64_t(c);
  return form;
}

} // namespace

/// Tries each width. A comparison of carried values may be a term of T (the carry of
/// the iteration before) or belong to a sum; both readings are tried.
OnesForm onesOf(Loop &loop, uint32_t rec) {
  for (unsigned width : {16u, 32u, 64u}) {
    for (bool comparisons : {true, false}) {
      OnesProof proof(loop, rec, width, comparisons);
      OnesForm form = proof.run();
      if (form.ok)
        return form;
      if (!proof.compares)
        break;
    }
  }
  return OnesForm();
}

} // namespace memlift
