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
LOOP(looked) { ALL(u8); u32 s = (u32)h; for (long i = 0; i < n; i++) s += nibbles[p[i] & 15]; return s; }
LOOP(crcbits) {
  ALL(u8); u32 c = (u32)h;
  for (long i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return c;
}

#define NAMES(X) X(byte32) X(byte16) X(byte8) X(byte64) X(signed32) X(signed64) X(short64) \
  X(word32) X(int64) X(uint64) X(wide64) X(wide32) X(minus) X(constant) X(variable) \
  X(swapped) X(swapped32) X(unrolled) X(folded) X(adler) X(fletcher) X(onlysecond) \
  X(hash31) X(hash33) X(rows) X(grid) X(twosums) X(xored) X(strided) X(early) X(onlyodd) \
  X(narrowed) X(lagging) X(wrapping) X(crossed) X(storing) X(looked) X(crcbits)
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
