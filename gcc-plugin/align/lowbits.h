// lowbits.h - the known lowest bits of GIMPLE values where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes the operands, phis, loops and tests of a value for idioms/align, which answers the
// query. Only facts that hold of every value are stated: an access proves nothing, as it may not
// run.
#ifndef MEMLIFT_GCC_ALIGN_LOWBITS_H
#define MEMLIFT_GCC_ALIGN_LOWBITS_H

#include "../compat.h"
#include "../../idioms/align/query.h"

namespace memlift {

/// Alignment analysis of the current function; needs dominators and loops.
class LowBits {
public:
  /// Returns how many of a name's lowest bits are proved zero beyond this function.
  using Known = std::function<unsigned(tree)>;
  explicit LowBits(Known known = nullptr);

  /// Returns whether `value` is a multiple of 2^bits at `at`, where it must be available.
  Aligned aligned(tree value, unsigned bits, gimple *at, AlignProof *how = nullptr);
  /// Returns how many of the value's lowest bits are zero at `at`, at most `limit`. `how` names
  /// values (trees), and as statements tests, assumptions and loop phis.
  unsigned zeroBits(tree value, unsigned limit, gimple *at, AlignProof *how = nullptr);

private:
  Known known;
  std::map<basic_block, unsigned> numbers; // in reverse post order
  std::vector<basic_block> blocks;

  // State of one query.
  AlignQuery q;
  std::map<tree, ExprId> exprs;
  std::vector<std::pair<gphi *, size_t>> phis; // as q.merges

  bool isReached(basic_block bb) const { return numbers.count(bb); }
  ExprId ask(tree asked, gimple *at);
  ExprId value(tree t);
  ExprId made(tree t);
  ExprId leaf(tree t);
  ExprId assigned(gassign *stmt, unsigned width);
  ExprId binary(tree_code code, tree a, tree b, unsigned width);
  ExprId converted(tree from, unsigned width);
  ExprId compared(tree_code code, tree a, tree b);
  ExprId address(tree object, unsigned width);
  ExprId offsetOf(tree t, unsigned width);
  ExprId assumed(gcall *call, unsigned width);
  ExprId merged(gphi *phi);
  bool isTangled(basic_block bb);
  void collectEdge(edge e, std::vector<AlignQuery::Test> &list);
  void collectTests(basic_block block, std::vector<AlignQuery::Test> &list);
  void collectEither(basic_block block, std::vector<AlignQuery::Test> &list);
  void collectSplits(basic_block block);
};

} // namespace memlift

#endif
