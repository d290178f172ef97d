// reductions.c - loops that make one number of what they read; some are no sums
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built twice with another F(x); each function gets `n` elements of its size.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define LOOP(NAME, TYPE, BODY)                                                   \
  static __attribute__((noinline)) u64 NAME(const void *from, size_t n, u64 init) { \
    const TYPE *p = from;                                                        \
    u64 out = 0;                                                                 \
    (void)p, (void)init;                                                         \
    BODY                                                                         \
    return out;                                                                  \
  }
#define SUM(NAME, TYPE, ACC)                                                     \
  LOOP(NAME, TYPE, ACC s = (ACC)init;                                            \
       for (size_t i = 0; i < n; i++) s += (ACC)p[i]; out = (u64)s;)

SUM(u8_u8, u8, u8)
SUM(u8_u16, u8, u16)
SUM(u8_u32, u8, u32)
SUM(u8_u64, u8, u64)
SUM(s8_s32, int8_t, u32)
SUM(s8_s64, int8_t, u64)
SUM(s8_u8, int8_t, u8)
SUM(u16_u16, u16, u16)
SUM(u16_u32, u16, u32)
SUM(u16_u64, u16, u64)
SUM(s16_s32, int16_t, u32)
SUM(s16_s64, int16_t, u64)
SUM(u32_u16, u32, u16)
SUM(u32_u32, u32, u32)
SUM(u32_u64, u32, u64)
SUM(s32_s64, int32_t, u64)
SUM(u64_u64, u64, u64)
SUM(u64_u32, u64, u32)
LOOP(walk, u8, u32 s = 0; while (n--) s += *p++; out = s;)
LOOP(downwards, u16, u32 s = (u32)init; while (n--) s += p[n]; out = s;)
LOOP(narrow_count, u8, u32 s = 0; for (u16 i = 0; i < (u16)n; i++) s += p[i]; out = s;)
LOOP(signed_count, u8, int s = 0; for (int i = 0; i < (int)n; i++) s += p[i]; out = (u64)s;)
LOOP(end_used, u8, u32 s = 0; const u8 *e = p + n; while (p != e) s += *p++;
     out = s + (u64)(p - (const u8 *)from);)
LOOP(rounds, u8, u32 s = (u32)init; for (size_t i = 0; i < n; i++) s += p[i] + 3u; out = s;)
LOOP(scaled, u16, u32 s = (u32)init; for (size_t i = 0; i < n; i++) s += 5u * p[i]; out = s;)
LOOP(shifted, u16, u64 s = init; for (size_t i = 0; i < n; i++) s += (u64)p[i] << 7; out = s;)
LOOP(minus, u16, u32 s = (u32)init; for (size_t i = 0; i < n; i++) s -= p[i]; out = s;)
LOOP(swap16, u16, u32 s = (u32)init;
     for (size_t i = 0; i < n; i++) s += __builtin_bswap16(p[i]); out = s;)
LOOP(swap32, u32, u64 s = init;
     for (size_t i = 0; i < n; i++) s += __builtin_bswap32(p[i]); out = s;)
LOOP(bytes_be, u8, u32 s = (u32)init;
     for (size_t i = 0; i + 1 < n; i += 2) s += (u32)(p[i] << 8 | p[i + 1]); out = s;)
LOOP(bytes_le, u8, u32 s = (u32)init;
     for (size_t i = 0; i + 1 < n; i += 2) s += (u32)(p[i + 1] << 8 | p[i]); out = s;)
LOOP(unrolled, u8, u32 s = (u32)init; size_t i = 0;
     for (; i + 4 <= n; i += 4) s += p[i] + p[i + 1] + p[i + 2] + p[i + 3];
     for (; i < n; i++) s += p[i]; out = s;)
LOOP(two_sums, u8, u32 s = 0; u32 t = (u32)init;
     for (size_t i = 0; i < n; i++) { s += p[i]; t -= p[i]; } out = (u64)s << 32 | t;)
LOOP(counted_and_summed, u8, u32 s = 0; u64 c = 0;
     for (size_t i = 0; i < n; i++) { s += p[i]; c++; } out = s + c;)
LOOP(unused, u8, u32 s = (u32)init; u32 t = 0;
     for (size_t i = 0; i < n; i++) { s += p[i]; t += 2u * p[i]; } out = s;)
LOOP(packed, u8, u32 s = (u32)init; size_t w = 7;
     for (size_t y = 0; y < n / 7; y++) for (size_t x = 0; x < w; x++) s += p[y * w + x];
     out = s;)
LOOP(pitched, u8, u32 s = (u32)init;
     for (size_t y = 0; y < n / 9; y++) for (size_t x = 0; x < 5; x++) s += p[y * 9 + x];
     out = s;)
LOOP(skipped_rows, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++) for (size_t x = 0; x < w; x++) s += p[y * w + x];
     out = s;)
LOOP(row_or_not, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++) { u32 old = s;
       for (size_t x = 0; x < w; x++) s += p[y * w + x];
       if (y & 1) s = old; }
     out = s;)
