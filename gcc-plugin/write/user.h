// user.h - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_USER_H
#define MEMLIFT_GCC_WRITE_USER_H

#include "../../idioms/useraccess.h"
#include "emit.h"

namespace memlift {

/// Returns the instructions of the target, or null if it has none.
const UserTarget *userTarget();

/// Emits a decision's accesses as asm statements, and covers them in the end.
class UserAccesses {
public:
  /// Computes what all loops need, whose code begins in a block.
  UserAccesses(Emitter &e, LoopBinding &binding, const UserFixup &fixup, basic_block begin);
  /// Sets the address in the destination where a fault of the next accesses leaves the operation;
  /// `exact`: nothing more can be done.
  void reach(tree address, bool exact) { reached = address, single = exact; }
  /// Computes what faults of the next loops need, which go by words.
  void beforeWords();
  /// Says that a loop ended at the address `end` of the destination, and where its pointers are
  /// then; `from` is null if that is not the same place of the source.
  void came(ExprId end, tree to, tree from);
  /// Makes `to` and `from`, which are known at the end of `before` (`from` may be null), PHIs of a
  /// block of their own after it, which is returned: where faults lead.
  basic_block resume(basic_block before, tree &to, tree &from);
  /// Returns the fill's bytes in a register; null if they have to be made of the pattern.
  tree filled() const { return constant; }
  tree load(tree from, uint64_t offset, unsigned bytes);
  void store(tree to, uint64_t offset, unsigned bytes, tree value);
  /// Gives each access its edge for faults, and adds the loop over bytes that they lead to. All
  /// statements are in their blocks. `to`: the address after the last loop, or null. Returns the
  /// block after `at`, in which the loops end.
  basic_block cover(tree to, basic_block at);

private:
  struct Access {
    gasm *stmt;
    tree reached;
    bool exact;
  };
  Emitter &e;
  location_t where;
  const UserTarget *target;
  const UserFixup &fixup;
  ExprGraph &g;
  const basic_block begin;
  const tree bytes;
  tree reached = NULL_TREE;
  bool single = false;
  tree end, apart = NULL_TREE, constant = NULL_TREE; // the last: of a fill, a word
  basic_block resumed = nullptr;
  gphi *resumedTo = nullptr, *resumedFrom = nullptr;
  std::vector<Access> accesses;
  std::vector<gasm *> atEnd; // asm statements of the source before the return

  void emit(bool isStore, unsigned bytes, uint64_t offset, std::vector<tree> from, tree result);
  edge divide(gasm *stmt, basic_block fault);
  void land(basic_block out, tree left);
  tree leftFrom(tree left);
  void enterAlways(const std::vector<basic_block> &after);
  basic_block leaveAsSource(tree to, basic_block at);
  void leave(basic_block out, tree left);
};

/// Hides from GCC that a pointer steps.
void pinStep(gassign *add, location_t where);

/// Returns what of the current function may fault without an entry; null if nothing does.
gimple *uncovered();

} // namespace memlift

#endif
