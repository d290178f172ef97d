// fill.cpp - fills with patterns of 1 to 16 bytes; memset is the peer of all
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

uint64_t fill3(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill_pattern(to, 0x123456, 3, n);
  return 0;
}

uint64_t fill12(unsigned char *to, const unsigned char *, size_t n) {
  memlift_fill_pattern16(to, 0x1234567890abcdef, 0x13579bdf, 12, n);
  return 0;
}

const int bytes =
    bench::add({"fill", {{"memlift", fill8}, {"glibc", libc}}, bench::copySizes(), true});
const int words = bench::add(
    {"fill32", {{"memlift", fill32}, {"glibc memset", libc}}, bench::copySizes(), true, 4});
const int odd = bench::add({"fill of 3 bytes",
                            {{"memlift", fill3}, {"glibc memset", libc}},
                            bench::copySizes(),
                            true});
const int twelve = bench::add({"fill of 12 bytes",
                               {{"memlift", fill12}, {"glibc memset", libc}},
                               bench::copySizes(),
                               true});

} // namespace
