// targetfacts.h - what the target of a function multiplies and steps CRCs by
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_TARGETFACTS_H
#define MEMLIFT_GCC_TARGETFACTS_H

#include "../idioms/decide/decide.h"
#include "compat.h"

namespace memlift {

// RV64's products have no built-in function, and no vector registers: 128 bits are an
// integer there.
#if defined(TARGET_ZBC) && defined(TARGET_ZBKC)
#define MEMLIFT_ASM_PRODUCTS 1
#else
#define MEMLIFT_ASM_PRODUCTS 0
#endif

/// Of the current function.
TargetFacts targetOfFunction();

/// Whether one instruction puts the bytes of a vector in any order.
bool shufflesBytes();
/// Whether there are some 32 registers of integers. Known of the target when this is compiled: GCC
/// tables of registers are no symbols that every compiler has, which would not load the plugin to
/// be told.
bool hasManyRegisters();

/// Whether the current function is compiled for general registers only.
bool vectorsAreOff();
/// Whether functions are called by another convention here than the target's usual one.
bool callsAreForeign();

/// The target's built-in function of that name; null if it has none.
tree targetBuiltin(const char *name);
constexpr char productBuiltin[] = "__builtin_ia32_pclmulqdq128";
/// Steps of CRC-32C by 1, 2, 4 and 8 bytes.
constexpr const char *crcBuiltins[] = {"__builtin_ia32_crc32qi", "__builtin_ia32_crc32hi",
                                       "__builtin_ia32_crc32si", "__builtin_ia32_crc32di"};

} // namespace memlift

#endif
