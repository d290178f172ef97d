// decide.h - idiom + facts + core + mode -> inline | call | guarded call | keep
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writers carry out a Decision without changing it: they materialise expressions, emit the call
// or the words, and remove the loop or put it on the guard's other branch.
//
// A match says that a loop is, for instance, a copy. What becomes of it depends on more: the size
// (if it is constant, or bounded), the alignment, the core, the runtime that may be called, the
// function's attributes and options. A decision is one of these:
//
// - Kept: the loop stays. The decision has the reason, and advice that was tried.
// - Lowered: a call of the runtime, of the C library or of the user's own routine.
// - Inlined: words in a straight line, or loops in place (InlineLoop), if no routine may be
//   called or the size is small.
// - Guarded: either of them if `guard` holds at run time, and else the loop as it was.
// - Already: the source has a call, and it stays.
//
// Loops in place are described by data, too: loads, stores and scalars of one iteration as
// expressions, with branches around loops. So the knowledge of cores is here.
#ifndef MEMLIFT_IDIOMS_DECIDE_H
#define MEMLIFT_IDIOMS_DECIDE_H

#include "../recognize/recognize.h"
#include "gain.h"
#include "map.h"

#include <functional>

namespace memlift {

/// Routines that may be called: the library's, the C library's, or none.
enum class RuntimeMode : uint8_t { Memlift, Libc, None };
/// Cost of an unaligned access of a word.
enum class Unaligned : uint8_t { Trap, Slow, Fast };

/// A record of Cores.td, which explains the members and their sources. Times are in cycles, sizes
/// in bytes. The members have the order of the generated table.
struct Core {
  const char *name;
  const char *aliases; // comma-separated
  bool inOrder;
  unsigned wordBytes, issueWidth, loadUse, rewrite;
  Unaligned unaligned;
  unsigned groupWords, unroll, accumulators;
  unsigned inlineMaxBytes, expandMaxBytes;
  unsigned blockZero; // bytes that one instruction clears; 0: it has none
  bool countsLoops;
  unsigned lineBytes, storeTenths, multiply, afterProduct;

  /// Instructions issued before a load's value can be used.
  unsigned loadDistance() const { return loadUse * issueWidth; }
  /// An instruction stalls if it overwrites a register written just before.
  bool rewriteWaits() const { return rewrite > 1; }
};
/// Returns the record of Cores.td with this name or alias (a -mcpu/-mtune spelling), or null.
const Core *findCore(const std::string &name);
/// A variant of the core that may not access unaligned words.
const Core &alignedOnly(const Core &core);
/// The core assumed for a target if none is named. `triple` is enough of a target triple to
/// identify the architecture ("x86_64", "riscv64-linux-gnu").
const Core &defaultCore(const std::string &triple);
std::string coreNames(); // for messages: "generic, sifive-u74, ..."

/// Capabilities of the function's target besides its core's pipeline.
struct TargetFacts {
  bool clmul = false;                 // carry-less products of 64-bit words: Op::ClMul
  bool crc32 = false, crc32c = false; // an instruction for steps of that CRC
  /// The option that would add products, as the user writes it; "" if none.
  const char *option = "";
  bool vectors = false; // vector registers, for the compiler's vectoriser
  /// The architecture has an instruction that clears a block, and one that asks whether it may be
  /// used: Op::ClearsBlocks, InlineLoop::clears. They are for ordinary memory only, so not for
  /// code that runs before there is any.
  bool clears = false;
  bool checksTables = false; // memlift_crc_table_* test tables here, and memlift_crc_lanes folds
};

/// Habits of the compiler that is to compile loops in place. Where one of them would spoil a loop,
/// the decision says how that is prevented, and a plugin prevents what its compiler does.
struct CompilerFacts {
  bool hoistsLoads = false;    // loads all of an iteration first, even if registers run out
  bool widensProducts = false; // computes 64 bits of a product of 32 bits
  bool countsDescents = false; // counts iterations beside pointers that step down
  bool overlapsValues = false; // computes as many values at a time as there are registers
  bool mergesShifted = false;  // computes x | x << n in the register of x << n
  bool stepsLast = false;      // steps all pointers at the end of an iteration

