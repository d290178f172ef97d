// limits.cpp - upper bounds of speed: loads and stores of all lines of a region, and nothing else
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checksum reads each line of its region once, a copy writes its region as well. These do that
// and compute nothing, in the same loop and at the same addresses as the routines, so no
// routine can be much faster than they are.
#include "bench.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace {

#define TARGET __attribute__((target("avx512f")))

TARGET uint64_t loads(unsigned char *, const unsigned char *from, size_t n) {
  const unsigned char *end = from + n;
  const unsigned char *line = from - reinterpret_cast<uintptr_t>(from) % 64;
  for (; line < end; line += 64)
    __asm__ volatile("vmovdqa64 (%0), %%zmm16" : : "r"(line) : "memory");
  return n;
}

/// Whole vectors of 32 bytes at aligned addresses of the destination.
TARGET uint64_t stores(unsigned char *to, const unsigned char *, size_t n) {
  unsigned char *d = to + (0 - reinterpret_cast<uintptr_t>(to)) % 32;
  for (unsigned char *end = to + n; end - d >= 32; d += 32)
    _mm256_store_si256(reinterpret_cast<__m256i *>(d), _mm256_setzero_si256());
  return n;
}

const bool has = __builtin_cpu_supports("avx512f") != 0;
const int lines =
    has ? bench::add({"limit_loads", {{"memlift", loads}}, bench::checksumSizes(), true}) : 0;
const int halves =
    has ? bench::add({"limit_stores", {{"memlift", stores}}, bench::copySizes(), true}) : 0;

} // namespace
#endif
