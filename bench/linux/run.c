/* run.c - calls one of the kernel's routines: NAME BYTES SOURCE DESTINATION, two alignments.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Renamed, so that the C library keeps its own. */
#define NAME(x) lifted_##x

void *NAME(memcpy)(void *, const void *, size_t);
void *NAME(memmove)(void *, const void *, size_t);
void *NAME(memset)(void *, int, size_t);
size_t NAME(__asm_copy_to_user)(void *, const void *, size_t);
size_t NAME(__clear_user)(void *, size_t);

/* The linker defines these where they are used; bench/linux/routines.py reads them. */
extern const char __start_routines[], __stop_routines[];
static const char *const range[] __attribute__((used)) = {__start_routines, __stop_routines};

static unsigned char source[16384], target[16384];

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  size_t n = strtoul(argv[2], NULL, 0);
  unsigned char *s = source + 64 + atoi(argv[3]), *d = target + 64 + atoi(argv[4]);
  for (size_t i = 0; i < sizeof source; i++) {
    source[i] = (unsigned char)(i * 7 + 1);
    target[i] = 0x55;
  }
  const char *name = argv[1];
  int copies = 1;
  unsigned char filled = 0;
  if (!strcmp(name, "memcpy"))
    NAME(memcpy)(d, s, n);
  else if (!strcmp(name, "memmove"))
    NAME(memmove)(d, s, n);
  else if (!strcmp(name, "__asm_copy_to_user"))
    copies = NAME(__asm_copy_to_user)(d, s, n) ? 2 : 1;
  else if (!strcmp(name, "memset"))
    NAME(memset)(d, filled = 0xa7, n), copies = 0;
  else
    copies = NAME(__clear_user)(d, n) ? 2 : 0;
  int wrong = copies == 2 || d[-1] != 0x55 || d[n] != 0x55;
  for (size_t i = 0; i < n; i++)
    wrong |= d[i] != (copies ? s[i] : filled);
  return wrong;
}
