// hashes.c - string hashes, exclusive-or folds, signed sums, and what only looks like them
#include "parity.h"

typedef int8_t s8;

PARITY(java, "polyhash lowered")
int java(const u8 *s, int n) {
  int h = 0;
  for (int i = 0; i < n; i++)
    h = 31 * h + s[i];
  return h;
}

PARITY(djb2, "polyhash lowered")
unsigned long djb2(const u8 *s, size_t n) {
  unsigned long h = 5381;
  while (n--)
    h = (h << 5) + h + *s++;
  return h;
}

PARITY(djb2_signed, "polyhash lowered")
u32 djb2_signed(const signed char *s, size_t n) {
  u32 h = 5381;
  for (size_t i = 0; i < n; i++)
    h = h * 33 + (u32)s[i];
  return h;
}

PARITY(sdbm, "polyhash lowered")
u32 sdbm(const u8 *s, size_t n) {
  u32 h = 0;
  for (const u8 *e = s + n; s != e; s++)
    h = *s + (h << 6) + (h << 16) - h;
  return h;
}

// Mixed with exclusive-or: linear in no ring.
u32 fnv1a(const u8 *s, size_t n) {
  u32 h = 2166136261u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ s[i]) * 16777619u;
  return h;
}

u32 djb2a(const u8 *s, size_t n) {
  u32 h = 5381;
  for (size_t i = 0; i < n; i++)
    h = (h * 33) ^ s[i];
  return h;
}

u32 elf(const u8 *s, size_t n) {
  u32 h = 0;
  for (size_t i = 0; i < n; i++) {
    h = (h << 4) + s[i];
    u32 g = h & 0xf0000000;
    h ^= g >> 24;
    h &= ~g;
  }
  return h;
}

// BSD's sum turns its state between the bytes.
u32 bsd_sum(const u8 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i < n; i++) {
    s = (s >> 1) + ((s & 1) << 15);
    s += p[i];
    s &= 0xffff;
  }
  return s;
}

// System V's is a plain sum, folded at the end; a tar header's is taken both ways.
PARITY(sysv_sum, "sum lowered")
u32 sysv_sum(const u8 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  u32 r = (s & 0xffff) + (s >> 16);
  return (r & 0xffff) + (r >> 16);
}

PARITY(tar_header, "sum lowered")
int tar_header(const char *header, int *is_signed) {
  int unsigned_sum = 0, signed_sum = 0;
  const char *p = header;
  for (size_t i = 512; i-- != 0;) {
    unsigned_sum += (unsigned char)*p;
    signed_sum += (signed char)*p++;
  }
  *is_signed = signed_sum;
  return unsigned_sum;
}

PARITY(intel_hex, "sum lowered")
u8 intel_hex(const u8 *p, size_t n) {
  u8 s = 0;
  while (n--)
    s = (u8)(s + *p++);
  return (u8)(~s + 1);
}

PARITY(modbus_lrc, "sum lowered")
u8 modbus_lrc(const u8 *p, u16 n) {
  u8 s = 0;
  while (n--)
    s += *p++;
  return (u8)-(s8)s;
}

// rsync's and librsync's weak checksum.
PARITY(weak_signed, "weighted_sum lowered")
u32 weak_signed(const signed char *buf, int len) {
  u32 s1 = 0, s2 = 0;
  int i;
  for (i = 0; i < len - 4; i += 4) {
    s2 += 4 * (s1 + buf[i]) + 3 * buf[i + 1] + 2 * buf[i + 2] + buf[i + 3];
    s1 += buf[i] + buf[i + 1] + buf[i + 2] + buf[i + 3];
  }
  return (s1 & 0xffff) + (s2 << 16);
}

PARITY(weak_signed_tail, "weighted_sum lowered")
u32 weak_signed_tail(const signed char *buf, int i, int len, u32 s1, u32 s2) {
  for (; i < len; i++) {
    s1 += buf[i];
    s2 += s1;
  }
  return (s1 & 0xffff) + (s2 << 16);
}

PARITY(fletcher_u64, "weighted_sum lowered")
u64 fletcher_u64(const u64 *p, size_t n, u64 *second) {
  u64 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    b += a;
  }
  *second = b;
  return a;
}

