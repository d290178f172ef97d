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
#include "steps.h"

#include <algorithm>

namespace memlift {

/// Two registers' worth: the pattern that memlift_fill_pattern16 takes.
constexpr unsigned maxPeriod = 16;

/// Returns the shortest period of the iteration's bytes, or 0.
static unsigned patternPeriod(const Footprint &body) {
  for (unsigned period = 1; period <= maxPeriod; ++period) {
    if (body.size % period)
      continue;
    bool repeats = true;
    for (unsigned i = period; i < body.size && repeats; ++i)
      repeats = body.bytes[i] == body.bytes[i - period];
    if (repeats)
      return period;
  }
  return 0;
}

/// Builds the pattern: a native value if its size is a power of two, else numbered
/// bytes.
static FillForm formOf(Proof &p, unsigned period) {
  bool whole = period == 1 || period == 2 || period == 4 || period == 8;
  FillForm form;
  form.period = period;
  form.native = whole && p.match.rows == NoExpr;
  // fill_pattern numbers bytes from the least significant one on every target.
  form.pattern = composeBytes(p.loop, p.body.bytes.data(), std::min(period, 8u),
                              form.native ? period : 8, form.native && p.loop.bigEndian);
  if (period > 8)
    form.patternHigh = composeBytes(p.loop, p.body.bytes.data() + 8, period - 8, 8, false);
  return form;
}

/// Proves the pattern. Patterns of more than 8 bytes cannot fill rows.
void fill(Proof &p) {
  Match &match = p.match;
  const char *name = "pattern", *need = "1 to 16 bytes, repeated";
  if (p.body.bulk) {
    FillForm form;
    form.period = 1;
    form.native = match.rows == NoExpr;
    // Perhaps read again in each iteration.
    ByteSource value = sourceOf(p, p.loop.accesses[p.stores[0]], 0);
    form.pattern = composeBytes(p.loop, &value, 1, form.native ? 1 : 8, false);
    match.writes = form;
    p.prove(name, need, "1 byte: " + p.text(form.pattern));
    return;
  }
  unsigned period = patternPeriod(p.body);
  if (!period) {
    p.fail(name, Diag::PatternTooWide, need,
           std::to_string(p.body.size) + " bytes before it repeats");
    return;
  }
  if (period > 8 && match.rows != NoExpr) {
    p.fail("destination contiguous", Diag::RowsNotContiguous,
           "rows end to end for a value of more than 8 bytes",
           "rows " + p.text(match.dstPitch) + " bytes apart");
    return;
  }
  FillForm form = formOf(p, period);
  match.writes = form;
  p.prove(name, need,
          std::to_string(period) + (period == 1 ? " byte: " : " bytes: ") + p.text(form.pattern) +
              (period > 8 ? " then " + p.text(form.patternHigh) : ""));
}

} // namespace memlift
