// shapeshift.cpp - copies whose source is at another byte of a word than the destination
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each word that is stored is made of two aligned ones of the source, of which one is carried from
// store to store. No word is read that holds no byte of the copy.
#include "shape.h"

namespace memlift {

/// There are shifts between loads and stores, and values of both: as few words as the first load
/// takes, and no more than half of a group of nothing but loads and stores.
unsigned ShapeWriter::shiftGroup() const {
  unsigned words = 1;
  while (words < core.loadDistance && 4 * words <= group)
    words *= 2;
  return words;
}

/// The aligned word with the first byte of the source behind `head`, or downwards the last one in
/// front of it: the source is at no multiple of a word there. It and all others that are read
/// hold bytes of the copy.
ShapeWriter::Carried ShapeWriter::firstWord() {
  ExprId from = behind(match.src, head);
  InlineLoop l;
  l.trip = loop.word(1);
  l.start = masked(from, 0 - uint64_t(word));
  l.step = word;
  l.hidden = true;
  l.loads = {{0, word, word}};
  l.scalars = {{wordBits, loop.word(0), g.leaf(Op::Load, 0, wordBits)}};
  d.loops.push_back(l);
  goesOn = false;
  ExprId by = g.binary(Op::Shl, masked(from, word - 1), loop.word(3));
  return {down ? l.start : g.add(l.start, loop.word(word)), g.leaf(Op::Result, FinalResult, wordBits), by,
          masked(g.sub(loop.word(0), by), wordBits - 1), 1};
}

/// An iteration loads `count` words and stores as many, each made of two: what is at the
/// lower address stands in the lower bits of a word, or in the higher ones.
void ShapeWriter::shiftLoop(Carried &c, ExprId trip, ExprId done, unsigned count) {
  if (g.isConst(trip, 0))
    return;
  Op lower = loop.bigEndian ? Op::Shl : Op::LShr, higher = loop.bigEndian ? Op::LShr : Op::Shl;
  InlineLoop l;
  l.trip = trip;
  l.start = down ? g.sub(c.at, done) : g.add(c.at, done);
  l.to = behind(match.dst, g.add(head, done));
  l.step = stepOf(count, word);
  l.few = l.hidden = true;
  l.group = shiftGroup();
  ExprId before = g.leaf(Op::Rec, 0, wordBits);
  for (unsigned i = 0; i < count; ++i) {
    ExprId next = g.leaf(Op::Load, i, wordBits);
    ExprId first = down ? next : before, second = down ? before : next;
    l.loads.push_back({place(i, word), word, word});
    l.stores.push_back({place(i, word), word, word,
                        g.binary(Op::Or, g.binary(lower, first, c.by),
                                 g.binary(higher, second, c.back))});
    before = next;
  }
  l.scalars = {{wordBits, c.value, before}};
  add(l);
  c.value = g.leaf(Op::Result, FinalResult + c.scalars++, wordBits);
}

/// They are not: aligned words of the source, shifted. What is left behind the iterations goes
/// word by word, then byte by byte.
void ShapeWriter::shiftedWords() {
  unsigned unit = copyUnit(), words = iteration(shiftGroup(), 5, 2);
  uint64_t each = uint64_t(words) * word, least = uint64_t(shiftGroup()) * word;
  goesOn = false;
  copyLoop(over(head, unit), loop.word(0), 1, unit);
  Carried c = firstWord();
  shiftLoop(c, over(rest, each), loop.word(0), words);
  size_t first = d.loops.size();
  for (uint64_t half = each / 2; half >= least; half /= 2)
    shiftLoop(c, bit(rest, half), masked(rest, 0 - 2 * half), unsigned(half / word));
  if (least > word)
    shiftLoop(c, over(masked(rest, least - word), word), masked(rest, 0 - least), 1);
  goesOn = false;
  copyLoop(over(tail, unit), g.sub(match.bytes, tail), 1, unit);
  if (d.loops.size() > first + 1)
    choose(first, some(masked(rest, each - 1)));
}

} // namespace memlift
