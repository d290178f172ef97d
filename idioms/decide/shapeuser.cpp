// shapeuser.cpp - copies and fills of memory that may fault
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a kernel copies to and from a program's memory, any page of which may be missing.
// The number of bytes that were not copied has to be exact, and no byte behind the fault written.
//
// Naive: a loop over bytes with an entry for each access. Instead the loops go by words, and a
// fault leads to the loop over the bytes that are left, from the last address up to which all is
// stored; a fault there tells the exact number. So each loop goes upwards, loads a group and then
// stores it, and stores each byte once, in order:
//
//   if (n >= 2 words; a fill: some whole word)
//     bytes up to the first whole word of the destination
//     groups of words, then words; if the source is at another byte of a word, or a fill, a word
//     if their number is odd, then pairs: little code
//   the bytes that are left
//
// Loops end at addresses that are computed once: the first whole word, the end of the last one,
// and the end. A sum for each loop would take longer than a short copy.
//
// The other files of ShapeWriter store some bytes twice, or the last ones first, and use tests by
// halves. After a fault neither would be exact, and each access is more code here: its entry takes
// 12 bytes. A shifted word is made of aligned words that hold bytes of the copy, so no other page
// is touched, and a page that is missing has bytes of the copy.
#include "shape.h"

#include <algorithm>

namespace memlift {

/// Requires that the source's loop stores byte after byte, so that its state at a fault is a number
/// of bytes.
bool ShapeWriter::suitsUser() {
  const FillForm *fills = match.fill();
  bool single = std::all_of(loop.accesses.begin(), loop.accesses.end(),
                            [&](const Access &a) { return g.isConst(a.bytes, 1); });
  bool upwards = std::all_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access &a) {
    return a.step.size() == 1 && g.isConst(a.step[0], 1);
  });
  bool copies = match.copy() && !match.swap();
  if (!match.reductions.empty() || (!fills && !copies))
    why = "it is neither a copy nor a fill";
  else if (loop.bigEndian || loop.ptrBits != 64)
    why = "the target has no entries that memlift knows";
  else if (match.rows != NoExpr || loop.dims.size() != 1)
    why = "it has rows";
  else if (match.overlap() != Overlap::Disjoint)
    why = "its regions may overlap";
  else if (match.condition != NoExpr || !match.finals.empty())
    why = "it needs a test at run time, or stores its counter";
  else if (!single || (fills && fills->period != 1))
    why = "its elements are wider than a byte";
  else if (!upwards)
    why = "it does not go from byte to byte upwards";
  return why.empty();
}

/// Splits the region into bytes up to the first whole word of the destination, words, and bytes,
/// in the copy's direction.
void ShapeWriter::splitUser() {
  uint64_t whole = 0 - uint64_t(word);
  ExprId above = g.add(match.dst, match.bytes), low = match.dst, high = masked(above, whole);
  if (!down && (core.unaligned == Unaligned::Fast || align % word == 0))
    high = g.add(match.dst, masked(match.bytes, whole));
  else
    low = masked(g.add(match.dst, loop.word(word - 1)), whole);
  wordsFrom = down ? high : low, wordsTo = down ? low : high;
  head = down ? g.sub(above, high) : g.sub(low, match.dst);
  rest = g.sub(high, low);
  to = after(match.dst, loop.word(0));
  regionEnd = down ? match.dst : above;
  if (match.copy()) {
    from = after(match.src, loop.word(0));
    apart = g.sub(match.src, match.dst);
  } else {
    value = g.isConst(match.fill()->pattern) ? repeated() : match.fill()->pattern;
  }
}

/// Copies or fills groups of words, then single words; all begin with a whole word, or may be
/// anywhere.
void ShapeWriter::userGroups() {
  uint64_t each = uint64_t(group) * word;
  ExprId most = g.binary(Op::And, rest, loop.word(0 - each));
  ExprId few = over(masked(rest, each - 1), word);
  if (match.copy()) {
    from = sourceOf(wordsFrom), to = wordsFrom;
    copyLoop(over(rest, each), loop.word(0), group, word);
    if (group > 1)
      copyLoop(few, most, 1, word);
  } else if (core.unaligned != Unaligned::Fast) {
    // Little code, which clears eight words by half as many instructions as a loop over words.
    ExprId words = repeated(), odd = masked(rest, word),
           pairs = masked(rest, 0 - 2 * uint64_t(word));
    fillLoop(bit(rest, word), wordsFrom, 1, word, words);
    fillLoop(over(pairs, 2 * word), g.add(wordsFrom, odd), 2, word, words);
  } else {
    ExprId words = repeated();
    fillLoop(over(rest, each), wordsFrom, group, word, words);
    if (group > 1)
      fillLoop(few, g.add(wordsFrom, most), 1, word, words);
  }
  d.loops.back().end = wordsTo;
}

