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
// Of these four loops each may run not at all. A copy loads a group, then stores it. Where its
// source is at another byte of a word than its destination, and unaligned words are not fast,
// each word is made of two aligned ones of the source: one is carried from store to store. No
// word is read that holds no byte of the copy.
//
// A fill's words hold its pattern again
// and again, turned by as many bytes as lie in front of the first word; where elements
// are aligned and a word is whole elements there is nothing to turn, and what lies in
// front and behind goes by elements. Where unaligned words are fast nothing has to lie
// in front.
//
// Where the core counts loops itself and all addresses are aligned for certain, a loop costs
// no more than what it stores: a fill is one loop over words, and no length too short.
//
// Cores that reorder are left alone: their loops of bytes are for the compiler's
// vectoriser. Figures of real cores: bench/README.md.
#include "shape.h"

#include <algorithm>

namespace memlift {

ShapeWriter::ShapeWriter(Loop &loop, const Match &match, const Core &core, Decision &d)
    : loop(loop), match(match), core(core), d(d), g(loop.exprs),
      wordBits(loop.ptrBits), word(loop.ptrBits / 8), group(1),
      align(std::max(match.dstAlign, match.dstTouched)),
      srcAlign(std::max(match.srcAlign, match.srcTouched)), head(loop.word(0)),
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

/// 1 where v has the bit `power`, else 0: a test of the bit, which is not brought down first.
ExprId ShapeWriter::bit(ExprId v, uint64_t power) {
  return g.zextOrTrunc(g.binary(Op::Ne, masked(v, power), loop.word(0)), wordBits);
}

/// Is the size a multiple of `bytes`, a power of two, whatever the symbols are?
bool ShapeWriter::wholeElements(unsigned bytes) const {
  for (const auto &[monomial, factor] : g.poly(match.bytes))
    if (factor % bytes)
      return false;
  return true;
}

/// Nothing lies in front of the first word, wherever the regions are.
bool ShapeWriter::wordsOnly() const {
  return align % word == 0 && (match.idiom == Idiom::Fill || srcAlign % word == 0);
}

/// Is it a loop over words that the core counts, as small as the source's?
bool ShapeWriter::countedWords() const {
  return core.countsLoops && wordsOnly() && match.idiom == Idiom::Fill && wholeElements(word);
}

bool ShapeWriter::suits() {
  if (loop.function.optSize && !countedWords())
    why = "it would be larger, and the code is optimised for size";
  else if (match.rows != NoExpr)
    why = "rows are kept";
  else if (match.idiom == Idiom::CopySwap)
    why = "its bytes change places";
  else if (match.idiom == Idiom::Fill &&
           (match.period > word || (match.period & (match.period - 1)) || !match.nativePattern))
    why = "no word is the pattern a whole number of times";
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
  if (!constant && !(core.countsLoops && wordsOnly()))
    require(g.binary(Op::ULe, loop.word(least), match.bytes));
  return true;
}

void ShapeWriter::require(ExprId condition) {
  guard = guard == NoExpr ? condition : g.binary(Op::And, guard, condition);
}

/// Is called where there are at least four words.
void ShapeWriter::split() {
  if (core.unaligned != Unaligned::Fast && align % word)
    head = masked(g.sub(loop.word(0), match.dst), word - 1);
  rest = g.sub(match.bytes, head);
  if (!g.isConst(head, 0) || !wholeElements(word))
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
  if (core.countsLoops && wordsOnly())
    group = 1;
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
  shape = (group == 1 ? "a word" : std::to_string(group) + " words") + " of " +
          std::to_string(word) + " bytes at a time";
  return true;
}

/// Words are read ahead of what is written, upwards: nothing that is still to be read may
/// have been written, so the destination has to be below the source, or apart. What the
/// loop's own guard says of that is not said again.
void ShapeWriter::staysAhead() {
  int64_t apart;
  bool known = match.overlap != Overlap::MoveSafe && match.overlap != Overlap::GuardDescending;
  if (known || (g.constantDifference(match.dst, match.src, apart) && apart < 0))
    return;
  ExprId above = g.fromPoly(g.poly(g.sub(match.dst, match.src)), loop.ptrBits);
  require(g.binary(Op::ULe, match.bytes, above));
}

/// Is the source at the same byte of a word as the destination, wherever that is?
bool ShapeWriter::alignedAlike() const {
  int64_t apart;
  return (align % word == 0 && srcAlign % word == 0) ||
         (g.constantDifference(match.dst, match.src, apart) && apart % int64_t(word) == 0);
}

bool ShapeWriter::alignedUnlike() const {
  int64_t apart;
  return g.constantDifference(match.dst, match.src, apart) && apart % int64_t(word) != 0;
}

/// What goes in front and behind, beside bytes of which there is no whole word: elements
/// of so many bytes.
unsigned ShapeWriter::copyUnit() const {
  uint64_t most = core.unaligned == Unaligned::Fast ? word : std::min(align, srcAlign);
  unsigned unit = word;
  while (unit > 1 && (unit > most || !wholeElements(unit)))
    unit /= 2;
  return unit;
}

/// An iteration loads `count` elements of `bytes` bytes each, then stores them.
void ShapeWriter::copyLoop(std::vector<InlineLoop> &to, ExprId trip, ExprId offset,
                           unsigned count, unsigned bytes) {
  if (g.isConst(trip, 0))
    return;
  InlineLoop l;
  l.trip = trip;
  l.start = g.add(match.src, offset);
  l.to = g.add(match.dst, offset);
  l.step = uint64_t(count) * bytes;
  l.few = true;
  uint64_t known = core.unaligned == Unaligned::Fast ? 1 : bytes;
  for (unsigned i = 0; i < count; ++i) {
    l.loads.push_back({uint64_t(i) * bytes, bytes, known});
    l.stores.push_back({uint64_t(i) * bytes, bytes, known, g.leaf(Op::Load, i, 8 * bytes)});
  }
  to.push_back(l);
}

/// Source and destination are aligned alike. What is left behind the groups goes by halves:
/// of each there is one or none.
void ShapeWriter::wholeWords(std::vector<InlineLoop> &to) {
  unsigned unit = copyUnit();
  uint64_t each = uint64_t(group) * word;
  copyLoop(to, over(head, unit), loop.word(0), 1, unit);
  copyLoop(to, over(rest, each), head, group, word);
  for (uint64_t half = each / 2; half >= unit; half /= 2)
    copyLoop(to, bit(rest, half), g.add(head, masked(rest, 0 - 2 * half)),
             half > word ? unsigned(half / word) : 1, unsigned(std::min<uint64_t>(half, word)));
}

/// The aligned word with the first byte of the source behind `head`. It and all others
/// that are read hold bytes of the copy.
ShapeWriter::Carried ShapeWriter::firstWord(std::vector<InlineLoop> &to) {
  ExprId from = g.add(match.src, head);
  InlineLoop l;
  l.trip = loop.word(1);
  l.start = masked(from, 0 - uint64_t(word));
  l.step = word;
  l.hidden = true;
  l.loads = {{0, word, word}};
  l.scalars = {{wordBits, loop.word(0), g.leaf(Op::Load, 0, wordBits)}};
  to.push_back(l);
  ExprId by = g.binary(Op::Shl, masked(from, word - 1), loop.word(3));
  return {g.add(l.start, loop.word(word)), g.leaf(Op::Result, FinalResult, wordBits), by,
          masked(g.sub(loop.word(0), by), wordBits - 1), 1};
}

/// An iteration loads `count` words and stores as many, each made of two: what is at the
/// lower address stands in the lower bits of a word, or in the higher ones.
void ShapeWriter::shiftLoop(std::vector<InlineLoop> &to, Carried &c, ExprId trip, ExprId offset,
                            unsigned count) {
  if (g.isConst(trip, 0))
    return;
  Op down = loop.bigEndian ? Op::Shl : Op::LShr, up = loop.bigEndian ? Op::LShr : Op::Shl;
  InlineLoop l;
  l.trip = trip;
  l.start = g.add(c.at, offset);
  l.to = g.add(g.add(match.dst, head), offset);
  l.step = uint64_t(count) * word;
  l.few = l.hidden = true;
  ExprId before = g.leaf(Op::Rec, 0, wordBits);
  for (unsigned i = 0; i < count; ++i) {
    ExprId next = g.leaf(Op::Load, i, wordBits);
    l.loads.push_back({uint64_t(i) * word, word, word});
    l.stores.push_back({uint64_t(i) * word, word, word,
                        g.binary(Op::Or, g.binary(down, before, c.by),
                                 g.binary(up, next, c.back))});
    before = next;
  }
  l.scalars = {{wordBits, c.value, before}};
  to.push_back(l);
  c.value = g.leaf(Op::Result, FinalResult + c.scalars++, wordBits);
}

/// They are not: aligned words of the source, shifted. Half a group at a time, as there are
/// shifts between the loads and the stores, and values of both.
void ShapeWriter::shiftedWords(std::vector<InlineLoop> &to) {
  unsigned unit = copyUnit(), count = std::max(group / 2, 1u);
  uint64_t each = uint64_t(count) * word;
  copyLoop(to, over(head, unit), loop.word(0), 1, unit);
  Carried c = firstWord(to);
  shiftLoop(to, c, over(rest, each), loop.word(0), count);
  if (count > 1)
    shiftLoop(to, c, over(masked(rest, each - word), word), masked(rest, 0 - each), 1);
  copyLoop(to, over(tail, unit), g.sub(match.bytes, tail), 1, unit);
}

bool ShapeWriter::copy() {
  split();
  staysAhead();
  std::string words = std::to_string(group) + " words of " + std::to_string(word) + " bytes";
  bool shifts = core.unaligned != Unaligned::Fast && !alignedAlike();
  if (shifts && alignedUnlike()) {
    shiftedWords(d.loops);
    shape = "aligned words of " + std::to_string(word) + " bytes are shifted";
    return true;
  }
  wholeWords(d.loops);
  shape = words + " are loaded, then stored";
  if (!shifts)
    return true;
  alike = g.binary(Op::Eq, masked(g.binary(Op::Xor, match.dst, match.src), word - 1),
                   loop.word(0));
  shiftedWords(d.repeat.loops);
  shape += ", or shifted";
  return true;
}

bool ShapeWriter::write() {
  return suits() && longEnough() && (match.idiom == Idiom::Fill ? fill() : copy());
}

} // namespace memlift
