// vectors.c - clang 19 at -O3 -mavx2: LLVM computes many registers at once
#include <stddef.h>
#include <stdint.h>

void code_3017(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint8_t c = s[i];
    for (int k = 0; k < 8; k++) {
      if (c & 1)
        c = (uint8_t)(c >> 1 ^ 0x8c);
      else
        c >>= 1;
    }
    d[i] = c;
  }
}
