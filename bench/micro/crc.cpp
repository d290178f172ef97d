// crc.cpp - common CRCs, and one for which no library has a table
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench.h"

#include <memlift/memlift.h>

#if defined(MEMLIFT_PEER_LIBDEFLATE)
#include <libdeflate.h>
#endif
#if defined(MEMLIFT_PEER_ISAL)
#include <isa-l.h>
#endif
#if defined(MEMLIFT_PEER_ZLIB)
#include <zlib.h>
#endif

namespace {

struct Poly : memlift_crc_poly {
  Poly(uint32_t w, uint32_t r, uint64_t p) {
    width = w, reflected = r, poly = p;
    memlift_crc_init(this);
  }
};

// Made before main: a local one would be asked for in each call whether it is there.
template <uint32_t Width, uint32_t Reflected, uint64_t Bits>
const Poly polyOf(Width, Reflected, Bits);

template <uint32_t Width, uint32_t Reflected, uint64_t Bits>
uint64_t ours(unsigned char *, const unsigned char *from, size_t n) {
  return memlift_crc(~uint64_t(0) >> (64 - Width), from, n, &polyOf<Width, Reflected, Bits>);
}

uint64_t any(unsigned char *, const unsigned char *from, size_t n) {
  static volatile uint32_t given = 0x5a5b3c1;
  return memlift_crc_any(0x7ffffff, from, n, given, 27, 0);
}

#if defined(MEMLIFT_PEER_LIBDEFLATE)
uint64_t libdeflate(unsigned char *, const unsigned char *from, size_t n) {
  return libdeflate_crc32(0, from, n);
}
#endif
#if defined(MEMLIFT_PEER_ZLIB)
uint64_t zlib(unsigned char *, const unsigned char *from, size_t n) {
  return crc32(0, from, static_cast<uInt>(n));
}
#endif
#if defined(MEMLIFT_PEER_ISAL)
uint64_t isal32(unsigned char *, const unsigned char *from, size_t n) {
  return crc32_gzip_refl(0, from, n);
}
uint64_t isal32c(unsigned char *, const unsigned char *from, size_t n) {
  return crc32_iscsi(const_cast<unsigned char *>(from), static_cast<int>(n), ~0u);
}
uint64_t isal16(unsigned char *, const unsigned char *from, size_t n) {
  return crc16_t10dif(0, from, n);
}
uint64_t isal64(unsigned char *, const unsigned char *from, size_t n) {
  return crc64_ecma_refl(0, from, n);
}
#define ISAL(name) {"isa-l", name},
#else
#define ISAL(name)
#endif

const int crc32All = bench::add({"crc32",
                                 {{"memlift", ours<32, 1, 0xedb88320>},
#if defined(MEMLIFT_PEER_LIBDEFLATE)
                                  {"libdeflate", libdeflate},
#endif
#if defined(MEMLIFT_PEER_ZLIB)
                                  {"zlib", zlib},
#endif
                                  ISAL(isal32)},
                                 bench::checksumSizes(),
                                 true});
const int crc32c = bench::add(
    {"crc32c", {{"memlift", ours<32, 1, 0x82f63b78>}, ISAL(isal32c)}, bench::checksumSizes()});
const int crc16 = bench::add(
    {"crc16_t10dif", {{"memlift", ours<16, 0, 0x8bb7>}, ISAL(isal16)}, bench::checksumSizes()});
const int crc64 = bench::add({"crc64_ecma",
                              {{"memlift", ours<64, 1, 0xc96c5795d7870f42>}, ISAL(isal64)},
                              bench::checksumSizes()});
const int crc27 =
    bench::add({"crc27_nobodys", {{"memlift", ours<27, 0, 0x5a5b3c1>}}, bench::checksumSizes()});
std::vector<size_t> shortSizes() {
  std::vector<size_t> sizes = {1, 2, 3, 4, 8};
  for (size_t n : bench::checksumSizes())
    sizes.push_back(n);
  return sizes;
}
const int anyAll = bench::add({"crc_any", {{"memlift", any}}, shortSizes()});

} // namespace
