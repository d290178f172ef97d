// inetinplace.cpp - the Internet checksum in place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: add 16-bit words modulo 2^16 - 1. Naive: 16 bits at a time. 2^16 - 1 divides
// 2^64 - 1, so whole words may be added with the carry brought around:
//
//   s += w; s += s < w
//
// A core that issues one instruction a cycle has nothing to overlap but loads. The words of an
// iteration are loaded before the first is added, and as many sums run side by side as the core's
// record says (Accumulators). A core that issues several instructions would wait for the second
// addition of a word before the first of the next. There the carries are a separate sum, which is
// added at the end.
//
// If unaligned words trap, no byte is handled alone. Words are loaded at aligned addresses, and
// the bytes of the first and last word outside the region are shifted out. Both words hold a byte
// of the region, so no other page is touched. Elsewhere words start at the first byte, and the
// remaining bytes go one by one.
#include "inplace.h"

#include <algorithm>

namespace memlift {

/// Adds a and b with the carry brought around.
ExprId InPlaceWriter::carry(ExprId a, ExprId b) {
  ExprId sum = g.add(a, b);
  return g.add(sum, g.zextOrTrunc(g.binary(Op::ULt, sum, b), g.width(a)));
}

/// Rotates v by `bits`, which are below its width; for 0 it is or-ed with itself.
ExprId InPlaceWriter::rotatedBy(ExprId v, ExprId bits) {
  ExprId back = g.binary(Op::And, g.sub(num(0, v), bits), num(g.width(v) - 1, v));
  return g.binary(Op::Or, g.binary(Op::Shl, v, bits), g.binary(Op::LShr, v, back));
}

/// Folds a sum to 16 bits; it is 0 only for 0. Adding the two halves in both orders at once
/// brings the carry around by itself.
ExprId InPlaceWriter::fold(ExprId sum) {
  for (unsigned bits = g.width(sum); bits > 16; bits /= 2) {
    sum = g.zextOrTrunc(sum, bits);
    sum = shift(Op::LShr, g.add(sum, rotatedBy(sum, num(bits / 2, sum))), bits / 2);
  }
  return sum;
}

/// Extracts `count` bytes of a word after the first `before`, in place. No shift is by all bits
/// of the word.
ExprId InPlaceWriter::bytesOf(ExprId w, ExprId before, ExprId count) {
  auto bits = [&](ExprId n) { return shift(Op::Shl, n, 3); };
  auto others = [&](ExprId n) {
    return g.binary(Op::And, g.sub(loop.word(0), bits(n)), loop.word(wordBits - 1));
  };
  Op down = loop.bigEndian ? Op::Shl : Op::LShr, up = loop.bigEndian ? Op::LShr : Op::Shl;
  w = g.binary(down, w, bits(before));
  w = g.binary(up, w, others(count));
  return g.binary(down, w, others(g.add(before, count)));
}

/// Returns the next values of a sum and its carries, scalars `place` and the one after. The sum
/// is the first operand, since compilers schedule by the order of operands.
std::vector<InlineScalar> InPlaceWriter::addTo(const OnesSum &of, unsigned place, unsigned count,
                                               const std::function<ExprId(unsigned)> &word) {
  ExprId sum = g.leaf(Op::Rec, place, wordBits);
  if (of.carries == NoExpr) {
    for (unsigned i = 0; i < count; ++i)
      sum = carry(sum, word(i));
    return {{wordBits, of.sum, sum}};
  }
  ExprId carries = g.leaf(Op::Rec, place + 1, wordBits);
  for (unsigned i = 0; i < count; ++i) {
    ExprId w = word(i);
    sum = g.add(sum, w);
    carries = g.add(carries, g.zextOrTrunc(g.binary(Op::ULt, sum, w), wordBits));
  }
  return {{wordBits, of.sum, sum}, {wordBits, of.carries, carries}};
}

/// Loops over `count` words from `at` on; word i is added to sum i modulo their number.
void InPlaceWriter::addWords(std::vector<OnesSum> &sums, ExprId trip, ExprId at, unsigned count,
                             bool follows) {
  unsigned word = wordBits / 8, used = std::min<unsigned>(count, unsigned(sums.size()));
  std::vector<InlineScalar> scalars;
  for (unsigned k = 0; k < used; ++k) {
    auto load = [&](unsigned i) { return g.leaf(Op::Load, k + i * sums.size(), wordBits); };
    for (const InlineScalar &s :
         addTo(sums[k], unsigned(scalars.size()), (count - k + used - 1) / used, load))
      scalars.push_back(s);
  }
  std::vector<ExprId> after = add(trip, at, uint64_t(count) * word, count, word, true, scalars);
  d.loops.back().startFollows = follows;
  d.loops.back().group = core.groupWords;
  for (unsigned k = 0, at = 0; k < used; ++k)
    for (ExprId *value : {&sums[k].sum, &sums[k].carries})
      if (*value != NoExpr)
        *value = after[at++];
}

/// Adds some bytes of the word at `at` to the last sum, if `count` is not 0.
void InPlaceWriter::addPartialWord(std::vector<OnesSum> &sums, ExprId at, ExprId before,
                                   ExprId count, bool follows) {
  ExprId some = g.zextOrTrunc(g.binary(Op::Ne, count, loop.word(0)), wordBits);
  unsigned word = wordBits / 8;
  auto bytes = [&](unsigned) { return bytesOf(load(wordBits), before, count); };
  std::vector<ExprId> after = add(some, at, word, 1, word, true, addTo(sums.back(), 0, 1, bytes));
  sums.back() = {after[0], after.size() > 1 ? after[1] : NoExpr};
  d.loops.back().startFollows = follows;
  d.loops.back().hidden = true;
}

/// Sums aligned words: the bytes of the first word, iterations over groups, half of one or none and
/// so on, and the bytes of the last word.
ExprId InPlaceWriter::inetAligned() {
  unsigned word = wordBits / 8, count = 1;
  bool apart = core.issueWidth > 1;
  // With separate carries nothing else is issued with the first loads of a group, nor with the
  // jump: twice the words.
  while (2 * count <= core.groupWords * core.issueWidth * (apart ? 2 : 1))
    count *= 2;
  ExprId zero = g.constant(0, wordBits);
  std::vector<OnesSum> sums(core.accumulators, {zero, apart ? zero : NoExpr});
  WordSplit p = split(word);
  if (p.hasHead)
    addPartialWord(sums, g.binary(Op::And, start, loop.word(0 - uint64_t(word))),
                   g.binary(Op::And, start, loop.word(word - 1)), p.head, false);
  ExprId rest = g.sub(bytes, p.head);
  auto after = [&](uint64_t power) {
    return g.add(p.wordsAt, g.binary(Op::And, rest, loop.word(0 - power)));
  };
  addWords(sums, shift(Op::LShr, p.words, logOf(count)), p.wordsAt, count, false);
  for (unsigned half = count / 2; half; half /= 2) {
    uint64_t size = uint64_t(half) * word;
    ExprId bit = g.binary(Op::And, rest, loop.word(size));
    addWords(sums, g.zextOrTrunc(g.binary(Op::Ne, bit, loop.word(0)), wordBits), after(2 * size),
             half, true);
  }
  // The last word begins with the region's last bytes.
  addPartialWord(sums, after(word), loop.word(0), p.tail, true);
  ExprId all = NoExpr;
  for (const OnesSum &s : sums) {
    ExprId one = apart ? carry(s.sum, s.carries) : s.sum;
    all = all == NoExpr ? one : carry(all, one);
  }
  return all;
}

/// Sums words from the first byte on, two at a time.
ExprId InPlaceWriter::inetAnywhere() {
  unsigned word = wordBits / 8;
  WordSplit p = split(2 * word);
  ExprId zero = g.constant(0, wordBits), iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  auto acc = [&](size_t i) { return g.leaf(Op::Rec, i, wordBits); };
  std::vector<ExprId> two = add(p.words, p.wordsAt, 2 * word, 2, word, false,
                                {{wordBits, zero, carry(acc(0), g.leaf(Op::Load, 0, wordBits))},
                                 {wordBits, zero, carry(acc(1), g.leaf(Op::Load, 1, wordBits))}});
  // Places the byte as in its 16-bit word.
  ExprId odd = g.binary(Op::And, iv, loop.word(1));
  if (loop.bigEndian)
    odd = g.binary(Op::Xor, odd, loop.word(1));
  ExprId byte = g.binary(Op::Shl, g.zextOrTrunc(load(8), wordBits), shift(Op::Shl, odd, 3));
  ExprId rest = add(p.tail, p.tailAt, 1, 1, 1, true, {{wordBits, zero, g.add(acc(0), byte)}})[0];
  return carry(carry(two[0], two[1]), rest);
}

/// Folds only once, after everything: an operation on the sum in between may be applied to all of
/// it modulo 2^16 - 1.
ExprId InPlaceWriter::inet(ExprId init) {
  bool aligns = core.unaligned == Unaligned::Trap;
  ExprId sum = aligns ? inetAligned() : inetAnywhere();
  // Words that began at an odd address have their bytes swapped. A select, since a rotation by a
  // variable amount would occupy a register throughout the loops.
  if (aligns && align < 2)
    sum = g.select(g.binary(Op::Ne, g.binary(Op::And, start, loop.word(1)), loop.word(0)),
                   rotatedBy(sum, num(8, sum)), sum);
  if (!g.isConst(init, 0))
    sum = carry(sum, g.zextOrTrunc(init, wordBits));
  return fold(sum);
}

} // namespace memlift
