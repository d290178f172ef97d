/* pattern_impl.h - fills with a value of 3, 5 to 7 or 9 to 16 bytes, over vectors of V bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A vector that starts k bytes into the fill holds the value from its byte k % period on. That is
 * one shuffle of the value by numbers that a table has: row[j] is j % period, so the sixteen, 32 or
 * 64 numbers from row + k on. SSE2 has no such shuffle and loads from 32 bytes of repeated value.
 *
 * Up to four vectors there is no loop, half of them start at the front and half end at the end.
 * Up to some more, one vector is stored in steps of the whole periods that it holds. Longer fills
 * go by aligned vectors between one at the front and one at the end. Each of four vectors an
 * iteration keeps where it is in the value, so nothing is divided. From LONG on, where to look up
 * and to shuffle costs more than the stores, all vectors that there are stay in registers: it takes
 * `period` of them, or that without its factors of two, until value and vectors are in step again.
 */

#if defined(SHUFFLE8)
#define AT(offset) SHUFFLE8(value, LOADU(row + (offset)))
#else
#define AT(offset) LOADU(unit + (offset))
#endif

/* Where a vector is in the value: with a shuffle, the numbers themselves, which go on by four
 * vectors as bytes: of t and t - period the smaller one is less than period, whichever had wrapped.
 * Stores that follow one another wait for no loads of the table then. */
#if defined(SHUFFLE8)
#define PLACE VECTOR
#define PLACE_AT(at) LOADU(row + (at))
#define PUT(p, place) STOREA(p, SHUFFLE8(value, place))
#define ADVANCE(place) (place = ADD8(place, fours), place = MIN8(place, SUB8(place, periods)))
#else
#define PLACE unsigned
#define PLACE_AT(at) (at)
#define PUT(p, place) STOREA(p, AT(place))
#define ADVANCE(place) (place = row[place + four])
#endif

#if defined(SHUFFLE8)
/* n <= 2 V */
TARGET MEMLIFT_INLINE void NAME(pattern_small)(unsigned char *d, __m128i both,
                                               const unsigned char *row, size_t n) {
  if (n <= 32) {
    pattern_up_to_32(d, both, row, n);
  } else if (n <= 64) {
    __m256i z = pattern_at_32(both, row + n - 32);
    _mm256_storeu_si256((__m256i *)(void *)d, pattern_at_32(both, row));
    _mm256_storeu_si256((__m256i *)(void *)(d + n - 32), z);
  } else {
    VECTOR value = SPLAT128(both);
    STOREU(d, AT(0)), STOREU(d + n - V, AT(row[n - V]));
  }
}
#define FROM value
#define FROM_TYPE VECTOR
#else
#define FROM unit
#define FROM_TYPE const unsigned char *
#endif

/* Vectors at aligned addresses from d, which is `at` bytes into the value, as long as whole cycles
 * of them end before `end`. Returns where the next one starts; that is `at` bytes into the value
 * again. */
#define LOAD_NEXT(i)                                                                               \
  VECTOR v##i = AT(at);                                                                            \
  at = row[at + one];
#define STORE_NEXT(i) STOREA(d + i * V, v##i);
#define CYCLE(count)                                                                               \
  case count: {                                                                                    \
    PATTERN_##count(LOAD_NEXT) for (; end - d >= count * V; d += count * V) {                      \
      PATTERN_##count(STORE_NEXT)                                                                  \
    }                                                                                              \
    return d;                                                                                      \
  }
TARGET static __attribute__((noinline)) unsigned char *
NAME(pattern_cycles)(unsigned char *d, const unsigned char *end, FROM_TYPE FROM,
                     const unsigned char *row, unsigned at, unsigned period) {
  const unsigned one = row[V];
  switch (period & 1 ? period : period & 2 ? period / 2 : 3) { /* 16 is in step at once */
    CYCLE(3)
    CYCLE(5)
    CYCLE(7)
    CYCLE(9)
    CYCLE(11)
    CYCLE(13)
    CYCLE(15)
  default: return d;
  }
}

