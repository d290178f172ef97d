// shapeshort.cpp - fills and copies of fewer than four words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: loops over words begin at four words (shape.cpp). For fewer, the source's loop over
// bytes takes as long as a fill of 200 bytes.
//
// A fill of two words and three: one whole word at least follows the head, and at most three do. So
// all of them are stored without a test of their number, as the bytes before and after them are; n
// bytes at dst:
//
//   if address and size are whole words, these; else
//     three bytes at dst, and half a word at its first multiple
//     the first whole word, one in the middle, and the last
//     half a word before its last multiple, and the last three bytes
//
// Some bytes are stored twice or three times. No branch depends on where a word begins.
//
// A copy of less than four words, down to half a word:
//
//   if addresses and size are whole halves of a word, as those of most structures: 4, 2, 1 of them
//   else groups of four bytes that are loaded, then stored, and the remainder
//
// Shifted words would take less time for 24 bytes and more. But their code is several cache lines,
// and slower where these are not in the cache.
//
// A core of fast unaligned words, or one that counts loops, has better ways.
#include "shape.h"

namespace memlift {

/// Returns true if a fill's region is whole patterns, or if the pattern is a byte.
bool ShapeWriter::wholePatterns() const {
  unsigned period = match.fill()->period;
  bool begins = align % period == 0 || align % word == 0 || core.unaligned == Unaligned::Fast;
  return period == 1 || (begins && wholeElements(period));
}

/// Returns true if fewer than four words have code of their own.
bool ShapeWriter::takesShort() const {
  return !compact && !core.countsLoops && core.unaligned != Unaligned::Fast && word == 8 &&
         !g.isConst(match.bytes) && (match.copy() || wholePatterns());
}

/// Returns true if copies by halves of a word have it.
bool ShapeWriter::takesHalves() const {
  return takesShort() && match.copy() && copyUnit() <= word / 2;
}

/// Returns the size from which on the source's loop does not run.
uint64_t ShapeWriter::leastBytes() const {
  return takesHalves() ? word / 2 : takesShort() ? 2 * word : 4 * word;
}

/// Requires a size at which the main loop gains more than the code around it costs.
bool ShapeWriter::longEnough() {
  uint64_t least = 4 * word;
  bool constant = g.isConst(match.bytes);
  uint64_t most = constant ? g[match.bytes].value : match.maxBytes;
  if (most && most < least) {
    why = "at most " + std::to_string(most) + " bytes";
    return false;
  }
  if (!constant && !(core.countsLoops && wordsOnly()))
    require(g.binary(Op::ULe, loop.word(leastBytes()), match.bytes));
  return true;
}

/// Fills two words or three from `first` to `end`.
void ShapeWriter::fewWords(ExprId first, ExprId middle, ExprId end, ExprId words) {
  fillAnyway(first, 1, word, words);
  fillAnyway(middle, 1, word, words);
  fillAnyway(g.sub(end, loop.word(word)), 1, word, words);
}

/// Fills two words or three, and what is before and after them, of elements of `unit` bytes.
void ShapeWriter::fewElements(unsigned unit, ExprId words) {
  uint64_t half = word / 2, down = 0 - uint64_t(word);
  uint64_t elements = unit < half ? half / unit - 1 : 0;
  ExprId end = g.add(match.dst, match.bytes), first = match.dst;
  ExprId middle = g.add(first, loop.word(word));
  if (!g.isConst(head, 0)) {
    fillAnyway(match.dst, elements, unit, words);
    fillAnyway(elements ? masked(g.add(match.dst, loop.word(half - unit)), 0 - half) : match.dst, 1,
               half, words);
    first = masked(g.add(match.dst, loop.word(word - 1)), down);
    // For two words, this is the first one again.
    middle = g.add(first, over(masked(g.sub(end, first), 2 * uint64_t(word)), 2));
  }
  fewWords(first, middle, masked(end, down), words);
  ExprId last = elements ? masked(end, 0 - half) : end;
  fillAnyway(g.sub(last, loop.word(half)), 1, half, words);
  fillAnyway(g.sub(end, loop.word(elements * unit)), elements, unit, words);
}

/// Fills two words or three where both ends are whole words, and where they may be elements.
void ShapeWriter::shortFill(unsigned unit, ExprId words) {
  size_t large = d.loops.size();
  if (unit < word)
    fewElements(unit, words);
  size_t whole = d.loops.size();
  fewWords(match.dst, g.add(match.dst, loop.word(word)), g.add(match.dst, match.bytes), words);
  if (whole != large)
    choose(large, unaligned(g.binary(Op::Or, match.dst, match.bytes)), Mostly,
           d.loops.size() - whole);
  choose(0, g.binary(Op::ULe, loop.word(4 * word), match.bytes), Mostly, d.loops.size() - large);
}

/// Copies fewer than four words: by halves of a word where source, destination and size are whole
/// halves, else by as many elements as are a half.
void ShapeWriter::shortCopy() {
  uint64_t half = word / 2;
  unsigned unit = copyUnit();
  size_t large = d.loops.size();
  from = after(match.src, loop.word(0)), to = after(match.dst, loop.word(0)), rest = match.bytes;
  continues = false;
  if (unit < half)
    copyLoop(over(rest, half), loop.word(0), unsigned(half / unit), unit);
  for (uint64_t bytes = half / 2; bytes >= unit; bytes /= 2)
    copyLoop(bit(rest, bytes), masked(rest, 0 - 2 * bytes), unsigned(bytes / unit), unit);
  size_t elements = d.loops.size();
  int64_t apart;
  bool never = g.constantDifference(match.dst, match.src, apart) && apart % int64_t(half) != 0;
  continues = false;
  for (uint64_t bytes = never ? 0 : 2 * word; bytes >= half; bytes /= 2)
    copyLoop(bit(rest, bytes), bytes == 2 * word ? loop.word(0) : masked(rest, 0 - 2 * bytes),
             unsigned(bytes / half), unsigned(half));
  ExprId all = g.binary(Op::Or, g.binary(Op::Or, match.dst, match.src), rest);
  if (elements != large && !never)
    choose(large, some(masked(all, half - 1)), Mostly, d.loops.size() - elements);
  choose(0, g.binary(Op::ULe, loop.word(4 * word), rest), Mostly, d.loops.size() - large);
}

} // namespace memlift
