// by-words-vectors.c - at -O2 GCC makes vectors of a few loops, which then are not taken by words
//
// RUN: %memlift-gcc -O2 -fopenmp-simd -S %s -o %t.s --memlift-remarks=%t.yaml
// RUN: memlift-report --color never %t.yaml | %filecheck %s
#include <stddef.h>
#include <stdint.h>

// CHECK: plain {{.*}}MLF1014
void plain(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

// Vectors that the source asks for, whatever the number of iterations.
// CHECK: simd {{.*}}kept
void simd(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

// A number of iterations that fills vectors of 16 bytes; the next one does not.
// CHECK: whole {{.*}}kept
void whole(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  n &= ~(size_t)15;
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

// CHECK: half {{.*}}MLF1014
void half(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  n &= ~(size_t)7;
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i];
}

// Few iterations, in which the index of the key does not wrap.
// CHECK: key {{.*}}kept
void key(uint8_t *d, const uint8_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] ^= s[i & 3];
}
