// pairsinplace.cpp - sums of 16-bit words, in either byte order, in place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a checksum whose carries are folded after its loop. Naive: add 16-bit words. If
// unaligned words trap, the region may begin at any byte, and wider words do not match the 16-bit
// ones.
//
// So the low and the high bytes are summed separately, which works for aligned words wherever the
// region begins. At an odd address the two sums change places in the end:
//
//   low += w & 0x00ff00ff00ff00ff;  high += w >> 8 & 0x00ff00ff00ff00ff
//
// Each sum has four lanes of 16 bits. 64 words may be added before a product adds the lanes up
// (as in inplace.cpp): once an iteration, and once for all words before and after the loop. So
// the sum is exact for any length, whatever the source does with overflow. As for the Internet
// checksum, the bytes of the first and the last word outside the region are shifted out.
//
// The limit: cores that trap on unaligned words.
#include "inplace.h"

namespace memlift {

/// Adds all lanes of 16 bits; the sum must fit one lane.
ExprId InPlaceWriter::topLane(ExprId v) {
  return wide(shift(Op::LShr, g.mul(v, lanes(1, 16)), wordBits - 16));
}

/// Adds `count` words to both sums, `trip` times; or to lanes of them.
void InPlaceWriter::addPairs(PairSums &sums, ExprId trip, ExprId at, unsigned count,
                             const std::function<ExprId(unsigned)> &word, bool toLanes) {
  unsigned bytes = wordBits / 8;
  ExprId mask = lanes(0xff, 16), low = NoExpr, high = NoExpr;
  for (unsigned i = 0; i < count; ++i) {
    ExprId w = word(i), l = g.binary(Op::And, w, mask);
    ExprId h = g.binary(Op::And, shift(Op::LShr, w, 8), mask);
    low = i ? g.add(low, l) : l;
    high = i ? g.add(high, h) : h;
  }
  unsigned bits = toLanes ? wordBits : width;
  auto next = [&](unsigned place, ExprId v) {
    return g.add(g.leaf(Op::Rec, place, bits), toLanes ? v : topLane(v));
  };
  std::vector<ExprId> after =
      add(trip, at, uint64_t(count) * bytes, count, bytes, true,
          {{bits, sums.low, next(0, low)}, {bits, sums.high, next(1, high)}});
  sums = {after[0], after[1]};
}

/// Adds some bytes of the word at `at`, if `count` is not 0.
void InPlaceWriter::addPartialPairs(PairSums &sums, ExprId at, ExprId before, ExprId count) {
  ExprId some = g.zextOrTrunc(g.binary(Op::Ne, count, loop.word(0)), wordBits);
  addPairs(
      sums, some, at, 1, [&](unsigned) { return bytesOf(load(wordBits), before, count); },
      /*toLanes=*/true);
  d.loops.back().hidden = true;
}

/// Sums both halves, combines them by the parity of the start address, and weights the high bytes
/// by 256.
ExprId InPlaceWriter::pairs(bool swapped) {
  unsigned word = wordBits / 8, count = 1;
  while (2 * count <= core.groupWords)
    count *= 2;
  PairSums sums{num(0), num(0)}, others{loop.word(0), loop.word(0)};
  WordSplit p = split(word);
  if (p.hasHead)
    addPartialPairs(others, g.binary(Op::And, start, loop.word(0 - uint64_t(word))),
                    g.binary(Op::And, start, loop.word(word - 1)), p.head);
  ExprId rest = g.sub(bytes, p.head), trip = shift(Op::LShr, p.words, logOf(count)), at = p.wordsAt;
  auto words = [&](unsigned i) { return g.leaf(Op::Load, i, wordBits); };
  for (unsigned each = count; each; each /= 2) {
    addPairs(each == count ? sums : others, trip, at, each, words, each != count);
    d.loops.back().startFollows = each != count;
    d.loops.back().group = core.groupWords;
    uint64_t size = uint64_t(each) * word;
    at = g.add(p.wordsAt, g.binary(Op::And, rest, loop.word(0 - size)));
    ExprId half = g.binary(Op::And, rest, loop.word(size / 2));
    trip = g.zextOrTrunc(g.binary(Op::Ne, half, loop.word(0)), wordBits);
  }
  addPartialPairs(others, at, loop.word(0), p.tail);
  d.loops.back().startFollows = true;
  sums.low = g.add(sums.low, topLane(others.low));
  sums.high = g.add(sums.high, topLane(others.high));
  auto pair = [&](ExprId first, ExprId second) { return g.add(first, shift(Op::Shl, second, 8)); };
  ExprId even = swapped ? pair(sums.high, sums.low) : pair(sums.low, sums.high);
  if (align % 2 == 0)
    return even;
  ExprId odd = swapped ? pair(sums.low, sums.high) : pair(sums.high, sums.low);
  ExprId bit = g.binary(Op::And, start, loop.word(1));
  return g.select(g.binary(Op::Ne, bit, loop.word(0)), odd, even);
}

} // namespace memlift
