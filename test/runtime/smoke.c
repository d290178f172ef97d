/* smoke.c - a self-checking program over the whole public API, in plain C for any target
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Freestanding (no libc) when SMOKE_FREESTANDING is defined; then smoke() is called by the
 * test's own start code. Returns 0, or the number of the check that failed.
 */
#include <memlift/async.h>
#include <memlift/local_store.h>
#include <memlift/stream.h>

#define SIZE 700

static unsigned char __attribute__((aligned(64))) from[SIZE + 64], to[SIZE + 64], big[600000],
    large[600000];

static unsigned char value(size_t i) { return (unsigned char)(i * 37 + (i >> 3) * 11 + 5); }

static void paint(unsigned char *bytes, size_t n) {
  for (volatile size_t i = 0; i < n; i = i + 1)
    bytes[i] = value(i);
}

/* Everything outside of [at, at + n) is still 0xC3. */
static int untouched(size_t at, size_t n) {
  for (size_t i = 0; i < sizeof to; i++)
    if ((i < at || i >= at + n) && to[i] != 0xC3)
      return 0;
  return 1;
}

static void clear(void) {
  for (volatile size_t i = 0; i < sizeof to; i = i + 1)
    to[i] = 0xC3;
}

static int check_copy(size_t n, size_t a, size_t b) {
  clear();
  memlift_copy(to + a, from + b, n);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != value(b + i))
      return 0;
  return untouched(a, n);
}

static unsigned char shadow[sizeof to];

static int check_forward(size_t step, size_t n, size_t a, size_t b) {
  paint(to, sizeof to);
  paint(shadow, sizeof shadow);
  memlift_copy_forward(to + a, to + b, step, n);
  for (size_t i = 0; i < n; i += step) {
    size_t part = n - i < step ? n - i : step;
    unsigned char one[16];
    for (size_t k = 0; k < part; k++)
      one[k] = shadow[b + i + k];
    for (size_t k = 0; k < part; k++)
      shadow[a + i + k] = one[k];
  }
  for (size_t i = 0; i < sizeof to; i++)
    if (to[i] != shadow[i])
      return 0;
  return 1;
}

static int check_move(size_t n, size_t a, size_t b) {
  paint(to, sizeof to);
  memlift_move(to + a, to + b, n);
  for (size_t i = 0; i < sizeof to; i++)
    if (to[i] != (i >= a && i < a + n ? value(b + i - a) : value(i)))
      return 0;
  return 1;
}

static int check_pattern(size_t n, size_t a, size_t period) {
  const uint64_t pattern = 0xf1e2d3c4b5a69788u;
  clear();
  memlift_fill_pattern(to + a, pattern, period, n);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != (unsigned char)(pattern >> (8 * (i % period))))
      return 0;
  return untouched(a, n);
}

static int check_pattern16(size_t n, size_t a, size_t period) {
  const uint64_t low = 0xf1e2d3c4b5a69788u, high = 0x0123456789abcdefu;
  clear();
  memlift_fill_pattern16(to + a, low, high, period, n);
  for (size_t i = 0, k = 0; i < n; i++, k = k + 1 == period ? 0 : k + 1)
    if (to[a + i] != (unsigned char)((k < 8 ? low : high) >> (8 * (k & 7))))
      return 0;
  return untouched(a, n);
}

static int check_swap(size_t n, size_t a, size_t b, size_t bytes) {
  size_t whole = n - n % bytes;
  clear();
  if (bytes == 2)
    memlift_copy_swap16(to + a, from + b, n);
  else if (bytes == 4)
    memlift_copy_swap32(to + a, from + b, n);
  else
    memlift_copy_swap64(to + a, from + b, n);
  for (size_t i = 0; i < whole; i++)
    if (to[a + i] != value(b + (i ^ (bytes - 1))))
      return 0;
  return untouched(a, whole);
}

static int check_reverse(size_t n, size_t a, size_t b, size_t bytes) {
  size_t whole = n - n % bytes;
  clear();
  if (bytes == 1)
    memlift_copy_reverse8(to + a, from + b, n);
  else if (bytes == 2)
    memlift_copy_reverse16(to + a, from + b, n);
  else if (bytes == 4)
    memlift_copy_reverse32(to + a, from + b, n);
  else
    memlift_copy_reverse64(to + a, from + b, n);
  for (size_t i = 0; i < whole; i++)
    if (to[a + i] != value(b + whole - bytes - i / bytes * bytes + i % bytes))
      return 0;
  return untouched(a, whole);
}

