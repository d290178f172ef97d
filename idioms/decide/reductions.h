// reductions.h - sums and hashes as calls of the runtime, and the arithmetic around them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_REDUCTIONS_H
#define MEMLIFT_IDIOMS_REDUCTIONS_H

#include "decide.h"

#include <utility>

namespace memlift {

/// Returns the kind of the routine that tests tables of unknown contents.
OpKind tableKind(const Reduction::Crc &crc);

/// Returns how many entries of Routine::CrcLanes, one after the other, stand for one call: one for
/// each register. Their arguments are the register's state, the address, the size, the number of
/// registers, and the number of the register that is the result. The writer gathers the states in
/// memory.
inline size_t lanesOf(const ReturningCall &c, const ExprGraph &g) { return g[c.args[3]].value; }

/// Computes live-outs from the results of routines.
class ReductionWriter {
public:
  /// If `mayJoinSums`, one call of the library may compute two sums; if `mayCutSums`, a sum that is
  /// used modulo 2^32 need not be exact.
  ReductionWriter(Loop &loop, const Match &match, bool mayJoinSums, bool mayCutSums)
      : mayJoinSums(mayJoinSums), mayCutSums(mayCutSums), loop(loop), match(match), g(loop.exprs) {}
  /// Returns the live-out's value; adds the calls that it needs.
  ExprId value(const Reduction &r);
  std::vector<ReturningCall> calls; // each call once

private:
  bool mayJoinSums, mayCutSums;
  Loop &loop;
  const Match &match;
  ExprGraph &g;
  ExprId result(Routine routine, unsigned width, std::vector<ExprId> more = {});
  ExprId resultOf(Routine routine, std::vector<ExprId> args);
  ExprId swap16(ExprId v);
  ExprId value(const Reduction &r, const Reduction::Sum &sum);
  ExprId value(const Reduction &r, const Reduction::WeightedSum &sum);
  ExprId value(const Reduction &r, const Reduction::Crc &crc); // crc.cpp
  ExprId value(const Reduction &r, const Reduction::Ones &ones);
  ExprId value(const Reduction &r, const Reduction::Carries &carries);
  ExprId value(const Reduction &r, const Reduction::ModularSum &sum);
  ExprId value(const Reduction &r, const Reduction::ModularWeightedSum &sum);
  ExprId value(const Reduction &r, const Reduction::XorFold &);
  ExprId value(const Reduction &r, const Reduction::Polyhash &hash);
  ExprId value(const Reduction &r, const Reduction::WideSum &);
  ExprId value(const Reduction &r, const Reduction::Count &count);
  ExprId value(const Reduction &r, const Reduction::Last &);
  ExprId onesSum(const Reduction &r, const Reduction::Ones &ones, ExprId src, ExprId bytes);
  ExprId lastRead(uint32_t access, ExprId none);
  ExprId overflows(ExprId low, ExprId init);
  ExprId swappedWeights();
  ExprId foldedSum(const Reduction::Ones &ones, ExprId src, ExprId bytes);
  ExprId everyOther(const Reduction &r, const Reduction::Sum &sum);
  Routine sumRoutine(const Reduction &r, unsigned width) const;
  bool sumsTogether() const;
  bool cutsSums() const;
  ExprId halfOfSums(unsigned which, unsigned width);
  ExprId plainSum(const Reduction &r, unsigned width);
  ExprId inTurn(const Reduction &r, const Reduction::Sum &sum);
  /// Returns the value, or the recurrence's start value if nothing is read.
  ExprId unlessNone(ExprId value, const Recurrence &rec);
  ExprId crcCall(const Reduction::Crc &of, ExprId state, ExprId poly);
  std::pair<ExprId, bool> registerOf(const Recurrence &rec, const Reduction::Crc &crc);
  ExprId tableCrc(const Reduction &r, const Reduction::Crc &crc);
  ExprId laneCrc(const Reduction &r, const Reduction::Crc &crc);
  ExprId chosenCrc(const Reduction::Crc &crc, ExprId state);
  ExprId besideCrc(const CrcRepresentation &representation, ExprId init);
  ExprId modularSums(const Reduction &r, const Reduction::ModularSum &sum, uint32_t first,
                     const uint32_t *second, bool exclusive);
  ExprId addends(const Reduction &r, const Reduction::WeightedSum &sum, unsigned width);
  ExprId iterations(unsigned width) { return g.zextOrTrunc(match.iterations, width); }
};

} // namespace memlift

#endif