  /// Facts of a compiler that has every habit.
  static constexpr CompilerFacts all() { return {true, true, true, true, true, true}; }
};

/// Trials of a decision: if one in twenty differs, this many mostly show it.
constexpr unsigned verifyTrialsAsked = 64;

/// Options of the command line and the target that decisions depend on.
struct Options {
  RuntimeMode runtime = RuntimeMode::Memlift;
  bool runtimeGiven = false;  // --memlift-runtime= was given; it overrides noBuiltin
  const Core *core = nullptr; // null: generic
  bool coreNamed = false;     // by the user; else it is the target's default
  /// judge() compares each decision with the loop model so often before it is believed:
  /// --memlift-verify, and always in builds with assertions.
#ifdef MEMLIFT_VERIFY
  unsigned verifyTrials = verifyTrialsAsked;
#else
  unsigned verifyTrials = 0;
#endif
  bool searches = true;                // loops that end at what they read may become calls
  bool quiet = false;                  // no remarks are made, so the first reason is enough
  SymbolMap map;                       // the user's own routines
  std::function<TargetFacts()> target; // called only if it matters; null: no capabilities
  CompilerFacts compiler;
};

/// The kinds of decisions: a call; words or loops in place; either under a guard with the loop on
/// the other branch; the loop as it is; a call that stays as it is.
enum class DecisionKind : uint8_t { Lowered, Inlined, Guarded, Kept, Already };

/// A word of an inline expansion: `bytes` bytes at dst + offset. A copy loads all words in order,
/// then stores them.
struct InlineWord {
  uint64_t offset;
  unsigned bytes; // 1, 2, 4 or 8
  uint64_t dstAlign, srcAlign;
  ExprId value; // fill: the native-endian value; copy: NoExpr
};

/// A loop over words, for more of them than a straight line may have: `iterations` times
/// `count` words each, from the first byte on. The decision's words come after it. A copy loads
/// the words of an iteration, then stores them.
struct WordLoop {
  uint64_t iterations = 0;       // 0: there is no such loop
  unsigned count = 0, bytes = 0; // words of an iteration; bytes of each
  ExprId value = NoExpr;         // fill: the native-endian value; copy: NoExpr
};

/// A scalar of a loop in place; Op::Rec in `next` of its loop is an index of these.
struct InlineScalar {
  unsigned width; // at most 64; or 128, made of Op::Pair
  ExprId init, next;
};

/// A load of a loop in place.
struct InlineLoad {
  uint64_t offset; // from start + iteration * step
  unsigned bytes;  // 1, 2, 4, 8 or 16; Op::Load of `next` is an index of these
  uint64_t align;
  /// The region that it reads: FromStart, FromTo, or FromMore plus an index of InlineLoop::more.
  unsigned from = FromStart;
  enum : unsigned { FromStart, FromTo, FromMore };
};

/// A region of loads in place that start neither at `start` nor at `to` of their loop.
struct InlineRegion {
  ExprId at; // an address in the object of `base`
  uint32_t base;
  uint64_t step; // bytes, for each iteration
};

/// A store of a loop in place.
struct InlineStore {
  uint64_t offset; // from to + iteration * step
  unsigned bytes;  // 1, 2, 4 or 8
  uint64_t align;
  ExprId value; // value in this iteration, written like `next` of a scalar
};

/// A phi after a branch. `ifTrue` is its value from the first arm, `ifFalse` from the second arm,
/// or from before the branch if there is no second arm. Pointer width.
struct Phi {
  enum Kind : uint8_t { Number, Source, Destination }; // an address in one of the regions
  ExprId ifTrue, ifFalse;
  Kind kind;
};

/// Branch probability of the first arm, in tenths. An estimate, used for block placement only.
enum BranchWeight : unsigned { Seldom = 1, Half = 4, Mostly = 6 };

/// A conditional branch before the loop that holds it. Its phis are Op::Result after it, numbered
/// after the scalars of the loops in its arms.
struct Branch {
  ExprId condition;     // width 1
  size_t loops, others; // loops of the first arm; after these, of the second
  BranchWeight weight;  // estimate that the condition holds, for block placement
  std::vector<Phi> phis = {};
};

/// The place in an iteration where the pointers of a loop in place step: after its accesses, before
/// them (CompilerFacts::countsDescents), or, for that of loads before stores, after the last load
/// (CompilerFacts::stepsLast).
enum class PointerStep : uint8_t { Last, First, AfterLoads };

/// A counted loop that takes the place of a call. It runs `trip` times, perhaps never. An
/// iteration loads, then stores, and its scalars get their next values. In these and in stored
/// values, Op::Iv is the iteration and Op::Table one of the decision's tables.
struct InlineLoop {
  ExprId trip;
  ExprId start = NoExpr; // of loads: an address in the region of match.src
  ExprId to = NoExpr;    // of stores: an address in that of match.dst
  /// Where accesses may fault: the address up to which bytes have been stored, if it stores none.
  ExprId reached = NoExpr;
  ExprId end = NoExpr;  // of stores, if it is known without a sum: `to` plus all steps
  bool resumes = false; // faults of the loops before it lead here: it may run longer than `trip`
  uint64_t step = 0;    // bytes; like offsets modulo 2^64, so downwards it is below 0
  /// The address equals the final address of the nearest loop before that has one, so a pointer
  /// may continue from it.
  bool startFollows = false, toFollows = false;
  std::vector<InlineRegion> more; // they continue the loop before if `to` does
  /// If not 0, the iteration alternates: so many loads, then as many stores. 0: all loads come
  /// first. Without stores, so many loads are done before they are used; 0: in any order. Then it
  /// is 0 unless CompilerFacts::hoistsLoads.
  size_t group = 0;
  size_t groupStores = 0; // if not 0, so many stores for each group of loads
  /// If not 0, an iteration is one instruction that clears so many bytes at an address that is a
  /// multiple of them; it loads and stores nothing else. The loop is under a branch on
  /// Op::ClearsBlocks.
  unsigned clears = 0;
  /// Branches that begin before this loop, the outermost first. Scalars of loops in an arm are
  /// used in that arm only, and no loop after it continues one inside it.
  std::vector<Branch> branches;
  bool few = false; // not to be unrolled or vectorised: it already is, or is not worth it
  /// Loads are of whole words, which may include bytes before or after the region, and even
  /// outside the object. The compiler must not know which object it is.
  bool hidden = false;
  /// It stores products of at most 32 bits on a core whose multiplier is busy with each of them,
  /// longer if it computes 64 bits. Other work fits between two products. Only if the compiler
  /// widensProducts.
  bool multiplies = false;
  /// Products of a group are computed one right after the other: any other operation would stall
  /// after each of them.
  bool multipliesFirst = false;
  /// Each value is stored before the next is computed: no operation waits for another, so
  /// computing several at a time gains nothing and takes registers. Only if the compiler
  /// overlapsValues.
  bool inTurn = false;
  PointerStep pointers = PointerStep::Last;
  std::vector<InlineLoad> loads;
  std::vector<InlineStore> stores;
  std::vector<InlineScalar> scalars;
};
/// Returns the loads that the value of store `i` uses, and no value before it.
std::vector<size_t> firstUsed(const ExprGraph &g, const InlineLoop &l, size_t i);
struct Decision;
/// Sets what keeps the compiler's habits from spoiling the decision's loops on the core.
void schedule(const Loop &loop, const Options &options, Decision &d);
/// Sets InlineLoop::multiplies and multipliesFirst of the decision's loops; schedule() calls it.
void markMultiplies(const ExprGraph &g, const Options &options, Decision &d);
/// Returns the varying products of at most `bits` bits in a value, operands first.
std::vector<ExprId> multipliesOf(const ExprGraph &g, ExprId value, unsigned bits = 32);
/// Returns the products in the values of one group of stores, from store `first` on.
std::vector<ExprId> multipliesOfGroup(const ExprGraph &g, const InlineLoop &l, size_t first);
/// Returns the number of loads that are done before store `i`.
size_t loadsBefore(const InlineLoop &l, size_t i);
/// Splits a condition into the conditions that all have to hold: `a and b`, and `a ? b : false`,
/// in which a is to be tested first.
std::vector<ExprId> conjuncts(const ExprGraph &g, ExprId condition);
/// Returns true if the condition fails if `count` is 0, since it requires a minimum of bytes.
bool failsWithout(const ExprGraph &g, ExprId condition, ExprId count);
/// Returns true if the loop after number `i` continues from where this one ends.
bool continues(const std::vector<InlineLoop> &loops, size_t i);
/// Returns true if loop number `i` steps pointers, of which one ends it, and needs no counter: it
/// stores, continues the loop before, or is continued.
bool stepsPointers(const std::vector<InlineLoop> &loops, size_t i);
/// Returns true if the loop has at most one iteration, so that nothing has to step.
bool runsOnce(const Loop &loop, const InlineLoop &l);
/// Calls `each` with the loops of a list in order. For a branch it calls `choose` with the
/// branch, the number of its first loop, and a function for each arm.
template <class Each, class Choose>
void walkLoops(const std::vector<InlineLoop> &loops, size_t from, size_t to, size_t depth,
               const Each &each, const Choose &choose) {
  for (size_t i = from; i < to; depth = 0) {
    if (depth == loops[i].branches.size()) {
      each(i++);
      continue;
    }
    const Branch &c = loops[i].branches[depth];
    size_t middle = i + c.loops, end = middle + c.others;
    auto inner = [&] { walkLoops(loops, i, middle, depth + 1, each, choose); };
    auto other = [&] { walkLoops(loops, middle, end, 0, each, choose); };
    choose(c, i, inner, other);
    i = end;
  }
}
/// Estimates, in tenths, how often the loop runs at all when control reaches it; used for block
/// placement. Little is left around a main loop, so often there is nothing.
unsigned runWeight(const Loop &loop, const InlineLoop &l);
/// Returns a value that is not 0 exactly if the trip count is not, and mostly cheaper.
ExprId runsAtAll(const Loop &loop, const InlineLoop &l);
/// Returns the distance from a loop's first to its final address: the trip count times the step,
/// of ptrBits. If the count was computed by a shift, it is not shifted back.
ExprId extentOf(Loop &loop, const InlineLoop &l);
/// From this index on, Op::Result is a final scalar of the decision's loops, in order, or a phi
/// of a branch.
constexpr uint64_t FinalResult = 1 << 16;

/// A call whose result is part of a live-out. A pointer argument is its address as an integer;
/// Op::Result names the result, 64 or 32 bits wide.
struct ReturningCall {
  Routine routine = Routine::None;
  /// Crc, CrcWords: the state, the address and the size, and the bytes of a word; the writer adds
  /// the address of a constant memlift_crc_poly for `crc` (crcTables()). CrcLanes: see lanesOf().
  std::vector<ExprId> args;
  CrcPoly crc;
  std::string symbol = ""; // the user's routine; empty: symbolOf(routine)
  ExprId inPlace = NoExpr; // if not NoExpr, no call is made: this value, from the loops' results
};
/// Returns the symbol that is called: the user's routine or the library's.
std::string calleeOf(const ReturningCall &c);

/// The value that replaces live-out `index`, over invariants, Op::Result and Op::Table of the
/// decision's tables.
struct LiveOutResult {
  uint32_t index;
  ExprId value;
};

/// If the decision's guard is false and this guard is true: fills with the loop's first bytes, by
/// a routine.
struct Repeat {
  ExprId guard = NoExpr; // width 1: true runs this, false the loop; NoExpr: there is no such case
  Routine routine = Routine::None;
  std::string symbol;       // as Decision::symbol
  std::vector<ExprId> args; // as Decision::args; may read memory

