// recognize.h - judges a loop model: a proved idiom, or everything that failed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: compilers turn one source loop into many forms, and one form of a loop
// may be a copy for some inputs only. A pattern matcher answers yes or no, and cannot
// say why not.
//
// The approach is a proof in small steps. Each step states what must hold for the
// loop to be replaced, finds out whether it does, and records both as a Fact. A step
// has three outcomes: proved, refuted, or true under a condition that can be tested
// at run time. The facts are the remark that the programmer sees, so a step that
// fails does not end the proof.
//
// - facts.cpp: steps that hold for every idiom (trip count, exits, addresses,
//   effects).
// - nominate.cpp: decides by the stored bytes whether it may be a copy or a fill.
// - contiguous.cpp, region.cpp: proves that the stores tile one region, or rows.
// - fill.cpp, copy.cpp: the pattern; the source and its overlap with the destination.
// - reduce.cpp: loops that only read. It asks the families (families.h) one after the
//   other, which evaluate the body in the rings of algebra/; source.cpp: what they read.
// - fixed.cpp, counter.cpp, stored.cpp: values in memory that the loop reads or
//   writes again.
// - search.cpp: loops that end at what they read.
// - sequence.cpp: several operations in one loop.
// - register.cpp, number.cpp: few iterations, which are all evaluated.
// - generator.cpp: tables whose entries are functions of their index.
//
// The result is a Match: the idiom with its regions and values as expressions over
// loop invariants. It does not say what becomes of the loop; that is decide/.
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_H
#define MEMLIFT_IDIOMS_RECOGNIZE_H

#include "../algebra/linearword.h"
#include "../algebra/shiftregister.h"
#include "../loop.h"

#include <optional>
#include <variant>

