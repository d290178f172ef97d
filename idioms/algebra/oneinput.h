// oneinput.h - an expression as straight-line code of one value inside it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a value depends on one other value t alone, and t has few enough values, the
// code that computes it need not be understood: it is run for all of them. The
// expression is compiled once to a list of steps, since it may be run two million
// times.
//
// The limits: at most 64 bits a value, `limit` operations; no loads, and constant tables only
// where the loop is given that has them.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_ONEINPUT_H
#define MEMLIFT_IDIOMS_ALGEBRA_ONEINPUT_H

#include "../loop.h"

#include <map>
#include <vector>

namespace memlift {

/// An expression of one input, as a list of steps.
class OneInput {
public:
  /// After construction ok() tells whether `id` is computed from `t` and constants
  /// only, in at most `limit` operations. `tables`: the loop that has the constant tables.
  OneInput(const ExprGraph &g, ExprId id, ExprId t, unsigned limit = 200,
           const Loop *tables = nullptr);
  bool ok() const { return usable; }
  size_t size() const { return steps.size(); }
  /// Returns the value of the expression if t is v. If a look-up is beyond its table, ok() is
  /// false from then on.
  uint64_t at(uint64_t v);

private:
  struct Step {
    Op op; // Op::Sym: the value of t plus a constant
    unsigned width, from;
    uint64_t constant; // or the number of the table
    unsigned a, b, c;  // numbers of earlier steps
  };
  bool planOperands(const ExprGraph &g, const Expr &e, ExprId t, Step &s);
  bool plan(const ExprGraph &g, ExprId id, ExprId t);

  uint64_t lookUp(const Step &s);

  const Loop *tables;
  unsigned limit;
  bool usable;
  std::vector<Step> steps;
  std::vector<uint64_t> values;
  std::map<ExprId, unsigned> place;
};

} // namespace memlift

#endif
