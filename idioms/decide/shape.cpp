// shape.cpp - copies and fills as loops over words, where no routine may be called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a copy or fill where no routine may be called, on a core that executes in order.
// The compiler's loop moves one byte an iteration, and waits for each load.
//
// Naive: a loop over words, with a loop over bytes before and after it. It is fast for long
// regions only: most copies are short, and then the loops' tests are all the time. So the code is
// written out like a good memcpy; n bytes at dst:
//
//   if (n < 4 words) the source's loop, or code for few words: shapeshort.cpp
//   bytes up to the first address that is a multiple of a word: 1, 2, 4 of them, or none
//   iterations over groups of words, so many that the jump back costs little
//   the remainder: half an iteration or not, half of that or not, and so on to a byte
//
// Each loop continues from the address where the one before ends. If several tests in a row would
// find nothing, one test comes before them. If nothing comes before the first word, nothing is
// computed for it: phis after the branch merge address and count.
//
// A copy loads a group (GroupWords of the core's record), then stores it. The first test asks
// whether source and destination are at the same byte of a word, the next one whether both begin
// with a word. If they are at different bytes, and unaligned words are not fast: shapeshift.cpp.
//
// A fill's words repeat its pattern, rotated by the bytes before the first word. If elements are
// aligned and a word is whole elements, no rotation is needed. The bytes before the first and
// after the last word are then stored without a test of how many they are, so some bytes are
// filled twice. With a branch for each, the cost would depend on branch prediction and code
// placement. If stores do not wait for memory (StoreTenths), an iteration is longer. If unaligned
// words are fast, nothing has to come before. Fills of zero by whole blocks: shapeblocks.cpp.
//
// If the core counts loops in hardware and all addresses are known to be aligned, a loop costs no
// more than its stores. A fill is then one loop over words, for any length.
//
// A copy may go downwards, as part of memmove: all of this from the last byte to the first.
//
// The limits: out-of-order cores are left alone, as the compiler's vectoriser is for their loops;
// no rows, no byte swaps. Figures of real cores: bench/README.md.
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

/// Divides v by a power of two.
ExprId ShapeWriter::over(ExprId v, uint64_t power) {
  unsigned log = 0;
  while (uint64_t(1) << log < power)
    ++log;
  return log ? g.binary(Op::LShr, v, loop.word(log)) : v;
}

/// Returns 1 if v has the bit `power`, else 0: a test in place, without a shift.
ExprId ShapeWriter::bit(ExprId v, uint64_t power) {
  return g.zextOrTrunc(g.binary(Op::Ne, masked(v, power), loop.word(0)), wordBits);
}

/// Returns true if the size is a multiple of `bytes`, a power of two, for all symbols.
bool ShapeWriter::wholeElements(unsigned bytes) const {
  for (const auto &[monomial, factor] : g.poly(match.bytes))
    if (factor % bytes)
      return false;
  return true;
}

/// Returns true if all regions are known to begin with a whole word.
bool ShapeWriter::wordsOnly() const {
  return align % word == 0 && (match.idiom == Idiom::Fill || srcAlign % word == 0);
}

/// Returns true for a loop over words that the core counts, as small as the source's.
bool ShapeWriter::countedWords() const {
  return core.countsLoops && wordsOnly() && match.idiom == Idiom::Fill && wholeElements(word);
}

/// Decides whether loops over words suit the operation and the options.
bool ShapeWriter::suits() {
  const FillForm *fills = match.fill();
  if (loop.function.optSize && !countedWords())
    why = "it would be larger, and the code is optimised for size";
  else if (match.rows != NoExpr)
    why = "rows are kept";
  else if (loop.function.compact && byWords(1))
    why = "it goes by words already: below -O3 more needs a named core (core=NAME)";
  else if (match.reorders())
    why = match.swap() ? "its bytes are swapped" : "its words are reversed";
  else if (fills &&
           (fills->period > word || (fills->period & (fills->period - 1)) || !fills->native))
    why = "no word is the pattern a whole number of times";
  return why.empty();
}

