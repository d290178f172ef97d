// targetfacts.cpp - the instructions of a function's target for products and CRC steps
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target's flags are those of the current function, its target attribute included. Of the
// targets of these plugins only x86-64 has such instructions as built-in functions in GCC 12. Those
// of RV64, which it knows by the names of their extensions, are written as asm statements. None has
// an instruction that clears blocks of memory: AArch64 would.
#include "targetfacts.h"

namespace memlift {

tree targetBuiltin(const char *name) {
  if (!targetm.builtin_decl)
    return NULL_TREE;
  for (unsigned code = 0;; ++code) {
    tree decl = targetm.builtin_decl(code, false);
    if (decl == error_mark_node)
      return NULL_TREE;
    if (decl && DECL_NAME(decl) && !strcmp(IDENTIFIER_POINTER(DECL_NAME(decl)), name))
      return decl;
  }
}

bool shufflesBytes() {
#ifdef TARGET_SSSE3
  return TARGET_SSSE3;
#else
  return false;
#endif
}

bool swapsBytes(unsigned bits) {
  bool wide = false, narrow = false;
#ifdef HAVE_bswapdi2
  wide = HAVE_bswapdi2;
#endif
#if defined(HAVE_bswapsi2) && !defined(TARGET_RF16) // ARC's depends on headers that it keeps
  narrow = HAVE_bswapsi2;
#endif
  return bits == 64 ? wide : bits == 32 && (narrow || wide);
}

bool hasManyRegisters() {
#if defined(TARGET_SSE2) // x86: 15 at most
  return false;
#elif defined(TARGET_RVE)
  return !TARGET_RVE;
#elif defined(TARGET_RF16)
  return !TARGET_RF16;
#else
  return true;
#endif
}

bool vectorsAreOff() {
#if defined(TARGET_SSE2)
  return TARGET_64BIT && !TARGET_SSE;
#elif defined(TARGET_GENERAL_REGS_ONLY)
  return TARGET_GENERAL_REGS_ONLY;
#else
  return false;
#endif
}

bool callsAreForeign() {
#if defined(TARGET_SSEREGPARM)
  return TARGET_64BIT && ix86_abi != DEFAULT_ABI;
#else
  return false;
#endif
}

/// GCC's scheduler works on as many values at a time as there are registers, and its passes put the
/// steps of pointers at the end of an iteration. In a loop that the target counts in hardware they
/// may stay there, as such a loop must contain no empty asm.
CompilerFacts compilerFacts() {
  CompilerFacts facts;
  facts.overlapsValues = facts.mergesShifted = true;
  facts.stepsLast = !targetm.have_doloop_end();
  return facts;
}

/// ARC prefers a vector mode that it may not support.
unsigned preferredVectorBits() {
  machine_mode mode = targetm.vectorize.preferred_simd_mode(SImode);
  if (!VECTOR_MODE_P(mode) || !targetm.vector_mode_supported_p(mode))
    return 0;
  poly_int64 bits = GET_MODE_BITSIZE(mode);
  return unsigned(constant_lower_bound(bits));
}

TargetFacts targetOfFunction() {
  TargetFacts facts;
  facts.vectors = preferredVectorBits() != 0;
#if defined(TARGET_PCLMUL) && defined(TARGET_CRC32)
  if (!TARGET_64BIT)
    return facts;
  facts.checksTables = true;
  // Kernels have no vector registers, whatever other options they use.
  facts.option = TARGET_SSE2 ? "-mpclmul" : "";
  facts.clmul = TARGET_PCLMUL && TARGET_SSE2 && targetBuiltin(productBuiltin);
  facts.crc32c = TARGET_CRC32;
  for (const char *name : crcBuiltins)
    facts.crc32c = facts.crc32c && targetBuiltin(name);
#elif MEMLIFT_ASM_PRODUCTS
  if (!TARGET_64BIT)
    return facts;
  facts.option = "-march=rv64gc_zbc";
  facts.clmul = TARGET_ZBC || TARGET_ZBKC;
#endif
  return facts;
}

} // namespace memlift