/* Three rows of n bytes, up to 100, from the last one up. */
static int check_rows(size_t n, size_t a, size_t b) {
  const ptrdiff_t pitch = 120;
  clear();
  memlift_copy_2d(to + a + 240, -pitch, from + b, pitch, n, 3);
  memlift_move_2d(to + a, pitch, to + a + 120, pitch, n, 2);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != value(b + 120 + i) || to[a + 120 + i] != value(b + i))
      return 0;
  memlift_fill_2d(to + a, pitch, 0x030201, 3, n, 3);
  for (size_t y = 0; y < 3; y++)
    for (size_t i = 0; i < 120; i++)
      if (to[a + 120 * y + i] != (i < n ? i % 3 + 1 : 0xC3))
        return 0;
  return 1;
}

/* value's own bytes in memory, again and again */
static int repeats(const void *bytes, size_t size, size_t n, size_t a) {
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != ((const unsigned char *)bytes)[i % size])
      return 0;
  return untouched(a, n);
}

/* a and b are multiples of 8, and the arrays of 64. */
static int check_aligned(size_t n, size_t a, size_t b) {
  const uint64_t pattern = 0xf1e2d3c4b5a69788u;
  const int lines = (a | b) % 64 == 0;
  clear();
  (lines ? memlift_copy_a64 : memlift_copy_a8)(to + a, from + b, n);
  for (size_t i = 0; i < n; i++)
    if (to[a + i] != value(b + i))
      return 0;
  if (!untouched(a, n))
    return 0;
  clear(), (lines ? memlift_fill64_a64 : memlift_fill64_a8)(to + a, pattern, n);
  return repeats(&pattern, 8, n, a);
}

static int check_fills(size_t n, size_t a) {
  const uint8_t v8 = 0x9d;
  const uint16_t v16 = 0x9d81;
  const uint32_t v32 = 0x9d81f273;
  const uint64_t v64 = 0x9d81f273c4b5a697u;
  int good;
  clear(), memlift_fill8(to + a, v8, n), good = repeats(&v8, 1, n, a);
  clear(), memlift_fill16(to + a, v16, n), good &= repeats(&v16, 2, n, a);
  clear(), memlift_fill32(to + a, v32, n), good &= repeats(&v32, 4, n, a);
  clear(), memlift_fill64(to + a, v64, n), good &= repeats(&v64, 8, n, a);
  return good;
}

/* Zeros may go by blocks of up to 4 KiB: none may reach beyond the region. */
static int check_zeros(size_t n, size_t a) {
  const size_t all = n + a + 4200;
  for (volatile size_t i = 0; i < all; i = i + 1)
    large[i] = 0xC3;
  memlift_fill64(large + a, 0, n);
  for (size_t i = 0; i < all; i++)
    if (large[i] != (i < a || i >= a + n ? 0xC3 : 0))
      return 0;
  return 1;
}

static int check_blocks(void) {
  for (size_t n = 100; n <= 21000; n += 100 + n / 3)
    for (size_t a = 4096; a < 4096 + 300; a += 37)
      if (!check_zeros(n, a) || !check_zeros(n + a % 64, 2 * a))
        return 0;
  return 1;
}

static int check_large(void) {
  paint(big, sizeof big);
  memlift_copy(large + 3, big + 8, sizeof big - 8);
  for (size_t i = 0; i < sizeof big - 8; i++)
    if (large[3 + i] != value(8 + i))
      return 0;
  memlift_fill32(large + 1, 0x01010101, sizeof large - 1);
  for (size_t i = 1; i < sizeof large; i++)
    if (large[i] != 1)
      return 0;
  return 1;
}

/* The word of `size` bytes at p as this machine reads it. */
static uint64_t word_at(const unsigned char *p, size_t size, int swapped) {
  const uint16_t probe = 1;
  int low_first = *(const unsigned char *)&probe ^ swapped;
  uint64_t word = 0;
  for (size_t i = 0; i < size; i++)
    word = word << 8 | p[low_first ? size - 1 - i : i];
  return word;
}

/* Plain and weighted sum of n bytes as words. */
static uint64_t plain(const unsigned char *p, size_t n, size_t size, int swapped, int weighted) {
  uint64_t a = 0, b = 0;
  for (size_t i = 0; i + size <= n; i += size)
    b += a += word_at(p + i, size, swapped);
  return weighted ? b : a;
}

