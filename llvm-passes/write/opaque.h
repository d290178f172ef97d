// opaque.h - values that passes know nothing of: assembler of no instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_OPAQUE_H
#define MEMLIFT_LLVM_OPAQUE_H

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// The same value, of which nobody knows any more what it is, or what it points into.
llvm::Value *launder(llvm::IRBuilder<> &b, llvm::Value *value);

/// The same values, none of which is there before all of them: a scheduler that counts registers
/// only would put what is done with one between the loads of others. No load or store is moved
/// across what `orders`. Of a target with few `registers`, a few at a time: all of an assembler's
/// have to be in one each.
void pinTogether(llvm::IRBuilder<> &b, llvm::MutableArrayRef<llvm::Value *> values,
                 unsigned registers, bool orders = false);

} // namespace memlift

#endif
