// congruence_test.cpp - what is said of lowest bits is so, tried with all values of small widths
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/align/query.h"

#include <gtest/gtest.h>

#include <random>

using namespace memlift;

namespace {

constexpr unsigned Width = 4, Symbols = 3;
constexpr uint64_t Mask = (1u << Width) - 1;

/// Values of the symbols; every symbol has Width bits.
using Values = std::vector<uint64_t>;

uint64_t eval(const ExprGraph &g, ExprId id, const Values &v) {
  const Expr &e = g[id];
  uint64_t mask = maskOf(e.width);
  switch (e.op) {
  case Op::Const: return e.value;
  case Op::Sym: return v[e.value];
  case Op::ZExt: return eval(g, e.a, v);
  case Op::SExt: return uint64_t(signExtend(eval(g, e.a, v), g.width(e.a))) & mask;
  case Op::Trunc: return eval(g, e.a, v) & mask;
  case Op::Select: return eval(g, eval(g, e.a, v) ? e.b : e.c, v);
  case Op::URem: return eval(g, e.a, v) % eval(g, e.b, v);
  default: return foldBinary(e.op, eval(g, e.a, v), eval(g, e.b, v), g.width(e.a)) & mask;
  }
}

/// Calls `each` with all values of the symbols for which the conditions hold.
template <typename Each>
void forAll(const ExprGraph &g, const std::vector<std::pair<ExprId, bool>> &conditions,
            const Each &each) {
  Values v(Symbols);
  for (uint64_t n = 0; n >> (Width * Symbols) == 0; ++n) {
    for (unsigned i = 0; i < Symbols; ++i)
      v[i] = n >> (i * Width) & Mask;
    bool holds = true;
    for (auto [c, value] : conditions)
      holds = holds && (eval(g, c, v) != 0) == value;
    if (holds)
      each(v);
  }
}

class Maker {
public:
  explicit Maker(unsigned seed) : random(seed) {
    for (unsigned i = 0; i < Symbols; ++i)
      symbols.push_back(g.leaf(Op::Sym, i, Width));
  }
  unsigned below(unsigned n) { return unsigned(random() % n); }
  ExprId constant() { return g.constant(below(4) ? 1u << below(Width) : random(), Width); }
  /// A mask as people write them: low ones, high ones, one bit, or anything.
  ExprId mask() {
    uint64_t low = (uint64_t(1) << (1 + below(3))) - 1;
    uint64_t masks[] = {low, ~low, low + 1, random()};
    return g.constant(masks[below(4)] & Mask, Width);
  }
  ExprId value(unsigned depth) {
    if (depth == 0 || below(5) == 0)
      return below(5) ? symbols[below(Symbols)] : constant();
    ExprId a = value(depth - 1);
    switch (below(13)) {
    case 0:
    case 1: return g.add(a, value(depth - 1));
    case 2: return g.sub(a, value(depth - 1));
    case 3: return g.mul(a, below(2) ? constant() : value(depth - 1));
    case 4:
    case 5: return g.binary(Op::And, a, mask());
    case 6: return g.binary(below(2) ? Op::Or : Op::Xor, a, mask());
    case 7: return g.binary(below(2) ? Op::Or : Op::Xor, a, value(depth - 1));
    case 8: return g.binary(Op::And, a, value(depth - 1));
    case 9: return g.binary(below(2) ? Op::LShr : Op::Shl, a, g.constant(below(Width), Width));
    case 10: return g.binary(Op::URem, a, g.constant(1 + below(12), Width));
    case 11: return g.select(condition(depth - 1), a, value(depth - 1));
    default: {
      unsigned narrow = 1 + below(Width - 1);
      return g.cast(below(2) ? Op::ZExt : Op::SExt, g.cast(Op::Trunc, a, narrow), Width);
    }
    }
  }
  ExprId condition(unsigned depth) {
    ExprId zero = g.constant(0, Width), a = value(depth);
    switch (below(8)) {
    case 0: return g.binary(Op::Eq, a, value(depth));
    case 1: return g.binary(Op::Ne, g.binary(Op::And, a, mask()), zero);
    case 2: return g.binary(Op::ULt, g.binary(Op::And, a, mask()), g.constant(1, Width));
    case 3: return g.cast(Op::Trunc, a, 1);
    case 4:
      return depth
                 ? g.binary(below(2) ? Op::And : Op::Or, condition(depth - 1), condition(depth - 1))
                 : g.binary(Op::ULe, a, zero);
    case 5: return g.binary(Op::Xor, g.binary(Op::Eq, a, zero), g.constant(1, 1));
    default: return g.binary(Op::Eq, g.binary(Op::And, a, mask()), zero);
    }
  }
  ExprGraph g;
  std::vector<ExprId> symbols;

private:
  std::mt19937 random;
};

/// Sanitizers take ten times as long for all values of a width.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned seeds = 1000;
#else
constexpr unsigned seeds = 4000;
#endif

TEST(Congruences, EveryAnswerHoldsForAllValues) {
  unsigned always = 0, never = 0, agree = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    Maker m(seed);
    Congruences facts(m.g);
    std::vector<std::pair<ExprId, bool>> conditions;
    for (unsigned i = 0, n = m.below(4); i < n; ++i) {
      conditions.push_back({m.condition(2), m.below(3) != 0});
      facts.assume(conditions[i].first, conditions[i].second, i);
    }
    ExprId a = m.value(3), b = m.below(2) ? m.g.add(a, m.mask()) : m.value(2);
    unsigned low = 1 + m.below(3), same = facts.agreeing(a, b);
    Aligned claim = facts.aligned(a, low);
    always += claim == Aligned::Always;
    never += claim == Aligned::Never;
    agree += same > 0;
    forAll(m.g, conditions, [&](const Values &v) {
      uint64_t x = eval(m.g, a, v), y = eval(m.g, b, v);
      bool isAligned = (x & maskOf(low)) == 0;
      ASSERT_FALSE(claim == Aligned::Always && !isAligned) << "seed " << seed;
      ASSERT_FALSE(claim == Aligned::Never && isAligned) << "seed " << seed;
      ASSERT_EQ((x ^ y) & maskOf(same), 0u) << "seed " << seed;
      ASSERT_FALSE(facts.impossible()) << "seed " << seed;
    });
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(always, seeds / 8); // or the test says nothing
  EXPECT_GT(never, seeds / 80);
  EXPECT_GT(agree, seeds / 5);
}

/// Every consequence of linear facts is found.
TEST(Congruences, NothingThatFollowsFromLinearFactsIsMissed) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < seeds / 4; ++seed) {
    Maker m(seed);
    Congruences facts(m.g);
    auto linear = [&] {
      ExprId sum = m.g.constant(m.below(8), Width);
      for (ExprId s : m.symbols)
        sum = m.g.add(sum, m.g.mul(s, m.g.constant(m.below(9), Width)));
      return sum;
    };
    std::vector<std::pair<ExprId, bool>> conditions;
    for (unsigned i = 0, n = 1 + m.below(4); i < n; ++i) {
      unsigned bits = 1 + m.below(Width);
      ExprId a = linear();
      facts.zero(a, bits, i);
      ExprId low = m.g.binary(Op::And, a, m.g.constant(maskOf(bits), Width));
      conditions.push_back({m.g.binary(Op::Eq, low, m.g.constant(0, Width)), true});
    }
    ExprId a = linear();
    uint64_t set = 0;
    bool any = false;
    forAll(m.g, conditions, [&](const Values &v) {
      set |= eval(m.g, a, v);
      any = true;
    });
    if (!any)
      continue; // no values: whatever is said holds
    unsigned zeros = set ? unsigned(__builtin_ctzll(set)) : Width;
    EXPECT_EQ(facts.zeroBits(a), zeros) << "seed " << seed;
    found += zeros > 0;
  }
  EXPECT_GT(found, seeds / 30);
}

