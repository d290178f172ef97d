// fill.cpp - fills: the same 1 to 8 bytes again and again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) p[i] = v;               every width, any invariant v
//   for (i..n) { p[2*i] = a; p[2*i+1] = b; }
//
// The bytes of one iteration are listed by address, and the shortest period
// that divides the iteration is the pattern. Limits: 8 bytes; constant and
// invariant bytes only.
#include "prover.h"

namespace memlift {

unsigned Prover::patternPeriod() const {
  for (unsigned p = 1; p <= 8; ++p) {
    if (body.size % p)
      continue;
    bool repeats = true;
    for (unsigned i = p; i < body.size && repeats; ++i)
      repeats = body.bytes[i] == body.bytes[i - p];
    if (repeats)
      return p;
  }
  return 0;
}

void Prover::setPattern(unsigned period) {
  match.period = period;
  match.nativePattern = period == 1 || period == 2 || period == 4 || period == 8;
  // fill_pattern numbers bytes from the least significant one on every target.
  match.pattern =
      composeBytes(loop, body.bytes.data(), period,
                   match.nativePattern ? period : 8,
                   match.nativePattern && loop.bigEndian);
}

void Prover::fill() {
  const char *name = "pattern", *need = "1 to 8 bytes, repeated";
  if (body.bulk) {
    match.period = 1;
    match.pattern = loop.accesses[stores[0]].value;
    prove(name, need, "1 byte: " + text(match.pattern));
    return;
  }
  unsigned period = patternPeriod();
  if (!period) {
    fail(name, Diag::PatternTooWide, need,
         std::to_string(body.size) + " bytes before it repeats");
    return;
  }
  setPattern(period);
  prove(name, need,
        std::to_string(period) + (period == 1 ? " byte: " : " bytes: ") +
            text(match.pattern));
}

} // namespace memlift
