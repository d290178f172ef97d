// shiftregister_test.cpp - registers are found however they are held, and nothing else
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random CRC is held in a random way; the map of one iteration is measured by
// running it on single bits. What findCrc says of the map is then run beside the
// map itself on random bytes, in the order that CrcRepresentation promises. So is what it
// says of a map with one bit changed: it may find another CRC, but none that is
// not there.
#include "../../idioms/algebra/shiftregister.h"
#include "../../idioms/expr.h"

#include <gtest/gtest.h>

#include <random>

namespace memlift {
namespace {

std::mt19937_64 random64(20);

uint64_t below(uint64_t n) { return random64() % n; }

uint64_t turned(uint64_t v, unsigned bits) {
  uint64_t r = 0;
  for (unsigned i = 0; i < bits; ++i)
    r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}

uint64_t swapped(uint64_t v, unsigned bits) {
  uint64_t r = 0;
  for (unsigned at = 0; at < bits; at += 8)
    r |= (v >> at & 255) << (bits - 8 - at);
  return r;
}

uint64_t mapped(const std::vector<uint64_t> &columns, uint64_t v) {
  uint64_t r = 0;
  for (size_t j = 0; j < columns.size(); ++j)
    if (v >> j & 1)
      r ^= columns[j];
  return r;
}

/// The register that the state holds, and the other way round.
uint64_t taken(const CrcRepresentation &h, uint64_t state) {
  uint64_t v = (state >> h.low & maskOf(h.bits)) ^ h.mixed;
  v = h.bitsReversed ? turned(v, h.bits) : h.bytesReversed ? swapped(v, h.bits) : v;
  v <<= h.shift;
  return h.late ? mapped(lateColumns(h, false), v) : v;
}

uint64_t given(const CrcRepresentation &h, uint64_t crc) {
  uint64_t v = (h.late ? mapped(lateColumns(h, true), crc) : crc) >> h.shift;
  v = h.bitsReversed ? turned(v, h.bits) : h.bytesReversed ? swapped(v, h.bits) : v;
  return (v ^ h.mixed) << h.low;
}

uint64_t iterate(const LinearMap &map, uint64_t state, const std::vector<uint8_t> &bytes) {
  uint64_t r = map.constant ^ mapped(map.state, state);
  for (size_t k = 0; k < bytes.size(); ++k)
    for (unsigned i = 0; i < 8; ++i)
      if (bytes[k] >> i & 1)
        r ^= map.bytes[8 * k + i];
  return r;
}

/// True if the register does what the map does, in the bits that it is in.
bool agrees(const LinearMap &map, const CrcRepresentation &representation, uint64_t zero) {
  uint64_t own = maskOf(representation.bits) << representation.low;
  size_t count = map.bytes.size() / 8;
  for (int trial = 0; trial < 20; ++trial) {
    uint64_t state = random64() & maskOf(unsigned(map.state.size())) & ~zero;
    uint64_t reg = taken(representation, state), above = state & representation.above;
    for (int round = 0; round < 4; ++round) {
      std::vector<uint8_t> bytes(count);
      for (uint8_t &b : bytes)
        b = uint8_t(random64());
      state = iterate(map, state, bytes) & ~zero;
      for (uint8_t b : bytes)
        reg = crcStep(representation.crc, reg, b);
      above = representation.aboveShifts ? above << 8 * count & representation.above : 0;
      if ((given(representation, reg) & own) != (state & own) ||
          (state & representation.above) != above)
        return false;
    }
  }
  return true;
}

/// A CRC of `bits` bits, held in the low ones or somewhere in the type.
CrcRepresentation randomHeld(unsigned bits, bool late) {
  CrcRepresentation h;
  h.bits = bits;
  h.crc.width = bits < 8 ? 8 : bits;
  h.crc.reflected = below(2);
  h.shift = h.crc.reflected ? 0 : h.crc.width - bits;
  uint64_t ends = uint64_t(1) << (bits - 1) | 1; // so that it runs back, too
  h.crc.poly = ((random64() & maskOf(bits)) | ends) << h.shift;
  h.low = unsigned(below(65 - bits));
  h.mixed = below(2) ? random64() & maskOf(bits) : 0;
  h.bitsReversed = below(3) == 0;
  h.bytesReversed = !h.bitsReversed && bits % 16 == 0 && below(2);
  h.late = late && bits >= 16 ? unsigned(1 + below(bits)) : 0;
  return h;
}

/// One iteration over `count` bytes, measured bit by bit.
LinearMap mapOf(const CrcRepresentation &h, size_t count) {
  LinearMap map;
  auto run = [&](uint64_t state, size_t at) {
    uint64_t reg = taken(h, state);
    for (size_t k = 0; k < count; ++k)
      reg = crcStep(h.crc, reg, at / 8 == k ? uint8_t(1 << at % 8) : 0);
    return given(h, reg);
  };
  map.constant = run(0, 8 * count);
  for (unsigned j = 0; j < 64; ++j)
    map.state.push_back(run(uint64_t(1) << j, 8 * count) ^ map.constant);
  for (size_t i = 0; i < 8 * count; ++i)
    map.bytes.push_back(run(0, i) ^ map.constant);
  return map;
}

TEST(ShiftRegister, FoundHoweverItIsHeld) {
  for (int trial = 0; trial < 300; ++trial) {
    CrcRepresentation h = randomHeld(unsigned(3 + below(62)), trial % 4 == 0), found;
    size_t count = h.late ? 1 + below(h.bits / 16) : 1 + below(8);
    uint64_t own = maskOf(h.bits) << h.low;
    LinearMap map = mapOf(h, count);
    ASSERT_EQ(findCrc(map, ~own, ~uint64_t(0), found), CrcSlip::None)
        << trial << ": " << h.bits << " bits from " << h.low << ", "
        << (h.crc.reflected ? "reflected " : "plain ") << h.crc.poly << ", " << count
        << " bytes, late " << h.late << ", turned " << h.bitsReversed << h.bytesReversed;
    EXPECT_TRUE(agrees(map, found, ~own)) << trial;
  }
}

TEST(ShiftRegister, NothingIsFoundThatIsNotThere) {
  unsigned foundAnyway = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    CrcRepresentation h = randomHeld(unsigned(3 + below(62)), trial % 4 == 0), found;
    size_t count = h.late ? 1 + below(h.bits / 16) : 1 + below(8);
    uint64_t own = maskOf(h.bits) << h.low;
    LinearMap map = mapOf(h, count);
    uint64_t wrong = uint64_t(1) << (h.low + below(h.bits));
    if (below(2))
      map.bytes[below(map.bytes.size())] ^= wrong;
    else
      map.state[h.low + below(h.bits)] ^= wrong;
    if (findCrc(map, ~own, ~uint64_t(0), found) == CrcSlip::None) {
      ++foundAnyway;
      EXPECT_TRUE(agrees(map, found, ~own)) << trial;
    }
  }
  EXPECT_LT(foundAnyway, 100u); // small registers have other polynomials nearby
}

TEST(ShiftRegister, BitsAboveItMayBeIgnoredOrShiftedOut) {
  LinearMap map; // 16 bits in 32, unmasked: what leaves them stays above
  auto run = [](uint64_t v) {
    for (int k = 0; k < 8; ++k)
      v = (v & 0x8000 ? v << 1 ^ 0x1021 : v << 1) & maskOf(32);
    return v;
  };
  for (unsigned j = 0; j < 32; ++j)
    map.state.push_back(run(uint64_t(1) << j));
  for (unsigned i = 0; i < 8; ++i)
    map.bytes.push_back(run(uint64_t(1) << (8 + i)));
  CrcRepresentation representation;
  EXPECT_EQ(findCrc(map, 0, 0xffff, representation), CrcSlip::None);
  EXPECT_EQ(representation.crc.poly, 0x1021u);
  EXPECT_EQ(findCrc(map, 0, 0xffffffff, representation), CrcSlip::UpperBits);
  for (uint64_t &v : map.state)
    v &= 0xffff;
  for (uint64_t &v : map.bytes)
    v &= 0xffff;
  EXPECT_EQ(findCrc(map, 0, 0xffffffff, representation), CrcSlip::None);
  EXPECT_EQ(representation.above, 0xffff0000u);
  EXPECT_FALSE(representation.aboveShifts);
}

TEST(ShiftRegister, AnExclusiveOrOfWordsIsNone) {
  for (unsigned bits : {8, 16, 32, 64}) {
    LinearMap map;
    for (unsigned j = 0; j < bits; ++j)
      map.state.push_back(uint64_t(1) << j);
    for (unsigned i = 0; i < bits; ++i)
      map.bytes.push_back(uint64_t(1) << i);
    CrcRepresentation representation;
    EXPECT_NE(findCrc(map, 0, ~uint64_t(0), representation), CrcSlip::None);
  }
}

/// The map of a register of `width` bits in 40, which takes a word and then zeros.
LinearMap laneOf(const CrcPoly &crc, size_t bytes, unsigned round) {
  LinearMap map;
  auto run = [&](uint64_t v, size_t at, uint8_t byte) {
    for (size_t k = 0; k < round; ++k)
      v = crcStep(crc, v, k == at ? byte : 0);
    return v;
  };
  for (unsigned j = 0; j < 40; ++j)
    map.state.push_back(j < crc.width ? run(uint64_t(1) << j, round, 0) : 0);
  for (size_t k = 0; k < bytes; ++k)
    for (unsigned i = 0; i < 8; ++i)
      map.bytes.push_back(run(0, k, uint8_t(1u << i)));
  return map;
}

TEST(ShiftRegister, LanesAreFound) {
  for (int trial = 0; trial < 400; ++trial) {
    CrcPoly crc = {unsigned(8 + below(25)), true, 0}, found;
    crc.poly = (random64() & maskOf(crc.width)) | uint64_t(1) << (crc.width - 1);
    if (crc.poly == uint64_t(1) << (crc.width - 1))
      continue;
    const unsigned round = unsigned(8 * (1 + below(16)));
    LinearMap map = laneOf(crc, 8, round);
    ASSERT_TRUE(findCrcLane(map, 0, round, found)) << trial;
    EXPECT_EQ(found, crc);
    EXPECT_FALSE(findCrcLane(map, 0, round + 1, found));
    map.state[39] = 1; // used, and not known to be 0
    EXPECT_FALSE(findCrcLane(map, 0, round, found));
    EXPECT_TRUE(findCrcLane(map, uint64_t(1) << 39, round, found));
    map.constant = 1;
    EXPECT_FALSE(findCrcLane(map, uint64_t(1) << 39, round, found));
  }
}

TEST(ShiftRegister, NoLaneIsFoundWithAWrongBit) {
  for (int trial = 0; trial < 2000; ++trial) {
    CrcPoly crc = {unsigned(8 + below(25)), trial % 4 != 0, 0}, found;
    crc.poly = (random64() & maskOf(crc.width)) | 1 | uint64_t(1) << (crc.width - 1);
    LinearMap map = laneOf(crc, 8, 40);
    uint64_t wrong = crc.reflected ? uint64_t(1) << below(40) : 0;
    if (below(2))
      map.bytes[below(64)] ^= wrong;
    else
      map.state[below(crc.width)] ^= wrong;
    EXPECT_FALSE(findCrcLane(map, 0, 40, found)) << trial;
  }
}

} // namespace
} // namespace memlift
