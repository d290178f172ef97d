// copy.cpp - copies and moves: each byte from a fixed distance away
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) d[i] = s[i];
//
// The problem: the two regions may overlap, and then this loop is neither memcpy nor
// memmove. Let it go upwards. If d <= s, no byte is read after it was written, so the
// loop is a memmove. If d >= s + n, the regions are disjoint. Between the two, the
// loop repeats its first bytes.
//
// Naive: test both conditions at run time. One unsigned comparison is enough: d - s
// >= n. If d < s, then d - s wraps to a number that is too large to be below n, since
// s + n does not pass the end of memory. A loop that goes downwards is the mirror
// image: s - d >= n.
//
// If the loop goes upwards in steps that are read completely before they are written,
// a routine that copies in the same steps (Match::step) is right in all three cases.
// Then neither the comparison nor the loop is needed.
//
//   for (i..n) d[i] = bswap32(s[i]);
//
// is judged likewise, by words: a word is read as a whole before it is written, so
// everything said of bytes above holds for words.
//
//   for (y..h) for (x..w) d[y * dp + x] = s[y * sp + x];
//
// copies rows one after the other, each as above. If dp equals sp, d - s is the same
// in every row, and one comparison with w decides for all of them.
//
// The limits: one source and one destination region; byte swaps in words of 2, 4 or 8
// bytes.
//
// Example: n = 10 bytes. With d = s + 4 the loop reads at s + 4 what it wrote there
// four iterations before, so it repeats the first four bytes; d - s = 4 is below 10
// and the test fails. With d = s - 4, d - s wraps to 2^64 - 4, which is not below 10,
// and a move is right. With d = s + 10 the regions touch without overlapping: 10 is
// not below 10.
#include "../align/align.h"
#include "prover.h"

#include <algorithm>

