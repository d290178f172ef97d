// table.c - prints the cycles of each kernel: "KERNEL BYTES DESTINATION SOURCE CYCLES" a line
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESTINATION and SOURCE are offsets from a multiple of 64. Seven calls warm the caches and the
// branch predictor, the eighth is timed: after two, lines of 9000 bytes are still missing in a
// cache that replaces them at random, as Rocket's does. The regions are 2 KiB apart modulo 4 KiB,
// as a core that compares the low bits of addresses only (CVA6) takes equal ones for a conflict.
#include "io.h"
#include "kernels.h"

enum { Most = 9000 + 64, Room = 10240 };
static unsigned char regions[2 * Room] __attribute__((aligned(4096)));
static unsigned char *const from = regions, *const to = regions + Room;
_Static_assert(Room % 4096 == 2048 && Room >= Most, "regions 2 KiB apart modulo 4 KiB");

static void row(const char *name, void *f, size_t n, unsigned d, unsigned s, uintptr_t a,
                uintptr_t b, uintptr_t c) {
  uint64_t cycles = 0;
  for (int i = 0; i < 8; ++i)
    cycles = timed((function *)f, a, b, c, NULL);
  put(name);
  uint64_t numbers[] = {n, d, s, cycles};
  for (int i = 0; i < 4; ++i)
    put(" "), put_number(numbers[i]);
  put("\n");
}

static void copies(const char *name, void *f, size_t n, unsigned d, unsigned s) {
  row(name, f, n, d, s, (uintptr_t)(to + d), (uintptr_t)(from + s), n);
}

static void words(const char *name, void *f, size_t n) {
  row(name, f, n, 0, 0, (uintptr_t)to, (uintptr_t)from, n / 4);
}

static void fills(size_t n, unsigned d) {
  row("fill", (void *)k_fill, n, d, 0, (uintptr_t)(to + d), 0x5a, n);
}

static void sums(size_t n, unsigned s) {
  row("inet", (void *)k_inet, n, 0, s, (uintptr_t)(from + s), n, 0);
  row("inet_deferred", (void *)k_inet_deferred, n, 0, s, (uintptr_t)(from + s), n, 0);
}

static void maps(size_t n) {
  static const unsigned char pairs[][2] = {{0, 0}, {3, 3}, {0, 3}};
  for (int j = 0; j < 3 && k_xor; ++j)
    copies("xor", (void *)k_xor, n, pairs[j][0], pairs[j][1]);
  if (!k_turn || !k_scaled || !k_scaled_restrict)
    return;
  words("turn", (void *)k_turn, n);
  words("scaled", (void *)k_scaled, n);
  words("scaled_restrict", (void *)k_scaled_restrict, n);
}

static uint64_t nothing(uintptr_t a, uintptr_t b, uintptr_t c) {
  (void)b, (void)c;
  return a;
}

int main(void) {
  static const size_t sizes[] = {64, 256, 1500, 9000};
  for (size_t i = 0; i < Room; ++i)
    from[i] = (unsigned char)(i * 7 + (i >> 8));
  row("call", (void *)nothing, 0, 0, 0, 0, 0, 0);
  for (int i = 0; i < 4; ++i) {
    size_t n = sizes[i];
    static const unsigned char pairs[][2] = {{0, 0}, {3, 3}, {0, 3}, {5, 2}};
    for (int j = 0; j < 4; ++j) {
      copies("copy", (void *)k_copy, n, pairs[j][0], pairs[j][1]);
      copies("copy_restrict", (void *)k_copy_restrict, n, pairs[j][0], pairs[j][1]);
      copies("copy_down", (void *)k_copy_down, n, pairs[j][0], pairs[j][1]);
    }
    fills(n, 0);
    fills(n, 3);
    for (unsigned at = 0; at < 3; ++at)
      sums(n, at);
    maps(n);
  }
  copies("copy", (void *)k_copy, 1472, 0, 3);
  copies("copy_restrict", (void *)k_copy_restrict, 1472, 0, 3);
  copies("copy_down", (void *)k_copy_down, 1472, 0, 3);
  fills(4096, 0);
  return 0;
}
