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
//   for (i..n) d[i] = s[n - 1 - i];
//
// reverses the order of words. It needs disjoint regions.
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
#include "region.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

std::string strideText(const Proof &p, ExprId step, uint64_t size) {
  std::string have = "step " + p.text(step) + " bytes";
  int64_t by = p.g.isConst(step) ? signExtend(p.g[step].value, p.g.width(step)) : 0;
  uint64_t every = uint64_t(by < 0 ? -by : by);
  return every > size ? have + ": " + std::to_string(size) + " of every " + std::to_string(every)
                      : have;
}

/// Requires that source and destination step alike in every dimension. The outermost
/// step is free if each of its iterations is a row.
static bool sameSteps(Proof &p, const Access &load, const Access &store) {
  for (size_t k = 0; k < p.loop.dims.size(); ++k) {
    if (load.affine && load.step.size() == p.loop.dims.size() &&
        (p.g.equal(load.step[k], store.step[k]) || (k == 0 && p.match.rows != NoExpr) ||
         p.g.isConst(p.loop.dims[k].trip, 1)))
      continue;
    bool inner = k + 1 == p.loop.dims.size();
    // A source that is read in reverse has a reason of its own.
    bool back = load.affine && load.step.size() == p.loop.dims.size() &&
                p.g.equal(load.step[k], p.g.sub(p.loop.word(0), store.step[k]));
    return p.fail("source contiguous",
                  !inner ? Diag::RowsNotContiguous
                  : back ? Diag::Reversed
                         : Diag::SourceStride,
                  "step " + p.text(store.step[k]) + " bytes",
                  load.affine ? strideText(p, load.step[k], p.g[load.bytes].value) : load.why,
                  p.where(load.loc));
  }
  return true;
}

/// Returns the offset that byte i of the footprint is read from.
static ExprId sourceOffset(Proof &p, unsigned i) {
  const ByteSource &b = p.body.bytes[i];
  return p.g.add(p.loop.accesses[b.access].offset, p.loop.word(b.index));
}

/// Returns the size of the words whose bytes are reversed: 1 if all bytes keep their
/// order, 0 if there is no such size. lowSource is the offset of the lowest byte that
/// an iteration reads.
static unsigned wordsSwapped(Proof &p, ExprId &lowSource) {
  for (unsigned word : {1u, 2u, 4u, 8u}) {
    if (p.body.size % word)
      break;
    lowSource = p.g.sub(sourceOffset(p, 0), p.loop.word(word - 1));
    bool all = true;
    for (unsigned i = 0; i < p.body.size && all; ++i) {
      unsigned from = i / word * word + (word - 1 - i % word);
      all = p.g.equal(sourceOffset(p, i), p.g.add(lowSource, p.loop.word(from)));
    }
    if (all)
      return word;
  }
  return 0;
}

/// Enters a copy whose words are byte-swapped; there is no routine for rows of those.
static bool swapped(Proof &p, unsigned word) {
  p.match.toCopy().swap = word;
  p.match.idiom = Idiom::CopySwap;
  if (p.match.rows != NoExpr)
    return p.fail("source contiguous", Diag::RowsNotContiguous,
                  "rows end to end, since bytes are swapped",
                  "rows " + p.text(p.match.dstPitch) + " bytes apart");
  p.prove("byte order", "kept, or swapped within words of 2, 4 or 8 bytes",
          "swapped within words of " + std::to_string(word) + " bytes");
  return true;
}

