// inet.cpp - Internet checksums that fold the carry in as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { s += w[i]; s = (s & 0xffff) + (s >> 16); }
//   for (i..n) { s += w[i]; if (s < w[i]) s++; }             16-bit s
//   for (i..n) { s += w[i]; if (s > 0xffff) s -= 0xffff; }
//
// Kept within 16 bits from the start, the state is the representative of the sum
// modulo 65535 (algebra/ones.h) and the routine gives the same number, so nothing
// about the code after the loop needs proving. A sum that is folded only after
// the loop is a plain sum (sum.cpp). Words in the other byte order give the
// byte-swapped sum: a swap multiplies by 256 modulo 65535, and keeps 0 and 65535.
#include "../algebra/ones.h"
#include "prover.h"

#include <algorithm>

namespace memlift {

bool Prover::inetOf(Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  const char *name = "recurrence";
  const char *need = "a sum folded to 16 bits in every round";
  if (rec.width < 16)
    return false;
  OnesForm form = onesOf(loop, rec.next, r.rec);
  if (!form.ok)
    return false;
  match.idiom = Idiom::InetChecksum;
  Weights w;
  Elements e;
  w.width = 64;
  if (!weightsOf(form.words, w))
    return false;
  if (!elementsOf(w, 2, loop.bigEndian, e) || e.isSigned ||
      !std::all_of(e.factors.begin(), e.factors.end(),
                   [](uint64_t f) { return f == 1; })) {
    failWeights(w);
    return false;
  }
  if (!fitsSixteenBits(loop, rec.init)) {
    fail("start value", Diag::InetRange, "at most 16 bits", text(rec.init));
    return false;
  }
  r.kind = Reduction::Inet;
  r.elementBytes = 2;
  r.swapped = e.swapped;
  prove(name, need, e.swapped ? "words in the other byte order, every value of "
                                "the sum tried"
                              : "every value of the sum tried", rec.name);
  return sourceRegion(w);
}

} // namespace memlift
