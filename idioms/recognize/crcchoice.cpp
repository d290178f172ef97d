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
// If both registers have the recurrences in one order, a single call serves both:
// polynomial, width and direction become arguments that are selected by the flag
// before the call.
#include "crcforms.h"
#include "walk.h"

namespace memlift {

namespace {

/// Returns true for a known register that needs neither bits above it nor extra steps.
bool isPlain(const Reduction::Crc &crc) {
  return !crc.representation.above && !crc.representation.late && crc.table == NoExpr && !crc.word;
}

/// Proves the register with a constant in place of the condition, which is then
/// restored.
bool crcWhere(Proof &p, ExprId choice, bool is, Reduction &r) {
  std::vector<ExprId> before;
  std::map<ExprId, ExprId> with = {{choice, p.g.constant(is, 1)}};
  for (Recurrence &rec : p.loop.recs) {
    before.push_back(rec.next);
    rec.next = p.g.substitute(rec.next, with);
  }
  bool good = crcRepresentation(p, r) == Answer::Proved;
  for (size_t i = 0; i < before.size(); ++i)
    p.loop.recs[i].next = before[i];
  return good && isPlain(*r.as<Reduction::Crc>());
}

} // namespace

/// Proves both registers. A failure leaves no trace in the match, unless exactly one
/// of the two is a register: then the other one's reason is reported.
Answer crcByChoice(Proof &p, Reduction &r) {
  std::set<ExprId> choices = choicesIn(p.g, p.loop.recs[r.rec].next);
  if (choices.size() != 1)
    return Answer::NotMine;
  Match matchBefore = p.match;
  std::vector<uint32_t> summedBefore = p.summed;
  Direction directionBefore = p.direction;
  bool failedBefore = p.failed();
  Reduction yes = r, no = r;
  bool isYes = crcWhere(p, *choices.begin(), true, yes);
  bool isNo = crcWhere(p, *choices.begin(), false, no);
  if (isYes != isNo && p.failed() && !failedBefore)
    return Answer::Refused; // the reason why the other one is no register
  auto *crc = yes.as<Reduction::Crc>(), *other = no.as<Reduction::Crc>();
  if (isYes && isNo && crc->recs == other->recs) {
    Reduction::Crc both = *crc;
    both.choice = *choices.begin();
    both.other = other->representation;
    both.otherPoly = other->poly;
    r = yes;
    r.kind = both;
    return Answer::Proved;
  }
  p.match = matchBefore;
  p.summed = summedBefore;
  p.direction = directionBefore;
  return Answer::NotMine;
}

} // namespace memlift
