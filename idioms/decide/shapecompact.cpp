// shapecompact.cpp - copies by words in little code, if no core was named
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three loops: elements up to the first whole word of the destination, words, and the remaining
// elements. If the source may be at another byte of a word, each word is made of two aligned
// ones, one of which is carried. The same loop handles a source at the same byte: all of the
// carried word is then shifted out. No word is read that holds no byte of the copy.
#include "shape.h"

#include <algorithm>

namespace memlift {

/// Returns true if the loop's own accesses are at least a word wide and so aligned.
bool ShapeWriter::byWords(uint64_t aligned) const {
  return std::all_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access &a) {
    return g.isConst(a.bytes) && g[a.bytes].value >= word && a.align % aligned == 0;
  });
}

/// Decides for little code. A loop that copies unaligned words in steps copies few bytes at a
/// time, perhaps past the end, as in LZ4 and zstd. Code for long copies costs more than it gains
/// there, and such loops are many.
bool ShapeWriter::takesLittleCode() const {
  bool bySteps = match.idiom != Idiom::Fill && byWords(1) && !byWords(word);
  return loop.function.compact || (loop.function.anyCore && bySteps);
}

/// Shifts out the part of `w` before the first stored word; twice, as it may be all bits.
ExprId ShapeWriter::nearerOrNone(ExprId w, ExprId more) {
  Op op = down == loop.bigEndian ? Op::LShr : Op::Shl;
  return g.binary(op, g.binary(op, w, loop.word(1)), more);
}

/// Writes the whole words after the head, each made of two words of the source.
void ShapeWriter::carriedWords() {
  ExprId first = after(match.src, head), last = loop.word(0 - uint64_t(word));
  ExprId below = g.sub(first, loop.word(1)); // upwards, only its place in a word matters
  ExprId begin = g.binary(Op::And, down ? below : first, last);
  InlineLoop l = wordAt(loop.word(1), down ? g.add(begin, loop.word(word)) : begin);
  l.scalars = {{wordBits, loop.word(0), g.leaf(Op::Load, 0, wordBits)}};
  continues = false;
  add(l);
  continues = false;
  ExprId carried = result(), bits = bitsOf(masked(first, word - 1));
  // Bits of the carried word that are done, minus one: 7 to 63.
  ExprId done = down ? g.binary(Op::Xor, bits, loop.word(wordBits - 1))
                     : g.binary(Op::Or, bitsOf(masked(below, word - 1)), loop.word(7));
  ExprId at = g.binary(Op::And, down ? first : g.add(first, loop.word(word - 1)), last);
  ExprId next = g.leaf(Op::Load, 0, wordBits), before = g.leaf(Op::Rec, 0, wordBits);
  InlineLoop w = wordAt(over(rest, word), at);
  w.to = after(match.dst, head);
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

/// Replaces fill() if code size matters: bytes that are no whole word are stored as elements of
/// `unit` bytes.
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

/// Replaces copy() if code size matters.
bool ShapeWriter::compactCopy() {
  unsigned unit = copyUnit();
  bool shifts = core.unaligned != Unaligned::Fast && !alignedAlike();
  copyLoop(over(head, unit), loop.word(0), 1, unit);
  continues = false;
  if (shifts) {
    carriedWords();
  } else {
    unsigned words = std::min(group, 4u);
    uint64_t each = uint64_t(words) * word;
    ExprId most = g.binary(Op::And, rest, loop.word(0 - each));
    copyLoop(over(rest, each), head, words, word);
    copyLoop(over(masked(rest, each - 1), word), g.add(head, most), 1, word);
  }
  continues = false;
  copyLoop(over(tail, unit), g.sub(match.bytes, tail), 1, unit);
  inLittleCode(shifts ? ", each made of two of the source" : "");
  return true;
}

} // namespace memlift
