// assumed.h - what holds of a loop if its narrow counters do not wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_ASSUMED_H
#define MEMLIFT_LLVM_READ_ASSUMED_H

#include "read/binding.h"

#include "llvm/IR/InstrTypes.h"

namespace memlift {

/// Scalar evolution of one innermost loop that may take for granted, where that
/// helps, that counters do not wrap; see assumed.cpp.
class Assumed {
public:
  Assumed(Env &env, llvm::Loop &loop) : env(env), loop(loop) {}

  /// How often the back edge is taken; null if not even that helps.
  const llvm::SCEV *taken();
  /// The address as a recurrence of the loop, or null.
  const llvm::SCEV *address(llvm::Value *pointer);
  /// What `v` is when the loop is left, or null.
  const llvm::SCEV *atExit(llvm::Value *v);
  /// Adds to the loop model what has been assumed; false if that cannot be said.
  bool tell(Reader &r);

private:
  bool isRequired(const llvm::SCEVPredicate &p) const;
  void require(const compat::Predicates &needs);
  void countOnce();
  bool countUpTo(llvm::CmpInst::Predicate stays, const llvm::SCEV *x, const llvm::SCEV *n);
  bool countQuotient(llvm::CmpInst::Predicate stays, llvm::Value *tested, llvm::Value *n);
  void countExactly(const llvm::SCEVAddRecExpr &counter, const llvm::SCEV *n);
  bool fitsAtEntry(const llvm::SCEVAddRecExpr &counter, uint64_t bottom, uint64_t top);
  bool tellOne(Reader &r, const llvm::SCEVPredicate &predicate);
  bool noWrap(Reader &r, const llvm::SCEVAddRecExpr &counter, bool isSigned);

  Env &env;
  llvm::Loop &loop;
  compat::Predicates required; // by the count and the addresses so far
  bool counted = false;        // looked for already
  const llvm::SCEV *rounds = nullptr;
  // If scalar evolution has no count:
  llvm::Value *quotient = nullptr; // that is tested: see quotient.h
  // of a loop that runs while a counter is at most `last`
  const llvm::SCEV *last = nullptr;
  uint64_t most = 0; // what `last` is assumed not to exceed
  // of one that runs until a counter is what it has `distance` to, by by
  const llvm::SCEV *distance = nullptr;
  uint64_t stride = 0; // that `distance` is assumed to be a multiple of
};

} // namespace memlift

#endif
