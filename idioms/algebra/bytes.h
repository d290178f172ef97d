// bytes.h - where each byte of a stored value comes from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills are judged byte by byte. A word assembled from byte loads, a
// splat, a byte-swapped load and one store cut into two are then all the same to the
// recogniser.
//
// The idea: follow one byte of a value back through operations that move whole bytes,
// until it is a constant, a byte of a loop invariant, or a byte that was loaded.
// Operations that mix bits of several bytes end the trace. The limits: shifts by
// multiples of 8, masks that keep or clear whole bytes, 4096 steps a byte.
//
// Example: p[0] | p[1] << 8 stored as two bytes. Byte 0 of the value: the right
// operand is 0 there, since a shift by 8 brings in zeros; so it is byte 0 of the load
// of p[0]. Byte 1: the left operand is 0 there, as it was extended. So the store is a
// copy of two bytes on a little-endian target, and of two swapped bytes on a
// big-endian one.
#ifndef MEMLIFT_IDIOMS_BYTES_H
#define MEMLIFT_IDIOMS_BYTES_H

#include "../loop.h"

namespace memlift {

struct ByteSource {
  enum Kind : uint8_t {
    Varies,    // none of the kinds below
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

/// Returns the source of byte k (0: least significant) of expression `id`.
ByteSource byteOf(const Loop &loop, ExprId id, unsigned k);
/// Returns the source in at most `left` steps and subtracts those taken from `left`.
ByteSource byteOf(const Loop &loop, ExprId id, unsigned k, int &left);

/// Returns the source of the byte that a store of `id` puts at address + k.
ByteSource storedByte(const Loop &loop, ExprId id, unsigned k);

/// Composes `count` bytes (1..8) to an expression of 8 * width bits. Byte j, or
/// count-1-j if bigEndian, is in bits 8j..8j+7. No byte may vary or be loaded.
ExprId composeBytes(Loop &loop, const ByteSource *bytes, unsigned count, unsigned width,
                    bool bigEndian);

} // namespace memlift

#endif