static uint64_t plain_signed(const unsigned char *p, size_t n, size_t size) {
  uint64_t a = 0, top = (uint64_t)1 << (8 * size - 1);
  for (size_t i = 0; i + size <= n; i += size)
    a += (word_at(p + i, size, 0) ^ top) - top;
  return a;
}

static int check_sums(const unsigned char *p, size_t n) {
  return memlift_sum_u8(p, n) == plain(p, n, 1, 0, 0) &&
         memlift_sum_u16(p, n) == plain(p, n, 2, 0, 0) &&
         memlift_sum_u32(p, n) == plain(p, n, 4, 0, 0) &&
         memlift_sum_low_u32(p, n) == (uint32_t)plain(p, n, 4, 0, 0) &&
         memlift_sum_u64(p, n) == plain(p, n, 8, 0, 0) &&
         memlift_sum_s8(p, n) == plain_signed(p, n, 1) &&
         memlift_sum_s16(p, n) == plain_signed(p, n, 2) &&
         memlift_sum_s32(p, n) == plain_signed(p, n, 4) &&
         memlift_sum_swap_u16(p, n) == plain(p, n, 2, 1, 0) &&
         memlift_sum_swap_u32(p, n) == plain(p, n, 4, 1, 0) &&
         memlift_sum_swap_u64(p, n) == plain(p, n, 8, 1, 0) &&
         (uint16_t)memlift_sum_swap_s16(p, n) == (uint16_t)plain(p, n, 2, 1, 0) &&
         (uint32_t)memlift_sum_swap_s32(p, n) == (uint32_t)plain(p, n, 4, 1, 0) &&
         memlift_wsum_u8(p, n) == plain(p, n, 1, 0, 1) &&
         memlift_wsum_u16(p, n) == plain(p, n, 2, 0, 1) &&
         memlift_wsum_u32(p, n) == plain(p, n, 4, 0, 1) &&
         memlift_wsum_u64(p, n) == plain(p, n, 8, 0, 1);
}

/* Fletcher-32 and Adler-32, reduced at each word. */
static int check_modsum(const unsigned char *p, size_t n) {
  uint64_t a = 7, b = 9, c = 65535, d = 65535;
  for (size_t i = 0; i < n; i++)
    a = (a + p[i]) % 65521, b = (b + a) % 65521;
  for (size_t i = 0; i + 2 <= n; i += 2) {
    c = (c + word_at(p + i, 2, 0) - 1) % 65535 + 1;
    d = (d + c - 1) % 65535 + 1;
  }
  return memlift_modsum_u8(p, n, (uint64_t)9 << 32 | 7, 65521, 0) == (b << 32 | a) &&
         memlift_modsum_u16(p, n, (uint64_t)65535 << 32 | 65535, 65535, MEMLIFT_MODSUM_FOLD) ==
             (d << 32 | c);
}

static int check_search(const unsigned char *p, size_t n) {
  size_t first = 0, other = 0, count = 0;
  unsigned char c = n ? p[n / 2] : 0;
  for (size_t i = 0; i < n; i++)
    count += p[i] == c;
  while (first < n && p[first] != c)
    first++;
  while (other < n && p[other] == c)
    other++;
  return memlift_find_u8(p, n, c) == first && memlift_find_not_u8(p, n, c) == other &&
         memlift_find_any_u8(p, n, c * 0x01010101u) == first && memlift_mismatch_u8(p, p, n) == n &&
         memlift_mismatch_or_u8(p, p, n, c) == first && memlift_count_u8(p, n, c) == count &&
         (n == 0 || p[n - 1 - memlift_find_last_u8(p, n, c)] == c);
}

static int check_xor(const unsigned char *p, size_t n) {
  uint64_t x[9] = {0};
  for (size_t size = 1; size <= 8; size *= 2)
    for (size_t i = 0; i + size <= n; i += size)
      x[size] ^= word_at(p + i, size, 0);
  return memlift_xor_u8(p, n) == x[1] && memlift_xor_u16(p, n) == x[2] &&
         memlift_xor_u32(p, n) == x[4] && memlift_xor_u64(p, n) == x[8];
}

static int check_inet(const unsigned char *p, size_t n) {
  uint64_t sum = 0x1ffff + plain(p, n, 2, 0, 0), hash = 5;
  if (n % 2) {
    unsigned char last[2] = {p[n - 1], 0};
    sum += word_at(last, 2, 0);
  }
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  for (size_t i = 0; i < n; i++)
    hash = hash * 31 + p[i];
  return memlift_inet_sum(p, n, 0x1ffff) == sum &&
         memlift_copy_inet_sum(to, p, n, 0x1ffff) == sum &&
         memlift_copy_sum_u16(to, p, n) == memlift_sum_u16(p, n) &&
         (n == 0 || to[n / 2] == p[n / 2]) && memlift_polyhash_u8(p, n, 5, 31) == hash;
}

