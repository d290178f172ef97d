// async.h - operations of a function that may run overlapped with it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs as the last pass over GIMPLE. Before it, the calls are routines that GCC sees through. Facts
// about pointers from before must not be used once an operation is in flight.
#ifndef MEMLIFT_GCC_ASYNC_H
#define MEMLIFT_GCC_ASYNC_H

#include "../compat.h"
#include "../../idioms/decide/async.h"

namespace memlift {

/// A call of the runtime that may become memlift_begin_copy or memlift_begin_fill.
struct AsyncCall {
  gcall *call = nullptr;
  const Operation *operation = nullptr;
  tree dst = NULL_TREE, src = NULL_TREE;        // src is null for a fill
  tree pattern = NULL_TREE, period = NULL_TREE; // period is null for the routine's own
  tree bytes = NULL_TREE;
};

/// Returns true for a call of a routine that can be begun asynchronously, unless its size is known
/// to be small.
bool isAsyncCall(gimple *stmt, AsyncCall &found);

/// The current function as a graph, with the effect of its statements on the operations. Needs
/// loops and dominators.
class AsyncFacts : public FlowFacts {
public:
  AsyncFacts();
  Stop stop(size_t operation, FlowPoint at) override;
  bool available(size_t operation, FlowPoint at) override;
  bool decides(uint32_t block, FlowPoint at) override;
  uint64_t work(FlowPoint at) override;
  /// Returns the statement at a point; null at the end of a block that no statement ends.
  gimple *statement(FlowPoint at) const { return blocks[at.block][at.statement]; }
  basic_block block(uint32_t number) const { return order[number]; }

  Flow flow;
  std::vector<AsyncCall> operations;
  std::vector<FlowPoint> places; // of the operations

  /// Returns whether a value is available before `at`.
  bool isThere(tree v, FlowPoint at) const;
  /// Returns whether a value is available before `at`, or computable there in at most `steps`
  /// statements.
  bool isComputable(tree v, FlowPoint at, unsigned steps = asyncSteps) const;

private:
  void readLoops(const std::map<int, uint32_t> &number);
  void readBlock(uint32_t b);

  std::vector<basic_block> order;
  std::vector<std::vector<gimple *>> blocks;
  std::map<const gimple *, FlowPoint> pointOf;
  std::map<int, uint32_t> loopNumber; // by GCC's loop number
};

/// Registers the declarations with the garbage collector; call once, from plugin_init.
void keepAsyncDeclarations(const char *pluginName);

/// Rewrites the function according to the plans.
void writeAsync(const AsyncFacts &facts, const std::vector<AsyncPlan> &plans);

/// Returns whether the pass has work in the current function.
bool wantsAsync();
unsigned runAsync();

} // namespace memlift

#endif
