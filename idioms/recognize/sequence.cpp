// sequence.cpp - loops that write several regions: one operation after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { a[i] = 0; b[i] = 0; c[i] = s[i]; }
//
// Stores that are contiguous in an iteration are one operation, which must be a fill or
// a copy on its own. Done one after the other, operations give the loop's result if
// none writes what another one reads or writes. That is proved by the compiler or by
// a known distance, else tested at run time. Or the reader goes first, in each
// iteration as in all:
//
//   for (i..n) { a[i] = b[i]; b[i] = 0; }
//
// Fills with the same bytes may overlap, as the order of equal stores does not show.
// The types of two stores prove nothing here, since the later one may give the memory
// its type.
//
// The limits: 8 operations, 6 tests, 64 stores, constant sizes; nothing counted or summed
// beside them.
#include "sequence.h"
#include "steps.h"

#include <algorithm>

namespace memlift {
namespace {

/// More calls, or more tests before them, cost more than the loop.
constexpr size_t mostOperations = 8, mostTests = 6;
/// Limit on the stores of a body.
constexpr size_t mostStores = 64;
/// An operation this near above another one is soon reached; no test is made for it.
constexpr uint64_t leastApart = 64;

/// The proof in progress: groups of stores, a match for each, and pairs whose order
/// matters.
class SequenceProof {
public:
  SequenceProof(Loop &loop, const Match &common)
      : loop(loop), g(loop.exprs), whole(common), proof(loop, whole, {}) {}
  bool run();
  Match &result() { return whole; }

private:
  static constexpr char fact[] = "operations disjoint";
  static constexpr char need[] = "no operation writes what another reads or writes";
  Loop &loop;
  ExprGraph &g;
  Match whole;
  std::vector<Match> sequence;                  // of `whole`, while it is proved
  Proof proof;                                  // of the whole
  std::vector<std::vector<uint32_t>> groups;    // stores, in program order
  std::vector<std::pair<size_t, size_t>> order; // pairs of groups; the first runs first
  size_t tests = 0;

