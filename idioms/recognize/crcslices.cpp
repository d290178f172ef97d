// crcslices.cpp - a CRC by several tables whose entries nobody knows before the program runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   c ^= *(const uint32_t *)p;                                      slices by 4, as FFmpeg has them
//   c = t[768 + (c & 255)] ^ t[512 + (c >> 8 & 255)] ^ t[256 + (c >> 16 & 255)] ^ t[c >> 24];
//
// Redis and 7-zip look eight bytes up at once. As with one table (crctable.cpp), the routine gets
// the tables and does what the loop does, whatever is in them. So the proof is about their use: the
// next value is the exclusive-or of the entries and of the register shifted by all the bytes. And
// the index of the entry for byte k is that byte with byte k of the register, if it has so many.
//
// The limits: registers and entries of 16, 32 or 64 bits; 2 to 16 tables, one after the other, the
// first one for the last byte.
#include "crcforms.h"
#include "../knownzero.h"

#include <algorithm>

namespace memlift {

namespace {

constexpr size_t leastSlices = 2, mostSlices = 16, entriesOfOne = 256;

struct LookUp {
  ExprId entry;   // in its table
  ExprId table;   // address of the entry for index 0
  int64_t offset; // from that of the first look-up that was found, in bytes
  Gf2Value index;
};

class Slices {
public:
  Slices(Proof &p, uint32_t rec)
      : p(p), g(p.g), loop(p.loop), rec(rec), width(p.loop.recs[rec].width) {}
  /// Finds the look-ups and how they are used; false if that is not the way of a CRC.
  bool find();
  CrcPoly crc;
  ExprId address = NoExpr; // of the first table
  std::string name;
  unsigned entryBits = 0;
  std::vector<std::pair<uint32_t, unsigned>> bytes; // in the order of the message

  size_t count() const { return lookUps.size(); }

private:
  Proof &p;
  ExprGraph &g;
  Loop &loop;
  uint32_t rec;
  unsigned width;
  std::vector<LookUp> lookUps; // for the first byte first
  ExprId rest = NoExpr;        // the next value without the entries
  Gf2State state;
  Gf2Form forms; // the last one; its columns are those of all

