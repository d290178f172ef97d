// worth.cpp - estimates from which number of iterations a call is faster than the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worth.h"

#include <algorithm>
#include <set>

namespace memlift {
namespace {

/// Latency of an operation in cycles. Casts and constant shifts of small amounts are counted as
/// they are on an out-of-order core of today; a remainder by a constant is two multiplications.
unsigned latencyOf(Op op) {
  switch (op) {
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc: return 0;
  case Op::Mul:
  case Op::ClMul: return 3;
  case Op::Crc32:
  case Op::Crc32c: return 3;
  case Op::URem:
  case Op::SRem: return 8;
  case Op::Table: return 5;
  default: return 1;
  }
}

/// The longest chains from one recurrence to each expression; negative: it does not depend on it.
class Chains {
public:
  Chains(const ExprGraph &g, uint64_t rec) : g(g), rec(rec) {}
  int longest(ExprId id) {
    if (id == NoExpr)
      return -1;
    auto [place, isNew] = known.try_emplace(id, -1);
    if (!isNew)
      return place->second;
    const Expr &e = g[id];
    int most = e.op == Op::Rec && e.value == rec ? 0 : -1;
    for (ExprId operand : {e.a, e.b, e.c}) {
      int before = longest(operand);
      if (before >= 0)
        most = std::max(most, before + int(latencyOf(e.op)));
    }
    return known[id] = most;
  }

private:
  const ExprGraph &g;
  uint64_t rec;
  std::map<ExprId, int> known;
};

/// Cycles of a call for a few bytes: what the routine of that kind took on a Zen 4 for lengths of 0
/// to 16 bytes, its call included (bench/slow). For reversals, which LLVM makes vectors of, it is
/// the number of words from which the routine was faster than that.
unsigned cyclesOf(Routine routine) {
  const Operation &o = operationOf(routine);
  switch (o.kind) {
  case OpKind::Fill:
  case OpKind::Copy:
  case OpKind::Move:
  case OpKind::StepCopy: return 10;
  case OpKind::ReverseCopy: return o.elementBits == 8 ? 20 : o.elementBits == 32 ? 64 : 32;
  case OpKind::SwapCopy:
  case OpKind::Sum:
  case OpKind::LowSum:
  case OpKind::XorFold:
  case OpKind::Count:
  case OpKind::Search:
  case OpKind::Compare: return 14;
  // The carry of 64 bits is an instruction, where its comparison and addition are counted as three
  // cycles; few of them are faster than vectors, whose carries are counted apart.
  case OpKind::OnesSum: return routine == Routine::OnesSumU64 ? 60 : 24;
  case OpKind::PatternFill: return 16;
  // Hashes of neighbouring keys overlap: a chain of multiplications is waited for only in part.
  case OpKind::Polyhash: return 32;
  case OpKind::WeightedSum: return 24;
  // Words of 16 bits take 10 ns up to 96 bytes, as long as seven of them in clang's loop.
  case OpKind::ModularSum: return o.elementBits == 16 ? 49 : 28;
  // Words are turned first, by another routine, and 12 or 20 bytes take twice as long as 16.
  case OpKind::Crc: return routine == Routine::CrcWords ? 160 : 28;
  // Below Operation::testFrom the routine looks bytes up as the loop does, without a test of the
  // table. That is in vain for a table of no CRC, so the threshold is a few bytes higher.
  case OpKind::TableCrc: return 700;
  case OpKind::SliceCrc:
  case OpKind::LaneCrc: return 0; // Decider::slicedFrom()
  }
  return 0;
}

/// Returns the greatest value of an arm of a select that the condition leaves.
uint64_t limitOf(const ExprGraph &g, const Expr &select, bool first) {
  const Expr &test = g[select.a];
  bool strict = test.op == Op::ULt;
  if (first ? test.a != select.b || !g.isConst(test.b) : test.b != select.c || !g.isConst(test.a))
    return ~uint64_t(0);
  if (first) // x < c ? x : y
    return strict || test.op == Op::ULe ? g[test.b].value - strict : ~uint64_t(0);
  return strict ? g[test.a].value : test.op == Op::ULe ? g[test.a].value - 1 : ~uint64_t(0);
}

/// Returns true for x < y ? x : y.
bool isLesserOne(const ExprGraph &g, const Expr &select) {
  const Expr &test = g[select.a];
  return (test.op == Op::ULt || test.op == Op::ULe) && test.a == select.b && test.b == select.c;
}

/// Returns true for an operand that makes a sum smaller: a negative constant, or a multiple by a
/// small one. A large one is the inverse of an odd divisor: n * 0xaaaaaaab is n / 3.
bool isSubtracted(const ExprGraph &g, ExprId id) {
  const Expr &e = g[id];
  uint64_t all = maskOf(e.width);
  if (e.op == Op::Mul)
    return g.isConst(e.b) && (-g[e.b].value & all) <= maskOf(e.width / 2);
  return g.isConst(id) && e.value > all / 2;
}

/// Upper bounds of expressions. Sums and products of several operands are short, so this needs no
/// limit of its own.
struct Bound {
  const Loop &loop;
  /// A compiler writes j - i after a test for i < j, so that nothing wraps below zero: most of
  /// what is subtracted is left out.
  bool subtracts;
  mutable unsigned cases; // sums that are split into cases, as each doubles the work