  bool exists() const { return guard != NoExpr; }
};

/// Accesses of a loop whose bytes are moved together. memlift/stream.h explains the members; they
/// are of pointer width.
struct StreamAccess {
  ExprId base, step, bytes;
  unsigned how;                   // a sum of these, as in memlift/stream.h
  std::vector<uint32_t> accesses; // of the loop model
  enum : unsigned { In = 1, Out = 2, Rows = 4 };
};

/// A loop that is cut into blocks. The writer keeps the loop, and shifts the addresses of these
/// accesses.
struct StreamPlan {
  std::vector<StreamAccess> accesses; // none: the loop is not cut
  ExprId iterations = NoExpr;         // iterations of the outermost loop
  ExprId cycles16 = NoExpr;           // sixteenths of a cycle to compute one; fits 32 bits
  uint64_t store = 0;                 // bytes of local store at most; 0: all that there is
  /// The source's loop runs while no thread has a local store, at its own speed. Else the loop over
  /// blocks does, with one block in the program's memory.
  bool whereBound = false;
};

/// Layout of the structures of memlift/stream.h, in bytes, and the functions that compiled code
/// calls. test/idioms/stream_layout_test.cpp compares them with the header.
struct StreamAbi {
  static constexpr unsigned mostAccesses = 8;
  static constexpr unsigned stateBytes = 832, planBytes = 16, accessBytes = 32, shiftBytes = 16;
  // Offsets in struct memlift_stream_access, memlift_stream_plan and memlift_stream_shift.
  static constexpr unsigned step = 8, bytes = 16, how = 24, cycles16 = 4, store = 8, slope = 8;
  static constexpr const char *begin = "memlift_stream_begin", *next = "memlift_stream_next",
                              *end = "memlift_stream_end";
  /// A uint32_t: the number of threads that have a local store.
  static constexpr const char *bound = "memlift_stores_bound";
};

/// Addresses, as integers, where loops end, and where their faults lead (shapeuser.cpp).
struct UserFixup {
  ExprId end = NoExpr, bytes = NoExpr; // of the destination; NoExpr: loops are counted
  ExprId apart = NoExpr;               // the source minus the destination; NoExpr: a fill
  ExprId value = NoExpr;               // of a fill: its byte, or a word of it if that is constant
  bool faults = false;                 // else the loops are only in least code (shapesmall.cpp)
  bool exists() const { return end != NoExpr; }
};

/// A loop that ends at what it reads, entered at a later iteration. Where the guard holds, that is
/// the first one that `early` ends, tested in order, or else, after the decision's calls, iteration
/// `to`. Where the guard does not hold, the loop is entered as before.
struct SkipPlan {
  struct Early {
    ExprId ends; // width 1; read memory that the loop reads
    unsigned iteration;
  };
  std::vector<Early> early;
  ExprId guard = NoExpr; // width 1; NoExpr: it always holds
  ExprId to = NoExpr;    // pointer width, over Op::Result
  /// Width 1, over result 0, or NoExpr. Where it holds, the other calls and the routine do all
  /// before `to`, and `results` are recurrences there; else the loop is entered as before.
  ExprId work = NoExpr;
  bool skips() const { return to != NoExpr; }
};

/// A value that the blocks of a loop join.
struct SpreadValue {
  uint32_t carry; // in Loop::carries
  Carry::Kind kind;
};

/// A loop whose blocks several threads compute. The writer makes a function of it.
struct SpreadPlan {
  ExprId iterations = NoExpr; // iterations of the outermost loop; NoExpr: there is no plan
  ExprId cycles16 = NoExpr;   // as in StreamPlan
  uint64_t unit = 1;          // iterations of which blocks are multiples
  std::vector<SpreadValue> values;
  /// Accesses that no access of another entry meets; others only read what is not written.
  std::vector<std::vector<uint32_t>> apart;
  bool local = false; // the loop's function is judged as one with memlift("stream")
  uint64_t store = 0; // bytes of local store that it asks for at most; 0: all that there is
};

/// Layout of struct memlift_spread_plan, and the names that compiled code uses.
/// test/idioms/stream_layout_test.cpp compares them with memlift/spread.h.
struct SpreadAbi {
  static constexpr unsigned mostValues = 8, planBytes = 24;
  static constexpr unsigned values = 4, join = 8, unit = 16; // offsets
  static constexpr const char *call = "memlift_spread";
  /// A uint32_t: the number of units that help.
  static constexpr const char *units = "memlift_spread_units";
};

/// A decision, complete: writers need nothing else but the loop model whose expressions it uses.
struct Decision {
  DecisionKind kind = DecisionKind::Kept;
  Diag code = Diag::None; // MLF1xxx if done, the first reason if kept
  Routine routine = Routine::None;
  std::string symbol;       // the user's routine, or empty
  std::vector<ExprId> args; // integers; a pointer argument is its address
  ExprId guard = NoExpr;    // width 1: true runs the routine, false the loop
  /// The guard tests for enough iterations alone, or for them first. So the loop on the other
  /// branch runs for few of them, and is not rare.
  bool longOnly = false, sizeFirst = false;
  /// The loop on the other branch is compiled as it would be alone, unrolled or vectorised: it
  /// sums few elements, which is faster than a call, or it runs for long operations, as an index is
  /// cut to few bits (a ring).
  bool keptAlone = false;
  Repeat repeat;                 // with a guard only
  std::vector<InlineWord> words; // Inlined
  bool compilersWords = false;   // Already: the compiler expands the call into words
  unsigned group = 0;            // words of a copy that are loaded before they are stored; 0: all
  WordLoop wordLoop;             // Inlined; for calls and assignments
  /// Sums and checksums: no routine above, but these calls, which only read memory, and the
  /// live-outs that are computed from their results.
  std::vector<ReturningCall> calls;
  std::vector<LiveOutResult> results;
  std::vector<InlineLoop> loops;  // before the calls, in this order
  UserFixup fixup;                // if it exists, `loops` end at addresses
  std::vector<Table> tables;      // for look-ups of the loops and of `results`
  std::string shape;              // description of the loops, for the remark
  bool rewriteWaits = false;      // Core::rewriteWaits, if the compiler mergesShifted
  std::vector<FinalStore> finals; // after everything else, also after `repeat`
  SkipPlan skip;                  // if it skips, nothing above but calls, routine and results
  StreamPlan stream;              // if it has accesses, nothing above but the guard
  SpreadPlan spread;              // the same, if it has iterations
  std::vector<Fact> facts;        // facts of the decision, after those of the proof
  /// If not empty, replaces routine and words: one decision for each operation of the match's
  /// sequence, carried out in order. None has a guard of its own.
  std::vector<Decision> sequence;
};

std::string calleeOf(const Decision &d);

/// The verdict on a loop, and advice that would change it.
struct Outcome {
  Match match;
  Decision decision;
  std::vector<std::string> suggestions;
  Gain gain; // of a kept loop: with the first suggestion
};

/// Returns the core that code is generated for.
const Core &coreOf(const Options &options);
/// Returns which routines the function may call: none if built-ins are off and no runtime was
/// named, or if its loops are only to be shaped.
RuntimeMode runtimeOf(const FunctionFacts &function, const Options &options);
/// Returns true if a call or assignment of so many bytes stays as it is, given that its addresses
/// are multiples of `align`.
bool staysInline(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options);
/// Returns true if the compiler expands so many bytes of that alignment into words by itself.
bool compilerMakesWords(uint64_t bytes, uint64_t align, unsigned ptrBits, const Core &core);
/// Returns how many low bits of a call's addresses a reader should try to prove zero. `bytes` is
/// the size if it is constant, else 0.
unsigned bitsToProve(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options);

/// Decides on a match, proved or not. Adds expressions to loop.exprs only.
Decision decide(Loop &loop, const Match &match, const Options &options);

/// Decides on a sequence of operations; decide() calls it.
Decision decideSequence(Loop &loop, const Match &match, const Options &options);

const char *nameOf(DecisionKind k);
/// Returns true if the writer has something to do: lowered, inlined or guarded.
bool isDone(DecisionKind k);
/// Returns true if the loops in place are the source's loop with grouped loads (group.h).
inline bool isGrouped(const Decision &d) {
  return d.code == Diag::Grouped || d.code == Diag::GroupedGuarded;
}

/// Returns true if the loop stays, but computes on blocks (stream.h).
inline bool isStreamed(const Decision &d) { return !d.stream.accesses.empty(); }
/// Returns true if several threads compute the loop.
inline bool isSpread(const Decision &d) { return d.spread.iterations != NoExpr; }

} // namespace memlift

#endif
