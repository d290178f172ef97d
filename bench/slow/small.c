/* small.c - loops of few or of a constant number of iterations, in the middle of small programs
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What bounds a length is near the loop: a mask, a remainder, a shift, a minimum. The bodies are
 * those of packets, strings, rings, rows and records. At the end are constant lengths.
 */
#include "slow.h"

struct event {
  u32 id;
  u8 body[12];
};

INLINE(literals) {
  u64 r = 0;
  u8 *o = d;
  for (int t = 0; t < 4; t++) {
    unsigned lit = s[t] & 15;
    for (unsigned i = 0; i < lit; i++)
      o[i] = s[8 + i];
    o += lit;
    r += o[-1];
  }
  return r + n;
}

INLINE(sorted_insert) {
  u32 *v = (u32 *)d, key = s[0] + 256u * s[1];
  unsigned k = n & 15, at = 0;
  while (at < k && v[at] < key)
    at++;
  for (unsigned j = k; j > at; j--)
    v[j] = v[j - 1];
  v[at] = key;
  return at;
}

INLINE(gap_insert) {
  unsigned at = s[0] % (n + 1);
  for (unsigned k = n; k > at; k--)
    d[k] = d[k - 1];
  d[at] = s[1];
  return d[n];
}

INLINE(delete_half) {
  u16 *v = (u16 *)d;
  unsigned k = n / 2;
  for (unsigned i = k ? s[0] % k : 0; i + 1 < k; i++)
    v[i] = v[i + 1];
  return v[0];
}

INLINE(pop_front) {
  u64 *q = (u64 *)d, head = q[0];
  unsigned k = n / 8;
  for (unsigned i = 1; i < k; i++)
    q[i - 1] = q[i];
  q[k ? k - 1 : 0] = call;
  return head;
}

INLINE(rect_bytes) {
  unsigned w = 1 + (n & 31), h = 4;
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++)
      d[y * 320 + x] = s[y * 160 + x];
  return d[320];
}

INLINE(rect_pixels) {
  unsigned w = 1 + (n & 15);
  u32 *to = (u32 *)d;
  const u32 *from = (const u32 *)s;
  for (unsigned y = 0; y < 3; y++) {
    for (unsigned x = 0; x < w; x++)
      to[x] = from[x];
    to += 64;
    from += 64;
  }
  return d[16];
}

INLINE(rect_clear) {
  unsigned w = n & 31;
  for (unsigned y = 0; y < 4; y++)
    for (unsigned x = 0; x < w; x++)
      d[y * 256 + x] = 0;
  return d[16];
}

INLINE(build_part) {
  u8 h[40];
  unsigned len = 14 + (n & 15);
  for (int i = 0; i < 10; i++)
    h[4 * i] = s[i], h[4 * i + 1] = (u8)i, h[4 * i + 2] = (u8)n, h[4 * i + 3] = 0;
  for (unsigned i = 0; i < len; i++)
    d[i] = h[i];
  return d[5];
}

INLINE(copy_parse) {
  u8 b[64];
  unsigned len = 8 + (n & 31);
  for (unsigned i = 0; i < len; i++)
    b[i] = s[i];
  u64 x;
  memcpy(&x, b + len - 8, 8);
  return x + b[n % len];
}

INLINE(live_floats) {
  float a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3], a4 = s[4], a5 = s[5];
  float *to = (float *)d;
  const float *from = (const float *)s;
  for (unsigned r = 0; r < 4; r++) {
    unsigned w = 2 + ((n + r) & 7);
    for (unsigned i = 0; i < w; i++)
      to[i] = from[i];
    a0 += a1 * 0.5f;
    a1 += a2 * 0.25f;
    a2 += a3 * 0.5f;
    a3 += a4 * 0.25f;
    a4 += a5 * 0.5f;
    a5 += (float)w;
    to += 16;
  }
  return (u64)(a0 + a1 + a2 + a3 + a4 + a5);
}