/// Requires that every byte of the footprint is read at one fixed distance, perhaps
/// with the bytes of each word reversed. lowSource is the offset of the lowest byte
/// that an iteration reads.
static bool sourceBytes(Proof &p, uint32_t &first, ExprId &lowSource) {
  Loop &loop = p.loop;
  const char *name = "source contiguous";
  const Access &store = loop.accesses[p.stores[0]];
  first = p.body.bytes[0].access;
  for (const ByteSource &b : p.body.bytes) {
    const Access &load = loop.accesses[b.access];
    if (!load.affine || !sameSteps(p, load, store))
      return false;
    if (load.base != loop.accesses[first].base)
      return p.fail(name, Diag::SourceVaries, "one source region",
                    p.describe(loop.accesses[first]) + " and " + p.describe(load),
                    p.where(load.loc));
    if (p.match.rows != NoExpr && !p.g.equal(load.step[0], loop.accesses[first].step[0]))
      return p.fail(name, Diag::RowsNotContiguous, "one distance between rows",
                    p.text(loop.accesses[first].step[0]) + " and " + p.text(load.step[0]) +
                        " bytes",
                    p.where(load.loc));
  }
  unsigned word = wordsSwapped(p, lowSource);
  if (word == 0) {
    unsigned i = 1;
    while (p.g.equal(sourceOffset(p, i), p.g.add(sourceOffset(p, 0), loop.word(i))))
      ++i;
    return p.fail(name, Diag::SourceStride, "the bytes in the order of the destination",
                  "byte " + std::to_string(i) + " comes from elsewhere",
                  p.where(loop.accesses[p.body.bytes[i].access].loc));
  }
  return word == 1 || swapped(p, word);
}

/// Requires that a bulk store copies a bulk load of the same size.
static bool bulkSource(Proof &p, uint32_t &first, ExprId &lowSource) {
  const Access &store = p.loop.accesses[p.stores[0]];
  first = uint32_t(p.g[store.value].value);
  const Access &load = p.loop.accesses[first];
  if (!load.affine || !sameSteps(p, load, store))
    return false;
  if (!p.g.equal(load.bytes, store.bytes))
    return p.fail("source contiguous", Diag::SourceStride, p.text(store.bytes) + " bytes",
                  p.text(load.bytes) + " bytes", p.where(load.loc));
  lowSource = load.offset;
  return true;
}

/// Returns the number of the source byte that byte i of the footprint comes from.
static unsigned sourceByte(const Proof &p, unsigned i) {
  unsigned word = std::max(p.match.swap(), 1u);
  return i / word * word + (p.match.swap() ? word - 1 - i % word : 0);
}

/// Returns true if, in one iteration, no store overwrites a byte that a later load
/// reads. The destination is at or below the source if `ascending`, else at or above
/// it. The store of byte i hits the source of byte j if the distance is i - j.
static bool safeWithin(const Proof &p, bool ascending) {
  for (unsigned i = 0; i < p.body.size; ++i)
    for (unsigned k = 0; k < p.body.size; ++k) {
      unsigned j = sourceByte(p, k);
      bool storeFirst = p.body.storeOf[i] < p.body.bytes[k].access;
      if (storeFirst && (ascending ? i >= j : i <= j))
        return false;
    }
  return true;
}

/// Returns true if the body, with the destination `distance` bytes above the source,
/// reads what it has just written. The result is then the first bytes, repeated.
static bool repeatsWithin(const Proof &p, unsigned distance) {
  if (p.body.bulk || p.direction != Direction::Ascending)
    return false;
  for (unsigned i = 0; i + distance < p.body.size; ++i)
    if (p.body.bytes[i + distance].access < p.body.storeOf[i])
      return false;
  return true;
}

/// Returns true if the body reads each group of `step` bytes before it writes any of
/// them, and writes them before it reads the next group.
static bool stepsWithin(const Proof &p, unsigned step) {
  for (unsigned read = 0; read < p.body.size; ++read)
    for (unsigned written = 0; written < p.body.size; ++written)
      if ((p.body.storeOf[written] < p.body.bytes[read].access) != (written / step < read / step))
        return false;
  return true;
}

/// Returns true if every access moves all its bytes at once. A structure assignment
/// or a memcpy that no register holds is cut into parts, and a part may be written
/// before the next is read. A program in which that shows is wrong, but it must keep
/// its behaviour.
static bool movedAtOnce(const Proof &p) {
  constexpr uint64_t widestRegister = 16;
  for (const Access &a : p.loop.accesses) {
    uint64_t size = p.g.isConst(a.bytes) ? p.g[a.bytes].value : 0;
    if (size == 0 || size > widestRegister || (size & (size - 1)) != 0)
      return false;
  }
  return true;
}

