/* sum_impl.h - sums over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Four vectors an iteration: the words of each are added in lanes of at least twice their width,
 * the four results added, widened to lanes of 64 bits and added to the total. No lane can overflow:
 *
 *     bytes    psadbw: eight bytes to a 64-bit lane
 *     16 bits  even and odd words to 32-bit lanes, 4 * 2 * 65535 < 2^32, then to 64-bit lanes
 *     32 bits  pairs as they lie, even + 2^32 odd, to one total, modulo 2^64; odd words to another
 *
 * The sum of 32-bit words is the first total less 2^32 - 1 times the second one: an addition, a
 * shift and an addition for a vector, where masking the even words takes one operation more. Modulo
 * 2^32 they are added in their own lanes.
 * Signed words have their top bit inverted, which adds 2^(width - 1) to each; taken off at the
 * end. What is left after the last whole vector is a masked load where there are any, else the last
 * vector once more, without what was added before.
 */

/* op is a constant wherever this is inlined. */
TARGET MEMLIFT_INLINE VECTOR NAME(sum_arrange)(VECTOR v, enum memlift_sum_op op) {
  switch (op) {
  case MEMLIFT_SUM_S8: return XOR(v, SPLAT64(TOP8));
  case MEMLIFT_SUM_S16: return XOR(v, SPLAT64(TOP16));
  case MEMLIFT_SUM_S32: return XOR(v, SPLAT64(TOP32));
  case MEMLIFT_SUM_SWAP16: return OR(SLL16(v, 8), SRL16(v, 8));
  case MEMLIFT_SUM_SWAP32: v = OR(SLL16(v, 8), SRL16(v, 8)); return OR(SLL32(v, 16), SRL32(v, 16));
  default: return v;
  }
}

/* Bytes of a word of the operation. */
MEMLIFT_INLINE unsigned NAME(sum_bytes)(enum memlift_sum_op op) {
  switch (op) {
  case MEMLIFT_SUM_U8:
  case MEMLIFT_SUM_S8: return 1;
  case MEMLIFT_SUM_U16:
  case MEMLIFT_SUM_S16:
  case MEMLIFT_SUM_SWAP16: return 2;
  case MEMLIFT_SUM_U64: return 8;
  default: return 4;
  }
}

/* The words of one vector, in wider lanes. */
TARGET MEMLIFT_INLINE VECTOR NAME(sum_words)(VECTOR v, enum memlift_sum_op op) {
  const unsigned bytes = NAME(sum_bytes)(op);
  v = NAME(sum_arrange)(v, op);
  if (bytes == 2)
    ONCE(v);
  switch (bytes) {
  case 1: return SAD8(v);
  case 2: return ADD32(AND(v, SPLAT64(LOW16)), SRL32(v, 16));
  default: return v; /* of 32-bit words a pair */
  }
}

/* From those lanes to 64-bit ones. */
TARGET MEMLIFT_INLINE VECTOR NAME(sum_widen)(VECTOR v, enum memlift_sum_op op) {
  return NAME(sum_bytes)(op) == 2 ? ADD64(AND(v, SPLAT64(LOW32)), SRL64(v, 32)) : v;
}

/* Sums so far; `odd` is for 32-bit words only. */
struct NAME(sums) {
  VECTOR total, odd;
};

/* Whether pairs of words need a second total. */
MEMLIFT_INLINE int NAME(sum_in_pairs)(enum memlift_sum_op op) {
  return NAME(sum_bytes)(op) == 4 && op != MEMLIFT_SUM_LOW32;
}

TARGET MEMLIFT_INLINE VECTOR NAME(sum_plus)(VECTOR a, VECTOR b, enum memlift_sum_op op) {
  return op == MEMLIFT_SUM_LOW32 ? ADD32(a, b) : ADD64(a, b);
}

/* Adds lanes of sum_words() that are not yet widened. */
TARGET MEMLIFT_INLINE void NAME(sum_add)(struct NAME(sums) * s, VECTOR lanes,
                                         enum memlift_sum_op op) {
  s->total = NAME(sum_plus)(s->total, NAME(sum_widen)(lanes, op), op);
}

/* Adds one vector. */
TARGET MEMLIFT_INLINE void NAME(sum_one)(struct NAME(sums) * s, VECTOR v, enum memlift_sum_op op) {
  v = NAME(sum_words)(v, op);
  if (NAME(sum_in_pairs)(op)) {
    ONCE(v);
    s->odd = ADD64(s->odd, SRL64(v, 32));
  }
  NAME(sum_add)(s, v, op);
}

/* Adds two vectors; words of other than 32 bits first to each other. */
TARGET MEMLIFT_INLINE void NAME(sum_two)(struct NAME(sums) * s, VECTOR a, VECTOR b,
                                         enum memlift_sum_op op) {
  if (NAME(sum_in_pairs)(op)) {
    NAME(sum_one)(s, a, op), NAME(sum_one)(s, b, op);
    return;
  }
  a = NAME(sum_words)(a, op), b = NAME(sum_words)(b, op);
  NAME(sum_add)(s, NAME(sum_plus)(a, b, op), op);
}

