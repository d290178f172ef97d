/* xor_impl.h - exclusive-or over vectors of V bytes; body of each ISA's variant
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Four vectors an iteration, in four chains. The 64-bit lanes are folded into one at the end; what
 * is left after the last whole vector begins at a lane: a masked load where there are any, else the
 * generic kernel.
 */

TARGET MEMLIFT_KERNEL uint64_t NAME(memlift_xor)(const void *from, size_t n) {
  const unsigned char *p = (const unsigned char *)from;
#if defined(LOADN)
  if (MEMLIFT_LIKELY(n <= V)) /* nothing to guess, of no words either */
    return XOR64(LOADN(p, n));
#else
  if (n < V)
    return memlift_xor_generic(from, n);
#endif
  const unsigned char *end = p + (n & ~(size_t)(V - 1));
  VECTOR a = SPLAT64(0), b = a, c = a, d = a;
  for (; (size_t)(end - p) >= 4 * V; p += 4 * V) {
    a = XOR(a, LOADU(p)), b = XOR(b, LOADU(p + V));
    c = XOR(c, LOADU(p + 2 * V)), d = XOR(d, LOADU(p + 3 * V));
  }
  for (; p < end; p += V)
    a = XOR(a, LOADU(p));
#if defined(LOADN)
  if (n % V)
    b = XOR(b, LOADN(end, n % V));
  return XOR64(XOR(XOR(a, b), XOR(c, d)));
#else
  uint64_t x = XOR64(XOR(XOR(a, b), XOR(c, d)));
  return n % V ? x ^ memlift_xor_generic(end, n % V) : x;
#endif
}
