// inplace.cpp - loops that take the place of a call where none may be made
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a sum of bytes, where nothing may be called and the compiler's loop
// adds one byte at a time.
//
// A word w holds eight bytes. They are added in four lanes of 16 bits, so that no
// lane overflows into the next:
//
//   t = (w & 0x00ff00ff00ff00ff) + (w >> 8 & 0x00ff00ff00ff00ff)
//   sum += t * 0x0001000100010001 >> 48
//
// The product's top lane is the sum of the four lanes, at most 2040. With other
// factors the same product weights the bytes; so the second sum of Adler-32 takes
// eight bytes at a time, too. Internet checksum: inetinplace.cpp. 16-bit words:
// pairsinplace.cpp. CRC: crcinplace.cpp.
//
// Words begin at the first byte, or, if the core traps on unaligned access, at the
// first aligned address. The remaining bytes go one by one. The limits: the routines
// named here; others are no faster in words. Measured against the loops that they
// replace: bench/README.md.
//
// Why four lanes are enough: t has two bytes in each lane, at most 510. The product
// with 0x0001000100010001 adds lane 0, lanes 0 and 1, and so on into lanes 0 to 3.
// The largest is 4 * 510 = 2040, far below 2^16, so no lane carries into the next.
#include "inplace.h"

#include <algorithm>

