// reductions.cpp - sums and hashes as calls of the runtime, and the arithmetic around them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime has a routine for each element size, sign and byte order, but not for
// each combination of sums. The rest is derived here by identities modulo 2^64: sums
// of every other element, sums of sums with constants, carries, 128-bit sums.
//
// All routines are exact modulo 2^64, or modulo 2^32 where no more is used, so truncating
// their result to the width of the accumulator is exact in it. A call of no bytes returns 0
// (a hash: its start value), so a loop of no iterations needs no branch.
//
// Example: sum += f * p[2 * i] + g * p[2 * i + 1] with bytes p. There is no routine
// for every other element, but the sums of 8-bit and of 16-bit elements over the same
// region give both: everyOther() solves two equations with two unknowns.
#include "reductions.h"
#include "worth.h"

#include <algorithm>
#include <cassert>

namespace memlift {

/// Finds the routine for the elements of `r`.
static Routine routineOf(OpKind kind, const Reduction &r, bool isSigned, bool swapped) {
  Routine found = routineFor(kind, 8 * r.elementBytes, isSigned, swapped);
  assert(found != Routine::None);
  return found;
}

/// Returns true if no sum, and nothing else that might come from the same call, is used beyond the
/// width of its elements.
bool ReductionWriter::cutsSums() const {
  return mayCutSums &&
         std::all_of(match.reductions.begin(), match.reductions.end(), [&](const Reduction &r) {
           return r.as<Reduction::Sum>() && loop.recs[r.rec].width <= 8 * r.elementBytes;
         });
}

Routine ReductionWriter::sumRoutine(const Reduction &r, unsigned width) const {
  Routine low = cutsSums() && !r.swapped && width <= 8 * r.elementBytes
                    ? routineFor(OpKind::LowSum, 8 * r.elementBytes)
                    : Routine::None;
  if (low != Routine::None)
    return low;
  // If the sum is no wider than an element, its sign makes no difference.
  return routineOf(OpKind::Sum, r, r.isSigned && width > 8 * r.elementBytes, r.swapped);
}

/// Returns true if the reduction needs the plain sum, or the weighted sum, of unsigned bytes.
static bool needsByteSum(const Reduction &r, bool weighted) {
  if (r.elementBytes != 1 || r.isSigned)
    return false;
  auto *sums = r.as<Reduction::WeightedSum>();
  auto *sum = r.as<Reduction::Sum>();
  return weighted ? sums != nullptr : (sum && !sum->pairs) || (sums && sums->exclusive);
}

/// Bytes of which the weighted sum is surely below 2^32: it is at most 255 * n * (n + 1) / 2. RFC
/// 1950 has blocks of 5552.
constexpr uint64_t mostExactBytes = 5803;

/// Returns true if one routine computes both sums of the bytes, in halves of 32 bits: what later
/// code uses has no more bits, or the sums have not.
bool ReductionWriter::sumsTogether() const {
  bool plain = false, weighted = false, narrow = true;
  for (const Reduction &r : match.reductions) {
    bool one = needsByteSum(r, false), other = needsByteSum(r, true);
    plain |= one, weighted |= other;
    narrow &= !(one || other) || loop.recs[r.rec].width <= 32;
  }
  return mayJoinSums && plain && weighted &&
         (narrow || mostSurely(loop, match.bytes) <= mostExactBytes ||
          (match.maxBytes && match.maxBytes <= mostExactBytes));
}

/// Computes half 0, the plain sum, or half 1, the weighted sum, of the bytes by one call for both.
ExprId ReductionWriter::halfOfSums(unsigned which, unsigned width) {
  ExprId none = g.constant(0, 64), modulus = g.constant(uint64_t(1) << 32, 64);
  ExprId both = result(Routine::ModsumU8, 64, {none, modulus, g.constant(0, 32)});
  if (which)
    both = g.binary(Op::LShr, both, g.constant(32, 64));
  return g.zextOrTrunc(g.cast(Op::Trunc, both, 32), width);
}

ExprId ReductionWriter::plainSum(const Reduction &r, unsigned width) {
  bool together = r.elementBytes == 1 && !r.isSigned && sumsTogether();
  return together ? halfOfSums(0, width) : result(sumRoutine(r, width), width);
}

/// Exclusive-or of words. For words in the other byte order the result is
/// byte-swapped.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::XorFold &) {
  ExprId x = result(routineOf(OpKind::XorFold, r, false, false), 8 * r.elementBytes);
  if (r.swapped)
    x = g.cast(Op::BSwap, x, 8 * r.elementBytes);
  const Recurrence &rec = loop.recs[r.rec];
  x = r.isSigned ? g.cast(Op::SExt, x, rec.width) : g.zextOrTrunc(x, rec.width);
  return g.binary(Op::Xor, rec.init, x);
}

