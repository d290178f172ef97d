// targetfacts.h - instructions of a function's target for products and CRC steps; GCC's habits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_TARGETFACTS_H
#define MEMLIFT_GCC_TARGETFACTS_H

#include "../idioms/decide/decide.h"
#include "compat.h"

namespace memlift {

// RV64's products have no built-in function, and no vector registers: 128 bits are an integer
// there.
#if defined(TARGET_ZBC) && defined(TARGET_ZBKC)
#define MEMLIFT_ASM_PRODUCTS 1
#else
#define MEMLIFT_ASM_PRODUCTS 0
#endif

/// Returns the facts of the current function's target.
TargetFacts targetOfFunction();
/// Returns the bits of the vectors that the vectoriser prefers for the current function's target, 0
/// if it has none.
unsigned preferredVectorBits();
/// Returns GCC's habits, for the target of this plugin.
CompilerFacts compilerFacts();

/// Returns whether one instruction permutes the bytes of a vector freely.
bool shufflesBytes();
/// Returns whether an instruction swaps the bytes of a number of so many bits, of a narrower one
/// with a shift.
bool swapsBytes(unsigned bits);
/// Returns whether the target has some 32 integer registers. Decided at compile time: not every GCC
/// exports its tables of registers, and it would then not load the plugin.
bool hasManyRegisters();

/// Returns whether the current function is compiled for general registers only.
bool vectorsAreOff();
/// Returns whether functions are called by another convention here than the target's usual one.
bool callsAreForeign();

/// Returns the target's built-in function of that name; null if it has none.
tree targetBuiltin(const char *name);
constexpr char productBuiltin[] = "__builtin_ia32_pclmulqdq128";
/// Steps of CRC-32C by 1, 2, 4 and 8 bytes.
constexpr const char *crcBuiltins[] = {"__builtin_ia32_crc32qi", "__builtin_ia32_crc32hi",
                                       "__builtin_ia32_crc32si", "__builtin_ia32_crc32di"};

} // namespace memlift

#endif
