// streams.c - codes of loops that are to be cut into blocks
#include <stddef.h>

#define STREAM __attribute__((memlift("stream")))

STREAM void code_1015(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 3;
}
STREAM void code_1016(float *d, const float *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 3;
}
STREAM void code_2206(float *restrict d, const float *restrict a, const float *restrict b,
                      const float *restrict c, const float *restrict e, const float *restrict f,
                      const float *restrict g, const float *restrict h, const float *restrict j,
                      size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * b[i] + c[i] * e[i] + f[i] * g[i] + h[i] * j[i];
}
STREAM int code_2207(const int *next, int k, size_t n) {
  for (size_t i = 0; i < n; i++)
    k = next[k];
  return k;
}
STREAM void code_3052(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i];
}
STREAM void code_2200(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    d[i] = a[i] * 3;
  }
}
