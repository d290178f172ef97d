// folding.h - counts the calls by which routines fold bytes in place of looking them up
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results are the same either way. Programs are linked with --wrap=memlift_crc_any, which every
// routine calls that has found a polynomial (test/runtime/CMakeLists.txt).
#ifndef MEMLIFT_TEST_RUNTIME_FOLDING_H
#define MEMLIFT_TEST_RUNTIME_FOLDING_H

#include "../intrinsics/generated/memlift_tests.h"
#include <memlift/memlift.h>

extern "C" decltype(memlift_crc_any) __real_memlift_crc_any, __wrap_memlift_crc_any;

inline unsigned foldings;

extern "C" uint64_t __wrap_memlift_crc_any(uint64_t state, const void *p, size_t n, uint64_t poly,
                                           uint32_t width, uint32_t reflected) noexcept {
  ++foldings;
  return __real_memlift_crc_any(state, p, n, poly, width, reflected);
}

/// Returns how often a call folds.
template <class Call> unsigned foldingsOf(Call call) {
  const unsigned before = foldings;
  call();
  return foldings - before;
}

#endif
