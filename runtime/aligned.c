/* aligned.c - __builtin_memlift_aligned for links without the plugin: nothing is proved
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file compiled with the plugin for a link (-flto) leaves its open queries to the link. If that
 * is done without the plugin, calls remain, and the answer is 0.
 */
#include "include/memlift/memlift.h"

MEMLIFT_API int __builtin_memlift_aligned(const volatile void *p, size_t n);

int __builtin_memlift_aligned(const volatile void *p, size_t n) {
  (void)p;
  (void)n;
  return 0;
}
