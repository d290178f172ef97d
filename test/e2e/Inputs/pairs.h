// pairs.h - the functions of names.inc, plain and lowered, and room that ends where nobody may touch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include it behind the typedef of `function`.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define X(NAME) function NAME, plain_##NAME;
#include "names.inc"
#undef X
static const struct {
  const char *name;
  function *lifted, *plain;
} functions[] = {
#define X(NAME) {#NAME, NAME, plain_##NAME},
#include "names.inc"
#undef X
};

enum { Room = 4096 };
static u8 *guarded(void) {
  u8 *p = mmap(0, Room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Room, 4096, PROT_NONE))
    _exit(2);
  return p;
}

static u8 *filled(void) {
  u8 *p = guarded();
  for (unsigned i = 0; i < Room; i++)
    p[i] = (u8)(i * 7 + (i >> 5));
  return p;
}