/// Swaps the bytes of a 16-bit value held in 32 bits.
ExprId ReductionWriter::swap16(ExprId v) {
  ExprId narrow = g.cast(Op::Trunc, v, 16);
  return g.cast(Op::ZExt, g.cast(Op::BSwap, narrow, 16), 32);
}

/// Returns the result of a call; an equal call is not made twice.
ExprId ReductionWriter::resultOf(Routine routine, std::vector<ExprId> args) {
  size_t i = 0;
  while (i < calls.size() && (calls[i].routine != routine || calls[i].args != args))
    ++i;
  if (i == calls.size())
    calls.push_back({routine, args, CrcPoly()});
  return g.leaf(Op::Result, i, operationOf(routine).resultBits);
}

/// Calls a routine on the match's region; `more` are its further arguments.
ExprId ReductionWriter::result(Routine routine, unsigned width, std::vector<ExprId> more) {
  std::vector<ExprId> args = {match.src, match.bytes};
  args[1] = g.zextOrTrunc(args[1], loop.ptrBits);
  args.insert(args.end(), more.begin(), more.end());
  return g.zextOrTrunc(resultOf(routine, args), width);
}

ExprId ReductionWriter::unlessNone(ExprId value, const Recurrence &rec) {
  ExprId none = g.binary(Op::Eq, match.bytes, loop.word(0));
  return g.select(none, rec.init, value);
}

/// Sums 32-bit words in the other byte order modulo 2^32 - 1: their plain sum stays
/// below 2^64, and folded twice it is 0 only for 0.
ExprId ReductionWriter::foldedSum(const Reduction::Ones &ones, ExprId src, ExprId bytes) {
  ExprId sum = g.add(ones.state, resultOf(Routine::SumSwapU32, {src, bytes}));
  for (int i = 0; i < 2; ++i)
    sum = g.add(g.binary(Op::And, sum, g.constant(maskOf(32), 64)),
                g.binary(Op::LShr, sum, g.constant(32, 64)));
  return g.cast(Op::Trunc, sum, 32);
}

/// Returns the ones' complement sum of the start value and some of the bytes.
ExprId ReductionWriter::onesSum(const Reduction &r, const Reduction::Ones &ones, ExprId src,
                                ExprId bytes) {
  if (r.swapped && ones.modulus == 32)
    return foldedSum(ones, src, bytes);
  Routine routine = routineFor(OpKind::OnesSum, ones.modulus);
  ExprId start = g.zextOrTrunc(ones.state, ones.modulus == 64 ? 64 : 32);
  ExprId sum = resultOf(routine, {src, bytes, r.swapped ? swap16(start) : start});
  return r.swapped ? swap16(sum) : sum;
}

/// Reads again the value of an access in the last iteration, or any value if `none`.
/// It is read by a sum routine, which reads nothing if the size is 0, so `none` is
/// safe.
ExprId ReductionWriter::lastRead(uint32_t access, ExprId none) {
  const Access &a = loop.accesses[access];
  ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset);
  for (size_t k = 0; k < loop.dims.size(); ++k)
    at = g.add(at, g.mul(g.sub(loop.dims[k].trip, loop.word(1)), a.step[k]));
  uint64_t size = g[a.bytes].value;
  ExprId bytes = g.select(none, loop.word(0), loop.word(size));
  at = g.fromPoly(g.poly(at), loop.ptrBits);
  return g.zextOrTrunc(resultOf(routineFor(OpKind::Sum, unsigned(8 * size)), {at, bytes}),
                       unsigned(8 * size));
}

