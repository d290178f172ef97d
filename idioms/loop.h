// loop.h - a loop as data: readers describe it, recognisers judge it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop model is a perfect nest of counted dimensions (none for a memcpy-like call or an
// aggregate assignment) around one straight-line body of memory accesses in program order.
// Everything in the real loop that does not fit is listed as an obstacle, so that nothing is lost
// silently. A loop that is no counted dimension at all (see cycles.h) has none, and obstacles
// only.
//
// Reader's contract
// - Every memory access of the loop appears in `accesses`, or makes an obstacle. Every other
//   effect (call, asm, fence, volatile, throw, infinite loop) is an obstacle SideEffects.
// - The address of an access in iteration (i0, i1, ...) is base + offset + sum(i_k * step[k]),
//   exact in pointer arithmetic. If it is not, set affine = false (with `why`), step empty.
// - offset, step[k], bytes and dims[k].trip are invariant in the whole nest and of pointer width.
// - dims[k].trip is the number of times the body of dimension k runs each time the nest's
//   preheader is reached: exact, the zero trip included; the writer can materialise it in the
//   preheader. It is NoExpr if unknown (add an obstacle).
// - A scalar access has constant bytes, and a store's value 8*bytes bits. A bulk access (memset
//   or memcpy inside the nest, any loop model of a call or an assignment) has any bytes; a
//   store's value is then either invariant and 8 bits wide (fill) or an 8-bit wide Load of the
//   bulk load (copy).
// - Pointers that differ by a computable offset from one another share a base.
#ifndef MEMLIFT_IDIOMS_LOOP_H
#define MEMLIFT_IDIOMS_LOOP_H

#include "diag.h"
#include "expr.h"
#include "function.h"

#include <memory>
#include <string>
#include <vector>

