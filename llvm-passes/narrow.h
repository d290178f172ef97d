// narrow.h - layouts whose offsets are narrower than their pointers ("p:64:64:64:32")
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An offset changes the low bits of a pointer there and leaves the others. So a loop model has the
// offsets' width, and one base for all its addresses. Pointers are no values in it: their high bits
// would be missing.
#ifndef MEMLIFT_LLVM_NARROW_H
#define MEMLIFT_LLVM_NARROW_H

namespace llvm {
class DataLayout;
class Function;
class Loop;
} // namespace llvm

namespace memlift {

constexpr char NarrowOffsets[] = "offsets are narrower than pointers on this target";

bool hasNarrowOffsets(const llvm::DataLayout &layout);

/// Returns whether the loop's only effects are stores into one object, and pointers are nothing but
/// the addresses of these stores.
bool onlyFills(const llvm::Loop &loop);

/// Returns whether the function asks for code that moves pointers as integers.
bool asksForIntegers(const llvm::Function &f);

} // namespace memlift

#endif
