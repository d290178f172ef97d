// inet-carry.c - Internet checksums that bring the carry back as they go
//
// Functions as in inet.c: data, bytes, start value.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef int16_t __attribute__((aligned(1), may_alias)) s16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;
typedef u64 __attribute__((aligned(1), may_alias)) w64;

// lwIP's third algorithm: 32-bit words, two a round, ping and pong.
PARITY(lwip_pingpong, "inet_checksum lowered")
u64 lwip_pingpong(const void *data, size_t length, u64 start) {
  const w32 *pl = data;
  int len = (int)length;
  u32 sum = (u32)start, tmp;
  while (len > 7) {
    tmp = sum + *pl++;
    if (tmp < sum)
      tmp++;
    sum = tmp + *pl++;
    if (sum < tmp)
      sum++;
    len -= 8;
  }
  return sum;
}

// Linux's portable do_csum: the carry waits for the next round.
PARITY(linux_csum, "inet_checksum lowered")
u64 linux_csum(const void *data, size_t len, u64 start) {
  const u8 *buff = data, *end = buff + (len & ~(size_t)3);
  u32 result = (u32)start, carry = 0;
  while (buff < end) {
    u32 w = *(const w32 *)buff;
    buff += 4;
    result += carry;
    result += w;
    carry = w > result;
  }
  result += carry;
  return (result & 0xffff) + (result >> 16);
}

// Linux's do_csum with 64-bit words, in a do-while with a counter.
PARITY(linux_csum64, "inet_checksum lowered")
u64 linux_csum64(const void *data, size_t len, u64 start) {
  const w64 *buff = data;
  u64 result = start, carry = 0;
  size_t count = len / 8;
  if (count) {
    do {
      u64 w = *buff++;
      count--;
      result += carry;
      result += w;
      carry = (w > result);
    } while (count);
    result += carry;
  }
  return result;
}

PARITY(carry_if, "inet_checksum lowered")
u64 carry_if(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    sum += w[i];
    if (sum < w[i])
      sum++;
  }
  return sum;
}

PARITY(carry_plus, "inet_checksum lowered")
u64 carry_plus(const void *data, size_t len, u64 start) {
  const w64 *w = data;
  u64 s = start;
  for (size_t i = 0; i < len / 8; i++) {
    s += w[i];
    s += s < w[i];
  }
  return s;
}

PARITY(carry_ternary, "inet_checksum lowered")
u64 carry_ternary(const void *data, size_t len, u64 start) {
  const w64 *w = data;
  u64 s = start;
  for (size_t i = 0; i < len / 8; i++) {
    u64 t = s + w[i];
    s = t >= s ? t : t + 1;
  }
  return s;
}

PARITY(carry_builtin, "inet_checksum lowered")
u64 carry_builtin(const void *data, size_t len, u64 start) {
  const w64 *w = data;
  u64 s = start;
  for (size_t i = 0; i < len / 8; i++)
    s += __builtin_add_overflow(s, w[i], &s);
  return s;
}

// 32-bit words in a 64-bit accumulator that is folded to 32 bits in each round.
PARITY(fold32, "inet_checksum lowered")
u64 fold32(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u64 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    sum += w[i];
    sum = (sum & 0xffffffff) + (sum >> 32);
  }
  return sum;
}

// The fold comes first, so that the last word's carry stays.
PARITY(fold_first, "inet_checksum lowered")
u64 fold_first(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++)
    sum = (sum & 0xffff) + (sum >> 16) + w[i];
  return sum;
}

// FreeRTOS+TCP: four 32-bit words a round, the carries counted.
PARITY(freertos, "sum lowered")
u64 freertos(const void *data, size_t len, u64 start) {
  const w32 *p = data, *last = p + (len / 16) * 4;
  u32 sum = (u32)start, sum2, carry = 0;
  while (p < last) {
    sum2 = sum + p[0];
    if (sum2 < sum)
      carry++;
    sum = sum2 + p[1];
    if (sum2 > sum)
      carry++;
    sum2 = sum + p[2];
    if (sum2 < sum)
      carry++;
    sum = sum2 + p[3];
    if (sum2 > sum)
      carry++;
    p += 4;
  }
  return (sum & 0xffff) + (sum >> 16) + (carry & 0xffff) + (carry >> 16);
}

