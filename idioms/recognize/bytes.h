// bytes.h - where each byte of a stored value comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills are judged byte by byte, so that a word assembled from byte
// loads, a splat, and one store cut into two are all the same to the recogniser.
#ifndef MEMLIFT_IDIOMS_BYTES_H
#define MEMLIFT_IDIOMS_BYTES_H

#include "../loop.h"

namespace memlift {

struct ByteSource {
  enum Kind : uint8_t {
    Varies,    // neither of the below
    Constant,  // value
    Invariant, // byte `index` (0: least significant) of invariant `expr`
    Loaded,    // byte `index` (0: lowest address) of what `access` read
  } kind = Varies;
  uint8_t value = 0;
  ExprId expr = NoExpr;
  uint32_t access = 0;
  unsigned index = 0;

  bool operator==(const ByteSource &o) const {
    return kind == o.kind && value == o.value && expr == o.expr && access == o.access &&
           index == o.index;
  }
};

/// Source of byte k (0: least significant) of expression `id`.
ByteSource byteOf(const Loop &loop, ExprId id, unsigned k);
/// The same in no more than `left` steps, which are taken from it.
ByteSource byteOf(const Loop &loop, ExprId id, unsigned k, int &left);

/// Source of the byte that a store of `id` puts at address + k.
ByteSource storedByte(const Loop &loop, ExprId id, unsigned k);

/// The value of `count` bytes (1..8) as an expression of 8 * width bits with
/// byte j, or count-1-j if bigEndian, in bits 8j..8j+7. No byte may vary or be
/// loaded.
ExprId composeBytes(Loop &loop, const ByteSource *bytes, unsigned count, unsigned width,
                    bool bigEndian);

} // namespace memlift

#endif
