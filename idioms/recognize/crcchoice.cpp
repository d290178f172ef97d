// crcchoice.cpp - a shift register whose direction or polynomial a flag selects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) {
//     c ^= p[i];
//     eight times: if (reversed) c = c & 1 ? c >> 1 ^ P : c >> 1;
//                  else c = c & 0x80 ? c << 1 ^ P : c << 1;
//   }
//
// The body is one register if the flag is set, and another if it is not. Each is
// proved on its own, with the flag replaced by a constant. The limits: one flag; no
// bits beside either register, and no message that enters late.
//
// If both registers have the parts in one order, a single call serves both:
// polynomial, width and direction become arguments that are selected by the flag
// before the call.
#include "prover.h"

namespace memlift {

namespace {

/// Collects the invariant conditions of all selects.
void choicesOf(const ExprGraph &g, ExprId id, std::set<ExprId> &seen, std::set<ExprId> &choices) {
  if (id == NoExpr || !seen.insert(id).second)
    return;
  const Expr &e = g[id];
  if (e.op == Op::Select && g.isInvariant(e.a))
    choices.insert(e.a);
  for (ExprId operand : {e.a, e.b, e.c})
    choicesOf(g, operand, seen, choices);
}

/// Returns true for a register that needs neither bits above it nor extra steps.
bool isPlain(const HeldCrc &held) { return !held.above && !held.late; }

} // namespace

/// Proves the register with a constant in place of the condition, which is then
/// restored.
bool Prover::crcWhere(ExprId choice, bool is, Reduction &r) {
  std::vector<ExprId> before;
  std::map<ExprId, ExprId> with = {{choice, g.constant(is, 1)}};
  for (Recurrence &rec : loop.recs) {
    before.push_back(rec.next);
    rec.next = g.substitute(rec.next, with);
  }
  bool good = crcHeld(r) == Answer::Proved;
  for (size_t i = 0; i < before.size(); ++i)
    loop.recs[i].next = before[i];
  return good && isPlain(r.held);
}

/// Proves both registers. A failure leaves no trace in the match, unless exactly one
/// of the two is a register: then the other one's reason is reported.
Answer Prover::crcByChoice(Reduction &r) {
  std::set<ExprId> seen, choices;
  choicesOf(g, loop.recs[r.rec].next, seen, choices);
  if (choices.size() != 1)
    return Answer::NotMine;
  Match matchBefore = match;
  std::vector<uint32_t> summedBefore = summed;
  Direction directionBefore = direction;
  bool failedBefore = anyFailed;
  Reduction yes = r, no = r;
  bool isYes = crcWhere(*choices.begin(), true, yes);
  bool isNo = crcWhere(*choices.begin(), false, no);
  if (isYes != isNo && anyFailed && !failedBefore)
    return Answer::Refused; // the reason why the other one is no register
  if (isYes && isNo && yes.parts == no.parts) {
    r = yes;
    r.choice = *choices.begin();
    r.other = no.held;
    r.otherPoly = no.poly;
    return Answer::Proved;
  }
  match = matchBefore;
  summed = summedBefore;
  direction = directionBefore;
  anyFailed = failedBefore;
  return Answer::NotMine;
}

} // namespace memlift
