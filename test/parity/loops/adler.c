// adler.c - Adler-32, Fletcher and other sums that are reduced as they go, in many spellings
#include "parity.h"

#define ADLER 65521u

// By definition, a remainder at each byte.
PARITY(adler_bytewise, "modular_sum lowered")
u32 adler_bytewise(const u8 *p, size_t n) {
  u32 a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + p[i]) % ADLER;
    b = (b + a) % ADLER;
  }
  return b << 16 | a;
}

PARITY(adler_continued, "modular_sum lowered")
u32 adler_continued(u32 adler, const u8 *p, size_t n) {
  u32 s1 = adler & 0xffff, s2 = adler >> 16 & 0xffff;
  while (n--) {
    s1 = (s1 + *p++) % ADLER;
    s2 = (s1 + s2) % ADLER;
  }
  return (s2 << 16) + s1;
}

PARITY(adler_int, "modular_sum lowered")
unsigned adler_int(const unsigned char *buf, int len) {
  int a = 1, b = 0;
  for (int i = 0; i < len; ++i) {
    a = (a + buf[i]) % 65521;
    b = (b + a) % 65521;
  }
  return (unsigned)b * 65536u + (unsigned)a;
}

// Start values of any size: tested first.
struct adler_state {
  u32 a, b;
};
PARITY(adler_update, "modular_sum guarded")
void adler_update(struct adler_state *s, const u8 *p, size_t n) {
  u32 a = s->a, b = s->b;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    a %= ADLER;
    b += a;
    b %= ADLER;
  }
  s->a = a;
  s->b = b;
}

PARITY(adler_subtract, "modular_sum lowered")
u32 adler_subtract(const u8 *p, size_t n) {
  u32 a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    if (a >= ADLER)
      a -= ADLER;
    b += a;
    if (b >= ADLER)
      b -= ADLER;
  }
  return b << 16 | a;
}

PARITY(adler_subtract_from, "modular_sum guarded")
u32 adler_subtract_from(u32 adler, const u8 *p, size_t n) {
  u32 a = adler & 0xffff, b = adler >> 16;
  for (; n; n--) {
    a += *p++;
    if (a >= ADLER)
      a -= ADLER;
    b += a;
    if (b >= ADLER)
      b -= ADLER;
  }
  return b << 16 | a;
}

PARITY(adler_four_a_round, "modular_sum lowered")
u32 adler_four_a_round(const u8 *p, size_t n) {
  u32 a = 1, b = 0;
  for (; n >= 4; n -= 4, p += 4) {
    a += p[0], b += a;
    a += p[1], b += a;
    a += p[2], b += a;
    a += p[3], b += a;
    a %= ADLER;
    b %= ADLER;
  }
  return b << 16 | a;
}

// Fletcher-16.
PARITY(fletcher16, "modular_sum lowered")
u16 fletcher16(const u8 *data, int count) {
  u16 sum1 = 0, sum2 = 0;
  for (int index = 0; index < count; ++index) {
    sum1 = (sum1 + data[index]) % 255;
    sum2 = (sum2 + sum1) % 255;
  }
  return (u16)(sum2 << 8 | sum1);
}

PARITY(fletcher16_bytes, "modular_sum lowered")
u16 fletcher16_bytes(const u8 *data, size_t n) {
  u8 c0 = 0, c1 = 0;
  for (size_t i = 0; i < n; i++) {
    c0 = (u8)((c0 + data[i]) % 255);
    c1 = (u8)((c1 + c0) % 255);
  }
  return (u16)(c1 << 8 | c0);
}

PARITY(fletcher16_fold, "modular_sum lowered")
u16 fletcher16_fold(const u8 *data, size_t n) {
  u32 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += data[i];
    a = (a & 0xff) + (a >> 8);
    b += a;
    b = (b & 0xff) + (b >> 8);
  }
  return (u16)(b << 8 | a);
}

