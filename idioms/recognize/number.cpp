// number.cpp - numbers of up to 8 bytes that a loop reads or writes piece by piece
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < 8; i++) v = v << 8 | p[i];          one load, its bytes swapped
//   for (i = 7; i >= 0; i--) { p[i] = v; v >>= 8; }     one store, its bytes swapped
//
// The trip count is a small constant, so all iterations are evaluated one after the
// other, as in register.cpp. Then each byte of a value is followed back to the byte that
// it was loaded from, or to a byte of an invariant (algebra/bytes.h), whatever the order
// and spelling. If the bytes are those of one word in memory, in ascending or descending
// order, the word is read or written at once. A number of 3, 5 or 6 bytes, as an Ethernet address,
// is read as two words, the longer one at the lower address.
//
// Naive: match v << 8 | p[i]. That misses bytes that come from the other end, pieces of
// two bytes, and p[i] << 8 * i.
//
// The limits: one loop; reads or writes, not both; every iteration accesses one object. Stores of
// 3, 5 or 6 bytes stay: to cut their value in two takes as long as to store single bytes.
// A loop that stores invariant bytes is a fill, and not judged here.
#include "../align/align.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

namespace {

constexpr uint64_t mostBytes = 8;
/// Values that a word is put together from: more are as much work as the loop.
constexpr size_t mostParts = 2;

/// Values of a loop in each of its few iterations. Load number i of iteration k is load
/// k * accesses + i in them.
class Iterations {
public:
  explicit Iterations(Proof &p) : p(p), g(p.g) {
    for (const Recurrence &r : p.loop.recs)
      recs.push_back(r.init);
  }
  /// Returns what each expression of the body is in the next iteration.
  void step();
  ExprId value(ExprId id) { return g.substitute(id, with); }
  /// Returns the distance from the first access's base to where access `i` goes now.
  ExprId offset(const Access &a) { return g.add(a.offset, g.mul(a.step[0], p.loop.word(count))); }
  void next();
  std::vector<ExprId> recs; // before the next iteration

private:
  Proof &p;
  ExprGraph &g;
  uint64_t count = 0;
  std::map<ExprId, ExprId> with;
};

void Iterations::step() {
  Loop &loop = p.loop;
  with.clear();
  with[g.leaf(Op::Iv, 0, loop.ptrBits)] = g.constant(count, loop.ptrBits);
  for (uint32_t i = 0; i < recs.size(); ++i)
    with[g.leaf(Op::Rec, i, loop.recs[i].width)] = recs[i];
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if (!loop.accesses[i].store) {
      unsigned width = unsigned(8 * g[loop.accesses[i].bytes].value);
      with[g.leaf(Op::Load, i, width)] = g.leaf(Op::Load, count * loop.accesses.size() + i, width);
    }
}

void Iterations::next() {
  std::vector<ExprId> after;
  for (const Recurrence &r : p.loop.recs)
    after.push_back(value(r.next));
  recs = std::move(after);
  ++count;
}

/// Returns true if the accesses are all loads, or all stores, of one object at constant distances.
bool isNumber(Proof &p, bool stores) {
  Loop &loop = p.loop;
  if (loop.origin != Origin::Loop || loop.dims.size() != 1 || !p.g.isConst(loop.dims[0].trip) ||
      loop.accesses.empty() || !loop.tables.empty() || !p.counters.empty() || p.failed())
    return false;
  uint64_t trip = p.g[loop.dims[0].trip].value, bytes = 0;
  const Access &first = loop.accesses[0];
  for (const Access &a : loop.accesses) {
    int64_t step, apart;
    if (a.store != stores || a.fixed || a.lookUp || !a.affine || p.isBulk(a) ||
        a.base != first.base || !p.g.constantDifference(a.step[0], loop.word(0), step) || !step ||
        !p.g.constantDifference(a.offset, first.offset, apart))
      return false;
    bytes += p.g[a.bytes].value;
  }
  return trip >= 2 && trip <= mostBytes && bytes * trip <= mostBytes;
}

bool isWord(size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

/// The bytes that all iterations write, by distance from the first store's offset.
std::map<int64_t, ByteSource> writtenBytes(Proof &p) {
  std::map<int64_t, ByteSource> bytes;
  Iterations all(p);
  for (uint64_t i = 0; i < p.g[p.loop.dims[0].trip].value; ++i, all.next()) {
    all.step();
    for (const Access &a : p.loop.accesses) {
      int64_t at = 0;
      p.g.constantDifference(all.offset(a), p.loop.accesses[0].offset, at);
      ExprId value = all.value(a.value);
      for (unsigned k = 0; k < p.g[a.bytes].value; ++k)
        bytes[at + k] = storedByte(p.loop, value, k);
    }
  }
  return bytes;
}

/// Returns the bytes of the longest word in a number, or 0 if it is not one word or two.
unsigned firstWord(size_t bytes) {
  unsigned first = bytes >= 8 ? 8 : bytes >= 4 ? 4 : 2;
  return bytes == first || (bytes > 2 && bytes <= 6) ? first : 0;
}

/// Bytes in memory that are those of a value from byte `place` on.
struct ReadWord {
  int64_t low = 0; // distance from the first load's offset
  unsigned bytes = 0, place = 0;
  bool swapped = false; // the bytes of each word
  bool upwards = false; // the lowest byte of the value is at the lowest address
};

/// Returns the distance of a loaded byte from the first load's offset.
int64_t placeOf(Proof &p, const ByteSource &b) {
  Loop &loop = p.loop;
  const Access &a = loop.accesses[b.access % loop.accesses.size()];
  int64_t step = 0, apart = 0;
  p.g.constantDifference(a.step[0], loop.word(0), step);
  p.g.constantDifference(a.offset, loop.accesses[0].offset, apart);
  return apart + step * int64_t(b.access / loop.accesses.size()) + b.index;
}

/// Finds the bytes of one word or two that the loaded bytes of a value are.
bool findWord(Proof &p, const std::vector<ByteSource> &bytes, ReadWord &word) {
  std::vector<int64_t> places;
  for (unsigned k = 0; k < bytes.size(); ++k) {
    if (bytes[k].kind == ByteSource::Varies)
      return false;
    if (bytes[k].kind != ByteSource::Loaded)
      continue;
    if (places.empty())
      word.place = k;
    if (k != word.place + places.size())
      return false;
    places.push_back(placeOf(p, bytes[k]));
  }
  if (places.size() < 2 || !firstWord(places.size()))
    return false;
  int64_t by = places[1] - places[0];
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i] - places[i - 1] != by || (by != 1 && by != -1))
      return false;
  word.bytes = unsigned(places.size());
  word.low = std::min(places.front(), places.back());
  word.upwards = by == 1;
  word.swapped = word.upwards == p.loop.bigEndian;
  return true;
}

