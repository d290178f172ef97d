// check.c - every kernel gives what its loop gives: at alignments and lengths, beside bytes that
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// must stay. Prints "KERNEL CASES" a line, or the first case that differs. Lengths 0 to MOST;
// above DENSE only each STEPth and its neighbours. Runs on the simulators and under Linux (qemu).
#include "io.h"
#include "kernels.h"

#ifndef MOST
#define MOST 300
#endif
#ifndef DENSE
#define DENSE 24
#endif
#ifndef STEP
#define STEP 64
#endif

// Buffers are looked at in words, as simulated cycles are dear.
enum { Around = 16, Room = (2 * Around + MOST + 16) / 8 * 8, Words = Room / 8 };
typedef union {
  unsigned char bytes[Room];
  uint64_t words[Words];
} buffer;
static buffer source __attribute__((aligned(64)));
static buffer got __attribute__((aligned(64)));
static buffer expected __attribute__((aligned(64)));
static buffer old; // what the destination holds before the call

static int looked_at(size_t n) { return n <= DENSE || n == MOST || (n + 1) % STEP < 3; }

static int wrong(const char *name, size_t n, unsigned d, unsigned s) {
  put(name);
  put(": wrong at bytes, destination, source:");
  uint64_t numbers[] = {n, d, s};
  for (int i = 0; i < 3; ++i)
    put(" "), put_number(numbers[i]);
  put("\n");
  return 1;
}

/// Words of the buffers that a call of n bytes could touch, and some.
static size_t words_of(size_t n) { return (2 * Around + n + 8) / 8; }

static void prepare(const buffer *from, size_t n) {
  for (size_t i = 0; i < words_of(n); ++i)
    expected.words[i] = got.words[i] = from->words[i];
}

static int differs(size_t n) {
  uint64_t bits = 0;
  for (size_t i = 0; i < words_of(n); ++i)
    bits |= got.words[i] ^ expected.words[i];
  return bits != 0;
}

static int check_copy(const char *name, void (*f)(unsigned char *, const unsigned char *, size_t),
                      size_t n, unsigned d, unsigned s) {
  prepare(&old, n);
  for (size_t i = 0; i < n; ++i)
    expected.bytes[Around + d + i] = source.bytes[Around + s + i];
  f(got.bytes + Around + d, source.bytes + Around + s, n);
  return differs(n) && wrong(name, n, d, s);
}

static int check_fill(size_t n, unsigned d) {
  prepare(&old, n);
  for (size_t i = 0; i < n; ++i)
    expected.bytes[Around + d + i] = (unsigned char)n;
  k_fill(got.bytes + Around + d, (int)(0x100 + n), n);
  return differs(n) && wrong("fill", n, d, 0);
}

/// Checks copies within one buffer, at any distance: the loop goes upwards, byte by byte, or
/// downwards.
static int check_overlap(size_t n, unsigned d, unsigned s, int down) {
  prepare(&source, n + 24);
  volatile unsigned char *byte = expected.bytes; // no compiler's idea of a loop
  for (size_t i = 0; i < n; ++i) {
    size_t at = down ? n - 1 - i : i;
    byte[d + at] = byte[s + at];
  }
  (down ? k_copy_down : k_copy)(got.bytes + d, got.bytes + s, n);
  return differs(n + 24) && wrong(down ? "overlap down" : "overlap", n, d, s);
}

static int check_sum(const char *name, unsigned (*f)(const unsigned char *, size_t), size_t n,
                     unsigned s) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += (uint64_t)source.bytes[Around + s + i] << (i % 2 ? 0 : 8);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return f(source.bytes + Around + s, n) == (~sum & 0xffff) ? 0 : wrong(name, n, 0, s);
}

static void count(const char *name, uint64_t cases) {
  put(name);
  put(" ");
  put_number(cases);
  put("\n");
}

static int all_copies(void) {
  uint64_t cases = 0;
  for (size_t n = 0; n <= MOST; ++n)
    for (unsigned at = 0; at < 64 && looked_at(n); ++at, ++cases)
      if (check_copy("copy", k_copy, n, at / 8, at % 8) ||
          check_copy("copy_restrict", k_copy_restrict, n, at / 8, at % 8) ||
          check_copy("copy_down", k_copy_down, n, at / 8, at % 8))
        return 1;
  count("copy", cases);
  return 0;
}

static int all_overlaps(void) {
  static const unsigned char lengths[] = {0, 1, 7, 8, 16, 31, 65, 127};
  uint64_t cases = 0;
  for (size_t i = 0; i < sizeof lengths; ++i)
    for (unsigned d = 0; d < 40; d += d < 10 ? 1 : 7)
      for (unsigned s = 0; s < 40; s += s < 18 ? 1 : 7, ++cases)
        if (check_overlap(lengths[i], d, s, 0) || check_overlap(lengths[i], d, s, 1))
          return 1;
  count("overlap", cases);
  return 0;
}

static int all_fills(void) {
  uint64_t cases = 0;
  for (size_t n = 0; n <= MOST; ++n)
    for (unsigned d = 0; d < 8 && looked_at(n); ++d, ++cases)
      if (check_fill(n, d))
        return 1;
  count("fill", cases);
  return 0;
}

static int all_sums(void) {
  uint64_t cases = 0;
  for (size_t n = 0; n <= MOST; ++n)
    for (unsigned s = 0; s < 8 && looked_at(n); ++s, ++cases)
      if (check_sum("inet", k_inet, n, s) || check_sum("inet_deferred", k_inet_deferred, n, s))
        return 1;
  count("inet", cases);
  return 0;
}

int main(void) {
  for (size_t i = 0; i < Room; ++i) {
    source.bytes[i] = (unsigned char)(i * 37 + (i >> 3) + 11);
    old.bytes[i] = (unsigned char)(0xe1 + i * 3);
  }
  int bad = all_copies() | all_overlaps() | all_fills() | all_sums();
  for (size_t i = 0; i < Room; ++i) // carries everywhere
    source.bytes[i] = 0xff;
  return bad | all_sums();
}
