// contiguous.cpp - decides whether the stores of a nest cover one region, each byte once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (y..h) for (x..w) { p[2*x] = a; p[2*x+1] = b; } p += pitch
//
// Naive: require one store whose step is its size. Unrolled loops, structures written
// member by member and nests have more than one.
//
// The proof has two parts. Inside one iteration the stores, sorted by address, must
// tile an interval of W bytes without gaps or overlaps. region.h then judges whether
// the steps of the nest tile the region with such intervals. If the outermost
// dimension does not fit, its iterations may be rows of a 2-D operation.
//
// The limits: W is at most 256 bytes; all stores have one base and equal steps.
//
// Example: with bytes, the body above writes bytes 0 and 1 of each pair, so W is 2,
// the innermost step is 2, and a row has 2 * w bytes. If pitch equals 2 * w as a
// polynomial, the whole nest is one region of 2 * w * h bytes. Else each iteration of
// y is a row of its own.
#include "../align/align.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

constexpr unsigned maxBodyBytes = 256;

/// Requires that all stores go to one base with equal steps.
static bool destination(Proof &p) {
  if (p.stores.empty())
    return false; // nominate() reports it
  const char *name = "destination", *need = "one region";
  const Access &first = p.loop.accesses[p.stores[0]];
  for (uint32_t s : p.stores) {
    const Access &a = p.loop.accesses[s];
    if (!a.affine || a.step.size() != p.loop.dims.size())
      return false; // addresses() reports it
    if (a.base != first.base)
      return p.fail(name, Diag::SeveralDestinations, need,
                    p.describe(first) + " and " + p.describe(a), p.where(a.loc));
    for (size_t k = 0; k < p.loop.dims.size(); ++k)
      if (!p.g.equal(a.step[k], first.step[k]))
        return p.fail(name, Diag::SeveralDestinations, need,
                      "stores that step by " + p.text(first.step[k]) + " and by " +
                          p.text(a.step[k]) + " bytes",
                      p.where(a.loc));
  }
  p.match.dstBase = first.base;
  p.prove(name, need, p.describe(first), p.where(first.loc));
  return true;
}

/// Sorts the stores by their distance from the first one.
static bool placeStores(Proof &p, std::vector<std::pair<int64_t, uint32_t>> &placed) {
  const Access &first = p.loop.accesses[p.stores[0]];
  for (uint32_t s : p.stores) {
    const Access &a = p.loop.accesses[s];
    int64_t at;
    if (!p.g.constantDifference(a.offset, first.offset, at))
      return p.fail("destination contiguous", Diag::SeveralDestinations, "one region",
                    "stores at an unknown distance: " + p.text(a.offset) + " and " +
                        p.text(first.offset),
                    p.where(a.loc));
    placed.push_back({at, s});
  }
  std::sort(placed.begin(), placed.end());
  return true;
}

/// Requires that the sorted stores tile an interval, and traces each byte to its
/// source.
static bool scalarFootprint(Proof &p) {
  const char *name = "destination contiguous";
  std::vector<std::pair<int64_t, uint32_t>> placed;
  if (!placeStores(p, placed))
    return false;
  p.body.low = placed[0].first;
  int64_t end = p.body.low;
  for (auto &[at, s] : placed) {
    const Access &a = p.loop.accesses[s];
    uint64_t size = p.g[a.bytes].value;
    if (at > end)
      return p.fail(name, Diag::Strided, "no gaps",
                    std::to_string(at - end) + " bytes are left out in each iteration, " +
                        "after the first " + std::to_string(end - p.body.low),
                    p.where(a.loc));
    if (at < end)
      return p.fail(name, Diag::StoresOverlap, "each byte written once",
                    std::to_string(end - at) + " bytes are written twice in one iteration",
                    p.where(a.loc));
    if (size > maxBodyBytes || p.body.bytes.size() + size > maxBodyBytes)
      return p.fail(name, Diag::NotInnermostForm, "at most 256 bytes an iteration",
                    "more in one iteration", p.where(a.loc));
    for (unsigned k = 0; k < size; ++k) {
      p.body.bytes.push_back(sourceOf(p, a, k));
      p.body.storeOf.push_back(s);
    }
    end = at + int64_t(size);
  }
  p.body.size = unsigned(p.body.bytes.size());
  p.body.sizeExpr = p.loop.word(p.body.size);
  return true;
}

/// Describes the bytes that one iteration writes: one bulk store, or scalar stores.
static bool bodyContiguous(Proof &p) {
  const Access &first = p.loop.accesses[p.stores[0]];
  for (uint32_t s : p.stores)
    p.body.bulk |= p.isBulk(p.loop.accesses[s]);
  if (!p.body.bulk)
    return scalarFootprint(p);
  if (p.stores.size() != 1)
    return p.fail("destination", Diag::SeveralDestinations, "one region",
                  "several stores beside one of variable size", p.where(first.loc));
  p.body.sizeExpr = first.bytes;
  return true;
}

