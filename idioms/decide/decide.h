// decide.h - idiom + facts + core + mode -> inline | call | guarded call | keep
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writers take a Decision as it is: they materialise expressions, emit the
// call or the words, and remove the loop or put it on the guard's other branch.
// No writer decides anything.
#ifndef MEMLIFT_IDIOMS_DECIDE_H
#define MEMLIFT_IDIOMS_DECIDE_H

#include "../recognize/recognize.h"
#include "map.h"

#include <functional>

namespace memlift {

enum class RuntimeMode : uint8_t { Memlift, Libc, None };
enum class Unaligned : uint8_t { Trap, Slow, Fast };

struct Core {
  const char *name;
  Unaligned unaligned;
  unsigned inlineMaxBytes; // constant sizes up to this stay inline
  unsigned groupWords;     // loads of a copy that come before their stores
  unsigned expandMaxBytes; // of calls that become words; 0: none does
  bool inOrder;            // what its loops leave undone, nobody does
  bool countsLoops;        // in hardware: a loop over single words costs nothing beside them
  unsigned issueWidth;     // instructions a cycle
  unsigned loadDistance;   // instructions that are issued until a load can be used
  unsigned accumulators;   // of a sum that is limited by its own additions
  unsigned unroll;         // iterations of a loop over memory whose loads come first
  // of a cycle, from store to store of a word: at 10 nothing hides behind them
  unsigned storeTenths;
  // a register that is written again at once keeps what writes it waiting
  bool rewriteWaits;
  // cycles from a product of 32 bits to the next; above 1, of more bits more
  unsigned multiply;
  unsigned afterProduct; // cycles that what is no product, load or store waits right behind one
  unsigned blockZero;    // bytes that one instruction clears; 0 if there is none
};
/// The record of Cores.td with this name or alias (a -mcpu/-mtune spelling), or
/// null if there is none.
const Core *findCore(const std::string &name);
/// The same core where no unaligned word may be accessed.
const Core &alignedOnly(const Core &core);
/// The core assumed for a target when nobody names one: `triple` is enough of
/// a target triple to tell the architecture ("x86_64", "riscv64-linux-gnu").
const Core &defaultCore(const std::string &triple);
std::string coreNames(); // for messages: "generic, sifive-u74, ..."

/// What the function is compiled for may have, beside its core's pipeline.
struct TargetFacts {
  bool clmul = false;                 // carry-less products, of words of 64 bits: Op::ClMul
  bool crc32 = false, crc32c = false; // an instruction for steps of that CRC
  const char *option = "";            // what adds products, as the user writes it; may be none
  bool vectors = false;               // registers of several numbers, for the compiler's vectoriser
  /// The architecture has an instruction that clears a block, and one that asks for it:
  /// Op::ClearsBlocks, InlineLoop::clears. Only of ordinary memory: not where the code is to run
  /// without any.
  bool clears = false;
};

/// Trials of a decision: where one differs at all, one in twenty mostly shows.
constexpr unsigned verifyTrialsAsked = 64;

struct Options {
  RuntimeMode runtime = RuntimeMode::Memlift;
  bool runtimeGiven = false;  // --memlift-runtime= was given: overrides noBuiltin
  const Core *core = nullptr; // null: generic
  bool coreNamed = false;     // by the user; else it is what the target's are taken for
  /// judge() runs each decision against the loop model so often before it is
  /// believed: --memlift-verify, and in builds with assertions always.
#ifdef MEMLIFT_VERIFY
  unsigned verifyTrials = verifyTrialsAsked;
#else
  unsigned verifyTrials = 0;
#endif
  bool quiet = false;                  // nobody reads reasons: the first that fails will do
  SymbolMap map;                       // the user's own routines
  std::function<TargetFacts()> target; // asked only where it matters; null: nothing
};

enum class DecisionKind : uint8_t { Lowered, Inlined, Guarded, Kept, Already };

/// The routine that a call goes to, with the C parameters in this order.
enum class Routine : uint8_t {
  None,
  Fill8,
  Fill16,
  Fill32,
  Fill64, // (ptr dst, iN value, size bytes)
  Fill64A8,
  Fill64A64,     // likewise; dst is a multiple of 8, of 64
  FillPattern,   // (ptr dst, i64 pattern, size period, size bytes)
  FillPattern16, // (ptr dst, i64 low, i64 high, size period, size bytes)
  Fill2d,        // (ptr dst, size pitch, i64 pattern, size period,
                 //  size width, size rows)
  Copy,
  Move, // (ptr dst, ptr src, size bytes)
  CopyA8,
  CopyA64,     // likewise; both are multiples of 8, of 64
  CopyForward, // (ptr dst, ptr src, size step, size bytes)
  CopySwap16,
  CopySwap32,
  CopySwap64, // (ptr dst, ptr src, size bytes)
  Copy2d,
  Move2d, // (ptr dst, size pitch, ptr src, size pitch,
          //  size width, size rows)
  SumU8,
  SumS8,
  SumU16,
  SumS16,
  SumU32,
  SumS32,
  SumU64, // i64 (ptr p, size bytes)
  SumSwapU16,
  SumSwapS16,
  SumSwapU32,
  SumSwapS32,
  SumSwapU64, // likewise
  WsumU8,
  WsumU16,
  WsumU32,
  WsumS8,
  WsumU64, // likewise
  XorU8,
  XorU16,
  XorU32,
  XorU64, // likewise
  PolyhashU8,
  PolyhashS8,
  PolyhashU16,
  PolyhashU32,
  PolyhashU64,
  // i64 (ptr p, size bytes, i64 h, i64 k)
  InetSum,
  OnesSumU32, // i32 (ptr p, size bytes, i32 init)
  OnesSumU64, // i64 (ptr p, size bytes, i64 init)
  ModsumU8,
  ModsumU16,
  ModsumU32,
  ModsumSwapU16,
  ModsumSwapU32,
  // i64 (ptr p, size bytes, i64 start, i64 m, i32 how)
  CopyInetSum, // i32 (ptr dst, ptr src, size bytes, i32 init)
  CopySumU16,  // i64 (ptr dst, ptr src, size bytes)
  Crc,         // i64 (i64 state, ptr p, size bytes, ptr poly)
  CrcAny,      // i64 (i64 state, ptr p, size bytes, i64 poly,
               //  i32 width, i32 reflected)
  Memset,      // (ptr dst, i32 byte, size bytes)
  Memcpy,
  Memmove, // (ptr dst, ptr src, size bytes)
};
const char *symbolOf(Routine r); // "memlift_fill8", "memset", ...
/// Whether one of libmemlift has that symbol.
bool isRoutine(const std::string &symbol);
bool returnsPointer(Routine r); // memset, memcpy, memmove
Routine withCopy(Routine sum);  // sums and copies; None if nothing does

/// One word of an inline expansion: `bytes` bytes at dst + offset. A copy loads
/// every word first, in order, then stores them.
struct InlineWord {
  uint64_t offset;
  unsigned bytes; // 1, 2, 4 or 8
  uint64_t dstAlign, srcAlign;
  ExprId value; // fill: the native-endian value; copy: NoExpr
};

/// More words than a straight line has: `rounds` times `count` of them, one behind the
/// other from the first byte on. The decision's words come behind these. A copy loads
/// the words of a round, then stores them.
struct WordLoop {
  uint64_t rounds = 0;           // none: there is no such loop
  unsigned count = 0, bytes = 0; // words of a round; bytes of each
  ExprId value = NoExpr;         // fill: the native-endian value; copy: NoExpr
};

/// A scalar of a loop in place; Op::Rec in `next` of its loop counts these.
struct InlineScalar {
  unsigned width; // at most 64; or 128, made of Op::Pair
  ExprId init, next;
};

struct InlineLoad {
  uint64_t offset; // from start + iteration * step
  unsigned bytes;  // 1, 2, 4, 8 or 16; Op::Load of `next` counts these
  uint64_t align;
  /// Where it reads: FromStart, FromTo, or a number of InlineLoop::more behind these.
  unsigned from = FromStart;
  enum : unsigned { FromStart, FromTo, FromMore };
};

/// Where loads of a loop in place begin that read neither at its start nor where it stores.
struct InlineRegion {
  ExprId at; // an address in the object of `base`
  uint32_t base;
  uint64_t step; // bytes, of an iteration
};

struct InlineStore {
  uint64_t offset; // from to + iteration * step
  unsigned bytes;  // 1, 2, 4 or 8
  uint64_t align;
  ExprId value; // of the iteration, as `next` of a scalar
};

/// A phi after a branch. `ifTrue` is its value from the first arm, `ifFalse` from the second, or
/// from before the branch where there is no second arm. Pointer width.
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
  size_t loops, others; // of the first arm; after these, of the second
  BranchWeight weight;  // that it holds: a guess, for the order of blocks
  std::vector<Phi> phis = {};
};

