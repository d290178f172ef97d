// inet.c - Linux's checksum under the names of the kernels; it gives the bytes of memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../target/kernels.h"
#include "shim.h"

unsigned k_inet(const unsigned char *p, size_t n) {
  return __builtin_bswap16(ip_compute_csum(p, (int)n));
}

unsigned k_inet_deferred(const unsigned char *p, size_t n) { return k_inet(p, n); }
