// generator.cpp - loops that fill a table with linear functions of its index
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < 256; i++) {
//     c = i;
//     for (k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ P : c >> 1;
//     t[i] = c;
//   }
//
// Programs fill the tables of their CRCs so. Naive: match the eight shifts. But the entry is a
// function of the index alone, which is computed here for every index, whatever the spelling. It is
// linear over GF(2) if t[i ^ j] ^ t[0] = (t[i] ^ t[0]) ^ (t[j] ^ t[0]). Then the entries at single
// bits of the index give all others, with one exclusive-or each.
//
// A polynomial that the program computes is formal bits (algebra/gf2.h), and the index takes the
// place of two bytes that are read, since those have columns there. Each term of an entry is then a
// bit of the polynomial times a factor that is linear in the index, so the entry is linear for
// every polynomial.
//
// A condition that does not change, such as the direction, may choose between two such functions.
//
// The limits: one store in an iteration; 32 to 4096 entries, a power of two; one condition.
#include "../align/align.h"
#include "../algebra/gf2.h"
#include "../algebra/oneinput.h"
#include "steps.h"
#include "walk.h"

namespace memlift {

namespace {

constexpr uint64_t fewestEntries = 32, mostEntries = 4096;
/// Entries of fewer operations are as cheap as those made of others, once a compiler has made
/// vectors of them. Eight steps have at least three operations each.
constexpr size_t leastOperations = 20;
/// Expressions that compute the entries at single bits; a constant polynomial needs none.
constexpr size_t mostExpressions = 160;
/// Operations of an entry that is computed for every index. GCC's threaded jumps leave three for
/// each of those in the source.
constexpr unsigned mostSteps = 600;

/// Counts the operations of a value that depend on the iteration.
size_t operationsOf(const ExprGraph &g, ExprId value) {
  size_t count = 0;
  anyNode(g, value, [&](const Expr &e) {
    bool casts = e.op == Op::ZExt || e.op == Op::SExt || e.op == Op::Trunc;
    count += e.a != NoExpr && !casts;
    return false;
  });
  return count;
}

/// Returns true for one store a power of two times, of a value that the counter determines.
bool mayGenerate(const Proof &p) {
  const Loop &loop = p.loop;
  if (loop.origin != Origin::Loop || loop.dims.size() != 1 || !p.g.isConst(loop.dims[0].trip) ||
      loop.accesses.size() != 1 || p.stores.size() != 1 || !p.counters.empty() ||
      !loop.assumptions.empty() || carriesOut(p) || p.failed())
    return false;
  const Access &store = loop.accesses[0];
  uint64_t trip = p.g[loop.dims[0].trip].value;
  return trip >= fewestEntries && trip <= mostEntries && !(trip & (trip - 1)) && store.affine &&
         !store.fixed && !p.isBulk(store) && p.g.width(store.value) <= 64 &&
         p.g.width(store.value) == 8 * p.g[store.bytes].value &&
         !anyNode(p.g, store.value, [&](const Expr &e) {
           return e.op == Op::Rec || e.op == Op::Load || e.op == Op::Opaque;
         });
}

/// The entries of a table as a function of their place, the lowest address first.
class Entries {
public:
  /// If the loop goes downwards, its last iteration stores the first entry.
  Entries(Proof &p, ExprId value, bool down)
      : p(p), g(p.g), trip(g[p.loop.dims[0].trip].value), down(down), value(value),
        iv(g.leaf(Op::Iv, 0, p.loop.ptrBits)), code(g, value, iv, mostSteps, &p.loop) {}
  bool linear() { return code.ok() ? allAlike() : formal(); }
  ExprId at(uint64_t place);

private:
  Proof &p;
  ExprGraph &g;
  uint64_t trip;
  bool down;
  ExprId value, iv;
  OneInput code; // if it is usable, nothing but the counter is computed with

  uint64_t number(uint64_t place) { return code.at(down ? trip - 1 - place : place); }
  ExprId valueFor(ExprId place);
  bool allAlike();
  bool formal();
};

/// Returns the value that goes to a place. For a power of two, counting down is a complement.
ExprId Entries::valueFor(ExprId place) {
  if (down)
    place = g.binary(Op::Xor, place, p.loop.word(trip - 1));
  std::map<ExprId, ExprId> with = {{iv, place}};
  return g.substitute(value, with);
}

ExprId Entries::at(uint64_t place) {
  return code.ok() ? g.constant(number(place), g.width(value)) : valueFor(p.loop.word(place));
}

/// Compares every entry with those at the lowest bit of its place and at the others.
bool Entries::allAlike() {
  std::vector<uint64_t> all;
  for (uint64_t place = 0; place < trip; ++place) {
    all.push_back(number(place));
    uint64_t rest = place & (place - 1);
    if (rest && all[place] != (all[rest] ^ all[place ^ rest] ^ all[0]))
      return false;
  }
  return code.ok();
}

/// Evaluates the entry in formal bits of the polynomial.
bool Entries::formal() {
  // A load of an access that there is not.
  ExprId bits = g.leaf(Op::Load, p.loop.accesses.size(), 16);
  ExprId place = g.binary(Op::And, g.zextOrTrunc(bits, p.loop.ptrBits), p.loop.word(trip - 1));
  Gf2State state;
  state.formal = true;
  Gf2Form form = gf2Of(p.loop, valueFor(place), state);
  return form.ok && form.unknownTable.empty();
}

} // namespace

/// Finds the entries of `value`; false if they are not linear in their place, or if computing them
/// takes too many expressions.
static bool entriesOf(Proof &p, ExprId value, bool down, LinearTable &table) {
  uint64_t trip = p.g[p.loop.dims[0].trip].value;
  Entries entries(p, value, down);
  if (!entries.linear())
    return false;
  size_t before = p.g.size();
  table.first = entries.at(0);
  for (uint64_t bit = 1; bit < trip; bit *= 2)
    table.atBit.push_back(p.g.binary(Op::Xor, entries.at(bit), table.first));
  return p.g.size() - before <= mostExpressions;
}

/// Finds the entries; where an invariant condition chooses between two values, those of each.
static bool chosenEntries(Proof &p, ExprId value, bool down, LinearTable &table) {
  std::set<ExprId> choices = choicesIn(p.g, value);
  if (choices.size() != 1)
    return entriesOf(p, value, down, table);
  const ExprId choice = *choices.begin();
  LinearTable other = table;
  for (bool is : {true, false}) {
    std::map<ExprId, ExprId> with = {{choice, p.g.constant(is, 1)}};
    if (!entriesOf(p, p.g.substitute(value, with), down, is ? table : other))
      return false;
  }
  table.first = p.g.select(choice, table.first, other.first);
  for (size_t i = 0; i < table.atBit.size(); ++i)
    table.atBit[i] = p.g.select(choice, table.atBit[i], other.atBit[i]);
  return true;
}

/// Enters no fact if the loop is something else.
bool tableGenerated(Proof &p) {
  if (!mayGenerate(p))
    return false;
  const Access store = p.loop.accesses[0]; // a copy, since the proof adds expressions
  uint64_t trip = p.g[p.loop.dims[0].trip].value, size = p.g[store.bytes].value;
  Region region = regionOf(p.loop, store, 0, store.bytes, size);
  bool down = region.direction == Direction::Descending;
  LinearTable table;
  table.entryBytes = unsigned(size);
  if (!region.ok || operationsOf(p.g, store.value) < leastOperations ||
      !chosenEntries(p, store.value, down, table))
    return false;
  Match &match = p.match;
  match.idiom = Idiom::Crc;
  match.dstBase = store.base;
  p.lowOffset = region.low;
  match.dst = p.tidy(p.address(store.base, region.low));
  match.bytes = p.loop.word(trip * size);
  match.maxBytes = trip * size;
  match.dstAlign = match.dstTouched = alignmentOf(p.loop, store.base, region.low);
  bool known = std::all_of(table.atBit.begin(), table.atBit.end(),
                           [&](ExprId id) { return p.g.isConst(id); });
  match.linear = std::move(table);
  p.prove("stored value", "a linear function over GF(2) of its place in the table",
          std::to_string(trip) + " entries" +
              (known ? "" : " of a value that the program computes"),
          p.where(store.loc));
  return true;
}

} // namespace memlift
