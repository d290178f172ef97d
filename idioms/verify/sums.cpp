// sums.cpp - an interpreter of decisions: the routines that return a sum, done slowly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../algebra/ones.h"
#include "machine.h"

namespace memlift {

/// Returns one element of a sum's region, as the routine reads it.
uint64_t Machine::element(const Operation &o, uint64_t at) {
  unsigned size = o.elementBits / 8;
  uint64_t v = 0;
  for (unsigned i = 0; i < size; ++i)
    v = v << 8 | memory[at - arenaBase + (loop.bigEndian != o.swapped ? i : size - 1 - i)];
  return o.isSigned ? uint64_t(signExtend(v, o.elementBits)) : v;
}

uint64_t Machine::callCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  CrcPoly crc = c.crc;
  uint64_t last = 0; // turns the places of the bytes in a word
  if (c.routine == Routine::CrcAny)
    crc = {unsigned(word(c.args[4])), word(c.args[5]) != 0, word(c.args[3])};
  bool down = c.routine == Routine::CrcWords && !word(c.args[3]);
  if (c.routine == Routine::CrcWords && !down)
    last = word(c.args[3]) - 1, ok &= n % (last + 1) == 0;
  for (uint64_t i = 0; ok && i < n; ++i)
    state = crcStep(crc, state, memory[at - arenaBase + (down ? n - 1 - i : i ^ last)]);
  return state;
}

/// Looks up an entry for each byte. What the entries are makes no difference.
uint64_t Machine::callTableCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  uint64_t table = word(c.args[3]);
  unsigned width = unsigned(word(c.args[4])), size = operationOf(c.routine).elementBits / 8;
  bool reflected = word(c.args[5]);
  ok &= width >= 8 && width <= 64 && !(state & ~maskOf(width)) && (!n || inArena(at, n));
  for (uint64_t i = 0; ok && i < n; ++i) {
    uint64_t index =
        ((reflected ? state : state >> (width - 8)) ^ memory[at - arenaBase + i]) & 255;
    uint64_t entry = entryAt(table + index * size, size);
    state = (entry ^ (reflected ? state >> 8 : state << 8)) & maskOf(width);
  }
  return state;
}

/// Looks up an entry of each table for as many bytes at once.
uint64_t Machine::callSliceCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  uint64_t tables = word(c.args[3]), slices = word(c.args[4]);
  bool reflected = word(c.args[5]);
  const unsigned width = operationOf(c.routine).elementBits, size = width / 8;
  ok &= slices && !(state & ~maskOf(width)) && n % slices == 0 && (!n || inArena(at, n));
  for (uint64_t i = 0; ok && i < n; i += slices) {
    uint64_t next = 0;
    for (uint64_t k = 0; k < slices; ++k) {
      uint64_t own = (reflected ? state : state >> (width - 8)) & 255;
      uint64_t index = 256 * (slices - 1 - k) + (own ^ memory[at - arenaBase + i + k]);
      next ^= entryAt(tables + index * size, size);
      state = (reflected ? state >> 8 : state << 8) & maskOf(width);
    }
    state ^= next;
  }
  return state;
}

/// Feeds one of the registers with its words, and with zeros in place of those of the others.
uint64_t Machine::callLaneCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  const uint64_t bytes = operationOf(c.routine).elementBits / 8;
  const uint64_t round = bytes * word(c.args[3]), lane = word(c.args[4]);
  ok &= lane * bytes < round && !(state & ~maskOf(c.crc.width)) && n % round == 0 &&
        (!n || inArena(at, n));
  for (uint64_t i = 0; ok && i < n; i += round)
    for (uint64_t k = 0; k < round; ++k)
      state = crcStep(c.crc, state, k < bytes ? memory[at - arenaBase + i + lane * bytes + k] : 0);
  return state;
}

/// Computes the sum, then the copy.
uint64_t Machine::callCopySum(const ReturningCall &c) {
  uint64_t dst = word(c.args[0]), n = word(c.args[2]);
  const Operation &o = operationOf(c.routine);
  ReturningCall alone = {routineFor(o.kind, o.elementBits, o.isSigned, o.swapped), c.args, {}};
  alone.args.erase(alone.args.begin());
  uint64_t sum = call(alone);
  if (n && ok && inArena(dst, n))
    ok &= transfer(true, dst, word(c.args[1]), n).empty();
  else
    ok &= n == 0;
  return sum;
}

