// weights.h - by how much each byte of one iteration counts in a sum
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_WEIGHTS_H
#define MEMLIFT_IDIOMS_WEIGHTS_H

#include "../algebra/linear.h"

namespace memlift {

struct Weight {
  uint64_t factor = 0; // modulo 2^width
  bool isSigned = false;
};

/// The bytes that one iteration reads, by address, without gaps.
struct Weights {
  uint32_t walk = 0;  // an access that has the base and the steps
  int64_t low = 0;    // of the lowest byte, from that access's offset
  unsigned width = 0; // of the sum, bits
  std::vector<Weight> bytes;
};

/// How the bytes make elements: the first fit of 1, 2, 4 and 8 bytes.
struct Elements {
  unsigned bytes = 0; // 0: no fit
  bool isSigned = false, swapped = false;
  std::vector<uint64_t> factors; // of each element, by address
};

/// True and `e` if the weights are those of whole elements of `size` bytes in
/// the target's byte order (or the other one: e.swapped).
bool elementsOf(const Weights &w, unsigned size, bool bigEndian, Elements &e);

} // namespace memlift

#endif