struct Pointers : testing::Test {
  ExprGraph g;
  ExprId d = g.leaf(Op::Sym, 0, 64), s = g.leaf(Op::Sym, 1, 64), n = g.leaf(Op::Sym, 2, 64);
  Congruences facts{g};
  ExprId number(uint64_t v) { return g.constant(v, 64); }
  ExprId low(ExprId x, uint64_t mask) { return g.binary(Op::And, x, number(mask)); }
  ExprId isZero(ExprId x) { return g.binary(Op::Eq, x, number(0)); }
};

TEST_F(Pointers, AJointTestIsOneOfEach) {
  facts.assume(isZero(low(g.binary(Op::Or, d, s), 7)), true, 3);
  Congruences::Sources why;
  EXPECT_EQ(facts.aligned(d, 3, &why), Aligned::Always);
  EXPECT_EQ(why, Congruences::Sources{3});
  EXPECT_EQ(facts.aligned(s, 3), Aligned::Always);
  EXPECT_EQ(facts.aligned(s, 4), Aligned::Unknown);
  EXPECT_EQ(facts.aligned(g.add(s, number(4)), 3), Aligned::Never);
}

TEST_F(Pointers, EquallyMisalignedOnesAreAlignedTogether) {
  ExprId peeled = g.leaf(Op::Sym, 3, 64); // iterations of while (d & 7)
  facts.assume(isZero(low(g.binary(Op::Xor, d, s), 7)), true, 0);
  EXPECT_EQ(facts.aligned(g.add(s, peeled), 3), Aligned::Unknown);
  facts.assume(isZero(low(g.add(d, peeled), 7)), true, 1);
  EXPECT_EQ(facts.aligned(g.add(s, peeled), 3), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.add(s, g.add(peeled, number(32))), 3), Aligned::Always);
  EXPECT_EQ(facts.aligned(s, 3), Aligned::Unknown);
}

