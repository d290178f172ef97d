// inet-less.c - Internet checksums that take 65535 away while the sum is too large
//
// Compilers know how often such a loop runs: clang makes minima, remainders and divisions
// of it, gcc divisions. Signatures as in inet.c.
#include "parity.h"

typedef u16 __attribute__((aligned(1), may_alias)) w16;
typedef u32 __attribute__((aligned(1), may_alias)) w32;

PARITY(less_while, "inet_checksum guarded")
u64 less_while(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = (u32)start;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s > 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_from_0, "inet_checksum lowered")
u64 less_from_0(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s > 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_64, "inet_checksum lowered")
u64 less_64(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u64 s = (u16)start;
  for (size_t n = len / 2; n--;) {
    s += *w++;
    while (s > 0xffff)
      s -= 0xffff;
  }
  return s;
}

PARITY(less_int, "inet_checksum lowered")
u64 less_int(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  int s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s > 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

// A union brings each word in, and the odd byte; gcc carries its last word out of the loop.
PARITY(less_union, "inet_checksum lowered")
u64 less_union(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  unsigned n = (unsigned)len;
  u32 s = 0;
  union {
    u16 word;
    u8 byte[2];
  } in;
  while (n > 1) {
    __builtin_memcpy(&in, p, 2);
    s += in.word;
    p += 2;
    if (s > 0xffff)
      s -= 0xffff;
    n -= 2;
  }
  if (n == 1) {
    in.byte[0] = *p;
    in.byte[1] = 0;
    s += in.word;
    if (s > 0xffff)
      s -= 0xffff;
  }
  return ~s & 0xffff;
}

// The last word is wanted as it was.
PARITY(less_and_last, "inet_checksum lowered")
u64 less_and_last(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  u16 last;
  if (len < 2)
    return 0;
  size_t n = len / 2;
  do {
    last = *w++;
    s += last;
    if (s > 0xffff)
      s -= 0xffff;
  } while (--n);
  return s | (u64)last << 32;
}

// Read last is a word that is not summed: one more than there are rounds.
PARITY(less_one_more, "modular_sum kept MLF2042")
u64 less_one_more(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  u16 last;
  if (len < 2)
    return 0;
  size_t n = len / 2 - 1;
  for (;;) {
    last = *w++;
    if (!n--)
      break;
    s += last;
    if (s > 0xffff)
      s -= 0xffff;
  }
  return s | (u64)last << 32;
}

// Without an iteration the value is the one from before the loop.
PARITY(less_maybe_last, "inet_checksum lowered")
u64 less_maybe_last(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  u16 last = (u16)start;
  for (size_t n = len / 2; n--;) {
    last = *w++;
    s += last;
    if (s > 0xffff)
      s -= 0xffff;
  }
  return s | (u64)last << 32;
}

PARITY(less_two_words, "inet_checksum lowered")
u64 less_two_words(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i + 1 < len / 2; i += 2) {
    s += w[i];
    s += w[i + 1];
    while (s > 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_bytes, "inet_checksum lowered")
u64 less_bytes(const void *data, size_t len, u64 start) {
  const u8 *p = data;
  u32 s = 0;
  for (size_t i = 0; i + 1 < len; i += 2) {
    s += (u32)p[i] << 8 | p[i + 1];
    while (s > 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_if, "inet_checksum lowered")
u64 less_if(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    if (s > 0xffff)
      s -= 0xffff;
  }
  return s;
}

PARITY(less_choice, "inet_checksum lowered")
u64 less_choice(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = (u16)start;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    s = s > 0xffff ? s - 0xffff : s;
  }
  return s;
}

PARITY(less_twice, "inet_checksum lowered")
u64 less_twice(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = (u16)start;
  for (size_t i = 0; i + 1 < len / 2; i += 2) {
    s += w[i] + w[i + 1];
    if (s > 0xffff)
      s -= 0xffff;
    if (s > 0xffff)
      s -= 0xffff;
  }
  return s;
}

PARITY(less_32, "inet_checksum lowered")
u64 less_32(const void *data, size_t len, u64 start) {
  const w32 *w = data;
  u64 s = (u32)start;
  for (size_t i = 0; i < len / 4; i++) {
    s += w[i];
    if (s > 0xffffffff)
      s -= 0xffffffff;
  }
  return s;
}

// Zero for 65535: the remainder.
PARITY(less_or_equal, "modular_sum lowered")
u64 less_or_equal(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s >= 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_if_or_equal, "modular_sum lowered")
u64 less_if_or_equal(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    if (s >= 0xffff)
      s -= 0xffff;
  }
  return (u16)~s;
}

PARITY(less_remainder, "modular_sum lowered")
u64 less_remainder(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++)
    s = (s + w[i]) % 0xffff;
  return (u16)~s;
}

// The fold behind the loop is not part of it.
PARITY(less_behind, "sum lowered")
u64 less_behind(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++)
    s += w[i];
  while (s > 0xffff)
    s -= 0xffff;
  return (u16)~s;
}

// Near misses: several numbers of a class.
PARITY(less_too_late, "untouched")
u64 less_too_late(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s > 0x17fff)
      s -= 0xffff;
  }
  return s;
}

PARITY(less_other, "untouched")
u64 less_other(const void *data, size_t len, u64 start) {
  const w16 *w = data;
  u32 s = 0;
  for (size_t i = 0; i < len / 2; i++) {
    s += w[i];
    while (s > 0xffff)
      s -= 0xfffe;
  }
  return s;
}
