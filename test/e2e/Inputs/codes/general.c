// general.c - -mgeneral-regs-only: routines use other registers, so none may be called
#include <stddef.h>
#include <stdint.h>

void code_3007(uint32_t *p, uint32_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
