// sums.cpp - an interpreter of decisions: the routines that return a sum, done slowly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../algebra/ones.h"
#include "machine.h"

namespace memlift {

/// Returns one element of a sum's region, as the routine reads it.
uint64_t Machine::element(Routine r, uint64_t at) {
  auto read = [&](unsigned size, bool swapped) {
    uint64_t v = 0;
    for (unsigned i = 0; i < size; ++i)
      v = v << 8 | memory[at - arenaBase + (loop.bigEndian != swapped ? i : size - 1 - i)];
    return v;
  };
  switch (r) {
  case Routine::SumS8:
  case Routine::WsumS8:
  case Routine::PolyhashS8: return uint64_t(signExtend(read(1, false), 8));
  case Routine::SumU16:
  case Routine::WsumU16:
  case Routine::InetSum:
  case Routine::PolyhashU16:
  case Routine::ModsumU16:
  case Routine::XorU16: return read(2, false);
  case Routine::SumS16: return uint64_t(signExtend(read(2, false), 16));
  case Routine::SumSwapU16:
  case Routine::ModsumSwapU16: return read(2, true);
  case Routine::SumSwapS16: return uint64_t(signExtend(read(2, true), 16));
  case Routine::SumU32:
  case Routine::WsumU32:
  case Routine::ModsumU32:
  case Routine::PolyhashU32:
  case Routine::XorU32:
  case Routine::OnesSumU32: return read(4, false);
  case Routine::SumS32: return uint64_t(signExtend(read(4, false), 32));
  case Routine::SumSwapU32:
  case Routine::ModsumSwapU32: return read(4, true);
  case Routine::SumSwapS32: return uint64_t(signExtend(read(4, true), 32));
  case Routine::SumSwapU64: return read(8, true);
  case Routine::SumU64:
  case Routine::WsumU64:
  case Routine::XorU64:
  case Routine::PolyhashU64:
  case Routine::OnesSumU64: return read(8, false);
  default: return read(1, false);
  }
}

static unsigned elementSize(Routine r) {
  switch (r) {
  case Routine::SumU16:
  case Routine::SumS16:
  case Routine::SumSwapU16:
  case Routine::SumSwapS16:
  case Routine::WsumU16:
  case Routine::InetSum:
  case Routine::ModsumU16:
  case Routine::ModsumSwapU16:
  case Routine::XorU16:
  case Routine::PolyhashU16: return 2;
  case Routine::SumU32:
  case Routine::SumS32:
  case Routine::SumSwapU32:
  case Routine::SumSwapS32:
  case Routine::WsumU32:
  case Routine::OnesSumU32:
  case Routine::ModsumU32:
  case Routine::ModsumSwapU32:
  case Routine::XorU32:
  case Routine::PolyhashU32: return 4;
  case Routine::SumU64:
  case Routine::SumSwapU64:
  case Routine::OnesSumU64:
  case Routine::WsumU64:
  case Routine::XorU64:
  case Routine::PolyhashU64: return 8;
  default: return 1;
  }
}

uint64_t Machine::callCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  CrcPoly crc = c.crc;
  if (c.routine == Routine::CrcAny)
    crc = {unsigned(word(c.args[4])), word(c.args[5]) != 0, word(c.args[3])};
  for (uint64_t i = 0; i < n; ++i)
    state = crcStep(crc, state, memory[at - arenaBase + i]);
  return state;
}

/// Returns w if the routine sums modulo 2^w - 1; 0 for any other routine.
static unsigned onesWidth(Routine r) {
  return r == Routine::InetSum      ? 16
         : r == Routine::OnesSumU32 ? 32
         : r == Routine::OnesSumU64 ? 64
                                    : 0;
}

/// Computes the sum, then the copy.
uint64_t Machine::callCopySum(const ReturningCall &c) {
  uint64_t dst = word(c.args[0]), n = word(c.args[2]);
  bool inet = c.routine == Routine::CopyInetSum;
  ReturningCall alone = {inet ? Routine::InetSum : Routine::SumU16, c.args, {}};
  alone.args.erase(alone.args.begin());
  uint64_t sum = call(alone);
  if (n && ok && inArena(dst, n))
    ok &= transfer(Routine::Copy, dst, word(c.args[1]), n).empty();
  else
    ok &= n == 0;
  return sum;
}

static bool isModular(Routine r) {
  return r == Routine::ModsumU8 || r == Routine::ModsumU16 || r == Routine::ModsumU32 ||
         r == Routine::ModsumSwapU16 || r == Routine::ModsumSwapU32;
}

/// Sums word by word, as the routine's description says.
uint64_t Machine::callModular(const ReturningCall &c) {
  uint64_t at = word(c.args[0]), n = word(c.args[1]), start = word(c.args[2]);
  uint64_t m = word(c.args[3]), how = word(c.args[4]);
  unsigned size = elementSize(c.routine);
  uint64_t a = start & 0xffffffff, b = start >> 32;
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  auto reduced = [&](uint64_t v) { return how & 1 ? (v ? (v - 1) % m + 1 : 0) : v % m; };
  for (uint64_t i = 0; i < n / size; ++i) {
    uint64_t before = a;
    a = reduced(a + element(c.routine, at + i * size));
    b = reduced(b + (how & 4 ? before : a));
  }
  return how & 2 ? a : b << 32 | a;
}

static bool isHash(Routine r) {
  return r == Routine::PolyhashU8 || r == Routine::PolyhashS8 || r == Routine::PolyhashU16 ||
         r == Routine::PolyhashU32 || r == Routine::PolyhashU64;
}

uint64_t Machine::call(const ReturningCall &c) {
  if (c.routine == Routine::Crc || c.routine == Routine::CrcAny)
    return callCrc(c);
  if (c.routine == Routine::CopyInetSum || c.routine == Routine::CopySumU16)
    return callCopySum(c);
  if (isModular(c.routine))
    return callModular(c);
  uint64_t at = word(c.args[0]), n = word(c.args[1]);
  unsigned size = elementSize(c.routine), ones = onesWidth(c.routine);
  bool hash = isHash(c.routine);
  bool fold = c.routine == Routine::XorU8 || c.routine == Routine::XorU16 ||
              c.routine == Routine::XorU32 || c.routine == Routine::XorU64;
  bool weighted = c.routine == Routine::WsumU8 || c.routine == Routine::WsumU16 ||
                  c.routine == Routine::WsumU32 || c.routine == Routine::WsumS8 ||
                  c.routine == Routine::WsumU64;
  uint64_t sum = hash || ones ? word(c.args[2]) : 0, k = hash ? word(c.args[3]) : 1;
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  for (uint64_t i = 0; i < n / size; ++i) {
    uint64_t x = element(c.routine, at + i * size);
    sum = fold ? sum ^ x : sum * k + x * (weighted ? n / size - i : 1);
    sum += ones == 64 && sum < x;
  }
  // An odd last byte of an Internet checksum is followed by a zero byte.
  if (ones == 16 && n % 2)
    sum += uint64_t(element(Routine::SumU8, at + n - 1)) << (loop.bigEndian ? 8 : 0);
  return ones ? onesRepresentative(sum, ones) : sum;
}

} // namespace memlift
