// query.h - is this value a multiple of a power of two where it is used?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader describes what the value is made of, the merges among it, and the tests
// on the way; here it is put together. Merges are proved one after the other in the
// order of control flow, each from the tests that dominate it alone; then come the
// tests that dominate the use, and last the ways into the merges before it, one by
// one: what a loop leaves and what it would have begun with come together behind
// it, and the loop's own test holds of both.
//
// A value of a loop's header that steps by a constant is  start + step * count
// with one count for the loop: pointers that move together stay together.
#ifndef MEMLIFT_IDIOMS_ALIGN_QUERY_H
#define MEMLIFT_IDIOMS_ALIGN_QUERY_H

#include "congruence.h"

#include <functional>

namespace memlift {

/// A fact that a proof may use, or what stands in its way, as the reader knows it.
struct AlignFact {
  enum class Kind : uint8_t { Value, Test, Assumption, Phi };
  Kind kind = Kind::Value;
  const void *what = nullptr; // of the compiler's; null for nothing worth a word
  bool operator<(const AlignFact &f) const {
    return std::tie(kind, what) < std::tie(f.kind, f.what);
  }
};

/// How an answer came about: the facts used, or if `broken` those in its way.
struct AlignProof {
  std::set<AlignFact> facts;
  bool broken = false;
};

class AlignQuery {
public:
  /// Blocks by their place in a reverse post order of the function.
  using Block = unsigned;
  static constexpr int noLoop = -1;
  // People do not write pointers that hang on more than this.
  static constexpr size_t mostValues = 400, mostFacts = 64;
  // Cases multiply.
  static constexpr size_t mostSplits = 2, mostIncoming = 4;

  struct Phi {
    Block block;
    ExprId self; // a leaf
    std::vector<ExprId> values;
    std::vector<bool> inside; // from the loop that the block is the header of
    int loop = noLoop;        // its number, if the block is a header
    AlignFact fact = {AlignFact::Kind::Phi, nullptr};
  };
  /// A condition that holds from a block on.
  struct Test {
    Block from;
    ExprId condition;
    bool holds;
    AlignFact fact = {AlignFact::Kind::Test, nullptr};
  };
  /// An edge into a merge before the use: the tests behind which it is taken, and
  /// what the merge's values are then.
  struct IncomingEdge {
    std::vector<Test> tests;
    std::vector<std::pair<ExprId, ExprId>> values;
  };

  ExprGraph g;
  std::vector<Phi> phis;
  std::vector<Test> tests; // that dominate the use
  std::vector<std::vector<IncomingEdge>> splits;
  std::function<bool(Block, Block)> dominates;

  /// A value of which only so many zeros are known, wherever it is.
  ExprId leaf(unsigned width, unsigned zeroBits = 0, AlignFact fact = {});

  /// Where two ways meet, what was tested on the one or what was on the other is so.
  Test either(Block at, const Test &a, const Test &b);

  Aligned aligned(ExprId value, unsigned bits, AlignProof *how = nullptr);
  /// At most `limit`. `how` says why, or if it is less, why not more.
  unsigned zeroBits(ExprId value, unsigned limit, AlignProof *how = nullptr);

private:
  struct Leaf {
    ExprId self;
    unsigned zeroBits;
    AlignFact fact;
  };
  std::vector<Leaf> leaves;
  std::vector<AlignFact> facts; // by the numbers that proofs name
  std::map<int, ExprId> counts;
  uint64_t nextLeaf = 0;

  unsigned number(AlignFact fact);
  bool isCounted(const Phi &m, Congruences &c);
  void learn(const Phi &m, Congruences &all);
  void take(const IncomingEdge &edge, Congruences &c);
  std::vector<Congruences> cases();
  void explain(const Congruences::Sources &used, AlignProof *how) const;
  void blame(std::vector<Congruences> &all, ExprId value, unsigned bits, AlignProof *how);
};

} // namespace memlift

#endif
