// crc.cpp - a CRC as a call of the runtime, with conversions of the program's register
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's register is in the low bits of a 64-bit word. The program may hold it
// shifted, reversed, inverted or some steps late (algebra/shiftregister.h). Each of
// these is an invertible map. It is applied before the call, and its inverse to the
// result, so the routine needs to know one representation only.
//
// Example: a program that inverts the register around each byte holds R ^ 0xffffffff.
// It is exclusive-ored with that constant before the call and after it. A 16-bit CRC
// in the upper half of 32 bits is shifted down, and up again.
#include "../knownzero.h"
#include "reductions.h"

#include <utility>

namespace memlift {

namespace {

/// Builds expressions of 64 bits for one representation.
class Shape {
public:
  Shape(ExprGraph &g, const CrcRepresentation &representation)
      : g(g), representation(representation) {}
  /// Converts the state's 64 bits to the register, and the register to the state.
  ExprId taken(ExprId v);
  ExprId given(ExprId v);
  /// Converts a polynomial from the representation of the state.
  ExprId polynomial(ExprId v) { return op(Op::Shl, turn(v), representation.shift); }

private:
  ExprGraph &g;
  const CrcRepresentation &representation;

  ExprId word(uint64_t v) { return g.constant(v, 64); }
  ExprId op(Op o, ExprId v, uint64_t by) { return g.binary(o, v, word(by)); }
  ExprId cut(ExprId v, unsigned bits) {
    uint64_t rest = ~maskOf(bits);
    return rest & ~knownZero(g, v) ? op(Op::And, v, maskOf(bits)) : v;
  }
  ExprId mix(ExprId v) { return representation.mixed ? op(Op::Xor, v, representation.mixed) : v; }
  ExprId turn(ExprId v);
  ExprId late(ExprId v, bool back);
};

/// Reverses the bytes and, within them, the bits.
ExprId Shape::turn(ExprId v) {
  if (!representation.bitsReversed && !representation.bytesReversed)
    return v;
  if (representation.bitsReversed)
    for (auto [by, mask] : {std::pair<unsigned, uint64_t>{1, 0x5555555555555555},
                            {2, 0x3333333333333333},
                            {4, 0x0f0f0f0f0f0f0f0f}})
      v = g.binary(Op::Or, op(Op::Shl, op(Op::And, v, mask), by),
                   op(Op::And, op(Op::LShr, v, by), mask));
  return op(Op::LShr, g.cast(Op::BSwap, v, 64), 64 - representation.bits);
}

/// Applies a linear map to v: the sum of the columns of all set bits.
ExprId Shape::late(ExprId v, bool back) {
  if (!representation.late)
    return v;
  ExprId sum = word(0);
  std::vector<uint64_t> columns = lateColumns(representation, back);
  for (unsigned j = 0; j < columns.size(); ++j) {
    ExprId bit = op(Op::And, op(Op::LShr, v, j), 1);
    sum = g.binary(Op::Xor, sum, op(Op::And, g.sub(word(0), bit), columns[j]));
  }
  return sum;
}

ExprId Shape::taken(ExprId v) {
  v = turn(mix(cut(op(Op::LShr, v, representation.low), representation.bits)));
  return late(op(Op::Shl, v, representation.shift), /*back=*/false);
}

ExprId Shape::given(ExprId v) {
  v = op(Op::LShr, late(v, /*back=*/true), representation.shift);
  return op(Op::Shl, mix(turn(v)), representation.low);
}

} // namespace

/// Returns the result of the call; an equal call is not made twice.
ExprId ReductionWriter::crcCall(const Reduction::Crc &of, ExprId state, ExprId poly) {
  const CrcPoly &crc = of.representation.crc;
  std::vector<ExprId> args = {state, match.src, match.bytes};
  if (poly != NoExpr) {
    ExprId width = g.constant(crc.width, 32);
    args.insert(args.end(), {poly, width, g.constant(crc.reflected, 32)});
    return resultOf(Routine::CrcAny, args);
  }
  Routine routine = Routine::Crc;
  if (of.word) {
    routine = Routine::CrcWords;
    args.push_back(g.constant(of.word == Reduction::Crc::allBytes ? 0 : of.word, 32));
  }
  size_t i = 0;
  while (i < calls.size() &&
         (calls[i].routine != routine || !(calls[i].crc == crc) || calls[i].args != args))
    ++i;
  if (i == calls.size())
    calls.push_back({routine, args, crc});
  return g.leaf(Op::Result, i, 64);
}

/// Makes one call for both registers: its arguments are selected before it.
ExprId ReductionWriter::chosenCrc(const Reduction::Crc &crc, ExprId state) {
  Shape yes(g, crc.representation), no(g, crc.other);
  const CrcPoly &a = crc.representation.crc, &b = crc.other.crc;
  auto either = [&](ExprId x, ExprId y) { return g.select(crc.choice, x, y); };
  auto number = [&](uint64_t x, uint64_t y) {
    return either(g.constant(x, 32), g.constant(y, 32));
  };
  auto poly = [&](Shape &shape, ExprId computed, const CrcPoly &known) {
    return computed == NoExpr ? g.constant(known.poly, 64) : shape.polynomial(computed);
  };
  ExprId result =
      resultOf(Routine::CrcAny, {either(yes.taken(state), no.taken(state)), match.src, match.bytes,
                                 either(poly(yes, crc.poly, a), poly(no, crc.otherPoly, b)),
                                 number(a.width, b.width), number(a.reflected, b.reflected)});
  return either(yes.given(result), no.given(result));
}

OpKind tableKind(const Reduction::Crc &crc) {
  return crc.slices ? OpKind::SliceCrc : OpKind::TableCrc;
}

/// Returns the start value of a register in the lowest bits, and whether there may be bits above
/// it, which are gone after a step.
std::pair<ExprId, bool> ReductionWriter::registerOf(const Recurrence &rec,
                                                    const Reduction::Crc &crc) {
  const uint64_t mask = maskOf(crc.representation.crc.width);
  ExprId state = g.zextOrTrunc(rec.init, 64);
  const bool more = ~mask & ~knownZero(g, state);
  return {more ? g.binary(Op::And, state, g.constant(mask, 64)) : state, more};
}

/// Calls the routine that tests the table. Bits above the register are gone after a step.
ExprId ReductionWriter::tableCrc(const Reduction &r, const Reduction::Crc &crc) {
  const Recurrence &rec = loop.recs[r.rec];
  const CrcPoly &use = crc.representation.crc;
  const auto [state, more] = registerOf(rec, crc);
  ExprId after = resultOf(routineFor(tableKind(crc), crc.entryBits),
                          {state, match.src, g.zextOrTrunc(match.bytes, loop.ptrBits), crc.table,
                           g.constant(crc.slices ? crc.slices : use.width, 32),
                           g.constant(use.reflected, 32)});
  after = g.zextOrTrunc(after, rec.width);
  return more ? unlessNone(after, rec) : after;
}

/// Calls the routine for all registers at once. Those that no live-out needs begin with 0.
ExprId ReductionWriter::laneCrc(const Reduction &r, const Reduction::Crc &crc) {
  size_t first = 0;
  while (first < calls.size() && calls[first].routine != Routine::CrcLanes)
    ++first;
  if (first == calls.size()) {
    ExprId bytes = g.zextOrTrunc(match.bytes, loop.ptrBits), lanes = g.constant(crc.lanes, 32);
    for (unsigned lane = 0; lane < crc.lanes; ++lane)
      calls.push_back({Routine::CrcLanes,
                       {g.constant(0, 64), match.src, bytes, lanes, g.constant(lane, 32)},
                       crc.representation.crc});
  }
  const Recurrence &rec = loop.recs[r.rec];
  const auto [state, more] = registerOf(rec, crc);
  calls[first + crc.lane].args[0] = state;
  ExprId after = g.zextOrTrunc(g.leaf(Op::Result, first + crc.lane, 64), rec.width);
  return more ? unlessNone(after, rec) : after;
}

/// Computes the bits beside the register: kept if no iteration ran, else shifted or
/// cleared.
ExprId ReductionWriter::besideCrc(const CrcRepresentation &representation, ExprId init) {
  unsigned width = g.width(init);
  ExprId old = g.binary(Op::And, init, g.constant(representation.above, width));
  ExprId zero = g.constant(0, width);
  if (!representation.aboveShifts)
    return g.select(g.binary(Op::Eq, match.bytes, loop.word(0)), old, zero);
  // The shift amount only has to be in range: if the real one is not, nothing is left
  // anyway.
  ExprId bits = g.zextOrTrunc(g.mul(match.bytes, loop.word(8)), width);
  bits = g.binary(Op::And, bits, g.constant(width - 1, width));
  ExprId moved =
      g.binary(Op::And, g.binary(Op::Shl, old, bits), g.constant(representation.above, width));
  ExprId few = g.binary(Op::ULt, match.bytes, loop.word(width / 8));
  return g.select(few, moved, zero);
}

/// Assembles the state from its recurrences, converts it, calls, and converts the
/// result back. Each recurrence takes its own bits of the result.
ExprId ReductionWriter::value(const Reduction &r, const Reduction::Crc &crc) {
  if (crc.table != NoExpr)
    return tableCrc(r, crc);
  if (crc.lanes)
    return laneCrc(r, crc);
  Shape shape(g, crc.representation);
  ExprId state = g.constant(0, 64);
  unsigned at = 0, place = 0;
  for (uint32_t rec : crc.recs) {
    if (rec == r.rec)
      place = at;
    ExprId bits = g.zextOrTrunc(loop.recs[rec].init, 64);
    bits = g.binary(Op::Shl, bits, g.constant(at, 64));
    state = g.binary(Op::Or, state, bits);
    at += loop.recs[rec].width;
  }
  ExprId poly = crc.poly == NoExpr ? NoExpr : shape.polynomial(crc.poly);
  ExprId after = crc.choice != NoExpr ? chosenCrc(crc, state)
                                      : shape.given(crcCall(crc, shape.taken(state), poly));
  after = g.binary(Op::LShr, after, g.constant(place, 64));
  const Recurrence &rec = loop.recs[r.rec];
  after = g.zextOrTrunc(after, rec.width);
  return crc.representation.above ? g.binary(Op::Or, after, besideCrc(crc.representation, rec.init))
                                  : after;
}

} // namespace memlift
