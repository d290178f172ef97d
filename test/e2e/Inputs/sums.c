// sums.c - runs the loops of test/parity/loops/{adler,hashes}.c and prints what came out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built without memlift at -O0 and with it, it has to print the same: every length from 0, every
// alignment of an element, bytes that are random, all ones or nearly all zero, start values below
// and above every modulus. The data ends at a page that may not be touched.
#define _DEFAULT_SOURCE
#include "../../parity/loops/adler.c"
#include "../../parity/loops/hashes.c"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef const s8 *signed_bytes_at;
enum { SIZE = 1 << 16, PAGE = 4096 };

struct loop {
  const char *name;
  unsigned unit, align; // bytes of one of `n`, and what the pointer must be a multiple of
  u64 (*run)(const u8 *p, size_t n, u64 x);
};

#define RUN(NAME, CALL) \
  static u64 run_##NAME(const u8 *p, size_t n, u64 x) { (void)x; return (u64)(CALL); }
#define SIMPLE(NAME) RUN(NAME, NAME(p, n))
#define WORDS(NAME, T) RUN(NAME, NAME((const T *)(const void *)p, n))
SIMPLE(adler_bytewise) SIMPLE(adler_subtract) SIMPLE(adler_four_a_round)
RUN(adler_continued, adler_continued((u32)x, p, n))
RUN(adler_subtract_from, adler_subtract_from((u32)x, p, n))
RUN(adler_int, adler_int(p, (int)n))
static u64 run_adler_update(const u8 *p, size_t n, u64 x) {
  struct adler_state s = {(u32)x, (u32)(x >> 32)};
  adler_update(&s, p, n);
  return (u64)s.b << 32 | s.a;
}
RUN(tested_for_more, tested_for_more((u32)x, p, n))
RUN(second_folded, second_folded((u32)x, p, n))
RUN(fletcher16, fletcher16(p, (int)n))
SIMPLE(fletcher16_bytes) SIMPLE(fletcher16_fold) SIMPLE(fletcher16_fold_ff) SIMPLE(fletcher16_carry)
SIMPLE(osi_subtract) SIMPLE(fletcher32_bytes) SIMPLE(sum_mod_251) SIMPLE(gsm_end_around)
SIMPLE(only_second) SIMPLE(two_moduli) SIMPLE(first_not_reduced) SIMPLE(weak_subtract)
SIMPLE(fold_of_seven)
WORDS(fletcher32, u16) WORDS(fletcher32_fold, u16) WORDS(fletcher64, u32)
WORDS(fletcher64_fold, u32) WORDS(signed_bytes, signed char)
RUN(adler_do16, adler_do16((u32)x, (u32)(x >> 32), p, (unsigned)n))
RUN(adler_block, n >= 5552 ? adler_block(p) : 0)
RUN(rolling, rolling(p, (int)n))
RUN(java, java(p, (int)n))
SIMPLE(djb2) WORDS(djb2_signed, signed char) SIMPLE(sdbm) SIMPLE(bsd_sum) SIMPLE(sysv_sum)
SIMPLE(intel_hex) WORDS(word_sum, u32)
WORDS(word_sum_negated, int) RUN(modbus_lrc, modbus_lrc(p, (u16)n))
static u64 run_tar_header(const u8 *p, size_t n, u64 x) {
  int both = 0;
  (void)x;
  return n < 512 ? 0 : (u64)tar_header((const char *)p, &both) << 32 | (u32)both;
}
RUN(weak_signed, weak_signed((signed_bytes_at)p, (int)n))
RUN(weak_signed_tail, weak_signed_tail((signed_bytes_at)p, 0, (int)n, (u32)x, (u32)(x >> 32)))
static u64 run_fletcher_u64(const u8 *p, size_t n, u64 x) {
  u64 b = x, a = fletcher_u64((const u64 *)(const void *)p, n, &b);
  return a ^ b * 3;
}
SIMPLE(lrc) RUN(nmea, nmea((const char *)p, (int)n)) SIMPLE(xor_halves) SIMPLE(parity_bit)
RUN(xor_signed, xor_signed((const signed char *)p, (int)n))
RUN(xor_from, xor_from((const u32 *)(const void *)p, n, (u32)x)) WORDS(xor_four, u64)
SIMPLE(xor_turned) SIMPLE(xor_shifted)
WORDS(java_ints, int) RUN(java_chars, java_chars((const u16 *)(const void *)p, (int)n))
WORDS(hash_words64, u64) WORDS(hash_two_words, u32) WORDS(long_of_ints, int)

