/* varied.c - loops of libraries: copies, fills and moves, as their authors spell them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compressors, network stacks, C libraries, parsers, tables, images and interpreters.
 */
#include "slow.h"

/* ---- Compressors --------------------------------------------------------------------------- */

FUNCTION(inflate_three, (u8 * out, u8 *from, unsigned len), (d + 64, a->s + 64, n)) {
  while (len > 2) {
    *out++ = *from++;
    *out++ = *from++;
    *out++ = *from++;
    len -= 3;
  }
  if (len) {
    *out++ = *from++;
    if (len > 1)
      *out++ = *from++;
  }
  return *from;
}
FUNCTION(slide_hash, (u16 * head, unsigned wsize, unsigned n), ((u16 *)d, 77, n / 2 + 1)) {
  u16 *p = &head[n];
  do {
    unsigned m = *--p;
    *p = (u16)(m >= wsize ? m - wsize : 0);
  } while (--n);
  return 0;
}
FUNCTION(zmemcpy, (u8 * dest, const u8 *source, unsigned len), (d, s, n)) {
  if (len == 0)
    return 0;
  do {
    *dest++ = *source++;
  } while (--len != 0);
  return 1;
}
FUNCTION(zmemzero, (u8 * dest, unsigned len), (d, n)) {
  if (len == 0)
    return 0;
  do {
    *dest++ = 0;
  } while (--len != 0);
  return 1;
}
INLINE(wild_8) {
  u8 *o = d, *e = d + n;
  const u8 *i = s;
  while (o < e) {
    memcpy(o, i, 8);
    o += 8;
    i += 8;
  }
  return (u64)(o - d);
}
INLINE(wild_16) {
  u8 *o = d, *e = d + (n & 63);
  const u8 *i = s;
  do {
    memcpy(o, i, 16);
    o += 16;
    i += 16;
  } while (o < e);
  return (u64)(o - d);
}
INLINE(wild_32) {
  u8 *o = d, *e = d + n;
  const u8 *i = s;
  do {
    memcpy(o, i, 16);
    memcpy(o + 16, i + 16, 16);
    o += 32;
    i += 32;
  } while (o < e);
  return o[-1];
}
INLINE(sequences) {
  u8 *o = d + 16;
  const u8 *i = s;
  for (int t = 0; t < 4; t++) {
    unsigned token = i[0], lit = token >> 5, match = 4 + (token & 15), back = 8 + (i[1] & 7);
    i += 2;
    u8 *e = o + lit;
    const u8 *from = i;
    u8 *to = o;
    do {
      memcpy(to, from, 8);
      to += 8, from += 8;
    } while (to < e);
    i += lit;
    o = e;
    e = o + match;
    from = o - back;
    to = o;
    do {
      memcpy(to, from, 8);
      to += 8, from += 8;
    } while (to < e);
    o = e;
  }
  return (u64)(o - d) + n;
}
INLINE(match_bytes) {
  u8 *o = d + 32;
  unsigned t = 2 + (n & 15);
  const u8 *m = o - 1 - (s[0] & 31);
  *o++ = *m++;
  *o++ = *m++;
  do
    *o++ = *m++;
  while (--t > 0);
  return o[-1];
}
INLINE(snappy_tail) {
  u8 *o = d + 16, *m = o - 3;
  long len = (long)(n & 63);
  while (o - m < 8) {
    memcpy(o, m, 8);
    len -= o - m;
    o += o - m;
  }
  while (len > 0) {
    memcpy(o, m, 8);
    m += 8, o += 8, len -= 8;
  }
  return o[-8];
}

/* ---- C libraries --------------------------------------------------------------------------- */

