// words.c - fills and copies that become loops over words in place, and near misses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(name) is the loop as lifted or as plain code; words-main.c has both. Each writes within
// n bytes at d, and reads within n bytes at s. ALIGN: d and s have to be multiples of it.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef struct { u32 v; } __attribute__((packed)) any32;
typedef struct { u64 v; } __attribute__((packed)) any64;
typedef struct { u16 v; } __attribute__((packed)) any16;
typedef struct { u16 a, b; } pair;
typedef struct { u8 r, g, b; } triple;

#define LOOP(NAME, ...) \
  static void NAME(u8 *d, const u8 *s, size_t n, u64 v) { (void)s, (void)n, (void)v; __VA_ARGS__ }

// Fills.
LOOP(bytes, for (size_t i = 0; i < n; i++) d[i] = (u8)v;)
LOOP(bytes_zero, for (size_t i = 0; i < n; i++) d[i] = 0;)
LOOP(bytes_walk, u8 *end = d + n; while (d != end) *d++ = (u8)v;)
LOOP(bytes_down, while (n--) d[n] = (u8)v;)
LOOP(bytes_int, for (int i = 0; i < (int)n; i++) d[i] = 0xff;)
LOOP(bytes_narrow, for (u16 i = 0; i < (u16)n; i++) d[i] = (u8)v;)
LOOP(bytes_off, for (size_t i = 3; i < n; i++) d[i] = (u8)v;)
LOOP(bytes_at8, for (size_t i = 0; i < n; i++) ((u8 *)__builtin_assume_aligned(d, 8))[i] = (u8)v;)
LOOP(bytes_300, if (n == 300) for (size_t i = 0; i < 300; i++) d[i] = (u8)v;)
LOOP(bytes_100, if (n >= 100) for (size_t i = 0; i < 100; i++) d[i] = (u8)v;)
LOOP(bytes_least, if (n < 40) return; for (size_t i = 0; i < n; i++) d[i] = (u8)v;)
LOOP(bytes_most, if (n > 60) return; for (size_t i = 0; i < n; i++) d[i] = (u8)v;)
LOOP(bytes_final, size_t i; for (i = 0; i < n; i++) d[i] = 7; if (i > 1) d[i - 1] = (u8)i;)
LOOP(bytes_often, for (size_t k = 0; k < 3; k++)
     for (size_t i = k; i < n; i++) d[i] = (u8)(v + k);)
LOOP(halves, u16 *p = (u16 *)d; for (size_t i = 0; i < n / 2; i++) p[i] = (u16)v;)
LOOP(words, u32 *p = (u32 *)d; for (size_t i = 0; i < n / 4; i++) p[i] = (u32)v;)
LOOP(words_constant, u32 *p = (u32 *)d; for (size_t i = 0; i < n / 4; i++) p[i] = 0x12345678;)
LOOP(doubles, u64 *p = (u64 *)d; for (size_t i = 0; i < n / 8; i++) p[i] = v;)
LOOP(floats, float *p = (float *)d; for (size_t i = 0; i < n / 4; i++) p[i] = 1.5f;)
LOOP(pairs, pair *p = (pair *)d;
     for (size_t i = 0; i < n / 4; i++) p[i].a = (u16)v, p[i].b = (u16)(v >> 16);)
LOOP(any_halves, any16 *p = (any16 *)d; for (size_t i = 0; i < n / 2; i++) p[i].v = (u16)v;)
LOOP(any_words, any32 *p = (any32 *)d; for (size_t i = 0; i < n / 4; i++) p[i].v = (u32)v;)
LOOP(any_doubles, any64 *p = (any64 *)d; for (size_t i = 0; i < n / 8; i++) p[i].v = v;)
// Fills of other patterns, and what is no fill.
LOOP(triples, triple *p = (triple *)d;
     for (size_t i = 0; i < n / 3; i++) p[i].r = 1, p[i].g = 2, p[i].b = (u8)v;)
LOOP(every_other, for (size_t i = 0; i < n; i += 2) d[i] = (u8)v;)
LOOP(is_volatile, for (size_t i = 0; i < n; i++) ((volatile u8 *)d)[i] = (u8)v;)
LOOP(is_atomic, for (size_t i = 0; i < n; i++) __atomic_store_n(d + i, (u8)v, __ATOMIC_RELAXED);)
LOOP(counts, for (size_t i = 0; i < n; i++) d[i] = (u8)i;)
LOOP(ends, for (size_t i = 0; i < n && s[i] != 5; i++) d[i] = (u8)v;)
LOOP(rows, for (size_t y = 0; y < n / 40; y++) for (size_t x = 0; x < 33; x++) d[y * 40 + x] = 1;)

// Copies.
LOOP(copy, for (size_t i = 0; i < n; i++) d[i] = s[i];)
LOOP(copy_walk, const u8 *end = s + n; while (s != end) *d++ = *s++;)
LOOP(copy_down, while (n--) d[n] = s[n];)
LOOP(copy_int, for (int i = 0; i < (int)n; i++) d[i] = s[i];)
LOOP(copy_at8, for (size_t i = 0; i < n; i++) ((u8 *)__builtin_assume_aligned(d, 8))[i] = s[i];)
LOOP(copy_both8, for (size_t i = 0; i < n; i++)
     ((u8 *)__builtin_assume_aligned(d, 8))[i] = ((const u8 *)__builtin_assume_aligned(s, 8))[i];)
