// register.cpp - steps of a shift register in scalars: a loop that touches no memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < 8; i++) c = c & 1 ? c >> 1 ^ P : c >> 1;
//   for (i = 0; i < 8; i++) {
//     bit = (c ^ d) & 1; d >>= 1; c >>= 1;
//     if (bit) c ^= P;
//   }
//
// The trip count is a constant, so all iterations are evaluated one after the other. The last value
// then is an expression of what the loop starts with. If that is linear over GF(2)
// (algebra/gf2.h), its matrix says what the loop computes, whatever the spelling. The words that
// the loop starts with take the place of loads in that evaluation, since those are what gf2.h has
// columns for.
//
// A register moves by some places in each step, which is asked of one step alone. Other linear
// values stay: a product in GF(256) by a constant may be written without look-ups on purpose, so
// that it takes the same time whatever its operand.
//
// The limits: 64 iterations, 23 bytes of words that the loop starts with, values of at most 64
// bits.
#include "steps.h"

#include "../algebra/gf2.h"

namespace memlift {

/// As many iterations as a word has bits.
constexpr uint64_t mostSteps = 64;

/// Words that are moved as a whole: more moves are a permutation of bits.
constexpr size_t mostHidden = 2;

bool isRegister(const Proof &p) {
  const Loop &loop = p.loop;
  if (loop.origin != Origin::Loop || !loop.accesses.empty() || !loop.tables.empty() ||
      !loop.obstacles.empty() || !loop.assumptions.empty() || loop.dims.size() != 1 ||
      !p.g.isConst(loop.dims[0].trip) || !carriesOut(p))
    return false;
  uint64_t trip = p.g[loop.dims[0].trip].value;
  return trip >= leastSteps && trip <= mostSteps;
}

namespace {

/// Evaluates all iterations. The loop model is a copy, in which words that the loop starts with
/// are loads.
class Unrolled {
public:
  explicit Unrolled(const Loop &source) : loop(source), g(loop.exprs) { loop.bigEndian = false; }
  void run(uint64_t steps);
  /// Returns false if the recurrence's last value is no linear function of the words.
  bool value(uint32_t rec, uint64_t used, LinearWord &word);
  /// Returns whether most bits of the recurrence move by one distance in a step.
  bool moves(uint32_t rec);
  bool hidesMoves(uint32_t rec, const LinearWord &word, uint64_t steps);
  std::vector<ExprId> inputs; // of the source's graph, and in the order of the word's columns

private:
  using Places = std::vector<std::vector<int>>; // where each bit of a recurrence goes

  Loop loop;
  ExprGraph &g;
  std::vector<ExprId> last; // values of the recurrences
  std::map<ExprId, ExprId> symbols;

