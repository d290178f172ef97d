// linearword.h - words whose bits are exclusive-ors of bits of other words, and their look-ups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: a CRC's register after eight steps is a linear function over GF(2) of the register
// before and of a byte. Computed step by step it takes eight times two or three operations, each of
// which waits for the one before.
//
// The idea: a linear function is an exclusive-or of what each bit of its input contributes, its
// column. Most bits of a register only move: their columns have one bit, all at one distance, so
// one shift moves them together. The others are mixed. Eight neighbours of them index a table,
// which has the exclusive-or of their columns for each of the 256 values. Where two inputs have the
// same columns, as a register and the byte that is fed to it, they are exclusive-ored first and
// share one look-up. If each has a bit more, at one distance, that is moved by itself: in a wider
// type the bits that leave a register stay above it.
//
// The columns need not be at the same place: a register of 7 bits is shifted up to the byte.
//
// Example: eight steps of CRC-16, reflected, in c with a byte d. Bits 8 to 15 of c move down by 8.
// Bits 0 to 7 of c have the same eight columns as d. So c becomes c >> 8 ^ table[(c ^ d) & 255].
#ifndef MEMLIFT_IDIOMS_ALGEBRA_LINEARWORD_H
#define MEMLIFT_IDIOMS_ALGEBRA_LINEARWORD_H

#include <cstdint>
#include <vector>

namespace memlift {

/// A word: `constant`, exclusive-ored with column columns[i][b] for each set bit b of input i.
struct LinearWord {
  uint64_t constant = 0;
  std::vector<std::vector<uint64_t>> columns;
};

/// Bits of an input that are moved together.
struct BitMove {
  unsigned input;
  uint64_t mask; // of the input
  int up;        // places; down if negative
};

/// A look-up of `bits` neighbouring bits.
struct BitLookUp {
  struct From {
    unsigned input;
    int low;       // its bit that is bit 0 of the index; negative: bits are shifted up
    uint64_t mask; // bits of the index that come from it; its others there are not to be taken
  };
  std::vector<From> from;        // exclusive-ored, they are the index
  unsigned bits;                 // at most 8
  std::vector<uint64_t> entries; // 2^bits
};

/// A way to compute a word: the exclusive-or of its constant, the moves and the look-ups.
struct LookUpPlan {
  std::vector<BitMove> moves;
  std::vector<BitLookUp> lookUps;
};

/// Finds a plan for the word. Bits without a column take no part in it.
LookUpPlan planLookUps(const LinearWord &word);

} // namespace memlift

#endif