/// Computes CopyForm::step.
static unsigned stepBytes(const Proof &p) {
  constexpr unsigned longest = 64; // larger bodies are not worth the search
  if (p.direction != Direction::Ascending || p.match.reorders() || p.match.rows != NoExpr ||
      !movedAtOnce(p))
    return 0;
  if (p.body.bulk)
    return unsigned(p.g[p.loop.accesses[p.stores[0]].bytes].value);
  for (unsigned step = 1; step <= p.body.size && p.body.size <= longest; ++step)
    if (p.body.size % step == 0 && stepsWithin(p, step))
      return step;
  return 0;
}

/// Returns the alignment of the source's first element, if it is ever read.
static uint64_t firstAlign(const Proof &p) {
  const ByteSource &b = p.body.bytes[0];
  uint64_t align = b.index == 0 ? p.loop.accesses[b.access].align : 1;
  return std::max(align, p.match.srcAlign);
}

/// Loads the first bytes of the source as a pattern; see FillForm::native.
static ExprId firstBytes(Proof &p, unsigned count, bool native) {
  ExprGraph &g = p.g;
  unsigned piece = native ? count : 1, width = native ? 8 * count : 64;
  uint64_t align = native ? firstAlign(p) : 1;
  ExprId pattern = g.constant(0, width);
  for (unsigned at = 0; at < count; at += piece) {
    ExprId place = p.tidy(g.add(p.match.src, p.loop.word(at)));
    ExprId part = g.zextOrTrunc(g.memory(place, 8 * piece, align), width);
    part = g.binary(Op::Shl, part, g.constant(8 * at, width));
    pattern = g.binary(Op::Or, pattern, part);
  }
  return pattern;
}

/// Recognises for (i..n) a[i + 1] = a[i], a fill with the first bytes of the source.
/// The loop must run at least once, or those could not be read.
static bool repeatedFill(Proof &p, uint64_t distance) {
  Match &match = p.match;
  if (distance < 1 || distance > 8 || match.reorders() || match.rows != NoExpr ||
      !repeatsWithin(p, unsigned(distance)))
    return false;
  unsigned period = unsigned(distance);
  FillForm form;
  form.period = period;
  form.native = (period & (period - 1)) == 0;
  form.pattern = firstBytes(p, period, form.native);
  match.idiom = Idiom::Fill;
  match.writes = form;
  // A loop of no iterations must not read its first element, nor a short one the
  // whole pattern.
  if (!p.runs() || period > p.body.size)
    p.require(p.g.binary(Op::ULt, p.loop.word(period - 1), match.bytes));
  p.prove("overlap", "known",
          "the destination is " + std::to_string(period) +
              " bytes above the source: the first bytes are "
              "repeated",
          "one object");
  return true;
}

/// Notes that the operation has to allow overlapping regions.
static void moves(Proof &p) {
  if (p.match.idiom == Idiom::Copy)
    p.match.idiom = Idiom::Move;
}

/// Enters the run-time test of the overlap, and what may run where the test fails.
static void guardFact(Proof &p, bool up, bool down) {
  Match &match = p.match;
  CopyForm &copy = match.toCopy();
  copy.overlap = up     ? Overlap::GuardAscending
                 : down ? Overlap::GuardDescending
                        : Overlap::GuardDisjoint;
  if (up || down || match.rows != NoExpr)
    moves(p);
  // For small distances the loop's result is a fill, which needs no loop.
  bool plain = !match.reorders() && match.rows == NoExpr;
  for (unsigned size : {1, 2, 4, 8})
    if (plain && copy.repeated == NoExpr && repeatsWithin(p, size))
      copy.repeated = firstBytes(p, size, true);
  copy.step = stepBytes(p);
  p.guard("overlap", Diag::Overlap, "no byte is read after it was written",
          up     ? "destination below the source, or disjoint: tested at run time"
          : down ? "destination above the source, or disjoint: tested at run time"
                 : "disjoint regions: tested at run time",
          "the compiler cannot tell");
}

