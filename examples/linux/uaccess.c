/* uaccess.c - copies to and from a program's memory, and clearing it, in place of uaccess.S
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All of them return the number of bytes that were not done. Both sides of a copy may fault, so one
 * routine serves both directions, as in Linux.
 */
#include "user.h"

static USER size_t copy(char *restrict to, const char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  return 0;
}

static USER size_t clear(char *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = 0;
  return 0;
}

size_t __asm_copy_to_user(void *to, const void *from, size_t n) {
  open_user();
  size_t left = copy(to, from, n);
  close_user();
  return left;
}

size_t __asm_copy_from_user(void *to, const void *from, size_t n)
    __attribute__((alias("__asm_copy_to_user")));

size_t __clear_user(void *to, size_t n) {
  open_user();
  size_t left = clear(to, n);
  close_user();
  return left;
}
