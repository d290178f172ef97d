// trusted.h - the alignment that declarations promise for pointers under trust-types
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_TRUSTED_H
#define MEMLIFT_GCC_ALIGN_TRUSTED_H

#include "../compat.h"

namespace memlift {

/// Returns the zero bits of a pointer that the type of its declaration's pointee promises; 0
/// without the option. A cast keeps them, and &packed->x has those of the packed struct.
unsigned trustedBits(tree name);

/// Wraps converted pointers in __builtin_assume_aligned. A void * is believed to be aligned as the
/// type that it is converted to. GCC soon forgets the types of such pointers, so they are wrapped
/// as soon as there are SSA names: each that memory is set or copied through, or that the builtin
/// queries. Returns the TODO_ flags for the pass manager of GCC.
unsigned wrapConverted();

} // namespace memlift

#endif
