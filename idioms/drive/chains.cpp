// chains.cpp - the search for chains, and the verdict on each
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chains.h"

namespace memlift {

constexpr size_t longestSearch = 4, mostLinks = 64; // limits on the time of a search

/// Reads, judges, reports and writes a chain. Returns true if no shorter one is to be tried: it was
/// written, or its verdict was refuted, which is a bug to be reported once. The loops of a refuted
/// chain are tried on their own.
bool ChainSearch::tryChain(size_t first, size_t count) {
  std::vector<BoundLoop *> links = read(first, count);
  if (links.empty())
    return false;
  std::vector<Loop> stages;
  for (BoundLoop *link : links) {
    driver.name(*link);
    stages.push_back(link->loop);
  }
  Joined joined = judgeChain(stages, driver.function().options());
  bool refuted = joined.outcome.decision.code == Diag::ClaimRefuted;
  if (!joined.ok && !refuted)
    return false;
  BoundLoop &binding = bind(joined);
  driver.remark(binding, joined.outcome);
  if (refuted)
    return true;
  if (driver.function().mayWrite())
    write(binding, joined);
  take(first, count);
  return true;
}

void ChainSearch::search(size_t links) {
  size_t last = links > mostLinks ? 0 : links;
  for (size_t i = 0; i + 1 < last; ++i) {
    size_t count = 1;
    while (i + count < last && count < longestSearch && mayContinue(i + count - 1)) {
      giveBlock(i + count - 1);
      giveBlock(i + count);
      if (!isChain(i, count + 1))
        break;
      ++count;
    }
    while (count > 1 && !tryChain(i, count))
      --count;
    i += count - 1;
  }
  undo();
}

} // namespace memlift
