// query.h - decides whether a value is a multiple of a power of two where it is used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader describes the operations that make the value, the phis among them, and the
// tests that dominate them; the proof is put together here. Phis are proved in the
// order of control flow, each from the tests that dominate it. Then come the tests
// that dominate the use.
//
// Finally each incoming edge of the preceding phis is analysed on its own
// (path-sensitive): a loop's exit phi joins the initial and the stepped value, and
// the loop condition is known on both edges.
//
// A loop phi that steps by a constant is  start + step * count  with one count for
// the loop, so pointers that move together stay at a known distance.
#ifndef MEMLIFT_IDIOMS_ALIGN_QUERY_H
#define MEMLIFT_IDIOMS_ALIGN_QUERY_H

#include "congruence.h"

#include <functional>

namespace memlift {

/// A fact that a proof may use, or one that prevents it, as the reader knows it.
struct AlignFact {
  enum class Kind : uint8_t { Value, Test, Assumption, Phi };
  Kind kind = Kind::Value;
  const void *what = nullptr; // the compiler's object; null if there is nothing to report
  bool operator<(const AlignFact &f) const {
    return std::tie(kind, what) < std::tie(f.kind, f.what);
  }
};

/// The facts that an answer used, or, if `broken`, those that prevent a better one.
struct AlignProof {
  std::set<AlignFact> facts;
  bool broken = false;
};

class AlignQuery {
public:
  /// A block's number in a reverse post order of the function.
  using Block = unsigned;
  static constexpr int noLoop = -1;
  // Budget; larger expressions are given up on.
  static constexpr size_t mostValues = 400, mostFacts = 64;
  // Budget; cases multiply.
  static constexpr size_t mostSplits = 2, mostIncoming = 4;

  struct Phi {
    Block block;
    ExprId self; // a leaf
    std::vector<ExprId> values;
    std::vector<bool> inside; // incoming values from the loop that the block is the header of
    int loop = noLoop;        // number of the loop, if the block is a header
    AlignFact fact = {AlignFact::Kind::Phi, nullptr};
  };
  /// A condition that holds from a block on.
  struct Test {
    Block from;
    ExprId condition;
    bool holds;
    AlignFact fact = {AlignFact::Kind::Test, nullptr};
  };
  /// An incoming edge of a phi before the use: the tests that dominate the edge, and
  /// the phis' values on it.
  struct IncomingEdge {
    std::vector<Test> tests;
    std::vector<std::pair<ExprId, ExprId>> values;
  };

  ExprGraph g;
  std::vector<Phi> phis;
  std::vector<Test> tests; // tests that dominate the use
  std::vector<std::vector<IncomingEdge>> splits;
  std::function<bool(Block, Block)> dominates;

  /// Adds a value of which only so many zero bits are known, anywhere.
  ExprId leaf(unsigned width, unsigned zeroBits = 0, AlignFact fact = {});

  /// Adds a disjunction at a join: the test of the one edge holds, or that of the
  /// other.
  Test either(Block at, const Test &a, const Test &b);

  Aligned aligned(ExprId value, unsigned bits, AlignProof *how = nullptr);
  /// Returns at most `limit`. `how` gets the facts used; if it is less, those that
  /// prevent more.
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