FUNCTION(align_head, (u8 * d, const u8 *s, size_t n), (d, s, n)) {
  for (; (uintptr_t)s % 8 && n; n--)
    *d++ = *s++;
  for (; n >= 8; s += 8, d += 8, n -= 8)
    memcpy(d, s, 8);
  for (; n; n--)
    *d++ = *s++;
  return 0;
}
FUNCTION(bcopy_both, (u8 * d, const u8 *s, size_t n), (d, d + 5, n)) {
  if (d == s || n == 0)
    return 0;
  if (d < s) {
    while (n--)
      *d++ = *s++;
  } else {
    s += n;
    d += n;
    while (n--)
      *--d = *--s;
  }
  return 1;
}
FUNCTION(memset_words, (u8 * d, int c, size_t n), (d, 3, n)) {
  u64 v = (u8)c * 0x0101010101010101u;
  while (n && (uintptr_t)d & 7)
    *d++ = (u8)c, n--;
  u64 *w = (u64 *)d;
  while (n >= 8)
    *w++ = v, n -= 8;
  d = (u8 *)w;
  while (n)
    *d++ = (u8)c, n--;
  return 0;
}
INLINE(limited_name) {
  char *name = (char *)d;
  int len = (int)n, i;
  for (i = 0; i < len && i < 15; i++)
    name[i] = (char)s[i];
  name[i] = 0;
  return (u64)i;
}
INLINE(strn_pad) {
  u8 *o = d;
  int k = (int)(n & 15), i;
  for (i = 0; i < k; i++)
    o[i] = s[i];
  for (; i < 16; i++)
    o[i] = '\0';
  return o[3];
}
INLINE(digits_back) {
  char t[24];
  unsigned v = n * 7919u + call;
  int k = 0, i;
  do
    t[k++] = (char)('0' + v % 10);
  while ((v /= 10) != 0);
  for (i = 0; i < k; i++)
    d[i] = (u8)t[k - 1 - i];
  d[i] = 0;
  return d[0];
}
INLINE(path_join) {
  u8 *o = d;
  int len = (int)(n & 31), k = 3 + (s[0] & 7), i;
  for (i = 0; i < len; i++)
    o[i] = s[i];
  o[i++] = '/';
  for (int j = 0; j < k; j++)
    o[i++] = s[40 + j];
  o[i] = 0;
  return (u64)i;
}

/* ---- Packets and encoders ------------------------------------------------------------------ */

INLINE(labels) {
  u8 *o = d;
  const u8 *i = s;
  for (int k = 0; k < 3; k++) {
    unsigned len = 1 + (*i++ & 15);
    *o++ = (u8)len;
    while (len--)
      *o++ = *i++;
  }
  *o++ = 0;
  return (u64)(o - d) + n;
}
INLINE(options) {
  u8 *o = d;
  for (unsigned k = 0; k < 4; k++) {
    u8 len = s[k] & 7;
    *o++ = (u8)k;
    *o++ = len;
    for (u8 j = 0; j < len; j++)
      *o++ = s[8 * k + j];
  }
  return (u64)(o - d) + n;
}
INLINE(varint_string) {
  u8 *o = d;
  unsigned v = n;
  while (v > 127)
    *o++ = (u8)(v | 128), v >>= 7;
  *o++ = (u8)v;
  for (unsigned i = 0; i < n; i++)
    *o++ = s[i];
  return (u64)(o - d);
}
INLINE(pack_string) {
  u8 *o = d;
  unsigned len = n & 31;
  *o++ = (u8)(0xa0 | len);
  for (unsigned i = 0; i < len; i++)
    *o++ = s[i];
  return o[-1];
}
INLINE(addresses) {
  struct {
    u8 from[16], to[16];
    u16 port;
  } key;
  for (int i = 0; i < 16; i++) {
    key.from[i] = s[i];
    key.to[i] = s[i + 16];
  }
  key.port = (u16)n;
  u64 h = 0;
  for (int i = 0; i < 4; i++) {
    u64 w;
    memcpy(&w, (u8 *)&key + 8 * i, 8);
    h = (h ^ w) * 0x9e3779b97f4a7c15u;
  }
  return h + key.port;
}
INLINE(read_quick) {
  u8 b[32];
  unsigned len = 16 + (n & 15);
  for (unsigned i = 0; i < len; i++)
    b[i] = s[i];
  u32 x = 0;
  for (unsigned i = 0; i < 4; i++)
    x = x << 8 | b[4 * i];
  return x + b[len - 1];
}
INLINE(narrow_stores) {
  u8 b[64];
  for (unsigned i = 0; i < 16; i++) {
    u32 v = s[i] * 257u + call;
    b[4 * i] = (u8)v, b[4 * i + 1] = (u8)(v >> 8), b[4 * i + 2] = (u8)n, b[4 * i + 3] = 7;
  }
  unsigned len = 33 + (n & 31);
  u8 *o = d;
  for (unsigned i = 0; i < len && i < 64; i++)
    *o++ = b[i];
  return o[-1];
}

/* ---- Rings, queues, tables ----------------------------------------------------------------- */

