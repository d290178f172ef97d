// oneinput.h - an expression as straight-line code of one value inside it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value depends on one other value t alone, and t has few enough values,
// what it does to t need not be matched: it is run on all of them.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_ONEINPUT_H
#define MEMLIFT_IDIOMS_ALGEBRA_ONEINPUT_H

#include "../expr.h"

#include <map>
#include <vector>

namespace memlift {

class OneInput {
public:
  /// ok() if `id` is computed from `t` and constants only, in at most `limit`
  /// operations.
  OneInput(const ExprGraph &g, ExprId id, ExprId t, unsigned limit = 200);
  bool ok() const { return usable; }
  size_t size() const { return steps.size(); }
  /// The value of the expression where t is v.
  uint64_t at(uint64_t v);

private:
  struct Step {
    Op op; // Sym: the value of t
    unsigned width, from;
    uint64_t constant;
    unsigned a, b, c; // earlier steps
  };
  bool planOperands(const ExprGraph &g, const Expr &e, ExprId t, Step &s);
  bool plan(const ExprGraph &g, ExprId id, ExprId t);

  unsigned limit;
  bool usable;
  std::vector<Step> steps;
  std::vector<uint64_t> values;
  std::map<ExprId, unsigned> place;
};

} // namespace memlift

#endif
