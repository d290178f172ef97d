// narrow-main.c - runs the loops of narrow.ll and what became of them on equal memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Size = 1 << 15, Middle = Size / 2 };

#define EACH(F)                                                                                    \
  void F(fields)(void *, unsigned);                                                                \
  void F(down)(void *, unsigned);                                                                  \
  unsigned F(from)(void *, unsigned, unsigned, unsigned char);                                     \
  void F(walk)(void *, unsigned);                                                                  \
  void F(rows)(void *, unsigned);
#define PLAIN(name) name
#define LIFTED(name) lifted_##name
EACH(PLAIN)
EACH(LIFTED)

static unsigned char plain[Size], lifted[Size];

static void reset(void) {
  for (int i = 0; i < Size; ++i)
    plain[i] = lifted[i] = (unsigned char)(rand() | 1);
}

static void compare(const char *name, unsigned n) {
  if (!memcmp(plain, lifted, Size))
    return;
  printf("%s: %u\n", name, n);
  exit(1);
}

#define RUN(name, at, n)                                                                           \
  reset(), name(plain + (at), n), lifted_##name(lifted + (at), n), compare(#name, n)

int main(void) {
  srand(1);
  for (unsigned n = 0; n < 150; n = n < 70 ? n + 1 : n + 13) {
    RUN(fields, 32, n);
    RUN(down, 64, n);
    RUN(walk, 4098, n);
    RUN(rows, 96, n);
    for (unsigned first = -260u; first != 260; first += 40) {
      reset();
      unsigned a = from(plain + Middle, first, n, (unsigned char)n);
      unsigned b = lifted_from(lifted + Middle, first, n, (unsigned char)n);
      compare("from", n);
      if (a != b)
        return printf("from: %u is not %u\n", b, a), 1;
    }
  }
  return 0;
}
