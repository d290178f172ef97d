// cycles.cpp - finds the cycles that are entered in several places
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   switch (n % 4) {
//   case 0: do { *to++ = *from++;
//   case 3:      *to++ = *from++;
//   ...        } while (--n > 0);
//   }
//
// A strongly connected component of the graph with one entry is a natural loop, which the
// compilers know; its inside is searched without the entry block. A component with several
// entries is reported, unless a cycle is left in it without its entries.
#include "cycles.h"

#include <algorithm>
#include <iterator>

namespace memlift {
namespace {

class Cycles {
public:
  explicit Cycles(const FlowGraph &graph)
      : graph(graph), before(graph.size()), region(graph.size()), order(graph.size()),
        low(graph.size()), open(graph.size()) {
    for (unsigned b = 0; b < graph.size(); ++b)
      for (unsigned s : graph[b])
        before[s].push_back(b);
  }
  std::vector<std::vector<unsigned>> run();

private:
  using Blocks = std::vector<unsigned>;
  struct Visit {
    unsigned block;
    size_t next;
  };

  const FlowGraph &graph;
  FlowGraph before;                 // predecessors
  std::vector<unsigned> region;     // number of the subgraph that a block is in
  std::vector<unsigned> order, low; // of the search: 0 is not visited yet
  std::vector<bool> open;
  std::vector<Blocks> found; // cycles, in the order of the search
  Blocks stack;
  unsigned regions = 0, count = 0;

  std::vector<Blocks> within(const Blocks &blocks);
  void search(unsigned from);
  void close(unsigned root);
  bool connected(const Blocks &blocks) const;
  Blocks entriesOf(const Blocks &cycle);
};

bool Cycles::connected(const Blocks &blocks) const {
  if (blocks.size() > 1)
    return true;
  const Blocks &next = graph[blocks[0]];
  return std::find(next.begin(), next.end(), blocks[0]) != next.end();
}

/// Makes one strongly connected component of all blocks that are still open down to
/// `root`.
void Cycles::close(unsigned root) {
  Blocks blocks;
  unsigned b;
  do {
    b = stack.back();
    stack.pop_back();
    open[b] = false;
    blocks.push_back(b);
  } while (b != root);
  if (connected(blocks))
    found.push_back(std::move(blocks));
}

/// Tarjan's search, without recursion: functions have many thousand blocks.
void Cycles::search(unsigned from) {
  std::vector<Visit> way;
  auto enter = [&](unsigned b) {
    order[b] = low[b] = ++count;
    open[b] = true;
    stack.push_back(b);
    way.push_back({b, 0});
  };
  unsigned here = region[from];
  enter(from);
  while (!way.empty()) {
    Visit &v = way.back();
    unsigned b = v.block;
    if (v.next < graph[b].size()) {
      unsigned s = graph[b][v.next++];
      if (region[s] == here && !order[s])
        enter(s);
      else if (region[s] == here && open[s])
        low[b] = std::min(low[b], order[s]);
      continue;
    }
    way.pop_back();
    if (!way.empty())
      low[way.back().block] = std::min(low[way.back().block], low[b]);
    if (low[b] == order[b])
      close(b);
  }
}

/// Finds the cycles of a subgraph.
std::vector<std::vector<unsigned>> Cycles::within(const Blocks &blocks) {
  ++regions;
  for (unsigned b : blocks) {
    region[b] = regions;
    order[b] = 0;
  }
  found.clear();
  for (unsigned b : blocks)
    if (!order[b])
      search(b);
  return std::move(found);
}

/// Returns the blocks at which control enters the cycle from outside.
std::vector<unsigned> Cycles::entriesOf(const Blocks &cycle) {
  ++regions;
  for (unsigned b : cycle)
    region[b] = regions;
  Blocks entries;
  for (unsigned b : cycle)
    if (b == 0 || std::any_of(before[b].begin(), before[b].end(),
                              [&](unsigned p) { return region[p] != regions; }))
      entries.push_back(b);
  return entries;
}

std::vector<std::vector<unsigned>> Cycles::run() {
  std::vector<Blocks> result;
  Blocks all(graph.size());
  for (unsigned b = 0; b < graph.size(); ++b)
    all[b] = b;
  std::vector<Blocks> todo = within(all);
  while (!todo.empty()) {
    Blocks cycle = std::move(todo.back()), rest;
    todo.pop_back();
    std::sort(cycle.begin(), cycle.end());
    Blocks entries = entriesOf(cycle);
    std::set_difference(cycle.begin(), cycle.end(), entries.begin(), entries.end(),
                        std::back_inserter(rest));
    std::vector<Blocks> inner = within(rest);
    if (entries.size() > 1 && inner.empty())
      result.push_back(std::move(cycle));
    for (Blocks &b : inner)
      todo.push_back(std::move(b));
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace

std::vector<std::vector<unsigned>> multiEntryCycles(const FlowGraph &graph) {
  return graph.empty() ? std::vector<std::vector<unsigned>>() : Cycles(graph).run();
}

} // namespace memlift
