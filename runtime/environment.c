/* environment.c - the one place that reads environment variables
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "config.h"

#if MEMLIFT_HAVE_ENVIRONMENT
#include <stdlib.h>
#include <unistd.h>

/* environ is NULL in a program that cleared it, or before libc has set it up. */
const char *memlift_environment(const char *name) {
  return environ ? secure_getenv(name) : (const char *)0;
}
#else
const char *memlift_environment(const char *name) {
  (void)name;
  return (const char *)0;
}
#endif

const char *memlift_environment_text(const char *name, char *text, unsigned size) {
  const char *value = memlift_environment(name);
  unsigned i = 0;
  for (; value && value[i] && i + 1 < size; i++)
    text[i] = value[i];
  text[i] = '\0';
  return text;
}

int memlift_same_text(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}
