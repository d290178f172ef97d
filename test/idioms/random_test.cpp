// random_test.cpp - random loop models: every match is run against its loop model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator makes loop models that are nearly copies and fills: bodies that
// tile or miss a byte, order the loads and stores in every way, share a base or
// not, walk up or down, in one or two dimensions. Whatever the recogniser
// claims must hold on random memory. A failure prints the seed and the loop model.
#include "../../idioms/remark.h"
#include "../../idioms/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace memlift;

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : rng(seed) {}
  Loop make();

private:
  std::mt19937_64 rng;
  Loop loop;
  uint64_t below(uint64_t n) { return rng() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  ExprId trip();
  void body(unsigned width, const std::vector<int64_t> &steps);
  ExprId stepExpr(size_t k, int64_t inner, ExprId extent);
  std::vector<ExprId> steps;
};

ExprId Generator::trip() {
  if (chance(40))
    return loop.word(below(12));
  loop.syms.push_back({"n" + std::to_string(loop.syms.size()), 64});
  return loop.exprs.leaf(Op::Sym, loop.syms.size() - 1, 64);
}

Loop Generator::make() {
  ExprGraph &g = loop.exprs;
  loop.id = "random";
  loop.function.name = "f";
  loop.bigEndian = chance(30);
  loop.bases.resize(chance(50) ? 1 : 2);
  for (size_t i = 0; i < loop.bases.size(); ++i) {
    loop.bases[i].name = std::string(1, char('a' + i));
    loop.bases[i].align = uint64_t(1) << below(5);
  }
  for (unsigned i = 0; i < 2; ++i)
    loop.syms.push_back({"v" + std::to_string(i), 8u << below(3)});
  size_t dims = 1 + below(2);
  for (size_t k = 0; k < dims; ++k)
    loop.dims.push_back({trip(), 0, false});

  // A body of `pieces` accesses over `width` bytes, now and then with a fault.
  static const unsigned sizes[] = {1, 1, 2, 4};
  bool copy = chance(60);
  unsigned pieces = 1 + unsigned(below(3));
  struct Piece {
    int64_t at;
    unsigned bytes;
  };
  std::vector<Piece> list;
  int64_t width = 0;
  for (unsigned i = 0; i < pieces; ++i) {
    unsigned bytes = sizes[below(4)];
    list.push_back({width, bytes});
    width += bytes + (chance(4) ? 1 : 0);
  }
  std::shuffle(list.begin(), list.end(), rng);

  // Steps: contiguous up or down, or nearly so.
  ExprId extent = loop.word(uint64_t(width));
  steps.assign(dims, NoExpr);
  for (size_t k = dims; k-- > 0;) {
    ExprId step = chance(75) ? extent : g.sub(loop.word(0), extent);
    if (chance(6))
      step = g.add(step, loop.word(1 + below(2)));
    steps[k] = step;
    extent = g.mul(extent, loop.dims[k].trip);
  }
  int64_t distance = int64_t(below(40)) - 20;
  uint32_t from = uint32_t(loop.bases.size() - 1);
  std::vector<uint32_t> loads(list.size());
  bool loadsFirst = chance(50);
  auto access = [&](const Piece &p, bool store, uint32_t base, int64_t shift) {
    Access a;
    a.store = store;
    a.base = base;
    a.offset = loop.word(uint64_t(p.at + shift));
    a.step = steps;
    a.bytes = loop.word(p.bytes);
    if (!store && chance(2))
      a.step.back() = loop.word(1);
    loop.accesses.push_back(a);
    return uint32_t(loop.accesses.size() - 1);
  };
  auto load = [&](size_t i) {
    loads[i] = access(list[i], false, from, distance + (chance(2) ? 1 : 0));
  };
  if (copy && loadsFirst)
    for (size_t i = 0; i < list.size(); ++i)
      load(i);
  for (size_t i = 0; i < list.size(); ++i) {
    if (copy && !loadsFirst)
      load(i);
    unsigned bits = 8 * list[i].bytes;
    uint32_t s = access(list[i], true, 0, 0);
    ExprId v;
    if (copy) {
      v = g.leaf(Op::Load, loads[i], bits);
    } else if (chance(40)) {
      v = g.constant(chance(50) ? 0x0101010101010101 * below(3) : below(256), bits);
    } else {
      ExprId sym = g.leaf(Op::Sym, below(2), loop.syms[0].width);
      size_t which = below(2);
      sym = g.leaf(Op::Sym, which, loop.syms[which].width);
      v = chance(50) && g.width(sym) <= bits ? g.splat(sym, bits) : g.zextOrTrunc(sym, bits);
    }
    loop.accesses[s].value = v;
  }
  return std::move(loop);
}

