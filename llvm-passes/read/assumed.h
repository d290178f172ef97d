// assumed.h - what holds of a loop if its narrow counters do not wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_ASSUMED_H
#define MEMLIFT_LLVM_READ_ASSUMED_H

#include "read/picture.h"

namespace memlift {

/// Scalar evolution of one innermost loop that may take for granted, where that
/// helps, that counters do not wrap; see assumed.cpp.
class Assumed {
public:
  Assumed(Env &env, llvm::Loop &loop) : env(env), loop(loop), pse(env.se, loop) {}

  /// How often the back edge is taken; null if not even that helps.
  const llvm::SCEV *taken();
  /// The address as a recurrence of the loop, or null.
  const llvm::SCEV *address(llvm::Value *pointer);
  /// What `v` is when the loop is left, or null.
  const llvm::SCEV *atExit(llvm::Value *v);
  /// Adds to the picture what has been assumed; false if that cannot be said.
  bool tell(Reader &r);

private:
  void countUpTo();
  bool tellOne(Reader &r, const llvm::SCEVPredicate &predicate);
  bool noWrap(Reader &r, const llvm::SCEVAddRecExpr &counter, bool isSigned);

  Env &env;
  llvm::Loop &loop;
  llvm::PredicatedScalarEvolution pse;
  // Of a loop that runs while a counter is at most `last`, if pse has no count:
  bool counted = false;      // looked for already
  const llvm::SCEV *rounds = nullptr, *last = nullptr;
  uint64_t most = 0;         // what `last` is assumed not to exceed
};

} // namespace memlift

#endif