  ExprId input(ExprId id);
  /// Returns the places to which an iteration adds each bit.
  Places placesAfter(uint32_t rec, uint64_t iteration);
  ExprId load(size_t index, unsigned width) {
    return g.zextOrTrunc(g.leaf(Op::Load, index, (width + 7) / 8 * 8), width);
  }
  std::map<ExprId, ExprId> step(uint64_t iteration, const std::vector<ExprId> &recs);
  void addSymbols(ExprId id, std::set<ExprId> &seen);
};

/// Returns the load that stands for a word; bits that are known to be 0 are 0.
ExprId Unrolled::input(ExprId id) {
  unsigned width = g.width(id);
  if (g.isConst(id) || width > 64)
    return id;
  size_t index = size_t(std::find(inputs.begin(), inputs.end(), id) - inputs.begin());
  if (index == inputs.size())
    inputs.push_back(id);
  return g.binary(Op::And, load(index, width), g.constant(possibleBits(loop, id), width));
}

/// Adds the symbols of an expression.
void Unrolled::addSymbols(ExprId id, std::set<ExprId> &seen) {
  if (id == NoExpr || !seen.insert(id).second)
    return;
  Expr e = g[id]; // a copy, since the graph may grow
  if (e.op == Op::Sym)
    symbols[id] = input(id);
  for (ExprId operand : {e.a, e.b, e.c})
    addSymbols(operand, seen);
}

/// Returns what the leaves of an iteration are, given the recurrences before it.
std::map<ExprId, ExprId> Unrolled::step(uint64_t iteration, const std::vector<ExprId> &recs) {
  std::map<ExprId, ExprId> with = symbols;
  with[g.leaf(Op::Iv, 0, loop.ptrBits)] = loop.word(iteration);
  for (uint32_t k = 0; k < recs.size(); ++k)
    with[g.leaf(Op::Rec, k, loop.recs[k].width)] = recs[k];
  return with;
}

void Unrolled::run(uint64_t steps) {
  std::set<ExprId> seen;
  for (const Recurrence &r : loop.recs)
    addSymbols(r.next, seen);
  for (const Recurrence &r : loop.recs)
    last.push_back(input(r.init));
  for (uint64_t i = 0; i < steps; ++i) {
    std::map<ExprId, ExprId> with = step(i, last);
    for (uint32_t k = 0; k < loop.recs.size(); ++k)
      last[k] = g.substitute(loop.recs[k].next, with);
  }
}

/// The recurrence is a word of its own here, whatever its initial value.
Unrolled::Places Unrolled::placesAfter(uint32_t rec, uint64_t iteration) {
  std::vector<ExprId> first;
  for (const Recurrence &r : loop.recs)
    first.push_back(input(r.init));
  first[rec] = load(inputs.size(), loop.recs[rec].width);
  std::map<ExprId, ExprId> with = step(iteration, first);
  Gf2Form form = gf2Of(loop, g.substitute(loop.recs[rec].next, with), Gf2State());
  Places to(loop.recs[rec].width);
  for (unsigned i = 0; form.ok && i < form.value.size(); ++i)
    for (unsigned k = 0; k < form.bytes.size(); ++k)
      for (unsigned b = 0; form.bytes[k].first == inputs.size() && b < 8; ++b)
        if (form.value[i][64 + 8 * k + b])
          to[8 * form.bytes[k].second + b].push_back(int(i));
  return to;
}

bool Unrolled::moves(uint32_t rec) {
  Places to = placesAfter(rec, 0);
  std::map<int, unsigned> distances;
  unsigned used = 0;
  for (unsigned bit = 0; bit < to.size(); ++bit) {
    used += !to[bit].empty();
    if (to[bit].size() == 1)
      ++distances[to[bit][0] - int(bit)];
  }
  return std::any_of(distances.begin(), distances.end(), [&](auto &of) {
    return of.first != 0 && of.second >= 3 && 2 * of.second >= used;
  });
}

bool Unrolled::value(uint32_t rec, uint64_t used, LinearWord &word) {
  Gf2Form form = gf2Of(loop, last[rec], Gf2State());
  if (!form.ok || !form.unknownTable.empty())
    return false;
  for (ExprId id : inputs)
    word.columns.emplace_back(g.width(id));
  for (unsigned i = 0; i < form.value.size(); ++i) {
    if (!(used >> i & 1))
      continue;
    const Gf2Bit &bit = form.value[i];
    word.constant |= uint64_t(bit[gf2One]) << i;
    for (unsigned k = 0; k < form.bytes.size(); ++k)
      for (unsigned b = 0; b < 8; ++b)
        if (bit[64 + 8 * k + b])
          word.columns[form.bytes[k].first][8 * form.bytes[k].second + b] |= uint64_t(1) << i;
  }
  return true;
}

} // namespace

/// Tells a register that starts with 0 and takes no more bits than it has. Compilers do not see
/// that the bits of the message are only moved, as each step has conditions for bits that fall out.
/// All steps have to be the same.
bool Unrolled::hidesMoves(uint32_t rec, const LinearWord &word, uint64_t steps) {
  Places first = placesAfter(rec, 0);
  bool same = planLookUps(word).moves.size() <= mostHidden &&
              std::any_of(first.begin(), first.end(), [](auto &to) { return to.size() > 1; });
  for (uint64_t i = 1; same && i < steps; ++i)
    same = placesAfter(rec, i) == first;
  return same;
}

/// A value whose bits are only moved is no register's: compilers know bit reversals and rotations.
bool registerSteps(Proof &p) {
  const char *name = "recurrence", *need = "a linear function over GF(2) of few words";
  uint64_t steps = p.g[p.loop.dims[0].trip].value;
  Unrolled all(p.loop);
  all.run(steps);
  RegisterSteps found;
  bool mixes = false;
  for (uint32_t i = 0; i < p.loop.liveOuts.size(); ++i) {
    const LiveOut &l = p.loop.liveOuts[i];
    if (l.rec < 0)
      continue;
    LinearWord word;
    if (!all.value(uint32_t(l.rec), l.used, word))
      return p.fail(name, Diag::NotLinear, need, nameOf(l) + " is none");
    bool mixed = all.inputs.empty() || !planLookUps(word).lookUps.empty() || // known, or looked up
                 all.hidesMoves(uint32_t(l.rec), word, steps);
    if (mixed && !all.moves(uint32_t(l.rec)))
      return p.fail(name, Diag::NotLinear, "bits that move in each step", nameOf(l) + " is none");
    mixes |= mixed;
    found.values.push_back({i, std::move(word)});
  }
  if (!mixes)
    return p.fail(name, Diag::NotLinear, need, "its bits are only moved");
  found.inputs = all.inputs;
  p.match.idiom = Idiom::Crc;
  p.prove(name, need, std::to_string(steps) + " steps of a shift register",
          nameOf(p.loop.liveOuts[found.values[0].liveOut]));
  p.match.registers = std::move(found);
  return true;
}

} // namespace memlift
