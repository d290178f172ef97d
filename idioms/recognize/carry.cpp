// carry.cpp - sums whose carries are counted, and sums folded only when they are large
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { s += w[i]; c += s < w[i]; }
//   for (i..n) { s += w[i]; if (s & 0x80000000) s = (s & 0xffff) + (s >> 16); }
//
// The first loop computes one sum of twice the width in two variables. The second is
// a plain sum until the test is true for the first time. For the lengths of packets
// that never happens, so a guard on the length makes it a plain sum.
//
// Naive: match `s < w` and the mask. Instead, an iteration is evaluated with exact
// values, case by case (algebra/cases.h). In the first loop every case leaves s +
// words - k * 2^width in s and adds the same k to c. In the second one every case
// leaves s + words as long as s stays below a limit; the largest such limit is found
// by trial.
//
// The limits: 256 cases; the guard must admit at least 4096 iterations.
//
// Why a limit is found by trial: the loop's test may be any expression, such as s &
// 0x80000000 or s >> 31. Asking cases.h whether an iteration adds plainly while s is
// below 2^k needs no knowledge of the test. k starts at the width and is lowered
// until the answer is yes.
#include "../algebra/cases.h"
#include "families.h"

#include <algorithm>

namespace memlift {

constexpr unsigned maxCarryCases = 256;
/// A guard that admits fewer iterations than this is not worth it.
constexpr uint64_t fewestIterations = 4096;

namespace {

struct Step {
  bool ok = false;
  Exact next; // the value that all cases leave, or the last one seen
};

/// Finds what an iteration adds to recurrence `rec` while that is at most `limit`, if
/// it is the same in every case. The recurrence itself is the first name.
Step plainStep(Loop &loop, uint32_t rec, Int limit) {
  Step s;
  Cases cases(loop);
  const Recurrence &r = loop.recs[rec];
  Exact own = cases.name(limit);
  cases.bind(loop.exprs.leaf(Op::Rec, rec, r.width), own);
  bool first = true;
  s.ok = cases.all(
      [&] {
        Exact next;
        if (!cases.value(r.next, next))
          return false;
        bool same = next.constant == 0 && (first || next.sameTerms(s.next));
        auto it = next.terms.find(own.terms.begin()->first);
        s.next = next;
        first = false;
        return same && it != next.terms.end() && it->second == 1;
      },
      maxCarryCases);
  return s;
}

/// Collects the bytes of a form, and the largest value of their sum. Fails if a byte
/// has a coefficient that is not positive, or if there is no byte.
bool bytesOf(const Exact &e, Linear &bytes, Int &most) {
  most = 0;
  for (auto &[u, c] : e.terms) {
    if (u.kind == Unknown::Named)
      continue;
    if (c <= 0 || c > Int(maskOf(64)))
      return false;
    bytes.terms[{Unit::Byte, u.index, u.offset}] = uint64_t(c);
    most += c * 255;
  }
  return !bytes.terms.empty();
}

/// Checks that the words that overflow are a plain sum over one region.
Answer carriesRegion(Proof &p, const Exact &words, uint32_t partner, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec], &sum = p.loop.recs[partner];
  Linear form;
  Int most;
  Weights w;
  w.width = 64;
  if (!bytesOf(words, form, most))
    return Answer::NotMine;
  p.name(Idiom::Sum);
  form.ok = true;
  if (Answer read = weightsOf(p, form, w); read != Answer::Proved)
    return read;
  if (!sumOf(p, form, r, w) || !countsOnce(r) || (r.elementBytes == 8) != (sum.width == 64))
    return failWeights(p, w);
  r.kind = Reduction::Carries{partner};
  if (sum.width <= 32 && rec.width + sum.width > 64)
    fitIn64Bits(p, r);
  p.prove("recurrence", "a count of another sum's carries", rec.name + ", of " + sum.name);
  return sourceRegion(p, w);
}

} // namespace

