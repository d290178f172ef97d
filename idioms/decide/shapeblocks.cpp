// shapeblocks.cpp - fills of zero by whole blocks, which one instruction clears
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction such as AArch64's DC ZVA takes a block into the cache without reading it from
// memory, and replaces eight stores. n bytes at dst are set to zero:
//
//   if (n >= 4 blocks)
//     if (the instruction clears blocks of that size here)
//       a block's worth of words at dst, at any alignment
//       blocks, from the first multiple of a block after dst on
//       a block's worth of words up to the end, at any alignment
//   else as any other fill
//
// The bytes before the first block and after the last are at most a block each. They are stored
// without testing their number, so some are stored twice; nothing outside the region is written.
// If the region is known to begin or end with a block, these words are left out. The size is
// tested first, so that the machine is asked (AArch64: MRS of DCZID_EL0) only if it pays.
//
// The instruction is for ordinary memory, like memset and the unaligned words around it.
#include "shape.h"

namespace memlift {

/// With fewer blocks the question costs more than it gains; those at the ends are incomplete.
constexpr uint64_t leastBlocks = 4;

/// Returns true for a fill of zero on a core that may clear blocks, if the size may suffice.
bool ShapeWriter::maybeBlocks() const {
  if (!core.blockZero || loop.ptrBits != 64 || !g.isConst(match.fill()->pattern, 0) || !target ||
      !target().clears)
    return false;
  bool anywhere = core.unaligned == Unaligned::Fast;
  uint64_t most = g.isConst(match.bytes) ? g[match.bytes].value : match.maxBytes;
  return (!most || most >= leastBlocks * core.blockZero) &&
         (anywhere || (align % word == 0 && wholeElements(word)));
}

/// Clears the whole blocks in `bytes`, one after the other from `at` on.
void ShapeWriter::clearWhole(ExprId at, ExprId bytes) {
  InlineLoop l;
  l.trip = over(bytes, core.blockZero);
  l.to = at;
  l.step = l.clears = core.blockZero;
  l.few = true;
  continues = false;
  add(l);
  continues = false;
}

/// Writes the fill by blocks. Returns, of ptrBits, 1 if it has filled everything, else 0; NoExpr
/// if blocks are not used.
ExprId ShapeWriter::clearBlocks(ExprId words) {
  if (!maybeBlocks())
    return NoExpr;
  clears = core.blockZero;
  size_t first = d.loops.size();
  uint64_t block = clears, count = block / word;
  ExprId end = g.fromPoly(g.poly(g.add(match.dst, match.bytes)), loop.ptrBits);
  bool begins = align % block == 0, ends = begins && wholeElements(clears);
  ExprId at = begins ? match.dst : masked(g.add(match.dst, loop.word(block)), 0 - block);
  if (!begins)
    fillAnyway(match.dst, count, word, words);
  clearWhole(at, begins ? match.bytes : g.sub(end, at));
  if (!ends)
    fillAnyway(g.sub(end, loop.word(block)), count, word, words);
  ExprId yes = loop.word(1), no = loop.word(0);
  choose(first, g.leaf(Op::ClearsBlocks, block, 1), Mostly);
  ExprId done = phi(first, yes, no, Phi::Number);
  if (g.isConst(match.bytes))
    return done;
  choose(first, g.binary(Op::ULe, loop.word(leastBlocks * block), match.bytes), Half);
  return phi(first, done, no, Phi::Number);
}

} // namespace memlift
