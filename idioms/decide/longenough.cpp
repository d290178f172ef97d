// longenough.cpp - keeps loops that are faster than calls, or lets calls have the long ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call takes some cycles however few bytes there are (worth.cpp), and more where a core waits for
// bytes that are written or read right beside it.
#include "decider.h"
#include "worth.h"

#include <algorithm>

namespace memlift {

/// Returns true if a routine of the user is called, whose cost is not known.
bool Decider::callsMapped() const {
  auto isMapped = [](const ReturningCall &c) { return !c.symbol.empty(); };
  return !d.symbol.empty() || std::any_of(d.calls.begin(), d.calls.end(), isMapped);
}

/// Returns the innermost iterations in one of the outermost loop, 0 if their number varies. Calls
/// for nests are guarded where they are slow for few bytes: look-ups in a table that nobody knows.
uint64_t Decider::innerIterations() const {
  uint64_t product = 1;
  for (size_t k = 1; k < loop.dims.size(); ++k)
    product *= g.isConst(loop.dims[k].trip) ? g[loop.dims[k].trip].value : 0;
  bool slow = std::any_of(d.calls.begin(), d.calls.end(), [](const ReturningCall &c) {
    return operationOf(c.routine).kind == OpKind::TableCrc;
  });
  return loop.dims.size() == 1 || slow ? product : 0;
}

/// Returns true if the routine would wait for what is written or read beside the loop: it loads and
/// stores up to 64 bytes by masks, from and to which a core forwards nothing. Moves do not.
bool Decider::waitsBesides() const {
  if (!loop.touchedNearby || core.inOrder || !d.loops.empty() || loop.function.optSize ||
      inSequence || match.rows != NoExpr || callsMapped() || mode != RuntimeMode::Memlift)
    return false;
  auto masks = [](Routine r) {
    OpKind k = operationOf(r).kind;
    return k == OpKind::Fill || k == OpKind::PatternFill || k == OpKind::Copy ||
           k == OpKind::SwapCopy || k == OpKind::Sum || k == OpKind::LowSum ||
           k == OpKind::XorFold || k == OpKind::OnesSum;
  };
  return (d.routine != Routine::None && masks(d.routine)) ||
         std::any_of(d.calls.begin(), d.calls.end(),
                     [&](const ReturningCall &c) { return masks(c.routine); });
}

/// Keeps a loop beside whose bytes something happens, or lets it have a call for more bytes.
bool Decider::longerThanMasks() {
  constexpr uint64_t masked = 64; // bytes
  const char *need = "more than 64 bytes where they are written or read beside the loop";
  if (mostBytes() <= masked) {
    uint64_t most = mostBytes();
    d = Decision();
    keep("size", Diag::TooShort, need, "at most " + std::to_string(most));
    return false;
  }
  if (constant)
    return true;
  sizeGuard = enough(g, match.bytes, masked + 1);
  shortAsStock = true;
  fact("size", Verdict::Guarded, Diag::None, need, "tested at run time");
  return true;
}

/// Keeps a loop that is faster than calls for all its trip counts. If it is for some of them, the
/// calls get a guard.
bool Decider::longEnough() {
  if (waitsBesides())
    return longerThanMasks();
  if (match.longBy != NoExpr && !d.calls.empty() && d.loops.empty() && !loop.function.optSize &&
      !callsMapped() && !core.inOrder) {
    // Bytes that take as long in vectors, or one word after another, as a call (bench/slow).
    const uint64_t least = loop.function.vectorBits ? 64 : 32;
    sizeGuard = enough(g, match.longBy, least);
    fact("size", Verdict::Guarded, Diag::None, "at least " + std::to_string(least) + " bytes",
         "tested at run time, as a call for fewer is slower than the loops");
    return true;
  }
  const uint64_t inner = innerIterations();
  if (!d.loops.empty() || loop.function.optSize || inSequence || !inner || match.rows != NoExpr ||
      loop.dims[0].trip == NoExpr || formsCall(loop, match) || callsMapped())
    return true;
  ExprId trip = loop.dims[0].trip;
  uint64_t least = (leastIterations(loop, match, d) + inner - 1) / inner;
  uint64_t most = mostIterations(loop, loop.dims[0]);
  constexpr uint64_t leastWithTests =
      12; // std::vector<uint8_t>, filled and copied (bench/README.md)
  if (rereads(loop))
    least = std::max(least, leastWithTests);
  uint64_t limit = g.isConst(trip) ? std::max(2 * least, leastConstant(loop, match, d)) : 2 * least;
  if (most <= limit) {
    d = Decision();
    keep("size", Diag::TooShort, "more than " + std::to_string(limit) + " iterations for a call",
         "at most " + std::to_string(most));
    return false;
  }
  if (g.isConst(trip) || least <= 1)
    return true;
  sizeGuard = enough(g, trip, least);
  fact("size", Verdict::Guarded, Diag::None, "at least " + std::to_string(least) + " iterations",
       "tested at run time, as a call for fewer is slower than the loop");
  return true;
}

} // namespace memlift
