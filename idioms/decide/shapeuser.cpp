// shapeuser.cpp - copies and fills of memory that may fault
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a kernel copies to and from a program's memory, any page of which may be missing.
// The number of bytes that were not copied has to be exact, and no byte behind the fault written.
//
// Naive: a loop over bytes with an entry for each access. Instead the loops go by words, and a
// fault leads back to bytes (UserFixup), from the last address up to which all is stored. So each
// loop goes upwards, loads a group and then stores it, and stores each byte once, in order:
//
//   if (n >= 2 words; a fill: a word)
//     bytes up to the first whole word of the destination
//     groups of words, then words; shifted ones if the source is at another byte of a word
//   the bytes that are left
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

/// Copies or fills groups of words, then single words; all begin with a whole word, or may be
/// anywhere.
void ShapeWriter::userGroups() {
  uint64_t each = uint64_t(group) * word;
  ExprId most = g.binary(Op::And, rest, loop.word(0 - each));
  ExprId few = over(masked(rest, each - 1), word);
  if (match.copy()) {
    copyLoop(over(rest, each), head, group, word);
    if (group > 1)
      copyLoop(few, g.add(head, most), 1, word);
    return;
  }
  ExprId words = repeated(), begin = g.add(match.dst, head);
  fillLoop(over(rest, each), begin, group, word, words);
  if (group > 1)
    fillLoop(few, g.add(begin, most), 1, word, words);
}

/// Copies whole words of the destination, each made of two of the source.
void ShapeWriter::userShifted() {
  ExprId first = after(match.src, head), at = masked(first, 0 - uint64_t(word));
  ExprId by = bitsOf(masked(first, word - 1));
  ExprId begins = held(at);
  d.loops.back().reached = after(match.dst, head); // this loop stores nothing
  Carried c = {g.add(at, loop.word(word)), begins, by, othersOf(by)};
  // A word takes five instructions, the steps and the jump four: in groups of two they would be
  // almost half.
  unsigned count = std::max(shiftGroup(), std::min(group / 2, 4u));
  uint64_t each = uint64_t(count) * word;
  shiftLoop(c, over(rest, each), loop.word(0), count);
  if (count > 1)
    shiftLoop(c, over(masked(rest, each - 1), word), masked(rest, 0 - each), 1);
}

/// Writes the head and the words.
void ShapeWriter::userWords() {
  if (match.copy())
    copyLoop(head, loop.word(0), 1, 1);
  else
    fillLoop(head, match.dst, 1, 1, g.zextOrTrunc(repeated(), 8));
  continues = false;
  bool shifts = match.copy() && core.unaligned != Unaligned::Fast && !alignedAlike();
  size_t words = d.loops.size();
  if (!shifts || !alignedUnlike())
    userGroups();
  size_t unlike = d.loops.size();
  continues = false;
  if (!shifts)
    return;
  userShifted();
  choosesAlike = unlike != words;
  if (choosesAlike)
    choose(
        words,
        g.binary(Op::Eq, masked(g.binary(Op::Xor, match.dst, match.src), word - 1), loop.word(0)),
        Mostly, d.loops.size() - unlike);
  continues = false;
}

/// Writes the bytes after the words; all bytes if there were no words. `tested`: a branch decides
/// between both.
void ShapeWriter::userRest(bool tested) {
  ExprId done = g.sub(match.bytes, tail), left = tail;
  if (d.loops.empty())
    done = loop.word(0), left = match.bytes;
  ExprId source = match.copy() ? g.add(match.src, done) : NoExpr, into = g.add(match.dst, done);
  if (tested) {
    left = phi(0, left, match.bytes, Phi::Number);
    if (match.copy())
      source = phi(0, source, match.src, Phi::Source);
    into = phi(0, into, match.dst, Phi::Destination);
  }
  continues = false;
  from = source, to = into;
  if (match.copy())
    copyLoop(left, loop.word(0), 1, 1);
  else
    fillLoop(left, into, 1, 1, match.fill()->pattern);
}

void ShapeWriter::nameUser() {
  unsigned accesses = d.fixup.accesses();
  for (const InlineLoop &l : d.loops)
    accesses += unsigned(l.loads.size() + l.stores.size());
  bool words = d.loops.size() > 1;
  shape = !words ? "single bytes"
                 : std::to_string(group) + " words of " + std::to_string(word) +
                       " bytes at a time" + (choosesAlike ? ", or shifted" : "");
  shape += "; all " + std::to_string(accesses) + " accesses have an entry in __ex_table";
}

bool ShapeWriter::writeUser() {
  if (!suitsUser())
    return false;
  compact = false;
  // A head takes less than a word, so one byte at least is left.
  uint64_t least = match.copy() ? 2 * word : word;
  bool constant = g.isConst(match.bytes), tested = !constant && !loop.function.optSize;
  split();
  from = match.src, to = match.dst;
  if (tested || (constant && g[match.bytes].value >= least && !loop.function.optSize))
    userWords();
  if (tested)
    choose(0, g.binary(Op::ULe, loop.word(least), match.bytes), Mostly);
  userRest(tested);
  d.fixup.end = g.add(match.dst, match.bytes);
  if (match.copy())
    d.fixup.apart = g.sub(match.src, match.dst);
  else
    d.fixup.value = match.fill()->pattern;
  nameUser();
  return true;
}

} // namespace memlift