  bool eligible() const;
  bool group();
  bool recognizeAll();
  bool areDisjoint(const std::vector<uint32_t> &stores, const std::vector<uint32_t> &others,
                   std::string &evidence) const;
  std::vector<uint32_t> sourcesOf(const Match &operation) const;
  bool sameFill(size_t p, size_t q) const;
  bool disjoint(const Match &p, ExprId at, const Match &q, const std::string &what);
  bool readFirst(size_t writer, size_t reader);
  bool independent(size_t p, size_t q);
  bool putInOrder();
};

/// Requires plain stores that move, and nothing counted or summed beside them.
bool SequenceProof::eligible() const {
  size_t stores = 0;
  for (const Access &a : loop.accesses) {
    if (!a.store)
      continue;
    ++stores;
    if (!a.affine || isStill(g, a) || a.fixed || !g.isConst(a.bytes) ||
        a.step.size() != loop.dims.size())
      return false;
  }
  bool carries = std::any_of(loop.liveOuts.begin(), loop.liveOuts.end(),
                             [](const LiveOut &l) { return l.rec >= 0; });
  return loop.origin == Origin::Loop && !loop.dims.empty() && stores > 1 && stores <= mostStores &&
         !carries;
}

/// Groups stores at known distances, and cuts the groups where there is a gap. Fails
/// if that makes fewer than two operations, or too many.
bool SequenceProof::group() {
  std::vector<std::vector<std::pair<int64_t, uint32_t>>> near;
  for (uint32_t s = 0; s < loop.accesses.size(); ++s) {
    if (!loop.accesses[s].store)
      continue;
    int64_t at = 0;
    auto home = std::find_if(near.begin(), near.end(), [&](auto &list) {
      const Access &first = loop.accesses[list[0].second], &a = loop.accesses[s];
      return walkAlike(g, first, a) && g.constantDifference(a.offset, first.offset, at);
    });
    if (home != near.end())
      home->push_back({at, s});
    else if (near.size() < mostOperations)
      near.push_back({{0, s}});
    else
      return false;
  }
  for (auto &list : near) {
    std::sort(list.begin(), list.end());
    int64_t end = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      auto [at, s] = list[i];
      if (i == 0 || at > end)
        groups.emplace_back();
      groups.back().push_back(s);
      end = std::max(i ? end : at, at + int64_t(g[loop.accesses[s].bytes].value));
    }
  }
  for (auto &list : groups)
    std::sort(list.begin(), list.end());
  std::sort(groups.begin(), groups.end());
  return groups.size() > 1 && groups.size() <= mostOperations;
}

/// Recognises each operation as a loop of its own stores.
bool SequenceProof::recognizeAll() {
  for (const std::vector<uint32_t> &stores : groups) {
    Match operation;
    Proof one(loop, operation, stores);
    if (!bulk(one) || one.failed())
      return false;
    operation.ok = true;
    whole.facts.insert(whole.facts.end(), operation.facts.begin(), operation.facts.end());
    sequence.push_back(operation);
  }
  return true;
}

/// Returns true if the compiler knows that no two of these accesses overlap.
bool SequenceProof::areDisjoint(const std::vector<uint32_t> &stores,
                                const std::vector<uint32_t> &others, std::string &evidence) const {
  for (uint32_t s : stores)
    for (uint32_t o : others)
      if (loop.alias(s, o, &evidence) != AliasKind::None || evidence == "TBAA")
        return false;
  return true;
}

/// Returns the loads that the operation may copy from.
std::vector<uint32_t> SequenceProof::sourcesOf(const Match &operation) const {
  std::vector<uint32_t> loads;
  for (uint32_t l = 0; operation.src != NoExpr && l < loop.accesses.size(); ++l)
    if (!loop.accesses[l].store && loop.accesses[l].base == operation.srcBase)
      loads.push_back(l);
  return loads;
}

/// Returns true if both fills write the same bytes wherever both write: one byte
/// repeated, or whole words at multiples of their size.
bool SequenceProof::sameFill(size_t p, size_t q) const {
  const Match &a = sequence[p], &b = sequence[q];
  const FillForm *x = a.fill(), *y = b.fill();
  if (!x || !y || a.src != NoExpr || b.src != NoExpr || x->period != y->period ||
      x->patternHigh != NoExpr || y->patternHigh != NoExpr || x->native != y->native ||
      g.width(x->pattern) != g.width(y->pattern) || !g.equal(x->pattern, y->pattern))
    return false;
  auto whole = [&](uint32_t s) {
    const Access &store = loop.accesses[s];
    return g.isConst(store.bytes, x->period) && store.align % x->period == 0;
  };
  return x->period == 1 || (std::all_of(groups[p].begin(), groups[p].end(), whole) &&
                            std::all_of(groups[q].begin(), groups[q].end(), whole));
}

/// Judges the region that `p` writes against the bytes of `q` that begin at `at`.
bool SequenceProof::disjoint(const Match &p, ExprId at, const Match &q, const std::string &what) {
  if (p.rows != NoExpr || q.rows != NoExpr)
    return false; // the rest handles one region each
  int64_t known;
  if (g.constantDifference(at, p.dst, known)) {
    // Only the lower region can reach the upper one.
    const Match &low = known < 0 ? q : p;
    uint64_t far = known < 0 ? -uint64_t(known) : uint64_t(known);
    if (far && low.maxBytes && low.maxBytes <= far) {
      proof.prove(fact, need,
                  what + ", " + std::to_string(far) + " bytes away, at most " +
                      std::to_string(low.maxBytes) + " written",
                  "one object");
      return true;
    }
    if (far < leastApart)
      return false;
  }
  // Unsigned differences test both directions at once, as in copy.cpp.
  ExprId test = proof.disjoint(at, q.bytes, p.dst, p.bytes);
  if (g.isConst(test, 0) || (!g.isConst(test) && ++tests > mostTests))
    return false;
  if (g.isConst(test, 1))
    proof.prove(fact, need, what, "one object");
  else
    proof.guard(fact, Diag::Overlap, need, what + ": tested at run time",
                "the compiler cannot tell");
  proof.require(test);
  return true;
}

/// Returns true if each iteration reads just what it then overwrites: the reader goes
/// first.
bool SequenceProof::readFirst(size_t writer, size_t reader) {
  const Match &w = sequence[writer], &r = sequence[reader];
  const Access &store = loop.accesses[groups[writer][0]];
  const Access &other = loop.accesses[groups[reader][0]];
  int64_t distance;
  if (!g.constantDifference(r.src, w.dst, distance) || distance || w.rows != NoExpr ||
      r.rows != NoExpr || !g.equal(w.bytes, r.bytes))
    return false;
  for (size_t k = 0; k < loop.dims.size(); ++k)
    if (!g.equal(store.step[k], other.step[k]))
      return false;
  for (uint32_t load : sourcesOf(r))
    for (uint32_t s : groups[writer])
      if (load > s)
        return false;
  order.push_back({reader, writer});
  proof.prove(fact, need,
              "store to " + loop.bases[w.dstBase].name + ", read before in each iteration",
              "one object");
  return true;
}

/// Sorts the operations so that readers precede writers; false if there is a cycle.
bool SequenceProof::putInOrder() {
  std::vector<Match> sorted;
  std::vector<bool> done(groups.size());
  while (sorted.size() < groups.size()) {
    size_t next = 0;
    auto waits = [&](size_t operation) {
      return std::any_of(order.begin(), order.end(),
                         [&](auto &o) { return o.second == operation && !done[o.first]; });
    };
    while (next < groups.size() && (done[next] || waits(next)))
      ++next;
    if (next == groups.size())
      return false;
    done[next] = true;
    sorted.push_back(sequence[next]);
  }
  sequence = std::move(sorted);
  return true;
}

/// Judges two operations: their writes, then each one's writes against the other's reads.
bool SequenceProof::independent(size_t p, size_t q) {
  const Match a = sequence[p], b = sequence[q];
  std::string evidence;
  auto name = [&](size_t i) { return "store to " + loop.bases[sequence[i].dstBase].name; };
  std::string both = name(p) + " and " + name(q);
  if (sameFill(p, q))
    proof.prove(fact, need, both + ", of the same bytes");
  else if (areDisjoint(groups[p], groups[q], evidence))
    proof.prove(fact, need, both, evidence);
  else if (!disjoint(a, b.dst, b, both))
    return false;
  for (auto [writer, reader] : {std::pair(p, q), std::pair(q, p)}) {
    const Match w = sequence[writer], r = sequence[reader];
    std::string what = name(writer) + " and what is copied to " + loop.bases[r.dstBase].name;
    if (r.src == NoExpr)
      continue;
    if (areDisjoint(groups[writer], sourcesOf(r), evidence))
      proof.prove(fact, need, what, evidence);
    else if (!readFirst(writer, reader) && !disjoint(w, r.src, r, what))
      return false;
  }
  return true;
}

/// Every pair of operations is judged, which is why their number is limited. The idiom is
/// named after the first operation that is no fill.
bool SequenceProof::run() {
  if (!eligible() || !group() || !recognizeAll())
    return false;
  for (size_t p = 0; p < groups.size(); ++p)
    for (size_t q = p + 1; q < groups.size(); ++q)
      if (!independent(p, q))
        return false;
  if (!putInOrder())
    return false;
  whole.idiom = Idiom::Fill;
  for (const Match &operation : sequence)
    if (operation.idiom != Idiom::Fill && whole.idiom == Idiom::Fill)
      whole.idiom = operation.idiom;
  whole.bytes = sequence[0].bytes;
  whole.writes = std::move(sequence);
  return whole.ok = true;
}

} // namespace

bool recognizeSequence(Loop &loop, const Match &common, Match &match) {
  SequenceProof proof(loop, common);
  if (!proof.run())
    return false;
  match = proof.result();
  return true;
}

} // namespace memlift
