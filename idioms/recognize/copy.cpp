// copy.cpp - copies and moves: each byte from a fixed distance away
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) d[i] = s[i];
//
// Let the loop walk upwards. If d <= s no byte is read after it was written, so
// the loop is a memmove; if d >= s + n the regions are apart; between the two
// the loop repeats its first bytes, which neither memcpy nor memmove does. One
// unsigned comparison tells: d - s >= n, because d - s wraps to a huge number
// when d < s (and cannot be below n, as s + n does not pass the end of memory).
// A loop that walks downwards is the mirror image: s - d >= n.
//
// Where the loop goes upwards in steps that are read whole before they are written,
// a routine that does the same in the third case needs no comparison in front of it,
// and no loop beside it.
//
//   for (i..n) d[i] = bswap32(s[i]);
//
// is the same with each word's bytes turned: a whole word is read before it is
// written, so all that is said of bytes above holds of words.
//
//   for (y..h) for (x..w) d[y * dp + x] = s[y * sp + x];
//
// Rows go one after the other, each as above. If dp is sp, d - s is the same in
// every row, and one comparison with w tells for all of them.
#include "../align/align.h"
#include "prover.h"

#include <algorithm>

namespace memlift {

/// "step 12 bytes: 4 of every 12"
std::string Prover::strideText(ExprId step, uint64_t size) const {
  std::string have = "step " + text(step) + " bytes";
  int64_t by = g.isConst(step) ? signExtend(g[step].value, g.width(step)) : 0;
  uint64_t every = uint64_t(by < 0 ? -by : by);
  return every > size ? have + ": " + std::to_string(size) + " of every " + std::to_string(every)
                      : have;
}

/// The outermost step is free where each of its rounds is a row of its own.
bool Prover::sameSteps(const Access &load, const Access &store) {
  for (size_t k = 0; k < loop.dims.size(); ++k) {
    if (load.affine && load.step.size() == loop.dims.size() &&
        (g.equal(load.step[k], store.step[k]) || (k == 0 && match.rows != NoExpr) ||
         g.isConst(loop.dims[k].trip, 1)))
      continue;
    bool inner = k + 1 == loop.dims.size();
    bool back = load.affine && load.step.size() == loop.dims.size() &&
                g.equal(load.step[k], g.sub(loop.word(0), store.step[k]));
    fail("source contiguous",
         !inner ? Diag::RowsNotContiguous
         : back ? Diag::Reversed
                : Diag::SourceStride,
         "step " + text(store.step[k]) + " bytes",
         load.affine ? strideText(load.step[k], g[load.bytes].value) : load.why, where(load.loc));
    return false;
  }
  return true;
}

/// The offset that byte i of the footprint is read from.
ExprId Prover::sourceOf(unsigned i) {
  const ByteSource &b = body.bytes[i];
  return g.add(loop.accesses[b.access].offset, loop.word(b.index));
}

/// Bytes of the words whose bytes come in reverse order, 1 if all bytes come in
/// the order of the destination, 0 if neither; lowSource is the offset of the
/// lowest byte that one iteration reads.
unsigned Prover::wordsSwapped(ExprId &lowSource) {
  for (unsigned word : {1u, 2u, 4u, 8u}) {
    if (body.size % word)
      break;
    lowSource = g.sub(sourceOf(0), loop.word(word - 1));
    bool all = true;
    for (unsigned i = 0; i < body.size && all; ++i) {
      unsigned from = i / word * word + (word - 1 - i % word);
      all = g.equal(sourceOf(i), g.add(lowSource, loop.word(from)));
    }
    if (all)
      return word;
  }
  return 0;
}

/// Every byte of the footprint is read at one fixed distance, or every word at
/// one and with its bytes swapped; lowSource is the offset of the lowest byte
/// that one iteration reads.
bool Prover::sourceBytes(uint32_t &first, ExprId &lowSource) {
  const char *name = "source contiguous";
  const Access &store = loop.accesses[stores[0]];
  first = body.bytes[0].access;
  for (const ByteSource &b : body.bytes) {
    const Access &load = loop.accesses[b.access];
    if (!load.affine || !sameSteps(load, store))
      return false;
    if (load.base != loop.accesses[first].base) {
      fail(name, Diag::SourceVaries, "one source region",
           describe(loop.accesses[first]) + " and " + describe(load), where(load.loc));
      return false;
    }
    if (match.rows != NoExpr && !g.equal(load.step[0], loop.accesses[first].step[0])) {
      fail(name, Diag::RowsNotContiguous, "one distance between rows",
           text(loop.accesses[first].step[0]) + " and " + text(load.step[0]) + " bytes",
           where(load.loc));
      return false;
    }
  }
  unsigned word = wordsSwapped(lowSource);
  if (word == 0) {
    unsigned i = 1;
    while (g.equal(sourceOf(i), g.add(sourceOf(0), loop.word(i))))
      ++i;
    fail(name, Diag::SourceStride, "the bytes in the order of the destination",
         "byte " + std::to_string(i) + " comes from elsewhere",
         where(loop.accesses[body.bytes[i].access].loc));
    return false;
  }
  return word == 1 || swapped(word);
}

bool Prover::swapped(unsigned word) {
  match.swap = word;
  match.idiom = Idiom::CopySwap;
  if (match.rows != NoExpr) {
    fail("source contiguous", Diag::RowsNotContiguous,
         "rows end to end, as bytes are turned on the way",
         "rows " + text(match.dstPitch) + " bytes apart");
    return false;
  }
  prove("byte order", "kept, or turned within words of 2, 4 or 8 bytes",
        "turned within words of " + std::to_string(word) + " bytes");
  return true;
}

bool Prover::bulkSource(uint32_t &first, ExprId &lowSource) {
  const Access &store = loop.accesses[stores[0]];
  first = uint32_t(g[store.value].value);
  const Access &load = loop.accesses[first];
  if (!load.affine || !sameSteps(load, store))
    return false;
  if (!g.equal(load.bytes, store.bytes)) {
    fail("source contiguous", Diag::SourceStride, text(store.bytes) + " bytes",
         text(load.bytes) + " bytes", where(load.loc));
    return false;
  }
  lowSource = load.offset;
  return true;
}

void Prover::copy() {
  uint32_t first;
  ExprId source;
  if (!(body.bulk ? bulkSource(first, source) : sourceBytes(first, source)))
    return;
  const Access &store = loop.accesses[stores[0]];
  // Same steps, so the source's lowest byte lies as far below its first one.
  ExprId start = g.add(store.offset, loop.word(uint64_t(body.low)));
  ExprId lowSource = g.add(source, g.sub(lowOffset, start));
  const Access &load = loop.accesses[first];
  match.srcBase = load.base;
  if (match.rows != NoExpr)
    match.srcPitch = tidy(load.step[0]);
  match.src = tidy(g.add(g.leaf(Op::BaseAddr, load.base, loop.ptrBits), lowSource));
  match.srcAlign = regionAlign(load.base, lowSource, load, match.srcTouched);
  prove("source contiguous", "the destination's bytes in order", text(match.src), where(load.loc));
  overlap(first, lowSource);
}

/// The byte of the source that byte i of the footprint comes from.
unsigned Prover::sourceByte(unsigned i) const {
  unsigned word = std::max(match.swap, 1u);
  return i / word * word + (match.swap ? word - 1 - i % word : 0);
}

/// Within one iteration: does no store come before the load of a byte that it
/// may overwrite, if the destination lies at or below (ascending) or at or
/// above the source? A store of byte i hits the source of byte j when the
/// distance is i - j.
bool Prover::safeWithin(bool ascending) const {
  for (unsigned i = 0; i < body.size; ++i)
    for (unsigned k = 0; k < body.size; ++k) {
      unsigned j = sourceByte(k);
      bool storeFirst = body.storeOf[i] < body.bytes[k].access;
      if (storeFirst && (ascending ? i >= j : i <= j))
        return false;
    }
  return true;
}

/// Does the body, with the destination `distance` bytes above the source, read
/// what it has just written, so that the first bytes are all it spreads?
bool Prover::repeatsWithin(unsigned distance) const {
  if (body.bulk || direction != Direction::Ascending)
    return false;
  for (unsigned i = 0; i + distance < body.size; ++i)
    if (body.bytes[i + distance].access < body.storeOf[i])
      return false;
  return true;
}

/// Does the body read each so many bytes before it writes them, and write them
/// before it reads the next?
bool Prover::stepsWithin(unsigned step) const {
  for (unsigned read = 0; read < body.size; ++read)
    for (unsigned written = 0; written < body.size; ++written)
      if ((body.storeOf[written] < body.bytes[read].access) != (written / step < read / step))
        return false;
  return true;
}

/// Are all bytes of every access moved at once? What no register holds, a structure's
/// assignment or a call of memcpy, is cut into parts, each of which may be written
/// before the next is read; where that shows, the program is wrong, but stays as it is.
bool Prover::movedAtOnce() const {
  constexpr uint64_t widestRegister = 16;
  for (const Access &a : loop.accesses) {
    uint64_t size = g.isConst(a.bytes) ? g[a.bytes].value : 0;
    if (size == 0 || size > widestRegister || (size & (size - 1)) != 0)
      return false;
  }
  return true;
}

/// See Match::step.
unsigned Prover::stepBytes() const {
  constexpr unsigned longest = 64; // larger bodies are not worth the search
  if (direction != Direction::Ascending || match.swap || match.rows != NoExpr || !movedAtOnce())
    return 0;
  if (body.bulk)
    return unsigned(g[loop.accesses[stores[0]].bytes].value);
  for (unsigned step = 1; step <= body.size && body.size <= longest; ++step)
    if (body.size % step == 0 && stepsWithin(step))
      return step;
  return 0;
}

/// The source's first element is aligned as its access is, if it is ever read.
uint64_t Prover::firstAlign() const {
  const ByteSource &b = body.bytes[0];
  uint64_t align = b.index == 0 ? loop.accesses[b.access].align : 1;
  return std::max(align, match.srcAlign);
}

/// The first bytes of the source as a pattern: see Match::nativePattern.
ExprId Prover::firstBytes(unsigned count, bool native) {
  unsigned piece = native ? count : 1, width = native ? 8 * count : 64;
  uint64_t align = native ? firstAlign() : 1;
  ExprId pattern = g.constant(0, width);
  for (unsigned at = 0; at < count; at += piece) {
    ExprId place = tidy(g.add(match.src, loop.word(at)));
    ExprId part = g.zextOrTrunc(g.memory(place, 8 * piece, align), width);
    part = g.binary(Op::Shl, part, g.constant(8 * at, width));
    pattern = g.binary(Op::Or, pattern, part);
  }
  return pattern;
}

/// for (i..n) a[i + 1] = a[i];    The loop runs at least once, or the first
/// bytes could not be read.
bool Prover::repeatedFill(uint64_t distance) {
  bool runs = true;
  for (const Dim &d : loop.dims)
    runs &= d.nonzero || (g.isConst(d.trip) && g[d.trip].value);
  if (distance < 1 || distance > 8 || match.swap || match.rows != NoExpr ||
      !repeatsWithin(unsigned(distance)))
    return false;
  unsigned period = unsigned(distance);
  match.nativePattern = (period & (period - 1)) == 0;
  match.pattern = firstBytes(period, match.nativePattern);
  match.idiom = Idiom::Fill;
  match.period = period;
  // A loop of no rounds may not be asked for its first element, nor one of
  // fewer bytes for all of the pattern.
  if (!runs || period > body.size)
    require(g.binary(Op::ULt, loop.word(period - 1), match.bytes));
  prove("overlap", "known",
        "the destination lies " + std::to_string(period) +
            " bytes above the source: the first bytes are "
            "repeated",
        "one object");
  return true;
}

/// What runs in the loop's place lets the regions overlap.
void Prover::moves() {
  if (match.idiom == Idiom::Copy)
    match.idiom = Idiom::Move;
}

void Prover::guardFact(bool up, bool down) {
  match.overlap = up     ? Overlap::GuardAscending
                  : down ? Overlap::GuardDescending
                         : Overlap::GuardDisjoint;
  if (up || down || match.rows != NoExpr)
    moves();
  bool plain = !match.swap && match.rows == NoExpr;
  for (unsigned size : {1, 2, 4, 8})
    if (plain && match.repeated == NoExpr && repeatsWithin(size))
      match.repeated = firstBytes(size, true);
  match.step = stepBytes();
  match.facts.push_back({"overlap", Verdict::Guarded, Diag::Overlap,
                         "no byte is read after it was written",
                         up     ? "destination below the source, or apart: tested at run time"
                         : down ? "destination above the source, or apart: tested at run time"
                                : "regions apart: tested at run time",
                         "the compiler cannot tell"});
}

/// Both regions lie in one object at a distance that may be known.
void Prover::overlapSameBase(ExprId lowSource, bool up, bool down) {
  const char *name = "overlap", *need = "no byte is read after it was written";
  int64_t distance; // of the source above the destination
  if (!g.constantDifference(lowSource, lowOffset, distance)) {
    guardFact(up, down);
    return;
  }
  std::string have = "source " + std::to_string(distance) + " bytes from the destination";
  uint64_t apart = uint64_t(distance < 0 ? -uint64_t(distance) : distance);
  if ((distance >= 0 && up) || (distance <= 0 && down)) {
    match.overlap = Overlap::MoveSafe;
    moves();
    prove(name, need, have, "one object");
  } else if (match.maxBytes && match.maxBytes <= apart) {
    // Of rows, each is apart from its own source only.
    bool rows = match.rows != NoExpr;
    match.overlap = rows ? Overlap::MoveSafe : Overlap::Disjoint;
    if (rows)
      moves();
    prove(name, need, have + ", at most " + std::to_string(match.maxBytes) + " copied",
          "one object");
  } else if (distance < 0 && repeatedFill(apart)) {
    return;
  } else if (distance == 0 || (g.isConst(match.bytes) && g[match.bytes].value > apart)) {
    fail(name, Diag::OverlapHarmful, need, have, "one object");
  } else {
    guardFact(up, down);
  }
}

/// True if the compiler says that no load meets any store in the whole nest.
bool Prover::neverOverlap(std::string &evidence) const {
  bool none = true, any = false;
  for (uint32_t s : stores)
    for (uint32_t l = 0; l < loop.accesses.size(); ++l) {
      if (loop.accesses[l].store || loop.accesses[l].base != match.srcBase)
        continue;
      any = true;
      none &= loop.alias(l, s, &evidence) == AliasKind::None;
    }
  return any && none;
}

void Prover::overlap(uint32_t load, ExprId lowSource) {
  const char *name = "overlap", *need = "no byte is read after it was written";
  std::string evidence;
  bool rows = match.rows != NoExpr;
  if (neverOverlap(evidence)) {
    match.overlap = Overlap::Disjoint;
    prove(name, need, "regions never overlap", evidence);
    return;
  }
  if (loop.dims.empty() || (rows && body.bulk)) {
    // A call or an assignment reads everything before it writes anything.
    match.overlap = Overlap::MoveSafe;
    moves();
    prove(name, need,
          rows ? "in each row, reads all before it writes" : "reads all before it writes",
          "memmove's contract");
    return;
  }
  if (rows && !g.equal(match.dstPitch, match.srcPitch)) {
    fail(name, Diag::RowsNotContiguous, "rows equally far apart, or regions that never overlap",
         text(match.srcPitch) + " bytes from row to row of the source, " + text(match.dstPitch) +
             " of the destination");
    return;
  }
  // A call of memcpy or memmove in the body reads all before it writes, too.
  bool up = direction == Direction::Ascending && (body.bulk || safeWithin(true));
  bool down = direction == Direction::Descending && (body.bulk || safeWithin(false));
  if (loop.accesses[load].base == match.dstBase)
    overlapSameBase(lowSource, up, down);
  else
    guardFact(up, down);
}

} // namespace memlift