INLINE(delay_line) {
  float *z = (float *)d;
  float acc = 0;
  unsigned taps = 4 + (n & 15);
  for (unsigned k = taps; k > 1; k--)
    z[k - 1] = z[k - 2];
  z[0] = s[0];
  for (unsigned k = 0; k < 4; k++)
    acc += z[k] * (float)k;
  return (u64)acc;
}

INLINE(part_of_row) {
  const u16 *row = (const u16 *)s;
  u16 *to = (u16 *)d;
  unsigned w = 1 + (n & 7), x0 = n >> 3 & 7;
  for (unsigned i = 0; i < w; i++)
    to[i] = row[x0 + i];
  return to[0];
}

INLINE(power_rows) {
  unsigned w = 4u << (n & 3);
  for (unsigned y = 0; y < 4; y++)
    for (unsigned x = 0; x < w; x++)
      d[y * 64 + x] = s[y * 128 + x];
  return d[64];
}

INLINE(save_registers) {
  u64 *r = (u64 *)d;
  const u64 *x = (const u64 *)s;
  for (int i = 0; i < 26; i++)
    r[i] = x[i];
  return r[n & 15];
}

INLINE(zero_few) {
  u32 count[8];
  unsigned k = n & 7;
  for (unsigned i = 0; i < k; i++)
    ((u32 *)d)[i] = 0;
  count[0] = d[0];
  return count[0];
}

INLINE(pad_to_56) {
  u8 *b = d;
  unsigned i = n % 56;
  b[i++] = 0x80;
  while (i < 56)
    b[i++] = 0;
  b[56] = (u8)n;
  return b[20];
}

INLINE(pad_spaces) {
  unsigned w = 20, k = n % 21;
  for (unsigned i = 0; i < k; i++)
    d[i] = s[i];
  for (unsigned i = k; i < w; i++)
    d[i] = ' ';
  return d[19];
}

INLINE(ring_get) {
  const u8 *ring = s;
  unsigned at = s[0] * 4u;
  u8 *o = d;
  for (unsigned i = n; i > 0; i--)
    *o++ = ring[at++ & 1023];
  return at;
}

INLINE(append_pair) {
  u8 *o = d;
  unsigned k = 1 + (n & 7), v = s[0] & 15;
  for (unsigned i = 0; i < k; i++)
    *o++ = s[i];
  *o++ = '=';
  for (unsigned i = 0; i < v; i++)
    *o++ = s[16 + i];
  *o++ = '&';
  return (u64)(o - d);
}

INLINE(indent_line) {
  u8 *o = d;
  unsigned level = s[0] & 7;
  for (unsigned i = 0; i < 2 * level; i++)
    *o++ = ' ';
  for (unsigned i = 0; i < n; i++)
    *o++ = s[i];
  *o = '\n';
  return (u64)(o - d);
}

INLINE(ether_header) {
  u8 *p = d;
  for (int i = 0; i < 6; i++)
    p[i] = s[i];
  for (int i = 0; i < 6; i++)
    p[6 + i] = s[6 + i];
  p[12] = 8;
  p[13] = 0;
  for (int i = 0; i < 4; i++)
    p[26 + i] = s[12 + i];
  for (int i = 0; i < 4; i++)
    p[30 + i] = s[16 + i];
  return p[26] + n;
}

INLINE(base64_block) {
  u8 q[3];
  u8 *o = d;
  const u8 *i = s;
  unsigned left = n;
  while (left) {
    unsigned k = left < 3 ? left : 3, j;
    for (j = 0; j < k; j++)
      q[j] = i[j];
    for (; j < 3; j++)
      q[j] = 0;
    o[0] = q[0] >> 2;
    o[1] = (u8)((q[0] & 3) << 4 | q[1] >> 4);
    o[2] = (u8)((q[1] & 15) << 2 | q[2] >> 6);
    o[3] = q[2] & 63;
    o += 4;
    i += k;
    left -= k;
  }
  return (u64)(o - d);
}