namespace memlift {

struct SourceLoc {
  std::string file; // as the compiler spells it; empty if unknown
  unsigned line = 0, col = 0;
};

enum class BaseKind : uint8_t { Unknown, Argument, Global, Local, Allocated };

/// A pointer that is invariant in the nest.
struct Base {
  std::string name;
  BaseKind kind = BaseKind::Unknown;
  uint64_t align = 1;       // bytes, proved, of the base pointer itself
  uint64_t objectBytes = 0; // size of the object pointed to, 0 if unknown
  bool noalias = false;     // restrict, or a fresh object
};

/// A loop-invariant value.
struct Symbol {
  std::string name;
  unsigned width;   // bits; floats are carried as their bits
  uint64_t max = 0; // upper bound, unsigned; 0 if unknown
  /// Upper bound if no subtraction of the source wraps below zero, for estimates of costs only: 0
  /// if it is no lower.
  uint64_t likely = 0;
  /// If >= 0, this symbol is live-out `liveOut` of the chain's loop number `stage`: its value
  /// after that loop, or its initial value if the loop did not run (see Loop::follows).
  int stage = -1;
  uint32_t liveOut = 0;
  /// The value as the source computes it, in Loop::source: for messages only. NoExpr: a name.
  ExprId source = NoExpr;
};

struct Dim {
  ExprId trip = NoExpr;
  uint64_t maxTrip = 0;    // 0 if unknown
  uint64_t likelyMost = 0; // of the trip count; see Symbol::likely
  bool nonzero = false;    // trip >= 1 wherever the writer inserts code
};

struct Access {
  bool store = false;
  uint32_t base = 0;
  bool affine = true;
  std::string why;      // if !affine: how the address changes
  bool mayWrap = false; // if !affine: a narrow index may wrap
  ExprId offset = NoExpr;
  std::vector<ExprId> step; // one per dim, outermost first
  ExprId bytes = NoExpr;
  uint64_t align = 1; // bytes, of the accesses' addresses
  bool conditional = false, isVolatile = false, atomic = false;
  unsigned addressSpace = 0;
  bool lookUp = false;      // if !affine: its value is a Table entry
  bool paddingBits = false; // the type has bits that a copy may not keep
  /// A load from an invariant address that runs in the first iteration: its uses have the value
  /// that it reads before the loop. That no store of the loop changes it is not known. Steps are
  /// 0, the size is constant. The store of a counter in memory may be fixed, too: the only store
  /// to the place of a fixed load, in each iteration and after it. The values of both, over Iv,
  /// are then those that they read and store if nothing else writes there.
  bool fixed = false;
  /// Stores: the stored value. A fixed load: the value that it reads, NoExpr if the loop model
  /// does not have it.
  ExprId value = NoExpr;
  SourceLoc loc;
  /// For a call or an assignment of any size: the proved alignment of its address. `align` is the
  /// compiler's own knowledge, and says nothing if there are no bytes.
  uint64_t proved = 1;
  std::string provedBy; // evidence for it, or the reason why it is not more
};

enum class AliasKind : uint8_t { May, None };

/// Bytes of a memset, memcpy or memmove, at most, that may be read as a plain load and store.
constexpr uint64_t maxValueBytes = 256;

/// The compiler's knowledge of two accesses over the whole nest. Accesses on one base are
/// compared by their offsets and need no entry; accesses on different bases without an entry may
/// alias.
struct Alias {
  uint32_t a = 0, b = 0; // access indices
  AliasKind kind = AliasKind::May;
  std::string evidence; // "restrict", "distinct objects", "TBAA", ...
};

/// A scalar that is carried from one iteration of the body to the next. The outer loops of a nest
/// must pass it on unchanged.
struct Recurrence {
  std::string name;
  unsigned width = 0;   // bits, at most 64, or 128
  ExprId init = NoExpr; // invariant: the value before the first iteration
  ExprId next = NoExpr; // after an iteration, over Rec (values before it), Load, Table, invariants
};

/// An array that is indexed by a computed value: a constant one, or (unknown, no entries) any
/// other. A look-up in the latter is also an access, with `lookUp` set. The entry is at
/// address + index * size modulo 2^ptrBits; the loop stores nothing.
struct Table {
  std::string name;
  unsigned entryBits = 0; // 8, 16, 32 or 64
  std::vector<uint64_t> entries;
  bool unknown = false;
  ExprId address = NoExpr; // unknown: of entry 0, invariant; NoExpr: it has no expression
};

/// A property of the loop that the loop model cannot express.
struct Obstacle {
  Diag code;
  std::string what; // in the programmer's terms
  SourceLoc loc;
};

/// An exit that depends on what an iteration reads. Its test runs after the first `after` accesses.
struct DataExit {
  ExprId leaves = NoExpr; // width 1, over Load and invariants: true leaves the loop
  uint32_t after = 0;
};

/// A scalar that an iteration of the outermost loop hands to the next one, and that is no counter.
struct Carry {
  std::string name;
  /// How it comes about, whatever the order of iterations: it is joined with values that do not
  /// depend on it, modulo 2^width, and used by nothing else in the loop. Other: not so. The least
  /// and the greatest one are of numbers without (U) or with (S) a sign.
  enum Kind : uint8_t { Add, Xor, And, Or, UMin, UMax, SMin, SMax, Other } kind = Other;
  SourceLoc loc;
};

/// A value that the loop computes and later code uses.
struct LiveOut {
  std::string name;
  bool rebuilt = false; // the writer can compute it without the loop
  /// The recurrence whose value after the last iteration this is (its initial value after no
  /// iteration), or -1. Then `rebuilt` is false, and the decision says in `results` what replaces
  /// it.
  int rec = -1;
  /// Bits that later code uses; the others may be anything. Not set for a value that is rebuilt.
  uint64_t used = ~uint64_t(0);
};

/// A value that code after a chain of loops uses.
struct Final {
  std::string name;
  ExprId value = NoExpr;
};

enum class Origin : uint8_t {
  Loop,
  Call,       // memset/memcpy/memmove, formed or written
  Assignment, // an aggregate assignment
};

/// A condition of width 1 over invariants without which the loop model does not describe the
/// loop: compilers cannot prove it, but a program can test it before the loop.
struct Assumption {
  Diag code;
  ExprId condition = NoExpr;
  std::string what;       // "the counter does not wrap"
  uint64_t otherwise = 0; // iterations, at least, where it does not hold; 0 if unknown
};

/// Facts about the whole function around the loop.
struct FunctionFacts {
  std::string name;
  bool off = false;       // attribute memlift("off")
  bool noBuiltin = false; // -ffreestanding, -fno-builtin
  Properties properties;  // reasons why its loops are kept, or nothing may be called
  bool implementsIdiom = false;
  /// Only loops in place, never calls: also where the function implements the idiom.
  bool shape = false;
  /// Accesses may fault: memlift("user"). `shape` is set, too.
  bool user = false;
  bool optSize = false; // -Os or -Oz
  bool anyCore = false; // neither a core was named, nor was the function to be shaped
  bool compact = false; // shapes are to be small: the same, and below -O3
  /// The compiler makes no calls of memset, memcpy or memmove of loops here, as GCC at -O1.
  bool formsNoCalls = false;
  /// The compiler makes vectors of a loop whose regions may overlap, under a test at run time, as
  /// GCC at -O3, and LLVM of loops that it does not unroll.
  bool versionsLoops = false;
  /// Bits of the vectors that the compiler makes of a loop over elements, however many these are;
  /// 0: it makes none.
  unsigned vectorBits = 0;
  /// Those of a loop that fills whole vectors, by a constant number of iterations, and whose
  /// regions are known to lie apart: GCC makes them at -O2, too.
  unsigned wholeVectorBits = 0;
  /// Bits of the widest numbers whose bytes those vectors swap: of numbers that are loaded and
  /// stored whole, and of those of which one side is single bytes.
  unsigned swapBits = 64, byteSwapBits = 64;
  bool noSwap = false; // the target has no instruction that swaps the bytes of a number
  /// The compiler calls the C library for copies and fills of a constant size that are too long to
  /// be expanded. GCC makes string instructions of most.
  bool callsLibrary = false;
  /// Its vectors have an instruction that makes elements four times as wide. GCC widens them twice.
  bool widensFourfold = false;
  /// It unrolls loops of vectors whose iterations are a constant number, as LLVM does.
  bool unrollsVectors = false;
  bool budgetSpent = false; // earlier loops in place have used up the function's budget
  bool trustTypes = false;  // --memlift-trust-types
  bool stream = false;      // arrays are to be moved by blocks
  bool spread = false;      // with `stream`: instead, blocks are to be computed by several threads
  bool local = false;       // with `spread`: and those are to be moved by blocks of their own
  uint64_t store = 0;       // bytes of local store for them at most; 0: all that there is
};

struct Loop {
  std::string id; // path:function#ordinal
  SourceLoc loc;
  /// A chain is loops that run one after the other with nothing between them. All their loop
  /// models describe the state before the first loop. So a trip count (of a call: its size) is 0
  /// if control skips the loop. The symbols and bases of the loop before come first, in their
  /// order.
  bool follows = false;      // continues the loop before it in a chain
  bool disjoint = false;     // no load of the chain overlaps a store of another loop
  std::vector<Final> finals; // of the last loop of a chain
  FunctionFacts function;
  Origin origin = Origin::Loop;
  unsigned ptrBits = 64;
  bool bigEndian = false;
  /// Bytes that the loop stores are loaded soon after it, or bytes that it loads are stored soon
  /// before, so that routines with masked accesses would wait for these. Said where the target has
  /// such routines.
  bool touchedNearby = false;
  /// Another loop, or a routine, loads bytes that the loop stores, soon after it: some of its loads
  /// are of bytes of two stores, if a routine stores what a loop would in other pieces.
  bool readInLoop = false;
  /// The function runs the loop in another loop, again and again.
  bool enclosed = false;
  /// An iteration of the outermost loop ends where its one test leaves the loop. So the loop may be
  /// left there after any iteration, and entered again. Said of functions with `stream` only.
  bool resumable = false;
  /// Bits of the vectors by which the compiler may compute this loop for several iterations of the
  /// loop around it at once; 0: it cannot.
  unsigned vectorBits = 0;
  /// Iterations of the nest each time that it runs, on average by a profile; 0: unknown. For
  /// estimates of costs only.
  uint64_t profiled = 0;
  std::vector<Base> bases;
  std::vector<Symbol> syms;
  std::vector<Dim> dims;        // outermost first
  std::vector<Access> accesses; // program order
  /// A loop that also ends at what it reads. If it stores nothing, and carries nothing but
  /// counters, it may be entered at any iteration before its end; else what the iterations before
  /// that store and carry is to be done, too. The trip count of its one dimension is for how many
  /// iterations it is not left at any other exit: all ones if there is none.
  std::vector<DataExit> dataExits; // in the order of their tests
  /// It also carries values to the next iteration alone, where nothing but code after the loop uses
  /// them. So it has to be entered an iteration earlier.
  bool carriesOver = false;
  std::vector<Recurrence> recs;
  std::vector<Table> tables;
  std::vector<Alias> aliases;
  std::vector<Obstacle> obstacles;
  std::vector<Assumption> assumptions;
  std::vector<LiveOut> liveOuts;
  /// All there are, of functions with `spread` only.
  std::vector<Carry> carries;
  /// Reasons why the loop's code has to run in its function or its thread, of the same functions.
  std::vector<Obstacle> bound;
  ExprGraph exprs;
  /// Symbols and expressions of Symbol::source. They are apart, so that `exprs` is the same
  /// whether messages are wanted or not.
  std::shared_ptr<const Loop> source;

