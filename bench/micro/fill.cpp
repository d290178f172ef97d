// fill.cpp - fills with patterns of 1 to 16 bytes, and of rows; memset is the peer of all
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench.h"

#include <memlift/memlift.h>

#include <cstring>

namespace {

uint64_t fill8(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill8(to, 0x5a, n);
  return 0;
}

uint64_t libc(unsigned char *to, const unsigned char *, size_t n) {
  std::memset(to, 0x5a, n);
  return 0;
}

uint64_t fill32(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill32(to, 0x12345678, n & ~size_t(3));
  return 0;
}

template <unsigned Period> uint64_t fillOf(unsigned char *to, const unsigned char *, size_t n) {
  if (Period <= 8)
    memlift_fill_pattern(to, 0x1234567890abcdef, Period, n);
  else
    memlift_fill_pattern16(to, 0x1234567890abcdef, 0x13579bdf2468ace0, Period, n);
  return 0;
}

// Whole values only: what a loop over them stores.
uint64_t fill64(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill64(to, 0x1234567890abcdef, n & ~size_t(7));
  return 0;
}

bench::Operation fillOperation(std::string name, bench::Function run) {
  return {std::move(name), {{"memlift", run}, {"glibc memset", libc}}, bench::copySizes(), true};
}

template <unsigned... Periods> int addPeriods() {
  int all[] = {bench::add(
      fillOperation("fill of " + std::to_string(Periods) + " bytes", fillOf<Periods>))...};
  return all[0];
}

const int bytes =
    bench::add({"fill", {{"memlift", fill8}, {"glibc", libc}}, bench::copySizes(), true});
const int words = bench::add(
    {"fill32", {{"memlift", fill32}, {"glibc memset", libc}}, bench::copySizes(), true, 4});
const int longs = bench::add(
    {"fill64", {{"memlift", fill64}, {"glibc memset", libc}}, bench::copySizes(), true, 8});
const int odd = addPeriods<3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16>();

// Rows of a picture: n bytes as rows of 24, 40 bytes from one to the next; the peer does each by
// itself. Volatile: no compiler makes two stores of a memset of 24 bytes.
constexpr size_t pitch = 40;
volatile size_t width = 24;

uint64_t fillRows(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill_2d(to, pitch, 0x5a, 1, width, n / pitch);
  return 0;
}

uint64_t libcFillRows(unsigned char *to, const unsigned char *, size_t n) {
  const size_t bytes = width;
  for (size_t y = 0; y < n / pitch; ++y)
    std::memset(to + y * pitch, 0x5a, bytes);
  return 0;
}

const int rows = bench::add(
    {"fill_rows", {{"memlift", fillRows}, {"glibc", libcFillRows}}, {400, 4000, 40000, 400000}});

} // namespace
