// narrow-index.c - indices narrower than a counter that is narrower than its bound wrap as written
//
// Each of the two needs a test that it does not wrap, and the narrower one's is the one that fails.
// The vectoriser of clang 22 leaves that test out as well, where it gets the loop that is kept.
// RUN: for cc in %wrappers; do for options in -O1 -O2 -O3 -Os "-O2 --memlift-runtime=none"; do \
// RUN:   %sample; $cc $options -fno-tree-vectorize -w %s -o %t && %t || \
// RUN:   { echo "failed: $cc $options"; exit 1; }; done; done
#include <stddef.h>

enum { Size = 1024 };
static unsigned char from[Size], to[Size], want[Size];
static volatile long count;

#define APART __attribute__((noinline))

APART static unsigned sum_masked(const unsigned char *a, long n) {
  unsigned short x = 1;
  for (unsigned i = 0; i < n; i++)
    x += a[i % 256];
  return x;
}

APART static unsigned sum_from_one(const unsigned char *a, size_t n) {
  unsigned x = 0;
  for (unsigned i = 1; i < n + 3; i++)
    x += a[(unsigned char)i];
  return x;
}

APART static void fill_short(unsigned char *d, long n) {
  for (unsigned i = 0; i < n; i++)
    d[(unsigned char)(i + 5)] = 9;
}

APART static void copy_byte(unsigned char *restrict d, const unsigned char *restrict s,
                            size_t n) {
  for (unsigned i = 0; i < n; i++)
    d[(unsigned char)i] = s[i & 255];
}

APART static void copy_one_side(unsigned char *restrict d, const unsigned char *restrict s,
                                long n) {
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i % 256];
}

static int differs(void) {
  int different = 0;
  for (volatile int i = 0; i < Size; i++)
    different |= to[i] != want[i], to[i] = want[i] = 0;
  return different;
}

static int check(long n) {
  unsigned masked = 1, one = 0;
  for (volatile long i = 0; i < n; i++)
    masked += from[i % 256];
  for (volatile long i = 1; i < n + 3; i++)
    one += from[i % 256];
  if (sum_masked(from, n) != (unsigned short)masked || sum_from_one(from, n) != one)
    return 1;
  for (volatile long i = 0; i < n; i++)
    want[(i + 5) % 256] = 9;
  fill_short(to, n);
  if (differs())
    return 2;
  for (volatile long i = 0; i < n; i++)
    want[i % 256] = from[i % 256];
  copy_byte(to, from, n);
  if (differs())
    return 3;
  for (volatile long i = 0; i < n; i++)
    want[i] = from[i % 256];
  copy_one_side(to, from, n);
  return differs() ? 4 : 0;
}

int main(void) {
  for (int i = 0; i < Size; i++)
    from[i] = (unsigned char)(i * 7 + i / 5);
  static const long counts[] = {0, 1, 100, 250, 253, 255, 256, 257, 260, 511, 513, 700};
  for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
    count = counts[k];
    if (check(count))
      return check(count);
  }
  return 0;
}
