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
  /// Computes what all loops need.
  UserAccesses(Env &env, Materialiser &make, const UserFixup &fixup);
  /// Sets the address in the destination where a fault of the next accesses leaves the operation;
  /// `exact`: nothing more can be done.
  void reach(llvm::Value *address, bool exact) { reached = address, single = exact; }
  /// Computes what faults of the next loops need, which go by words.
  void beforeWords();
  /// Says that a loop ended at the address `end` of the destination, and where its pointers are
  /// then; `from` is null if that is not the same place of the source.
  void came(ExprId end, llvm::Value *to, llvm::Value *from);
  /// Makes `to` and `from`, which are known before `at` (`from` may be null), PHIs of a block of
  /// their own before `at`: where faults lead.
  void resume(llvm::Instruction *at, llvm::Value *&to, llvm::Value *&from);
  /// Returns the fill's bytes as a value of so many bits; null if it has to be made of the pattern.
  llvm::Value *filled(llvm::IRBuilder<> &b, unsigned bits);
  /// Appends the loads of a loop before number `end` that are not yet `loaded`. `from` tells their
  /// pointers, which have stepped by `ahead` bytes.
  void load(const InlineLoop &l, size_t end,
            llvm::function_ref<llvm::Value *(const InlineLoad &)> from, uint64_t ahead,
            std::vector<llvm::Value *> &loaded);
  /// Stores the words of a loop from number `at` to `end`.
  void store(const InlineLoop &l, size_t at, size_t end, llvm::Value *to, uint64_t ahead);
  /// Gives each access its edge for faults, and adds the loop over bytes that they lead to. `to`:
  /// the address after the last loop, or null; `exit`: the block after the source's loop, which is
  /// still there.
  void cover(llvm::Value *to, llvm::BasicBlock *exit);

private:
  struct Access {
    llvm::CallInst *call;
    llvm::Value *reached;
    bool exact;
  };
  Env &env;
  Materialiser &make;
  const UserTarget *target;
  const UserFixup &fixup;
  llvm::Value *reached = nullptr;
  bool single = false;
  llvm::BasicBlock *const begin;                           // where the code of all loops begins
  llvm::Value *end, *apart = nullptr, *constant = nullptr; // the last: of a fill, a word
  llvm::PHINode *resumedTo = nullptr, *resumedFrom = nullptr;
  std::vector<Access> accesses;
  std::vector<llvm::CallInst *> atEnd; // asm statements of the source before the return

  llvm::CallInst *emit(const std::string &text, size_t results, llvm::ArrayRef<llvm::Value *> args);
  void loadSome(llvm::Value *from, llvm::ArrayRef<uint64_t> offsets, unsigned bytes,
                std::vector<llvm::Value *> &loaded);
  void storeSome(llvm::Value *to, llvm::ArrayRef<uint64_t> offsets,
                 llvm::ArrayRef<llvm::Value *> values);
  llvm::BasicBlock *divide(llvm::CallInst *call, llvm::BasicBlock *fault);
  void land(llvm::BasicBlock *out, llvm::PHINode *left);
  void repeatSwitches(llvm::IRBuilder<> &b);
  llvm::Value *leftFrom(llvm::IRBuilder<> &b, llvm::Value *left);
  void leave(llvm::IRBuilder<> &b, llvm::Value *left);
  bool leaveAsSource(llvm::Value *to, llvm::BasicBlock *exit);
  void enterAlways(llvm::ArrayRef<llvm::BasicBlock *> after);
};

/// Returns the instructions of the function's target, or null if it has none.
const UserTarget *userTargetOf(const llvm::Function &f);

/// Returns what of a function may fault without an entry; empty if nothing does.
std::string uncovered(const llvm::Function &f);
/// Returns the message of MLF0012.
std::string uncoveredMessage(const llvm::Function &f, const std::string &reason);

} // namespace memlift

#endif
