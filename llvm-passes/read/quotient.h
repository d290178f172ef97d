// quotient.h - counters that are divided by the size of an element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_QUOTIENT_H
#define MEMLIFT_LLVM_READ_QUOTIENT_H

#include "read/binding.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"

namespace memlift {

/// {start, +, step} in a type of which it may not take all values.
struct Quotient {
  const llvm::SCEV *start = nullptr; // null: it is none
  int64_t step = 0;
  llvm::APInt least, most;   // that it can be, with the sign that it has
  bool isDivided = false;    // false: a distance in bytes
  bool isSigned = true;      // false: never below zero; neither if `isPart`
  bool isPart = false;       // the low bits of one: it takes all values in turn
  bool wrapsNowhere = false; // it leaves the type only where the program is wrong
};

/// What `v` is in each round of the loop, at its exit too.
Quotient quotientOf(Env &env, const llvm::Loop &loop, llvm::Value *v);

/// How often in a row a test of a counter holds, one after each round, if `bound` is at
/// most `most`.
struct TestedRounds {
  const llvm::SCEV *rounds = nullptr; // null: that is not known
  const llvm::SCEV *bound = nullptr;  // null: it is in any case
  uint64_t most = 0;
};

TestedRounds roundsOf(Env &env, const Quotient &q, llvm::CmpInst::Predicate stays,
                      const llvm::SCEV *n);

} // namespace memlift

#endif