/// Copies whole words of the destination, each made of two of the source.
void ShapeWriter::userShifted() {
  ExprId first = sourceOf(wordsFrom), at = masked(first, 0 - uint64_t(word));
  ExprId by = masked(bitsOf(first), wordBits - 1);
  ExprId begins = held(at);
  d.loops.back().reached = wordsFrom; // this loop stores nothing
  Carried c = {down ? at : g.add(at, loop.word(word)), begins, by, othersOf(by)};
  // Pairs need no register for the word that is carried on, and end where the words do.
  ExprId pairs = masked(rest, 0 - 2 * uint64_t(word));
  shiftLoop(c, bit(rest, word), loop.word(0), 1);
  shiftLoop(c, over(pairs, 2 * word), masked(rest, word), 2);
  d.loops.back().end = wordsTo;
}

/// Writes the head and the words.
void ShapeWriter::userWords() {
  if (!g.isConst(head, 0)) {
    match.copy() ? copyLoop(head, loop.word(0), 1, 1)
                 : fillLoop(head, match.dst, 1, 1, g.zextOrTrunc(repeated(), 8));
    d.loops.back().end = wordsFrom;
  }
  continues = false;
  bool shifts = match.copy() && core.unaligned != Unaligned::Fast && !alignedAlike();
  size_t words = d.loops.size();
  if (!shifts || !alignedUnlike())
    userGroups();
  size_t unlike = d.loops.size();
  continues = false;
  if (shifts)
    userShifted();
  choosesAlike = shifts && unlike != words;
  to = wordsTo;
  if (match.copy())
    from = sourceOf(wordsTo);
  if (choosesAlike) {
    choose(words, g.binary(Op::Eq, masked(apart, word - 1), loop.word(0)), Mostly,
           d.loops.size() - unlike);
    // Each arm ends with pointers to there, so that none is computed anew.
    from = phi(words, from, from, Phi::Number);
    to = phi(words, to, to, Phi::Number);
  }
  continues = false;
}

/// Writes the bytes after the words; all bytes if there were no words. `tested`: a branch decides
/// between both.
void ShapeWriter::userRest(bool tested) {
  if (tested && match.copy())
    from = phi(0, from, after(match.src, loop.word(0)), Phi::Number);
  if (tested)
    to = phi(0, to, after(match.dst, loop.word(0)), Phi::Number);
  continues = false;
  if (match.copy())
    copyLoop(match.bytes, loop.word(0), 1, 1);
  else
    fillLoop(match.bytes, to, 1, 1, g.zextOrTrunc(value, 8));
  InlineLoop &l = d.loops.back();
  l.trip = down ? g.sub(to, regionEnd) : g.sub(regionEnd, to);
  l.end = regionEnd;
}

void ShapeWriter::nameUser() {
  size_t accesses = 0, most = 0; // the latter: words of a group
  for (const InlineLoop &l : d.loops) {
    accesses += l.loads.size() + l.stores.size();
    most = std::max(most, l.stores.size());
  }
  bool words = d.loops.size() > 1;
  shape = !words ? "single bytes"
                 : std::to_string(most) + " words of " + std::to_string(word) + " bytes at a time" +
                       (choosesAlike ? ", or shifted" : "");
  shape += accesses == 1
               ? "; its access has an entry in __ex_table"
               : "; all " + std::to_string(accesses) + " accesses have an entry in __ex_table";
}

/// Returns the condition for words: so many bytes at least. Of a fill it is that there is a whole
/// word, by addresses that are computed anyway: no loop over words then needs a test of its own.
ExprId ShapeWriter::holdsWords(uint64_t least) {
  if (match.fill() && wordsFrom != match.dst)
    return g.binary(Op::ULt, wordsFrom, wordsTo);
  return g.binary(Op::ULe, loop.word(least), match.bytes);
}

bool ShapeWriter::writeUser() {
  if (!suitsUser())
    return false;
  compact = false;
  // A head takes less than a word, so one byte at least is left.
  uint64_t least = match.copy() ? 2 * word : word;
  // The words are little code, but where unaligned ones are fast the loop over bytes is less.
  bool words = !loop.function.optSize || takesSmall();
  bool constant = g.isConst(match.bytes), tested = !constant && words;
  splitUser();
  d.fixup = {regionEnd, match.bytes, apart, value, /*faults=*/true};
  if (tested || (constant && g[match.bytes].value >= least && words))
    userWords();
  if (tested)
    choose(0, holdsWords(least), Mostly);
  bool resumes = !d.loops.empty();
  userRest(tested);
  d.loops.back().resumes = resumes;
  nameUser();
  return true;
}

} // namespace memlift
