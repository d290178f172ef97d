// bench.h - one operation, its implementations, and the sizes they run at
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark is named operation/implementation/size, or .../mix for the lengths of packets. All
// implementations of an operation see the same addresses, which change from call to call as those
// of packets do.
#ifndef MEMLIFT_BENCH_H
#define MEMLIFT_BENCH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// n bytes at `from`; an operation that writes does so to `to`. The result keeps it from being
/// optimised away.
using Function = uint64_t (*)(unsigned char *to, const unsigned char *from, size_t n);

struct Implementation {
  std::string name;
  Function run;
  size_t align = 1; ///< its addresses are multiples of this, as its words are in programs
};

struct Operation {
  std::string name;
  std::vector<Implementation> implementations;
  std::vector<size_t> sizes;
  bool mix = false; ///< lengths of snabbmark as well
  size_t align = 1; ///< addresses are multiples of this
  size_t calls = 1; ///< of n bytes each, that an implementation makes
};

/// Registers an operation and the naive loops of its name, by every compiler; before main.
int add(Operation operation);

inline std::vector<size_t> checksumSizes() {
  return {16, 31, 64, 150, 256, 576, 1500, 4096, 9000, 16384, 65536, 1 << 20, 32 << 20};
}

inline std::vector<size_t> copySizes() {
  return {1,     8,       16,      31,      64,       100,      200,      256,
          400,   1024,    1500,    4096,    8192,     9000,     16384,    32768,
          65536, 1 << 18, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};
}

} // namespace bench

#endif
