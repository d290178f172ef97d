// shapes.c - rows with a pitch, turned bytes, and copies of parts: what is lowered, what only named
#include "parity.h"

#include <arpa/inet.h>
#include <string.h>

// ---- Words with their bytes turned ----

PARITY(swap_words, "copy_swap lowered")
void swap_words(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = __builtin_bswap32(s[i]);
}

PARITY(swap_in_place, "copy_swap lowered")
void swap_in_place(u32 *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = __builtin_bswap32(p[i]);
}

PARITY(swap_wide, "copy_swap guarded")
void swap_wide(u64 *d, const u64 *s, size_t n) {
  while (n--)
    *d++ = __builtin_bswap64(*s++);
}

PARITY(swap_halves_by_shift, "copy_swap guarded")
void swap_halves_by_shift(u16 *d, const u16 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u16)(s[i] << 8 | s[i] >> 8);
}

PARITY(swap_by_masks, "copy_swap lowered")
void swap_by_masks(u32 *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    u32 v = p[i];
    p[i] = (v & 0xff) << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
  }
}

PARITY(swap_pixels_in_place, "copy_swap lowered")
void swap_pixels_in_place(u8 *p, size_t n) {
  for (size_t i = 0; i < n; i++, p += 2) {
    u8 a = *p;
    *p = *(p + 1);
    *(p + 1) = a;
  }
}

PARITY(host_to_net, "copy_swap guarded")
void host_to_net(u16 *d, const u16 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = htons(s[i]);
}

PARITY(net_to_host, "copy_swap lowered")
void net_to_host(u32 *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = ntohl(p[i]);
}

// As libraries of hash functions write and read their words.
PARITY(encode_words, "copy_swap lowered")
void encode_words(u8 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[4 * i + 0] = (u8)(s[i] >> 24);
    d[4 * i + 1] = (u8)(s[i] >> 16);
    d[4 * i + 2] = (u8)(s[i] >> 8);
    d[4 * i + 3] = (u8)s[i];
  }
}

PARITY(decode_words, "copy_swap lowered")
void decode_words(u32 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++, s += 4)
    d[i] = (u32)s[0] << 24 | (u32)s[1] << 16 | (u32)s[2] << 8 | s[3];
}

PARITY(decode_halves, "copy_swap guarded")
void decode_halves(u16 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u16)(s[2 * i] << 8 | s[2 * i + 1]);
}

static u64 load_be64(const u8 *p) {
  u64 v;
  memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}

PARITY(load_be, "copy_swap guarded")
void load_be(u64 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = load_be64(s + 8 * i);
}

// The other byte order is a plain copy.
PARITY(encode_little, "copy lowered")
void encode_little(u8 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[4 * i + 0] = (u8)s[i];
    d[4 * i + 1] = (u8)(s[i] >> 8);
    d[4 * i + 2] = (u8)(s[i] >> 16);
    d[4 * i + 3] = (u8)(s[i] >> 24);
  }
}

// Signed numbers are shifted with their signs, of which no byte is written.
PARITY(encode_signed, "copy_swap lowered")
void encode_signed(u8 *restrict d, const int16_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = (u8)(s[i] >> 8);
    d[2 * i + 1] = (u8)s[i];
  }
}

PARITY(encode_signed_little, "copy lowered")
void encode_signed_little(u8 *restrict d, const int *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[4 * i + 3] = (u8)(s[i] >> 24);
    d[4 * i + 2] = (u8)(s[i] >> 16);
    d[4 * i + 1] = (u8)(s[i] >> 8);
    d[4 * i] = (u8)s[i];
  }
}

PARITY(encode_sign, "none kept MLF2024")
void encode_sign(u8 *restrict d, const int16_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = (u8)(s[i] >> 15);
    d[2 * i + 1] = (u8)s[i];
  }
}

PARITY(encode_widened, "none kept MLF2024")
void encode_widened(u8 *restrict d, const int16_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int wide = s[i];
    d[4 * i + 3] = (u8)(wide >> 24);
    d[4 * i + 2] = (u8)(wide >> 16);
    d[4 * i + 1] = (u8)(wide >> 8);
    d[4 * i] = (u8)wide;
  }
}

PARITY(decode_little, "copy lowered")
void decode_little(u64 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++, s += 8)
    d[i] = (u64)s[0] | (u64)s[1] << 8 | (u64)s[2] << 16 | (u64)s[3] << 24 |
           (u64)s[4] << 32 | (u64)s[5] << 40 | (u64)s[6] << 48 | (u64)s[7] << 56;
}

// Bytes that are shifted as int are extended by a sign that they cannot have.
PARITY(decode_mixed, "copy_swap guarded")
void decode_mixed(u64 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++, s += 8)
    d[i] = (u64)s[0] << 56 | (u64)s[1] << 48 | (u64)s[2] << 40 | (u64)s[3] << 32 |
           (u64)s[4] << 24 | s[5] << 16 | s[6] << 8 | s[7];
}

