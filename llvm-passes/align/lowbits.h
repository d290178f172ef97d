// lowbits.h - the known lowest bits of IR values where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes the operands, phis, loops and tests of a value for idioms/align, which answers the
// query. Only facts that hold of every value are stated: nsw and nuw do not rule out wrapping, and
// an access proves nothing, as it may not run.
#ifndef MEMLIFT_LLVM_ALIGN_LOWBITS_H
#define MEMLIFT_LLVM_ALIGN_LOWBITS_H

#include "align/query.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <functional>

namespace memlift {

class LowBits {
public:
  /// Returns how many of a value's lowest bits are proved zero beyond this function.
  using Known = std::function<unsigned(const llvm::Value &)>;
  LowBits(llvm::Function &f, const llvm::DominatorTree &dt, const llvm::LoopInfo &li,
          llvm::AssumptionCache &ac, Known known);

  /// Returns whether `v` is a multiple of 2^bits at `at`, where it must be available.
  Aligned aligned(llvm::Value &v, unsigned bits, const llvm::Instruction &at,
                  AlignProof *how = nullptr);
  /// Returns how many of the value's lowest bits are zero at `at`, at most `limit`. `how` names
  /// values, branches, assumptions and loop phis (align/reasons.h).
  unsigned zeroBits(llvm::Value &v, unsigned limit, const llvm::Instruction &at,
                    AlignProof *how = nullptr);

private:
  llvm::Function &f;
  const llvm::DataLayout &dl;
  const llvm::DominatorTree &dt;
  const llvm::LoopInfo &li;
  llvm::AssumptionCache &ac;
  Known known;
  std::vector<const llvm::BasicBlock *> blocks; // in reverse post order
  std::map<const llvm::BasicBlock *, unsigned> numbers;

  // State of one query.
  AlignQuery q;
  std::map<const llvm::Value *, ExprId> exprs;
  std::vector<std::pair<llvm::PHINode *, size_t>> phis; // as q.merges

  unsigned numberOf(const llvm::BasicBlock &b) const { return numbers.at(&b); }
  ExprId ask(llvm::Value &v, const llvm::Instruction &at);
  ExprId value(llvm::Value &v);
  ExprId made(llvm::Value &v, unsigned width);
  ExprId leaf(llvm::Value &v, unsigned width);
  ExprId binary(llvm::BinaryOperator &i);
  ExprId compared(llvm::ICmpInst &i);
  ExprId cast(llvm::Value &v, llvm::Value &from, unsigned width);
  ExprId address(llvm::GEPOperator &gep, unsigned width);
  ExprId merged(llvm::PHINode &phi, unsigned width);
  unsigned widthOf(const llvm::Type &type) const;
  bool isTangled(const llvm::BasicBlock &b) const;
  void collectBundles(llvm::AssumeInst &call);
  void collectTests(const llvm::BasicBlock &block, std::vector<AlignQuery::Test> &list);
  void collectEdge(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
                   std::vector<AlignQuery::Test> &list);
  void collectEither(const llvm::BasicBlock &block, std::vector<AlignQuery::Test> &list);
  void collectSplits(const llvm::BasicBlock &block);
};

} // namespace memlift

#endif
