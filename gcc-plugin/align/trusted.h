// trusted.h - how aligned the declarations say that a pointer is, under trust-types
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_TRUSTED_H
#define MEMLIFT_GCC_ALIGN_TRUSTED_H

#include "../compat.h"

namespace memlift {

/// Zero bits of a pointer by what its declaration points to, 0 without the option. What is
/// made of it by a cast is as aligned as it was, &packed->x as the packed struct.
unsigned trustedBits(tree name);

/// What a void * becomes by conversion is believed to be what it is converted to. The types of
/// such pointers are soon forgotten, so each that memory is set or copied through, or that is
/// asked about, is wrapped in __builtin_assume_aligned: as soon as there are names, by the function
/// just read. Returns what GCC has to do behind the pass (its TODO_ flags).
unsigned wrapConverted();

} // namespace memlift

#endif
