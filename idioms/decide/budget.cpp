// budget.cpp - counts the operations of loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measure is operations, not bytes: the size of an instruction is the compiler's to choose,
// and every target has another. An operation takes about ten bytes of code on the in-order cores
// that loops in place are for, so the limit of a function is some four kilobytes.
#include "budget.h"

namespace memlift {

/// Operations of any loop: a counter, its step, its comparison and a branch.
constexpr size_t operationsOfLoop = 4;

size_t operationsInPlace(const Decision &d) {
  size_t count = 0;
  for (const InlineLoop &l : d.loops)
    count +=
        operationsOfLoop + l.loads.size() + l.stores.size() + l.scalars.size() + l.branches.size();
  return count;
}

std::string budgetNeed() {
  return "at most " + std::to_string(CodeBudget::most) +
         " loads, stores and other operations of loops in place in a function";
}

} // namespace memlift
