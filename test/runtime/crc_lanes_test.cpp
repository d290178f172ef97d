// crc_lanes_test.cpp - CRCs in lanes against a shift register for each lane
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels/kernels.h"
#include "references.h"
#include "stack.h"
#include "support.h"

#include <thread>

namespace {

constexpr unsigned most = 16; // lanes

using Registers = std::vector<uint64_t>;

std::string described(const memlift_crc_poly &t) {
  return "width " + std::to_string(t.width) + ", reflected " + std::to_string(t.reflected) +
         ", polynomial " + std::to_string(t.poly);
}

uint64_t maskOf(const memlift_crc_poly &t) { return ~uint64_t(0) >> (64 - t.width); }

// One round, by the definition. The byte table of t was tested against the shift register.
void plainRound(Registers &registers, const unsigned char *p, const memlift_crc_poly &t) {
  const Bytes zeros(8 * (registers.size() - 1));
  for (uint64_t &c : registers) {
    c = memlift_crc_generic(c, p, 8, &t);
    c = memlift_crc_generic(c, zeros.data(), zeros.size(), &t);
    p += 8;
  }
}

Registers someRegisters(size_t lanes, const memlift_crc_poly &t, std::mt19937_64 &random) {
  Registers registers(lanes);
  for (uint64_t &c : registers)
    c = random() & maskOf(t);
  return registers;
}

// Both the registers and the result, and that the registers of other lanes stay as they are.
void expectLanes(const Registers &from, const unsigned char *p, size_t n, const Registers &want,
                 const memlift_crc_poly &t) {
  Registers have = from;
  have.resize(most + 2, 0x5a5a5a5a5a5a5a5au);
  const uint64_t first = memlift_crc_lanes(have.data(), p, n, unsigned(from.size()), &t);
  EXPECT_EQ(have[from.size()], 0x5a5a5a5a5a5a5a5au) << "of no lane";
  have.resize(from.size());
  ASSERT_EQ(have, want) << described(t) << ", " << from.size() << " lanes, n " << n
                        << ", MEMLIFT_TEST_SEED=" << testSeed();
  ASSERT_EQ(first, want[0]);
}

// Polynomials of every class of kernels, and those that have no constant term.
std::vector<memlift_crc_poly> polys() {
  std::vector<memlift_crc_poly> list;
  for (uint32_t width : {8u, 12u, 16u, 24u, 31u, 32u, 33u, 40u, 64u})
    for (bool reflected : {false, true})
      list.push_back(make(width, reflected, 0xc96c5795d7870f43u));
  list.push_back(make(32, true, 0xedb88320));
  list.push_back(make(32, true, 0x82f63b78));
  list.push_back(make(32, false, 0x04c11db7));
  list.push_back(make(64, true, 0xc96c5795d7870f42u));
  list.push_back(make(32, true, 0x6db88320)); // reflected, x^0 is bit 31
  list.push_back(make(16, true, 1));
  return list;
}

class CrcLanes : public AtLevel {};
AT_EVERY_LEVEL(CrcLanes);

// Calls, as `run`, the test for each choice of kernels of the level.
template <class Run> void withEachKernel(Run run) {
  run();
#if defined(__x86_64__)
  if (memlift_crc_kernel() != memlift_crc_x86_clmul256)
    return;
  memlift_crc_now = memlift_crc_x86_clmul128; // as on a lesser processor of the level
  run();
  memlift_crc_now = memlift_crc_x86_clmul256;
#endif
}

TEST_P(CrcLanes, EveryNumberOfLanesAndOfRounds) {
  withEachKernel([] {
    std::mt19937_64 random(testSeed());
    const size_t rounds = slow ? 18 : 40;
    const Bytes bytes = randomBytes(8 * most * rounds + 64, testSeed());
    for (const memlift_crc_poly &t : polys())
      for (unsigned lanes = 1; lanes <= most; ++lanes) {
        const Registers from = someRegisters(lanes, t, random);
        const size_t at = random() % 64;
        Registers want = from;
        for (size_t round = 0; round <= rounds; ++round) {
          const size_t n = 8 * lanes * round;
          expectLanes(from, &bytes[at], n, want, t);
          if (round < rounds)
            plainRound(want, &bytes[at + n], t);
        }
      }
  });
}

TEST_P(CrcLanes, ManyRounds) {
  withEachKernel([] {
    std::mt19937_64 random(testSeed());
    const Bytes bytes = randomBytes(slow ? 20000 : 60000, testSeed());
    for (const memlift_crc_poly &t : polys())
      for (unsigned lanes = 1; lanes <= most; ++lanes) {
        const Registers from = someRegisters(lanes, t, random);
        const size_t at = random() % 64, n = random() % (bytes.size() - at);
        Registers want = from;
        for (size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes)
          plainRound(want, &bytes[at + i], t);
        expectLanes(from, &bytes[at], n, want, t);
      }
  });
}

// Any polynomial, bit by bit; the bytes after the last round are none of a lane.
TEST_P(CrcLanes, AgainstTheShiftRegister) {
  withEachKernel([] {
    std::mt19937_64 random(testSeed());
    const Bytes bytes = randomBytes(2000, testSeed()), zeros(8 * most);
    for (uint32_t width = 8; width <= 64; ++width)
      for (int i = 0; i < (slow ? 4 : 12); ++i) {
        const memlift_crc_poly t = make(width, i & 1, random());
        const unsigned lanes = 1 + unsigned(random() % most);
        const Registers from = someRegisters(lanes, t, random);
        const size_t at = random() % 64, n = random() % (i & 2 ? 1900 : 300);
        Registers want = from;
        for (size_t j = 0; j < n / (8 * lanes) * lanes; ++j) {
          uint64_t &c = want[j % lanes];
          c = shiftRegister(c, &bytes[at + 8 * j], 8, t);
          c = shiftRegister(c, zeros.data(), 8 * (lanes - 1), t);
        }
        expectLanes(from, &bytes[at], n, want, t);
      }
  });
}

// Nothing is read before the bytes or after the last whole round.
TEST_P(CrcLanes, GuardPages) {
  withEachKernel([] {
    std::mt19937_64 random(testSeed());
    Guarded region(2 * 4096);
    const Bytes bytes = randomBytes(region.size(), testSeed());
    memcpy(region.begin(), bytes.data(), bytes.size());
    for (const memlift_crc_poly &t : polys())
      for (unsigned lanes = 1; lanes <= most; ++lanes)
        for (size_t rounds : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 17u, 33u}) {
          const size_t n = 8 * lanes * rounds;
          const Registers from = someRegisters(lanes, t, random);
          for (const unsigned char *p : {region.begin(), region.end() - n}) {
            Registers want = from;
            for (size_t i = 0; i < n; i += 8 * lanes)
              plainRound(want, p + i, t);
            expectLanes(from, p, n, want, t);
            expectLanes(from, p, n + 8 * lanes - 1, want, t);
          }
        }
  });
}

