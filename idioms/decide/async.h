// async.h - where an operation is begun and waited for, to overlap it with the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   copy(d, s, n);                       t = begin_copy(d, s, n);
//   for (...) sum += work[i];     ->     for (...) sum += work[i];
//   use(d[0]);                           end(t);
//                                        use(d[0]);
//
// The problem: an engine or another thread can do the copy, but only while the program has
// something else to do.
//
// Naive: begin the operation where it stands, and wait at the next access to its memory. Then
// nothing is overlapped with it if that access comes next, as it often does.
//
// The idea: move the beginning up and the wait down as far as no statement in between reads what
// the operation writes, writes what it reads or writes, or lets other code do so. The beginning
// moves along dominators, so that it still runs exactly when the operation does. It may move
// above a test if the test's outcome is known there; the size is then 0 on the other arm. The
// wait moves down every path on its own.
//
// Only the plugin knows what a statement does to an operation (FlowFacts); here the control flow
// is a graph of numbers.
//
// The limits: 2000 blocks, 64 operations, 4 tests passed; the overlapped work must be worth 256
// statements.
//
// Example: if (n > 0) copy(d, s, n) after a long computation. The test depends on n alone. If n
// is known before the computation, the copy begins there with the size n > 0 ? n : 0. The handle
// is waited for before the first statement that looks at d or changes s, on each path of its own;
// on a path that never does, before the function returns.
#ifndef MEMLIFT_IDIOMS_DECIDE_ASYNC_H
#define MEMLIFT_IDIOMS_DECIDE_ASYNC_H

#include "decide.h"

namespace memlift {

/// Reason why an operation may not be in flight while a statement runs.
enum class Stop : uint8_t {
  None,
  Reads,  // the statement reads what the operation writes
  Writes, // it writes what the operation writes
  Source, // it writes what the operation reads
  Call,   // a call that may reach the memory, not return, or let others run
  Atomic, // an atomic access or fence
  Volatile,
  Assembler,
  Return,
  Jump,  // a jump out of the function's blocks: unwinding, a label's address
  Other, // another operation on the same memory
  Again, // the operation would begin once more
};
const char *textOf(Stop stop);

constexpr uint32_t NoLoop = UINT32_MAX;

/// A block with its statements; the last one leaves it.
struct FlowBlock {
  std::vector<uint32_t> succs, preds;
  uint32_t idom = 0;      // immediate dominator
  uint32_t loop = NoLoop; // innermost loop around it
  uint32_t statements = 1;
};

/// A loop of the function, by its header block.
struct FlowLoop {
  uint32_t header, parent = NoLoop;
  uint64_t iterations = 0; // 0: not known
};

/// Blocks in reverse postorder, the function's entry first.
struct Flow {
  std::vector<FlowBlock> blocks;
  std::vector<FlowLoop> loops;
};

/// The point before a statement of a block.
struct FlowPoint {
  uint32_t block = 0, statement = 0;
  bool operator==(const FlowPoint &o) const { return block == o.block && statement == o.statement; }
};

/// The plugin's knowledge of statements.
class FlowFacts {
public:
  virtual ~FlowFacts() = default;
  /// Returns how the statement after `at` stops the operation; not called for the operation
  /// itself.
  virtual Stop stop(size_t operation, FlowPoint at) = 0;
  /// Returns true if the operation's arguments are available there.
  virtual bool available(size_t operation, FlowPoint at) = 0;
  /// Returns true if the successor by which a block is left can be computed there.
  virtual bool decides(uint32_t block, FlowPoint at) = 0;
  /// Returns the statement's weight as overlapped work: 1 for a plain one, 0 if it emits no code.
  virtual uint64_t work(FlowPoint at) = 0;
};

/// A wait: before a statement, or on an edge from one block to another.
struct AsyncWait {
  FlowPoint at;
  uint32_t to = NoBlock; // target of the edge from at.block; else NoBlock
  static constexpr uint32_t NoBlock = UINT32_MAX;
  Stop stop = Stop::None; // the reason
  FlowPoint cause;        // the statement that it is for
};

/// A test that an operation was moved above. The operation's size is 0 if control will not go
/// from one block to the other.
struct AsyncGuard {
  uint32_t from, to;
};

/// The plan for one operation: where it begins, the tests passed, and the waits.
struct AsyncPlan {
  bool worthIt = false;
  FlowPoint begin;
  std::vector<AsyncGuard> guards; // the innermost first
  std::vector<AsyncWait> waits;
  uint64_t work = 0;              // overlapped statements, those of loops times their iterations
  unsigned loops = 0, others = 0; // overlapped loops and other operations
};

/// An operation of a known size below this is not worth an engine.
constexpr uint64_t asyncMinBytes = 4096;
/// Minimum estimated work, in statements, that must overlap before an operation is made
/// asynchronous.
constexpr uint64_t asyncWorth = 256;
/// Estimated work, in statements, of a call; iterations assumed for a loop whose count is not
/// known; estimated work of another operation.
constexpr uint64_t asyncCall = asyncWorth, asyncIterations = 128, asyncOperation = 4 * asyncWorth;

/// Larger functions are left alone: the time for plans grows with all three.
constexpr size_t asyncMostBlocks = 2000, asyncMostOperations = 64;
/// Limit on the tests that one operation is moved above, and on the length of a chain of
/// computations that are repeated for its arguments.
constexpr size_t asyncMostGuards = 4;
constexpr unsigned asyncSteps = 4;

/// Runtime functions that begin and end operations.
constexpr char asyncBeginCopy[] = "memlift_begin_copy", asyncBeginFill[] = "memlift_begin_fill",
               asyncEnd[] = "memlift_end";

/// The operation of libmemlift with that symbol if it can be begun; else null.
const Operation *asyncOperationOf(const char *symbol);

/// Plans the operations at the points `at`, in reverse postorder. Two operations whose memory
/// overlaps are never in flight at once, although each of them is moved.
std::vector<AsyncPlan> planAsync(const Flow &flow, const std::vector<FlowPoint> &at,
                                 FlowFacts &facts);

} // namespace memlift

#endif
