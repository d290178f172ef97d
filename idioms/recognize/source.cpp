// source.cpp - the bytes that a sum reads, and the region that they are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A form has a factor for each byte of each load. Sorted by address, these are the
// weights of one iteration (weights.h). region.h then judges whether the iterations
// tile one region, which all sums of a loop, and a copy beside them, have to share.
//
// Example: s += p[2 * i] with bytes. Alone it leaves every other byte out and is no
// sum over a region. Beside t += p[2 * i + 1] both are: each counts the other's bytes
// with weight 0 (addLanes()).
//
// The limit: one region, at most 256 bytes an iteration.
#include "../align/align.h"
#include "families.h"

#include <algorithm>

namespace memlift {

constexpr int64_t maxRoundBytes = 256;

/// Adds bytes that the iteration reads for another sum, with weight 0, if that leaves
/// no gap between iterations. So a sum of every other element has a contiguous
/// region.
static void addLanes(const Proof &p, const Weights &w, std::map<int64_t, Weight> &placed) {
  std::map<int64_t, Weight> all = placed;
  const Access &walk = p.loop.accesses[w.walk];
  for (const Access &a : p.loop.accesses) {
    int64_t at;
    bool alike = !a.store && !p.isBulk(a) && p.g[a.bytes].value <= uint64_t(maxRoundBytes) &&
                 walkAlike(p.g, a, walk) && p.g.constantDifference(a.offset, walk.offset, at);
    for (uint64_t k = 0; alike && k < p.g[a.bytes].value; ++k)
      all.insert({at + int64_t(k), Weight()});
  }
  int64_t size = all.rbegin()->first - all.begin()->first + 1, step;
  if (size == int64_t(all.size()) && !walk.step.empty() &&
      p.g.constantDifference(walk.step.back(), p.loop.word(0), step) &&
      (step == size || step == -size))
    placed = all;
}

Answer weightsOf(Proof &p, const Linear &form, Weights &w, bool lanes) {
  const char *name = "source", *need = "one region";
  std::map<int64_t, Weight> placed;
  bool first = true;
  for (auto &[u, factor] : form.terms) {
    if (u.kind != Unit::Byte && u.kind != Unit::SignedByte)
      continue;
    p.summed.push_back(u.index);
    const Access &a = p.loop.accesses[u.index];
    if (!a.affine || a.step.size() != p.loop.dims.size())
      return Answer::NotMine; // addresses() reports it
    if (first)
      w.walk = u.index;
    first = false;
    const Access &walk = p.loop.accesses[w.walk];
    int64_t at;
    if (!walkAlike(p.g, a, walk) || !p.g.constantDifference(a.offset, walk.offset, at))
      return p.fail(name, Diag::SourceVaries, need, p.describe(walk) + " and " + p.describe(a),
                    p.where(a.loc));
    Weight &weight = placed[at + int64_t(u.offset)];
    bool isSigned = u.kind == Unit::SignedByte;
    if (weight.factor && weight.isSigned != isSigned)
      return failWeights(p, w);
    weight.factor = (weight.factor + factor) & maskOf(w.width);
    weight.isSigned = isSigned;
  }
  if (placed.empty())
    return Answer::NotMine;
  if (lanes)
    addLanes(p, w, placed);
  w.low = placed.begin()->first;
  int64_t size = placed.rbegin()->first - w.low + 1;
  if (size != int64_t(placed.size()) || size > maxRoundBytes)
    return p.fail("source contiguous", Diag::SourceStride, "no gaps in an iteration",
                  std::to_string(size - int64_t(placed.size())) + " bytes are left out",
                  p.where(p.loop.accesses[w.walk].loc));
  for (auto &[at, weight] : placed)
    w.bytes.push_back(weight);
  return Answer::Proved;
}

Answer failWeights(Proof &p, const Weights &w) {
  std::string have;
  size_t added = size_t(
      std::count_if(w.bytes.begin(), w.bytes.end(), [](const Weight &b) { return b.factor != 0; }));
  if (added != w.bytes.size()) // other bytes belong to a sum beside it
    return p.fail("weights", Diag::WeightsIrregular, "words that count alike",
                  std::to_string(added) + " of each " + std::to_string(w.bytes.size()) +
                      " bytes are added");
  for (const Weight &b : w.bytes)
    if (have.size() < 60)
      have += (have.empty() ? "" : ", ") + std::to_string(signExtend(b.factor, w.width));
  return p.fail("weights", Diag::WeightsIrregular, "words that count alike",
                have.empty() ? "a byte is used with and without its sign" : "bytes count " + have);
}

Answer sourceRegion(Proof &p, const Weights &w) {
  Match &match = p.match;
  const Access &walk = p.loop.accesses[w.walk];
  Region r = regionOf(p.loop, walk, w.low, p.loop.word(w.bytes.size()), w.bytes.size());
  if (!r.ok) {
    if (!r.need.empty())
      p.fail("source contiguous", r.inner ? Diag::SourceStride : Diag::RowsNotContiguous, r.need,
             r.have, p.where(walk.loc));
    return Answer::Refused;
  }
  ExprId src = p.tidy(p.address(walk.base, r.low));
  ExprId bytes = p.tidy(r.bytes);
  // A second reduction, or a copy, has set the region before.
  if (match.src != NoExpr && (!p.g.equal(src, match.src) || !p.g.equal(bytes, match.bytes)))
    return p.fail("source", Diag::SourceVaries, "one region",
                  match.dst == NoExpr ? "two sums over different regions"
                                      : "a sum of other bytes than those copied",
                  p.where(walk.loc));
  p.direction = r.direction;
  match.descending = p.direction == Direction::Descending;
  match.srcBase = walk.base;
  match.src = src;
  match.bytes = bytes;
  match.maxBytes = r.maxBytes;
  match.srcAlign = alignmentOf(p.loop, walk.base, r.low);
  p.prove("source contiguous", "every byte of one region once", p.text(bytes) + " bytes",
          p.where(walk.loc));
  return Answer::Proved;
}

Answer forwards(Proof &p) {
  if (p.direction == Direction::Ascending || p.direction == Direction::None)
    return Answer::Proved;
  return p.fail("order", Diag::SourceStride, "from the first byte to the last", "read backwards");
}

void fitIn64Bits(Proof &p, const Reduction &r) {
  uint64_t elements = uint64_t(1) << (62 - 8 * r.elementBytes);
  p.require(p.g.binary(Op::ULe, p.g.zextOrTrunc(p.match.iterations, 64),
                       p.g.constant(elements / r.elementsPerIteration, 64)),
            "carries", Diag::SumFolded, "a sum of 64 bits", "for any usual size");
}

} // namespace memlift
