/* polyhash_generic.c - h = h * k + byte, eight bytes a turn
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *     h' = h * k^8 + (b0 * k^7 + b1 * k^6 + ... + b6 * k + b7)
 *
 * The sum in parentheses does not wait for h, so a turn costs the latency of one multiplication
 * and one addition instead of eight of each. The powers are formed only when eight bytes are there.
 */
#include "../../include/memlift/memlift.h"
#include "sums.h"

MEMLIFT_KERNEL uint64_t memlift_polyhash_u8(const void *from, size_t n, uint64_t h, uint64_t k) {
  const unsigned char *p = (const unsigned char *)from;
  if (n >= 8) {
    const uint64_t k2 = k * k, k3 = k2 * k, k4 = k2 * k2, k5 = k4 * k, k6 = k4 * k2, k7 = k4 * k3;
    const uint64_t k8 = k4 * k4;
    for (; n >= 8; p += 8, n -= 8) {
      uint64_t first = p[0] * k7 + p[1] * k6 + p[2] * k5 + p[3] * k4;
      uint64_t last = p[4] * k3 + p[5] * k2 + p[6] * k + p[7];
      h = h * k8 + (first + last);
    }
  }
  for (; n; p++, n--)
    h = h * k + *p;
  return h;
}
