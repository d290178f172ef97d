/* blocks.c - fills of zero, of every size and place, beside pages that must not be touched
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loops go through memlift; what they leave is compared with what C says, byte by byte. Prints how
 * many cases were right and how many bytes DC ZVA clears here, or the first case that was wrong; exits 1
 * then.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OUT __attribute__((noinline))
typedef void fill(void *p, size_t n);

OUT static void bytes(void *p, size_t n) {
  char *d = p;
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}
OUT static void halves(void *p, size_t n) {
  uint16_t *d = p;
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
}
OUT static void words_down(void *p, size_t n) {
  uint32_t *d = p;
  while (n--)
    d[n] = 0;
}
struct vertex {
  uint64_t x, y, z;
};
OUT static void structs(void *p, size_t n) {
  struct vertex *d = p;
  for (size_t i = 0; i < n; i++)
    d[i] = (struct vertex){0, 0, 0};
}
OUT static void lines(void *p, size_t n) { /* whole blocks, for certain */
  uint64_t *d = __builtin_assume_aligned(p, 64);
  for (size_t i = 0; i < 8 * n; i++)
    d[i] = 0;
}
OUT static void constant(void *p, size_t n) {
  char *d = p;
  for (size_t i = 0; i < 333; i++)
    d[i] = 0;
  (void)n;
}

static const struct {
  fill *run;
  const char *name;
  size_t element, align, most; /* bytes; of a constant size the element is all */
} fills[] = {
    {bytes, "bytes", 1, 1, 600},        {halves, "halves", 2, 2, 300},
    {words_down, "words down", 4, 4, 150}, {structs, "structs", 24, 8, 40},
    {lines, "lines", 64, 64, 20},       {constant, "constant", 333, 1, 1},
};
enum { PAGE = 65536, FILLS = sizeof fills / sizeof *fills, AROUND = 200, BEFORE = 0xa5 };

/* Bytes around it stay, as far as they are in [first, end). */
static void check(size_t index, size_t count, unsigned char *p, unsigned char *first,
                  unsigned char *end) {
  size_t size = count * fills[index].element;
  unsigned char *from = p - first > AROUND ? p - AROUND : first;
  unsigned char *to = end - (p + size) > AROUND ? p + size + AROUND : end;
  memset(from, BEFORE, (size_t)(to - from));
  fills[index].run(p, count);
  for (unsigned char *at = from; at < to; at++)
    if (*at != (at >= p && at < p + size ? 0 : BEFORE)) {
      printf("%s: %zu at %zu of a block: byte %td is %u\n", fills[index].name, count,
             (size_t)((uintptr_t)p % 64), at - p, *at);
      exit(1);
    }
}

static unsigned cleared(void) {
  uint64_t id;
  __asm__("mrs %0, dczid_el0" : "=r"(id));
  return id & 16 ? 0 : 4u << (id & 15);
}

int main(void) {
  unsigned char *all = mmap(0, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char *first = all + PAGE, *end = all + 2 * PAGE;
  if (all == MAP_FAILED || mprotect(first, PAGE, PROT_READ | PROT_WRITE)) {
    perror("mmap");
    return 2;
  }
  unsigned long cases = 0;
  for (size_t index = 0; index < FILLS; index++)
    for (size_t count = fills[index].most == 1; count <= fills[index].most; count++)
      for (size_t shift = 0; shift < 64; shift += fills[index].align, cases += 2) {
        size_t size = count * fills[index].element, align = fills[index].align;
        check(index, count, first + shift, first, end);
        check(index, count, end - (size + align - 1) / align * align - shift, first, end);
      }
  printf("%lu cases, blocks of %u bytes\n", cases, cleared());
  return 0;
}