void ShapeWriter::require(ExprId condition) {
  guard = guard == NoExpr ? condition : g.binary(Op::And, guard, condition);
}

/// Splits the region into head, words and tail; there are at least four words.
void ShapeWriter::split() {
  bool whole = align % word == 0 && (!down || wholeElements(word));
  if (core.unaligned != Unaligned::Fast && !whole)
    head = masked(down ? g.add(match.dst, match.bytes) : g.sub(loop.word(0), match.dst), word - 1);
  rest = g.sub(match.bytes, head);
  if (!g.isConst(head, 0) || !wholeElements(word))
    tail = masked(rest, word - 1);
}

/// Returns the words of an iteration, each of `perWord` instructions. The steps of its pointers
/// and the jump back, which counts as two, should be at most one in `share` instructions. A core
/// that counts loops has no such overhead.
unsigned ShapeWriter::iteration(unsigned least, unsigned perWord, unsigned steps,
                                unsigned share) const {
  constexpr unsigned jump = 2;
  unsigned words = least;
  while (!core.countsLoops && share * (steps + jump) > words * perWord + steps + jump)
    words *= 2;
  return words;
}

/// Puts the loops from number `from` on under a branch. The last `others` of them are the second
/// arm.
void ShapeWriter::choose(size_t from, ExprId condition, BranchWeight often, size_t others) {
  if (from == d.loops.size())
    return;
  auto &branches = d.loops[from].branches;
  branches.insert(branches.begin(), {condition, d.loops.size() - from - others, others, often, {}});
  continues = false;
}

/// Puts the loops from number `from` on under a branch, unless its condition is constant.
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

/// Writes the pieces before the first word: `unit` bytes or none, twice as many or none, and so
/// on.
void ShapeWriter::growing(unsigned unit, const Piece &piece) {
  for (unsigned bytes = unit; bytes < word; bytes *= 2)
    piece(bytes);
}

/// Writes the remainder after iterations of `from` bytes: half of that or nothing, and so on. One
/// test each comes before all of it, before the words of half a group, and before the bytes of no
/// whole word.
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

/// Appends a loop and links its addresses to those of the loop before, if it continues it.
void ShapeWriter::add(InlineLoop l) {
  l.startFollows = continues && l.start != NoExpr;
  l.toFollows = continues && l.to != NoExpr;
  results += l.scalars.size();
  d.loops.push_back(std::move(l));
  continues = true;
}

/// Writes a loop that stores `count` values of `bytes` bytes in each iteration.
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

/// Returns byte `index` of memory that repeats `words`.
ExprId ShapeWriter::patternByte(ExprId words, ExprId index) {
  ExprId at = masked(index, word - 1);
  if (loop.bigEndian)
    at = g.sub(loop.word(word - 1), at);
  ExprId bits = g.binary(Op::Shl, at, loop.word(3));
  return g.zextOrTrunc(g.binary(Op::LShr, words, bits), 8);
}

/// Rotates the pattern as memory has it from the first whole word on.
ExprId ShapeWriter::rotated(ExprId words) {
  ExprId by = g.binary(Op::Shl, head, loop.word(3));
  // For a rotation by 0 the word is or-ed with itself.
  ExprId back = masked(g.sub(loop.word(0), by), wordBits - 1);
  Op first = loop.bigEndian ? Op::Shl : Op::LShr, second = loop.bigEndian ? Op::LShr : Op::Shl;
  return g.binary(Op::Or, g.binary(first, words, by), g.binary(second, words, back));
}

/// Repeats the pattern to a word by doubling. A multiplication would load its constant from
/// memory, and takes longer.
ExprId ShapeWriter::repeated() {
  ExprId words = g.zextOrTrunc(match.fill()->pattern, wordBits);
  for (unsigned bits = 8 * match.fill()->period; bits < wordBits; bits *= 2)
    words = g.binary(Op::Or, words, g.binary(Op::Shl, words, loop.word(bits)));
  return words;
}