/// A counted loop that takes the place of a call. It runs `trip` times, which may
/// be none. An iteration loads, then stores, and its scalars get their next values.
/// In these and in what is stored, Op::Iv is the iteration and Op::Table one of the
/// decision's tables.
struct InlineLoop {
  ExprId trip;
  ExprId start = NoExpr; // of loads: an address in the region of match.src
  ExprId to = NoExpr;    // of stores: in that of match.dst
  uint64_t step = 0;     // bytes; as are offsets, modulo 2^64: downwards it is below 0
  /// The address is the one that the loop before has come to, or the last one before it that has
  /// such an address: a pointer may go on from it.
  bool startFollows = false, toFollows = false;
  std::vector<InlineRegion> more; // these go on from the loop before where `to` does
  /// So many loads, then as many stores, and again; 0: all loads come first. Where nothing is
  /// stored, so many loads in front of all that is done with them; 0: as the compiler likes.
  size_t group = 0;
  size_t groupStores = 0; // not as many stores, but so many; 0: as many
  /// An iteration is one instruction that clears so many bytes where it stores, a multiple of them;
  /// it loads and stores nothing else. Stands where Op::ClearsBlocks holds for so many.
  unsigned clears = 0;
  /// Outermost first. Scalars of what one of them covers are used there only, and nothing
  /// that stands behind it follows what stands in it.
  std::vector<Branch> branches;
  bool few = false; // not to be unrolled or vectorised: it is, or is not worth it
  /// Loads are of whole words, some bytes of which may lie in front of or behind the
  /// region, and even the object: no compiler may know which object it is.
  bool hidden = false;
  /// It stores products of at most 32 bits, and the core's multiplier is busy with each product,
  /// for longer where it is made one of 64. Beside it there is time for all that is done with the
  /// one before.
  bool multiplies = false;
  /// Products of a group stand side by side: what is no product, load or store would wait behind
  /// each.
  bool multipliesFirst = false;
  /// Each value is to be stored before the next is worked out: nothing of a value waits for
  /// anything, so that several at a time would gain nothing and take registers. (LLVM has it so by
  /// itself.)
  bool inTurn = false;
  std::vector<InlineLoad> loads;
  std::vector<InlineStore> stores;
  std::vector<InlineScalar> scalars;
};
/// The loads that the value of store `i` is made of, and no value before it.
std::vector<size_t> firstUsed(const ExprGraph &g, const InlineLoop &l, size_t i);
struct Decision;
/// Sets that of the decision's loops.
void markMultiplies(const ExprGraph &g, const Core &core, Decision &d);
/// The products of at most so many bits that a value of an iteration is made of, and that vary:
/// first those that others are made of.
std::vector<ExprId> multipliesOf(const ExprGraph &g, ExprId value, unsigned bits = 32);
/// All of them that the stores of one group are made of, from store `first` on.
std::vector<ExprId> multipliesOfGroup(const ExprGraph &g, const InlineLoop &l, size_t first);
/// What comes of loads before store `i`: all up to this one.
size_t loadsBefore(const InlineLoop &l, size_t i);
/// The conditions that a condition is made of: all have to hold.
std::vector<ExprId> conjuncts(const ExprGraph &g, ExprId condition);
/// Does the condition fail wherever `count` is 0, as at least so many bytes are asked for?
bool failsWithout(const ExprGraph &g, ExprId condition, ExprId count);
/// Does the loop behind number `i` go on from where this one leaves off?
bool goesOn(const std::vector<InlineLoop> &loops, size_t i);
/// Calls `each` with the loops of a list in their order; of a branch, `choose` gets it, the number
/// of its first loop, and what to call for each arm.
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
/// Of ten times that control comes to the loop, so often it is run at all: a guess, for the
/// order of blocks. Of what is left around a main loop there is often nothing.
unsigned runWeight(const Loop &loop, const InlineLoop &l);
/// Is not 0 exactly where the trip count is not, and mostly less to work out.
ExprId runsAtAll(const Loop &loop, const InlineLoop &l);
/// The bytes from where its addresses begin to where they end, of ptrBits: the trip count times the
/// step. Where iterations were counted by a shift, nothing has to be shifted back.
ExprId extentOf(Loop &loop, const InlineLoop &l);
/// Op::Result from here on: the scalars of the decision's loops, one after the
/// other, when their loop is done, and the phis of branches.
constexpr uint64_t FinalResult = 1 << 16;

