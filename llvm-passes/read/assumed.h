// assumed.h - facts about a loop under the assumption that its narrow counters do not wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_ASSUMED_H
#define MEMLIFT_LLVM_READ_ASSUMED_H

#include "read/binding.h"

#include "llvm/IR/InstrTypes.h"

namespace memlift {

/// Scalar evolution of one innermost loop that may assume, where that helps, that counters do not
/// wrap; see assumed.cpp.
class Assumed {
public:
  Assumed(Env &env, llvm::Loop &loop) : env(env), loop(loop) {}

  /// Returns how often the back edge is taken; null if unknown even under assumptions.
  const llvm::SCEV *taken();
  /// Says how often it is taken, which something else has assumed.
  void setTaken(const llvm::SCEV *s) { iterations = s; }
  /// Returns the address as a recurrence of the loop, or null.
  const llvm::SCEV *address(llvm::Value *pointer);
  /// Returns the value of `v` when the loop is left, or null.
  const llvm::SCEV *atExit(llvm::Value *v);
  /// Adds the assumptions to the loop model. Returns false if one cannot be expressed.
  bool addTo(Reader &r);

private:
  bool isRequired(const llvm::SCEVPredicate &p) const;
  void require(const compat::Predicates &needs);
  void countOnce();
  bool countUpTo(llvm::CmpInst::Predicate stays, const llvm::SCEV *x, const llvm::SCEV *n);
  bool countQuotient(llvm::CmpInst::Predicate stays, llvm::Value *tested, llvm::Value *n);
  void countExactly(const llvm::SCEVAddRecExpr &counter, const llvm::SCEV *n);
  bool fitsAtEntry(const llvm::SCEVAddRecExpr &counter, uint64_t bottom, uint64_t top);
  bool addOne(Reader &r, const llvm::SCEVPredicate &predicate);
  bool noWrap(Reader &r, const llvm::SCEVAddRecExpr &counter, bool isSigned);

  Env &env;
  llvm::Loop &loop;
  compat::Predicates required; // predicates of the count and the addresses so far
  bool counted = false;        // the count was looked for already
  const llvm::SCEV *iterations = nullptr;
  // Set where scalar evolution has no count:
  llvm::Value *quotient = nullptr; // the tested quotient: see quotient.h
  // bound of a loop that runs while a counter is at most `last`
  const llvm::SCEV *last = nullptr;
  uint64_t most = 0; // upper bound assumed of `last`
  // distance of a counter from its exit value, in a loop that ends when they are equal
  const llvm::SCEV *distance = nullptr;
  uint64_t stride = 0; // assumed divisor of `distance`
  // iterations, at least, where the assumption of `last` does not hold; 0 if unknown
  uint64_t otherwise = 0;
};

} // namespace memlift

#endif
