// recognize.h - from a loop model to a proved idiom, or to all that failed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_H
#define MEMLIFT_IDIOMS_RECOGNIZE_H

#include "../algebra/shiftregister.h"
#include "../loop.h"

namespace memlift {

enum class Idiom : uint8_t {
  None,
  Fill,
  Copy,
  Move,
  CopySwap,
  Sum,
  WeightedSum,
  Polyhash,
  Crc,
  InetChecksum,
  ModularSum,
  XorFold,
  // a copy, and sums of the bytes copied
  CopySum,
  CopyInetChecksum
};
enum class Verdict : uint8_t { Proved, Guarded, Assumed, Failed, Unchecked };

/// One step of the proof: what had to hold, what was found, and where from.
struct Fact {
  std::string name; // "trip count", "destination contiguous", ...
  Verdict verdict = Verdict::Unchecked;
  Diag code = Diag::None; // set when failed
  std::string need, have, evidence;
};

/// What has to be checked before a copy may run as one operation.
enum class Overlap : uint8_t {
  Disjoint,        // proved apart: copy
  MoveSafe,        // proved that moving gives the loop's result: move
  GuardAscending,  // move, if dst - src >= bytes (unsigned): dst below or apart
  GuardDescending, // move, if src - dst >= bytes (unsigned): dst above or apart
  GuardDisjoint,   // copy, if both differences >= bytes
};

/// One live-out that is a linear function of the bytes read, modulo 2^width of
/// its recurrence. "Elements" are the words of elementBytes, in address order.
struct Reduction {
  enum Kind : uint8_t {
    Sum,                // init + factor * sum(elements) + rounds * perRound
    WeightedSum,        // init + m * partner's init + sum((m - i) * element i), i = 0..,
                        // with m elements; minus sum(elements) if `exclusive`
    Crc,                // the shift register that `parts` hold in the way of `held`
    Ones,               // the ones' complement sum of `state` and the elements
    Carries,            // init + how often partner's sum passed 2^(its width)
    ModularSum,         // (init + sum(elements)) reduced modulo `residueModulus`
    ModularWeightedSum, // WeightedSum with both sums reduced in each round
    XorFold,            // init ^ every element, extended as `isSigned` tells
    Polyhash,           // init * factor^m + sum(factor^(m-1-i) * byte i)
    WideSum,            // init + sum(elements), in 128 bits
    Last,               // what the last iteration reads: see lastRead
  } kind = Sum;
  uint32_t liveOut = 0, rec = 0;
  bool stored = false; // no live-out, but what is stored at Match::dst
  unsigned elementBytes = 1;
  bool isSigned = false, swapped = false;
  uint64_t factor = 1;
  ExprId perRound = NoExpr; // Sum: added in each iteration; WeightedSum:
                            // to each element; or NoExpr
  uint32_t partner = 0;     // WeightedSum: the recurrence it sums up
  bool exclusive = false;   // it adds the partner before its update
  unsigned elementsPerRound = 1;
  /// The recurrence is the low bits of the live-out's, which are all that there are
  /// after a round; what that one starts with may be more.
  bool wideStart = false;
  /// Sum: `factor` is that of elements 0, 2, 4 ..., and `odd` that of 1, 3, 5 ...
  /// Of one element an iteration, their number may be odd.
  bool pairs = false;
  uint64_t odd = 0;
  /// Ones: the sum is modulo 2^modulus - 1, its start value within that. It is the
  /// live-out itself; or else the live-out is what the last iteration makes of
  /// the sum before it, put in recurrence `partner`, the others being 0.
  unsigned modulus = 16;
  ExprId state = NoExpr; // 64 bits
  bool direct = true;
  HeldCrc held; // Crc
  /// Crc: the polynomial, if the program computes it: 64 bits, as the state holds it.
  /// That of `held` means nothing then, and a constant mixed in is none.
  ExprId poly = NoExpr;
  /// Crc: an invariant condition. Where it is false, it is `other` and `otherPoly`
  /// in the place of `held` and `poly`.
  ExprId choice = NoExpr;
  HeldCrc other;
  ExprId otherPoly = NoExpr;
  std::vector<uint32_t> parts; // Crc: recurrences, the lowest bits first
  uint64_t residueModulus = 0; // Modular..: 2 .. 2^32
  bool fold = false;           // 0 for a true zero, else 1 .. modulus;
                               // not: 0 .. modulus - 1
  /// Modular..: the limit of the start value, and whether it has to be tested.
  uint64_t startMost = 0;
  bool startUnknown = false;
};

/// A counter that the loop stores in each iteration, and that is stored once behind
/// the operation in its place: `bytes` bytes.
struct FinalStore {
  ExprId address;
  uint32_t base;
  unsigned bytes;
  uint64_t align;
  ExprId value;
  int pointsInto = -1; // the value is an address in this base's object
};

struct Match {
  Idiom idiom = Idiom::None; // also set when a nominated idiom failed
  bool ok = false;
  std::vector<Fact> facts; // in proof order, every failing one included

