// async.cpp - plans where an operation is begun and where it is waited for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "async.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace memlift {
namespace {

/// Plans one operation after the other. An operation whose plan is worth it marks the statements
/// during which it may be in flight; later ones avoid these if their memory overlaps.
class Planner {
public:
  Planner(const Flow &flow, const std::vector<FlowPoint> &at, FlowFacts &facts)
      : flow(flow), at(at), facts(facts), under(at.size()) {}
  std::vector<AsyncPlan> run();

private:
  using Blocks = std::vector<bool>;

  bool contains(uint32_t loop, uint32_t block) const;
  bool overlap(size_t a, size_t b);
  Stop stop(size_t op, FlowPoint p);
  bool isFree(size_t op, uint32_t block);
  bool comesBack(uint32_t block, uint32_t by) const;
  bool between(uint32_t from, uint32_t to, Blocks &passed) const;
  bool isReady(size_t op, FlowPoint p, const std::vector<AsyncGuard> &guards);
  bool runsFrom(size_t op, FlowPoint &p, const std::vector<AsyncGuard> &guards);
  bool passTest(size_t op, FlowPoint &p, std::vector<AsyncGuard> &guards);
  FlowPoint earliest(size_t op, size_t mostGuards, std::vector<AsyncGuard> &guards);
  bool isOpen(const AsyncPlan &plan, uint32_t from, uint32_t to) const;
  void follow(size_t op, AsyncPlan &plan);
  bool enter(size_t op, AsyncPlan &plan, uint32_t from, uint32_t to);
  bool overlaps(size_t op, uint32_t loop, AsyncWait &wait);
  uint64_t iterations(uint32_t block, uint32_t begin) const;
  void count(AsyncPlan &plan, FlowPoint p);
  size_t operationAt(FlowPoint p) const;
  void note(size_t op, FlowPoint p);
  AsyncPlan plan(size_t op, size_t mostGuards);
  AsyncPlan plan(size_t op);

