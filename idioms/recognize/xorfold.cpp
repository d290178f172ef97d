// xorfold.cpp - decides whether a matrix over GF(2) is the exclusive-or of all words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) x ^= p[i];              bytes or words, unrolled or not
//   for (i..n) x ^= p[2 * i] << 8 | p[2 * i + 1];
//   int x; for (i..n) x ^= s[i];                 of chars that have a sign
//
// The state's own matrix must be the identity. Bit i of each byte must go to bit i of
// one byte of the state, and bytes at the same place of a word to the same one.
// Exclusive-or commutes, so the order and the unrolling do not matter. This is a
// longitudinal parity, the check byte of NMEA sentences, or the first step of a
// parity bit.
//
// The limits: one state, as wide as a word or wider.
#include "../algebra/gf2.h"
#include "families.h"

#include <algorithm>

namespace memlift {

/// Returns true if nothing moves bits except to whole bytes; a cheap filter.
static bool movesOnly(const ExprGraph &g, ExprId id, int &budget) {
  if (id == NoExpr)
    return true;
  const Expr &e = g[id];
  if (--budget < 0)
    return false;
  switch (e.op) {
  case Op::Const:
  case Op::Rec:
  case Op::Load: return true;
  case Op::Xor:
  case Op::Or:
  case Op::And:
  case Op::Add:
  case Op::Shl:
  case Op::LShr:
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc:
  case Op::BSwap: return movesOnly(g, e.a, budget) && movesOnly(g, e.b, budget);
  default: return false;
  }
}

/// Returns the byte of the state that byte `k` goes to, bit by bit; -1 if there is
/// none.
static int placeOf(const Gf2Form &form, unsigned k) {
  int place = -1;
  for (unsigned row = 0; row < form.value.size(); ++row)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (form.value[row][64 + 8 * k + bit]) {
        if (row % 8 != bit || (place >= 0 && place != int(row / 8)))
          return -1;
        place = int(row / 8);
      }
  for (unsigned bit = 0; bit < 8; ++bit)
    if (place < 0 || !form.value[8 * unsigned(place) + bit][64 + 8 * k + bit])
      return -1;
  return place;
}

/// Returns true if the state's own matrix is the identity and no constant is added.
static bool keepsState(const Gf2Form &form) {
  for (unsigned row = 0; row < form.value.size(); ++row)
    for (unsigned column = 0; column < 64; ++column)
      if (form.value[row][column] != (row == column))
        return false;
  return std::none_of(form.value.begin(), form.value.end(),
                      [](const Gf2Bit &bit) { return bit[gf2One]; });
}

/// A byte that is read and its place; the gf2 form cannot hold many bytes.
struct Moved {
  uint32_t access;
  unsigned offset, place;
};

/// Collects the bytes that byte `place` of the value is an exclusive-or of, and
/// counts that byte of the state itself in `kept`.
static bool xored(const Loop &loop, ExprId id, unsigned k, unsigned place, uint32_t rec,
                  std::vector<Moved> &moved, unsigned &kept) {
  const Expr &e = loop.exprs[id];
  if (e.width % 8 || moved.size() > 256)
    return false;
  switch (e.op) {
  case Op::Xor:
    return xored(loop, e.a, k, place, rec, moved, kept) &&
           xored(loop, e.b, k, place, rec, moved, kept);
  case Op::Trunc: return xored(loop, e.a, k, place, rec, moved, kept);
  case Op::SExt:
    return 8 * k < loop.exprs.width(e.a) && xored(loop, e.a, k, place, rec, moved, kept);
  case Op::ZExt:
    return loop.exprs.width(e.a) % 8 == 0 &&
           (8 * k >= loop.exprs.width(e.a) || xored(loop, e.a, k, place, rec, moved, kept));
  case Op::Rec: ++kept; return e.value == rec && k == place;
  default: {
    ByteSource b = byteOf(loop, id, k);
    if (b.kind == ByteSource::Loaded)
      moved.push_back({b.access, b.index, place});
    return b.kind == ByteSource::Loaded || (b.kind == ByteSource::Constant && b.value == 0);
  }
  }
}

/// Returns true if all but the state are extended by the sign from one width: the
/// fold is then that of the narrow values, extended.
static bool signExtended(const ExprGraph &g, ExprId id, uint32_t rec, unsigned &width,
                         int &budget) {
  const Expr &e = g[id];
  if (--budget < 0)
    return false;
  if (e.op == Op::Xor)
    return signExtended(g, e.a, rec, width, budget) && signExtended(g, e.b, rec, width, budget);
  if (e.op == Op::Rec)
    return e.value == rec;
  if (e.op != Op::SExt || (width && width != g.width(e.a)))
    return false;
  width = g.width(e.a);
  return width % 8 == 0;
}

/// Finds the bytes by following each byte of the value; it works for bodies with more
/// bytes than a GF(2) form has columns for.
static bool movedBytes(const Loop &loop, uint32_t rec, unsigned width, std::vector<Moved> &moved) {
  const Recurrence &r = loop.recs[rec];
  for (unsigned k = 0; k < width / 8; ++k) {
    unsigned kept = 0;
    if (!xored(loop, r.next, k, k, rec, moved, kept) || kept != 1)
      return false;
  }
  return !moved.empty();
}

/// Finds the bytes by the matrix, if shifts and masks have assembled them.
static bool movedBits(const Loop &loop, uint32_t rec, std::vector<Moved> &moved) {
  Gf2Form form = gf2Of(loop, loop.recs[rec].next, {{rec}, 0, 0, false, {}});
  if (!form.ok || !form.unknownTable.empty() || form.bytes.empty() || !keepsState(form))
    return false;
  moved.clear();
  for (unsigned k = 0; k < form.bytes.size(); ++k)
    moved.push_back({form.bytes[k].first, form.bytes[k].second, unsigned(placeOf(form, k))});
  return true;
}

/// Matches bytes in address order as words of one size and one byte order.
static bool wordsAt(const std::vector<int> &places, unsigned size, bool little) {
  for (size_t i = 0; i < places.size(); ++i) {
    size_t at = i % size;
    if (places[i] != int(little ? at : size - 1 - at))
      return false;
  }
  return places.size() % size == 0;
}

/// Recognises the fold by bytes, else by the matrix, and the words that the bytes
/// form. Each byte gets its number as a factor, so weightsOf() sorts the bytes by
/// address.
Answer xorFoldOf(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  int budget = 500;
  if (rec.width % 8 || !movesOnly(p.g, rec.next, budget))
    return Answer::NotMine;
  std::vector<Moved> moved;
  unsigned narrow = 0;
  budget = 500;
  if (!signExtended(p.g, rec.next, r.rec, narrow, budget))
    narrow = 0;
  if (!movedBytes(p.loop, r.rec, narrow ? narrow : rec.width, moved) &&
      (narrow || !movedBits(p.loop, r.rec, moved)))
    return Answer::NotMine;
  Linear bytes; // each byte with a factor that is its number
  for (size_t k = 0; k < moved.size(); ++k)
    bytes.terms[{Unit::Byte, moved[k].access, moved[k].offset}] = k + 1;
  Weights w;
  w.width = 64;
  p.name(Idiom::XorFold);
  if (Answer read = weightsOf(p, bytes, w); read != Answer::Proved)
    return read;
  std::vector<int> places;
  if (w.bytes.size() == moved.size()) // no byte is read twice
    for (const Weight &b : w.bytes)
      places.push_back(int(moved[b.factor - 1].place));
  const char *name = "recurrence", *need = "the exclusive-or of all words";
  for (unsigned size : {1u, 2u, 4u, 8u})
    for (bool little : {true, false}) {
      if (places.empty() || !wordsAt(places, size, little) || (narrow && narrow != 8 * size))
        continue;
      r.isSigned = narrow;
      r.kind = Reduction::XorFold();
      r.elementBytes = size;
      r.swapped = size > 1 && little == p.loop.bigEndian;
      p.prove(name, need, std::to_string(8 * size) + "-bit words", rec.name);
      return sourceRegion(p, w);
    }
  return p.fail(name, Diag::WeightsIrregular, need, "bytes that go to different places");
}

} // namespace memlift
