// quotient.h - counters that are divided by the size of an element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_QUOTIENT_H
#define MEMLIFT_LLVM_READ_QUOTIENT_H

#include "read/binding.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"

namespace memlift {

/// A counter {start, +, step} in a type of which it may not take all values.
struct Quotient {
  const llvm::SCEV *start = nullptr; // null: no counter
  int64_t step = 0;
  llvm::APInt least, most;   // the least and largest value, with its own sign
  bool isDivided = false;    // false: a distance in bytes
  bool isSigned = true;      // false: never below zero; neither if `isLowBits`
  bool isLowBits = false;    // the low bits of a quotient, which take all values in turn
  bool wrapsNowhere = false; // it wraps only where the program is undefined
};

/// Returns the value of `v` in each iteration of the loop, at its exit too, as a quotient.
Quotient quotientOf(Env &env, const llvm::Loop &loop, llvm::Value *v);

/// For how many consecutive iterations a test of a counter holds, if `bound` is at most `most`.
struct TestedIterations {
  const llvm::SCEV *iterations = nullptr; // null: not known
  const llvm::SCEV *bound = nullptr;      // null: in any case
  uint64_t most = 0;
};

TestedIterations iterationsOf(Env &env, const Quotient &q, llvm::CmpInst::Predicate stays,
                              const llvm::SCEV *n);

} // namespace memlift

#endif
