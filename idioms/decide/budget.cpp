// budget.cpp - how much code the loops in place of one function may take together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "budget.h"

namespace memlift {

/// A loop has a counter, its step, its comparison and a branch.
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
