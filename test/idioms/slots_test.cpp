// slots_test.cpp - what is put somewhere decides how aligned it is, and nothing else does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../idioms/align/slots.h"
#include "../../idioms/align/explain.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace memlift;

namespace {

/// Puts whose alignment is that of a constant, or of another slot plus a constant.
struct Graph {
  struct Assignment {
    int from;      // -1: none
    unsigned bits; // at most
  };
  AlignSlots slots;
  std::vector<Assignment> assignments;
  unsigned asked = 0;

  void assign(unsigned into, int from, unsigned bits) {
    slots.assign(into);
    assignments.push_back({from, bits});
  }
  void settle() {
    slots.settle([this](AlignSlots::Assignment p, unsigned limit) {
      ++asked;
      unsigned bits = std::min(limit, assignments[p].bits);
      return assignments[p].from < 0 ? bits
                                     : std::min(bits, slots.read(unsigned(assignments[p].from)));
    });
  }
};

TEST(AlignSlots, TheWorstOfAllThatIsPut) {
  Graph g;
  auto h = g.slots.add();
  g.assign(h, -1, 6);
  g.assign(h, -1, 1);
  g.assign(h, -1, 3);
  g.slots.read(h);
  g.settle();
  EXPECT_EQ(g.slots.bits(h), 1u);
  EXPECT_EQ(g.slots.worst(h), 1u);
}

TEST(AlignSlots, ACycleKeepsWhatNothingTakesAway) {
  Graph g;
  auto a = g.slots.add(), b = g.slots.add();
  g.assign(a, -1, 6);
  g.assign(a, int(b), 12);
  g.assign(b, int(a), 12);
  g.slots.read(b);
  g.settle();
  EXPECT_EQ(g.slots.bits(a), 6u);
  EXPECT_EQ(g.slots.bits(b), 6u);
}

TEST(AlignSlots, NobodyAsksNothingIsLookedAt) {
  Graph g;
  auto a = g.slots.add(), b = g.slots.add(2);
  g.assign(a, -1, 6);
  g.slots.read(b);
  g.settle();
  EXPECT_EQ(g.asked, 0u);
  EXPECT_EQ(g.slots.bits(a), 0u); // not proved
  EXPECT_EQ(g.slots.bits(b), 2u);
  EXPECT_EQ(g.slots.worst(b), AlignSlots::noPut);
}

/// Against iteration over everything until nothing changes.
TEST(AlignSlots, TheGreatestThatAgree) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    Graph g;
    unsigned count = 1 + random() % 6;
    std::vector<unsigned> bits, into;
    for (unsigned h = 0; h < count; ++h) {
      bits.push_back(random() % 3 ? AlignSlots::mostBits : unsigned(random() % 13));
      g.slots.add(bits[h]);
    }
    for (unsigned p = 0, n = random() % 10; p < n; ++p) {
      into.push_back(unsigned(random() % count));
      g.assign(into[p], int(random() % (count + 1)) - 1, unsigned(random() % 13));
    }
    for (unsigned h = 0; h < count; ++h)
      g.slots.read(h);
    g.settle();
    for (bool again = true; again;) {
      again = false;
      for (size_t p = 0; p < into.size(); ++p) {
        const Graph::Assignment &put = g.assignments[p];
        unsigned is = std::min(put.bits, put.from < 0 ? 12 : bits[size_t(put.from)]);
        again |= is < bits[into[p]];
        bits[into[p]] = std::min(bits[into[p]], is);
      }
    }
    for (unsigned h = 0; h < count; ++h)
      ASSERT_EQ(g.slots.bits(h), bits[h]) << "round " << round;
  }
}

TEST(Words, WhoIsAtFault) {
  AlignEvidence caller;
  caller.kind = AlignEvidence::Kind::Callers;
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

TEST(AlignSlots, APieceOfAPointerIsNone) {
  std::map<int64_t, int> pointers = {{0, 0}, {8, 0}, {12, 0}, {24, 0}};
  EXPECT_TRUE(isWhole(0, 8, pointers, {}));
  EXPECT_FALSE(isWhole(8, 8, pointers, {})); // 12 begins in it
  EXPECT_FALSE(isWhole(12, 8, pointers, {}));
  EXPECT_TRUE(isWhole(24, 8, pointers, {{16, 24}, {32, 36}}));
  EXPECT_FALSE(isWhole(24, 8, pointers, {{31, 32}}));
  EXPECT_FALSE(isWhole(24, 8, pointers, {{0, 25}}));
}

} // namespace
