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

// memlift_copy_swap32 against what there is without it: nothing but the naive loop.
uint64_t swap32(unsigned char *to, const unsigned char *from, size_t n) {
  memlift_copy_swap32(to, from, n & ~size_t(3));
  return 0;
}

const int copies =
    bench::add({"copy", {{"memlift", copy}, {"glibc", libc}}, bench::copySizes(), true});
const int moves =
    bench::add({"move", {{"memlift", move}, {"glibc", libcMove}}, bench::copySizes(), true});
const int swaps = bench::add({"copy_swap32", {{"memlift", swap32}}, bench::checksumSizes()});

} // namespace