/// Sanitizers make the interpreter ten times slower; tools/test --all has time.
unsigned howMany() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 300;
#else
  return std::getenv("MEMLIFT_TEST_ALL") ? 20000 : 3000;
#endif
}

/// A matching loop model must not only be right; each kind must come up.
TEST(RandomLoops, EveryMatchHolds) {
  std::map<std::string, unsigned> kinds;
  unsigned fast = 0, slow = 0, bindings = howMany();
  for (uint64_t seed = 1; seed <= bindings; ++seed) {
    Loop loop = Generator(seed).make();
    Options options;
    if (seed % 3 == 0)
      options.core = findCore("rocket");
    Outcome o = judge(loop, options);
    ++kinds[nameOf(o.decision.kind)];
    if (o.decision.kind == DecisionKind::Kept)
      continue;
    VerifyResult v = verify(loop, o.match, o.decision, 12, seed);
    ASSERT_EQ(v.mismatch, "") << "seed " << seed << "\n"
                              << print(loop) << makeRemark(loop, o).message;
    fast += v.fast;
    slow += v.runs - v.fast;
  }
  for (const char *kind : {"lowered", "inlined", "guarded", "kept"})
    EXPECT_GT(kinds[kind], bindings / 100) << kind;
  EXPECT_GT(fast, bindings / 3);
  EXPECT_GT(slow, bindings / 60);
}

/// The check itself must be able to fail: wrong decisions are caught.
TEST(RandomLoops, WrongDecisionsAreCaught) {
  unsigned guardless = 0, longer = 0, memcpyForMove = 0, tried = 0;
  const unsigned bindings = std::min(howMany() * 2, 4000u);
  for (uint64_t seed = 1; seed <= bindings; ++seed) {
    Loop loop = Generator(seed).make();
    Outcome o = judge(loop, Options());
    if (o.decision.guard == NoExpr || o.decision.routine == Routine::None)
      continue;
    ++tried;
    Decision bad = o.decision;
    bad.guard = NoExpr;
    guardless += !verify(loop, o.match, bad, 40, seed).mismatch.empty();
    bad = o.decision;
    bad.args.back() = loop.exprs.add(bad.args.back(), loop.word(1));
    longer += !verify(loop, o.match, bad, 40, seed).mismatch.empty();
    bad = o.decision;
    if (bad.routine == Routine::Move) {
      bad.routine = Routine::Copy;
      memcpyForMove += !verify(loop, o.match, bad, 40, seed).mismatch.empty();
    }
  }
  EXPECT_GT(tried, 100u);
  EXPECT_GT(guardless, tried / 4);
  EXPECT_GT(longer, tried / 2);
  EXPECT_GT(memcpyForMove, tried / 20);
}

/// Parsing a printed loop model gives the same one, obstacles included.
TEST(RandomLoops, TextRoundTrip) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Loop loop = Generator(seed).make();
    if (seed % 2)
      loop.obstacles.push_back({Diag::SideEffects, "call of \"g\\h\"", {}});
    if (seed % 5 == 0)
      loop.liveOuts.push_back({"p", seed % 10 == 0});
    std::string once = print(loop);
    std::vector<Loop> back;
    ParseError error;
    ASSERT_TRUE(parseLoops(once, back, error))
        << error.line << ":" << error.col << " " << error.message << "\n"
        << once;
    ASSERT_EQ(back.size(), 1u);
    ASSERT_EQ(print(back[0]), once);
  }
}

/// Cutting a text anywhere, or changing any byte of it, is an error or another
/// loop model, never a crash.
TEST(RandomLoops, DamagedTextIsSafe) {
  std::mt19937_64 rng(7);
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    std::string text = print(Generator(seed % 100 + 1).make());
    if (seed % 2)
      text.resize(rng() % text.size());
    for (unsigned i = 0; i < seed % 4; ++i)
      if (!text.empty())
        text[rng() % text.size()] = char(rng());
    std::vector<Loop> loops;
    ParseError error;
    if (parseLoops(text, loops, error))
      for (Loop &loop : loops)
        judge(loop, Options());
    else
      EXPECT_GT(error.line, 0u);
  }
}

} // namespace
