// table-lengths.c - lengths that a constant table bounds: what is proved of them holds for each entry
//
// RUN: for cc in %wrappers; do for o in -O1 -O2 -O3 -Os "-O2 --memlift-runtime=none"; do %half; \
// RUN:   $cc $o --memlift-verify %s -o %t && %t || { echo "failed: $cc $o"; exit 1; }; done; done
#include <stdio.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

static const u8 bytes[4] = {0, 3, 200, 255};
static const u16 halves[4] = {0, 3, 0x102, 0x3ff};
static const u32 words[4] = {0, 3, 0x10, 0x401};
static const u64 longs[2][2] = {{0, 3}, {70, 0x301}};
static const signed char negative[4] = {0, 3, 100, -1}; // as 255 below
static u8 changed[4] = {0, 1, 2, 3};

/* The loops by which each table is tried: bytes up, words of which the length is a byte's, a fill
 * whose counter is as narrow as the table's entries, and a sum. */
#define LOOPS(name, length)                                                                        \
  __attribute__((noinline)) static void copy_##name(u8 *d, const u8 *s, unsigned k) {              \
    unsigned n = (unsigned)(length);                                                               \
    for (unsigned i = 0; i < n; i++)                                                               \
      d[i] = s[i];                                                                                 \
  }                                                                                                \
  __attribute__((noinline)) static void apart_##name(u16 *restrict d, const u16 *restrict s,       \
                                                     unsigned k) {                                 \
    unsigned n = (unsigned)(length);                                                               \
    do                                                                                             \
      *d++ = *s++;                                                                                 \
    while (n-- > 1);                                                                               \
  }                                                                                                \
  __attribute__((noinline)) static void fill_##name(u8 *d, unsigned k) {                           \
    for (u16 i = 0; i < (u16)(length); i++)                                                        \
      d[i] = 7;                                                                                    \
  }                                                                                                \
  __attribute__((noinline)) static u32 sum_##name(const u8 *s, unsigned k) {                       \
    u32 sum = 0;                                                                                   \
    for (unsigned i = 0; i < (unsigned)(length); i++)                                              \
      sum += s[i];                                                                                 \
    return sum;                                                                                    \
  }
LOOPS(bytes, bytes[k])
LOOPS(halves, halves[k])
LOOPS(words, words[k])
LOOPS(longs, longs[k >> 1][k & 1])
LOOPS(negative, (u8)negative[k])
LOOPS(changed, changed[k])

static u8 from[4096], to[4096], expected[4096];

static int differs(const char *name, const char *loop, unsigned n, u32 got, u32 wanted) {
  int same = memcmp(to, expected, sizeof to) == 0 && got == wanted;
  if (!same)
    printf("%s_%s differs at length %u\n", loop, name, n);
  memset(to, 1, sizeof to);
  memset(expected, 1, sizeof expected);
  return !same;
}

#define TRY(name, length)                                                                          \
  for (unsigned k = 0; k < 4; k++) {                                                               \
    const unsigned n = length, least = n ? n : 1;                                                  \
    u32 sum = 0;                                                                                   \
    copy_##name(to, from, k);                                                                      \
    for (volatile unsigned i = 0; i < n; i++)                                                      \
      expected[i] = from[i];                                                                       \
    wrong |= differs(#name, "copy", n, 0, 0);                                                      \
    apart_##name((u16 *)to, (const u16 *)from, k);                                                 \
    for (volatile unsigned i = 0; i < 2 * least; i++)                                              \
      expected[i] = from[i];                                                                       \
    wrong |= differs(#name, "apart", n, 0, 0);                                                     \
    fill_##name(to, k);                                                                            \
    for (volatile unsigned i = 0; i < n; i++)                                                      \
      expected[i] = 7;                                                                             \
    wrong |= differs(#name, "fill", n, 0, 0);                                                      \
    for (volatile unsigned i = 0; i < n; i++)                                                      \
      sum += from[i];                                                                              \
    wrong |= differs(#name, "sum", n, sum_##name(from, k), sum);                                   \
  }

int main(void) {
  int wrong = 0;
  for (unsigned i = 0; i < sizeof from; i++)
    from[i] = (u8)(i * 7 + (i >> 8));
  memset(to, 1, sizeof to);
  memset(expected, 1, sizeof expected);
  changed[*(volatile u8 *)&changed[2]] = 250;
  TRY(bytes, bytes[k])
  TRY(halves, halves[k])
  TRY(words, words[k])
  TRY(longs, (unsigned)longs[k >> 1][k & 1])
  TRY(negative, (unsigned)(u8)negative[k])
  TRY(changed, changed[k])
  return wrong;
}