TEST_F(Pointers, RoundingUpAndDown) {
  ExprId up = low(g.add(d, number(63)), ~uint64_t(63));
  EXPECT_EQ(facts.aligned(up, 6), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.add(d, low(g.sub(number(0), d), 63)), 6), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.sub(d, g.binary(Op::URem, d, number(64))), 6), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.sub(d, g.binary(Op::URem, d, number(48))), 4), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.sub(d, g.binary(Op::URem, d, number(48))), 5), Aligned::Unknown);
}

TEST_F(Pointers, AProductIsAsAlignedAsItsFactors) {
  facts.zero(d, 6, 0);
  ExprId row = g.mul(g.binary(Op::Shl, n, number(2)), g.binary(Op::Shl, s, number(3)));
  EXPECT_EQ(facts.aligned(g.add(d, row), 5), Aligned::Always);
  EXPECT_EQ(facts.aligned(g.add(d, row), 6), Aligned::Unknown);
}

TEST_F(Pointers, AWrongWidthIsNoAnswer) {
  ExprId c = g.leaf(Op::Sym, 6, 8);
  facts.zero(c, 64, 0);
  EXPECT_EQ(facts.aligned(c, 8), Aligned::Always);
  EXPECT_EQ(facts.aligned(c, 9), Aligned::Unknown);
  EXPECT_EQ(facts.aligned(d, 0), Aligned::Always);
}

TEST_F(Pointers, WhatCannotBeIsSaid) {
  facts.zero(d, 3, 0);
  EXPECT_FALSE(facts.impossible());
  facts.assume(isZero(low(g.add(d, number(4)), 7)), true, 1);
  EXPECT_TRUE(facts.impossible());
}

/// while (n && (d & 7)) { d++; n--; }   if (n == 0) return;
/// while (n > 7) { is d aligned? d += 8; n -= 8; }
struct Peeled : testing::Test {
  AlignQuery q;
  ExprGraph &g = q.g;
  ExprId number(uint64_t v) { return g.constant(v, 64); }
  ExprId low(ExprId x) { return g.binary(Op::And, x, number(7)); }
  ExprId isZero(ExprId x) { return g.binary(Op::Eq, x, number(0)); }
  enum : unsigned { Header = 1, Second = 2, Behind = 3, Chunks = 5, Body = 6 };

  /// The answer for the chunks, with the ways into the block behind the first loop
  /// or without, and steps of `step`.
  Aligned ask(bool split, uint64_t step, bool testsLow = true) {
    q.dominates = [](unsigned a, unsigned b) { return a <= b; };
    ExprId start = q.leaf(64), length = q.leaf(64);
    ExprId d = q.leaf(64), n = q.leaf(64), left = q.leaf(64), e = q.leaf(64);
    q.phis.push_back({Header, d, {start, g.add(d, number(1))}, {false, true}, 1});
    q.phis.push_back({Header, n, {length, g.sub(n, number(1))}, {false, true}, 1});
    q.phis.push_back({Behind, left, {number(0), n}, {false, false}, AlignQuery::noLoop});
    q.phis.push_back({Chunks, e, {d, g.add(e, number(step))}, {false, true}, 2});
    q.tests.push_back({Chunks, isZero(left), false});
    AlignQuery::IncomingEdge nothingLeft, stopped;
    nothingLeft.tests.push_back({Behind, isZero(n), true});
    nothingLeft.values.push_back({left, number(0)});
    stopped.tests.push_back({Second, isZero(n), false});
    if (testsLow)
      stopped.tests.push_back({Behind, isZero(low(d)), true});
    stopped.values.push_back({left, n});
    if (split)
      q.splits.push_back({nothingLeft, stopped});
    return q.aligned(e, 3);
  }
};

