// inet-copy.c - copies that sum up what they copy, in one loop
//
// Every function takes destination, source, the length in bytes and a start value;
// test/e2e/inet.test runs each of them plain and lowered, overlaps included.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;
typedef u64 __attribute__((aligned(1), may_alias)) w64;

PARITY(fused, "copy_inet_checksum lowered")
u64 fused(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  w16 *restrict d = dst;
  const w16 *restrict s = src;
  u32 sum = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    d[i] = s[i];
    sum += s[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

// A call and a loop behind it, as people write it and clang makes it of `fused`.
PARITY(copied_first, "copy_inet_checksum lowered")
u64 copied_first(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  const w16 *s = src;
  u32 sum = (u16)start;
  __builtin_memcpy(dst, src, len & ~(size_t)1);
  for (size_t i = 0; i < len / 2; i++) {
    sum += s[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

PARITY(sum_of_copy, "copy_inet_checksum lowered")
u64 sum_of_copy(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  const w16 *d = dst;
  u32 sum = (u16)start;
  __builtin_memcpy(dst, src, len & ~(size_t)1);
  for (size_t i = 0; i < len / 2; i++) {
    sum += d[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

// The move may have changed the summed bytes.
PARITY(may_moved_first, "move lowered + inet_checksum lowered")
u64 may_moved_first(void *dst, const void *src, size_t len, u64 start) {
  const w16 *s = src;
  u32 sum = (u16)start;
  __builtin_memmove(dst, src, len & ~(size_t)1);
  for (size_t i = 0; i < len / 2; i++) {
    sum += s[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

// Not all that was copied is summed.
PARITY(first_word_apart, "copy lowered + inet_checksum lowered")
u64 first_word_apart(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  const w16 *s = src;
  u32 sum = (u16)start;
  __builtin_memcpy(dst, src, len & ~(size_t)1);
  for (size_t i = 1; i < len / 2; i++) {
    sum += s[i];
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return sum;
}

PARITY(may_carry, "copy_sum guarded")
u64 may_carry(void *dst, const void *src, size_t len, u64 start) {
  w32 *d = dst;
  const w32 *s = src;
  u32 sum = (u32)start;
  for (; len >= 4; len -= 4) {
    u32 w = *s++;
    *d++ = w;
    sum += w;
    if (sum < w)
      sum++;
  }
  return sum;
}

PARITY(copied_words, "copy_sum lowered")
PARITY_ALREADY(copied_words, "clang-19", "sum lowered + copy lowered", "memcpy",
               "clang makes a memcpy of it first")
PARITY_ALREADY(copied_words, "clang-22", "sum lowered + copy lowered", "memcpy",
               "clang makes a memcpy of it first")
u64 copied_words(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  w16 *restrict d = dst;
  const w16 *restrict s = src;
  u32 sum = (u32)start;
  while (len > 1) {
    sum += *d++ = *s++;
    len -= 2;
  }
  return sum;
}

PARITY(may_bytes, "copy_sum guarded")
u64 may_bytes(void *dst, const void *src, size_t len, u64 start) {
  u8 *d = dst;
  const u8 *s = src;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum += d[i] = s[i];
  return sum;
}

PARITY(copied_pairs, "copy_sum lowered")
u64 copied_pairs(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  u8 *restrict d = dst;
  const u8 *restrict s = src;
  u32 sum = (u32)start;
  for (size_t i = 0; i + 1 < len; i += 2) {
    d[i] = s[i];
    d[i + 1] = s[i + 1];
    sum += (u32)s[i] << 8 | s[i + 1];
  }
  return sum;
}

PARITY(may_counted, "copy_sum guarded")
u64 may_counted(void *dst, const void *src, size_t len, u64 start) {
  w32 *d = dst;
  const w32 *s = src;
  u32 sum = (u32)start, carries = 0;
  for (size_t i = 0; i < len / 4; i++) {
    u32 w = s[i];
    d[i] = w;
    sum += w;
    carries += sum < w;
  }
  return (u64)carries << 32 | sum;
}

// Near misses: what is summed is what was there before, or one word further, or
// what is stored is another value.
PARITY(sum_of_old, "copy_sum kept MLF2032")
u64 sum_of_old(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  u8 *restrict d = dst;
  const u8 *restrict s = src;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++) {
    sum += d[i];
    d[i] = s[i];
  }
  return sum;
}

PARITY(stored_changed, "none kept MLF2016 MLF2024")
u64 stored_changed(void *restrict dst, const void *restrict src, size_t len, u64 start) {
  u8 *restrict d = dst;
  const u8 *restrict s = src;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++) {
    sum += s[i];
    d[i] = (u8)(s[i] + 1);
  }
  return sum;
}