LOOP(copy_alike, if (((uintptr_t)d ^ (uintptr_t)s) & 7) return;
     for (size_t i = 0; i < n; i++) d[i] = s[i];)
LOOP(copy_300, if (n == 300) for (size_t i = 0; i < 300; i++) d[i] = s[i];)
LOOP(copy_final, size_t i; for (i = 0; i < n; i++) d[i] = s[i]; if (i > 1) d[i - 1] = (u8)i;)
LOOP(copy_halves, u16 *p = (u16 *)d; const u16 *q = (const u16 *)s;
     for (size_t i = 0; i < n / 2; i++) p[i] = q[i];)
LOOP(copy_words, u32 *p = (u32 *)d; const u32 *q = (const u32 *)s;
     for (size_t i = 0; i < n / 4; i++) p[i] = q[i];)
LOOP(copy_doubles, u64 *p = (u64 *)d; const u64 *q = (const u64 *)s;
     for (size_t i = 0; i < n / 8; i++) p[i] = q[i];)
LOOP(copy_any, any32 *p = (any32 *)d; const any32 *q = (const any32 *)s;
     for (size_t i = 0; i < n / 4; i++) p[i] = q[i];)
LOOP(copy_apart, if (d < s ? s - d < (ptrdiff_t)n : d - s < (ptrdiff_t)n) return;
     u8 *restrict p = d; const u8 *restrict q = s; for (size_t i = 0; i < n; i++) p[i] = q[i];)
LOOP(copy_200_apart, if (n < 200 || (d < s ? s - d < 200 : d - s < 200)) return;
     u8 *restrict p = d; const u8 *restrict q = s; for (size_t i = 0; i < 200; i++) p[i] = q[i];)
LOOP(copy_or_back, if (d <= s) for (size_t i = 0; i < n; i++) d[i] = s[i];
     else while (n--) d[n] = s[n];)
// Within one region: a move down and up by known distances, whatever the compiler knows.
LOOP(down_by_1, for (size_t i = 0; i + 1 < n; i++) d[i] = d[i + 1];)
LOOP(down_by_8, for (size_t i = 0; i + 8 < n; i++) d[i] = d[i + 8];)
LOOP(down_by_13, for (size_t i = 0; i + 13 < n; i++) d[i] = d[i + 13];)
LOOP(up_by_1, for (size_t i = n; i > 1; i--) d[i - 1] = d[i - 2];)
LOOP(up_by_16, for (size_t i = n; i > 16; i--) d[i - 1] = d[i - 17];)
LOOP(repeats_1, for (size_t i = 1; i < n; i++) d[i] = d[i - 1];)
LOOP(repeats_8, for (size_t i = 8; i < n; i++) d[i] = d[i - 8];)
LOOP(repeats_64, for (size_t i = 64; i < n; i++) d[i] = d[i - 64];)
// No copies, or none of a shape.
LOOP(swapped, u32 *p = (u32 *)d; const u32 *q = (const u32 *)s;
     for (size_t i = 0; i < n / 4; i++) p[i] = __builtin_bswap32(q[i]);)
LOOP(reversed, for (size_t i = 0; i < n; i++) d[i] = s[n - 1 - i];)
LOOP(added, for (size_t i = 0; i < n; i++) d[i] = (u8)(s[i] + 1);)
LOOP(ended, for (size_t i = 0; i < n && s[i]; i++) d[i] = s[i];)
LOOP(reads_volatile, for (size_t i = 0; i < n; i++) d[i] = ((const volatile u8 *)s)[i];)

#define E(NAME, ALIGN) {NAME, ALIGN, 0, #NAME}
#define READS(NAME, ALIGN) {NAME, ALIGN, 1, #NAME}
const struct {
  void (*run)(u8 *, const u8 *, size_t, u64);
  unsigned align, reads;
  const char *name;
} F(loops)[] = {
    E(bytes, 1), E(bytes_zero, 1), E(bytes_walk, 1), E(bytes_down, 1), E(bytes_int, 1),
    E(bytes_narrow, 1), E(bytes_off, 1), E(bytes_at8, 8), E(bytes_300, 1), E(bytes_100, 1),
    E(bytes_least, 1), E(bytes_most, 1), E(bytes_final, 1), E(bytes_often, 1), E(halves, 2),
    E(words, 4), E(words_constant, 4), E(doubles, 8), E(floats, 4), E(pairs, 2),
    E(any_halves, 1), E(any_words, 1), E(any_doubles, 1), E(triples, 1), E(every_other, 1),
    E(is_volatile, 1), E(is_atomic, 1), E(counts, 1), READS(ends, 1), E(rows, 1),
    READS(copy, 1), READS(copy_walk, 1), READS(copy_down, 1), READS(copy_int, 1),
    READS(copy_at8, 8), READS(copy_both8, 8), READS(copy_alike, 1), READS(copy_300, 1),
    READS(copy_final, 1), READS(copy_halves, 2), READS(copy_words, 4), READS(copy_doubles, 8),
    READS(copy_any, 1), READS(copy_apart, 1), READS(copy_200_apart, 1),
    READS(copy_or_back, 1), E(down_by_1, 1),
    E(down_by_8, 1), E(down_by_13, 1), E(up_by_1, 1), E(up_by_16, 1), E(repeats_1, 1),
    E(repeats_8, 1), E(repeats_64, 1), READS(swapped, 4), READS(reversed, 1), READS(added, 1),
    READS(ended, 1), READS(reads_volatile, 1), {0, 0, 0, 0}};
