// inet.cpp - Internet checksums, alone and with a copy
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench.h"

#include <memlift/memlift.h>

#include <cstring>

#include "kernels/dispatch.h"

#if defined(MEMLIFT_PEER_DPDK)
extern "C" uint64_t bench_dpdk_cksum(const void *p, size_t n);
#endif

namespace {

uint64_t ours(unsigned char *, const unsigned char *from, size_t n) {
  return memlift_inet_sum(from, n, 0);
}

// A function that does nothing: the cost of being called.
uint64_t nothing(unsigned char *, const unsigned char *, size_t n) { return n; }

#if defined(__x86_64__)
// The kernel that dispatch would choose on a machine without AVX-512.
uint64_t avx2(unsigned char *, const unsigned char *from, size_t n) {
  return memlift_inet_x86_avx2(from, n, 0);
}
#endif

#if defined(MEMLIFT_PEER_DPDK)
uint64_t dpdk(unsigned char *, const unsigned char *from, size_t n) {
  return bench_dpdk_cksum(from, n);
}
#endif

uint64_t fused(unsigned char *to, const unsigned char *from, size_t n) {
  return memlift_copy_inet_sum(to, from, n, 0);
}

// The better order: the source is in the cache for the second pass, the destination need not be.
uint64_t sumThenMemcpy(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t sum = memlift_inet_sum(from, n, 0);
  std::memcpy(to, from, n);
  return sum;
}

uint64_t sumThenCopy(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t sum = memlift_inet_sum(from, n, 0);
  memlift_copy(to, from, n);
  return sum;
}

// The exact sum of the words beside a copy, at any address: half of them are odd.
uint64_t fusedWords(unsigned char *to, const unsigned char *from, size_t n) {
  return memlift_copy_sum_u16(to, from, n);
}

uint64_t wordsThenCopy(unsigned char *to, const unsigned char *from, size_t n) {
  uint64_t sum = memlift_sum_u16(from, n);
  memlift_copy(to, from, n);
  return sum;
}

const int inet = bench::add({"inet",
                             {
                                 {"memlift", ours},
#if defined(__x86_64__)
                                 {"memlift avx2", avx2},
#endif
#if defined(MEMLIFT_PEER_DPDK)
                                 {"dpdk", dpdk},
#endif
                             },
                             bench::checksumSizes(),
                             true});

// Called by its name, as programs do, and not by way of a function that the benchmark knows.
constexpr size_t directCalls = 64;

uint64_t direct(unsigned char *, const unsigned char *from, size_t n) {
  uint32_t last = 0;
  for (size_t i = 0, at = 0; i < directCalls; ++i, at = (at + 9) % 64) {
    last = memlift_inet_sum(from + at, n, 0);
    asm volatile("" : "+r"(last)); // as if it was needed
  }
  return last;
}

const int inetDirect = bench::add({"inet_direct",
                                   {{"memlift", direct}},
                                   {16, 31, 64, 150, 256, 576, 1500},
                                   false,
                                   1,
                                   directCalls});

// A second call: the first one cannot be a tail call.
uint64_t nothingTwice(unsigned char *to, const unsigned char *from, size_t n) {
  static bench::Function volatile inner = nothing;
  return static_cast<uint32_t>(inner(to, from, n));
}

const int call =
    bench::add({"call", {{"memlift", nothing}, {"memlift, and back", nothingTwice}}, {1}});

const int copyInet = bench::add(
    {"copy_inet",
     {{"memlift", fused}, {"sum, memcpy", sumThenMemcpy}, {"sum, memlift_copy", sumThenCopy}},
     bench::checksumSizes(),
     true});

const int copySum = bench::add({"copy_sum_u16",
                                {{"memlift", fusedWords}, {"sum, memlift_copy", wordsThenCopy}},
                                bench::checksumSizes(),
                                true});

} // namespace
