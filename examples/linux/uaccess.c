/* uaccess.c - copies to and from a program's memory, and clearing it, in place of uaccess.S
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All of them return the number of bytes that were not done. Both sides of a copy may fault, so one
 * routine serves both directions, as in Linux. After a fault close_user() is done, too.
 */
#include "user.h"

USER HALF_LINE size_t __asm_copy_to_user(void *restrict to, const void *restrict from, size_t n) {
  char *d = to;
  const char *s = from;
  unsigned long sum = open_user();
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  close_user(sum);
  return 0;
}

size_t __asm_copy_from_user(void *restrict to, const void *restrict from, size_t n)
    __attribute__((alias(NAME(__asm_copy_to_user))));

USER size_t __clear_user(void *to, size_t n) {
  char *d = to;
  unsigned long sum = open_user();
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  close_user(sum);
  return 0;
}
