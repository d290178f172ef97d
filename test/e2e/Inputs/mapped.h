// mapped.h - what mapped.c asks a vendor for, each the prototype of an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>

struct memlift_crc_poly;

uint32_t vendor_inet(const void *p, size_t n, uint32_t init);
uint64_t vendor_sum(const void *p, size_t n);
uint64_t vendor_crc(uint64_t state, const void *p, size_t n, const struct memlift_crc_poly *poly);
void vendor_fill(void *dst, uint32_t v, size_t n);
int vendor_copy(void *restrict dst, const void *restrict src, size_t n);
void vendor_move(void *dst, const void *src, size_t n);

extern volatile unsigned vendor_calls;
