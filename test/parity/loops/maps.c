// maps.c - loops that are no idiom, on a core that runs in order: loads of several iterations first
#include "parity.h"

PARITY_FLAGS("-ffreestanding --memlift-core=generic-inorder -mgeneral-regs-only")

PARITY(flipped, "none guarded")
void flipped(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] ^ 0x5a;
}

PARITY(in_place, "none inlined")
void in_place(u32 *d, u32 a, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = d[i] * a;
}

PARITY(scaled, "none inlined")
void scaled(u32 *restrict d, const u32 *restrict s, u32 a, int n) {
  for (int i = 0; i < n; i++)
    d[i] += a * s[i];
}

PARITY(turned, "none guarded")
void turned(u32 *d, const u32 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = __builtin_bswap32(s[i]);
}

PARITY(wider, "none guarded")
void wider(u16 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u16)(s[i] << 4);
}

PARITY(summed, "none kept MLF2024 MLF2150")
PARITY_BUT(summed, "clang-19", "none kept MLF2024 MLF2151",
           "it carries what it has stored in a register")
PARITY_BUT(summed, "clang-22", "none kept MLF2024 MLF2151",
           "it carries what it has stored in a register")
void summed(u32 *d, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i + 1] += d[i] * 3;
}

PARITY(two_regions, "none kept MLF2023 MLF2024 MLF3013")
void two_regions(u16 *restrict d, u16 *restrict e, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = (u16)(s[i] ^ 3);
    e[i] = (u16)(s[i] >> 16);
  }
}
