// budget.h - how much code the loops in place of one function may take together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy in place has up to 1.6 kB of code where its loop had 36 bytes. A few of them in a function
// are worth that. Hundreds, as generated code has them, would fill the instruction cache of an
// in-order core, and every later pass of the compiler would take ten times as long.
#ifndef MEMLIFT_IDIOMS_DECIDE_BUDGET_H
#define MEMLIFT_IDIOMS_DECIDE_BUDGET_H

#include "decide.h"

namespace memlift {

/// The operations of a decision's loops in place: loads, stores, scalars, counters and conditions.
/// One takes about ten bytes of code with what it needs around it.
size_t operationsInPlace(const Decision &d);

/// What a loop that is kept for it needs, and has, for a remark.
std::string budgetNeed();
constexpr char budgetHave[] = "loops before this one in the function have taken it";

/// Counts what the loops in place of one function take. The writers of a plugin add each decision
/// that they carry out; the readers set FunctionFacts::budgetSpent.
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
