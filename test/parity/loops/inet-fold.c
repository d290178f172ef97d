// inet-fold.c - Internet checksums that fold in a loop of its own, in every iteration
#include "parity.h"

PARITY(fold_by_shift, "inet_checksum lowered")
u16 fold_by_shift(const u16 *p, size_t n) {
  u32 s = 0;
  while (n--) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_by_mask, "inet_checksum lowered")
u16 fold_by_mask(const u16 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i < n; i++) {
    s += p[i];
    while (s & 0xffff0000)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)s;
}

PARITY(fold_from_start, "inet_checksum guarded")
u16 fold_from_start(const u16 *p, size_t n, u32 s) {
  while (n--) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_two_words, "inet_checksum lowered")
u16 fold_two_words(const u16 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i + 1 < n; i += 2) {
    s += p[i];
    s += p[i + 1];
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_32, "inet_checksum lowered")
u32 fold_32(const u32 *p, size_t n) {
  u64 s = 0;
  for (size_t i = 0; i < n; i++) {
    s += p[i];
    while (s >> 32)
      s = (s & 0xffffffff) + (s >> 32);
  }
  return (u32)s;
}

// Where there can be one carry only, clang goes on with t = 0 while t is 65535.
PARITY(fold_above, "inet_checksum lowered")
u16 fold_above(const u16 *p, size_t n) {
  u32 s = 0;
  while (n--) {
    s += *p++;
    while (s > 0xffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_above_64, "inet_checksum lowered")
u16 fold_above_64(const u16 *p, int n) {
  unsigned long s = 0;
  for (int i = 0; i < n; i++) {
    s += p[i];
    while (s >= 0x10000)
      s = (s >> 16) + (s & 0xffff);
  }
  return (u16)s;
}

PARITY(fold_above_from, "inet_checksum guarded")
u16 fold_above_from(const u16 *p, size_t n, u32 s) {
  while (n--) {
    s += *p++;
    while (s > 0xffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

// gcc knows that it goes on with 65536 only.
PARITY(fold_first, "inet_checksum lowered")
u16 fold_first(const u16 *p, size_t n) {
  u32 s = 0;
  while (n--) {
    s += *p++;
    do
      s = (s & 0xffff) + (s >> 16);
    while (s > 0xffff);
  }
  return (u16)~s;
}

PARITY(fold_bytes, "inet_checksum lowered")
u16 fold_bytes(const u8 *p, int n) {
  u32 s = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    s += (p[i] << 8) | p[i + 1];
    while (s > 0xffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_four_words, "inet_checksum lowered")
u16 fold_four_words(const u16 *p, size_t n) {
  u32 s = 0;
  for (size_t i = 0; i + 3 < n; i += 4) {
    s += p[i] + p[i + 1];
    s += p[i + 2] + p[i + 3];
    while (s > 0xffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

// With a sign: below zero the shift brings in ones, and the fold ends all the same.
PARITY(fold_int, "inet_checksum lowered")
u16 fold_int(const u16 *p, int n) {
  int s = 0;
  while (n-- > 0) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_int_from, "inet_checksum guarded")
u16 fold_int_from(const u16 *p, int n, int s) {
  while (n-- > 0) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_int_above_from, "inet_checksum guarded")
u16 fold_int_above_from(const u16 *p, int n, int s) {
  while (n-- > 0) {
    s += *p++;
    while (s > 0xffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(fold_long_from, "inet_checksum guarded")
u16 fold_long_from(const u16 *p, int n, long s) {
  while (n-- > 0) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

// One too far: 0x1ffff is left as it is.
PARITY(above_too_much, "none kept MLF2040")
u16 above_too_much(const u16 *p, size_t n) {
  u32 s = 0;
  while (n--) {
    s += *p++;
    while (s > 0x1ffff)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}

PARITY(above_other_mask, "none kept MLF2040")
u16 above_other_mask(const u16 *p, size_t n) {
  u32 s = 0;
  while (n--) {
    s += *p++;
    while (s > 0xffff)
      s = (s & 0x7fff) + (s >> 16);
  }
  return (u16)~s;
}

// Another shift, or another mask: no fold, so the loop holds a loop of unknown length.
PARITY(other_shift, "untouched")
u16 other_shift(const u16 *p, size_t n, u32 s) {
  while (n--) {
    s += *p++;
    while (s >> 16)
      s = (s & 0xffff) + (s >> 17);
  }
  return (u16)~s;
}

PARITY(other_mask, "untouched")
u16 other_mask(const u16 *p, size_t n, u32 s) {
  while (n--) {
    s += *p++;
    while (s >> 16)
      s = (s & 0x7fff) + (s >> 16);
  }
  return (u16)~s;
}

// Folded, but not to the end.
PARITY(other_end, "none kept MLF2040")
u16 other_end(const u16 *p, size_t n, u32 s) {
  while (n--) {
    s += *p++;
    while (s >> 17)
      s = (s & 0xffff) + (s >> 16);
  }
  return (u16)~s;
}
