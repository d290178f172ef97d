// shapesmall.cpp - copies and fills of bytes in least code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a kernel has its own memcpy, memmove and memset for each core, which should be as
// small as assembler. memlift("shape") with -Os asks for that.
//
// Naive: the forms of the other files take 0.5 to 1.5 KB each, and keep the source's loop beside
// them. Instead copies are as those of memory that may fault (shapeuser.cpp), in either direction:
//
//   if (n >= 2 words, and no word that is read has been overwritten)
//     bytes up to the first whole word of the destination
//     groups of words, then words; if the source is at another byte of a word: shifted pairs
//   the bytes that are left
//
// The last loop takes the place of the source's, whatever overlaps. A fill is more often long: 32
// words are stored at a time, and the bytes before and after words take no loop, as in shape.cpp.
#include "shape.h"

#include <algorithm>

namespace memlift {

/// Returns true if the function is to be shaped and the options ask for small code.
bool ShapeWriter::takesSmall() const {
  return loop.function.shape && loop.function.optSize && !core.countsLoops &&
         !g.isConst(match.bytes) && core.unaligned != Unaligned::Fast;
}

/// Requires a loop over bytes, which the last loop then is.
bool ShapeWriter::suitsSmall() {
  const FillForm *fills = match.fill();
  auto stepsBy = [&](uint64_t by) {
    uint64_t step = by & maskOf(loop.ptrBits);
    return std::all_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access &a) {
      return g.isConst(a.bytes, 1) && a.step.size() == 1 && g.isConst(a.step[0], step);
    });
  };
  bool upwards = stepsBy(1);
  down = !upwards && match.overlap() != Overlap::Disjoint;
  if (match.rows != NoExpr || loop.dims.size() != 1)
    why = "it has rows";
  else if (match.reorders() || (!fills && !match.copy()))
    why = "its bytes are in another order";
  else if ((!upwards && !stepsBy(0 - uint64_t(1))) || (fills && fills->period != 1))
    why = "its elements are wider than a byte, and the code is optimised for size";
  else if (match.condition != NoExpr || !match.finals.empty())
    why = "it needs a test at run time, or stores its counter";
  else if (match.overlap() == Overlap::GuardDisjoint ||
           match.overlap() == (down ? Overlap::GuardAscending : Overlap::GuardDescending))
    why = "its order of bytes is not known";
  return why.empty();
}

/// Returns the condition under which no word has been overwritten when it is read; NoExpr: always.
ExprId ShapeWriter::apartEnough() {
  int64_t known;
  bool ahead = match.copy() && g.constantDifference(match.dst, match.src, known) &&
               (down ? known > 0 : known < 0);
  if (match.overlap() == Overlap::Disjoint || ahead)
    return NoExpr;
  ExprId above = down ? g.sub(match.src, match.dst) : g.sub(match.dst, match.src);
  return g.binary(Op::ULe, match.bytes, g.fromPoly(g.poly(above), loop.ptrBits));
}

/// Fills words: many at a time, then half of that or nothing, down to a word. The bytes before and
/// after them are stored without a test of their number; less than two words go byte by byte.
void ShapeWriter::smallFill() {
  constexpr unsigned count = 32;
  unsigned unit = 1;
  ExprId words = repeated();
  to = wordsFrom, rest = g.sub(regionEnd, wordsFrom);
  if (!g.isConst(head, 0))
    fillHead(unit, words);
  continues = false;
  fillLoop(over(rest, uint64_t(count) * word), to, count, word, words);
  size_t remainder = d.loops.size();
  for (uint64_t bytes = uint64_t(count) * word / 2; bytes >= word; bytes /= 2)
    fillLoop(bit(rest, bytes), g.add(to, masked(rest, 0 - 2 * bytes)), unsigned(bytes / word), word,
             words);
  fillTail(unit, words);
  onlyIf(remainder, some(masked(rest, uint64_t(count) * word - 1)), Mostly);
  continues = false;
  size_t large = d.loops.size();
  fillLoop(match.bytes, match.dst, 1, 1, g.zextOrTrunc(match.fill()->pattern, 8));
  // The stores around words need one word; for less than two the loop has fewer lines of a cache.
  choose(0, g.binary(Op::ULe, loop.word(2 * uint64_t(word)), match.bytes), Mostly,
         d.loops.size() - large);
}

/// Copies words, then the bytes that are left.
void ShapeWriter::smallCopy() {
  d.fixup = {regionEnd, match.bytes, apart, value, /*faults=*/false};
  userWords();
  // A test for each condition, as it is no value then.
  if (ExprId ahead = apartEnough(); ahead != NoExpr) {
    choose(0, ahead, Mostly);
    from = phi(0, from, after(match.src, loop.word(0)), Phi::Number);
    to = phi(0, to, after(match.dst, loop.word(0)), Phi::Number);
  }
  // A head takes less than a word, so one byte at least is left, which the first word holds.
  choose(0, holdsWords(2 * uint64_t(word)), Mostly);
  userRest(true);
}

/// Writes all of the operation.
bool ShapeWriter::small() {
  if (!suitsSmall())
    return false;
  splitUser();
  match.copy() ? smallCopy() : smallFill();
  whole = true;
  shape = "words of " + std::to_string(word) + " bytes" + (choosesAlike ? ", or shifted" : "") +
          ", in least code (-O2 takes more)";
  return true;
}

} // namespace memlift
