// reductions.h - sums and hashes as calls of the runtime, and the arithmetic around them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_REDUCTIONS_H
#define MEMLIFT_IDIOMS_REDUCTIONS_H

#include "decide.h"

namespace memlift {

/// Computes live-outs from the results of routines.
class ReductionWriter {
public:
  ReductionWriter(Loop &loop, const Match &match) : loop(loop), match(match), g(loop.exprs) {}
  /// Returns the live-out's value; adds the calls that it needs.
  ExprId value(const Reduction &r);
  std::vector<ReturningCall> calls; // each call once

private:
  Loop &loop;
  const Match &match;
  ExprGraph &g;
  ExprId result(Routine routine, unsigned width, std::vector<ExprId> more = {});
  ExprId resultOf(Routine routine, std::vector<ExprId> args);
  ExprId swap16(ExprId v);
  ExprId onesSum(const Reduction &r, ExprId src, ExprId bytes);
  ExprId ones(const Reduction &r);
  ExprId lastRead(uint32_t access, ExprId none);
  ExprId carries(const Reduction &r);
  ExprId overflows(ExprId low, ExprId init);
  ExprId wideSum(const Reduction &r);
  ExprId swappedWeights();
  ExprId foldedSum(const Reduction &r, ExprId src, ExprId bytes);
  ExprId everyOther(const Reduction &r);
  ExprId inTurn(const Reduction &r);
  /// Returns the value, or the recurrence's start value if nothing is read.
  ExprId unlessNone(ExprId value, const Recurrence &rec);
  ExprId crcCall(const Reduction &r, ExprId state, ExprId poly);
  ExprId chosenCrc(const Reduction &r, ExprId state);
  ExprId besideCrc(const CrcRepresentation &representation, ExprId init);
  ExprId crc(const Reduction &r); // crc.cpp
  ExprId modular(const Reduction &r);
  ExprId xorFold(const Reduction &r);
  ExprId addends(const Reduction &r, unsigned width);
  ExprId iterations(unsigned width) { return g.zextOrTrunc(match.iterations, width); }
};

} // namespace memlift

#endif