/* Each carry out of the top is added at the bottom. */
static int check_ones(const unsigned char *p, size_t n) {
  uint64_t sum = 0xfffffffeu, wide = ~(uint64_t)0 - 1;
  for (size_t i = 0; i + 4 <= n; i += 4) {
    sum += word_at(p + i, 4, 0);
    sum = (sum & 0xffffffff) + (sum >> 32);
  }
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t word = word_at(p + i, 8, 0);
    wide += word;
    wide += wide < word;
  }
  return memlift_ones_sum_u32(p, n, 0xfffffffe) == sum &&
         memlift_ones_sum_u64(p, n, ~(uint64_t)0 - 1) == wide;
}

/* The register bit by bit. */
static uint64_t shift_register(uint64_t c, unsigned byte, const struct memlift_crc_poly *t) {
  for (int i = 0; i < 8; i++)
    if (t->reflected)
      c = (c >> 1) ^ (((c ^ byte >> i) & 1) ? t->poly : 0);
    else
      c = ((c << 1) ^ (((c >> (t->width - 1) ^ byte >> (7 - i)) & 1) ? t->poly : 0)) &
          ~(uint64_t)0 >> (64 - t->width);
  return c;
}

/* Every length, each time one byte more than the last, at all alignments. */
static int check_crc_lengths(uint32_t width, uint32_t reflected, uint64_t poly) {
  static struct memlift_crc_poly t;
  t.width = width, t.reflected = reflected, t.poly = poly;
  memlift_crc_init(&t);
  for (size_t a = 0; a < 16; a++) {
    uint64_t expected = 5;
    for (size_t n = 0; n <= 300; n++) {
      if (memlift_crc(5, from + a, n, &t) != expected)
        return 0;
      expected = shift_register(expected, from[a + n], &t);
    }
  }
  return 1;
}

static int check_crcs(void) {
  return check_crc_lengths(32, 1, 0xedb88320) && check_crc_lengths(32, 1, 0x82f63b78) &&
         check_crc_lengths(32, 0, 0x04c11db7) && check_crc_lengths(8, 1, 0x8c) &&
         check_crc_lengths(8, 0, 0x07) && check_crc_lengths(15, 0, 0x4599) &&
         check_crc_lengths(16, 1, 0xa001) && check_crc_lengths(24, 0, 0x864cfb) &&
         check_crc_lengths(53, 1, 0x1b3d4f60718293) &&
         check_crc_lengths(64, 1, 0xc96c5795d7870f42u) &&
         check_crc_lengths(64, 0, 0x42f0e1eba9ea3693u);
}

/* Check values of CRC-32, CRC-16/XMODEM, CRC-64/XZ; a CRC in two parts. */
static int check_crc(void) {
  static struct memlift_crc_poly crc32 = {32, 1, 0xedb88320, {{0}}, {{0}}};
  static struct memlift_crc_poly xmodem = {16, 0, 0x1021, {{0}}, {{0}}};
  static struct memlift_crc_poly xz = {64, 1, 0xc96c5795d7870f42u, {{0}}, {{0}}};
  memlift_crc_init(&crc32), memlift_crc_init(&xmodem), memlift_crc_init(&xz);
  uint64_t part = memlift_crc(7, from + 1, 123, &crc32);
  return memlift_crc(0xffffffff, "123456789", 9, &crc32) == (0xcbf43926 ^ 0xffffffff) &&
         memlift_crc(0, "123456789", 9, &xmodem) == 0x31c3 &&
         ~memlift_crc(~(uint64_t)0, "123456789", 9, &xz) == 0x995dc9bbdf1939fau &&
         memlift_crc(part, from + 124, 300, &crc32) == memlift_crc(7, from + 1, 423, &crc32);
}

