// exits-apart.c - loops that are left in several ways, which are told apart behind them
//
// Which bound is met first is known before the loop: what stands in its place goes on
// where the loop would have been left.
#include "parity.h"

static u64 noted;
static __attribute__((noinline)) void note(u64 x) { noted = x * 3 + 1; }

PARITY(apart_called, "copy lowered")
u64 apart_called(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  for (size_t i = 0; i < n; i++) {
    if (i >= m) {
      note(i);
      return noted + i;
    }
    d[i] = s[i];
  }
  return n + 7;
}

PARITY(apart_written, "copy lowered")
u64 apart_written(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  size_t i;
  for (i = 0; i < n; i++) {
    if (i >= m) {
      d[i] = 0xff;
      return 1;
    }
    d[i] = s[i];
  }
  return i * 2;
}

PARITY(apart_sum, "sum lowered")
u64 apart_sum(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (i >= m)
      return ~(u64)i;
    sum += s[i];
  }
  return sum;
}

// Both exits leave what has been added up so far.
PARITY(apart_sums, "sum lowered")
u64 apart_sums(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  u32 sum = 0;
  while (n--) {
    if (!m--)
      return (u64)sum << 8;
    sum += *s++;
  }
  return sum;
}

PARITY(apart_places, "copy lowered")
u64 apart_places(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  u8 *first = d;
  while (n--) {
    if (m == 0)
      return (u64)(d - first) * 2;
    m--;
    *d++ = *s++;
  }
  return (u64)(d - first) * 2 + 1;
}

PARITY(apart_three, "fill lowered")
u64 apart_three(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  unsigned k = (u16)(n * 3 + 5) % 97;
  for (size_t i = 0; i < n; i++) {
    if (i >= m)
      return 1;
    if (i >= k) {
      note(i);
      return noted;
    }
    d[i] = 0x5a;
  }
  return 3;
}

// The test is behind the store.
PARITY(apart_behind, "copy lowered")
u64 apart_behind(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  for (size_t i = 0; i < n; i++) {
    d[i] = s[i];
    if (i == m) {
      note(i);
      return noted;
    }
  }
  return 2;
}

PARITY(apart_moved, "move lowered")
u64 apart_moved(u8 *d, const u8 *s, size_t n, unsigned m) {
  for (size_t i = 0; i < n; i++) {
    if (i >= m)
      return i + 1000;
    d[i] = s[i];
  }
  return 0;
}

// Inside another loop, in which both ways go on.
PARITY(apart_rows, "copy lowered")
u64 apart_rows(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  u64 r = 0;
  for (size_t rows = n & 3; rows--; m -= m / 3) {
    size_t i;
    for (i = 0; i < n; i++) {
      if (i >= m) {
        note(i);
        r += noted;
        goto next;
      }
      d[i] = s[i];
    }
    r ^= i * 3;
  next:
    r *= 5;
  }
  return r;
}

// --- near misses ---

// One of the exits leaves the loop around it, too.
PARITY(apart_through, "copy kept MLF2010 MLF2011")
u64 apart_through(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  for (size_t rows = n & 3; rows--; m -= m / 3)
    for (size_t i = 0; i < n; i++) {
      if (i >= m)
        return i + rows;
      d[i] = s[i];
    }
  return 0;
}

// The loaded byte decides at which exit the loop ends.
PARITY(apart_read, "copy kept MLF3055")
PARITY_BUT(apart_read, "clang-19", "copy kept MLF2010 MLF2011", "LLVM 19 carries which exit it was")
u64 apart_read(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == (u8)m)
      return 1;
    d[i] = s[i];
  }
  return 0;
}

// One of the values that are left is no count.
PARITY(apart_unknown, "copy_sum kept MLF2040")
u64 apart_unknown(u8 *restrict d, const u8 *restrict s, size_t n, unsigned m) {
  u32 x = 3;
  for (size_t i = 0; i < n; i++) {
    if (i >= m)
      return x;
    x = x * x + 1;
    d[i] = s[i];
  }
  return 0;
}
