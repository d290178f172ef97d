// inet-wide.c - Internet checksums that keep their carries in 128 bits, or in a carry flag
//
// Functions as in inet.c: data, bytes, start value.
#include "parity.h"

typedef unsigned __int128 u128;
typedef u32 __attribute__((aligned(1), may_alias)) w32;
typedef u64 __attribute__((aligned(1), may_alias)) w64;

static u64 folded(u128 sum) {
  u64 low = (u64)sum, high = (u64)(sum >> 64);
  low += high;
  return low + (low < high);
}

// The accumulator that no packet overflows.
PARITY(wide_words, "sum lowered")
u64 wide_words(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (size_t i = 0; i < len / 8; i++)
    sum += p[i];
  return folded(sum);
}

PARITY(wide_walk, "sum lowered")
u64 wide_walk(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = (u128)start << 64 | len;
  while (len >= 8) {
    sum += *p++;
    len -= 8;
  }
  return (u64)sum * 3 ^ (u64)(sum >> 64);
}

PARITY(wide_unrolled, "sum lowered")
u64 wide_unrolled(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (; len >= 32; len -= 32, p += 4) {
    sum += p[0];
    sum += p[1];
    sum += p[2];
    sum += p[3];
  }
  return folded(sum);
}

PARITY(wide_pairs, "sum lowered")
u64 wide_pairs(const void *data, size_t len, u64 start) {
  const w64 *p = data, *end = p + (len / 16) * 2;
  u128 sum = 0;
  for (; p != end; p += 2)
    sum += (u128)p[0] + p[1];
  return folded(sum + start);
}

PARITY(wide_backwards, "sum lowered")
u64 wide_backwards(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (size_t i = len / 8; i-- > 0;)
    sum += p[i];
  return folded(sum);
}

// Words of 32 bits: their sum fits 64 unless there are 2^30 of them, which is asked.
PARITY(wide_halves, "sum guarded")
u64 wide_halves(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u128 sum = ~(u128)0 - start;
  for (size_t i = 0; i < len / 4; i++)
    sum += p[i];
  return folded(sum);
}

// Two accumulators, each of every other word, are no sum of all.
PARITY(wide_lanes, "sum kept MLF2030")
u64 wide_lanes(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 a = start, b = 0;
  for (size_t i = 0; i + 1 < len / 8; i += 2)
    a += p[i], b += p[i + 1];
  return folded(a) ^ folded(b);
}

// Folded in each round, in 128 bits or cut to 64 again.
PARITY(wide_step, "inet_checksum lowered")
u64 wide_step(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 8; i++) {
    u128 t = (u128)sum + p[i];
    sum = (u64)(t + (t >> 64));
  }
  return sum;
}

PARITY(wide_step_kept, "inet_checksum lowered")
u64 wide_step_kept(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (size_t i = 0; i < len / 8; i++) {
    sum += p[i];
    sum = (u64)sum + (sum >> 64);
  }
  return (u64)sum;
}

PARITY(wide_step_if, "inet_checksum lowered")
u64 wide_step_if(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start;
  for (; len >= 8; len -= 8) {
    u128 t = (u128)sum + *p++;
    sum = (u64)t;
    if (t >> 64)
      sum++;
  }
  return sum;
}

// Carries by the compiler's own addition with overflow.
PARITY(overflow_back, "inet_checksum lowered")
u64 overflow_back(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 8; i++)
    if (__builtin_add_overflow(sum, p[i], &sum))
      sum++;
  return sum;
}

// The carry goes into the next addition, as adc does it.
PARITY(overflow_chain, "inet_checksum lowered")
u64 overflow_chain(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start, carry = 0;
  for (size_t i = 0; i < len / 8; i++) {
    u64 t, first = __builtin_add_overflow(sum, p[i], &t);
    u64 second = __builtin_add_overflow(t, carry, &sum);
    carry = first | second;
  }
  return sum + carry;
}

PARITY(overflow_before, "inet_checksum lowered")
u64 overflow_before(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start, carry = 0;
  for (size_t i = 0; i < len / 8; i++) {
    carry = __builtin_add_overflow(sum, carry, &sum);
    carry += __builtin_add_overflow(sum, p[i], &sum);
  }
  return sum + carry;
}