INLINE(copy_events) {
  struct event *to = (struct event *)d;
  const struct event *from = (const struct event *)s;
  for (unsigned i = 0; i < n / 16; i++)
    to[i] = from[i];
  return to[0].id;
}

INLINE(header_range) {
  unsigned k = 10 + n % 15;
  const u16 *w = (const u16 *)s;
  u32 sum = 0;
  while (k--)
    sum += *w++;
  sum = (sum >> 16) + (sum & 0xffff);
  sum += sum >> 16;
  return (u16)~sum;
}

INLINE(header_bytes) {
  unsigned k = 20 + 4 * (n % 11);
  u32 sum = 0;
  for (unsigned i = 0; i < k; i += 2)
    sum += (u32)s[i] << 8 | s[i + 1];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (u16)~sum;
}

INLINE(udp_sum) {
  u32 sum = s[0] + 17u + n;
  const u16 *w = (const u16 *)s;
  unsigned left = n;
  for (; left > 1; left -= 2)
    sum += *w++;
  if (left)
    sum += *(const u8 *)w;
  sum = (sum >> 16) + (sum & 0xffff);
  sum += sum >> 16;
  return (u16)~sum;
}

INLINE(read_be) {
  unsigned k = 1 + (n & 7);
  u64 v = 0;
  for (unsigned i = 0; i < k; i++)
    v = v << 8 | s[i];
  return v;
}

INLINE(read_le) {
  unsigned k = n & 7;
  u64 v = 0;
  for (unsigned i = 0; i < k; i++)
    v |= (u64)s[i] << 8 * i;
  return v;
}

INLINE(write_be) {
  u32 v = call * 0x1234567u;
  for (unsigned i = 1 + (n & 3); i > 0; i--, v >>= 8)
    d[i - 1] = (u8)v;
  return d[0];
}

