// mapped.c - --memlift-map=fill8=my_fill,move=my_move,copy=my_copy
#include <stddef.h>
#include <stdint.h>

void code_3010(uint8_t *p, uint8_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
void code_2061(uint8_t *out, size_t distance, size_t n) {
  const uint8_t *from = out - distance;
  while (n--)
    *out++ = *from++;
}
