/* spread-streams.c - a loop that threads compute, each by way of its local store
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The caller has a store, too, as units may come too late to compute any block. Exit code 1 if a
 * result is wrong.
 */
#include <memlift/local_store.h>
#include <memlift/spread.h>
#include <stdio.h>

enum { N = 1 << 20 };
static uint32_t from[N], to[N];

#if !defined(ON)
#define ON
#endif

ON uint64_t fade(uint32_t *restrict d, const uint32_t *restrict a, size_t n) {
  uint64_t large = 0;
  for (size_t i = 0; i < n; i++) {
    d[i] = a[i] * 3 + 2;
    large += d[i] > 100;
  }
  return large;
}

/* The function that the loop becomes still knows that restrict keeps the table apart. */
ON void look_up(uint32_t *restrict d, const uint8_t *restrict a, const uint32_t *restrict table,
                size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = table[a[i]] * 3;
}

/* GCC has two counters here: one takes the value that the other one has left. */
ON uint64_t downwards(const uint64_t *a, size_t n) {
  uint64_t x = 7;
  for (size_t i = n / 2; i-- > 0;)
    x ^= (a[i + 5] + 5) & 7;
  return x;
}

int main(void) {
  static _Alignas(64) unsigned char memory[1 << 18];
  static struct memlift_local_store store;
  struct memlift_context_options options = {.units = 2};
  memlift_context *context;
  uint64_t large = 0;
  for (size_t i = 0; i < N; i++)
    from[i] = (uint32_t)(i * 2654435761u) >> 24;
  if (memlift_store_bind(&store, memory, sizeof memory, 0) != MEMLIFT_OK ||
      memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK ||
      memlift_spread_bind(context) != MEMLIFT_OK)
    return 2;
  for (int round = 0; round < 4; round++)
    large += fade(to, from, N);
  for (size_t i = 0; i < N; i++) {
    uint32_t right = from[i] * 3 + 2;
    large -= 4 * (uint64_t)(right > 100);
    if (to[i] != right)
      return 1;
  }
  memlift_spread_bind(NULL);
  memlift_context_destroy(context);
  memlift_store_unbind();
  puts(large ? "another sum" : "right");
  return large != 0;
}
