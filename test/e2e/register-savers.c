// register-savers.c - a function that keeps its caller's registers gets no call that overwrites them
//
// An interrupt handler may call such a function; so its vector registers are the interrupted code's.
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do for level in -O1 -O2 -O3; do \
// RUN:   $cc $level --memlift-remarks=r.yaml %s -o run && ./run \
// RUN:     || { echo "failed: $cc $level"; exit 1; }; \
// RUN:   grep -q "loop kept.*MLF2007" r.yaml || { echo "no reason: $cc $level"; exit 1; }; \
// RUN: done; done
// REQUIRES: runtime
#include <stddef.h>

static unsigned char data[4096];
static unsigned words[1024];

__attribute__((noinline, used, no_caller_saved_registers, target("general-regs-only")))
unsigned sum(const unsigned char *p, size_t n) {
  unsigned s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}

__attribute__((noinline, used, no_caller_saved_registers, target("general-regs-only")))
void fill(unsigned *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 0x01010102;
}

typedef unsigned long registers[12];

/* Calls `function` with all six registers known, and reads them back. */
#define CALLS(function, p, n)                                                                      \
  __asm__ volatile("movups (%[in]), %%xmm0\n movups 16(%[in]), %%xmm1\n movups 32(%[in]), %%xmm2\n" \
                   "movups 48(%[in]), %%xmm3\n movups 64(%[in]), %%xmm4\n movups 80(%[in]), %%xmm5\n" \
                   "subq $128, %%rsp\n call " function "\n addq $128, %%rsp\n"                      \
                   "movups %%xmm0, (%[out])\n movups %%xmm1, 16(%[out])\n movups %%xmm2, 32(%[out])\n" \
                   "movups %%xmm3, 48(%[out])\n movups %%xmm4, 64(%[out])\n movups %%xmm5, 80(%[out])\n" \
                   : "+D"(p), "+S"(n)                                                              \
                   : [in] "b"(in), [out] "r"(out)                                                  \
                   : "rax", "rdx", "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "cc", "memory")

int main(void) {
  register unsigned long *out __asm__("r12");
  registers in, results;
  int bad = 0;
  for (int i = 0; i < 12; i++)
    in[i] = 0x1111111111111111ul * (unsigned long)(i + 1);
  for (int which = 0; which < 2; which++) {
    const void *p = which ? (const void *)words : (const void *)data;
    size_t n = which ? 1024 : sizeof data;
    out = results;
    if (which)
      CALLS("fill", p, n);
    else
      CALLS("sum", p, n);
    for (int i = 0; i < 12; i++)
      bad += in[i] != results[i];
  }
  return bad != 0 || words[1023] != 0x01010102;
}