namespace memlift {

/// The order matters: a loop with several sums is named after the greatest of their
/// idioms.
enum class Idiom : uint8_t {
  None,
  Fill,
  Copy,
  Move,
  CopySwap,
  CopyReverse,
  Sum,
  WeightedSum,
  Hash, // of a kind that has no faster form: FNV, Jenkins
  Polyhash,
  Crc,
  InetChecksum,
  ModularSum,
  XorFold,
  Search,  // for a byte that ends the loop
  Compare, // for bytes that differ
  // a copy, and sums of the bytes copied
  CopySum,
  CopyInetChecksum
};
/// Outcome of one proof step. Guarded: tested at run time. Assumed: follows from an
/// option that the user chose.
enum class Verdict : uint8_t { Proved, Guarded, Assumed, Failed, Unchecked };

/// One step of the proof: the requirement, the finding, and its evidence.
struct Fact {
  std::string name; // "trip count", "destination contiguous", ...
  Verdict verdict = Verdict::Unchecked;
  Diag code = Diag::None; // set when failed
  std::string need, have, evidence;
};

/// Condition under which a copy may run as one operation.
enum class Overlap : uint8_t {
  Disjoint,        // proved apart: copy
  MoveSafe,        // proved that moving gives the loop's result: move
  GuardAscending,  // move, if dst - src >= bytes (unsigned): dst below or apart
  GuardDescending, // move, if src - dst >= bytes (unsigned): dst above or apart
  GuardDisjoint,   // copy, if both differences >= bytes
};

/// The kinds of reductions. Each is computed modulo 2^width of its recurrence. "Elements"
/// are words of elementBytes, in address order; m is their number.
struct ReductionKinds {
  /// init + factor * sum(elements) + iterations * perIteration
  struct Sum {
    uint64_t factor = 1;
    ExprId perIteration = NoExpr; // NoExpr: 0
    /// `factor` is that of elements 0, 2, 4 ..., and `odd` that of 1, 3, 5 ... With one
    /// element an iteration, the number of elements may be odd.
    bool pairs = false;
    uint64_t odd = 0;
  };
  /// init + m * partner's init + sum((m - i) * element i), i = 0..; minus sum(elements)
  /// if `exclusive`.
  struct WeightedSum {
    uint32_t partner = 0;         // the recurrence that it sums up
    bool exclusive = false;       // it adds the partner before its update
    ExprId perIteration = NoExpr; // added to each element; NoExpr: 0
  };
  /// The shift register that `recs` hold in the representation `representation`.
  struct Crc {
    CrcRepresentation representation;
    /// The polynomial, if the program computes it: 64 bits, placed as in the state. That
    /// of `representation` has no meaning then, and no constant is mixed in.
    ExprId poly = NoExpr;
    std::vector<uint32_t> recs; // the lowest bits first
    /// If not 0, the bytes of each word of so many are taken from the last to the first; or all
    /// bytes of the region.
    unsigned word = 0;
    static constexpr unsigned allBytes = ~0u;
    /// An invariant condition, or NoExpr. If it is false, `other` and `otherPoly` replace
    /// `representation` and `poly`.
    ExprId choice = NoExpr;
    CrcRepresentation other = {};
    ExprId otherPoly = NoExpr;
    /// The address of a table with 256 entries of `entryBits`, if nobody knows what is in it. Then
    /// width and direction tell how it is looked up, and there is no polynomial. The bits of the
    /// recurrence above the width are 0 after an iteration, or not used.
    ExprId table = NoExpr;
    unsigned entryBits = 0;
    unsigned slices = 0; // tables, one after the other, that are looked up at once; 0: a single one
    /// If not 0, so many registers side by side take the region's words of eight bytes in turn, and
    /// this is the register that takes word `lane` first. Each runs on to its next word.
    unsigned lanes = 0, lane = 0;
  };
  /// The ones' complement sum of `state` and the elements, modulo 2^modulus - 1, with its
  /// start value within that. If `direct`, the live-out is the sum. Else it is what the
  /// last iteration makes of the sum before it, put in recurrence `main` with all others
  /// 0.
  struct Ones {
    unsigned modulus = 16;
    ExprId state = NoExpr; // 64 bits
    bool direct = true;
    uint32_t main = 0;
  };
  /// init + how often the partner's sum passed 2^(its width)
  struct Carries {
    uint32_t partner = 0;
  };
  /// (init + sum(elements)) reduced modulo `modulus`, 2 .. 2^32. If `fold`, the result is
  /// 0 for a true zero, else 1 .. modulus; if not, 0 .. modulus - 1.
  struct ModularSum {
    uint64_t modulus = 0;
    bool fold = false;
  };
  /// WeightedSum, with both sums reduced in each iteration.
  struct ModularWeightedSum : ModularSum {
    uint32_t partner = 0;
    bool exclusive = false;
    bool partnerFold = false; // of the first sum, as `fold` is of this one
  };
  /// init ^ every element, extended as `isSigned` tells
  struct XorFold {};
  /// init * factor^m + sum(factor^(m-1-i) * element i)
  struct Polyhash {
    uint64_t factor = 1;
  };
  /// init + sum(elements), in 128 bits
  struct WideSum {};
  /// init + each * m + other * (iterations - m), where m bytes are `byte`
  struct Count {
    ExprId byte = NoExpr; // 8 bits
    uint64_t each = 1, other = 0;
  };
  /// Values that the last iteration reads: see lastRead.
  struct Last {};
};

/// A live-out that is a function of the bytes read.
struct Reduction : ReductionKinds {
  std::variant<Sum, WeightedSum, Crc, Ones, Carries, ModularSum, ModularWeightedSum, XorFold,
               Polyhash, WideSum, Count, Last>
      kind;
  uint32_t liveOut = 0, rec = 0;
  bool stored = false; // the value is stored at Match::dst and is no live-out
  unsigned elementBytes = 1;
  bool isSigned = false, swapped = false;
  unsigned elementsPerIteration = 1;
  /// The recurrence is the low bits of the live-out's. After an iteration there are
  /// no other bits; the start value may have more.
  bool wideStart = false;

