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
