// async_test.cpp - where operations begin and end, on small graphs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/decide/async.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace memlift;

namespace {

/// A function by the text of its blocks, a letter a statement: A and B are the operations; a and b
/// meet them, x meets both; w is worth asyncWorth, L much less; . is worth nothing; ' needs what B
/// is made from, which is not there before. A block that ends with t is left by a test that can be
/// told everywhere, one with T by one that can be told behind its first statement.
class Function : public FlowFacts {
public:
  explicit Function(std::vector<const char *> text) : text(text), flow() {
    flow.blocks.resize(text.size());
    for (uint32_t b = 0; b < text.size(); ++b) {
      flow.blocks[b].statements = uint32_t(strlen(text[b]));
      for (uint32_t i = 0; text[b][i]; ++i)
        if (text[b][i] == 'A' || text[b][i] == 'B')
          at.resize(std::max(at.size(), size_t(text[b][i] - 'A' + 1))),
              at[size_t(text[b][i] - 'A')] = {b, i};
    }
  }
  Function &edge(uint32_t from, uint32_t to) {
    flow.blocks[from].succs.push_back(to);
    flow.blocks[to].preds.push_back(from);
    return *this;
  }
  Function &idom(uint32_t block, uint32_t by) {
    flow.blocks[block].idom = by;
    return *this;
  }
  Function &loop(uint32_t header, std::vector<uint32_t> blocks, uint64_t rounds = 0,
                 uint32_t parent = NoLoop) {
    for (uint32_t b : blocks)
      flow.blocks[b].loop = uint32_t(flow.loops.size());
    FlowLoop l;
    l.header = header, l.parent = parent, l.iterations = rounds;
    flow.loops.push_back(l);
    return *this;
  }
  char letter(FlowPoint p) const { return text[p.block][p.statement]; }
  Stop stop(size_t op, FlowPoint p) override {
    char c = letter(p), own = op ? 'b' : 'a';
    bool other = together && (c == 'A' || c == 'B') && c - 'A' != int(op);
    return c == own || c == 'x' || other ? Stop::Writes : c == 'r' ? Stop::Return : Stop::None;
  }
  bool available(size_t op, FlowPoint p) override {
    for (uint32_t b = 0; op == 1 && b < text.size(); ++b)
      if (const char *def = strchr(text[b], '\''))
        return p.block > b || (p.block == b && p.statement > uint32_t(def - text[b]));
    return true;
  }
  bool decides(uint32_t b, FlowPoint p) override {
    char last = text[b][strlen(text[b]) - 1];
    return last == 't' || (last == 'T' && p.block == b && p.statement > 0);
  }
  uint64_t work(FlowPoint p) override {
    return letter(p) == 'w' ? asyncWorth : letter(p) == '.' ? 0 : 1;
  }
  /// "0.2": begun in front of statement 2 of block 0, the tests it is moved above, the waits; edges
  /// as 1>3.
  std::string plan(size_t op = 0) {
    AsyncPlan p = planAsync(flow, at, *this)[op];
    if (!p.worthIt)
      return "alone";
    std::string s = std::to_string(p.begin.block) + "." + std::to_string(p.begin.statement);
    for (const AsyncGuard &g : p.guards)
      s += " if " + std::to_string(g.from) + ">" + std::to_string(g.to);
    s += ":";
    for (const AsyncWait &w : p.waits)
      s += " " + std::to_string(w.at.block) +
           (w.to == AsyncWait::NoBlock ? "." + std::to_string(w.at.statement)
                                       : ">" + std::to_string(w.to));
    return s;
  }

