// shapecompact.cpp - copies by words in little code, where nobody asked for speed at any size
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three loops: elements up to the first whole word of the destination, words, and the elements
// behind them. Where the source may lie at another byte of a word, each word is made of two aligned
// ones, of which one is carried; the same loop serves a source that lies at the same byte: then all
// of the word that is carried is shifted out. No word is read that holds no byte of the copy.
#include "shape.h"

#include <algorithm>

namespace memlift {

/// Does the loop itself store, and load, no less than a word at a time, of this alignment?
bool ShapeWriter::byWords(uint64_t aligned) const {
  return std::all_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access &a) {
    return g.isConst(a.bytes) && g[a.bytes].value >= word && a.align % aligned == 0;
  });
}

/// Who copies words of any alignment in steps copies few at a time, past the end if need be, as LZ4
/// and zstd do: what many bytes are worth is more than it saves, and there are many such loops.
bool ShapeWriter::takesLittleCode() const {
  bool bySteps = match.idiom != Idiom::Fill && byWords(1) && !byWords(word);
  return loop.function.compact || (loop.function.anyCore && bySteps);
}

/// `w` without what is not of the first word that is stored: shifted twice, as it may be all of it.
ExprId ShapeWriter::nearerOrNone(ExprId w, ExprId more) {
  Op op = down == loop.bigEndian ? Op::LShr : Op::Shl;
  return g.binary(op, g.binary(op, w, loop.word(1)), more);
}

/// Whole words behind the head, each out of two of the source.
void ShapeWriter::carriedWords() {
  ExprId first = behind(match.src, head), last = loop.word(0 - uint64_t(word));
  ExprId below = g.sub(first, loop.word(1)); // upwards, of it only the place in a word counts
  ExprId begin = g.binary(Op::And, down ? below : first, last);
  InlineLoop l = wordAt(loop.word(1), down ? g.add(begin, loop.word(word)) : begin);
  l.scalars = {{wordBits, loop.word(0), g.leaf(Op::Load, 0, wordBits)}};
  goesOn = false;
  add(l);
  goesOn = false;
  ExprId carried = result(), bits = bitsOf(masked(first, word - 1));
  // Bits of the carried word that are done, but one: 7 to 63.
  ExprId done = down ? g.binary(Op::Xor, bits, loop.word(wordBits - 1))
                     : g.binary(Op::Or, bitsOf(masked(below, word - 1)), loop.word(7));
  ExprId at = g.binary(Op::And, down ? first : g.add(first, loop.word(word - 1)), last);
  ExprId next = g.leaf(Op::Load, 0, wordBits), before = g.leaf(Op::Rec, 0, wordBits);
  InlineLoop w = wordAt(over(rest, word), at);
  w.to = behind(match.dst, head);
  w.stores = {{place(0, word), word, word,
               g.binary(Op::Or, nearerOrNone(before, done), farther(next, bits, othersOf(bits)))}};
  w.scalars = {{wordBits, carried, next}};
  add(w);
}

void ShapeWriter::inLittleCode(const char *how) {
  shape = "words of " + std::to_string(word) + " bytes" + how +
          (loop.function.compact ? ", in little code (-O3, or core=NAME, takes more)"
                                 : ", in little code (core=NAME takes more)");
}

/// What stands in for fill() where code size counts: the same, but that elements are `unit` bytes
/// wherever they are no whole words.
void ShapeWriter::compactFill(unsigned unit, ExprId words) {
  unsigned count = core.countsLoops ? 1 : std::min(group, 4u);
  uint64_t each = uint64_t(count) * word;
  ExprId element = g.zextOrTrunc(words, 8 * unit), begin = g.add(match.dst, head);
  ExprId left = masked(rest, each - 1);
  fillLoop(over(head, unit), match.dst, 1, unit, element);
  fillLoop(over(rest, each), begin, count, word, words);
  if (count > 1)
    fillLoop(over(left, word), g.add(begin, g.binary(Op::And, rest, loop.word(0 - each))), 1, word,
             words);
  fillLoop(over(tail, unit), g.add(match.dst, g.sub(match.bytes, tail)), 1, unit, element);
  inLittleCode("");
}

/// What stands in for copy() where code size counts.
bool ShapeWriter::compactCopy() {
  unsigned unit = copyUnit();
  bool shifts = core.unaligned != Unaligned::Fast && !alignedAlike();
  copyLoop(over(head, unit), loop.word(0), 1, unit);
  goesOn = false;
  if (shifts) {
    carriedWords();
  } else {
    unsigned words = std::min(group, 4u);
    uint64_t each = uint64_t(words) * word;
    ExprId most = g.binary(Op::And, rest, loop.word(0 - each));
    copyLoop(over(rest, each), head, words, word);
    copyLoop(over(masked(rest, each - 1), word), g.add(head, most), 1, word);
  }
  goesOn = false;
  copyLoop(over(tail, unit), g.sub(match.bytes, tail), 1, unit);
  inLittleCode(shifts ? ", each made of two of the source" : "");
  return true;
}

} // namespace memlift
