// random_sum_test.cpp - random sums and hashes: every match is run against its loop model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads tile an iteration (or nearly), factors are mostly alike, accumulators are
// of any width, second sums take the first one before or after its update.
#include "../../idioms/remark.h"
#include "../../idioms/verify.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace memlift;

namespace {

class SumGenerator {
public:
  explicit SumGenerator(uint64_t seed) : rng(seed) {}
  Loop make();

private:
  std::mt19937_64 rng;
  Loop loop;
  std::vector<ExprId> terms; // what one iteration adds, in order
  uint64_t below(uint64_t n) { return rng() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  void loads(unsigned width, bool up);
  ExprId element(uint32_t access, unsigned bytes, unsigned width);
};

/// A loaded word in the accumulator's width: extended, swapped, or cut.
ExprId SumGenerator::element(uint32_t access, unsigned bytes, unsigned width) {
  ExprGraph &g = loop.exprs;
  ExprId v = g.leaf(Op::Load, access, 8 * bytes);
  if (bytes > 1 && chance(15))
    v = g.cast(Op::BSwap, v, 8 * bytes);
  if (8 * bytes < width)
    return g.cast(chance(25) ? Op::SExt : Op::ZExt, v, width);
  return g.zextOrTrunc(v, width);
}

void SumGenerator::loads(unsigned width, bool up) {
  static const unsigned sizes[] = {1, 1, 2, 4, 8};
  unsigned bytes = sizes[below(5)], count = 1 + unsigned(below(4)), at = 0;
  std::vector<unsigned> places;
  for (unsigned i = 0; i < count; ++i, at += bytes + (chance(2) ? 1 : 0))
    places.push_back(at);
  ExprId step = loop.word(chance(3) ? at + 1 : at);
  for (unsigned place : places) {
    Access a;
    a.offset = loop.word(place);
    a.step = {up ? step : loop.exprs.sub(loop.word(0), step)};
    a.bytes = loop.word(bytes);
    loop.accesses.push_back(a);
    terms.push_back(element(uint32_t(loop.accesses.size() - 1), bytes, width));
  }
}

Loop SumGenerator::make() {
  static const unsigned widths[] = {8, 16, 32, 32, 64};
  ExprGraph &g = loop.exprs;
  loop.id = "random";
  loop.function.name = "f";
  loop.bigEndian = chance(30);
  loop.bases.push_back({"p", BaseKind::Argument, 1, 0, false});
  unsigned width = widths[below(5)];
  loop.syms = {{"n", 64}, {"a0", width}, {"b0", width}, {"k", width}};
  loop.dims.push_back({g.leaf(Op::Sym, 0, 64), 0, false});
  loads(width, chance(80));
  ExprId a = g.leaf(Op::Rec, 0, width), b = g.leaf(Op::Rec, 1, width);
  loop.recs = {{"a", width, g.leaf(Op::Sym, 1, width), NoExpr},
               {"b", width, g.leaf(Op::Sym, 2, width), NoExpr}};
  bool hash = chance(20), before = chance(40), second = !hash && chance(50);
  uint64_t k = chance(70) ? 31 : below(5);
  ExprId next = a, sums = b;
  for (ExprId t : terms) {
    if (before)
      sums = g.add(sums, next);
    if (hash)
      next = g.mul(next, g.constant(k, width));
    uint64_t factor = chance(4) ? 3 : 1;
    next = g.add(next, g.mul(t, g.constant(factor, width)));
    if (!before)
      sums = g.add(sums, next);
  }
  if (!hash && chance(10))
    next = g.add(next, g.leaf(Op::Sym, 3, width));
  if (!hash && chance(10))
    next = g.sub(a, g.sub(next, a));
  loop.recs[0].next = next;
  loop.recs[1].next = second ? sums : b;
  loop.liveOuts.push_back({"a", false, 0});
  if (second)
    loop.liveOuts.push_back({"b", false, 1});
  return std::move(loop);
}

/// Sanitizers make the interpreter ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned bindings = 800, wrongSums = 500, damagedTexts = 600;
#else
constexpr unsigned bindings = 8000, wrongSums = 1500, damagedTexts = 3000;
#endif

std::string messageFor(Loop &loop) { return makeRemark(loop, judge(loop, Options())).message; }

TEST(RandomSums, EveryMatchHolds) {
  std::map<std::string, unsigned> idioms;
  unsigned runs = 0;
  for (uint64_t seed = 1; seed <= bindings; ++seed) {
    Loop loop = SumGenerator(seed).make();
    Outcome o = judge(loop, Options());
    if (o.decision.kind == DecisionKind::Kept) {
      ++idioms["kept"];
      continue;
    }
    ++idioms[nameOf(o.match.idiom)];
    VerifyResult v = verify(loop, o.match, o.decision, 6, seed);
    ASSERT_EQ(v.mismatch, "") << "seed " << seed << "\n"
                              << print(loop) << makeRemark(loop, o).message;
    runs += v.runs;
  }
  for (const char *name : {"kept", "sum", "weighted_sum", "polyhash"})
    EXPECT_GT(idioms[name], bindings / 40) << name;
  EXPECT_GT(runs, bindings * 5 / 8);
}

/// The check must be able to fail: a result that is off by one byte, a start
/// value left out, a region one element too long.
TEST(RandomSums, WrongResultsAreCaught) {
  unsigned tried = 0, caught = 0, longer = 0;
  for (uint64_t seed = 1; seed <= wrongSums; ++seed) {
    Loop loop = SumGenerator(seed).make();
    Outcome o = judge(loop, Options());
    if (o.decision.kind != DecisionKind::Lowered)
      continue;
    ++tried;
    Decision bad = o.decision;
    ExprId &value = bad.results[0].value;
    value = loop.exprs.add(value, loop.exprs.constant(1, loop.exprs.width(value)));
    caught += !verify(loop, o.match, bad, 20, seed).mismatch.empty();
    bad = o.decision;
    for (ReturningCall &c : bad.calls)
      c.args[1] = loop.exprs.add(c.args[1], loop.word(8));
    longer += !verify(loop, o.match, bad, 20, seed).mismatch.empty();
  }
  EXPECT_GT(tried, wrongSums / 5);
  EXPECT_EQ(caught, tried);
  EXPECT_GT(longer, tried * 9 / 10);
}

TEST(RandomSums, TextRoundTripAndDamage) {
  std::mt19937_64 rng(11);
  for (uint64_t seed = 1; seed <= damagedTexts; ++seed) {
    Loop loop = SumGenerator(seed % 200 + 1).make();
    loop.tables.push_back({"t", 8u << seed % 4, {1, 2, 3, ~uint64_t(0) >> 56}});
    std::string text = print(loop);
    std::vector<Loop> back;
    ParseError error;
    ASSERT_TRUE(parseLoops(text, back, error)) << error.message << "\n" << text;
    // Operands of an addition may have changed places; the verdict may not.
    ASSERT_EQ(messageFor(back[0]), messageFor(loop)) << text;
    for (unsigned i = 0; i <= seed % 4; ++i)
      text[rng() % text.size()] = char(rng());
    back.clear();
    if (parseLoops(text, back, error))
      for (Loop &damaged : back)
        judge(damaged, Options());
  }
}

} // namespace
