/* crc_lanes_block.h - the words of CRCs in lanes, and the constants that fold them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of crc_lanes_x86.c, which explains the method.
 */

/* A block of 32 words at least hides the latency of a fold. The most are those of 15 lanes. */
#define FEWEST_WORDS 32
#define MOST_WORDS 64

/* Vectors may write so many words more. */
#define PAST_WORDS 8

/* Rounds in a block are a power of two; their logarithm is at the most that for two lanes. */
#define MOST_DOUBLINGS 4

/* The words that stand for all before them, of as many rounds as fill a block, and the constants:
 * row i for a distance of 2^i rounds. */
struct lane_block {
  uint64_t word[MOST_WORDS + PAST_WORDS] __attribute__((aligned(64)));
  uint64_t by[MOST_DOUBLINGS + 1][2];
  uint64_t round; /* x^(64 * lanes - 1) modulo G */
  size_t words;
  unsigned doublings;
};

TARGET16 MEMLIFT_INLINE __m128i row(const struct lane_block *block, unsigned i) {
  return _mm_loadu_si128((const __m128i *)(const void *)block->by[i]);
}

/* x^(64 * words - 1) modulo G, for 2 to 16 words; times(x^(a - 1), x^(b - 1)) is x^(a + b - 1). */
TARGET16 MEMLIFT_INLINE uint64_t power(unsigned words, const struct memlift_crc_poly *t) {
  const uint64_t *rows = t->fold[BY_512]; /* and after it those of 384, 256 and 128 */
  const unsigned few = words < 10 ? words : words - 8;
  const uint64_t x = rows[2 * (4 - few / 2) + (few % 2 ? 0 : 1)];
  return words < 10 ? x : times(x, rows[1], t, 0);
}

/* Sets a row for D bits by x^(D - 1): to x^(D + 63) and x^(D + 31) modulo G. In one store, which a
 * load of both need not wait for. */
TARGET16 MEMLIFT_INLINE void set_row(uint64_t *by, uint64_t d, const struct memlift_crc_poly *t) {
  const __m128i high = word(reduce(word(d), t, 0)), low = word(reduce(word(d << 32), t, 0));
  _mm_storeu_si128((__m128i *)(void *)by, _mm_unpacklo_epi64(high, low));
}

/* Loads the first words, so many that whole blocks follow, and adds the registers to those of the
 * first round. Returns their number. */
MEMLIFT_INLINE size_t load_first(struct lane_block *block, const uint64_t *registers,
                                 const unsigned char *p, size_t rounds, unsigned lanes) {
  const size_t taken = lanes * (((rounds - 1) & (((size_t)1 << block->doublings) - 1)) + 1);
  uint64_t *to = block->word;
  for (size_t i = block->words - taken; i; i--)
    *to++ = 0;
  for (size_t i = 0; i < lanes; i++)
    to[i] = load8(p + 8 * i, 0) ^ registers[i];
  for (size_t i = lanes; i < taken; i++)
    to[i] = load8(p + 8 * i, 0);
  return taken;
}

/* Lays out a block, as large as the rounds need, and loads the first one. Returns the bytes taken.
 */
TARGET16 __attribute__((noinline)) static size_t
begin(struct lane_block *block, const uint64_t *registers, const unsigned char *p, size_t rounds,
      unsigned lanes, const struct memlift_crc_poly *t) {
  unsigned log = 0;
  while ((size_t)lanes << log < FEWEST_WORDS && (size_t)1 << log < rounds)
    log++;
  block->words = (size_t)lanes << log, block->doublings = log;
  const size_t taken = load_first(block, registers, p, rounds, lanes);
  uint64_t d = block->round = power(lanes, t);
  for (unsigned i = 0;; d = times(d, d, t, 0)) {
    set_row(block->by[i], d, t);
    if (i++ == log)
      return 8 * taken;
  }
}