/* Adds four vectors, likewise. */
TARGET MEMLIFT_INLINE void NAME(sum_four)(struct NAME(sums) * s, VECTOR a, VECTOR b, VECTOR c,
                                          VECTOR d, enum memlift_sum_op op) {
  if (NAME(sum_in_pairs)(op)) {
    NAME(sum_two)(s, a, b, op), NAME(sum_two)(s, c, d, op);
    return;
  }
  a = NAME(sum_words)(a, op), b = NAME(sum_words)(b, op);
  c = NAME(sum_words)(c, op), d = NAME(sum_words)(d, op);
  NAME(sum_add)(s, NAME(sum_plus)(NAME(sum_plus)(a, b, op), NAME(sum_plus)(c, d, op), op), op);
}

TARGET MEMLIFT_INLINE uint64_t NAME(sum_all)(const struct NAME(sums) * s, enum memlift_sum_op op) {
  if (op == MEMLIFT_SUM_LOW32)
    return SUM64(ADD32(s->total, SRL64(s->total, 32)));
  if (!NAME(sum_in_pairs)(op))
    return SUM64(s->total);
  return SUM64(ADD64(SUB64(s->total, SLL64(s->odd, 32)), s->odd));
}

/* The sum, of which `bytes` of signed words are biased. */
TARGET MEMLIFT_INLINE uint64_t NAME(sum_unbiased)(const struct NAME(sums) * s, size_t bytes,
                                                  enum memlift_sum_op op) {
  const size_t size = NAME(sum_bytes)(op);
  const uint64_t sum = NAME(sum_all)(s, op);
  if (op == MEMLIFT_SUM_S8 || op == MEMLIFT_SUM_S16 || op == MEMLIFT_SUM_S32)
    return sum - ((uint64_t)(bytes / size) << (8 * size - 1));
  return sum;
}

#if defined(LOADN)
/* Adds 1 to 4 V bytes, followed by zero words, and returns how many that are. Two vectors or four,
 * so that one thing is to guess and not the turns of a loop. */
TARGET MEMLIFT_INLINE size_t NAME(sum_few)(struct NAME(sums) * s, const unsigned char *p, size_t n,
                                           enum memlift_sum_op op) {
  if (n <= 2 * V) {
    NAME(sum_two)(s, LOADN(p, n), LOADN(p + V, n > V ? n - V : 0), op);
    return 2 * V;
  }
  VECTOR c = LOADN(p + 2 * V, n - 2 * V), d = LOADN(p + 3 * V, n > 3 * V ? n - 3 * V : 0);
  NAME(sum_four)(s, LOADU(p), LOADU(p + V), c, d, op);
  return 4 * V;
}
#endif

TARGET MEMLIFT_INLINE uint64_t NAME(sum)(const void *from, size_t n, enum memlift_sum_op op) {
  const unsigned char *p = (const unsigned char *)from;
  struct NAME(sums) s = {SPLAT64(0), SPLAT64(0)};
#if defined(LOADN)
  n &= ~(size_t)(NAME(sum_bytes)(op) - 1);
  if (MEMLIFT_LIKELY(n <= V)) { /* nothing to guess, of no words either */
    NAME(sum_one)(&s, LOADN(p, n), op);
    return NAME(sum_unbiased)(&s, V, op);
  }
  const unsigned char *start = p;
  for (; n > 4 * V; p += 4 * V, n -= 4 * V)
    NAME(sum_four)(&s, LOADU(p), LOADU(p + V), LOADU(p + 2 * V), LOADU(p + 3 * V), op);
  /* The zero words past the end are biased as signed words are. No call here, not even one that
   * never happens: the routine would have a stack frame. */
  const size_t few = NAME(sum_few)(&s, p, n, op);
  return NAME(sum_unbiased)(&s, (size_t)(p - start) + few, op);
#else
  n &= ~(size_t)(NAME(sum_bytes)(op) - 1);
#if defined(FEW_TWO)
  if (n < 2 * V) {
    VECTOR second, first = FEW_TWO(p, n, &second);
    NAME(sum_two)(&s, first, second, op);
    return NAME(sum_unbiased)(&s, 2 * V, op);
  }
  size_t left = n;
  for (; left >= 4 * V; p += 4 * V, left -= 4 * V)
    NAME(sum_four)(&s, LOADU(p), LOADU(p + V), LOADU(p + 2 * V), LOADU(p + 3 * V), op);
  if (left >= 2 * V)
    NAME(sum_two)(&s, LOADU(p), LOADU(p + V), op);
  const size_t rest = n % (2 * V);
  VECTOR second, first = FEW_LAST_TWO(p + left, rest, &second);
  NAME(sum_two)(&s, first, second, op);
  return NAME(sum_unbiased)(&s, n - rest + 2 * V, op);
#else
  if (n < V) {
    NAME(sum_one)(&s, FEW(p, n), op);
    return NAME(sum_unbiased)(&s, V, op);
  }
  const size_t whole = n & ~(size_t)(V - 1);
  const unsigned char *end = p + whole;
  for (; (size_t)(end - p) >= 4 * V; p += 4 * V)
    NAME(sum_four)(&s, LOADU(p), LOADU(p + V), LOADU(p + 2 * V), LOADU(p + 3 * V), op);
  for (; p < end; p += V)
    NAME(sum_one)(&s, LOADU(p), op);
  /* Zero words are biased as signed words are. */
  NAME(sum_one)(&s, FEW_LAST(p + (n - whole), n - whole), op);
  return NAME(sum_unbiased)(&s, whole + V, op);
#endif
#endif
}

#define SUM(OP, name)                                                                              \
  TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_##name)(const void *p, size_t n) {                   \
    return NAME(sum)(p, n, MEMLIFT_##OP);                                                          \
  }
SUMS(SUM)
#undef SUM
