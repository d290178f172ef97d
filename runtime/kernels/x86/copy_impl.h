/* copy_impl.h - copy and move over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Up to 8 V bytes there is no loop: vectors from the front and vectors from the back that meet
 * or overlap in the middle, all loaded before any is stored, so that overlap does not matter.
 *
 * Above that the first vector and the last ones are loaded first and stored last; between them a
 * loop of some vectors an iteration writes to aligned addresses:
 *
 *     destination  |head....|                    |last....|....|
 *                      |loop: aligned ............|
 *
 * The loop may run into the last ones; both write the same bytes. So only the loop's own count has
 * to be predicted. With FOUR_AN_ITERATION it takes four vectors, and last are three aligned ones
 * and the one at the end. With vectors of 64 bytes on a Sapphire Rapids that is 2.7 to 8.5 ns for
 * 576 to 2,048 aligned bytes, where two an iteration take 3.3 to 8.7 (glibc 3.8 to 9.0), and last
 * ones that lie across lines 2 to 4 % longer; with 32 bytes on a Zen 5, 12.1 instead of 14.2 ns
 * for 288 to 2,048 bytes at random (glibc's by AVX2 11.9), as fewer counts are to be predicted.
 * With AVX2 there are registers for up to 15 V bytes without a loop: 257 to 512 bytes at random
 * took 11.7 ticks for 16 vectors, with the loop 19.4 (glibc's by AVX2 19.5). A Sapphire Rapids
 * takes longer for stores across lines, so all but two of these vectors are aligned: 15.7 ticks,
 * was 19.0 (glibc's 21.5). With AVX-512 that is a vector more, which took as long. A Zen 4 takes
 * two an iteration, and last are an aligned one and the one at the end, so at most one is stored
 * twice.
 *
 * Head and last ones are stored after the loop, so that no store comes before a load that it could
 * spoil: that is what makes a move right.
 */

/* Returns the vector that begins `back` bytes before the end of s. The compiler is kept from making
 * one pointer of s + n for several of them: on a Zen 5, copies of 1,500 bytes whose last vectors
 * are loaded by a base and an index take 10.9 ns, and 12.2 by a base alone (glibc's 11.5). */
TARGET MEMLIFT_INLINE VECTOR NAME(load_back)(const unsigned char *s, size_t n, size_t back) {
  __asm__("" : "+r"(n));
  return LOADU(s + n - back);
}

/* Returns how far behind d the first aligned vector begins that is not the first one, 1 to V. */
MEMLIFT_INLINE size_t NAME(aligned_begin)(const unsigned char *d) {
  return V - ((uintptr_t)d & (V - 1));
}

/* Returns how far behind d the last aligned vector ends that does not hold byte n - 1. */
MEMLIFT_INLINE size_t NAME(aligned_end)(const unsigned char *d, size_t n) {
  return n - 1 - (((uintptr_t)d + n - 1) & (V - 1));
}

#if defined(FEW_MOST)
/* More than 8 V bytes and at most FEW_MOST, any overlap: one vector at each end and aligned ones
 * between. */
TARGET MEMLIFT_INLINE void NAME(few)(unsigned char *d, const unsigned char *s, size_t n) {
  const size_t begin = NAME(aligned_begin)(d), end = NAME(aligned_end)(d, n);
  VECTOR first[7], last[7], head = LOADU(s), tail = LOADU(s + n - V);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 7; i++)
    first[i] = LOADU(s + begin + i * V);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 7; i++)
    last[i] = NAME(load_back)(s, end, (7 - i) * V);
  STOREU(d, head);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 7; i++)
    STOREA(d + begin + i * V, first[i]);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 7; i++)
    STOREA(d + end - (7 - i) * V, last[i]);
  STOREU(d + n - V, tail);
}
#endif

