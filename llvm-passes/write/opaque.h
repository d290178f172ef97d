// opaque.h - makes values opaque to later passes by empty asm
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_OPAQUE_H
#define MEMLIFT_LLVM_OPAQUE_H

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// Launders the value through an empty asm, so later passes lose its definition and provenance.
llvm::Value *launder(llvm::IRBuilder<> &b, llvm::Value *value);

/// Pins values together by an empty asm: none is available before all of them. Otherwise a
/// scheduler that minds only registers would put uses of one between the loads of others. No load
/// or store is moved across what `orders`. On a target with few `registers`, pins a few at a time:
/// all operands of an asm need a register each.
void pinTogether(llvm::IRBuilder<> &b, llvm::MutableArrayRef<llvm::Value *> values,
                 unsigned registers, bool orders = false);

} // namespace memlift

#endif