/// Judges two regions of one object, whose distance may be known.
static void overlapSameBase(Proof &p, ExprId lowSource, bool up, bool down) {
  Match &match = p.match;
  const char *name = "overlap", *need = "no byte is read after it was written";
  int64_t distance; // of the source above the destination
  if (!p.g.constantDifference(lowSource, p.lowOffset, distance)) {
    guardFact(p, up, down);
    return;
  }
  std::string have = "source " + std::to_string(distance) + " bytes from the destination";
  uint64_t apart = uint64_t(distance < 0 ? -uint64_t(distance) : distance);
  // The loop goes away from the bytes that it still has to read.
  if ((distance >= 0 && up) || (distance <= 0 && down)) {
    match.toCopy().overlap = Overlap::MoveSafe;
    moves(p);
    p.prove(name, need, have, "one object");
  } else if (match.maxBytes && match.maxBytes <= apart) {
    // In rows, the bound keeps each row apart from its own source only.
    bool rows = match.rows != NoExpr;
    match.toCopy().overlap = rows ? Overlap::MoveSafe : Overlap::Disjoint;
    if (rows)
      moves(p);
    p.prove(name, need, have + ", at most " + std::to_string(match.maxBytes) + " copied",
            "one object");
  } else if (distance < 0 && repeatedFill(p, apart)) {
    return;
  } else if (distance == 0 || (p.g.isConst(match.bytes) && p.g[match.bytes].value > apart)) {
    p.fail(name, Diag::OverlapHarmful, need, have, "one object");
  } else {
    guardFact(p, up, down);
  }
}

/// Returns true if no load of the nest can alias any store, as the compiler knows it.
static bool neverOverlap(const Proof &p, std::string &evidence) {
  bool none = true, any = false;
  for (uint32_t s : p.stores)
    for (uint32_t l = 0; l < p.loop.accesses.size(); ++l) {
      if (p.loop.accesses[l].store || p.loop.accesses[l].base != p.match.srcBase)
        continue;
      any = true;
      none &= p.loop.alias(l, s, &evidence) == AliasKind::None;
    }
  return any && none;
}

/// Judges the overlap: disjoint, ordered by contract, at a known distance, or to be
/// tested.
static void overlap(Proof &p, uint32_t load, ExprId lowSource) {
  Match &match = p.match;
  const char *name = "overlap", *need = "no byte is read after it was written";
  std::string evidence;
  bool rows = match.rows != NoExpr;
  if (neverOverlap(p, evidence)) {
    match.toCopy().overlap = Overlap::Disjoint;
    p.prove(name, need, "regions never overlap", evidence);
    return;
  }
  if (p.loop.dims.empty() || (rows && p.body.bulk)) {
    // A call or an assignment reads everything before it writes anything.
    match.toCopy().overlap = Overlap::MoveSafe;
    moves(p);
    p.prove(name, need,
            rows ? "in each row, reads all before it writes" : "reads all before it writes",
            "memmove's contract");
    return;
  }
  // With different pitches the distance changes from row to row.
  if (rows && !p.g.equal(match.dstPitch, match.srcPitch)) {
    p.fail(name, Diag::RowsNotContiguous, "rows at equal distances, or regions that never overlap",
           p.text(match.srcPitch) + " bytes from row to row of the source, " +
               p.text(match.dstPitch) + " of the destination");
    return;
  }
  // A call of memcpy or memmove in the body reads all before it writes, too.
  bool up = p.direction == Direction::Ascending && (p.body.bulk || safeWithin(p, true));
  bool down = p.direction == Direction::Descending && (p.body.bulk || safeWithin(p, false));
  if (p.loop.accesses[load].base == match.dstBase)
    overlapSameBase(p, lowSource, up, down);
  else
    guardFact(p, up, down);
}

/// Returns the size of the words that an iteration copies, which follow one another in reverse
/// order: 0 if there is no such size. lowSource is the offset of the lowest byte that an iteration
/// reads.
static unsigned wordsReversed(Proof &p, ExprId &lowSource) {
  for (unsigned word : {1u, 2u, 4u, 8u}) {
    if (p.body.size % word)
      break;
    lowSource = p.g.sub(sourceOffset(p, 0), p.loop.word(p.body.size - word));
    bool all = true;
    for (unsigned i = 0; i < p.body.size && all; ++i) {
      unsigned from = p.body.size - word - i / word * word + i % word;
      all = p.g.equal(sourceOffset(p, i), p.g.add(lowSource, p.loop.word(from)));
    }
    if (all)
      return word;
  }
  return 0;
}

