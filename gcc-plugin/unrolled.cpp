// unrolled.cpp - judges loops that GCC unrolls completely while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cunrolli` is far before the loop pipeline, where the other loops are judged. A loop that it
// unrolls has its verdict from here. The others are judged later, and a loop around an unrolled one
// then includes its body.
#include "compat.h"
#include "carry.h"
#include "options.h"
#include "read/carried.h"
#include "read/ranges.h"
#include "report.h"
#include "unrolled.h"

namespace memlift {
namespace {

struct Note {
  std::vector<int> loops; // its number, and those of the loops around it
  location_t where;
  Remark remark;
};

/// Notes of the function that is between the two passes.
std::vector<Note> notes;

bool isThere(int number) {
  class loop *loop = loops_for_fn(cfun) ? get_loop(cfun, unsigned(number)) : nullptr;
  return loop && loop->header && loop->latch && find_edge(loop->latch, loop->header);
}

void note(class loop *loop) {
  Stores stores = storesOf(loop);
  tree_niter_desc desc;
  edge exit = single_exit(loop);
  if (loop->inner || !exit || (stores != Stores::Plain && !mayCarryLoads(loop)) ||
      !number_of_iterations_exit(loop, exit, &desc, false) || TREE_CODE(desc.niter) != INTEGER_CST)
    return;
  LoopBinding binding;
  readNest(nestAround(loop, 1), binding);
  binding.loop.id = functionId() + "#unrolled" + std::to_string(notes.size());
  Outcome outcome = judge(binding.loop, pluginOptions.judge);
  if (!deservesRemark(binding.loop, outcome, stores == Stores::Plain))
    return;
  makeStraight(outcome);
  Note n{{}, binding.where, makeRemark(binding.loop, outcome)};
  for (class loop *l = loop; loop_outer(l); l = loop_outer(l))
    n.loops.push_back(l->num);
  notes.push_back(std::move(n));
}

} // namespace

unsigned noteLoops() {
  notes.clear();
  useOptionsOfFunction();
  pluginOptions.judge.quiet = !remarksEnabled();
  if (pluginOptions.judge.quiet)
    return 0;
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  if (number_of_loops(cfun) > 1) {
    scev_initialize();
    for (auto loop : loops_list(cfun, LI_ONLY_INNERMOST))
      note(loop);
    forgetRanges();
    free_numbers_of_iterations_estimates(cfun);
    scev_finalize();
  }
  loop_optimizer_finalize();
  return 0;
}

unsigned emitUnrolledRemarks() {
  for (const Note &n : notes) {
    if (std::any_of(n.loops.begin(), n.loops.end(), isThere))
      continue;
    report(n.remark, n.where);
  }
  notes.clear();
  return 0;
}

} // namespace memlift
