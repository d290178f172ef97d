// weights.cpp - groups the bytes of an iteration into elements by their factors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of words and a sum of their bytes with weights 1, 256, 65536 ... are the same function,
// and source code has both. The recogniser sees the bytes. So elements are found from the
// weights: in an element each byte counts 256 times the one before it, from the first upwards
// (little-endian) or from the last (big-endian). Weights are compared modulo 2^width of the
// accumulator: the upper bytes of an element that is wider than the accumulator count 0.
//
// Example: weights 256, 1, 256, 1 of a 32-bit sum are two 16-bit elements, the first byte of
// each the more significant one. Weights 1, 1, 1, 1 are four bytes. Weights 1, 256, 1 are no
// elements of 2 bytes, as one byte is left.
#include "weights.h"

namespace memlift {

/// Matches one element at `at`, its least significant byte first if `little`.
static bool element(const Weights &w, size_t at, unsigned size, bool little, uint64_t &factor,
                    bool &isSigned) {
  uint64_t mask = maskOf(w.width);
  auto byte = [&](unsigned significance) -> const Weight & {
    return w.bytes[at + (little ? significance : size - 1 - significance)];
  };
  factor = byte(0).factor;
  for (unsigned s = 0; s < size; ++s) {
    if (8 * s < w.width ? byte(s).factor != ((factor << (8 * s)) & mask) : byte(s).factor != 0)
      return false;
    if (byte(s).isSigned && s + 1 != size)
      return false;
  }
  isSigned = byte(size - 1).isSigned;
  return true;
}

/// Tries the target's byte order first. All elements must have the same order and
/// sign; their factors may differ.
bool elementsOf(const Weights &w, unsigned size, bool bigEndian, Elements &e) {
  if (w.bytes.size() % size)
    return false;
  for (bool swapped : {false, true}) {
    if (swapped && size == 1)
      break;
    Elements found;
    found.bytes = size;
    found.swapped = swapped;
    bool fits = true, isSigned = false;
    for (size_t at = 0; at < w.bytes.size() && fits; at += size) {
      uint64_t factor;
      fits = element(w, at, size, bigEndian == swapped, factor, isSigned) &&
             (at == 0 || isSigned == found.isSigned);
      found.isSigned = isSigned;
      found.factors.push_back(factor);
    }
    if (fits) {
      e = found;
      return true;
    }
  }
  return false;
}

} // namespace memlift
