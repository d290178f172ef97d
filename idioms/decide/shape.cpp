// shape.cpp - copies and fills as loops over words, where no routine may be called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core that cannot reorder wants to have, written out; n bytes at dst:
//
//   if (n < 4 words) the source's loop
//   bytes up to the first address that is a multiple of a word
//   groups of words, as many as the core's record says (GroupWords)
//   the words that are left
//   the bytes that are left
//
// Of these four loops each may run not at all. A fill's words hold its pattern again
// and again, turned by as many bytes as lie in front of the first word; where elements
// are aligned and a word is whole elements there is nothing to turn, and what lies in
// front and behind goes by elements. Where unaligned words are fast nothing has to lie
// in front.
//
// Cores that reorder are left alone: their loops of bytes are for the compiler's
// vectoriser. Figures of real cores: bench/README.md.
#include "shape.h"

#include <algorithm>

namespace memlift {

ShapeWriter::ShapeWriter(Loop &loop, const Match &match, const Core &core, Decision &d)
    : loop(loop), match(match), core(core), d(d), g(loop.exprs),
      wordBits(loop.ptrBits), word(loop.ptrBits / 8), group(1),
      align(std::max(match.dstAlign, match.dstTouched)), head(loop.word(0)),
      rest(match.bytes), tail(loop.word(0)) {
  while (2 * group <= core.groupWords)
    group *= 2;
}

/// v divided by a power of two.
ExprId ShapeWriter::over(ExprId v, uint64_t power) {
  unsigned log = 0;
  while (uint64_t(1) << log < power)
    ++log;
  return log ? g.binary(Op::LShr, v, loop.word(log)) : v;
}

/// Is the size a multiple of `bytes`, a power of two, whatever the symbols are?
bool ShapeWriter::wholeElements(unsigned bytes) const {
  for (const auto &[monomial, factor] : g.poly(match.bytes))
    if (factor % bytes)
      return false;
  return true;
}

bool ShapeWriter::suits() {
  if (loop.function.optSize)
    why = "it would be larger, and the code is optimised for size";
  else if (match.rows != NoExpr)
    why = "rows are kept";
  else if (match.idiom != Idiom::Fill || match.period > word ||
           (match.period & (match.period - 1)) || !match.nativePattern)
    why = "only fills with a pattern of 1, 2, 4 or 8 bytes that a word holds";
  return why.empty();
}

/// Below this, what stands around the main loop costs more than it gains.
bool ShapeWriter::longEnough() {
  uint64_t least = 4 * word;
  bool constant = g.isConst(match.bytes);
  uint64_t most = constant ? g[match.bytes].value : match.maxBytes;
  if (most && most < least) {
    why = "at most " + std::to_string(most) + " bytes";
    return false;
  }
  if (!constant)
    guard = g.binary(Op::ULe, loop.word(least), match.bytes);
  return true;
}

/// Is called where there are at least four words.
void ShapeWriter::split() {
  if (core.unaligned != Unaligned::Fast && align % word)
    head = masked(g.sub(loop.word(0), match.dst), word - 1);
  rest = g.sub(match.bytes, head);
  tail = masked(rest, word - 1);
}

/// An iteration stores `count` values of `bytes` bytes each.
void ShapeWriter::fillLoop(ExprId trip, ExprId at, unsigned count, unsigned bytes,
                           ExprId value) {
  if (g.isConst(trip, 0))
    return;
  InlineLoop l;
  l.trip = trip;
  l.to = at;
  l.step = uint64_t(count) * bytes;
  l.few = true;
  bool fast = core.unaligned == Unaligned::Fast;
  for (unsigned i = 0; i < count; ++i)
    l.stores.push_back({uint64_t(i) * bytes, bytes, fast ? 1 : bytes, value});
  d.loops.push_back(l);
}

/// Byte `index` of memory that holds `words` again and again, as one byte.
ExprId ShapeWriter::patternByte(ExprId words, ExprId index) {
  ExprId at = masked(index, word - 1);
  if (loop.bigEndian)
    at = g.sub(loop.word(word - 1), at);
  ExprId bits = g.binary(Op::Shl, at, loop.word(3));
  return g.zextOrTrunc(g.binary(Op::LShr, words, bits), 8);
}

/// The same memory from the first whole word on.
ExprId ShapeWriter::turned(ExprId words) {
  ExprId by = g.binary(Op::Shl, head, loop.word(3));
  ExprId back = masked(g.sub(loop.word(0), by), wordBits - 1); // 0 of 0: or'ed with itself
  Op first = loop.bigEndian ? Op::Shl : Op::LShr, second = loop.bigEndian ? Op::LShr : Op::Shl;
  return g.binary(Op::Or, g.binary(first, words, by), g.binary(second, words, back));
}

bool ShapeWriter::fill() {
  split();
  unsigned period = match.period;
  ExprId words = g.splat(match.pattern, wordBits), iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  bool headIsWhole = g.isConst(head, 0) || align % period == 0;
  bool whole = period == 1 || (headIsWhole && wholeElements(period));
  unsigned unit = whole ? period : 1;
  fillLoop(over(head, unit), match.dst, 1, unit,
           whole ? match.pattern : patternByte(words, iv));
  if (!headIsWhole && period > 1)
    words = turned(words);
  uint64_t each = uint64_t(group) * word;
  ExprId start = g.add(match.dst, head);
  fillLoop(over(rest, each), start, group, word, words);
  fillLoop(over(masked(rest, each - word), word),
           g.add(start, masked(rest, 0 - each)), 1, word, words);
  fillLoop(over(tail, unit), g.add(match.dst, g.sub(match.bytes, tail)), 1, unit,
           whole ? match.pattern : patternByte(words, iv));
  shape = std::to_string(group) + " words of " + std::to_string(word) + " bytes at a time";
  return true;
}

bool ShapeWriter::write() {
  return suits() && longEnough() && fill();
}

} // namespace memlift
