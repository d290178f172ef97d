// sums.c - sums and hashes over every length, alignment and start value; prints what came out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built without memlift at -O0 and with it, it has to print the same. The data ends
// at a page that may not be touched.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;

#define LOOP(NAME) static __attribute__((noinline)) u64 NAME(const u8 *b, long n, u64 h, u64 v)
#define ALL(T) const T *p = (const T *)b; n /= (long)sizeof(T); (void)h; (void)v

LOOP(byte32) { ALL(u8); u32 s = (u32)h; for (long i = 0; i < n; i++) s += p[i]; return s; }
LOOP(byte16) { ALL(u8); u16 s = (u16)h; for (long i = 0; i < n; i++) s += p[i]; return s; }
LOOP(byte8) { ALL(u8); u8 s = (u8)h; for (int i = 0; i < (int)n; i++) s += p[i]; return s; }
LOOP(byte64) { ALL(u8); u64 s = h; while (n--) s += *p++; return s + (u64)(p - b); }
LOOP(signed32) { ALL(s8); s32 s = (s32)h; for (long i = 0; i < n; i++) s += p[i]; return (u64)s; }
LOOP(signed64) { ALL(s8); u64 s = h; for (long i = 0; i < n; i++) s += (u64)p[i]; return s; }
LOOP(short64) { ALL(s16); u64 s = h; for (long i = 0; i < n; i++) s += (u64)p[i]; return s; }
LOOP(word32) { ALL(u16); u32 s = (u32)h; for (long i = n; i-- > 0;) s += p[i]; return s; }
LOOP(int64) { ALL(s32); u64 s = h; for (long i = 0; i < n; i++) s += (u64)p[i]; return s; }
LOOP(uint64) { ALL(u32); u64 s = h; for (long i = 0; i < n; i++) s += p[i]; return s; }
LOOP(wide64) { ALL(u64); u64 s = h; for (long i = 0; i < n; i++) s += p[i]; return s; }
LOOP(wide32) { ALL(u64); u32 s = (u32)h; for (long i = 0; i < n; i++) s += (u32)p[i]; return s; }
LOOP(minus) { ALL(u8); u64 s = h; for (long i = 0; i < n; i++) s -= 3 * p[i]; return s; }
LOOP(constant) { ALL(u8); u32 s = (u32)h; for (long i = 0; i < n; i++) s += p[i] + 5; return s; }
LOOP(variable) { ALL(u16); u64 s = h; for (long i = 0; i < n; i++) s += p[i] + v; return s; }
LOOP(swapped) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i < n / 2; i++) s += (u32)(p[2 * i] << 8 | p[2 * i + 1]);
  return s;
}
LOOP(swapped32) {
  ALL(u32); u64 s = h;
  for (long i = 0; i < n; i++) s += __builtin_bswap32(p[i]);
  return s;
}
LOOP(unrolled) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i + 4 <= n; i += 4) { s += p[i]; s += p[i + 1]; s += p[i + 2]; s += p[i + 3]; }
  return s;
}
LOOP(folded) {
  ALL(u16); u64 s = h & 0xffff;
  for (long i = 0; i < n; i++) s += p[i];
  s = (s >> 16) + (s & 0xffff);
  s += s >> 16;
  return (u16)~s;
}
LOOP(adler) {
  ALL(u8); u32 a = (u32)h & 0xffff, c = (u32)(h >> 16) & 0xffff;
  while (n--) { a += *p++; c += a; }
  return (u64)(c % 65521) << 16 | a % 65521;
}
LOOP(fletcher) {
  ALL(u16); u64 a = h & 0xffff, c = h >> 32;
  for (long i = 0; i < n; i++) { c += a; a += p[i]; }
  return c ^ a << 1;
}
LOOP(onlysecond) {
  ALL(u8); u32 a = (u32)h, c = (u32)(h >> 32);
  for (long i = 0; i < n; i++) { a += p[i]; c += a; }
  return c;
}
LOOP(hash31) { ALL(u8); u32 x = (u32)h; for (long i = 0; i < n; i++) x = x * 31 + p[i]; return x; }
LOOP(hash33) { ALL(u8); u64 x = h; for (long i = 0; i < n; i++) x = (x << 5) + x + p[i]; return x; }
LOOP(rows) {
  ALL(u8); u32 s = (u32)h;
  for (long y = 0; y < n / 24; y++) for (long x = 0; x < 24; x++) s += p[y * 24 + x];
  return s;
}
LOOP(grid) {
  ALL(u8); size_t w = (size_t)(v % 5), rows = w ? (size_t)n / w : 0; u32 s = (u32)h;
  for (size_t y = 0; y < rows; y++) for (size_t x = 0; x < w; x++) s += p[y * w + x];
  return s;
}
LOOP(twosums) {
  ALL(u8); u32 s = (u32)h; u64 t = v;
  for (long i = 0; i < n; i++) { s += p[i]; t -= p[i]; }
  return s + t;
}
// Near misses: none of these may be taken for a sum.
LOOP(xored) { ALL(u8); u32 s = (u32)h; for (long i = 0; i < n; i++) s ^= p[i]; return s; }
LOOP(strided) { ALL(u8); u32 s = (u32)h; for (long i = 0; i < n; i += 3) s += p[i]; return s; }
LOOP(early) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i < n; i++) { if (p[i] == 0x5a) break; s += p[i]; }
  return s;
}
LOOP(onlyodd) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i < n; i++) if (p[i] & 1) s += p[i];
  return s;
}
LOOP(narrowed) {
  ALL(u8); u32 s = (u32)h & 0xff;
  for (long i = 0; i < n; i++) s = (u8)(s + p[i]) + 1;
  return s;
}
LOOP(lagging) {
  ALL(u8); u32 s = (u32)h, last = 0;
  for (long i = 0; i < n; i++) { last = s; s += p[i]; }
  return last;
}
LOOP(wrapping) {
  ALL(u8); u32 s = (u32)h; u8 stop = (u8)n;
  for (u8 i = 0; i != stop; i++) s += p[i];
  return s;
}
LOOP(crossed) {
  ALL(u8); u32 a = (u32)h, c = (u32)v;
  for (long i = 0; i < n; i++) { u32 t = a + p[i]; a = c; c = t; }
  return a ^ c << 1;
}
static u8 seen[16];
LOOP(storing) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i < n; i++) { s += p[i]; seen[i & 15] = (u8)s; }
  return s + seen[3];
}
static const u32 nibbles[16] = {1, 2, 4, 8, 16, 32, 64, 128, 3, 5, 7, 11, 13, 17, 19, 23};
LOOP(looked) {
  ALL(u8); u32 s = (u32)h;
  for (long i = 0; i < n; i++) s += nibbles[p[i] & 15];
  return s;
}
LOOP(crcbits) {
  ALL(u8); u32 c = (u32)h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return c;
}
LOOP(crcbranch) {
  ALL(u8); u16 c = (u16)h;
  for (long i = 0; i < n; i++) {
    c ^= (u16)(p[i] << 8);
    for (int k = 0; k < 8; k++) {
      if (c & 0x8000)
        c = (u16)(c << 1 ^ 0x1021);
      else
        c = (u16)(c << 1);
    }
  }
  return c;
}
LOOP(crcmask) {
  ALL(u8); u8 c = (u8)h;
  while (n--) {
    c ^= *p++;
    for (int k = 8; k > 0; k--) c = (u8)(c << 1 ^ (-(c >> 7) & 0x07));
  }
  return c;
}
LOOP(crcwide) {
  ALL(u8); u64 c = h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (-(c & 1) & 0xc96c5795d7870f42);
  }
  return c;
}
static const u32 crctable[256] = {
#include "crc32.h"
};
LOOP(crcbyte) {
  ALL(u8); u32 c = ~(u32)h;
  for (long i = 0; i < n; i++) c = crctable[(c ^ p[i]) & 0xff] ^ c >> 8;
  return ~c;
}
LOOP(crcbyteptr) {
  ALL(u8); u32 c = (u32)h; const u32 *t = crctable;
  while (n-- > 0) { u8 at = (u8)(c ^ *p++); c = (c >> 8) ^ t[at]; }
  return c;
}
static const u32 crcnibble[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
LOOP(crcnibbles) {
  ALL(u8); u32 c = (u32)h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    c = crcnibble[c & 15] ^ c >> 4;
    c = crcnibble[c & 15] ^ c >> 4;
  }
  return c;
}
static const u32 crcwrong[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21d};
LOOP(notcrc) {
  ALL(u8); u32 c = (u32)h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    c = crcwrong[c & 15] ^ c >> 4;
    c = crcwrong[c & 15] ^ c >> 4;
  }
  return c;
}
LOOP(sevensteps) {
  ALL(u8); u32 c = (u32)h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 7; k++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return c;
}
LOOP(countedsteps) {
  ALL(u8); u32 c = (u32)h; int steps = (int)(v & 15);
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < steps; k++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return c;
}
LOOP(inetfold) {
  ALL(u16); u32 s = (u32)h & 0xffff;
  for (long i = 0; i < n; i++) { s += p[i]; s = (s & 0xffff) + (s >> 16); }
  return (u16)~s;
}
LOOP(inetcarry) {
  ALL(u16); u32 s = (u32)h & 0xffff;
  for (long i = 0; i < n; i++) { s += p[i]; if (s > 0xffff) s -= 0xffff; }
  return s;
}
LOOP(inet32) {
  ALL(u32); u32 s = (u32)h;
  for (long i = 0; i < n; i++) { s += p[i]; s += s < p[i]; }
  s = (s >> 16) + (s & 0xffff);
  s += s >> 16;
  return (u16)~s;
}
LOOP(inetraw) {
  ALL(u32); u32 s = (u32)h;
  for (long i = 0; i < n; i++) { s += p[i]; s += s < p[i]; }
  return s;
}