// Folded once where twice is needed: b may be 256, and is 1 at other times.
PARITY(fletcher16_fold_ff, "modular_sum kept MLF2090")
u16 fletcher16_fold_ff(const u8 *data, size_t n) {
  u32 a = 0xff, b = 0xff;
  while (n--) {
    a += *data++;
    b += a;
    a = (a & 0xff) + (a >> 8);
    b = (b & 0xff) + (b >> 8);
  }
  return (u16)(b << 8 | a);
}

PARITY(fletcher16_carry, "modular_sum lowered")
u16 fletcher16_carry(const u8 *data, size_t n) {
  u16 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += data[i];
    if (a > 0xff)
      a = (a & 0xff) + 1;
    b += a;
    if (b > 0xff)
      b = (b & 0xff) + 1;
  }
  return (u16)(b << 8 | a);
}

PARITY(osi_subtract, "modular_sum lowered")
u32 osi_subtract(const u8 *p, size_t n) {
  int c0 = 0, c1 = 0;
  while (n-- > 0) {
    if ((c0 += *p++) > 254)
      c0 -= 255;
    if ((c1 += c0) > 254)
      c1 -= 255;
  }
  return (u32)(c1 << 8 | c0);
}

// Fletcher-32 and Fletcher-64.
PARITY(fletcher32, "modular_sum lowered")
u32 fletcher32(const u16 *data, size_t words) {
  u32 sum1 = 0, sum2 = 0;
  for (size_t i = 0; i < words; i++) {
    sum1 = (sum1 + data[i]) % 65535;
    sum2 = (sum2 + sum1) % 65535;
  }
  return sum2 << 16 | sum1;
}

PARITY(fletcher32_fold, "modular_sum kept MLF2090")
u32 fletcher32_fold(const u16 *data, size_t words) {
  u32 sum1 = 0xffff, sum2 = 0xffff;
  while (words--) {
    sum1 += *data++;
    sum2 += sum1;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  return sum2 << 16 | sum1;
}

PARITY(fletcher32_bytes, "modular_sum lowered")
u32 fletcher32_bytes(const u8 *p, size_t n) {
  u32 a = 0, b = 0;
  for (size_t i = 0; i + 1 < n; i += 2) {
    a = (a + (p[i] | (u32)p[i + 1] << 8)) % 65535;
    b = (b + a) % 65535;
  }
  return b << 16 | a;
}

PARITY(fletcher64, "modular_sum lowered")
u64 fletcher64(const u32 *data, size_t n) {
  u64 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + data[i]) % 0xffffffff;
    b = (b + a) % 0xffffffff;
  }
  return b << 32 | a;
}

PARITY(fletcher64_fold, "modular_sum lowered")
u64 fletcher64_fold(const u32 *data, size_t n) {
  u64 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += data[i];
    a = (a & 0xffffffff) + (a >> 32);
    b += a;
    b = (b & 0xffffffff) + (b >> 32);
  }
  return b << 32 | a;
}

// One sum only.
PARITY(sum_mod_251, "modular_sum lowered")
u32 sum_mod_251(const u8 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i < n; i++)
    s = (s + p[i]) % 251;
  return s;
}

PARITY(gsm_end_around, "modular_sum lowered")
u8 gsm_end_around(const u8 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i < n; i++) {
    s += p[i];
    s = (s & 0xff) + (s >> 8);
  }
  return (u8)~s;
}

PARITY(only_second, "modular_sum lowered")
u32 only_second(const u8 *p, size_t n) {
  u32 a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    b = (b + a) % 9973;
    a = (a + p[i]) % 9973;
  }
  return b;
}

// The reduction put off: blocks of NMAX, and what real libraries unroll.
PARITY(adler_block, "weighted_sum lowered")
u32 adler_block(const u8 *p) {
  u32 a = 1, b = 0;
  for (int n = 0; n < 5552; n++) {
    a += p[n];
    b += a;
  }
  return b % ADLER << 16 | a % ADLER;
}

