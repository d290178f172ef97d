// user.h - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_USER_H
#define MEMLIFT_LLVM_USER_H

#include "useraccess.h"
#include "write/write.h"

namespace memlift {

/// Emits a decision's accesses as asm statements, and covers them in the end.
class UserAccesses {
public:
  /// Computes what the fixup needs before the loops.
  UserAccesses(Env &env, Materialiser &make, const UserFixup &fixup);
  /// Sets the address in the destination where a fault of the next accesses leaves the operation.
  void reach(llvm::Value *address) { reached = address; }
  llvm::Value *load(llvm::IRBuilder<> &b, llvm::Value *from, uint64_t offset, unsigned bytes);
  void store(llvm::IRBuilder<> &b, llvm::Value *to, uint64_t offset, llvm::Value *value);
  /// Gives each access its edge for faults, and adds the loop over bytes that they lead to.
  void cover();

private:
  struct Access {
    llvm::CallInst *call;
    llvm::Value *reached;
  };
  Env &env;
  Materialiser &make;
  const UserTarget *target;
  llvm::Value *reached = nullptr;
  llvm::Value *end, *apart = nullptr, *value = nullptr; // as UserFixup
  std::vector<Access> accesses;
  std::vector<llvm::CallInst *> atEnd; // asm statements of the source before the return

  llvm::CallInst *emit(llvm::IRBuilder<> &b, bool isStore, unsigned bytes, uint64_t offset,
                       llvm::ArrayRef<llvm::Value *> args, llvm::Type *result);
  llvm::BasicBlock *divide(llvm::CallInst *call, llvm::BasicBlock *fault);
  llvm::BasicBlock *land(llvm::PHINode *&reached);
  void repeatSwitches(llvm::IRBuilder<> &b);
  void leave(llvm::IRBuilder<> &b, llvm::Value *left);
};

/// Returns the instructions of the function's target, or null if it has none.
const UserTarget *userTargetOf(const llvm::Function &f);

/// Returns what of a function may fault without an entry; empty if nothing does.
std::string uncovered(const llvm::Function &f);
/// Returns the message of MLF0012.
std::string uncoveredMessage(const llvm::Function &f, const std::string &reason);

} // namespace memlift

#endif