LOOP(row_plus, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++) {
       for (size_t x = 0; x < w; x++) s += p[y * w + x]; s ^= 1; }
     out = s;)
LOOP(all_rows_or_none, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++) { u32 old = s;
       for (size_t x = 0; x < w; x++) s += p[y * w + x];
       if (init & 64) s = old; }
     out = s;)
LOOP(one_row_of_two, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++)
       if (y & 1) for (size_t x = 0; x < w; x++) s += p[y * w + x];
     out = s;)
LOOP(rows_if, u8, u32 s = (u32)init; size_t w = init % 40;
     for (size_t y = 0; y < n / 40; y++)
       if (init & 64) for (size_t x = 0; x < w; x++) s += p[y * w + x];
     out = s;)
LOOP(adler_rows, u8, u32 a = 1; u32 b = (u32)init; size_t w = 11 + init % 20;
     for (size_t y = 0; y < n / 31; y++)
       for (size_t x = 0; x < w; x++) { a += p[y * w + x]; b += a; }
     out = (u64)b << 32 | a;)
LOOP(triangle, u8, u32 s = (u32)init;
     for (size_t y = 0; y < (n < 60 ? n : 60); y++) for (size_t x = 0; x < y; x++) s += p[x];
     out = s;)
LOOP(last_row, u8, u32 s = (u32)init;
     for (size_t y = 0; y < n / 8; y++) { s = 0;
       for (size_t x = 0; x < 8; x++) s += p[y * 8 + x]; }
     out = s;)
LOOP(adler, u8, u32 a = (u32)init & 0xffff; u32 b = (u32)(init >> 16) & 0xffff;
     for (size_t i = 0; i < n; i++) { a += p[i]; b += a; }
     out = (u64)(b % 65521) << 16 | a % 65521;)
LOOP(adler_b, u8, u32 a = 1; u32 b = (u32)init;
     for (size_t i = 0; i < n; i++) { a += p[i]; b += a; } out = b;)
LOOP(adler_late, u8, u32 a = (u32)init; u32 b = 0;
     for (size_t i = 0; i < n; i++) { b += a; a += p[i]; } out = (u64)b << 32 | a;)
LOOP(fletcher32, u16, u32 a = 0xffff; u32 b = (u32)init;
     for (size_t i = 0; i < n; i++) { a += p[i]; b += a; } out = (u64)b << 32 | a;)
LOOP(fletcher64, u32, u64 a = init; u64 b = 0;
     for (size_t i = 0; i < n; i++) { a += p[i]; b += a; } out = b ^ a << 7;)
LOOP(fletcher8, u8, u8 a = (u8)init; u8 b = 9;
     for (size_t i = 0; i < n; i++) { a = (u8)(a + p[i]); b = (u8)(b + a); }
     out = (u64)(b << 8 | a);)
LOOP(djb2, u8, u32 h = 5381; for (size_t i = 0; i < n; i++) h = h * 33 + p[i]; out = h;)
LOOP(djb2_shift, u8, u64 h = init; for (size_t i = 0; i < n; i++) h = (h << 5) + h + p[i]; out = h;)
LOOP(java, u8, u32 h = (u32)init; for (size_t i = 0; i < n; i++) h = 31 * h + p[i]; out = h;)
LOOP(hash_variable, u8, u64 h = 1; u64 k = init;
     for (size_t i = 0; i < n; i++) h = h * k + p[i]; out = h;)
LOOP(hash_signed, int8_t, u32 h = (u32)init;
     for (size_t i = 0; i < n; i++) h = 31 * h + (u32)p[i]; out = h;)
LOOP(hash_words, u16, u32 h = (u32)init;
     for (size_t i = 0; i < n; i++) h = 31 * h + p[i]; out = h;)
LOOP(fnv1, u8, u32 h = 2166136261u;
     for (size_t i = 0; i < n; i++) h = (h * 16777619u) ^ p[i]; out = h;)
LOOP(inet, u16, u32 s = 0; while (n--) s += *p++;
     while (s >> 16) s = (s & 0xffff) + (s >> 16); out = (u16)~s;)
LOOP(inet_fold_each, u16, u32 s = (u16)init;
     while (n--) { s += *p++; s = (s & 0xffff) + (s >> 16); } out = s;)
LOOP(inet_carry, u16, u32 s = (u16)init;
     while (n--) { s += *p++; if (s & 0xffff0000) { s &= 0xffff; s++; } } out = s;)
LOOP(inet_pairs, u8, u32 s = (u16)init;
     for (size_t i = 0; i + 1 < n; i += 2) {
       s += (u32)(p[i] << 8 | p[i + 1]); s = (s & 0xffff) + (s >> 16); } out = s;)
LOOP(bitwise_crc, u8, u32 c = (u32)init;
     while (n--) { c ^= *p++; for (int k = 0; k < 8; k++)
       c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; } out = c;)
LOOP(early, u8, u32 s = 0; for (size_t i = 0; i < n && p[i] != 7; i++) s += p[i]; out = s;)
LOOP(conditional, u8, u32 s = 0; for (size_t i = 0; i < n; i++) if (p[i] & 1) s += p[i]; out = s;)
LOOP(either, u8, u32 s = (u32)init;
     for (size_t i = 0; i < n; i++) { if (p[i] > 100) s += p[i]; else s -= 2; } out = s;)
