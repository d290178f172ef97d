// inet.cpp - ones' complement sums: carries are added back during the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { s += w[i]; s = (s & 0xffff) + (s >> 16); }
//   for (i..n) { s += w[i]; if (s < w[i]) s++; }             16, 32 or 64 bits
//   for (i..n) { s += w[i]; if (s > 0xffff) s -= 0xffff; }       `while`, too
//   for (i..n) { s += c; s += w[i]; c = s < w[i]; }
//
// algebra/ones.h proves that the state, if it is within w bits at the start, stays
// the representative of the sum modulo 2^w - 1. The routine returns that number, too,
// so code after the loop needs no proof. If a carry or a fold is left for the next
// iteration, the last one is done again from the sum before it. A sum that is folded
// only after the loop is a plain sum (sum.cpp).
//
// 16-bit words in the other byte order give the byte-swapped sum: a swap multiplies
// by 256 modulo 65535 and keeps 0 and 65535. Of 32-bit ones the plain sum is folded.
//
// The limits: words of 16 bits modulo 2^16 - 1, and words as wide as the sum modulo
// 2^32 - 1 and 2^64 - 1.
#include "../algebra/cases.h"
#include "../algebra/residue.h"
#include "families.h"

#include <algorithm>

namespace memlift {

/// Limit on the words of the last iteration, which are read one by one if it is done
/// again.
constexpr size_t maxLastWords = 8;

/// Requires that the words are whole elements of the right size, each counted once.
static Answer onesElements(Proof &p, const OnesForm &form, Reduction &r, Weights &w) {
  Elements e;
  w.width = 64;
  if (Answer read = weightsOf(p, form.words, w); read != Answer::Proved)
    return read;
  r.elementBytes = form.width / 8;
  if (!elementsOf(w, r.elementBytes, p.loop.bigEndian, e) || e.isSigned ||
      (e.swapped && form.width == 64))
    return Answer::NotMine;
  r.swapped = e.swapped;
  r.elementsPerIteration = unsigned(e.factors.size());
  return provedIf(
      std::all_of(e.factors.begin(), e.factors.end(), [](uint64_t f) { return f == 1; }));
}

bool onesStart(Proof &p, const OnesForm &form, ExprId &sum) {
  ExprGraph &g = p.g;
  std::map<ExprId, ExprId> before;
  for (uint32_t k = 0; k < p.loop.recs.size(); ++k)
    before[g.leaf(Op::Rec, k, p.loop.recs[k].width)] = p.loop.recs[k].init;
  Int most = 0;
  sum = g.constant(0, 64);
  for (ExprId term : form.state) {
    ExprId start = g.substitute(term, before);
    if (g.width(start) > 64) {
      ExprId high = g.binary(Op::LShr, start, g.constant(64, g.width(start)));
      p.require(g.binary(Op::Eq, g.zextOrTrunc(high, 64), g.constant(0, 64)), "start value",
                Diag::InetRange, "at most 64 bits", p.text(start));
      start = g.zextOrTrunc(start, 64);
    }
    most += Int(largestOf(p.loop, start));
    sum = g.add(sum, g.zextOrTrunc(start, 64));
  }
  std::string need = "at most " + std::to_string(form.width) + " bits";
  uint64_t limit = maskOf(form.width);
  if (most > Int(maskOf(64)) || (g.isConst(sum) && g[sum].value > limit))
    return p.fail("start value", Diag::InetRange, need, p.text(sum));
  if (most > Int(limit))
    p.require(g.binary(Op::ULe, sum, g.constant(limit, 64)), "start value", Diag::InetRange, need,
              p.text(sum));
  return true;
}

/// Recognises a sum that is reduced by a remainder, or by subtracting 65535 while it
/// is too large; algebra/residue.h judges it by its values.
static OnesForm reducedOnes(Proof &p, uint32_t rec) {
  std::vector<uint64_t> moduli = moduliIn(p.loop, p.loop.recs[rec].next);
  for (unsigned width : {16u, 32u}) {
    uint64_t top = maskOf(width);
    if (std::find(moduli.begin(), moduli.end(), top) == moduli.end())
      continue;
    std::vector<uint64_t> most(p.loop.recs.size(), top);
    Residue x = residueOf(p.loop, p.loop.recs[rec].next, top, most);
    auto own = x.sum.terms.find({Unit::Rec, rec, 0});
    if (!x.ok || x.most > top || !x.zeroOnly || x.sum.constant || own == x.sum.terms.end() ||
        own->second != 1)
      continue;
    x.sum.terms.erase(own);
    OnesForm form;
    form.ok = form.direct = std::all_of(x.sum.terms.begin(), x.sum.terms.end(),
                                        [](auto &term) { return term.first.kind == Unit::Byte; });
    form.width = width;
    form.words = x.sum;
    form.words.ok = true;
    form.state = {p.g.leaf(Op::Rec, rec, p.loop.recs[rec].width)};
    form.main = rec;
    return form;
  }
  return OnesForm();
}

/// Recognises a ones' complement sum by either proof.
Answer inetOf(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  const char *name = "recurrence";
  const char *need = "a sum whose carries are brought back";
  OnesForm form = onesOf(p.loop, r.rec);
  if (!form.ok)
    form = reducedOnes(p, r.rec);
  if (!form.ok)
    return Answer::NotMine;
  p.match.idiom = Idiom::InetChecksum;
  Weights w;
  if (Answer elements = onesElements(p, form, r, w); elements != Answer::Proved) {
    if (elements == Answer::NotMine)
      elements = lazySum(p, r);
    return elements == Answer::NotMine ? failWeights(p, w) : elements;
  }
  Reduction::Ones ones;
  if (!onesStart(p, form, ones.state))
    return Answer::Refused;
  ones.direct = form.direct;
  if (!ones.direct && p.loop.accesses.size() > maxLastWords)
    return p.fail(name, Diag::LastRoundTooLong,
                  "at most " + std::to_string(maxLastWords) + " words left unfolded",
                  std::to_string(p.loop.accesses.size()) + " words");
  ones.modulus = form.width;
  if (r.swapped && ones.modulus == 32) // their plain sum is computed in 64 bits
    fitIn64Bits(p, r);
  ones.main = form.main;
  r.kind = ones;
  p.prove(name, need,
          "modulo 2^" + std::to_string(form.width) + " - 1" +
              (r.swapped ? ", words in the other byte order" : "") +
              (ones.direct ? "" : ", before the last iteration"),
          rec.name);
  return sourceRegion(p, w);
}

} // namespace memlift