#define L(NAME, UNIT, ALIGN) {#NAME, UNIT, ALIGN, run_##NAME},
static const struct loop loops[] = {
    L(adler_bytewise, 1, 1) L(adler_subtract, 1, 1) L(adler_four_a_round, 1, 1)
    L(adler_continued, 1, 1) L(adler_subtract_from, 1, 1) L(adler_int, 1, 1) L(adler_update, 1, 1)
    L(tested_for_more, 1, 1) L(second_folded, 1, 1)
    L(fletcher16, 1, 1) L(fletcher16_bytes, 1, 1) L(fletcher16_fold, 1, 1)
    L(fletcher16_fold_ff, 1, 1) L(fletcher16_carry, 1, 1) L(osi_subtract, 1, 1)
    L(fletcher32_bytes, 1, 1) L(sum_mod_251, 1, 1) L(gsm_end_around, 1, 1) L(only_second, 1, 1)
    L(two_moduli, 1, 1) L(first_not_reduced, 1, 1) L(weak_subtract, 1, 1) L(fold_of_seven, 1, 1)
    L(fletcher32, 2, 2) L(fletcher32_fold, 2, 2) L(fletcher64, 4, 4) L(fletcher64_fold, 4, 4)
    L(signed_bytes, 1, 1) L(adler_do16, 1, 1) L(adler_block, 1, 1) L(rolling, 1, 1)
    L(java, 1, 1) L(djb2, 1, 1) L(djb2_signed, 1, 1) L(sdbm, 1, 1) L(bsd_sum, 1, 1)
    L(sysv_sum, 1, 1) L(intel_hex, 1, 1) L(modbus_lrc, 1, 1) L(tar_header, 1, 1)
    L(weak_signed, 1, 1) L(weak_signed_tail, 1, 1) L(fletcher_u64, 8, 8) L(lrc, 1, 1)
    L(nmea, 1, 1) L(xor_signed, 1, 1) L(xor_halves, 1, 1) L(parity_bit, 1, 1) L(xor_from, 4, 4) L(xor_four, 8, 8)
    L(xor_turned, 1, 1) L(xor_shifted, 1, 1) L(java_ints, 4, 4) L(java_chars, 2, 2)
    L(hash_words64, 8, 8) L(hash_two_words, 8, 4) L(long_of_ints, 4, 4)
    L(word_sum, 4, 4) L(word_sum_negated, 4, 4)};

static const u64 starts[] = {0,          1,          65520 | (u64)65520 << 16, 65521, 0xffffffff,
                             (u64)65520 << 32 | 65520, (u64)65521 << 32, 0xffffff01, ~(u64)0};

static u64 state = 88172645463325252u;
static u64 next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void paint(u8 *p, unsigned how) {
  for (size_t i = 0; i < SIZE; i++)
    p[i] = how == 0 ? (u8)next() : how == 1 ? 0xff : (u8)(next() % 97 == 0);
}

int main(void) {
  u8 *memory = mmap(0, SIZE + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + SIZE, PAGE, PROT_NONE))
    return 2;
  for (unsigned how = 0; how < 3; how++) {
    paint(memory, how);
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
      const struct loop *l = &loops[k];
      u64 mix = 0;
      for (size_t n = 0; n * l->unit <= SIZE / 2; n += n < 70 ? 1 : n / 3)
        for (size_t gap = 0; gap < 16; gap += 1 + gap / 3) {
          const u8 *p = memory + SIZE - n * l->unit - gap * l->align;
          mix = mix * 0x9e3779b97f4a7c15u + l->run(p, n, starts[(n + gap) % 9]);
        }
      printf("%s %u %016llx\n", l->name, how, (unsigned long long)mix);
    }
  }
  return 0;
}
