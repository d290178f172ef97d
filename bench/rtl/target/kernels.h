// kernels.h - what each compiler under test makes of kernels.c, or somebody else's routines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_RTL_KERNELS_H
#define MEMLIFT_RTL_KERNELS_H

#include <stddef.h>

void k_copy(unsigned char *d, const unsigned char *s, size_t n);
void k_copy_restrict(unsigned char *restrict d, const unsigned char *restrict s, size_t n);
void k_copy_down(unsigned char *d, const unsigned char *s, size_t n); // the last byte first
void k_fill(unsigned char *d, int value, size_t n);
// The checksum of RFC 1071, folded and complemented: bytes in pairs, the first the higher one.
unsigned k_inet(const unsigned char *p, size_t n);          // folded in each step
unsigned k_inet_deferred(const unsigned char *p, size_t n); // behind the loop

// Loops that are no operation of any library; of words, n of them. Linux has none: null there.
#define WEAK __attribute__((weak))
WEAK void k_xor(unsigned char *d, const unsigned char *s, size_t n); // each with 0x5a
WEAK void k_turn(unsigned *d, const unsigned *s, size_t n);          // each word's bytes
WEAK void k_scaled(unsigned *d, const unsigned *s, size_t n);        // adds s, times n
WEAK void k_scaled_restrict(unsigned *restrict d, const unsigned *restrict s, size_t n);

#endif