PARITY(decode_mixed_little, "move lowered")
void decode_mixed_little(u64 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++, s += 8)
    d[i] = (u64)s[7] << 56 | (u64)s[6] << 48 | (u64)s[5] << 40 | (u64)s[4] << 32 |
           (u64)s[3] << 24 | s[2] << 16 | s[1] << 8 | s[0];
}

// One that reaches the sign of an int fills the upper half with it.
PARITY(decode_by_sign, "none kept MLF2024")
void decode_by_sign(u64 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++, s += 8)
    d[i] = (u64)s[0] << 56 | (u64)s[1] << 48 | (u64)s[2] << 40 | (u64)s[3] << 32 |
           (u64)(int)((unsigned)s[4] << 24) | s[5] << 16 | s[6] << 8 | s[7];
}

PARITY(rotated_words, "copy kept MLF2030")
void rotated_words(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] << 16 | s[i] >> 16;
}

PARITY(rotated_by_seven, "none kept MLF2024")
void rotated_by_seven(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i] << 7 | s[i] >> 25;
}

// ---- Rows ----

PARITY(fill_window, "fill lowered")
void fill_window(u32 *d, size_t h, size_t w, size_t stride, u32 v) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * stride + x] = v;
}

PARITY(clear_lines, "fill lowered")
void clear_lines(u8 *d, int h, size_t w, ptrdiff_t pitch) {
  for (int y = 0; y < h; y++) {
    memset(d, 0, w);
    d += pitch;
  }
}

PARITY(copy_window, "copy lowered")
void copy_window(u8 *restrict d, size_t dp, const u8 *restrict s, size_t sp, size_t w, size_t h) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * dp + x] = s[y * sp + x];
}

PARITY(copy_lines, "move lowered")
void copy_lines(u8 *d, ptrdiff_t dp, const u8 *s, ptrdiff_t sp, size_t w, int h) {
  for (int y = 0; y < h; y++) {
    memcpy(d, s, w);
    d += dp;
    s += sp;
  }
}

PARITY(move_lines, "move lowered")
void move_lines(u8 *d, ptrdiff_t dp, const u8 *s, ptrdiff_t sp, size_t w, int h) {
  while (h--) {
    memmove(d, s, w);
    d += dp;
    s += sp;
  }
}

PARITY(copy_lines_restrict, "copy lowered")
void copy_lines_restrict(u8 *restrict d, size_t dp, const u8 *restrict s, size_t sp, size_t w,
                         size_t h) {
  for (size_t y = 0; y < h; y++)
    memcpy(d + y * dp, s + y * sp, w);
}

PARITY(same_pitch, "move guarded")
void same_pitch(u16 *d, const u16 *s, size_t w, size_t h, size_t stride) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * stride + x] = s[y * stride + x];
}

PARITY(pack_lines, "copy lowered")
void pack_lines(u8 *restrict d, const u8 *restrict s, size_t w, size_t h, size_t pitch) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * w + x] = s[y * pitch + x];
}

// Two pitches, and the regions may meet: each row is guarded by itself.
PARITY(two_pitches, "move lowered")
void two_pitches(u8 *d, size_t dp, const u8 *s, size_t sp, size_t w, size_t h) {
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      d[y * dp + x] = s[y * sp + x];
}

PARITY(int_strides, "move lowered")
void int_strides(u8 *d, int dp, const u8 *s, int sp, int w, int h) {
  for (int y = 0; y < h; y++)
    memcpy(d + y * dp, s + y * sp, w);
}

PARITY(fill_rectangle, "fill lowered")
void fill_rectangle(u32 *frame, int pitch, int left, int top, int w, int h, u32 colour) {
  for (int y = top; y < top + h; y++)
    for (int x = left; x < left + w; x++)
      frame[y * pitch + x] = colour;
}

PARITY(line_pointers, "fill lowered")
void line_pointers(u8 *base, size_t pitch, size_t w, int h) {
  for (int y = 0; y < h; y++) {
    u16 *line = (u16 *)(base + (size_t)y * pitch);
    for (size_t x = 0; x < w; x++)
      line[x] = 0xf800;
  }
}

PARITY(clear_if_any, "fill lowered")
void clear_if_any(u32 *d, size_t pitch, size_t w, int h) {
  while (h--) {
    if (w)
      memset(d, 0xff, 4 * w);
    d += pitch;
  }
}

PARITY(scroll, "move lowered")
u8 screen[25][160];
void scroll(void) {
  for (int y = 0; y < 24; y++)
    memcpy(screen[y], screen[y + 1], 160);
}