/// Returns true if the loads walk down where the stores walk up, or the other way round, and read
/// one region.
static bool walksAgainst(Proof &p) {
  const Loop &loop = p.loop;
  const Access &store = loop.accesses[p.stores[0]];
  if (p.body.bulk || loop.dims.size() != 1 || p.match.rows != NoExpr)
    return false;
  const Access &first = loop.accesses[p.body.bytes[0].access];
  return std::all_of(p.body.bytes.begin(), p.body.bytes.end(), [&](const ByteSource &b) {
    const Access &load = loop.accesses[b.access];
    return walkAlike(p.g, load, first) && !isStill(p.g, load) &&
           p.g.equal(load.step[0], p.g.sub(p.loop.word(0), store.step[0]));
  });
}

/// Recognises  d[i] = s[n - 1 - i];  a copy of words in reverse order. Unless the regions are
/// disjoint, bytes may be read after they were written. Enters no fact for other loops.
static bool reversed(Proof &p) {
  constexpr int64_t leastApart = 64; // fewer bytes are faster by the loop
  ExprId low;
  unsigned word = walksAgainst(p) ? wordsReversed(p, low) : 0;
  if (!word)
    return false;
  Match &match = p.match;
  uint32_t first = p.body.bytes[0].access;
  const Access &load = p.loop.accesses[first];
  int64_t below;
  if (!p.g.constantDifference(low, load.offset, below))
    return false;
  Region r = regionOf(p.loop, load, below, p.loop.word(p.body.size), p.body.size);
  if (!r.ok)
    return false;
  match.toCopy().reverse = word;
  match.idiom = Idiom::CopyReverse;
  match.srcBase = load.base;
  match.src = p.tidy(p.address(load.base, r.low));
  match.srcAlign = match.srcTouched = alignmentOf(p.loop, load.base, r.low);
  p.prove("source contiguous", "the destination's words in reverse order",
          p.text(match.src) + ", words of " + std::to_string(word) + " bytes", p.where(load.loc));
  std::string evidence;
  const char *name = "overlap", *need = "no byte is read after it was written";
  int64_t apart;
  if (neverOverlap(p, evidence)) {
    match.toCopy().overlap = Overlap::Disjoint;
    p.prove(name, need, "regions never overlap", evidence);
  } else if (p.g.constantDifference(match.dst, match.src, apart) && apart > -leastApart &&
             apart < leastApart) {
    p.fail(name, Diag::OverlapHarmful, need,
           "source " + std::to_string(-apart) + " bytes from the destination", "one object");
  } else {
    guardFact(p, false, false);
  }
  return true;
}

/// Proves the source region, then judges how it may overlap the destination.
void copy(Proof &p) {
  if (reversed(p))
    return;
  uint32_t first;
  ExprId source;
  if (!(p.body.bulk ? bulkSource(p, first, source) : sourceBytes(p, first, source)))
    return;
  const Access &store = p.loop.accesses[p.stores[0]];
  // The steps are equal, so the source's lowest byte is as far below its first one.
  ExprId start = p.g.add(store.offset, p.loop.word(uint64_t(p.body.low)));
  ExprId lowSource = p.g.add(source, p.g.sub(p.lowOffset, start));
  const Access &load = p.loop.accesses[first];
  p.match.srcBase = load.base;
  if (p.match.rows != NoExpr)
    p.match.srcPitch = p.tidy(load.step[0]);
  p.match.src = p.tidy(p.address(load.base, lowSource));
  p.match.srcAlign = regionAlign(p, load.base, lowSource, load, p.match.srcTouched);
  p.prove("source contiguous", "the destination's bytes in order", p.text(p.match.src),
          p.where(load.loc));
  overlap(p, first, lowSource);
}

} // namespace memlift
