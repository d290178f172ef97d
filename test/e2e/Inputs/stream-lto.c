// stream-lto.c - a loop by blocks, one with calls in it, and one that several threads do
#include <stddef.h>
#include <string.h>

__attribute__((memlift("stream"), noinline)) float scaled(float *d, const float *a, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] += 1.5f * a[i];
    sum += d[i];
  }
  return sum;
}

__attribute__((memlift("stream"), noinline)) unsigned pieces(unsigned char *d,
                                                             const unsigned char *a, size_t n) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(&d[i * 24], &a[i * 24], 24);
    sum += d[i * 24];
  }
  return sum;
}

__attribute__((memlift("spread"), noinline)) unsigned long divided(const unsigned *a, size_t n) {
  unsigned long sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] / (a[i] % 7 + 1);
  return sum;
}

static float x[1000], y[1000];
static unsigned char c[2400], d[2400];
static unsigned words[1000];

int main(int argc, char **argv) {
  (void)argv;
  size_t n = 98 + (size_t)argc;
  y[3] = 2, c[24] = 5, words[7] = 14;
  return !(scaled(x, y, n) == 3 && pieces(d, c, n) == 5 && d[24] == 5 && divided(words, n) == 14);
}
