// reload.h - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_RELOAD_H
#define MEMLIFT_LLVM_READ_RELOAD_H

#include "read/binding.h"

#include <set>

namespace memlift {

/// Copies of an innermost loop's loads from invariant addresses, and of computations on them alone,
/// before the loop. While they replace the loads the loop is changed: call restore() before other
/// code looks at it, unless it is gone.
class Reloads {
public:
  Reloads(Env &env, llvm::Loop &loop) : env(env), loop(loop) {}

  /// Makes the copies. Returns false if there are none; then nothing has changed.
  bool hoist();
  void restore();
  /// Returns the loads and their copies.
  std::map<llvm::Instruction *, llvm::Instruction *> loads() const;
  /// Returns the stores of counters that are kept in memory.
  std::vector<llvm::Instruction *> stores() const;
  bool moved = false; // an address computation has moved out of the loop, and stays there

private:
  struct Copy {
    llvm::Instruction *original, *copy;
    std::vector<llvm::Use *> uses;
    llvm::StoreInst *counts = nullptr;   // a counter's store; then the copy is a phi
    llvm::Instruction *before = nullptr; // the phi's initial value
    bool shared = false;                 // the copy is another one's, too
  };
  bool runsAtOnce(const llvm::BasicBlock &block) const;
  bool readOnTheWay(const llvm::LoadInst &load) const;
  llvm::LoadInst *loadedBefore(const llvm::LoadInst &load) const;
  void exchange(llvm::Use &use, llvm::Instruction *value);
  bool isCurrent(const llvm::LoadInst &load, const llvm::Value *v, const llvm::BasicBlock *block,
                 std::set<std::pair<const llvm::Value *, const llvm::BasicBlock *>> &asked) const;
  bool isFirst(const llvm::Instruction &i, const llvm::Value *v, unsigned links = 4) const;
  void hoistCarried();
  bool isRegister(const llvm::LoadInst &load) const;
  bool isFixed(llvm::LoadInst &load);
  bool isCounter(llvm::LoadInst &load, llvm::StoreInst *&counts) const;
  bool storedBefore(const llvm::LoadInst &load, const llvm::Value *v) const;
  llvm::Value *alreadyCounted(const llvm::LoadInst &load, const llvm::StoreInst &counts) const;
  void hoistCounter(llvm::LoadInst &load, llvm::StoreInst &counts);
  llvm::Instruction *copyInFront(const llvm::Instruction &original);
  void standIn(Copy made);
  bool isCopied(const llvm::Instruction &i) const;
  bool followsCopies(const llvm::Instruction &i) const;
  void hoistOne(llvm::Instruction &original);
  void askOfCounters();

  Env &env;
  llvm::Loop &loop;
  std::vector<Copy> copies;
};

} // namespace memlift

#endif
