// ring_test.cpp - an index of a ring is linear wherever its assumptions hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of five bits: every first index, size of the ring and number of steps, for every form.
#include "../../idioms/recognize/ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace memlift {
namespace {

constexpr unsigned width = 5;
constexpr uint64_t all = 31, sign = 16;

int64_t asSigned(uint64_t v) { return signExtend(v, width); }

/// A loop model with symbols for the first index, the ring's size and the steps taken.
struct RingTest : testing::Test {
  Loop loop;
  ExprGraph &g = loop.exprs;
  ExprId first = symbol("first", width), size = symbol("size", width), taken = symbol("taken", 64);
  ExprId at = g.opaque(width), sum = g.add(at, number(1)), mask = g.sub(size, number(1));

  RingTest() { loop.dims.resize(1); }
  ExprId symbol(const char *name, unsigned bits) {
    loop.syms.push_back({name, bits});
    return g.leaf(Op::Sym, loop.syms.size() - 1, bits);
  }
  ExprId number(uint64_t v) { return g.constant(v, width); }
  ExprId flipped(ExprId x) { return g.binary(Op::Xor, x, number(sign)); }
  ExprId leads(Op op, ExprId a, ExprId b, bool onIfTrue) {
    ExprId test = g.binary(op, a, b);
    return onIfTrue ? g.select(test, sum, number(0)) : g.select(test, number(0), sum);
  }
  uint64_t valueOf(ExprId id, std::map<ExprId, ExprId> with) {
    ExprId v = g.substitute(id, with);
    EXPECT_TRUE(g.isConst(v));
    return g[v].value;
  }
  /// Compares with the source's step; returns how often the assumptions hold.
  unsigned check(Ring ring, bool isSigned, std::function<uint64_t(uint64_t, uint64_t)> step) {
    unsigned held = 0;
    loop.assumptions.clear();
    assumeInside(loop, ring, taken, isSigned);
    ExprId end = atEnd(loop, ring, taken, ring.next);
    for (uint64_t s = 0; s <= all; ++s)
      for (uint64_t f = 0; f <= all; ++f)
        for (uint64_t t : {0, 1, 2, 3, 7, 8, 15, 16, 30, 31, 32, 33, 255}) {
          std::map<ExprId, ExprId> with = {
              {first, number(f)}, {size, number(s)}, {taken, g.constant(t, 64)}};
          bool holds = true;
          for (const Assumption &a : loop.assumptions)
            holds = holds && valueOf(a.condition, with);
          if (!holds)
            continue;
          ++held;
          uint64_t start = valueOf(ring.first, with), index = start;
          for (uint64_t k = 0; k <= t; ++k, index = step(index, s)) {
            EXPECT_EQ(index, start + k) << "first " << f << " size " << s;
            EXPECT_TRUE(!isSigned || asSigned(index) == asSigned(start) + int64_t(k))
                << "first " << f << " size " << s;
          }
          EXPECT_EQ(valueOf(end, with), index) << "first " << f << " size " << s << " taken " << t;
        }
    return held;
  }
  /// Checks a step with the sign extended, and without.
  void both(ExprId next, std::function<uint64_t(uint64_t, uint64_t)> step) {
    std::optional<Ring> ring = ringOf(loop, at, next);
    ASSERT_TRUE(ring);
    ring->first = first;
    EXPECT_GT(check(*ring, false, step), 60u);
    EXPECT_GT(check(*ring, true, step), 60u);
  }
};

TEST_F(RingTest, Masked) {
  both(g.binary(Op::And, sum, mask),
       [](uint64_t h, uint64_t s) { return (h + 1) & (s - 1) & all; });
}

TEST_F(RingTest, Equal) {
  auto step = [](uint64_t h, uint64_t s) { return ((h + 1) & all) == s ? 0 : (h + 1) & all; };
  both(leads(Op::Eq, sum, size, false), step);
  both(leads(Op::Ne, size, sum, true), step);
  both(leads(Op::Eq, at, size, false),
       [](uint64_t h, uint64_t s) { return h == s ? 0 : (h + 1) & all; });
}

TEST_F(RingTest, Below) {
  auto below = [](uint64_t h, uint64_t s) { return ((h + 1) & all) < s ? (h + 1) & all : 0; };
  both(leads(Op::ULt, sum, size, true), below);
  both(leads(Op::ULe, size, sum, false), below);
  auto upTo = [](uint64_t h, uint64_t s) { return ((h + 1) & all) <= s ? (h + 1) & all : 0; };
  both(leads(Op::ULe, sum, size, true), upTo);
  both(leads(Op::ULt, size, sum, false), upTo);
  both(leads(Op::ULt, at, size, true),
       [](uint64_t h, uint64_t s) { return h < s ? (h + 1) & all : 0; });
}

TEST_F(RingTest, BelowSigned) {
  auto below = [](uint64_t h, uint64_t s) {
    return asSigned((h + 1) & all) < asSigned(s) ? (h + 1) & all : 0;
  };
  both(leads(Op::ULt, flipped(sum), flipped(size), true), below);
  both(leads(Op::ULe, flipped(size), flipped(sum), false), below);
  both(leads(Op::ULe, flipped(sum), flipped(size), true), [](uint64_t h, uint64_t s) {
    return asSigned((h + 1) & all) <= asSigned(s) ? (h + 1) & all : 0;
  });
  both(leads(Op::ULt, flipped(at), flipped(size), true),
       [](uint64_t h, uint64_t s) { return asSigned(h) < asSigned(s) ? (h + 1) & all : 0; });
}

TEST_F(RingTest, BelowConstant) {
  auto below = [](uint64_t h, uint64_t) { return h + 1 < 20 ? h + 1 : 0; };
  std::optional<Ring> ring = ringOf(loop, at, leads(Op::ULt, sum, number(20), true));
  ASSERT_TRUE(ring);
  ring->first = first;
  EXPECT_GT(check(*ring, false, below), 60u);
  EXPECT_EQ(check(*ring, true, below), 0u); // the last index has the sign
  // -1 > every place: the source's signed comparison never leads on.
  EXPECT_FALSE(ringOf(loop, at, leads(Op::ULt, flipped(sum), flipped(number(sign + 1)), true)));
}

TEST_F(RingTest, Remainder) {
  std::optional<Ring> ring = ringByRemainder(loop, at, sum, size, false);
  ASSERT_TRUE(ring);
  ring->first = first;
  auto step = [](uint64_t h, uint64_t s) { return s ? ((h + 1) & all) % s : 99; };
  // Division by 0 is undefined in the source, whatever the index.
  loop.syms[1].max = all;
  Ring positive = *ring;
  positive.exists = g.binary(Op::Ne, size, number(0));
  EXPECT_GT(check(positive, false, step), 60u);
  ring = ringByRemainder(loop, at, sum, size, true);
  ASSERT_TRUE(ring);
  ring->first = first;
  EXPECT_GT(check(*ring, true,
                  [](uint64_t h, uint64_t s) {
                    return uint64_t(asSigned((h + 1) & all) % asSigned(s)) & all;
                  }),
            60u);
}

TEST_F(RingTest, Cut) {
  // The step of what is cut: one on from it, cut again.
  std::optional<Ring> ring = cutByMask(loop, first, mask);
  ASSERT_TRUE(ring);
  EXPECT_GT(check(*ring, false, [](uint64_t h, uint64_t s) { return (h + 1) & (s - 1) & all; }),
            60u);
  ring = cutByRemainder(loop, first, size, true);
  ASSERT_TRUE(ring);
  EXPECT_GT(check(*ring, true, [](uint64_t h, uint64_t s) { return s ? (h + 1) % s : 99; }), 60u);
}

/// Each first index, size and end of a ring of each form: where the assumptions hold, the loop that
/// tests the index before or after its body ends after so many steps.
TEST_F(RingTest, EndsAtAPlace) {
  ExprId place = symbol("place", width);
  using Step = std::function<uint64_t(uint64_t, uint64_t)>;
  const std::pair<ExprId, Step> forms[] = {
      {g.binary(Op::And, sum, mask),
       [](uint64_t h, uint64_t s) { return (h + 1) & (s - 1) & all; }},
      {leads(Op::Eq, sum, size, false),
       [](uint64_t h, uint64_t s) { return ((h + 1) & all) == s ? 0 : (h + 1) & all; }},
      {leads(Op::ULt, sum, size, true),
       [](uint64_t h, uint64_t s) { return ((h + 1) & all) < s ? (h + 1) & all : 0; }}};
  for (const auto &[next, step] : forms)
    for (bool after : {false, true}) {
      std::optional<Ring> ring = ringOf(loop, at, next);
      ASSERT_TRUE(ring);
      ring->first = first;
      RingEnd end = {*ring, place, after};
      loop.assumptions.clear();
      assumeReached(loop, end);
      ExprId steps = stepsTo(loop, end);
      unsigned held = 0;
      for (uint64_t s = 0; s <= all; ++s)
        for (uint64_t f = 0; f <= all; ++f)
          for (uint64_t e = 0; e <= all; ++e) {
            std::map<ExprId, ExprId> with = {
                {first, number(f)}, {size, number(s)}, {place, number(e)}};
            if (!std::all_of(loop.assumptions.begin(), loop.assumptions.end(),
                             [&](const Assumption &a) { return valueOf(a.condition, with) != 0; }))
              continue;
            ++held;
            uint64_t taken = 0, index = f;
            while (taken <= all && (after ? step(index, s) : index) != e)
              index = step(index, s), ++taken;
            EXPECT_EQ(valueOf(steps, with), taken) << "from " << f << " to " << e << " of " << s;
          }
      EXPECT_GT(held, 500u);
    }
}

TEST_F(RingTest, NearMisses) {
  EXPECT_FALSE(ringOf(loop, at, g.binary(Op::And, g.add(at, number(2)), mask)));
  EXPECT_FALSE(ringOf(loop, at, g.binary(Op::And, g.sub(at, number(1)), mask)));
  EXPECT_FALSE(ringOf(loop, at, g.binary(Op::And, sum, number(23))));
  EXPECT_FALSE(ringOf(loop, at, g.binary(Op::And, sum, number(7))));
  EXPECT_FALSE(ringOf(loop, at, g.binary(Op::And, sum, g.opaque(width))));
  EXPECT_FALSE(ringOf(loop, at, leads(Op::ULt, size, sum, true)));
  EXPECT_FALSE(ringOf(loop, at, leads(Op::ULe, at, size, true)));
  EXPECT_FALSE(ringOf(loop, at, g.select(g.binary(Op::Eq, at, size), at, number(0))));
  EXPECT_FALSE(ringOf(loop, at, g.select(symbol("flag", 1), sum, number(0))));
  EXPECT_FALSE(ringOf(loop, at, sum));
  EXPECT_FALSE(ringOf(loop, at, NoExpr));
}

} // namespace
} // namespace memlift