  bool add(ExprId entry, unsigned bits);
  bool split(ExprId id, unsigned bits);
  bool place();
  bool evaluate();
  Gf2Bit held(int bit) const;
  bool match(bool reflected);
};

/// Takes an entry of which so many bits are mixed in.
bool Slices::add(ExprId entry, unsigned bits) {
  const Table &table = loop.tables[g[entry].value];
  auto isSame = [&](const LookUp &l) { return l.entry == entry; };
  if (!table.unknown || table.address == NoExpr || bits < table.entryBits ||
      lookUps.size() == mostSlices || std::any_of(lookUps.begin(), lookUps.end(), isSame))
    return false;
  size_t first = 0;
  withoutConstant(loop, g[entry].a, first);
  ExprId at = g.add(table.address, loop.word(first * (table.entryBits / 8)));
  LookUp found = {entry, at, 0, {}};
  if (lookUps.empty())
    entryBits = table.entryBits, name = table.name;
  else if (table.entryBits != entryBits ||
           !g.constantDifference(at, lookUps.front().table, found.offset))
    return false;
  lookUps.push_back(found);
  return true;
}

/// Splits a value into the entries that are mixed into its lowest bits, and the rest.
bool Slices::split(ExprId id, unsigned bits) {
  const Expr e = g[id];
  bits = std::min(bits, unsigned(e.width));
  if (e.op == Op::Table && loop.tables[e.value].unknown)
    return add(id, bits);
  if (e.op == Op::Xor)
    return split(e.a, bits) && split(e.b, bits);
  if (e.op == Op::ZExt || e.op == Op::Trunc)
    return split(e.a, bits);
  return true; // a look-up below this would be left in `rest`
}

/// Sorts the look-ups by their tables, which lie one after the other.
bool Slices::place() {
  auto later = [](const LookUp &a, const LookUp &b) { return a.offset > b.offset; };
  std::sort(lookUps.begin(), lookUps.end(), later);
  const int64_t size = int64_t(entriesOfOne * (entryBits / 8)), last = lookUps.back().offset;
  for (size_t k = 0; k < count(); ++k)
    if (lookUps[k].offset != last + size * int64_t(count() - 1 - k))
      return false;
  address = lookUps.back().table;
  return true;
}

/// Evaluates the indices and the rest. The register may be held in a wider type, of which the bits
/// above are 0 before the loop, and after an iteration.
bool Slices::evaluate() {
  uint64_t above = maskOf(width) & ~maskOf(entryBits);
  if (width < entryBits || above & ~knownZero(g, loop.recs[rec].init))
    return false;
  state.recs = {rec};
  state.zero = above;
  for (LookUp &l : lookUps) {
    size_t first = 0;
    forms = gf2Of(loop, withoutConstant(loop, g[l.entry].a, first), state, forms);
    if (!forms.ok || !forms.unknownTable.empty())
      return false;
    l.index = forms.value;
  }
  forms = gf2Of(loop, rest, state, forms);
  return forms.ok && forms.unknownTable.empty();
}

/// Returns a bit of the register, 0 for none.
Gf2Bit Slices::held(int bit) const {
  Gf2Bit b;
  if (bit >= 0 && bit < int(entryBits))
    b[unsigned(bit)] = true;
  return b;
}

/// Compares indices and rest with those of a CRC of this direction, and finds the bytes.
bool Slices::match(bool reflected) {
  const int moved = 8 * int(count());
  for (unsigned i = 0; i < forms.value.size(); ++i) {
    Gf2Bit left = i < entryBits ? held(int(i) + (reflected ? moved : -moved)) : Gf2Bit();
    if (forms.value[i] != left)
      return false;
  }
  bytes.clear();
  for (int k = 0; k < int(count()); ++k) {
    const Gf2Value &index = lookUps[size_t(k)].index;
    const int low = reflected ? 8 * k : int(entryBits) - 8 * (k + 1);
    unsigned byte = 0;
    if (index.size() < 8)
      return false;
    for (unsigned i = 0; i < index.size(); ++i) {
      Gf2Bit data = i < 8 ? index[i] ^ held(low + int(i)) : index[i];
      if (i >= 8 ? data.any() : data.count() != 1 || !data.terms.empty())
        return false;
      for (unsigned c = 64; i == 0 && c < 64 + 8 * forms.bytes.size(); c += 8)
        if (data[c])
          byte = c;
      if (i < 8 && (!byte || !data[byte + i]))
        return false;
    }
    bytes.push_back(forms.bytes[(byte - 64) / 8]);
  }
  crc = {entryBits, reflected, 0};
  return true;
}

bool Slices::find() {
  ExprId next = loop.recs[rec].next;
  if (!split(next, width) || count() < leastSlices || entryBits < 16)
    return false;
  std::map<ExprId, ExprId> none;
  for (const LookUp &l : lookUps)
    none[l.entry] = g.constant(0, entryBits);
  rest = g.substitute(next, none);
  return place() && evaluate() && (match(/*reflected=*/true) || match(/*reflected=*/false));
}

} // namespace

Answer crcBySlices(Proof &p, Reduction &r) {
  Slices slices(p, r.rec);
  Weights w;
  std::vector<unsigned> order;
  if (!slices.find())
    return Answer::NotMine;
  if (Answer placed = bytesInOrder(p, slices.bytes, w, order); placed != Answer::Proved)
    return placed;
  if (!std::is_sorted(order.begin(), order.end()))
    return Answer::NotMine;
  p.match.idiom = Idiom::Crc;
  Reduction::Crc crc;
  crc.representation.crc = slices.crc;
  crc.representation.bits = slices.crc.width;
  crc.recs = {r.rec};
  crc.entryBits = slices.entryBits;
  crc.slices = unsigned(slices.count());
  crc.table = slices.address;
  p.guard("recurrence", Diag::CrcTableTested, "a shift register fed with the bytes",
          std::to_string(slices.crc.width) + " bits, " + (slices.crc.reflected ? "" : "not ") +
              "reflected, if the " + std::to_string(crc.slices) + " tables at " + slices.name +
              " are those of a CRC",
          "the routine tests the tables, and makes the look-ups if they are not");
  r.kind = crc;
  return sourceRegion(p, w);
}

} // namespace memlift
