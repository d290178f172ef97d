// exits.c - loops that end at the first of several bounds
//
// A bound that is read again and again stands in a test of its own, or one of another
// width: the loop is left at two places, of which each has a count.
#include "parity.h"

struct buffer {
  size_t used, size;
  u8 *data;
};

PARITY(copy_two_bounds, "move guarded")
void copy_two_bounds(u8 *d, const u8 *s, size_t n, const size_t *m) {
  for (size_t i = 0; i < n && i < *m; i++)
    d[i] = s[i];
}

PARITY(copy_two_bounds_turned, "move guarded")
void copy_two_bounds_turned(u8 *d, const u8 *s, size_t n, const size_t *m) {
  for (size_t i = 0; i < *m && i < n; i++)
    d[i] = s[i];
}

PARITY(fill_two_bounds, "fill guarded")
void fill_two_bounds(u8 *d, size_t n, const size_t *m) {
  for (size_t i = 0; i < n && i < *m; i++)
    d[i] = 0;
}

PARITY(fill_two_read, "fill guarded")
void fill_two_read(u8 *d, const size_t *n, const size_t *m) {
  for (size_t i = 0; i < *n && i < *m; i++)
    d[i] = 0;
}

PARITY(fill_both_fields, "fill guarded")
void fill_both_fields(struct buffer *b, u8 value) {
  u8 *data = b->data;
  for (size_t i = 0; i < b->used && i < b->size; i++)
    data[i] = value;
}

// The words are no size_t, which the compiler knows.
PARITY(copy_words_two_bounds, "copy lowered")
void copy_words_two_bounds(u16 *restrict d, const u16 *restrict s, size_t n, const u32 *m) {
  for (size_t i = 0; i < n && i < *m; i++)
    d[i] = s[i];
}

PARITY(copy_two_widths, "copy lowered")
void copy_two_widths(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  for (size_t i = 0; i < n && i < m; i++)
    d[i] = s[i];
}

PARITY(copy_counts_down, "copy lowered")
void copy_counts_down(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  while (n && m) {
    *d++ = *s++;
    n--;
    m--;
  }
}

PARITY(copy_counts_behind, "copy lowered")
void copy_counts_behind(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  while (n-- && m--)
    *d++ = *s++;
}

// Both exits leave one number.
PARITY(copy_how_many, "copy lowered")
size_t copy_how_many(u8 *restrict d, const u8 *restrict s, size_t n, const u32 *restrict m) {
  size_t i;
  for (i = 0; i < n && i < *m; i++)
    d[i] = s[i];
  return i;
}

PARITY(copy_to_end, "copy lowered")
u8 *copy_to_end(u8 *restrict d, u8 *end, const u8 *restrict s, size_t n) {
  while (d != end && n--)
    *d++ = *s++;
  return d;
}

PARITY(sum_two_bounds, "sum lowered")
u32 sum_two_bounds(const u8 *p, size_t n, const size_t *m) {
  u32 s = 0;
  for (size_t i = 0; i < n && i < *m; i++)
    s += p[i];
  return s;
}

// A test in the middle: what stands in front of it runs once more.
PARITY(break_behind, "copy lowered")
void break_behind(u8 *restrict d, const u8 *restrict s, size_t n, const u32 *restrict m) {
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    if (i == *m)
      break;
  }
}

// Near misses: the loop is left where it reads something.
PARITY(string_copy, "copy kept MLF3055")
void string_copy(char *restrict d, const char *restrict s, size_t n) {
  for (size_t i = 0; i < n && s[i]; i++)
    d[i] = s[i];
}

PARITY(until_found, "copy kept MLF3055")
void until_found(u8 *restrict d, const u8 *restrict s, size_t n, const u8 *what) {
  for (size_t i = 0; i < n && s[i] != *what; i++)
    d[i] = s[i];
}

// Left in two ways that are told apart behind it.
PARITY(told_apart, "copy lowered")
int told_apart(u8 *restrict d, const u8 *restrict s, size_t n, const u32 *restrict m) {
  for (size_t i = 0; i < n; i++) {
    if (i >= *m)
      return 1;
    d[i] = s[i];
  }
  return 0;
}

PARITY(two_counts_left, "copy lowered")
size_t two_counts_left(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  size_t i = 0;
  while (n-- && m--) {
    d[i] = s[i];
    i++;
  }
  return m;
}

PARITY(volatile_bound, "copy kept MLF2001 MLF2010 MLF2011")
void volatile_bound(u8 *restrict d, const u8 *restrict s, size_t n, const volatile size_t *m) {
  for (size_t i = 0; i < n && i < *m; i++)
    d[i] = s[i];
}

// The bound is in the middle of what is filled.
PARITY(bound_inside, "fill kept MLF2063")
void bound_inside(size_t *d, size_t n) {
  for (size_t i = 0; i < n && i < d[3]; i++)
    d[i] = 7;
}

// One of the bounds moves.
PARITY(bound_moves, "copy kept MLF2010 MLF2011")
void bound_moves(u8 *restrict d, const u8 *restrict s, size_t n, const u32 *restrict m) {
  for (size_t i = 0; i < n && i < m[i]; i++)
    d[i] = s[i];
}
