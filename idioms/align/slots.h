// slots.h - the alignment of arguments, results and variables whose assignments are all visible
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static int callee(u8 *p);              slot: the argument p, assigned by callers
//   callee(first); callee(first + 64);
//   static u8 *buffer;                     slot: the variable, assigned by stores
//   buffer = aligned_alloc(64, n);
//
// If every use of a function or a variable is visible, all values of a slot come from
// its assignments. The method is an optimistic fixed point: every slot starts at page
// alignment. An assignment that contradicts it lowers the slot and queues its readers
// again. The result is sound by induction on the order of assignments.
//
// Only slots that are read are computed: a query about one pointer costs what that
// pointer depends on, not the program.
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
  /// Numbered from 0 in the order of assign().
  using Assignment = unsigned;
  static constexpr Assignment noPut = ~0u;
  // Nothing asks above a page, and LLVM's attribute holds 2^32.
  static constexpr unsigned mostBits = 12;
  /// Returns how many of the lowest bits of the assigned value are zero, at most
  /// `limit`.
  using Ask = std::function<unsigned(Assignment, unsigned limit)>;

  /// `first`: zero bits of the slot before any assignment.
  AlignSlot add(unsigned first = mostBits);
  Assignment assign(AlignSlot into);

  /// Returns how many of its lowest bits are zero as far as is known; it may become
  /// less until everything is settled.
  unsigned read(AlignSlot h);
  void settle(const Ask &ask);

  /// Returns the number of slots that have been read.
  size_t wanted() const { return wantedCount; }
  /// Returns true if the slot was read and is final, so that bits() are proved.
  bool isSettled(AlignSlot h) const { return all[h].wanted && !all[h].queued; }
  unsigned bits(AlignSlot h) const { return isSettled(h) ? all[h].bits : 0; }
  bool isEverSet(AlignSlot h) const { return !all[h].assignments.empty(); }
  /// Returns the assignment that keeps it from being more aligned; noPut for its
  /// first value.
  Assignment worst(AlignSlot h) const { return all[h].worst; }

private:
  struct State {
    unsigned bits;
    bool wanted = false, queued = false;
    std::vector<Assignment> assignments;
    std::set<AlignSlot> readers; // slots whose assignments were proved with it
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

/// Returns true if the pointer of `size` bytes at offset `from` of a variable is read
/// and written as a whole only. The keys of `pointers` are the offsets of all that
/// are, and `others` has the bytes [begin, end) that anything else is written to.
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
