/* user-routines.c - routines for memory that may fault, as everybody's first version of them.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "user.h"

#define USER __attribute__((memlift("user")))

/* Stands for what allows accesses: the state that user-faults.c looks at. */
#if defined(__x86_64__)
#define OPEN_BY(mask) __asm__ volatile("fld1 # %0" : : "r"(mask) : "memory")
#define CLOSE_BY(mask) __asm__ volatile("fstp %%st(0) # %0" : : "r"(mask) : "memory")
#define OPEN() __asm__ volatile("fld1" ::: "memory")
#define CLOSE() __asm__ volatile("fstp %%st(0)" ::: "memory")
#elif defined(__riscv)
#define OPEN_BY(mask) __asm__ volatile("csrs fflags, %0" : : "r"(mask) : "memory")
#define CLOSE_BY(mask) __asm__ volatile("csrc fflags, %0" : : "r"(mask) : "memory")
#define OPEN() __asm__ volatile("csrs fflags, %0" : : "r"(1L) : "memory")
#define CLOSE() __asm__ volatile("csrc fflags, %0" : : "r"(1L) : "memory")
#else
#define OPEN_BY(mask) (void)(mask)
#define CLOSE_BY(mask) (void)(mask)
#define OPEN() (void)0
#define CLOSE() (void)0
#endif

USER size_t copy_user(void *restrict to, const void *restrict from, size_t n) {
  char *d = to;
  const char *s = from;
  while (n--)
    *d++ = *s++;
  return 0;
}

/* Both addresses are known to begin with a word. */
USER size_t copy_aligned(void *restrict to, const void *restrict from, size_t n) {
  char *d = __builtin_assume_aligned(to, 16);
  const char *s = __builtin_assume_aligned(from, 16);
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}

USER size_t copy_fixed(void *restrict to, const void *restrict from) {
  char *d = to;
  const char *s = from;
  for (size_t i = 0; i < FIXED; i++)
    d[i] = s[i];
  return 0;
}

USER size_t clear_user(void *to, size_t n) {
  for (char *d = to; n; n--)
    *d++ = 0;
  return 0;
}

USER size_t copy_open(void *restrict to, const void *restrict from, size_t n) {
  char *d = to;
  const char *s = from;
  OPEN();
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  CLOSE();
  return 0;
}

USER size_t fill_user(void *to, int value, size_t n) {
  unsigned char *d = to;
  for (size_t i = 0; i < n; i++)
    d[i] = (unsigned char)value;
  return 0;
}

/* The mask that opens access is computed once, and closes it as well. */
USER size_t clear_by(void *to, size_t n) {
  char *d = to;
  long mask = 1;
  __asm__("" : "+r"(mask));
  OPEN_BY(mask);
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  CLOSE_BY(mask);
  return 0;
}

/* Nothing is opened for no bytes, and the loop is not entered. */
USER size_t copy_some(void *restrict to, const void *restrict from, size_t n) {
  char *d = to;
  const char *s = from;
  if (!n)
    return 0;
  OPEN();
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}

/* Another place returns another number than 0. */
USER size_t copy_most(void *restrict to, const void *restrict from, size_t n) {
  char *d = to;
  const char *s = from;
  if (n > MOST)
    return n;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return 0;
}