  const Flow &flow;
  const std::vector<FlowPoint> &at;
  FlowFacts &facts;
  /// Statements during which an operation that is planned may be in flight.
  std::vector<std::set<std::pair<uint32_t, uint32_t>>> under;
};

/// Returns true if the block is in the loop, or in a loop inside it.
bool Planner::contains(uint32_t loop, uint32_t block) const {
  for (uint32_t l = flow.blocks[block].loop; l != NoLoop; l = flow.loops[l].parent)
    if (l == loop)
      return true;
  return loop == NoLoop;
}

/// Returns true if neither operation may be in flight where the other one stands.
bool Planner::overlap(size_t a, size_t b) {
  return facts.stop(a, at[b]) != Stop::None || facts.stop(b, at[a]) != Stop::None;
}

/// Asks the plugin, then the plans made so far: an operation in flight also stops others.
Stop Planner::stop(size_t op, FlowPoint p) {
  if (Stop s = facts.stop(op, p); s != Stop::None)
    return s;
  for (size_t k = 0; k < under.size(); ++k)
    if (k != op && under[k].count({p.block, p.statement}) && overlap(op, k))
      return Stop::Other;
  return Stop::None;
}

/// Returns true if no statement of the block stops the operation.
bool Planner::isFree(size_t op, uint32_t block) {
  for (uint32_t i = 0; i < flow.blocks[block].statements; ++i)
    if (stop(op, {block, i}) != Stop::None)
      return false;
  return true;
}

/// Returns true if a path leads from a block back to it that avoids `by`.
bool Planner::comesBack(uint32_t block, uint32_t by) const {
  Blocks seen(flow.blocks.size());
  std::vector<uint32_t> list(flow.blocks[block].succs);
  for (size_t i = 0; i < list.size(); ++i) {
    uint32_t b = list[i];
    if (b == block)
      return true;
    if (b == by || seen[b])
      continue;
    seen[b] = true;
    list.insert(list.end(), flow.blocks[b].succs.begin(), flow.blocks[b].succs.end());
  }
  return false;
}

/// Collects the blocks on paths from `from` to `to`. Returns false if a path from `from` returns
/// to it, or never reaches `to`: then `from` runs without the operation.
bool Planner::between(uint32_t from, uint32_t to, Blocks &passed) const {
  std::vector<uint32_t> list(flow.blocks[from].succs);
  for (size_t i = 0; i < list.size(); ++i) {
    uint32_t b = list[i];
    if (b == from)
      return false;
    if (b == to || passed[b])
      continue;
    passed[b] = true;
    if (flow.blocks[b].succs.empty())
      return false;
    list.insert(list.end(), flow.blocks[b].succs.begin(), flow.blocks[b].succs.end());
  }
  // a path that enters an endless loop never reaches `to`
  Blocks reaches(flow.blocks.size());
  std::vector<uint32_t> back{to};
  while (!back.empty()) {
    uint32_t b = back.back();
    back.pop_back();
    for (uint32_t p : flow.blocks[b].preds)
      if (passed[p] && !reaches[p])
        reaches[p] = true, back.push_back(p);
  }
  for (size_t b = 0; b < passed.size(); ++b)
    if (passed[b] && !reaches[b])
      return false;
  return true;
}

/// Returns true if the operation may begin there: nothing stops it, and its arguments are
/// available.
bool Planner::isReady(size_t op, FlowPoint p, const std::vector<AsyncGuard> &guards) {
  if (stop(op, p) != Stop::None || !facts.available(op, p))
    return false;
  for (const AsyncGuard &g : guards)
    if (!facts.decides(g.from, p))
      return false;
  return true;
}

/// Moves from the start of a block to the end of its nearest dominator after which the operation
/// runs in any case, if no block in between stops it.
bool Planner::runsFrom(size_t op, FlowPoint &p, const std::vector<AsyncGuard> &guards) {
  uint32_t d = flow.blocks[p.block].idom;
  while (!contains(flow.blocks[d].loop, p.block)) // leave the loops in between
    d = flow.blocks[d].idom;
  Blocks passed(flow.blocks.size());
  if (d == p.block || flow.blocks[d].loop != flow.blocks[p.block].loop || comesBack(p.block, d) ||
      !between(d, p.block, passed))
    return false;
  FlowPoint end{d, flow.blocks[d].statements - 1};
  if (!isReady(op, end, guards))
    return false;
  for (uint32_t b = 0; b < passed.size(); ++b)
    if (passed[b] && !isFree(op, b))
      return false;
  p = end;
  return true;
}

/// Moves from the start of a block above the single test that leads there.
bool Planner::passTest(size_t op, FlowPoint &p, std::vector<AsyncGuard> &guards) {
  const FlowBlock &block = flow.blocks[p.block];
  if (block.preds.size() != 1)
    return false;
  uint32_t d = block.preds[0];
  const FlowBlock &above = flow.blocks[d];
  FlowPoint end{d, above.statements - 1};
  if (d == p.block || above.loop != block.loop || above.succs.size() != 2 ||
      above.succs[0] == above.succs[1] || !isReady(op, end, guards) || !facts.decides(d, end))
    return false;
  guards.push_back({d, p.block});
  p = end;
  return true;
}

/// Finds the earliest point: upwards past statements that do not stop the operation, to
/// dominators after which it runs in any case, and above at most `mostGuards` tests.
FlowPoint Planner::earliest(size_t op, size_t mostGuards, std::vector<AsyncGuard> &guards) {
  FlowPoint p = at[op];
  for (;;) {
    while (p.statement > 0) {
      FlowPoint before{p.block, p.statement - 1};
      if (!isReady(op, before, guards))
        return p;
      p = before;
    }
    if (!runsFrom(op, p, guards) && (guards.size() == mostGuards || !passTest(op, p, guards)))
      return p;
  }
}

/// Returns false for the other arm of a passed test: nothing is in flight there.
bool Planner::isOpen(const AsyncPlan &plan, uint32_t from, uint32_t to) const {
  for (const AsyncGuard &g : plan.guards)
    if (g.from == from)
      return g.to == to;
  return true;
}

/// Estimates how often a block runs while an operation begun in another one is in flight.
uint64_t Planner::iterations(uint32_t block, uint32_t begin) const {
  uint64_t all = 1;
  for (uint32_t l = flow.blocks[block].loop; !contains(l, begin); l = flow.loops[l].parent) {
    uint64_t n = flow.loops[l].iterations ? flow.loops[l].iterations : asyncIterations;
    all = all > UINT32_MAX / n ? UINT32_MAX : all * n;
  }
  return all;
}

size_t Planner::operationAt(FlowPoint p) const {
  return size_t(std::find(at.begin(), at.end(), p) - at.begin());
}

/// Adds a statement to the overlapped work.
void Planner::count(AsyncPlan &plan, FlowPoint p) {
  bool other = operationAt(p) != at.size();
  plan.others += other;
  plan.work += (other ? asyncOperation : facts.work(p)) * iterations(p.block, plan.begin.block);
}

/// Marks a statement as one during which the operation may be in flight.
void Planner::note(size_t op, FlowPoint p) { under[op].insert({p.block, p.statement}); }

/// Finds the statement of a loop that stops the operation; false if there is none.
bool Planner::overlaps(size_t op, uint32_t loop, AsyncWait &wait) {
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    for (uint32_t i = 0; contains(loop, b) && i < flow.blocks[b].statements; ++i)
      if (Stop s = stop(op, {b, i}); s != Stop::None) {
        wait.stop = s;
        wait.cause = {b, i};
        return true;
      }
  return false;
}

/// Returns true if the operation may stay in flight along an edge. It is waited for before a loop
/// that stops it, and before the place where it would begin again.
bool Planner::enter(size_t op, AsyncPlan &plan, uint32_t from, uint32_t to) {
  uint32_t loop = flow.blocks[to].loop;
  bool header = loop != NoLoop && flow.loops[loop].header == to;
  AsyncWait wait;
  wait.at = {from, flow.blocks[from].statements - 1};
  wait.to = to;
  wait.stop = Stop::Again;
  wait.cause = at[op];
  bool again = to == plan.begin.block || (header && contains(loop, plan.begin.block));
  bool outer = header && !contains(loop, from);
  if (!again && !(outer && overlaps(op, loop, wait))) {
    plan.loops += outer;
    return true;
  }
  for (const AsyncWait &w : plan.waits)
    if (w.to == to && w.at == wait.at)
      return false;
  plan.waits.push_back(wait);
  return false;
}

/// Follows every path downwards to the first statement that stops the operation.
void Planner::follow(size_t op, AsyncPlan &plan) {
  Blocks in(flow.blocks.size());
  std::vector<uint32_t> list{plan.begin.block};
  for (size_t k = 0; k < list.size(); ++k) {
    uint32_t b = list[k];
    uint32_t i = k ? 0 : plan.begin.statement;
    bool going = true;
    for (; going && i < flow.blocks[b].statements; ++i) {
      FlowPoint p{b, i};
      if (p == at[op])
        continue; // the operation itself has begun already
      Stop s = stop(op, p);
      going = s == Stop::None;
      if (going)
        note(op, p), count(plan, p);
      else
        plan.waits.push_back({p, AsyncWait::NoBlock, s, p});
    }
    for (uint32_t s : flow.blocks[b].succs)
      if (going && isOpen(plan, b, s) && !in[s] && enter(op, plan, b, s))
        in[s] = true, list.push_back(s);
  }
}

/// Plans one operation. A plan that is not worth it leaves no marks, so that it does not stop
/// later operations.
AsyncPlan Planner::plan(size_t op, size_t mostGuards) {
  AsyncPlan p;
  under[op].clear();
  p.begin = earliest(op, mostGuards, p.guards);
  follow(op, p);
  p.worthIt = p.work >= asyncWorth;
  if (!p.worthIt)
    under[op].clear();
  return p;
}

/// Passes tests only if the additional overlapped work is worth it.
AsyncPlan Planner::plan(size_t op) {
  AsyncPlan guarded = plan(op, asyncMostGuards);
  if (guarded.guards.empty())
    return guarded;
  AsyncPlan plain = plan(op, 0);
  return guarded.work < plain.work + asyncWorth ? plain : plan(op, asyncMostGuards);
}

/// Plans the operations in order; each one sees the plans made before it.
std::vector<AsyncPlan> Planner::run() {
  std::vector<AsyncPlan> plans;
  for (size_t op = 0; op < at.size(); ++op)
    plans.push_back(plan(op));
  return plans;
}

} // namespace

const char *textOf(Stop stop) {
  switch (stop) {
  case Stop::None: return "nothing";
  case Stop::Reads: return "what it writes is read";
  case Stop::Writes: return "what it writes is written";
  case Stop::Source: return "what it reads is written";
  case Stop::Call: return "a call may reach its memory, not return, or let others run";
  case Stop::Atomic: return "an atomic access or fence";
  case Stop::Volatile: return "a volatile access";
  case Stop::Assembler: return "inline assembler";
  case Stop::Return: return "the function returns";
  case Stop::Jump: return "a jump out of the function, or one whose target is not known";
  case Stop::Other: return "another operation on the same memory";
  case Stop::Again: return "the next iteration of the loop around it";
  }
  return "";
}

/// Moves and the variants for aligned addresses are begun like plain copies and fills.
const Operation *asyncOperationOf(const char *symbol) {
  const Operation *o = findOperation(symbol);
  return o && o->async ? o : nullptr;
}

std::vector<AsyncPlan> planAsync(const Flow &flow, const std::vector<FlowPoint> &at,
                                 FlowFacts &facts) {
  return Planner(flow, at, facts).run();
}

} // namespace memlift
