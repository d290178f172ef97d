/* user.h - routines for memory that may fault, as everybody's first version of them.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>

size_t copy_user(void *restrict to, const void *restrict from, size_t n);
size_t copy_aligned(void *restrict to, const void *restrict from, size_t n);
size_t copy_open(void *restrict to, const void *restrict from, size_t n);
size_t copy_fixed(void *restrict to, const void *restrict from);
size_t clear_user(void *to, size_t n);
size_t fill_user(void *to, int value, size_t n);
size_t clear_by(void *to, size_t n);
size_t copy_some(void *restrict to, const void *restrict from, size_t n); /* leaves it open */
size_t copy_most(void *restrict to, const void *restrict from, size_t n);
enum { FIXED = 83, MOST = 4000 };
