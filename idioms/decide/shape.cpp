// shape.cpp - copies and fills as loops over words, where no routine may be called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core that cannot reorder wants to have, written out; n bytes at dst:
//
//   if (n < 4 words) the source's loop
//   bytes up to the first address that is a multiple of a word: 1, 2, 4 of them, or none
//   iterations over groups of words, so many that the jump back costs little
//   what is left: half an iteration or not, half of that or not, and so on to a byte
//
// Each goes on from the address that the one before has come to. Where several tests in a row
// would find nothing, one in front of them does: short copies are mostly tests. Where nothing is in
// front of the first word, nothing is computed for it: address and count are merged behind it.
//
// A copy loads a group (GroupWords of the core's record), then stores it. The first test tells
// whether the source is at the same byte of a word as the destination, the next one whether both
// begin with a word. Where it is at another byte, and unaligned words are not fast: shapeshift.cpp.
//
// A fill's words hold its pattern again and again, turned by as many bytes as lie in front of the
// first word; where elements are aligned and a word is whole elements there is nothing to turn.
// What lies in front and behind then goes by stores for the most that it may be: with a branch
// for each, where the code lies would decide what it costs. Some bytes are filled twice, and some
// of the last words. Where stores do not wait for memory (StoreTenths of the core's record) an
// iteration is longer. Where unaligned words are fast nothing has to lie in front.
// Fills of zero by whole blocks: shapeblocks.cpp.
//
// Where the core counts loops itself and all addresses are aligned for certain, a loop costs
// no more than what it stores: a fill is one loop over words, and no length too short.
//
// A copy may go downwards, as a part of memmove does: all of this from the last byte to the first.
//
// Cores that reorder are left alone: their loops of bytes are for the compiler's
// vectoriser. Figures of real cores: bench/README.md.
#include "shape.h"

#include <algorithm>

