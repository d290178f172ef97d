// streams.c - loops that are to be cut into blocks: legal ones, and near misses, rule by rule
#include "parity.h"

#define BLOCKS __attribute__((memlift("stream")))

PARITY(saxpy, "none guarded")
BLOCKS void saxpy(float *d, const float *a, float k, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += k * a[i];
}

PARITY(saxpy_apart, "none inlined")
BLOCKS void saxpy_apart(float *restrict d, const float *restrict a, float k, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += k * a[i];
}

PARITY(sum, "none inlined")
BLOCKS double sum(const double *a, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; i++)
    s += a[i];
  return s;
}

PARITY(fir, "none inlined")
BLOCKS void fir(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] + 0.5f * a[i + 1] + 0.25f * a[i + 2];
}

PARITY(blend, "none guarded")
BLOCKS void blend(u8 *restrict d, const u8 *restrict a, size_t w, size_t h, size_t p, size_t q) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * p + x] = (u8)(a[y * q + x] * 77 >> 8);
}

PARITY(pairs, "none inlined")
BLOCKS void pairs(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = a[2 * i] * 3.0f - a[2 * i + 1];
    d[2 * i + 1] = a[2 * i] * a[2 * i + 1];
  }
}

PARITY(look_up, "none inlined")
BLOCKS void look_up(u32 *restrict d, const u8 *restrict a, const u32 *restrict table, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = table[a[i]] * 3;
}

PARITY(table_meets, "none kept MLF2013 MLF2024 MLF2202")
BLOCKS void table_meets(u32 *d, const u8 *a, const u32 *table, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = table[a[i]] * 3;
}

PARITY(prefix, "none kept MLF2024 MLF2203")
BLOCKS void prefix(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = d[i + 1] * 0.5f + a[i];
}

struct point { float x, y; };
PARITY(one_of_two, "none kept MLF2021 MLF2024 MLF2204")
BLOCKS void one_of_two(struct point *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i].x = a[i] * 0.5f;
}

PARITY(sometimes, "none kept MLF2015 MLF2024 MLF2205")
BLOCKS void sometimes(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] > 0)
      d[i] = a[i] * 0.5f;
}

PARITY(stride, "none kept MLF2024 MLF2201")
BLOCKS void stride(float *restrict d, const float *restrict a, size_t n, size_t s) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i * s] * 0.5f;
}

void seen(int);
PARITY(calls, "none kept MLF2012 MLF2024")
BLOCKS void calls(int *restrict d, const int *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    seen(a[i]);
    d[i] = a[i] * 3;
  }
}

PARITY(watched, "none kept MLF2001 MLF2024")
BLOCKS void watched(int *restrict d, const volatile int *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 3;
}

PARITY(few, "none kept MLF2024 MLF3051")
BLOCKS void few(float *restrict d, const float *restrict a) {
  for (size_t i = 0; i < 100; i++)
    d[i] = a[i] * 0.5f;
}

PARITY(small_store, "none kept MLF2024 MLF3050")
__attribute__((memlift("stream=256")))
void small_store(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i] * 0.5f;
}

struct record { u32 key, size, flags; };
PARITY(records, "none inlined + copy lowered")
PARITY_BUT(records, "gcc-12", "none inlined + copy already + copy already",
           "GCC makes words of the call itself, once in each version of the loop")
BLOCKS u32 records(struct record *restrict d, const struct record *restrict a, size_t n) {
  u32 sum = 1;
  for (size_t i = 0; i < n; i++) {
    __builtin_memcpy(&d[i], &a[i], sizeof *d);
    sum = sum * 31 + a[i].key;
  }
  return sum;
}

PARITY(zeros, "none inlined + fill lowered")
PARITY_BUT(zeros, "gcc-12", "none inlined + fill already + fill already",
           "GCC makes words of the call itself, once in each version of the loop")
BLOCKS float zeros(struct record *restrict d, const float *restrict a, size_t n) {
  float sum = 1;
  for (size_t i = 0; i < n; i++) {
    __builtin_memset(&d[i], 0, sizeof *d);
    sum += a[i];
  }
  return sum;
}

PARITY(copies, "copy lowered")
BLOCKS void copies(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = a[i];
}

#define BOTH __attribute__((memlift("spread"), memlift("stream")))

PARITY(threads, "none inlined")
BOTH u32 threads(u32 *restrict d, const u32 *restrict a, size_t n) {
  u32 large = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = a[i] * 3 + 2;
    large += d[i] > 100;
  }
  return large;
}

PARITY(threads_meet, "none guarded")
BOTH void threads_meet(float *d, const float *a, float k, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] += k * a[i];
}

PARITY(threads_gap, "none inlined")
BOTH void threads_gap(float *restrict d, const float *restrict a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[2 * i] = a[i] * 0.5f;
}

PARITY(threads_prefix, "none kept MLF2024 MLF2220")
BOTH void threads_prefix(u32 *restrict d, const u32 *restrict a, size_t n) {
  u32 last = 1;
  for (size_t i = 0; i < n; i++) {
    last = last * 3 + a[i];
    d[i] = last;
  }
}

PARITY(threads_count, "none inlined")
BOTH u32 threads_count(float *restrict d, const float *restrict a, size_t n) {
  u32 large = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = a[i] * 0.5f;
    large += a[i] > 2;
  }
  return large;
}

PARITY(threads_used, "none kept MLF2016 MLF2024 MLF2220")
BOTH u32 threads_used(float *restrict d, const float *restrict a, size_t n) {
  u32 large = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = a[i] * 0.5f;
    large += a[i] > (float)large;
  }
  return large;
}