namespace memlift {

/// Accumulators are as wide as the widest recurrence, so that no sum is cut early.
InPlaceWriter::InPlaceWriter(Loop &loop, const Match &match, const Core &core,
                             const std::function<TargetFacts()> &facts, Decision &d)
    : loop(loop), match(match), core(core), facts(facts), d(d), g(loop.exprs),
      wordBits(loop.ptrBits), width(loop.ptrBits) {
  for (const Reduction &r : match.reductions)
    width = std::max(width, loop.recs[r.rec].width);
}

/// Returns the constant with `low` in every lane of `step` bits.
ExprId InPlaceWriter::lanes(uint64_t low, unsigned step) {
  uint64_t v = 0;
  for (unsigned at = 0; at < wordBits; at += step)
    v |= low << at;
  return g.constant(v, wordBits);
}

ExprId InPlaceWriter::shift(Op op, ExprId a, unsigned n) {
  return g.binary(op, a, g.constant(n, g.width(a)));
}

/// Appends a loop and numbers its results after those of the loops before.
std::vector<ExprId> InPlaceWriter::add(ExprId trip, ExprId at, uint64_t step, unsigned loads,
                                       unsigned loadBytes, bool few,
                                       const std::vector<InlineScalar> &scalars) {
  InlineLoop l;
  l.trip = trip;
  l.start = at;
  l.step = step;
  l.few = few;
  bool aligned = core.unaligned == Unaligned::Trap && loadBytes > 1;
  for (unsigned i = 0; i < loads; ++i)
    l.loads.push_back(
        {i * loadBytes, loadBytes, aligned ? std::min(loadBytes, wordBits / 8) : uint64_t(1)});
  l.scalars = scalars;
  size_t before = 0;
  for (const InlineLoop &old : d.loops)
    before += old.scalars.size();
  d.loops.push_back(l);
  std::vector<ExprId> finals;
  for (size_t i = 0; i < scalars.size(); ++i)
    finals.push_back(g.leaf(Op::Result, FinalResult + before + i, scalars[i].width));
  return finals;
}

/// Splits the region: bytes up to an aligned address if the core needs that, words,
/// bytes.
InPlaceWriter::WordSplit InPlaceWriter::split(unsigned chunk) {
  WordSplit p;
  unsigned word = wordBits / 8, log = logOf(chunk);
  p.hasHead = core.unaligned == Unaligned::Trap && align < word;
  p.head = loop.word(0);
  if (p.hasHead) {
    ExprId gap = g.binary(Op::And, g.sub(loop.word(0), start), loop.word(word - 1));
    // A region may end before the first aligned address.
    p.head = g.select(g.binary(Op::ULt, bytes, gap), bytes, gap);
  }
  ExprId rest = g.sub(bytes, p.head);
  p.words = shift(Op::LShr, rest, log);
  p.tail = g.binary(Op::And, rest, loop.word(chunk - 1));
  p.wordsAt = g.add(start, p.head);
  p.tailAt = g.add(start, g.sub(bytes, p.tail));
  return p;
}

/// Sums bytes. Every byte of a word is in one of two lane vectors, even or odd.
ExprId InPlaceWriter::sumBytes(bool isSigned) {
  unsigned word = wordBits / 8;
  WordSplit p = split(word);
  ExprId byte = load(8), sum = num(0);
  ExprId one = isSigned ? g.cast(Op::SExt, byte, width) : wide(byte);
  std::vector<InlineScalar> step = {{width, sum, g.add(scalar(0), one)}};
  if (p.hasHead)
    step[0].init = add(p.head, start, 1, 1, 1, true, step)[0];
  ExprId w = load(wordBits), mask = lanes(0xff, 16);
  // Signed bytes are moved up by 128, and the sum is moved back down.
  if (isSigned)
    w = g.binary(Op::Xor, w, lanes(0x80, 8));
  ExprId pairs = g.add(g.binary(Op::And, w, mask), g.binary(Op::And, shift(Op::LShr, w, 8), mask));
  ExprId all = shift(Op::LShr, g.mul(pairs, lanes(1, 16)), wordBits - 16);
  std::vector<InlineScalar> words = {{width, step[0].init, g.add(scalar(0), wide(all))}};
  step[0].init = add(p.words, p.wordsAt, word, 1, word, false, words)[0];
  sum = add(p.tail, p.tailAt, 1, 1, 1, true, step)[0];
  if (isSigned)
    sum = g.sub(sum, shift(Op::Shl, wide(g.mul(p.words, loop.word(word))), 7));
  return sum;
}

/// Returns the factor that weights 16-bit lanes by first, first - 2, ..., starting
/// with the byte at the lowest address, in the product's top lane.
ExprId InPlaceWriter::multiplier(unsigned first) {
  unsigned count = wordBits / 16;
  uint64_t v = 0;
  for (unsigned lane = 0; lane < count; ++lane) {
    // Lane `lane` of the word meets lane count - 1 - lane of the factor.
    unsigned element = loop.bigEndian ? count - 1 - lane : lane;
    v |= uint64_t(first - 2 * element) << (16 * (count - 1 - lane));
  }
  return g.constant(v, wordBits);
}

/// Computes plain += byte; weighted += plain, a word at a time. The sum of n more
/// bytes adds n * plain to the weighted one, and the bytes with weights n, n - 1, ...
void InPlaceWriter::adlerSums() {
  unsigned word = wordBits / 8;
  WordSplit p = split(word);
  ExprId one = g.add(scalar(0), wide(load(8)));
  std::vector<InlineScalar> step = {{width, num(0), one}, {width, num(0), g.add(scalar(1), one)}};
  auto from = [&](const std::vector<ExprId> &v) {
    step[0].init = v[0];
    step[1].init = v[1];
  };
  if (p.hasHead)
    from(add(p.head, start, 1, 1, 1, true, step));
  ExprId w = load(wordBits), mask = lanes(0xff, 16);
  ExprId low = g.binary(Op::And, w, mask);
  ExprId high = g.binary(Op::And, shift(Op::LShr, w, 8), mask);
  auto top = [&](ExprId a, ExprId factor) {
    return wide(shift(Op::LShr, g.mul(a, factor), wordBits - 16));
  };
  // The byte at the lowest address counts most, and is in the low lane if
  // little-endian.
  unsigned lowFirst = loop.bigEndian ? word - 1 : word;
  ExprId weights =
      g.add(top(low, multiplier(lowFirst)), top(high, multiplier(2 * word - 1 - lowFirst)));
  ExprId before = g.mul(scalar(0), num(word));
  std::vector<InlineScalar> words = step;
  words[0].next = g.add(scalar(0), top(g.add(low, high), lanes(1, 16)));
  words[1].next = g.add(scalar(1), g.add(before, weights));
  from(add(p.words, p.wordsAt, word, 1, word, false, words));
  std::vector<ExprId> end = add(p.tail, p.tailAt, 1, 1, 1, true, step);
  sums = {end[0], end[1]};
}

/// Reduces v modulo m to 0 .. m - 1; with `fold` to 1 .. m, or 0 for a true zero.
ExprId InPlaceWriter::reduced(ExprId v, uint64_t modulus, bool fold) {
  ExprId m = num(modulus), one = num(1);
  if (!fold)
    return g.binary(Op::URem, v, m);
  ExprId rest = g.add(g.binary(Op::URem, g.sub(v, one), m), one);
  return g.select(g.binary(Op::Eq, v, num(0)), v, rest);
}

/// Computes the same two sums modulo m, reduced once a word instead of once a byte.
/// Start values have at most 32 bits, so nothing overflows 64 bits between two
/// reductions.
ExprId InPlaceWriter::modularSums(const ReturningCall &c) {
  unsigned word = wordBits / 8;
  WordSplit p = split(word);
  uint64_t m = g[c.args[3]].value, how = g[c.args[4]].value;
  bool fold = how & 1, alone = how & 2;
  ExprId low = num(0xffffffff), half = num(32);
  auto mod = [&](ExprId v) { return reduced(v, m, fold); };
  ExprId one = mod(g.add(scalar(0), wide(load(8))));
  std::vector<InlineScalar> step = {
      {width, g.binary(Op::And, c.args[2], low), one},
      {width, g.binary(Op::LShr, c.args[2], half), mod(g.add(scalar(1), one))}};
  ExprId w = load(wordBits), mask = lanes(0xff, 16);
  ExprId even = g.binary(Op::And, w, mask);
  ExprId odd = g.binary(Op::And, shift(Op::LShr, w, 8), mask);
  auto top = [&](ExprId a, ExprId factor) {
    return wide(shift(Op::LShr, g.mul(a, factor), wordBits - 16));
  };
  unsigned first = loop.bigEndian ? word - 1 : word;
  ExprId weights = g.add(top(even, multiplier(first)), top(odd, multiplier(2 * word - 1 - first)));
  std::vector<InlineScalar> words = step;
  words[0].next = mod(g.add(scalar(0), top(g.add(even, odd), lanes(1, 16))));
  words[1].next = mod(g.add(g.add(scalar(1), g.mul(scalar(0), num(word))), weights));
  if (alone)
    step.pop_back(), words.pop_back();
  auto run = [&](ExprId trip, ExprId at, unsigned size, std::vector<InlineScalar> &of) {
    std::vector<ExprId> end = add(trip, at, size, 1, size, size == 1, of);
    for (size_t i = 0; i < end.size(); ++i)
      step[i].init = words[i].init = end[i];
  };
  if (p.hasHead)
    run(p.head, start, 1, step);
  else
    for (size_t i = 0; i < step.size(); ++i)
      words[i].init = step[i].init;
  run(p.words, p.wordsAt, word, words);
  run(p.tail, p.tailAt, 1, step);
  return alone ? step[0].init
               : g.binary(Op::Or, g.binary(Op::Shl, step[1].init, half), step[0].init);
}

/// Chooses the method for a routine, or says why there is none.
bool InPlaceWriter::expand(size_t index) {
  ReturningCall &c = d.calls[index];
  if (c.routine == Routine::CrcAny) {
    why = "a table would have to be made for the polynomial each time";
    return false;
  }
  if (c.routine == Routine::CrcWords) {
    why = "the bytes of each word would have to be turned";
    return false;
  }
  if (c.routine == Routine::CrcLanes) {
    why = "registers side by side are there because they are fast";
    return false;
  }
  OpKind kind = operationOf(c.routine).kind;
  if (kind == OpKind::TableCrc || kind == OpKind::SliceCrc) {
    why = "the entries of the table are not known here";
    return false;
  }
  size_t at = c.routine == Routine::Crc ? 1 : 0;
  start = c.args[at];
  bytes = g.zextOrTrunc(c.args[at + 1], loop.ptrBits);
  align = start == match.src ? match.srcAlign : 1;
  bool plain = c.routine == Routine::SumU8 || c.routine == Routine::SumS8;
  if (c.routine == Routine::Crc)
    return crc(c);
  if (loop.function.optSize) {
    why = "it would be larger, and the code is optimised for size";
    return false;
  }
  if (c.routine == Routine::ModsumU8 && wordBits == 64 && width == 64 &&
      !(g[c.args[4]].value & 4)) {
    c.inPlace = modularSums(c);
    shape = "words of 8 bytes, reduced once a word";
    return true;
  }
  bool swapped = c.routine == Routine::SumSwapU16;
  if ((swapped || c.routine == Routine::SumU16) && core.unaligned == Unaligned::Trap) {
    const Poly size = g.poly(bytes);
    if (std::any_of(size.begin(), size.end(), [](const auto &term) { return term.second % 2; }))
      // the routine ignores an odd byte
      bytes = g.binary(Op::And, bytes, loop.word(0 - uint64_t(2)));
    c.inPlace = g.zextOrTrunc(pairs(swapped), 64);
    shape = "words of " + std::to_string(wordBits / 8) + " bytes";
    return true;
  }
  if (!plain && c.routine != Routine::WsumU8 && c.routine != Routine::InetSum) {
    why = "words at a time are no faster for this one";
    return false;
  }
  // A sum and its weighted sum are computed in one pass.
  bool weighted = c.routine == Routine::WsumU8;
  for (const ReturningCall &other : d.calls)
    weighted |=
        c.routine == Routine::SumU8 && other.routine == Routine::WsumU8 && other.args == c.args;
  if (weighted && (sums.plain == NoExpr || summed != c.args)) {
    adlerSums();
    summed = c.args;
  }
  ExprId value = c.routine == Routine::InetSum  ? inet(c.args[2])
                 : c.routine == Routine::WsumU8 ? sums.weighted
                 : weighted                     ? sums.plain
                                                : sumBytes(c.routine == Routine::SumS8);
  d.calls[index].inPlace = c.routine == Routine::InetSum ? value : g.zextOrTrunc(value, 64);
  shape = "words of " + std::to_string(wordBits / 8) + " bytes";
  return true;
}

} // namespace memlift
