// adler.cpp - Adler-32 and Fletcher-16
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

uint64_t ours(unsigned char *, const unsigned char *from, size_t n) {
  return memlift_modsum_u8(from, n, 1, 65521, 0);
}

uint64_t fletcher16(unsigned char *, const unsigned char *from, size_t n) {
  return memlift_modsum_u8(from, n, 0, 255, 0);
}

#if defined(MEMLIFT_PEER_LIBDEFLATE)
uint64_t libdeflate(unsigned char *, const unsigned char *from, size_t n) {
  return libdeflate_adler32(1, from, n);
}
#endif
#if defined(MEMLIFT_PEER_ZLIB)
uint64_t zlib(unsigned char *, const unsigned char *from, size_t n) {
  return adler32(1, from, static_cast<uInt>(n));
}
#endif
#if defined(MEMLIFT_PEER_ISAL)
uint64_t isal(unsigned char *, const unsigned char *from, size_t n) {
  return isal_adler32(1, from, n);
}
#endif

const int adler = bench::add({"adler32",
                              {
                                  {"memlift", ours},
#if defined(MEMLIFT_PEER_LIBDEFLATE)
                                  {"libdeflate", libdeflate},
#endif
#if defined(MEMLIFT_PEER_ISAL)
                                  {"isa-l", isal},
#endif
#if defined(MEMLIFT_PEER_ZLIB)
                                  {"zlib", zlib},
#endif
                              },
                              bench::checksumSizes(),
                              true});
const int fletcher =
    bench::add({"fletcher16", {{"memlift", fletcher16}}, bench::checksumSizes(), true});

} // namespace