  uint64_t most(ExprId id) const {
    const Expr &e = loop.exprs[id];
    uint64_t plain = upperBound(loop, id), result = 0;
    if (e.width > 64 || !computed(e, result) || result > maskOf(e.width))
      return plain;
    return std::min(plain, result);
  }

private:
  /// Returns the operand x of (x - c) + c, which a compiler writes for a do loop; else NoExpr.
  ExprId undone(const Expr &e) const {
    const ExprGraph &g = loop.exprs;
    const Expr &inner = g[e.a];
    bool both = g.isConst(e.b) && inner.op == Op::Add && g.isConst(inner.b);
    return both && ((g[e.b].value + g[inner.b].value) & maskOf(e.width)) == 0 ? inner.a : NoExpr;
  }
  /// Returns true for a difference from a constant that is 0 at most, unless it wraps: a compiler
  /// writes a loop with one iteration or very many as b - 1, of one bit b.
  bool wraps(const Expr &sum) const {
    return subtracts && isSubtracted(loop.exprs, sum.b) && loop.exprs.isConst(sum.b) &&
           most(sum.a) <= (-loop.exprs[sum.b].value & maskOf(sum.width));
  }
  /// Bounds a polynomial; 2^64 - 1 if it is not known. What is subtracted is left out, or unknown;
  /// a large factor is the inverse of an odd number, by which an exact quotient is written.
  uint64_t terms(const Poly &p, unsigned width) const {
    uint64_t total = 0;
    for (const auto &[monomial, factor] : p) {
      constexpr int64_t leastFactor = -(1 << 16);
      if (int64_t times = signExtend(factor, width); times < 0) {
        if (!subtracts || times < leastFactor)
          return ~uint64_t(0);
        continue;
      }
      uint64_t product = factor;
      for (ExprId atom : monomial)
        if (__builtin_mul_overflow(product, most(atom), &product))
          return ~uint64_t(0);
      if (__builtin_add_overflow(total, product, &total))
        return ~uint64_t(0);
    }
    return total;
  }
  /// Bounds x + (c ? y : z) by each case alone: the later one of two ends, less the beginning,
  /// which is gone in both differences. 2^64 - 1 if it is no such sum.
  uint64_t bothCases(const Expr &sum) const {
    const ExprGraph &g = loop.exprs;
    bool first = g[sum.a].op == Op::Select;
    const Expr &select = g[first ? sum.a : sum.b];
    if (select.op != Op::Select || sum.width > 64 || !cases)
      return ~uint64_t(0);
    --cases;
    const Poly rest = g.poly(first ? sum.b : sum.a);
    uint64_t result = 0;
    for (ExprId arm : {select.b, select.c}) {
      Poly whole = g.poly(arm);
      for (const auto &[monomial, factor] : rest) {
        uint64_t &place = whole[monomial];
        place = (place + factor) & maskOf(sum.width);
      }
      result = std::max(result, terms(whole, sum.width));
    }
    return result;
  }
  uint64_t addend(ExprId id) const {
    return subtracts && isSubtracted(loop.exprs, id) ? 0 : most(id);
  }
  /// Computes the bound from those of the operands; false if it does not know the operation, or
  /// the bound is above 64 bits.
  bool computed(const Expr &e, uint64_t &result) const {
    const ExprGraph &g = loop.exprs;
    uint64_t by = 0;
    switch (e.op) {
    case Op::Sym: return subtracts && (result = loop.syms[e.value].likely);
    case Op::ZExt: result = most(e.a); return true;
    case Op::Sub: result = most(e.a); return subtracts;
    case Op::URem: result = std::min(most(e.a), g[e.b].value - 1); return true;
    case Op::Select: // c < x ? y : x, as of what is left after loops over words
      if (isLesserOne(g, e))
        return result = std::min(most(e.b), most(e.c)), true;
      result = std::max(std::min(limitOf(g, e, true), most(e.b)),
                        std::min(limitOf(g, e, false), most(e.c)));
      return true;
    case Op::Add:
      if (ExprId x = undone(e); x != NoExpr)
        return result = most(x), true;
      if (wraps(e))
        return false;
      result = bothCases(e);
      if (!__builtin_add_overflow(addend(e.a), addend(e.b), &by))
        result = std::min(result, by);
      return result != ~uint64_t(0);
    case Op::LShr:
      result = g.isConst(e.b) && g[e.b].value < 64 ? most(e.a) >> g[e.b].value : ~uint64_t(0);
      return result != ~uint64_t(0);
    case Op::Mul: return !__builtin_mul_overflow(most(e.a), most(e.b), &result);
    case Op::Shl:
      by = most(e.b);
      return by < e.width && !__builtin_mul_overflow(most(e.a), uint64_t(1) << by, &result);
    default: return false;
    }
  }
};

/// Returns true if `id` is a constant below `least`.
bool isLess(const ExprGraph &g, ExprId id, uint64_t least) {
  return g.isConst(id) && g[id].value < least;
}

/// Returns a + b in its normal form.
ExprId plainSum(ExprGraph &g, ExprId a, ExprId b) {
  return g.fromPoly(g.poly(g.add(a, b)), g.width(a));
}

/// Returns, for x + (c ? y : z) of which one case is a constant below `least`, the other case; else
/// NoExpr. A compiler writes a do loop's count so: the larger one of two ends, less the beginning.
ExprId otherCase(ExprGraph &g, const Expr &sum, uint64_t least) {
  for (bool first : {true, false}) {
    ExprId select = first ? sum.a : sum.b, rest = first ? sum.b : sum.a;
    const Expr s = g[select];
    if (s.op != Op::Select)
      continue;
    ExprId y = plainSum(g, rest, s.b), z = plainSum(g, rest, s.c);
    if (isLess(g, y, least) || isLess(g, z, least))
      return isLess(g, y, least) ? z : y;
  }
  return NoExpr;
}

/// Returns how many iterations the compiler does at once, in vectors that are wider than 16 bytes.
/// Narrower ones take as long for a few elements as one element after another (bench/slow), as what
/// is left after them is done in scalars; and so do elements that have to be widened first.
unsigned wideLanes(const Loop &loop, const Match &match) {
  constexpr unsigned narrow = 128;
  unsigned widest = 0;
  for (const Reduction &r : match.reductions) {
    auto *sum = r.as<Reduction::Sum>();
    unsigned bits = loop.recs[r.rec].width;
    if ((!sum && !r.as<Reduction::XorFold>()) || (sum && sum->pairs) || bits != 8 * r.elementBytes)
      return 1;
    widest = std::max(widest, bits);
  }
  bool wide = widest && match.dst == NoExpr && loop.function.vectorBits > narrow;
  return wide ? loop.function.vectorBits / widest : 1;
}

} // namespace

uint64_t mostOf(const Loop &loop, ExprId id) { return Bound{loop, true, 32}.most(id); }

uint64_t mostSurely(const Loop &loop, ExprId id) { return Bound{loop, false, 32}.most(id); }

uint64_t mostIterations(const Loop &loop, const Dim &dim) {
  uint64_t most = dim.trip == NoExpr ? ~uint64_t(0) : mostOf(loop, dim.trip);
  for (uint64_t bound : {dim.maxTrip, dim.likelyMost})
    most = bound ? std::min(most, bound) : most;
  return most;
}

int cyclesBetween(const ExprGraph &g, uint64_t rec, ExprId next) {
  return Chains(g, rec).longest(next);
}

static void addOperations(const ExprGraph &g, ExprId id, std::set<ExprId> &seen, unsigned &count) {
  if (id == NoExpr || g.isInvariant(id) || !seen.insert(id).second)
    return;
  const Expr &e = g[id];
  count += e.a != NoExpr && latencyOf(e.op);
  for (ExprId operand : {e.a, e.b, e.c})
    addOperations(g, operand, seen, count);
}

unsigned operationsIn(const ExprGraph &g, ExprId value) {
  std::set<ExprId> seen;
  unsigned count = 0;
  addOperations(g, value, seen, count);
  return count;
}

bool rereads(const Loop &loop) {
  return std::any_of(loop.accesses.begin(), loop.accesses.end(),
                     [](const Access &a) { return a.fixed; });
}

bool formsCall(const Loop &loop, const Match &match) {
  auto wraps = [](const Assumption &a) { return a.code == Diag::RingWraps; };
  if (std::any_of(loop.assumptions.begin(), loop.assumptions.end(), wraps) || rereads(loop) ||
      !match.reductions.empty() || match.rows != NoExpr || loop.function.formsNoCalls)
    return false;
  const FillForm *form = match.fill();
  return form ? form->period == 1 : !match.reorders() && match.overlap() == Overlap::Disjoint;
}

unsigned cyclesOfIteration(const Loop &loop) {
  int most = 1;
  for (size_t i = 0; i < loop.recs.size(); ++i)
    most = std::max(most, cyclesBetween(loop.exprs, i, loop.recs[i].next));
  return unsigned(most);
}

unsigned cyclesOfCalls(const Decision &d) {
  unsigned cycles = d.routine == Routine::None ? 0 : cyclesOf(d.routine);
  for (const ReturningCall &c : d.calls)
    if (c.inPlace == NoExpr)
      cycles += cyclesOf(c.routine);
  return cycles;
}

/// Takes an operation off the count in each step and changes the bound in return; none if the bound
/// would not fit. The count (n - 1) / 8 + 1 of a do loop, or that with 1 in place of a count below
/// 1, is at least 10 if n is at least 73.
ExprId enough(ExprGraph &g, ExprId count, uint64_t least) {
  const Expr e = g[count]; // a copy, since the graph may grow
  uint64_t all = maskOf(e.width);
  if (e.op == Op::Add && g.isConst(e.b)) {
    uint64_t added = g[e.b].value;
    if (added > all / 2 ? least <= all / 2 : least > added)
      return enough(g, e.a, (least - added) & all);
  }
  if (e.op == Op::Sub && g.isConst(e.b) && g[e.b].value <= all - least)
    return enough(g, e.a, least + g[e.b].value);
  if (ExprId other = e.op == Op::Add ? otherCase(g, e, least) : NoExpr; other != NoExpr)
    return enough(g, other, least);
  if (e.op == Op::LShr && g.isConst(e.b) && g[e.b].value < e.width && least <= all >> g[e.b].value)
    return enough(g, e.a, least << g[e.b].value);
  if (e.op == Op::Select && (isLess(g, e.b, least) || isLess(g, e.c, least)))
    return enough(g, isLess(g, e.b, least) ? e.c : e.b, least);
  return g.binary(Op::ULe, g.constant(least, e.width), count);
}

/// Returns true for a sum or a fold, whatever it is widened from.
static bool addsElements(const Reduction &r) {
  auto *sum = r.as<Reduction::Sum>();
  return (sum && !sum->pairs) || r.as<Reduction::XorFold>() || r.as<Reduction::Ones>();
}

/// Counts fewer elements for wider sums: a vector of those has half as many elements that are
/// widened once. Where elements are widened fourfold, wider vectors gain nothing (bench/slow), but
/// for those of 64 bytes of a compiler that does so at once. Of those two are begun in a cycle.
uint64_t leastConstant(const Loop &loop, const Match &match, const Decision &d) {
  const unsigned whole = loop.function.wholeVectorBits;
  const ExprGraph &g = loop.exprs;
  const bool wide = whole >= 512;
  constexpr unsigned mostOfByte = 32, narrow = 128; // bits of a sum, of a vector
  unsigned widest = 0;
  bool fourfold = false;
  for (const Reduction &r : match.reductions) {
    unsigned width = loop.recs[r.rec].width;
    if (!addsElements(r) || width > mostOfByte * r.elementBytes)
      return 0;
    widest = std::max(widest, width);
    fourfold |= width > 16 * r.elementBytes;
  }
  const bool atOnce = wide && loop.function.widensFourfold;
  const unsigned bits = fourfold && !atOnce ? std::min(whole, narrow) : whole;
  if (!widest || match.dst != NoExpr || bits < 2 * widest || !g.isConst(match.bytes))
    return 0;
  bool fills = loop.function.vectorBits || g[match.bytes].value % (whole / 8) == 0;
  // Cycles by which code after the loop begins earlier; elements that are widened twice end late.
  const unsigned before = fourfold && !atOnce ? 0 : 2;
  const unsigned inTwoCycles = bits < 512 ? 2 : fourfold ? 3 : 4; // vectors
  uint64_t elements = uint64_t(cyclesOfCalls(d) + before) * inTwoCycles * (bits / widest) / 2;
  return fills ? elements / loop.accesses.size() : 0;
}

/// Returns the cycles of turning a CRC's register that is some steps late, and back: for each of
/// its bits three operations, of which some are done at once.
static unsigned cyclesOfLate(const Match &match) {
  unsigned cycles = 0;
  for (const Reduction &r : match.reductions)
    if (auto *crc = r.as<Reduction::Crc>(); crc && crc->representation.late)
      cycles += 3 * crc->representation.bits;
  return cycles;
}

/// Returns the cycles by which the limit of a call is raised, so that most keys, which have up to
/// 16 bytes, are below it: a processor guesses wrong where some are above and others are not.
static unsigned cyclesOfGuess(const Decision &d) {
  return std::any_of(
             d.calls.begin(), d.calls.end(),
             [](const ReturningCall &c) { return operationOf(c.routine).kind == OpKind::Polyhash; })
             ? 32
             : 0;
}

/// Returns the iterations of more than 64 bytes of a sum of words with carries, so that headers are
/// below the limit of a call: their lengths are guessed wrong in the same way. 0 for other loops,
/// and for narrower elements, of which 64 bytes take longer.
static uint64_t iterationsOfHeaders(const Loop &loop, const Match &match) {
  const bool carries =
      std::any_of(match.reductions.begin(), match.reductions.end(), [](const Reduction &r) {
        return r.is<Reduction::Ones>() && r.elementBytes >= 4;
      });
  uint64_t bytes = 0; // of an iteration
  for (const Access &a : loop.accesses)
    if (carries && loop.exprs.isConst(a.bytes))
      bytes += loop.exprs[a.bytes].value;
  return bytes ? 64 / bytes + 1 : 0;
}

uint64_t leastIterations(const Loop &loop, const Match &match, const Decision &d) {
  unsigned each = cyclesOfIteration(loop);
  uint64_t least = (cyclesOfCalls(d) + cyclesOfLate(match) + cyclesOfGuess(d) + each - 1) / each;
  return std::max(least, iterationsOfHeaders(loop, match)) * wideLanes(loop, match);
}

} // namespace memlift