  // The rest is valid when ok.
  uint32_t dstBase = 0, srcBase = 0;
  ExprId dst = NoExpr, src = NoExpr; // lowest byte's address, as an integer
  ExprId bytes = NoExpr;             // total, pointer width; with rows: of each
  /// Not NoExpr: so many rows, one after the other, each `pitch` bytes behind
  /// the one before (any value, also a negative one; rows may overlap).
  ExprId rows = NoExpr;
  ExprId dstPitch = NoExpr, srcPitch = NoExpr;
  uint64_t dstAlign = 1, srcAlign = 1;
  uint64_t dstTouched = 1, srcTouched = 1; // the same, if there are any bytes
  uint64_t maxBytes = 0;                   // 0 if unknown
  /// Sums: src, srcBase, bytes and these; rounds: iterations in all.
  std::vector<Reduction> reductions;
  ExprId rounds = NoExpr;
  bool stored = false;     // sums: one is stored at dst
  bool descending = false; // sums: from the last byte to the first
  Overlap overlap = Overlap::Disjoint;
  /// Copies behind a guard on the overlap: the first 1, 2, 4 or 8 bytes of the
  /// source. If the destination lies exactly so many bytes above it, the loop
  /// repeats them, which is a fill. NoExpr: it is not known to.
  ExprId repeated = NoExpr;
  /// The same: the loop goes upwards in steps of so many bytes, whatever overlaps: it
  /// reads each step before it writes it, and writes it before it reads the next. 0: it
  /// is not known to.
  unsigned step = 0;
  std::vector<FinalStore> finals; // copies and fills
  /// Must hold as well for all of this, or the loop has to run; NoExpr: nothing.
  ExprId condition = NoExpr;
  unsigned swap = 0;           // copy_swap: bytes of the words, 2, 4 or 8
  unsigned period = 0;         // fill: bytes of the pattern, 1..16
  ExprId pattern = NoExpr;     // fill: its first 8 bytes
  ExprId patternHigh = NoExpr; // fill: the others, if the period is above 8
  /// fill: true if `pattern` is a native-endian value of 8*period bits
  /// (fill8/16/32/64), false if it and patternHigh are 64 bits each with byte j
  /// in bits 8j..8j+7 (fill_pattern, fill_pattern16).
  bool nativePattern = true;
  /// Not empty: several fills and copies, one after the other (parts.cpp). Of the above
  /// only idiom, facts, bytes (of the first) and condition (of all) are theirs.
  std::vector<Match> parts;
};

/// True if no proof can succeed, whatever else the loop model says: every obstacle
/// is a failed fact. A reader may stop there when nobody wants the other facts.
bool isHopeless(const Loop &loop);

/// Is it what the loop's last iteration reads, extended or cut, and can that be read
/// again behind the loop? There is an iteration, and nothing is written.
bool readAtLast(const Loop &loop, ExprId value);
/// The same read of the memory, from where the last iteration reads.
ExprId lastRead(Loop &loop, ExprId value);

/// Of a loop that was read twice, with what it reads again in each iteration taken
/// for fixed and without: true if the former's reasons tell more, as something that
/// the latter lacks is known there.
bool saysMore(const Match &asFixed, const Match &plain);

/// Brings offsets that differ by narrow indices at constant distances to constant
/// distances themselves, under assumptions that it adds.
void relateOffsets(Loop &loop);

/// Judges a loop model. Adds expressions to loop.exprs, and recurrences behind those
/// that there are, changes nothing else. If `quiet`, nobody reads reasons, and what
/// has failed before the search for a family is not searched for one.
Match recognize(Loop &loop, bool quiet = false);

const char *nameOf(Idiom i);
const char *nameOf(Verdict v);
/// The codes of all failed facts, in proof order, without repeats.
std::vector<Diag> failedCodes(const std::vector<Fact> &facts);

} // namespace memlift

#endif