PARITY(overflow_chain32, "inet_checksum lowered")
u64 overflow_chain32(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u32 sum = (u32)start, carry = 0;
  while (len >= 4) {
    u32 t, first = __builtin_add_overflow(sum, *p++, &t);
    u32 second = __builtin_add_overflow(t, carry, &sum);
    carry = first + second;
    len -= 4;
  }
  return sum + carry;
}

PARITY(overflow_counted, "sum lowered")
u64 overflow_counted(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start, carries = 0;
  for (size_t i = 0; i < len / 8; i++)
    carries += __builtin_add_overflow(sum, p[i], &sum);
  return folded((u128)carries << 64 | sum);
}

// The carry of the second addition is forgotten: no sum modulo 2^64 - 1.
PARITY(carry_lost, "sum kept MLF2042")
u64 carry_lost(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start, carry = 0;
  for (size_t i = 0; i + 1 < len / 8; i += 2) {
    sum += p[i] + carry;
    carry = __builtin_add_overflow(sum, p[i + 1], &sum);
  }
  return sum + carry;
}

// Folded from 65 bits to 64 with the carry brought to the wrong end.
PARITY(wide_wrong_end, "untouched")
u64 wide_wrong_end(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 8; i++) {
    u128 t = (u128)sum + p[i];
    sum = (u64)t ^ (u64)(t >> 64) << 63;
  }
  return sum;
}

// No sums, but in 128 bits all the same.
PARITY(wide_product, "untouched")
u64 wide_product(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 product = start;
  for (size_t i = 0; i < len / 8; i++)
    product *= p[i];
  return folded(product);
}

PARITY(wide_twice, "sum kept MLF2120")
u64 wide_twice(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (size_t i = 0; i < len / 8; i++)
    sum += (u128)p[i] + p[i];
  return folded(sum);
}

PARITY(wide_wrapping, "sum kept MLF2120")
u64 wide_wrapping(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u128 sum = start;
  for (size_t i = 0; i + 1 < len / 8; i += 2)
    sum += p[i] + p[i + 1];
  return folded(sum);
}

// The check sum of Amiga's disks: big-endian words, the carry brought back.
PARITY(big_endian_carry, "inet_checksum guarded")
u64 big_endian_carry(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    u32 w = __builtin_bswap32(p[i]), before = sum;
    sum += w;
    if (sum < before)
      sum++;
  }
  return sum;
}

// No sum is wider than 64-bit words and could be folded.
PARITY(big_endian_carry64, "inet_checksum kept MLF2042")
u64 big_endian_carry64(const void *data, size_t len, u64 start) {
  const w64 *p = data;
  u64 sum = start;
  for (size_t i = 0; i < len / 8; i++) {
    u64 w = __builtin_bswap64(p[i]);
    sum += w;
    sum += sum < w;
  }
  return sum;
}

// Fletcher-32 of big-endian words made of bytes, sixteen a turn and one by one.
#define STEP(at) a += (u32)(p[at] << 8 | p[at + 1]), b += a
#define STEP4(at) STEP(at), STEP(at + 2), STEP(at + 4), STEP(at + 6)
PARITY(big_endian_fletcher, "weighted_sum lowered")
u64 big_endian_fletcher(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 a = (u32)start & 0xffff, b = (u32)(start >> 16) & 0xffff;
  size_t words = len / 2;
  while (words >= 16) {
    STEP4(0), STEP4(8), STEP4(16), STEP4(24);
    p += 32;
    words -= 16;
  }
  while (words != 0) {
    STEP(0);
    p += 2;
    words--;
  }
  return (u64)b << 32 | a;
}

// The carry is told before the addition.
PARITY(carry_foreseen, "inet_checksum lowered")
u64 carry_foreseen(const void *data, size_t len, u64 start) {
  const w32 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    u32 w = p[i];
    if (sum + w < sum)
      sum++;
    sum += w;
  }
  return sum;
}