  ExprId word(uint64_t v) { return exprs.constant(v, ptrBits); }
  AliasKind alias(uint32_t a, uint32_t b, std::string *evidence = nullptr) const;
};

/// Prints the loop model in the form that parseLoops reads.
std::string print(const Loop &loop);
std::string printExpr(const Loop &loop, ExprId id);

struct ParseError {
  unsigned line = 0, col = 0;
  std::string message;
};
/// Appends every loop of `text` to `loops`; false and `error` on bad input.
bool parseLoops(const std::string &text, std::vector<Loop> &loops, ParseError &error);

/// Returns an upper bound of an expression of at most 64 bits, anywhere in the loop.
uint64_t upperBound(const Loop &loop, ExprId id);
/// Returns the bits up to the highest one that its upper bound has; the others are 0.
uint64_t possibleBits(const Loop &loop, ExprId id);
/// Drops an assumption without which the loop would access more memory than any object has.
void dropCertain(Loop &loop);

/// Returns true if `name`, or its part before the first dot (a clone: memcpy.part.0), is a
/// function that implements a memory idiom: mem*, bcopy, bzero, wmem*, the runtime's own, or one
/// of the comma-separated `keep` list.
bool implementsIdiom(const std::string &name, const std::string &keep);

/// Returns true if `name` is one of the comma-separated `list`.
bool inList(const std::string &name, const std::string &list);

} // namespace memlift

#endif