  bool together = false; // A and B meet
  std::vector<const char *> text;
  Flow flow;
  std::vector<FlowPoint> at;
};

TEST(Async, EndsInFrontOfWhatMeetsIt) {
  EXPECT_EQ(Function({"aA.wa.r"}).plan(), "0.1: 0.4");
  EXPECT_EQ(Function({"aAwr"}).plan(), "0.1: 0.3");
}

TEST(Async, BeginsBehindWhatMeetsIt) {
  EXPECT_EQ(Function({"wa.w.Ar"}).plan(), "0.2: 0.6");
  EXPECT_EQ(Function({"w..Aar"}).plan(), "0.0: 0.4");
}

TEST(Async, BeginsBehindWhatItIsMadeFrom) {
  EXPECT_EQ(Function({"w'wB..A.r"}).plan(1), "0.2: 0.8");
}

TEST(Async, WithoutCompanyItStays) {
  EXPECT_EQ(Function({"aA....ar"}).plan(), "alone");
  EXPECT_EQ(Function({"aA....r"}).plan(), "alone");
}

TEST(Async, EachWayHasItsOwnEnd) {
  Function f({"aA.", "wa.", "w.", ".r"});
  f.edge(0, 1).edge(0, 2).edge(1, 3).edge(2, 3).idom(3, 0);
  EXPECT_EQ(f.plan(), "0.1: 1.1 3.1");
}

// The other way into the last block has nothing to end: its token is 0.
TEST(Async, WaysMeetThatBeganAndDidNot) {
  Function f({"..", "aAw", "ww", "xr"});
  f.edge(0, 1).edge(0, 2).edge(1, 3).edge(2, 3).idom(3, 0);
  EXPECT_EQ(f.plan(), "1.1: 3.0");
}

TEST(Async, IsHoistedToWhereItRunsInAnyCase) {
  Function f({"a..", "w.", "w.", "wA.r"});
  f.edge(0, 1).edge(0, 2).edge(1, 3).edge(2, 3).idom(3, 0);
  EXPECT_EQ(f.plan(), "0.1: 3.3");
}

TEST(Async, IsNotHoistedWhereItMightNotRun) {
  Function leaves({"a..", "w.", "r", "wAr"});
  leaves.edge(0, 1).edge(0, 2).edge(1, 3).idom(3, 1);
  EXPECT_EQ(leaves.plan(), "1.0: 3.2");
  Function meets({"a..", "wa.", "w.", "wAwr"});
  meets.edge(0, 1).edge(0, 2).edge(1, 3).edge(2, 3).idom(3, 0);
  EXPECT_EQ(meets.plan(), "3.0: 3.3");
}

// As empty as the test says: where it comes out the other way nothing is under way.
TEST(Async, IsHoistedAboveATest) {
  Function f({"aw.t", ".A", "a.", ".ar"});
  f.edge(0, 1).edge(0, 2).edge(1, 3).edge(2, 3).idom(3, 0);
  EXPECT_EQ(f.plan(), "0.1 if 0>1: 3.1");
  Function nested({"awt", "..t", "A", "ar"});
  nested.edge(0, 1).edge(0, 3).edge(1, 3).edge(1, 2).edge(2, 3).idom(2, 1).idom(3, 0);
  EXPECT_EQ(nested.plan(), "0.1 if 1>2 if 0>1: 3.0");
}

TEST(Async, IsNotHoistedAboveATestThatNobodyCanTell) {
  Function late({"aw.wT", "A", "ar"});
  late.edge(0, 1).edge(0, 2).edge(1, 2).idom(2, 0);
  EXPECT_EQ(late.plan(), "0.1 if 0>1: 2.0");
  Function later({"w.wT", "A", "ar"});
  later.edge(0, 1).edge(0, 2).edge(1, 2).idom(2, 0);
  EXPECT_EQ(later.plan(), "0.1 if 0>1: 2.0") << "only so far";
  Function unknown({"aww", "A", "ar"});
  unknown.edge(0, 1).edge(0, 2).edge(1, 2).idom(2, 0);
  EXPECT_EQ(unknown.plan(), "alone");
}

TEST(Async, NorForNothingNorPastWhatMeetsIt) {
  Function nothing({"a..t", "Aw", "ar"});
  nothing.edge(0, 1).edge(0, 2).edge(1, 2).idom(2, 0);
  EXPECT_EQ(nothing.plan(), "1.0: 2.0");
  Function meets({"wat", "A", "ar"});
  meets.edge(0, 1).edge(0, 2).edge(1, 2).idom(2, 0);
  EXPECT_EQ(meets.plan(), "alone");
  Function joined({"wt", "wt", "A", "ar"}); // two ways lead to it, of three
  joined.edge(0, 1).edge(0, 2).edge(1, 2).edge(1, 3).edge(2, 3).idom(2, 0).idom(3, 0);
  EXPECT_EQ(joined.plan(), "alone");
  Function around({".", "wt", "A", "ar"}); // each round of the loop has its own
  around.edge(0, 1).edge(1, 2).edge(1, 3).edge(2, 1).idom(2, 1).idom(3, 1).loop(1, {1, 2});
  EXPECT_EQ(around.plan(), "1.0 if 1>2: 2>1");
}

TEST(Async, IsHoistedOverALoopThatDoesNotMeetIt) {
  Function f({"a.", "..", "Aar"});
  f.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1}, 1000);
  EXPECT_EQ(f.plan(), "alone") << "worth nothing";
  Function w({"a.", "w.", "Aar"});
  w.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1}, 1000);
  EXPECT_EQ(w.plan(), "0.1: 2.1");
}

TEST(Async, ALoopThatMeetsItIsNotEntered) {
  Function f({"aAw.", "wa.", "r"});
  f.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1});
  EXPECT_EQ(f.plan(), "0.1: 0>1");
}

TEST(Async, ALoopThatDoesNotIsCompany) {
  Function f({"aA.", "...", "ar"});
  f.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1}, 10);
  EXPECT_EQ(f.plan(), "alone");
  Function l({"aA.", "LL.", "ar"});
  l.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1}, 1000);
  EXPECT_EQ(l.plan(), "0.1: 2.0");
}

// Each round ends what it began; what is begun in the last may go on behind the loop.
TEST(Async, ALoopAroundItIsNotGoneRoundWithIt) {
  Function f({".", "aAw.", "wr"});
  f.edge(0, 1).edge(1, 1).edge(1, 2).idom(2, 1).loop(1, {1});
  EXPECT_EQ(f.plan(), "1.1: 1>1 2.1");
}

// A cycle with two ways in is no loop to anybody; the place of the beginning is not met again.
TEST(Async, NorIsACycleThatIsNoLoop) {
  Function f({"..", "wA.", "w.", "r"});
  f.edge(0, 1).edge(0, 2).edge(1, 2).edge(2, 1).edge(2, 3).idom(2, 0).idom(3, 2);
  EXPECT_EQ(f.plan(), "1.0: 2>1 3.0");
}

TEST(Async, TwoThatDoNotMeetRunTogether) {
  Function f({"xABwxr"});
  EXPECT_EQ(f.plan(0), "0.1: 0.4");
  EXPECT_EQ(f.plan(1), "0.1: 0.4");
}

TEST(Async, TwoThatMeetNeverDo) {
  Function f({"xAwBwxr"});
  f.together = true;
  EXPECT_EQ(f.plan(0), "0.1: 0.3");
  EXPECT_EQ(f.plan(1), "0.3: 0.5");
}

// The second could begin where the first is under way, were it not for the first.
TEST(Async, NorIfTheOneIsMovedToTheOther) {
  Function f({"xAwbwaw.Bwr"});
  f.together = true;
  EXPECT_EQ(f.plan(0), "0.1: 0.5");
  EXPECT_EQ(f.plan(1), "0.5: 0.10");
}

} // namespace
