// copy.cpp - copies and moves against the C library's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench.h"

#include <memlift/memlift.h>

#include <cstring>

namespace {

uint64_t copy(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_copy(to, from, n);
  return 0;
}

uint64_t libc(unsigned char *to, const unsigned char *from, size_t n) {
  std::memcpy(to, from, n);
  return 0;
}

uint64_t move(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_move(to, from, n);
  return 0;
}

uint64_t libcMove(unsigned char *to, const unsigned char *from, size_t n) {
  std::memmove(to, from, n);
  return 0;
}

// n bytes as two copies that meet at a place that changes from call to call: no branch on the
// length can be predicted.
template <bench::Function Copy>
uint64_t cut(unsigned char *to, const unsigned char *from, size_t n) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  size_t first = static_cast<size_t>(uint64_t(state) * (n + 1) >> 32);
  Copy(to, from, first);
  Copy(to + first, from + first, n - first);
  return 0;
}

// 48 bytes upwards in one buffer: from its end.
template <bench::Function Move>
uint64_t upwards(unsigned char *to, const unsigned char *, size_t n) {
  Move(to + 48, to, n);
  return 0;
}

// Rows of a picture: n bytes as rows of 24, 40 bytes from one to the next; the peer does each by
// itself. Volatile: no compiler makes two moves of a memcpy of 24 bytes.
constexpr size_t pitch = 40;
volatile size_t width = 24;

uint64_t copyRows(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_copy_2d(to, pitch, from, pitch, width, n / pitch);
  return 0;
}

uint64_t libcCopyRows(unsigned char *to, const unsigned char *from, size_t n) {
  const size_t bytes = width;
  for (size_t y = 0; y < n / pitch; ++y)
    std::memcpy(to + y * pitch, from + y * pitch, bytes);
  return 0;
}

// memlift_copy_swap32 against what there is without it: nothing but the naive loop.
uint64_t swap32(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_copy_swap32(to, from, n & ~size_t(3));
  return 0;
}

template <void (*Run)(void *, const void *, size_t)>
uint64_t reverse(unsigned char *to, const unsigned char *from, size_t n) {
  Run(to, from, n & ~size_t(3));
  return 0;
}

// The loop as the compiler of the benchmark makes it; neither array is aligned to less than a word.
template <class Word> uint64_t reverseLoop(unsigned char *to, const unsigned char *from, size_t n) {
  auto *d = reinterpret_cast<Word *>(to);
  auto *s = reinterpret_cast<const Word *>(from);
  size_t count = (n & ~size_t(3)) / sizeof(Word);
  for (size_t i = 0; i < count; ++i)
    d[i] = s[count - 1 - i];
  return 0;
}

const int copies =
    bench::add({"copy", {{"memlift", copy}, {"glibc", libc}}, bench::copySizes(), true});
const int moves =
    bench::add({"move", {{"memlift", move}, {"glibc", libcMove}}, bench::copySizes(), true});
const int aligned = bench::add(
    {"copy_aligned", {{"memlift", copy}, {"glibc", libc}}, bench::copySizes(), false, 64});
const int cuts = bench::add({"copy_cut",
                             {{"memlift", cut<copy>}, {"glibc", cut<libc>}},
                             {16, 32, 64, 128, 256, 512, 1024, 2048, 4096}});
const int overlaps = bench::add({"move_upwards",
                                 {{"memlift", upwards<move>}, {"glibc", upwards<libcMove>}},
                                 bench::copySizes(),
                                 true});
const int rows = bench::add(
    {"copy_rows", {{"memlift", copyRows}, {"glibc", libcCopyRows}}, {400, 4000, 40000, 400000}});
const int swaps = bench::add({"copy_swap32", {{"memlift", swap32}}, bench::checksumSizes()});
const int reversals =
    bench::add({"copy_reverse8",
                {{"memlift", reverse<memlift_copy_reverse8>}, {"loop", reverseLoop<std::uint8_t>}},
                bench::checksumSizes()});
const int wordReversals = bench::add(
    {"copy_reverse32",
     {{"memlift", reverse<memlift_copy_reverse32>}, {"loop", reverseLoop<std::uint32_t>}},
     bench::checksumSizes()});

} // namespace
