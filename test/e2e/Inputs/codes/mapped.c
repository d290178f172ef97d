// mapped.c - --memlift-map=fill8=my_fill
#include <stddef.h>
#include <stdint.h>

void code_3010(uint8_t *p, uint8_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
