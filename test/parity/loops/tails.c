// tails.c - word loops with the loops over what is left, as one operation
#include "parity.h"

typedef u64 __attribute__((may_alias)) w64;
typedef u32 __attribute__((may_alias)) w32;
typedef u16 __attribute__((may_alias)) w16;

PARITY(words_then_bytes, "copy lowered")
void words_then_bytes(u8 *restrict d, const u8 *restrict s, size_t n) {
  while (n >= 8) {
    *(w64 *)d = *(const w64 *)s;
    d += 8;
    s += 8;
    n -= 8;
  }
  while (n--)
    *d++ = *s++;
}

PARITY(words_may_overlap, "move guarded")
void words_may_overlap(u8 *d, const u8 *s, size_t n) {
  while (n >= 8) {
    *(w64 *)d = *(const w64 *)s;
    d += 8;
    s += 8;
    n -= 8;
  }
  while (n--)
    *d++ = *s++;
}

PARITY(by_index, "copy lowered")
void by_index(u8 *restrict d, const u8 *restrict s, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    d[i + 2] = s[i + 2];
    d[i + 3] = s[i + 3];
  }
  for (; i < n; i++)
    d[i] = s[i];
}

PARITY(by_count, "copy lowered")
void by_count(u8 *restrict d, const u8 *restrict s, size_t n) {
  size_t words = n / 8, rest = n % 8;
  for (; words; words--) {
    *(w64 *)d = *(const w64 *)s;
    d += 8;
    s += 8;
  }
  for (; rest; rest--)
    *d++ = *s++;
}

PARITY(by_mask, "copy lowered")
void by_mask(u8 *restrict d, const u8 *restrict s, size_t n) {
  size_t i;
  for (i = 0; i < (n & ~(size_t)7); i += 8)
    *(w64 *)(d + i) = *(const w64 *)(s + i);
  for (; i < n; i++)
    d[i] = s[i];
}

PARITY(three_stages, "copy lowered")
PARITY_BUT(three_stages, "gcc-12", "copy lowered + copy lowered",
           "has made the loop of four bytes, which runs at most once, an if")
void three_stages(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (; n >= 8; n -= 8, d += 8, s += 8)
    *(w64 *)d = *(const w64 *)s;
  for (; n >= 4; n -= 4, d += 4, s += 4)
    *(w32 *)d = *(const w32 *)s;
  for (; n; n--)
    *d++ = *s++;
}

PARITY(returns_end, "copy lowered")
u8 *returns_end(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (; n >= 4; n -= 4, d += 4, s += 4)
    *(w32 *)d = *(const w32 *)s;
  for (; n; n--)
    *d++ = *s++;
  return d;
}

PARITY(clear, "fill lowered")
void clear(u8 *d, size_t n) {
  for (; n >= 8; n -= 8, d += 8)
    *(w64 *)d = 0;
  while (n--)
    *d++ = 0;
}

PARITY(ones, "fill lowered")
void ones(u8 *d, size_t n) {
  for (; n >= 8; n -= 8, d += 8)
    *(w64 *)d = ~(u64)0;
  for (; n; n--)
    *d++ = 0xff;
}

PARITY(sum_bytes, "sum lowered")
u64 sum_bytes(const u8 *p, size_t n) {
  u64 s = 0;
  while (n >= 4) {
    s += p[0] + p[1] + p[2] + p[3];
    p += 4;
    n -= 4;
  }
  while (n--)
    s += *p++;
  return s;
}

PARITY(fold_bytes, "xor_fold lowered")
u64 fold_bytes(const u8 *p, size_t n) {
  u8 x = 0;
  for (; n >= 4; n -= 4, p += 4)
    x ^= p[0] ^ p[1] ^ p[2] ^ p[3];
  for (; n; n--)
    x ^= *p++;
  return x;
}

// Near misses: each loop is what it is, by itself.
PARITY(other_value, "fill lowered + fill lowered")
void other_value(u8 *d, size_t n, size_t m) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  for (size_t i = 0; i < m; i++)
    d[n + i] = 1;
}

PARITY(gap_between, "fill lowered + fill lowered")
void gap_between(u8 *d, size_t n, size_t m) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  for (size_t i = 0; i < m; i++)
    d[n + 1 + i] = 0;
}

PARITY(other_source, "copy lowered + copy lowered")
void other_source(u8 *restrict d, const u8 *restrict s, const u8 *restrict t, size_t n,
                  size_t m) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  for (size_t i = 0; i < m; i++)
    d[n + i] = t[i];
}

PARITY(store_between, "fill lowered + fill lowered")
void store_between(u8 *restrict d, u8 *restrict other, size_t n, size_t m) {
  for (size_t i = 0; i < n; i++)
    d[i] = 0;
  other[0]++;
  for (size_t i = 0; i < m; i++)
    d[n + i] = 0;
}