/// Returns the sum, or, if a fold or carry is left, the result of the last iteration
/// done again. If nothing is read, the state keeps its start value even if that is
/// not folded.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::Ones &ones) {
  const Recurrence &rec = loop.recs[r.rec];
  if (ones.direct) {
    ExprId sum = g.zextOrTrunc(onesSum(r, ones, match.src, match.bytes), rec.width);
    return ones.state == g.zextOrTrunc(rec.init, 64) ? sum : unlessNone(sum, rec);
  }
  // The last iteration is done again from the sum of all before it.
  ExprId none = g.binary(Op::Eq, match.bytes, loop.word(0));
  ExprId last =
      g.select(none, loop.word(0), loop.word(uint64_t(r.elementBytes) * r.elementsPerIteration));
  // Downwards, the last iteration reads the lowest bytes.
  ExprId src = match.descending ? g.add(match.src, last) : match.src;
  ExprId before = onesSum(r, ones, src, g.sub(match.bytes, last));
  std::map<ExprId, ExprId> with;
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    unsigned width = loop.recs[k].width;
    with[g.leaf(Op::Rec, k, width)] =
        k == ones.main ? g.zextOrTrunc(before, width) : g.constant(0, width);
  }
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    with[g.leaf(Op::Load, i, unsigned(8 * g[loop.accesses[i].bytes].value))] = lastRead(i, none);
  return unlessNone(g.substitute(rec.next, with), rec);
}

/// Counts carries. The partner's exact sum is carries * 2^width plus its final value.
/// A 32-bit partner's exact sum fits the routine's 64 bits. For a 64-bit partner, the
/// sum modulo 2^64 - 1 tells the carries, as each counts 1 there; there are fewer
/// than 2^61.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::Carries &carries) {
  const Recurrence &rec = loop.recs[r.rec], &sum = loop.recs[carries.partner];
  ExprId count;
  if (sum.width <= 32) {
    ExprId total = g.add(g.zextOrTrunc(sum.init, 64), result(sumRoutine(r, 64), 64));
    count = g.binary(Op::LShr, total, g.constant(sum.width, 64));
  } else {
    ExprId low = g.add(sum.init, result(Routine::SumU64, 64));
    count = overflows(low, sum.init);
  }
  return g.add(rec.init, g.zextOrTrunc(count, rec.width));
}

/// Counts how often the sum of `init` and all 64-bit elements overflowed 2^64; `low`
/// is that sum modulo 2^64. Modulo 2^64 - 1 the sum is low + carries, so their
/// difference, less a borrow, is the count.
ExprId ReductionWriter::overflows(ExprId low, ExprId init) {
  ExprId ones = result(Routine::OnesSumU64, 64, {init});
  ExprId borrow = g.cast(Op::ZExt, g.binary(Op::ULt, ones, low), 64);
  return g.sub(g.sub(ones, low), borrow);
}

/// Computes both halves of the sum; smaller elements overflow the low one at most
/// once.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::WideSum &) {
  ExprId init = loop.recs[r.rec].init, half = g.constant(64, 128);
  ExprId low = g.cast(Op::Trunc, init, 64);
  ExprId high = g.cast(Op::Trunc, g.binary(Op::LShr, init, half), 64);
  ExprId all = result(sumRoutine(r, 64), 64), sum = g.add(low, all);
  ExprId more =
      r.elementBytes == 8 ? overflows(sum, low) : g.cast(Op::ZExt, g.binary(Op::ULt, sum, all), 64);
  high = g.cast(Op::ZExt, g.add(high, more), 128);
  return g.binary(Op::Or, g.cast(Op::ZExt, sum, 128), g.binary(Op::Shl, high, half));
}

/// Returns x with x * odd = 1 modulo 2^64, by Newton's method.
static uint64_t inverse(uint64_t odd) {
  uint64_t x = odd; // right in 3 bits, and in twice as many after each step
  for (int i = 0; i < 5; ++i)
    x *= 2 - odd * x;
  return x;
}

