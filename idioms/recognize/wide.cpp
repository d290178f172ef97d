// wide.cpp - sums in 128 bits, which no data overflows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   unsigned __int128 s;
//   for (i..n) s += w[i];                       words of 64 bits, or fewer
//   for (i..n) s += (u128)w[2 * i] + w[2 * i + 1];
//   for (i..n) { s += w[i]; s = (u64)s + (s >> 64); }     (inet.cpp)
//
// The low half is the sum modulo 2^64. The high half is how often that overflowed,
// which the sum modulo 2^64 - 1 tells: see carry.cpp. The limits: each element once,
// in the machine's byte order if it has 64 bits; 64 terms.
#include "families.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

/// Limit on the terms, so that their weights stay below 2^64 when added up.
constexpr unsigned maxWideTerms = 64;

/// Splits `id` into the recurrence, counted in `own`, and numbers of at most 64 bits.
static bool wideTerms(const Loop &loop, ExprId id, uint32_t rec, Linear &form, unsigned &own,
                      unsigned &terms) {
  const Expr &e = loop.exprs[id];
  if (++terms > maxWideTerms)
    return false;
  if (e.op == Op::Add)
    return wideTerms(loop, e.a, rec, form, own, terms) &&
           wideTerms(loop, e.b, rec, form, own, terms);
  if (e.op == Op::Rec)
    return e.value == rec && ++own == 1;
  if (e.op != Op::ZExt || loop.exprs.width(e.a) > 64)
    return false;
  Linear x = linearOf(loop, e.a);
  if (!x.ok || !x.bounded || x.constant)
    return false;
  for (auto &[u, factor] : x.terms) {
    if (u.kind != Unit::Byte)
      return false;
    form.terms[u] += factor;
  }
  return true;
}

/// Recognises a sum in 128 bits. Elements below 64 bits have a bound on their number, so
/// that a 64-bit sum of them does not overflow.
Answer wideSumOf(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  const char *name = "recurrence", *need = "a sum of values read and carried";
  Linear form;
  unsigned own = 0, terms = 0;
  if (!wideTerms(p.loop, rec.next, r.rec, form, own, terms) || own != 1 || form.terms.empty()) {
    bool reads = anyNode(p.g, rec.next, [](const Expr &e) { return e.op == Op::Load; });
    if (p.g[rec.next].op == Op::Add && reads) // something read from memory is added
      p.name(Idiom::Sum);
    return p.fail(name, Diag::WideSum, need, rec.name + ": " + p.text(rec.next));
  }
  p.name(Idiom::Sum);
  Weights w;
  w.width = 64;
  form.ok = true;
  Answer read = weightsOf(p, form, w);
  if (read == Answer::Refused)
    return read;
  if (read == Answer::NotMine || !sumOf(p, form, r, w) || !countsOnce(r))
    return failWeights(p, w);
  r.kind = Reduction::WideSum();
  if (r.elementBytes < 8)
    fitIn64Bits(p, r);
  p.prove(name, need, rec.name + ", in 128 bits");
  return sourceRegion(p, w);
}

} // namespace memlift