// And n of no whole round, or no lanes: nothing is touched.
// Asks in several threads at once. The generic kernel keeps tables for the first polynomials and
// numbers of lanes of a process, so each of these tests has one of its own, as by ctest.
void threadsBegin(unsigned lanes) {
  const memlift_crc_poly t = make(32, true, 0xedb88320);
  const size_t rounds = 60;
  const Bytes bytes = randomBytes(8 * lanes * rounds, testSeed());
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      std::mt19937_64 random(testSeed() + k);
      for (int run = 0; run < 20; ++run) {
        const Registers from = someRegisters(lanes, t, random);
        Registers want = from;
        for (size_t round = 0; round < rounds; ++round)
          plainRound(want, &bytes[8 * lanes * round], t);
        expectLanes(from, bytes.data(), bytes.size(), want, t);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(CrcLanes, FiveInSeveralThreads) { threadsBegin(5); }
TEST_P(CrcLanes, SevenInSeveralThreads) { threadsBegin(7); }

TEST_P(CrcLanes, NothingToDo) {
  const memlift_crc_poly t = make(32, true, 0xedb88320);
  for (unsigned lanes = 1; lanes <= most; ++lanes) {
    const Registers from(lanes, 77);
    expectLanes(from, nullptr, 0, from, t);
    expectLanes(from, nullptr, 8 * lanes - 1, from, t);
  }
  EXPECT_EQ(memlift_crc_lanes(nullptr, nullptr, 100, 0, &t), 0u);
}

// Joins the lanes as zlib does, which makes the register of all bytes.
TEST_P(CrcLanes, MakeTheRegisterOfAllBytes) {
  withEachKernel([] {
    const Bytes bytes = randomBytes(16 * 840, testSeed());
    for (const memlift_crc_poly &t : polys())
      for (unsigned lanes = 1; lanes <= most; ++lanes) {
        Registers registers(lanes);
        registers[0] = 0x123456789abcdefu & maskOf(t);
        const uint64_t all = memlift_crc(registers[0], bytes.data(), bytes.size(), &t);
        const size_t n = (bytes.size() / (8 * lanes) - 1) * 8 * lanes;
        memlift_crc_lanes(registers.data(), bytes.data(), n, lanes, &t);
        uint64_t c = 0;
        for (unsigned lane = 0; lane < lanes; ++lane)
          c = memlift_crc(c ^ registers[lane], &bytes[n + 8 * lane], 8, &t);
        const size_t done = n + 8 * lanes;
        ASSERT_EQ(memlift_crc(c, &bytes[done], bytes.size() - done, &t), all)
            << described(t) << ", " << lanes << " lanes, MEMLIFT_TEST_SEED=" << testSeed();
      }
  });
}

unsigned char big[10000];
memlift_crc_poly shared;
uint64_t sharedRegisters[most];
unsigned sharedLanes;

TEST_P(CrcLanes, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  withEachKernel([] {
    const size_t empty = stackUsed([] {});
    for (const memlift_crc_poly &t : polys())
      for (sharedLanes = 1; sharedLanes <= most; ++sharedLanes) {
        shared = t;
        const size_t used = stackUsed(
            [] { memlift_crc_lanes(sharedRegisters, big, sizeof big, sharedLanes, &shared); });
        EXPECT_LT(used - empty, 1024u) << described(t) << ", " << sharedLanes << " lanes";
      }
  });
}

} // namespace