LOOP(xored, u8, u8 s = (u8)init; for (size_t i = 0; i < n; i++) s ^= p[i]; out = s;)
LOOP(product, u8, u32 s = 1; for (size_t i = 0; i < n; i++) s *= p[i] | 1u; out = s;)
LOOP(largest, u16, u32 s = 0; for (size_t i = 0; i < n; i++) if (p[i] > s) s = p[i]; out = s;)
LOOP(dot, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += (u32)p[i] * p[n - 1 - i]; out = s;)
LOOP(by_position, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += (u32)i * p[i]; out = s;)
LOOP(position_xor, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += (u32)(i ^ p[i]); out = s;)
LOOP(squares, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += (u32)(p[i] * p[i]); out = s;)
LOOP(masked, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += p[i] & 0x7fu; out = s;)
LOOP(rotating, u8, u32 s = 0;
     for (size_t i = 0; i < n; i++) { s = s >> 1 | s << 31; s += p[i]; } out = s;)
LOOP(strided, u8, u32 s = 0; for (size_t i = 0; i < n; i += 3) s += p[i]; out = s;)
LOOP(every_other, u16, u64 s = 0; for (size_t i = 0; i + 1 < n; i += 2) s += p[i + 1]; out = s;)
LOOP(overlapping, u8, u32 s = 0; for (size_t i = 0; i + 1 < n; i++) s += p[i] + p[i + 1]; out = s;)
LOOP(twice_each, u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += p[i] + p[i]; out = s;)
LOOP(one_place, u8, u32 s = 0; for (size_t i = 0; n && i < n; i++) s += p[0]; out = s;)
LOOP(saturating, u8, u32 s = 0;
     for (size_t i = 0; i < n; i++) { s += p[i]; if (s > 1000) s = 1000; } out = s;)
LOOP(is_volatile, volatile u8, u32 s = 0; for (size_t i = 0; i < n; i++) s += p[i]; out = s;)
LOOP(wide_of_narrow, u16, u64 s = init;
     for (size_t i = 0; i < n; i++) s += (u8)p[i]; out = s;)
LOOP(narrow_of_wide, u32, u8 s = (u8)init;
     for (size_t i = 0; i < n; i++) s = (u8)(s + p[i]); out = s;)
LOOP(sum_narrowed_each, u16, u64 s = init;
     for (size_t i = 0; i < n; i++) s = (s + p[i]) & 0xffffffffu; out = s;)

#define E(NAME, TYPE) {NAME, sizeof(TYPE), #NAME}
const struct {
  u64 (*run)(const void *, size_t, u64);
  size_t size;
  const char *name;
} F(reductions)[] = {
    E(u8_u8, u8), E(u8_u16, u8), E(u8_u32, u8), E(u8_u64, u8), E(s8_s32, u8), E(s8_s64, u8),
    E(s8_u8, u8), E(u16_u16, u16), E(u16_u32, u16), E(u16_u64, u16), E(s16_s32, u16),
    E(s16_s64, u16), E(u32_u16, u32), E(u32_u32, u32), E(u32_u64, u32), E(s32_s64, u32),
    E(u64_u64, u64), E(u64_u32, u64), E(walk, u8), E(downwards, u16), E(narrow_count, u8),
    E(signed_count, u8), E(end_used, u8), E(rounds, u8), E(scaled, u16), E(shifted, u16),
    E(minus, u16), E(swap16, u16), E(swap32, u32), E(bytes_be, u8), E(bytes_le, u8),
    E(unrolled, u8), E(two_sums, u8), E(counted_and_summed, u8), E(unused, u8), E(packed, u8),
    E(pitched, u8), E(skipped_rows, u8), E(row_or_not, u8), E(row_plus, u8),
    E(all_rows_or_none, u8), E(one_row_of_two, u8), E(rows_if, u8), E(adler_rows, u8),
    E(triangle, u8), E(last_row, u8),
    E(adler, u8), E(adler_b, u8), E(adler_late, u8), E(fletcher32, u16), E(fletcher64, u32),
    E(fletcher8, u8), E(djb2, u8), E(djb2_shift, u8), E(java, u8), E(hash_variable, u8),
    E(hash_signed, u8), E(hash_words, u16), E(fnv1, u8), E(inet, u16), E(inet_fold_each, u16),
    E(inet_carry, u16), E(inet_pairs, u8), E(bitwise_crc, u8), E(early, u8),
    E(conditional, u8), E(either, u8),
    E(xored, u8), E(product, u8), E(largest, u16), E(dot, u8), E(by_position, u8),
    E(position_xor, u8), E(squares, u8), E(masked, u8), E(rotating, u8), E(strided, u8),
    E(every_other, u16), E(overlapping, u8), E(twice_each, u8), E(one_place, u8),
    E(saturating, u8), E(is_volatile, u8), E(wide_of_narrow, u16), E(narrow_of_wide, u32),
    E(sum_narrowed_each, u16), {0, 0, 0}};
