// slots.h - things that hold pointers, and how aligned all that is put there is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static int callee(u8 *p);              the argument p: what callers pass
//   callee(first); callee(first + 64);
//   static u8 *buffer;                     a variable: what it is ever set to
//   buffer = aligned_alloc(64, n);
//
// Where every use of a function or of a variable is in sight, what it holds is
// what somebody put there. Taken for aligned to a page at first, each is asked
// whether that can be, and aligned to less where not; whoever relied on it is asked
// again. What is left is true, by induction over what was put where first.
//
// Only what somebody reads is looked at: a query about one pointer costs what
// that pointer hangs on, not the program.
#ifndef MEMLIFT_IDIOMS_ALIGN_SLOTS_H
#define MEMLIFT_IDIOMS_ALIGN_SLOTS_H

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace memlift {

class AlignSlots {
public:
  using AlignSlot = unsigned;
  /// Counted from 0 in the order of assign().
  using Assignment = unsigned;
  static constexpr Assignment noPut = ~0u;
  // Above a page nothing asks, and LLVM's attribute holds 2^32.
  static constexpr unsigned mostBits = 12;
  /// How many of the lowest bits of what is put are zero there, at most `limit`.
  using Ask = std::function<unsigned(Assignment, unsigned limit)>;

  /// `first`: of what it holds before anything is put there.
  AlignSlot add(unsigned first = mostBits);
  Assignment assign(AlignSlot into);

  /// How many of its lowest bits are zero, as far as is known for now: it may turn
  /// out to be less until everything is settled.
  unsigned read(AlignSlot h);
  void settle(const Ask &ask);

  /// Slots that somebody has asked about.
  size_t wanted() const { return wantedCount; }
  /// Whether anybody asked, so that bits() are proved.
  bool isSettled(AlignSlot h) const { return all[h].wanted && !all[h].queued; }
  unsigned bits(AlignSlot h) const { return isSettled(h) ? all[h].bits : 0; }
  bool isEverSet(AlignSlot h) const { return !all[h].assignments.empty(); }
  /// What makes it no more aligned than it is; noPut if that is its first value.
  Assignment worst(AlignSlot h) const { return all[h].worst; }

private:
  struct State {
    unsigned bits;
    bool wanted = false, queued = false;
    std::vector<Assignment> assignments;
    std::set<AlignSlot> readers; // whose assignments were proved with it
    Assignment worst = noPut;
  };
  static constexpr AlignSlot nobody = ~0u;
  std::vector<State> all;
  std::vector<AlignSlot> queue;
  Assignment assignments = 0;
  size_t wantedCount = 0;
  AlignSlot asking = nobody;

  void enqueue(AlignSlot h);
};

/// Is the pointer of `size` bytes at offset `from` of a variable read and written as a
/// whole only? `pointers` has the offsets of all that are as its keys, `others` the
/// bytes [begin, end) that anything else is written to.
template <typename Pointers>
bool isWhole(int64_t from, int64_t size, const Pointers &pointers,
             const std::vector<std::pair<int64_t, int64_t>> &others) {
  for (const auto &other : pointers)
    if (other.first != from && other.first < from + size && from < other.first + size)
      return false;
  for (const auto &other : others)
    if (other.first < from + size && from < other.second)
      return false;
  return true;
}

} // namespace memlift

#endif