INLINE(adler_few) {
  u32 low = 1, high = 0;
  unsigned k = 1 + n % 12;
  for (unsigned i = 0; i < k; i++) {
    low = (low + s[i]) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

INLINE(rolling_sum) {
  u32 s1 = 0, s2 = 0;
  for (unsigned i = 0; i < n; i++) {
    s1 += s[i];
    s2 += s1;
  }
  return (s1 & 0xffff) + (s2 << 16);
}

INLINE(fletcher_few) {
  unsigned low = 0, high = 0, k = n % 21;
  for (unsigned i = 0; i < k; i++) {
    low = (low + s[i]) % 255;
    high = (high + low) % 255;
  }
  return high << 8 | low;
}

INLINE(hash_id) {
  u32 h = 5381;
  unsigned k = 1 + n % 12;
  for (unsigned i = 0; i < k; i++)
    h = h * 33 + s[i];
  return h;
}

INLINE(xor_few) {
  u8 x = 0;
  unsigned k = 3 + (n & 15);
  for (unsigned i = 0; i < k; i++)
    x ^= s[i];
  return x;
}

INLINE(box_sums) {
  u32 r = 0;
  unsigned w = 3 + (n & 7);
  for (unsigned x = 0; x < 6; x++) {
    unsigned t = 0;
    for (unsigned k = 0; k < w; k++)
      t += s[x + k];
    r += t;
  }
  return r;
}

INLINE(crc8_few) {
  u8 c = 0;
  unsigned k = 2 + (n & 7);
  for (unsigned i = 0; i < k; i++) {
    c ^= s[i];
    for (int b = 0; b < 8; b++)
      c = (u8)(c & 0x80 ? c << 1 ^ 7 : c << 1);
  }
  return c;
}

INLINE(verify_record) {
  unsigned k = s[0] & 31, t = 0;
  for (unsigned i = 0; i <= k; i++)
    t += s[i];
  return (u8)-t == d[0];
}

#define COPY(T, N)                                                                                 \
  INLINE(copy_##T##_##N) {                                                                         \
    T *to = (T *)d;                                                                                \
    const T *from = (const T *)s;                                                                  \
    for (int i = 0; i < N; i++)                                                                    \
      to[i] = from[i];                                                                             \
    return n;                                                                                      \
  }
#define FILL(T, N)                                                                                 \
  INLINE(fill_##T##_##N) {                                                                         \
    T *to = (T *)d, value = (T)call;                                                               \
    for (int i = 0; i < N; i++)                                                                    \
      to[i] = value;                                                                               \
    return n;                                                                                      \
  }
#define SUM(T, A, N)                                                                               \
  INLINE(sum_##T##_##A##_##N) {                                                                    \
    const T *from = (const T *)s;                                                                  \
    A sum = 0;                                                                                     \
    for (int i = 0; i < N; i++)                                                                    \
      sum += from[i];                                                                              \
    return sum + n;                                                                                \
  }
#define XOR(T, N)                                                                                  \
  INLINE(xor_##T##_##N) {                                                                          \
    const T *from = (const T *)s;                                                                  \
    T all = 0;                                                                                     \
    for (int i = 0; i < N; i++)                                                                    \
      all ^= from[i];                                                                              \
    return all + n;                                                                                \
  }
#define INET(N)                                                                                    \
  INLINE(inet_##N) {                                                                               \
    const u16 *w = (const u16 *)s;                                                                 \
    u32 sum = 0;                                                                                   \
    for (int i = 0; i < N; i++)                                                                    \
      sum += w[i];                                                                                 \
    sum = (sum >> 16) + (sum & 0xffff);                                                            \
    return (u16)(sum + (sum >> 16)) + n;                                                           \
  }
/* clang-format off */
#define EACH(COPY, FILL, SUM, XOR, INET)                                                           \
  COPY(u8, 24) COPY(u8, 64) COPY(u8, 80) COPY(u8, 96) COPY(u8, 128) COPY(u8, 200)                  \
  COPY(u16, 6) COPY(u32, 5) COPY(u32, 24) COPY(u64, 6) COPY(u64, 26)                               \
  FILL(u8, 100) FILL(u16, 12) FILL(u32, 4) FILL(u32, 8) FILL(u32, 32)                              \
  SUM(u8, u8, 48) SUM(u8, u8, 64) SUM(u8, u32, 16) SUM(u8, u32, 64) SUM(u16, u32, 32)              \
  SUM(u32, u32, 32) SUM(u32, u64, 16) SUM(u64, u64, 16)                                            \
  XOR(u8, 32) XOR(u8, 48) XOR(u32, 16)                                                             \
  INET(10) INET(32) INET(48) INET(64)
/* clang-format on */
EACH(COPY, FILL, SUM, XOR, INET)

#define COPIES(T, N) WORDS(copy_##T##_##N)
#define FILLS(T, N) WORDS(fill_##T##_##N)
#define SUMS(T, A, N) WORDS(sum_##T##_##A##_##N)
#define XORS(T, N) WORDS(xor_##T##_##N)
#define INETS(N) WORDS(inet_##N)

const struct program F(small)[] = {
    WORDS(literals) WORDS(sorted_insert) WORDS(gap_insert) WORDS(delete_half) WORDS(pop_front)
        WORDS(rect_bytes) WORDS(rect_pixels) WORDS(rect_clear) WORDS(build_part) WORDS(copy_parse)
            WORDS(live_floats) WORDS(delay_line) WORDS(part_of_row) WORDS(power_rows)
                WORDS(save_registers) WORDS(zero_few) WORDS(pad_to_56) WORDS(pad_spaces)
                    WORDS(ring_get) WORDS(append_pair) WORDS(indent_line) WORDS(ether_header)
                        WORDS(base64_block) WORDS(copy_events) WORDS(header_range)
                            WORDS(header_bytes) WORDS(udp_sum) WORDS(read_be) WORDS(read_le)
                                WORDS(write_be) WORDS(adler_few) WORDS(rolling_sum)
                                    WORDS(fletcher_few) WORDS(hash_id) WORDS(xor_few)
                                        WORDS(box_sums) WORDS(crc8_few) WORDS(verify_record)
                                            EACH(COPIES, FILLS, SUMS, XORS, INETS){0}};
