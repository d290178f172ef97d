// crcinplace.cpp - a CRC in place by carry-less products, by the CRC instruction, or by a table
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no routine may be called, three methods compute a CRC faster than bit by bit or byte by
// byte.
//
// Products: 16 bytes are a polynomial. Multiplied by x^D mod G they may be added to the bytes D
// bits further on, so long inputs fold to 16 bytes. Four accumulators are folded over 64 bytes at
// a time, since a product has a latency; then one over 16, and reduced by Barrett's method. After
// that 8 bytes or none are left, and up to 7: two more reductions. The method and its constants
// are the runtime's, which runtime/kernels/x86/crc_x86.c explains. As there, the register is the
// upper part of one of 64 bits. Words of 16 bytes begin with the higher powers of x, in the low
// half if the CRC is reflected.
//
// Accumulators start as 0, and the register is added to the first 16 bytes: `first` holds it in
// the first iteration, and 0 afterwards. So whichever loops run, either an accumulator or `first`
// holds the value to continue with. Everything that follows from the accumulators is computed in
// loops that run once or never: short inputs do not pay for it.
//
// The instruction: steps of 8 bytes, then of 4, 2 and 1. It also reduces what was folded, if the
// target has products too and there are enough bytes for them.
//
// The table: one look-up for each byte, or two of 4 bits under -Os; see crcTable().
//
// The limits: 64-bit little-endian targets for products; no polynomial that is computed at run
// time.
#include "inplace.h"

