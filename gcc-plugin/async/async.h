// async.h - operations of a function that are to run beside it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last pass over GIMPLE: before, the calls are routines that GCC sees through, and what it
// knows of pointers from before may not be asked once something is under way.
#ifndef MEMLIFT_GCC_ASYNC_H
#define MEMLIFT_GCC_ASYNC_H

#include "../compat.h"
#include "../../idioms/decide/async.h"

namespace memlift {

/// A call of the runtime that may become one of memlift_begin_copy or memlift_begin_fill.
struct AsyncCall {
  gcall *call = nullptr;
  AsyncRoutine what;
  tree dst = NULL_TREE, src = NULL_TREE;        // no src: a fill
  tree pattern = NULL_TREE, period = NULL_TREE; // no period: that of the routine's value
  tree bytes = NULL_TREE;
};

/// True for calls of routines that can be begun, if the size is not known to be small.
bool isAsyncCall(gimple *stmt, AsyncCall &found);

/// The current function as a graph, and what its statements do to the operations. Needs loops and
/// dominators.
class AsyncFacts : public FlowFacts {
public:
  AsyncFacts();
  Stop stop(size_t operation, FlowPoint at) override;
  bool available(size_t operation, FlowPoint at) override;
  bool decides(uint32_t block, FlowPoint at) override;
  uint64_t work(FlowPoint at) override;
  /// Null: the end of a block that no statement leaves.
  gimple *statement(FlowPoint at) const { return blocks[at.block][at.statement]; }
  basic_block block(uint32_t number) const { return order[number]; }

  Flow flow;
  std::vector<AsyncCall> operations;
  std::vector<FlowPoint> places; // of them

  /// Whether a value is there in front of `at`.
  bool isThere(tree v, FlowPoint at) const;
  /// ... or can be made of a few values that are.
  bool isComputable(tree v, FlowPoint at, unsigned steps = asyncSteps) const;

private:
  void readLoops(const std::map<int, uint32_t> &number);
  void readBlock(uint32_t b);

  std::vector<basic_block> order;
  std::vector<std::vector<gimple *>> blocks;
  std::map<const gimple *, FlowPoint> pointOf;
  std::map<int, uint32_t> loopNumber; // by GCC's
};

/// Call once, from plugin_init.
void keepAsyncDeclarations(const char *pluginName);

/// Carries the plans out.
void writeAsync(const AsyncFacts &facts, const std::vector<AsyncPlan> &plans);

/// The pass's work on the current function; GCC's TODO flags.
bool wantsAsync();
unsigned runAsync();

} // namespace memlift

#endif
