// budget.h - limits the code that the loops in place of one function take together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy in place has up to 1.6 kB of code; its loop had 36 bytes. A few of them in a function
// are worth that. Hundreds, as in generated code, would fill the instruction cache of an in-order
// core, and make every later pass of the compiler ten times slower.
#ifndef MEMLIFT_IDIOMS_DECIDE_BUDGET_H
#define MEMLIFT_IDIOMS_DECIDE_BUDGET_H

#include "decide.h"

namespace memlift {

/// Counts the operations of a decision's loops in place: loads, stores, scalars, counters and
/// conditions. One takes about ten bytes of code with everything around it.
size_t operationsInPlace(const Decision &d);

/// Text of the requirement that is not met if the budget is spent.
std::string budgetNeed();
constexpr char budgetHave[] = "loops before this one in the function have taken it";

/// Counts the operations of all loops in place of one function. A plugin's writers add each
/// decision that they carry out; its readers set FunctionFacts::budgetSpent.
class CodeBudget {
public:
  static constexpr size_t most = 400; // operations
  void add(const Decision &d) { taken += operationsInPlace(d); }
  bool spent() const { return taken >= most; }

private:
  size_t taken = 0;
};

} // namespace memlift

#endif
