// reductions.cpp - sums and hashes as calls of the runtime and what is made of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routines are exact modulo 2^64, so cutting their result to the width of
// the accumulator is exact in it. A call of no bytes gives 0 (a hash: its start
// value), so a loop of no rounds needs no branch.
#include "reductions.h"

namespace memlift {

static Routine sumRoutine(const Reduction &r, unsigned width) {
  bool two = r.elementBytes == 2;
  // Where the sum is no wider than an element, its sign makes no difference.
  bool isSigned = r.isSigned && width > 8 * r.elementBytes;
  if (r.swapped)
    return two ? Routine::SumSwapU16 : Routine::SumSwapU32;
  switch (r.elementBytes) {
  case 1: return isSigned ? Routine::SumS8 : Routine::SumU8;
  case 2: return isSigned ? Routine::SumS16 : Routine::SumU16;
  case 4: return isSigned ? Routine::SumS32 : Routine::SumU32;
  default: return Routine::SumU64;
  }
}

static Routine plainSumRoutine(unsigned bytes) {
  return bytes == 1   ? Routine::SumU8
         : bytes == 2 ? Routine::SumU16
                      : Routine::SumU32;
}

/// The bytes of a 16-bit value held in 32 bits.
ExprId ReductionWriter::swap16(ExprId v) {
  ExprId narrow = g.cast(Op::Trunc, v, 16);
  return g.cast(Op::ZExt, g.cast(Op::BSwap, narrow, 16), 32);
}

ExprId ReductionWriter::result(Routine routine, unsigned width,
                               std::vector<ExprId> more) {
  std::vector<ExprId> args = {match.src, match.bytes};
  args[1] = g.zextOrTrunc(args[1], loop.ptrBits);
  args.insert(args.end(), more.begin(), more.end());
  size_t i = 0;
  while (i < calls.size() &&
         (calls[i].routine != routine || calls[i].args != args))
    ++i;
  if (i == calls.size())
    calls.push_back({routine, args, CrcPoly()});
  unsigned returned = routine == Routine::InetSum ? 32 : 64;
  return g.zextOrTrunc(g.leaf(Op::Result, i, returned), width);
}

/// The register may be narrower than the type that holds it: then its upper bits
/// are cleared by the first round, and kept if there is none.
ExprId ReductionWriter::crc(const Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  ExprId state = g.zextOrTrunc(rec.init, 64);
  if (r.crc.width < rec.width)
    state = g.binary(Op::And, state, g.constant(maskOf(r.crc.width), 64));
  calls.push_back({Routine::Crc, {state, match.src, match.bytes}, r.crc});
  ExprId after = g.zextOrTrunc(g.leaf(Op::Result, calls.size() - 1, 64),
                               rec.width);
  if (r.crc.width == rec.width)
    return after;
  ExprId none = g.binary(Op::Eq, match.bytes, loop.word(0));
  return g.select(none, rec.init, after);
}

ExprId ReductionWriter::value(const Reduction &r) {
  const Recurrence &rec = loop.recs[r.rec];
  unsigned width = rec.width;
  if (r.kind == Reduction::Crc)
    return crc(r);
  if (r.kind == Reduction::Inet) {
    ExprId init = g.zextOrTrunc(g.zextOrTrunc(rec.init, 16), 32);
    if (r.swapped)
      init = swap16(init);
    ExprId sum = result(Routine::InetSum, 32, {init});
    return g.zextOrTrunc(r.swapped ? swap16(sum) : sum, width);
  }
  if (r.kind == Reduction::Polyhash)
    return result(Routine::PolyhashU8, width,
                  {g.zextOrTrunc(rec.init, 64), g.constant(r.factor, 64)});
  if (r.kind == Reduction::Sum) {
    ExprId sum = result(sumRoutine(r, width), width);
    ExprId total = g.add(rec.init, g.mul(sum, g.constant(r.factor, width)));
    if (r.perRound != NoExpr)
      total = g.add(total, g.mul(r.perRound, rounds(width)));
    return total;
  }
  Routine weighted = r.elementBytes == 1   ? Routine::WsumU8
                     : r.elementBytes == 2 ? Routine::WsumU16
                                           : Routine::WsumU32;
  ExprId elements = g.mul(rounds(width), g.constant(r.elementsPerRound, width));
  ExprId before = g.zextOrTrunc(loop.recs[r.partner].init, width);
  ExprId total = g.add(rec.init, g.mul(elements, before));
  total = g.add(total, result(weighted, width));
  if (r.exclusive)
    total = g.sub(total, result(plainSumRoutine(r.elementBytes), width));
  return total;
}

} // namespace memlift
