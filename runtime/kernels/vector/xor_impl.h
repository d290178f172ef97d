/* xor_impl.h - exclusive-or over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Four vectors an iteration, in four chains. The 64-bit lanes are folded into one at the end; what
 * is left after the last whole vector begins at a lane: a masked load where there are any, else the
 * last vector once more, or the generic kernel.
 */

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_xor)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
  VECTOR a = SPLAT64(0), b = a, c = a, d = a;
#if defined(LOADN)
  if (MEMLIFT_LIKELY(n <= V)) /* nothing to guess, of no words either */
    return XOR64(LOADN(p, n));
  for (; n > 4 * V; p += 4 * V, n -= 4 * V) {
    a = XOR(a, LOADU(p)), b = XOR(b, LOADU(p + V));
    c = XOR(c, LOADU(p + 2 * V)), d = XOR(d, LOADU(p + 3 * V));
  }
  /* Two vectors or four, so that one thing is to guess and not the turns of a loop. */
  a = XOR(a, LOADN(p, n < V ? n : V)), b = XOR(b, LOADN(p + V, n > V ? n - V : 0));
  if (n > 2 * V) {
    c = XOR(c, LOADN(p + 2 * V, n - 2 * V));
    d = XOR(d, LOADN(p + 3 * V, n > 3 * V ? n - 3 * V : 0));
  }
  return XOR64(XOR(XOR(a, b), XOR(c, d)));
#else
#if defined(FEW_TWO)
  if (n < 2 * V) {
    VECTOR second, first = FEW_TWO(p, n, &second);
    return XOR64(XOR(first, second));
  }
#elif defined(FEW)
  if (n < V)
    return XOR64(FEW(p, n));
#else
  if (n < V)
    return memlift_xor_generic(from, n);
#endif
  const unsigned char *end = p + (n & ~(size_t)(V - 1));
  for (; (size_t)(end - p) >= 4 * V; p += 4 * V) {
    a = XOR(a, LOADU(p)), b = XOR(b, LOADU(p + V));
    c = XOR(c, LOADU(p + 2 * V)), d = XOR(d, LOADU(p + 3 * V));
  }
  for (; p < end; p += V)
    a = XOR(a, LOADU(p));
  uint64_t x = XOR64(XOR(XOR(a, b), XOR(c, d)));
#if defined(FEW_LAST)
  /* The last vector once more, without what was folded before. Its lanes begin at byte n % 8. */
  return x ^ memlift_rotate_pattern(XOR64(FEW_LAST(p + n % V, n % V)), 0 - n);
#else
  return n % V ? x ^ memlift_xor_generic(end, n % V) : x;
#endif
#endif
}
