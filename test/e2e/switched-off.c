// switched-off.c - under --memlift-off the attribute is understood, and the code is the compiler's own
//
// A code base that writes memlift("off") has to build with memlift switched off, too, with -Werror.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for pair in "%memlift-gcc:%gcc12" "%memlift-clang-22:%clang22" "%memlift-clang-19:%clang19"; do \
// RUN:   cc=${pair%%:*}; stock=${pair#*:}; for level in -O0 -O1 -O2 -O3 -Os; do \
// RUN:     $cc $level --memlift-off -Wall -Wextra -Werror -Wno-comment -S %s -o off.s && \
// RUN:     $stock $level -DPLAIN -Wall -Wextra -Werror -Wno-comment -S %s -o stock.s && cmp off.s stock.s \
// RUN:     || { echo "failed: $cc $level"; exit 1; }; \
// RUN:   done; done
//
// A value that means nothing is an error here as well, and nothing of memlift is linked.
// RUN: for cc in %wrappers; do \
// RUN:   not $cc --memlift-off -DWRONG -c %s -o wrong.o 2>wrong && grep -q MLF0009 wrong && \
// RUN:   $cc -O2 --memlift-off -DMAIN %s -o run && ./run && nm run | not grep memlift_ \
// RUN:   || { echo "failed: $cc"; exit 1; }; done
// REQUIRES: clang-22, clang-19, gcc-12
#include <stddef.h>

#ifdef PLAIN
#define MEMLIFT(value)
#else
#define MEMLIFT(value) __attribute__((memlift(value)))
#endif

MEMLIFT("off") static void small(unsigned char *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = 7;
}

MEMLIFT("shape") void shaped(unsigned char *d, const unsigned char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

MEMLIFT("async") void beside(unsigned char *d, const unsigned char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

#ifdef WRONG
MEMLIFT("sideways") void wrong(void);
#endif

void memmove_of_ours(unsigned char *d, size_t n) {
  small(d, n);
  small(d + n, 3);
}

#ifdef MAIN
int main(void) {
  static unsigned char a[300], b[300];
  memmove_of_ours(a, 100);
  shaped(b, a, 200);
  beside(a, b, 150);
  return !(a[0] == 7 && b[102] == 7 && b[103] == 0);
}
#endif
