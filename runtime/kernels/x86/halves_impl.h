/* halves_impl.h - both sums of 16-bit words over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words of even and of odd places are apart, in lanes of 32 bits. Each lane is a loop of its
 * own, "a += w; b += a". With k vectors of E words, word j of vector q weighs E * (k - q) - j, so
 * the weighted sum is that of E * b - j * a over all places j. For that, a 64-bit lane i holds the
 * words 4 i to 4 i + 3:
 *
 *     sum of j * a = 4 i * (all four) + 1 * second + 2 * third + 3 * fourth
 *
 * What is no whole vector comes first, after zeros. b has room for 361 vectors of the largest
 * words.
 */
#define AT_ONCE 256 /* vectors */

struct NAME(halves) {
  VECTOR a_even, a_odd, b_even, b_odd;
};

TARGET MEMLIFT_INLINE void NAME(halves_add)(struct NAME(halves) * s, VECTOR v) {
  ONCE(v);
  s->a_even = ADD32(s->a_even, AND(v, SPLAT64(EVEN16))), s->a_odd = ADD32(s->a_odd, SRL32(v, 16));
  s->b_even = ADD32(s->b_even, s->a_even), s->b_odd = ADD32(s->b_odd, s->a_odd);
}

TARGET MEMLIFT_INLINE struct memlift_pair NAME(halves_all)(const struct NAME(halves) * s) {
  const VECTOR low = SPLAT64(LOW32), fours = LOADA(halves_places);
  VECTOR first = AND(s->a_even, low), third = SRL64(s->a_even, 32);
  VECTOR second = AND(s->a_odd, low), fourth = SRL64(s->a_odd, 32);
  VECTOR right = ADD64(third, fourth), all = ADD64(ADD64(first, second), right);
  VECTOR places = ADD64(MUL32(all, fours), ADD64(ADD64(second, fourth), ADD64(right, right)));
  VECTOR b = ADD64(ADD64(AND(s->b_even, low), SRL64(s->b_even, 32)),
                   ADD64(AND(s->b_odd, low), SRL64(s->b_odd, 32)));
  b = SLL64(b, V == 64 ? 5 : V == 32 ? 4 : 3); /* times V / 2 words */
  return (struct memlift_pair){SUM64(all), SUM64(SUB64(b, places))};
}

TARGET MEMLIFT_KERNEL struct memlift_pair NAME(memlift_pair_halves)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  const size_t rest = n % V & ~(size_t)1;
  const struct NAME(halves) none = {SPLAT64(0), SPLAT64(0), SPLAT64(0), SPLAT64(0)};
  struct NAME(halves) s = none;
  size_t vectors = n / V;
#if defined(LOADN)
  struct memlift_pair total = {0, 0};
  NAME(halves_add)(&s, LOADLAST(p + rest, rest));
#else
  struct memlift_pair total = memlift_pair_halves_generic(p, rest);
#endif
  p += rest;
  do {
    size_t now = vectors < AT_ONCE ? vectors : AT_ONCE, words = now * (V / 2);
    for (size_t k = 0; k < now; k++, p += V)
      NAME(halves_add)(&s, LOADU(p));
    struct memlift_pair more = NAME(halves_all)(&s);
    total.weighted += words * total.sum + more.weighted;
    total.sum += more.sum;
    vectors -= now;
    s = none;
  } while (vectors);
  return total;
}
#undef AT_ONCE
