// weights.h - the factor of each byte of one iteration in a sum
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum is described by the factor of each byte, not of each element. So words
// assembled from bytes, byte-swapped words and unrolled bodies need no cases of their
// own: elements are what the factors say they are (elementsOf()). A byte of a signed
// element has the kind SignedByte in its highest place.
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
  int64_t low = 0;    // offset of the lowest byte from that access's
  unsigned width = 0; // bits of the sum
  std::vector<Weight> bytes;
};

/// The elements that the bytes form: the first fit of 1, 2, 4 and 8 bytes.
struct Elements {
  unsigned bytes = 0; // 0: no fit
  bool isSigned = false, swapped = false;
  std::vector<uint64_t> factors; // factor of each element, by address
};

/// Returns true, and the elements, if the weights are those of whole elements of
/// `size` bytes in the target's byte order, or in the other one (e.swapped).
bool elementsOf(const Weights &w, unsigned size, bool bigEndian, Elements &e);

} // namespace memlift

#endif
