// registers.cpp - steps of a shift register by look-ups in constant tables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a register is two or three operations, each of which waits for the one before. A
// look-up does the work of eight steps (linearword.h says how), and takes as long as two or three.
// With less than eight bits left for the last one, five steps still pay for it.
#include "decider.h"

namespace memlift {

constexpr uint64_t stepsOfLookUp = 5;
/// More moves than this for each look-up mean that the bits are permuted.
constexpr size_t movesOfLookUp = 3;
/// From so many registers in a vector on, steps by vectors are faster than look-ups: for 16 of
/// them, look-ups took 1.1 to 2.3 times as long on a Sapphire Rapids (bench/README.md).
constexpr unsigned manyInVector = 16;

/// Makes a table of the entries, and returns its number.
static uint64_t tableOf(Decision &d, const BitLookUp &lookUp, unsigned width) {
  unsigned bits = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  Table table{"register", bits, lookUp.entries};
  for (size_t i = 0; i < d.tables.size(); ++i)
    if (d.tables[i].entryBits == bits && d.tables[i].entries == table.entries)
      return i;
  d.tables.push_back(std::move(table));
  return d.tables.size() - 1;
}

/// Returns the part of the index that comes from an input: the bits from `low` on, without a mask
/// where there are no others that matter.
ExprId Decider::indexPart(const BitLookUp::From &from, unsigned bits) {
  ExprId word = match.registers->inputs[from.input], part;
  unsigned width = g.width(word);
  uint64_t have = possibleBits(loop, word);
  if (from.low >= 0) {
    part = g.zextOrTrunc(g.binary(Op::LShr, word, g.constant(uint64_t(from.low), width)), bits);
    have >>= from.low;
  } else {
    part = g.binary(Op::Shl, g.zextOrTrunc(word, bits), g.constant(uint64_t(-from.low), bits));
    have <<= -from.low;
  }
  bool others = have & maskOf(bits) & ~from.mask;
  return others ? g.binary(Op::And, part, g.constant(from.mask, bits)) : part;
}

/// Computes the entry of a look-up. The inputs' bits are exclusive-ored in a word of the size of
/// the index.
ExprId Decider::entry(const BitLookUp &lookUp, unsigned width) {
  ExprId index = NoExpr;
  for (const BitLookUp::From &from : lookUp.from) {
    ExprId part = indexPart(from, lookUp.bits);
    index = index == NoExpr ? part : g.binary(Op::Xor, index, part);
  }
  uint64_t table = tableOf(d, lookUp, width);
  ExprId found = g.table(table, g.zextOrTrunc(index, loop.ptrBits), d.tables[table].entryBits);
  return g.zextOrTrunc(found, width);
}

/// Moves bits of an input. A shift that drops the bits beside them needs no mask.
ExprId Decider::moved(const BitMove &move, unsigned width) {
  ExprId word = match.registers->inputs[move.input];
  unsigned from = g.width(word);
  uint64_t kept = maskOf(from);
  if (move.up < 0)
    kept = kept >> -move.up << -move.up;
  else
    kept &= maskOf(width) >> move.up;
  if (move.mask != kept)
    word = g.binary(Op::And, word, g.constant(move.mask, from));
  if (move.up < 0)
    return g.zextOrTrunc(g.binary(Op::LShr, word, g.constant(uint64_t(-move.up), from)), width);
  return g.binary(Op::Shl, g.zextOrTrunc(word, width), g.constant(uint64_t(move.up), width));
}

/// Returns the bits of an element that holds the widest value: a compiler narrows a value of 16
/// bits that the source keeps in an int.
static unsigned elementOf(const RegisterSteps &registers) {
  uint64_t bits = 0;
  for (const RegisterSteps::Value &v : registers.values) {
    bits |= v.word.constant;
    for (const std::vector<uint64_t> &columns : v.word.columns)
      for (uint64_t column : columns)
        bits |= column;
  }
  return bits >> 32 ? 64 : bits >> 16 ? 32 : bits >> 8 ? 16 : 8;
}

/// Replaces the loop by look-ups, if there are few enough of them.
void Decider::registers() {
  uint64_t steps = g[loop.dims[0].trip].value;
  const bool known = match.registers->inputs.empty();
  bool looksUp = std::any_of(
      match.registers->values.begin(), match.registers->values.end(),
      [](const RegisterSteps::Value &v) { return !planLookUps(v.word).lookUps.empty(); });
  if (loop.function.optSize && looksUp) {
    keep("code size", Diag::TableTooLarge, "no table of 256 entries with -Os", "one is needed");
    return;
  }
  unsigned inVector = loop.vectorBits / elementOf(*match.registers);
  if (inVector >= manyInVector && !known) {
    keep("work", Diag::RegisterInVectors,
         "fewer than " + std::to_string(manyInVector) + " registers in a vector",
         std::to_string(inVector) + " iterations of the loop around it at once");
    return;
  }
  size_t lookUps = 0, moves = 0;
  for (const RegisterSteps::Value &v : match.registers->values) {
    LookUpPlan plan = planLookUps(v.word);
    unsigned width = loop.recs[size_t(loop.liveOuts[v.liveOut].rec)].width;
    ExprId value = g.constant(v.word.constant, width);
    for (const BitMove &move : plan.moves)
      value = g.binary(Op::Xor, moved(move, width), value);
    for (const BitLookUp &lookUp : plan.lookUps)
      value = g.binary(Op::Xor, entry(lookUp, width), value);
    d.results.push_back({v.liveOut, value});
    lookUps += plan.lookUps.size();
    moves += plan.moves.size();
  }
  auto count = [](size_t n, const char *what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string have = count(lookUps, "look-up");
  if (lookUps * stepsOfLookUp > steps || (lookUps && moves > lookUps * movesOfLookUp)) {
    d = Decision();
    keep("work", Diag::RegisterStays, "one look-up for eight steps, and few moves of bits",
         have + " and " + count(moves, "move") + " for " + std::to_string(steps) + " steps");
    return;
  }
  d.kind = DecisionKind::Inlined;
  d.code = Diag::RegisterLookUps;
  d.shape = known     ? "known values"
            : lookUps ? have + " in a constant table"
                      : count(moves, "move") + " of bits";
}

} // namespace memlift
