// shapeblocks.cpp - fills of zero by whole blocks, where one instruction clears one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such an instruction (AArch64: DC ZVA) takes a block into the cache without reading it from
// memory, and is one where stores are eight. n bytes at dst, of zero:
//
//   if (n >= 4 blocks)
//     if (the instruction clears blocks of that size here)
//       a block's worth of words at dst, wherever that is
//       blocks, from the first multiple of a block behind dst on
//       a block's worth of words up to the end, wherever that is
//   else as any other fill
//
// What lies in front of the first block and behind the last is at most a block each: stored without
// a test of how much it is, some of it twice. Nothing outside the region is written. Where it is
// proved that nothing lies there, nothing stands there. The test of the size is the first: what the
// machine has is asked for (AArch64: MRS of DCZID_EL0) only where it pays to know.
//
// The instruction is for ordinary memory, as memset is, and as the unaligned words around it are.
#include "shape.h"

namespace memlift {

/// Fewer blocks cost more to ask for than they gain; some of those are no whole ones, at the ends.
constexpr uint64_t leastBlocks = 4;

/// Is it zero, of a core that may clear blocks, and perhaps of enough of them?
bool ShapeWriter::maybeBlocks() const {
  if (!core.blockZero || loop.ptrBits != 64 || !g.isConst(match.pattern, 0) || !target ||
      !target().clears)
    return false;
  bool anywhere = core.unaligned == Unaligned::Fast;
  uint64_t most = g.isConst(match.bytes) ? g[match.bytes].value : match.maxBytes;
  return (!most || most >= leastBlocks * core.blockZero) &&
         (anywhere || (align % word == 0 && wholeElements(word)));
}

/// One block after the other from `at` on, as many as there are whole ones in `bytes`.
void ShapeWriter::clearWhole(ExprId at, ExprId bytes) {
  InlineLoop l;
  l.trip = over(bytes, core.blockZero);
  l.to = at;
  l.step = l.clears = core.blockZero;
  l.few = true;
  goesOn = false;
  add(l);
  goesOn = false;
}

/// 1 if all is zero behind it, else 0, of ptrBits; or NoExpr: there is nothing of that.
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