// ---- Structures ----

PARITY(every_field_copied, "copy lowered")
struct point { u32 x, y; u64 mass; };
void every_field_copied(struct point *restrict d, const struct point *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].x = s[i].x;
    d[i].y = s[i].y;
    d[i].mass = s[i].mass;
  }
}

PARITY(three_bytes_copied, "copy lowered")
struct rgb { u8 r, g, b; };
void three_bytes_copied(struct rgb *restrict d, const struct rgb *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].r = s[i].r;
    d[i].g = s[i].g;
    d[i].b = s[i].b;
  }
}

PARITY(rgb_assigned, "move guarded")
void rgb_assigned(struct rgb *d, const struct rgb *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(flags_copied, "move lowered")
void flags_copied(_Bool *d, const _Bool *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(unrolled_four, "copy lowered")
void unrolled_four(u32 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = n / 4; i; i--) {
    d[0] = s[0];
    d[1] = s[1];
    d[2] = s[2];
    d[3] = s[3];
    d += 4;
    s += 4;
  }
}

PARITY(unrolled_eight_postfix, "copy lowered")
void unrolled_eight_postfix(u8 *restrict d, const u8 *restrict s, size_t n) {
  while (n >= 8) {
    *d++ = *s++; *d++ = *s++; *d++ = *s++; *d++ = *s++;
    *d++ = *s++; *d++ = *s++; *d++ = *s++; *d++ = *s++;
    n -= 8;
  }
}

PARITY(from_the_end, "move guarded")
void from_the_end(u64 *d, const u64 *s, size_t n) {
  while (n--)
    d[n] = s[n];
}

PARITY(struct_from_the_end, "move guarded")
void struct_from_the_end(struct point *d, const struct point *s, size_t n) {
  for (size_t i = n; i-- > 0;)
    d[i] = s[i];
}

// ---- Named, and kept ----

PARITY(padded_copied, "copy kept MLF2021")
struct padded { u64 a; u32 b; };
void padded_copied(struct padded *restrict d, const struct padded *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].a = s[i].a;
    d[i].b = s[i].b;
  }
}

PARITY(one_channel, "copy kept MLF2021")
void one_channel(u8 *restrict d, const u8 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[4 * i] = s[4 * i];
}

PARITY(gather_field, "copy kept MLF2030")
void gather_field(u32 *restrict d, const struct point *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i].y;
}

PARITY(scatter_field, "copy kept MLF2021")
void scatter_field(struct point *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i].y = s[i];
}

PARITY(interleave, "copy kept MLF2030")
void interleave(u8 *restrict d, const u8 *restrict l, const u8 *restrict r, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[2 * i] = l[i];
    d[2 * i + 1] = r[i];
  }
}

PARITY(rgb_to_bgr, "copy kept MLF2030")
void rgb_to_bgr(struct rgb *restrict d, const struct rgb *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i].r = s[i].b;
    d[i].g = s[i].g;
    d[i].b = s[i].r;
  }
}

PARITY(reversed_words, "copy_reverse lowered")
PARITY_BUT(reversed_words, "clang-19", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
PARITY_BUT(reversed_words, "clang-22", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
void reversed_words(u32 *restrict d, const u32 *restrict s, long n) {
  for (long i = 0; i < n; i++)
    d[i] = s[n - 1 - i];
}

PARITY(reversed_bytes, "copy_reverse guarded")
PARITY_BUT(reversed_bytes, "clang-19", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
PARITY_BUT(reversed_bytes, "clang-22", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
void reversed_bytes(u8 *d, const u8 *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[n - 1 - i];
}

PARITY(reversed_down, "copy_reverse guarded")
PARITY_BUT(reversed_down, "clang-19", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
PARITY_BUT(reversed_down, "clang-22", "copy_reverse kept MLF3021", "clang makes vectors of it, at short lengths, too")
void reversed_down(u64 *d, const u64 *s, size_t n) {
  while (n--)
    d[n] = *s++;
}

// Squashfs: numbers in the other byte order.
PARITY(reversed_word, "copy_reverse guarded")
void reversed_word(void *from, void *to) {
  u8 *s = from, *d = to;
  for (int i = 0; i < 8; i++)
    d[i] = s[7 - i];
}

PARITY(reversed_apart, "copy_reverse inlined")
void reversed_apart(u8 *restrict d, const u8 *restrict s) {
  for (int i = 0; i < 4; i++)
    d[i] = s[3 - i];
}

PARITY(widened_signed, "copy kept MLF2070")
void widened_signed(int *restrict d, const int16_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

PARITY(narrowed, "copy kept MLF2030")
void narrowed(u8 *restrict d, const u32 *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = (u8)s[i];
}

PARITY(long_doubles, "move kept MLF2027")
void long_doubles(long double *d, const long double *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
