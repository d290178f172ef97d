/* spread_sums.c - sums and checksums by blocks, which several threads compute
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks are computed in any order, so each one's result is brought into a form in which only
 * addition or exclusive or is left:
 *
 *   sums, exclusive or   as they are
 *   Internet checksum    the ones' complement sum of each block from 0. Blocks have an even number
 *                        of bytes, so no sum has its bytes in the other order; the sum of all is
 *                        folded in the end, and 0 only if all are.
 *   ones' complement     the same for words of 32 bits, and of 64, whose halves are added apart, as
 *                        their sum would lose its carries
 *   CRC                  the register after the block, from 0, moved over the bytes that follow it:
 *                        multiplied by x^(8 * bytes) modulo the polynomial. Those are added, in
 *                        GF(2). The start value is moved over all bytes.
 *   Adler, Fletcher      a is the sum of the blocks' a; b is that of b + a * words that follow,
 *                        each modulo m, and of b + a * all words of the start value.
 */
#include "../include/memlift/spread.h"
#include "../kernels/generic/sums.h"

/* Bytes of which blocks are multiples: a line, and whole elements. */
#define LINE ((uint64_t)64)

/* Sixteenths of a cycle that a byte takes, at the rates of kernels with vectors. */
#define FAST 1u
#define SLOW 8u

struct region {
  const unsigned char *p;
  size_t n;
};

/* A call of a routine without a start value, on 64 bytes an iteration, the last one shorter. */
static uint64_t bytes_to(const struct region *r, uint64_t iteration) {
  return iteration * LINE < r->n ? iteration * LINE : r->n;
}

static uint64_t iterations_of(size_t n) { return n / LINE + (n % LINE != 0); }

#define MEMLIFT_SPREAD_SUM(name, type, how, op)                                                    \
  static void name##_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {    \
    const struct region *r = (const struct region *)environment;                                   \
    uint64_t from = bytes_to(r, first);                                                            \
    values[0] op memlift_##name(r->p + from, bytes_to(r, end) - from);                             \
  }                                                                                                \
  type memlift_spread_##name(const void *p, size_t n) {                                            \
    static const struct memlift_spread_plan plan = {FAST * LINE, 1, {how}, 0};                     \
    struct region r = {(const unsigned char *)p, n};                                               \
    uint64_t value = 0;                                                                            \
    memlift_spread(&plan, name##_block, &r, iterations_of(n), &value);                             \
    return (type)value;                                                                            \
  }

MEMLIFT_SPREAD_SUM(sum_u8, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_s8, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_u16, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_s16, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_u32, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_s32, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_u64, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_swap_u16, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_swap_s16, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_swap_u32, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_swap_s32, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_swap_u64, uint64_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(sum_low_u32, uint32_t, MEMLIFT_SPREAD_ADD, +=)
MEMLIFT_SPREAD_SUM(xor_u8, uint64_t, MEMLIFT_SPREAD_XOR, ^=)
MEMLIFT_SPREAD_SUM(xor_u16, uint64_t, MEMLIFT_SPREAD_XOR, ^=)
MEMLIFT_SPREAD_SUM(xor_u32, uint64_t, MEMLIFT_SPREAD_XOR, ^=)
MEMLIFT_SPREAD_SUM(xor_u64, uint64_t, MEMLIFT_SPREAD_XOR, ^=)

/* ---- Internet checksums -------------------- */

static void inet_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  const struct region *r = (const struct region *)environment;
  uint64_t from = bytes_to(r, first);
  values[0] += memlift_inet_sum(r->p + from, bytes_to(r, end) - from, 0);
}

uint32_t memlift_spread_inet_sum(const void *p, size_t n, uint32_t init) {
  static const struct memlift_spread_plan plan = {FAST * LINE, 1, {MEMLIFT_SPREAD_ADD}, 0};
  struct region r = {(const unsigned char *)p, n};
  uint64_t sum = 0;
  if (!n)
    return memlift_inet_sum(p, n, init);
  memlift_spread(&plan, inet_block, &r, iterations_of(n), &sum);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return memlift_inet_combine(init, 0, (uint32_t)sum);
}

/* ---- Ones' complement sums -------------------- */

static void ones32_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  const struct region *r = (const struct region *)environment;
  uint64_t from = bytes_to(r, first);
  values[0] += memlift_ones_sum_u32(r->p + from, bytes_to(r, end) - from, 0);
}

uint32_t memlift_spread_ones_sum_u32(const void *p, size_t n, uint32_t init) {
  static const struct memlift_spread_plan plan = {FAST * LINE, 1, {MEMLIFT_SPREAD_ADD}, 0};
  struct region r = {(const unsigned char *)p, n};
  uint64_t sum = init;
  memlift_spread(&plan, ones32_block, &r, iterations_of(n), &sum);
  while (sum >> 32)
    sum = (sum & HALF_LOW) + (sum >> 32);
  return (uint32_t)sum;
}

static void ones64_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  const struct region *r = (const struct region *)environment;
  uint64_t from = bytes_to(r, first);
  uint64_t sum = memlift_ones_sum_u64(r->p + from, bytes_to(r, end) - from, 0);
  values[0] += sum & HALF_LOW, values[1] += sum >> 32;
}

