/* routines.c - memcpy and its like as everybody's first version of them, to be shaped.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>

#ifdef ANNOTATED
#define SHAPE __attribute__((memlift("shape")))
#else
#define SHAPE
#endif

#ifdef __cplusplus
#define RESTRICT __restrict__
extern "C" {
#else
#define RESTRICT restrict
#endif

SHAPE void *memcpy(void *RESTRICT to, const void *RESTRICT from, size_t n) {
  char *d = (char *)to;
  const char *s = (const char *)from;
  while (n--)
    *d++ = *s++;
  return to;
}

SHAPE void *memset(void *to, int value, size_t n) {
  unsigned char *d = (unsigned char *)to;
  for (size_t i = 0; i < n; i++)
    d[i] = (unsigned char)value;
  return to;
}

SHAPE void bzero(void *to, size_t n) {
  for (char *d = (char *)to; n; n--)
    *d++ = 0;
}

SHAPE void *memmove(void *to, const void *from, size_t n) {
  char *d = (char *)to;
  const char *s = (const char *)from;
  if (d < s)
    for (size_t i = 0; i < n; i++)
      d[i] = s[i];
  else
    while (n--)
      d[n] = s[n];
  return to;
}

SHAPE void *mempcpy(void *to, const void *from, size_t n) {
  char *d = (char *)to, *end = d + n;
  const char *s = (const char *)from;
  while (d < end)
    *d++ = *s++;
  return d;
}

#ifdef __cplusplus
}
#endif
