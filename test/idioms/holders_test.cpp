// holders_test.cpp - what is put somewhere decides how aligned it is, and nothing else does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/align/holders.h"
#include "../../idioms/align/words.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace memlift;

namespace {

/// Puts whose alignment is that of a constant, or of another holder plus a constant.
struct Graph {
  struct Put {
    int from;      // -1: none
    unsigned bits; // at most
  };
  Holders holders;
  std::vector<Put> puts;
  unsigned asked = 0;

  void put(unsigned into, int from, unsigned bits) {
    holders.put(into);
    puts.push_back({from, bits});
  }
  void settle() {
    holders.settle([this](Holders::Put p, unsigned limit) {
      ++asked;
      unsigned bits = std::min(limit, puts[p].bits);
      return puts[p].from < 0 ? bits : std::min(bits, holders.read(unsigned(puts[p].from)));
    });
  }
};

TEST(Holders, TheWorstOfAllThatIsPut) {
  Graph g;
  auto h = g.holders.add();
  g.put(h, -1, 6);
  g.put(h, -1, 1);
  g.put(h, -1, 3);
  g.holders.read(h);
  g.settle();
  EXPECT_EQ(g.holders.bits(h), 1u);
  EXPECT_EQ(g.holders.worst(h), 1u);
}

TEST(Holders, ACycleKeepsWhatNothingTakesAway) {
  Graph g;
  auto a = g.holders.add(), b = g.holders.add();
  g.put(a, -1, 6);
  g.put(a, int(b), 12);
  g.put(b, int(a), 12);
  g.holders.read(b);
  g.settle();
  EXPECT_EQ(g.holders.bits(a), 6u);
  EXPECT_EQ(g.holders.bits(b), 6u);
}

TEST(Holders, NobodyAsksNothingIsLookedAt) {
  Graph g;
  auto a = g.holders.add(), b = g.holders.add(2);
  g.put(a, -1, 6);
  g.holders.read(b);
  g.settle();
  EXPECT_EQ(g.asked, 0u);
  EXPECT_EQ(g.holders.bits(a), 0u); // not proved
  EXPECT_EQ(g.holders.bits(b), 2u);
  EXPECT_EQ(g.holders.worst(b), Holders::noPut);
}

/// Against iteration over everything until nothing changes.
TEST(Holders, TheGreatestThatAgree) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    Graph g;
    unsigned count = 1 + random() % 6;
    std::vector<unsigned> bits, into;
    for (unsigned h = 0; h < count; ++h) {
      bits.push_back(random() % 3 ? Holders::mostBits : unsigned(random() % 13));
      g.holders.add(bits[h]);
    }
    for (unsigned p = 0, n = random() % 10; p < n; ++p) {
      into.push_back(unsigned(random() % count));
      g.put(into[p], int(random() % (count + 1)) - 1, unsigned(random() % 13));
    }
    for (unsigned h = 0; h < count; ++h)
      g.holders.read(h);
    g.settle();
    for (bool again = true; again;) {
      again = false;
      for (size_t p = 0; p < into.size(); ++p) {
        const Graph::Put &put = g.puts[p];
        unsigned is = std::min(put.bits, put.from < 0 ? 12 : bits[size_t(put.from)]);
        again |= is < bits[into[p]];
        bits[into[p]] = std::min(bits[into[p]], is);
      }
    }
    for (unsigned h = 0; h < count; ++h)
      ASSERT_EQ(g.holders.bits(h), bits[h]) << "round " << round;
  }
}

TEST(Words, WhoIsAtFault) {
  AlignGround caller;
  caller.kind = AlignGround::Kind::Callers;
  caller.name = "p of f";
  caller.put = "buf + 2";
  caller.putAt = "f.c:12";
  EXPECT_EQ(whyNotAligned({caller}), "caller at f.c:12 passes buf + 2");
  EXPECT_EQ(whyAligned({caller}), "all callers pass p of f so");
  EXPECT_EQ(whyAligned({}), "computed so");
  EXPECT_EQ(operandName("__builtin_memcpy", 1), "source of memcpy");
  EXPECT_EQ(alignmentLine("f", "f.c:2", "destination of memset", 3, "test at f.c:1"),
            "alignment of f, f.c:2: destination of memset: 8 bytes: test at f.c:1");
}

TEST(Holders, APieceOfAPointerIsNone) {
  std::map<int64_t, int> pointers = {{0, 0}, {8, 0}, {12, 0}, {24, 0}};
  EXPECT_TRUE(isWhole(0, 8, pointers, {}));
  EXPECT_FALSE(isWhole(8, 8, pointers, {})); // 12 begins in it
  EXPECT_FALSE(isWhole(12, 8, pointers, {}));
  EXPECT_TRUE(isWhole(24, 8, pointers, {{16, 24}, {32, 36}}));
  EXPECT_FALSE(isWhole(24, 8, pointers, {{31, 32}}));
  EXPECT_FALSE(isWhole(24, 8, pointers, {{0, 25}}));
}

} // namespace
