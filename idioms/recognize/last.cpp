// last.cpp - values that the last iteration reads and later code uses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   union { u16 word; u8 byte[2]; } last;
//   while (n > 1) { memcpy(&last, p, 2); sum += last.word; p += 2; n -= 2; }
//
// Such a value is read once more after the operation, from the address of the last
// iteration. The limits: beside a sum, in one loop that certainly runs and writes
// nothing.
#include "families.h"

namespace memlift {

/// Returns the load that a value is, extended or truncated; NoExpr for anything else.
static ExprId loadOf(const ExprGraph &g, ExprId id) {
  while (id != NoExpr && (g[id].op == Op::ZExt || g[id].op == Op::SExt || g[id].op == Op::Trunc))
    id = g[id].a;
  return id != NoExpr && g[id].op == Op::Load ? id : NoExpr;
}

/// The loop must write nothing, or the place might have changed since it was read;
/// and it must run, or the place might not be readable.
bool readAtLast(const Loop &loop, ExprId value) {
  const ExprGraph &g = loop.exprs;
  ExprId load = loadOf(g, value);
  if (load == NoExpr || loop.dims.size() != 1 || !loop.dims[0].nonzero ||
      loop.dims[0].trip == NoExpr)
    return false;
  for (const Access &a : loop.accesses)
    if (a.store)
      return false;
  const Access &a = loop.accesses[g[load].value];
  return a.affine && !a.conditional && !a.fixed && !a.lookUp && !a.isVolatile && !a.atomic &&
         a.step.size() == 1 && g[load].width % 8 == 0 && g.isConst(a.bytes, g[load].width / 8);
}

/// Repeats the casts around the load.
ExprId lastRead(Loop &loop, ExprId value) {
  ExprGraph &g = loop.exprs;
  const Expr e = g[value];
  if (e.op != Op::Load)
    return g.cast(e.op, lastRead(loop, e.a), e.width);
  const Access &a = loop.accesses[e.value];
  ExprId iterations = g.sub(loop.dims[0].trip, loop.word(1));
  ExprId address = g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits),
                         g.add(a.offset, g.mul(a.step[0], iterations)));
  return g.memory(address, e.width, a.align);
}

/// Recognises a live-out that can be read again.
Answer lastOf(Proof &p, Reduction &r) {
  if (!readAtLast(p.loop, p.loop.recs[r.rec].next))
    return Answer::NotMine;
  r.kind = Reduction::Last();
  p.prove("recurrence", "a value that can be had without the loop", "what the last iteration reads",
          p.loop.recs[r.rec].name);
  return Answer::Proved;
}

bool moreThanLast(Proof &p) {
  for (const Reduction &r : p.match.reductions)
    if (!r.is<Reduction::Last>())
      return true;
  for (const Reduction &r : p.match.reductions)
    p.fail("live-outs", Diag::LiveOut, "no value of the loop needed later",
           nameOf(p.loop.liveOuts[r.liveOut]) + " is used after the loop");
  return p.match.reductions.empty();
}

} // namespace memlift