TEST_F(Peeled, TheWayThatIsLeftIsTheOneThatIsAligned) { EXPECT_EQ(ask(true, 8), Aligned::Always); }
TEST_F(Peeled, NotWithoutItsTest) { EXPECT_EQ(ask(true, 8, false), Aligned::Unknown); }
TEST_F(Peeled, NotWithoutTheWays) { EXPECT_EQ(ask(false, 8), Aligned::Unknown); }
TEST_F(Peeled, NotByStepsOfFour) { EXPECT_EQ(ask(true, 4), Aligned::Unknown); }

TEST(AlignQuery, WhatStaysSoRoundALoop) {
  AlignQuery q;
  q.dominates = [](unsigned a, unsigned b) { return a <= b; };
  ExprId p = q.leaf(64), start = q.leaf(64, 5), by = q.leaf(64, 3);
  q.phis.push_back({1, p, {start, q.g.add(p, by)}, {false, true}, 0});
  EXPECT_EQ(q.zeroBits(p, 12), 3u);
  EXPECT_EQ(q.aligned(p, 4), Aligned::Unknown);
  EXPECT_EQ(q.aligned(q.g.add(p, q.g.constant(4, 64)), 3), Aligned::Never);
}

TEST(AlignQuery, WhatIsCarriedFromIterationToIteration) {
  AlignQuery q;
  q.dominates = [](unsigned a, unsigned b) { return a <= b; };
  ExprId d = q.leaf(64, 6), n = q.leaf(64), p = q.leaf(64), r = q.leaf(64);
  ExprId step = q.g.mul(n, q.g.constant(24, 64));
  q.phis.push_back({1, p, {d, q.g.add(p, step)}, {false, true}, 0});
  // Only at its start is it aligned: the step is odd.
  q.phis.push_back({1, r, {d, q.g.add(r, q.g.constant(3, 64))}, {false, true}, 0});
  EXPECT_EQ(q.aligned(p, 3), Aligned::Always);
  EXPECT_EQ(q.aligned(p, 4), Aligned::Unknown);
  EXPECT_EQ(q.aligned(r, 1), Aligned::Unknown);
}

TEST(AlignQuery, OneOfTwoTestsAndNotTheOther) {
  // if (n == 0 || !(d & 7)) { if (n) is d aligned? }
  AlignQuery q;
  q.dominates = [](unsigned a, unsigned b) { return a <= b; };
  ExprId d = q.leaf(64), n = q.leaf(64), zero = q.g.constant(0, 64);
  ExprId empty = q.g.binary(Op::Eq, n, zero);
  ExprId low = q.g.binary(Op::Ne, q.g.binary(Op::And, d, q.g.constant(7, 64)), zero);
  q.tests.push_back(q.either(3, {3, empty, true}, {3, low, false}));
  EXPECT_EQ(q.aligned(d, 3), Aligned::Unknown);
  q.tests.push_back({4, empty, false});
  EXPECT_EQ(q.aligned(d, 3), Aligned::Always);
}

TEST(AlignQuery, OneOfSeveral) {
  AlignQuery q;
  q.dominates = [](unsigned a, unsigned b) { return a <= b; };
  ExprId d = q.leaf(64, 4), s = q.leaf(64, 6), p = q.leaf(64);
  q.phis.push_back({1,
                    p,
                    {d, q.g.add(s, q.g.constant(16, 64)), q.g.add(d, q.g.constant(64, 64))},
                    {false, false, false},
                    AlignQuery::noLoop});
  EXPECT_EQ(q.aligned(p, 4), Aligned::Always);
  EXPECT_EQ(q.aligned(p, 5), Aligned::Unknown);
}

TEST(AlignQuery, ATestBehindTheMergeProvesNothingOfTheLoop) {
  // do { p = q; q = load; } while (..); if (!(q & 7)) ...: p was another load.
  AlignQuery q;
  q.dominates = [](unsigned a, unsigned b) { return a <= b; };
  ExprId p = q.leaf(64), load = q.leaf(64), start = q.leaf(64, 6);
  q.phis.push_back({1, p, {start, load}, {false, true}, 0});
  q.tests.push_back(
      {2, q.g.binary(Op::Eq, q.g.binary(Op::And, load, q.g.constant(7, 64)), q.g.constant(0, 64)),
       true});
  EXPECT_EQ(q.aligned(load, 3), Aligned::Always);
  EXPECT_EQ(q.aligned(p, 1), Aligned::Unknown);
}

} // namespace
