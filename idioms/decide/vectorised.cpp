// vectorised.cpp - leaves loops to compilers that make vectors of them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A routine begins with a choice by the size, and some of them load and store through masks. Where
// the size is known, or has a low bound, a compiler's vectors need neither: up to these sizes they
// were as fast or faster in bench/slow, at each level of each compiler that makes them.
#include "decider.h"
#include "worth.h"

#include <algorithm>
#include <cstdlib>

namespace memlift {

/// Bytes by which regions of one object may lie apart and still be moved within it.
constexpr int64_t near = 256;

/// Returns true for a plain copy upwards, in one loop, of bytes that may overlap.
bool Decider::plainUpwards() const {
  return mayOverlap() && match.overlap() == Overlap::GuardAscending && !match.reorders() &&
         loop.dims.size() == 1 && loop.accesses.size() == 2 && loop.assumptions.empty();
}

/// Returns true if the compiler makes the same accesses of the loop under its own test: whole
/// vectors, and half of one.
bool Decider::compilerVersions() const {
  constexpr uint64_t half = 8;
  return loop.function.versionsLoops && plainUpwards() && size >= 2 * half && size % half == 0;
}

/// Returns true if the loop unrolled is as short as the words. Words that may overlap take a test,
/// where a compiler that makes vectors of loops also unrolls those of few iterations. Words of a
/// byte that is not known are put together first.
bool Decider::compilerUnrolls() const {
  constexpr uint64_t most = 4, test = 2, together = 3; // iterations; others in words moved
  const FillForm *fill = match.fill();
  const bool computed = fill && fill->period == 1 && !g.isConst(fill->pattern) && !core.inOrder &&
                        !loop.function.optSize && loop.dims.size() == 1;
  const bool reversed = match.reverse() && mayOverlap() && loop.dims.size() == 1;
  const bool tested = loop.function.vectorBits && (reversed || plainUpwards());
  if ((!computed && !tested) || !g.isConst(loop.dims[0].trip))
    return false;
  uint64_t trip = g[loop.dims[0].trip].value;
  if (reversed) // two regions are tested against each other, and the word is swapped
    return trip <= most;
  return trip <= most && trip <= d.words.size() + (tested ? test : together);
}

/// Returns true for a move by a few bytes, in another loop, of what is written or read beside it.
/// Its words would be loaded from bytes that single elements, or words at other places, have just
/// stored: a core waits until those are in its cache.
bool Decider::wordsWait() const {
  constexpr uint64_t most = 16; // iterations, which take as long as the wait
  int64_t distance;
  return loop.enclosed && loop.touchedNearby && match.copy() && !core.inOrder &&
         !loop.function.optSize && loop.dims.size() == 1 && g.isConst(loop.dims[0].trip) &&
         g[loop.dims[0].trip].value <= most &&
         g.constantDifference(match.dst, match.src, distance) &&
         uint64_t(std::abs(distance)) < size;
}

/// Returns the size up to which a copy or fill of constant size stays: as a loop of which the
/// compiler makes vectors, or a call that it expands. GCC makes a string instruction of fills that
/// take more than 16 vectors. Where there is a call of the C library, that has nothing to choose.
uint64_t Decider::vectorsMost(bool called) const {
  constexpr uint64_t most = 256, mostOfLine = 352, mostOfCalls = 2048; // bytes
  constexpr uint64_t wide = 256, widest = 512;                         // bits
  const FunctionFacts &f = loop.function;
  if (called && f.callsLibrary)
    return mostOfCalls;
  if (match.idiom == Idiom::Fill) {
    bool vectors = called ? f.wholeVectorBits : f.vectorBits && match.fill()->period > 1;
    bool ofWidest = !called && f.vectorBits >= widest;
    return ofWidest ? 4 * most : f.vectorBits >= wide ? 2 * most : vectors ? most : 0;
  }
  bool apart =
      called || match.overlap() == Overlap::Disjoint || match.overlap() == Overlap::MoveSafe;
  bool whole = f.wholeVectorBits && (called || size % 16 == 0);
  if ((!apart || (!f.vectorBits && !whole)) && !f.versionsLoops)
    return 0;
  // Loops of wide vectors: a test for overlap costs what a call does.
  if (!called && f.vectorBits >= wide)
    return apart && f.vectorBits >= widest ? 16 * most : 4 * most;
  // A move by less than a vector: a routine's loads wait for its own stores before.
  bool close = !called && match.overlap() == Overlap::MoveSafe;
  return f.vectorBits >= wide || close || f.unrollsVectors ? mostOfLine : most;
}

/// Returns true for a fill of constant size, by few bytes that are no constant, which the compiler
/// stores as whole vectors: it broadcasts the bytes once, where words are put together first.
bool Decider::vectorFill() const {
  const FillForm *fill = match.fill();
  constexpr unsigned narrowest = 4;
  return fill && constant && loop.function.wholeVectorBits && size % 16 == 0 && !core.inOrder &&
         fill->period >= narrowest && loop.dims.size() == 1 && !g.isConst(fill->pattern);
}

/// Returns true for a copy within one object at a distance that the program computes, as in LZ77:
/// the regions overlap so closely that vectors do not serve. Members of a structure are a constant
/// further apart. Towards lower addresses, a vector is loaded before any of it is stored over.
bool Decider::inWindow() const {
  if (loop.accesses.front().base != loop.accesses.back().base)
    return false;
  const ExprId down = g.fromPoly(g.poly(g.sub(match.src, match.dst)), loop.ptrBits);
  if (upperBound(loop, down) < uint64_t(near))
    return false;
  Poly distance = g.poly(g.sub(match.dst, match.src));
  auto fixed = distance.find(Monomial());
  int64_t bytes = fixed == distance.end() ? 0 : int64_t(fixed->second);
  return bytes > -near && bytes < near;
}

/// Returns true if the index may start again at the beginning of a ring: compilers make no vectors
/// of such a loop.
bool Decider::mayWrapInRing() const {
  return std::any_of(loop.assumptions.begin(), loop.assumptions.end(),
                     [](const Assumption &a) { return a.code == Diag::RingWraps; });
}

/// Returns true for one loop that the compiler makes vectors of at all lengths, where the decision
/// is a call.
bool Decider::vectorsOfLoop() const {
  return loop.function.vectorBits && !core.inOrder && !mayWrapInRing() && !loop.function.optSize &&
         !inSequence && loop.origin == Origin::Loop && d.loops.empty() && loop.dims.size() == 1 &&
         match.rows == NoExpr && !callsMapped() && !rereads(loop) && !match.reorders();
}

/// Returns true if elements are added up or folded, and none is widened for that.
bool Decider::addsAsLoaded() const {
  return !match.reductions.empty() &&
         std::all_of(match.reductions.begin(), match.reductions.end(), [&](const Reduction &r) {
           auto *sum = r.as<Reduction::Sum>();
           return (sum ? !sum->pairs : r.is<Reduction::XorFold>()) &&
                  loop.recs[r.rec].width == 8 * r.elementBytes;
         });
}

/// Returns true for a plain copy, fill, sum or xor of elements that are as wide as the compiler's
/// vectors want them: none is widened, and few are left after the last vector.
bool Decider::elementsInVectors() const {
  constexpr unsigned least = 4; // bytes of an element
  if (!vectorsOfLoop() || formsCall(loop, match))
    return false;
  auto isElement = [&](const Access &a) { return g.isConst(a.bytes) && g[a.bytes].value >= least; };
  if (!std::all_of(loop.accesses.begin(), loop.accesses.end(), isElement))
    return false;
  if (match.dst != NoExpr)
    return match.reductions.empty() && (match.copy() || match.idiom == Idiom::Fill);
  return addsAsLoaded();
}

/// Returns true for a copy whose elements are added up or folded as well, at their own width: the
/// compiler's vectors do both at once, where there would be two calls (bench/short-loops.md).
bool Decider::foldsWhileCopying() const {
  return vectorsOfLoop() && match.copy() && addsAsLoaded();
}

/// Returns true for an exclusive-or by the compiler's vectors, if these are narrow: after them, and
/// after a routine, what is in the lanes is folded. Constant sizes have a limit of their own
/// (leastConstant()).
bool Decider::foldsInVectors() const {
  constexpr unsigned wide = 256; // bits
  auto folds = [](const Reduction &r) { return r.is<Reduction::XorFold>(); };
  return vectorsOfLoop() && loop.function.vectorBits < wide && !constant && match.dst == NoExpr &&
         !match.reductions.empty() &&
         std::all_of(match.reductions.begin(), match.reductions.end(), folds);
}

/// Keeps copies and fills that are short, or of constant size, where the compiler makes vectors.
bool Decider::leftToVectors() {
  constexpr uint64_t shortMost = 64; // bytes
  const FunctionFacts &f = loop.function;
  if (!match.reductions.empty() || !d.loops.empty() || loop.dims.size() != 1 || inSequence ||
      match.rows != NoExpr || f.optSize || callsMapped() || rereads(loop) || mayWrapInRing())
    return false;
  std::string have;
  int64_t known;
  if (match.reverse() || swapsInVectors()) {
    // For short lengths the source's loop runs beside the call, one element at a time.
    if (f.vectorBits)
      have = "vectors of " + std::to_string(f.vectorBits) + " bits, at short lengths, too";
  } else if (match.reorders()) {
    return false;
  } else if (constant) {
    if (size <= vectorsMost(/*called=*/false))
      have = std::to_string(size) + " bytes as vectors";
  } else if (f.vectorBits && match.copy() && mostBytes() <= shortMost &&
             !(g.constantDifference(match.dst, match.src, known) && std::abs(known) < near) &&
             !inWindow()) {
    have = "at most " + std::to_string(mostBytes()) + " bytes as vectors";
  }
  if (have.empty())
    return false;
  d = Decision();
  keep("vectors", Diag::AsVectorised, "fewer accesses than the compiler's", have);
  return true;
}

} // namespace memlift