/// Reads the words and puts the other bytes of the value beside them.
WordRead composed(Proof &p, std::vector<ByteSource> &bytes, const ReadWord &word) {
  ExprGraph &g = p.g;
  unsigned size = unsigned(bytes.size()), width = 8 * size;
  for (unsigned k = 0; k < word.bytes; ++k) {
    bytes[word.place + k] = ByteSource();
    bytes[word.place + k].kind = ByteSource::Constant;
  }
  WordRead read{0, 0, 1, composeBytes(p.loop, bytes.data(), size, size, false)};
  for (unsigned at = 0, n; at < word.bytes; at += n) {
    n = at ? word.bytes - at : firstWord(word.bytes);
    ExprId offset = g.add(p.loop.accesses[0].offset, p.loop.word(uint64_t(word.low) + at));
    ExprId address = p.tidy(p.address(p.loop.accesses[0].base, offset));
    uint64_t align = alignmentOf(p.loop, p.loop.accesses[0].base, offset);
    ExprId value = g.memory(address, 8 * n, std::min<uint64_t>(align, n));
    if (word.swapped && n > 1)
      value = g.cast(Op::BSwap, value, 8 * n);
    unsigned place = word.place + (word.upwards ? at : word.bytes - at - n);
    value = g.binary(Op::Shl, g.zextOrTrunc(value, width), g.constant(8 * place, width));
    read.value = g.binary(Op::Or, value, read.value);
    if (!at || align < n) { // the word whose alignment is asked for
      read.bytes = n;
      read.align = align;
    }
  }
  return read;
}

} // namespace

bool numberStored(Proof &p) {
  if (!isNumber(p, true) || carriesOut(p))
    return false;
  std::map<int64_t, ByteSource> bytes = writtenBytes(p);
  std::vector<ByteSource> list;
  for (auto &[at, b] : bytes)
    list.push_back(b);
  std::set<ExprId> parts; // each takes operations of its own
  bool known = std::all_of(list.begin(), list.end(), [&](const ByteSource &b) {
    if (b.kind == ByteSource::Invariant)
      parts.insert(b.expr);
    return b.kind == ByteSource::Constant || b.kind == ByteSource::Invariant;
  });
  known &= parts.size() <= mostParts;
  int64_t low = bytes.begin()->first;
  unsigned size = unsigned(list.size());
  if (!known || !isWord(size) || bytes.rbegin()->first - low + 1 != int64_t(size))
    return false;
  Match &match = p.match;
  const Access &first = p.loop.accesses[0];
  FillForm form;
  form.period = size;
  form.pattern = composeBytes(p.loop, list.data(), size, size, p.loop.bigEndian);
  match.writes = form;
  match.idiom = Idiom::Fill;
  match.dstBase = first.base;
  p.lowOffset = p.g.add(first.offset, p.loop.word(uint64_t(low)));
  match.dst = p.tidy(p.address(first.base, p.lowOffset));
  match.bytes = p.loop.word(size);
  match.maxBytes = size;
  match.dstAlign = match.dstTouched = alignmentOf(p.loop, first.base, p.lowOffset);
  p.prove("stored value", "bytes of one word that is known before the loop", p.text(form.pattern),
          p.where(first.loc));
  return true;
}

bool numberRead(Proof &p) {
  if (!isNumber(p, false) || !carriesOut(p))
    return false;
  Iterations all(p);
  for (uint64_t i = 0; i < p.g[p.loop.dims[0].trip].value; ++i) {
    all.step();
    all.next();
  }
  std::vector<WordRead> found;
  uint64_t total = 0;
  for (uint32_t i = 0; i < p.loop.liveOuts.size(); ++i) {
    const LiveOut &l = p.loop.liveOuts[i];
    if (l.rec < 0)
      continue;
    unsigned width = p.loop.recs[size_t(l.rec)].width;
    std::vector<ByteSource> bytes;
    for (unsigned k = 0; k < width / 8; ++k)
      bytes.push_back(byteOf(p.loop, all.recs[size_t(l.rec)], k));
    ReadWord word;
    if (width % 8 || width > 64 || !findWord(p, bytes, word))
      return false;
    found.push_back(composed(p, bytes, word));
    found.back().liveOut = i;
    total += word.bytes;
    p.name(word.swapped ? Idiom::CopySwap : Idiom::Copy);
    p.prove("recurrence",
            isWord(word.bytes) ? "bytes of one word in memory" : "bytes of two words in memory",
            p.text(found.back().value) + (word.swapped ? ", its bytes swapped" : ""), nameOf(l));
  }
  p.match.wordsRead = std::move(found);
  p.match.bytes = p.loop.word(total);
  return true;
}

} // namespace memlift
