// proof.cpp - enters facts and conditions, and describes what they are about
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A proof is the list of facts in Match::facts and one condition. A step that succeeds enters a
// proved fact; one that needs a test at run time adds it to the condition and enters a guarded
// fact; one that fails enters the reason. Nothing is thrown away on failure: the remark shows
// all steps, and suggestions are made from the facts that failed.
#include "proof.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

/// Collects the stores, without those of counters in memory; a store of carried state
/// makes the loop a reduction.
Proof::Proof(Loop &loop, Match &match) : Proof(loop, match, {}) {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if (loop.accesses[i].store)
      stores.push_back(i);
  setCountersDisjoint(*this);
  stored = storedState(*this);
}

Proof::Proof(Loop &loop, Match &match, const std::vector<uint32_t> &stores)
    : loop(loop), match(match), g(loop.exprs), stores(stores),
      readRecs(uint32_t(loop.recs.size())) {}

void Proof::prove(const char *name, std::string need, std::string have, std::string evidence) {
  match.facts.push_back(
      {name, Verdict::Proved, Diag::None, std::move(need), std::move(have), std::move(evidence)});
}

Refusal Proof::fail(const char *name, Diag code, std::string need, std::string have,
                    std::string evidence) {
  match.facts.push_back(
      {name, Verdict::Failed, code, std::move(need), std::move(have), std::move(evidence)});
  return Refusal();
}

void Proof::guard(const char *name, Diag code, std::string need, std::string have,
                  std::string evidence) {
  match.facts.push_back(
      {name, Verdict::Guarded, code, std::move(need), std::move(have), std::move(evidence)});
}

void Proof::require(ExprId condition) {
  if (g.isConst(condition, 1))
    return;
  match.condition =
      match.condition == NoExpr ? condition : g.binary(Op::And, match.condition, condition);
}

void Proof::require(ExprId condition, const char *name, Diag code, std::string need,
                    std::string have) {
  if (g.isConst(condition, 1) || condition == match.condition)
    return;
  require(condition);
  guard(name, code, std::move(need), have + ": tested at run time");
}

bool Proof::failed() const {
  return std::any_of(match.facts.begin(), match.facts.end(),
                     [](const Fact &f) { return f.verdict == Verdict::Failed; });
}

std::string Proof::describe(const Access &a) const {
  std::string r = a.store ? "store to " : "load from ";
  const std::string &name = loop.bases[a.base].name;
  return r + (name.empty() ? "memory" : name);
}

std::string Proof::where(const SourceLoc &loc) const {
  if (!loc.line)
    return "";
  std::string at = std::to_string(loc.line) + ":" + std::to_string(loc.col);
  return loc.file == loop.loc.file || loc.file.empty() ? "line " + at : loc.file + ":" + at;
}

ExprId Proof::disjoint(ExprId at, ExprId size, ExprId start, ExprId bytes) {
  ExprId above = tidy(g.sub(at, start)), below = tidy(g.sub(start, at));
  return g.binary(Op::And, g.binary(Op::ULe, bytes, above), g.binary(Op::ULe, size, below));
}

bool Proof::isBulk(const Access &a) const {
  if (loop.origin != Origin::Loop || !g.isConst(a.bytes))
    return true;
  return a.store && g.width(a.value) != 8 * g[a.bytes].value;
}

bool Proof::runs() const {
  return std::all_of(loop.dims.begin(), loop.dims.end(), [&](const Dim &d) {
    return d.nonzero || (g.isConst(d.trip) && g[d.trip].value);
  });
}

bool isStill(const ExprGraph &g, const Access &a) {
  return a.affine &&
         std::all_of(a.step.begin(), a.step.end(), [&](ExprId step) { return g.isConst(step, 0); });
}

bool walkAlike(const ExprGraph &g, const Access &a, const Access &b) {
  if (!a.affine || !b.affine || a.base != b.base || a.step.size() != b.step.size())
    return false;
  for (size_t k = 0; k < a.step.size(); ++k)
    if (!g.equal(a.step[k], b.step[k]))
      return false;
  return true;
}

} // namespace memlift