// Exclusive-or of everything.
PARITY(lrc, "xor_fold lowered")
u8 lrc(const u8 *p, size_t n) {
  u8 x = 0;
  for (size_t i = 0; i < n; i++)
    x ^= p[i];
  return x;
}

PARITY(nmea, "xor_fold lowered")
unsigned nmea(const char *s, int n) {
  unsigned char x = 0;
  while (n-- > 0)
    x ^= (unsigned char)*s++;
  return x;
}

// Characters with a sign, in an int whose upper bits are shown.
PARITY(xor_signed, "xor_fold lowered")
int xor_signed(const signed char *s, int n) {
  int x = 0;
  for (int i = 0; i < n; i++)
    x ^= s[i];
  return x;
}

PARITY(xor_from, "xor_fold lowered")
u32 xor_from(const u32 *p, size_t n, u32 x) {
  while (n--)
    x ^= *p++;
  return x;
}

PARITY(xor_halves, "xor_fold lowered")
u16 xor_halves(const u8 *p, size_t n) {
  u16 x = 0xffff;
  for (size_t i = 0; i + 1 < n; i += 2)
    x ^= (u16)(p[i] << 8 | p[i + 1]);
  return x;
}

PARITY(xor_four, "xor_fold lowered")
u64 xor_four(const u64 *p, size_t n) {
  u64 x = 0;
  for (; n >= 4; n -= 4, p += 4)
    x ^= p[0] ^ p[1] ^ p[2] ^ p[3];
  return x;
}

PARITY(parity_bit, "xor_fold lowered")
int parity_bit(const u8 *p, size_t n) {
  u8 x = 0;
  for (size_t i = 0; i < n; i++)
    x ^= p[i];
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return x & 1;
}

// Near misses: every other byte, a state that turns, a bit that moves.
PARITY(xor_other, "xor_fold kept MLF2030")
u8 xor_other(const u8 *p, size_t n) {
  u8 x = 0;
  for (size_t i = 0; i < n; i++)
    x ^= p[2 * i];
  return x;
}

PARITY(xor_turned, "crc kept MLF2043")
u8 xor_turned(const u8 *p, size_t n) {
  u8 x = 0;
  for (size_t i = 0; i < n; i++)
    x = (u8)((u8)(x << 1 | x >> 7) ^ p[i]);
  return x;
}

PARITY(xor_shifted, "xor_fold kept MLF2042")
u32 xor_shifted(const u8 *p, size_t n) {
  u32 x = 0;
  for (size_t i = 0; i < n; i++)
    x ^= (u32)p[i] << 1;
  return x;
}

// Java's hash of arrays of wider words.
PARITY(java_ints, "polyhash lowered")
int java_ints(const int *a, size_t n) {
  u32 h = 1;
  for (size_t i = 0; i < n; i++)
    h = 31 * h + (u32)a[i];
  return (int)h;
}

PARITY(java_chars, "polyhash lowered")
u32 java_chars(const u16 *s, int length) {
  u32 h = 0;
  for (int i = 0; i < length; i++)
    h = (h << 5) - h + s[i];
  return h;
}

PARITY(hash_words64, "polyhash lowered")
u64 hash_words64(const u64 *p, size_t n) {
  u64 h = 7;
  while (n--)
    h = h * 0x9e3779b97f4a7c15u + *p++;
  return h;
}

PARITY(hash_two_words, "polyhash lowered")
u64 hash_two_words(const u32 *p, size_t n) {
  u64 h = 1;
  for (size_t i = 0; i < n; i++, p += 2)
    h = (h * 33 + p[0]) * 33 + p[1];
  return h;
}

// A long hash of ints counts their signs.
PARITY(long_of_ints, "sum kept MLF2042")
u64 long_of_ints(const int *a, size_t n) {
  u64 h = 1;
  for (size_t i = 0; i < n; i++)
    h = 31 * h + (u64)a[i];
  return h;
}

// Checksums of headers and images: 32-bit words modulo 2^32, and what is left of them in 16 bits.
PARITY(word_sum, "sum lowered")
u32 word_sum(const u32 *p, size_t n) {
  u32 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

PARITY(word_sum_negated, "sum lowered")
u16 word_sum_negated(const int *p, size_t n) {
  u16 sum = 0;
  while (n--)
    sum -= (u16)*p++;
  return sum;
}