namespace memlift {

ShapeWriter::ShapeWriter(Loop &loop, const Match &match, const Core &core,
                         const std::function<TargetFacts()> &target, Decision &d)
    : loop(loop), match(match), core(core), target(target), d(d), g(loop.exprs),
      wordBits(loop.ptrBits), word(loop.ptrBits / 8), group(1),
      align(std::max(match.dstAlign, match.dstTouched)),
      srcAlign(std::max(match.srcAlign, match.srcTouched)), head(loop.word(0)), rest(match.bytes),
      tail(loop.word(0)), compact(takesLittleCode()) {
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
  else if (loop.function.compact && byWords(1))
    why = "it goes by words as it is, and below -O3 nobody named the core (core=NAME)";
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
  bool whole = align % word == 0 && (!down || wholeElements(word));
  if (core.unaligned != Unaligned::Fast && !whole)
    head = masked(down ? g.add(match.dst, match.bytes) : g.sub(loop.word(0), match.dst), word - 1);
  rest = g.sub(match.bytes, head);
  if (!g.isConst(head, 0) || !wholeElements(word))
    tail = masked(rest, word - 1);
}

/// Words of an iteration: `perWord` instructions each, beside which the steps of its pointers and
/// the jump back, which is taken and counts as two, are no more than one in `share`; those of a
/// core that counts loops are nothing.
unsigned ShapeWriter::iteration(unsigned least, unsigned perWord, unsigned steps,
                                unsigned share) const {
  constexpr unsigned jump = 2;
  unsigned words = least;
  while (!core.countsLoops && share * (steps + jump) > words * perWord + steps + jump)
    words *= 2;
  return words;
}

/// Loops from number `from` on run only where the condition holds; the last `others` of them only
/// where it does not.
void ShapeWriter::choose(size_t from, ExprId condition, BranchWeight often, size_t others) {
  if (from == d.loops.size())
    return;
  auto &branches = d.loops[from].branches;
  branches.insert(branches.begin(), {condition, d.loops.size() - from - others, others, often, {}});
  goesOn = false;
}

/// The same, where it has to be tested.
void ShapeWriter::onlyIf(size_t from, ExprId condition, BranchWeight often) {
  if (!g.isConst(condition))
    choose(from, condition, often);
}

/// A phi after the outermost branch that begins at loop number `from`.
ExprId ShapeWriter::phi(size_t from, ExprId ifTrue, ExprId ifFalse, Phi::Kind kind) {
  d.loops[from].branches.front().phis.push_back({ifTrue, ifFalse, kind});
  ++results;
  return result();
}

/// What lies in front of the first word: `unit` bytes or none, twice as many or none, and so on.
void ShapeWriter::growing(unsigned unit, const Piece &piece) {
  for (unsigned bytes = unit; bytes < word; bytes *= 2)
    piece(bytes);
}

/// What is left behind iterations of `from` bytes: half of that or nothing, and so on. One test
/// is in front of all, of the words of half a group, and of what is no word.
void ShapeWriter::shrinking(uint64_t from, unsigned unit, const Piece &piece) {
  std::vector<std::pair<size_t, uint64_t>> tests;
  for (uint64_t all = from; all > unit; all /= 2) {
    bool several = all / 2 > unit;
    if (several && (all == from || all == uint64_t(group) * word || all == word))
      tests.push_back({d.loops.size(), all});
    piece(all / 2);
  }
  for (auto [first, all] : tests)
    onlyIf(first, some(masked(rest, all - 1)));
}

void ShapeWriter::add(InlineLoop l) {
  l.startFollows = goesOn && l.start != NoExpr;
  l.toFollows = goesOn && l.to != NoExpr;
  results += l.scalars.size();
  d.loops.push_back(std::move(l));
  goesOn = true;
}

/// An iteration stores `count` values of `bytes` bytes each.
void ShapeWriter::fillLoop(ExprId trip, ExprId at, unsigned count, unsigned bytes, ExprId value) {
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
  add(l);
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

/// Words that hold the pattern again and again, by doubling: the constant to multiply with would
/// come from memory, and a product takes its time.
ExprId ShapeWriter::repeated() {
  ExprId words = g.zextOrTrunc(match.pattern, wordBits);
  for (unsigned bits = 8 * match.period; bits < wordBits; bits *= 2)
    words = g.binary(Op::Or, words, g.binary(Op::Shl, words, loop.word(bits)));
  return words;
}

/// `count` stores of a fill, without a test.
void ShapeWriter::fillAnyway(ExprId at, uint64_t count, uint64_t bytes, ExprId words) {
  goesOn = false;
  if (count)
    fillLoop(loop.word(1), at, unsigned(count), unsigned(bytes),
             g.zextOrTrunc(words, unsigned(8 * bytes)));
  goesOn = false;
}

/// What is no whole word in front, without a test of how much it is: elements of `unit` bytes from
/// the start, and half a word at its first multiple. The loops over words fill some of it again.
void ShapeWriter::fillHead(unsigned unit, ExprId words) {
  uint64_t half = word / 2, elements = half / unit - 1;
  size_t first = d.loops.size();
  ExprId at = g.add(match.dst, loop.word(half - unit));
  fillAnyway(match.dst, elements, unit, words);
  fillAnyway(elements ? masked(at, 0 - half) : match.dst, 1, half, words);
  choose(first, unaligned(match.dst), Seldom);
  rest = phi(first, rest, match.bytes, Phi::Number);
  to = phi(first, to, match.dst, Phi::Destination);
}

/// The same at the end, if anything is no whole word there. There are four words.
void ShapeWriter::fillTail(unsigned unit, ExprId words) {
  uint64_t half = word / 2, elements = half / unit - 1;
  ExprId end = g.add(to, rest), last = elements ? masked(end, 0 - half) : end;
  size_t first = d.loops.size();
  fillAnyway(g.sub(last, loop.word(half)), 1, half, words);
  fillAnyway(g.sub(end, loop.word(elements * unit)), elements, unit, words);
  onlyIf(first, some(masked(rest, word - 1)));
}

/// Whole words behind the head, and what is left; `whole` elements, or bytes of `words` at the
/// region's start. Of what is left nothing is less than a word, where `unit` is one.
void ShapeWriter::filledWords(unsigned count, unsigned unit, bool whole, bool ends, ExprId words) {
  uint64_t each = uint64_t(count) * word;
  auto piece = [&](uint64_t bytes) {
    unsigned width = unsigned(std::min<uint64_t>(bytes, word));
    fillLoop(bit(rest, bytes), g.add(to, masked(rest, 0 - 2 * bytes)), unsigned(bytes / width),
             width, g.zextOrTrunc(words, 8 * width));
  };
  size_t first = d.loops.size();
  uint64_t left = each;
  fillLoop(over(rest, each), to, count, word, words);
  if (!memoryIsSlow() && count > group) {
    left = each / 2;
    piece(left);
    onlyIf(first, some(masked(rest, 0 - left)));
  }
  if ((ends || unit >= word || !whole) && count > LastWords && !g.isConst(rest))
    return lastWords(left, ends ? unit : word, piece, words);
  shrinking(left, whole && !ends ? unit : word, piece);
  if (ends)
    fillTail(unit, words);
}

/// The same behind iterations of `from` bytes, with what is no whole word at the end. The last
/// words go at once, without a test of how many they are: there are as many, some of which are
/// filled twice.
void ShapeWriter::lastWords(uint64_t from, unsigned unit, const Piece &piece, ExprId words) {
  size_t first = d.loops.size(), few = first;
  for (uint64_t all = from; all > (LastWords + 1) * uint64_t(word); all /= 2) {
    if (all == uint64_t(group) * word)
      few = d.loops.size();
    piece(all / 2);
  }
  ExprId end = g.add(to, masked(rest, 0 - uint64_t(word)));
  uint64_t least = unit < word ? 1 : word;
  if (unit < word)
    fillTail(unit, words);
  fillAnyway(g.sub(end, loop.word(LastWords * word)), LastWords, word, words);
  if (few != first)
    onlyIf(few, some(masked(rest, group * word - least)), Mostly);
  onlyIf(first, some(masked(rest, from - least)), Mostly);
}

bool ShapeWriter::fill() {
  split();
  unsigned period = match.period;
  ExprId words = repeated(), iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  bool headIsWhole = g.isConst(head, 0) || align % period == 0;
  bool whole = period == 1 || (headIsWhole && wholeElements(period));
  unsigned unit = whole ? period : 1;
  while (whole && unit < word && wholeElements(2 * unit) &&
         (g.isConst(head, 0) || align % (2 * unit) == 0))
    unit *= 2;
  if (compact && whole) {
    compactFill(unit, words);
    return true;
  }
  unsigned share = memoryIsSlow() ? 10 : 20;
  unsigned count = core.countsLoops && wordsOnly() ? 1 : iteration(group, 1, 1, share);
  ExprId done = clearBlocks(words);
  size_t first = d.loops.size();
  to = g.add(match.dst, head);
  bool ends = whole && unit < word && !g.isConst(tail) && core.unaligned != Unaligned::Fast &&
              !(core.countsLoops && wordsOnly());
  if (!whole)
    fillLoop(head, match.dst, 1, 1, patternByte(words, iv));
  else if (!g.isConst(head))
    fillHead(unit, words);
  goesOn = false;
  if (!headIsWhole && period > 1)
    words = turned(words);
  filledWords(count, unit, whole, ends, words);
  goesOn = false;
  if (!whole)
    fillLoop(tail, g.add(match.dst, g.sub(match.bytes, tail)), 1, 1, patternByte(words, iv));
  shape = (count == 1 ? "a word" : std::to_string(count) + " words") + " of " +
          std::to_string(word) + " bytes at a time";
  if (done == NoExpr)
    return true;
  choose(first, g.binary(Op::Eq, done, loop.word(0)), Mostly);
  shape = "blocks of " + std::to_string(clears) + " bytes are cleared, or " + shape;
  return true;
}

/// From the last byte to the first, where the source's loop goes so, or the result is as if, and
/// the destination lies above the source.
bool ShapeWriter::goesDown() const {
  int64_t apart;
  return match.overlap == Overlap::GuardDescending ||
         (match.overlap == Overlap::MoveSafe && g.constantDifference(match.dst, match.src, apart) &&
          apart > 0);
}

/// Words are read ahead of what is written: nothing that is still to be read may have been
/// written, so upwards the destination has to be below the source, or apart. What the
/// loop's own guard says of that is not said again.
void ShapeWriter::staysAhead() {
  int64_t apart;
  bool known = down || match.overlap != Overlap::MoveSafe;
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

/// The address in a region behind so many bytes of it, as the copy goes.
ExprId ShapeWriter::behind(ExprId region, ExprId done) {
  return g.add(region, down ? g.sub(match.bytes, done) : done);
}

/// Of element `i` of an iteration from where it begins.
uint64_t ShapeWriter::place(unsigned i, unsigned bytes) const {
  return down ? 0 - (uint64_t(i) + 1) * bytes : uint64_t(i) * bytes;
}

/// An iteration loads `count` elements of `bytes` bytes each, then stores them; a group at a time.
/// It begins where `done` bytes have been copied from where the words begin.
void ShapeWriter::copyLoop(ExprId trip, ExprId done, unsigned count, unsigned bytes) {
  if (g.isConst(trip, 0))
    return;
  InlineLoop l;
  l.trip = trip;
  l.start = down ? g.sub(from, done) : g.add(from, done);
  l.to = down ? g.sub(to, done) : g.add(to, done);
  l.step = stepOf(count, bytes);
  l.few = true;
  l.group = group;
  uint64_t known = core.unaligned == Unaligned::Fast ? 1 : bytes;
  for (unsigned i = 0; i < count; ++i) {
    l.loads.push_back({place(i, bytes), bytes, known});
    l.stores.push_back({place(i, bytes), bytes, known, g.leaf(Op::Load, i, 8 * bytes)});
  }
  add(l);
}

/// Goes to where whole words begin, where source and destination are aligned alike. Nothing is
/// computed for that where both begin with whole words.
void ShapeWriter::reachWords() {
  ExprId begin = from, into = to;
  if (g.isConst(head, 0))
    return;
  growing(copyUnit(), [&](uint64_t bytes) {
    copyLoop(bit(head, bytes), masked(head, bytes - 1), 1, unsigned(bytes));
  });
  if (d.loops.empty())
    return;
  from = behind(match.src, head);
  to = behind(match.dst, head);
  choose(0, unaligned(into), Seldom);
  rest = phi(0, rest, match.bytes, Phi::Number);
  from = phi(0, from, begin, Phi::Source);
  to = phi(0, to, into, Phi::Destination);
}

/// Both begin with whole words.
void ShapeWriter::wholeWords() {
  unsigned words = iteration(group, 2, 2);
  uint64_t each = uint64_t(words) * word;
  copyLoop(over(rest, each), loop.word(0), words, word);
  shrinking(each, copyUnit(), [&](uint64_t bytes) {
    unsigned width = unsigned(std::min<uint64_t>(bytes, word));
    copyLoop(bit(rest, bytes), masked(rest, 0 - 2 * bytes), unsigned(bytes / width), width);
  });
}

bool ShapeWriter::copy() {
  down = goesDown();
  split();
  staysAhead();
  from = behind(match.src, loop.word(0));
  to = behind(match.dst, loop.word(0));
  if (compact)
    return compactCopy();
  std::string words = std::to_string(group) + " words of " + std::to_string(word) + " bytes";
  bool shifts = core.unaligned != Unaligned::Fast && !alignedAlike();
  if (shifts && alignedUnlike()) {
    shiftedWords();
    shape = "aligned words of " + std::to_string(word) + " bytes are shifted";
    return true;
  }
  ExprId begin = from, into = to, left = rest;
  reachWords();
  wholeWords();
  if (shifts) {
    size_t alike = d.loops.size();
    from = begin, to = into, rest = left;
    shiftedWords();
    ExprId apart = g.isConst(head, 0) ? begin : g.binary(Op::Xor, match.dst, match.src);
    choose(0, g.binary(Op::Eq, masked(apart, word - 1), loop.word(0)), Mostly,
           d.loops.size() - alike);
  }
  shape = words + " are loaded, then stored";
  choosesAlike = shifts;
  if (shifts)
    shape += ", or shifted";
  return true;
}

bool ShapeWriter::write() {
  return suits() && longEnough() && (match.idiom == Idiom::Fill ? fill() : copy());
}

} // namespace memlift
