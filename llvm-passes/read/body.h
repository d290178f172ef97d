// body.h - reads the instructions of a loop's body into a loop model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BODY_H
#define MEMLIFT_LLVM_READ_BODY_H

#include "read/binding.h"

#include "llvm/IR/IntrinsicInst.h"

namespace memlift {

class BodyReader {
public:
  explicit BodyReader(Reader &reader) : r(reader) {}
  void body(llvm::Loop &loop);

private:
  void instruction(llvm::Instruction &i);
  void simple(llvm::Instruction &i, llvm::Value *pointer, llvm::Type *type, llvm::Value *stored,
              llvm::Align align);
  void memCall(llvm::MemIntrinsic &call);
  void memCallSide(llvm::MemIntrinsic &call, bool store, ExprId bytes, ExprId stored);
  void setType(Access &access, llvm::Type *type);
  bool runsEveryTime(const llvm::BasicBlock &block) const;
  bool skippedOnlyIfEmpty(llvm::MemIntrinsic &call, ExprId bytes);
  bool constantSource(llvm::MemTransferInst &call, uint64_t bytes);
  bool runsUnder(llvm::BasicBlock &block, InnerGuard &when) const;
  void oneCondition(const llvm::Loop &loop);

  Reader &r;
  bool conditional = false;
  std::vector<InnerGuard> conditions; // conditions of the accesses so far; none: always
};

} // namespace memlift

#endif