PARITY(counted, "sum lowered")
u64 counted(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start, carries = 0;
  for (size_t i = 0; i < len / 4; i++) {
    sum += w[i];
    carries += sum < w[i];
  }
  return (u64)carries << 32 | sum;
}

PARITY(counted64, "sum lowered")
u64 counted64(const void *data, size_t len, u64 start) {
  const w64 *w = data;
  u64 sum = start, carries = 0;
  for (size_t i = 0; i < len / 8; i++) {
    sum += w[i];
    if (sum < w[i])
      carries++;
  }
  return sum ^ carries << 7;
}

// A start value of the caller's: 16 bits, or tested at run time.
PARITY(any_start, "inet_checksum guarded")
u64 any_start(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += w[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

// Stevens, uIP's ancestors: folded only when the top bit is set.
PARITY(lazy, "sum guarded")
u64 lazy(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u32)start;
  while (len > 1) {
    sum += *w++;
    if (sum & 0x80000000)
      sum = (sum & 0xffff) + (sum >> 16);
    len -= 2;
  }
  return sum;
}

// ones' complement as a signed int keeps it
PARITY(signed_fold, "inet_checksum lowered")
u64 signed_fold(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  int sum = (u16)start;
  for (int i = 0; i < (int)(len / 2); i++) {
    sum += w[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (u64)sum;
}

PARITY(add_shifted, "inet_checksum lowered")
u64 add_shifted(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += w[i];
    if (sum > 0xffff)
      sum = (sum + (sum >> 16)) & 0xffff;
  }
  return sum;
}

PARITY(high_bit, "inet_checksum lowered")
u64 high_bit(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += w[i];
    if (sum & 0x10000)
      sum = (sum & 0xffff) + 1;
  }
  return sum;
}

// A fold by adding the number to itself turned half round.
PARITY(turned, "inet_checksum lowered")
u64 turned(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    u32 t = sum + w[i];
    sum = (t + (t << 16 | t >> 16)) >> 16;
  }
  return sum;
}

// NetBSD: sixteen 32-bit words a round in 64 bits, folded when the top is reached.
PARITY(netbsd, "sum guarded")
u64 netbsd(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u64 partial = (u32)start;
  int mlen = (int)len;
  while (mlen >= 64) {
    const w32 *w = (const void *)p;
    __builtin_prefetch(p + 32);
    __builtin_prefetch(p + 64);
    partial += w[0]; partial += w[1]; partial += w[2]; partial += w[3];
    partial += w[4]; partial += w[5]; partial += w[6]; partial += w[7];
    partial += w[8]; partial += w[9]; partial += w[10]; partial += w[11];
    partial += w[12]; partial += w[13]; partial += w[14]; partial += w[15];
    p += 64;
    mlen -= 64;
    if (__builtin_expect(partial & 3ull << 62, 0))
      partial = (partial >> 32) + (partial & 0xffffffff);
  }
  return partial;
}

// ISC dhcp: words by ntohs(), 0xffff taken away.
PARITY(dhcp, "inet_checksum lowered")
u64 dhcp(const void *data, size_t len, u64 start) {
  const u8 *buf = data;
  unsigned nbytes = (unsigned)len & 0xffff;
  u32 sum = (u16)start;
  for (unsigned i = 0; i < (nbytes & ~1u); i += 2) {
    sum += __builtin_bswap16(*(const w16 *)(buf + i));
    if (sum > 0xffff)
      sum -= 0xffff;
  }
  return sum;
}

// Near misses: the carry dropped, one too many, of another compare, of another
// width, and a fold that shifts by 15.
PARITY(dropped, "sum lowered")
u64 dropped(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++)
    sum += w[i];
  return sum;
}
PARITY(twice, "untouched")
u64 twice(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    sum += w[i];
    if (sum < w[i])
      sum += 2;
  }
  return sum;
}
PARITY(or_equal, "untouched")
u64 or_equal(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    sum += w[i];
    if (sum <= w[i])
      sum++;
  }
  return sum;
}
PARITY(shift15, "untouched")
u64 shift15(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += w[i];
    sum = (sum & 0xffff) + (sum >> 15);
  }
  return sum;
}
