// driver.cpp - the attempts on a nest, and the verdicts on calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver.h"

#include "../decide/group.h"

namespace memlift {

void Driver::name(BoundLoop &binding) const {
  binding.loop.id = host.functionId() + "#" + std::to_string(ordinal);
}

Outcome Driver::judged(BoundLoop &binding) const {
  name(binding);
  return judge(binding.loop, host.options());
}

void Driver::remark(const BoundLoop &binding, const Outcome &outcome) {
  ++ordinal;
  host.report(binding, outcome);
}

/// Reports and writes an allowed attempt. The remark comes first, as it describes the loop.
bool Driver::done(NestSource &nest, BoundLoop &binding, Outcome outcome) {
  if (binding.loop.function.stream && !binding.loop.function.spread &&
      !isStreamed(outcome.decision))
    noteRoutine(outcome);
  remark(binding, outcome);
  if (host.mayWrite())
    nest.write(binding, outcome);
  return true;
}

/// Tries the loop with its reloaded values taken as fixed. If it is kept all the same, `kept` and
/// `outcome` become the reading that says more.
bool Driver::tryFixed(NestSource &nest, std::unique_ptr<BoundLoop> &kept, Outcome &outcome) {
  std::unique_ptr<BoundLoop> fixed = nest.readFixed();
  if (!fixed)
    return false;
  Outcome second = judged(*fixed);
  if (wantsWords(fixed->loop, host.options()))
    judgeGroups(fixed->loop, host.options(), fixed->loop, second);
  bool allowed = isDone(second.decision.kind);
  if (allowed) {
    done(nest, *fixed, second);
  } else if (saysMore(second.match, outcome.match)) {
    kept = std::move(fixed);
    outcome = second;
  }
  nest.restore(allowed && host.mayWrite());
  return allowed;
}

/// Tries to cut a nest into blocks, the widest one first. `outcome` gets the reasons against the
/// innermost loop alone.
bool Driver::tryStream(NestSource &nest, const std::unique_ptr<BoundLoop> &kept, Outcome &outcome) {
  if (!kept->loop.function.stream)
    return false;
  for (size_t depth = nest.depth(); depth > 0; --depth) {
    std::unique_ptr<BoundLoop> plain = nest.read(depth);
    name(*plain);
    if (judgeStream(plain->loop, host.options(), kept->loop, outcome, depth == 1))
      return done(nest, *plain, outcome);
  }
  return false;
}

/// Tries load clustering. `kept` may be the reading with fixed values, so the loop is read again.
bool Driver::tryGroups(NestSource &nest, std::unique_ptr<BoundLoop> &kept, Outcome &outcome) {
  if (!wantsGroups(kept->loop, host.options()))
    return false;
  std::unique_ptr<BoundLoop> plain = nest.read(1);
  name(*plain);
  return judgeGroups(plain->loop, host.options(), kept->loop, outcome) &&
         done(nest, *plain, outcome);
}

/// Tries the loop as a search. Returns true if it is one, allowed or not; it is nothing else then.
bool Driver::trySearch(NestSource &nest, bool &allowed) {
  std::unique_ptr<BoundLoop> search = nest.readSearch();
  if (!search)
    return false;
  Outcome outcome = judged(*search);
  allowed = isDone(outcome.decision.kind);
  if (allowed)
    return done(nest, *search, outcome);
  if (outcome.match.idiom == Idiom::None)
    return false;
  remark(*search, outcome);
  return true;
}

/// Returns the reason why several loops are no operation, if it is only how their rows lie.
static const Fact *rowsOf(const Outcome &outcome) {
  const Fact *rows = nullptr;
  for (const Fact &f : outcome.match.facts)
    if (f.verdict == Verdict::Failed) {
      if (rows || f.code != Diag::RowsNotContiguous)
        return nullptr;
      rows = &f;
    }
  return rows;
}

bool Driver::runNest(NestSource &nest) {
  if (bool allowed = false; trySearch(nest, allowed))
    return allowed;
  std::unique_ptr<BoundLoop> binding;
  Outcome outcome;
  std::vector<Fact> rows;
  for (size_t depth = nest.depth(); depth > 0; --depth) {
    binding = nest.read(depth);
    outcome = judged(*binding);
    if (isDone(outcome.decision.kind))
      return done(nest, *binding, outcome);
    if (const Fact *fact = rowsOf(outcome); fact && depth > 1)
      rows = {*fact};
  }
  // A row that is too short for a call would not be, if all rows were one operation.
  if (outcome.decision.code == Diag::TooShort)
    outcome.decision.facts.insert(outcome.decision.facts.end(), rows.begin(), rows.end());
  bool stores = nest.hasStore();
  if ((stores && tryFixed(nest, binding, outcome)) || tryStream(nest, binding, outcome) ||
      (stores && tryGroups(nest, binding, outcome)))
    return true;
  // A loop that stores by mem* calls alone gets no remark unless it is an operation itself: the
  // calls get theirs.
  if (outcome.match.idiom != Idiom::None || binding->loop.function.stream ||
      ((stores || nest.mayCarryLoads()) && deservesRemark(binding->loop, outcome, stores)))
    remark(*binding, outcome);
  return false;
}

bool Driver::runCall(BoundLoop &binding, const std::function<void(const Outcome &)> &write) {
  Outcome outcome = judged(binding);
  remark(binding, outcome);
  bool allowed = isDone(outcome.decision.kind) && host.mayWrite();
  if (allowed)
    write(outcome);
  return allowed;
}

void Driver::runKept(BoundLoop &binding) { remark(binding, judged(binding)); }

} // namespace memlift