/* More than 4 V and at most 8 V bytes. */
TARGET MEMLIFT_INLINE void NAME(eight)(unsigned char *d, const unsigned char *s, size_t n) {
  unsigned char *u = d + n - 4 * V;
  VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
  VECTOR w = NAME(load_back)(s, n, 4 * V), x = NAME(load_back)(s, n, 3 * V);
  VECTOR y = NAME(load_back)(s, n, 2 * V), z = NAME(load_back)(s, n, V);
  STOREU(d, a), STOREU(d + V, b), STOREU(d + 2 * V, c), STOREU(d + 3 * V, e);
  STOREU(u, w), STOREU(u + V, x), STOREU(u + 2 * V, y), STOREU(u + 3 * V, z);
}

/* More than 2 V and at most 4 V bytes. */
TARGET MEMLIFT_INLINE void NAME(four)(unsigned char *d, const unsigned char *s, size_t n) {
  VECTOR a = LOADU(s), b = LOADU(s + V), y = LOADU(s + n - 2 * V), z = LOADU(s + n - V);
  STOREU(d, a), STOREU(d + V, b), STOREU(d + n - 2 * V, y), STOREU(d + n - V, z);
}

/* Sizes up to 8 V. The public routines have done the shortest ones themselves: up to 4 V where
 * there are masks, else up to 64 bytes. So the tests for these are the last ones. */
TARGET MEMLIFT_INLINE void NAME(small)(unsigned char *d, const unsigned char *s, size_t n) {
#if defined(LOADN)
  if (MEMLIFT_LIKELY(n > 4 * V)) {
    NAME(eight)(d, s, n);
    return;
  }
  /* No branch on the size, so nothing to predict. Reading the copy back at once takes some cycles
   * longer than after plain stores, a misprediction takes more. */
  if (n <= V) {
    STOREN(d, n, LOADN(s, n));
    return;
  }
#else
  if (MEMLIFT_LIKELY(n > 64)) {
    if (MEMLIFT_LIKELY(n <= 4 * V))
      NAME(four)(d, s, n);
    else
      NAME(eight)(d, s, n);
    return;
  }
  if (n <= 32) {
    move_up_to_32(d, s, n);
    return;
  }
#endif
  if (MEMLIFT_LIKELY(n <= 2 * V)) {
    VECTOR a = LOADU(s), b = LOADU(s + n - V);
    STOREU(d, a), STOREU(d + n - V, b);
  } else {
    NAME(four)(d, s, n);
  }
}

/* n > 8 V; dst below src, or disjoint. */
TARGET MEMLIFT_INLINE void NAME(up)(unsigned char *d, const unsigned char *s, size_t n) {
#if defined(FOUR_AN_ITERATION)
  const size_t end = NAME(aligned_end)(d, n);
  unsigned char *first = d, *last = d + n - V, *u = d + end - 3 * V;
  VECTOR head = LOADU(s), tail = NAME(load_back)(s, n, V);
  VECTOR x = NAME(load_back)(s, end, 3 * V), y = NAME(load_back)(s, end, 2 * V);
  VECTOR z = NAME(load_back)(s, end, V);
  d = (unsigned char *)(((uintptr_t)d | (V - 1)) + 1), s += d - first;
  do {
    VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
    STOREA(d, a), STOREA(d + V, b), STOREA(d + 2 * V, c), STOREA(d + 3 * V, e);
    d += 4 * V, s += 4 * V;
  } while (d < u);
  STOREA(u, x), STOREA(u + V, y), STOREA(u + 2 * V, z), STOREU(last, tail), STOREU(first, head);
#else
  const size_t skip = V - ((uintptr_t)d & (V - 1));
  unsigned char *first = d, *last = d + n - V;
  /* Distance to the last aligned vector, after which only the one at the end is left. */
  const size_t whole = (n - V - skip) & ~(size_t)(V - 1);
  VECTOR head = LOADU(s), tail = LOADU(s + n - V);
  d += skip, s += skip;
  VECTOR z = LOADU(s + whole);
  unsigned char *u = d + whole;
  do {
    VECTOR a = LOADU(s), b = LOADU(s + V);
    STOREA(d, a), STOREA(d + V, b);
    d += 2 * V, s += 2 * V;
  } while (d < u);
  STOREA(u, z), STOREU(last, tail), STOREU(first, head);
#endif
}