uint64_t memlift_spread_ones_sum_u64(const void *p, size_t n, uint64_t init) {
  static const struct memlift_spread_plan plan = {
      FAST * LINE, 2, {MEMLIFT_SPREAD_ADD, MEMLIFT_SPREAD_ADD}, 0};
  struct region r = {(const unsigned char *)p, n};
  uint64_t half[2] = {0, 0};
  memlift_spread(&plan, ones64_block, &r, iterations_of(n), half);
  uint64_t high = memlift_add_around(half[1] << 32, half[1] >> 32); /* times 2^32 */
  return memlift_add_around(memlift_add_around(half[0], high), init);
}

/* ---- CRCs -------------------- */

struct crc_region {
  struct region r;
  const struct memlift_crc_poly *poly;
};

static void crc_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  const struct crc_region *c = (const struct crc_region *)environment;
  uint64_t from = bytes_to(&c->r, first), to = bytes_to(&c->r, end);
  uint64_t state = memlift_crc(0, c->r.p + from, to - from, c->poly);
  values[0] ^= memlift_crc_combine(state, 0, c->r.n - to, c->poly);
}

uint64_t memlift_spread_crc(uint64_t state, const void *p, size_t n,
                            const struct memlift_crc_poly *poly) {
  static const struct memlift_spread_plan plan = {FAST * LINE, 1, {MEMLIFT_SPREAD_XOR}, 0};
  struct crc_region c = {{(const unsigned char *)p, n}, poly};
  uint64_t sum = 0;
  if (n < MEMLIFT_SPREAD_CYCLES || !__atomic_load_n(&memlift_spread_units, __ATOMIC_RELAXED))
    return memlift_crc(state, p, n, poly);
  memlift_spread(&plan, crc_block, &c, iterations_of(n), &sum);
  return memlift_crc_combine(state, sum, n, poly);
}

/* ---- Sums modulo m, and sums of them -------------------- */

struct modsum_region {
  struct region r;
  uint64_t m;
  uint32_t how;
};

/* A remainder, or with MEMLIFT_MODSUM_FOLD one from 1 to m, and 0 only for 0. */
static uint64_t reduce(uint64_t x, uint64_t m, uint32_t how) {
  if (how & MEMLIFT_MODSUM_FOLD)
    return x ? (x - 1) % m + 1 : 0;
  return x % m;
}

/* a * x reduced; both fit 32 bits once they are. */
static uint64_t times(uint64_t a, uint64_t x, uint64_t m, uint32_t how) {
  return reduce(reduce(a, m, how) * reduce(x, m, how), m, how);
}

/* Joins what a routine gives for a block: so many words follow it. */
static void join_modsum(const struct modsum_region *s, uint64_t both, uint64_t follow,
                        uint64_t *values) {
  uint64_t a = both & HALF_LOW;
  values[0] += a;
  values[1] += (both >> 32) + times(a, follow, s->m, s->how);
}

typedef uint64_t modsum_routine(const void *p, size_t n, uint64_t start, uint64_t m, uint32_t how);

/* Has the blocks computed, and adds what the start value makes of `words`. */
static uint64_t spread_modsum(memlift_spread_body block, modsum_routine *plain, size_t word,
                              const struct modsum_region *s, uint64_t start) {
  static const struct memlift_spread_plan plan = {SLOW * LINE, 2, {MEMLIFT_SPREAD_ADD}, 0};
  uint64_t sum[2] = {0, 0}, a = start & HALF_LOW, b = start >> 32, m = s->m;
  size_t n = s->r.n;
  uint32_t how = s->how;
  if (n < MEMLIFT_SPREAD_CYCLES || !__atomic_load_n(&memlift_spread_units, __ATOMIC_RELAXED))
    return plain(s->r.p, n, start, m, how);
  memlift_spread(&plan, block, (void *)s, iterations_of(n), sum);
  b = reduce(reduce(b, m, how) + times(a, n / word, m, how) + sum[1], m, how);
  a = reduce(a + sum[0], m, how);
  return how & MEMLIFT_MODSUM_FIRST ? a : b << 32 | a;
}

#define MEMLIFT_SPREAD_MODSUM(name, word)                                                          \
  static void name##_block(void *environment, uint64_t first, uint64_t end, uint64_t *values) {    \
    const struct modsum_region *s = (const struct modsum_region *)environment;                     \
    uint64_t from = bytes_to(&s->r, first), to = bytes_to(&s->r, end);                             \
    uint64_t both = memlift_##name(s->r.p + from, to - from, 0, s->m, s->how);                     \
    join_modsum(s, both, (s->r.n - to) / (word), values);                                          \
  }                                                                                                \
  uint64_t memlift_spread_##name(const void *p, size_t n, uint64_t start, uint64_t m,              \
                                 uint32_t how) {                                                   \
    const struct modsum_region s = {{(const unsigned char *)p, n}, m, how};                        \
    return spread_modsum(name##_block, memlift_##name, word, &s, start);                           \
  }

MEMLIFT_SPREAD_MODSUM(modsum_u8, 1)
MEMLIFT_SPREAD_MODSUM(modsum_u16, 2)
MEMLIFT_SPREAD_MODSUM(modsum_u32, 4)
MEMLIFT_SPREAD_MODSUM(modsum_swap_u16, 2)
MEMLIFT_SPREAD_MODSUM(modsum_swap_u32, 4)
