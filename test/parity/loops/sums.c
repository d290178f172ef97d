// sums.c - sums, checksums and hashes that every compiler must see alike
#include "parity.h"

PARITY(sum_bytes, "sum lowered")
u32 sum_bytes(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

PARITY(sum_from, "sum lowered")
u64 sum_from(const u32 *p, size_t n, u64 sum) {
  while (n--)
    sum += *p++;
  return sum;
}

PARITY(sum_signed, "sum lowered")
int sum_signed(const signed char *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

PARITY(sum_minus, "sum lowered")
u8 sum_minus(const u8 *p, size_t n) {
  u8 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum -= p[i];
  return sum;
}

// Each of the two leaves out every other word; together they read all.
PARITY(two_sums, "sum lowered")
u64 two_sums(const u32 *p, size_t n, u64 *second) {
  u64 a = 0, b = 0;
  for (size_t i = 0; i < n; i += 2) {
    a += p[i];
    b += p[i + 1];
  }
  *second = b;
  return a;
}

// The Internet checksum: folded after the loop ...
PARITY(inet_deferred, "sum lowered")
u16 inet_deferred(const u16 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[i];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (u16)~sum;
}

PARITY(inet_pairs, "sum lowered")
u16 inet_pairs(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i + 1 < n; i += 2)
    sum += (u32)p[i] << 8 | p[i + 1];
  sum = (sum & 0xffff) + (sum >> 16);
  sum += sum >> 16;
  return (u16)~sum;
}

// ... and in it.
PARITY(inet_fold, "inet_checksum lowered")
u16 inet_fold(const u16 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (u16)~sum;
}

PARITY(inet_carry, "inet_checksum lowered")
u16 inet_carry(const u16 *p, size_t n) {
  u16 sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    if (sum < p[i])
      sum++;
  }
  return (u16)~sum;
}

PARITY(inet_minus, "inet_checksum lowered")
u16 inet_minus(const u16 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    if (sum > 0xffff)
      sum -= 0xffff;
  }
  return (u16)~sum;
}

PARITY(adler_inner, "weighted_sum lowered")
u32 adler_inner(const u8 *p, size_t n, u32 a, u32 b) {
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    b += a;
  }
  return b % 65521 << 16 | a % 65521;
}

PARITY(fletcher_words, "weighted_sum lowered")
u64 fletcher_words(const u32 *p, size_t n) {
  u64 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    b += a;
  }
  return b % 0xffffffff << 32 | a % 0xffffffff;
}

PARITY(string_hash, "polyhash lowered")
u32 string_hash(const u8 *p, size_t n) {
  u32 h = 0;
  for (size_t i = 0; i < n; i++)
    h = h * 31 + p[i];
  return h;
}

// Near misses: every other word; a sum that wraps at 256. A start of 32 bits is tested.
PARITY(every_other, "sum kept MLF2030")
u32 every_other(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[2 * i];
  return sum;
}

PARITY(wraps_early, "sum kept MLF2041")
u32 wraps_early(const u8 *p, size_t n, u8 q) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (u8)(p[i] + q);
  return sum;
}

PARITY(inet_start, "inet_checksum guarded")
u32 inet_start(const u16 *p, size_t n, u32 sum) {
  for (size_t i = 0; i < n; i++) {
    sum += p[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

PARITY(uneven, "sum kept MLF2042")
u32 uneven(const u8 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[2 * i] + 3u * p[2 * i + 1];
  return sum;
}