/// Writes `count` stores of a fill without a test.
void ShapeWriter::fillAnyway(ExprId at, uint64_t count, uint64_t bytes, ExprId words) {
  continues = false;
  if (count)
    fillLoop(loop.word(1), at, unsigned(count), unsigned(bytes),
             g.zextOrTrunc(words, unsigned(8 * bytes)));
  continues = false;
}

/// Fills the bytes before the first word without testing their number: elements of `unit` bytes
/// from the start, and half a word at its first multiple. The loops over words fill some of them
/// again.
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

/// Fills the bytes after the last whole word likewise, if there are any; there are four words.
void ShapeWriter::fillTail(unsigned unit, ExprId words) {
  uint64_t half = word / 2, elements = half / unit - 1;
  ExprId end = g.add(to, rest), last = elements ? masked(end, 0 - half) : end;
  size_t first = d.loops.size();
  fillAnyway(g.sub(last, loop.word(half)), 1, half, words);
  fillAnyway(g.sub(end, loop.word(elements * unit)), elements, unit, words);
  onlyIf(first, some(masked(rest, word - 1)));
}

/// Fills the whole words after the head, and the remainder. `whole`: the region consists of
/// elements; else `words` holds its bytes. No piece is smaller than a word if `unit` is one.
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
  // Overlapping stores at the end replace the tests for single words.
  if ((ends || unit >= word || !whole) && count > LastWords && !g.isConst(rest))
    return lastWords(left, ends ? unit : word, piece, words);
  shrinking(left, whole && !ends ? unit : word, piece);
  if (ends)
    fillTail(unit, words);
}

/// Fills the remainder after iterations of `from` bytes, including an incomplete last word. The
/// last words are stored at once, without a test of their number: enough words exist, and some
/// are filled twice.
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

/// Writes the fill: head, words and tail, or blocks.
bool ShapeWriter::fill() {
  split();
  unsigned period = match.fill()->period;
  ExprId words = repeated(), iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  bool headIsWhole = g.isConst(head, 0) || align % period == 0, whole = wholePatterns();
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
  continues = false;
  if (!headIsWhole && period > 1)
    words = rotated(words);
  filledWords(count, unit, whole, ends, words);
  continues = false;
  if (!whole)
    fillLoop(tail, g.add(match.dst, g.sub(match.bytes, tail)), 1, 1, patternByte(words, iv));
  shape = (count == 1 ? "a word" : std::to_string(count) + " words") + " of " +
          std::to_string(word) + " bytes at a time";
  if (done != NoExpr) {
    choose(first, g.binary(Op::Eq, done, loop.word(0)), Mostly);
    shape = "blocks of " + std::to_string(clears) + " bytes are cleared, or " + shape;
  }
  if (takesShort())
    shortFill(unit, words);
  return true;
}

/// Returns true if the copy should go from the last byte to the first: the source's loop does, or
/// has the same result, and the destination is above the source.
bool ShapeWriter::goesDown() const {
  int64_t apart;
  return match.overlap() == Overlap::GuardDescending ||
         (match.overlap() == Overlap::MoveSafe &&
          g.constantDifference(match.dst, match.src, apart) && apart > 0);
}

/// Requires that the words read ahead have not been overwritten: upwards, the destination must be
/// below the source, or disjoint. Conditions of the loop's own guard are not repeated.
void ShapeWriter::staysAhead() {
  int64_t apart;
  bool known = down || match.overlap() != Overlap::MoveSafe;
  if (known || (g.constantDifference(match.dst, match.src, apart) && apart < 0))
    return;
  ExprId above = g.fromPoly(g.poly(g.sub(match.dst, match.src)), loop.ptrBits);
  require(g.binary(Op::ULe, match.bytes, above));
}

/// Returns true if source and destination are known to be at the same byte of a word.
bool ShapeWriter::alignedAlike() const {
  int64_t apart;
  return (align % word == 0 && srcAlign % word == 0) ||
         (g.constantDifference(match.dst, match.src, apart) && apart % int64_t(word) == 0);
}