#define NAMES(X) X(byte32) X(byte16) X(byte8) X(byte64) X(signed32) X(signed64) X(short64) \
  X(word32) X(int64) X(uint64) X(wide64) X(wide32) X(minus) X(constant) X(variable) \
  X(swapped) X(swapped32) X(unrolled) X(folded) X(adler) X(fletcher) X(onlysecond) \
  X(hash31) X(hash33) X(rows) X(grid) X(twosums) X(xored) X(strided) X(early) X(onlyodd) \
  X(narrowed) X(lagging) X(wrapping) X(crossed) X(storing) X(looked) X(crcbits) \
  X(crcbranch) X(crcmask) X(crcwide) X(crcbyte) X(crcbyteptr) X(crcnibbles) X(notcrc) \
  X(sevensteps) X(countedsteps) X(inetfold) X(inetcarry) X(inet32) X(inetraw)
#define ENTRY(NAME) {#NAME, NAME},
static const struct { const char *name; u64 (*loop)(const u8 *, long, u64, u64); } table[] = {
    NAMES(ENTRY)};

static const u64 starts[] = {0, 1, 0xffff, 0x7fffffff, 0xfffffffffffffffb, 0x123456789abcdef0};

static u64 runAll(u64 (*loop)(const u8 *, long, u64, u64), const u8 *end) {
  u64 all = 0;
  for (long n = 0; n < 150; n++)
    for (long align = 0; align < 8; align++)
      for (unsigned k = 0; k < sizeof starts / sizeof *starts; k++)
        all = all * 0x9e3779b97f4a7c15 + loop(end - n - align, n, starts[k], starts[5 - k]);
  for (long n = 20000; n < 40000; n += 6679)
    all = all * 0x9e3779b97f4a7c15 + loop(end - n, n, 77, 99);
  return all;
}

int main(void) {
  const size_t size = 40960, page = 4096;
  u8 *data = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED || mprotect(data + size, page, PROT_NONE))
    return 2;
  u64 state = 1;
  for (size_t i = 0; i < size; i++)
    data[i] = (u8)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    printf("%s %016llx\n", table[i].name, (unsigned long long)runAll(table[i].loop, data + size));
  return 0;
}
