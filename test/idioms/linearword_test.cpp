// linearword_test.cpp - moves and look-ups compute the word that they were planned for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words are registers of random polynomials after some steps, fed with data of another width that
// starts at another place, and words with random columns. The plan is run on random inputs.
#include "../../idioms/algebra/linearword.h"

#include <gtest/gtest.h>

#include <random>

namespace memlift {
namespace {

std::mt19937_64 random64(33);

uint64_t below(uint64_t n) { return random64() % n; }

uint64_t shifted(uint64_t v, int up) { return up < 0 ? v >> -up : v << up; }

uint64_t valueOf(const LinearWord &word, const std::vector<uint64_t> &inputs) {
  uint64_t v = word.constant;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (size_t b = 0; b < word.columns[i].size(); ++b)
      if (inputs[i] >> b & 1)
        v ^= word.columns[i][b];
  return v;
}

uint64_t valueOf(const LookUpPlan &plan, uint64_t constant, const std::vector<uint64_t> &inputs) {
  uint64_t v = constant;
  for (const BitMove &m : plan.moves)
    v ^= shifted(inputs[m.input] & m.mask, m.up);
  for (const BitLookUp &l : plan.lookUps) {
    uint64_t index = 0;
    for (const BitLookUp::From &from : l.from)
      index ^= shifted(inputs[from.input], -from.low) & from.mask;
    EXPECT_LT(index, l.entries.size());
    EXPECT_EQ(l.entries.size(), size_t(1) << l.bits);
    v ^= l.entries[index];
  }
  return v;
}

void expectSame(const LinearWord &word, const LookUpPlan &plan) {
  for (int n = 0; n < 20; ++n) {
    std::vector<uint64_t> inputs;
    for (const auto &columns : word.columns)
      inputs.push_back(columns.size() < 64 ? below(uint64_t(1) << columns.size()) : random64());
    ASSERT_EQ(valueOf(word, inputs), valueOf(plan, word.constant, inputs));
  }
}

/// A register of `width` bits after as many steps as there are bits of data, which begin at bit
/// `low` of their input.
LinearWord registerOf(unsigned width, unsigned steps, unsigned low, bool reflected) {
  uint64_t all = width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
  uint64_t poly = (random64() & all) | 1 | uint64_t(1) << (width - 1), top = uint64_t(1)
                                                                             << (width - 1);
  auto run = [&](uint64_t state, uint64_t data) {
    for (unsigned i = 0; i < steps; ++i) {
      if (reflected) {
        bool out = (state ^ data) & 1;
        state = state >> 1 ^ (out ? poly : 0), data >>= 1;
      } else {
        bool out = (state & top) != 0;
        out ^= data >> (steps - 1 - i) & 1;
        state = (state << 1 & all) ^ (out ? poly : 0);
      }
    }
    return state;
  };
  LinearWord word;
  word.constant = random64() & all;
  word.columns.resize(2);
  for (unsigned b = 0; b < width; ++b)
    word.columns[0].push_back(run(uint64_t(1) << b, 0));
  word.columns[1].assign(low, 0);
  for (unsigned b = 0; b < steps; ++b)
    word.columns[1].push_back(run(0, uint64_t(1) << b));
  return word;
}

TEST(LinearWord, ARegisterAndItsByteShareALookUp) {
  for (unsigned width = 5; width <= 64; ++width)
    for (unsigned low = 0; low <= 8; ++low)
      for (bool reflected : {false, true}) {
        LinearWord word = registerOf(width, 8, low, reflected);
        LookUpPlan plan = planLookUps(word);
        EXPECT_EQ(plan.lookUps.size(), 1u) << width << " " << low << " " << reflected;
        EXPECT_LE(plan.moves.size(), 1u);
        expectSame(word, plan);
      }
}

// The type is wider than the register, and what leaves that stays above it.
TEST(LinearWord, BitsAboveARegisterAreMoved) {
  for (unsigned width = 8; width <= 48; ++width)
    for (bool dataFirst : {false, true}) {
      LinearWord word = registerOf(width, 8, 0, false);
      for (unsigned b = width - 8; b < width; ++b)
        word.columns[0][b] |= uint64_t(1) << (b + 8);
      for (unsigned b = width; b < 56; ++b)
        word.columns[0].push_back(uint64_t(1) << (b + 8));
      if (dataFirst)
        std::swap(word.columns[0], word.columns[1]);
      LookUpPlan plan = planLookUps(word);
      EXPECT_EQ(plan.lookUps.size(), 1u) << width;
      EXPECT_LE(plan.moves.size(), 2u);
      expectSame(word, plan);
    }
}

TEST(LinearWord, LongerDataHaveOneLookUpForEachByte) {
  for (unsigned steps : {11u, 16u, 24u, 32u, 56u})
    for (unsigned width : {5u, 16u, 32u, 64u}) {
      LinearWord word = registerOf(width, steps, 0, width % 3 == 0);
      LookUpPlan plan = planLookUps(word);
      // The steps of a register of 5 bits repeat themselves after at most 31, and so do columns.
      if (width > 5) {
        EXPECT_EQ(plan.lookUps.size(), (steps + 7) / 8) << width << " " << steps;
      }
      expectSame(word, plan);
    }
}

/// Sanitizers make this eight times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int randomWords = 400;
#else
constexpr int randomWords = 2000;
#endif

TEST(LinearWord, AnyWordIsComputedByItsPlan) {
  for (int n = 0; n < randomWords; ++n) {
    LinearWord word;
    word.constant = random64();
    std::vector<uint64_t> few;
    for (int i = 0; i < 6; ++i)
      few.push_back(below(2) ? random64() : uint64_t(1) << below(64));
    for (uint64_t inputs = 1 + below(4); inputs-- > 0;) {
      std::vector<uint64_t> columns(1 + below(64));
      for (uint64_t &column : columns)
        column = below(3) ? few[below(few.size())] : below(2) ? uint64_t(1) << below(64) : 0;
      word.columns.push_back(columns);
    }
    expectSame(word, planLookUps(word));
  }
}

TEST(LinearWord, BitsThatOnlyMoveNeedNoLookUp) {
  LinearWord word;
  word.columns.resize(1);
  for (unsigned b = 0; b < 32; ++b) // swapped halves
    word.columns[0].push_back(uint64_t(1) << (b ^ 16));
  LookUpPlan plan = planLookUps(word);
  EXPECT_TRUE(plan.lookUps.empty());
  EXPECT_EQ(plan.moves.size(), 2u);
  expectSame(word, plan);
}

} // namespace
} // namespace memlift
