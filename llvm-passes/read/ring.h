// ring.h - indices of rings, read as linear ones under the assumption that they do not wrap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_RING_H
#define MEMLIFT_LLVM_READ_RING_H

#include "read/binding.h"
#include "recognize/ring.h"

#include "llvm/IR/Operator.h"

namespace memlift {

/// The indices of one innermost loop that start again at the beginning of a ring; see ring.cpp.
class Rings {
public:
  /// Finds the phis that are such indices. Make it before the body is read.
  Rings(Reader &r, llvm::Loop &loop);
  /// Says how often the back edge is taken; returns false if the loop model has no such expression.
  bool count(const llvm::SCEV *backEdge);
  /// Returns for how many consecutive iterations the loop is not left at an exit, if an index at a
  /// place takes it, under assumptions that addTo() adds; null if it is another exit.
  const llvm::SCEV *countOf(const llvm::BasicBlock &exiting);
  bool has(const llvm::PHINode &phi) const;
  /// Fills in base, offset and step of an access at an index of a ring. Returns false if it is at
  /// none.
  bool address(llvm::Value *pointer, Access &access);
  /// Returns what a value that the loop keeps at one place in memory is in iteration i.
  ExprId inIteration(ExprId value);
  /// Returns the value of `v` when the loop is left; NoExpr if it is no index of a ring.
  ExprId atExit(llvm::Value *v);
  /// Adds the assumptions on which the addresses and values rest.
  void addTo();

private:
  struct Index {
    llvm::PHINode *phi;
    llvm::Instruction *next;
    Ring ring; // `first` is the phi's
  };
  struct Use {
    Ring ring;
    bool isSigned;
  };
  /// Part of an address: start + step * iteration, of pointer width.
  struct Moves {
    ExprId start = NoExpr, step = NoExpr;
    bool inRing = false;
  };

  void find();
  void findAgain();
  const llvm::SCEV *takenTo(llvm::Value *index, llvm::Value *place);
  const llvm::SCEV *iterationsWhile(llvm::Value *test, bool whileIt, bool &inRing);
  std::optional<Ring> stepped(llvm::PHINode &phi, llvm::Value &next);
  std::optional<Ring> cut(llvm::Value &v);
  std::optional<Ring> ringAt(llvm::Value &v);
  Moves moves(llvm::Value &v, unsigned budget);
  bool addMoves(llvm::GEPOperator &gep, Moves &sum);

  Reader &r;
  ExprGraph &g;
  llvm::Loop &loop;
  ExprId taken = NoExpr;
  std::vector<RingEnd> ends; // where the loop ends, as far as that says how often it runs
  std::vector<Index> indices;
  std::vector<Use> uses;
};

} // namespace memlift

#endif
