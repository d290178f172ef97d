// longenough.cpp - keeps loops that are faster than calls, or lets calls have the long ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call takes some cycles however few bytes there are (worth.cpp), and more where a core waits for
// bytes that are written or read right beside it.
#include "decider.h"
#include "worth.h"

#include <algorithm>

namespace memlift {

/// Returns true if a routine of the user is called, whose cost is not known.
bool Decider::callsMapped() const {
  auto isMapped = [](const ReturningCall &c) { return !c.symbol.empty(); };
  return !d.symbol.empty() || std::any_of(d.calls.begin(), d.calls.end(), isMapped);
}

/// Returns the innermost iterations in one of the outermost loop, 0 if their number varies. Calls
/// for nests are guarded where they are slow for few bytes: look-ups in a table that nobody knows.
uint64_t Decider::innerIterations() const {
  uint64_t product = 1;
  for (size_t k = 1; k < loop.dims.size(); ++k)
    product *= g.isConst(loop.dims[k].trip) ? g[loop.dims[k].trip].value : 0;
  bool slow = std::any_of(d.calls.begin(), d.calls.end(), [](const ReturningCall &c) {
    return operationOf(c.routine).kind == OpKind::TableCrc;
  });
  return loop.dims.size() == 1 || slow ? product : 0;
}

template <typename T> static bool has(const Match &match) {
  return std::any_of(match.reductions.begin(), match.reductions.end(),
                     [](const Reduction &r) { return r.is<T>(); });
}

/// Returns true if the routine would wait for what is written or read beside the loop, or a loop
/// for the routine: it loads and stores up to 64 bytes by masks, from and to which a core forwards
/// nothing. Moves do not, but store bytes that are in two of their words twice.
bool Decider::waitsBesides() const {
  if (!loop.touchedNearby || core.inOrder || !d.loops.empty() || loop.function.optSize ||
      inSequence || match.rows != NoExpr || callsMapped() || mode != RuntimeMode::Memlift)
    return false;
  const bool weighted = has<Reduction::WeightedSum>(match);
  auto masks = [&](Routine r) {
    OpKind k = operationOf(r).kind;
    if (k == OpKind::WeightedSum || k == OpKind::ModularSum) // remainders take longer than waiting
      return weighted;
    bool pieces = k == OpKind::Move || k == OpKind::StepCopy; // they store some bytes twice
    return (pieces && (loop.readInLoop || loop.function.vectorBits)) || k == OpKind::Fill ||
           k == OpKind::PatternFill || k == OpKind::Copy || k == OpKind::SwapCopy ||
           k == OpKind::Sum || k == OpKind::LowSum || k == OpKind::XorFold || k == OpKind::OnesSum;
  };
  return (d.routine != Routine::None && masks(d.routine)) ||
         std::any_of(d.calls.begin(), d.calls.end(),
                     [&](const ReturningCall &c) { return masks(c.routine); });
}

/// Returns the bytes for which a routine that waits takes longer than the loop. Whole vectors wait,
/// too, where they are loaded from what narrower stores have just written, the longest behind a
/// short copy of constant size in line (bench/short-loops.md).
uint64_t Decider::waitedMost() const {
  constexpr uint64_t masked = 64, iterations = 32, inVectors = 256, bytesInVectors = 128;
  constexpr uint64_t inLine = 512; // of constant size: its vectors have no other test either
  const bool pieces = d.routine != Routine::None && operationOf(d.routine).kind == OpKind::StepCopy;
  if (pieces && loop.function.vectorBits && !loop.readInLoop)
    return bytesInVectors;
  uint64_t element = inVectors;
  for (const Access &a : loop.accesses)
    element = std::min(element, g.isConst(a.bytes) && !a.store ? g[a.bytes].value : 0);
  if (loop.accesses.empty() || !element || d.routine != Routine::None ||
      has<Reduction::WeightedSum>(match))
    return masked;
  // Sums of bytes take a compiler's vectors longest, as each byte is widened.
  const bool widened = element == 1 && loop.accesses.size() == 1 && has<Reduction::Sum>(match);
  if (loop.function.vectorBits || (constant && loop.function.wholeVectorBits))
    return constant ? inLine : widened ? bytesInVectors : inVectors;
  return std::clamp(iterations * element, masked, inVectors);
}

/// Returns true for a call of the C library beside which the same bytes are written or read: its
/// routine is as fast for many bytes, and nothing waits for its vectors, which are whole.
bool Decider::waitsBesideCall() const {
  constexpr uint64_t inLine = 512; // GCC moves so many bytes by words or vectors, or a string move
  return loop.touchedNearby && (!constant || size <= inLine) && !core.inOrder &&
         mode == RuntimeMode::Memlift && map.find(Routine::Copy) == nullptr &&
         map.find(Routine::Fill8) == nullptr;
}

/// Returns true for a count of a byte of which the compiler makes vectors. It compares in lanes as
/// wide as the counter, which is faster than a call for few bytes, and far slower for many.
bool Decider::countsInVectors() const {
  return loop.function.vectorBits && !core.inOrder && d.loops.empty() && !loop.function.optSize &&
         !inSequence && match.rows == NoExpr && !callsMapped() &&
         std::any_of(d.calls.begin(), d.calls.end(), [](const ReturningCall &c) {
           return operationOf(c.routine).kind == OpKind::Count;
         });
}

/// Returns the bytes from which a routine gains that first tests several tables, or prepares to
/// fold registers side by side; 0: none is called.
uint64_t Decider::slicedFrom() const {
  constexpr uint64_t inLanes = 512;
  uint64_t most = 0;
  for (const ReturningCall &c : d.calls)
    if (const Operation &o = operationOf(c.routine); o.kind == OpKind::SliceCrc)
      most = std::max(most, o.testsFrom(g[c.args[4]].value));
    else if (o.kind == OpKind::LaneCrc)
      most = std::max(most, inLanes);
  return loop.function.optSize || callsMapped() || inSequence ? 0 : most;
}

/// Returns true for elements whose bytes are swapped while they are moved, by a routine.
bool Decider::swapsByRoutine() const {
  return d.loops.empty() && !loop.function.optSize && !inSequence && match.rows == NoExpr &&
         !callsMapped() && d.routine != Routine::None &&
         operationOf(d.routine).kind == OpKind::SwapCopy;
}

/// Returns true if the elements are loaded and stored whole, and no byte by itself.
bool Decider::movesWhole() const {
  unsigned bytes = operationOf(d.routine).elementBits / 8;
  return std::all_of(loop.accesses.begin(), loop.accesses.end(),
                     [&](const Access &a) { return g.isConst(a.bytes, bytes); });
}

/// Returns the bits of the vectors by which the compiler swaps these bytes, 0 if it does not.
unsigned Decider::swappingBits() const {
  const FunctionFacts &f = loop.function;
  return swapsByRoutine() &&
                 operationOf(d.routine).elementBits <= (movesWhole() ? f.swapBits : f.byteSwapBits)
             ? f.vectorBits
             : 0;
}

/// Returns true if the compiler swaps bytes by vectors that are as fast as the routine at all sizes
/// (bench/README.md). They have to be wide, and numbers of 32 bits not in single bytes.
bool Decider::swapsInVectors() const {
  constexpr unsigned wide = 256;
  return swappingBits() >= wide && (movesWhole() || operationOf(d.routine).elementBits == 16);
}

/// Returns the bytes up to which the compiler's vectors swap faster than the routine, 0 if it makes
/// none: the figures are those of the slower compiler (bench/README.md).
uint64_t Decider::swappedInVectors() const {
  constexpr unsigned narrow = 128;
  const unsigned bits = swappingBits();
  if (!bits || core.inOrder || swapsInVectors())
    return 0;
  if (bits > narrow)
    return 1024;
  if (operationOf(d.routine).elementBits == 16)
    return movesWhole() ? 256 : 128;
  return movesWhole() ? 128 : 64;
}

/// Keeps a loop that moves so many bytes at most, or lets it have a call for more of them.
bool Decider::longerThan(uint64_t bytes, const std::string &why) {
  std::string need = "more than " + std::to_string(bytes) + " bytes " + why;
  if (uint64_t most = mostBytes(); most <= bytes) {
    d = Decision();
    keep("size", Diag::TooShort, need, "at most " + std::to_string(most));
    return false;
  }
  if (constant)
    return true;
  // The iterations are known where bytes have to be computed.
  const size_t each = match.copy() ? 2 : 1;
  const bool plain = loop.dims.size() == 1 && loop.accesses.size() == each;
  const ExprId element = plain ? loop.accesses.front().bytes : NoExpr;
  const bool counted = plain && loop.dims[0].trip != NoExpr && g.isConst(element);
  sizeGuard = counted ? enough(g, loop.dims[0].trip, bytes / g[element].value + 1)
                      : enough(g, match.bytes, bytes + 1);
  shortAsStock = true;
  fact("size", Verdict::Guarded, Diag::None, need, "tested at run time");
  return true;
}

/// Returns true for a loop of a loop that copies unaligned words, perhaps past the end, as programs
/// copy a few bytes: LZ4 and zstd have many. A test of the length, and a call that registers are
/// saved for, cost more there than long copies gain.
bool Decider::copiesFewWords() const {
  constexpr uint64_t word = 8;
  auto isWord = [&](const Access &a) {
    return g.isConst(a.bytes) && g[a.bytes].value >= word && a.align % word != 0;
  };
  return loop.enclosed && !loop.profiled && !core.inOrder && d.loops.empty() &&
         d.routine == Routine::CopyForward && !loop.function.optSize && !inSequence &&
         loop.origin == Origin::Loop && loop.dims.size() == 1 && !callsMapped() &&
         std::all_of(loop.accesses.begin(), loop.accesses.end(), isWord);
}

/// Leaves elements to the compiler's vectors: wide ones are as fast as a routine at all lengths,
/// others for few bytes, or as many as a routine waits for. In another loop a test of the length
/// takes a tenth of the time of a few elements (bench/README.md).
bool Decider::longerThanVectors(uint64_t waited) {
  constexpr unsigned wide = 256;      // bits
  constexpr uint64_t inVectors = 256; // bytes
  const bool again = loop.enclosed && !loop.profiled;
  if (loop.function.vectorBits < wide && !again)
    return longerThan(std::max(inVectors, waited), "where the compiler makes vectors");
  return keptAsVectors();
}

/// Keeps the loop for the compiler's vectors, and returns false.
bool Decider::keptAsVectors() {
  d = Decision();
  keep("vectors", Diag::AsVectorised, "fewer accesses than the compiler's",
       "vectors of " + std::to_string(loop.function.vectorBits) + " bits");
  return false;
}

/// Keeps a loop that is faster than calls for all its trip counts. If it is for some of them, the
/// calls get a guard.
bool Decider::longEnough() {
  constexpr uint64_t counted = 64, folded = 192, widened = 64; // bytes
  if (uint64_t bytes = swappedInVectors())
    return longerThan(bytes, "where the compiler makes vectors");
  if (copiesFewWords()) {
    d = Decision();
    keep("size", Diag::TooShort, "a copy that is not for a few bytes, or a profile",
         "unaligned words inside another loop");
    return false;
  }
  if (uint64_t bytes = slicedFrom())
    return longerThan(bytes - 1, "for what the routine does at first");
  if (countsInVectors())
    return longerThan(counted, "where the compiler makes vectors");
  const uint64_t waited = waitsBesides() ? waitedMost() : 0;
  if (elementsInVectors())
    return longerThanVectors(waited);
  if (foldsWhileCopying())
    return keptAsVectors();
  if (foldsInVectors())
    return longerThan(std::max(addsAsLoaded() ? folded : widened, waited),
                      "where the compiler makes vectors");
  if (waited)
    return longerThan(waited, "where they are written or read beside the loop");
  if (match.longBy != NoExpr && !d.calls.empty() && d.loops.empty() && !loop.function.optSize &&
      !callsMapped() && !core.inOrder) {
    // Bytes that take as long in vectors, or one word after another, as a call (bench/slow).
    // Look-ups take as long for so many bytes.
    const bool vectors = loop.function.vectorBits || loop.function.wholeVectorBits;
    const bool lookUps = has<Reduction::Crc>(match);
    const uint64_t least = lookUps ? 8 : vectors ? 64 : 32;
    sizeGuard = enough(g, match.longBy, least);
    fact("size", Verdict::Guarded, Diag::None, "at least " + std::to_string(least) + " bytes",
         "tested at run time, as a call for fewer is slower than the loops");
    return true;
  }
  const uint64_t inner = innerIterations();
  if (!d.loops.empty() || loop.function.optSize || inSequence || !inner || match.rows != NoExpr ||
      loop.dims[0].trip == NoExpr || formsCall(loop, match) || callsMapped())
    return true;
  ExprId trip = loop.dims[0].trip;
  uint64_t least = (leastIterations(loop, match, d) + inner - 1) / inner;
  uint64_t most = mostIterations(loop, loop.dims[0]);
  constexpr uint64_t leastWithTests =
      12; // std::vector<uint8_t>, filled and copied (bench/README.md)
  if (rereads(loop))
    least = std::max(least, leastWithTests);
  uint64_t limit = g.isConst(trip) ? std::max(2 * least, leastConstant(loop, match, d)) : 2 * least;
  if (most <= limit) {
    d = Decision();
    keep("size", Diag::TooShort, "more than " + std::to_string(limit) + " iterations for a call",
         "at most " + std::to_string(most));
    return false;
  }
  if (g.isConst(trip) || least <= 1)
    return true;
  sizeGuard = enough(g, trip, least);
  fact("size", Verdict::Guarded, Diag::None, "at least " + std::to_string(least) + " iterations",
       "tested at run time, as a call for fewer is slower than the loop");
  return true;
}

} // namespace memlift
