// dense.c - prints the cycles of copies and fills at many lengths and alignments, warm and cold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines "KERNEL BYTES DESTINATION SOURCE CYCLES", as table.c; those of "KERNEL-cold" after all data
// and code left the caches. Lengths are 0 to 64 at all pairs of alignments, then lengths of packets
// at those of an aligned and two unaligned destinations. CLEAR names a routine that clears. With
// SAMPLE there are eight pairs, every third length above 18, and packets of up to 1500 bytes; with
// SHORT only lengths of up to 64, warm. The regions are 2 KiB apart modulo 4 KiB, as in table.c.
#include "io.h"
#include "kernels.h"

enum { Most = 9000 + 64, Room = 10240, Caches = 65536 };
static unsigned char regions[2 * Room] __attribute__((aligned(4096)));
static unsigned char *const from = regions, *const to = regions + Room;
#ifdef SAMPLE
enum { Step = 3, Long = 2 };
static const unsigned char pairs[] = {0, 3, 8, 12, 27, 36, 45, 62}; // 8 * destination + source
#else
enum { Step = 1, Long = 4 };
#endif
static volatile unsigned char others[Caches] __attribute__((aligned(4096)));
_Static_assert(Room % 4096 == 2048 && Room >= Most, "regions 2 KiB apart modulo 4 KiB");

#ifdef CLEAR
uint64_t CLEAR(void *p, size_t n);
#endif

static void print(const char *name, size_t n, unsigned d, unsigned s, uint64_t cycles) {
  put(name);
  uint64_t numbers[] = {n, d, s, cycles};
  for (int i = 0; i < 4; ++i)
    put(" "), put_number(numbers[i]);
  put("\n");
}

static void empty_caches(void) {
  for (size_t i = 0; i < Caches; i += 16)
    (void)others[i];
  __asm__ volatile("fence.i" ::: "memory");
}

/// Measures all routines that are there; `calls` are before the one that is timed.
static void row(size_t n, unsigned d, unsigned s, int calls, int cold) {
  uintptr_t t = (uintptr_t)(to + d), f = (uintptr_t)(from + s);
  uint64_t copy = 0, fill = 0, clear = 0;
  for (int i = 0; i <= calls; ++i) {
    cold ? empty_caches() : (void)0;
    copy = timed((function *)k_copy_restrict, t, f, n, NULL);
  }
  print(cold ? "copy-cold" : "copy", n, d, s, copy);
  if (s)
    return;
  for (int i = 0; i <= calls; ++i) {
    cold ? empty_caches() : (void)0;
    fill = timed((function *)k_fill, t, 0x5a, n, NULL);
  }
  print(cold ? "fill-cold" : "fill", n, d, 0, fill);
#ifdef CLEAR
  for (int i = 0; i <= calls; ++i) {
    cold ? empty_caches() : (void)0;
    clear = timed((function *)CLEAR, t, n, 0, NULL);
  }
  print(cold ? "clear-cold" : "clear", n, d, 0, clear);
#else
  (void)clear;
#endif
}

int main(void) {
  for (size_t i = 0; i < Room; ++i)
    from[i] = (unsigned char)(i * 7 + (i >> 8));
  for (size_t n = 0; n <= 64; n += n < 18 ? 1 : Step)
#ifdef SAMPLE
    for (unsigned i = 0; i < sizeof pairs; ++i)
      row(n, pairs[i] / 8, pairs[i] % 8, 2, 0);
#else
    for (unsigned pair = 0; pair < 64; ++pair)
      row(n, pair / 8, pair % 8, 2, 0);
#endif
#ifndef SHORT
  static const size_t sizes[] = {256, 1500, 6500, 9000}, some[] = {0, 8, 16, 31, 64, 256, 1500};
  static const unsigned char at[] = {0, 3, 5};
  for (int i = 0; i < Long; ++i)
    for (unsigned pair = 0; pair < 24; pair += Step)
      row(sizes[i], at[pair / 8], pair % 8, sizes[i] > 2000 ? 6 : 2, 0);
  for (int i = 0; i < 7; ++i)
    for (unsigned pair = 0; pair < 4; ++pair)
      row(some[i], at[pair / 2], pair % 2 ? 3 : 0, 0, 1);
#endif
  return 0;
}