namespace memlift {

/// Describes a step: "step 12 bytes: 4 of every 12".
std::string Prover::strideText(ExprId step, uint64_t size) const {
  std::string have = "step " + text(step) + " bytes";
  int64_t by = g.isConst(step) ? signExtend(g[step].value, g.width(step)) : 0;
  uint64_t every = uint64_t(by < 0 ? -by : by);
  return every > size ? have + ": " + std::to_string(size) + " of every " + std::to_string(every)
                      : have;
}

/// Requires that source and destination step alike in every dimension. The outermost
/// step is free if each of its iterations is a row.
bool Prover::sameSteps(const Access &load, const Access &store) {
  for (size_t k = 0; k < loop.dims.size(); ++k) {
    if (load.affine && load.step.size() == loop.dims.size() &&
        (g.equal(load.step[k], store.step[k]) || (k == 0 && match.rows != NoExpr) ||
         g.isConst(loop.dims[k].trip, 1)))
      continue;
    bool inner = k + 1 == loop.dims.size();
    // A source that is read in reverse has a reason of its own.
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

/// Returns the offset that byte i of the footprint is read from.
ExprId Prover::sourceOf(unsigned i) {
  const ByteSource &b = body.bytes[i];
  return g.add(loop.accesses[b.access].offset, loop.word(b.index));
}

/// Returns the size of the words whose bytes are reversed: 1 if all bytes keep their
/// order, 0 if there is no such size. lowSource is the offset of the lowest byte that
/// an iteration reads.
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

/// Requires that every byte of the footprint is read at one fixed distance, perhaps
/// with the bytes of each word reversed. lowSource is the offset of the lowest byte
/// that an iteration reads.
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

/// Enters a copy whose words are byte-swapped; there is no routine for rows of those.
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

/// Requires that a bulk store copies a bulk load of the same size.
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

/// Proves the source region, then judges how it may overlap the destination.
void Prover::copy() {
  uint32_t first;
  ExprId source;
  if (!(body.bulk ? bulkSource(first, source) : sourceBytes(first, source)))
    return;
  const Access &store = loop.accesses[stores[0]];
  // The steps are equal, so the source's lowest byte is as far below its first one.
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

/// Returns the number of the source byte that byte i of the footprint comes from.
unsigned Prover::sourceByte(unsigned i) const {
  unsigned word = std::max(match.swap, 1u);
  return i / word * word + (match.swap ? word - 1 - i % word : 0);
}

/// Returns true if, in one iteration, no store overwrites a byte that a later load
/// reads. The destination is at or below the source if `ascending`, else at or above
/// it. The store of byte i hits the source of byte j if the distance is i - j.
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

/// Returns true if the body, with the destination `distance` bytes above the source,
/// reads what it has just written. The result is then the first bytes, repeated.
bool Prover::repeatsWithin(unsigned distance) const {
  if (body.bulk || direction != Direction::Ascending)
    return false;
  for (unsigned i = 0; i + distance < body.size; ++i)
    if (body.bytes[i + distance].access < body.storeOf[i])
      return false;
  return true;
}

/// Returns true if the body reads each group of `step` bytes before it writes any of
/// them, and writes them before it reads the next group.
bool Prover::stepsWithin(unsigned step) const {
  for (unsigned read = 0; read < body.size; ++read)
    for (unsigned written = 0; written < body.size; ++written)
      if ((body.storeOf[written] < body.bytes[read].access) != (written / step < read / step))
        return false;
  return true;
}

/// Returns true if every access moves all its bytes at once. A structure assignment
/// or a memcpy that no register holds is cut into parts, and a part may be written
/// before the next is read. A program in which that shows is wrong, but it must keep
/// its behaviour.
bool Prover::movedAtOnce() const {
  constexpr uint64_t widestRegister = 16;
  for (const Access &a : loop.accesses) {
    uint64_t size = g.isConst(a.bytes) ? g[a.bytes].value : 0;
    if (size == 0 || size > widestRegister || (size & (size - 1)) != 0)
      return false;
  }
  return true;
}

/// Computes Match::step.
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

/// Returns the alignment of the source's first element, if it is ever read.
uint64_t Prover::firstAlign() const {
  const ByteSource &b = body.bytes[0];
  uint64_t align = b.index == 0 ? loop.accesses[b.access].align : 1;
  return std::max(align, match.srcAlign);
}

/// Loads the first bytes of the source as a pattern; see Match::nativePattern.
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

/// Recognises for (i..n) a[i + 1] = a[i], a fill with the first bytes of the source.
/// The loop must run at least once, or those could not be read.
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
  // A loop of no iterations must not read its first element, nor a short one the
  // whole pattern.
  if (!runs || period > body.size)
    require(g.binary(Op::ULt, loop.word(period - 1), match.bytes));
  prove("overlap", "known",
        "the destination lies " + std::to_string(period) +
            " bytes above the source: the first bytes are "
            "repeated",
        "one object");
  return true;
}

/// Notes that the operation has to allow overlapping regions.
void Prover::moves() {
  if (match.idiom == Idiom::Copy)
    match.idiom = Idiom::Move;
}

/// Enters the run-time test of the overlap, and what may run where the test fails.
void Prover::guardFact(bool up, bool down) {
  match.overlap = up     ? Overlap::GuardAscending
                  : down ? Overlap::GuardDescending
                         : Overlap::GuardDisjoint;
  if (up || down || match.rows != NoExpr)
    moves();
  // For small distances the loop's result is a fill, which needs no loop.
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

/// Judges two regions of one object, whose distance may be known.
void Prover::overlapSameBase(ExprId lowSource, bool up, bool down) {
  const char *name = "overlap", *need = "no byte is read after it was written";
  int64_t distance; // of the source above the destination
  if (!g.constantDifference(lowSource, lowOffset, distance)) {
    guardFact(up, down);
    return;
  }
  std::string have = "source " + std::to_string(distance) + " bytes from the destination";
  uint64_t apart = uint64_t(distance < 0 ? -uint64_t(distance) : distance);
  // The loop goes away from the bytes that it still has to read.
  if ((distance >= 0 && up) || (distance <= 0 && down)) {
    match.overlap = Overlap::MoveSafe;
    moves();
    prove(name, need, have, "one object");
  } else if (match.maxBytes && match.maxBytes <= apart) {
    // In rows, the bound keeps each row apart from its own source only.
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

/// Returns true if no load of the nest can alias any store, as the compiler knows it.
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

/// Judges the overlap: disjoint, ordered by contract, at a known distance, or to be
/// tested.
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
  // With different pitches the distance changes from row to row.
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
