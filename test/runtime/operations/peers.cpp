// peers.cpp - routines of zlib, libdeflate and isa-l for the operations that they also have
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is brought to memlift's conventions: no inversion before or after a CRC, both sums of
// Adler-32 in 32 bits each. A start value that a library does not take is the peer's own business:
// Adler-32 starts below 65521, as all ours for that modulus, once reduced.

#include "operations.h"

#include <algorithm>

#if defined(MEMLIFT_TEST_ZLIB)
#include <zlib.h>
#endif
#if defined(MEMLIFT_TEST_LIBDEFLATE)
#include <libdeflate.h>
#endif
#if defined(MEMLIFT_TEST_ISAL)
#include <isa-l.h>
#endif

namespace operations {
namespace {

using P = const unsigned char *;

struct Entry {
  const char *operation;
  Peer peer;
};

// Adler-32 of others keeps 16 bits of each sum.
[[maybe_unused]] uint32_t packed(uint64_t sums) {
  return static_cast<uint32_t>((sums >> 32) % 65521 << 16 | (sums & 0xffffffff) % 65521);
}
[[maybe_unused]] uint64_t unpacked(uint32_t sums) {
  return uint64_t(sums >> 16) << 32 | (sums & 0xffff);
}

// A call that takes lengths of an int only is asked piece by piece.
[[maybe_unused]] constexpr size_t Piece = size_t(1) << 30;

const std::vector<Entry> &entries() {
  static const std::vector<Entry> all = {
#if defined(MEMLIFT_TEST_ZLIB)
      {"crc32",
       {"zlib", [](P p, size_t n,
                   uint64_t s) { return uint64_t(low32(~crc32_z(low32(~s), p ? p : P(""), n))); }}},
      {"modsum_u8_mod65521_how0",
       {"zlib", [](P p, size_t n,
                   uint64_t s) { return n ? unpacked(low32(adler32_z(packed(s), p, n))) : s; }}},
#endif
#if defined(MEMLIFT_TEST_LIBDEFLATE)
      {"crc32",
       {"libdeflate",
        [](P p, size_t n, uint64_t s) {
          return uint64_t(low32(~libdeflate_crc32(low32(~s), p ? p : P(""), n)));
        }}},
      {"modsum_u8_mod65521_how0",
       {"libdeflate",
        [](P p, size_t n, uint64_t s) {
          return n ? unpacked(libdeflate_adler32(packed(s), p, n)) : s;
        }}},
#endif
#if defined(MEMLIFT_TEST_ISAL)
      {"crc32",
       {"isa-l", [](P p, size_t n,
                    uint64_t s) { return uint64_t(low32(~crc32_gzip_refl(low32(~s), p, n))); }}},
      {"crc32_ieee",
       {"isa-l",
        [](P p, size_t n, uint64_t s) { return uint64_t(low32(~crc32_ieee(low32(~s), p, n))); }}},
      {"crc32c",
       {"isa-l",
        [](P p, size_t n, uint64_t s) {
          for (size_t now; n; p += now, n -= now) {
            now = std::min(n, Piece);
            s = crc32_iscsi(const_cast<unsigned char *>(p), static_cast<int>(now), low32(s));
          }
          return s;
        }}},
      {"crc16_t10dif",
       {"isa-l",
        [](P p, size_t n, uint64_t s) {
          return uint64_t(crc16_t10dif(static_cast<uint16_t>(s), p, n));
        }}},
      {"crc64_xz", {"isa-l", [](P p, size_t n, uint64_t s) { return ~crc64_ecma_refl(~s, p, n); }}},
      {"crc64_ecma",
       {"isa-l", [](P p, size_t n, uint64_t s) { return ~crc64_ecma_norm(~s, p, n); }}},
      {"modsum_u8_mod65521_how0",
       {"isa-l",
        [](P p, size_t n, uint64_t s) { return n ? unpacked(isal_adler32(packed(s), p, n)) : s; }}},
#endif
      {"", {"", nullptr}}};
  return all;
}

} // namespace

std::vector<Peer> peersOf(const std::string &name) {
  std::vector<Peer> list;
  for (const Entry &entry : entries())
    if (name == entry.operation)
      list.push_back(entry.peer);
  return list;
}

} // namespace operations
