// slots.cpp - computes the greatest alignments that are consistent with all assignments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slots.h"

#include <algorithm>

namespace memlift {

AlignSlots::AlignSlot AlignSlots::add(unsigned first) {
  State made;
  made.bits = std::min(first, mostBits);
  all.push_back(std::move(made));
  return AlignSlot(all.size() - 1);
}

AlignSlots::Assignment AlignSlots::assign(AlignSlot into) {
  all[into].assignments.push_back(assignments);
  return assignments++;
}

void AlignSlots::enqueue(AlignSlot h) {
  if (all[h].queued)
    return;
  all[h].queued = true;
  queue.push_back(h);
}

unsigned AlignSlots::read(AlignSlot h) {
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

/// Ends, since a slot that is queued again has fewer bits.
void AlignSlots::settle(const Ask &ask) {
  while (!queue.empty()) {
    asking = queue.back();
    queue.pop_back();
    all[asking].queued = false; // before the query, as it may read itself
    unsigned least = all[asking].bits;
    for (Assignment p : all[asking].assignments) {
      unsigned is = least ? std::min(least, ask(p, least)) : 0;
      if (is < least)
        all[asking].worst = p;
      least = is;
    }
    std::swap(all[asking].bits, least);
    if (all[asking].bits == least)
      continue;
    for (AlignSlot reader : all[asking].readers)
      enqueue(reader);
  }
  asking = nobody;
}

} // namespace memlift
