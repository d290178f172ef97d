// sequences.c - several arrays written in one loop: one operation after the other
#include "parity.h"

// Wherever they meet they are filled with the same.
PARITY(same_value, "fill lowered")
void same_value(u32 *a, u32 *b, size_t n, u32 v) {
  for (size_t i = 0; i < n; i++) {
    a[i] = v;
    b[i] = v;
  }
}

PARITY(two_values, "fill guarded")
void two_values(u32 *a, u32 *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
  }
}

PARITY(two_restrict, "fill lowered")
void two_restrict(u32 *restrict a, u32 *restrict b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
  }
}

// The later of two stores may give memory its type, so that types prove nothing.
PARITY(two_types, "fill guarded")
void two_types(float *a, double *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = 2.0;
  }
}

PARITY(copy_and_fill, "move guarded")
void copy_and_fill(u8 *a, u8 *b, u8 *c, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = 0;
    b[i] = 0;
    c[i] = s[i];
  }
}

PARITY(copied_twice, "move guarded")
void copied_twice(u16 *a, u16 *b, const u16 *s, int n) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] = s[i];
}

PARITY(walked, "move guarded")
void walked(u32 *a, u8 *b, const u32 *s, int n) {
  while (n--) {
    *a++ = *s++;
    *b++ = 7;
  }
}

PARITY(downwards, "move guarded")
void downwards(u32 *a, u32 *b, const u32 *s, int n) {
  while (n-- > 0) {
    a[n] = s[n];
    b[n] = 7;
  }
}

struct table {
  u32 used, *key, *value;
};

PARITY(through_members, "fill guarded")
void through_members(struct table *t) {
  for (u32 i = 0; i < t->used; i++) {
    t->key[i] = 0;
    t->value[i] = ~0u;
  }
}

PARITY(halves, "fill guarded")
void halves(u32 *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i] = 1;
    p[i + n] = 2;
  }
}

struct state {
  u32 x[64], y[64];
};

PARITY(members, "fill lowered")
void members(struct state *s, u32 n, u32 v) {
  for (u32 i = 0; i < (n & 63); i++) {
    s->x[i] = v;
    s->y[i] = ~v;
  }
}

// Read again in each iteration: either array may be over it.
PARITY(value_again, "fill guarded")
void value_again(u8 *a, u8 *b, const u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = *p;
    b[i] = 1;
  }
}

// One of them is no fill and no copy, or leaves gaps.
PARITY(fill_and_count, "none kept MLF2023 MLF2024")
void fill_and_count(u32 *a, u32 *b, u32 n) {
  for (u32 i = 0; i < n; i++) {
    a[i] = 5;
    b[i] = b[i] * 3;
  }
}

PARITY(fill_and_gaps, "fill kept MLF2023")
void fill_and_gaps(u32 *a, u32 *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = 5;
    b[2 * i] = 6;
  }
}

// Read before it is written in each iteration, and so in all.
PARITY(cleared_behind, "copy lowered")
PARITY_ALREADY(cleared_behind, "gcc-12", "copy lowered + fill lowered", "memcpy memset",
               "gcc has made a memcpy and a memset of it itself")
PARITY_BUT(cleared_behind, "gcc-13", "copy lowered", "as clang: gcc 13 leaves the loop whole")
void cleared_behind(u32 *restrict a, u32 *restrict b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = b[i];
    b[i] = 0;
  }
}

PARITY(cleared_before, "move guarded")
void cleared_before(u32 *a, u32 *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u32 t = b[i];
    b[i] = 9;
    a[i] = t;
  }
}