#define DO1(BUF, I) (a += (BUF)[I], b += a)
#define DO2(BUF, I) (DO1(BUF, I), DO1(BUF, I + 1))
#define DO4(BUF, I) (DO2(BUF, I), DO2(BUF, I + 2))
#define DO8(BUF, I) (DO4(BUF, I), DO4(BUF, I + 4))
#define DO16(BUF) (DO8(BUF, 0), DO8(BUF, 8))

PARITY(adler_do16, "weighted_sum lowered")
u32 adler_do16(u32 a, u32 b, const u8 *buf, unsigned len) {
  unsigned k = len / 16;
  if (k != 0)
    do {
      DO16(buf);
      buf += 16;
    } while (--k);
  return b % ADLER << 16 | a % ADLER;
}

PARITY(rolling, "weighted_sum lowered")
u32 rolling(const u8 *buf, int len) {
  u32 s1 = 0, s2 = 0;
  for (int i = 0; i < len - 4; i += 4) {
    s2 += 4 * (s1 + buf[i]) + 3u * buf[i + 1] + 2u * buf[i + 2] + buf[i + 3];
    s1 += (u32)buf[i] + buf[i + 1] + buf[i + 2] + buf[i + 3];
  }
  return (s1 & 0xffff) + (s2 << 16);
}

// The first sum is left at the modulus, the second one is not.
PARITY(tested_for_more, "modular_sum lowered")
u32 tested_for_more(u32 adler, const u8 *p, size_t n) {
  unsigned long s1 = adler & 0xffff, s2 = adler >> 16;
  for (n /= 2; n; n--) {
    s1 += p[0];
    s2 += s1;
    s1 += p[1];
    s2 += s1;
    p += 2;
    if (s1 > 65521UL)
      s1 -= 65521UL;
    s2 %= 65521UL;
  }
  return (u32)(s2 << 16 | s1);
}

// Near misses: other moduli, a step of one sum left out, a signed remainder, a fold that
// loses, one that starts too high, a subtraction that is not enough.
PARITY(two_moduli, "modular_sum kept MLF2091")
u32 two_moduli(const u8 *p, size_t n) {
  u32 a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65520;
  }
  return b << 16 | a;
}

PARITY(first_not_reduced, "modular_sum kept MLF2091")
u32 first_not_reduced(const u8 *p, size_t n) {
  u32 a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    b = (b + a) % ADLER;
  }
  return b << 16 | a;
}

PARITY(signed_bytes, "modular_sum kept MLF2090")
int signed_bytes(const signed char *p, size_t n) {
  int a = 0;
  for (size_t i = 0; i < n; i++)
    a = (a + p[i]) % 255;
  return a;
}

// No sums, and not told of.
// The second sum is folded and the first one is not, which may be 0 for bytes that are not.
u32 second_folded(u32 adler, const u8 *p, size_t n) {
  u32 s1 = adler & 0xffff, s2 = adler >> 16;
  for (size_t i = 0; i < n; i++) {
    s1 = (s1 + p[i]) % 255;
    s2 += s1;
    if (s2 > 255)
      s2 -= 255;
  }
  return s2 << 16 | s1;
}

u32 product_mod(const u8 *p, size_t n) {
  u32 a = 1;
  for (size_t i = 0; i < n; i++)
    a = a * (p[i] | 1u) % 65521;
  return a;
}

u32 weak_subtract(const u8 *p, size_t n) {
  u32 a = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    if (a >= 100)
      a -= 100;
  }
  return a;
}

u32 fold_of_seven(const u8 *p, size_t n) {
  u32 a = 0;
  for (size_t i = 0; i < n; i++) {
    a += p[i];
    a = (a & 0xff) + (a >> 7);
  }
  return a;
}

PARITY(every_second, "modular_sum kept MLF2030")
u32 every_second(const u8 *p, size_t n) {
  u32 a = 0;
  for (size_t i = 0; i < n; i++)
    a = (a + p[2 * i]) % 255;
  return a;
}