/* n > 8 V; dst above src. The mirror image. */
TARGET MEMLIFT_INLINE void NAME(down)(unsigned char *d, const unsigned char *s, size_t n) {
  VECTOR head = LOADU(s), tail = LOADU(s + n - V);
  unsigned char *last = d + n - V;
  size_t left = n - ((uintptr_t)(d + n) & (V - 1));
#if defined(FOUR_AN_ITERATION)
  const size_t begin = NAME(aligned_begin)(d);
  unsigned char *u = d + begin;
  VECTOR a = LOADU(s + begin), b = LOADU(s + begin + V), c = LOADU(s + begin + 2 * V);
  do {
    const unsigned char *from = s + left - 4 * V;
    unsigned char *to = d + left - 4 * V;
    VECTOR w = LOADU(from), x = LOADU(from + V), y = LOADU(from + 2 * V), z = LOADU(from + 3 * V);
    STOREA(to + 3 * V, z), STOREA(to + 2 * V, y), STOREA(to + V, x), STOREA(to, w);
    left -= 4 * V;
  } while (left > begin + 3 * V);
  STOREA(u + 2 * V, c), STOREA(u + V, b), STOREA(u, a), STOREU(d, head), STOREU(last, tail);
#else
  VECTOR b = LOADU(s + V);
  for (; left > 2 * V; left -= 2 * V) {
    const unsigned char *from = s + left - 2 * V;
    unsigned char *to = d + left - 2 * V;
    VECTOR y = LOADU(from), z = LOADU(from + V);
    STOREA(to + V, z), STOREA(to, y);
  }
  STOREU(d, head), STOREU(d + V, b), STOREU(last, tail);
#endif
}

#if V == 64
/* n > 8 V; disjoint. As `up`, but for the order of the loop's turns: `downwards` is 0 or 1, and no
 * branch, as it is hard to predict where places vary: on a Zen 5, copies of 600 and 1,500 bytes to
 * and from any place take 16.7 and 30.1 ticks, by a branch 18.0 and 32.1 (glibc's 16.8, 30.7), and
 * of 2,000 to 6,000 bytes 71 and 78. With vectors of 32 bytes it takes longer, and so it does on a
 * Sapphire Rapids, which copies upwards always: 1,500 bytes 33.4 ticks, by `up` 30.7. */
TARGET MEMLIFT_INLINE void NAME(apart)(unsigned char *d, const unsigned char *s, size_t n,
                                       int downwards) {
  const size_t end = NAME(aligned_end)(d, n);
  unsigned char *first = d, *last = d + n - V, *u = d + end - 3 * V;
  VECTOR head = LOADU(s), tail = NAME(load_back)(s, n, V);
  VECTOR x = NAME(load_back)(s, end, 3 * V), y = NAME(load_back)(s, end, 2 * V);
  VECTOR z = NAME(load_back)(s, end, V);
  d = (unsigned char *)(((uintptr_t)d | (V - 1)) + 1), s += d - first;
  size_t left = ((size_t)(u - d) + 3 * V) / (4 * V);
  const size_t down = (size_t)0 - (size_t)downwards;
  size_t at = (left - 1) * 4 * V & down;
  const size_t step = (4 * V ^ down) - down;
  do {
    VECTOR a = LOADU(s + at), b = LOADU(s + at + V);
    VECTOR c = LOADU(s + at + 2 * V), e = LOADU(s + at + 3 * V);
    STOREA(d + at, a), STOREA(d + at + V, b);
    STOREA(d + at + 2 * V, c), STOREA(d + at + 3 * V, e);
    at += step;
  } while (--left);
  STOREA(u, x), STOREA(u + V, y), STOREA(u + 2 * V, z), STOREU(last, tail), STOREU(first, head);
}
#endif

/* Disjoint and huge: bypasses the caches. The fence orders the streamed stores before whatever the
 * caller publishes next; ordinary stores need none on x86. Fetching past the end is harmless. */
