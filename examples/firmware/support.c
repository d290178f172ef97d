/* support.c - the functions that compilers call without being asked, as every bare-metal program
 * has them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loops are not to become calls of themselves: volatile.
 */
#include <stddef.h>

void *memset(void *p, int value, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);

void *memset(void *p, int value, size_t n) {
  volatile unsigned char *at = p;
  for (size_t i = 0; i < n; i++)
    at[i] = (unsigned char)value;
  return p;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  volatile unsigned char *at = to;
  const unsigned char *p = from;
  for (size_t i = 0; i < n; i++)
    at[i] = p[i];
  return to;
}