/// Separates the sums of every other element. Let E and O be the sums of elements 0,
/// 2, 4, ... and 1, 3, 5, ... All elements have the sum E + O; words of twice the
/// size have the sum E + 2^bits * O (or O + 2^bits * E). The difference is 2^bits - 1
/// times the sum of the elements in the high half. Division by that odd number is
/// exact modulo 2^64.
ExprId ReductionWriter::everyOther(const Reduction &r, const Reduction::Sum &sum) {
  Reduction wide = r;
  wide.elementBytes = 2 * r.elementBytes;
  ExprId all = result(sumRoutine(r, 64), 64);
  ExprId pairs = result(sumRoutine(wide, 64), 64);
  uint64_t unit = maskOf(8 * r.elementBytes);
  ExprId high = g.mul(g.sub(pairs, all), g.constant(inverse(unit), 64));
  bool oddIsHigh = loop.bigEndian == r.swapped;
  ExprId odd = oddIsHigh ? high : g.sub(all, high);
  ExprId even = g.sub(all, odd);
  return g.add(g.mul(even, g.constant(sum.factor, 64)), g.mul(odd, g.constant(sum.odd, 64)));
}

/// Bytes that count 256 and 1 in turn are 16-bit words. The routine leaves out an odd
/// last byte, which is added separately.
ExprId ReductionWriter::inTurn(const Reduction &r, const Reduction::Sum &sum) {
  ExprId words =
      g.mul(result(sumRoutine(r, 64), 64), g.constant(std::min(sum.factor, sum.odd), 64));
  ExprId odd = g.binary(Op::And, match.bytes, loop.word(1));
  ExprId at = g.sub(g.add(match.src, match.bytes), odd);
  ExprId last = resultOf(Routine::SumU8, {at, odd});
  return g.add(words, g.mul(last, g.constant(sum.factor, 64)));
}

/// Adds a constant c for each element to the second sum: c * (1 + 2 + ... + m), or up
/// to m - 1 if exclusive. One of m and m + 1 is even, so the division by 2 is exact.
ExprId ReductionWriter::addends(const Reduction &r, const Reduction::WeightedSum &sum,
                                unsigned width) {
  ExprId one = g.constant(1, 64), m = g.mul(iterations(64), g.constant(r.elementsPerIteration, 64));
  ExprId next = sum.exclusive ? g.sub(m, one) : g.add(m, one);
  ExprId even = g.binary(Op::Eq, g.binary(Op::And, m, one), g.constant(0, 64));
  ExprId count = g.select(even, g.mul(g.binary(Op::LShr, m, one), next),
                          g.mul(m, g.binary(Op::LShr, next, one)));
  return g.mul(sum.perIteration, g.zextOrTrunc(count, width));
}

/// Derives the weighted sum of byte-swapped 16-bit words, modulo 2^63. Let V be the
/// weighted sum of the words, and P that of both bytes of each. The result is 257 P -
/// V: swapping turns lo + 256 hi into hi + 256 lo. In the weighted sum of the bytes,
/// those at even addresses count 2 w in a word of weight w, the others 2 w - 1. So it
/// is 2 P less the plain sum of the latter, which the plain sums of words and bytes
/// give: they differ by 255 times the bytes that count 256.
ExprId ReductionWriter::swappedWeights() {
  ExprId bytes = result(Routine::SumU8, 64), words = result(Routine::SumU16, 64);
  ExprId high = g.mul(g.sub(words, bytes), g.constant(inverse(255), 64));
  ExprId odd = loop.bigEndian ? g.sub(bytes, high) : high;
  ExprId twice = g.add(result(Routine::WsumU8, 64), odd);
  ExprId both = g.binary(Op::LShr, twice, g.constant(1, 64));
  return g.sub(g.mul(both, g.constant(257, 64)), result(Routine::WsumU16, 64));
}

/// Makes one call for the sum of recurrence `first` and, if there is one, the sum of such
/// sums of `second`. The result has the first sum in its low half, the second in its high
/// half.
ExprId ReductionWriter::modularSums(const Reduction &r, const Reduction::ModularSum &sum,
                                    uint32_t first, const uint32_t *second, bool exclusive) {
  ExprId start = g.zextOrTrunc(loop.recs[first].init, 64);
  if (second) {
    ExprId high = g.zextOrTrunc(loop.recs[*second].init, 64);
    start = g.binary(Op::Or, start, g.binary(Op::Shl, high, g.constant(32, 64)));
  }
  unsigned how = (sum.fold ? 1 : 0) | (second ? 0 : 2) | (exclusive ? 4 : 0);
  return result(routineOf(OpKind::ModularSum, r, false, r.swapped), 64,
                {start, g.constant(sum.modulus, 64), g.constant(how, 32)});
}

