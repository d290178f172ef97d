// row-latch.c - a call that ends the body of a loop ends a row in a block of its own
//
// GCC makes a call of the last loop of a body and merges its block with the latch. What follows the
// row was the header then, which was left with no way in from outside: an internal error of GCC.
// REQUIRES: gcc-12
// RUN: for level in -O1 -O2 -O3 -Os; do for mode in memlift libc none; do \
// RUN:   %memlift-gcc $level -w -fchecking --memlift-runtime=$mode %s -o %t && %t || \
// RUN:   { echo "failed: $level $mode"; exit 1; }; done; done
static short numbers[65536];
static int words[333], zero;
static unsigned char bytes[4099];
volatile int times = 3, count = 300, size = 4099;

__attribute__((noinline)) static void apart(int w, int n) {
  for (int i = w; i--;) {
    unsigned short j = 0;
    do {
      numbers[j] = j;
      j++;
    } while (j);
    for (int k = 2; k < n; k++)
      words[k] = zero;
  }
}

__attribute__((noinline)) static void joined(unsigned char *d, long n, int w) {
  for (int i = w; i--;) {
    long k = 0;
    for (; k + 8 <= n; k += 8)
      *(long long __attribute__((may_alias)) *)(d + k) = 0;
    for (; k < n; k++)
      d[k] = 0;
  }
}

int main(void) {
  for (int i = 0; i < 333; i++)
    words[i] = i + 1;
  for (int i = 0; i < 4099; i++)
    bytes[i] = 7;
  apart(times, count);
  joined(bytes, size - 1, times);
  for (int i = 0; i < 333; i++)
    if (words[i] != (i < 2 || i >= 300 ? i + 1 : 0))
      return 1;
  for (int i = 0; i < 65536; i++)
    if (numbers[i] != (short)i)
      return 2;
  for (int i = 0; i < 4099; i++)
    if (bytes[i] != (i == 4098 ? 7 : 0))
      return 3;
  return 0;
}