  template <class Kind> bool is() const { return std::holds_alternative<Kind>(kind); }
  /// Returns what is known of that kind, or null if the reduction is of another.
  template <class Kind> const Kind *as() const { return std::get_if<Kind>(&kind); }
};

/// Returns the recurrence that a sum of sums adds up, or null.
inline const uint32_t *partnerOf(const Reduction &r) {
  if (auto *sum = r.as<Reduction::WeightedSum>())
    return &sum->partner;
  auto *sum = r.as<Reduction::ModularWeightedSum>();
  return sum ? &sum->partner : nullptr;
}

/// A counter that each iteration stores. It is stored once, after the operation that
/// replaces the loop: `bytes` bytes.
struct FinalStore {
  ExprId address;
  uint32_t base;
  unsigned bytes;
  uint64_t align;
  ExprId value;
  int pointsInto = -1; // if >= 0, the value is an address in this base's object
};

/// Fewer iterations of a loop that touches no memory are no work to save.
constexpr uint64_t leastSteps = 8;

/// Values of a loop that touches no memory, each a linear function over GF(2) of `inputs`.
struct RegisterSteps {
  struct Value {
    uint32_t liveOut;
    LinearWord word; // its columns are of the inputs, in their order
  };
  std::vector<ExprId> inputs; // invariants of at most 64 bits
  std::vector<Value> values;
};

/// A live-out that is a word of memory, perhaps with other bytes beside it: see number.cpp.
struct WordRead {
  uint32_t liveOut;
  unsigned bytes; // of the word
  uint64_t align; // proved, of its address
  ExprId value;   // reads memory, which the loop does not write
};

/// A table whose entries are linear functions over GF(2) of their places, besides its region.
struct LinearTable {
  unsigned entryBytes = 0; // 1, 2, 4 or 8
  ExprId first = NoExpr;   // entry 0; like all of these, of the entries' width
  /// Entry 2^k, exclusive-ored with entry 0. There are 2^(their number) entries.
  std::vector<ExprId> atBit;
};

/// A loop that is left at a byte. `src` of the match is where the first iteration reads.
struct SearchForm {
  /// Ends of the loop: a byte of a set, one that is another; or two bytes that differ, or a byte
  /// of a set, too.
  enum Kind : uint8_t { Any, Not, Differs, DiffersOr } kind = Any;
  std::vector<ExprId> set; // bytes, 8 bits each: up to 4; of Not and DiffersOr one
  bool backwards = false;  // Any only, with one byte and a trip count
  bool bounded = false;    // the trip count is one
  uint64_t elementBytes = 1;
  uint64_t shift = 0;    // an iteration may end at an element so much further on
  ExprId other = NoExpr; // Differs, DiffersOr: where the first iteration reads the second region
  uint32_t otherBase = 0;
  uint32_t load = 0, otherLoad = 0; // accesses
};

/// A fill, besides its region.
struct FillForm {
  unsigned period = 0;         // bytes of the pattern, 1..16
  ExprId pattern = NoExpr;     // its first 8 bytes
  ExprId patternHigh = NoExpr; // the others, if the period is above 8
  /// True if `pattern` is a native-endian value of 8*period bits (fill8/16/32/64). Else it
  /// and patternHigh are 64 bits each, with byte j in bits 8j..8j+7 (fill_pattern,
  /// fill_pattern16).
  bool native = true;
};

/// A copy or move, besides its regions.
struct CopyForm {
  Overlap overlap = Overlap::Disjoint;
  /// Under a guard on the overlap: the first 1, 2, 4 or 8 bytes of the source. If the
  /// destination is exactly that many bytes above it, the loop repeats them, which is a
  /// fill. NoExpr if that is not known.
  ExprId repeated = NoExpr;
  /// Under a guard on the overlap: the loop goes upwards in steps of so many bytes.
  /// Whatever overlaps, it reads each step before it writes it, and writes it before it
  /// reads the next. 0 if that is not known.
  unsigned step = 0;
  unsigned swap = 0;    // copy_swap: bytes of the words, 2, 4 or 8
  unsigned reverse = 0; // copy_reverse: bytes of the words, 1, 2, 4 or 8
};

struct Match {
  Idiom idiom = Idiom::None; // also set when a nominated idiom failed
  bool ok = false;
  std::vector<Fact> facts; // in proof order, every failing one included