/// Recognises a sum that is folded only when it is large: a plain sum, under the
/// guard that it stays small.
Answer lazySum(Proof &p, Reduction &r) {
  ExprGraph &g = p.g;
  const Recurrence &rec = p.loop.recs[r.rec];
  Linear form;
  Int most;
  // First find the words while the sum is surely small, then the largest limit.
  Step small = plainStep(p.loop, r.rec, 255);
  if (!small.ok || !bytesOf(small.next, form, most) || most > Int(1) << 40)
    return Answer::NotMine;
  unsigned bits = std::min(rec.width, 62u);
  while (bits > 12 && !plainStep(p.loop, r.rec, (Int(1) << bits) - 1 - most).ok)
    --bits;
  uint64_t limit = maskOf(bits), iterations = limit / uint64_t(most);
  if (bits <= 12 || iterations < fewestIterations)
    return Answer::NotMine;
  form.ok = true;
  form.terms[{Unit::Rec, r.rec, 0}] = 1;
  Weights w;
  w.width = rec.width;
  if (Answer read = weightsOf(p, form, w); read != Answer::Proved)
    return read;
  if (!sumOf(p, form, r, w))
    return Answer::NotMine;
  // start + iterations * most <= limit; nothing in it overflows once each part is
  // small
  ExprId start = g.zextOrTrunc(rec.init, 64), n = g.zextOrTrunc(p.match.iterations, 64);
  ExprId all = g.mul(n, g.constant(uint64_t(most), 64));
  ExprId fits = g.binary(Op::ULe, n, g.constant(iterations, 64));
  // A known start value leaves one comparison of the count.
  if (g.isConst(start))
    fits = g.binary(
        Op::ULe, n,
        g.constant(g[start].value > limit ? 0 : (limit - g[start].value) / uint64_t(most), 64));
  else
    fits = g.binary(Op::And, fits,
                    g.binary(Op::And, g.binary(Op::ULe, start, g.constant(limit, 64)),
                             g.binary(Op::ULe, g.add(start, all), g.constant(limit, 64))));
  p.name(Idiom::Sum);
  p.require(fits, "fold", Diag::SumFolded, "the sum stays below the fold",
            "below 2^" + std::to_string(bits) + " for short data");
  p.prove("recurrence", "a sum of values read and carried",
          rec.name + ": plain while below 2^" + std::to_string(bits));
  return sourceRegion(p, w);
}

/// Recognises a count of how often another recurrence, a plain sum, overflows its
/// width.
Answer carriesOf(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  for (uint32_t k = 0; k < p.loop.recs.size(); ++k) {
    const Recurrence &sum = p.loop.recs[k];
    if (k == r.rec || sum.width < 16)
      continue;
    Cases cases(p.loop);
    Exact count = cases.name(Int(maskOf(rec.width)));
    Exact low = cases.name(Int(maskOf(sum.width))), words;
    cases.bind(p.g.leaf(Op::Rec, r.rec, rec.width), count);
    cases.bind(p.g.leaf(Op::Rec, k, sum.width), low);
    bool first = true;
    auto step = [&] {
      Exact c, s;
      if (!cases.value(rec.next, c) || !cases.value(sum.next, s))
        return false;
      // s = low + words - carries * 2^width, and c = count + carries, which may wrap
      c.add(count, -1);
      s.add(low, -1);
      Int unit = Int(1) << sum.width, wrap = Int(1) << rec.width;
      Int carries = -s.constant / unit;
      bool fits = c.terms.empty() && s.constant <= 0 && s.constant % unit == 0 &&
                  (c.constant - carries) % wrap == 0 && (first || s.sameTerms(words));
      first = false;
      words = s;
      return fits && std::all_of(s.terms.begin(), s.terms.end(),
                                 [](auto &t) { return t.first.kind == Unknown::Byte; });
    };
    if (!cases.all(step, maxCarryCases))
      continue;
    return carriesRegion(p, words, k, r);
  }
  return Answer::NotMine;
}

} // namespace memlift
