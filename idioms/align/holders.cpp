// holders.cpp - the greatest alignments that agree with everything that is put somewhere
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "holders.h"

#include <algorithm>

namespace memlift {

Holders::Holder Holders::add(unsigned first) {
  State made;
  made.bits = std::min(first, mostBits);
  all.push_back(std::move(made));
  return Holder(all.size() - 1);
}

Holders::Put Holders::put(Holder into) {
  all[into].puts.push_back(puts);
  return puts++;
}

void Holders::enqueue(Holder h) {
  if (all[h].queued)
    return;
  all[h].queued = true;
  queue.push_back(h);
}

unsigned Holders::read(Holder h) {
  State &s = all[h];
  if (asking != nobody)
    s.readers.insert(asking);
  if (!s.wanted) {
    s.wanted = true;
    ++wantedCount;
    enqueue(h);
  }
  return s.bits;
}

/// Ends: each time that a holder comes again, something has fewer bits.
void Holders::settle(const Ask &ask) {
  while (!queue.empty()) {
    asking = queue.back();
    queue.pop_back();
    all[asking].queued = false; // before: it may read itself
    unsigned least = all[asking].bits;
    for (Put p : all[asking].puts) {
      unsigned is = least ? std::min(least, ask(p, least)) : 0;
      if (is < least)
        all[asking].worst = p;
      least = is;
    }
    std::swap(all[asking].bits, least);
    if (all[asking].bits == least)
      continue;
    for (Holder reader : all[asking].readers)
      enqueue(reader);
  }
  asking = nobody;
}

} // namespace memlift