/// Sums word by word, as the routine's description says.
uint64_t Machine::callModular(const ReturningCall &c) {
  uint64_t at = word(c.args[0]), n = word(c.args[1]), start = word(c.args[2]);
  uint64_t m = word(c.args[3]), how = word(c.args[4]);
  const Operation &o = operationOf(c.routine);
  unsigned size = o.elementBits / 8;
  uint64_t a = start & 0xffffffff, b = start >> 32;
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  auto reduced = [&](uint64_t v) { return how & 1 ? (v ? (v - 1) % m + 1 : 0) : v % m; };
  for (uint64_t i = 0; i < n / size; ++i) {
    uint64_t before = a;
    a = reduced(a + element(o, at + i * size));
    b = reduced(b + (how & 4 ? before : a));
  }
  return how & 2 ? a : b << 32 | a;
}

/// Reads bytes one after the other up to the one that is found; there may be none after it.
uint64_t Machine::callSearch(const ReturningCall &c) {
  const Operation &o = operationOf(c.routine);
  unsigned size = o.sizeParam();
  uint64_t p = word(c.args[0]), q = word(c.args[size - 1]), n = word(c.args[size]);
  uint64_t what = c.args.size() > size + 1 ? word(c.args[size + 1]) : 0;
  auto read = [&](uint64_t at) {
    at &= maskOf(loop.ptrBits);
    ok &= inArena(at, 1);
    return ok ? memory[at - arenaBase] : 0;
  };
  auto stops = [&](uint64_t i) {
    uint8_t b = read(c.routine == Routine::FindLastU8 ? p + n - 1 - i : p + i);
    switch (c.routine) {
    case Routine::FindNotU8: return b != uint8_t(what);
    case Routine::FindAnyU8:
      return b == uint8_t(what) || b == uint8_t(what >> 8) || b == uint8_t(what >> 16) ||
             b == uint8_t(what >> 24);
    case Routine::MismatchU8: return b != read(q + i);
    case Routine::MismatchOrU8: return b == uint8_t(what) || b != read(q + i);
    default: return b == uint8_t(what);
    }
  };
  uint64_t i = 0;
  while (ok && i < n && !stops(i))
    ++i;
  return i;
}

/// Returns the accumulator after the word `x`, of which `left` words are left, it included.
static uint64_t stepped(const Operation &o, uint64_t sum, uint64_t x, uint64_t left, uint64_t k) {
  switch (o.kind) {
  case OpKind::Sum: return sum + x;
  case OpKind::LowSum: return (sum + x) & maskOf(o.elementBits);
  case OpKind::WeightedSum: return sum + x * left;
  case OpKind::XorFold: return sum ^ x;
  case OpKind::Polyhash: return sum * k + x;
  case OpKind::Count: return sum + (x == k);
  case OpKind::OnesSum: sum += x; return sum + (o.elementBits == 64 && sum < x);
  case OpKind::ModularSum:
  case OpKind::Crc:
  case OpKind::TableCrc:
  case OpKind::SliceCrc:
  case OpKind::LaneCrc:
  case OpKind::Search:
  case OpKind::Compare:
  case OpKind::Fill:
  case OpKind::PatternFill:
  case OpKind::Copy:
  case OpKind::Move:
  case OpKind::StepCopy:
  case OpKind::SwapCopy:
  case OpKind::ReverseCopy: break;
  }
  return sum; // not called for these
}

uint64_t Machine::call(const ReturningCall &c) {
  const Operation &o = operationOf(c.routine);
  if (o.kind == OpKind::Crc)
    return callCrc(c);
  if (o.kind == OpKind::TableCrc)
    return callTableCrc(c);
  if (o.kind == OpKind::SliceCrc)
    return callSliceCrc(c);
  if (o.kind == OpKind::LaneCrc)
    return callLaneCrc(c);
  if (o.kind == OpKind::Search || o.kind == OpKind::Compare)
    return callSearch(c);
  if (o.copies())
    return callCopySum(c);
  if (o.kind == OpKind::ModularSum)
    return callModular(c);
  uint64_t at = word(c.args[0]), n = word(c.args[1]), size = o.elementBits / 8;
  bool counts = o.kind == OpKind::Count; // has no start value
  uint64_t sum = !counts && o.paramCount > 2 ? word(c.args[2]) : 0;
  uint64_t k = counts ? word(c.args[2]) : o.paramCount > 3 ? word(c.args[3]) : 1;
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  for (uint64_t i = 0; i < n / size; ++i)
    sum = stepped(o, sum, element(o, at + i * size), n / size - i, k);
  if (o.kind != OpKind::OnesSum)
    return sum;
  // An odd last byte of an Internet checksum is followed by a zero byte.
  if (o.elementBits == 16 && n % 2)
    sum += uint64_t(memory[at + n - 1 - arenaBase]) << (loop.bigEndian ? 8 : 0);
  return onesRepresentative(sum, o.elementBits);
}

} // namespace memlift