/// Returns true if the iterations of the outermost dimension are rows at a distance
/// of their own: all inner dimensions tile a row. A few bytes of each element of an
/// array are not rows; they would be short operations without end.
static bool rowsApart(const Proof &p, const Region &whole) {
  const Access &first = p.loop.accesses[p.stores[0]];
  if (p.loop.dims.empty() || p.loop.dims[0].trip == NoExpr ||
      (p.loop.dims.size() == 1 && !p.body.bulk) || p.g.isConst(first.step[0], 0))
    return false;
  if (!whole.ok)
    return whole.failed == 0;
  // Rows that are contiguous in the destination may be apart in the source.
  if (p.match.idiom != Idiom::Copy || p.g.isConst(p.loop.dims[0].trip, 1))
    return false;
  for (const Access &a : p.loop.accesses)
    if (!a.store && a.affine && !a.step.empty() && !p.g.equal(a.step[0], first.step[0]))
      return true;
  return false;
}

/// Proves the region of the whole nest, or of one row, and describes it in the match.
static bool nestContiguous(Proof &p) {
  Match &match = p.match;
  const char *name = "destination contiguous";
  const Access &first = p.loop.accesses[p.stores[0]];
  uint64_t most = !p.body.bulk                   ? p.body.size
                  : p.g.isConst(p.body.sizeExpr) ? p.g[p.body.sizeExpr].value
                                                 : 0;
  Region r = regionOf(p.loop, first, p.body.low, p.body.sizeExpr, most);
  bool rows = rowsApart(p, r);
  if (rows) {
    r = regionOf(p.loop, first, p.body.low, p.body.sizeExpr, most, 1);
    match.rows = p.tidy(p.loop.dims[0].trip);
    match.dstPitch = p.tidy(first.step[0]);
  }
  p.direction = r.direction;
  p.lowOffset = r.low;
  if (!r.ok) {
    Diag code = !r.inner     ? Diag::RowsNotContiguous
                : r.overlaps ? Diag::StoresOverlap
                             : Diag::Strided;
    if (!r.need.empty())
      p.fail(name, code, r.need,
             code == Diag::Strided && !p.body.bulk ? strideText(p, first.step.back(), p.body.size)
                                                   : r.have,
             p.where(first.loc));
    return false;
  }
  match.bytes = p.tidy(r.bytes);
  match.maxBytes = r.maxBytes;
  match.dst = p.tidy(p.address(match.dstBase, p.lowOffset));
  match.dstAlign = regionAlign(p, match.dstBase, p.lowOffset, first, match.dstTouched);
  p.prove(
      name, rows ? "whole rows" : "every byte of one region once",
      (rows ? p.text(match.rows) + " rows, " + p.text(match.dstPitch) + " bytes apart, of " : "") +
          p.text(r.bytes) + " bytes",
      p.where(first.loc));
  return true;
}

/// The type of an access is evidence only if the access certainly runs, since a loop of
/// no iterations proves nothing, or if types are trusted; and only if that access touches
/// the lowest byte. `touched` is the alignment that holds if there are any bytes.
uint64_t regionAlign(Proof &p, uint32_t base, ExprId low, const Access &a, uint64_t &touched) {
  uint64_t align = touched = alignmentOf(p.loop, base, low);
  int64_t diff;
  if (p.loop.origin != Origin::Loop) {
    if (!p.g.constantDifference(low, a.offset, diff) || diff)
      return align;
    bool runs = p.g.isConst(a.bytes) && p.g[a.bytes].value;
    touched = std::max({align, a.proved, a.align});
    return std::max({align, a.proved, runs ? a.align : 1});
  }
  bool runs = p.runs();
  // Downwards, the first access touches the highest byte.
  bool upwards = p.direction == Direction::None || p.direction == Direction::Ascending;
  if (!upwards || !p.g.constantDifference(low, a.offset, diff))
    return align;
  // The lowest set bit of the distance limits the alignment carried over.
  uint64_t distance = uint64_t(diff) & (0 - uint64_t(diff));
  uint64_t typed = diff ? std::min(distance, a.align) : a.align;
  touched = std::max(align, typed);
  if (typed <= align || !(runs || p.loop.function.trustTypes))
    return align;
  if (!runs)
    p.match.facts.push_back(
        {"alignment", Verdict::Assumed, Diag::None, "known even if the loop does not run",
         std::to_string(typed) + " bytes, by the type of the " + p.describe(a), "trust-types"});
  return typed;
}

bool contiguous(Proof &p) { return destination(p) && bodyContiguous(p) && nestContiguous(p); }

} // namespace memlift