/// Takes the sum from the call that also computes the sum of these sums, if the loop
/// has that.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::ModularSum &sum) {
  const uint32_t *second = nullptr;
  bool exclusive = false;
  for (const Reduction &o : match.reductions) {
    auto *both = o.as<Reduction::ModularWeightedSum>();
    if (!second && both && both->partner == r.rec && both->modulus == sum.modulus &&
        both->partnerFold == sum.fold && o.elementBytes == r.elementBytes &&
        o.swapped == r.swapped) {
      second = &o.rec;
      exclusive = both->exclusive;
    }
  }
  ExprId sums = modularSums(r, sum, r.rec, second, exclusive);
  return g.zextOrTrunc(g.cast(Op::Trunc, sums, 32), loop.recs[r.rec].width);
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::ModularWeightedSum &sum) {
  ExprId sums = modularSums(r, {sum.modulus, sum.partnerFold}, sum.partner, &r.rec, sum.exclusive);
  ExprId own = g.cast(Op::Trunc, g.binary(Op::LShr, sums, g.constant(32, 64)), 32);
  if (sum.partnerFold && !sum.fold) { // the routine folds both
    ExprId isModulus = g.binary(Op::Eq, own, g.constant(sum.modulus, 32));
    own = g.select(isModulus, g.constant(0, 32), own);
  }
  return g.zextOrTrunc(own, loop.recs[r.rec].width);
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::Count &count) {
  const Recurrence &rec = loop.recs[r.rec];
  unsigned width = rec.width;
  ExprId found = result(Routine::CountU8, width, {count.byte});
  ExprId total =
      g.add(rec.init, g.mul(found, g.constant((count.each - count.other) & maskOf(width), width)));
  return g.add(total, g.mul(iterations(width), g.constant(count.other & maskOf(width), width)));
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::Last &) {
  return memlift::lastRead(loop, loop.recs[r.rec].next);
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::Polyhash &hash) {
  const Recurrence &rec = loop.recs[r.rec];
  return result(routineOf(OpKind::Polyhash, r, r.isSigned, false), rec.width,
                {g.zextOrTrunc(rec.init, 64), g.constant(hash.factor, 64)});
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::Sum &sum) {
  const Recurrence &rec = loop.recs[r.rec];
  unsigned width = rec.width;
  ExprId all =
      sum.pairs
          ? g.zextOrTrunc(r.elementsPerIteration == 1 ? inTurn(r, sum) : everyOther(r, sum), width)
          : g.mul(plainSum(r, width), g.constant(sum.factor, width));
  ExprId total = g.add(rec.init, all);
  if (sum.perIteration != NoExpr)
    total = g.add(total, g.mul(sum.perIteration, iterations(width)));
  return total;
}

ExprId ReductionWriter::value(const Reduction &r, const Reduction::WeightedSum &sum) {
  const Recurrence &rec = loop.recs[r.rec];
  unsigned width = rec.width;
  ExprId elements = g.mul(iterations(width), g.constant(r.elementsPerIteration, width));
  ExprId before = g.zextOrTrunc(loop.recs[sum.partner].init, width);
  ExprId total = g.add(rec.init, g.mul(elements, before));
  bool together = r.elementBytes == 1 && !r.isSigned && sumsTogether();
  total = g.add(total, r.swapped ? g.zextOrTrunc(swappedWeights(), width)
                       : together
                           ? halfOfSums(1, width)
                           : result(routineOf(OpKind::WeightedSum, r, r.isSigned, false), width));
  if (sum.exclusive)
    total = g.sub(total, plainSum(r, width));
  return sum.perIteration == NoExpr ? total : g.add(total, addends(r, sum, width));
}

/// Computes the live-out from the routine's result by the formula of its kind (see
/// Reduction). All arithmetic is modulo 2^width of the recurrence.
ExprId ReductionWriter::value(const Reduction &r) {
  return std::visit([&](const auto &kind) { return value(r, kind); }, r.kind);
}

} // namespace memlift
