// lto.c - a requirement that breaks at the link; its line is named in require.test
#include <stddef.h>
void pragma_volatile(volatile char *p, size_t n) {
#pragma memlift require fill
  for (size_t i = 0; i < n; i++)
    p[i] = 0;
}
