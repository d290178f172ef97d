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
#include "prover.h"

#include <algorithm>

namespace memlift {

constexpr unsigned maxBodyBytes = 256;

/// Requires that all stores go to one base with equal steps.
bool Prover::destination() {
  if (stores.empty())
    return false; // nominate() reports it
  const char *name = "destination", *need = "one region";
  const Access &first = loop.accesses[stores[0]];
  for (uint32_t s : stores) {
    const Access &a = loop.accesses[s];
    if (!a.affine || a.step.size() != loop.dims.size())
      return false; // addresses() reports it
    if (a.base != first.base) {
      fail(name, Diag::SeveralDestinations, need, describe(first) + " and " + describe(a),
           where(a.loc));
      return false;
    }
    for (size_t k = 0; k < loop.dims.size(); ++k)
      if (!g.equal(a.step[k], first.step[k])) {
        fail(name, Diag::SeveralDestinations, need,
             "stores that step by " + text(first.step[k]) + " and by " + text(a.step[k]) + " bytes",
             where(a.loc));
        return false;
      }
  }
  match.dstBase = first.base;
  prove(name, need, describe(first), where(first.loc));
  return true;
}

/// Sorts the stores by their distance from the first one.
bool Prover::placeStores(std::vector<std::pair<int64_t, uint32_t>> &placed) {
  const Access &first = loop.accesses[stores[0]];
  for (uint32_t s : stores) {
    const Access &a = loop.accesses[s];
    int64_t at;
    if (!g.constantDifference(a.offset, first.offset, at)) {
      fail("destination contiguous", Diag::SeveralDestinations, "one region",
           "stores at an unknown distance: " + text(a.offset) + " and " + text(first.offset),
           where(a.loc));
      return false;
    }
    placed.push_back({at, s});
  }
  std::sort(placed.begin(), placed.end());
  return true;
}

/// Requires that the sorted stores tile an interval, and traces each byte to its
/// source.
bool Prover::scalarFootprint() {
  const char *name = "destination contiguous";
  std::vector<std::pair<int64_t, uint32_t>> placed;
  if (!placeStores(placed))
    return false;
  body.low = placed[0].first;
  int64_t end = body.low;
  for (auto &[at, s] : placed) {
    const Access &a = loop.accesses[s];
    uint64_t size = g[a.bytes].value;
    if (at > end) {
      fail(name, Diag::Strided, "no gaps",
           std::to_string(at - end) + " bytes are left out in each iteration, " +
               "behind the first " + std::to_string(end - body.low),
           where(a.loc));
      return false;
    }
    if (at < end) {
      fail(name, Diag::StoresOverlap, "each byte written once",
           std::to_string(end - at) + " bytes are written twice in one iteration", where(a.loc));
      return false;
    }
    if (size > maxBodyBytes || body.bytes.size() + size > maxBodyBytes) {
      fail(name, Diag::NotInnermostForm, "at most 256 bytes an iteration", "more in one iteration",
           where(a.loc));
      return false;
    }
    for (unsigned k = 0; k < size; ++k) {
      body.bytes.push_back(sourceOf(a, k));
      body.storeOf.push_back(s);
    }
    end = at + int64_t(size);
  }
  body.size = unsigned(body.bytes.size());
  body.sizeExpr = loop.word(body.size);
  return true;
}

/// Describes the bytes that one iteration writes: one bulk store, or scalar stores.
bool Prover::bodyContiguous() {
  const Access &first = loop.accesses[stores[0]];
  for (uint32_t s : stores)
    body.bulk |= isBulk(loop.accesses[s]);
  if (!body.bulk)
    return scalarFootprint();
  if (stores.size() != 1) {
    fail("destination", Diag::SeveralDestinations, "one region",
         "several stores beside one of variable size", where(first.loc));
    return false;
  }
  body.sizeExpr = first.bytes;
  return true;
}

/// Returns true if the iterations of the outermost dimension are rows at a distance
/// of their own: all inner dimensions tile a row. A few bytes of each element of an
/// array are not rows; they would be short operations without end.
bool Prover::rowsApart(const Region &whole) const {
  const Access &first = loop.accesses[stores[0]];
  if (loop.dims.empty() || loop.dims[0].trip == NoExpr || (loop.dims.size() == 1 && !body.bulk) ||
      g.isConst(first.step[0], 0))
    return false;
  if (!whole.ok)
    return whole.failed == 0;
  // Rows that are contiguous in the destination may be apart in the source.
  if (match.idiom != Idiom::Copy || g.isConst(loop.dims[0].trip, 1))
    return false;
  for (const Access &a : loop.accesses)
    if (!a.store && a.affine && !a.step.empty() && !g.equal(a.step[0], first.step[0]))
      return true;
  return false;
}

/// Proves the region of the whole nest, or of one row, and describes it in the match.
bool Prover::nestContiguous() {
  const char *name = "destination contiguous";
  const Access &first = loop.accesses[stores[0]];
  uint64_t most = !body.bulk ? body.size : g.isConst(body.sizeExpr) ? g[body.sizeExpr].value : 0;
  Region r = regionOf(loop, first, body.low, body.sizeExpr, most);
  bool rows = rowsApart(r);
  if (rows) {
    r = regionOf(loop, first, body.low, body.sizeExpr, most, 1);
    match.rows = tidy(loop.dims[0].trip);
    match.dstPitch = tidy(first.step[0]);
  }
  direction = r.direction;
  lowOffset = r.low;
  if (!r.ok) {
    Diag code = !r.inner     ? Diag::RowsNotContiguous
                : r.overlaps ? Diag::StoresOverlap
                             : Diag::Strided;
    if (!r.need.empty())
      fail(name, code, r.need,
           code == Diag::Strided && !body.bulk ? strideText(first.step.back(), body.size) : r.have,
           where(first.loc));
    return false;
  }
  match.bytes = tidy(r.bytes);
  match.maxBytes = r.maxBytes;
  match.dst = tidy(g.add(g.leaf(Op::BaseAddr, match.dstBase, loop.ptrBits), lowOffset));
  match.dstAlign = regionAlign(match.dstBase, lowOffset, first, match.dstTouched);
  prove(name, rows ? "whole rows" : "every byte of one region once",
        (rows ? text(match.rows) + " rows, " + text(match.dstPitch) + " bytes apart, of " : "") +
            text(r.bytes) + " bytes",
        where(first.loc));
  return true;
}

/// Returns the alignment of the region's lowest byte. The type of an access is
/// evidence only if the access certainly runs, since a loop of no iterations proves
/// nothing, or if types are trusted; and only if that access touches the lowest byte.
/// `touched` is the alignment that holds if there are any bytes.
uint64_t Prover::regionAlign(uint32_t base, ExprId low, const Access &a, uint64_t &touched) {
  uint64_t align = touched = alignmentOf(loop, base, low);
  int64_t diff;
  if (loop.origin != Origin::Loop) {
    if (!g.constantDifference(low, a.offset, diff) || diff)
      return align;
    bool runs = g.isConst(a.bytes) && g[a.bytes].value;
    touched = std::max({align, a.proved, a.align});
    return std::max({align, a.proved, runs ? a.align : 1});
  }
  bool runs = true;
  for (const Dim &d : loop.dims)
    runs &= d.nonzero || (g.isConst(d.trip) && g[d.trip].value);
  // Downwards, the first access touches the highest byte.
  bool upwards = direction == Direction::None || direction == Direction::Ascending;
  if (!upwards || !g.constantDifference(low, a.offset, diff))
    return align;
  // The lowest set bit of the distance limits the alignment carried over.
  uint64_t distance = uint64_t(diff) & (0 - uint64_t(diff));
  uint64_t typed = diff ? std::min(distance, a.align) : a.align;
  touched = std::max(align, typed);
  if (typed <= align || !(runs || loop.function.trustTypes))
    return align;
  if (!runs)
    match.facts.push_back(
        {"alignment", Verdict::Assumed, Diag::None, "known even if the loop does not run",
         std::to_string(typed) + " bytes, by the type of the " + describe(a), "trust-types"});
  return typed;
}

} // namespace memlift
