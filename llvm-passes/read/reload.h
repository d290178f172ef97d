// reload.h - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_RELOAD_H
#define MEMLIFT_LLVM_READ_RELOAD_H

#include "read/binding.h"

namespace memlift {

/// Copies of an innermost loop's loads from invariant addresses, and of what is
/// computed from them alone, in front of it.
/// While they stand in for the loads the loop is another one: restore() before
/// anybody else looks at it, unless it is gone.
class Reloads {
public:
  Reloads(Env &env, llvm::Loop &loop) : env(env), loop(loop) {}

  /// False if there are none; then nothing has changed.
  bool hoist();
  void restore();
  /// What was copied, and its copy.
  std::map<llvm::Instruction *, llvm::Instruction *> loads() const;
  /// Where counters that are kept in memory are stored.
  std::vector<llvm::Instruction *> stores() const;
  bool moved = false; // an address has moved out of the loop, and stays there

private:
  struct Copy {
    llvm::Instruction *original, *copy;
    std::vector<llvm::Use *> uses;
    llvm::StoreInst *counts = nullptr;   // a counter's store; then the copy is a phi
    llvm::Instruction *before = nullptr; // and starts with this
  };
  bool runsAtOnce(const llvm::BasicBlock &block) const;
  bool readOnTheWay(const llvm::LoadInst &load) const;
  void exchange(llvm::Use &use, llvm::Instruction *value);
  bool isRegister(const llvm::LoadInst &load) const;
  bool isFixed(llvm::LoadInst &load);
  bool isCounter(llvm::LoadInst &load, llvm::StoreInst *&counts) const;
  void hoistCounter(llvm::LoadInst &load, llvm::StoreInst &counts);
  llvm::Instruction *copyInFront(const llvm::Instruction &original);
  void standIn(Copy made);
  bool followsCopies(const llvm::Instruction &i) const;
  void hoistOne(llvm::Instruction &original);
  void askOfCounters();

  Env &env;
  llvm::Loop &loop;
  std::vector<Copy> copies;
};

} // namespace memlift

#endif
