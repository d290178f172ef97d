// table.cpp - fills a table whose entries are linear functions of their places
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source computes each entry by eight or more steps, each of which waits for the one before.
// Here the first eight entries are stored, and then the table is doubled until it is full:
//
//   t[j + 8] = t[j] ^ e[3]   for j < 8
//   t[j + 16] = t[j] ^ e[4]  for j < 16
//
// and so on, where e[k] is entry 2^k, exclusive-ored with entry 0. So an entry takes one operation,
// a load and a store, eight of which do not wait for each other. A constant table would take no
// operations, but memory: here nothing is added to the program's data.
//
// The entries that are read were stored just before. Each is stored once, as the loop does it. So
// where two threads fill a table at once, which C does not allow and programs do, both store the
// same entries, and neither reads another one.
#include "decider.h"

namespace memlift {

constexpr unsigned atOnce = 8, logAtOnce = 3;

/// Returns the exclusive-or of the entries at the bits of `place`, and of entry 0.
static ExprId entryAt(ExprGraph &g, const LinearTable &table, unsigned place) {
  ExprId entry = table.first;
  for (size_t k = 0; k < table.atBit.size(); ++k)
    if (place >> k & 1)
      entry = g.binary(Op::Xor, entry, table.atBit[k]);
  return entry;
}

/// Doubles the first 2^k entries.
static InlineLoop doubling(Loop &loop, const Match &match, size_t k, unsigned align) {
  ExprGraph &g = loop.exprs;
  const LinearTable &table = *match.linear;
  uint64_t bytes = table.entryBytes, before = bytes << k;
  InlineLoop l;
  l.trip = loop.word((uint64_t(1) << k) / atOnce);
  l.to = g.add(match.dst, loop.word(before));
  l.step = atOnce * bytes;
  l.few = true;
  for (unsigned i = 0; i < atOnce; ++i) {
    l.loads.push_back({i * bytes - before, table.entryBytes, align, InlineLoad::FromTo});
    ExprId entry = g.leaf(Op::Load, i, 8 * table.entryBytes);
    l.stores.push_back(
        {i * bytes, table.entryBytes, align, g.binary(Op::Xor, entry, table.atBit[k])});
  }
  return l;
}

/// Writes the loops, unless that is larger code than wanted.
void Decider::linearTable() {
  if (loop.function.optSize || loop.function.user) {
    keep("code size", Diag::TableStepwise, "code that may grow",
         loop.function.user ? "a function whose accesses may fault" : "it is optimised for size");
    return;
  }
  if (!withinBudget())
    return;
  const LinearTable &table = *match.linear;
  unsigned align = unsigned(std::min<uint64_t>(match.dstAlign, table.entryBytes));
  InlineLoop first;
  first.trip = loop.word(1);
  first.to = match.dst;
  first.step = atOnce * table.entryBytes;
  first.few = true;
  for (unsigned i = 0; i < atOnce; ++i)
    first.stores.push_back(
        {uint64_t(i) * table.entryBytes, table.entryBytes, align, entryAt(g, table, i)});
  d.loops.push_back(first);
  for (size_t k = logAtOnce; k < table.atBit.size(); ++k)
    d.loops.push_back(doubling(loop, match, k, align));
  d.kind = DecisionKind::Inlined;
  d.code = Diag::TableDoubled;
  d.shape = std::to_string(uint64_t(1) << table.atBit.size());
}

} // namespace memlift