namespace memlift {

/// Inputs known to be shorter than the first do without four accumulators; from the second on,
/// products are faster than the instruction.
constexpr uint64_t fewProducts = 128, productsFrom = 256;

/// Chooses between products, the instruction and both.
void InPlaceWriter::CrcForm::choose(const CrcPoly &poly, const TargetFacts &target,
                                    const Loop &loop, uint64_t mostBytes) {
  crc = poly;
  most = mostBytes;
  bool known = poly.reflected && poly.width == 32 && !loop.bigEndian;
  if (known && target.crc32 && poly.poly == crc32Poly)
    instruction = Op::Crc32;
  if (known && target.crc32c && poly.poly == crc32cPoly)
    instruction = Op::Crc32c;
  clmul = target.clmul && loop.ptrBits == 64 && !loop.bigEndian && !loop.function.optSize &&
          !(instruction != Op::Const && most && most < productsFrom);
  if (clmul)
    fold = crcFold(poly);
}

/// Loads 16 bytes, or a word, in the order of the powers of x.
ExprId InPlaceWriter::crcLoad(unsigned i, unsigned bytes) {
  ExprId v = g.leaf(Op::Load, i, 8 * bytes);
  return form.crc.reflected || bytes == 1 ? v : g.cast(Op::BSwap, v, 8 * bytes);
}

ExprId InPlaceWriter::crcConstant(CrcRow row, unsigned which) {
  return g.constant(form.fold[2 * unsigned(row) + which], 64);
}

/// Multiplies v by the power of x that the row is for.
ExprId InPlaceWriter::folded(ExprId v, CrcRow row) {
  return g.binary(Op::Xor, g.binary(Op::ClMul, g.half(v, 0), crcConstant(row, 0)),
                  g.binary(Op::ClMul, g.half(v, 1), crcConstant(row, 1)));
}

/// Computes t times x^64 modulo G by Barrett's method; q is the quotient.
ExprId InPlaceWriter::reducedWord(ExprId t) {
  ExprId product = g.binary(Op::ClMul, t, crcConstant(CrcRow::Barrett, 0));
  ExprId generator = crcConstant(CrcRow::Barrett, 1);
  if (!form.crc.reflected) {
    ExprId q = g.binary(Op::Xor, t, g.half(product, 1));
    return g.half(g.binary(Op::ClMul, q, generator), 0);
  }
  ExprId q = g.half(product, 0);
  ExprId rest = g.half(g.binary(Op::ClMul, q, generator), 1);
  return form.crc.poly >> 63 ? g.binary(Op::Xor, rest, q) : rest;
}

/// Reduces the accumulator to the register: v times x^64 modulo G, its higher half by 64 bits
/// more.
ExprId InPlaceWriter::finished(ExprId v) {
  if (form.instruction != Op::Const) {
    ExprId low = g.crc(form.instruction, g.constant(0, 32), g.half(v, 0));
    return g.crc(form.instruction, low, g.half(v, 1));
  }
  unsigned high = form.crc.reflected ? 0 : 1; // the half of the higher powers
  ExprId by64 = crcConstant(CrcRow::By128, form.crc.reflected ? 1 : 0);
  ExprId product = g.binary(Op::ClMul, g.half(v, high), by64);
  ExprId left = g.binary(Op::Xor, g.half(product, high), g.half(v, 1 - high));
  return g.binary(Op::Xor, reducedWord(left), g.half(product, 1 - high));
}

/// Computes the register after the 1, 2, 4 or 8 bytes of load 0. The instruction has a form for
/// each size; products are used for 1 and 8 bytes.
ExprId InPlaceWriter::crcAfter(ExprId state, unsigned bytes) {
  ExprId data = crcLoad(0, bytes);
  if (form.instruction != Op::Const)
    return g.crc(form.instruction, state, data);
  unsigned bits = 8 * bytes, above = 64 - bits;
  data = g.zextOrTrunc(data, 64);
  // A whole word: the register is added and everything is reduced.
  if (!above)
    return reducedWord(g.binary(Op::Xor, data, state));
  if (form.crc.reflected) {
    ExprId t = shift(Op::Shl, g.binary(Op::Xor, data, state), above);
    return g.binary(Op::Xor, reducedWord(t), shift(Op::LShr, state, bits));
  }
  ExprId t = g.binary(Op::Xor, data, shift(Op::LShr, state, above));
  return g.binary(Op::Xor, reducedWord(t), shift(Op::Shl, state, bits));
}

/// Loops over steps of at most 8 bytes, `trip` times.
ExprId InPlaceWriter::crcSteps(ExprId state, ExprId trip, ExprId at, unsigned bytes, bool few) {
  unsigned reg = g.width(state);
  ExprId next = crcAfter(g.leaf(Op::Rec, 0, reg), bytes);
  return add(trip, at, bytes, 1, bytes, few, {{reg, state, next}})[0];
}

/// Returns 1 if the last bytes of `count` include a piece of `bytes`, a power of two: a bit of
/// the count. Moves `at` from the region's start to that piece.
ExprId InPlaceWriter::crcPiece(ExprId count, unsigned bytes, ExprId &at) {
  ExprId taken = g.binary(Op::And, count, loop.word(bytes));
  at = g.add(at, g.binary(Op::And, count, loop.word(~uint64_t(2 * bytes - 1))));
  return g.zextOrTrunc(g.binary(Op::Ne, taken, loop.word(0)), loop.ptrBits);
}

/// Processes the last bytes, fewer than 8: by the instruction, or by one reduction of all of
/// them. For the latter x collects pieces of 4, 2 and 1: at its end of the higher powers if it is
/// reflected, else at that of the lower ones.
ExprId InPlaceWriter::crcRest(ExprId state, ExprId at, ExprId count) {
  bool instruction = form.instruction != Op::Const, reflected = form.crc.reflected;
  ExprId x = g.constant(0, 64), rec = g.leaf(Op::Rec, 0, 64);
  for (unsigned bytes : {4, 2, 1}) {
    ExprId from = at, taken = crcPiece(count, bytes, from);
    if (instruction) {
      state = crcSteps(state, taken, from, bytes, true);
      continue;
    }
    unsigned bits = 8 * bytes;
    ExprId data = g.zextOrTrunc(crcLoad(0, bytes), 64);
    ExprId more =
        reflected ? g.binary(Op::Or, shift(Op::LShr, rec, bits), shift(Op::Shl, data, 64 - bits))
                  : g.binary(Op::Or, shift(Op::Shl, rec, bits), data);
    x = add(taken, from, bytes, 1, bytes, true, {{64, x, more}})[0];
  }
  if (instruction)
    return state;
  ExprId last = g.binary(Op::And, count, loop.word(7));
  ExprId bits = g.zextOrTrunc(shift(Op::Shl, last, 3), 64);
  ExprId above = g.sub(g.constant(64, 64), bits);
  Op out = reflected ? Op::Shl : Op::LShr, down = reflected ? Op::LShr : Op::Shl;
  ExprId t = g.binary(Op::Xor, g.leaf(Op::Rec, 1, 64), g.binary(out, rec, above));
  ExprId next = g.binary(Op::Xor, reducedWord(t), g.binary(down, rec, bits));
  ExprId some = g.zextOrTrunc(g.binary(Op::Ne, last, loop.word(0)), loop.ptrBits);
  return add(some, at, 0, 0, 1, true, {{64, state, next}, {64, x, g.leaf(Op::Rec, 1, 64)}})[0];
}

/// Folds whole blocks of 64 bytes with four accumulators, which are then joined to one. `first`
/// is the part of the register that has not been added yet.
ExprId InPlaceWriter::foldedBlocks(ExprId at, ExprId count, ExprId &first) {
  ExprId zero = g.pair(g.constant(0, 64), g.constant(0, 64));
  auto scalar = [&](unsigned i) { return g.leaf(Op::Rec, i, 128); };
  std::vector<InlineScalar> blocks;
  for (unsigned i = 0; i < 4; ++i) {
    ExprId more = crcLoad(i, 16);
    if (i == 0)
      more = g.binary(Op::Xor, more, scalar(4));
    blocks.push_back({128, zero, g.binary(Op::Xor, folded(scalar(i), CrcRow::By512), more)});
  }
  blocks.push_back({128, first, zero});
  std::vector<ExprId> ends = add(shift(Op::LShr, count, 6), at, 64, 4, 16, false, blocks);
  first = ends[4];
  ExprId some = g.binary(Op::ULe, loop.word(64), count);
  std::vector<InlineScalar> joined;
  for (unsigned i = 0; i < 4; ++i)
    joined.push_back({128, ends[i], scalar(i)});
  joined[3].next = g.binary(
      Op::Xor,
      g.binary(Op::Xor, folded(scalar(0), CrcRow::By384), folded(scalar(1), CrcRow::By256)),
      g.binary(Op::Xor, folded(scalar(2), CrcRow::By128), scalar(3)));
  return add(g.zextOrTrunc(some, loop.ptrBits), at, 0, 0, 1, true, joined)[3];
}

/// Computes the register after all whole 16 bytes; with the instruction, after all whole blocks
/// of 64.
ExprId InPlaceWriter::foldedAll(ExprId state, ExprId at, ExprId count) {
  unsigned reg = g.width(state);
  ExprId none = g.constant(0, 64), zero = g.pair(none, none), wide = g.zextOrTrunc(state, 64);
  ExprId first = form.crc.reflected ? g.pair(wide, none) : g.pair(none, wide);
  ExprId sixteens = shift(Op::LShr, count, 4), from = at, sum = zero;
  bool few = form.most && form.most < fewProducts, blocksOnly = form.instruction != Op::Const;
  if (!few) {
    sum = foldedBlocks(at, count, first);
    sixteens = g.binary(Op::And, sixteens, loop.word(3));
    from = g.add(at, g.binary(Op::And, count, loop.word(~uint64_t(63))));
  }
  ExprId sumNow = g.leaf(Op::Rec, 0, 128), firstNow = g.leaf(Op::Rec, 1, 128);
  ExprId next =
      g.binary(Op::Xor, folded(sumNow, CrcRow::By128), g.binary(Op::Xor, crcLoad(0, 16), firstNow));
  if (!blocksOnly)
    sum = add(sixteens, from, 16, 1, 16, !few, {{128, sum, next}, {128, first, zero}})[0];
  ExprId some = g.zextOrTrunc(g.binary(Op::ULe, loop.word(16), count), loop.ptrBits);
  ExprId result = g.leaf(Op::Rec, 1, 128);
  return add(some, at, 0, 0, 1, true, {{reg, state, finished(result)}, {128, sum, result}})[0];
}

/// Chains the pieces: bytes up to an aligned address, folded words, and the last bytes.
ExprId InPlaceWriter::crcByProducts(ExprId state) {
  WordSplit p = split(1);
  ExprId at = g.add(start, p.head), count = g.sub(bytes, p.head);
  unsigned above = 64 - form.crc.width;
  bool instruction = form.instruction != Op::Const;
  state = g.zextOrTrunc(state, instruction ? 32 : 64);
  if (!form.crc.reflected)
    state = shift(Op::Shl, state, above);
  if (p.hasHead)
    state = crcSteps(state, p.head, start, 1, true);
  if (form.clmul && instruction) {
    // Short inputs get no blocks, and the instruction does all of their bytes.
    ExprId large = g.binary(Op::ULe, loop.word(productsFrom), count);
    ExprId blocks =
        g.select(large, g.binary(Op::And, count, loop.word(~uint64_t(63))), loop.word(0));
    state = foldedAll(state, at, blocks);
    at = g.add(at, blocks), count = g.sub(count, blocks);
  }
  if (instruction) {
    state = crcSteps(state, shift(Op::LShr, count, 3), at, 8, false);
  } else {
    state = foldedAll(state, at, count);
    ExprId from = at, taken = crcPiece(count, 8, from);
    state = crcSteps(state, taken, from, 8, true);
  }
  state = crcRest(state, at, count);
  if (!form.crc.reflected)
    state = shift(Op::LShr, state, above);
  return g.zextOrTrunc(state, 64);
}

/// Makes the table for `bits` at a time: entry i is the register after the bits of i were shifted
/// out of it.
uint32_t InPlaceWriter::crcTable(const CrcPoly &poly, unsigned bits, unsigned entryBits) {
  Table t{"crc", entryBits, {}};
  uint64_t top = uint64_t(1) << (poly.width - 1);
  for (uint64_t i = 0; i < uint64_t(1) << bits; ++i) {
    uint64_t r = poly.reflected ? i : i << (poly.width - bits);
    for (unsigned k = 0; k < bits; ++k)
      r = poly.reflected ? (r & 1 ? r >> 1 ^ poly.poly : r >> 1)
                         : (r & top ? r << 1 ^ poly.poly : r << 1);
    t.entries.push_back(r & maskOf(poly.width));
  }
  d.tables.push_back(t);
  return uint32_t(d.tables.size() - 1);
}

/// Writes the loop over bytes; under -Os with two look-ups in a table of 16 entries.
ExprId InPlaceWriter::crcByTable(const ReturningCall &c) {
  unsigned bits = loop.function.optSize ? 4 : 8, w = c.crc.width;
  unsigned entry = w <= 8 ? 8 : w <= 16 ? 16 : w <= 32 ? 32 : 64;
  unsigned reg = w <= 32 ? 32 : 64;
  uint32_t table = crcTable(c.crc, bits, entry);
  ExprId state = g.leaf(Op::Rec, 0, reg), byte = g.zextOrTrunc(load(8), reg);
  for (unsigned done = 0; done < 8; done += bits) {
    // The bits that leave the register next are added to the corresponding bits of the byte.
    unsigned at = c.crc.reflected ? done : 8 - bits - done;
    ExprId out = c.crc.reflected ? state : shift(Op::LShr, state, w - bits);
    ExprId in = at ? shift(Op::LShr, byte, at) : byte;
    ExprId index = g.binary(Op::And, g.binary(Op::Xor, out, in), g.constant(maskOf(bits), reg));
    ExprId rest = c.crc.reflected ? shift(Op::LShr, state, bits) : shift(Op::Shl, state, bits);
    ExprId value = g.table(table, g.zextOrTrunc(index, loop.ptrBits), entry);
    state = g.binary(Op::Xor, rest, g.zextOrTrunc(value, reg));
  }
  ExprId end = add(bytes, start, 1, 1, 1, false, {{reg, g.zextOrTrunc(c.args[0], reg), state}})[0];
  if (w < reg)
    end = g.binary(Op::And, end, g.constant(maskOf(w), reg));
  return g.zextOrTrunc(end, 64);
}

/// Returns true for a polynomial such as x^8 + 1, which moves bits and mixes none. Such a loop is
/// an exclusive-or of its bytes, for which a table gains nothing.
static bool mixesNothing(const CrcPoly &poly) {
  for (unsigned bit = 0; bit < 8; ++bit) {
    uint64_t after = crcStep(poly, 0, uint8_t(1u << bit));
    if (after & (after - 1))
      return false;
  }
  return true;
}

/// Enters a fact that says why the loop uses a table.
void InPlaceWriter::explainTable(const TargetFacts &target) {
  std::string have = std::string("the target has none") +
                     (*target.option ? std::string("; ") + target.option + " allows it" : "");
  if (loop.function.optSize)
    have = "the code is optimised for size";
  else if (target.clmul)
    have = "words of another size or byte order";
  d.facts.push_back({"carry-less products", Verdict::Failed, Diag::TableInPlace,
                     "multiplication without carries", have, ""});
}

/// Chooses the method: products or the instruction if the target has them, else a table, unless
/// the loop uses a table already.
bool InPlaceWriter::crc(ReturningCall &c) {
  TargetFacts target = facts ? facts() : TargetFacts();
  form.choose(c.crc, target, loop, g.isConst(bytes) ? g[bytes].value : match.maxBytes);
  if (mixesNothing(c.crc)) {
    why = "it is an exclusive or of bytes, with no bit-by-bit work to save";
    return false;
  }
  bool instruction = form.instruction != Op::Const;
  if (form.clmul || instruction) {
    c.inPlace = crcByProducts(c.args[0]);
    shape = !form.clmul   ? "the CRC instruction, 8 bytes at a time"
            : instruction ? "carry-less products, and the CRC instruction"
                          : "carry-less products, 16 bytes at a time";
    return true;
  }
  if (!loop.tables.empty() || c.crc.width < 8) {
    why = "it looks up a table already";
    explainTable(target);
    return false;
  }
  c.inPlace = crcByTable(c);
  shape = loop.function.optSize ? "a table of 16 entries" : "a table of 256 entries";
  explainTable(target);
  return true;
}

} // namespace memlift
