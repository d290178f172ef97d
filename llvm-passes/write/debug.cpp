// debug.cpp - debug information of variables whose loops were replaced
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #dbg_value(0, s)                      #dbg_value(0, s)
//   loop:                          =>     run:  #dbg_value(poison, s)
//     #dbg_value(%s.1, s)                       %sum = call @memlift_sum ..
//     ..                                  exit: %s.2 = phi [%sum, run], ..
//                                               #dbg_value(%s.2, s)
#include "write/debug.h"

#include "llvm/IR/DebugInfo.h"

using namespace llvm;

namespace memlift {

/// Keeps the last record before the region's end: of several whose blocks all dominate it, the
/// nearest one was executed last.
void BoundVariables::note(const compat::DebugRecord &record, const BasicBlock *at,
                          const BasicBlock *end, const DominatorTree &dt) {
  DebugVariable id(&record);
  auto known = llvm::find_if(variables, [&](const Variable &v) { return v.id == id; });
  if (known == variables.end()) {
    variables.push_back({id, compat::copyOf(record), at, true});
    known = std::prev(variables.end());
  }
  known->certain &= end && dt.dominates(at, end);
  if (!known->certain || !dt.dominates(known->at, at))
    return;
  compat::destroy(known->last);
  known->last = compat::copyOf(record);
  known->at = at;
}

BoundVariables::BoundVariables(ArrayRef<BasicBlock *> region, const BasicBlock *last,
                               const DominatorTree &dt) {
  for (BasicBlock *block : region)
    for (Instruction &i : *block)
      compat::forEachDebugRecord(i, [&](compat::DebugRecord &record) {
        if (!compat::declares(record))
          note(record, block, last, dt);
      });
}

BoundVariables::~BoundVariables() {
  for (Variable &v : variables)
    compat::destroy(v.last);
}

void BoundVariables::forget(BasicBlock &arm) const {
  for (const Variable &v : variables) {
    compat::DebugRecord *unknown = compat::copyOf(*v.last);
    unknown->setKillLocation();
    compat::insertAtStart(arm, unknown);
  }
}

void BoundVariables::bind(PHINode &phi, const Value *old) const {
  for (const Variable &v : variables) {
    bool whole = v.certain && compat::givesValue(*v.last) && !v.last->hasArgList() &&
                 v.last->getVariableLocationOp(0) == old && !isa<Constant>(old);
    if (!whole)
      continue;
    compat::DebugRecord *known = compat::copyOf(*v.last);
    known->replaceVariableLocationOp(0u, &phi);
    compat::insertAtStart(*phi.getParent(), known);
  }
}

} // namespace memlift
