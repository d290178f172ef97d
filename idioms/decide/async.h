// async.h - where an operation is begun and where it is waited for, so that it runs beside the
// program SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   copy(d, s, n);                       t = begin_copy(d, s, n);
//   for (...) sum += work[i];     ->     for (...) sum += work[i];
//   use(d[0]);                           end(t);
//                                        use(d[0]);
//
// An operation is begun as early, and waited for as late, as nothing between looks at what it
// writes, writes what it reads or writes, or could let anybody else do so. What a statement does to
// an operation is the plugin's knowledge; the control flow is a graph of numbers here.
#ifndef MEMLIFT_IDIOMS_DECIDE_ASYNC_H
#define MEMLIFT_IDIOMS_DECIDE_ASYNC_H

#include "../remark.h"

namespace memlift {

/// Why an operation may not be under way where a statement runs.
enum class Stop : uint8_t {
  None,
  Reads,  // what the operation writes
  Writes, // what it writes
  Source, // what it reads is written
  Call,   // that may reach the memory, not return, or let others run
  Atomic, // access or fence
  Volatile,
  Assembler,
  Return,
  Jump,  // not into a block of the function: unwinding, a label's address
  Other, // another operation, on the same memory
  Again, // it would begin once more
};
const char *textOf(Stop stop);

constexpr uint32_t NoLoop = UINT32_MAX;

/// A block, and the statements in it: its last one leaves it.
struct FlowBlock {
  std::vector<uint32_t> succs, preds;
  uint32_t idom = 0;      // the nearest block that every way to it leads through
  uint32_t loop = NoLoop; // the innermost one around it
  uint32_t statements = 1;
};

struct FlowLoop {
  uint32_t header, parent = NoLoop;
  uint64_t rounds = 0; // 0: nobody knows
};

/// Blocks in reverse postorder, the function's entry first.
struct Flow {
  std::vector<FlowBlock> blocks;
  std::vector<FlowLoop> loops;
};

/// In front of a statement of a block.
struct FlowPoint {
  uint32_t block = 0, statement = 0;
  bool operator==(const FlowPoint &o) const { return block == o.block && statement == o.statement; }
};

/// What the plugin knows of statements.
class FlowFacts {
public:
  virtual ~FlowFacts() = default;
  /// Of the statement behind `at`; never asked of the operation itself.
  virtual Stop stop(size_t operation, FlowPoint at) = 0;
  /// Are the operation's arguments there?
  virtual bool available(size_t operation, FlowPoint at) = 0;
  /// Can it be computed there which of two ways a block will be left by?
  virtual bool decides(uint32_t block, FlowPoint at) = 0;
  /// What the statement is worth as company: 1 for a plain one, 0 for what vanishes.
  virtual uint64_t work(FlowPoint at) = 0;
};

/// A wait: in front of a statement, or on the way from one block into another.
struct AsyncWait {
  FlowPoint at;
  uint32_t to = NoBlock; // the edge from at.block; else NoBlock
  static constexpr uint32_t NoBlock = UINT32_MAX;
  Stop stop = Stop::None; // why
  FlowPoint cause;        // the statement that it is for
};

/// A test that an operation was moved above: its size is 0 if the way will not go from one block to
/// the other.
struct AsyncGuard {
  uint32_t from, to;
};

struct AsyncPlan {
  bool worthIt = false;
  FlowPoint begin;
  std::vector<AsyncGuard> guards; // the innermost first
  std::vector<AsyncWait> waits;
  uint64_t work = 0;              // of the statements beside it, loops by their rounds
  unsigned loops = 0, others = 0; // beside it: loops, other operations
};

/// Of a known size: less than this is no engine's.
constexpr uint64_t asyncMinBytes = 4096;
/// Company that is worth the bookkeeping.
constexpr uint64_t asyncWorth = 256;
/// Of a call; of a loop's round that nobody can count; of another operation.
constexpr uint64_t asyncCall = asyncWorth, asyncRounds = 128, asyncOperation = 4 * asyncWorth;

/// Larger functions are left alone: plans take time by blocks, statements and operations.
constexpr size_t asyncMostBlocks = 2000, asyncMostOperations = 64;
/// Tests that one operation is moved above, and computations in a row that are done once more for
/// what it is made from.
constexpr size_t asyncMostGuards = 4;
constexpr unsigned asyncSteps = 4;

/// The runtime's functions that begin and end.
constexpr char asyncBeginCopy[] = "memlift_begin_copy", asyncBeginFill[] = "memlift_begin_fill",
               asyncEnd[] = "memlift_end";

/// What a routine that can be begun does; None of all others.
struct AsyncRoutine {
  Routine routine = Routine::None;
  bool copies = false;
  unsigned period = 0; // of a fill: bytes of the value; 0: it is an argument
};
AsyncRoutine asyncRoutine(const char *symbol);

/// Plans the operations that stand at `at`, in reverse postorder. No two that meet in memory are
/// under way at once, though each is moved.
std::vector<AsyncPlan> planAsync(const Flow &flow, const std::vector<FlowPoint> &at,
                                 FlowFacts &facts);

/// The remark of an operation at `loc`. `locOf` tells of statements.
struct AsyncSubject {
  std::string id, function; // as Loop::id; of the function
  SourceLoc loc;
  Idiom idiom = Idiom::None;
  std::string symbol; // the routine
};
Remark asyncRemark(const AsyncSubject &subject, const AsyncPlan &plan,
                   const std::function<SourceLoc(FlowPoint)> &locOf);

} // namespace memlift

#endif