/* One vector again and again, as many whole periods further on as it holds. */
TARGET MEMLIFT_INLINE void NAME(pattern_steps)(unsigned char *d, FROM_TYPE FROM,
                                               const unsigned char *row, unsigned period,
                                               size_t n) {
  VECTOR first = AT(0), last = AT(pattern_phase(n - V, period));
  unsigned char *end = d + n - V;
  const size_t step = V - row[V];
  for (; d < end; d += step)
    STOREU(d, first);
  STOREU(end, last);
}

/* n > 4 V */
TARGET MEMLIFT_INLINE void NAME(pattern_large)(unsigned char *d, FROM_TYPE FROM,
                                               const unsigned char *row, unsigned period,
                                               size_t n) {
  const unsigned skip = V - ((uintptr_t)d & (V - 1)), one = row[V], four = row[4 * one];
  /* Distance to the last aligned vector, after which only the one at the end is left. */
  const size_t whole = (n - V - skip) & ~(size_t)(V - 1);
  const unsigned at = row[skip], x = pattern_phase(skip + whole - 2 * V, period);
  PLACE a = PLACE_AT(at), b = PLACE_AT(row[at + one]), c = PLACE_AT(row[at + 2 * one]);
  PLACE e = PLACE_AT(row[at + 3 * one]);
  VECTOR first = AT(0), last = AT(pattern_phase(n - V, period));
  VECTOR t = AT(x), v = AT(row[x + one]), w = AT(row[x + 2 * one]);
#if defined(SHUFFLE8)
  const VECTOR fours = SPLAT8(four), periods = SPLAT8(period);
#endif
  STOREU(d, first), STOREU(d + n - V, last);
  d += skip;
  unsigned char *u = d + whole;
  STOREA(u - 2 * V, t), STOREA(u - V, v), STOREA(u, w);
  if (n >= LONG)
    d = NAME(pattern_cycles)(d, u, FROM, row, at, period);
  for (; d < u - 2 * V; d += 4 * V) {
    PUT(d, a), PUT(d + V, b), PUT(d + 2 * V, c), PUT(d + 3 * V, e);
    ADVANCE(a), ADVANCE(b), ADVANCE(c), ADVANCE(e);
  }
}

/* As far as vectors are the best; the rest is repeated. */
TARGET __attribute__((noinline)) static void NAME(pattern_huge)(unsigned char *d, FROM_TYPE FROM,
                                                                const unsigned char *row,
                                                                unsigned period, size_t n) {
  const size_t beginning = repeat_beginning(d, period);
  NAME(pattern_large)(d, FROM, row, period, beginning);
  repeat(d, beginning, n);
}

TARGET MEMLIFT_KERNEL void NAME(memlift_pattern16)(void *dst, uint64_t low, uint64_t high,
                                                   unsigned period, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *row = pattern_row(period);
#if defined(SHUFFLE8)
  __m128i both = _mm_set_epi64x((long long)high, (long long)low);
  if (MEMLIFT_LIKELY(n <= 2 * V)) {
    NAME(pattern_small)(d, both, row, n);
    return;
  }
  VECTOR value = SPLAT128(both);
#else
  unsigned char unit[2 * V];
  if (n <= 4 * V) {
    pattern_by_16(d, low, high, period, n);
    return;
  }
  pattern_by_16(unit, low, high, period, sizeof unit);
#endif
  if (n <= 4 * V) {
    unsigned x = pattern_phase(n - 2 * V, period), one = row[V];
    STOREU(d, AT(0)), STOREU(d + V, AT(one));
    STOREU(d + n - 2 * V, AT(x)), STOREU(d + n - V, AT(row[x + one]));
  } else if (n <= __atomic_load_n(&memlift_pattern_steps, __ATOMIC_RELAXED) * V) {
    NAME(pattern_steps)(d, FROM, row, period, n);
  } else if (fills_by_repeating(n)) {
    NAME(pattern_huge)(d, FROM, row, period, n);
  } else {
    NAME(pattern_large)(d, FROM, row, period, n);
  }
}

TARGET MEMLIFT_KERNEL void NAME(memlift_pattern)(void *dst, uint64_t pattern, unsigned period,
                                                 size_t n) {
  NAME(memlift_pattern16)(dst, pattern, 0, period, n);
}

#undef AT
#undef FROM
#undef FROM_TYPE
#undef LOAD_NEXT
#undef STORE_NEXT
#undef CYCLE
#undef PLACE
#undef PLACE_AT
#undef PUT
#undef ADVANCE
