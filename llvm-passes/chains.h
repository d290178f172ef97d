// chains.h - finds chains of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_CHAINS_H
#define MEMLIFT_LLVM_CHAINS_H

#include "../idioms/drive/chains.h"
#include "read/chain.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/ValueHandle.h"

#include <optional>

namespace memlift {

class ChainRewriter : ChainSearch {
public:
  ChainRewriter(Env &env, Driver &driver) : ChainSearch(driver), env(env) {}
  /// Rewrites the chains that can be. Returns true if the function changed.
  bool run(const std::vector<llvm::Loop *> &loops);
  /// Returns true for a loop of a chain that was rewritten, or that is kept beside its operation.
  bool handled(const llvm::Loop *loop) const { return loops.count(loop); }
  bool handled(const llvm::CallBase *call) const { return calls.count(call); }
  /// Returns true if blocks were split, even if they have been merged again.
  bool looked() const { return changed || !split.empty(); }

private:
  Env &env;
  bool changed = false;
  std::vector<ChainLink> links;
  std::optional<llvm::PostDominatorTree> pdt;
  LoopChain chain; // the one that was read last
  llvm::SmallPtrSet<const llvm::Loop *, 4> loops;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> calls;
  llvm::SmallVector<llvm::WeakVH, 8> split; // blocks that were split in search of chains

  void collect(const std::vector<llvm::Loop *> &candidates);
  bool mayContinue(size_t k) override;
  void giveBlock(size_t link) override;
  bool isChain(size_t first, size_t count) override;
  std::vector<BoundLoop *> read(size_t first, size_t count) override;
  BoundLoop &bind(const Joined &joined) override;
  void write(BoundLoop &binding, const Joined &joined) override;
  void take(size_t first, size_t count) override;
  void undo() override;
  bool find(size_t first, size_t count, LoopChain &chain);
};

} // namespace memlift

#endif