TARGET MEMLIFT_INLINE void NAME(stream)(unsigned char *d, const unsigned char *s, size_t n) {
  const int ahead = n < MEMLIFT_STREAM_COPY_PLAIN_MIN;
  size_t skip = V - ((uintptr_t)d & (V - 1));
  unsigned char *u = d + n - 4 * V;
  STOREU(d, LOADU(s));
  const unsigned char *t = s + n - 4 * V;
  for (d += skip, s += skip; d < u; d += 4 * V, s += 4 * V) {
    for (unsigned i = 0; ahead && i < 4 * V; i += 64)
      _mm_prefetch((const char *)s + 1024 + i, _MM_HINT_NTA);
    VECTOR a = LOADU(s), b = LOADU(s + V), c = LOADU(s + 2 * V), e = LOADU(s + 3 * V);
    STREAM(d, a), STREAM(d + V, b), STREAM(d + 2 * V, c), STREAM(d + 3 * V, e);
  }
  memlift_barrier_flush_stream();
  VECTOR w = LOADU(t), x = LOADU(t + V), y = LOADU(t + 2 * V), z = LOADU(t + 3 * V);
  STOREU(u, w), STOREU(u + V, x), STOREU(u + 2 * V, y), STOREU(u + 3 * V, z);
}

/* More than MEMLIFT_VECTORS_MOST bytes, disjoint, of a size that another method is for. */
TARGET __attribute__((noinline)) static void
NAME(disjoint_otherwise)(unsigned char *d, const unsigned char *s, size_t n) {
  if (n >= __atomic_load_n(&memlift_limits.copy_stream, __ATOMIC_RELAXED))
    NAME(stream)(d, s, n);
  else
    rep_copy(d, s, n);
}

TARGET MEMLIFT_INLINE void NAME(disjoint)(unsigned char *d, const unsigned char *s, size_t n) {
  uintptr_t window = __atomic_load_n(&memlift_alias_window.few, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(n > MEMLIFT_VECTORS_MOST)) {
    if (!copies_by_vectors(d, s, n, V)) {
      NAME(disjoint_otherwise)(d, s, n);
      return;
    }
    window = __atomic_load_n(&memlift_alias_window.many, __ATOMIC_RELAXED);
  }
#if V == 64
  if (window)
    NAME(apart)(d, s, n, lies_above(d, s, window));
#else
  if (MEMLIFT_UNLIKELY(lies_above(d, s, window)))
    NAME(down)(d, s, n);
#endif
  else
    NAME(up)(d, s, n);
}

/* Where a kernel begins says where its loop does, and that was for the linker to say: across two
 * lines of code it takes a fifth longer on a Zen 4 (1,500 aligned bytes 16.3 to 17.3 ns instead of
 * 13.8). */
#define MEMLIFT_AT_LINE __attribute__((aligned(64)))

/* Larger than what `small` does. Where there are masks the public routines have done the shortest
 * ones themselves; a jump that is taken costs a cycle, and there were four on the way. */
#if defined(LOADN)
#define IS_LARGE(n) MEMLIFT_LIKELY((n) > 8 * V)
#else
#define IS_LARGE(n) ((n) > 8 * V)
#endif

/* The source may be the destination itself, which has the same bytes after it. */
TARGET MEMLIFT_AT_LINE MEMLIFT_KERNEL void NAME(memlift_copy)(void *dst, const void *src,
                                                              size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (!IS_LARGE(n))
    NAME(small)(d, s, n);
#if defined(FEW_MOST)
  else if (n <= FEW_MOST)
    NAME(few)(d, s, n);
#endif
  else
    NAME(disjoint)(d, s, n);
}

/* The differences wrap: each is at least n when the regions do not overlap in that direction. */
TARGET MEMLIFT_AT_LINE MEMLIFT_KERNEL void NAME(memlift_move)(void *dst, const void *src,
                                                              size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (!IS_LARGE(n))
    NAME(small)(d, s, n);
#if defined(FEW_MOST)
  else if (n <= FEW_MOST)
    NAME(few)(d, s, n);
#endif
  else if (MEMLIFT_UNLIKELY((uintptr_t)s - (uintptr_t)d < n)) {
    if (d != s)
      NAME(up)(d, s, n);
  } else if ((uintptr_t)d - (uintptr_t)s < n)
    NAME(down)(d, s, n);
  else
    NAME(disjoint)(d, s, n);
}
#undef IS_LARGE
#undef MEMLIFT_AT_LINE
