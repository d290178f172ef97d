// sums.cpp - sums and exclusive-ors of words; the naive loops are the peers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench.h"

#include <memlift/memlift.h>

namespace {

#define OURS(name)                                                                                 \
  uint64_t name(unsigned char *, const unsigned char *from, size_t n) {                            \
    return memlift_##name(from, n);                                                                \
  }                                                                                                \
  const int add_##name = bench::add({#name, {{"memlift", name}}, bench::checksumSizes(), true, 4});
OURS(sum_u8)
OURS(sum_u16)
OURS(sum_u32)
OURS(xor_u8)

} // namespace