INLINE(ring_two_parts) {
  enum { Size = 2048 };
  u8 *ring = a->d + 8192;
  unsigned at = a->to[call] * 2 % Size, first = Size - at < n ? Size - at : n;
  for (unsigned i = 0; i < first; i++)
    ring[at + i] = s[i];
  for (unsigned i = 0; i < n - first; i++)
    ring[i] = s[first + i];
  return ring[0];
}
INLINE(ring_wrap) {
  u8 *ring = a->d + 8192;
  unsigned head = a->to[call] & 255, k = n & 63;
  for (unsigned i = 0; i < k; i++) {
    ring[head] = s[i];
    if (++head == 256)
      head = 0;
  }
  return head;
}
INLINE(ring_objects) {
  void **ring = (void **)(a->d + 8192), **objects = (void **)a->s;
  unsigned size = 256, mask = size - 1, k = n >> 3, at = (unsigned)(a->to[call] & mask), i;
  if (at + k < size) {
    for (i = 0; i < (k & ~3u); i += 4, at += 4) {
      ring[at] = objects[i];
      ring[at + 1] = objects[i + 1];
      ring[at + 2] = objects[i + 2];
      ring[at + 3] = objects[i + 3];
    }
    for (; i < k; i++)
      ring[at++] = objects[i];
  } else
    for (i = 0; i < k; i++)
      ring[at++ & mask] = objects[i];
  return at;
}
INLINE(cache_pop) {
  void **out = (void **)d, **cache = (void **)a->s;
  unsigned len = 300, k = n / 8;
  for (unsigned i = 0; i < k; i++)
    out[i] = cache[--len];
  return len;
}
INLINE(shift_back) {
  struct entry {
    u64 key;
    u32 value, distance;
  } *t = (struct entry *)d;
  unsigned k = n / 16;
  for (unsigned i = s[0] & 3; i < k; i++)
    t[i] = t[i + 1];
  t[k].distance = 0;
  return t[0].value;
}
INLINE(clear_slots) {
  int *slot = (int *)d;
  int size = 1 << (2 + (n & 3));
  for (int i = 0; i < size; i++)
    slot[i] = -1;
  return (u64)slot[3];
}
INLINE(heap_remove) {
  u64 *v = (u64 *)d;
  int k = (int)(n / 8), at = k / 2;
  for (int i = at; i < k; i++)
    v[i] = v[i + 1];
  return v[at];
}
INLINE(tree_split) {
  u32 *left = (u32 *)d, *right = (u32 *)(d + 4096);
  const u32 *from = (const u32 *)s;
  int k = (int)(n / 4), half = k / 2;
  for (int i = 0; i < half; i++)
    left[i] = from[i];
  for (int i = half; i < k; i++)
    right[i - half] = from[i];
  return left[0] ^ right[0];
}
INLINE(arguments) {
  u64 *frame = (u64 *)d;
  const u64 *top = (const u64 *)s + 16;
  int have = (int)(n & 7), want = 6, i;
  for (i = 0; i < have && i < want; i++)
    frame[i] = top[i - have];
  for (; i < want; i++)
    frame[i] = 0;
  return frame[2];
}
INLINE(nil_frame) {
  struct value {
    u64 bits;
    int tag;
  } *v = (struct value *)d;
  int k = (int)(n & 7);
  for (int i = 0; i < k; i++)
    v[i].tag = 0;
  return (u64)v[0].tag;
}
INLINE(three_arrays) {
  u32 *x = (u32 *)d, *y = (u32 *)(d + 4096), *z = (u32 *)(d + 8192);
  const u32 *p = (const u32 *)s;
  unsigned k = n / 16;
  for (unsigned i = 0; i < k; i++) {
    x[i] = p[i];
    y[i] = p[i + 128];
    z[i] = p[i + 256];
  }
  return x[0] + y[0] + z[0];
}
INLINE(field_by_field) {
  struct point {
    float x, y, z;
  };
  struct point *to = (struct point *)d;
  const struct point *from = (const struct point *)s;
  int k = (int)(n / 12);
  for (int i = 0; i < k; i++) {
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
  }
  return d[0];
}

const struct program F(varied)[] = {
    WORDS(inflate_three) WORDS(slide_hash) WORDS(zmemcpy) WORDS(zmemzero) WORDS(wild_8)
        WORDS(wild_16) WORDS(wild_32) WORDS(sequences) WORDS(match_bytes) WORDS(snappy_tail)
            WORDS(align_head) WORDS(bcopy_both) WORDS(memset_words) WORDS(limited_name)
                WORDS(strn_pad) WORDS(digits_back) WORDS(path_join) WORDS(labels) WORDS(options)
                    WORDS(varint_string) WORDS(pack_string) WORDS(addresses) WORDS(read_quick)
                        WORDS(narrow_stores) WORDS(ring_two_parts) WORDS(ring_wrap)
                            WORDS(ring_objects) WORDS(cache_pop) WORDS(shift_back)
                                WORDS(clear_slots) WORDS(heap_remove) WORDS(tree_split)
                                    WORDS(arguments) WORDS(nil_frame) WORDS(three_arrays)
                                        WORDS(field_by_field){0}};