  // The rest is valid if ok.
  uint32_t dstBase = 0, srcBase = 0;
  ExprId dst = NoExpr, src = NoExpr; // lowest byte's address, as an integer
  ExprId bytes = NoExpr;             // total, pointer width; with rows: bytes of each row
  /// If not NoExpr, the number of rows, done one after the other. Each begins `pitch`
  /// bytes after the one before; the pitch may be negative, and rows may overlap.
  ExprId rows = NoExpr;
  ExprId dstPitch = NoExpr, srcPitch = NoExpr;
  uint64_t dstAlign = 1, srcAlign = 1;
  uint64_t dstTouched = 1, srcTouched = 1; // alignments that hold if there are any bytes
  uint64_t maxBytes = 0;                   // 0 if unknown
  /// Bytes of loops that continue one another which are known with less work than all of theirs,
  /// and are few where these are.
  ExprId longBy = NoExpr;
  /// Operation that writes: a fill, a copy, or several of them, one after the other
  /// (sequence.cpp). Of the fields above, only idiom, facts, bytes (of the first) and
  /// condition (of all) apply to a sequence.
  std::variant<std::monostate, FillForm, CopyForm, std::vector<Match>> writes;
  /// Sums use src, srcBase, bytes and these; `iterations` is the number of iterations. A
  /// copy may have sums of the bytes copied.
  std::vector<Reduction> reductions;
  ExprId iterations = NoExpr;
  std::optional<SearchForm> search; // instead of all reductions
  /// With a search: the operation that is all iterations but the last, of which its trip count is
  /// entryOf() the search. None, or one.
  std::vector<Match> work;
  std::optional<RegisterSteps> registers; // instead of all regions and reductions
  std::vector<WordRead> wordsRead;        // likewise
  std::optional<LinearTable> linear;      // fills the region at dst
  bool stored = false;                    // sums: one is stored at dst
  bool descending = false;                // sums: from the last byte to the first
  std::vector<FinalStore> finals;         // copies and fills
  /// A further condition for all of this, or the loop has to run; NoExpr: none.
  ExprId condition = NoExpr;

  /// Returns the fill or the copy, or null if it is none.
  const FillForm *fill() const { return std::get_if<FillForm>(&writes); }
  const CopyForm *copy() const { return std::get_if<CopyForm>(&writes); }
  /// Returns the copy, which it becomes if it is none.
  CopyForm &toCopy() {
    auto *copy = std::get_if<CopyForm>(&writes);
    return copy ? *copy : writes.emplace<CopyForm>();
  }
  /// Returns Disjoint if it is no copy.
  Overlap overlap() const { return copy() ? copy()->overlap : Overlap::Disjoint; }
  /// Returns the bytes of the words that a copy swaps; 0: none.
  unsigned swap() const { return copy() ? copy()->swap : 0; }
  /// Returns the bytes of the words whose order a copy reverses; 0: none.
  unsigned reverse() const { return copy() ? copy()->reverse : 0; }
  /// Returns true if not every byte is at the same distance from its source.
  bool reorders() const { return swap() || reverse(); }
  /// Returns the operations of a sequence; none if it is a single operation.
  const std::vector<Match> &sequence() const {
    static const std::vector<Match> none;
    auto *list = std::get_if<std::vector<Match>>(&writes);
    return list ? *list : none;
  }
};

/// Returns true if no proof can succeed, whatever else the loop model says, since
/// every obstacle is a failed fact. A reader may stop there if no remark needs the
/// other facts.
bool isHopeless(const Loop &loop);

/// Returns true if the value is what the last iteration reads, extended or truncated,
/// and can be read again after the loop: there is an iteration, and nothing is
/// written.
bool readAtLast(const Loop &loop, ExprId value);
/// Reads the value again from where the last iteration reads it.
ExprId lastRead(Loop &loop, ExprId value);

/// Returns the iteration at which a loop that ends at what it reads is entered, after the call that
/// is result 0 and looks at all iterations.
ExprId entryOf(Loop &loop, const SearchForm &form);

/// Compares the reasons for a loop that was read twice: with the values that it reads
/// again taken as fixed, and without. Returns true if the former's reasons say more,
/// as the latter lacks something that is known there.
bool saysMore(const Match &asFixed, const Match &plain);

/// Rewrites offsets whose narrow indices differ by constants so that the offsets
/// differ by constants too, under assumptions that it adds.
void relateOffsets(Loop &loop);

/// Judges a loop model. Adds expressions to loop.exprs, and recurrences after those
/// present; changes nothing else. If `quiet`, no remark is made: once a step has
/// failed, no family is searched for.
Match recognize(Loop &loop, bool quiet = false);

const char *nameOf(Idiom i);
const char *nameOf(Verdict v);
/// Returns the codes of all failed facts, in proof order, without repeats.
std::vector<Diag> failedCodes(const std::vector<Fact> &facts);

} // namespace memlift

#endif
