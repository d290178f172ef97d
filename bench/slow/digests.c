/* digests.c - sums, checksums, masks and hashes of libraries, as their authors spell them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "slow.h"

FUNCTION(lwip_bytes, (const u8 *p, int len), (s, (int)n)) {
  u32 acc = 0;
  while (len > 1) {
    u16 src = (u16)(*p++ << 8);
    src |= *p++;
    acc += src;
    len -= 2;
  }
  if (len > 0)
    acc += (u16)(*p << 8);
  acc = (acc >> 16) + (acc & 0xffff);
  if ((acc & 0xffff0000) != 0)
    acc = (acc >> 16) + (acc & 0xffff);
  return (u16)acc;
}
FUNCTION(lwip_halves, (const void *data, int len), (s, (int)n)) {
  const u8 *pb = data;
  u16 t = 0;
  u32 sum = 0;
  int odd = (uintptr_t)pb & 1;
  if (odd && len > 0) {
    ((u8 *)&t)[1] = *pb++;
    len--;
  }
  const u16 *ps = (const u16 *)(const void *)pb;
  while (len > 1) {
    sum += *ps++;
    len -= 2;
  }
  if (len > 0)
    ((u8 *)&t)[0] = *(const u8 *)ps;
  sum += t;
  sum = (sum >> 16) + (sum & 0xffff);
  sum = (sum >> 16) + (sum & 0xffff);
  if (odd)
    sum = (sum & 0xff) << 8 | (sum & 0xff00) >> 8;
  return (u16)sum;
}
FUNCTION(lwip_words, (const u32 *pl, int len), ((const u32 *)s, (int)n)) {
  u32 sum = 0, t;
  while (len > 7) {
    t = sum + *pl++;
    if (t < sum)
      t++;
    sum = t + *pl++;
    if (sum < t)
      sum++;
    len -= 8;
  }
  sum = (sum >> 16) + (sum & 0xffff);
  const u16 *ps = (const u16 *)pl;
  while (len > 1) {
    sum += *ps++;
    len -= 2;
  }
  if (len > 0)
    sum += *(const u8 *)ps;
  sum = (sum >> 16) + (sum & 0xffff);
  return (u16)((sum >> 16) + sum);
}
FUNCTION(bsd_32, (const u16 *w, int mlen), ((const u16 *)s, (int)n)) {
  long sum = 0;
  while ((mlen -= 32) >= 0) {
    sum += w[0], sum += w[1], sum += w[2], sum += w[3];
    sum += w[4], sum += w[5], sum += w[6], sum += w[7];
    sum += w[8], sum += w[9], sum += w[10], sum += w[11];
    sum += w[12], sum += w[13], sum += w[14], sum += w[15];
    w += 16;
  }
  mlen += 32;
  while ((mlen -= 2) >= 0)
    sum += *w++;
  if (mlen == -1)
    sum += *(const u8 *)w;
  sum = (sum & 0xffff) + (sum >> 16);
  return (u16)(sum + (sum >> 16));
}
FUNCTION(rte_raw, (const void *buf, size_t len, u32 sum), (s, n, 0)) {
  const u16 *p = buf, *end = p + len / 2;
  for (; p != end; p++)
    sum += *p;
  if (len & 1) {
    u16 left = 0;
    memcpy(&left, end, 1);
    sum += left;
  }
  sum = (sum >> 16) + (sum & 0xffff);
  return (u16)((sum >> 16) + (sum & 0xffff));
}
INLINE(pseudo_header) {
  u32 sum = 17 + n;
  for (int i = 0; i < 8; i += 2)
    sum += (u32)s[i] << 8 | s[i + 1];
  for (int i = 8; i < 28; i += 2)
    sum += (u32)s[i] << 8 | s[i + 1];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (u16)~sum;
}
/* A header is written field by field and its sum is taken at once. */
INLINE(build_sum) {
  u8 *h = d;
  h[0] = 0x45, h[1] = 0, h[2] = (u8)(n >> 8), h[3] = (u8)n, h[4] = (u8)call, h[5] = 0;
  h[6] = h[7] = 0, h[8] = 64, h[9] = 17, h[10] = h[11] = 0;
  for (int i = 0; i < 8; i++)
    h[12 + i] = s[i];
  const u16 *w = (const u16 *)h;
  u32 sum = 0;
  for (int i = 0; i < 10; i++)
    sum += w[i];
  sum = (sum >> 16) + (sum & 0xffff);
  return (u16) ~(sum + (sum >> 16));
}
INLINE(frame_sum) {
  u8 *f = d;
  unsigned len = 1 + (n & 15);
  f[0] = 0x7e, f[1] = (u8)len;
  for (unsigned i = 0; i < len; i++)
    f[2 + i] = s[i];
  u8 sum = 0;
  for (unsigned i = 0; i < len + 2; i++)
    sum += f[i];
  f[2 + len] = (u8)~sum;
  return f[2 + len];
}
INLINE(copy_then_sum) {
  u32 t = 0;
  for (unsigned i = 0; i < n; i++)
    d[i] = s[i];
  for (unsigned i = 0; i < n; i++)
    t += d[i];
  return t;
}
INLINE(copy_and_sum) {
  u32 t = 0;
  for (unsigned i = 0; i < n; i++) {
    d[i] = s[i];
    t += s[i];
  }
  return t;
}
INLINE(hex_record) {
  u8 sum = 0;
  int len = 4 + (int)(n & 15);
  for (int i = 0; i <= len; i++)
    sum += s[i];
  return (u8)(0x100 - sum);
}
INLINE(fill_then_sum) {
  u32 count[16], t = 0;
  unsigned k = n & 15;
  for (unsigned i = 0; i < 16; i++)
    count[i] = 0;
  for (unsigned i = 0; i < 12; i++)
    count[s[i] & 15]++;
  for (unsigned i = 0; i < k; i++)
    t += count[i];
  return t;
}
INLINE(total_lengths) {
  const u16 *length = (const u16 *)s;
  unsigned k = n / 2, t = 0;
  for (unsigned i = 0; i < k; i++)
    t += length[i];
  return t;
}
INLINE(mean_floats) {
  const s16 *x = (const s16 *)s;
  int k = 1 + (int)(n / 2), t = 0;
  for (int i = 0; i < k; i++)
    t += x[i];
  return (u64)(t / k);
}
INLINE(hmac_pad) {
  u8 pad[64];
  unsigned k = n & 31, i;
  for (i = 0; i < k; i++)
    pad[i] = s[i] ^ 0x36;
  for (; i < 64; i++)
    pad[i] = 0x36;
  for (i = 0; i < 64; i++)
    d[i] = pad[i];
  return d[k];
}
INLINE(key_stream) {
  unsigned k = n & 63;
  u8 *o = d;
  const u8 *in = s, *ks = s + 512;
  for (unsigned i = 0; i < k; i++)
    o[i] = in[i] ^ ks[i];
  return o[0];
}
INLINE(cbc_blocks) {
  u8 iv[16];
  for (int i = 0; i < 16; i++)
    iv[i] = s[i];
  for (unsigned b = 0; b < n / 16; b++) {
    for (int i = 0; i < 16; i++)
      iv[i] ^= s[16 * b + 16 + i];
    iv[b & 15] = (u8)(iv[b & 15] * 5 + 1);
    for (int i = 0; i < 16; i++)
      d[16 * b + i] = iv[i];
  }
  return iv[3];
}
INLINE(same_secret) {
  u8 r = 0;
  unsigned k = n & 31;
  for (unsigned i = 0; i < k; i++)
    r |= d[i] ^ s[i];
  return r;
}
INLINE(or_words) {
  u64 *to = (u64 *)d;
  const u64 *from = (const u64 *)s;
  for (unsigned i = 0; i < n / 8; i++)
    to[i] |= from[i];
  return to[0];
}
INLINE(swap_words) {
  u32 *to = (u32 *)d;
  const u32 *from = (const u32 *)s;
  for (unsigned i = 0; i < n / 4; i++)
    to[i] = __builtin_bswap32(from[i]);
  return to[0];
}
INLINE(sha_load) {
  u32 w[16];
  for (int i = 0; i < 16; i++)
    w[i] = (u32)s[4 * i] << 24 | (u32)s[4 * i + 1] << 16 | (u32)s[4 * i + 2] << 8 | s[4 * i + 3];
  u32 r = n;
  for (int i = 0; i < 16; i++)
    r = (r << 5 | r >> 27) + w[i];
  return r;
}
INLINE(md_decode) {
  u32 w[16];
  for (unsigned i = 0, j = 0; j < 64; i++, j += 4)
    w[i] = s[j] | (u32)s[j + 1] << 8 | (u32)s[j + 2] << 16 | (u32)s[j + 3] << 24;
  u32 r = n;
  for (int i = 0; i < 16; i++)
    r = (r << 7 | r >> 25) ^ w[(5 * i + 1) & 15];
  return r;
}
INLINE(store_be) {
  u64 v = n * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 8; i++)
    d[i] = (u8)(v >> (56 - 8 * i));
  return d[0];
}
INLINE(fnv) {
  u32 h = 2166136261u;
  for (unsigned i = 0; i < (n & 15); i++)
    h = (h ^ s[i]) * 16777619u;
  return h;
}
INLINE(java_hash) {
  int h = 0;
  for (int i = 0; i < (int)n; i++)
    h = 31 * h + s[i];
  return (unsigned)h; /* the sign of a sum that overflowed is not defined */
}
INLINE(hash_65599) {
  unsigned h = 0, k = 1 + (n & 15);
  const u8 *p = s;
  while (k--)
    h = h * 65599 + *p++;
  return h;
}
INLINE(rsync_get) {
  u32 s1 = 0, s2 = 0;
  int i, len = (int)n;
  for (i = 0; i < len - 4; i += 4) {
    s2 += 4 * (s1 + s[i]) + 3 * s[i + 1] + 2 * s[i + 2] + s[i + 3];
    s1 += s[i] + s[i + 1] + s[i + 2] + s[i + 3];
  }
  for (; i < len; i++) {
    s1 += s[i];
    s2 += s1;
  }
  return (s1 & 0xffff) + (s2 << 16);
}
FUNCTION(zlib_adler, (u32 adler, const u8 *buf, unsigned len), (1, s, n)) {
  u32 sum2 = adler >> 16;
  adler &= 0xffff;
  if (len < 16) {
    while (len--) {
      adler += *buf++;
      sum2 += adler;
    }
    if (adler >= 65521)
      adler -= 65521;
    sum2 %= 65521;
    return adler | sum2 << 16;
  }
  while (len >= 16) {
    len -= 16;
    for (int i = 0; i < 16; i++)
      adler += buf[i], sum2 += adler;
    buf += 16;
  }
  while (len--) {
    adler += *buf++;
    sum2 += adler;
  }
  adler %= 65521;
  sum2 %= 65521;
  return adler | sum2 << 16;
}
FUNCTION(crc_ccitt, (u16 crc, const u8 *p, size_t n), (0xffff, s, n & 63)) {
  while (n--) {
    u8 x = (u8)(crc >> 8) ^ *p++;
    x ^= x >> 4;
    crc = (u16)(crc << 8 ^ x << 12 ^ x << 5 ^ x);
  }
  return crc;
}
FUNCTION(crc_maxim, (const u8 *p, u8 n), (s, (u8)(n & 15))) {
  u8 crc = 0;
  while (n--) {
    u8 in = *p++;
    for (u8 i = 8; i; i--) {
      u8 mix = (crc ^ in) & 1;
      crc >>= 1;
      if (mix)
        crc ^= 0x8c;
      in >>= 1;
    }
  }
  return crc;
}
INLINE(mod_97) {
  unsigned r = 0;
  for (unsigned i = 0; i < (n & 31); i++)
    r = (r * 10 + (s[i] & 7)) % 97;
  return r;
}
INLINE(lrc_frame) {
  u8 lrc = 0, len = (u8)(2 + (n & 7));
  const u8 *p = s;
  while (len--)
    lrc += *p++;
  return (u8) - (s8)lrc;
}
INLINE(parity_words) {
  u64 x = 0;
  const u64 *p = (const u64 *)s;
  for (unsigned i = 0; i < n / 8; i++)
    x ^= p[i];
  return x;
}
INLINE(count_ones) {
  unsigned t = 0;
  const u32 *p = (const u32 *)s;
  for (unsigned i = 0; i < n / 4; i++)
    t += (unsigned)__builtin_popcount(p[i]);
  return t;
}
INLINE(live_sums) {
  float a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3], a4 = s[4];
  u32 all = 0;
  for (unsigned r = 0; r < 5; r++) {
    unsigned w = 2 + ((n + r) & 7), t = 0;
    for (unsigned i = 0; i < w; i++)
      t += s[r * 16 + i];
    a0 += a1 * 0.5f, a1 += a2 * 0.25f, a2 += a3 * 0.5f, a3 += a4 * 0.25f, a4 += (float)t;
    all += t;
  }
  return (u64)(a0 + a1 + a2 + a3 + a4) + all;
}
INLINE(column_sums) {
  u32 t = 0;
  for (unsigned x = 0; x < 4; x++)
    for (unsigned y = 0; y < (n & 15); y++)
      t = t * 3 + s[y * 32 + x];
  return t;
}

const struct program F(digests)[] = {
    WORDS(lwip_bytes) WORDS(lwip_halves) WORDS(lwip_words) WORDS(bsd_32) WORDS(rte_raw)
        WORDS(pseudo_header) WORDS(build_sum) WORDS(frame_sum) WORDS(copy_then_sum)
            WORDS(copy_and_sum) WORDS(hex_record) WORDS(fill_then_sum) WORDS(total_lengths)
                WORDS(mean_floats) WORDS(hmac_pad) WORDS(key_stream) WORDS(cbc_blocks)
                    WORDS(same_secret) WORDS(or_words) WORDS(swap_words) WORDS(sha_load)
                        WORDS(md_decode) WORDS(store_be) WORDS(fnv) WORDS(java_hash)
                            WORDS(hash_65599) WORDS(rsync_get) WORDS(zlib_adler) WORDS(crc_ccitt)
                                WORDS(crc_maxim) WORDS(mod_97) WORDS(lrc_frame) WORDS(parity_words)
                                    WORDS(count_ones) WORDS(live_sums) WORDS(column_sums){0}};