/// A call whose result takes part in a live-out: a pointer argument is its
/// address as an integer; Op::Result names the result, 64 or 32 bits wide.
struct ReturningCall {
  Routine routine = Routine::None;
  /// Crc: the state, the address and the size; the writer adds the address of a
  /// constant struct memlift_crc_poly for `crc` (crcTables gives its tables).
  std::vector<ExprId> args;
  CrcPoly crc;
  std::string symbol = ""; // of the user's map; empty: symbolOf(routine)
  ExprId inPlace = NoExpr; // no call, but this, made of what the loops leave
};
/// What the call goes to: the user's routine or our own.
std::string calleeOf(const ReturningCall &c);

/// What takes the place of live-out `index`, over invariants and Op::Result.
struct LiveOutResult {
  uint32_t index;
  ExprId value;
};

/// Where the decision's guard is false and this one holds: the loop's first bytes, again
/// and again, by a routine.
struct Repeat {
  ExprId guard = NoExpr; // width 1: true runs this, false the loop; none: there is
                         // no such way
  Routine routine = Routine::None;
  std::string symbol;       // as Decision::symbol
  std::vector<ExprId> args; // as Decision::args; may read memory

  bool exists() const { return guard != NoExpr; }
};

struct Decision {
  DecisionKind kind = DecisionKind::Kept;
  Diag code = Diag::None; // MLF1xxx when done, the first reason when kept
  Routine routine = Routine::None;
  std::string symbol;            // of the user's map; empty: symbolOf(routine)
  std::vector<ExprId> args;      // integers; a pointer argument is its address
  ExprId guard = NoExpr;         // width 1: true runs the routine, false the loop
  Repeat repeat;                 // with a guard only
  std::vector<InlineWord> words; // Inlined
  bool compilersWords = false;   // Already: the compiler makes words of the call
  unsigned group = 0;            // words of a copy that are loaded before they are
                                 // stored; 0: all
  WordLoop wordLoop;             // Inlined, of calls and assignments
  /// Sums and checksums: no routine above, but calls that only read memory, in
  /// this order, and the live-outs that are made of their results.
  std::vector<ReturningCall> calls;
  std::vector<LiveOutResult> results;
  std::vector<InlineLoop> loops;  // in front of the calls, in this order
  std::vector<Table> tables;      // that the loops look up
  std::string shape;              // of the loops, for the remark
  bool rewriteWaits = false;      // Core::rewriteWaits
  std::vector<FinalStore> finals; // behind all of this, also behind `repeat`
  std::vector<Fact> facts;        // the decision's own facts, after the proof's
  /// Instead of a routine or words: one of these after the other, each of the match's
  /// part of the same number, and none with a guard of its own.
  std::vector<Decision> parts;
};

