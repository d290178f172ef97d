/* freestanding.c - a program without a C library: PART 1 has its memset and loops, PART 2 its start */
#include <stddef.h>

void fill(unsigned char *p, size_t n);
void copy(unsigned char *p, const unsigned char *q, size_t n);

#if PART & 1
void *memset(void *d, int c, size_t n) {
  char *p = d;
  while (n--)
    *p++ = (char)c;
  return d;
}
void fill(unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = 9;
}
void copy(unsigned char *p, const unsigned char *q, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = q[i];
}
#endif

#if PART & 2
static unsigned char b[1000], c[1000];

__attribute__((used, noinline)) static long work(void) {
  fill(b, 1000);
  copy(c, b + 1, 900);
  return !(c[899] == 9 && c[900] == 0);
}

__asm__(".globl _start\n_start: xorl %ebp, %ebp\n andq $-16, %rsp\n call work\n movq %rax, %rdi\n"
        " movl $60, %eax\n syscall\n");
#endif
