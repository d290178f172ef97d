// shapeshift.cpp - copies whose source is at another byte of a word than the destination
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If unaligned words trap, a stored word's bytes are in two aligned words of the source. Naive:
// byte by byte, eight times as many instructions. Instead each stored word is made of two aligned
// ones by shifts, one of which is carried from store to store, so each is loaded once. The bytes
// before the first word of the destination and after the last one are taken from such words, too.
// No word is read that holds no byte of the copy, so no other page is touched.
#include "shape.h"

namespace memlift {

/// Returns the words of a group. Shifts stand between loads and stores and need registers, too:
/// so few words as hide a load's latency, and at most half of a copy's group.
unsigned ShapeWriter::shiftGroup() const {
  unsigned words = 1;
  while (words < core.loadDistance() && 4 * words <= group)
    words *= 2;
  return words;
}

/// Shifts a word's part that comes first in the copy's direction, or the next part, into place.
ExprId ShapeWriter::nearer(ExprId w, ExprId by, ExprId back) {
  bool up = down == loop.bigEndian;
  return up ? g.binary(Op::LShr, w, down ? back : by) : g.binary(Op::Shl, w, down ? back : by);
}
ExprId ShapeWriter::farther(ExprId w, ExprId by, ExprId back) {
  bool up = down == loop.bigEndian;
  return up ? g.binary(Op::Shl, w, down ? by : back) : g.binary(Op::LShr, w, down ? by : back);
}

/// Loads an aligned word that holds bytes of the copy, if `trip` is not 0.
InlineLoop ShapeWriter::wordAt(ExprId trip, ExprId at) {
  InlineLoop l;
  l.trip = trip;
  l.start = at;
  l.step = stepOf(1, word);
  l.hidden = true;
  l.loads = {{place(0, word), word, word}};
  return l;
}

/// Stores `bytes` bytes of a word's remaining ones, if `trip` is not 0.
void ShapeWriter::storePiece(ExprId &left, ExprId trip, ExprId at, unsigned bytes) {
  if (g.isConst(trip, 0))
    return;
  bool top = down != loop.bigEndian;
  ExprId now = g.leaf(Op::Rec, 0, wordBits), bits = loop.word(8 * bytes);
  ExprId first = top ? g.binary(Op::LShr, now, loop.word(wordBits - 8 * bytes)) : now;
  InlineLoop l;
  l.trip = trip;
  l.to = at;
  l.step = stepOf(1, bytes);
  l.few = true;
  l.stores = {{place(0, bytes), bytes, bytes, g.zextOrTrunc(first, 8 * bytes)}};
  l.scalars = {{wordBits, left, g.binary(top ? Op::Shl : Op::LShr, now, bits)}};
  add(l);
  left = result();
}

/// Stores the bytes before the first whole word of the destination, out of `w`, which holds them
/// in place. Their number is not tested: elements of `unit` bytes are stored from the start, and
/// half a word at its first multiple. They also store bytes after these, which the words that
/// follow store again. Nor does that overwrite source bytes that are still needed. If the regions
/// overlap, those are further on, and all of them less than a word after the first whole word of
/// the destination have been loaded.
void ShapeWriter::storeFirst(ExprId w) {
  unsigned unit = copyUnit();
  uint64_t half = word / 2, elements = half / unit - 1;
  bool top = down != loop.bigEndian;
  ExprId ahead = masked(bitsOf(down ? g.sub(loop.word(0), to) : to), wordBits - 1);
  ExprId first = g.binary(top ? Op::Shl : Op::LShr, w, ahead), now = g.leaf(Op::Rec, 0, wordBits);
  InlineLoop l;
  l.trip = loop.word(1);
  l.to = to;
  l.few = true;
  l.scalars = {{wordBits, first, now}};
  for (unsigned i = 0; i < elements; ++i) {
    uint64_t by = top ? wordBits - 8 * unit * (i + 1) : 8 * unit * i;
    ExprId value = by ? g.binary(Op::LShr, now, loop.word(by)) : now;
    l.stores.push_back({place(i, unit), unit, unit, g.zextOrTrunc(value, 8 * unit)});
  }
  continues = false;
  if (elements)
    add(l);
  if (elements)
    l.to = masked(down ? to : g.add(to, loop.word(half - unit)), 0 - half);
  l.scalars = {{wordBits, w, now}};
  ExprId other = top ? now : g.binary(Op::LShr, now, loop.word(8 * half));
  l.stores = {
      {place(0, unsigned(half)), unsigned(half), half, g.zextOrTrunc(other, unsigned(8 * half))}};
  continues = false;
  add(l);
  continues = false;
}

/// Loads the aligned word at `at`, which holds bytes of the copy.
ExprId ShapeWriter::held(ExprId at) {
  InlineLoop l = wordAt(loop.word(1), at);
  l.loads[0].offset = 0;
  l.scalars = {{wordBits, loop.word(0), g.leaf(Op::Load, 0, wordBits)}};
  continues = false;
  add(l);
  continues = false;
  return result();
}

/// Loads the word that holds the first byte of the copy, in its direction.
ExprId ShapeWriter::firstHeld() {
  ExprId at = masked(down ? g.sub(from, loop.word(1)) : from, 0 - uint64_t(word));
  return held(at);
}

/// Loads the aligned word with the first byte after `head`, where the source is not at a multiple
/// of a word. The bytes before the first whole word of the destination are made of this word and
/// of the one with the first byte of the source. If both are one word, they are all in the part
/// taken from this one.
ShapeWriter::Carried ShapeWriter::firstWord() {
  ExprId first = after(match.src, head), at = masked(first, 0 - uint64_t(word));
  ExprId by = bitsOf(masked(first, word - 1));
  Carried c = {down ? at : g.add(at, loop.word(word)), held(at), by, othersOf(by)};
  if (!g.isConst(head, 0)) {
    size_t before = d.loops.size();
    // Only if there is a head: this word may be the one that is loaded already.
    ExprId begins = firstHeld();
    storeFirst(g.binary(Op::Or, nearer(begins, c.by, c.back), farther(c.value, c.by, c.back)));
    onlyIf(before, some(head), Seldom);
  }
  return c;
}

/// Stores the bytes after the last whole word of the destination, from the carried word and, if
/// it holds any of them, the next one.
void ShapeWriter::lastBytes(const Carried &c) {
  ExprId done = masked(rest, 0 - uint64_t(word)), load = g.leaf(Op::Load, 0, wordBits);
  InlineLoop l =
      wordAt(g.zextOrTrunc(g.binary(Op::ULt, down ? c.by : c.back, bitsOf(tail)), wordBits),
             down ? g.sub(c.at, done) : g.add(c.at, done));
  l.scalars = {{wordBits, nearer(c.value, c.by, c.back),
                g.binary(Op::Or, g.leaf(Op::Rec, 0, wordBits), farther(load, c.by, c.back))}};
  size_t first = d.loops.size(), unit = copyUnit();
  add(l);
  ExprId left = result();
  for (uint64_t bytes = word / 2; bytes >= unit; bytes /= 2)
    storePiece(left, bit(rest, bytes), after(match.dst, g.add(head, masked(rest, 0 - 2 * bytes))),
               unsigned(bytes));
  onlyIf(first, some(tail));
}

/// Writes a loop that loads `count` words and stores as many, each made of two.
void ShapeWriter::shiftLoop(Carried &c, ExprId trip, ExprId done, unsigned count) {
  if (g.isConst(trip, 0))
    return;
  InlineLoop l;
  l.trip = trip;
  l.start = down ? g.sub(c.at, done) : g.add(c.at, done);
  l.to = after(match.dst, g.add(head, done));
  l.step = stepOf(count, word);
  l.few = l.hidden = true;
  l.group = shiftGroup();
  ExprId before = g.leaf(Op::Rec, 0, wordBits);
  for (unsigned i = 0; i < count; ++i) {
    ExprId next = g.leaf(Op::Load, i, wordBits);
    l.loads.push_back({place(i, word), word, word});
    l.stores.push_back(
        {place(i, word), word, word,
         g.binary(Op::Or, nearer(before, c.by, c.back), farther(next, c.by, c.back))});
    before = next;
  }
  l.scalars = {{wordBits, c.value, before}};
  add(l);
  c.value = result();
}

/// Copies regions that are at different bytes of a word, by shifted aligned words: groups, then
/// single words, then the bytes that remain.
void ShapeWriter::shiftedWords() {
  unsigned words = iteration(shiftGroup(), 5, 2);
  uint64_t each = uint64_t(words) * word, least = uint64_t(shiftGroup()) * word;
  Carried c = firstWord();
  shiftLoop(c, over(rest, each), loop.word(0), words);
  size_t first = d.loops.size();
  for (uint64_t half = each / 2; half >= least; half /= 2)
    shiftLoop(c, bit(rest, half), masked(rest, 0 - 2 * half), unsigned(half / word));
  if (least > word)
    shiftLoop(c, over(masked(rest, least - word), word), masked(rest, 0 - least), 1);
  if (!g.isConst(tail, 0))
    lastBytes(c);
  onlyIf(first, some(masked(rest, each - 1)));
}

} // namespace memlift
