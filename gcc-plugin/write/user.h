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
  /// Computes what the fixup needs before the loops.
  UserAccesses(Emitter &e, LoopBinding &binding, const UserFixup &fixup);
  /// Sets the address in the destination where a fault of the next accesses leaves the operation.
  void reach(tree address) { reached = address; }
  tree load(tree from, uint64_t offset, unsigned bytes);
  void store(tree to, uint64_t offset, unsigned bytes, tree value);
  /// Gives each access its edge for faults, and adds the loop over bytes that they lead to. All
  /// statements are in their blocks.
  void cover();

private:
  struct Access {
    gasm *stmt;
    tree reached;
  };
  Emitter &e;
  location_t where;
  const UserTarget *target;
  tree reached = NULL_TREE;
  tree end, apart = NULL_TREE, value = NULL_TREE; // as UserFixup
  std::vector<Access> accesses;
  std::vector<gasm *> atEnd; // asm statements of the source before the return

  void emit(bool isStore, unsigned bytes, uint64_t offset, std::vector<tree> from, tree result);
  edge divide(gasm *stmt, basic_block fault);
  basic_block land(gphi *&at);
  void leave(basic_block out, tree left);
};

/// Returns what of the current function may fault without an entry; null if nothing does.
gimple *uncovered();

} // namespace memlift

#endif
