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
#include "../algebra/residue.h"
#include "prover.h"

#include <algorithm>

namespace memlift {

/// Limit on the words of the last iteration, which are read one by one if it is done
/// again.
constexpr size_t maxLastWords = 8;

/// Requires that the words are whole elements of the right size, each counted once.
Answer Prover::onesElements(const OnesForm &form, Reduction &r, Weights &w) {
  Elements e;
  w.width = 64;
  if (Answer read = weightsOf(form.words, w); read != Answer::Proved)
    return read;
  r.elementBytes = form.width / 8;
  if (!elementsOf(w, r.elementBytes, loop.bigEndian, e) || e.isSigned ||
      (e.swapped && form.width == 64))
    return Answer::NotMine;
  r.swapped = e.swapped;
  r.elementsPerRound = unsigned(e.factors.size());
  return provedIf(
      std::all_of(e.factors.begin(), e.factors.end(), [](uint64_t f) { return f == 1; }));
}

/// Requires a condition at run time, and enters it as a fact.
void Prover::require(ExprId condition, const char *name, Diag code, std::string need,
                     std::string have) {
  if (g.isConst(condition, 1) || condition == match.condition)
    return;
  require(condition);
  match.facts.push_back(
      {name, Verdict::Guarded, code, std::move(need), have + ": tested at run time", ""});
}

/// Computes the start value of T in 64 bits; proves or tests that it is within the
/// modulus.
bool Prover::onesStart(const OnesForm &form, Reduction &r) {
  std::map<ExprId, ExprId> before;
  for (uint32_t k = 0; k < loop.recs.size(); ++k)
    before[g.leaf(Op::Rec, k, loop.recs[k].width)] = loop.recs[k].init;
  Int most = 0;
  r.state = g.constant(0, 64);
  for (ExprId part : form.state) {
    ExprId start = g.substitute(part, before);
    if (g.width(start) > 64) {
      ExprId high = g.binary(Op::LShr, start, g.constant(64, g.width(start)));
      require(g.binary(Op::Eq, g.zextOrTrunc(high, 64), g.constant(0, 64)), "start value",
              Diag::InetRange, "at most 64 bits", text(start));
      start = g.zextOrTrunc(start, 64);
    }
    most += Int(largestOf(loop, start));
    r.state = g.add(r.state, g.zextOrTrunc(start, 64));
  }
  std::string need = "at most " + std::to_string(form.width) + " bits";
  uint64_t limit = maskOf(form.width);
  if (most > Int(maskOf(64)) || (g.isConst(r.state) && g[r.state].value > limit)) {
    fail("start value", Diag::InetRange, need, text(r.state));
    return false;
  }
  if (most > Int(limit))
    require(g.binary(Op::ULe, r.state, g.constant(limit, 64)), "start value", Diag::InetRange, need,
            text(r.state));
  return true;
}

/// Recognises a sum that is reduced by a remainder, or by subtracting 65535 while it
/// is too large; algebra/residue.h judges it by its values.
OnesForm Prover::reducedOnes(uint32_t rec) {
  std::vector<uint64_t> moduli = moduliIn(loop, loop.recs[rec].next);
  for (unsigned width : {16u, 32u}) {
    uint64_t top = maskOf(width);
    if (std::find(moduli.begin(), moduli.end(), top) == moduli.end())
      continue;
    std::vector<uint64_t> most(loop.recs.size(), top);
    Residue x = residueOf(loop, loop.recs[rec].next, top, most);
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
    form.state = {g.leaf(Op::Rec, rec, loop.recs[rec].width)};
    form.main = rec;
    return form;
  }
  return OnesForm();
}

/// Recognises a ones' complement sum by either proof.
Answer Prover::inetOf(Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  const char *name = "recurrence";
  const char *need = "a sum whose carries are brought back";
  OnesForm form = onesOf(loop, r.rec);
  if (!form.ok)
    form = reducedOnes(r.rec);
  if (!form.ok)
    return Answer::NotMine;
  match.idiom = Idiom::InetChecksum;
  Weights w;
  if (Answer elements = onesElements(form, r, w); elements != Answer::Proved) {
    if (elements == Answer::NotMine)
      elements = lazySum(r);
    return elements == Answer::NotMine ? failWeights(w) : elements;
  }
  if (!onesStart(form, r))
    return Answer::Refused;
  r.direct = form.direct;
  if (!r.direct && loop.accesses.size() > maxLastWords)
    return fail(name, Diag::LastRoundTooLong,
                "at most " + std::to_string(maxLastWords) + " words left unfolded",
                std::to_string(loop.accesses.size()) + " words");
  r.kind = Reduction::Ones;
  r.modulus = form.width;
  if (r.swapped && r.modulus == 32) // their plain sum is computed in 64 bits
    require(g.binary(Op::ULe, g.zextOrTrunc(match.rounds, 64),
                     g.constant((uint64_t(1) << 30) / r.elementsPerRound, 64)),
            "carries", Diag::SumFolded, "a sum of 64 bits", "for any usual size");
  r.partner = form.main;
  prove(name, need,
        "modulo 2^" + std::to_string(form.width) + " - 1" +
            (r.swapped ? ", words in the other byte order" : "") +
            (r.direct ? "" : ", before the last iteration"),
        rec.name);
  return sourceRegion(w);
}

} // namespace memlift
