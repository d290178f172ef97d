// inet-odd.c - Internet checksums byte by byte, in lanes, and their near misses
//
// Functions as in inet.c: data, bytes, start value.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef int16_t __attribute__((aligned(1), may_alias)) s16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;
typedef u64 __attribute__((aligned(1), may_alias)) w64;

// coreboot, U-Boot: every byte by itself, the parity of the index tells which
// half of a word it is, with a fold in each round.
PARITY(coreboot, "inet_checksum lowered")
u64 coreboot(const void *data, size_t length, u64 start) {
  const u8 *ptr = data;
  unsigned long sum = (u16)start;
  for (unsigned long i = 0; i < length; i++) {
    unsigned long value = ptr[i];
    if (i & 1)
      value <<= 8;
    sum += value;
    if (sum > 0xffff)
      sum = (sum + (sum >> 16)) & 0xffff;
  }
  return sum;
}

PARITY(parity_ternary, "sum lowered")
u64 parity_ternary(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum += i & 1 ? p[i] : (u32)p[i] << 8;
  return sum;
}

PARITY(parity_branch, "sum lowered")
u64 parity_branch(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u64 sum = start;
  for (size_t i = 0; i < len; i++) {
    if (i % 2 == 0)
      sum += (u64)p[i] << 8;
    else
      sum += p[i];
  }
  return sum;
}

PARITY(parity_shift, "sum lowered")
u64 parity_shift(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (unsigned i = 0; i < (unsigned)len; i++)
    sum += (u32)p[i] << (i & 1) * 8;
  return sum;
}

PARITY(parity_flag, "sum lowered")
u64 parity_flag(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  int odd = 0;
  while (len--) {
    sum += odd ? *p : (u32)*p << 8;
    p++;
    odd = !odd;
  }
  return sum;
}

// High and low bytes in sums of their own, put together afterwards.
PARITY(two_lanes, "sum lowered")
u64 two_lanes(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 high = 0, low = (u32)start;
  for (size_t i = 0; i + 1 < len; i += 2) {
    high += p[i];
    low += p[i + 1];
  }
  return ((u64)high << 8) + low;
}

// QEMU: the same with an int index, the odd byte behind the loop.
PARITY(qemu, "sum lowered")
u64 qemu(const void *data, size_t length, u64 start) {
  const u8 *buf = data;
  u32 sum1 = 0, sum2 = (u32)start;
  int i, len = (int)length;
  for (i = 0; i < len - 1; i += 2) {
    sum1 += (u32)buf[i];
    sum2 += (u32)buf[i + 1];
  }
  if (i < len)
    sum1 += buf[i];
  return sum2 + (sum1 << 8);
}

// Plan 9: eight of each a round.
PARITY(plan9, "sum lowered")
u64 plan9(const void *data, size_t length, u64 start) {
  const u8 *addr = data;
  unsigned long hisum = 0, losum = start;
  int len = (int)length;
  while (len >= 16) {
    hisum += addr[0]; losum += addr[1]; hisum += addr[2]; losum += addr[3];
    hisum += addr[4]; losum += addr[5]; hisum += addr[6]; losum += addr[7];
    hisum += addr[8]; losum += addr[9]; hisum += addr[10]; losum += addr[11];
    hisum += addr[12]; losum += addr[13]; hisum += addr[14]; losum += addr[15];
    addr += 16;
    len -= 16;
  }
  return (hisum << 8) + losum;
}

PARITY(word_lanes, "sum lowered")
u64 word_lanes(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u64 even = 0, odd = start;
  for (size_t i = 0; i + 1 < len / 4; i += 2) {
    even += p[i];
    odd += p[i + 1];
  }
  return even + 3 * odd;
}

// Words in the other byte order, as signed numbers and of every size.
PARITY(swapped_signed, "sum lowered")
u64 swapped_signed(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  int sum = (int)start;
  for (size_t i = 0; i < len / 2; i++)
    sum += (int16_t)__builtin_bswap16(w[i]);
  return (u64)sum;
}

PARITY(swapped_signed32, "sum lowered")
u64 swapped_signed32(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  int64_t sum = (int64_t)start;
  for (size_t i = 0; i < len / 4; i++)
    sum += (int32_t)__builtin_bswap32(w[i]);
  return (u64)sum;
}

PARITY(swapped64, "sum lowered")
u64 swapped64(const void *data, size_t len, u64 start) {
  const w64 *w = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 8; i++)
    sum += __builtin_bswap64(w[i]);
  return sum;
}

// The odd byte in front, the words behind it.
PARITY(odd_first, "sum lowered")
u64 odd_first(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  if (len & 1)
    sum += *p++;
  for (const u8 *end = p + (len & ~(size_t)1); p < end; p += 2)
    sum += p[0] | p[1] << 8;
  return sum;
}

// An aligned prologue, a main loop of wide words, a tail.
PARITY(three_parts, "inet_checksum lowered + sum kept MLF3004")
u64 three_parts(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u64 sum = start;
  if ((uintptr_t)p & 2 && len >= 2) {
    sum += *(const w16 *)p;
    p += 2;
    len -= 2;
  }
  for (; len >= 8; len -= 8, p += 8) {
    u64 w = *(const w64 *)p;
    sum += w;
    if (sum < w)
      sum++;
  }
  u64 tail = 0;
  for (; len >= 2; len -= 2, p += 2)
    tail += *(const w16 *)p;
  sum = (sum >> 32) + (sum & 0xffffffff) + tail;
  return (sum >> 32) + (sum & 0xffffffff);
}

// Near misses: a shift of seven, every third byte, the sign of the odd byte, a
// parity that starts anywhere, a fold that adds two.
PARITY(shift_seven, "untouched")
u64 shift_seven(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum += i & 1 ? p[i] : (u32)p[i] << 7;
  return sum;
}

PARITY(every_fourth, "untouched")
u64 every_fourth(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum += i & 3 ? p[i] : (u32)p[i] << 8;
  return sum;
}

PARITY(odd_signed, "untouched")
u64 odd_signed(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum += i & 1 ? (u32)(signed char)p[i] : (u32)p[i] << 8;
  return sum;
}

PARITY(from_anywhere, "untouched")
u64 from_anywhere(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = 0;
  size_t k = start;
  for (size_t i = 0; i < len; i++, k++)
    sum += k & 1 ? p[i] : (u32)p[i] << 8;
  return sum;
}

PARITY(fold_loses, "untouched")
u64 fold_loses(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    sum += w[i];
    if (sum > 0xffff)
      sum -= 0xfffe;
  }
  return sum;
}
