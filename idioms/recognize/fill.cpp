// fill.cpp - fills: 1 to 16 bytes, repeated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) p[i] = v;               every width, any invariant v
//   for (i..n) { p[2*i] = a; p[2*i+1] = b; }
//
// Naive: one store of one invariant value. Structures and unrolled bodies store
// several values. So the bytes of one iteration are listed by address, whatever
// stores them, and the shortest period that divides the iteration is the pattern.
//
// The limits: periods up to 16 bytes; constant and invariant bytes only.
#include "prover.h"

#include <algorithm>

namespace memlift {

/// Two registers' worth: the pattern that memlift_fill_pattern16 takes.
constexpr unsigned maxPeriod = 16;

/// Returns the shortest period of the iteration's bytes, or 0.
unsigned Prover::patternPeriod() const {
  for (unsigned p = 1; p <= maxPeriod; ++p) {
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

/// Builds the pattern: a native value if its size is a power of two, else numbered
/// bytes.
void Prover::setPattern(unsigned period) {
  bool whole = period == 1 || period == 2 || period == 4 || period == 8;
  match.period = period;
  match.nativePattern = whole && match.rows == NoExpr;
  // fill_pattern numbers bytes from the least significant one on every target.
  match.pattern =
      composeBytes(loop, body.bytes.data(), std::min(period, 8u), match.nativePattern ? period : 8,
                   match.nativePattern && loop.bigEndian);
  if (period > 8)
    match.patternHigh = composeBytes(loop, body.bytes.data() + 8, period - 8, 8, false);
}

/// Proves the pattern. Patterns of more than 8 bytes cannot fill rows.
void Prover::fill() {
  const char *name = "pattern", *need = "1 to 16 bytes, repeated";
  if (body.bulk) {
    match.period = 1;
    match.nativePattern = match.rows == NoExpr;
    // Perhaps read again in each iteration.
    ByteSource value = sourceOf(loop.accesses[stores[0]], 0);
    match.pattern = composeBytes(loop, &value, 1, match.nativePattern ? 1 : 8, false);
    prove(name, need, "1 byte: " + text(match.pattern));
    return;
  }
  unsigned period = patternPeriod();
  if (!period) {
    fail(name, Diag::PatternTooWide, need, std::to_string(body.size) + " bytes before it repeats");
    return;
  }
  if (period > 8 && match.rows != NoExpr) {
    fail("destination contiguous", Diag::RowsNotContiguous,
         "rows end to end for a value of more than 8 bytes",
         "rows " + text(match.dstPitch) + " bytes apart");
    return;
  }
  setPattern(period);
  prove(name, need,
        std::to_string(period) + (period == 1 ? " byte: " : " bytes: ") + text(match.pattern) +
            (period > 8 ? " then " + text(match.patternHigh) : ""));
}

} // namespace memlift
