// schedule.cpp - keeps a compiler's habits from spoiling loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in place says which loads and stores an iteration does, and in which order. The compiler
// still allocates registers and schedules instructions, and each one has habits that cost cycles
// on some core. Naively, each plugin would know its compiler and act by itself. But then the two
// would write different loops of one decision, and nobody could read from the decision what is
// written. So the plugin says which habits its compiler has (CompilerFacts), and the decision says
// what is done about them. No plugin gets a request that it does not carry out.
//
// InlineLoop::inTurn, which also depends on the operations of a value, is set where the group is
// decided on (group.cpp); products have multiplies.cpp.
#include "decide.h"

namespace memlift {
namespace {

/// Returns where the pointers of loop number `i` step.
PointerStep stepOf(const Loop &loop, const CompilerFacts &compiler, const Decision &d, size_t i) {
  const InlineLoop &l = d.loops[i];
  if (!stepsPointers(d.loops, i) || runsOnce(loop, l))
    return PointerStep::Last;
  if (compiler.countsDescents && int64_t(l.step) < 0 && l.more.empty())
    return PointerStep::First;
  bool copies = l.to != NoExpr && l.start != NoExpr && !l.loads.empty() && !l.stores.empty();
  // An access that may fault ends a block, and steps to an address are hidden: every compiler would
  // leave the steps where they are.
  bool early = compiler.stepsLast || d.fixup.exists();
  return early && copies ? PointerStep::AfterLoads : PointerStep::Last;
}

} // namespace

bool continues(const std::vector<InlineLoop> &loops, size_t i) {
  return i + 1 < loops.size() && (loops[i + 1].startFollows || loops[i + 1].toFollows);
}

bool stepsPointers(const std::vector<InlineLoop> &loops, size_t i) {
  return loops[i].to != NoExpr || loops[i].startFollows || continues(loops, i);
}

bool runsOnce(const Loop &loop, const InlineLoop &l) {
  return !l.resumes && upperBound(loop, l.trip) <= 1;
}

void schedule(const Loop &loop, const Options &options, Decision &d) {
  const CompilerFacts &compiler = options.compiler;
  markMultiplies(loop.exprs, options, d);
  // With -Os such a compiler makes a product of it, which takes longer.
  bool waits = coreOf(options).rewriteWaits() || loop.function.optSize;
  d.rewriteWaits = compiler.mergesShifted && waits;
  for (size_t i = 0; i < d.loops.size(); ++i) {
    InlineLoop &l = d.loops[i];
    if (l.stores.empty() && !compiler.hoistsLoads)
      l.group = 0;
    l.pointers = stepOf(loop, compiler, d, i);
  }
  for (Decision &one : d.sequence)
    schedule(loop, options, one);
}

} // namespace memlift
