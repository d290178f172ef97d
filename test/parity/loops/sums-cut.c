// sums-cut.c - sums and hashes that are cut to some bits in every round, or looked at in a few only
//
// Functions as in inet.c: data, bytes, start value.
#include "parity.h"

// The check byte of XMODEM and many more: an int that is kept within a byte.
PARITY(cut_to_byte, "sum lowered")
u64 cut_to_byte(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  int sum = 0;
  for (size_t i = 0; i < len; i++)
    sum = (sum + p[i]) & 0xff;
  return (u64)sum ^ start;
}

PARITY(cut_by_remainder, "sum lowered")
u64 cut_by_remainder(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = 0;
  while (len--)
    sum = (sum + *p++) % 65536;
  return sum ^ start;
}

// It may start with more than it is cut to, and keep that if there is nothing to add.
PARITY(cut_from_anything, "sum lowered")
u64 cut_from_anything(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++) {
    sum += p[i];
    sum &= 0xffffff;
  }
  return sum;
}

PARITY(cut_two_sums, "weighted_sum lowered")
u64 cut_two_sums(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 a = (u32)start, b = (u32)(start >> 32);
  for (size_t i = 0; i < len; i++) {
    a = (a + p[i]) & 0xffff;
    b = (b + a) & 0xffff;
  }
  return (u64)b << 32 | a;
}

// Fletcher modulo 256, in 16 bits each.
PARITY(cut_fletcher, "weighted_sum lowered")
u64 cut_fletcher(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u16 a = 0, b = 0;
  for (size_t i = 0; i < len; i++) {
    a = (u16)((a + p[i]) % 256);
    b = (u16)((b + a) % 256);
  }
  return (u64)(b << 8 | a) + start;
}

PARITY(cut_hash, "polyhash lowered")
u64 cut_hash(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 hash = (u32)start;
  for (size_t i = 0; i < len; i++)
    hash = (hash * 31 + p[i]) & 0x7fffffff;
  return hash;
}

// Fletcher-16 in bytes: clang keeps the second sum in 16 bits, the upper ones of no use.
PARITY(fletcher_in_bytes, "modular_sum lowered")
u64 fletcher_in_bytes(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u8 a = 0xff, b = 0;
  for (size_t i = 0; i < len; i++) {
    a = (u8)((a + p[i]) % 255);
    b = (u8)((b + a) % 255);
  }
  return (u64)(b << 8 | a) + start;
}

// The mask leaves out a bit in the middle.
PARITY(cut_with_hole, "untouched")
u64 cut_with_hole(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start;
  for (size_t i = 0; i < len; i++)
    sum = (sum + p[i]) & 0xfffbffff;
  return sum;
}

// The bits that are cut off come back at the low end.
PARITY(cut_and_brought_back, "untouched")
u64 cut_and_brought_back(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 sum = (u32)start & 0xffff;
  for (size_t i = 0; i < len; i++) {
    sum += p[i];
    sum = ((sum >> 8) + sum) & 0xffff;
  }
  return sum;
}

// The second sum takes the first one before it is cut.
PARITY(cut_too_late, "sum kept MLF2042")
u64 cut_too_late(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 a = (u32)start & 0xff, b = 0;
  for (size_t i = 0; i < len; i++) {
    a += p[i];
    b += a;
    a &= 0xff;
  }
  return (u64)b << 32 | a;
}