std::string calleeOf(const Decision &d);

/// The core that code is made for.
const Core &coreOf(const Options &options);
/// What may be called in the function: nothing where built-ins are off and no runtime was named,
/// nor where loops are only to be shaped.
RuntimeMode runtimeOf(const FunctionFacts &function, const Options &options);
/// A call, or an assignment, of so many bytes stays what it is, if its addresses are
/// multiples of `align`.
bool staysInline(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options);
/// Whether the compiler makes words of so many bytes that it knows to be aligned so.
bool compilerMakesWords(uint64_t bytes, uint64_t align, unsigned ptrBits, const Core &core);
/// Of so many lowest bits of a call's addresses it matters whether they are zero: what
/// a reader is to prove. `bytes` is the size if it is constant, else 0.
unsigned bitsToProve(uint64_t bytes, uint64_t align, unsigned ptrBits, const Options &options);

/// Decides on a match (ok or not). Adds expressions to loop.exprs only.
Decision decide(Loop &loop, const Match &match, const Options &options);

/// The same of a match of several parts (decide() sends it here).
Decision decideParts(Loop &loop, const Match &match, const Options &options);

const char *nameOf(DecisionKind k);
/// True if the writer has something to do: lowered, inlined or guarded.
bool isDone(DecisionKind k);
/// Is it the source's loop, its loads in groups (group.h)?
inline bool isGrouped(const Decision &d) {
  return d.code == Diag::Grouped || d.code == Diag::GroupedGuarded;
}

} // namespace memlift

#endif
