// rates.c - cycles that routines take for 64 bytes more; figures of idioms/decide/gain.cpp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   cc -O2 -Iruntime/include bench/slow/rates.c build/lib/libmemlift.a -lpthread -o rates
//   MEMLIFT_CPU=generic ./rates
//
// The difference between 4,096 and 8,192 bytes that are in the first-level cache, fastest of many
// rounds. A cycle is an addition of a chain of them.
#include <memlift/memlift.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static unsigned char from[16384], to[16384];
static struct memlift_crc_poly crc = {32, 1, 0xEDB88320, {{0}}, {{0}}};
static struct memlift_crc_poly forward = {32, 0, 0x04C11DB7, {{0}}, {{0}}};
static uint32_t table[256];
static volatile uint64_t sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cycle(void) {
  double best = 1e9;
  for (int round = 0; round < 200; ++round) {
    uint64_t sum = 1;
    double begin = now();
    for (int i = 0; i < 20000; ++i) {
      sum += 3;
      __asm__ volatile("" : "+r"(sum));
      sum ^= 5;
      __asm__ volatile("" : "+r"(sum));
    }
    double each = (now() - begin) / 40000;
    sink = sum;
    best = each < best ? each : best;
  }
  return best;
}

// clang-format off
#define ROUTINES(R) \
  R(fill8, (memlift_fill8(to, 5, n), 0)) R(fill16, (memlift_fill16(to, 5, n), 0)) \
  R(fill32, (memlift_fill32(to, 5, n), 0)) R(fill64, (memlift_fill64(to, 5, n), 0)) \
  R(fill_pattern, (memlift_fill_pattern(to, 0x50403, 3, n), 0)) \
  R(fill_pattern16, (memlift_fill_pattern16(to, 5, 6, 13, n), 0)) \
  R(copy, (memlift_copy(to, from, n), 0)) R(move, (memlift_move(to, from, n), 0)) \
  R(copy_forward, (memlift_copy_forward(to + 4, to, 4, n), 0)) \
  R(copy_swap16, (memlift_copy_swap16(to, from, n), 0)) \
  R(copy_swap32, (memlift_copy_swap32(to, from, n), 0)) \
  R(copy_swap64, (memlift_copy_swap64(to, from, n), 0)) \
  R(copy_reverse8, (memlift_copy_reverse8(to, from, n), 0)) \
  R(copy_reverse16, (memlift_copy_reverse16(to, from, n), 0)) \
  R(copy_reverse32, (memlift_copy_reverse32(to, from, n), 0)) \
  R(copy_reverse64, (memlift_copy_reverse64(to, from, n), 0)) \
  R(sum_u8, memlift_sum_u8(from, n)) R(sum_s8, memlift_sum_s8(from, n)) \
  R(sum_u16, memlift_sum_u16(from, n)) R(sum_s32, memlift_sum_s32(from, n)) \
  R(sum_u64, memlift_sum_u64(from, n)) R(sum_swap_u16, memlift_sum_swap_u16(from, n)) \
  R(sum_swap_s32, memlift_sum_swap_s32(from, n)) R(sum_low_u32, memlift_sum_low_u32(from, n)) \
  R(wsum_u8, memlift_wsum_u8(from, n)) R(wsum_u16, memlift_wsum_u16(from, n)) \
  R(wsum_u32, memlift_wsum_u32(from, n)) R(wsum_u64, memlift_wsum_u64(from, n)) \
  R(xor_u8, memlift_xor_u8(from, n)) R(xor_u32, memlift_xor_u32(from, n)) \
  R(modsum_u8, memlift_modsum_u8(from, n, 1, 65521, 0)) \
  R(modsum_u16, memlift_modsum_u16(from, n, 1, 65535, 1)) \
  R(modsum_u32, memlift_modsum_u32(from, n, 1, 0xffffffff, 0)) \
  R(polyhash_u8, memlift_polyhash_u8(from, n, 5381, 33)) \
  R(polyhash_u16, memlift_polyhash_u16(from, n, 5381, 33)) \
  R(polyhash_u32, memlift_polyhash_u32(from, n, 5381, 33)) \
  R(polyhash_u64, memlift_polyhash_u64(from, n, 5381, 33)) \
  R(inet_sum, memlift_inet_sum(from, n, 0)) R(ones_sum_u32, memlift_ones_sum_u32(from, n, 0)) \
  R(ones_sum_u64, memlift_ones_sum_u64(from, n, 0)) \
  R(copy_inet_sum, memlift_copy_inet_sum(to, from, n, 0)) \
  R(copy_sum_u16, memlift_copy_sum_u16(to, from, n)) \
  R(crc, memlift_crc(1, from, n, &crc)) R(crc_forward, memlift_crc(1, from, n, &forward)) \
  R(crc_words, memlift_crc_words(1, from, n, 4, &forward)) \
  R(crc_any, memlift_crc_any(1, from, n, 0xEDB88320, 32, 1)) \
  R(crc_table_u32, memlift_crc_table_u32(1, from, n, table, 32, 1))
// clang-format on

static double best(int routine, size_t n) {
  double least = 1e9;
  for (int round = 0; round < 3000; ++round) {
    double begin = now();
    uint64_t result = 0;
    int at = 0;
    for (int k = 0; k < 4; ++k, at = 0) {
#define RUN(NAME, CALL)                                                                            \
  if (at++ == routine)                                                                             \
    result += (CALL);
      ROUTINES(RUN)
    }
    sink = result;
    double took = (now() - begin) / 4;
    least = took < least ? took : least;
  }
  return least;
}

int main(void) {
  static const char *const names[] = {
#define NAME(NAME, CALL) #NAME,
      ROUTINES(NAME)};
  for (size_t i = 0; i < sizeof from; ++i)
    from[i] = (unsigned char)(i * 167 >> 3);
  memlift_crc_init(&crc);
  memlift_crc_init(&forward);
  for (int i = 0; i < 256; ++i) // of no CRC
    table[i] = (uint32_t)i * 2654435761u;
  double each = cycle();
  for (int r = 0; r < (int)(sizeof names / sizeof *names); ++r)
    printf("%-16s %6.1f\n", names[r], (best(r, 8192) - best(r, 4096)) / each / 64);
  return 0;
}
