// streamwork.cpp - estimates how long an iteration computes, and which engine hides its transfers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cycle for each load, store and operation, as on a core that does one of them at a time. What
// the loop model has no step for, as floating point, counts as one operation for each load. A
// vectorised loop takes less. The runtime's choice of a block allows for that: stream_plan.c.
#include "streamer.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace memlift {
namespace {

/// Operations that the values of an iteration take.
class Work {
public:
  explicit Work(const Loop &loop) : loop(loop), g(loop.exprs) {}
  uint64_t cycles();

private:
  const Loop &loop;
  const ExprGraph &g;
  std::set<ExprId> seen;
  uint64_t operations = 0;
  bool unknown = false;

  void visit(ExprId id);
};

/// Conversions between widths are free, as they mostly are in code.
void Work::visit(ExprId id) {
  if (id == NoExpr || g.isInvariant(id) || !seen.insert(id).second)
    return;
  const Expr &e = g[id];
  unknown |= e.op == Op::Opaque;
  bool free = e.op == Op::ZExt || e.op == Op::SExt || e.op == Op::Trunc || e.op == Op::Pair;
  operations += e.a != NoExpr && !free;
  for (ExprId operand : {e.a, e.b, e.c})
    visit(operand);
}

/// A place that is loaded from twice counts once: the blocks' arrays are apart, so the compiler
/// keeps the value over stores.
uint64_t Work::cycles() {
  std::set<std::tuple<uint32_t, ExprId, std::vector<ExprId>>> places;
  uint64_t loads = 0, stores = 0;
  for (const Access &a : loop.accesses) {
    if (a.store)
      visit(a.value);
    stores += a.store;
    loads += !a.store && (!a.affine || places.emplace(a.base, a.offset, a.step).second);
  }
  for (const Recurrence &r : loop.recs)
    visit(r.next);
  for (const LiveOut &out : loop.liveOuts)
    unknown |= out.rec < 0 && !out.rebuilt;
  if (unknown)
    operations = std::max(operations, loads);
  return loads + stores + operations;
}

} // namespace

uint64_t Streamer::cyclesOfIteration() const { return Work(loop).cycles(); }

/// Returns the sixteenths of a cycle that an iteration of the outermost loop takes, as many as fit
/// the 32 bits of the plan.
ExprId Streamer::cyclesOfOuterIteration() {
  ExprId cycles = loop.word(16 * cyclesOfIteration()), most = loop.word(UINT32_MAX);
  for (size_t k = 1; k < loop.dims.size(); ++k)
    cycles = p.tidy(g.mul(cycles, loop.dims[k].trip));
  return p.tidy(g.select(g.binary(Op::ULe, cycles, most), cycles, most));
}

/// Says from which rate of the engine on computing hides the transfers of an iteration of the
/// outermost loop: " of about 5 cycles: an engine hides that from 2.4 bytes a cycle on; ...".
std::string Streamer::limit(uint64_t bytes) const {
  if (!g.isConst(d.stream.cycles16))
    return "";
  uint64_t sixteenths = std::max<uint64_t>(g[d.stream.cycles16].value, 1);
  uint64_t tenths = (bytes * 160 + sixteenths - 1) / sixteenths;
  return " of about " + std::to_string(sixteenths / 16) + " cycles: an engine hides that from " +
         std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
         " bytes a cycle on; below that, transfers limit the loop";
}

} // namespace memlift