bool ShapeWriter::alignedUnlike() const {
  int64_t apart;
  return g.constantDifference(match.dst, match.src, apart) && apart % int64_t(word) != 0;
}

/// Returns the size of the elements that are copied before and after the words, beside single
/// bytes.
unsigned ShapeWriter::copyUnit() const {
  uint64_t most = core.unaligned == Unaligned::Fast ? word : std::min(align, srcAlign);
  unsigned unit = word;
  while (unit > 1 && (unit > most || !wholeElements(unit)))
    unit /= 2;
  return unit;
}

/// Returns the address in a region after so many bytes of it, in the copy's direction.
ExprId ShapeWriter::after(ExprId region, ExprId done) {
  return g.add(region, down ? g.sub(match.bytes, done) : done);
}

/// Returns the offset of element `i` from where an iteration begins.
uint64_t ShapeWriter::place(unsigned i, unsigned bytes) const {
  return down ? 0 - (uint64_t(i) + 1) * bytes : uint64_t(i) * bytes;
}

/// Writes a loop that loads `count` elements of `bytes` bytes, then stores them, a group at a
/// time. It begins after `done` bytes from where the words begin.
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

/// Copies up to the first whole word, for regions at the same byte of a word. If both begin with
/// a word, this code is skipped.
void ShapeWriter::reachWords() {
  ExprId begin = from, into = to;
  if (g.isConst(head, 0))
    return;
  growing(copyUnit(), [&](uint64_t bytes) {
    copyLoop(bit(head, bytes), masked(head, bytes - 1), 1, unsigned(bytes));
  });
  if (d.loops.empty())
    return;
  from = after(match.src, head);
  to = after(match.dst, head);
  choose(0, unaligned(into), Seldom);
  rest = phi(0, rest, match.bytes, Phi::Number);
  from = phi(0, from, begin, Phi::Source);
  to = phi(0, to, into, Phi::Destination);
}

/// Copies whole words and the remainder; both regions begin with a word.
void ShapeWriter::wholeWords() {
  unsigned words = iteration(group, 2, 2);
  uint64_t each = uint64_t(words) * word;
  copyLoop(over(rest, each), loop.word(0), words, word);
  shrinking(each, copyUnit(), [&](uint64_t bytes) {
    unsigned width = unsigned(std::min<uint64_t>(bytes, word));
    copyLoop(bit(rest, bytes), masked(rest, 0 - 2 * bytes), unsigned(bytes / width), width);
  });
}

/// Writes the copy.
bool ShapeWriter::copy() {
  down = goesDown();
  split();
  staysAhead();
  from = after(match.src, loop.word(0));
  to = after(match.dst, loop.word(0));
  if (compact)
    return compactCopy();
  copyWords();
  if (takesHalves())
    shortCopy();
  return true;
}

/// Writes the copy by words, by shifted words, or a branch between both.
void ShapeWriter::copyWords() {
  std::string words = std::to_string(group) + " words of " + std::to_string(word) + " bytes";
  bool shifts = core.unaligned != Unaligned::Fast && !alignedAlike();
  if (shifts && alignedUnlike()) {
    shiftedWords();
    shape = "aligned words of " + std::to_string(word) + " bytes are shifted";
    return;
  }
  ExprId begin = from, into = to, left = rest;
  reachWords();
  wholeWords();
  if (shifts) {
    size_t alike = d.loops.size();
    from = begin, to = into, rest = left;
    shiftedWords();
    // Without a head the destination is aligned, so the source's address alone decides.
    ExprId apart = g.isConst(head, 0) ? begin : g.binary(Op::Xor, match.dst, match.src);
    choose(0, g.binary(Op::Eq, masked(apart, word - 1), loop.word(0)), Mostly,
           d.loops.size() - alike);
  }
  shape = words + " are loaded, then stored";
  choosesAlike = shifts;
  if (shifts)
    shape += ", or shifted";
}

bool ShapeWriter::write() {
  if (takesSmall())
    return small();
  return suits() && longEnough() && (match.idiom == Idiom::Fill ? fill() : copy());
}

} // namespace memlift