/* A get, a put, and a loop that goes through a local store if an engine is in use. */
static int check_store(void) {
  static struct memlift_local_store store;
  static unsigned char memory[4096 + 64];
  const struct memlift_stream_plan plan = {1, 0, 0};
  struct memlift_stream_access access = {to, 1, 1, MEMLIFT_STREAM_OUT, 0};
  struct memlift_stream stream;
  struct memlift_stream_shift shift;
  if (memlift_store_bind(&store, memory, sizeof memory, 0) != MEMLIFT_OK)
    return 0;
  unsigned char *local = memlift_store_alloc(1000, 256);
  if (!local || memlift_get(local + 1, from + 3, 300, 0) != MEMLIFT_OK ||
      memlift_tag_fence(0) != MEMLIFT_OK || memlift_put(to + 5, local + 1, 300, 0) != MEMLIFT_OK ||
      memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL) != MEMLIFT_OK)
    return 0;
  for (size_t i = 0; i < 300; i++)
    if (to[5 + i] != from[3 + i])
      return 0;
  memlift_stream_begin(&stream, &plan, &access, SIZE);
  for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, &shift)) != 0; t += m)
    for (uint64_t j = t; j < t + m; j++)
      *(unsigned char *)((uintptr_t)(to + j) + (uintptr_t)shift.delta) = (unsigned char)(j * 3);
  memlift_stream_end(&stream);
  for (size_t i = 0; i < SIZE; i++)
    if (to[i] != (unsigned char)(i * 3))
      return 0;
  return memlift_store_unbind() == MEMLIFT_OK;
}

/* One of each kind, the second after the first: by whatever engine there is. */
static int check_async(void) {
  memlift_token none = {0}, copy, fill, sum;
  uint32_t inet = 0, wanted = memlift_inet_sum(from + 1, 300, 7);
  if (memlift_submit_copy(to, from, 300, none, &copy) != MEMLIFT_OK ||
      memlift_submit_fill(to + 5, 0xa5a4a3a2a1, 5, 100, copy, &fill) != MEMLIFT_OK ||
      memlift_submit_copy_inet_sum(to + 400, from + 1, 300, 7, &inet, fill, &sum) != MEMLIFT_OK ||
      memlift_submit_fill(to, 0, 9, 100, none, &copy) != MEMLIFT_INVALID_ARGUMENT)
    return 0;
  if (memlift_wait(sum, UINT64_MAX) != MEMLIFT_OK || memlift_wait(copy, 1000) != MEMLIFT_OK ||
      memlift_try_wait(fill) != MEMLIFT_OK || inet != wanted)
    return 0;
  for (size_t i = 0; i < 300; i++) {
    unsigned char v = i < 5 || i >= 105 ? from[i] : (unsigned char)(0xa1 + (i - 5) % 5);
    if (to[i] != v || to[400 + i] != from[1 + i])
      return 0;
  }
  return 1;
}

int smoke(void);
int smoke(void) {
  paint(from, sizeof from);
  for (size_t n = 0; n <= SIZE - 40; n += n < 80 ? 1 : 37)
    for (size_t a = 0; a < 17; a += 1 + (n & 1)) {
      if (a % 8 == 0 &&
          (!check_aligned(n, a, 0) || !check_aligned(n, a, 8) || !check_aligned(n, 0, 0)))
        return 10;
      for (size_t b = 0; b < 9; b++)
        if (!check_copy(n, a, b) || !check_move(n, a, b) || !check_move(n, b, a) ||
            !check_forward(1 + (n + b) % 16, n, a, b))
          return 1;
      for (size_t period = 1; period <= 8; period++)
        if (!check_pattern(n, a, period))
          return 2;
      for (size_t period = 9; period <= 16; period++)
        if (!check_pattern16(n, a, period))
          return 2;
      for (size_t bytes = 2; bytes <= 8; bytes *= 2)
        if (!check_swap(n, a, a % 5, bytes) || !check_swap(n, 8, 16, bytes))
          return 7;
      for (size_t bytes = 1; bytes <= 8; bytes *= 2)
        if (!check_reverse(n, a, a % 5, bytes))
          return 9;
      if (n <= 100 && !check_rows(n, a, a % 7))
        return 8;
      if (!check_fills(n, a))
        return 3;
      if (!check_sums(from + a, n) || !check_inet(from + a, n) || !check_ones(from + a, n) ||
          !check_modsum(from + a, n) || !check_xor(from + a, n) || !check_search(from + a, n))
        return 5;
    }
  if (!check_crc() || !check_crcs())
    return 6;
  if (!check_blocks())
    return 9;
  if (!check_async())
    return 11;
  if (!check_store())
    return 12;
  return check_large() ? 0 : 4;
}

#if !defined(SMOKE_FREESTANDING)
#include <stdio.h>

int main(void) {
  int failed = smoke();
  printf("libmemlift %s: %s\n", memlift_version_string(), failed ? "FAILED" : "ok");
  return failed;
}
#endif
